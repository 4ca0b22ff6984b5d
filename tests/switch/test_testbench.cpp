// SPDX-License-Identifier: Apache-2.0
// The testbench itself, on a switch without RTL: it is content with an honest switch and finds each fault of a bad one.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"
#include "tb/pins.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/fake_engine.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

Design small_design(int lanes = 2, DType dtype = DType::kInt32) {
  Design design;
  design.vcs = 1;
  design.radix = 6;
  design.middle = 3;
  design.dtype = dtype;
  design.lanes = lanes;
  design.validate();
  return design;
}

Behaviour stalls(const Design& design, double fraction, std::uint64_t seed) {
  Behaviour behaviour;
  behaviour.stall_in.assign(static_cast<std::size_t>(design.radix), fraction);
  behaviour.stall_out.assign(static_cast<std::size_t>(design.radix), fraction);
  behaviour.seed = seed;
  return behaviour;
}

}  // namespace

TEST_CASE("pins: fields and prefixes at every offset") {
  Pins pins(8, 0);
  for (std::size_t offset = 0; offset < 100; ++offset) {
    for (const int bits : {1, 5, 17, 32}) {
      pins.assign(pins.size(), 0xffffffffU);
      set_field(pins, offset, bits, 0x2aaaaaaaU);
      CHECK(get_field(pins, offset, bits) == (0x2aaaaaaaU & (bits == 32 ? ~0U : (1U << bits) - 1)));
      if (offset > 0) CHECK(get_bit(pins, offset - 1));
      CHECK(get_bit(pins, offset + static_cast<std::size_t>(bits)));
    }
    for (const int bits : {2, 34, 64, 100}) {
      for (int count = 0; count <= bits; ++count) {
        pins.assign(pins.size(), 0xffffffffU);
        set_prefix(pins, offset, bits, count);
        CHECK(get_prefix(pins, offset, bits) == count);
        if (count + 1 < bits) {
          set_bit(pins, offset + static_cast<std::size_t>(bits) - 1, true);
          CHECK(get_prefix(pins, offset, bits) == -1);
        }
      }
    }
  }
}

TEST_CASE("chunks: the first get the remainder, a cut element goes to the last") {
  CHECK(chunk_bytes(28, 3, 4) == std::vector<std::size_t>{12, 8, 8});
  CHECK(chunk_bytes(0, 3, 4) == std::vector<std::size_t>{0, 0, 0});
  CHECK(chunk_bytes(4, 3, 4) == std::vector<std::size_t>{4, 0, 0});
  CHECK(chunk_bytes(9, 2, 4) == std::vector<std::size_t>{4, 5});
}

TEST_CASE("every kind, group shape, size and stall on an honest switch") {
  const std::uint64_t seed = base_seed();
  INFO("FRED_SEED=", seed);
  const std::vector<std::vector<Group>> shapes{{{0, 1, 2, 3, 4, 5}}, {{3}}, {{4, 0, 2}}, {{5, 1}, {0, 3, 2}, {4}}};
  const Design design = small_design();
  FakeEngine engine(design);
  Bench bench(engine, design);
  for (const double stall : {0.0, 0.3}) {
    bench.harness.set_behaviour(stalls(design, stall, seed));
    for (const Kind kind : kAllKinds) {
      for (const auto& groups : shapes) {
        for (const std::size_t bytes : {0UL, 4UL, 28UL, 200UL}) {
          std::vector<Job> jobs;
          for (const Group& group : groups) {
            Job job = with_data(Job::on_group(kind, group), design, bytes, seed + group.size());
            job.root = static_cast<int>(group.size()) - 1;
            jobs.push_back(job);
          }
          const RunResult result = bench.run(jobs);
          INFO(to_string(kind), " bytes ", bytes, " groups ", groups.size(), " stall ", stall, "\n", text_of(result));
          REQUIRE(result.mismatches == 0);
        }
      }
    }
  }
}

TEST_CASE("flows with other inputs than outputs") {
  const Design design = small_design();
  FakeEngine engine(design);
  Bench bench(engine, design);
  for (const Kind kind : kAllKinds) {
    if (kind == Kind::kAllToAll) continue;
    std::vector<Job> jobs;
    for (const Flow& flow : parse_flows("0,1,2>3;4>0,1;5>5", design.radix)) {
      jobs.push_back(with_data(Job::on_flow(kind, flow), design, 40, 3));
    }
    const RunResult result = bench.run(jobs);
    INFO(to_string(kind), "\n", text_of(result));
    CHECK(result.mismatches == 0);
  }
  const Job job = with_data(Job::on_flow(Kind::kAllToAll, {{0, 1}, {2}}), design, 40, 3);
  CHECK_THROWS_AS(validate(job, design, 32), InputError);
}

