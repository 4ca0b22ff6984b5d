// SPDX-License-Identifier: Apache-2.0
#include "tests/link/channel.hpp"

#include <stdexcept>

namespace fred::test {

void Channel::push(long now, Word word) {
  if (word.first) {
    index_ = 0;
    says_run_ = field(word.data, 0, 2) == 2;
  }
  check_crc(word);
  ++index_;
  runs_ = runs_ || (says_run_ && index_ == words_);
  const bool struck = way_.push(static_cast<std::uint64_t>(now), word);
  if (word.first) follow(word, struck);
}

/// As docs/links.md says it, bit by bit: CRC-32/BZIP2 of the words, each from its highest bit on, with zeros in the
/// place of the CRC at the top of the last one.
void Channel::check_crc(const Word& word) {
  const bool last = index_ == words_ - 1;
  if (index_ == 0) crc_ = 0xffffffffU;
  for (int i = phy_bits_ - 1; i >= 0; --i) {
    const std::uint32_t bit = last && i >= phy_bits_ - 32 ? 0 : static_cast<std::uint32_t>(field(word.data, i, 1));
    crc_ = (crc_ << 1) ^ (((crc_ >> 31) ^ bit) != 0 ? 0x04c11db7U : 0U);
  }
  if (last && field(word.data, phy_bits_ - 32, 32) != (~crc_ & 0xffffffffU))
    throw std::runtime_error("the CRC of a flit is wrong");
}

void Channel::follow(const Word& word, bool struck) {
  const bool data = field(word.data, header_.data, 1) != 0;
  const std::uint64_t seq = field(word.data, header_.seq, header_.seq_bits);
  if (data && seq == expected_) {
    if (struck) {
      errors_met += 1;
      waiting_ = true;
    } else {
      waiting_ = false;
      expected_ = (expected_ + 1) & ((1ULL << header_.seq_bits) - 1);
    }
  }
  flits_wasted += waiting_ ? 1 : 0;
}

}  // namespace fred::test
