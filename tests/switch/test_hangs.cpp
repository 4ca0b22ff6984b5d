// SPDX-License-Identifier: Apache-2.0
// Why nothing moves, in words: ranks that send too little, operands that disagree, beats that are held, and silence
// that is no hang. On the RTL and on the fake switch.
#include <doctest/doctest.h>

#include <functional>
#include <memory>

#include "tb/diagnosis.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/fake_engine.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

Design small() {
  Design design;
  design.vcs = 1;
  design.radix = 6;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.lanes = 2;
  design.validate();
  return design;
}

/// Runs the jobs, spoiled, on the RTL or on the fake and checks that the hang's text has all of `parts`.
void hangs(const std::vector<Job>& jobs, const std::function<void(std::vector<Traffic>&)>& spoil,
           const std::vector<std::string>& parts, const std::vector<std::string>& absent = {}) {
  const Design design = small();
  for (const bool rtl : {true, false}) {
    const std::unique_ptr<Engine> engine = rtl ? rtl_switch(design) : std::make_unique<FakeEngine>(design);
    Bench bench(*engine, design);
    bench.harness.set_idle_limit(200);
    bench.prepare(jobs);
    spoil(bench.traffic);
    const RunResult result = bench.run_prepared();
    INFO(std::string(rtl ? "rtl" : "fake"), ": ", text_of(result));
    CHECK(result.mismatches > 0);
    for (const std::string& part : parts) {
      CAPTURE(part);
      CHECK(result.hang.find(part) != std::string::npos);
    }
    for (const std::string& part : absent) {
      CAPTURE(part);
      CHECK(result.hang.find(part) == std::string::npos);
    }
  }
}

Job job_of(Kind kind, const Group& group, std::size_t bytes = 64) {
  return with_data(Job::on_group(kind, group), small(), bytes, 1);
}

}  // namespace

TEST_CASE("hang: a halted descriptor says that it is halted, and over what") {
  const std::string halted =
      "halted: its operands disagree in tlast, step_end or byte count, or cut an element (ERROR bit 1, mismatch)";
  // 64 bytes are two packets of four beats.
  hangs({job_of(Kind::kAllReduce, {0, 1, 4})}, [](auto& traffic) { traffic[0].sent[1][1].bytes -= 8; },
        {"descriptor 0 (allreduce 0,1,4>0,1,4) " + halted,
         "beat 6: ports 0,4 have 8 bytes; port 1 has 8 bytes, tlast, step_end\n"},
        {"waits for space"});
  hangs({job_of(Kind::kReduce, {3, 5})}, [](auto& traffic) { traffic[0].sent[3][0].bytes -= 4; },
        {halted, "beat 3: port 3 has 4 bytes, tlast; port 5 has 8 bytes, tlast\n"});
  hangs({job_of(Kind::kReduceScatter, {2, 5})}, [](auto& traffic) { traffic[0].sent[5][0].step_end = false; },
        {halted, "beat 3: port 2 has 8 bytes, tlast, step_end; port 5 has 8 bytes, tlast\n"});
}

TEST_CASE("hang: elements that are cut") {
  const Design design = small();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  bench.harness.set_idle_limit(200);
  bench.prepare({job_of(Kind::kAllReduce, {0, 1})});
  for (const std::size_t port : {0U, 1U}) bench.traffic[0].sent[port][1].bytes -= 2;
  const RunResult result = bench.run_prepared();
  INFO(text_of(result));
  CHECK(result.hang.find("beat 7: ports 0,1 have 6 bytes, tlast, step_end\n") != std::string::npos);
}

TEST_CASE("hang: a rank that omits its last packet is named, though no register shows it") {
  const auto omit = [](std::size_t port) {
    return [port](std::vector<Traffic>& traffic) { traffic[0].sent[port].pop_back(); };
  };
  Job broadcast = job_of(Kind::kBroadcast, {1, 5, 3});
  broadcast.root = 1;
  hangs({broadcast}, omit(5),
        {"descriptor 0 (broadcast 1,3,5>1,3,5): waits for port 5 (the root; its source has nothing more for it); 3 "
         "packets"
         " missing at ports 1,3,5"});
  hangs({job_of(Kind::kAllReduce, {0, 2})}, omit(2), {"waits for port 2 (its source has nothing more for it)"},
        {"port 0 ("});
  hangs({job_of(Kind::kGather, {0, 2})}, omit(2),
        {"step 1, begun: waits for port 2 (its source has nothing more for it"});
  hangs({job_of(Kind::kSend, {0, 2, 3})}, omit(2),
        {"waits for port 2 (its source has nothing more for it); 1 packet missing at port 3"}, {"port 0 ("});
  hangs({job_of(Kind::kAllToAll, {0, 2, 3}, 96)}, omit(3),
        {"step 2, begun: waits for port 3 (its source has nothing more for it)"}, {"port 0 (", "port 2 ("});
  hangs({job_of(Kind::kBarrier, {0, 2})}, omit(2), {"waits for port 2 (its source has nothing for it)"});
  Job scatter = job_of(Kind::kScatter, {4, 2});
  hangs({scatter}, omit(4), {"step 1, begun: waits for port 4 (the root; its source has nothing more for it)"});
}

