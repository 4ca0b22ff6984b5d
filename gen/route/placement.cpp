// SPDX-License-Identifier: Apache-2.0
// Which placement is taken: the first by a rule with which a greedy colouring routes every phase; else one found by
// swaps; else, among the paper's and those that left the fewest flows out, the one with the fewest rounds.
//
// With broken parts the rules count through the ports that are left: in ascending order first, then those that all ways
// lead to before those with fewer.
#include "fred/route/placement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "fred/error.hpp"
#include "fred/route/cross_phase.hpp"
#include "fred/route/find.hpp"
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

/// A network and what is left of it.
struct Ground {
  Ground(const Network& of, const LinkSet& avoid)
      : network(of), broken(avoid), loss(avoid.empty() ? Loss{} : loss_of(of, avoid)), greedy(of, avoid) {}

  const Network& network;
  const LinkSet& broken;
  Loss loss;
  Greedy greedy;
};

int left_out(const Greedy& greedy, const std::vector<Phase>& phases, Effort& effort) {
  std::size_t sum = 0;
  for (const Phase& phase : phases) sum += greedy.left_out(phase.flows, effort).size();
  return static_cast<int>(sum);
}

/// All flows in one round if that is so, else the fewest rounds.
Rounds rounds_of(const Ground& ground, const std::vector<Flow>& flows) {
  Effort unlimited;
  if (ground.greedy.left_out(flows, unlimited).empty()) {
    RouteResult together = route_flows(ground.network, flows, ground.broken);
    std::vector<int> all(flows.size());
    std::iota(all.begin(), all.end(), 0);
    if (together.routable()) return {{std::move(all)}, std::move(together.routes), 1};
  }
  return route_rounds(ground.network, flows, ground.broken);
}

void route_phase(const Ground& ground, Phase& phase) {
  if (phase.lost.empty()) {
    phase.rounds = rounds_of(ground, phase.flows);
    return;
  }
  std::vector<int> alive;
  for (int f = 0; f < static_cast<int>(phase.flows.size()); ++f) {
    if (!std::binary_search(phase.lost.begin(), phase.lost.end(), f)) alive.push_back(f);
  }
  Rounds rounds;
  if (!alive.empty()) rounds = rounds_of(ground, select(phase.flows, alive));
  phase.rounds = renumbered(std::move(rounds), alive, phase.flows.size());
}

/// Routes every phase; nullopt as soon as that is seen to be no better than `best`.
std::optional<PlacedJob> route(const Ground& ground, const Parallelism& parallelism, const Candidate& candidate,
                               const PlacedJob* best = nullptr) {
  PlacedJob job{candidate.placement, candidate.rule, phases_of(parallelism, candidate.placement), {}, {}};
  if (!ground.broken.empty()) {
    for (Phase& phase : job.phases) phase.lost = lost_flows(ground.network, phase.flows, ground.broken);
  }
  if (best != nullptr && job.lost() > best->lost()) return std::nullopt;
  const bool fewer_lost = best == nullptr || job.lost() < best->lost();
  int least = static_cast<int>(job.phases.size());
  for (Phase& phase : job.phases) {
    route_phase(ground, phase);
    least += phase.rounds.count() - 1;
    if (!fewer_lost && least >= best->rounds()) return std::nullopt;
  }
  return job;
}

PlacedJob finished(const Ground& ground, PlacedJob job) {
  improve_cross_phase(ground.network, job.phases, ground.broken);
  job.cross = count_cross_phase(ground.network, job.phases);
  const Ports left = ports_left(ground.network.radix, ground.loss);
  for (int rank = 0; rank < static_cast<int>(job.placement.size()); ++rank) {
    if (!std::binary_search(left.begin(), left.end(), job.placement[rank])) job.lost_ranks.push_back(rank);
  }
  return job;
}

void check_ranks(int ranks, int radix) {
  if (ranks <= radix) return;
  throw InputError(fmt::format("{} ranks on {} ports: allowed are at most {} ranks, one a port", ranks, radix, radix));
}

/// By port: how many of the ways through the network are closed to it.
std::vector<long> closed_ways(const Ground& ground) {
  const detail::Obstacles obstacles(ground.network, ground.broken);
  std::vector<long> closed;
  for (int port = 0; port < ground.network.radix; ++port)
    closed.push_back(obstacles.words({{{port}, {port}}}).closed(0));
  return closed;
}

/// Orders of ports for the rules to count through. Lost ports come last, and only if `ranks` are more than the others.
std::vector<detail::PortOrder> port_orders(const Ground& ground, int ranks) {
  const int radix = ground.network.radix;
  const Ports left = ports_left(radix, ground.loss);
  std::vector<char> is_left(static_cast<std::size_t>(radix));
  for (const int port : left) is_left[port] = 1;
  Ports lost;
  for (int port = 0; port < radix && ranks > static_cast<int>(left.size()); ++port) {
    if (is_left[port] == 0) lost.push_back(port);
  }
  std::vector<detail::PortOrder> orders;
  const auto add = [&](Ports ports, std::string suffix) {
    ports.insert(ports.end(), lost.begin(), lost.end());
    orders.push_back({std::move(ports), std::move(suffix)});
  };
  add(left, ground.loss.none() ? "" : ", past lost ports");
  if (ground.broken.empty() || left.empty()) return orders;
  const std::vector<long> closed = closed_ways(ground);
  const long least =
      closed[*std::min_element(left.begin(), left.end(), [&](int a, int b) { return closed[a] < closed[b]; })];
  Ports ports = left;
  std::stable_partition(ports.begin(), ports.end(), [&](int port) { return closed[port] == least; });
  add(std::move(ports), ", ports with more ways first");
  return orders;
}

