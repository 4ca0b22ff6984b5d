// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/circuit_scenarios.hpp"

#include <fmt/core.h>

#include <utility>

#include "fred/design/register_map.hpp"
#include "tests/faults/quick_bench.hpp"

namespace fred::test {
namespace {

Job in_circuit(Job job, int vc) {
  job.vc = vc;
  return job;
}

/// Broadcasts from one port.
Job from(int source, const Group& to, int vc, const Design& design, std::size_t beats, std::uint64_t seed) {
  return in_circuit(random_job(Kind::kBroadcast, {source}, to, design, beats, seed), vc);
}

/// A switch whose sources honour vc_ready, with the order and the bound of the circuits.
struct CircuitBench : QuickBench {
  CircuitBench(Engine& engine, const Design& its_design, std::uint32_t priority, std::uint32_t bound)
      : QuickBench(engine, its_design) {
    behaviour.honour_vc_ready = true;
    harness.set_behaviour(behaviour);
    require(harness.write(RegisterMap::kPriority, priority).okay(), "PRIORITY refused");
    require(harness.write(RegisterMap::kBound, bound).okay(), "BOUND refused");
  }
  Behaviour behaviour;
};

void at_most(std::uint64_t cycles, std::uint64_t most, const std::string& what) {
  require(cycles <= most, fmt::format("{}: {} cycles, {} at most", what, cycles, most));
}

constexpr std::uint32_t kUsualOrder = 0x210, kReversed = 0x012;
constexpr std::uint32_t kLong = 20000;  // a bound that does not come

}  // namespace

Design circuit_switch() {
  Design design;
  design.radix = 4;
  design.middle = 2;
  design.dtype = DType::kInt16;
  design.ops = {Op::kSum};
  design.descriptors = 4;
  design.vcs = 3;
  design.alltoall_tables = 0;
  design.counters = true;
  design.validate();
  return design;
}

/// Each circuit in turn is held off by a sink, then let go; the others do not feel it, and nothing is lost.
void circuits_held(Engine& engine, const Design& design) {
  for (int held = 0; held < design.vcs; ++held) {
    CircuitBench bench(engine, design, kUsualOrder, kLong);
    const int other = (held + 1) % design.vcs;
    const Job first = in_circuit(random_job(Kind::kAllReduce, {0, 1, 3}, design, 300, 1), other);
    const std::uint64_t alone = bench.run({first}).jobs[0].cycles();
    bench.behaviour.at_vc[{1, held}].held_to = 3000;
    bench.harness.set_behaviour(bench.behaviour);
    const RunResult result =
        bench.run({first, in_circuit(random_job(Kind::kAllReduce, {0, 1, 3}, design, 100, 2), held)});
    check(result, fmt::format("circuit {} held", held));
    // While it fills its buffers the held one may go first.
    at_most(result.jobs[0].cycles(), alone + static_cast<std::uint64_t>(design.ingress_depth + design.egress_depth),
            fmt::format("beside circuit {}", held));
  }
}

/// A few beats in the middle of a stream, in either order of their circuits.
void circuit_priority(Engine& engine, const Design& design) {
  for (const bool reversed : {false, true}) {
    CircuitBench bench(engine, design, reversed ? kReversed : kUsualOrder, kLong);
    const int high = reversed ? 2 : 0, low = 2 - high;
    bench.behaviour.vc_order = {high, 1, low};
    bench.harness.set_behaviour(bench.behaviour);
    const std::size_t many = 600, few = 20;
    Job express = in_circuit(random_job(Kind::kAllReduce, {0, 1, 2, 3}, design, few, 2), high);
    express.start = 200;
    // The sources send both, so only the switch decides: the stream comes from other ports.
    Job rival = from(1, {3}, high, design, few, 3);
    rival.start = 400;
    const RunResult result = bench.run(
        {in_circuit(random_job(Kind::kAllReduce, {0, 1, 2, 3}, design, many, 1), low), express, rival}, false, 32);
    check(result, "a stream and others");
    const auto latency = static_cast<std::uint64_t>(design.first_beat_latency());
    at_most(result.jobs[1].cycles(), few + latency + 4, "express");
    at_most(result.jobs[2].cycles(), few + latency + 4, "rival");
    at_most(result.jobs[0].cycles(), many + 2 * few + latency + 8, "stream");
    // From ports of their own to one egress, so that the sources have no say.
    Job late = from(1, {3}, high, design, few, 5);
    late.start = 200;
    const RunResult apart = bench.run({from(0, {3}, low, design, many, 4), late}, false, 1);
    check(apart, "two streams to one port");
    at_most(apart.jobs[1].cycles(), few + latency + 4, "the first in order");
  }
}

/// a stops b, and b would stop c, which has nothing to do with a.
void losers_step_aside(Engine& engine, const Design& design) {
  CircuitBench bench(engine, design, kUsualOrder, kLong);
  const std::size_t beats = 400;
  const RunResult result = bench.run(
      {from(0, {1}, 0, design, beats, 1), from(2, {1, 3}, 1, design, 50, 2), from(3, {3}, 2, design, beats, 3)}, false,
      1);
  check(result, "three in a row");
  at_most(result.jobs[2].cycles(), beats + beats / 4 + 60, "the last one");
}

/// A broadcast to two ports that others keep busy, in turn, and a send to one of them.
void claimed_ports(Engine& engine, const Design& design) {
  constexpr std::uint32_t kBound = 16;
  for (const auto& [kind, streams] : {std::pair{Kind::kBroadcast, Kind::kBroadcast},
                                      {Kind::kSend, Kind::kBroadcast},
                                      {Kind::kBroadcast, Kind::kSend}}) {
    CircuitBench bench(engine, design, kUsualOrder, kBound);
    bench.harness.sink(1).set_every(2, 0);
    bench.harness.sink(2).set_every(2, 1);
    const std::size_t few = 20, many = 500;
    const RunResult result =
        bench.run({random_job(kind, {0}, {1, 2}, design, few, 1), random_job(streams, {1}, {1}, design, many, 2),
                   random_job(streams, {3}, {2}, design, many, 3)},
                  false, 1);
    bench.harness.sink(1).set_every(1, 0);
    bench.harness.sink(2).set_every(1, 0);
    const std::string what = fmt::format("{} beside {}s", to_string(kind), to_string(streams));
    check(result, what);
    at_most(result.jobs[0].cycles(), few * (kBound + 8) + 2 * static_cast<std::uint64_t>(design.egress_depth) + 40,
            what);
  }
}

/// Two circuits fill one egress: the order decides, and the other gets its share by the bound.
void shared_egress(Engine& engine, const Design& design) {
  constexpr std::uint32_t kBound = 16;
  for (const bool reversed : {false, true}) {
    CircuitBench bench(engine, design, reversed ? kReversed : kUsualOrder, kBound);
    bench.harness.sink(3).set_every(2, 0);
    const std::size_t beats = 400;
    const RunResult result =
        bench.run({from(0, {3}, 0, design, beats, 1), from(1, {3}, 2, design, beats, 2)}, false, 8);
    bench.harness.sink(3).set_every(1, 0);
    check(result, "two circuits");
    const JobResult& high = result.jobs[reversed ? 1 : 0];
    at_most(high.cycles(), 2 * beats + 4 * beats / kBound + 60, "the first in order");
    require(high.cycles() >= 2 * beats + 2 * beats / kBound - 40, "the second one gets nothing");
  }
}

}  // namespace fred::test
