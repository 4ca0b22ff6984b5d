// SPDX-License-Identifier: Apache-2.0
// Internal to the router: routes of unicasts, no two of which share an input or an output port.
#pragma once

#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/route.hpp"
#include "fred/route/wiring.hpp"

namespace fred::detail {

struct Unicast {
  int source = 0;
  int destination = 0;
};

/// Routes by the looping algorithm: two middles are enough at every level (Slepian-Duguid), and no more are used. Of
/// the two ways that each loop can be laid, the one with fewer links that are not in `used`. The time is proportional
/// to unicasts and levels.
[[nodiscard]] std::vector<Route> route_permutation(const Network& network, const std::vector<Subnet>& subnets,
                                                   const std::vector<Unicast>& unicasts, const LinkSet& used);

}  // namespace fred::detail
