// SPDX-License-Identifier: Apache-2.0
// Internal to the placement: rules that place ranks, and a local search beside them. How they work is told in
// placement_search.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/find.hpp"
#include "fred/route/placement.hpp"

namespace fred::detail {

struct Candidate {
  Placement placement;
  std::string rule;  ///< in words, for a person
};

/// Ports in the order in which a rule is to take them.
struct PortOrder {
  Ports ports;         ///< at least one a rank
  std::string suffix;  ///< what it adds to the words of a rule
};

/// Calls `visit` with placements by rule on each order of ports in turn, the paper's first, none twice, until it
/// returns true or there are no more.
void each_rule(const Parallelism& parallelism, const std::vector<PortOrder>& orders,
               const std::function<bool(const Candidate&)>& visit);

/// Effort that is left for a search: it counts down, and stops at zero. Never the time, so that a command gives the
/// same bytes on every machine.
struct Effort {
  long left = 0;
  [[nodiscard]] bool spent() const { return left <= 0; }
};

/// A quick measure of how far flows with equal sides are from one round: how many a greedy colouring leaves out. If
/// none, they route at once, clear of `broken`. Keeps a reference to the network.
class Greedy {
 public:
  Greedy(const Network& network, const LinkSet& broken)
      : radix_(network.radix), middle_(network.middle), levels_(network.levels()), obstacles_(network, broken) {}
  [[nodiscard]] int radix() const { return radix_; }
  /// Flows left out, ascending. Takes from the effort, but does not stop.
  [[nodiscard]] std::vector<int> left_out(const std::vector<Flow>& flows, Effort& effort) const;

 private:
  using Lists = std::vector<std::vector<int>>;
  /// By position in `set`: those that share an entry of `1 << shift` ports with it.
  [[nodiscard]] Lists neighbours(int shift, const std::vector<int>& set, const std::vector<Flow>& flows) const;
  /// `subnet` is where the flows of `set` are: an index, or kWhole where nothing is broken.
  void colour(int level, int subnet, const std::vector<int>& set, const std::vector<Flow>& flows,
              std::vector<int>& left_out, Effort& effort) const;
  /// Whether a flow has a way through a subnetwork at `level`.
  [[nodiscard]] bool passes(const Flow& flow, int level, int subnet) const;
  /// The middle `colour` of a subnetwork.
  [[nodiscard]] int middle_of(int subnet, int colour) const;

  static constexpr int kWhole = -1;
  int radix_, middle_, levels_;
  Obstacles obstacles_;
};

/// A placement and how many flows of all phases a greedy colouring leaves out.
struct Measured {
  Placement placement;
  int left_out = 0;
};

/// Swaps ranks, beginning with `start`, and moves them to others of `ports`, until no flow of any phase is left out or
/// the effort is spent. The best found, of equals the first.
[[nodiscard]] Measured swap_ranks(const Greedy& greedy, const Parallelism& parallelism, const Placement& start,
                                  const Ports& ports, std::uint32_t seed, Effort& effort);

}  // namespace fred::detail
