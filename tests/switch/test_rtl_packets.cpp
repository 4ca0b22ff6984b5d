// SPDX-License-Identifier: Apache-2.0
// Whole packets at the egress (--egress packet) in Verilator: beats of different circuits never alternate within a
// packet, a packet that fits into its buffer leaves without a gap, what longer ones do, and what it costs. Seeds are
// printed with a failure; FRED_SEED=n repeats it or tries others.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/switch/bench.hpp"
#include "tests/switch/fake_engine.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

constexpr int kSink = 2;  // the egress that two circuits share

Design packet_switch() {
  Design design;
  design.radix = 4;
  design.middle = 2;
  design.dtype = DType::kInt16;
  design.ops = {Op::kSum};
  design.lanes = 2;
  design.vcs = 2;
  design.descriptors = 4;
  design.egress = Egress::kPacket;
  design.egress_depth = 12;
  design.validate();
  return design;
}

/// The switch that says that it sends whole packets, and does not.
std::unique_ptr<Engine> broken_switch(const Design& design) {
  std::vector<SourceFile> files = design_sources(design);
  bool found = false;
  for (SourceFile& file : files) {
    if (file.path != "rtl/fred_switch.sv") continue;
    const std::string_view parameter = ".Packets";
    const auto at = file.text.find('1', file.text.find(parameter));
    found = file.text.find(parameter) != std::string::npos && at != std::string::npos;
    if (found) file.text[at] = '0';
  }
  REQUIRE(found);
  return open_model(build_model(files).shared_object.string(), 1);
}

Job unicast(int from, int to, int vc, const Design& design, std::size_t beats, std::uint64_t seed) {
  Job job = with_data(Job::on_flow(Kind::kBroadcast, {{from}, {to}}), design,
                      beats * static_cast<std::size_t>(design.bytes()), seed);
  job.vc = vc;
  return job;
}

Behaviour honouring(const Design& design, double in, double out, std::uint64_t seed) {
  Behaviour behaviour;
  behaviour.stall_in.assign(static_cast<std::size_t>(design.radix), in);
  behaviour.stall_out.assign(static_cast<std::size_t>(design.radix), out);
  behaviour.vc_stall = out;
  behaviour.honour_vc_ready = true;
  behaviour.seed = seed;
  return behaviour;
}

/// What a sink that always takes sees at kSink: cycles without a beat inside a packet, and packets that came between
/// others of the other circuit.
struct Watch {
  int gaps = 0, turns = 0;
  bool open = false;
  std::uint32_t vc = 0;
  void look(const OutPins& out) {
    const bool valid = get_bit(out.m_tvalid, kSink);
    if (!valid) {
      if (open) ++gaps;
      return;
    }
    const std::uint32_t now = get_field(out.m_tid, kSink, 1);
    if (!open && now != vc) ++turns;
    vc = now;
    open = !get_bit(out.m_tlast, kSink);
  }
};

bool names_interleaving(const RunResult& result) {
  return std::any_of(result.messages.begin(), result.messages.end(), [](const std::string& message) {
    return message.find("a beat of another VC within a packet") != std::string::npos;
  });
}

void check(const RunResult& result, const std::string& what) {
  INFO(what, "\n", text_of(result));
  REQUIRE(result.mismatches == 0);
}

}  // namespace

TEST_CASE("rtl packets: two circuits at one egress never alternate within a packet") {
  const std::uint64_t base = base_seed();
  const Design design = packet_switch();
  const auto engine = rtl_switch(design);
  for (std::uint64_t seed = base; seed < base + 20; ++seed) {
    Bench bench(*engine, design);
    // Packets of one beat, of some, of as many as the buffer holds, and longer ones.
    for (const std::size_t packet : {1UL, 3UL, 12UL, 13UL, 40UL}) {
      bench.harness.set_behaviour(honouring(design, 0.3, 0.3, seed));
      check(bench.run({unicast(0, kSink, 0, design, 240, seed), unicast(1, kSink, 1, design, 240, seed + 1)}, false,
                      packet),
            fmt::format("FRED_SEED={} packets of {} beats", seed, packet));
    }
  }
}

