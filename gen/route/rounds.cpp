// SPDX-License-Identifier: Apache-2.0
// As few rounds as possible. A bound from below: flows of which any two must differ in the first d letters of their
// words have at most m^d places a round. A split from first-fit. Where they are not the same, SAT decides from the
// bound upwards whether so many rounds are enough: the first that are is the answer, proved.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "fred/error.hpp"
#include "fred/route/find.hpp"
#include "fred/route/route.hpp"
#include "fred/route/sat.hpp"
#include "fred/route/words.hpp"

namespace fred {
namespace {

using detail::Obstacles;
using detail::RouteSat;
using detail::WordProblem;

/// Conflicts that a question about a number of rounds may take (some seconds); beyond, a gap stays between `at_least`
/// and the rounds found.
constexpr long kProofEffort = 100'000;
constexpr long kLargeProofEffort = 10'000;  // with more flows than kManyFlows
constexpr int kManyFlows = 128;
constexpr int kMaxMiddle = 16;  // of make_network

std::vector<int> all_of(const std::vector<Flow>& flows) {
  std::vector<int> all(flows.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

int bound_from_cliques(const WordProblem& words) {
  int rounds = 1;
  long places = 1;
  for (int depth = 0; depth <= words.levels && places < words.flows; ++depth, places *= words.middle) {
    const long together = static_cast<long>(detail::clique(words, depth).size());
    rounds = std::max(rounds, static_cast<int>((together + places - 1) / places));
  }
  return rounds;
}

/// Rounds one after the other: all flows that are left, less one of each set that turns out not to go together, as many
/// as it takes. Then each of those that were taken out, if there is room after all.
std::vector<std::vector<int>> peel(const Obstacles& obstacles, const std::vector<Flow>& flows) {
  std::vector<std::vector<int>> rounds;
  std::vector<int> left = all_of(flows);
  while (!left.empty()) {
    std::vector<int> round = left, out;
    for (;;) {
      const std::optional<RouteResult> result = detail::try_routes(obstacles, select(flows, round));
      if (result && result->routable()) break;
      const std::size_t last = result ? static_cast<std::size_t>(result->conflict->flows.back()) : round.size() - 1;
      out.push_back(round[last]);
      round.erase(round.begin() + static_cast<std::ptrdiff_t>(last));
    }
    if (round.empty()) {
      throw RouteError(
          fmt::format("flow {} has no route that keeps clear of the links that must stay free", out.back()));
    }
    std::sort(out.begin(), out.end());
    left.clear();
    constexpr std::size_t kMostTries = 200;
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::vector<int> more = round;
      more.push_back(out[i]);
      std::optional<RouteResult> result;
      if (i < kMostTries) result = detail::try_routes(obstacles, select(flows, more));
      if (result && result->routable()) {
        round = std::move(more);
      } else {
        left.push_back(out[i]);
      }
    }
    std::sort(round.begin(), round.end());
    rounds.push_back(std::move(round));
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds;
}

struct Split {
  std::optional<bool> possible;  ///< into so many rounds; nullopt: not decided within the effort
  std::vector<std::vector<int>> rounds;
};

Split split_by_sat(const WordProblem& words, int count) {
  RouteSat sat(words, count);
  std::vector<int> all;
  for (int f = 0; f < words.flows; ++f) all.push_back(sat.routed(f));
  Split split{sat.solve(all, words.flows > kManyFlows ? kLargeProofEffort : kProofEffort), {}};
  if (split.possible != true) return split;
  split.rounds.resize(count);
  for (int f = 0; f < words.flows; ++f) split.rounds[sat.round(f)].push_back(f);
  std::erase_if(split.rounds, [](const auto& round) { return round.empty(); });
  std::sort(split.rounds.begin(), split.rounds.end());
  return split;
}

}  // namespace

Rounds route_rounds(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid) {
  detail::check_flows(network, flows);
  const Obstacles obstacles(network, avoid);
  Rounds result;
  if (flows.empty()) return result;
  RouteResult at_once = detail::find_routes(obstacles, flows, false);
  if (at_once.routable()) {
    result.rounds.push_back(all_of(flows));
    result.routes = std::move(at_once.routes);
    result.at_least = 1;
    return result;
  }
  result.rounds = peel(obstacles, flows);
  const WordProblem words = obstacles.words(flows);
  result.at_least = std::max(2, bound_from_cliques(words));  // all at once has been tried
  bool proved = true;                                        // all smaller numbers are too few
  for (int count = result.at_least; count < result.count(); ++count) {
    Split split = split_by_sat(words, count);
    if (split.possible == true) result.rounds = std::move(split.rounds);
    if (!split.possible) proved = false;
    if (proved) result.at_least = split.possible == true ? count : count + 1;
  }
  result.routes.resize(flows.size());
  for (const std::vector<int>& round : result.rounds) {
    const RouteResult routed = detail::find_routes(obstacles, select(flows, round), false);
    for (std::size_t i = 0; i < round.size(); ++i) result.routes[round[i]] = routed.routes[i];
  }
  return result;
}

Rounds renumbered(Rounds rounds, const std::vector<int>& indices, std::size_t count) {
  for (std::vector<int>& round : rounds.rounds) {
    for (int& flow : round) flow = indices[flow];
  }
  std::vector<Route> routes(count);
  for (std::size_t i = 0; i < indices.size(); ++i) routes[indices[i]] = std::move(rounds.routes[i]);
  rounds.routes = std::move(routes);
  return rounds;
}

int rounds_of_ports(const std::vector<Flow>& flows) {
  if (flows.empty()) return 0;
  int radix = 2;
  for (const Flow& flow : flows) radix = std::max({radix, flow.in.back() + 1, flow.out.back() + 1});
  const WordProblem ports = detail::restrict_to(detail::make_words(radix, kMaxMiddle, flows), all_of(flows), 0);
  for (int count = bound_from_cliques(ports);; ++count) {
    if (split_by_sat(ports, count).possible != false) return count;
  }
}

std::optional<Conflict> conflict_beyond_ports(const Network& network, const std::vector<Flow>& flows,
                                              const LinkSet& avoid) {
  std::vector<std::vector<int>> sets;
  for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
    const auto set = std::find_if(sets.begin(), sets.end(), [&](const std::vector<int>& others) {
      return std::none_of(others.begin(), others.end(), [&](int g) { return share_a_port(flows[f], flows[g]); });
    });
    if (set == sets.end()) {
      sets.push_back({f});
    } else {
      set->push_back(f);
    }
  }
  for (const std::vector<int>& set : sets) {
    RouteResult result = route_flows(network, select(flows, set), avoid);
    if (result.routable()) continue;
    for (int& flow : result.conflict->flows) flow = set[flow];
    if (sets.size() > 1) {
      result.conflict->reason = fmt::format("flows {} cannot be routed together: they collide at level {} in {}",
                                            fmt::join(result.conflict->flows, ", "), result.conflict->level,
                                            fmt::join(result.conflict->microswitches, ", "));
    }
    return std::move(result.conflict);
  }
  return std::nullopt;
}

std::optional<int> min_middle(int radix, const std::vector<Flow>& flows) {
  detail::check_flows(make_outline(radix, 2), flows);
  for (std::size_t a = 0; a < flows.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (share_a_port(flows[a], flows[b])) return std::nullopt;
    }
  }
  for (int middle = 2; middle <= kMaxMiddle; ++middle) {
    const Network outline = make_outline(radix, middle);
    const std::optional<RouteResult> result = detail::try_routes(Obstacles(outline), flows);
    if (!result) return std::nullopt;
    if (result->routable()) return middle;
  }
  return std::nullopt;
}

}  // namespace fred
