// SPDX-License-Identifier: Apache-2.0
// Virtual circuits (VCs) in the testbench, on a switch without RTL: what sources and sinks do at the pins, that VCs are
// independent where both sides keep to vc_ready, and that each rule that a switch could break is looked at.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "fred/error.hpp"
#include "tb/pins.hpp"
#include "tb/replay.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/fake_engine.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

Design design_of(int vcs) {
  Design design;
  design.radix = 6;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.lanes = 2;
  design.vcs = vcs;
  design.validate();
  return design;
}

Job job_on(int vc, Kind kind, const Group& group, std::size_t bytes, std::uint64_t start = 0) {
  Job job = with_data(Job::on_group(kind, group), design_of(8), bytes, 7 + static_cast<std::uint64_t>(vc));
  job.vc = vc;
  job.start = start;
  return job;
}

Behaviour honouring(double stall = 0, std::uint64_t seed = 1) {
  Behaviour behaviour;
  behaviour.stall_in.assign(6, stall);
  behaviour.stall_out.assign(6, stall);
  behaviour.vc_stall = stall;
  behaviour.honour_vc_ready = true;
  behaviour.seed = seed;
  return behaviour;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A source alone, at port 2, with beats of 8 bytes; every beat is accepted unless a test says otherwise.
struct SourceBench {
  explicit SourceBench(int vcs) : design(design_of(vcs)), source(design, 2), in(design), out(design) {
    set_bit(out.s_tready, 2, true);
    ready(~0U);
    (void)source.sample(out);
  }
  void ready(std::uint32_t vcs) {
    set_field(out.s_vc_ready, 2 * static_cast<std::size_t>(design.vcs), design.vcs, vcs);
  }
  void push(int vc, std::size_t beats, std::uint64_t from = 0) {
    source.push({data.data(), 8 * beats, vc, 0, 0, true, vc}, from);
  }
  /// One cycle; the tid at the pins as a letter, '-' without tvalid.
  char cycle() {
    source.drive(in, now++);
    const bool valid = get_bit(in.s_tvalid, 2);
    const auto bits = design.vc_bits();
    const std::uint32_t vc = get_field(in.s_tid, 2 * static_cast<std::size_t>(bits), bits);
    (void)source.sample(out);
    return valid ? static_cast<char>('0' + vc) : '-';
  }
  std::string cycles(int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += cycle();
    return text;
  }

  Design design;
  AxisSource source;
  InPins in;
  OutPins out;
  Bytes data = Bytes(800, std::byte{1});
  std::uint64_t now = 0;
};

}  // namespace

TEST_CASE("vc: pins are as wide as the number of VCs asks") {
  for (const auto& [vcs, bits] : {std::pair{1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}}) {
    const Design design = design_of(vcs);
    CHECK(InPins(design).s_tid.size() == pin_words(static_cast<std::size_t>(6 * bits)));
    CHECK(OutPins(design).m_tid.size() == pin_words(static_cast<std::size_t>(6 * bits)));
    CHECK(InPins(design).m_vc_ready.size() == pin_words(static_cast<std::size_t>(6 * vcs)));
    CHECK(OutPins(design).s_vc_ready.size() == pin_words(static_cast<std::size_t>(6 * vcs)));
  }
}

