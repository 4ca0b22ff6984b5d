// SPDX-License-Identifier: Apache-2.0
// Placing the ranks of a job on the ports of a switch, so that the groups of every phase of its parallelism route at
// once, and routes of all phases that disturb each other as little as can be.
#pragma once

#include <string>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/broken.hpp"
#include "fred/route/flow.hpp"
#include "fred/route/parallelism.hpp"
#include "fred/route/route.hpp"

namespace fred {

/// placement[rank] is the port of a rank. No repetition.
using Placement = std::vector<int>;

/// The collectives along one dimension of more than one rank: disjoint groups, each routed as its all-reduce, whose
/// route serves every collective of the group that is a tree.
struct Phase {
  std::string name;           ///< of the dimension
  std::vector<Group> groups;  ///< ports, in rank order
  std::vector<Flow> flows;    ///< one a group
  Rounds rounds;              ///< of the flows, with their routes
  std::vector<int> lost;      ///< flows that have no route beside broken parts: in no round, their routes blank
  [[nodiscard]] int size() const { return groups.empty() ? 0 : static_cast<int>(groups.front().size()); }
};

/// Pairs of groups of two phases that have no port in common, and so may share cycles.
struct CrossPhase {
  int first = 0, second = 0;  ///< indices of the phases
  long pairs = 0;             ///< of a group of the first and one of the second
  long compatible = 0;        ///< of these: their routes share no link
  friend bool operator==(const CrossPhase&, const CrossPhase&) = default;
};

struct PlacedJob {
  Placement placement;
  std::string rule;                  ///< how the placement was found, in words
  std::vector<Phase> phases;         ///< dimensions of more than one rank, in the order of the parallelism
  std::vector<CrossPhase> cross;     ///< each two phases
  std::vector<int> lost_ranks = {};  ///< those at ports that can no longer send or receive, for want of others
  [[nodiscard]] int rounds() const;  ///< total over all phases
  [[nodiscard]] int lost() const;    ///< flows without a route, over all phases
  /// Nothing is lost: every rank has a port and every flow a route.
  [[nodiscard]] bool all_routed() const { return lost() == 0 && lost_ranks.empty(); }
  /// And every phase goes in one round.
  [[nodiscard]] bool one_round_each() const { return all_routed() && rounds() == static_cast<int>(phases.size()); }
};

/// Throws InputError unless the placement has a port in 0..radix-1 for each of `ranks`, no port twice, and none of
/// those that are lost.
void check_placement(const Placement& placement, int ranks, int radix, const Loss& loss = {});

/// Ports that can both send and receive, ascending.
[[nodiscard]] Ports ports_left(int radix, const Loss& loss);

/// Phases with their groups and flows, not routed yet. The placement is right.
[[nodiscard]] std::vector<Phase> phases_of(const Parallelism& parallelism, const Placement& placement);

/// Searches for a placement with which every phase routes in one round clear of `broken` (empty, or by link of the
/// network), and routes it. When none is found within a limit on the effort, the one that loses the fewest flows, of
/// those the one that takes the fewest rounds in all, of those the first tried. A port that can no longer send or
/// receive has a rank only where there are more ranks than other ports. The same input gives the same answer. Throws
/// InputError when there are more ranks than ports.
[[nodiscard]] PlacedJob place(const Network& network, const Parallelism& parallelism, const LinkSet& broken = {});
/// Routes with a placement that is given. Throws InputError as check_placement with the loss by `broken`.
[[nodiscard]] PlacedJob place_as_given(const Network& network, const Parallelism& parallelism,
                                       const Placement& placement, const LinkSet& broken = {});

}  // namespace fred
