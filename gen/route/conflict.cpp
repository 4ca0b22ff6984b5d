// SPDX-License-Identifier: Apache-2.0
// Makes a failure small and tells it: first the fewest flows, then the outermost level at which they fail.
#include "fred/route/conflict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "fred/route/sat.hpp"

namespace fred::detail {
namespace {

std::string join(const std::vector<int>& flows) {
  std::string text;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i > 0) text += i + 1 == flows.size() ? " and " : ", ";
    text += std::to_string(flows[i]);
  }
  return text;
}

/// Names of the microswitches at `level` that two flows of `set` share in the subnetwork entered by `middles`.
std::vector<std::string> shared_switches(const Problem& problem, int level, const std::vector<int>& middles,
                                         const std::vector<int>& set) {
  std::vector<std::string> names;
  for (const bool input : {true, false}) {
    std::vector<int> users(problem.network.shapes[level].half + 1);
    for (const int f : set) {
      for (const int entry : (input ? problem.in : problem.out)[level][f]) ++users[entry];
    }
    for (int i = 0; i < static_cast<int>(users.size()); ++i) {
      if (users[i] > 1) names.push_back(Node{input ? NodeKind::kR : NodeKind::kD, level, middles, i, 0}.name());
    }
  }
  return names;
}

/// Whether all positions can be reached from the first.
bool connected(const std::vector<std::vector<int>>& neighbours) {
  std::vector<char> seen(neighbours.size());
  std::vector<int> open{0};
  std::size_t reached = 0;
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    if (seen[i] != 0) continue;
    seen[i] = 1;
    ++reached;
    open.insert(open.end(), neighbours[i].begin(), neighbours[i].end());
  }
  return reached == neighbours.size();
}

/// Says in words why the flows of `set`, which cannot be coloured at `level`, cannot.
std::string explain(const Problem& problem, int level, const std::vector<int>& set, bool avoiding) {
  const int m = problem.network.middle;
  const auto neighbours = problem.conflicts(level, set);
  const auto all_have = [&](std::size_t degree) {
    return std::all_of(neighbours.begin(), neighbours.end(), [&](const auto& list) { return list.size() == degree; });
  };
  if (all_have(set.size() - 1) && static_cast<int>(set.size()) > m) {
    return fmt::format(
        "every two of them share a microswitch at level {}, so each needs a middle subnetwork of its own: {} are "
        "needed, the switch has {}",
        level, set.size(), m);
  }
  if (m == 2 && all_have(2) && set.size() % 2 == 1 && connected(neighbours)) {
    return fmt::format(
        "they form a ring of odd length at level {}, each sharing a microswitch with the next, which needs 3 middle "
        "subnetworks: the switch has 2",
        level);
  }
  return fmt::format("those that share a microswitch at level {} need different middle subnetworks, and {} are too few",
                     level, avoiding ? "those clear of the links that must stay free" : fmt::format("{}", m));
}

/// Assignments that may be spent on making the sentence about a level shorter. It is true without.
constexpr long kReportEffort = 200'000;

/// Leaves out flows of `core`, which has no solution, as long as it has none.
std::vector<int> shrink(Search& search, int level, int subnet, std::vector<int> core, std::size_t flows) {
  search.limit_effort(kReportEffort);
  try {
    for (const int f : std::vector<int>(core)) {
      std::vector<int> without = core;
      if (std::erase(without, f) == 0) continue;
      FlowSet smaller(flows);
      if (!search.solve(level, subnet, without, smaller)) core = smaller.list();
    }
  } catch (const OutOfEffort&) {
  }
  return core;
}

}  // namespace

std::optional<Conflict> port_conflict(const Network& network, const std::vector<Flow>& flows) {
  for (const bool input : {true, false}) {
    std::vector<int> user(network.radix, -1);
    for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
      for (const int port : input ? flows[f].in : flows[f].out) {
        if (user[port] >= 0) {
          Node node{input ? NodeKind::kR : NodeKind::kD, 0, {}, port / 2, 0};
          if (network.shapes.empty()) {
            node = {NodeKind::kRD, 0, {}, 0, 0};
          } else if (port / 2 == network.shapes[0].half) {
            node.kind = input ? NodeKind::kDemux : NodeKind::kMux;
          }
          return Conflict{
              {user[port], f},
              0,
              {node.name()},
              fmt::format("port {} is an {} of flows {} and {}", port, input ? "input" : "output", user[port], f)};
        }
        user[port] = f;
      }
    }
  }
  return std::nullopt;
}

Conflict find_conflict(const Problem& problem, const WordProblem& words, const std::vector<Subnet>* subnets,
                       const LinkSet& avoid, std::vector<int> core) {
  const std::size_t flows = problem.flows.size();
  core = minimal_core(words, core);
  Conflict conflict;
  if (const auto smallest = minimum_core(words, core)) {
    core = *smallest;
    conflict.minimum = true;
  }
  conflict.flows = core;
  const bool avoiding = subnets != nullptr;
  // Colours of the core at the levels before the one at hand, to show how that one fails.
  std::vector<Route> outer(core.size());
  for (; conflict.level + 1 < words.levels; ++conflict.level) {
    auto routes = sat_routes(restrict_to(words, core, conflict.level + 1));
    if (!routes) break;
    outer = *std::move(routes);
  }
  if (core.size() == 1) {
    conflict.reason = fmt::format("flow {} has no route that keeps clear of the links that must stay free", core[0]);
    return conflict;
  }
  conflict.reason = fmt::format("flows {} cannot be routed together{}: ", join(core),
                                avoiding ? ", beside the links that must stay free" : "");
  if (conflict.level == 0) {
    conflict.microswitches = shared_switches(problem, 0, {}, core);
    conflict.reason += explain(problem, 0, core, avoiding);
    return conflict;
  }
  conflict.reason += fmt::format("whatever middle subnetworks they take at the levels before, some collide at level {}",
                                 conflict.level);
  std::map<std::vector<int>, std::vector<int>> classes;
  for (std::size_t i = 0; i < core.size(); ++i) classes[outer[i].colours].push_back(core[i]);
  for (const auto& [middles, members] : classes) {
    int subnet = 0;
    for (const int k : middles) subnet = avoiding ? (*subnets)[subnet].children[k] : 0;
    FlowSet inner(flows);
    Search one_level(problem, subnets, &avoid, nullptr, conflict.level + 1);
    if (one_level.solve(conflict.level, subnet, members, inner)) continue;
    const std::vector<int> set = shrink(one_level, conflict.level, subnet, inner.list(), flows);
    conflict.microswitches = shared_switches(problem, conflict.level, middles, set);
    conflict.reason += fmt::format("; if flows {} meet in m{}, {}", join(set), fmt::join(middles, ".m"),
                                   explain(problem, conflict.level, set, avoiding));
    break;
  }
  return conflict;
}

}  // namespace fred::detail
