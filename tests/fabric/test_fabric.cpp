// SPDX-License-Identifier: Apache-2.0
// Collectives over two leaves and a root. FRED_FABRIC_SEEDS=n runs n seeds, FRED_SEED=n begins with another one.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tests/fabric/fabric_bench.hpp"

namespace fred::test {
namespace {

using tb::Traffic;

constexpr int kEpoch = 5;
const std::vector<FabricPort> kFive = {{0, 0}, {0, 2}, {0, 5}, {1, 1}, {1, 4}};

/// Four groups without a port in common, leaves of unequal size.
std::vector<FabricCollective> four_groups() {
  return {{.kind = Kind::kAllReduce, .ranks = {{0, 0}, {0, 1}, {1, 0}}},
          {.kind = Kind::kAllGather, .ranks = {{1, 2}, {0, 3}, {0, 2}, {1, 1}}, .vc = 1},
          {.kind = Kind::kReduceScatter, .ranks = {{0, 4}, {1, 3}}, .op = Op::kMax},
          {.kind = Kind::kBroadcast, .ranks = {{1, 4}, {0, 5}}, .root = 1, .vc = 1}};
}

int from_environment(const char* name, int without) {
  const char* text = std::getenv(name);
  return text == nullptr ? without : std::atoi(text);
}

/// Errors of all switches that should have none.
void check_no_errors(FabricBench& bench) {
  for (int of = 0; of < 3; ++of) {
    CAPTURE(of);
    CHECK(bench.read(of, RegisterMap::kError) == 0);
  }
}

void check_result(const tb::RunResult& result) {
  CHECK(result.mismatches == 0);
  CHECK_MESSAGE(result.hang.empty(), result.hang);
  for (const std::string& message : result.messages) MESSAGE(message);
}

TEST_CASE("fabric: every kind over two leaves and a root, bit for bit") {
  for (const Kind kind : {Kind::kAllReduce, Kind::kReduce, Kind::kBroadcast, Kind::kAllGather, Kind::kReduceScatter,
                          Kind::kGather, Kind::kScatter, Kind::kBarrier}) {
    for (const int root : {1, 3}) {  // at either leaf
      CAPTURE(std::string(to_string(kind)));
      CAPTURE(root);
      FabricBench bench(two_leaves(), {{.kind = kind, .ranks = kFive, .root = root, .vc = 1}}, {}, kEpoch);
      CHECK(bench.refused.empty());
      CHECK(bench.engine().up());
      std::vector<Traffic> traffic;
      const tb::Job job = bench.job(0, 4 * 37, 1);
      traffic.push_back(tb::make_traffic(job, bench.large(), 0, kEpoch, 16, false));
      check_result(bench.harness().run(traffic));
      check_no_errors(bench);
    }
  }
}

TEST_CASE("fabric: a group of one leaf does not cross, and two of them go beside one that does") {
  FabricBench bench(two_leaves(),
                    {{.kind = Kind::kAllReduce, .ranks = {{0, 0}, {0, 1}}},
                     {.kind = Kind::kAllReduce, .ranks = {{1, 5}, {1, 2}, {1, 3}}},
                     {.kind = Kind::kAllGather, .ranks = {{0, 2}, {1, 1}}}},
                    {}, kEpoch);
  CHECK(bench.plan().descriptors[2].size() == 1);
  std::vector<tb::Job> jobs;
  for (int c = 0; c < 3; ++c) jobs.push_back(bench.job(c, 400, 3));
  std::vector<Traffic> traffic;
  for (int c = 0; c < 3; ++c) {
    traffic.push_back(tb::make_traffic(jobs[static_cast<std::size_t>(c)], bench.large(), c, kEpoch, 64, false));
  }
  check_result(bench.harness().run(traffic));
  check_no_errors(bench);
}

TEST_CASE("fabric: counters tell what crosses a link, by slot") {
  FabricBench bench(two_leaves(), four_groups(), {}, kEpoch);
  std::vector<tb::Job> jobs;
  std::vector<Traffic> traffic;
  for (int c = 0; c < 4; ++c) jobs.push_back(bench.job(c, 4 * (100 + 10 * static_cast<std::size_t>(c)), 3));
  for (int c = 0; c < 4; ++c) {
    traffic.push_back(tb::make_traffic(jobs[static_cast<std::size_t>(c)], bench.large(), c, kEpoch, 64, false));
  }
  check_result(bench.harness().run(traffic));
  const RegisterMap map(bench.fabric().design(0));
  for (int of = 0; of < 2; ++of) CHECK(bench.write(of, RegisterMap::kCounters, 1).okay());
  std::vector<std::uint32_t> out, in;  // of leaf 0's link port
  for (int slot = 0; slot < 4; ++slot) {
    out.push_back(bench.read(0, map.beats(6, slot, RegisterMap::kBeatsOut)));
    in.push_back(bench.read(0, map.beats(6, slot, RegisterMap::kBeatsIn)));
  }
  // Slots are given in the order of the collectives. Up: the sum, two of four members' data, the maxima, the root's
  // data (it is at leaf 0); down: the sum, four members' data, half of the maxima, the root's data.
  CHECK(out == std::vector<std::uint32_t>{100, 2 * 110, 120, 130});
  CHECK(in == std::vector<std::uint32_t>{100, 4 * 110, 60, 130});
  CHECK(bench.read(1, map.beats(6, 3, RegisterMap::kBeatsOut)) == 0);
  CHECK(bench.read(0, map.beats(0, 0, RegisterMap::kBeatsIn)) == 100);
  CHECK(bench.read(0, map.beats(0, 3, RegisterMap::kBeatsIn)) == 0);  // a circuit that the port does not have
}

/// One seed: four groups, two collectives of each, everything random.
struct Seen {
  std::uint64_t cycles = 0, beats = 0, hits = 0;
};

void run_seed(int seed, Seen& seen) {
  CAPTURE(seed);
  tb::Random random(static_cast<std::uint64_t>(seed));
  tb::FabricLinks links;
  links.seed = random.next();
  links.errors.flits = random.below(3) == 0 ? 0.02 : 0;
  FabricBench bench(two_leaves(), four_groups(), links, random.below(16));
  CHECK(bench.refused.empty());

  tb::Behaviour behaviour;
  behaviour.seed = random.next();
  behaviour.honour_vc_ready = random.below(2) == 0;
  const auto ports = static_cast<std::size_t>(bench.large().radix);
  const auto some = [&](double most) { return random.below(2) == 0 ? 0.0 : most * random.below(100) / 100; };
  for (std::size_t port = 0; port < ports; ++port) {
    behaviour.stall_in.push_back(some(0.6));
    behaviour.stall_out.push_back(some(0.6));
    behaviour.start_in.push_back(static_cast<std::uint64_t>(random.below(1001)));
    behaviour.start_out.push_back(static_cast<std::uint64_t>(random.below(1001)));
  }
  behaviour.vc_stall = some(0.3);
  bench.harness().set_behaviour(behaviour);

  // Packets longer than every queue, and short ones.
  const std::size_t packet = random.below(3) == 0 ? 8 : 4 * 200;
  std::vector<tb::Job> jobs;
  for (int c = 0; c < 4; ++c) {
    for (int k = 0; k < 2; ++k) {
      const int words = 1 + random.below(packet == 8 ? 40 : 600);
      jobs.push_back(bench.job(c, 4 * static_cast<std::size_t>(words), random.next()));
    }
  }
  std::vector<Traffic> traffic;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    traffic.push_back(tb::make_traffic(jobs[j], bench.large(), static_cast<int>(j / 2),
                                       static_cast<std::uint8_t>(bench.epoch()), packet, false));
  }
  const tb::RunResult result = bench.harness().run(traffic);
  check_result(result);
  check_no_errors(bench);
  seen.cycles += bench.harness().run_cycles();
  seen.hits += bench.engine().hits();
  for (std::size_t c = 0; c < 8; c += 2) {
    for (const std::uint64_t beats : result.jobs[c].beats_out) seen.beats += beats;
  }
}

TEST_CASE("fabric: four groups at once, whatever starts, stalls and errors do") {
  const int first = from_environment("FRED_SEED", 1);
  const int count = from_environment("FRED_FABRIC_SEEDS", 25);
  Seen seen;
  for (int seed = first; seed < first + count; ++seed) run_seed(seed, seen);
  fmt::print("{} seeds: {} cycles, {} beats delivered, {} flits hit\n", count, seen.cycles, seen.beats, seen.hits);
}

}  // namespace
}  // namespace fred::test
