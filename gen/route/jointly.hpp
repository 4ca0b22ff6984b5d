// SPDX-License-Identifier: Apache-2.0
// Internal to the router: routes of trees and all-to-alls that are to run beside each other, found together.
#pragma once

#include <optional>
#include <vector>

#include "fred/route/find.hpp"
#include "fred/route/route.hpp"

namespace fred::detail {

/// A tree, or an all-to-all among the inputs of the flow (its outputs are the same).
struct Participant {
  Flow flow;
  bool alltoall = false;
};

/// By participant: the one route of a tree; of an all-to-all the routes of step 0, of step 1, ..., in each by ascending
/// source.
using JointRoutes = std::vector<std::vector<Route>>;

/// Routes in which participants p and q with apart[p][q] share no link, whatever steps they are in. nullopt when there
/// are none, when there are more than kMostJointRoutes routes to find, or when none are found within a fixed effort.
inline constexpr std::size_t kMostJointRoutes = 600;
[[nodiscard]] std::optional<JointRoutes> route_jointly(const Obstacles& obstacles,
                                                       const std::vector<Participant>& participants,
                                                       const std::vector<std::vector<char>>& apart);

}  // namespace fred::detail
