// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite master at the pins. One access at a time; `start_*` and `done` never block, so that registers can be read
// while traffic runs. The harness wraps them into blocking calls that clock the switch.
#pragma once

#include <cstdint>

#include "tb/engine.hpp"

namespace fred::tb {

/// How an access ended.
struct LiteResult {
  std::uint32_t response = 0;  ///< 0 OKAY, 2 SLVERR, 3 DECERR
  std::uint32_t data = 0;      ///< read data
  [[nodiscard]] bool okay() const { return response == 0; }
};

class AxiLite {
 public:
  void start_write(std::uint32_t address, std::uint32_t data, std::uint32_t strobes = 0xf);
  void start_read(std::uint32_t address);
  /// No access is under way; `result` holds that of the last one.
  [[nodiscard]] bool done() const { return state_ == State::kIdle; }
  [[nodiscard]] const LiteResult& result() const { return result_; }

  /// Drives the pins of the next cycle.
  void drive(InPins& in) const;
  /// Looks at the handshakes of the cycle just run.
  void sample(const OutPins& out);
  /// Forgets the access under way (after a reset).
  void reset() { *this = AxiLite(); }

 private:
  enum class State { kIdle, kWrite, kRead };
  State state_ = State::kIdle;   ///< access under way
  bool address_sent_ = false;    ///< awready or arready was seen
  bool data_sent_ = false;       ///< wready was seen
  std::uint32_t address_ = 0;    ///< byte address
  std::uint32_t data_ = 0;       ///< write data
  std::uint32_t strobes_ = 0xf;  ///< byte enables of a write
  LiteResult result_;            ///< of the last access
};

}  // namespace fred::tb
