// SPDX-License-Identifier: Apache-2.0
// The whole switch in Verilator: every collective x group shapes x sizes x stalls against the golden model, bit for
// bit. Seeds are printed with a failure; FRED_SEED=n repeats it or tries others.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

Design int_design() {
  Design design;
  design.vcs = 1;
  design.radix = 6;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.lanes = 2;
  design.validate();
  return design;
}

/// An odd radix, a beat that is no power of two, deeper pipelines.
Design odd_design() {
  Design design;
  design.radix = 5;
  design.middle = 3;
  design.dtype = DType::kBf16;
  design.lanes = 3;
  design.pipeline = 2;
  design.adder_latency = 2;
  design.alltoall_tables = 2;
  design.validate();
  return design;
}

Behaviour random_behaviour(const Design& design, double most, std::uint64_t seed) {
  Random random(seed);
  Behaviour behaviour;
  for (int port = 0; port < design.radix; ++port) {
    behaviour.stall_in.push_back(most * random.below(1000) / 1000);
    behaviour.stall_out.push_back(most * random.below(1000) / 1000);
    behaviour.start_in.push_back(static_cast<std::uint64_t>(random.below(40)));
    behaviour.start_out.push_back(static_cast<std::uint64_t>(random.below(60)));
  }
  behaviour.vc_stall = random.below(2) == 0 ? 0 : 0.4;
  behaviour.honour_vc_ready = random.below(2) == 0;
  behaviour.seed = seed;
  return behaviour;
}

Behaviour even_stalls(const Design& design, double fraction, std::uint64_t seed) {
  Behaviour behaviour;
  behaviour.stall_in.assign(static_cast<std::size_t>(design.radix), fraction);
  behaviour.stall_out.assign(static_cast<std::size_t>(design.radix), fraction);
  behaviour.seed = seed;
  return behaviour;
}

/// Disjoint groups over some of the ports, in random rank order.
std::vector<Group> random_groups(const Design& design, Random& random) {
  std::vector<Group> groups;
  for (const int port : shuffled(design.radix, random)) {
    const int choice = random.below(static_cast<int>(groups.size()) + 2);
    if (choice < static_cast<int>(groups.size())) {
      groups[static_cast<std::size_t>(choice)].push_back(port);
    } else if (choice == static_cast<int>(groups.size())) {
      groups.push_back({port});
    }
  }
  if (groups.empty()) groups.push_back({random.below(design.radix)});
  return groups;
}

void check(const RunResult& result, const std::string& what) {
  INFO(what, "\n", text_of(result));
  REQUIRE(result.mismatches == 0);
}

}  // namespace

TEST_CASE("rtl: every kind x group shape x size x stall") {
  const std::uint64_t seed = base_seed();
  for (const Design& design : {int_design(), odd_design()}) {
    const auto engine = rtl_switch(design, static_cast<int>(seed));
    Bench bench(*engine, design);
    const std::vector<std::vector<Group>> shapes{
        design.radix == 6 ? std::vector<Group>{{0, 1, 2, 3, 4, 5}} : std::vector<Group>{{0, 1, 2, 3, 4}},
        {{3}},
        {{4, 0, 2}},
        {{4, 1}, {0, 3, 2}},
        {{1}, {0, 4}, {3, 2}}};
    const std::size_t element = static_cast<std::size_t>(element_bits(design.dtype)) / 8;
    for (const double stall : {0.0, 0.3}) {
      bench.harness.set_behaviour(even_stalls(design, stall, seed));
      for (const Kind kind : kAllKinds) {
        for (const auto& groups : shapes) {
          for (const std::size_t elements : {0, 1, 7, 100}) {
            std::vector<Job> jobs;
            for (const Group& group : groups) {
              jobs.push_back(with_data(Job::on_group(kind, group), design, elements * element, seed + jobs.size()));
              jobs.back().root = static_cast<int>(group.size()) - 1;
            }
            check(bench.run(jobs), fmt::format("FRED_SEED={} radix {} {} {} elements, {} groups, stall {}", seed,
                                               design.radix, to_string(kind), elements, groups.size(), stall));
          }
        }
      }
    }
  }
}

