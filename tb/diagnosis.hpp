// SPDX-License-Identifier: Apache-2.0
// Why nothing moves: "which rank hangs the collective", from the PORT and STATUS registers and the drivers' state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/descriptors.hpp"

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

/// A line a descriptor that waits (for which ports, and what is there instead), a line a port that is stuck, and the
/// cycle of descriptors that wait for each other, if there is one. `status[i]` is the STATUS of descriptors[i].
[[nodiscard]] std::string describe_waits(const std::vector<Descriptor>& descriptors,
                                         const std::vector<std::uint32_t>& status, const std::vector<PortView>& ports);

/// "ERROR register 0x...: mismatch, epoch".
[[nodiscard]] std::string describe_error_register(std::uint32_t error);

}  // namespace fred::tb
