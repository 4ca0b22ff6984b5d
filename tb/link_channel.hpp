// SPDX-License-Identifier: Apache-2.0
// What lies between the transceivers of two link ports, in one direction: a delay, and words that are lost or changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "tb/random.hpp"

namespace fred::tb {

/// What goes wrong on the way.
struct LinkErrors {
  /// Any of what may happen to a word (a wrong bit, a burst, a loss, anything at all, a beginning that is none or is
  /// not seen); one wrong bit; a loss.
  enum class Kind : std::uint8_t { kAny, kFlip, kLostWord };
  double flits = 0;  ///< share of the flits of which a word is hit, 0 <= p < 1
  Kind kind = Kind::kAny;
  std::uint64_t cut_from = 0;  ///< cycles in which all words are lost: cut_from to before cut_to
  std::uint64_t cut_to = 0;
};

/// A word of a transceiver, its bits packed into 32-bit words, and whether it begins a flit.
struct LinkWord {
  bool first = false;
  std::vector<std::uint32_t> data;
};

class LinkChannel {
 public:
  /// Words of `bits` bits, `words` of them a flit, arrive `latency` >= 1 cycles later.
  LinkChannel(int bits, int words, int latency, const LinkErrors& errors, std::uint64_t seed);

  /// A word leaves the sender in this cycle. Whether its flit is hit, or its beginning lost in a cut.
  bool push(std::uint64_t cycle, LinkWord word);
  /// The word that arrives in this cycle, if one does.
  bool pop(std::uint64_t cycle, LinkWord& word);
  [[nodiscard]] std::uint64_t hits() const { return hits_; }

 private:
  void hit(LinkWord& word, bool& lost);

  int bits_, words_, latency_;
  LinkErrors errors_;
  Random random_;
  std::deque<std::pair<std::uint64_t, LinkWord>> on_the_way_;  ///< with the cycle of arrival
  int index_ = 0;                                              ///< of the word in its flit
  int struck_ = -1;                                            ///< word of this flit that is hit; -1: none
  bool lost_ = false;                                          ///< its first word was
  std::uint64_t hits_ = 0;                                     ///< flits hit
};

}  // namespace fred::tb
