// SPDX-License-Identifier: Apache-2.0
// Internal to the router: the word problem (words.hpp) as a question to a SAT solver, CaDiCaL. The second of the two
// methods that find routes: it knows nothing of the first (search.hpp), and answers where that one takes too long.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fred/route/route.hpp"
#include "fred/route/words.hpp"

namespace fred::detail {

/// Which flows can be routed together, in one round or in several. What is asked for is given as literals, with each
/// question; flows that are not asked for do not count.
class RouteSat {
 public:
  /// `alike`: rounds and middles may change places, so equal answers are asked for once. Not with keeps().
  RouteSat(const WordProblem& words, int rounds, bool alike = true);
  ~RouteSat();
  RouteSat(const RouteSat&) = delete;
  RouteSat& operator=(const RouteSat&) = delete;

  [[nodiscard]] int routed(int flow) const;               ///< literal: the flow is routed
  [[nodiscard]] int keeps(int flow, const Route& route);  ///< a new literal: if routed, the flow has this route

  /// Whether all literals can hold; nullopt after `conflicts` conflicts (about 10,000 a second or more), -1: no limit.
  [[nodiscard]] std::optional<bool> solve(const std::vector<int>& literals, long conflicts = -1);
  [[nodiscard]] bool failed(int literal) const;  ///< after false: belongs to what cannot hold
  [[nodiscard]] Route route(int flow) const;     ///< after true, of a flow asked for
  [[nodiscard]] int round(int flow) const;       ///< after true, of a flow asked for

 private:
  struct Solver;
  [[nodiscard]] int letter(int flow, int level, int k) const;  // level -1: the round
  [[nodiscard]] int letters(int level) const { return level < 0 ? rounds_ : words_.middle; }
  [[nodiscard]] int chosen(int flow, int level) const;
  void add(std::initializer_list<int> clause);
  void add_flow(int flow);
  void add_pair(int f, int g);
  [[nodiscard]] bool add_violated();
  void break_symmetry();

  const WordProblem words_;
  int rounds_;
  int per_flow_;             // variables of a flow: its selector, its round, its letters
  int variables_;            // so far
  std::vector<char> added_;  // by pair: its clauses are there
  std::unique_ptr<Solver> solver_;
};

/// All flows at once by SAT alone. nullopt: they cannot be together; `core`, if not null, is then flows of which that
/// is true by themselves, or empty if it was not decided within `conflicts` conflicts (-1: no limit).
[[nodiscard]] std::optional<std::vector<Route>> sat_routes(const WordProblem& words, std::vector<int>* core = nullptr,
                                                           long conflicts = -1);

/// Flows out of `set` that cannot be together; without any one of them they can (beyond 64 flows, as far as that was
/// found out with limited effort). `set` cannot be together.
[[nodiscard]] std::vector<int> minimal_core(const WordProblem& words, const std::vector<int>& set);

/// The fewest flows that cannot be together, if found within a fixed effort (about a second); `known` is a set that
/// cannot, and the answer if none is smaller.
[[nodiscard]] std::optional<std::vector<int>> minimum_core(const WordProblem& words, const std::vector<int>& known);

}  // namespace fred::detail