TEST_CASE("rtl: all-to-alls with a count for each two ranks") {
  const std::uint64_t seed = base_seed();
  const Design design = int_design();
  const auto engine = rtl_switch(design, static_cast<int>(seed));
  Bench bench(*engine, design);
  Random random(seed);
  for (int round = 0; round < 60; ++round) {
    bench.harness.set_behaviour(
        even_stalls(design, round % 2 == 0 ? 0 : 0.3, seed + static_cast<std::uint64_t>(round)));
    std::vector<Job> jobs;
    for (const Group& group : random_groups(design, random)) {
      Job& job = jobs.emplace_back(Job::on_group(Kind::kAllToAll, group));
      for (std::size_t from = 0; from < group.size(); ++from) {
        std::vector<std::size_t>& row = job.counts.emplace_back();
        std::size_t sum = 0;
        for (std::size_t to = 0; to < group.size(); ++to) {
          row.push_back(4 * static_cast<std::size_t>(random.below(3) == 0 ? 0 : random.below(40)));
          sum += row.back();
        }
        job.data.push_back(random_buffer(design.dtype, sum, seed + 100 * jobs.size() + from));
      }
    }
    const RunResult result = bench.run(jobs, true);
    check(result, fmt::format("FRED_SEED={} round {}", seed, round));
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const Job& job = jobs[j];
      for (std::size_t to = 0; to < job.in.size(); ++to) {  // what came from rank 0, from rank 1, ...
        Bytes expected;
        for (std::size_t from = 0; from < job.in.size(); ++from) {
          std::size_t at = 0;
          for (std::size_t before = 0; before < to; ++before) at += job.counts[from][before];
          const auto begin = job.data[from].begin() + static_cast<std::ptrdiff_t>(at);
          expected.insert(expected.end(), begin, begin + static_cast<std::ptrdiff_t>(job.counts[from][to]));
        }
        CHECK(bench.traffic[j].results[to] == expected);
      }
    }
    if (round % 2 != 0) continue;
    // Alone and without stalls it takes as long as its steps.
    bench.harness.reset();
    const RunResult alone = bench.run({jobs[0]});
    CHECK(summarise({&alone.jobs[0]}).cycles ==
          cycles_alone(jobs[0], bench.traffic[0], design) + static_cast<std::uint64_t>(design.first_beat_latency()));
  }
}

TEST_CASE("rtl: operations, cut elements, packets of one beat") {
  const Design design = int_design();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  const Group group{5, 2, 0, 3};
  for (const Op op : design.ops) {
    Job job = with_data(Job::on_group(Kind::kAllReduce, group), design, 400, 5);
    job.op = op;
    check(bench.run({job}), fmt::format("op {}", to_string(op)));
  }
  for (const Kind kind :
       {Kind::kBroadcast, Kind::kAllGather, Kind::kGather, Kind::kScatter, Kind::kSend, Kind::kAllToAll}) {
    check(bench.run({with_data(Job::on_group(kind, group), design, 101, 6)}), fmt::format("{} cut", to_string(kind)));
  }
  for (const Kind kind : kAllKinds) {
    check(bench.run({with_data(Job::on_group(kind, group), design, 400, 7)}, false, 1),
          fmt::format("{} one-beat packets", to_string(kind)));
  }
}

TEST_CASE("rtl: flows with other inputs than outputs, pipeline stages that share a port") {
  const Design design = int_design();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  for (const Kind kind : kAllKinds) {
    if (kind == Kind::kAllToAll) continue;
    std::vector<Job> jobs;
    for (const Flow& flow : parse_flows("0,1,2>3,4;3,4>5,0;5>1", design.radix)) {
      jobs.push_back(with_data(Job::on_flow(kind, flow), design, 80, 3));
    }
    check(bench.run(jobs), fmt::format("{}", to_string(kind)));
  }
}

