// SPDX-License-Identifier: Apache-2.0
// The RTL does what the description of the registers says: every register and every address of several shapes, over
// AXI4-Lite, in whole switches and in the host alone. That the C header, SystemRDL and the page say the same is in
// tests/emit/register_files_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "fred/design/registers.hpp"
#include "tb/axi_lite.hpp"
#include "tb/random.hpp"
#include "tests/switch/host_shell.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

constexpr std::uint32_t kSlvErr = 2;
constexpr std::size_t kSampled = 5000;  // addresses or registers of a kind that are all tried; of more, so many

/// An engine and nothing but its AXI4-Lite port; other pins may be set by hand.
struct LiteBench {
  LiteBench(std::unique_ptr<Engine> its_engine, const Design& its_design)
      : design(its_design),
        map(its_design),
        blocks(register_blocks(its_design)),
        registers(all_registers(blocks)),
        engine(std::move(its_engine)),
        in(its_design),
        out(its_design) {
    std::fill(in.m_tready.begin(), in.m_tready.end(), ~0U);
    std::fill(in.m_vc_ready.begin(), in.m_vc_ready.end(), ~0U);
    reset();
  }

  void reset() {
    in.rst_n = false;
    steps(4);
    in.rst_n = true;
    steps(2);
  }
  void steps(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      lite.drive(in);
      engine->cycle(in, out);
      if (in.rst_n) lite.sample(out);
    }
  }
  LiteResult finish() {
    for (int i = 0; i < 100 && !lite.done(); ++i) steps(1);
    REQUIRE(lite.done());
    return lite.result();
  }
  LiteResult read(std::uint32_t address) {
    lite.start_read(address);
    return finish();
  }
  std::uint32_t response(std::uint32_t address, std::uint32_t data, std::uint32_t strobes = 0xf) {
    lite.start_write(address, data, strobes);
    return finish().response;
  }
  bool write(std::uint32_t address, std::uint32_t data) { return response(address, data) == 0; }

  /// The register's value; OKAY is checked.
  std::uint32_t value(std::uint32_t address) {
    const LiteResult result = read(address);
    CHECK(result.okay());
    return result.data;
  }
  /// A write that is refused and changes nothing that can be read there.
  void refuses(std::uint32_t address, std::uint32_t data, std::uint32_t strobes = 0xf) {
    CAPTURE(address);
    CAPTURE(data);
    const LiteResult before = read(address);
    CHECK(response(address, data, strobes) == kSlvErr);
    const LiteResult after = read(address);
    CHECK(after.response == before.response);
    CHECK(after.data == before.data);
  }

  const Design design;
  const RegisterMap map;
  const std::vector<RegisterBlock> blocks;
  const std::vector<RegisterAt> registers;
  std::unique_ptr<Engine> engine;
  InPins in;
  OutPins out;
  AxiLite lite;
};

/// Written by software, and any value of its bits is taken while the descriptor is disabled.
bool is_plain(const RegisterAt& at) {
  return at.block->name == "descriptor" && at.item->access == Access::kReadWrite && at.item->name != "CONTROL";
}

void check_after_reset(LiteBench& bench) {
  for (const RegisterAt& at : bench.registers) {
    CAPTURE(at.name());
    const LiteResult result = bench.read(at.address);
    if (at.item->access == Access::kWriteOnly) {
      CHECK(result.response == kSlvErr);
      CHECK(result.data == 0);
      continue;
    }
    CHECK(result.okay());
    CHECK((result.data & ~at.item->mask()) == 0);
    if (at.item->reset) CHECK(result.data == *at.item->reset);
  }
}

