// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "fred/network/network.hpp"
#include "fred/route/find.hpp"
#include "fred/route/sat.hpp"
#include "fred/route/search.hpp"
#include "tests/route/support.hpp"
#include "tests/routing/checks.hpp"

namespace fred::test {
namespace {

std::string text(const Network& network, const std::vector<Flow>& flows) {
  std::string all = fmt::format("FRED_{}({}):", network.middle, network.radix);
  for (const Flow& flow : flows) all += " " + to_string(flow) + ";";
  return all;
}

/// By the search alone, without a limit that SAT would take over at.
std::optional<std::vector<Route>> search_alone(const detail::Obstacles& obstacles, const std::vector<Flow>& flows) {
  const detail::WordProblem words = obstacles.words(flows);
  for (int f = 0; f < words.flows; ++f) {
    if (words.lost(f)) return std::nullopt;  // the search takes ports at the border as whole
  }
  const detail::Problem problem(obstacles.network, flows);
  detail::Search search(problem, obstacles.subnets ? &*obstacles.subnets : nullptr, &obstacles.avoid, nullptr,
                        static_cast<int>(obstacles.network.shapes.size()));
  std::vector<int> all(flows.size());
  std::iota(all.begin(), all.end(), 0);
  detail::FlowSet core(flows.size());
  if (!search.solve(0, 0, all, core)) return std::nullopt;
  std::vector<Route> routes;
  for (const auto& colours : search.colours()) routes.push_back({colours});
  return routes;
}

bool minimal(const detail::Obstacles& obstacles, const std::vector<Flow>& flows, const Conflict& conflict) {
  const auto without = [&](int left_out) {
    std::vector<Flow> some;
    for (const int f : conflict.flows) {
      if (f != left_out) some.push_back(flows[f]);
    }
    return detail::sat_routes(obstacles.words(some)).has_value();
  };
  return !without(-1) && std::all_of(conflict.flows.begin(), conflict.flows.end(), without);
}

}  // namespace

bool check_agreement(long instances, std::uint32_t seed, int explain_one_in) {
  std::mt19937 random(seed);
  long routable = 0, unroutable = 0, with_broken = 0, explained = 0, minimum = 0, wrong = 0;
  const auto report = [&](const std::string& what, const Network& network, const std::vector<Flow>& flows) {
    if (++wrong <= 10) fmt::print("WRONG: {}: {}\n", what, text(network, flows));
  };
  std::vector<std::vector<Network>> networks(13);
  for (int radix = 2; radix <= 12; ++radix) {
    for (int middle = 2; middle <= 4; ++middle) networks[radix].push_back(make_network(radix, middle));
  }
  for (long i = 0; i < instances; ++i) {
    const int radix = 2 + static_cast<int>(random() % 11);
    const Network& network = networks[radix][random() % 3];
    const std::vector<Flow> flows = random() % 2 == 0
                                        ? random_groups(random, radix, 2 + static_cast<int>(random() % 3))
                                        : random_flows(random, radix, 1 + static_cast<int>(random() % radix));
    LinkSet broken;
    if (random() % 4 == 0) {
      broken.resize(network.links.size());
      for (std::size_t link = 0; link < broken.size(); ++link) broken[link] = random() % 40 == 0;
      ++with_broken;
    }
    const detail::Obstacles obstacles(network, broken);
    const auto by_search = search_alone(obstacles, flows);
    const auto by_sat = detail::sat_routes(obstacles.words(flows));
    if (by_search.has_value() != by_sat.has_value()) {
      report("search and SAT disagree", network, flows);
      continue;
    }
    if (by_search) {
      ++routable;
      for (const auto* routes : {&*by_search, &*by_sat}) {
        if (check_routes(network, flows, *routes)) report("the checker refuses", network, flows);
        for (std::size_t f = 0; f < flows.size() && !broken.empty(); ++f) {
          if (!disjoint(broken, links_of(network, flows[f], (*routes)[f]))) report("a broken link", network, flows);
        }
      }
      continue;
    }
    if (++unroutable % explain_one_in != 0) continue;
    ++explained;
    const RouteResult result = detail::find_routes(obstacles, flows, true);
    if (result.routable() || !minimal(obstacles, flows, *result.conflict)) {
      report("a conflict that is not minimal", network, flows);
    } else {
      minimum += result.conflict->minimum ? 1 : 0;
    }
  }
  fmt::print("instances: {}\nwith broken links: {}\nroutable: {}\nnot routable: {}\n", instances, with_broken, routable,
             unroutable);
  fmt::print("conflicts checked: {}\nof these proved smallest: {}\nwrong: {}\n", explained, minimum, wrong);
  return wrong == 0 && routable > 0 && unroutable > 0 && explained > 0;
}

}  // namespace fred::test
