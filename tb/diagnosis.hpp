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

/// What is known of one port.
struct PortView {
  int port = 0;
  bool offering = false;     ///< its source offers a beat that is not accepted
  int offered = -1;          ///< descriptor of the packet that its source sends or would send next; -1: none left
  std::uint32_t status = 0;  ///< its PORT register
  bool valid_out = false;    ///< m_axis_tvalid
  bool ready_out = false;    ///< m_axis_tready

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
  std::uint32_t status = 0;     ///< its STATUS register
  Scoreboard::Awaited awaited;  ///< what the sinks still expect of it
  std::vector<Progress> sent;   ///< by port
  std::string disagreement;     ///< describe_disagreement, where it is halted
};

/// A line a descriptor that waits (for which ports, and what is there instead) or is halted, a line a port that is
/// stuck, and the cycle of descriptors that wait for each other, if there is one. `views[i]` is of descriptors[i],
/// `ports[p]` of port p.
[[nodiscard]] std::string describe_waits(const std::vector<Descriptor>& descriptors,
                                         const std::vector<DescriptorView>& views, const std::vector<PortView>& ports);

/// The first beat that the sources disagree in, of a kind that reduces: "beat 3: port 0 has 8 bytes, tlast; ports 1,2
/// have 4 bytes, tlast". Only beats that were accepted at every port count; empty if there is none.
[[nodiscard]] std::string describe_disagreement(const Descriptor& descriptor,
                                                const std::vector<std::vector<SourcePacket>>& sent,
                                                const std::vector<Progress>& progress, std::size_t beat_bytes,
                                                std::size_t element_bytes);

/// "ERROR register 0x...: mismatch, epoch".
[[nodiscard]] std::string describe_error_register(std::uint32_t error);

}  // namespace fred::tb