TEST_CASE("rtl packets: one that fits into its buffer leaves without a gap, however its source stalls") {
  const Design design = packet_switch();
  const auto engine = rtl_switch(design);
  for (const bool stalled : {false, true}) {
    for (const std::size_t packet : {2UL, 5UL, 12UL, 24UL}) {
      Bench bench(*engine, design);
      bench.harness.set_behaviour(honouring(design, stalled ? 0.5 : 0.0, 0, 7));
      Watch watch;
      bench.harness.set_hook([&watch](const InPins&, const OutPins& out) { watch.look(out); });
      const RunResult result =
          bench.run({unicast(0, kSink, 0, design, 240, 1), unicast(1, kSink, 1, design, 240, 2)}, false, packet);
      check(result, "two circuits");
      INFO("packets of ", packet, " beats, stalled ", stalled, ": ", watch.turns, " turns, ", watch.gaps, " gaps");
      CHECK(watch.turns > (stalled ? 4 : 0));
      if (packet <= 12) CHECK(watch.gaps == 0);
      // A longer one is begun when the buffer is full, and then waits for its source.
      if (packet > 12 && stalled) CHECK(watch.gaps > 0);
    }
  }
}

TEST_CASE("rtl packets: the checker finds a switch that does not keep packets whole, and the fake that does not") {
  const Design design = packet_switch();
  const auto engine = broken_switch(design);
  Bench bench(*engine, design);
  const std::vector<Job> jobs{unicast(0, kSink, 0, design, 240, 1), unicast(1, kSink, 1, design, 240, 2)};
  for (const std::size_t packet : {3UL, 12UL, 40UL}) {
    bench.harness.set_behaviour(honouring(design, 0.3, 0.3, 1));
    const RunResult result = bench.run(jobs, false, packet);
    INFO("packets of ", packet, " beats\n", text_of(result));
    CHECK(result.hang.empty());
    CHECK(names_interleaving(result));
  }
  bench.harness.set_behaviour(honouring(design, 0.3, 0.3, 1));
  check(bench.run(jobs, false, 1), "packets of one beat are whole");

  FakeEngine fake(design);
  Bench on_fake(fake, design);
  on_fake.harness.set_behaviour(honouring(design, 0.3, 0.3, 1));
  CHECK(names_interleaving(on_fake.run(jobs, false, 4)));
  Design beats = design;
  beats.egress = Egress::kBeat;
  FakeEngine by_beat(beats);
  Bench allowed(by_beat, beats);
  allowed.harness.set_behaviour(honouring(beats, 0.3, 0.3, 1));
  check(allowed.run(jobs, false, 4), "by beat circuits may alternate");
}

TEST_CASE("rtl packets: every kind, stalled") {
  const std::uint64_t seed = base_seed();
  const Design design = packet_switch();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  for (const Kind kind : kAllKinds) {
    for (const std::size_t packet : {1UL, 6UL}) {
      bench.harness.set_behaviour(honouring(design, 0.3, 0.3, seed));
      Job first = with_data(Job::on_group(kind, {0, 3, 1}), design, 120, seed);
      Job second =
          with_data(Job::on_group(kind == Kind::kAllToAll ? Kind::kSend : kind, {2, 1, 3}), design, 200, seed + 1);
      second.vc = 1;
      check(bench.run({first, second}, false, packet), fmt::format("FRED_SEED={} {}", seed, to_string(kind)));
    }
  }
}

