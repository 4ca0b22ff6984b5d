// SPDX-License-Identifier: Apache-2.0
#include "tests/link/channel.hpp"

#include <stdexcept>

namespace fred::test {

void Channel::push(long now, Word word) {
  bool lost = now >= errors_.cut_from && now < errors_.cut_to;
  if (word.first) {
    index_ = 0;
    const bool strike = random_.chance(tb::Random::threshold(errors_.flits));
    struck_ = strike ? random_.below(words_) : -1;
    says_run_ = field(word.data, 0, 2) == 2;
    follow(word, strike || lost);
  }
  check_crc(word);
  if (index_ == struck_) hit(word, lost);
  ++index_;
  runs_ = runs_ || (says_run_ && index_ == words_);
  if (!lost) on_the_way_.emplace_back(now + latency_, word);
}

bool Channel::pop(long now, Word& word) {
  if (on_the_way_.empty() || on_the_way_.front().first > now) return false;
  word = on_the_way_.front().second;
  on_the_way_.pop_front();
  return true;
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

/// A wrong bit, a burst, a word that is lost or full of anything, a beginning that is none or is not seen.
void Channel::hit(Word& word, bool& lost) {
  const auto flip = [&](int bit) { word.data[static_cast<std::size_t>(bit / 32)] ^= 1U << (bit % 32); };
  constexpr int kFlip = 0;
  constexpr int kLost = 2;
  int kind = errors_.kind == Errors::Kind::kFlip ? kFlip : kLost;
  if (errors_.kind == Errors::Kind::kAny) kind = random_.below(5);
  switch (kind) {
    case kFlip:
      flip(random_.below(phy_bits_));
      break;
    case 1: {
      const int length = 2 + random_.below(31);
      const int low = random_.below(phy_bits_ - 1);
      flip(low);
      for (int i = low + 1; i < phy_bits_ && i < low + length; ++i) {
        if (random_.below(2) != 0) flip(i);
      }
      break;
    }
    case kLost:
      lost = true;
      break;
    case 3:
      for (int i = 0; i < phy_bits_; ++i) {
        if (random_.below(2) != 0) flip(i);
      }
      break;
    default:
      word.first = !word.first;
      break;
  }
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
