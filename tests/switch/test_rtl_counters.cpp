// SPDX-License-Identifier: Apache-2.0
// Performance counters: fred_counter_bank alone against a model, and the whole switch against what the bench sees.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <string>

#include "tb/counters.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

// ---- fred_counter_bank. ----

struct Bank {
  int count, width;
};
constexpr std::array<Bank, 5> kBanks{{{1, 3}, {2, 32}, {3, 4}, {4, 2}, {8, 5}}};
constexpr int kEvents = 1 + 2 + 3 + 4 + 8;
constexpr int kSnapshotPin = kEvents, kIndexPin = kEvents + 1;

Design bank_pins() {
  Design design;
  design.radix = 2;
  design.dtype = DType::kInt32;
  design.lanes = 1;
  design.vcs = 1;
  design.validate();
  return design;
}

/// The banks with the pins of a switch: events, snapshot and index are s_axis_tdata, m_axis_tdata is what they show.
std::vector<SourceFile> bank_shell(const Design& design) {
  Design counting = counting_design();
  std::vector<SourceFile> files;
  for (SourceFile& file : design_sources(counting)) {
    for (const char* name : {"fred_select", "fred_onehot", "fred_ram_async", "fred_counter_bank"}) {
      if (file.path == fmt::format("rtl/{}.sv", name)) files.push_back(std::move(file));
    }
  }
  std::string header, body;
  for (const auto& port : emit_switch(make_network(design.radix, design.middle), design).interface().ports) {
    const bool input = port.direction == verilog::Direction::kInput;
    header += fmt::format("{}  {} [{}:0] {}", header.empty() ? "" : ",\n", input ? "input wire logic" : "output logic",
                          port.width - 1, port.name);
    if (!input && port.name != "m_axis_tdata") body += fmt::format("  assign {} = '0;\n", port.name);
  }
  int low = 0, out = 0;
  for (const Bank& bank : kBanks) {
    const int index = std::max(1, ceil_log2(bank.count));
    body += fmt::format(
        "  fred_counter_bank #(.Count({0}), .Width({1})) u_bank{0} (.clk_i(clk_i), .rst_ni(rst_ni), "
        ".event_i(s_axis_tdata[{2} +: {0}]), .snapshot_i(s_axis_tdata[{3}]), .index_i(s_axis_tdata[{4} +: {5}]), "
        ".rdata_o(m_axis_tdata[{6} +: {1}]));\n",
        bank.count, bank.width, low, kSnapshotPin, kIndexPin, index, out);
    low += bank.count;
    out += bank.width;
  }
  body += fmt::format("  assign m_axis_tdata[{}:{}] = '0;\n", design.radix * design.width() - 1, out);
  files.push_back({"rtl/fred_switch.sv", "module fred_switch (\n" + header + "\n);\n" + body + "endmodule\n"});
  return files;
}

/// What a bank must be.
struct BankModel {
  explicit BankModel(const Bank& its_bank)
      : bank(its_bank), live(static_cast<std::size_t>(bank.count), 0), frozen(live) {}
  /// One cycle; `counts`: which one, -1 none. An event in the cycle of the snapshot counts after it.
  void cycle(int counts, bool snapshot) {
    if (snapshot) {
      frozen = live;
      std::fill(live.begin(), live.end(), 0);
    }
    if (counts < 0) return;
    std::uint64_t& value = live[static_cast<std::size_t>(counts)];
    value = std::min(value + 1, (std::uint64_t{1} << bank.width) - 1);
  }
  Bank bank;
  std::vector<std::uint64_t> live, frozen;
};

// ---- The switch. ----

/// What the bench sees at the pins, in the shape of what is read.
struct Seen {
  explicit Seen(const Design& design) : beats(design.radix, std::vector<BeatCounts>(design.vcs)) {}
  std::vector<std::vector<BeatCounts>> beats;
};

bool same(const std::vector<std::vector<BeatCounts>>& a, const std::vector<std::vector<BeatCounts>>& b, bool in) {
  for (std::size_t port = 0; port < a.size(); ++port) {
    for (std::size_t vc = 0; vc < a[port].size(); ++vc) {
      if (a[port][vc].out != b[port][vc].out || (in && a[port][vc].in != b[port][vc].in)) return false;
    }
  }
  return true;
}

struct Fixture {
  Fixture() : engine(rtl_switch(counting_design())), bench(*engine, counting_design()), seen(bench.design) {
    total.beats = seen.beats;
    total.launches.resize(static_cast<std::size_t>(bench.design.descriptors));
    bench.harness.set_hook([this](const InPins& in, const OutPins& out) { watch(in, out); });
  }

