// SPDX-License-Identifier: Apache-2.0
// Registers and errors of the whole switch, as docs/protocol.md has them.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "fred/emit/emit.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

constexpr std::uint32_t kSlvErr = 2;
enum ErrorBit : std::uint32_t { kConflict = 1, kMismatch = 2, kEpoch = 4, kUnknown = 8, kMember = 16, kFraming = 32 };

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

/// A design whose op, masks and tables have gaps: sum is not built in.
Design gaps() {
  Design design = small();
  design.radix = 5;
  design.ops = {Op::kMax};
  design.descriptors = 3;
  design.egress_depth = 0;
  design.validate();
  return design;
}

struct Fixture {
  explicit Fixture(const Design& its_design = small()) : engine(rtl_switch(its_design)), bench(*engine, its_design) {}

  Harness& harness() { return bench.harness; }
  std::uint32_t read(std::uint32_t address) {
    const LiteResult result = harness().read(address);
    CHECK(result.okay());
    return result.data;
  }
  std::uint32_t status(int d) { return read(harness().registers().descriptor(d, RegisterMap::kStatus)); }
  std::uint32_t port(int p) { return read(harness().registers().port(p)); }
  std::uint32_t error() { return read(RegisterMap::kError); }
  void steps(int cycles) {
    for (int i = 0; i < cycles; ++i) harness().step();
  }
  /// Descriptors of jobs, written and enabled.
  void configure(const std::vector<Job>& jobs, int epoch = 3) {
    harness().configure(make_setup(bench.design, bench.network, jobs, {epoch}));
  }
  void send(int p, int descriptor, const Bytes& data, int epoch = 3, int destination = 0) {
    harness().source(p).push(
        {data.data(), data.size(), descriptor, destination, static_cast<std::uint8_t>(epoch), true});
  }
  void expect(int p, int descriptor, const Bytes& data, int tag = 0) {
    harness().scoreboard().expect(p, descriptor, {{data.data(), nullptr, data.size(), tag, 3, true}}, false);
  }

  std::unique_ptr<Engine> engine;
  Bench bench;
};

const Bytes kBeat(8, std::byte{1});

}  // namespace

TEST_CASE("rtl: identity registers") {
  Fixture f;
  const Design& design = f.bench.design;
  CHECK(f.read(RegisterMap::kId) == 0x46524544);
  CHECK(f.read(RegisterMap::kShape) == (6U | 3U << 16 | 8U << 24));
  CHECK(f.read(RegisterMap::kData) == (64U | 0U << 16 | 7U << 20 | 1U << 28));
  CHECK(f.read(RegisterMap::kTypes) == 0xfffffff0);  // one type, int32, and no other for sums
  CHECK(f.read(RegisterMap::kLatency) == (static_cast<std::uint32_t>(design.network_latency()) |
                                          static_cast<std::uint32_t>(design.first_beat_latency()) << 16));
  CHECK(f.read(RegisterMap::kHash) == parameter_hash(design));
  CHECK(f.error() == 0);
  for (int p = 0; p < design.radix; ++p) CHECK((f.port(p) & 0x1fU) == 8);  // space, and nothing else
}

TEST_CASE("rtl: refused accesses change nothing") {
  Fixture f;
  Harness& harness = f.harness();
  const RegisterMap& map = harness.registers();
  CHECK(harness.write(RegisterMap::kId, 1).response == kSlvErr);
  CHECK(f.read(RegisterMap::kId) == 0x46524544);
  CHECK(harness.write(map.descriptor(0, RegisterMap::kStatus), 1).response == kSlvErr);
  CHECK(harness.write(map.port(0), 1).response == kSlvErr);
  CHECK(harness.write(map.descriptor(0, RegisterMap::kConfig), 0x00010007).okay());
  CHECK(harness.write(map.descriptor(0, RegisterMap::kConfig), 0x00020003, 0x3).response == kSlvErr);
  CHECK(f.read(map.descriptor(0, RegisterMap::kConfig)) == 0x00010007);
  for (const std::uint32_t address : {0x040U, 0x3fcU, map.port(6), 0xffcU, map.descriptor(0, map.report + 16)}) {
    INFO("address ", address);
    CHECK(harness.read(address).response == kSlvErr);
    CHECK(harness.write(address, 0).response == kSlvErr);
  }
  // An enabled descriptor is written by its CONTROL only.
  f.configure({Job::on_group(Kind::kAllReduce, {0, 1})});
  const std::uint32_t config = f.read(map.descriptor(0, RegisterMap::kConfig));
  CHECK(harness.write(map.descriptor(0, RegisterMap::kConfig), 0).response == kSlvErr);
  CHECK(harness.write(map.descriptor(0, map.out_mask), 0).response == kSlvErr);
  CHECK(f.read(map.descriptor(0, RegisterMap::kConfig)) == config);
  CHECK(f.read(map.descriptor(0, RegisterMap::kInMask)) == 3);
  CHECK(harness.write(map.descriptor(0, RegisterMap::kControl), 0).okay());
  CHECK(harness.write(map.descriptor(0, RegisterMap::kConfig), 0).okay());
}

