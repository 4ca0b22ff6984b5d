// SPDX-License-Identifier: Apache-2.0
// The AXI4-Lite register map of a design: the one description that the RTL parameters, the manifest, the
// documentation and the testbench's register writes come from. Byte addresses, 32-bit words.
#pragma once

#include <cstdint>

#include "fred/design/design.hpp"

namespace fred {

/// Collective kinds; the values stand in a descriptor's CONFIG register.
enum class Kind {
  kAllReduce = 0,
  kReduce = 1,
  kBroadcast = 2,
  kAllGather = 3,
  kReduceScatter = 4,
  kGather = 5,
  kScatter = 6,
  kSend = 7,
  kBarrier = 8,
  kAllToAll = 9
};

struct RegisterMap {
  explicit RegisterMap(const Design& design);

  // Global registers (read only unless said otherwise).
  static constexpr std::uint32_t kId = 0x000;       ///< 0x46524544, "FRED"
  static constexpr std::uint32_t kVersion = 0x004;  ///< [31:16] major, [15:8] minor, [7:0] patch
  static constexpr std::uint32_t kShape = 0x008;    ///< [15:0] radix, [23:16] middle, [31:24] descriptors
  static constexpr std::uint32_t kData =
      0x00c;  ///< [15:0] port width in bits, [19:16] first dtype, [26:20] ops mask, [31:28] all-to-all tables
  static constexpr std::uint32_t kLatency = 0x010;  ///< [15:0] network latency L, [31:16] first-beat latency
  static constexpr std::uint32_t kHash = 0x014;     ///< parameter hash
  static constexpr std::uint32_t kTypes = 0x018;    ///< dtype of number t at [4t + 3:4t], acc at [31:28]; 15: none
  static constexpr std::uint32_t kError = 0x020;    ///< sticky error bits, write 1 to clear (see docs/protocol.md)
  static constexpr std::uint32_t kPort = 0x400;     ///< + 4 * port: port status

  // Offsets in a descriptor's block.
  static constexpr std::uint32_t kControl = 0x00;  ///< [0] enable (read/write)
  static constexpr std::uint32_t kStatus = 0x04;   ///< [0] enabled, [1] halted, [2] busy, [31:16] step
  static constexpr std::uint32_t kConfig =
      0x08;  ///< [3:0] kind, [6:4] op, [11:8] epoch, [15:12] all-to-all table, [23:16] root port, [26:24] type
  static constexpr std::uint32_t kColours = 0x0c;  ///< colour of level l at [l * colour_bits +: colour_bits]
  static constexpr std::uint32_t kInMask = 0x10;   ///< mask_words words: sending members

  int mask_words;                   ///< words of a port mask, ceil(P / 32)
  int compat_words;                 ///< words of a compatibility mask, ceil(D / 32)
  std::uint32_t out_mask;           ///< offset of the OUT_MASK words: receiving members
  std::uint32_t compat;             ///< offset of the COMPAT words
  std::uint32_t descriptor_base;    ///< address of descriptor 0: 0x1000
  std::uint32_t descriptor_stride;  ///< bytes between descriptors, a power of two
  std::uint32_t alltoall_base;      ///< address of the all-to-all entries, aligned to their size
  int address_bits;                 ///< bits of the AXI4-Lite address

  /// Address of register `offset` of descriptor d.
  [[nodiscard]] std::uint32_t descriptor(int d, std::uint32_t offset) const;
  /// Address of the all-to-all entry (table, step, source port): [7:0] destination port, [31:8] colours.
  /// Step and port are indices into powers of two: base + ((table * P2 + step) * P2 + port) * 4, P2 = 2^port_bits.
  [[nodiscard]] std::uint32_t alltoall(const Design& design, int table, int step, int port) const;
};

}  // namespace fred