  Harness& harness() { return bench.harness; }
  void watch(const InPins& in, const OutPins& out) {
    const int bits = bench.design.vc_bits();
    for (std::size_t p = 0; p < seen.beats.size(); ++p) {
      const std::size_t at = p * static_cast<std::size_t>(bits);
      if (get_bit(in.s_tvalid, p) && get_bit(out.s_tready, p)) ++seen.beats[p][get_field(in.s_tid, at, bits)].in;
      if (get_bit(out.m_tvalid, p) && get_bit(in.m_tready, p)) ++seen.beats[p][get_field(out.m_tid, at, bits)].out;
    }
    history.push_back(seen.beats);
  }
  void steps(int cycles) {
    for (int i = 0; i < cycles; ++i) harness().step();
  }
  /// Offers the traffic of jobs that are configured; the bench goes on stepping.
  void begin() {
    for (const Traffic& job : bench.traffic) {
      for (int port = 0; port < bench.design.radix; ++port) {
        harness().source(port).push(job.sent[static_cast<std::size_t>(port)], harness().cycles() + job.start);
      }
      for (const Traffic::Sink& sink : job.sinks) {
        harness().scoreboard().expect(sink.port, job.descriptor, sink.packets, job.by_source, job.vc);
      }
    }
  }
  [[nodiscard]] bool done() {
    for (int port = 0; port < bench.design.radix; ++port) {
      if (!harness().source(port).idle()) return false;
    }
    return harness().scoreboard().complete();
  }
  /// A snapshot, added to `total`.
  CounterValues snapshot() {
    snapshot_counters(harness());
    snapshot_done = history.size();
    CounterValues values = read_counters(harness(), bench.design);
    for (std::size_t p = 0; p < total.beats.size(); ++p) {
      for (std::size_t v = 0; v < total.beats[p].size(); ++v) {
        total.beats[p][v].in += values.beats[p][v].in;
        total.beats[p][v].out += values.beats[p][v].out;
      }
    }
    for (std::size_t d = 0; d < total.launches.size(); ++d) {
      total.launches[d].launches += values.launches[d].launches;
      total.launches[d].wait_data += values.launches[d].wait_data;
      total.launches[d].wait_egress += values.launches[d].wait_egress;
      total.launches[d].wait_arbitration += values.launches[d].wait_arbitration;
    }
    return values;
  }
  /// Beats that port and all circuits were given of jobs that are on one descriptor each.
  [[nodiscard]] std::vector<std::size_t> sent_beats(std::size_t job) const {
    std::vector<std::size_t> beats;
    const auto size = static_cast<std::size_t>(bench.design.bytes());
    for (const auto& packets : bench.traffic[job].sent) {
      std::size_t sum = 0;
      for (const SourcePacket& packet : packets) sum += std::max<std::size_t>(1, (packet.bytes + size - 1) / size);
      beats.push_back(sum);
    }
    return beats;
  }
  /// The counters of a descriptor since the last snapshot.
  LaunchCounts of(int descriptor) { return snapshot().launches[static_cast<std::size_t>(descriptor)]; }

  std::unique_ptr<Engine> engine;
  Bench bench;
  Seen seen;
  CounterValues total;
  std::vector<std::vector<std::vector<BeatCounts>>> history;  ///< `seen` after each cycle
  std::size_t snapshot_done = 0;                              ///< cycles when the last snapshot's write was answered
};

Job on(Kind kind, const Group& group, int vc, std::size_t beats, std::uint64_t seed) {
  const Design design = counting_design();
  Job job = with_data(Job::on_group(kind, group), design, beats * static_cast<std::size_t>(design.bytes()), seed);
  job.vc = vc;
  return job;
}

}  // namespace

