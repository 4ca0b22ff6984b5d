// SPDX-License-Identifier: Apache-2.0
// What lies between the transceivers of two ends of a link, in one direction (tb/link_channel.hpp), watched: every CRC
// is compared, and the flits are followed by their numbers, to measure what an error costs.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/link_channel.hpp"

namespace fred::test {

/// A word's bits, the lowest first: up to 256.
using Bits = std::vector<std::uint32_t>;
constexpr std::size_t kBitsWords = 8;
using Word = tb::LinkWord;
using Errors = tb::LinkErrors;

[[nodiscard]] inline std::uint64_t field(const Bits& bits, int low, int width) {
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i) {
    const auto bit = static_cast<std::size_t>(low + i);
    value |= static_cast<std::uint64_t>(bits[bit / 32] >> (bit % 32) & 1U) << i;
  }
  return value;
}

/// Where in a flit its header has what (fred_link.sv).
struct Header {
  int data = 0;      ///< bit that says that it carries beats
  int seq = 0;       ///< lowest bit of its number
  int seq_bits = 1;  ///< of it
};

class Channel {
 public:
  Channel(int words, int phy_bits, Header header, int latency, const Errors& errors, std::uint64_t seed)
      : words_(words), phy_bits_(phy_bits), header_(header), way_(phy_bits, words, latency, errors, seed) {}

  /// A word leaves the sender in cycle `now`. Throws where a flit's CRC is wrong.
  void push(long now, Word word);

  /// The word that reaches the receiver in cycle `now`, if one does.
  bool pop(long now, Word& word) { return way_.pop(static_cast<std::uint64_t>(now), word); }

  /// The sender is reset.
  void restart() { runs_ = false; }

  /// Whether the sender, since its reset, has said in a whole flit that it runs; before that the receiver cannot run.
  [[nodiscard]] bool runs() const { return runs_; }

  long errors_met = 0;    ///< hits on a flit that the receiver would have taken
  long flits_wasted = 0;  ///< flits from such a hit, itself included, up to its repetition

 private:
  void check_crc(const Word& word);
  void follow(const Word& word, bool struck);

  int words_, phy_bits_;
  Header header_;
  tb::LinkChannel way_;
  std::uint32_t crc_ = 0;       ///< of the words of this flit so far
  int index_ = 0;               ///< of the next word in its flit
  bool says_run_ = false;       ///< this flit says that its sender runs
  bool runs_ = false;           ///< a whole one has said so
  std::uint64_t expected_ = 0;  ///< number of the flit that the receiver takes next
  bool waiting_ = false;        ///< for the repetition of that flit
};

}  // namespace fred::test
