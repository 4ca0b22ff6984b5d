// SPDX-License-Identifier: Apache-2.0
#include "tb/link_channel.hpp"

namespace fred::tb {

LinkChannel::LinkChannel(int bits, int words, int latency, const LinkErrors& errors, std::uint64_t seed)
    : bits_(bits), words_(words), latency_(latency), errors_(errors), random_(seed) {}

bool LinkChannel::push(std::uint64_t cycle, LinkWord word) {
  bool lost = cycle >= errors_.cut_from && cycle < errors_.cut_to;
  if (word.first) {
    index_ = 0;
    struck_ = random_.chance(Random::threshold(errors_.flits)) ? random_.below(words_) : -1;
    lost_ = lost;
  }
  if (index_ == struck_) {
    ++hits_;
    hit(word, lost);
  }
  ++index_;
  if (!lost) on_the_way_.emplace_back(cycle + static_cast<std::uint64_t>(latency_), std::move(word));
  return struck_ >= 0 || lost_;
}

void LinkChannel::hit(LinkWord& word, bool& lost) {
  const auto flip = [&](int bit) { word.data[static_cast<std::size_t>(bit / 32)] ^= 1U << (bit % 32); };
  constexpr int kFlip = 0;
  constexpr int kLost = 2;
  int kind = errors_.kind == LinkErrors::Kind::kFlip ? kFlip : kLost;
  if (errors_.kind == LinkErrors::Kind::kAny) kind = random_.below(5);
  switch (kind) {
    case kFlip:
      flip(random_.below(bits_));
      break;
    case 1: {
      const int length = 2 + random_.below(31);
      const int low = random_.below(bits_ - 1);
      flip(low);
      for (int i = low + 1; i < bits_ && i < low + length; ++i) {
        if (random_.below(2) != 0) flip(i);
      }
      break;
    }
    case kLost:
      lost = true;
      break;
    case 3:
      for (int i = 0; i < bits_; ++i) {
        if (random_.below(2) != 0) flip(i);
      }
      break;
    default:
      word.first = !word.first;
      break;
  }
}

bool LinkChannel::pop(std::uint64_t cycle, LinkWord& word) {
  if (on_the_way_.empty() || on_the_way_.front().first > cycle) return false;
  word = std::move(on_the_way_.front().second);
  on_the_way_.pop_front();
  return true;
}

}  // namespace fred::tb
