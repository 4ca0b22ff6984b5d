// SPDX-License-Identifier: Apache-2.0
// Operands for one lane: all of 8 bits, corner values of a floating-point format, and weighted random pairs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace fred::test {

/// SplitMix64 (Steele, Lea, Flood 2014): fast, and any seed will do.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

/// Every 8-bit pattern.
inline std::vector<std::uint64_t> all_bytes() {
  std::vector<std::uint64_t> values(256);
  for (std::uint64_t x = 0; x < 256; ++x) values[x] = x;
  return values;
}

/// Some 800 patterns of a format with infinities, at which something changes.
template <class Format>
std::vector<std::uint64_t> corners() {
  constexpr int kMan = Format::kManBits, kPrecision = kMan + 1;
  constexpr int kTopExponent = (1 << Format::kExpBits) - 1, kOne = kTopExponent / 2;
  constexpr std::uint64_t ones = (1ull << kMan) - 1, half = 1ull << (kMan - 1), alternating = 0x5555555555555555;
  std::vector<std::uint64_t> values;
  const auto add = [&](int exponent, std::uint64_t significand) {
    const std::uint64_t magnitude = static_cast<std::uint64_t>(exponent) << kMan | (significand & ones);
    values.push_back(magnitude);
    values.push_back(magnitude | Format::kSign);
  };
  // Zero, subnormals and the smallest normal numbers; numbers that cancel into them; one; the largest. Each with
  // exponents about the precision below: there a sum ends in a tie, or all but one.
  for (const int exponent : {0,
                             1,
                             2,
                             3,
                             kPrecision - 1,
                             kPrecision,
                             kPrecision + 1,
                             kPrecision + 2,
                             kOne - kPrecision - 2,
                             kOne - kPrecision - 1,
                             kOne - kPrecision,
                             kOne - kPrecision + 1,
                             kOne - kPrecision / 2,
                             kOne - 1,
                             kOne,
                             kOne + 1,
                             kOne + kPrecision,
                             kTopExponent - 3 - kPrecision,
                             kTopExponent - 2 - kPrecision,
                             kTopExponent - 1 - kPrecision,
                             kTopExponent - kPrecision,
                             kTopExponent - 2,
                             kTopExponent - 1})
    for (const std::uint64_t significand :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, half - 1, half, half + 1, half / 2,
          half + half / 2, ones - 2, ones - 1, ones, alternating, ~alternating})
      add(exponent, significand);
  // A single one, and all ones down to any place.
  for (int place = 0; place < kMan; ++place) {
    add(kOne, 1ull << place);
    add(kOne, ones << place);
  }
  // Infinity, quiet and signalling NaNs.
  for (const std::uint64_t significand :
       {std::uint64_t{0}, half, half + 1, ones, std::uint64_t{1}, half - 1, alternating})
    add(kTopExponent, significand);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Each value with each, again and again.
class Crossed {
 public:
  explicit Crossed(std::vector<std::uint64_t> values) : values_(std::move(values)) {}
  [[nodiscard]] std::uint64_t count() const { return values_.size() * values_.size(); }
  std::array<std::uint64_t, 2> next() {
    const std::array<std::uint64_t, 2> pair{values_[left_], values_[right_]};
    if (++right_ == values_.size()) {
      right_ = 0;
      if (++left_ == values_.size()) left_ = 0;
    }
    return pair;
  }

 private:
  std::vector<std::uint64_t> values_;
  std::size_t left_ = 0, right_ = 0;  ///< of the next pair, indices into values_
};

/// Pairs weighted to cancellation, subnormals, ties, overflow and specials, of which uniform ones would be rare.
template <class Format>
class Pairs {
 public:
  explicit Pairs(std::uint64_t seed) : rng_(seed) {}

  std::array<std::uint64_t, 2> next() {
    const std::uint64_t a = rng_() & Format::kAll;
    const std::uint64_t e = (a & Format::kTop) >> kMan;
    std::array<std::uint64_t, 2> pair{};
    switch (below(10)) {
      case 0:
        pair = {a, rng_() & Format::kAll};
        break;
      case 1:  // all but opposite
        pair = {a, ((a ^ Format::kSign) + below(9) - 4) & Format::kAll};
        break;
      case 2:  // cancellation from neighbouring exponents
        pair = {a, number(~a, near(e, 1), man())};
        break;
      case 3:  // about the subnormals
        pair = {number(rng_(), below(3), man()), number(rng_(), below(3), man())};
        break;
      case 4:  // cancellation into them
        pair = {number(0, 1 + below(kMan + 2), man()), number(~0ull, 1 + below(kMan + 2), man())};
        break;
      case 5:
      case 6:  // ties and all but ties
        pair = {number(rng_(), e, man()), number(rng_(), near(e, kMan + 3), man())};
        break;
      case 7:  // overflow
        pair = {number(a, kTopExponent - 1 - below(2), man()), number(a, near(kTopExponent - 1, kMan + 2), man())};
        break;
      case 8:  // specials
        pair = {number(rng_(), kTopExponent, below(2) != 0 ? 0 : man()),
                below(2) != 0 ? rng_() & Format::kAll : number(rng_(), kTopExponent, below(2) != 0 ? 0 : man())};
        break;
      default:
        pair = {a, number(rng_(), near(e, kMan + 4), rng_())};
    }
    if (below(2) != 0) std::swap(pair[0], pair[1]);
    return pair;
  }

 private:
  static constexpr int kMan = Format::kManBits;
  static constexpr int kTopExponent = (1 << Format::kExpBits) - 1;

  std::uint64_t below(std::uint64_t n) { return (rng_() >> 32) * n >> 32; }
  static std::uint64_t number(std::uint64_t sign, std::uint64_t exponent, std::uint64_t significand) {
    return (sign & Format::kSign) | ((exponent << kMan) & Format::kTop) | (significand & ((1ull << kMan) - 1));
  }
  std::uint64_t near(std::uint64_t exponent, int reach) {
    const auto e = static_cast<std::int64_t>(exponent + below(2 * static_cast<std::uint64_t>(reach) + 1)) - reach;
    return static_cast<std::uint64_t>(std::min<std::int64_t>(std::max<std::int64_t>(e, 0), kTopExponent));
  }
  /// A significand, often of long runs: where carries go far and rounding goes wrong.
  std::uint64_t man() {
    const std::uint64_t shift = below(kMan + 1), ones = (1ull << kMan) - 1;
    switch (below(6)) {
      case 0:
        return 1ull << shift;
      case 1:
        return ones << shift;
      case 2:
        return ones >> shift;
      case 3:
        return (1ull << shift) + below(3) - 1;
      default:
        return rng_();
    }
  }

  Random rng_;
};

}  // namespace fred::test
