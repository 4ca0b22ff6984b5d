// SPDX-License-Identifier: Apache-2.0
// Operands that find faults in a reducer: corner values, and random pairs weighted to cancellation, subnormals, ties,
// overflow and specials. Shared by the tests of the golden model and of the RTL.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fred/numeric/dtype.hpp"

namespace fred::test {

/// The value of an environment variable as a number, or `otherwise`.
inline std::uint64_t number_from_env(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::stoull(text, nullptr, 0) : otherwise;
}

/// FRED_SEED, or a fresh seed a run. Tests print it.
inline std::uint64_t seed() {
  static const std::uint64_t value = number_from_env("FRED_SEED", std::random_device{}());
  return value;
}

using Pair = std::pair<std::uint64_t, std::uint64_t>;

/// A source of operand pairs for one type.
class Operands {
 public:
  Operands(DType dtype, std::uint64_t seed_value)
      : dtype_(dtype), exp_(exponent_bits(dtype)), man_(mantissa_bits(dtype)), rng_(seed_value) {
    make_corners();
  }

  /// All values at which something changes: to be crossed with themselves.
  [[nodiscard]] const std::vector<std::uint64_t>& corners() const { return corners_; }

  [[nodiscard]] Pair next() {
    const Pair pair = is_float(dtype_) ? next_float() : next_int();
    return below(2) == 0 ? pair : Pair{pair.second, pair.first};
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() >> 33) % n; }
  std::uint64_t bits() { return rng_() & mask(element_bits(dtype_)); }
  std::uint64_t corner() { return corners_[below(static_cast<std::uint32_t>(corners_.size()))]; }
  [[nodiscard]] static std::uint64_t mask(int n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }
  [[nodiscard]] std::uint32_t top_exponent() const { return static_cast<std::uint32_t>(mask(exp_)); }
  [[nodiscard]] std::uint64_t number(std::uint64_t sign, std::uint64_t exponent, std::uint64_t mantissa) const {
    return (sign & 1) << (exp_ + man_) | (exponent & mask(exp_)) << man_ | (mantissa & mask(man_));
  }

  /// A significand with long runs: where rounding goes wrong.
  std::uint64_t run_mantissa() {
    const std::uint32_t shift = below(static_cast<std::uint32_t>(man_) + 1);
    switch (below(5)) {
      case 0:
        return std::uint64_t{1} << shift;
      case 1:
        return mask(man_) << shift;
      case 2:
        return mask(man_) >> shift;
      case 3:
        return below(4);
      default:
        return (std::uint64_t{1} << shift) + below(3) - 1;
    }
  }

  /// An exponent within `reach` of `from`, within the format.
  std::uint32_t near_exponent(std::uint32_t from, int reach) {
    const int e = static_cast<int>(from) - reach + static_cast<int>(below(2 * static_cast<std::uint32_t>(reach) + 1));
    return static_cast<std::uint32_t>(std::clamp(e, 0, static_cast<int>(top_exponent())));
  }

  Pair next_float() {
    const std::uint64_t a = bits();
    const auto a_exponent = static_cast<std::uint32_t>((a >> man_) & mask(exp_));
    switch (below(12)) {
      case 0:
        return {a, bits()};
      case 1:
        return {corner(), corner()};
      case 2:
        return {corner(), bits()};
      case 3:  // cancellation to a few units in the last place
        return {a, ((a ^ number(1, 0, 0)) + below(9) - 4) & mask(1 + exp_ + man_)};
      case 4:  // cancellation with neighbouring exponents
        return {a, number(~(a >> (exp_ + man_)), near_exponent(a_exponent, 1), bits())};
      case 5:  // subnormals and the smallest normal numbers
        return {number(bits(), below(3), bits()), number(bits(), below(3), bits())};
      case 6:  // cancellation into the subnormals
        return {number(0, 1 + below(static_cast<std::uint32_t>(man_) + 2), bits()),
                number(1, 1 + below(static_cast<std::uint32_t>(man_) + 2), run_mantissa())};
      case 7:
      case 8: {  // ties and all but ties
        const std::uint32_t e = below(top_exponent());
        return {number(bits(), e, below(2) ? bits() : run_mantissa()),
                number(bits(), near_exponent(e, man_ + 3), run_mantissa())};
      }
      case 9:  // overflow
        return {number(a, top_exponent() - 1 - below(2), below(2) ? bits() : run_mantissa()),
                number(a, near_exponent(top_exponent() - 1, man_ + 2), run_mantissa())};
      case 10:
        return {number(bits(), top_exponent(), below(2) ? 0 : bits()), below(2) ? bits() : corner()};
      default:
        return {a, number(bits(), near_exponent(a_exponent, man_ + 4), bits())};
    }
  }

  Pair next_int() {
    const std::uint64_t a = bits(), element = mask(element_bits(dtype_));
    switch (below(5)) {
      case 0:
        return {corner(), corner()};
      case 1:
        return {corner(), bits()};
      case 2:
        return {a, (a + below(5) - 2) & element};
      case 3:
        return {a, (0 - a + below(5) - 2) & element};
      default:
        return {a, bits()};
    }
  }

  void make_corners() {
    const std::uint64_t element = mask(element_bits(dtype_));
    if (element_bits(dtype_) == 8) {  // all there are
      for (std::uint64_t bits = 0; bits < 256; ++bits) corners_.push_back(bits);
      return;
    }
    constexpr std::uint64_t alternating = 0x5555555555555555;
    if (!is_float(dtype_)) {
      // Zero, the ends of the range, carries between the adder's parts, alternating bits.
      const std::uint64_t half = mask(element_bits(dtype_) / 2);
      for (const std::uint64_t centre : {std::uint64_t{0}, half / 2 + 1, half + 1, (element >> 1) & ~half,
                                         element / 2 + 1, alternating, ~alternating})
        for (std::uint64_t i = 0; i < 7; ++i) corners_.push_back((centre + i - 3) & element);
      return;
    }
    const std::uint32_t bias = top_exponent() / 2, p = static_cast<std::uint32_t>(man_);
    const std::uint64_t half = std::uint64_t{1} << (man_ - 1), ones = mask(man_);
    for (const std::uint32_t sign : {0u, 1u})
      for (const std::uint32_t exponent :
           {0u, 1u, 2u, 3u, p, p + 1, p + 2, bias - 1, bias, bias + 1, bias + p, bias + p + 1, bias + p + 2,
            top_exponent() - 2, top_exponent() - 1, top_exponent()})
        for (const std::uint64_t mantissa : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                                             half - 1, half, half + 1, ones - 1, ones, alternating >> 1, alternating})
          corners_.push_back(number(sign, exponent, mantissa));
  }

  DType dtype_;
  int exp_, man_;  ///< bits of the exponent and of the stored significand
  std::mt19937_64 rng_;
  std::vector<std::uint64_t> corners_;  ///< bit patterns
};

}  // namespace fred::test
