// SPDX-License-Identifier: Apache-2.0
// The parameters of one generated switch as a value, and everything that follows from them by arithmetic:
// widths, latencies, register addresses. Emitter, testbench and models all read them here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fred/design/collective.hpp"
#include "fred/design/link.hpp"
#include "fred/numeric/dtype.hpp"

namespace fred {

constexpr int kMaxDescriptors = 64;  ///< entries of the descriptor table
constexpr int kMaxAllToAllTables = 4;
constexpr int kMaxCircuits = 8;   ///< virtual circuits, and slots of a link port
constexpr int kMaxStepBits = 12;  ///< with link ports
constexpr int kMaxTagBits = 8;    ///< with link ports

/// ceil(log2(n)) for n >= 1.
[[nodiscard]] int ceil_log2(int n);

/// What an egress port offers first: any beat that is there, or a packet once all of it is there.
enum class Egress { kBeat, kPacket };
/// "beat", "packet".
[[nodiscard]] std::string_view to_string(Egress egress);
/// Throws InputError that names the value and lists what is allowed.
[[nodiscard]] Egress parse_egress(std::string_view name);

/// One switch. Plain and comparable; `validate` before use.
struct Design {
  int radix = 8;                   ///< P, ports; 2..256
  int middle = 3;                  ///< m, middle subnetworks a level; 2..8
  DType dtype = DType::kBf16;      ///< element type, the first one
  std::vector<DType> more_dtypes;  ///< further ones, at most 6; a descriptor says which
  std::optional<DType> acc;        ///< type in which sums are accumulated inside the network; none: the element's
  int lanes = 1;  ///< elements of the first type a beat; port width = lanes * element bits, 8..4096 bits
  std::vector<Op> ops = {Op::kSum, Op::kMin, Op::kMax};  ///< operations built in, in code order
  int pipeline = 1;                                      ///< K: distributing stages that share one register, >= 1
  int adder_latency = 1;                                 ///< A: register stages of a reducer, 1..4
  int descriptors = 8;                                   ///< D: entries of the descriptor table, 1..64
  int alltoall_tables = 1;                               ///< T: all-to-all contexts, 0..4
  int vcs = 4;                                           ///< V: virtual circuits of a port, 1..8
  int ingress_depth = 0;  ///< beats that an ingress buffer of one virtual circuit holds, 3 or more with several; 0 =
                          ///< the default, full_rate_ingress_depth()
  int egress_depth = 0;   ///< beats an egress buffer holds; 0 = the default, first_beat_latency()
  Egress egress = Egress::kBeat;          ///< with kPacket beats of several circuits never alternate within a packet
  bool allow_slow = false;                ///< accept depths that do not keep full rate
  bool conflict_check = true;             ///< the network detects beats that may not meet
  bool counters = false;                  ///< beats, launches and waits are counted
  std::optional<StaticForm> static_form;  ///< there are no registers, and these constants instead
  int link_ports = 0;                     ///< of the ports, the last ones: ends of links to other switches; 0..P
  /// Of each of them, where there are some; its width is the port's. 0 bits of a step or tag: the default, 8 or what a
  /// port number needs, and descriptor_bits().
  ChipLink link{.step_bits = 0, .tag_bits = 0};

  friend bool operator==(const Design&, const Design&) = default;

  /// Throws InputError that names the value and the allowed range; fills the depths that are 0.
  void validate();

  [[nodiscard]] std::vector<DType> dtypes() const;  ///< all element types; the index of one is its number in CONFIG
  [[nodiscard]] int type_bits() const;              ///< bits of that number, 0..3
  [[nodiscard]] int width() const;                  ///< W: bits of a port's tdata
  [[nodiscard]] int bytes() const;                  ///< bytes of a beat, W / 8
  [[nodiscard]] int levels() const;                 ///< ceil(log2 P): reducing stages on every path
  [[nodiscard]] int colour_bits() const;            ///< bits of one colour, ceil(log2 m)
  [[nodiscard]] int route_bits() const;             ///< bits of all colours, (levels - 1) * colour_bits
  [[nodiscard]] int op_mask() const;                ///< bit n: the operation of code n is built in
  [[nodiscard]] int code_bits() const;              ///< bits of an operation's code: 2, or 3 with bitwise operations
  [[nodiscard]] int op_width()
      const;  ///< bits of an operation in the network: its code and, without `acc`, the type's number
  [[nodiscard]] int op_bits() const;    ///< of these beside a beat: none if one operation and one type are built in
  [[nodiscard]] int port_bits() const;  ///< bits of a port number, max(1, ceil(log2 P))
  [[nodiscard]] int step_bits() const;  ///< bits of a step: port_bits(), with link ports the link's
  [[nodiscard]] int ends() const;       ///< E: ports that are no link ports, 0..E-1
  [[nodiscard]] int circuits() const;   ///< C: circuits of any port at most: V, or with link ports S if that is more
  [[nodiscard]] int descriptor_bits() const;  ///< bits of tdest, max(1, ceil(log2 D))
  [[nodiscard]] int vc_bits() const;          ///< bits of tid, max(1, ceil(log2 V))
  [[nodiscard]] int keep_count_bits() const;  ///< bits of a byte count 0..bytes
  [[nodiscard]] int s_user_bits() const;      ///< bits of s_axis_tuser: 5 + port_bits
  [[nodiscard]] int m_user_bits() const;      ///< bits of m_axis_tuser: 6 + step_bits

  // The network: of the element types, or with `acc` of that type alone.
  [[nodiscard]] std::vector<DType> network_dtypes() const;  ///< types of its reducers
  [[nodiscard]] int network_width() const;                  ///< bits of a beat in it
  [[nodiscard]] int reducer_lanes() const;                  ///< lanes of each of its reducers, of all types together

  /// L: register stages from any network input to any network output.
  [[nodiscard]] int network_latency() const;
  /// Beats that an ingress buffer must hold to move one a cycle: 4. With several virtual circuits 6: a source that
  /// honours vc_ready is never let into the last place, and needs one to catch up after a beat that came late.
  [[nodiscard]] int full_rate_ingress_depth() const;
  /// Register stages of the converters at its edges: 2 with `acc`, else 0.
  [[nodiscard]] int edge_latency() const;
  /// Cycles from an accepted input beat to the same beat at m_axis when nothing is in its way: L + 4, with `acc` L + 6.
  /// With Egress::kPacket one more, from the last beat of a packet to its first.
  [[nodiscard]] int first_beat_latency() const;

  /// What a beat is, in words: "4 x bf16", "64 bits of bf16 or int8", "4 x bf16 accumulated in fp32".
  [[nodiscard]] std::string beat_text() const;
  /// All options spelled out, no paths: "--radix 8 --middle 3 ...". The same for equal designs.
  [[nodiscard]] std::string canonical_options() const;
  /// The link ports as --link-ports has them: "8,9"; empty where there are none.
  [[nodiscard]] std::string link_port_list() const;

 private:
  void check_types();
  void check_link_ports();
  void check_static_form() const;
};

/// 32 bits that tell designs apart: FNV-1a over "fred VERSION CANONICAL_OPTIONS". In the heads of emitted modules, the
/// manifest and the HASH register.
[[nodiscard]] std::uint32_t parameter_hash(const Design& design);

}  // namespace fred
