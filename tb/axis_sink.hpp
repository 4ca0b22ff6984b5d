// SPDX-License-Identifier: Apache-2.0
// The monitor of one port's m_axis and the driver of its tready and its m_axis_vc_ready, a bit a virtual circuit (VC),
// with seeded stalls. It turns the pins of an accepted beat into a ReceivedBeat; what should have come is the
// scoreboard's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
  int vc = 0;                       ///< tid
};

class AxisSink {
 public:
  AxisSink(const Design& design, int port);

  /// tready is low with probability `fraction`, cycle by cycle.
  void set_stall(double fraction, std::uint64_t seed);
  /// tready is low before this cycle.
  void set_start(std::uint64_t cycle) { start_ = cycle; }
  /// tready is low but in every `period`-th cycle, those c with c % period = phase; 1, 0: no such pattern.
  void set_every(std::uint64_t period, std::uint64_t phase) {
    period_ = period;
    phase_ = phase;
  }
  /// Each bit of m_axis_vc_ready is low with probability `fraction`; 0 ties it to 1.
  void set_vc_stall(double fraction);
  /// The same for the bit of one VC.
  void set_vc_stall(int vc, double fraction) { circuit(vc).stall = Random::threshold(fraction); }
  /// The VC's bit of m_axis_vc_ready is low from cycle `from` to before cycle `to`; from == to: at no time. A beat that
  /// the switch began to offer in cycle `from`, on the bit of the cycle before, is still taken.
  void hold(int vc, std::uint64_t from, std::uint64_t to);
  /// `hold` keeps the VC's bit low in this cycle.
  [[nodiscard]] bool holds(int vc, std::uint64_t cycle) const;

  /// Drives the pins of cycle `cycle`.
  void drive(InPins& in, std::uint64_t cycle);
  /// Looks at the handshake of the cycle just run; true when a beat was accepted, which is then in `beat`.
  bool sample(const OutPins& out, ReceivedBeat& beat) const;
  /// tready of the cycle just run.
  [[nodiscard]] bool ready() const { return ready_; }

 private:
  /// One VC.
  struct Circuit {
    std::uint32_t stall = 0;      ///< threshold of a low m_axis_vc_ready
    std::uint64_t held_from = 0;  ///< first cycle of `hold`
    std::uint64_t held_to = 0;    ///< first cycle after it
  };
  [[nodiscard]] Circuit& circuit(int vc) { return circuits_[static_cast<std::size_t>(vc)]; }

  std::size_t port_;               ///< port number
  std::size_t beat_bytes_;         ///< B
  int dest_bits_;                  ///< bits of tdest
  int user_bits_;                  ///< bits of tuser
  int port_bits_;                  ///< bits of the step or source
  int vc_bits_;                    ///< bits of tid
  std::vector<Circuit> circuits_;  ///< by VC
  bool ready_ = false;             ///< tready now at the pins
  std::uint32_t stall_ = 0;        ///< threshold of a stall
  std::uint64_t start_ = 0;        ///< first cycle with tready
  std::uint64_t period_ = 1;       ///< see set_every
  std::uint64_t phase_ = 0;        ///< see set_every
  Random random_;                  ///< stalls
};

}  // namespace fred::tb
