// SPDX-License-Identifier: Apache-2.0
// Internal to the router: routes of flows at once, in a network of which some links may not be used.
#pragma once

#include <optional>
#include <vector>

#include "fred/route/route.hpp"
#include "fred/route/wiring.hpp"
#include "fred/route/words.hpp"

namespace fred::detail {

/// A network and what must stay free in it, made ready for any number of questions. Keeps a reference to the network.
struct Obstacles {
  /// `avoid`: empty, or by link of the network. `always`: make subnetworks though nothing is to be avoided. Throws
  /// InputError if `avoid` is not of this network.
  explicit Obstacles(const Network& network, const LinkSet& avoid = {}, bool always = false);

  [[nodiscard]] WordProblem words(const std::vector<Flow>& flows) const;

  const Network& network;
  LinkSet avoid;
  std::optional<std::vector<Subnet>> subnets;  ///< not made where nothing is to be avoided: all middles are alike
};

/// Throws InputError unless the ports of the flows are of the network.
void check_flows(const Network& network, const std::vector<Flow>& flows);

/// Routes of all flows, or a conflict: unless `explain`, blank but for flows that cannot be together, not the fewest.
/// `prefer`: links that are better used than others
/// (subnetworks must have been made); it changes which routes are found, not whether.
[[nodiscard]] RouteResult find_routes(const Obstacles& obstacles, const std::vector<Flow>& flows, bool explain,
                                      const LinkSet* prefer = nullptr);
/// The same with limited effort where there are more than 64 flows; nullopt: not decided.
[[nodiscard]] std::optional<RouteResult> try_routes(const Obstacles& obstacles, const std::vector<Flow>& flows);

}  // namespace fred::detail
