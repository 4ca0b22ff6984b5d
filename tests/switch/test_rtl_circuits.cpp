// SPDX-License-Identifier: Apache-2.0
// Virtual circuits of the whole switch in Verilator: their independence at the pins, priority, claims. Seeds are
// printed with a failure; FRED_SEED=n repeats it or tries others.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "fred/design/register_map.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

constexpr int kControl = 0, kMp = 1, kPp = 2, kDp = 3;  // the usual order of the circuits

Design four_circuits() {
  Design design;
  design.radix = 8;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.ops = {Op::kSum};
  design.vcs = 4;
  design.validate();
  return design;
}

/// Odd in everything.
Design three_circuits() {
  Design design;
  design.radix = 5;
  design.middle = 2;
  design.dtype = DType::kInt16;
  design.ops = {Op::kSum, Op::kMax};
  design.lanes = 3;
  design.vcs = 3;
  design.descriptors = 9;
  design.validate();
  return design;
}

Job on(Kind kind, const Group& group, int vc, const Design& design, std::size_t beats, std::uint64_t seed) {
  Job job = with_data(Job::on_group(kind, group), design, beats * static_cast<std::size_t>(design.bytes()), seed);
  job.vc = vc;
  return job;
}
Job unicast(int from, int to, int vc, const Design& design, std::size_t beats, std::uint64_t seed) {
  Job job = with_data(Job::on_flow(Kind::kBroadcast, {{from}, {to}}), design,
                      beats * static_cast<std::size_t>(design.bytes()), seed);
  job.vc = vc;
  return job;
}

Behaviour honouring() {
  Behaviour behaviour;
  behaviour.honour_vc_ready = true;
  return behaviour;
}

std::uint64_t cycles_of(const RunResult& result, std::size_t job) { return result.jobs[job].cycles(); }

void check(const RunResult& result, const std::string& what) {
  INFO(what, "\n", text_of(result));
  REQUIRE(result.mismatches == 0);
}

}  // namespace

TEST_CASE("rtl circuits: one that a sink holds off costs another nothing") {
  const Design design = four_circuits();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  const Group group{0, 2, 3, 5};
  const Job first = on(Kind::kAllReduce, group, kMp, design, 3000, 1);
  const Job other = on(Kind::kAllReduce, group, kDp, design, 600, 2);
  bench.harness.set_behaviour(honouring());
  const std::uint64_t alone = cycles_of(bench.run({first}), 0);

  Behaviour held = honouring();
  held.at_vc[{3, kDp}].held_to = 20000;
  bench.harness.set_behaviour(held);
  RunResult result = bench.run({first, other});
  check(result, "source and sink keep to vc_ready");
  CHECK(result.jobs[1].last_out >= result.jobs[0].start + 20000);
  // The sources offer the other circuit's beats only where they have none of this one's.
  CHECK(cycles_of(result, 0) == alone);

  // A source that does not look at vc_ready fills the buffer of the held circuit: what fits into it and into the
  // egress buffer is accepted, and then all circuits of the port stand until the sink lets go.
  Job later = first;
  later.start = 100;
  held.honour_vc_ready = false;
  bench.harness.set_behaviour(held);
  const std::vector<Job> jobs{other, later};
  bench.prepare(jobs);
  std::uint64_t accepted = 0, cycle = 0;
  bench.harness.set_hook([&](const InPins& in, const OutPins& out) {
    if (++cycle <= 19000 && get_bit(in.s_tvalid, 0) && get_bit(out.s_tready, 0)) ++accepted;
  });
  result = bench.run_prepared();
  bench.harness.set_hook({});
  check(result, "sources do not look at vc_ready");
  CHECK(accepted == static_cast<std::uint64_t>(design.ingress_depth + design.egress_depth));
  CHECK(result.jobs[1].first_out >= result.jobs[0].start + 20000);

  // A sink that says it is ready for a circuit and then does not take its beat has all circuits wait behind that beat.
  Behaviour refusing = honouring();
  refusing.start_out = {0, 0, 0, 20000, 0, 0, 0, 0};
  bench.harness.set_behaviour(refusing);
  result = bench.run(jobs);
  check(result, "a sink says it is ready and is not");
  CHECK(result.jobs[1].last_out >= result.jobs[0].start + 20000);
}

