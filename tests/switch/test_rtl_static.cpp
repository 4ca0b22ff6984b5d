// SPDX-License-Identifier: Apache-2.0
// The fixed-function form (fred gen --static) in Verilator: every kind by constants, errors at the pins, in as many
// cycles as with registers. Seeds are printed with a failure; FRED_SEED=n repeats it or tries others.
#include <doctest/doctest.h>

#include <algorithm>

#include "fred/error.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

/// A switch with registers that the constants of `jobs` are then put into.
Design small(int radix, int middle, int vcs) {
  Design design;
  design.radix = radix;
  design.middle = middle;
  design.dtype = DType::kInt16;
  design.lanes = 2;
  design.ops = {Op::kSum, Op::kMax};
  design.vcs = vcs;
  return design;
}

Job on(Kind kind, const Group& group, int vc = 0, int root = 0) {
  Job job = Job::on_group(kind, group);
  job.vc = vc;
  job.root = root;
  job.op = group.size() == 2 ? Op::kMax : Op::kSum;
  return job;
}

/// The fixed form of a design for these jobs: descriptor i is of job i. The first table serves all all-to-alls.
Design fixed(Design design, const std::vector<Job>& jobs, bool tdest, std::uint32_t watchdog = 0) {
  StaticForm form;
  for (const Job& job : jobs) form.collectives.push_back(collective_of(job));
  form.tdest = tdest;
  form.watchdog = watchdog;
  design.descriptors = static_cast<int>(jobs.size());
  design.static_form = form;
  design.validate();
  return design;
}

/// Job by job through descriptors first, first + 1, ... of a fixed form.
struct FixedBench {
  FixedBench(Engine& engine, const Design& its_design)
      : design(its_design), network(make_network(its_design.radix, its_design.middle)), harness(engine, its_design) {
    harness.reset();
  }
  /// Makes the traffic of jobs, which may then be spoiled.
  void prepare(const std::vector<Job>& its_jobs, std::size_t first, std::size_t packets_of) {
    jobs = its_jobs;  // the traffic points into them
    const std::size_t packet = packets_of * static_cast<std::size_t>(design.bytes());
    traffic.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      validate(jobs[i], design, packet);
      traffic.push_back(make_traffic(jobs[i], design, static_cast<int>(first + i), 0, packet, false));
    }
    harness.configure(static_setup(design, network, first, jobs.size()));
  }
  RunResult run(const std::vector<Job>& its_jobs, std::size_t first, std::size_t packets_of = 4) {
    prepare(its_jobs, first, packets_of);
    return harness.run(traffic);
  }

  Design design;
  Network network;
  Harness harness;
  std::vector<Job> jobs;
  std::vector<Traffic> traffic;
};

Behaviour stalls(const Design& design, double fraction, std::uint64_t seed) {
  Behaviour behaviour;
  behaviour.stall_in.assign(static_cast<std::size_t>(design.radix), fraction);
  behaviour.stall_out.assign(static_cast<std::size_t>(design.radix), fraction);
  behaviour.honour_vc_ready = design.vcs > 1;
  behaviour.seed = seed;
  return behaviour;
}

void check(const RunResult& result, const std::string& what) {
  INFO(what, "\n", text_of(result));
  REQUIRE(result.mismatches == 0);
}

/// Every kind on one group of four ports, with the pin s_axis_tdest.
std::vector<Job> every_kind() {
  std::vector<Job> jobs;
  for (const Kind kind : kAllKinds) jobs.push_back(on(kind, {3, 0, 1}, 0, 1));
  return jobs;
}

/// Two groups, two circuits, no pin s_axis_tdest.
std::vector<Job> two_groups() {
  return {on(Kind::kAllReduce, {4, 0, 2}, 0), on(Kind::kAllToAll, {4, 0, 2}, 1), on(Kind::kAllToAll, {3, 1}, 0),
          on(Kind::kBroadcast, {3, 1}, 1, 1)};
}