TEST_CASE("hang: a step that is not ended") {
  hangs({job_of(Kind::kAllGather, {0, 2, 3})}, [](auto& traffic) { traffic[0].sent[0].back().step_end = false; },
        {"descriptor 0 (allgather 0,2,3>0,2,3), step 0: waits for port 0 (its source has nothing more for it; the step "
         "was not ended: 2 packets without step_end)"});
  hangs({job_of(Kind::kAllToAll, {0, 2})}, [](auto& traffic) { traffic[0].sent[2].front().step_end = false; },
        {"waits for port 2"});
}

TEST_CASE("hang: nothing is said of descriptors that are done") {
  hangs({job_of(Kind::kAllReduce, {0, 1}), job_of(Kind::kAllReduce, {2, 3})},
        [](auto& traffic) { traffic[1].sent[3].pop_back(); }, {"descriptor 1 (allreduce 2,3>2,3): waits for port 3"},
        {"descriptor 0"});
}

TEST_CASE("hang: a beat that is held") {
  const Design design = small();
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  bench.harness.set_idle_limit(200);
  bench.prepare({job_of(Kind::kBroadcast, {1, 4})});  // port 1 is the root
  bench.traffic[0].sent[4] = bench.traffic[0].sent[1];
  bench.traffic[0].sent[1].pop_back();
  const RunResult result = bench.run_prepared();
  INFO(text_of(result));
  CHECK(result.hang.find("port 4: the first beat, of descriptor 0, is held by an error") != std::string::npos);
  CHECK(result.hang.find("waits for port 1 (the root; its source has nothing more for it)") != std::string::npos);
}

TEST_CASE("hang: the silent cycles are those before the registers were read") {
  const Design design = small();
  FakeEngine engine(design);
  Bench bench(engine, design);
  bench.harness.set_idle_limit(200);
  bench.prepare({job_of(Kind::kAllReduce, {0, 1})});
  bench.traffic[0].sent[1].clear();
  const RunResult result = bench.run_prepared();
  INFO(text_of(result));
  CHECK(result.hang.find(fmt::format("nothing has moved for {} cycles", 201 + design.first_beat_latency())) == 0);
}

TEST_CASE("hang: silence that ends is none") {
  const Design design = small();
  const auto engine = rtl_switch(design);
  for (std::uint64_t seed = base_seed(); seed < base_seed() + 5; ++seed) {
    for (const double fraction : {0.0, 0.5, 0.95}) {
      Bench bench(*engine, design);
      bench.harness.set_idle_limit(0);
      Behaviour behaviour;
      behaviour.stall_in.assign(6, fraction);
      behaviour.stall_out.assign(6, fraction);
      behaviour.vc_stall = fraction;
      behaviour.honour_vc_ready = fraction > 0;
      behaviour.seed = seed;
      bench.harness.set_behaviour(behaviour);
      const RunResult result = bench.run({job_of(Kind::kAllReduce, {0, 1, 3}), job_of(Kind::kSend, {2, 4})});
      INFO("FRED_SEED=", seed, " stalls ", fraction, "\n", text_of(result));
      CHECK(result.mismatches == 0);
    }
  }
  // A switch that pauses: traffic that moves while the registers are read makes the run go on.
  struct Pausing final : Engine {
    explicit Pausing(const Design& design) : fake(design) {}
    void cycle(const InPins& in, OutPins& out) override {
      InPins shown = in;
      ++now;
      const bool paused = now % 400 < 300;
      if (paused) {
        shown.s_tvalid.assign(shown.s_tvalid.size(), 0);
        shown.m_tready.assign(shown.m_tready.size(), 0);
      }
      fake.cycle(shown, out);
      if (paused) {
        out.s_tready.assign(out.s_tready.size(), 0);
        out.m_tvalid.assign(out.m_tvalid.size(), 0);
      }
    }
    [[nodiscard]] std::string name() const override { return "pausing"; }
    FakeEngine fake;
    int now = 0;
  };
  Pausing pausing(design);
  Bench bench(pausing, design);
  bench.harness.set_idle_limit(285);
  const RunResult result = bench.run({job_of(Kind::kSend, {0, 1, 3}, 8000)});
  INFO(text_of(result));
  CHECK(result.hang.empty());
}

TEST_CASE("hang: progress is counted in packets and steps") {
  const std::vector<SourcePacket> packets{{nullptr, 20, 0, 0, 0, false},
                                          {nullptr, 0, 0, 0, 0, true},
                                          {nullptr, 8, 0, 0, 0, false},
                                          {nullptr, 8, 0, 0, 0, false}};
  const auto is = [&](std::uint64_t beats, std::size_t steps, std::size_t open) {
    const Progress progress = progress_of(packets, beats, 8);
    CAPTURE(beats);
    CHECK(progress.steps == steps);
    CHECK(progress.open_packets == open);
  };
  is(0, 0, 0);
  is(2, 0, 0);
  is(3, 0, 1);
  is(4, 1, 0);
  is(5, 1, 1);
  is(6, 1, 2);
}