TEST_CASE("rtl packets: what it costs") {
  const Design design = packet_switch();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  bench.harness.set_behaviour(honouring(design, 0, 0, 1));
  const auto zero_load = static_cast<std::uint64_t>(design.first_beat_latency());
  CHECK(design.first_beat_latency() == design.network_latency() + 5);
  // The first beat leaves when the last has come.
  for (const std::size_t packet : {1UL, 2UL, 7UL, 12UL}) {
    const RunResult result = bench.run({unicast(0, kSink, 0, design, packet, 1)}, false, packet);
    check(result, "alone");
    CHECK(result.jobs[0].first_beat_latency() == zero_load + packet - 1);
  }
  // Full rate needs F + n - 2 places; with less it is that part of the rate.
  for (const std::size_t packet : {1UL, 6UL, 7UL, 12UL}) {
    const RunResult result = bench.run({unicast(0, kSink, 0, design, 4096, 1)}, false, packet);
    check(result, "alone");
    const double rate = summarise({&result.jobs[0]}).efficiency;
    INFO("packets of ", packet, " beats: rate ", rate);
    if (packet <= 6) CHECK(rate >= 0.99);
    if (packet > 6) CHECK(rate < 0.95);
    CHECK(rate >= 0.65);
  }
}

TEST_CASE("rtl packets: longer ones than the buffer couple circuits, and hang where two ports choose differently") {
  const Design design = packet_switch();
  const auto engine = rtl_switch(design);
  for (const std::size_t packet : {12UL, 40UL}) {
    Bench bench(*engine, design);
    bench.harness.set_idle_limit(1000);
    Behaviour behaviour = honouring(design, 0, 0, 1);
    behaviour.at_vc[{2, 1}].held_to = 200;  // port 2 takes circuit 0 first, port 3 circuit 1
    behaviour.at_vc[{3, 0}].held_to = 200;
    bench.harness.set_behaviour(behaviour);
    std::vector<Job> jobs;
    for (int vc = 0; vc < 2; ++vc) {
      jobs.push_back(with_data(Job::on_flow(Kind::kBroadcast, {{vc}, {2, 3}}), design,
                               120 * static_cast<std::size_t>(design.bytes()), 1));
      jobs.back().vc = vc;
    }
    const RunResult result = bench.run(jobs, false, packet);
    INFO("packets of ", packet, " beats\n", text_of(result));
    if (packet <= static_cast<std::size_t>(design.egress_depth)) CHECK(result.mismatches == 0);
    if (packet > static_cast<std::size_t>(design.egress_depth)) CHECK_FALSE(result.hang.empty());
  }
}

TEST_CASE("rtl packets: one that an abort cuts short leaves what was stored of it, then its closing beat") {
  const Design design = packet_switch();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  bench.harness.set_behaviour(honouring(design, 0.8, 0, 3));
  bench.prepare({unicast(0, kSink, 0, design, 10, 1)}, false, 10);
  std::size_t sent = 0, came = 0, closing = 0;
  bench.harness.set_hook([&](const InPins& in, const OutPins& out) {
    if (get_bit(in.s_tvalid, 0) && get_bit(out.s_tready, 0)) ++sent;
    if (!get_bit(out.m_tvalid, kSink)) return;
    const bool last = get_bit(out.m_tlast, kSink);
    const auto bits = static_cast<std::size_t>(design.m_user_bits());
    const bool error = get_bit(out.m_tuser, kSink * bits + 5);
    const bool empty = get_prefix(out.m_tkeep, kSink * static_cast<std::size_t>(design.bytes()), design.bytes()) == 0;
    CHECK(last == error);
    CHECK(last == empty);
    (last ? closing : came) += 1;
  });
  bench.harness.source(0).push(bench.traffic[0].sent[0]);
  while (sent < 5) bench.harness.step();
  CHECK(came == 0);  // not whole yet
  const std::uint32_t control = ControlFields::kEnable.place(1) | ControlFields::kAbort.place(1) |
                                ControlFields::kEpoch.place(static_cast<std::uint32_t>(bench.epoch) + 1);
  CHECK(bench.harness.write(bench.harness.registers().descriptor(0, RegisterMap::kControl), control).okay());
  for (int i = 0; i < 200; ++i) bench.harness.step();
  CHECK(came >= 3);
  CHECK(closing == 1);
  CHECK(bench.harness.checker().violations() == 0);
}
