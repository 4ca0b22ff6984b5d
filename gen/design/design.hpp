// SPDX-License-Identifier: Apache-2.0
// The parameters of one generated switch as a value, and everything that follows from them by arithmetic:
// widths, latencies, register addresses. Emitter, testbench and models all read them here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fred/numeric/dtype.hpp"

namespace fred {

/// ceil(log2(n)) for n >= 1.
[[nodiscard]] int ceil_log2(int n);

/// One switch. Plain and comparable; `validate` before use.
struct Design {
  int radix = 8;               ///< P, ports; 2..256
  int middle = 3;              ///< m, middle subnetworks a level; 2..8
  DType dtype = DType::kBf16;  ///< element type
  int lanes = 1;               ///< elements a beat; port width = lanes * element bits, 8..4096 bits
  std::vector<Op> ops = {Op::kSum, Op::kMin, Op::kMax};  ///< operations built in, in code order
  int pipeline = 1;                                      ///< K: distributing stages that share one register, >= 1
  int adder_latency = 1;                                 ///< A: register stages of a reducer, 1..4
  int descriptors = 8;                                   ///< D: entries of the descriptor table, 1..64
  int alltoall_tables = 1;                               ///< T: all-to-all contexts, 0..4
  int ingress_depth = 4;                                 ///< beats an ingress buffer holds, 2..1024 (4 keep full rate)
  int egress_depth = 0;                                  ///< beats an egress buffer holds; 0 = the default, L + 4
  bool allow_slow = false;                               ///< accept depths that do not keep full rate
  bool conflict_check = true;                            ///< the network detects beats that may not meet

  friend bool operator==(const Design&, const Design&) = default;

  /// Throws InputError that names the value and the allowed range; fills egress_depth when it is 0.
  void validate();

  [[nodiscard]] int width() const;        ///< W: bits of a port's tdata
  [[nodiscard]] int bytes() const;        ///< bytes of a beat, W / 8
  [[nodiscard]] int levels() const;       ///< ceil(log2 P): reducing stages on every path
  [[nodiscard]] int colour_bits() const;  ///< bits of one colour, ceil(log2 m)
  [[nodiscard]] int route_bits() const;   ///< bits of all colours, (levels - 1) * colour_bits
  [[nodiscard]] int op_bits() const;    ///< bits of the operation beside a beat: 0 if one operation is built in, else 2
  [[nodiscard]] int port_bits() const;  ///< bits of a port number or step, max(1, ceil(log2 P))
  [[nodiscard]] int descriptor_bits() const;  ///< bits of tdest, max(1, ceil(log2 D))
  [[nodiscard]] int keep_count_bits() const;  ///< bits of a byte count 0..bytes
  [[nodiscard]] int s_user_bits() const;      ///< bits of s_axis_tuser: 5 + port_bits
  [[nodiscard]] int m_user_bits() const;      ///< bits of m_axis_tuser: 6 + port_bits

  /// L: register stages from any network input to any network output.
  [[nodiscard]] int network_latency() const;
  /// Cycles from an accepted input beat to the same beat at m_axis when nothing is in its way: L + 4.
  [[nodiscard]] int first_beat_latency() const;

  /// All options spelled out, no paths: "--radix 8 --middle 3 ...". The same for equal designs.
  [[nodiscard]] std::string canonical_options() const;
};

}  // namespace fred