TEST_CASE("vc: which beat a source offers") {
  SourceBench b(4);
  SUBCASE("a packet that is begun is finished, then the first VC goes") {
    b.push(3, 3);
    CHECK(b.cycle() == '3');
    b.push(1, 2);
    b.push(0, 1);
    CHECK(b.cycles(6) == "33011-");
    CHECK(b.source.idle());
  }
  SUBCASE("interleaved: the first VC goes at the next beat") {
    b.source.set_interleave(true);
    b.push(3, 3);
    CHECK(b.cycle() == '3');
    b.push(1, 2);
    b.push(0, 1);
    CHECK(b.cycles(6) == "01133-");
  }
  SUBCASE("another order") {
    b.source.set_order({2, 3, 0, 1});
    for (int vc = 0; vc < 4; ++vc) b.push(vc, 1);
    CHECK(b.cycles(5) == "2301-");
    b.source.set_order({});
    for (int vc = 0; vc < 4; ++vc) b.push(vc, 1);
    CHECK(b.cycles(5) == "0123-");
  }
  SUBCASE("random: every VC is sometimes first, and the seed decides") {
    b.source.set_interleave(true);
    b.source.set_choice(VcChoice::kRandom);
    std::string first;
    for (const std::uint64_t seed : {5, 5, 6}) {
      b.source.clear();
      b.source.set_stall(0, seed);
      for (int vc = 0; vc < 4; ++vc) b.push(vc, 20);
      const std::string sent = b.cycles(80);
      CAPTURE(sent);
      for (const char vc : {'0', '1', '2', '3'}) {
        CHECK(std::count(sent.begin(), sent.end(), vc) == 20);
        CHECK(std::count(sent.begin(), sent.begin() + 40, vc) > 0);
      }
      if (first.empty()) first = sent;
      CHECK((sent == first) == (seed == 5));
    }
  }
  SUBCASE("only on the VC's bit of vc_ready, where it is honoured") {
    b.push(1, 2);
    b.push(3, 2);
    b.ready(0b1000);
    CHECK(b.cycle() == '1');  // the bits of the cycle before were set
    CHECK(b.cycle() == '1');  // not honoured
    b.source.set_honour_vc_ready(true);
    b.source.set_interleave(true);
    b.push(1, 1);
    CHECK(b.cycles(2) == "33");
    CHECK(b.cycle() == '-');
    b.ready(0b0010);
    CHECK(b.cycles(2) == "-1");
  }
  SUBCASE("what is offered stays, whatever comes") {
    b.source.set_interleave(true);
    b.push(3, 1);
    set_bit(b.out.s_tready, 2, false);
    CHECK(b.cycle() == '3');
    CHECK(b.source.offered_vc() == 3);
    b.push(0, 1);
    b.ready(0b0001);
    CHECK(b.cycles(3) == "333");
    set_bit(b.out.s_tready, 2, true);
    CHECK(b.cycles(3) == "30-");
    CHECK(b.source.offered_vc() == -1);
  }
  SUBCASE("starts and stalls of a VC") {
    b.source.set_interleave(true);
    b.source.set_vc_start(0, 2);
    b.push(0, 1);
    b.push(1, 3);
    b.push(2, 1, 5);  // a packet with a first cycle
    CHECK(b.cycles(7) == "1101-2-");
    b.source.set_vc_stall(1, 0.9);
    b.push(1, 20);
    b.push(2, 20);
    const std::string sent = b.cycles(25);
    CHECK(std::count(sent.begin(), sent.end(), '1') < 10);
    CHECK(std::count(sent.begin(), sent.end(), '2') == 20);
  }
}

TEST_CASE("vc: a sink holds single VCs off") {
  const Design design = design_of(3);
  AxisSink sink(design, 4);
  InPins in(design);
  sink.hold(1, 2, 5);
  sink.hold(2, 4, kForEver);
  std::string seen;
  for (std::uint64_t cycle = 0; cycle < 7; ++cycle) {
    sink.drive(in, cycle);
    seen += fmt::format("{:03b} ", get_field(in.m_vc_ready, 12, 3));
  }
  CHECK(seen == "111 111 101 101 001 011 011 ");
  sink.hold(2, 0, 0);
  sink.hold(1, 0, 0);
  sink.set_vc_stall(0, 0.5);
  int low = 0;
  for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
    sink.drive(in, cycle);
    CHECK(get_field(in.m_vc_ready, 13, 2) == 3);
    low += get_bit(in.m_vc_ready, 12) ? 0 : 1;
  }
  CHECK(low > 400);
  CHECK(low < 600);
}

TEST_CASE("vc: every kind on all VCs at once, with stalls") {
  const std::uint64_t seed = base_seed();
  for (const int vcs : {2, 3, 4, 8}) {
    const Design design = design_of(vcs);
    FakeEngine engine(design);
    Bench bench(engine, design);
    for (const double stall : {0.0, 0.3}) {
      for (const bool honour : {true, false}) {
        Behaviour behaviour = honouring(stall, seed);
        behaviour.honour_vc_ready = honour;
        if (stall > 0 && honour) behaviour.vc_choice = VcChoice::kRandom;
        bench.harness.set_behaviour(behaviour);
        for (const Kind kind : kAllKinds) {
          std::vector<Job> jobs;
          jobs.push_back(job_on(0, kind, {0, 1, 2, 3, 4, 5}, 200));
          jobs.push_back(job_on(vcs - 1, kind == Kind::kAllToAll ? Kind::kAllGather : kind, {4, 1, 0}, 96));
          jobs.push_back(job_on(1, Kind::kAllReduce, {3, 2, 5}, 96, 20));
          jobs.push_back(job_on(vcs - 1, Kind::kBarrier, {3, 2}, 0, 10));
          const RunResult result = bench.run(jobs);
          INFO("FRED_SEED=", seed, " ", to_string(kind), " VCs ", vcs, " stall ", stall, " honour ", honour, "\n",
               text_of(result));
          REQUIRE(result.mismatches == 0);
        }
      }
    }
  }
}

