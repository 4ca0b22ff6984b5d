// SPDX-License-Identifier: Apache-2.0
// AXI4-Stream and packet rules of docs/protocol.md, on every stream of the switch, both sides, every cycle:
//   - tvalid, once up, stays until tready, and the payload, tid included, does not change meanwhile;
//   - tkeep is a prefix of ones, full before a packet's last beat, empty only on it; tid is a virtual circuit (VC) of
//   the switch; step_end comes with tlast;
//   - within a VC a packet is whole: tdest, epoch, and destination, or step and error, do not change before tlast
//   (error may rise there); beats of different VCs may alternate, but not at m_axis with Egress::kPacket: there a
//   packet is whole in its port;
//   - s_axis_vc_ready keeps its promise; m_axis_vc_ready is waited for, by each VC its own bit; m_axis is silent in
//   reset.
// A source that has offered a beat of a VC without that VC's bit may have filled the VC's buffer, and a full buffer
// stops all VCs of its port: there the promise counts again once all bits were set while nothing was stalled.
// The data itself is the scoreboard's. Work is done for bits that are set: an idle port costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "tb/engine.hpp"
#include "tb/pins.hpp"

namespace fred::tb {

class ProtocolChecker {
 public:
  explicit ProtocolChecker(const Design& design);

  /// Looks at one cycle.
  void check(const InPins& in, const OutPins& out, std::uint64_t cycle);

  [[nodiscard]] std::size_t violations() const { return violations_; }
  /// The first violations in words: stream, port, cycle, rule.
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
  void clear();

 private:
  static constexpr std::size_t kMaxMessages = 16;

  /// What is remembered of one side.
  struct Side {
    const char* name;                       ///< "s_axis" or "m_axis"
    int user_bits;                          ///< bits of tuser
    int constant_shift;                     ///< tuser bits from here on are constant through a packet, as is the epoch
    Pins stalled;                           ///< a beat was offered and not accepted in the last cycle
    Pins data, keep, last, id, dest, user;  ///< payload of the stalled beats
    std::vector<bool> open;                 ///< by port * V + VC: inside a packet
    std::vector<std::uint32_t> open_dest, open_user;  ///< likewise: tdest and constant part of tuser
    bool whole;                                       ///< from a packet's first beat to its last no other VC's comes
  };
  /// The pins of one side in one cycle.
  struct View {
    const Pins &valid, &ready, &data, &keep, &last, &id, &dest, &user;
  };

  /// The rules of vc_ready for beats that are first offered in this cycle.
  void check_new_in(const InPins& in, const OutPins& out, std::size_t port);
  void check_new_out(const OutPins& out, std::size_t port);
  void check_side(Side& side, const View& pins);
  void check_stalled(Side& side, const View& pins, std::size_t port);
  void check_accepted(Side& side, const View& pins, std::size_t port);
  void fail(const char* stream, std::size_t port, const char* rule);

  int beat_bytes_;                     ///< B
  int dest_bits_;                      ///< bits of tdest
  int vcs_;                            ///< V
  int vc_bits_;                        ///< bits of tid
  Side source_, sink_;                 ///< s_axis, m_axis
  Pins promised_;                      ///< s_axis_vc_ready of the last cycle
  Pins allowed_;                       ///< m_axis_vc_ready of the last cycle
  Pins unasked_;                       ///< by port: its source has offered a beat without vc_ready, see above
  bool in_reset_ = true;               ///< the last cycle was in reset
  bool reset_seen_ = false;            ///< so was the one before: registers hold their reset values
  std::uint64_t cycle_ = 0;            ///< cycle being checked
  std::size_t violations_ = 0;         ///< all of them
  std::vector<std::string> messages_;  ///< the first kMaxMessages
};

}  // namespace fred::tb
