// SPDX-License-Identifier: Apache-2.0
// Internal to the router: why flows cannot be routed together, in terms of flows and microswitches.
#pragma once

#include <optional>
#include <vector>

#include "fred/route/route.hpp"
#include "fred/route/search.hpp"
#include "fred/route/words.hpp"

namespace fred::detail {

/// Two flows that have a port in common on one side.
[[nodiscard]] std::optional<Conflict> port_conflict(const Network& network, const std::vector<Flow>& flows);

/// Finds a smallest, or at least a minimal, set of flows that cannot be routed, and the outermost level that explains
/// it. `core` cannot be routed. `subnets` is null when nothing is to be avoided.
[[nodiscard]] Conflict find_conflict(const Problem& problem, const WordProblem& words,
                                     const std::vector<Subnet>* subnets, const LinkSet& avoid, std::vector<int> core);

}  // namespace fred::detail
