// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/abort_scenarios.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "fred/design/register_map.hpp"
#include "tests/faults/control_bench.hpp"

namespace fred::test {
namespace {

constexpr std::uint32_t kExponent = 7;               // of the watchdog
constexpr std::uint32_t kTimeout = 1U << kExponent;  // cycles

/// With the watchdog on.
struct AbortBench : ControlBench {
  AbortBench(Engine& engine, const Design& its_design) : ControlBench(engine, its_design) {
    require(harness.write(RegisterMap::kTimeout, kExponent).okay(), "TIMEOUT refused");
  }
  std::uint32_t read(int descriptor, std::uint32_t offset) {
    return harness.read(harness.registers().descriptor(descriptor, offset)).data;
  }
  /// MISSING, BEHIND, FULL, LOCKED are as said, and the descriptor hangs.
  void require_report(int descriptor, const std::vector<std::uint32_t>& masks) {
    require(StatusFields::kHangs.of(status(descriptor)) != 0, fmt::format("descriptor {} does not hang", descriptor));
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const std::uint32_t mask = read(descriptor, harness.registers().report + 4 * static_cast<std::uint32_t>(i));
      require(mask == masks[i], fmt::format("report {}: {:#b} in the place of {:#b}", i, mask, masks[i]));
    }
  }
  /// Aborts, after which the descriptor is at rest.
  void abort(int descriptor, int next_epoch) {
    ControlBench::abort(descriptor, next_epoch);
    require(status(descriptor) == StatusFields::kEnabled.mask(), "not at rest after the abort");
  }
};

Job in_circuit(Job job, int vc) {
  job.vc = vc;
  return job;
}

}  // namespace

/// An all-gather stands in its second step, of which one packet has come; it is aborted, and more of the old data
/// comes.
void aborted_member_silent(Engine& engine, const Design& design) {
  AbortBench bench(engine, design);
  const std::vector<Job> jobs{in_circuit(random_job(Kind::kAllGather, {0, 1, 3}, design, 40, 1), 1),
                              in_circuit(random_job(Kind::kAllReduce, {0, 1, 2, 3}, design, 40, 2), 0)};
  bench.prepare(jobs);
  const int epoch = bench.epoch, next = (epoch + 1) % 16;
  Behaviour behaviour;
  behaviour.honour_vc_ready = true;  // else a source waits with all its circuits
  bench.harness.set_behaviour(behaviour);
  const std::vector<std::vector<SourcePacket>>& sent = bench.traffic[0].sent;
  const SourcePacket first = sent[1].front();
  for (int port = 0; port < design.radix; ++port) {
    const std::vector<SourcePacket>& packets = sent[static_cast<std::size_t>(port)];
    bench.harness.source(port).push(port == 1 ? std::vector<SourcePacket>{first} : packets);
  }
  bench.steps(3 * static_cast<int>(kTimeout));
  bench.require_report(0, {0b0010, 0, 0, 0});
  require((bench.errors() & ErrorFields::kTimeout.mask()) != 0, "no time-out in ERROR");
  bench.packets.clear();
  bench.abort(0, next);
  bench.steps(60);
  require(bench.packets.all_closed(), "a packet is open after the abort");
  bench.clear_errors();
  check(bench.again(jobs, 0, next), "after the abort");
  bench.harness.source(1).push({first});  // of the old epoch
  bench.steps(60);
  require(bench.errors() == ErrorFields::kEpoch.mask(), "old data is not dropped");
  const std::uint32_t record = bench.harness.read(RegisterMap::kFirstError).data;
  require(FirstErrorFields::kKind.of(record) == 2 && FirstErrorFields::kHasPort.of(record) == 1 &&
              FirstErrorFields::kPort.of(record) == 1 && FirstErrorFields::kVc.of(record) == 1 &&
              FirstErrorFields::kDescriptor.of(record) == 0,
          fmt::format("FIRST_ERROR is {:#x}", record));
  bench.clear_errors();
  check(bench.again(jobs, 0, next), "after old data");
  check(bench.again(jobs, 1, epoch), "the other one after it");
}