TEST_CASE("rtl: descriptors that make no sense are not enabled") {
  Fixture f(gaps());
  const RegisterMap& map = f.harness().registers();
  struct Case {
    std::string why;
    std::uint32_t config, in, out;
    bool enabled;
  };
  const auto config = [](Kind kind, std::uint32_t op, std::uint32_t table, std::uint32_t root) {
    return static_cast<std::uint32_t>(kind) | op << 4 | table << 12 | root << 16;
  };
  const std::vector<Case> cases{{"good", config(Kind::kAllReduce, 2, 0, 0), 3, 3, true},
                                {"empty in", config(Kind::kAllReduce, 2, 0, 0), 0, 3, false},
                                {"empty out", config(Kind::kAllReduce, 2, 0, 0), 3, 0, false},
                                {"kind 10", 10U | 2U << 4, 3, 3, false},
                                {"kind 15", 15U | 2U << 4, 3, 3, false},
                                {"sum is not built in", config(Kind::kReduce, 0, 0, 0), 3, 3, false},
                                {"barrier with sum", config(Kind::kBarrier, 0, 0, 0), 3, 3, false},
                                {"barrier", config(Kind::kBarrier, 2, 0, 0), 3, 3, true},
                                {"operation 3", config(Kind::kReduceScatter, 3, 0, 0), 3, 3, false},
                                {"broadcast needs no operation", config(Kind::kBroadcast, 0, 0, 0), 3, 3, true},
                                {"root of reduce is not in out", config(Kind::kReduce, 2, 0, 2), 7, 3, false},
                                {"root of gather is not in out", config(Kind::kGather, 2, 0, 2), 7, 3, false},
                                {"root of broadcast is not in in", config(Kind::kBroadcast, 2, 0, 2), 3, 7, false},
                                {"root of scatter is not in in", config(Kind::kScatter, 2, 0, 2), 3, 7, false},
                                {"root that does not exist", config(Kind::kReduce, 2, 0, 200), 7, 7, false},
                                {"all-to-all with other outputs", config(Kind::kAllToAll, 0, 0, 0), 3, 7, false},
                                {"all-to-all table 1", config(Kind::kAllToAll, 0, 1, 0), 3, 3, false},
                                {"all-to-all", config(Kind::kAllToAll, 0, 0, 0), 3, 3, true},
                                {"flow", config(Kind::kAllReduce, 2, 0, 0), 0x11, 6, true}};
  for (const Case& c : cases) {
    INFO(c.why);
    CHECK(f.harness().write(map.descriptor(1, RegisterMap::kConfig), c.config).okay());
    f.harness().write(map.descriptor(1, RegisterMap::kInMask), c.in);
    f.harness().write(map.descriptor(1, map.out_mask), c.out);
    CHECK(f.harness().write(map.descriptor(1, RegisterMap::kControl), 1).okay() == c.enabled);
    CHECK((f.status(1) & 1U) == (c.enabled ? 1U : 0U));
    f.harness().write(map.descriptor(1, RegisterMap::kControl), 0);
  }
  // Ports that do not exist: the mask is refused as it is written, and keeps what it held.
  for (const std::uint32_t bad : {0x21U, 0x80000001U}) {
    for (const std::uint32_t mask : {map.descriptor(1, RegisterMap::kInMask), map.descriptor(1, map.out_mask)}) {
      CHECK(f.harness().write(mask, 3).okay());
      CHECK(f.harness().write(mask, bad).response == kSlvErr);
      CHECK(f.harness().read(mask).data == 3);
    }
  }
  // A pair that calls itself compatible though its ports meet; one-sided it shares time and is accepted.
  for (const std::uint32_t mutual : {0U, 1U}) {
    for (const std::uint32_t d : {0U, 2U}) {
      const auto row = static_cast<int>(d);
      f.harness().write(map.descriptor(row, RegisterMap::kConfig), config(Kind::kAllReduce, 2, 0, 0));
      f.harness().write(map.descriptor(row, RegisterMap::kInMask), d == 0 ? 3 : 6);
      f.harness().write(map.descriptor(row, map.out_mask), d == 0 ? 3 : 6);
      f.harness().write(map.descriptor(row, map.compat), d == 0 ? 4U : mutual);
    }
    CHECK(f.harness().write(map.descriptor(0, RegisterMap::kControl), 1).okay());
    CHECK(f.harness().write(map.descriptor(2, RegisterMap::kControl), 1).okay() == (mutual == 0));
    f.harness().write(map.descriptor(0, RegisterMap::kControl), 0);
    f.harness().write(map.descriptor(2, RegisterMap::kControl), 0);
  }
  // Two all-to-alls of one table that share a port.
  for (const int row : {0, 2}) {
    f.harness().write(map.descriptor(row, RegisterMap::kConfig), config(Kind::kAllToAll, 0, 0, 0));
    f.harness().write(map.descriptor(row, map.compat), 0);
  }
  CHECK(f.harness().write(map.descriptor(0, RegisterMap::kControl), 1).okay());
  CHECK(f.harness().write(map.descriptor(2, RegisterMap::kControl), 1).response == kSlvErr);
}