/// Every bit that a register has can be written, and no other; no register is another's.
void check_plain_registers(LiteBench& bench) {
  std::map<std::uint32_t, std::uint32_t> held;
  for (const RegisterAt& at : bench.registers) {
    if (!is_plain(at)) continue;
    const std::uint32_t own = (at.address * 0x9e3779b9U ^ at.address << 7) & at.item->mask();
    CAPTURE(at.name());
    CHECK(bench.write(at.address, own));
    held[at.address] = own;
  }
  for (const RegisterAt& at : bench.registers) {
    if (is_plain(at)) CHECK(bench.value(at.address) == held[at.address]);
  }
  const int descriptors = bench.design.descriptors;
  for (const RegisterAt& at : bench.registers) {
    if (!is_plain(at) || (at.indices[0] > 1 && at.indices[0] < descriptors - 1)) continue;
    CAPTURE(at.name());
    const std::uint32_t mask = at.item->mask();
    for (const std::uint32_t all : {mask, 0U}) {
      CHECK(bench.write(at.address, all));
      CHECK(bench.value(at.address) == all);
    }
    for (int bit = 0; bit < 32; ++bit) {
      const std::uint32_t one = 1U << bit;
      if ((mask & one) != 0) {
        CHECK(bench.write(at.address, one));
        CHECK(bench.value(at.address) == one);
      } else {
        bench.refuses(at.address, one);
      }
    }
    for (const std::uint32_t strobes : {0x0U, 0x1U, 0x7U, 0xeU}) bench.refuses(at.address, 0, strobes);
    bench.refuses(at.address + 1, 0);
    bench.refuses(at.address + 2, 0);
  }
}

void check_read_only(LiteBench& bench) {
  for (const RegisterAt& at : bench.registers) {
    if (at.item->access != Access::kReadOnly) continue;
    CAPTURE(at.name());
    for (const std::uint32_t data : {0U, 1U, ~0U}) {
      if (at.address == RegisterMap::kCycle) {  // which does not stand still
        CHECK(bench.response(at.address, data) == kSlvErr);
      } else {
        bench.refuses(at.address, data);
      }
    }
  }
}

void check_nothing_elsewhere(LiteBench& bench) {
  std::set<std::uint32_t> known;
  for (const RegisterAt& at : bench.registers) known.insert(at.address);
  const std::uint32_t end = 1U << bench.map.address_bits;
  Random random(7);
  for (std::size_t i = 0; i < std::min<std::size_t>(end / 4, kSampled); ++i) {
    const auto address = end / 4 <= kSampled ? static_cast<std::uint32_t>(4 * i)
                                             : static_cast<std::uint32_t>(4 * random.below(static_cast<int>(end / 4)));
    if (known.contains(address)) {
      CHECK(bench.read(address + 3).response == kSlvErr);
      continue;
    }
    CAPTURE(address);
    CHECK(bench.read(address).response == kSlvErr);
    CHECK(bench.response(address, 0) == kSlvErr);
  }
  // What lies right behind a block or an array is the likeliest to be taken for a part of it.
  for (const std::uint32_t address : known) {
    if (known.contains(address + 4) || address + 4 >= end) continue;
    CHECK(bench.read(address + 4).response == kSlvErr);
    CHECK(bench.response(address + 4, 0) == kSlvErr);
  }
}

/// Writes a row that may be enabled.
void set_up(LiteBench& bench, int descriptor, std::uint32_t config, std::uint32_t members) {
  for (const RegisterAt& at : bench.registers) {
    if (is_plain(at) && at.indices[0] == descriptor) REQUIRE(bench.write(at.address, 0));
  }
  REQUIRE(bench.write(bench.map.descriptor(descriptor, RegisterMap::kConfig), config));
  REQUIRE(bench.write(bench.map.descriptor(descriptor, RegisterMap::kInMask), members));
  REQUIRE(bench.write(bench.map.descriptor(descriptor, bench.map.out_mask), members));
}

std::uint32_t config_of(Kind kind) { return ConfigFields::kKind.place(static_cast<std::uint32_t>(kind)); }

void check_in_use(LiteBench& bench) {
  const int row = bench.design.descriptors - 1;
  const std::uint32_t control = bench.map.descriptor(row, RegisterMap::kControl);
  const std::uint32_t status = bench.map.descriptor(row, RegisterMap::kStatus);
  set_up(bench, row, config_of(Kind::kBroadcast), 3);
  for (const std::uint32_t data : {2U, 3U, 4U, 7U, 0x80000001U}) bench.refuses(control, data);
  CHECK(bench.write(control, 1));
  CHECK(bench.value(control) == 1);
  CHECK(bench.value(status) == StatusFields::kEnabled.mask());
  for (const RegisterAt& at : bench.registers) {
    if (!is_plain(at) || at.indices[0] != row) continue;
    bench.refuses(at.address, 0);
    bench.refuses(at.address, at.item->mask());
  }
  for (const std::uint32_t data : {2U, 4U, 6U, 7U}) bench.refuses(control, data);
  CHECK(bench.write(control, 1));                                                           // enabled already
  if (row > 0) CHECK(bench.write(bench.map.descriptor(row - 1, RegisterMap::kConfig), 0));  // another row is free
  CHECK(bench.write(control, 0));
  CHECK(bench.value(status) == 0);
  CHECK(bench.write(bench.map.descriptor(row, RegisterMap::kConfig), 0));
}