/// An abort in the middle of a stream: every sink gets the same beats of the sum, then the end with the error bit, and
/// only then the packets that have waited for it.
void aborted_stream(Engine& engine, const Design& design) {
  const std::size_t beats = 200;
  for (int wait = 40; wait < 44; ++wait) {
    AbortBench bench(engine, design);
    const std::vector<Job> jobs{in_circuit(random_job(Kind::kAllReduce, {0, 1, 3}, design, beats, 1), 2),
                                in_circuit(random_job(Kind::kBroadcast, {2}, {1}, design, 8, 2), 2)};
    bench.prepare(jobs, false, beats);  // packets of all
    bench.harness.source(0).set_stall(0.7, 1);
    bench.harness.source(2).set_start(20);
    bench.harness.sink(1).set_start(bench.harness.cycles() + 100);
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      for (int port = 0; port < design.radix; ++port) {
        bench.harness.source(port).push(bench.traffic[job].sent[static_cast<std::size_t>(port)],
                                        bench.harness.cycles() + 15 * job);
      }
    }
    bench.steps(wait - 20);
    bench.abort(0, 9);
    bench.steps(4 * static_cast<int>(beats) + 100);
    require(bench.packets.all_closed(), "a packet is not closed");
    require(bench.packets.packets.size() == 4, fmt::format("{} packets of 4", bench.packets.packets.size()));
    const Bytes& golden = bench.traffic[0].reduced;
    const std::size_t length = bench.packets.packets.front().bytes.size();
    require(length > 0 && length < golden.size(), "nothing or everything came");
    for (std::size_t i = 0; i < 3; ++i) {
      const SeenPacket& packet = bench.packets.packets[i];
      require(packet.descriptor == 0, "the packet behind it came first");
      require(packet.ends_with_error && packet.ends_without_bytes, "not a null beat with error");
      require(packet.bytes.size() == length, "not the same beats at every sink");
      require(std::equal(packet.bytes.begin(), packet.bytes.end(), golden.begin()), "not the sum");
    }
    const SeenPacket& behind = bench.packets.packets.back();
    require(behind.descriptor == 1 && !behind.error && behind.bytes == jobs[1].data[0], "the packet behind is wrong");
    bench.harness.source(0).set_stall(0, 1);
    bench.clear_errors();
    check(bench.again(jobs, 0, 9), "after the abort");
  }
}