TEST_CASE("rtl: unknown descriptor: held until it is enabled") {
  Fixture f;
  f.send(2, 5, kBeat);
  f.steps(20);
  CHECK(f.error() == kUnknown);
  CHECK((f.port(2) & 0x11U) == 0x11);
  CHECK(f.harness().write(RegisterMap::kError, kUnknown).okay());
  std::vector<Job> jobs;
  for (int i = 0; i < 6; ++i) jobs.push_back(Job::on_group(Kind::kBroadcast, {i < 5 ? i % 2 : 2}));
  f.expect(2, 5, kBeat);
  f.configure(jobs);
  f.steps(20);
  CHECK(f.harness().scoreboard().complete());
  CHECK(f.harness().scoreboard().mismatches() == 0);
  f.harness().write(RegisterMap::kError, 0x3f);
  CHECK(f.error() == 0);
}

TEST_CASE("rtl: a beat of another epoch is dropped, the next is not") {
  Fixture f;
  f.configure({Job::on_group(Kind::kAllReduce, {0, 1})});
  const Bytes other(8, std::byte{7});
  Bytes sum(8, std::byte{2});
  f.send(0, 0, other, 4);
  f.send(0, 0, kBeat);
  f.send(1, 0, kBeat);
  f.expect(0, 0, sum);
  f.expect(1, 0, sum);
  f.steps(40);
  CHECK(f.error() == kEpoch);
  CHECK(f.harness().scoreboard().complete());
  CHECK(f.harness().scoreboard().mismatches() == 0);
}

TEST_CASE("rtl: a port that is no member is held, the members go on") {
  Fixture f;
  f.configure({Job::on_group(Kind::kAllReduce, {0, 1}), Job::on_group(Kind::kSend, {3, 4})});
  f.send(2, 0, kBeat);
  f.send(3, 1, kBeat, 3, 5);  // destination outside OUT_MASK
  f.send(0, 0, kBeat);
  f.send(1, 0, kBeat);
  const Bytes sum(8, std::byte{2});
  f.expect(0, 0, sum);
  f.expect(1, 0, sum);
  f.steps(40);
  CHECK(f.error() == kMember);
  CHECK((f.port(2) & 0x11U) == 0x11);
  CHECK((f.port(3) & 0x11U) == 0x11);
  CHECK(f.harness().scoreboard().complete());
  CHECK(f.harness().scoreboard().mismatches() == 0);
}

TEST_CASE("rtl: only the root sends in a broadcast") {
  Fixture f;
  f.configure({Job::on_group(Kind::kBroadcast, {1, 4})});  // rank 0, port 1, is the root
  f.send(1, 0, kBeat);
  f.send(4, 0, kBeat);
  f.expect(1, 0, kBeat);
  f.expect(4, 0, kBeat);
  f.steps(40);
  CHECK(f.error() == kMember);
  CHECK((f.port(4) & 0x11U) == 0x11);
  CHECK(f.harness().scoreboard().complete());
  CHECK(f.harness().scoreboard().mismatches() == 0);
}