TEST_CASE("vc: a job that starts in the middle of a stream of a later VC waits for nothing") {
  const Design design = design_of(4);
  FakeEngine engine(design);
  Bench bench(engine, design);
  bench.harness.set_behaviour(honouring());
  const Group all{0, 1, 2, 3, 4, 5};
  const auto latency = static_cast<std::uint64_t>(design.first_beat_latency());
  const RunResult result =
      bench.run({job_on(3, Kind::kAllReduce, all, 8000), job_on(1, Kind::kAllReduce, all, 80, 300)});
  INFO(text_of(result));
  CHECK(result.mismatches == 0);
  const JobResult& dp = result.jobs[0];
  const JobResult& mp = result.jobs[1];
  CHECK(mp.start == dp.start + 300);
  CHECK(mp.first_in == mp.start);
  CHECK(mp.first_beat_latency() == latency);
  CHECK(mp.cycles() == latency + 10);
  CHECK(mp.last_out < dp.last_out);
  CHECK(dp.cycles() == latency + 1000 + 10);  // it loses the other's cycles and no more
  // In one VC a job waits for those before it.
  const RunResult same = bench.run({job_on(1, Kind::kAllReduce, all, 8000), job_on(1, Kind::kAllReduce, all, 80, 300)});
  CHECK(same.mismatches == 0);
  CHECK(same.jobs[1].first_in == same.jobs[1].start + 700);
}

TEST_CASE("vc: a VC that is held off at a sink") {
  const Design design = design_of(4);
  FakeEngine engine(design);
  Bench bench(engine, design);
  bench.harness.set_idle_limit(200);
  const Group all{0, 1, 2, 3, 4, 5};
  const std::vector<Job> jobs{job_on(2, Kind::kAllReduce, all, 2000), job_on(1, Kind::kAllGather, all, 400, 100)};
  Behaviour behaviour = honouring();
  behaviour.at_vc[{4, 2}].held_from = 50;
  SUBCASE("for a while") {
    behaviour.at_vc[{4, 2}].held_to = 2000;
    bench.harness.set_behaviour(behaviour);
    const RunResult result = bench.run(jobs);
    INFO(text_of(result));
    CHECK(result.mismatches == 0);
    CHECK(result.jobs[0].last_out >= result.jobs[0].start + 2000);
    CHECK(result.jobs[1].first_beat_latency() == static_cast<std::uint64_t>(design.first_beat_latency()));
    CHECK(result.jobs[1].last_out < result.jobs[0].start + 600);
    CHECK(bench.run({jobs[1]}).jobs[0].cycles() == result.jobs[1].cycles());  // as if it were alone
  }
  SUBCASE("for ever: the other VC ends, the message names the sink") {
    behaviour.at_vc[{4, 2}].held_to = kForEver;
    bench.harness.set_behaviour(behaviour);
    const RunResult result = bench.run(jobs);
    INFO(text_of(result));
    CHECK(result.jobs[1].mismatches == 0);
    CHECK(has(result.hang, "descriptor 0 (allreduce 0,1,2,3,4,5>0,1,2,3,4,5, VC 2)"));
    CHECK(has(result.hang, "port 4 VC 2: its sink holds m_axis_vc_ready low\n"));
    CHECK(has(result.hang, "port 4 VC 2: no space at the output, inside a packet\n"));
    CHECK_FALSE(has(result.hang, "descriptor 1 ("));
    CHECK_FALSE(has(result.hang, "VC 1"));
  }
  SUBCASE("and sources that do not honour vc_ready: the other VC hangs with it") {
    behaviour.at_vc[{4, 2}].held_to = kForEver;
    behaviour.honour_vc_ready = false;
    bench.harness.set_behaviour(behaviour);
    const RunResult result = bench.run(jobs);
    INFO(text_of(result));
    CHECK(result.jobs[1].mismatches > 0);
    CHECK(has(result.hang, "descriptor 1 (allgather 0,1,2,3,4,5>0,1,2,3,4,5, VC 1)"));
    CHECK(
        has(result.hang, "port 0 (its source has not sent it yet; a beat of VC 2, which it offers, is not accepted)"));
  }
}

