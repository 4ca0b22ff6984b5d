// SPDX-License-Identifier: Apache-2.0
// The router's two methods behind one question: the search (search.hpp) first, and where that takes long, SAT
// (sat.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fred/error.hpp"
#include "fred/route/conflict.hpp"
#include "fred/route/find.hpp"
#include "fred/route/route.hpp"
#include "fred/route/sat.hpp"
#include "fred/route/search.hpp"

namespace fred {
namespace detail {
namespace {

std::vector<int> all_of(const std::vector<Flow>& flows) {
  std::vector<int> set(flows.size());
  for (std::size_t i = 0; i < set.size(); ++i) set[i] = static_cast<int>(i);
  return set;
}

/// Assignments after which the search gives way to the SAT solver: an easy answer takes one a flow and level.
long search_effort(std::size_t flows, std::size_t levels) {
  return 20'000 + 4 * static_cast<long>(flows) * static_cast<long>(levels);
}

}  // namespace

void check_flows(const Network& network, const std::vector<Flow>& flows) {
  for (std::size_t f = 0; f < flows.size(); ++f) {
    check_ports(flows[f].in, network.radix, fmt::format("inputs of flow {}", f).c_str());
    check_ports(flows[f].out, network.radix, fmt::format("outputs of flow {}", f).c_str());
  }
}

Obstacles::Obstacles(const Network& network_in, const LinkSet& avoid_in, bool always)
    : network(network_in), avoid(avoid_in) {
  if (!avoid.empty() && avoid.size() != network.links.size()) {
    throw InputError(
        fmt::format("a set of {} links to avoid: the network has {} links", avoid.size(), network.links.size()));
  }
  if (always || std::find(avoid.begin(), avoid.end(), true) != avoid.end()) {
    subnets = make_subnets(Wiring(network), avoid);
  }
}

WordProblem Obstacles::words(const std::vector<Flow>& flows) const {
  return subnets ? make_words(network, flows, *subnets, avoid) : make_words(network.radix, network.middle, flows);
}

namespace {

/// Of many flows, in a question that need not be decided.
constexpr std::size_t kFewFlows = 64;
constexpr long kConflicts = 5'000;

std::optional<RouteResult> find(const Obstacles& obstacles, const std::vector<Flow>& flows, bool explain,
                                const LinkSet* prefer, long conflicts) {
  const Network& network = obstacles.network;
  const LinkSet& avoid = obstacles.avoid;
  const std::vector<Subnet>* subnets = obstacles.subnets ? &*obstacles.subnets : nullptr;
  RouteResult result;
  if ((result.conflict = port_conflict(network, flows))) {
    result.conflict->minimum = subnets == nullptr;  // else one flow may be lost by itself
    return result;
  }
  if (subnets != nullptr && !avoid.empty()) {
    for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
      const auto blocked = [&](const std::vector<int>& border, const Ports& ports) {
        return std::any_of(ports.begin(), ports.end(), [&](int port) { return avoid[border[port]]; });
      };
      if (blocked((*subnets)[0].in, flows[f].in) || blocked((*subnets)[0].out, flows[f].out)) {
        result.conflict = Conflict{{f}, 0, {}, fmt::format("flow {} uses a port that must stay free", f), true};
        return result;
      }
    }
  }
  const Problem problem(network, flows);
  Search search(problem, subnets, &avoid, prefer, static_cast<int>(network.shapes.size()));
  search.limit_effort(search_effort(flows.size(), network.shapes.size()));
  std::vector<int> blamed;
  try {
    FlowSet core(flows.size());
    if (search.solve(0, 0, all_of(flows), core)) {
      for (const auto& colours : search.colours()) result.routes.push_back({colours});
      return result;
    }
    blamed = core.list();
  } catch (const OutOfEffort&) {
    blamed = pigeonhole(obstacles.words(flows));
  }
  if (blamed.empty()) {
    auto routes = sat_routes(obstacles.words(flows), &blamed, conflicts);
    if (!routes && blamed.empty()) return std::nullopt;
    if (routes) {
      result.routes = *std::move(routes);
      return result;
    }
  }
  result.conflict = explain ? find_conflict(problem, obstacles.words(flows), subnets, avoid, std::move(blamed))
                            : Conflict{std::move(blamed), 0, {}, {}};
  return result;
}

}  // namespace

RouteResult find_routes(const Obstacles& obstacles, const std::vector<Flow>& flows, bool explain,
                        const LinkSet* prefer) {
  return find(obstacles, flows, explain, prefer, -1).value();
}

std::optional<RouteResult> try_routes(const Obstacles& obstacles, const std::vector<Flow>& flows) {
  return find(obstacles, flows, false, nullptr, flows.size() > kFewFlows ? kConflicts : -1);
}

}  // namespace detail

RouteResult route_flows(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid) {
  detail::check_flows(network, flows);
  return detail::find_routes(detail::Obstacles(network, avoid), flows, true);
}

bool can_route(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid) {
  detail::check_flows(network, flows);
  return detail::find_routes(detail::Obstacles(network, avoid), flows, false).routable();
}

}  // namespace fred