TEST_CASE("rtl: the first beat comes when the manifest says") {
  for (const Design& design : {int_design(), odd_design()}) {
    const auto engine = rtl_switch(design);
    Bench bench(*engine, design);
    Group all;
    for (int port = 0; port < design.radix; ++port) all.push_back(port);
    for (const Kind kind : kAllKinds) {
      const auto bytes = static_cast<std::size_t>(design.bytes());
      const RunResult result = bench.run({with_data(Job::on_group(kind, all), design, bytes, 1)});
      check(result, fmt::format("{}", to_string(kind)));
      CHECK(summarise({&result.jobs[0]}).first_beat_latency == static_cast<std::uint64_t>(design.first_beat_latency()));
    }
  }
}

TEST_CASE("rtl: full rate") {
  const Design design = int_design();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  const Group all{0, 1, 2, 3, 4, 5};
  for (const Kind kind : {Kind::kAllReduce, Kind::kAllGather, Kind::kReduceScatter, Kind::kAllToAll, Kind::kGather}) {
    for (const std::size_t packet : {1, 4, 64}) {
      const RunResult result = bench.run({with_data(Job::on_group(kind, all), design, 16384, 1)}, false, packet);
      check(result, fmt::format("{}", to_string(kind)));
      INFO(to_string(kind), ", packets of ", packet, " beats");
      CHECK(summarise({&result.jobs[0]}).efficiency >= 0.99);
    }
  }
}

TEST_CASE("rtl: a stalled group costs compatible ones nothing") {
  const Design design = int_design();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  const std::vector<Group> groups{{0, 1}, {2, 3}, {4, 5}};
  for (const auto& kinds : {std::vector<Kind>{Kind::kAllReduce, Kind::kAllReduce, Kind::kAllReduce},
                            std::vector<Kind>{Kind::kAllReduce, Kind::kAllGather, Kind::kAllToAll}}) {
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < 3; ++i) jobs.push_back(with_data(Job::on_group(kinds[i], groups[i]), design, 16384, i));
    std::vector<double> alone;
    bench.harness.set_behaviour({});
    for (const Job& job : jobs) alone.push_back(static_cast<double>(summarise({&bench.run({job}).jobs[0]}).cycles));
    for (std::size_t stalled = 0; stalled < 3; ++stalled) {
      Behaviour behaviour;
      behaviour.stall_in.assign(6, 0);
      behaviour.stall_out.assign(6, 0);
      for (const int port : groups[stalled]) {
        behaviour.stall_in[static_cast<std::size_t>(port)] = behaviour.stall_out[static_cast<std::size_t>(port)] = 0.5;
      }
      bench.harness.set_behaviour(behaviour);
      const RunResult result = bench.run(jobs);
      check(result, "three groups");
      CHECK(bench.setup.shared_time.empty());
      for (std::size_t i = 0; i < 3; ++i) {
        const auto cycles = static_cast<double>(summarise({&result.jobs[i]}).cycles);
        INFO(to_string(kinds[i]), " alone ", alone[i], " together ", cycles);
        if (i != stalled) CHECK(cycles <= 1.01 * alone[i]);
      }
    }
  }
}

TEST_CASE("rtl: two descriptors of one group with different roots in flight at once") {
  const std::uint64_t seed = base_seed();
  const Design design = int_design();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  const Group group{1, 2, 4, 5};
  for (const Kind kind :
       {Kind::kScatter, Kind::kBroadcast, Kind::kReduce, Kind::kGather, Kind::kSend, Kind::kAllReduce}) {
    for (const double stall : {0.0, 0.3}) {
      bench.harness.set_behaviour(even_stalls(design, stall, seed));
      std::vector<Job> jobs;
      for (int root = 0; root < 4; ++root) {
        jobs.push_back(with_data(Job::on_group(kind, group), design, 400, seed + static_cast<std::uint64_t>(root)));
        jobs.back().root = root;
      }
      check(bench.run(jobs), fmt::format("FRED_SEED={} {} stall {}", seed, to_string(kind), stall));
    }
  }
}