/// The switch with one text of its top module replaced.
std::unique_ptr<Engine> changed_switch(const Design& design, const std::string& from, const std::string& to) {
  std::vector<SourceFile> files = design_sources(design);
  const auto top =
      std::find_if(files.begin(), files.end(), [](const auto& f) { return f.path == "rtl/fred_switch.sv"; });
  const auto at = top->text.find(from);
  INFO("'", from, "' in\n", top->text);
  REQUIRE(at != std::string::npos);
  top->text.replace(at, from.size(), to);
  return open_model(build_model(files).shared_object.string(), 1);
}

}  // namespace

TEST_CASE("rtl static: every kind, with tdest") {
  const std::uint64_t seed = base_seed();
  const std::vector<Job> kinds = every_kind();
  const Design design = fixed(small(4, 2, 1), kinds, true);
  const auto engine = rtl_switch(design, static_cast<int>(seed));
  FixedBench bench(*engine, design);
  for (const double stall : {0.0, 0.3}) {
    bench.harness.set_behaviour(stalls(design, stall, seed));
    for (const std::size_t bytes : {0UL, 2UL, 14UL, 200UL}) {
      for (std::size_t d = 0; d < kinds.size(); ++d) {
        check(bench.run({with_data(kinds[d], design, bytes, seed + d)}, d),
              fmt::format("FRED_SEED={} {} {} bytes, stall {}", seed, to_string(kinds[d].kind), bytes, stall));
      }
    }
    // All at once, of one group: they share time.
    std::vector<Job> all;
    for (std::size_t d = 0; d < kinds.size(); ++d) all.push_back(with_data(kinds[d], design, 120, seed + d));
    check(bench.run(all, 0), fmt::format("FRED_SEED={} all kinds at once, stall {}", seed, stall));
  }
}

TEST_CASE("rtl static: port and circuit name the descriptor, and a reset begins anew") {
  const std::uint64_t seed = base_seed();
  const std::vector<Job> jobs = two_groups();
  const Design design = fixed(small(5, 3, 2), jobs, false);
  const auto engine = rtl_switch(design, static_cast<int>(seed));
  for (int resets = 0; resets < 3; ++resets) {
    FixedBench bench(*engine, design);  // resets the switch
    for (int more = 0; more < resets; ++more) bench.harness.step();
    for (const double stall : {0.0, 0.3}) {
      bench.harness.set_behaviour(stalls(design, stall, seed + static_cast<std::uint64_t>(resets)));
      std::vector<Job> all;
      for (std::size_t d = 0; d < jobs.size(); ++d) all.push_back(with_data(jobs[d], design, 100 + 4 * d, seed + d));
      check(bench.run(all, 0), fmt::format("FRED_SEED={} reset {}, stall {}", seed, resets, stall));
      check(bench.run(all, 0, 1), "once more, by beats");
    }
    // Port 3 sends nothing on circuit 1: its beat counts as one of descriptor 0, which is of circuit 0.
    if (resets == 2) {
      const Bytes beat(4);
      bench.harness.source(3).push({beat.data(), 4, 2, 0, 0, true, 1});
      std::uint32_t errors = 0;
      bench.harness.set_hook([&errors](const InPins&, const OutPins& out) { errors = out.error; });
      for (int i = 0; i < 20; ++i) bench.harness.step();
      bench.harness.set_hook({});
      CHECK(errors == ErrorFields::kVc.mask());
    }
    // The next reset comes in the middle of an all-to-all.
    bench.prepare({with_data(jobs[1], design, 300, seed)}, 1, 4);
    for (std::size_t port = 0; port < 5; ++port) {
      bench.harness.source(static_cast<int>(port)).push(bench.traffic[0].sent[port]);
    }
    for (int i = 0; i < 40; ++i) bench.harness.step();
  }
}