TEST_CASE("results are in rank order, whatever the ports") {
  const Design design = small_design(1);
  FakeEngine engine(design);
  Bench bench(engine, design);
  const Group group{4, 0, 5, 2};
  const auto value = [](const Bytes& bytes, std::size_t i) { return std::to_integer<int>(bytes[4 * i]); };
  // Rank r holds the elements 16 r + 0, 16 r + 1, ...
  const auto job_of = [&](Kind kind, std::size_t elements) {
    Job job = Job::on_group(kind, group);
    job.root = 1;
    for (std::size_t rank = 0; rank < group.size(); ++rank) {
      Bytes data(4 * elements);
      for (std::size_t i = 0; i < elements; ++i) data[4 * i] = static_cast<std::byte>(16 * rank + i);
      job.data.push_back(data);
    }
    return job;
  };
  const auto results = [&](const Job& job) {
    const RunResult result = bench.run({job}, true);
    INFO(text_of(result));
    CHECK(result.mismatches == 0);
    return std::move(bench.traffic.front().results);
  };
  for (const Bytes& all : results(job_of(Kind::kAllGather, 1))) {
    for (std::size_t r = 0; r < 4; ++r) CHECK(value(all, r) == static_cast<int>(16 * r));
  }
  const auto gathered = results(job_of(Kind::kGather, 1));
  CHECK(gathered[0].empty());
  for (std::size_t r = 0; r < 4; ++r) CHECK(value(gathered[1], r) == static_cast<int>(16 * r));
  const auto scattered = results(job_of(Kind::kScatter, 4));
  for (std::size_t r = 0; r < 4; ++r) CHECK(value(scattered[r], 0) == static_cast<int>(16 + r));
  const auto reduced = results(job_of(Kind::kReduceScatter, 4));
  for (std::size_t r = 0; r < 4; ++r) CHECK(value(reduced[r], 0) == static_cast<int>(16 * (0 + 1 + 2 + 3) + 4 * r));
  const auto exchanged = results(job_of(Kind::kAllToAll, 4));
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t s = 0; s < 4; ++s) CHECK(value(exchanged[r], s) == static_cast<int>(16 * s + r));
  }
  const auto sent = results(job_of(Kind::kSend, 1));
  for (std::size_t r = 0; r < 4; ++r) CHECK(value(sent[r], 0) == static_cast<int>(16 * ((r + 3) % 4)));
  for (const Bytes& all : results(job_of(Kind::kBroadcast, 2))) CHECK(value(all, 1) == 17);
}

TEST_CASE("measurements at the pins") {
  const Design design = small_design();
  FakeEngine engine(design);
  Bench bench(engine, design);
  const Group all{0, 1, 2, 3, 4, 5};
  const auto one = bench.run({with_data(Job::on_group(Kind::kAllReduce, all), design, 8, 1)});
  CHECK(summarise({&one.jobs[0]}).first_beat_latency == static_cast<std::uint64_t>(design.first_beat_latency()));
  CHECK(summarise({&one.jobs[0]}).cycles == static_cast<std::uint64_t>(design.first_beat_latency()) + 1);
  const auto many = bench.run({with_data(Job::on_group(Kind::kAllGather, all), design, 8000, 1)});
  const Summary summary = summarise({&many.jobs[0]});
  CHECK(summary.beats == 6000);
  CHECK(summary.efficiency > 0.99);
}