TEST_CASE("vc: what a behaviour says of one VC of one port") {
  const Design design = design_of(4);
  FakeEngine engine(design);
  Bench bench(engine, design);
  bench.harness.set_idle_limit(20);
  const std::vector<Job> jobs{job_on(1, Kind::kSend, {2}, 1600), job_on(3, Kind::kSend, {2}, 1600)};
  const auto run_with = [&](const std::function<void(Behaviour&)>& change) {
    Behaviour behaviour = honouring();
    change(behaviour);
    bench.harness.set_behaviour(behaviour);
    const RunResult result = bench.run(jobs);
    INFO(text_of(result));
    CHECK(result.mismatches == 0);
    return result.jobs;
  };
  const auto latency = static_cast<std::uint64_t>(design.first_beat_latency());
  const auto plain = run_with([](Behaviour&) {});
  CHECK(plain[0].cycles() == 200 + latency);
  CHECK(plain[1].first_in == plain[1].start + 200);  // after VC 1
  const auto late = run_with([](Behaviour& b) { b.at_vc[{2, 1}].start_in = 500; });
  CHECK(late[0].first_in == late[0].start + 500);
  CHECK(late[1].first_in == late[1].start);
  const auto gaps = run_with([](Behaviour& b) { b.at_vc[{2, 1}].stall_in = 0.8; });
  CHECK(gaps[0].cycles() > 700);
  CHECK(gaps[1].cycles() < 350);
  const auto slow = run_with([](Behaviour& b) { b.at_vc[{2, 3}].vc_stall = 0.8; });
  CHECK(slow[0].cycles() == 200 + latency);
  CHECK(slow[1].cycles() > 700);
  const auto elsewhere = run_with([](Behaviour& b) { b.at_vc[{1, 1}] = {0.8, 0.8, 500, 0, kForEver}; });
  CHECK(elsewhere[0].cycles() == 200 + latency);
  const auto other = run_with([](Behaviour& b) { b.vc_order = {3, 2, 1, 0}; });
  CHECK(other[1].first_in == other[1].start);
  CHECK(other[0].first_in == other[0].start + 200);
  const auto random = run_with([](Behaviour& b) { b.vc_choice = VcChoice::kRandom; });
  CHECK(random[0].first_in < random[0].start + 100);
  CHECK(random[1].first_in < random[1].start + 100);
  const auto whole = run_with([](Behaviour& b) { b.vc_choice = VcChoice::kRandom, b.interleave = false; });
  CHECK(whole[0].cycles() > 0);
  // A run in which nothing starts for longer than the idle limit is none that hangs.
  std::vector<Job> later = jobs;
  later[0].start = later[1].start = 900;
  const RunResult result = bench.run(later);
  INFO(text_of(result));
  CHECK(result.mismatches == 0);
  CHECK(result.jobs[0].first_in >= result.jobs[0].start);
}

TEST_CASE("vc: orders that contradict each other hang in one VC, and in several only without vc_ready") {
  const Design design = design_of(3);
  FakeEngine engine(design);
  for (const bool honour : {true, false}) {
    Bench bench(engine, design);
    bench.harness.set_idle_limit(200);
    Behaviour behaviour;
    behaviour.honour_vc_ready = honour;
    bench.harness.set_behaviour(behaviour);
    bench.harness.source(0).set_order({0, 1, 2});
    bench.harness.source(1).set_order({1, 0, 2});
    bench.harness.source(2).set_order({2, 1, 0});
    const RunResult result =
        bench.run({job_on(0, Kind::kAllReduce, {0, 1}, 160), job_on(1, Kind::kAllReduce, {1, 2}, 160),
                   job_on(2, Kind::kAllReduce, {2, 0}, 160)});
    INFO("honour ", honour, "\n", text_of(result));
    CHECK((result.mismatches == 0) == honour);
    CHECK(has(result.hang,
              "cycle: descriptor 0 waits for port 1, where descriptor 1 is first in VC 1 and in the way; descriptor 1 "
              "waits for port 2, where descriptor 2 is first in VC 2 and in the way; descriptor 2 waits for port 0, "
              "where descriptor 0 is first in VC 0 and in the way") == !honour);
  }
}

TEST_CASE("vc: a tid that is not the descriptor's VC") {
  const Design design = design_of(4);
  FakeEngine engine(design);
  Bench bench(engine, design);
  bench.harness.set_idle_limit(200);
  bench.prepare({job_on(1, Kind::kAllReduce, {0, 3}, 64)});
  for (SourcePacket& packet : bench.traffic[0].sent[3]) packet.vc = 2;
  const RunResult result = bench.run_prepared();
  INFO(text_of(result));
  CHECK(has(result.hang, "port 3 VC 2: the first beat, of descriptor 0, is held by an error\n"));
  CHECK(has(text_of(result), "ERROR register 0x40: vc"));
}