TEST_CASE("rtl static: as many cycles as with registers") {
  const std::uint64_t seed = base_seed();
  std::vector<Job> jobs = two_groups();
  const Design design = fixed(small(5, 3, 2), jobs, false);
  Design written = design;
  written.static_form.reset();
  const auto fixed_engine = rtl_switch(design);
  const auto written_engine = rtl_switch(written);
  FixedBench constants(*fixed_engine, design);
  Bench registers(*written_engine, written);
  for (std::size_t d = 0; d < jobs.size(); ++d) jobs[d] = with_data(jobs[d], design, 400, seed + d);
  // Without stalls, whose generators run on while registers are written.
  constants.harness.set_behaviour(stalls(design, 0, seed));
  registers.harness.set_behaviour(stalls(design, 0, seed));
  const RunResult a = constants.run(jobs, 0);
  const RunResult b = registers.run(jobs);
  check(a, "constants");
  check(b, "registers");
  for (std::size_t d = 0; d < jobs.size(); ++d) {
    CHECK(a.jobs[d].first_beat_latency() == b.jobs[d].first_beat_latency());
    CHECK(a.jobs[d].cycles() == b.jobs[d].cycles());
  }
}

TEST_CASE("rtl static: types, operations and wider sums") {
  const std::uint64_t seed = base_seed();
  for (const bool wide : {false, true}) {
    Design design = small(3, 2, 1);
    design.dtype = DType::kFp8E5m2;
    design.more_dtypes = {DType::kBf16};
    design.ops = {Op::kSum, Op::kMin, Op::kMax, Op::kSumSat};
    if (wide) design.acc = DType::kFp32;
    std::vector<Job> jobs;
    for (const int type : {0, 1}) {
      for (const Op op : {Op::kMax, Op::kSum, Op::kMin, Op::kSumSat}) {
        if (type == 1 && op == Op::kSumSat) continue;  // not of bf16
        jobs.push_back(on(op == Op::kSum ? Kind::kReduceScatter : Kind::kAllReduce, {2, 0, 1}));
        jobs.back().type = type;
        jobs.back().op = op;
      }
    }
    jobs.push_back(on(Kind::kAllToAll, {0, 2}));
    design = fixed(design, jobs, true);
    const auto engine = rtl_switch(design, static_cast<int>(seed));
    FixedBench bench(*engine, design);
    bench.harness.set_behaviour(stalls(design, 0.2, seed));
    for (std::size_t d = 0; d < jobs.size(); ++d) {
      Job job = jobs[d];
      for (std::size_t rank = 0; rank < job.in.size(); ++rank) {
        job.data.push_back(random_buffer(job.dtype(design), 200, sub_seed(seed, 7, 10 * d + rank)));
      }
      check(bench.run({job}, d),
            fmt::format("FRED_SEED={} descriptor {}, {} of type {}", seed, d, to_string(job.op), job.type));
    }
  }
}

