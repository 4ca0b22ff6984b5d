// SPDX-License-Identifier: Apache-2.0
// Internal to the router: the routing problem in its barest form, as words that must differ early enough.
//
// A route is a word of colours, outermost level first. Two flows that share an R or a D microswitch of the subnetworks
// at level l must be in different subnetworks there or take different middles: their words must differ in the first
// l + 1 letters. They share one at every further level too, so only the outermost such level counts. Nothing else
// restricts flows that have no port in common.
#pragma once

#include <cstdint>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/flow.hpp"
#include "fred/route/wiring.hpp"

namespace fred::detail {

/// Words for `flows` flows, of `levels` letters 0..middle-1 each.
struct WordProblem {
  static constexpr std::uint8_t kFree = 255;

  int flows = 0;
  int levels = 0;
  int middle = 0;
  std::vector<std::uint8_t> depths;                      ///< see depth()
  std::vector<std::vector<std::vector<int>>> forbidden;  ///< by flow: prefixes that its word must not have

  /// Words of f and g must differ in so many first letters; 0: they share a port and are never together; kFree: never
  /// mind.
  [[nodiscard]] std::uint8_t depth(int f, int g) const { return depths[static_cast<std::size_t>(f) * flows + g]; }
  /// How many words of f are forbidden.
  [[nodiscard]] long closed(int f) const;
  /// Every word of f is forbidden.
  [[nodiscard]] bool lost(int f) const;
  /// No word is forbidden, so all middles are alike.
  [[nodiscard]] bool uniform() const;
};

/// The problem of flows in FRED_middle(radix).
[[nodiscard]] WordProblem make_words(int radix, int middle, const std::vector<Flow>& flows);
/// The same where the words that lead over links of `avoid` are forbidden. `subnets` is made with `avoid`.
[[nodiscard]] WordProblem make_words(const Network& network, const std::vector<Flow>& flows,
                                     const std::vector<Subnet>& subnets, const LinkSet& avoid);

/// The problem of some of the flows, in that order, that looks at the first `levels` levels only.
[[nodiscard]] WordProblem restrict_to(const WordProblem& words, const std::vector<int>& flows, int levels);

/// Flows of which any two must differ in the first `depth` letters, found greedily: many, not the most.
[[nodiscard]] std::vector<int> clique(const WordProblem& words, int depth);

/// Flows that cannot be together because there are fewer beginnings of words than flows that need different ones: one
/// more than m^d flows of which any two must differ in the first d letters. Empty if none were found. Such sets are
/// what search and SAT solvers are slowest to refute.
[[nodiscard]] std::vector<int> pigeonhole(const WordProblem& words);

}  // namespace fred::detail
