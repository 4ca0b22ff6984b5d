// SPDX-License-Identifier: Apache-2.0
// The parameters of a link between two switches (rtl/fred_link.sv) as a value, and what follows from them by
// arithmetic: the bits of a flit, how many flits must be kept and how many beats a slot must have room for so that the
// round trip costs nothing.
#pragma once

#include <string>

namespace fred {

/// One link; both ends are alike. Plain and comparable; `validate` before use.
struct ChipLink {
  int width = 512;     ///< bits of data of a beat, a multiple of 8; 8..4096
  int slots = 4;       ///< S: beats of different slots never wait for each other; 1..16
  int step_bits = 8;   ///< of a step, as in tuser at m_axis of the switch; 1..16
  int tag_bits = 4;    ///< of tdest, the descriptor in the next switch; 1..16
  int latency = 20;    ///< cycles from phy_tx at one end to phy_rx at the other, the transceivers' included; 1..4096
  int flit_beats = 1;  ///< beats that a flit carries at most; 1..16
  int flit_words = 0;  ///< words of a flit, one a cycle; flit_beats..64; 0 = the default, flit_beats
  int slot_depth = 0;  ///< beats that a slot has room for at the far end; 0 = the default, full_rate_depth()
  int replay = 0;      ///< flits kept, a power of two; 0 = the default, the least that full_rate_replay() allows
  bool allow_slow = false;  ///< accept what does not keep full rate

  friend bool operator==(const ChipLink&, const ChipLink&) = default;

  /// Fills in defaults and checks everything. Throws InputError that names the option and says what is allowed; that of
  /// the latency has another name in other commands.
  void validate(const char* latency_option = "--latency");

  // The rest is for validated ones.
  [[nodiscard]] int slot_bits() const;
  [[nodiscard]] int count_bits() const;    ///< of a number of bytes
  [[nodiscard]] int credit_bits() const;   ///< of a number of beats of a slot
  [[nodiscard]] int seq_bits() const;      ///< of a flit's number
  [[nodiscard]] int user_bits() const;     ///< of tuser
  [[nodiscard]] int payload_bits() const;  ///< what is kept of a flit: beats, and what goes with them
  [[nodiscard]] int flit_bits() const;     ///< header and payload, without the CRC
  [[nodiscard]] int phy_bits() const;      ///< of a word: its flit_words hold a flit and 32 bits of CRC
  /// Cycles from a flit being made up until what the far end says of it has been heard, at the latest. Checked by
  /// measurement: tests/link.
  [[nodiscard]] int round_trip() const;
  [[nodiscard]] int full_rate_replay() const;  ///< flits under way at full rate: those of a round trip
  /// Beats of one slot, alone at full rate, for which no credit has come back: those of a round trip, of the time in
  /// the ingress buffer of an idle switch, and of the wait for the flit that tells of the slot.
  [[nodiscard]] int full_rate_depth() const;
  [[nodiscard]] int timeout() const;             ///< cycles without acknowledgement after which flits are sent again
  [[nodiscard]] int quiet() const;               ///< cycles after reset in which nothing is listened to
  [[nodiscard]] int silence() const;             ///< cycles without a good flit after which the link is down
  [[nodiscard]] int credit_round_trip() const;   ///< cycles from a beat's acceptance until its place is promised again
  [[nodiscard]] double beats_per_cycle() const;  ///< of one slot alone in full flits, at most
  [[nodiscard]] double payload_share() const;    ///< of the bits of a full flit's words, data
  /// "--width 512 --slots 4 ...": the options of `fred link` that give this link.
  [[nodiscard]] std::string canonical_options() const;
  /// The same as options of a switch, whose ports' width is the link's: "--slots 4 --step-bits 8 ... --link-latency 20
  /// ...".
  [[nodiscard]] std::string switch_options() const;
};

}  // namespace fred
