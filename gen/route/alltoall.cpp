// SPDX-License-Identifier: Apache-2.0
// The steps of an all-to-all. Each is a permutation, which always routes where nothing is to be avoided (looping,
// permutation.hpp); routes reuse the links of the steps before where they can, so that others find links free. Beside
// links to avoid the search decides, step by step.
#include <algorithm>

#include "fred/route/find.hpp"
#include "fred/route/permutation.hpp"
#include "fred/route/route.hpp"
#include "fred/route/wiring.hpp"

namespace fred {

std::optional<AllToAllRoutes> route_alltoall(const Network& network, const Ports& members, const LinkSet& avoid) {
  detail::check_ports(members, network.radix, "members of an all-to-all");
  const detail::Obstacles obstacles(network, avoid, true);
  const bool free = std::find(avoid.begin(), avoid.end(), true) == avoid.end();
  const detail::Wiring wiring(network);
  const std::size_t n = members.size();
  AllToAllRoutes result{{}, LinkSet(network.links.size())};
  for (std::size_t step = 0; step < n; ++step) {
    std::vector<Flow> flows;
    std::vector<detail::Unicast> unicasts;
    for (std::size_t i = 0; i < n; ++i) {
      unicasts.push_back({members[i], members[(i + step) % n]});
      flows.push_back({{unicasts[i].source}, {unicasts[i].destination}});
    }
    std::vector<Route> routes;
    if (free) {
      routes = detail::route_permutation(network, *obstacles.subnets, unicasts, result.links);
    } else {
      RouteResult routed = detail::find_routes(obstacles, flows, false, &result.links);
      if (!routed.routable()) return std::nullopt;
      routes = std::move(routed.routes);
    }
    std::vector<AllToAllEntry> entries;
    for (std::size_t i = 0; i < n; ++i) {
      entries.push_back({unicasts[i].source, unicasts[i].destination, routes[i]});
      detail::add_links(wiring, flows[i], routes[i], result.links);
    }
    result.steps.push_back(std::move(entries));
  }
  return result;
}

}  // namespace fred