TEST_CASE("rtl counters: a bank counts as its model, saturates, and freezes in one cycle") {
  const Design design = bank_pins();
  const auto engine = open_model(build_model(bank_shell(design)).shared_object.string(), 1);
  Random random(sub_seed(base_seed(), 31, 0));
  INFO("seed ", base_seed());
  InPins in(design);
  OutPins out(design);
  std::vector<BankModel> models(kBanks.begin(), kBanks.end());
  in.rst_n = false;
  for (int i = 0; i < 3; ++i) engine->cycle(in, out);
  in.rst_n = true;
  int since = 0, saturated = 0, wrong = 0;
  for (int cycle = 0; cycle < 60000; ++cycle) {
    // Long and short times between snapshots, also one right behind the other; much and little to count.
    const bool snapshot = random.below(cycle / 4000 % 3 == 0 ? 3 : cycle / 4000 % 3 == 1 ? 40 : 400) == 0;
    const int index = random.below(8);
    std::uint32_t word = (snapshot ? 1U << kSnapshotPin : 0U) | static_cast<std::uint32_t>(index) << kIndexPin;
    std::vector<int> counts;
    int low = 0;
    for (const Bank& bank : kBanks) {
      const bool counting = random.below(100) < (cycle / 2000 % 2 == 0 ? 90 : 20);
      const bool again = random.below(2) == 0;  // the same one in cycles that follow each other
      counts.push_back(!counting ? -1 : again ? bank.count - 1 : random.below(bank.count));
      if (counting) word |= 1U << (low + counts.back());
      low += bank.count;
    }
    in.s_tdata[0] = word;
    engine->cycle(in, out);
    since = std::min(since + 1, 100);
    int at = 0;
    for (BankModel& model : models) {
      const auto shown = static_cast<std::size_t>(index % (1 << std::max(1, ceil_log2(model.bank.count))));
      if (since > 2 && shown < model.frozen.size()) {  // cycles in which it can be read
        const std::uint64_t got = get_field(out.m_tdata, static_cast<std::size_t>(at), model.bank.width);
        if (got != model.frozen[shown]) ++wrong;
        if (got == (std::uint64_t{1} << model.bank.width) - 1) ++saturated;
      }
      at += model.bank.width;
    }
    for (std::size_t m = 0; m < models.size(); ++m) models[m].cycle(counts[m], snapshot);
    if (snapshot) since = 0;
  }
  CHECK(wrong == 0);
  CHECK(saturated > 1000);
}

TEST_CASE("rtl counters: every count is what the bench sees, over snapshots in mid traffic") {
  for (std::uint64_t seed = base_seed(); seed < base_seed() + 3; ++seed) {
    INFO("seed ", seed);
    Fixture f;
    Random random(sub_seed(seed, 32, 0));
    Behaviour behaviour;
    behaviour.stall_in = {0.3, 0.0, 0.1, 0.2};
    behaviour.stall_out = {0.0, 0.5, 0.2, 0.1};
    behaviour.vc_stall = 0.1;
    behaviour.honour_vc_ready = true;
    behaviour.seed = seed;
    f.harness().set_behaviour(behaviour);
    const std::vector<Job> jobs{on(Kind::kAllReduce, {0, 1, 2, 3}, 0, 300, seed),
                                on(Kind::kAllToAll, {0, 2, 3}, 1, 300, seed + 1), on(Kind::kSend, {1, 3}, 0, 200, seed),
                                on(Kind::kAllGather, {1, 2}, 1, 150, seed + 2),
                                on(Kind::kReduceScatter, {0, 1, 3}, 1, 150, seed + 3)};
    f.bench.prepare(jobs);
    f.begin();
    std::set<std::size_t> offsets;  // cycles from a snapshot to the answer of its write, as the counts have it
    bool first = true;
    int snapshots = 0;
    while (!f.done() && f.history.size() < 60000) {
      f.steps(random.below(200));
      f.snapshot();
      ++snapshots;
      std::set<std::size_t> fitting;
      for (std::size_t offset = 0; offset < 20; ++offset) {
        if (same(f.history[f.snapshot_done - 1 - offset], f.total.beats, false)) fitting.insert(offset);
      }
      std::set<std::size_t> both;
      std::set_intersection(offsets.begin(), offsets.end(), fitting.begin(), fitting.end(),
                            std::inserter(both, both.begin()));
      offsets = first ? fitting : both;
      first = false;
    }
    CHECK(snapshots > 4);
    CHECK(offsets.size() == 1);  // all counters are frozen in one cycle, the same one of every write
    REQUIRE(f.done());
    f.steps(50);
    f.snapshot();
    CHECK(f.harness().scoreboard().mismatches() == 0);
    CHECK(same(f.seen.beats, f.total.beats, true));
    for (std::size_t d = 0; d < jobs.size(); ++d) {
      CAPTURE(d);
      const LaunchCounts& counts = f.total.launches[d];
      const std::vector<std::size_t> sent = f.sent_beats(d);
      const std::size_t sum = std::accumulate(sent.begin(), sent.end(), std::size_t{0});
      const std::size_t most = *std::max_element(sent.begin(), sent.end());
      switch (jobs[d].kind) {
        case Kind::kAllReduce:
        case Kind::kReduceScatter:
          CHECK(counts.launches == most);  // of all members at once
          break;
        case Kind::kAllToAll:  // each source on its own
          CHECK(counts.launches >= most);
          CHECK(counts.launches < sum);
          break;
        default:
          CHECK(counts.launches == sum);
      }
      if (jobs[d].kind != Kind::kSend) CHECK(counts.wait_data > 0);  // of a send any source may come
      CHECK(counts.wait_egress > 0);
    }
    f.steps(20);
    f.snapshot();
    f.steps(20);
    const CounterValues idle = f.snapshot();
    CHECK(idle.launches[0].launches + idle.launches[0].wait_data == 0);
    CHECK(same(idle.beats, Seen(f.bench.design).beats, true));
  }
}