TEST_CASE("rtl static: errors and status are pins") {
  const std::vector<Job> jobs = {on(Kind::kAllReduce, {0, 1}), on(Kind::kAllToAll, {2, 3}), on(Kind::kSend, {0, 1}, 1)};
  const Design design = fixed(small(4, 2, 2), jobs, true, 256);
  const auto engine = rtl_switch(design);
  std::uint32_t errors = 0;
  std::vector<std::uint32_t> halted, busy, hangs;
  /// Sends packets at ports and says what the pins are then, and after a clear.
  const auto after = [&](const std::vector<std::pair<int, SourcePacket>>& packets, int cycles = 60) {
    Harness harness(*engine, design);
    harness.set_hook([&](const InPins&, const OutPins& out) {
      errors = out.error;
      halted = out.halted;
      busy = out.busy;
      hangs = out.hangs;
    });
    harness.reset();
    CHECK(errors == 0);
    for (const auto& [port, packet] : packets) harness.source(port).push(packet);
    for (int i = 0; i < cycles; ++i) harness.step();
    return errors;
  };
  const Bytes data(64);
  const auto packet = [&](int descriptor, std::size_t bytes, int epoch = 0, int vc = 0) {
    return SourcePacket{data.data(), bytes, descriptor, 0, static_cast<std::uint8_t>(epoch), true, vc};
  };
  using E = ErrorFields;
  const auto mask = [](const BitField& field) { return field.mask(); };

  CHECK(after({{0, packet(0, 8)}, {1, packet(0, 8)}}) == 0);
  CHECK(after({{0, packet(0, 8)}, {1, packet(0, 4)}}) == mask(E::kMismatch));
  CHECK(halted[0] == 1);
  CHECK(after({{0, packet(0, 8, 3)}}) == mask(E::kEpoch));
  CHECK(halted[0] == 0);
  CHECK(after({{0, packet(3, 8)}}) == mask(E::kUnknown));
  CHECK(after({{2, packet(0, 8)}}) == mask(E::kMember));
  CHECK(after({{0, packet(0, 8, 0, 1)}}) == mask(E::kVc));
  CHECK(after({{0, packet(0, 8)}}, 100) == 0);
  CHECK(hangs[0] == 0);
  CHECK(after({{0, packet(0, 8)}}, 300) == mask(E::kTimeout));
  CHECK(hangs[0] == 1);
  CHECK(after({{2, packet(1, 8)}}) == 0);
  CHECK(busy[0] == 2);

  // Sticky until it is cleared, and back as long as a head is held.
  FixedBench bench(*engine, design);
  bench.prepare({with_data(jobs[0], design, 40, 1)}, 0, 4);
  bench.traffic[0].sent[0].insert(bench.traffic[0].sent[0].begin(), packet(0, 8, 5));
  const RunResult result = bench.harness.run(bench.traffic);
  INFO(text_of(result));
  CHECK(result.mismatches == 1);
  CHECK(text_of(result).find("epoch") != std::string::npos);
  check(bench.run({with_data(jobs[0], design, 40, 2)}, 0), "cleared");
}

TEST_CASE("rtl static: a wrong constant is found") {
  // Groups of which the second takes the first one's colour: their beats meet.
  const std::vector<Job> jobs = {on(Kind::kAllReduce, {0, 2}), on(Kind::kAllReduce, {1, 3}),
                                 on(Kind::kReduce, {0, 2}, 0, 0), on(Kind::kAllToAll, {1, 3})};
  const Design design = fixed(small(4, 2, 1), jobs, true);
  std::vector<Job> filled;
  for (std::size_t d = 0; d < jobs.size(); ++d) filled.push_back(with_data(jobs[d], design, 80, d));
  const Program program = make_program(design, make_network(4, 2), design.static_form->collectives, {});
  REQUIRE(program.descriptors[0].route.colours != program.descriptors[1].route.colours);
  const int colour = program.descriptors[1].route.colours[0];
  struct Change {
    const char* what;
    std::string from, to;
    std::uint32_t error;
  };
  for (const Change& change : {Change{"nothing", "// A FRED", "// A FRED", 0},
                               Change{"colour", fmt::format("route[1] = 1'd{}", colour),
                                      fmt::format("route[1] = 1'd{}", 1 - colour), ErrorFields::kConflict.mask()},
                               Change{"root", "root[2*Ports +: Ports] = 4'h1", "root[2*Ports +: Ports] = 4'h4", 0},
                               Change{"kind", "kind[2*4 +: 4] = 4'd1", "kind[2*4 +: 4] = 4'd0", 0},
                               Change{"operation", "op[0*OpW +: OpW] = 2'd2", "op[0*OpW +: OpW] = 2'd0", 0}}) {
    const auto engine = changed_switch(design, change.from, change.to);
    FixedBench bench(*engine, design);
    bench.harness.set_idle_limit(300);
    std::uint32_t seen = 0;
    bench.harness.set_hook([&seen](const InPins&, const OutPins& out) { seen |= out.error; });
    const RunResult result = bench.run(filled, 0);
    INFO(change.what, "\n", text_of(result));
    CHECK((result.mismatches == 0) == (change.from == change.to));
    CHECK((seen & change.error) == change.error);
  }
}