/// Placements by rule, in the order tried, and one by swaps if no rule will do. The last one is the answer if no flow
/// is left out with it.
std::vector<Tried> try_placements(const Ground& ground, const Parallelism& parallelism) {
  std::vector<Tried> tried;
  Effort effort{kRuleEffort};
  const std::vector<detail::PortOrder> orders = port_orders(ground, parallelism.ranks());
  detail::each_rule(parallelism, orders, [&](const Candidate& candidate) {
    tried.push_back({candidate, left_out(ground.greedy, phases_of(parallelism, candidate.placement), effort)});
    return tried.back().left_out == 0 || effort.spent();
  });
  if (tried.back().left_out == 0 ||
      parallelism.ranks() > static_cast<int>(ports_left(ground.network.radix, ground.loss).size()))
    return tried;
  std::vector<Tried> starts = tried;
  std::stable_sort(starts.begin(), starts.end(),
                   [](const Tried& a, const Tried& b) { return a.left_out < b.left_out; });
  starts.resize(std::min(starts.size(), kStarts));
  for (int i = 0; i < kBeginnings; ++i) {
    Effort swaps{kSwapEffort};
    const Placement& start = starts[i % starts.size()].candidate.placement;
    detail::Measured found = detail::swap_ranks(ground.greedy, parallelism, start, orders.front().ports,
                                                static_cast<std::uint32_t>(i), swaps);
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

int PlacedJob::lost() const {
  std::size_t sum = 0;
  for (const Phase& phase : phases) sum += phase.lost.size();
  return static_cast<int>(sum);
}

Ports ports_left(int radix, const Loss& loss) {
  Ports left;
  for (int port = 0; port < radix; ++port) {
    const bool lost = std::binary_search(loss.in.begin(), loss.in.end(), port) ||
                      std::binary_search(loss.out.begin(), loss.out.end(), port);
    if (!lost) left.push_back(port);
  }
  return left;
}

void check_placement(const Placement& placement, int ranks, int radix, const Loss& loss) {
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
  const Ports left = loss.none() ? Ports{} : ports_left(radix, loss);
  for (int rank = 0; rank < ranks && !loss.none(); ++rank) {
    if (std::binary_search(left.begin(), left.end(), placement[rank])) continue;
    throw InputError(fmt::format(
        "the placement has port {} for rank {}: it can no longer {} beside the broken parts; allowed are {}",
        placement[rank], rank, std::binary_search(loss.in.begin(), loss.in.end(), placement[rank]) ? "send" : "receive",
        left.empty() ? "none" : fmt::format("{}", fmt::join(left, ","))));
  }
}

std::vector<Phase> phases_of(const Parallelism& parallelism, const Placement& placement) {
  std::vector<Phase> phases;
  for (int d = 0; d < static_cast<int>(parallelism.dimensions.size()); ++d) {
    if (parallelism.dimensions[d].size == 1) continue;
    Phase phase{parallelism.dimensions[d].name, groups_of(parallelism, d), {}, {}, {}};
    for (Group& group : phase.groups) {
      for (int& member : group) member = placement[member];
      phase.flows.push_back(flow_of(group));
    }
    phases.push_back(std::move(phase));
  }
  return phases;
}

PlacedJob place(const Network& network, const Parallelism& parallelism, const LinkSet& broken) {
  check_ranks(parallelism.ranks(), network.radix);
  const Ground ground(network, broken);
  std::vector<Tried> tried = try_placements(ground, parallelism);
  if (tried.back().left_out == 0) return finished(ground, *route(ground, parallelism, tried.back().candidate));
  // The paper's placement and those with the fewest flows left out, in the order tried.
  std::vector<std::size_t> order(tried.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin() + 1, order.end(),
                   [&](std::size_t a, std::size_t b) { return tried[a].left_out < tried[b].left_out; });
  order.resize(std::min(order.size(), kRouted));
  std::sort(order.begin(), order.end());
  std::optional<PlacedJob> best;
  for (const std::size_t i : order) {
    std::optional<PlacedJob> job = route(ground, parallelism, tried[i].candidate, best ? &*best : nullptr);
    if (job) best = std::move(job);
    if (best->one_round_each()) break;
  }
  return finished(ground, *std::move(best));
}

PlacedJob place_as_given(const Network& network, const Parallelism& parallelism, const Placement& placement,
                         const LinkSet& broken) {
  const Ground ground(network, broken);
  check_placement(placement, parallelism.ranks(), network.radix, ground.loss);
  return finished(ground, *route(ground, parallelism, {placement, "as given"}));
}

}  // namespace fred
