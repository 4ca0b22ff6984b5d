// SPDX-License-Identifier: Apache-2.0
// Checks the parameters of a switch and derives its widths and latencies. Latency and depths follow
// docs/protocol.md: L + 4 cycles from an accepted beat to m_axis, with `acc` L + 6, with whole packets one more, and
// buffers of 4 and as many beats as these cycles keep full rate.
#include "fred/design/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "fred/design/kind.hpp"
#include "fred/error.hpp"
#include "fred/version.hpp"

namespace fred {
namespace {

constexpr int kMaxDepth = 1024;                      // beats of one buffer
constexpr int kMaxPortBits = 4096;                   // bits of tdata a port
constexpr int kMaxNetworkBits = 8192;                // of a beat inside the network
constexpr std::size_t kMaxTypes = 7;                 // of which a number in 3 bits chooses
constexpr int kDestinationBits = 8;                  // of an all-to-all entry, beside the colours
constexpr std::int64_t kMaxStaticTableBits = 65536;  // of one number in the text of a module, which tools can read

void check_range(const char* option, int value, int low, int high) {
  if (value < low || value > high) {
    throw InputError(fmt::format("{} {}: allowed are {}..{}", option, value, low, high));
  }
}

int ceil_div(int a, int b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

int ceil_log2(int n) { return n <= 1 ? 0 : std::bit_width(static_cast<unsigned>(n) - 1U); }

std::string_view to_string(Egress egress) { return egress == Egress::kPacket ? "packet" : "beat"; }

Egress parse_egress(std::string_view name) {
  for (const Egress egress : {Egress::kBeat, Egress::kPacket}) {
    if (name == to_string(egress)) return egress;
  }
  throw InputError(fmt::format("--egress {}: allowed are beat, packet", name));
}

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
  if (ops.empty()) throw InputError(fmt::format("--ops: at least one of {} is needed", op_names()));
  check_types();
  std::sort(ops.begin(), ops.end());
  if (const auto twice = std::adjacent_find(ops.begin(), ops.end()); twice != ops.end()) {
    throw InputError(fmt::format("--ops: {} is named twice", to_string(*twice)));
  }
  for (const Op op : ops) {
    const std::vector<DType> types = dtypes();
    if (std::any_of(types.begin(), types.end(), [op](DType type) { return is_defined(type, op); })) continue;
    throw InputError(fmt::format("--ops {}: not with {}: it is for integers and 8-bit floating point", to_string(op),
                                 names_of(types)));
  }
  if (pipeline < 1) throw InputError(fmt::format("--pipeline {}: allowed is 1 or more", pipeline));
  check_range("--adder-latency", adder_latency, 1, 4);
  check_range("--descriptors", descriptors, 1, kMaxDescriptors);
  check_range("--alltoall-tables", alltoall_tables, 0, kMaxAllToAllTables);
  if (route_bits() + kDestinationBits > 32) {
    throw InputError(fmt::format("--radix {} --middle {}: a route takes {} bits; allowed are at most {}", radix, middle,
                                 route_bits(), 32 - kDestinationBits));
  }
  check_range("--vcs", vcs, 1, kMaxCircuits);
  if (ingress_depth == 0) ingress_depth = full_rate_ingress_depth();
  check_range("--ingress-depth", ingress_depth, vcs > 1 ? 3 : 2, kMaxDepth);  // with 2, vc_ready would never be set
  if (ingress_depth < full_rate_ingress_depth() && !allow_slow) {
    throw InputError(
        fmt::format("--ingress-depth {}: full rate needs {}..{}; give --allow-slow to accept 2 or more at less than "
                    "full rate",
                    ingress_depth, full_rate_ingress_depth(), kMaxDepth));
  }
  if (egress_depth == 0) egress_depth = first_beat_latency();
  check_range("--egress-depth", egress_depth, 2, kMaxDepth);
  if (network_width() > kMaxNetworkBits) {
    throw InputError(
        fmt::format("--acc {}: beats of {} bits in the network; at most {} are allowed: take fewer --lanes",
                    to_string(*acc), network_width(), kMaxNetworkBits));
  }
  check_link_ports();
  if (static_form) check_static_form();
  if (egress_depth < first_beat_latency() && !allow_slow) {
    throw InputError(fmt::format(
        "--egress-depth {}: full rate needs {}..{} (network latency {} + {}); give --allow-slow to accept 2 "
        "or more at less than full rate",
        egress_depth, first_beat_latency(), kMaxDepth, network_latency(), first_beat_latency() - network_latency()));
  }
}

void Design::check_link_ports() {
  check_range("--link-ports: number of ports", link_ports, 0, radix);
  if (link_ports == 0) return;
  if (static_form)
    throw InputError("--link-ports: slots and tags are registers, which --static has not; leave out one");
  if (link.step_bits == 0) link.step_bits = std::max(8, port_bits());
  if (link.tag_bits == 0) link.tag_bits = descriptor_bits();
  check_range("--slots", link.slots, 1, kMaxCircuits);
  check_range("--step-bits", link.step_bits, port_bits(), kMaxStepBits);
  check_range("--tag-bits", link.tag_bits, descriptor_bits(), kMaxTagBits);
  link.width = width();
  link.validate("--link-latency");
}

void Design::check_static_form() const {
  if (counters) throw InputError("--counters: registers read them; leave out --static, which has none");
  const std::vector<Collective>& collectives = static_form->collectives;
  if (static_cast<int>(collectives.size()) != descriptors) {
    throw InputError(fmt::format("--static: {} collectives and {} descriptors; there must be one for each",
                                 collectives.size(), descriptors));
  }
  StaticForm::check_watchdog(static_form->watchdog);
  const auto table_bits = static_cast<std::int64_t>(alltoall_tables) * radix * (std::int64_t{1} << port_bits()) *
                          (port_bits() + std::max(1, route_bits()));
  if (table_bits > kMaxStaticTableBits) {
    throw InputError(
        fmt::format("--static: the all-to-all tables of {} ports are constants of {} bits; at most {} "
                    "are allowed: take fewer ports, or a switch with registers",
                    radix, table_bits, kMaxStaticTableBits));
  }
  if (static_form->tdest) return;
  std::map<std::pair<int, int>, std::size_t> named;  // the descriptor of a port and circuit
  for (std::size_t d = 0; d < collectives.size(); ++d) {
    for (const int port : collectives[d].senders()) {
      const auto [at, is_new] = named.try_emplace({port, collectives[d].vc}, d);
      if (is_new) continue;
      throw InputError(
          fmt::format("--static: port {} sends in descriptors {} ({}) and {} ({}) on virtual circuit {}; give --tdest, "
                      "which keeps the pin that names the descriptor, or another circuit",
                      port, at->second, to_string(collectives[at->second].kind), d, to_string(collectives[d].kind),
                      collectives[d].vc));
    }
  }
}

void Design::check_types() {
  const std::vector<DType> types = dtypes();
  if (acc) static_cast<void>(parse_acc(to_string(*acc), types));
  if (acc == dtype && more_dtypes.empty()) acc.reset();  // nothing to convert
  if (types.size() > kMaxTypes) {
    throw InputError(fmt::format("--dtype: {} types; at most {} fit into one switch", types.size(), kMaxTypes));
  }
  for (auto type = types.begin(); type != types.end(); ++type) {
    if (std::find(types.begin(), type, *type) != type) {
      throw InputError(fmt::format("--dtype: {} is named twice", to_string(*type)));
    }
    if (width() % element_bits(*type) != 0) {
      throw InputError(fmt::format(
          "--lanes {}: ports of {} bits do not hold a whole number of {} of {} bits; allowed are "
          "multiples of {}",
          lanes, width(), to_string(*type), element_bits(*type), element_bits(*type) / element_bits(dtype)));
    }
    if (std::none_of(ops.begin(), ops.end(), [type](Op op) { return is_defined(*type, op); })) {
      throw InputError(fmt::format("--ops {}: not defined for {}; add one of sum, min, max, and, or, xor",
                                   to_string(ops.front()), to_string(*type)));
    }
  }
}

std::vector<DType> Design::dtypes() const {
  std::vector<DType> all = {dtype};
  all.insert(all.end(), more_dtypes.begin(), more_dtypes.end());
  return all;
}
int Design::type_bits() const { return ceil_log2(static_cast<int>(more_dtypes.size()) + 1); }
int Design::width() const { return lanes * element_bits(dtype); }
int Design::bytes() const { return width() / 8; }
int Design::levels() const { return ceil_log2(radix); }
int Design::colour_bits() const { return ceil_log2(middle); }
int Design::route_bits() const { return (levels() - 1) * colour_bits(); }
int Design::op_mask() const {
  int mask = 0;
  for (const Op op : ops) mask |= 1 << static_cast<int>(op);
  return mask;
}
int Design::code_bits() const { return *std::max_element(ops.begin(), ops.end()) < Op::kAnd ? 2 : 3; }
int Design::op_width() const { return code_bits() + (acc ? 0 : type_bits()); }
int Design::op_bits() const { return ops.size() == 1 && (acc || more_dtypes.empty()) ? 0 : op_width(); }

std::vector<DType> Design::network_dtypes() const { return acc ? std::vector<DType>{*acc} : dtypes(); }
int Design::network_width() const {
  if (!acc) return width();
  int narrowest = element_bits(dtype);
  for (const DType type : more_dtypes) narrowest = std::min(narrowest, element_bits(type));
  return width() / narrowest * element_bits(*acc);
}
int Design::reducer_lanes() const {
  int lanes_of_all = 0;
  for (const DType type : network_dtypes()) lanes_of_all += network_width() / element_bits(type);
  return lanes_of_all;
}
int Design::edge_latency() const { return acc ? 2 : 0; }
int Design::port_bits() const { return std::max(1, ceil_log2(radix)); }
int Design::step_bits() const { return link_ports > 0 ? link.step_bits : port_bits(); }
int Design::ends() const { return radix - link_ports; }
int Design::circuits() const { return link_ports > 0 ? std::max(vcs, link.slots) : vcs; }
int Design::vc_bits() const { return std::max(1, ceil_log2(vcs)); }
int Design::descriptor_bits() const { return std::max(1, ceil_log2(descriptors)); }
int Design::keep_count_bits() const { return ceil_log2(bytes() + 1); }
int Design::s_user_bits() const { return 5 + port_bits(); }
int Design::m_user_bits() const { return 6 + step_bits(); }

int Design::network_latency() const { return levels() * adder_latency + ceil_div(levels() - 1, pipeline); }
int Design::full_rate_ingress_depth() const { return vcs > 1 ? 6 : 4; }
int Design::first_beat_latency() const {
  return network_latency() + 4 + edge_latency() + (egress == Egress::kPacket ? 1 : 0);
}

std::string Design::beat_text() const {
  std::string text = fmt::format("{} x {}", lanes, to_string(dtype));
  if (!more_dtypes.empty()) {
    text = fmt::format("{} bits of {}", width(), to_string(dtype));
    for (const DType type : more_dtypes)
      text += fmt::format("{}{}", type == more_dtypes.back() ? " or " : ", ", to_string(type));
  }
  if (acc) text += fmt::format(" accumulated in {}", to_string(*acc));
  return text;
}

std::string Design::canonical_options() const {
  std::string names;
  for (const Op op : ops) {
    if (!names.empty()) names += ',';
    names += to_string(op);
  }
  std::string types{to_string(dtype)};
  for (const DType type : more_dtypes) types += fmt::format(",{}", to_string(type));
  // A static form has as many descriptors and tables as it needs.
  const std::string table =
      static_form ? "" : fmt::format(" --descriptors {} --alltoall-tables {}", descriptors, alltoall_tables);
  return fmt::format(
      "--radix {} --middle {} --dtype {}{} --lanes {} --ops {} --pipeline {} --adder-latency {}{} --vcs {} "
      "--ingress-depth {} --egress-depth {}{}{}{}{}{}{}",
      radix, middle, types, acc ? fmt::format(" --acc {}", to_string(*acc)) : "", lanes, names, pipeline, adder_latency,
      table, vcs, ingress_depth == 0 ? full_rate_ingress_depth() : ingress_depth,
      egress_depth == 0 ? first_beat_latency() : egress_depth, egress == Egress::kPacket ? " --egress packet" : "",
      allow_slow ? " --allow-slow" : "", conflict_check ? "" : " --no-conflict-check", counters ? " --counters" : "",
      static_form ? " " + static_form->canonical_options(*this) : "",
      link_ports > 0 ? fmt::format(" --link-ports {} {}", link_port_list(), link.switch_options()) : "");
}

std::string Design::link_port_list() const {
  std::string list;
  for (int port = ends(); port < radix; ++port) list += fmt::format("{}{}", list.empty() ? "" : ",", port);
  return list;
}

std::uint32_t parameter_hash(const Design& design) {
  std::uint32_t hash = 2166136261U;  // FNV-1a, 32 bits
  for (const char c : fmt::format("fred {} {}", version(), design.canonical_options())) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  }
  return hash;
}

}  // namespace fred
