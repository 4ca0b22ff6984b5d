// SPDX-License-Identifier: Apache-2.0
// The monitor of one port's m_axis and the driver of its tready, with seeded stalls. It turns the pins of an accepted
// beat into a ReceivedBeat; what should have come is the scoreboard's business.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fred/design/design.hpp"
#include "tb/engine.hpp"
#include "tb/pins.hpp"
#include "tb/random.hpp"

namespace fred::tb {

/// One accepted beat of m_axis.
struct ReceivedBeat {
  int port = 0;                     ///< receiving port
  int descriptor = 0;               ///< tdest
  const std::byte* data = nullptr;  ///< a beat's bytes, in the pins: valid until the next cycle
  int count = 0;                    ///< bytes of tkeep; -1 if tkeep is no prefix of ones
  bool last = false;                ///< tlast
  bool step_end = false;            ///< tuser[0]
  bool error = false;               ///< tuser[5]
  int epoch = 0;                    ///< tuser[4:1]
  int tag = 0;                      ///< step, or source port for send
};

class AxisSink {
 public:
  AxisSink(const Design& design, int port);

  /// tready is low with probability `fraction`, cycle by cycle.
  void set_stall(double fraction, std::uint64_t seed);
  /// tready is low before this cycle.
  void set_start(std::uint64_t cycle) { start_ = cycle; }
  /// m_axis_vc_ready is low with probability `fraction`; 0 ties it to 1.
  void set_vc_stall(double fraction) { vc_stall_ = Random::threshold(fraction); }

  /// Drives the pins of cycle `cycle`.
  void drive(InPins& in, std::uint64_t cycle);
  /// Looks at the handshake of the cycle just run; true when a beat was accepted, which is then in `beat`.
  bool sample(const OutPins& out, ReceivedBeat& beat) const;
  /// tready of the cycle just run.
  [[nodiscard]] bool ready() const { return ready_; }

 private:
  std::size_t port_;            ///< port number
  std::size_t beat_bytes_;      ///< B
  int dest_bits_;               ///< bits of tdest
  int user_bits_;               ///< bits of tuser
  int port_bits_;               ///< bits of the step or source
  bool ready_ = false;          ///< tready now at the pins
  std::uint32_t stall_ = 0;     ///< threshold of a stall
  std::uint32_t vc_stall_ = 0;  ///< threshold of a low m_axis_vc_ready
  std::uint64_t start_ = 0;     ///< first cycle with tready
  Random random_;               ///< stalls
};

}  // namespace fred::tb