void check_entries(LiteBench& bench) {
  const Design& design = bench.design;
  if (design.alltoall_tables == 0) return;
  const Register& entry = register_named(bench.blocks, "ENTRY");
  const auto radix = static_cast<std::uint32_t>(design.radix);
  std::size_t tried = 0;
  for (const RegisterAt& at : bench.registers) {
    if (at.item != &entry || ++tried > kSampled) continue;
    CAPTURE(at.name());
    CHECK(bench.write(at.address, radix - 1));
    if (tried > 20) continue;
    CHECK(bench.write(at.address, entry.mask() & ~0xffU));
    CHECK(bench.response(at.address, radix) == kSlvErr);
    CHECK(bench.response(at.address, 0xff) == kSlvErr);
    CHECK(bench.response(at.address, 0, 0x7) == kSlvErr);
    for (int bit = 8; bit < 32; ++bit) CHECK(bench.write(at.address, 1U << bit) == ((entry.mask() >> bit & 1U) != 0));
  }
  const int table = design.alltoall_tables - 1;
  set_up(bench, 0, config_of(Kind::kAllToAll) | ConfigFields::kTable.place(static_cast<std::uint32_t>(table)), 3);
  CHECK(bench.write(bench.map.descriptor(0, RegisterMap::kControl), 1));
  bench.steps(600);  // its table is read
  for (int port = 0; port < design.radix; ++port) {
    CAPTURE(port);
    CHECK(bench.write(bench.map.alltoall(design, table, 1, port), 0) == (port > 1));
    if (table > 0) CHECK(bench.write(bench.map.alltoall(design, table - 1, 1, port), 0));
  }
  CHECK(bench.write(bench.map.descriptor(0, RegisterMap::kControl), 0));
  CHECK(bench.write(bench.map.alltoall(design, table, 1, 0), 0));
}

void check_settings(LiteBench& bench) {
  for (const std::uint32_t good : {RegisterMap::kBoundLeast, RegisterMap::kBoundLeast + 1, 65535U, 256U}) {
    CHECK(bench.write(RegisterMap::kBound, good));
    CHECK(bench.value(RegisterMap::kBound) == good);
  }
  for (const std::uint32_t bad : {0U, 1U, RegisterMap::kBoundLeast - 1, 65536U, 65536U + 256U, 1U << 31}) {
    bench.refuses(RegisterMap::kBound, bad);
  }
  std::vector<std::uint32_t> order;
  for (int v = 0; v < bench.design.vcs; ++v) order.push_back(static_cast<std::uint32_t>(v));
  const auto word = [&] {
    std::uint32_t value = 0;
    for (std::size_t place = 0; place < order.size(); ++place) value |= order[place] << (4 * place);
    return value;
  };
  const std::uint32_t identity = word();
  std::size_t orders = 0;
  do {
    CHECK(bench.write(RegisterMap::kPriority, word()));
    CHECK(bench.value(RegisterMap::kPriority) == word());
  } while (std::next_permutation(order.begin(), order.end()) && ++orders < 200);
  std::sort(order.begin(), order.end());
  CHECK(bench.write(RegisterMap::kPriority, identity));
  for (std::size_t place = 0; place < 8; ++place) {
    for (const std::uint32_t other : {1U, 2U, 7U, 8U, 15U}) {
      const std::uint32_t bad = identity ^ other << (4 * place);
      bench.refuses(RegisterMap::kPriority, bad);
    }
  }
  for (const std::uint32_t strobes : {0x1U, 0x7U}) bench.refuses(RegisterMap::kPriority, identity, strobes);
}

void check_error_bits(LiteBench& bench) {
  const std::uint32_t bits = register_named(bench.blocks, "ERROR").mask();
  CHECK(bench.write(RegisterMap::kError, bits));
  for (int bit = 0; bit < 32; ++bit) {
    if ((bits >> bit & 1U) == 0) bench.refuses(RegisterMap::kError, 1U << bit);
    if ((bits >> bit & 1U) == 0) bench.refuses(RegisterMap::kIrqEnable, 1U << bit);
  }
}

