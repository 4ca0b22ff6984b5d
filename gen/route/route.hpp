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
  /// Indices of flows that cannot be together; without any one of them they can (for certain up to 64 flows).
  std::vector<int> flows;
  int level = 0;                           ///< level at which they collide, 0 outermost
  std::vector<std::string> microswitches;  ///< names of the microswitches they share there, as in Network
  std::string reason;                      ///< one sentence for a person
  bool minimum = false;                    ///< no smaller set of flows is unroutable; else: not known
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
/// Adds `links` to `to`, which may be empty: then it becomes a set of as many links.
void unite(LinkSet& to, const LinkSet& links);

/// Routes all flows at once, or says why that cannot be: always one of the two, and proved. A search that colours level
/// by level with complete backtracking comes first; where it takes long, a SAT solver decides. `avoid`, if not empty,
/// are links that must stay free; without it `network` may be an outline. The same input gives the same routes.
[[nodiscard]] RouteResult route_flows(const Network& network, const std::vector<Flow>& flows,
                                      const LinkSet& avoid = {});
/// Whether all flows can be routed at once: as route_flows, without the reason. Much faster where they cannot.
[[nodiscard]] bool can_route(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid = {});

/// Flows split into rounds that each route at once.
struct Rounds {
  std::vector<std::vector<int>> rounds;  ///< indices of flows, ascending; rounds by their first flow
  std::vector<Route> routes;             ///< by flow: its route in its round
  int at_least = 0;                      ///< no split has fewer rounds: proved
  [[nodiscard]] int count() const { return static_cast<int>(rounds.size()); }
  [[nodiscard]] bool minimal() const { return count() == at_least; }
};

/// Splits flows into as few rounds as possible. Flows may have ports in common: they are then never in one round. A
/// flow that has no route at all beside the links to `avoid` is a RouteError.
[[nodiscard]] Rounds route_rounds(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid = {});

/// Rounds of some of `count` flows, those with these indices, as rounds of all: the others are in none, without a
/// route.
[[nodiscard]] Rounds renumbered(Rounds rounds, const std::vector<int>& indices, std::size_t count);

/// The rounds that the ports ask for which flows share, whatever the network: 1 if they share none.
[[nodiscard]] int rounds_of_ports(const std::vector<Flow>& flows);

/// A conflict among flows of which some share ports: one of flows that share none, if it is found by taking the flows
/// apart at their ports, each to the first set where it shares none.
[[nodiscard]] std::optional<Conflict> conflict_beyond_ports(const Network& network, const std::vector<Flow>& flows,
                                                            const LinkSet& avoid = {});

/// The smallest m with which FRED_m(radix) routes all flows at once, in 2..16; nullopt if 16 are too few, if flows have
/// ports in common, or if more than 64 flows could not be decided within a fixed effort.
[[nodiscard]] std::optional<int> min_middle(int radix, const std::vector<Flow>& flows);

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