TEST_CASE("each fault of a bad switch is found") {
  const std::uint64_t seed = base_seed();
  const std::vector<std::pair<Fault, const char*>> faults{
      {Fault::kLoseBeat, "data"},         {Fault::kDoubleBeat, "data"},
      {Fault::kFlipBit, "data"},          {Fault::kWrongStep, "step or source"},
      {Fault::kEarlyLast, "tlast"},       {Fault::kWrongKeep, "tkeep"},
      {Fault::kWrongEpoch, "epoch"},      {Fault::kErrorBit, "error bit"},
      {Fault::kNoStepEnd, "step_end"},    {Fault::kSwapPorts, "port"},
      {Fault::kDropValid, "tvalid fell"}, {Fault::kChangePayload, "payload changed"},
      {Fault::kUseOtherOperand, "data"}};
  const Group all{0, 1, 2, 3, 4, 5};
  for (const auto& entry : faults) {
    const Fault fault = entry.first;
    const char* const words = entry.second;
    const Design design = small_design();
    FakeEngine engine(design, fault, 4);
    Bench bench(engine, design);
    bench.harness.set_idle_limit(300);
    bench.harness.set_behaviour(stalls(design, 0.3, seed));
    // Sends: what is swapped between ports differs there; else an all-reduce, where operands count.
    const bool swap = fault == Fault::kSwapPorts;
    const Kind kind = swap ? Kind::kSend : Kind::kAllReduce;
    const std::vector<Job> jobs{with_data(Job::on_group(kind, all), design, 200, seed),
                                with_data(Job::on_group(kind, all), design, 96, seed + 1)};
    const RunResult result = bench.run(jobs);
    INFO("FRED_SEED=", seed, " fault ", static_cast<int>(fault), "\n", text_of(result));
    CHECK(engine.faulted());
    CHECK(result.mismatches > 0);
    const auto mentions = [&](const std::string& m) { return m.find(words) != std::string::npos; };
    CHECK(std::any_of(result.messages.begin(), result.messages.end(), mentions));
  }
}

TEST_CASE("scoreboard: what is missing and what is too much") {
  const Design design = small_design();
  const Bytes data(24, std::byte{1});
  Scoreboard board(design);
  board.expect(2, 0, {{data.data(), nullptr, 24, 1, 5, true}}, false);
  const auto beat = [&](int port, int count, bool last) {
    return ReceivedBeat{port, 0, data.data(), count, last, last, false, 5, 1};
  };
  SUBCASE("complete") {
    for (const bool last : {false, false, true}) board.receive(beat(2, 8, last));
    CHECK(board.complete());
    board.finish();
    CHECK(board.mismatches() == 0);
  }
  SUBCASE("missing") {
    board.receive(beat(2, 8, false));
    board.finish();
    CHECK(board.mismatches() == 1);
    CHECK(board.messages().front().find("did not arrive") != std::string::npos);
  }
  SUBCASE("one beat too many") {
    for (const bool last : {false, false, true}) board.receive(beat(2, 8, last));
    board.receive(beat(2, 8, true));
    CHECK(board.mismatches() == 1);
  }
  SUBCASE("at another port") {
    board.receive(beat(1, 8, false));
    CHECK(board.mismatches() == 1);
  }
  SUBCASE("no tlast") {
    for (const bool last : {false, false, false, true}) board.receive(beat(2, 8, last));
    CHECK(board.mismatches() >= 2);
    CHECK(board.complete());
  }
}

TEST_CASE("orders of collectives that contradict each other hang, and the cycle is named") {
  const Design design = small_design();
  FakeEngine engine(design);
  Bench bench(engine, design);
  bench.harness.set_idle_limit(200);
  const std::vector<Job> jobs{with_data(Job::on_group(Kind::kAllReduce, {0, 1}), design, 32, 1),
                              with_data(Job::on_group(Kind::kAllReduce, {1, 2}), design, 32, 2),
                              with_data(Job::on_group(Kind::kAllReduce, {2, 0}), design, 32, 3)};
  const RunResult result = bench.run(jobs, false, 4, {{0, 2}, {1, 0}, {2, 1}, {}, {}, {}});
  INFO(text_of(result));
  CHECK(result.mismatches > 0);
  CHECK(result.hang.find("cycle: ") != std::string::npos);
  // Orders that are subsequences of one order do not hang.
  bench.harness.reset();
  CHECK(bench.run(jobs, false, 4, {{0, 2}, {0, 1}, {1, 2}, {}, {}, {}}).mismatches == 0);
}

TEST_CASE("a rank that does not come is named") {
  const Design design = small_design();
  FakeEngine engine(design);
  Bench bench(engine, design);
  bench.harness.set_idle_limit(200);
  const std::vector<Job> jobs{with_data(Job::on_group(Kind::kAllReduce, {0, 1, 4}), design, 32, 1)};
  const RunResult result = bench.run(jobs, false, 4, {{0}, {0}, {}, {}, {}, {}});
  INFO(text_of(result));
  CHECK(result.hang.find("waits for port 4 (its source has nothing for it)") != std::string::npos);
}

TEST_CASE("random data: different everywhere, every class of float") {
  for (const DType dtype : kAllDTypes) {
    const Bytes a = random_buffer(dtype, 4096, 1);
    CHECK(a == random_buffer(dtype, 4096, 1));
    CHECK(a != random_buffer(dtype, 4096, 2));
    CHECK(random_buffer(dtype, 4097, 1).size() == 4097);
  }
}
