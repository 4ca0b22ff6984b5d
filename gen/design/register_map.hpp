// SPDX-License-Identifier: Apache-2.0
// Numbers of the AXI4-Lite register map of a design: addresses, and which bits a field has. Names, access, reset and
// text of the registers are in registers.hpp, which takes every number from here; the two together are the one
// description of the map that the RTL's parameters, the C header, SystemRDL, IP-XACT, the Markdown page and all
// register writes come from. Byte addresses, 32-bit words.
#pragma once

#include <cstdint>

#include "fred/design/design.hpp"

namespace fred {

/// Bits low..low+width-1 of a register.
struct BitField {
  int low = 0;
  int width = 0;
  /// The largest value that fits.
  [[nodiscard]] constexpr std::uint32_t max() const { return width >= 32 ? ~0U : (1U << width) - 1U; }
  [[nodiscard]] constexpr std::uint32_t mask() const { return max() << low; }
  /// A value at its place in the register, and back.
  [[nodiscard]] constexpr std::uint32_t place(std::uint32_t value) const { return (value & max()) << low; }
  [[nodiscard]] constexpr std::uint32_t of(std::uint32_t word) const { return word >> low & max(); }
};

/// Fields of the identity registers.
struct VersionFields {
  static constexpr BitField kPatch{0, 8}, kMinor{8, 8}, kMajor{16, 16};
};
struct ShapeFields {
  static constexpr BitField kRadix{0, 16}, kMiddle{16, 8}, kDescriptors{24, 8};
};
struct DataFields {
  static constexpr BitField kWidth{0, 16}, kDType{16, 4}, kOps{20, 7}, kTables{28, 4};
};
struct LatencyFields {
  static constexpr BitField kNetwork{0, 16}, kFirstBeat{16, 16};
};
struct VcsFields {
  static constexpr BitField kVcs{0, 4}, kSlots{8, 4}, kLinkPorts{16, 9};
};
/// ERROR, sticky.
struct ErrorFields {
  static constexpr BitField kConflict{0, 1}, kMismatch{1, 1}, kEpoch{2, 1}, kUnknown{3, 1}, kMember{4, 1},
      kFraming{5, 1}, kVc{6, 1}, kTimeout{7, 1}, kParity{8, 1}, kLink{9, 1};
};
/// FIRST_ERROR: kKind is the number of the bit of ERROR; kVc and kPort mean something where kHasPort is set.
struct FirstErrorFields {
  static constexpr BitField kKind{0, 4}, kVc{4, 3}, kHasPort{7, 1}, kPort{8, 8}, kDescriptor{16, 8}, kValid{31, 1};
};
struct TimeoutFields {
  static constexpr BitField kExponent{0, 5};
};
struct BoundFields {
  static constexpr BitField kCycles{0, 16};
};
struct CountersFields {
  static constexpr BitField kSnapshot{0, 1};
};
struct PortFields {
  static constexpr BitField kHead{0, 1}, kIngressOpen{1, 1}, kEgressOpen{2, 1}, kEgressSpace{3, 1}, kHeld{4, 1},
      kDescriptor{16, 8}, kOwner{24, 8};
};
/// Registers of a descriptor. kType and kVc are as wide as the design needs, at most as here.
struct ControlFields {
  static constexpr BitField kEnable{0, 1}, kAbort{1, 1}, kFlipParity{2, 1}, kEpoch{8, 4};
};
struct StatusFields {
  static constexpr BitField kEnabled{0, 1}, kHalted{1, 1}, kBusy{2, 1}, kAborting{3, 1}, kHangs{4, 1}, kSpoiled{5, 1},
      kStep{16, 16};
};
struct ConfigFields {
  static constexpr BitField kKind{0, 4}, kOp{4, 3}, kEpoch{8, 4}, kTable{12, 4}, kRoot{16, 8}, kType{24, 3}, kVc{27, 3};
};
struct EntryFields {
  static constexpr BitField kDestination{0, 8}, kColours{8, 23}, kFlipParity{31, 1};
};

/// LINK of a (descriptor, link port). kSlot, kTag and kRepeat are as wide as the design needs, at most as here.
struct LinkFields {
  static constexpr BitField kSlot{0, 4}, kTag{4, 8}, kRepeat{12, 12}, kFlipParity{30, 1}, kPassStep{31, 1};
};
struct LinkStatusFields {
  static constexpr BitField kUp{0, 1}, kRunning{1, 1};
};

/// One layout for every design: the blocks of global registers, of port status, of descriptors and of all-to-all
/// entries follow each other, with counters those of ports and of descriptors behind them, with link ports what the
/// descriptors are there and the links' status; that of the ports is aligned to its size, an all-to-all's and the
/// counters' too, a descriptor's stride is a power of two, so that the RTL decodes
/// an address by taking bits of it.
struct RegisterMap {
  explicit RegisterMap(const Design& design);

  // Global registers; those up to kVcs read as constants, in words that follow each other from 0 on.
  static constexpr std::uint32_t kId = 0x000;
  static constexpr std::uint32_t kVersion = 0x004;
  static constexpr std::uint32_t kShape = 0x008;
  static constexpr std::uint32_t kData = 0x00c;
  static constexpr std::uint32_t kLatency = 0x010;
  static constexpr std::uint32_t kHash = 0x014;
  static constexpr std::uint32_t kTypes = 0x018;
  static constexpr std::uint32_t kVcs = 0x01c;
  static constexpr std::uint32_t kError = 0x020;
  static constexpr std::uint32_t kPriority = 0x024;
  static constexpr std::uint32_t kBound = 0x028;
  static constexpr std::uint32_t kTimeout = 0x02c;
  static constexpr std::uint32_t kIrqEnable = 0x030;
  static constexpr std::uint32_t kFirstError = 0x034;
  static constexpr std::uint32_t kFirstCycle = 0x038;
  static constexpr std::uint32_t kCycle = 0x03c;
  static constexpr std::uint32_t kCounters = 0x040;  ///< with counters