/// COUNTERS takes its one bit. Nothing has gone, so all counts are 0, before and after it.
void check_counters(LiteBench& bench) {
  if (!bench.design.counters) return;
  CHECK(bench.write(RegisterMap::kCounters, 0));
  CHECK(bench.write(RegisterMap::kCounters, 1));
  CHECK(bench.value(RegisterMap::kCounters) == 0);
  for (int bit = 1; bit < 32; ++bit) bench.refuses(RegisterMap::kCounters, 1U << bit);
  for (const std::uint32_t strobes : {0x1U, 0x7U, 0xeU}) bench.refuses(RegisterMap::kCounters, 1, strobes);
  for (const RegisterAt& at : bench.registers) {
    if (at.block->name != "beats" && at.block->name != "launches") continue;
    CAPTURE(at.name());
    CHECK(bench.value(at.address) == 0);
    bench.refuses(at.address, 1);
  }
}

/// A descriptor whose virtual circuit does not exist is not enabled.
void check_circuits(LiteBench& bench) {
  for (std::uint32_t vc = 0; vc <= ConfigFields::kVc.max(); ++vc) {
    CAPTURE(vc);
    set_up(bench, 0, config_of(Kind::kSend), 3);
    const bool exists = vc < static_cast<std::uint32_t>(bench.design.vcs);
    const bool has_bits = vc < 1U << ceil_log2(bench.design.vcs);
    CHECK(bench.write(bench.map.descriptor(0, RegisterMap::kConfig),
                      config_of(Kind::kSend) | ConfigFields::kVc.place(vc)) == has_bits);
    if (!has_bits) continue;
    CHECK(bench.write(bench.map.descriptor(0, RegisterMap::kControl), 1) == exists);
    CHECK(bench.value(bench.map.descriptor(0, RegisterMap::kStatus)) == (exists ? 1U : 0U));
    CHECK(bench.write(bench.map.descriptor(0, RegisterMap::kControl), 0));
  }
}

void walk(LiteBench& bench) {
  check_after_reset(bench);
  check_plain_registers(bench);
  check_read_only(bench);
  check_nothing_elsewhere(bench);
  check_in_use(bench);
  check_entries(bench);
  check_settings(bench);
  check_error_bits(bench);
  check_circuits(bench);
  check_counters(bench);
  bench.reset();
  check_after_reset(bench);
}

Design shaped(int radix, int middle, int descriptors, int tables, int vcs, std::vector<DType> more = {}) {
  Design design;
  design.radix = radix;
  design.middle = middle;
  design.descriptors = descriptors;
  design.alltoall_tables = tables;
  design.vcs = vcs;
  design.more_dtypes = std::move(more);
  design.lanes = 4;
  design.ops = {Op::kSum};
  design.validate();
  return design;
}

std::uint32_t pin_bits(const std::vector<std::uint32_t>& pins, int offset, int width) {
  std::uint32_t value = 0;
  for (int bit = 0; bit < width; ++bit) {
    const auto at = static_cast<std::size_t>(offset + bit);
    value |= (pins[at / 32] >> (at % 32) & 1U) << bit;
  }
  return value;
}