TEST_CASE("vc: a VC that the switch does not have") {
  for (const int vcs : {1, 3}) {
    const Design design = design_of(vcs);
    for (const int vc : {-1, vcs}) {
      CHECK_THROWS_WITH_AS(
          validate(job_on(vc, Kind::kAllReduce, {0, 1}, 64), design, 64),
          fmt::format("VC {}: allreduce on a switch of {} allows 0..{}", vc, vcs == 1 ? "one VC" : "3 VCs", vcs - 1)
              .c_str(),
          InputError);
    }
  }
}

TEST_CASE("vc: a behaviour of what is not there") {
  const Design design = design_of(4);
  FakeEngine engine(design);
  Harness harness(engine, design);
  const auto refused = [&](const std::function<void(Behaviour&)>& change, const char* words) {
    Behaviour behaviour;
    change(behaviour);
    CHECK_THROWS_WITH_AS(harness.set_behaviour(behaviour), words, InputError);
  };
  const char* const places = "behaviour of port 5 VC 4: allowed are ports 0..5 and VCs 0..3";
  refused([](Behaviour& b) { b.at_vc[{5, 4}].stall_in = 0.5; }, places);
  refused(
      [](Behaviour& b) {
        b.at_vc[{6, 0}].stall_in = 0.5;
      },
      "behaviour of port 6 VC 0: allowed are ports 0..5 and VCs 0..3");
  refused([](Behaviour& b) { b.vc_order = {0, 1, 2}; }, "order of VCs 0,1,2: each of 0..3 must stand in it once");
  refused([](Behaviour& b) { b.vc_order = {0, 1, 2, 2}; }, "order of VCs 0,1,2,2: each of 0..3 must stand in it once");
}

TEST_CASE("vc: vectors and their bench have the widths of the pins") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("fred-vc-{}", getpid());
  ReplayWriter writer(folder, design_of(3));
  const std::string bench = [&] {
    std::ifstream file(folder / "replay.sv");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  std::filesystem::remove_all(folder);
  for (const char* const part :
       {"--vcs 3 ", "logic [11:0] s_axis_tid;", "logic [17:0] m_axis_vc_ready;",
        "logic [17:0] s_axis_vc_ready, want_s_axis_vc_ready;", "logic [11:0] m_axis_tid, want_m_axis_tid;",
        "m_axis_tid[p*2 +: 2] !== want_m_axis_tid[p*2 +: 2]"}) {
    CAPTURE(part);
    CHECK(has(bench, part));
  }
}

TEST_CASE("vc: each fault of a bad switch is found") {
  const std::uint64_t seed = base_seed();
  const std::vector<std::pair<Fault, const char*>> faults{
      {Fault::kWrongVc, "tid: expected VC"},
      {Fault::kChangeVc, "payload changed"},
      {Fault::kIgnoreVcReady, "offered after a cycle without vc_ready"},
      {Fault::kBreakPromise, "vc_ready was set, but the beat is not accepted"},
      {Fault::kSplitPacket, "inside another packet"},
      {Fault::kCoupleVcs, "nothing has moved"}};
  for (const auto& entry : faults) {
    const Fault fault = entry.first;
    const char* const words = entry.second;
    const Design design = design_of(4);
    FakeEngine engine(design, fault, 4);
    Bench bench(engine, design);
    bench.harness.set_idle_limit(300);
    Behaviour behaviour = honouring(0.3, seed);
    // An all-reduce of VC 2 goes to a sink that does not take VC 2, until those of VC 1 are long over.
    behaviour.at_vc[{0, 2}].held_to = fault == Fault::kCoupleVcs ? kForEver : 2000;
    bench.harness.set_behaviour(behaviour);
    // Two sends of one VC to one port can be inside each other.
    const std::vector<Job> jobs{job_on(2, Kind::kAllReduce, {0, 1, 2, 3}, 400),
                                job_on(1, Kind::kAllReduce, {0, 1, 2, 3}, 96, 200), job_on(3, Kind::kSend, {4, 5}, 400),
                                job_on(3, Kind::kBroadcast, {3, 4, 5}, 400)};
    const RunResult result = bench.run(jobs);
    INFO("FRED_SEED=", seed, " fault ", static_cast<int>(fault), "\n", text_of(result));
    CHECK(engine.faulted());
    CHECK(result.mismatches > 0);
    CHECK(has(text_of(result), words));
    // With VCs coupled the job of VC 1 is not delivered; else the one held off stops nobody.
    CHECK((result.jobs[1].last_out == 0) == (fault == Fault::kCoupleVcs));
  }
}