  // Offsets in a descriptor's block.
  static constexpr std::uint32_t kControl = 0x00;
  static constexpr std::uint32_t kStatus = 0x04;
  static constexpr std::uint32_t kConfig = 0x08;
  static constexpr std::uint32_t kColours = 0x0c;
  static constexpr std::uint32_t kInMask = 0x10;  ///< mask_words words: sending members

  // Offsets in the counters of a (port, circuit), and of a descriptor.
  static constexpr std::uint32_t kBeatsIn = 0x0;
  static constexpr std::uint32_t kBeatsOut = 0x4;
  static constexpr std::uint32_t kBeatsStride = 0x8;  ///< bytes between circuits
  static constexpr std::uint32_t kLaunches = 0x0;
  static constexpr std::uint32_t kWaitData = 0x4;
  static constexpr std::uint32_t kWaitEgress = 0x8;
  static constexpr std::uint32_t kWaitArbitration = 0xc;
  static constexpr std::uint32_t kLaunchesStride = 0x10;  ///< bytes between descriptors

  // Offsets in the status of a link port: LINK_STATUS, then counts of events in the order of fred_link_ports.
  static constexpr std::uint32_t kLinkStatus = 0x00;
  static constexpr std::uint32_t kLinkSent = 0x04;
  static constexpr std::uint32_t kLinkTaken = 0x08;
  static constexpr std::uint32_t kLinkBad = 0x0c;
  static constexpr std::uint32_t kLinkGaps = 0x10;
  static constexpr std::uint32_t kLinkReplays = 0x14;
  static constexpr std::uint32_t kLinkTimeouts = 0x18;
  static constexpr std::uint32_t kLinkLosses = 0x1c;
  static constexpr std::uint32_t kLinkStatusStride = 0x20;  ///< bytes between link ports

  static constexpr std::uint32_t kIdValue = 0x46524544;  ///< "FRED"
  static constexpr std::uint32_t kBoundLeast = 8;        ///< cycles: the least that BOUND takes
  static constexpr std::uint32_t kBoundReset = 256;
  static constexpr std::uint32_t kNoType = 15;  ///< in TYPES: there is none
  static constexpr int kPlaceBits = 4;          ///< of a place in PRIORITY, and of an element type in TYPES

  int mask_words;                      ///< words of a port mask, ceil(P / 32)
  int compat_words;                    ///< words of a compatibility mask, ceil(D / 32)
  std::uint32_t out_mask;              ///< offset of the OUT_MASK words: receiving members
  std::uint32_t compat;                ///< offset of the COMPAT words
  std::uint32_t report;                ///< offset of the report: mask_words words each of MISSING, BEHIND, FULL, LOCKED
  std::uint32_t port_base;             ///< address of the status of port 0, circuit 0; 0x400 unless the block is larger
  std::uint32_t port_stride;           ///< bytes between ports: 4 * 2^ceil(log2 V)
  std::uint32_t descriptor_base;       ///< address of descriptor 0; 0x1000 unless port status takes more
  std::uint32_t descriptor_stride;     ///< bytes between descriptors, a power of two
  std::uint32_t alltoall_base;         ///< address of the all-to-all entries, aligned to their size
  std::uint32_t beats_base = 0;        ///< with counters: address of those of port 0, circuit 0
  std::uint32_t beats_stride = 0;      ///< bytes between ports: kBeatsStride * 2^ceil(log2 V)
  std::uint32_t launches_base = 0;     ///< with counters: address of those of descriptor 0
  std::uint32_t link_base = 0;         ///< with link ports: address of LINK of descriptor 0, link port 0
  std::uint32_t link_stride = 0;       ///< bytes between descriptors: 4 * 2^ceil(log2 link ports)
  std::uint32_t link_status_base = 0;  ///< with link ports: address of LINK_STATUS of the first one
  int address_bits;                    ///< bits of the AXI4-Lite address

  /// Address of the status of (port, virtual circuit).
  [[nodiscard]] std::uint32_t port(int p, int vc = 0) const;
  /// Address of counter `offset` of (port, virtual circuit), and of descriptor d; of a design with counters.
  [[nodiscard]] std::uint32_t beats(int p, int vc, std::uint32_t offset) const;
  [[nodiscard]] std::uint32_t launches(int d, std::uint32_t offset) const;
  /// Address of LINK of descriptor d at link port i, and of the status register `offset` of link port i.
  [[nodiscard]] std::uint32_t link(int d, int i) const;
  [[nodiscard]] std::uint32_t link_status(int i, std::uint32_t offset) const;
  /// Address of register `offset` of descriptor d.
  [[nodiscard]] std::uint32_t descriptor(int d, std::uint32_t offset) const;
  /// Address of the all-to-all entry (table, step, source port): base + ((table * P2 + step) * P2 + port) * 4, P2 =
  /// 2^port_bits.
  [[nodiscard]] std::uint32_t alltoall(const Design& design, int table, int step, int port) const;
};

}  // namespace fred
