// SPDX-License-Identifier: Apache-2.0
// Routes of groups of different phases: which share a link, and how to have fewer that do.
#pragma once

#include <vector>

#include "fred/route/placement.hpp"

namespace fred {

/// How many colours, from the outermost on, two routes must have alike for these flows to share a link: 0 if they share
/// a port, so always; -1 if they never do. Flows at ports p and q share an R or D at the first level l with
/// p >> (l + 1) == q >> (l + 1), and below it only where they went to the same middle. `levels`: of the network.
[[nodiscard]] int shared_prefix(const Flow& a, const Flow& b, int levels);

/// Counts for each two phases the pairs of groups without a common port, and those whose routes share no link. Lost
/// flows are in no pair.
[[nodiscard]] std::vector<CrossPhase> count_cross_phase(const Network& network, const std::vector<Phase>& phases);

/// Changes the routes of phases so that more pairs of groups of different phases are compatible: never fewer. Rounds
/// stay as they are, no two routes of a round come to share a link, and none comes to use one of `broken` (empty, or by
/// link of the network). The same input gives the same routes; the effort is limited.
void improve_cross_phase(const Network& network, std::vector<Phase>& phases, const LinkSet& broken = {});

}  // namespace fred
