// SPDX-License-Identifier: Apache-2.0
// Why nothing moves: "which rank hangs the collective", from the PORT and STATUS registers, what the sources sent and
// what the scoreboard still expects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/collectives.hpp"
#include "tb/descriptors.hpp"
#include "tb/scoreboard.hpp"

namespace fred::tb {

/// What is known of one virtual circuit (VC) of one port.
struct PortView {
  int port = 0;
  int vc = 0;
  bool offering = false;     ///< its source offers a beat that is not accepted
  int offered = -1;          ///< descriptor of the packet that its source sends or would send next; -1: none left
  int blocked_by = -1;       ///< the VC of which the source offers a beat that is not accepted, if not this one
  std::uint32_t status = 0;  ///< its PORT register
  bool valid_out = false;    ///< m_axis_tvalid, with this VC's tid
  bool ready_out = false;    ///< m_axis_tready
  bool held_off = false;     ///< its sink holds this VC's bit of m_axis_vc_ready low

  [[nodiscard]] bool head_valid() const { return (status & 1U) != 0; }
  [[nodiscard]] bool open_out() const { return (status >> 2 & 1U) != 0; }
  [[nodiscard]] bool space_out() const { return (status >> 3 & 1U) != 0; }
  [[nodiscard]] bool held() const { return (status >> 4 & 1U) != 0; }
  [[nodiscard]] int head() const { return static_cast<int>(status >> 16 & 0xffU); }
};

/// What a source has sent of one descriptor.
struct Progress {
  std::uint64_t beats = 0;       ///< accepted
  std::size_t steps = 0;         ///< packets with step_end that were accepted whole
  std::size_t open_packets = 0;  ///< packets accepted whole since the last step_end
};
/// Of the `beats` first beats of `packets`, in beats of `beat_bytes`.
[[nodiscard]] Progress progress_of(const std::vector<SourcePacket>& packets, std::uint64_t beats,
                                   std::size_t beat_bytes);

/// What is known of one descriptor.
struct DescriptorView {
  int vc = 0;                   ///< of its beats
  std::uint32_t status = 0;     ///< its STATUS register
  Scoreboard::Awaited awaited;  ///< what the sinks still expect of it
  std::vector<Progress> sent;   ///< by port
  std::string disagreement;     ///< describe_disagreement, where it is halted
};

/// A line a descriptor that waits (for which ports, and what is there instead) or is halted, a line a (port, VC) that
/// is stuck, and the cycle of descriptors that wait for each other, if there is one. `views[i]` is of descriptors[i],
/// `ports[p * V + v]` of VC v of port p; V is `vcs`, and VCs are named where there are several.
[[nodiscard]] std::string describe_waits(const std::vector<Descriptor>& descriptors,
                                         const std::vector<DescriptorView>& views, const std::vector<PortView>& ports,
                                         int vcs);

/// The first beat that the sources disagree in, of a kind that reduces: "beat 3: port 0 has 8 bytes, tlast; ports 1,2
/// have 4 bytes, tlast". Only beats that were accepted at every port count; empty if there is none.
[[nodiscard]] std::string describe_disagreement(const Descriptor& descriptor,
                                                const std::vector<std::vector<SourcePacket>>& sent,
                                                const std::vector<Progress>& progress, std::size_t beat_bytes,
                                                std::size_t element_bytes);

/// "ERROR register 0x...: mismatch, epoch".
[[nodiscard]] std::string describe_error_register(std::uint32_t error);

}  // namespace fred::tb
