// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of a switch and derives its widths and latencies. Latency and depths follow
// docs/protocol.md: L + 4 cycles from an accepted beat to m_axis, and buffers of 4 and L + 4 beats keep full rate.
#include "fred/design/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fred/error.hpp"

namespace fred {
namespace {

constexpr int kFullRateIngressDepth = 4;  // beats
constexpr int kMaxDepth = 1024;           // beats of one buffer
constexpr int kMaxPortBits = 4096;        // bits of tdata a port
constexpr int kDestinationBits = 8;       // of an all-to-all entry, beside the colours

void check_range(const char* option, int value, int low, int high) {
  if (value < low || value > high) {
    throw InputError(fmt::format("{} {}: allowed are {}..{}", option, value, low, high));
  }
}

int ceil_div(int a, int b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

int ceil_log2(int n) { return n <= 1 ? 0 : std::bit_width(static_cast<unsigned>(n) - 1U); }

void Design::validate() {
  check_range("--radix", radix, 2, 256);
  check_range("--middle", middle, 2, 8);
  const int bits = element_bits(dtype);
  const int low = std::max(1, ceil_div(8, bits));
  const int high = kMaxPortBits / bits;
  if (lanes < low || lanes > high) {
    throw InputError(fmt::format("--lanes {}: allowed with {} are {}..{}, which make ports of {}..{} bits", lanes,
                                 to_string(dtype), low, high, low * bits, high * bits));
  }
  if (ops.empty()) throw InputError("--ops: at least one of sum, min, max is needed");
  std::sort(ops.begin(), ops.end());
  if (const auto twice = std::adjacent_find(ops.begin(), ops.end()); twice != ops.end()) {
    throw InputError(fmt::format("--ops: {} is named twice", to_string(*twice)));
  }
  if (pipeline < 1) throw InputError(fmt::format("--pipeline {}: allowed is 1 or more", pipeline));
  check_range("--adder-latency", adder_latency, 1, 4);
  check_range("--descriptors", descriptors, 1, 64);
  check_range("--alltoall-tables", alltoall_tables, 0, 4);
  if (route_bits() + kDestinationBits > 32) {
    throw InputError(fmt::format("--radix {} --middle {}: a route takes {} bits; allowed are at most {}", radix, middle,
                                 route_bits(), 32 - kDestinationBits));
  }
  check_range("--ingress-depth", ingress_depth, 2, kMaxDepth);
  if (ingress_depth < kFullRateIngressDepth && !allow_slow) {
    throw InputError(
        fmt::format("--ingress-depth {}: full rate needs {}..{}; give --allow-slow to accept 2 or more at less than "
                    "full rate",
                    ingress_depth, kFullRateIngressDepth, kMaxDepth));
  }
  if (egress_depth == 0) egress_depth = first_beat_latency();
  check_range("--egress-depth", egress_depth, 2, kMaxDepth);
  if (egress_depth < first_beat_latency() && !allow_slow) {
    throw InputError(
        fmt::format("--egress-depth {}: full rate needs {}..{} (network latency {} + 4); give --allow-slow to accept 2 "
                    "or more at less than full rate",
                    egress_depth, first_beat_latency(), kMaxDepth, network_latency()));
  }
}

int Design::width() const { return lanes * element_bits(dtype); }
int Design::bytes() const { return width() / 8; }
int Design::levels() const { return ceil_log2(radix); }
int Design::colour_bits() const { return ceil_log2(middle); }
int Design::route_bits() const { return (levels() - 1) * colour_bits(); }
int Design::op_bits() const { return ops.size() == 1 ? 0 : 2; }
int Design::port_bits() const { return std::max(1, ceil_log2(radix)); }
int Design::descriptor_bits() const { return std::max(1, ceil_log2(descriptors)); }
int Design::keep_count_bits() const { return ceil_log2(bytes() + 1); }
int Design::s_user_bits() const { return 5 + port_bits(); }
int Design::m_user_bits() const { return 6 + port_bits(); }

int Design::network_latency() const { return levels() * adder_latency + ceil_div(levels() - 1, pipeline); }
int Design::first_beat_latency() const { return network_latency() + 4; }

std::string Design::canonical_options() const {
  std::string names;
  for (const Op op : ops) {
    if (!names.empty()) names += ',';
    names += to_string(op);
  }
  return fmt::format(
      "--radix {} --middle {} --dtype {} --lanes {} --ops {} --pipeline {} --adder-latency {} --descriptors {} "
      "--alltoall-tables {} --ingress-depth {} --egress-depth {}{}{}",
      radix, middle, to_string(dtype), lanes, names, pipeline, adder_latency, descriptors, alltoall_tables,
      ingress_depth, egress_depth == 0 ? first_beat_latency() : egress_depth, allow_slow ? " --allow-slow" : "",
      conflict_check ? "" : " --no-conflict-check");
}

}  // namespace fred