/// The abort of a packet whose sink accepts nothing: a null beat with the error bit behind all that is stored.
void aborted_sink_dead(Engine& engine, const Design& design) {
  AbortBench bench(engine, design);
  const std::size_t beats = 200;
  const std::vector<Job> jobs{
      in_circuit(random_job(Kind::kAllReduce, {0, 1, 3}, design, beats, 1), 1),
      in_circuit(random_job(Kind::kBroadcast, {2}, {1}, design, 40, 2), 1),
      in_circuit(random_job(Kind::kBroadcast, {2}, {2}, design, static_cast<std::size_t>(design.egress_depth), 3),
                 1)};                 // which fills another egress
  bench.prepare(jobs, false, beats);  // one packet
  const int epoch = bench.epoch, next = (epoch + 1) % 16;
  Behaviour behaviour;
  behaviour.honour_vc_ready = true;
  bench.harness.set_behaviour(behaviour);
  bench.harness.sink(1).set_start(1000000);
  bench.harness.sink(2).set_start(1000000);
  bench.harness.scoreboard().clear();
  bench.harness.source(2).push(bench.traffic[2].sent[2]);
  for (const int port : {0, 1, 3}) {
    bench.harness.source(port).push(bench.traffic[0].sent[static_cast<std::size_t>(port)]);
  }
  bench.steps(3 * static_cast<int>(kTimeout));
  bench.require_report(0, {0, 0, 0b0010, 0});
  bench.harness.source(2).push(bench.traffic[1].sent[2]);
  bench.steps(2 * static_cast<int>(kTimeout));
  bench.require_report(1, {0, 0, 0b0010, 0b0010});
  bench.abort(0, next);
  bench.abort(1, next);
  bench.steps(static_cast<int>(beats) + 100);  // the sources finish what they have begun, and it is dropped
  bench.packets.clear();
  bench.harness.sink(1).set_start(0);
  bench.steps(100);
  require(bench.packets.packets.size() == 1, fmt::format("{} packets in the place of 1", bench.packets.packets.size()));
  const SeenPacket closed = bench.packets.packets.front();
  bench.harness.sink(2).set_start(0);
  bench.steps(100);
  require(bench.packets.all_closed(), "a packet is not closed");
  const std::size_t stored = closed.bytes.size() / static_cast<std::size_t>(design.bytes());
  require(closed.ends_with_error && closed.ends_without_bytes && closed.descriptor == 0, "not a null beat with error");
  require(closed.beats == static_cast<int>(stored) + 1 && stored >= static_cast<std::size_t>(design.egress_depth),
          fmt::format("{} beats of {} stored ones", closed.beats, stored));
  const Bytes& golden = bench.traffic[0].reduced;
  require(std::equal(closed.bytes.begin(), closed.bytes.end(), golden.begin()), "what was stored is not the sum");
  bench.clear_errors();
  for (int round = 0; round < 2; ++round) {
    const RunResult result = bench.again(jobs, 0, next);
    check(result, "when the sink accepts again");
    require(result.jobs[0].cycles() <= beats + 20, fmt::format("{} cycles, {} beats", result.jobs[0].cycles(), beats));
    check(bench.again(jobs, 1, next), "another source to the same sink");
  }
}

/// Three aborts one right after the other: all are carried out, none is aborted again, disabled or put into the epoch
/// that it is in.
void aborts_together(Engine& engine, const Design& design) {
  AbortBench bench(engine, design);
  std::vector<Job> jobs;
  for (int i = 0; i < 3; ++i) {
    jobs.push_back(in_circuit(random_job(Kind::kAllReduce, {i, 3}, design, 30, static_cast<std::uint64_t>(i)), i));
  }
  bench.prepare(jobs);
  const int epoch = bench.epoch, next = (epoch + 1) % 16;
  require(!bench.control(0, AbortBench::abort_to(epoch)), "an abort to the same epoch is not refused");
  for (int i = 0; i < 3; ++i)
    require(bench.control(i, AbortBench::abort_to(next)), "an abort during another is refused");
  require(!bench.control(2, AbortBench::abort_to((next + 1) % 16)), "an abort during its own is not refused");
  bench.steps(100);
  for (int i = 0; i < 3; ++i) {
    require(bench.status(i) == StatusFields::kEnabled.mask(), "not at rest after the aborts");
    check(bench.again(jobs, i, next), fmt::format("descriptor {} after the aborts", i));
  }
  require(bench.control(0, AbortBench::abort_to(epoch)), "the next abort is refused");
  require(!bench.control(0, 0), "disabling during an abort is not refused");
  bench.steps(100);
  check(bench.again(jobs, 0, epoch), "after the refused disabling");
}

