// SPDX-License-Identifier: Apache-2.0
// As few running flows as possible move: every set of kept routes that cannot all stay names flows of which at least
// one moves, and a smallest set of flows with one of each such set is tried next (implicit hitting sets, as in
// sat.cpp).
#include "fred/route/change.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fred/error.hpp"
#include "fred/route/conflict.hpp"
#include "fred/route/find.hpp"
#include "fred/route/hitting.hpp"
#include "fred/route/sat.hpp"

namespace fred {
namespace {

using detail::RouteSat;
using detail::WordProblem;

/// By running flow: its round. Throws InputError unless every flow is in one round.
std::vector<int> round_of(const Running& running) {
  std::vector<int> round(running.flows.size(), -1);
  for (std::size_t r = 0; r < running.rounds.size(); ++r) {
    for (const int f : running.rounds[r]) {
      if (f < 0 || f >= static_cast<int>(round.size()) || round[f] >= 0) {
        throw InputError(fmt::format("rounds name flow {}: each of the {} flows must be in one round, once", f,
                                     running.flows.size()));
      }
      round[f] = static_cast<int>(r);
    }
  }
  for (std::size_t f = 0; f < round.size(); ++f) {
    if (round[f] < 0) throw InputError(fmt::format("flow {} is in no round", f));
  }
  return round;
}

/// Throws InputError unless the running flows have routes that go together round by round.
void check_running(const Network& network, const Running& running) {
  if (running.routes.size() != running.flows.size()) {
    throw InputError(fmt::format("{} routes for {} flows", running.routes.size(), running.flows.size()));
  }
  for (const std::vector<int>& round : running.rounds) {
    std::vector<Route> routes;
    for (const int f : round) routes.push_back(running.routes[f]);
    if (const auto error = check_routes(network, select(running.flows, round), routes)) {
      throw InputError(fmt::format("the routes that are to be kept do not go together: {} (counting flows {})", *error,
                                   fmt::join(round, ", ")));
    }
  }
}

/// The problem of all flows, of which only those of a round, and the added ones with all others, must be apart. Flows
/// that share a port share time in any case.
WordProblem make_problem(const detail::Obstacles& obstacles, const std::vector<Flow>& flows,
                         const std::vector<int>& round) {
  WordProblem words = obstacles.words(flows);
  const int running = static_cast<int>(round.size());
  for (int f = 0; f < words.flows; ++f) {
    for (int g = 0; g < words.flows; ++g) {
      std::uint8_t& depth = words.depths[static_cast<std::size_t>(f) * words.flows + g];
      if (depth == 0 || (f < running && g < running && round[f] != round[g])) depth = WordProblem::kFree;
    }
  }
  return words;
}

Conflict conflict_of(const detail::Obstacles& obstacles, const std::vector<Flow>& flows, const WordProblem& words) {
  std::vector<int> all;
  for (int f = 0; f < words.flows; ++f) all.push_back(f);
  Conflict conflict;
  conflict.flows = detail::minimal_core(words, all);
  const RouteResult alone = detail::find_routes(obstacles, select(flows, conflict.flows), true);
  if (alone.conflict) {
    conflict.level = alone.conflict->level;
    conflict.microswitches = alone.conflict->microswitches;
  }
  conflict.reason = conflict.flows.size() == 1
                        ? fmt::format("flow {} has no route that keeps clear of the broken parts", conflict.flows[0])
                        : fmt::format("flows {} cannot go together{}, whatever moves", fmt::join(conflict.flows, ", "),
                                      obstacles.subnets ? " beside the broken parts" : "");
  return conflict;
}

}  // namespace

Change add_flows(const Network& network, const Running& running, const std::vector<Flow>& added,
                 const LinkSet& broken) {
  constexpr long kConflicts = 100'000;
  constexpr long kNodes = 20'000;
  constexpr std::size_t kMostCores = 300;
  detail::check_flows(network, running.flows);
  detail::check_flows(network, added);
  const std::vector<int> round = round_of(running);
  check_running(network, running);
  const detail::Obstacles obstacles(network, broken);
  std::vector<Flow> flows = running.flows;
  flows.insert(flows.end(), added.begin(), added.end());
  const WordProblem words = make_problem(obstacles, flows, round);

  RouteSat sat(words, 1, false);
  std::vector<int> routed, keeps;
  for (int f = 0; f < words.flows; ++f) routed.push_back(sat.routed(f));
  for (std::size_t f = 0; f < running.flows.size(); ++f) {
    keeps.push_back(sat.keeps(static_cast<int>(f), running.routes[f]));
  }
  Change change;
  const int count = static_cast<int>(running.flows.size());
  std::vector<std::vector<int>> cores;  // one of each must move
  std::vector<int> moving;
  change.fewest = true;
  for (;;) {
    std::vector<int> literals = routed;
    for (int f = 0; f < count; ++f) {
      if (!std::binary_search(moving.begin(), moving.end(), f)) literals.push_back(keeps[f]);
    }
    const std::optional<bool> possible = sat.solve(literals, change.fewest ? kConflicts : -1);
    if (possible == true) break;
    std::vector<int> core;
    if (possible == false) {
      for (int f = 0; f < count; ++f) {
        if (!std::binary_search(moving.begin(), moving.end(), f) && sat.failed(keeps[f])) core.push_back(f);
      }
      if (core.empty()) {  // it is not the kept routes that are in the way
        change.fewest = false;
        change.conflict = conflict_of(obstacles, flows, words);
        return change;
      }
      cores.push_back(core);
      if (change.fewest && cores.size() <= kMostCores) {
        if (const auto smallest = detail::minimum_hitting_set(cores, count, kNodes)) {
          moving = *smallest;
          continue;
        }
      }
    }
    // Too hard to have it proved: any of the flows in the way, or all of them, may move.
    change.fewest = false;
    if (core.empty()) {
      for (int f = 0; f < count; ++f) core.push_back(f);
    }
    moving.insert(moving.end(), core.begin(), core.end());
    std::sort(moving.begin(), moving.end());
    moving.erase(std::unique(moving.begin(), moving.end()), moving.end());
  }
  for (int f = 0; f < words.flows; ++f) {
    change.routes.push_back(sat.route(f));
    if (f < count && change.routes.back() != running.routes[f]) change.moved.push_back(f);
  }
  return change;
}

}  // namespace fred
