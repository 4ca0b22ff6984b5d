// SPDX-License-Identifier: Apache-2.0
#include "tb/link_channel.hpp"

namespace fred::tb {

LinkChannel::LinkChannel(int bits, int words, int latency, const LinkErrors& errors, std::uint64_t seed)
    : bits_(bits), words_(words), latency_(latency), errors_(errors), random_(seed) {}

void LinkChannel::push(std::uint64_t cycle, LinkWord word) {
  bool lost = cycle >= errors_.cut_from && cycle < errors_.cut_to;
  if (word.first) {
    index_ = 0;
    struck_ = random_.chance(Random::threshold(errors_.flits)) ? random_.below(words_) : -1;
  }
  if (index_ == struck_) {
    ++hits_;
    if (random_.below(4) == 0) {
      lost = true;
    } else {
      const auto bit = static_cast<std::size_t>(random_.below(bits_));
      word.data[bit / 32] ^= 1U << (bit % 32);
    }
  }
  ++index_;
  if (!lost) on_the_way_.emplace_back(cycle + static_cast<std::uint64_t>(latency_), std::move(word));
}

bool LinkChannel::pop(std::uint64_t cycle, LinkWord& word) {
  if (on_the_way_.empty() || on_the_way_.front().first > cycle) return false;
  word = std::move(on_the_way_.front().second);
  on_the_way_.pop_front();
  return true;
}

}  // namespace fred::tb