TEST_CASE("rtl: random groups, kinds, sizes, stalls and skews over 100 seeds") {
  const std::uint64_t base = base_seed();
  for (const Design& design : {int_design(), odd_design()}) {
    const auto engine = rtl_switch(design, static_cast<int>(base));
    const std::size_t element = static_cast<std::size_t>(element_bits(design.dtype)) / 8;
    for (std::uint64_t seed = base; seed < base + 100; ++seed) {
      Random random(sub_seed(seed, 11));
      Bench bench(*engine, design);
      bench.harness.set_behaviour(seed % 2 == 0 ? even_stalls(design, 0.3, seed) : random_behaviour(design, 0.6, seed));
      for (int round = 0; round < 3; ++round) {
        std::vector<Job> jobs;
        std::string what = fmt::format("FRED_SEED={} radix {} round {}:", seed, design.radix, round);
        for (const Group& group : random_groups(design, random)) {
          const Kind kind = kAllKinds[static_cast<std::size_t>(random.below(10))];
          const std::size_t bytes = element * static_cast<std::size_t>(random.below(200));
          jobs.push_back(with_data(Job::on_group(kind, group), design, bytes, sub_seed(seed, 12, jobs.size())));
          jobs.back().root = random.below(static_cast<int>(group.size()));
          jobs.back().vc = random.below(design.vcs);
          jobs.back().op = kAllOps[static_cast<std::size_t>(random.below(3))];
          what += fmt::format(" {} {} {} bytes;", to_string(kind), to_string(jobs.back().flow()), bytes);
        }
        check(bench.run(jobs, false, static_cast<std::size_t>(1 + random.below(8))), what);
      }
    }
  }
}

TEST_CASE("rtl: orders that keep the ordering rule never hang") {
  const std::uint64_t base = base_seed();
  const Design design = int_design();
  const auto engine = rtl_switch(design);
  for (std::uint64_t seed = base; seed < base + 60; ++seed) {
    Random random(sub_seed(seed, 21));
    Bench bench(*engine, design);
    bench.harness.set_behaviour(random_behaviour(design, 0.5, seed));
    std::vector<Job> jobs;  // listed in the one order that all ports' orders are subsequences of
    std::string what = fmt::format("FRED_SEED={}:", seed);
    int alltoalls = 0;
    while (jobs.size() < 8) {
      std::vector<int> ports = shuffled(design.radix, random);
      ports.resize(static_cast<std::size_t>(1 + random.below(design.radix)));
      Kind kind = kAllKinds[static_cast<std::size_t>(random.below(10))];
      if (kind == Kind::kAllToAll && alltoalls++ > 0) kind = Kind::kAllGather;
      jobs.push_back(with_data(Job::on_group(kind, ports), design, 4 * static_cast<std::size_t>(random.below(100)),
                               sub_seed(seed, 22, jobs.size())));
      jobs.back().root = random.below(static_cast<int>(ports.size()));
      what += fmt::format(" {} {};", to_string(kind), to_string(jobs.back().flow()));
    }
    check(bench.run(jobs), what);
  }
}

TEST_CASE("rtl: orders that contradict each other hang, and the cycle is named") {
  const Design design = int_design();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  bench.harness.set_idle_limit(500);
  const std::vector<Job> jobs{with_data(Job::on_group(Kind::kAllReduce, {0, 1}), design, 32, 1),
                              with_data(Job::on_group(Kind::kAllReduce, {1, 2}), design, 32, 2),
                              with_data(Job::on_group(Kind::kAllReduce, {2, 0}), design, 32, 3)};
  const RunResult result = bench.run(jobs, false, 4, {{0, 2}, {1, 0}, {2, 1}, {}, {}, {}});
  INFO(text_of(result));
  CHECK(result.mismatches > 0);
  CHECK(result.hang.find("cycle: ") != std::string::npos);
  bench.harness.reset();
  check(bench.run(jobs, false, 4, {{0, 2}, {0, 1}, {1, 2}, {}, {}, {}}), "one order");
}
