// SPDX-License-Identifier: Apache-2.0
// The driver of one port's s_axis: a queue of packets a virtual circuit (VC), each sent in order, and one beat at the
// pins at a time. It keeps to AXI4-Stream (tvalid, once up, stays until tready; the payload, tid included, stays with
// it) and sends a packet whole within its VC. Stalls are seeded gaps before a beat. Nothing is allocated per beat.
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
  int vc = 0;                       ///< tid
};

/// Which VC goes next where several have a beat that may be offered.
enum class VcChoice {
  kPriority,  ///< the first in the order of VCs
  kRandom,    ///< any of them, by the seed
};

class AxisSource {
 public:
  AxisSource(const Design& design, int port);

  /// Appends to the queue of the packet's VC. Nothing of it, and of what is behind it in that VC, is offered before
  /// cycle `from`.
  void push(const SourcePacket& packet, std::uint64_t from = 0);
  void push(const std::vector<SourcePacket>& packets, std::uint64_t from = 0);

  /// Before each beat wait a cycle with probability `fraction`, again and again.
  void set_stall(double fraction, std::uint64_t seed);
  /// Offer nothing before this cycle: skew between ports.
  void set_start(std::uint64_t cycle) { start_ = cycle; }
  /// The same for the beats of one VC, on top.
  void set_vc_stall(int vc, double fraction) { circuit(vc).stall = Random::threshold(fraction); }
  void set_vc_start(int vc, std::uint64_t cycle) { circuit(vc).start = cycle; }
  /// First offer a beat only in the cycle after one with its VC's bit of s_axis_vc_ready set.
  void set_honour_vc_ready(bool honour) { honour_vc_ready_ = honour; }
  /// Beats of packets of different VCs may alternate; otherwise a packet that is begun is finished first. Only a source
  /// that honours vc_ready should: another would let a full buffer of one VC cut a packet of another in two.
  void set_interleave(bool interleave) { interleave_ = interleave; }
  /// How the VC of the next beat is chosen.
  void set_choice(VcChoice choice) { choice_ = choice; }
  /// The order of VCs, first the one that goes first: every VC once. Empty, and as constructed: 0, 1, 2, ...
  void set_order(const std::vector<int>& order);

  /// Drives the pins of cycle `cycle`.
  void drive(InPins& in, std::uint64_t cycle);
  /// Looks at the handshake of the cycle just run; returns the descriptor of an accepted beat, else -1.
  int sample(const OutPins& out);

  /// All packets have been accepted.
  [[nodiscard]] bool idle() const { return unsent_ == 0; }
  /// A beat is offered and has not been accepted.
  [[nodiscard]] bool offering() const { return offering_; }
  /// The VC of that beat; -1 if there is none.
  [[nodiscard]] int offered_vc() const { return offering_ ? offered_ : -1; }
  /// The packet of a VC that is being sent or is to be sent next; nullptr when there is none.
  [[nodiscard]] const SourcePacket* current(int vc = 0) const;
  /// Forgets packets that have been sent, or all of them.
  void clear();

 private:
  /// A packet in a queue.
  struct Item {
    SourcePacket packet;
    std::uint64_t from = 0;  ///< first cycle in which it may be offered
  };
  /// One VC.
  struct Circuit {
    std::vector<Item> queue;  ///< packets in order; [0, next) have been sent
    std::size_t next = 0;     ///< packet in progress
    std::size_t offset = 0;   ///< bytes of it accepted so far; not 0: inside a packet
    std::uint32_t stall = 0;  ///< threshold of a stall, see Random::chance
    std::uint64_t start = 0;  ///< first cycle with an offer
    [[nodiscard]] bool idle() const { return next == queue.size(); }
  };

  [[nodiscard]] Circuit& circuit(int vc) { return circuits_[static_cast<std::size_t>(vc)]; }
  [[nodiscard]] const Circuit& circuit(int vc) const { return circuits_[static_cast<std::size_t>(vc)]; }
  /// The VC that must finish its packet first; -1: any may go.
  [[nodiscard]] int bound_vc() const;
  /// The VC of the beat to offer in this cycle; -1: none.
  [[nodiscard]] int choose(std::uint64_t cycle);
  void place_beat(InPins& in, int vc);

  std::size_t port_;               ///< port number
  std::size_t beat_bytes_;         ///< B
  int dest_bits_;                  ///< bits of tdest
  int user_bits_;                  ///< bits of tuser
  int vc_bits_;                    ///< bits of tid
  std::vector<Circuit> circuits_;  ///< by VC
  std::vector<int> order_;         ///< VCs, first the one that goes first
  std::vector<int> able_;          ///< scratch of `choose`: VCs that could go, in their order
  std::size_t unsent_ = 0;         ///< packets not yet accepted to their end, of all VCs
  std::size_t beat_count_ = 0;     ///< bytes in the offered beat
  int offered_ = 0;                ///< VC of the beat at the pins, while offering_
  bool offering_ = false;          ///< a beat is at the pins
  bool pins_idle_ = false;         ///< the pins already show an idle stream
  std::uint32_t vc_ready_ = 0;     ///< s_axis_vc_ready of the last cycle, bit v of VC v
  bool honour_vc_ready_ = false;   ///< see set_honour_vc_ready
  bool interleave_ = false;        ///< see set_interleave
  VcChoice choice_ = VcChoice::kPriority;
  std::uint32_t stall_ = 0;  ///< threshold of a stall of any beat, see Random::chance
  std::uint64_t start_ = 0;  ///< first cycle with an offer
  Random random_;            ///< stalls, random choices
};

}  // namespace fred::tb