TEST_CASE("rtl counters: what a descriptor waits for") {
  Fixture f;
  std::vector<Job> jobs;  // whose data is sent
  const auto start = [&](std::vector<Job> those, const std::function<void(Setup&)>& change = {}) {
    jobs = std::move(those);
    f.bench.prepare(jobs);
    if (change) {
      change(f.bench.setup);
      f.harness().configure(f.bench.setup);
    }
    f.snapshot();
    f.begin();
  };
  const auto finish = [&] {
    for (int i = 0; i < 3000 && !f.done(); ++i) f.harness().step();
    REQUIRE(f.done());
    f.steps(30);
    CHECK(f.harness().scoreboard().mismatches() == 0);
  };
  SUBCASE("an operand comes 37 cycles late") {
    start({on(Kind::kAllReduce, {0, 1}, 1, 1, 1)});
    f.harness().source(1).set_start(f.harness().cycles() + 37);
    finish();
    const LaunchCounts counts = f.of(0);
    CHECK(counts.launches == 1);
    CHECK(counts.wait_data == 37);
    CHECK(counts.wait_egress == 0);
    CHECK(counts.wait_arbitration == 0);
  }
  SUBCASE("a member of an all-to-all comes late") {
    start({on(Kind::kAllToAll, {0, 1, 2}, 0, 6, 1)});
    f.harness().source(2).set_start(f.harness().cycles() + 60);
    finish();
    const LaunchCounts counts = f.of(0);
    CHECK(counts.wait_data > 50);
    CHECK(counts.wait_egress == 0);
    CHECK(counts.wait_arbitration == 0);
  }
  for (const Kind kind : {Kind::kAllReduce, Kind::kSend, Kind::kAllToAll}) {
    SUBCASE(fmt::format("a sink that is not ready: {}", to_string(kind)).c_str()) {
      start({on(kind, {0, 1}, 0, 60, 1)});
      f.harness().sink(1).set_start(f.harness().cycles() + 200);
      finish();
      const LaunchCounts counts = f.of(0);
      CHECK(counts.wait_egress > 100);
      CHECK(counts.wait_data == 0);
      CHECK(counts.wait_arbitration == 0);
    }
  }
  SUBCASE("two that may not go together") {
    start({on(Kind::kAllReduce, {0, 1}, 0, 40, 1), on(Kind::kAllReduce, {2, 3}, 0, 40, 2)}, [](Setup& setup) {
      for (Descriptor& descriptor : setup.descriptors) descriptor.compatible.clear();
    });
    finish();
    const CounterValues values = f.snapshot();
    std::uint32_t waited = 0;
    for (const std::size_t d : {std::size_t{0}, std::size_t{1}}) {
      CHECK(values.launches[d].launches == 40);
      CHECK(values.launches[d].wait_data == 0);
      CHECK(values.launches[d].wait_egress == 0);
      waited += values.launches[d].wait_arbitration;
    }
    CHECK(waited >= 40);  // while both are at work one of them waits
    CHECK(waited <= 80);
  }
  SUBCASE("a null beat that closes an aborted packet is a beat out, what is dropped is none in") {
    start({on(Kind::kBroadcast, {0, 1}, 1, 60, 1)});
    const RegisterMap& map = f.harness().registers();
    for (const int port : {0, 1}) f.harness().sink(port).set_start(f.harness().cycles() + 300);
    f.steps(100);
    using Control = ControlFields;
    REQUIRE(f.harness()
                .write(map.descriptor(0, RegisterMap::kControl),
                       Control::kEnable.mask() | Control::kAbort.mask() | Control::kEpoch.place(9))
                .okay());
    f.steps(500);
    const CounterValues values = f.snapshot();
    CHECK(values.launches[0].launches == values.beats[0][1].in);
    CHECK(values.launches[0].launches < 60);
    for (const std::size_t port : {std::size_t{0}, std::size_t{1}}) {
      CHECK(values.beats[port][1].out == values.launches[0].launches + 1);
    }
  }
}