TEST_CASE("rtl: unequal operands halt the descriptor, and nothing else") {
  const Bytes two(16, std::byte{1});
  const Bytes half(4, std::byte{1});
  const Bytes cut(6, std::byte{1});
  const std::vector<std::pair<Bytes, Bytes>> pairs{{kBeat, two}, {kBeat, half}, {cut, cut}, {Bytes{}, kBeat}};
  for (const auto& pair : pairs) {
    const Bytes& a = pair.first;
    const Bytes& b = pair.second;
    Fixture f;
    f.configure({Job::on_group(Kind::kAllReduce, {0, 1}), Job::on_group(Kind::kAllReduce, {2, 3})});
    f.send(0, 0, a);
    f.send(1, 0, b);
    f.send(2, 1, kBeat);
    f.send(3, 1, kBeat);
    const Bytes sum(8, std::byte{2});
    f.expect(2, 1, sum);
    f.expect(3, 1, sum);
    f.steps(40);
    INFO(a.size(), " and ", b.size(), " bytes");
    CHECK(f.error() == kMismatch);
    CHECK((f.status(0) & 3U) == 3);
    CHECK((f.status(1) & 3U) == 1);
    CHECK(f.harness().scoreboard().complete());
    CHECK(f.harness().scoreboard().mismatches() == 0);
  }
}

TEST_CASE("rtl: step_end on one side only halts") {
  Fixture f;
  f.configure({Job::on_group(Kind::kAllReduce, {0, 1})});
  f.harness().source(0).push({kBeat.data(), 8, 0, 0, 3, true});
  f.harness().source(1).push({kBeat.data(), 8, 0, 0, 3, false});
  f.steps(30);
  CHECK(f.error() == kMismatch);
  CHECK((f.status(0) & 2U) == 2);
}

TEST_CASE("rtl: busy descriptors are not disabled") {
  Fixture f;
  f.configure({Job::on_group(Kind::kAllGather, {0, 1})});
  const RegisterMap& map = f.harness().registers();
  f.send(0, 0, kBeat);
  f.expect(0, 0, kBeat, 0);
  f.expect(1, 0, kBeat, 0);
  f.steps(30);
  CHECK(f.harness().scoreboard().complete());
  CHECK(f.status(0) == (1U | 4U | 1U << 16));  // enabled, busy, at step 1
  CHECK(f.harness().write(map.descriptor(0, RegisterMap::kControl), 0).response == kSlvErr);
  f.send(1, 0, kBeat);
  f.expect(0, 0, kBeat, 1);
  f.expect(1, 0, kBeat, 1);
  f.steps(30);
  CHECK(f.harness().scoreboard().mismatches() == 0);
  CHECK(f.status(0) == 1);
  CHECK(f.harness().write(map.descriptor(0, RegisterMap::kControl), 0).okay());
}

TEST_CASE("rtl: framing errors are held") {
  const Design design = small();
  struct Case {
    std::string why;
    std::function<void(InPins&)> first, second;  // change the first, the second beat of a good packet of two
  };
  const auto user = [&](InPins& in, std::uint32_t value) { set_field(in.s_tuser, 0, design.s_user_bits(), value); };
  const std::vector<Case> cases{
      {"good", nullptr, nullptr},
      {"a hole in tkeep", nullptr, [](InPins& in) { set_field(in.s_tkeep, 0, 8, 0x7d); }},
      {"tkeep does not begin at 0", nullptr, [](InPins& in) { set_field(in.s_tkeep, 0, 8, 0xfe); }},
      {"tkeep is not full before tlast", [](InPins& in) { set_field(in.s_tkeep, 0, 8, 0x7f); }, nullptr},
      {"no bytes before tlast", [](InPins& in) { set_field(in.s_tkeep, 0, 8, 0); }, nullptr},
      {"tdest changes", nullptr, [&](InPins& in) { set_field(in.s_tdest, 0, design.descriptor_bits(), 1); }},
      {"epoch changes", nullptr, [&](InPins& in) { user(in, 4U << 1 | 1U); }},
      {"destination changes", nullptr, [&](InPins& in) { user(in, 3U << 1 | 1U | 2U << 5); }},
      {"step_end without tlast", [&](InPins& in) { user(in, 3U << 1 | 1U); }, nullptr},
      {"tid", [](InPins& in) { set_bit(in.s_tid, 0, true); }, nullptr}};
  for (const Case& c : cases) {
    INFO(c.why);
    Fixture f;
    f.configure({Job::on_group(Kind::kBroadcast, {0, 1}), Job::on_group(Kind::kBroadcast, {2, 3})});
    // From here on the pins are driven by hand.
    InPins in(design);
    OutPins out(design);
    in.m_tready = in.m_vc_ready = Pins(in.m_tready.size(), 0x3f);
    int delivered = 0;
    for (int cycle = 0; cycle < 40; ++cycle) {
      in.s_tvalid[0] = cycle < 2 ? 1 : 0;
      set_prefix(in.s_tkeep, 0, 8, 8);
      set_bit(in.s_tlast, 0, cycle == 1);
      set_bit(in.s_tid, 0, false);
      set_field(in.s_tdest, 0, design.descriptor_bits(), 0);
      user(in, 3U << 1 | (cycle == 1 ? 1U : 0U));
      if (cycle == 0 && c.first) c.first(in);
      if (cycle == 1 && c.second) c.second(in);
      f.engine->cycle(in, out);
      if (cycle < 2) CHECK(get_bit(out.s_tready, 0));
      delivered += get_bit(out.m_tvalid, 1) ? 1 : 0;
    }
    const bool good = !c.first && !c.second;
    CHECK(delivered == (good ? 2 : c.second ? 1 : 0));
    f.harness().step();  // the harness's own idle pins again
    CHECK(f.error() == (good ? 0U : kFraming));
    CHECK((f.port(0) & 0x10U) == (good ? 0U : 0x10U));
  }
}