namespace {

/// Two descriptors whose routes meet, or may. Each sends packets of `beats` beats, the second one with gaps.
void overlap(Engine& engine, const Design& design, const std::pair<std::vector<int>, std::vector<int>>& colours,
             int second, std::size_t beats, std::uint64_t seed) {
  AbortBench bench(engine, design);
  const std::string what = fmt::format("colour {}, {} beats, seed {}", colours.second.front(), beats, seed);
  const std::vector<Job> jobs{random_job(Kind::kBroadcast, {0}, {3}, design, 60, seed),
                              random_job(Kind::kBroadcast, {second}, {2}, design, 61, seed + 1)};
  Setup setup = make_setup(design, bench.network, jobs, {1});
  setup.descriptors[0].route.colours = colours.first;
  setup.descriptors[1].route.colours = colours.second;
  setup.descriptors[0].compatible = {1};
  setup.descriptors[1].compatible = {0};
  bench.harness.configure(setup);
  bench.harness.source(second).set_stall(0.8, seed);
  std::vector<Traffic> traffic;
  const std::size_t packet_bytes = beats * static_cast<std::size_t>(design.bytes());
  for (int job = 0; job < 2; ++job) {
    traffic.push_back(make_traffic(jobs[static_cast<std::size_t>(job)], design, job, 1, packet_bytes, false));
    for (int port = 0; port < design.radix; ++port) {
      bench.harness.source(port).push(traffic.back().sent[static_cast<std::size_t>(port)]);
    }
  }
  bench.steps(200);
  require((bench.errors() & ErrorFields::kConflict.mask()) != 0, what + ": no conflict in ERROR");
  require(bench.packets.all_closed(), what + ": a packet is open");
  std::map<int, std::size_t> next;  // by descriptor
  std::map<int, int> spoiled;
  for (const SeenPacket& packet : bench.packets.packets) {
    require(packet.descriptor < 2, what + ": a packet of nobody");
    const std::vector<ExpectedPacket>& all = traffic[static_cast<std::size_t>(packet.descriptor)].sinks[0].packets;
    const std::size_t at = next[packet.descriptor]++;
    require(at < all.size(), what + ": a packet too many");
    spoiled[packet.descriptor] += packet.error ? 1 : 0;
    require(packet.error == packet.ends_with_error, what + ": a spoiled packet ends without the error bit");
    require(packet.error || (packet.bytes.size() == all[at].bytes &&
                             std::equal(packet.bytes.begin(), packet.bytes.end(), all[at].data)),
            what + ": a packet is wrong and does not say so");
  }
  for (int d = 0; d < 2; ++d) {
    require(spoiled[d] > 0, fmt::format("{}: descriptor {} has no spoiled packet", what, d));
    require(StatusFields::kSpoiled.of(bench.status(d)) != 0, fmt::format("{}: descriptor {} goes on", what, d));
    require(next[d] < 40 / beats + 12, fmt::format("{}: descriptor {} has gone on", what, d));
    bench.abort(d, 2);
  }
  bench.harness.source(second).set_stall(0, seed);
  bench.steps(200);
  bench.clear_errors();
  const RunResult result = bench.run(jobs);
  check(result, what + ": routed well");
  require(result.jobs[0].cycles() <= 80, fmt::format("{}: {} cycles", what, result.jobs[0].cycles()));
}

}  // namespace

/// Flows that meet: no packet is wrong without the error bit, those who met stand still, and no place is lost.
void overlapping_routes(Engine& engine, const Design& design) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const std::size_t beats : {std::size_t{1}, std::size_t{2}, std::size_t{16}}) {
      overlap(engine, design, {{0, 0}, {0, 0}}, 1, beats, seed);  // in R
      overlap(engine, design, {{0, 0}, {0, 1}}, 4, beats, seed);  // in D
      overlap(engine, design, {{1, 0}, {1, 0}}, 4, beats, seed);  // in RD
    }
  }
}

/// Without a check in the network a lost beat is missed where it should have come out.
void lost_beats(Engine& engine, const Design& design) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) overlap(engine, design, {{0, 0}, {0, 0}}, 1, 2, seed);
}

Design unchecked_switch() {
  Design design;
  design.vcs = 1;
  design.radix = 5;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.lanes = 1;
  design.descriptors = 4;
  design.conflict_check = false;
  design.validate();
  return design;
}

}  // namespace fred::test
