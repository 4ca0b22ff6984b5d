// SPDX-License-Identifier: Apache-2.0
// The driver of one port's s_axis: sends a queue of packets in order and keeps to AXI4-Stream (tvalid, once up, stays
// until tready; the payload stays with it). Stalls are seeded gaps before a beat. Nothing is allocated per beat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fred/design/design.hpp"
#include "tb/engine.hpp"
#include "tb/pins.hpp"
#include "tb/random.hpp"

namespace fred::tb {

/// One packet to send. The data is not copied and must live until it is sent.
struct SourcePacket {
  const std::byte* data = nullptr;  ///< `bytes` bytes, element 0 first
  std::size_t bytes = 0;            ///< 0: one null beat
  int descriptor = 0;               ///< tdest
  int destination = 0;              ///< destination port (send only)
  std::uint8_t epoch = 0;           ///< tuser[4:1]
  bool step_end = false;            ///< set tuser[0] on the last beat
};

class AxisSource {
 public:
  AxisSource(const Design& design, int port);

  void push(const SourcePacket& packet) { queue_.push_back(packet); }
  void push(const std::vector<SourcePacket>& packets) { queue_.insert(queue_.end(), packets.begin(), packets.end()); }

  /// Before each beat wait a cycle with probability `fraction`, again and again.
  void set_stall(double fraction, std::uint64_t seed);
  /// Offer nothing before this cycle: skew between ports.
  void set_start(std::uint64_t cycle) { start_ = cycle; }
  /// First offer a beat only in the cycle after one with s_axis_vc_ready set.
  void set_honour_vc_ready(bool honour) { honour_vc_ready_ = honour; }

  /// Drives the pins of cycle `cycle`.
  void drive(InPins& in, std::uint64_t cycle);
  /// Looks at the handshake of the cycle just run; returns the descriptor of an accepted beat, else -1.
  int sample(const OutPins& out);

  /// All packets have been accepted.
  [[nodiscard]] bool idle() const { return next_ == queue_.size(); }
  /// A beat is offered and has not been accepted.
  [[nodiscard]] bool offering() const { return offering_; }
  /// The packet being sent or to be sent next; nullptr when idle.
  [[nodiscard]] const SourcePacket* current() const { return idle() ? nullptr : &queue_[next_]; }
  /// Bytes of the current packet that have been accepted.
  [[nodiscard]] std::size_t sent_bytes() const { return offset_; }
  /// Forgets packets that have been sent, or all of them.
  void clear();

 private:
  void place_beat(InPins& in);

  std::size_t port_;                 ///< port number
  std::size_t beat_bytes_;           ///< B
  int dest_bits_;                    ///< bits of tdest
  int user_bits_;                    ///< bits of tuser
  std::vector<SourcePacket> queue_;  ///< packets in order; [0, next_) have been sent
  std::size_t next_ = 0;             ///< packet in progress
  std::size_t offset_ = 0;           ///< bytes of it accepted so far
  std::size_t beat_count_ = 0;       ///< bytes in the offered beat
  bool offering_ = false;            ///< a beat is at the pins
  bool pins_idle_ = false;           ///< the pins already show an idle stream
  bool vc_ready_ = true;             ///< s_axis_vc_ready of the last cycle
  bool honour_vc_ready_ = false;     ///< see set_honour_vc_ready
  std::uint32_t stall_ = 0;          ///< threshold of a stall, see Random::chance
  std::uint64_t start_ = 0;          ///< first cycle with an offer
  Random random_;                    ///< stalls
};

}  // namespace fred::tb