TEST_CASE("rtl circuits: MP traffic in the middle of a DP all-reduce") {
  const Design design = four_circuits();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  bench.harness.set_behaviour(honouring());
  const Group all{0, 1, 2, 3, 4, 5, 6, 7};
  const std::size_t dp_beats = 262144;  // 1 MiB a port
  const auto zero_load = static_cast<std::uint64_t>(design.first_beat_latency());
  const Job dp = on(Kind::kAllReduce, all, kDp, design, dp_beats, 1);
  const std::uint64_t alone = cycles_of(bench.run({dp}, false, 64), 0);
  CHECK(alone <= dp_beats + zero_load);
  for (const std::size_t mp_beats : {1, 1000}) {
    for (const Group& group : {Group{0, 1}, all}) {
      Job mp = on(Kind::kAllReduce, group, kMp, design, mp_beats, 2);
      mp.start = 100000;
      const RunResult result = bench.run({dp, mp}, false, 64);
      check(result, "DP and MP");
      INFO("MP ", mp_beats, " beats on ", group.size(), " ports: first beat after ",
           result.jobs[1].first_beat_latency(), " (zero load ", zero_load, "), all after ", cycles_of(result, 1),
           "; DP ", cycles_of(result, 0), ", alone ", alone);
      CHECK(result.jobs[1].first_beat_latency() <= zero_load + 4);
      CHECK(cycles_of(result, 1) <= mp_beats + zero_load + 4);
      CHECK(cycles_of(result, 0) <= alone + mp_beats);
    }
  }
  // Groups that share no port share nothing.
  const Job rest = on(Kind::kAllReduce, {2, 3, 4, 5, 6, 7}, kDp, design, 20000, 3);
  const Job pair = on(Kind::kAllReduce, {0, 1}, kMp, design, 15000, 4);
  const std::uint64_t rest_alone = cycles_of(bench.run({rest}, false, 64), 0);
  const std::uint64_t pair_alone = cycles_of(bench.run({pair}, false, 64), 0);
  const RunResult both = bench.run({rest, pair}, false, 64);
  check(both, "side by side");
  CHECK(bench.setup.shared_time.empty());
  CHECK(cycles_of(both, 0) == rest_alone);
  CHECK(cycles_of(both, 1) == pair_alone);
}

TEST_CASE("rtl circuits: the priority register decides, and the bound lets the last one through") {
  const Design design = four_circuits();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  // Two circuits that always have something for an egress whose sink is ready every second cycle.
  const std::size_t beats = 2000;
  const std::vector<Job> jobs{unicast(0, 4, kControl, design, beats, 1), unicast(1, 4, kDp, design, beats, 2)};
  for (const bool exchanged : {false, true}) {
    for (const std::uint32_t bound : {8U, 64U}) {
      CHECK(bench.harness.write(RegisterMap::kPriority, exchanged ? 0x0213U : 0x3210U).okay());
      CHECK(bench.harness.write(RegisterMap::kBound, bound).okay());
      bench.harness.set_behaviour(honouring());
      bench.harness.sink(4).set_every(2, 0);
      const RunResult result = bench.run(jobs, false, 16);
      check(result, "two circuits at one egress");
      const std::size_t high = exchanged ? 1 : 0;
      INFO("bound ", bound, exchanged ? ", DP before control" : "", ": high ", cycles_of(result, high), " low ",
           cycles_of(result, 1 - high));
      CHECK(result.jobs[high].last_out < result.jobs[1 - high].last_out);
      // The low one gets one beat in bound / 2 to bound of the other's, so the high one is not slowed by more.
      CHECK(cycles_of(result, high) <= 2 * beats + 2 * beats * 2 / bound + 100);
      CHECK(cycles_of(result, high) >= 2 * beats + 2 * beats / bound - 100);
    }
  }
  bench.harness.sink(4).set_every(1, 0);
}