TEST_CASE("vc: the checker's rules, one by one") {
  const Design design = design_of(3);
  ProtocolChecker checker(design);
  InPins in(design);
  OutPins out(design);
  std::uint64_t now = 0;
  const auto words_of_ones = [](Pins& pins) { pins.assign(pins.size(), ~0U); };
  words_of_ones(in.m_tready);
  words_of_ones(in.m_vc_ready);
  words_of_ones(out.s_tready);
  const auto cycle = [&] { checker.check(in, out, now++); };
  in.rst_n = false;
  cycle();
  in.rst_n = true;
  cycle();
  // A beat of port 1 on the way in or out, full; then a cycle without one.
  const auto beat = [&](bool inward, std::uint32_t vc, int descriptor, bool last) {
    set_prefix(inward ? in.s_tkeep : out.m_tkeep, 8, 8, 8);
    set_field(inward ? in.s_tid : out.m_tid, 2, 2, vc);
    set_field(inward ? in.s_tdest : out.m_tdest, static_cast<std::size_t>(design.descriptor_bits()),
              design.descriptor_bits(), static_cast<std::uint32_t>(descriptor));
    set_bit(inward ? in.s_tlast : out.m_tlast, 1, last);
    set_bit(inward ? in.s_tvalid : out.m_tvalid, 1, true);
    cycle();
    set_bit(inward ? in.s_tvalid : out.m_tvalid, 1, false);
  };
  const auto says = [&](const std::string& words) {
    std::string said;
    for (const std::string& message : checker.messages()) said += message + "\n";
    INFO(said);
    const bool found =
        checker.violations() == (words.empty() ? 0 : 1) && (words.empty() || has(checker.messages().front(), words));
    checker.clear();
    CHECK(found);
  };
  for (const bool inward : {true, false}) {
    CAPTURE(inward);
    beat(inward, 0, 3, false);
    beat(inward, 2, 4, false);  // of another VC, inside the first
    beat(inward, 0, 3, true);
    beat(inward, 2, 4, true);
    says("");
    beat(inward, 1, 3, false);
    beat(inward, 1, 4, false);  // of the same VC
    says("tdest, epoch, destination or step changed within a packet");
    beat(inward, 1, 4, true);
    says("");
    beat(inward, 3, 0, true);
    says("tid is no virtual circuit of the switch");
  }
  // m_axis_vc_ready of the beat's VC counts, not of another.
  cycle();
  set_field(in.m_vc_ready, 3, 3, 0b101);
  beat(false, 1, 0, true);  // the cycle before had all bits set
  says("");
  beat(false, 2, 0, true);
  says("");
  beat(false, 1, 0, true);
  says("a beat is offered after a cycle without vc_ready");
  // s_axis_vc_ready promises for its VC alone. Until now nothing was promised; a cycle with all bits ends that.
  set_field(out.s_vc_ready, 3, 3, 0b111);
  cycle();
  set_field(out.s_vc_ready, 3, 3, 0b010);
  cycle();
  set_bit(out.s_tready, 1, false);
  beat(true, 1, 0, true);
  says("vc_ready was set, but the beat is not accepted at once");
  set_bit(in.s_tvalid, 1, true);
  set_bit(out.s_tready, 1, true);
  cycle();
  set_bit(in.s_tvalid, 1, false);
  cycle();
  set_bit(out.s_tready, 1, false);
  beat(true, 0, 0, true);
  says("");  // nothing was promised
  set_bit(in.s_tvalid, 1, true);
  set_bit(out.s_tready, 1, true);
  cycle();
  // Such a source may have filled VC 0, which stops VC 1 too, until there is room in all.
  set_bit(in.s_tvalid, 1, false);
  cycle();
  set_bit(out.s_tready, 1, false);
  beat(true, 1, 0, true);
  says("");
  set_bit(in.s_tvalid, 1, true);
  set_bit(out.s_tready, 1, true);
  cycle();
  set_bit(in.s_tvalid, 1, false);
  set_field(out.s_vc_ready, 3, 3, 0b111);
  cycle();
  set_bit(out.s_tready, 1, false);
  beat(true, 1, 0, true);
  says("vc_ready was set, but the beat is not accepted at once");
}
