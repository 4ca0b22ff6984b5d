// SPDX-License-Identifier: Apache-2.0
// The router: middle subnetworks ("colours") for flows, so that no two flows share a link.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/flow.hpp"

namespace fred {

/// The route of one flow: colours[l] is the middle subnetwork it uses at level l, 0 outermost.
/// Size levels - 1 (empty for radix 2).
struct Route {
  std::vector<int> colours;
  friend bool operator==(const Route&, const Route&) = default;
};

/// Why flows do not fit into one round.
struct Conflict {
  std::vector<int> flows;                  ///< indices of flows that cannot be coloured together
  int level = 0;                           ///< level at which they collide, 0 outermost
  std::vector<std::string> microswitches;  ///< names of the microswitches they share there, as in Network
  std::string reason;                      ///< one sentence for a person
};

struct RouteResult {
  std::vector<Route> routes;         ///< one a flow when routable, else empty
  std::optional<Conflict> conflict;  ///< set when not routable
  [[nodiscard]] bool routable() const { return !conflict.has_value(); }
};

/// The set of links that a route occupies, by index into Network::links.
using LinkSet = std::vector<bool>;

/// Links of a flow on its route (every link that carries its data).
[[nodiscard]] LinkSet links_of(const Network& network, const Flow& flow, const Route& route);
[[nodiscard]] bool disjoint(const LinkSet& a, const LinkSet& b);

/// Routes all flows at once, by colouring level by level with complete backtracking: an answer is found whenever
/// one exists. `avoid`, if not empty, are links that must stay free. The same input gives the same routes.
[[nodiscard]] RouteResult route_flows(const Network& network, const std::vector<Flow>& flows,
                                      const LinkSet& avoid = {});

/// Splits flows into rounds that route each at once, greedily in order of index. rounds[r] = indices of flows.
[[nodiscard]] std::vector<std::vector<int>> route_rounds(const Network& network, const std::vector<Flow>& flows);

/// One source of one all-to-all step.
struct AllToAllEntry {
  int source = 0;       ///< sending port
  int destination = 0;  ///< receiving port
  Route route;
};
/// steps[k]: member i (by ascending port) sends to member (i + k) mod n; all unicasts of a step route together.
struct AllToAllRoutes {
  std::vector<std::vector<AllToAllEntry>> steps;
  LinkSet links;  ///< union over all steps
};
/// Routes the all-to-all of `members`, keeping clear of `avoid` in every step; without an answer, nullopt.
/// With empty `avoid` there always is one (m >= 2, Slepian-Duguid).
[[nodiscard]] std::optional<AllToAllRoutes> route_alltoall(const Network& network, const Ports& members,
                                                           const LinkSet& avoid = {});

/// The independent checker: follows every flow through the Network, microswitch by microswitch, and returns nullopt
/// if every flow reaches exactly its output ports with exactly its inputs reduced, in the order of the port trie, and
/// no link carries two flows; else a sentence that says what is wrong and where. Shares no code with the router.
[[nodiscard]] std::optional<std::string> check_routes(const Network& network, const std::vector<Flow>& flows,
                                                      const std::vector<Route>& routes);

}  // namespace fred