TEST_CASE("rtl circuits: a broadcast beside a unicast to each of its sinks, which are ready in turn") {
  const Design design = four_circuits();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  for (const std::uint32_t bound : {8U, 40U, 256U}) {
    for (const std::size_t packet : {1, 5}) {
      CHECK(bench.harness.write(RegisterMap::kBound, bound).okay());
      bench.harness.set_behaviour(honouring());
      bench.harness.sink(2).set_every(2, 0);
      bench.harness.sink(3).set_every(2, 1);
      const std::size_t beats = 3000, few = 40;
      Job broadcast = with_data(Job::on_flow(Kind::kBroadcast, {{0}, {2, 3}}), design, few * 4, 3);
      broadcast.vc = kDp;
      const RunResult result = bench.run(
          {broadcast, unicast(1, 2, kDp, design, beats, 1), unicast(4, 3, kDp, design, beats, 2)}, false, packet);
      check(result, "broadcast beside unicasts");
      // A beat waits for the bound at most, for what is open to close and a place to become free, and goes 4 cycles
      // later; then it leaves behind a full buffer of beats.
      const std::uint64_t once = bound + 2 * packet + 2 + 4;
      INFO("bound ", bound, ", packets of ", packet, ": ", cycles_of(result, 0), " cycles");
      CHECK(cycles_of(result, 0) <=
            (few / packet) * once + 2 * few + 2 * static_cast<std::uint64_t>(design.egress_depth) + 50);
      bench.harness.sink(2).set_every(1, 0);
      bench.harness.sink(3).set_every(1, 0);
    }
  }
}

TEST_CASE("rtl circuits: an all-to-all is not ended by what was last at the head of another circuit") {
  const Design design = three_circuits();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  bench.harness.set_behaviour(honouring());
  const Group group{0, 1, 3, 4};
  // Descriptor 1 stays an all-to-all in the table, and named by the last heads of circuit 0, when it is not enabled.
  check(bench.run({on(Kind::kBarrier, {2}, 1, design, 1, 1), on(Kind::kAllToAll, group, 0, design, 8, 2)}), "first");
  for (const std::size_t beats : {4, 40}) {
    check(bench.run({on(Kind::kAllToAll, group, 2, design, beats, 3)}, false, 3), "second");
  }
}

TEST_CASE("rtl circuits: random jobs on shared ports, full contention, claims: none hangs") {
  const std::uint64_t base = base_seed();
  for (const Design& design : {three_circuits(), four_circuits()}) {
    const auto engine = rtl_switch(design, static_cast<int>(base));
    for (std::uint64_t seed = base; seed < base + 500; ++seed) {
      Random random(sub_seed(seed, 31));
      Bench bench(*engine, design);
      Behaviour behaviour;
      for (int port = 0; port < design.radix; ++port) {
        behaviour.stall_in.push_back(random.below(2) == 0 ? 0 : 0.3 * random.below(1000) / 1000);
        behaviour.stall_out.push_back(random.below(2) == 0 ? 0 : 0.6 * random.below(1000) / 1000);
        behaviour.start_in.push_back(static_cast<std::uint64_t>(random.below(40)));
      }
      behaviour.vc_stall = random.below(2) == 0 ? 0 : 0.4;
      behaviour.honour_vc_ready = true;  // else one order must hold for all circuits together
      behaviour.vc_choice = random.below(2) == 0 ? VcChoice::kPriority : VcChoice::kRandom;
      behaviour.seed = seed;
      bench.harness.set_behaviour(behaviour);
      CHECK(bench.harness.write(RegisterMap::kBound, 8U << random.below(4)).okay());
      std::vector<int> order = shuffled(design.vcs, random);
      std::uint32_t priority = 0;
      for (std::size_t place = 0; place < order.size(); ++place) {
        priority |= static_cast<std::uint32_t>(order[place]) << (4 * place);
      }
      CHECK(bench.harness.write(RegisterMap::kPriority, priority).okay());
      std::vector<Job> jobs;
      std::string what = fmt::format("FRED_SEED={} radix {}:", seed, design.radix);
      int alltoalls = 0;
      while (static_cast<int>(jobs.size()) < design.descriptors) {
        std::vector<int> ports = shuffled(design.radix, random);
        ports.resize(static_cast<std::size_t>(1 + random.below(design.radix)));
        Kind kind = kAllKinds[static_cast<std::size_t>(random.below(10))];
        if (kind == Kind::kAllToAll && alltoalls++ > 0) kind = Kind::kSend;
        jobs.push_back(on(kind, ports, random.below(design.vcs), design, static_cast<std::size_t>(random.below(80)),
                          sub_seed(seed, 32, jobs.size())));
        jobs.back().root = random.below(static_cast<int>(ports.size()));
        what += fmt::format(" {} {} vc {};", to_string(kind), to_string(jobs.back().flow()), jobs.back().vc);
      }
      check(bench.run(jobs, false, static_cast<std::size_t>(1 + random.below(8))), what);
    }
  }
}
