// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "fred/route/placement.hpp"
#include "tests/routing/checks.hpp"

namespace fred::test {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Every round of every phase by the checker; every flow of a phase in one round of it.
bool accepted(const Network& network, const PlacedJob& job) {
  for (const Phase& phase : job.phases) {
    std::vector<int> seen(phase.flows.size());
    for (const std::vector<int>& round : phase.rounds.rounds) {
      std::vector<Flow> flows;
      std::vector<Route> routes;
      for (const int f : round) {
        ++seen[f];
        flows.push_back(phase.flows[f]);
        routes.push_back(phase.rounds.routes[f]);
      }
      if (check_routes(network, flows, routes)) return false;
    }
    if (std::any_of(seen.begin(), seen.end(), [](int times) { return times != 1; })) return false;
  }
  return true;
}

struct Tally {
  long jobs = 0, one_round = 0, minimal = 0, most = 0, wrong = 0;
  double slowest = 0;
};

void tally(int ranks, int middle, Tally& sum) {
  const Network network = make_network(std::max(ranks, 2), middle);
  for (int mp = 1; mp <= ranks; ++mp) {
    if (ranks % mp != 0) continue;
    for (int pp = 1; pp <= ranks / mp; ++pp) {
      if (ranks / mp % pp != 0) continue;
      const double start = now();
      const PlacedJob job =
          place(network, parse_parallelism(fmt::format("mp={},pp={},dp={}", mp, pp, ranks / mp / pp)));
      sum.slowest = std::max(sum.slowest, now() - start);
      ++sum.jobs;
      sum.wrong += accepted(network, job) ? 0 : 1;
      sum.one_round += job.one_round_each() ? 1 : 0;
      bool minimal = true;
      for (const Phase& phase : job.phases) {
        minimal = minimal && phase.rounds.minimal();
        sum.most = std::max<long>(sum.most, phase.rounds.count());
      }
      sum.minimal += minimal ? 1 : 0;
    }
  }
}

}  // namespace

bool check_factorisations() {
  bool right = true;
  const auto report = [&](const char* ports, int middle, const std::vector<int>& sizes) {
    Tally sum;
    for (const int ranks : sizes) tally(ranks, middle, sum);
    fmt::print(
        "P = {}, m = {}: {} jobs, {} with one round a phase, {} with rounds proved fewest, at most {}, {} wrong\n",
        ports, middle, sum.jobs, sum.one_round, sum.minimal, sum.most, sum.wrong);
    right = right && sum.wrong == 0 && sum.minimal == sum.jobs && (middle == 2 || sum.one_round == sum.jobs);
  };
  std::vector<int> to_32, to_48;
  for (int ranks = 1; ranks <= 48; ++ranks) (ranks <= 32 ? to_32 : to_48).push_back(ranks);
  for (const int middle : {3, 2}) {
    report("1..32", middle, to_32);
    report("33..48", middle, to_48);
    report("64, 96, 128", middle, {64, 96, 128});
  }
  return right;
}

bool check_large(int repeats) {
  std::vector<double> built, routed, checked, total, references;
  std::size_t links = 0;
  bool right = true;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const double start = now();
    const Network network = make_network(1024, 3);
    const double made = now();
    links = network.links.size();
    const PlacedJob job = place(network, parse_parallelism("mp=8,dp=16,pp=8"));
    const double placed = now();
    right = right && accepted(network, job) && job.one_round_each();
    const double end = now();
    built.push_back(made - start);
    routed.push_back(placed - made);
    checked.push_back(end - placed);
    total.push_back(end - start);
    references.push_back(reference_computation());
  }
  const auto median = [](std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  };
  fmt::print("links: {}\n", links);
  fmt::print("network: {:.3f} s\nplacement and routes: {:.3f} s\nchecker: {:.3f} s\nall: {:.3f} s\n", median(built),
             median(routed), median(checked), median(total));
  fmt::print("reference computation: {:.3f} s\n", median(references));
  return right && median(total) <= 1.0;
}

}  // namespace fred::test
