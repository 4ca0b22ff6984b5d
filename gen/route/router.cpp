// SPDX-License-Identifier: Apache-2.0
// The router's interface over its search (search.hpp): flows at once, in rounds, and the steps of an all-to-all.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "fred/error.hpp"
#include "fred/route/conflict.hpp"
#include "fred/route/route.hpp"
#include "fred/route/search.hpp"
#include "fred/route/wiring.hpp"

namespace fred {
namespace {

using detail::FlowSet;
using detail::Problem;
using detail::Search;
using detail::Subnet;
using detail::Wiring;

std::vector<int> all_of(const std::vector<Flow>& flows) {
  std::vector<int> set(flows.size());
  for (std::size_t i = 0; i < set.size(); ++i) set[i] = static_cast<int>(i);
  return set;
}

void check_input(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid) {
  for (std::size_t f = 0; f < flows.size(); ++f) {
    detail::check_ports(flows[f].in, network.radix, fmt::format("inputs of flow {}", f).c_str());
    detail::check_ports(flows[f].out, network.radix, fmt::format("outputs of flow {}", f).c_str());
  }
  if (!avoid.empty() && avoid.size() != network.links.size()) {
    throw InputError(
        fmt::format("a set of {} links to avoid: the network has {} links", avoid.size(), network.links.size()));
  }
}

/// Searches for routes of all flows; `explain_failure`: fill in the conflict, else leave it blank.
/// `subnets` is null when nothing is to be avoided or preferred.
RouteResult search_routes(const Network& network, const std::vector<Flow>& flows, const std::vector<Subnet>* subnets,
                          const LinkSet& avoid, const LinkSet* prefer, bool explain_failure) {
  RouteResult result;
  if ((result.conflict = detail::port_conflict(network, flows))) return result;
  if (!avoid.empty()) {
    for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
      const auto blocked = [&](const std::vector<int>& border, const Ports& ports) {
        return std::any_of(ports.begin(), ports.end(), [&](int port) { return avoid[border[port]]; });
      };
      if (blocked((*subnets)[0].in, flows[f].in) || blocked((*subnets)[0].out, flows[f].out)) {
        result.conflict = Conflict{{f}, 0, {}, fmt::format("flow {} uses a port that must stay free", f)};
        return result;
      }
    }
  }
  const Problem problem(network, flows);
  Search search(problem, subnets, &avoid, prefer, static_cast<int>(network.shapes.size()));
  FlowSet core(flows.size());
  if (search.solve(0, 0, all_of(flows), core)) {
    for (const auto& colours : search.colours()) result.routes.push_back({colours});
  } else {
    result.conflict =
        explain_failure ? detail::find_conflict(problem, subnets, avoid, search, core.list()) : Conflict{};
  }
  return result;
}

}  // namespace

RouteResult route_flows(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid) {
  check_input(network, flows, avoid);
  if (std::find(avoid.begin(), avoid.end(), true) == avoid.end()) {
    return search_routes(network, flows, nullptr, {}, nullptr, true);
  }
  const std::vector<Subnet> subnets = detail::make_subnets(Wiring(network), avoid);
  return search_routes(network, flows, &subnets, avoid, nullptr, true);
}

std::vector<std::vector<int>> route_rounds(const Network& network, const std::vector<Flow>& flows) {
  check_input(network, flows, {});
  std::vector<std::vector<int>> rounds;
  for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
    const auto fits = [&](const std::vector<int>& round) {
      std::vector<Flow> together;
      for (const int g : round) together.push_back(flows[g]);
      together.push_back(flows[f]);
      return search_routes(network, together, nullptr, {}, nullptr, false).routable();
    };
    const auto round = std::find_if(rounds.begin(), rounds.end(), fits);
    if (round == rounds.end()) {
      rounds.push_back({f});
    } else {
      round->push_back(f);
    }
  }
  return rounds;
}

std::optional<AllToAllRoutes> route_alltoall(const Network& network, const Ports& members, const LinkSet& avoid) {
  detail::check_ports(members, network.radix, "members of an all-to-all");
  check_input(network, {}, avoid);
  const Wiring wiring(network);
  const std::vector<Subnet> subnets = detail::make_subnets(wiring, avoid);
  const std::size_t n = members.size();
  AllToAllRoutes result{{}, LinkSet(network.links.size())};
  for (std::size_t step = 0; step < n; ++step) {
    std::vector<Flow> flows;
    for (std::size_t i = 0; i < n; ++i) flows.push_back({{members[i]}, {members[(i + step) % n]}});
    const RouteResult routed = search_routes(network, flows, &subnets, avoid, &result.links, false);
    if (!routed.routable()) return std::nullopt;
    std::vector<AllToAllEntry> entries;
    for (std::size_t i = 0; i < n; ++i) {
      entries.push_back({flows[i].in[0], flows[i].out[0], routed.routes[i]});
      detail::add_links(wiring, flows[i], routed.routes[i], result.links);
    }
    result.steps.push_back(std::move(entries));
  }
  return result;
}

}  // namespace fred
