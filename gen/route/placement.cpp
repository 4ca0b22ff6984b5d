// SPDX-License-Identifier: Apache-2.0
// Which placement is taken: the first by a rule with which a greedy colouring routes every phase; else one found by
// swaps; else, among the paper's and those that left the fewest flows out, the one with the fewest rounds.
#include "fred/route/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "fred/error.hpp"
#include "fred/route/cross_phase.hpp"
#include "fred/route/placement_search.hpp"

namespace fred {
namespace {

using detail::Candidate;
using detail::Effort;
using detail::Greedy;

// The units are those of Greedy: pairs of flows and of neighbours looked at. 10^7 take about a second.
constexpr long kRuleEffort = 10'000'000;  // over all placements by rule
constexpr long kSwapEffort = 10'000'000;  // a beginning
constexpr int kBeginnings = 8;
constexpr std::size_t kStarts = 2;  // the best placements by rule, from which the swaps begin in turn
constexpr std::size_t kRouted = 4;  // placements whose rounds are worked out when none gives one round a phase

/// A placement tried, and how many flows a greedy colouring leaves out.
struct Tried {
  Candidate candidate;
  int left_out = 0;
};

int left_out(const Network& network, const std::vector<Phase>& phases, Effort& effort) {
  const Greedy greedy(network);
  std::size_t sum = 0;
  for (const Phase& phase : phases) sum += greedy.left_out(phase.flows, effort).size();
  return static_cast<int>(sum);
}

/// All flows in one round if that is so, else the fewest rounds.
Rounds rounds_of(const Network& network, const std::vector<Flow>& flows) {
  Effort unlimited;
  if (Greedy(network).left_out(flows, unlimited).empty()) {
    RouteResult together = route_flows(network, flows);
    std::vector<int> all(flows.size());
    std::iota(all.begin(), all.end(), 0);
    if (together.routable()) return {{std::move(all)}, std::move(together.routes), 1};
  }
  return route_rounds(network, flows);
}

/// Routes every phase; nullopt as soon as that takes at least `fewer_than` rounds in all.
std::optional<PlacedJob> route(const Network& network, const Parallelism& parallelism, const Candidate& candidate,
                               std::optional<int> fewer_than = std::nullopt) {
  PlacedJob job{candidate.placement, candidate.rule, phases_of(parallelism, candidate.placement), {}};
  int least = static_cast<int>(job.phases.size());
  for (Phase& phase : job.phases) {
    phase.rounds = rounds_of(network, phase.flows);
    least += phase.rounds.count() - 1;
    if (fewer_than && least >= *fewer_than) return std::nullopt;
  }
  return job;
}

PlacedJob finished(const Network& network, PlacedJob job) {
  improve_cross_phase(network, job.phases);
  job.cross = count_cross_phase(network, job.phases);
  return job;
}

void check_ranks(int ranks, int radix) {
  if (ranks <= radix) return;
  throw InputError(fmt::format("{} ranks on {} ports: allowed are at most {} ranks, one a port", ranks, radix, radix));
}

/// Placements by rule, in the order tried, and one by swaps if no rule will do. The last one is the answer if no flow
/// is left out with it.
std::vector<Tried> try_placements(const Network& network, const Parallelism& parallelism) {
  std::vector<Tried> tried;
  Effort effort{kRuleEffort};
  detail::each_rule(parallelism, network.radix, [&](const Candidate& candidate) {
    tried.push_back({candidate, left_out(network, phases_of(parallelism, candidate.placement), effort)});
    return tried.back().left_out == 0 || effort.spent();
  });
  if (tried.back().left_out == 0) return tried;
  std::vector<Tried> starts = tried;
  std::stable_sort(starts.begin(), starts.end(),
                   [](const Tried& a, const Tried& b) { return a.left_out < b.left_out; });
  starts.resize(std::min(starts.size(), kStarts));
  for (int i = 0; i < kBeginnings; ++i) {
    Effort swaps{kSwapEffort};
    const Placement& start = starts[i % starts.size()].candidate.placement;
    detail::Measured found = detail::swap_ranks(network, parallelism, start, static_cast<std::uint32_t>(i), swaps);
    tried.push_back({{std::move(found.placement), "by local search"}, found.left_out});
    if (found.left_out == 0) break;
  }
  return tried;
}

}  // namespace

int PlacedJob::rounds() const {
  int sum = 0;
  for (const Phase& phase : phases) sum += phase.rounds.count();
  return sum;
}

void check_placement(const Placement& placement, int ranks, int radix) {
  check_ranks(ranks, radix);
  if (static_cast<int>(placement.size()) != ranks) {
    throw InputError(
        fmt::format("the placement has {} ports: allowed is one for each of the {} ranks", placement.size(), ranks));
  }
  std::vector<int> rank_at(radix, -1);
  for (int rank = 0; rank < ranks; ++rank) {
    const int port = placement[rank];
    if (port < 0 || port >= radix) {
      throw InputError(fmt::format("the placement has port {} for rank {}: allowed are 0..{}", port, rank, radix - 1));
    }
    if (rank_at[port] >= 0) {
      throw InputError(fmt::format("the placement has port {} for ranks {} and {}: a port is of one rank, once", port,
                                   rank_at[port], rank));
    }
    rank_at[port] = rank;
  }
}

std::vector<Phase> phases_of(const Parallelism& parallelism, const Placement& placement) {
  std::vector<Phase> phases;
  for (int d = 0; d < static_cast<int>(parallelism.dimensions.size()); ++d) {
    if (parallelism.dimensions[d].size == 1) continue;
    Phase phase{parallelism.dimensions[d].name, groups_of(parallelism, d), {}, {}};
    for (Group& group : phase.groups) {
      for (int& member : group) member = placement[member];
      phase.flows.push_back(flow_of(group));
    }
    phases.push_back(std::move(phase));
  }
  return phases;
}

PlacedJob place(const Network& network, const Parallelism& parallelism) {
  check_ranks(parallelism.ranks(), network.radix);
  std::vector<Tried> tried = try_placements(network, parallelism);
  if (tried.back().left_out == 0) return finished(network, *route(network, parallelism, tried.back().candidate));
  // The paper's placement and those with the fewest flows left out, in the order tried.
  std::vector<std::size_t> order(tried.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin() + 1, order.end(),
                   [&](std::size_t a, std::size_t b) { return tried[a].left_out < tried[b].left_out; });
  order.resize(std::min(order.size(), kRouted));
  std::sort(order.begin(), order.end());
  std::optional<PlacedJob> best;
  for (const std::size_t i : order) {
    std::optional<int> fewer_than;
    if (best) fewer_than = best->rounds();
    std::optional<PlacedJob> job = route(network, parallelism, tried[i].candidate, fewer_than);
    if (job) best = std::move(job);
    if (best->one_round_each()) break;
  }
  return finished(network, *std::move(best));
}

PlacedJob place(const Network& network, const Parallelism& parallelism, const Placement& placement) {
  check_placement(placement, parallelism.ranks(), network.radix);
  return finished(network, *route(network, parallelism, {placement, "as given"}));
}

}  // namespace fred
