// SPDX-License-Identifier: Apache-2.0
// Seeded random numbers for stalls and data: xoshiro256** seeded by splitmix64 (Blackman and Vigna, public domain).
// The same seed gives the same run on every host; std::uniform_*_distribution would not.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace fred::tb {

class Random {
 public:
  explicit Random(std::uint64_t seed = 0) {
    for (auto& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }

  [[nodiscard]] std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// 0..bound-1; bound >= 1 and far below 2^32.
  [[nodiscard]] int below(int bound) {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
  }

  /// True with probability threshold / 2^32.
  [[nodiscard]] bool chance(std::uint32_t threshold) { return static_cast<std::uint32_t>(next() >> 32) < threshold; }

  /// The threshold of a probability, 0 <= p < 1.
  [[nodiscard]] static std::uint32_t threshold(double p) { return static_cast<std::uint32_t>(p * 4294967296.0); }

 private:
  std::array<std::uint64_t, 4> state_{};  ///< never all zero after seeding
};

/// A seed for one purpose out of a run's seed, so that streams do not repeat each other.
[[nodiscard]] inline std::uint64_t sub_seed(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index = 0) {
  Random random(seed ^ (purpose * 0xd1342543de82ef95ULL) ^ (index * 0xaf251af3b0f025b5ULL));
  return random.next();
}

}  // namespace fred::tb
