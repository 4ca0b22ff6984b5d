// SPDX-License-Identifier: Apache-2.0
// One word problem (words.hpp) for all of it: every unicast of every step is a flow, and only those that can be under
// way at the same time must be apart: the unicasts of one step, and all that belongs to participants that must be.
#include "fred/route/jointly.hpp"

#include "fred/route/sat.hpp"

namespace fred::detail {
namespace {

struct Item {
  int participant = 0;
  int step = 0;
};

}  // namespace

std::optional<JointRoutes> route_jointly(const Obstacles& obstacles, const std::vector<Participant>& participants,
                                         const std::vector<std::vector<char>>& apart) {
  constexpr long kConflicts = 20'000;
  std::vector<Flow> flows;
  std::vector<Item> items;
  for (std::size_t p = 0; p < participants.size(); ++p) {
    const Ports& members = participants[p].flow.in;
    const std::size_t n = participants[p].alltoall ? members.size() : 1;
    if (flows.size() + n * n > kMostJointRoutes) return std::nullopt;
    for (std::size_t step = 0; step < n; ++step) {
      for (std::size_t i = 0; i < n; ++i) {
        flows.push_back(participants[p].alltoall ? Flow{{members[i]}, {members[(i + step) % n]}}
                                                 : participants[p].flow);
        items.push_back({static_cast<int>(p), static_cast<int>(step)});
      }
    }
  }
  WordProblem words = obstacles.words(flows);
  for (int f = 0; f < words.flows; ++f) {
    for (int g = 0; g < words.flows; ++g) {
      const Item& a = items[f];
      const Item& b = items[g];
      const bool together =
          a.participant == b.participant ? a.step == b.step : apart[a.participant][b.participant] != 0;
      if (!together) words.depths[static_cast<std::size_t>(f) * words.flows + g] = WordProblem::kFree;
    }
  }
  RouteSat sat(words, 1);
  std::vector<int> all;
  for (int f = 0; f < words.flows; ++f) all.push_back(sat.routed(f));
  if (sat.solve(all, kConflicts) != true) return std::nullopt;
  JointRoutes routes(participants.size());
  for (int f = 0; f < words.flows; ++f) routes[items[f].participant].push_back(sat.route(f));
  return routes;
}

}  // namespace fred::detail