TEST_CASE("rtl: the first error is recorded with its kind, port, descriptor and cycle, and interrupts") {
  Fixture f;
  f.configure({Job::on_group(Kind::kAllReduce, {0, 1}), Job::on_group(Kind::kAllReduce, {3, 5})});
  const auto first = [&] { return f.read(RegisterMap::kFirstError); };
  const auto record = [](int kind, int port, int descriptor, bool has_port) {
    using First = FirstErrorFields;
    return First::kValid.place(1) | First::kKind.place(static_cast<std::uint32_t>(kind)) |
           First::kHasPort.place(has_port ? 1 : 0) | First::kPort.place(static_cast<std::uint32_t>(port)) |
           First::kDescriptor.place(static_cast<std::uint32_t>(descriptor));
  };
  bool irq = false;
  std::uint64_t since = 0;  // the first cycle with the interrupt
  f.harness().set_hook([&](const InPins&, const OutPins& out) {
    if (out.irq && !irq) since = f.harness().cycles();
    irq = out.irq;
  });
  CHECK(first() == 0);
  CHECK(f.read(RegisterMap::kFirstCycle) == 0);
  REQUIRE(f.harness().write(RegisterMap::kIrqEnable, kMismatch | kUnknown).okay());
  f.steps(5);
  CHECK_FALSE(irq);
  // An error that does not interrupt, then others, which are not recorded.
  f.send(4, 6, kBeat);
  f.send(3, 1, kBeat, 7);
  f.steps(20);
  CHECK(f.error() == (kUnknown | kEpoch));
  CHECK(irq);
  CHECK(first() == record(2, 3, 1, true));  // both came at once: the lower port
  REQUIRE(f.harness().write(RegisterMap::kError, kUnknown | kEpoch).okay());
  f.steps(2);
  CHECK(f.error() == kUnknown);  // it is still held, and a new first one
  CHECK(first() == record(3, 4, 6, true));
  const std::uint32_t cycle = f.read(RegisterMap::kFirstCycle);
  const std::uint32_t now = f.read(RegisterMap::kCycle);
  CHECK(cycle < now);
  CHECK(now - cycle < 60);
  // What comes later changes nothing, and clearing another bit does not.
  f.send(0, 0, kBeat);
  f.send(1, 0, Bytes(16, std::byte{1}));
  f.steps(20);
  CHECK(f.error() == (kUnknown | kMismatch));
  REQUIRE(f.harness().write(RegisterMap::kError, kMismatch).okay());
  CHECK(first() == record(3, 4, 6, true));
  CHECK(f.read(RegisterMap::kFirstCycle) == cycle);
  // The beat of nobody becomes one of a past epoch and is dropped.
  f.harness().reset();
  CHECK(first() == 0);
  CHECK(f.read(RegisterMap::kIrqEnable) == 0);
  CHECK_FALSE(irq);
  f.configure({Job::on_group(Kind::kAllReduce, {0, 1}), Job::on_group(Kind::kAllReduce, {3, 5})});
  REQUIRE(f.harness().write(RegisterMap::kIrqEnable, kMismatch).okay());
  f.send(5, 1, kBeat);
  f.send(3, 1, Bytes(16, std::byte{1}));
  const std::uint64_t sent = f.harness().cycles();
  f.steps(30);
  CHECK(irq);
  CHECK(since > sent);
  CHECK(since < sent + 10);
  CHECK(first() == record(1, 0, 1, false));
  REQUIRE(f.harness().write(RegisterMap::kError, kMismatch).okay());
  f.steps(2);
  CHECK_FALSE(irq);
  CHECK(first() == 0);
}