/// Aborts, hangs and reports; `aborted`: the bit of m_axis_tdata that says that descriptor 0 was aborted.
void check_supervision(LiteBench& bench, int aborted) {
  const Design& design = bench.design;
  for (int d = 0; d < design.descriptors; ++d) {
    CAPTURE(d);
    for (int i = 0; i < 4 * design.radix; ++i) {
      const int mask = i / design.radix, port = i % design.radix;
      const std::uint32_t word = static_cast<std::uint32_t>(mask * bench.map.mask_words + port / 32);
      const std::uint32_t value = bench.value(bench.map.descriptor(d, bench.map.report + 4 * word));
      CHECK((value >> (port % 32) & 1U) == ((7 * i + 3) % design.descriptors == d ? 1U : 0U));
    }
  }
  const auto status = [&](int d) { return bench.value(bench.map.descriptor(d, RegisterMap::kStatus)); };
  for (const auto& [bit, field] :
       {std::pair{9, StatusFields::kHangs}, {10, StatusFields::kAborting}, {11, StatusFields::kSpoiled}}) {
    bench.in.s_tdata[0] = 1U << bit;
    CHECK(status(0) == field.mask());
    if (design.descriptors > 1) CHECK(status(1) == 0);
    bench.in.s_tdata[0] = 0;
    CHECK(status(0) == 0);
  }
  const std::uint32_t abort = ControlFields::kAbort.mask() | ControlFields::kEnable.mask();
  for (int d = 0; d < design.descriptors; ++d) {
    CAPTURE(d);
    const std::uint32_t control = bench.map.descriptor(d, RegisterMap::kControl);
    const std::uint32_t epoch = 1 + static_cast<std::uint32_t>(d + 5) % 15;
    set_up(bench, d, config_of(Kind::kBroadcast), 3);
    bench.refuses(control, abort | ControlFields::kEpoch.place(epoch));  // it is not enabled
    CHECK(bench.write(control, 1));
    bench.refuses(control, ControlFields::kAbort.mask());
    bench.refuses(control, abort);  // to the epoch that it has
    bench.refuses(control, 1 | ControlFields::kEpoch.place(epoch));
    bench.refuses(control, ControlFields::kEpoch.place(epoch));
    if (d == 0) {
      bench.in.s_tdata[0] = 1U << 10;  // an abort is under way
      bench.refuses(control, abort | ControlFields::kEpoch.place(epoch));
      bench.in.s_tdata[0] = 0;
    }
    bench.steps(1);
    CHECK(pin_bits(bench.out.m_tdata, aborted + d, 1) == 0);
    CHECK(bench.write(control, abort | ControlFields::kEpoch.place(epoch)));
    bench.steps(2);
    for (int other = 0; other < design.descriptors; ++other) {
      CHECK(pin_bits(bench.out.m_tdata, aborted + other, 1) == (other <= d ? 1U : 0U));
    }
    CHECK(bench.value(control) == 1);
    const std::uint32_t config = bench.value(bench.map.descriptor(d, RegisterMap::kConfig));
    CHECK(config == (config_of(Kind::kBroadcast) | ConfigFields::kEpoch.place(epoch)));
    CHECK(bench.write(control, 0));
  }
  CHECK(bench.value(RegisterMap::kTimeout) == 0);
  for (const std::uint32_t exponent : {1U, 31U, 21U, 0U}) {
    CHECK(bench.write(RegisterMap::kTimeout, exponent));
    CHECK(bench.value(RegisterMap::kTimeout) == exponent);
  }
  for (const std::uint32_t bad : {32U, 1U << 31, 0x121U}) bench.refuses(RegisterMap::kTimeout, bad);
}

/// The record of the error whose pin has been set, and the interrupt.
void check_first_error(LiteBench& bench, const RegisterField& field) {
  const bool of_head = field.bits.low >= 2 && field.bits.low < 7;
  const std::uint32_t first = bench.value(RegisterMap::kFirstError);
  CHECK(FirstErrorFields::kValid.of(first) == 1);
  CHECK(FirstErrorFields::kKind.of(first) == static_cast<std::uint32_t>(field.bits.low));
  CHECK(FirstErrorFields::kHasPort.of(first) == (of_head ? 1U : 0U));
  CHECK(FirstErrorFields::kPort.of(first) == 0);
  CHECK(FirstErrorFields::kVc.of(first) == 0);
  CHECK(FirstErrorFields::kDescriptor.of(first) == (of_head ? 1U % (1U << bench.design.descriptor_bits()) : 0U));
  const std::uint32_t all = register_named(bench.blocks, "ERROR").mask();
  CHECK(bench.write(RegisterMap::kIrqEnable, all & ~field.bits.mask()));
  bench.steps(2);
  CHECK_FALSE(bench.out.irq);
  CHECK(bench.write(RegisterMap::kIrqEnable, field.bits.mask()));
  CHECK(bench.value(RegisterMap::kIrqEnable) == field.bits.mask());
  bench.steps(2);
  CHECK(bench.out.irq);
  CHECK(bench.write(RegisterMap::kIrqEnable, 0));
  const std::uint32_t then = bench.value(RegisterMap::kFirstCycle), now = bench.value(RegisterMap::kCycle);
  CHECK(now > then);
  CHECK(now < then + 200);
  bench.steps(50);
  CHECK(bench.value(RegisterMap::kCycle) > now + 50);
  CHECK(bench.value(RegisterMap::kFirstCycle) == then);
}

