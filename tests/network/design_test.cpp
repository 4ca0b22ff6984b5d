// SPDX-License-Identifier: Apache-2.0
// Parameters: what is allowed, what follows from them, where the registers are.
#include "fred/design/design.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "fred/design/register_map.hpp"
#include "fred/error.hpp"

using namespace fred;

namespace {

Design valid(Design design) {
  design.validate();
  return design;
}

std::string refusal(const Design& design) {
  try {
    valid(design);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the default design") {
  const Design design = valid({});
  CHECK(design.canonical_options() ==
        "--radix 8 --middle 3 --dtype bf16 --lanes 1 --ops sum,min,max --pipeline 1 --adder-latency 1 --descriptors 8 "
        "--alltoall-tables 1 --vcs 4 --ingress-depth 6 --egress-depth 9");
  CHECK(design.network_latency() == 5);
  CHECK(design.first_beat_latency() == 9);
  CHECK(design.egress_depth == 9);
  CHECK(design.width() == 16);
  CHECK(design.bytes() == 2);
  CHECK(design.levels() == 3);
  CHECK(design.colour_bits() == 2);
  CHECK(design.route_bits() == 4);
  CHECK(design.op_bits() == 2);
  CHECK(design.port_bits() == 3);
  CHECK(design.descriptor_bits() == 3);
  CHECK(design.keep_count_bits() == 2);
  CHECK(design.s_user_bits() == 8);
  CHECK(design.m_user_bits() == 9);
  CHECK(Design{}.canonical_options() == design.canonical_options());
}

TEST_CASE("ceil_log2") {
  const int expected[] = {0, 0, 1, 2, 2, 3, 3, 3, 3, 4};
  for (int n = 1; n <= 9; ++n) CHECK(ceil_log2(n) == expected[n]);
  CHECK(ceil_log2(256) == 8);
  CHECK(ceil_log2(257) == 9);
}

TEST_CASE("latency: levels * A + ceil((levels - 1) / K)") {
  Design design;
  design.radix = 64;  // 6 levels
  CHECK(design.network_latency() == 11);
  design.pipeline = 2;
  CHECK(design.network_latency() == 9);
  design.pipeline = 100;
  CHECK(design.network_latency() == 7);
  design.pipeline = 2147483647;
  CHECK(design.network_latency() == 7);
  design.adder_latency = 3;
  CHECK(design.network_latency() == 19);
  design.radix = 2;
  CHECK(design.network_latency() == 3);
}

TEST_CASE("errors name the option, the value and what is allowed") {
  const auto with = [](auto set) {
    Design design;
    set(design);
    return refusal(design);
  };
  CHECK(with([](Design& d) { d.radix = 1; }) == "--radix 1: allowed are 2..256");
  CHECK(with([](Design& d) { d.radix = 257; }) == "--radix 257: allowed are 2..256");
  CHECK(with([](Design& d) { d.middle = 9; }) == "--middle 9: allowed are 2..8");
  CHECK(with([](Design& d) { d.lanes = 0; }) ==
        "--lanes 0: allowed with bf16 are 1..256, which make ports of 16..4096 bits");
  CHECK(with([](Design& d) { d.lanes = 2147483647; }) ==
        "--lanes 2147483647: allowed with bf16 are 1..256, which make ports of 16..4096 bits");
  CHECK(with([](Design& d) { d.ops = {}; }) == "--ops: at least one of sum, min, max, sum-sat, and, or, xor is needed");
  CHECK(with([](Design& d) { d.ops = {Op::kMin, Op::kMin}; }) == "--ops: min is named twice");
  CHECK(with([](Design& d) { d.pipeline = 0; }) == "--pipeline 0: allowed is 1 or more");
  CHECK(with([](Design& d) { d.adder_latency = 5; }) == "--adder-latency 5: allowed are 1..4");
  CHECK(with([](Design& d) { d.descriptors = 65; }) == "--descriptors 65: allowed are 1..64");
  CHECK(with([](Design& d) { d.alltoall_tables = -1; }) == "--alltoall-tables -1: allowed are 0..4");
  CHECK(with([](Design& d) { d.vcs = 0; }) == "--vcs 0: allowed are 1..8");
  CHECK(with([](Design& d) { d.vcs = 9; }) == "--vcs 9: allowed are 1..8");
  CHECK(with([](Design& d) { d.ingress_depth = 2; }) == "--ingress-depth 2: allowed are 3..1024");
  CHECK(contains(with([](Design& d) { d.ingress_depth = 5; }), "--ingress-depth 5: full rate needs 6..1024"));
  CHECK(with([](Design& d) { d.vcs = 1, d.ingress_depth = 1; }) == "--ingress-depth 1: allowed are 2..1024");
  CHECK(
      contains(with([](Design& d) { d.vcs = 1, d.ingress_depth = 3; }), "--ingress-depth 3: full rate needs 4..1024"));
  CHECK(contains(with([](Design& d) { d.egress_depth = 8; }), "--egress-depth 8: full rate needs 9..1024"));
  CHECK(contains(with([](Design& d) { d.egress_depth = 8; }), "--allow-slow"));
}

TEST_CASE("shallow buffers are accepted with --allow-slow, and said so") {
  Design design;
  design.vcs = 1;
  design.ingress_depth = 2;
  design.egress_depth = 2;
  design.allow_slow = true;
  design.validate();
  CHECK(contains(design.canonical_options(), "--ingress-depth 2 --egress-depth 2 --allow-slow"));
}

TEST_CASE("operations are kept in code order") {
  Design design;
  design.ops = {Op::kMax, Op::kSum};
  design.validate();
  CHECK(design.ops == std::vector<Op>{Op::kSum, Op::kMax});
  CHECK(contains(design.canonical_options(), "--ops sum,max "));
  design.ops = {Op::kMin};
  CHECK(design.op_bits() == 0);
}

TEST_CASE("the default register map") {
  const Design design = valid({});
  const RegisterMap map(design);
  CHECK(map.mask_words == 1);
  CHECK(map.compat_words == 1);
  CHECK(map.out_mask == 0x14);
  CHECK(map.compat == 0x18);
  CHECK(map.report == 0x1c);
  CHECK(map.descriptor_stride == 0x40);
  CHECK(map.descriptor(3, RegisterMap::kConfig) == 0x10c8);
  CHECK(map.alltoall_base == 0x1200);  // 8 * 8 * 4 = 0x100 bytes
  CHECK(map.alltoall(design, 0, 2, 5) == 0x1200 + (2 * 8 + 5) * 4);
  CHECK(map.address_bits == 13);
}

TEST_CASE("register maps: port status by virtual circuit moves up where it needs room") {
  struct Case {
    int radix, vcs;
    std::uint32_t base, stride, descriptors;
  };
  for (const Case& c : {Case{8, 1, 0x400, 4, 0x1000}, Case{256, 1, 0x400, 4, 0x1000}, Case{5, 3, 0x400, 16, 0x1000},
                        Case{64, 4, 0x400, 16, 0x1000}, Case{65, 4, 0x800, 16, 0x1000}, Case{256, 2, 0x800, 8, 0x1000},
                        Case{128, 8, 0x1000, 32, 0x2000}, Case{256, 8, 0x2000, 32, 0x4000}}) {
    Design design;
    design.radix = c.radix;
    design.vcs = c.vcs;
    design.middle = 2;
    design.validate();
    const RegisterMap map(design);
    CAPTURE(design.canonical_options());
    CHECK(map.port_base == c.base);
    CHECK(map.port_stride == c.stride);
    CHECK(map.descriptor_base == c.descriptors);
    CHECK(map.port(c.radix - 1, c.vcs - 1) == c.base + (c.radix - 1) * c.stride + 4U * (c.vcs - 1));
    CHECK(map.port(c.radix - 1, c.vcs - 1) < map.descriptor_base);
  }
}

TEST_CASE("register maps do not overlap and fit the address") {
  for (const int radix : {2, 3, 8, 33, 64, 65, 256}) {
    for (const int descriptors : {1, 3, 32, 33, 64}) {
      for (int tables = 0; tables <= 4; ++tables) {
        Design design;
        design.radix = radix;
        design.descriptors = descriptors;
        design.alltoall_tables = tables;
        design.validate();
        const RegisterMap map(design);
        CAPTURE(design.canonical_options());
        const auto stride = map.descriptor_stride;
        CHECK((stride & (stride - 1)) == 0);
        CHECK(map.report == map.compat + 4U * map.compat_words);
        CHECK(map.report + 16U * map.mask_words <= stride);
        CHECK(map.report + 16U * map.mask_words > stride / 2);
        CHECK(map.out_mask == RegisterMap::kInMask + 4U * map.mask_words);
        CHECK(map.port_base == std::max(0x400U, std::bit_ceil(16U * static_cast<unsigned>(radix))));
        CHECK(map.port(radix - 1, design.vcs - 1) + 4U <= map.descriptor_base);
        const auto descriptors_end = map.descriptor_base + stride * descriptors;
        CHECK(map.alltoall_base >= descriptors_end);
        if (tables == 0) {
          CHECK(map.alltoall_base == descriptors_end);
        } else {
          const int p2 = 1 << design.port_bits();
          const std::uint32_t size = 4U * (tables == 3 ? 4 : tables) * p2 * p2;
          CHECK(map.alltoall_base % size == 0);
          CHECK(map.alltoall_base - descriptors_end < size);
          CHECK(map.alltoall(design, tables - 1, p2 - 1, p2 - 1) < (1ULL << map.address_bits));
        }
        CHECK(descriptors_end <= (1ULL << map.address_bits));
      }
    }
  }
}