/// What only the host alone shows: status of (port, circuit) at its address, errors, and what the data path is given.
void check_pins(LiteBench& bench) {
  const Design& design = bench.design;
  for (int port = 0; port < design.radix; ++port) {
    for (int vc = 0; vc < design.vcs; ++vc) {
      const auto q = static_cast<std::uint32_t>(port * design.vcs + vc);
      const std::uint32_t status = bench.value(bench.map.port(port, vc));
      CAPTURE(q);
      CHECK((status & 0x1fU) == ((q + 1) & 0xfU));
      CHECK(PortFields::kDescriptor.of(status) == (5 * q + 1) % (1U << design.descriptor_bits()));
      CHECK(PortFields::kOwner.of(status) == (3 * q + 2) % (1U << design.descriptor_bits()));
    }
  }
  for (const RegisterField& field : register_named(bench.blocks, "ERROR").existing_fields()) {
    CAPTURE(field.name);
    const std::uint32_t all = register_named(bench.blocks, "ERROR").mask();
    const std::uint32_t bit = field.bits.mask();
    CHECK(bench.value(RegisterMap::kError) == 0);
    bench.in.s_tdata[0] = bit;
    bench.steps(1);
    check_first_error(bench, field);
    if (field.bits.low >= 3 && field.bits.low < 7) {  // a head is held, and says so in PORT
      CHECK(PortFields::kHeld.of(bench.value(bench.map.port(0, 0))) == 1);
      CHECK(PortFields::kHeld.of(bench.value(bench.map.port(design.radix - 1, 0))) == 0);
      CHECK(bench.write(RegisterMap::kError, bit));
      CHECK(bench.value(RegisterMap::kError) == bit);  // it comes back
    }
    bench.in.s_tdata[0] = 0;
    CHECK(bench.value(RegisterMap::kError) == bit);
    CHECK(bench.write(RegisterMap::kError, all & ~bit));
    CHECK(bench.value(RegisterMap::kError) == bit);
    CHECK(bench.write(RegisterMap::kError, bit));
  }
  // PRIORITY as a relation, BOUND, and the circuit of each descriptor.
  const int circuits = design.vcs;
  std::vector<int> order;
  for (int v = circuits; v-- > 0;) order.push_back(v);
  for (int round = 0; round < circuits; ++round) {
    std::uint32_t word = 0;
    for (int place = 0; place < circuits; ++place) {
      word |= static_cast<std::uint32_t>(order[static_cast<std::size_t>(place)]) << (4 * place);
    }
    CHECK(bench.write(RegisterMap::kPriority, word));
    bench.steps(2);
    for (int v = 0; v < circuits; ++v) {
      for (int w = 0; w < circuits; ++w) {
        const bool before = std::find(order.begin(), order.end(), w) < std::find(order.begin(), order.end(), v);
        CHECK(pin_bits(bench.out.m_tdata, v * circuits + w, 1) == (before ? 1U : 0U));
      }
    }
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  CHECK(bench.write(RegisterMap::kBound, 0xabc));
  bench.steps(1);
  CHECK(pin_bits(bench.out.m_tdata, circuits * circuits, 16) == 0xabc);
  for (int d = 0; d < design.descriptors; ++d) {
    CHECK(bench.write(bench.map.descriptor(d, RegisterMap::kConfig),
                      ConfigFields::kVc.place(static_cast<std::uint32_t>(d % circuits))));
  }
  bench.steps(2);
  for (int d = 0; d < design.descriptors; ++d) {
    CAPTURE(d);
    CHECK(pin_bits(bench.out.m_tdata, circuits * circuits + 16 + d * circuits, circuits) == 1U << (d % circuits));
  }
  check_supervision(bench, circuits * circuits + 16 + design.descriptors * circuits);
}

}  // namespace

TEST_CASE("rtl: every register and address of whole switches is as described") {
  // One with counters, also of three circuits.
  Design counting = shaped(5, 3, 3, 2, 3);
  counting.counters = true;
  for (const Design& design : {counting, counting_design(), shaped(2, 2, 1, 0, 1, {DType::kFp32, DType::kInt8})}) {
    INFO(design.canonical_options());
    LiteBench bench(rtl_switch(design), design);
    walk(bench);
  }
}

TEST_CASE("rtl: every register and address of the host is as described") {
  // Several circuits, also no power of two; masks of two words; three tables in the room of four; many descriptors.
  for (const Design& design :
       {shaped(5, 3, 5, 3, 3), shaped(34, 2, 33, 1, 2, {DType::kInt8}), shaped(2, 2, 3, 0, 8), shaped(3, 2, 2, 1, 1)}) {
    INFO(design.canonical_options());
    LiteBench bench(open_model(build_model(host_shell(design)).shared_object.string()), design);
    walk(bench);
    check_pins(bench);
  }
}
