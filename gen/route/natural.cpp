// SPDX-License-Identifier: Apache-2.0
// Numbers with as many bits as the bound needs are drawn until one is below it.
#include "fred/route/natural.hpp"

#include <bit>
#include <cstdint>

namespace fred::detail {

Natural draw_below(const Natural& bound, std::mt19937_64& random) {
  constexpr std::size_t kDigitBits = 32;
  const std::size_t bits = mpz_sizeinbase(bound.get_mpz_t(), 2);
  const std::size_t digits = (bits + kDigitBits - 1) / kDigitBits;
  const std::uint64_t top = (std::uint64_t{1} << (bits - (digits - 1) * kDigitBits)) - 1;
  Natural drawn;
  do {
    drawn = 0;
    for (std::size_t digit = 0; digit < digits; ++digit) {  // the least significant first
      const std::uint64_t word = random() >> kDigitBits;
      drawn += Natural(static_cast<unsigned long>(digit + 1 == digits ? word & top : word)) << (digit * kDigitBits);
    }
  } while (drawn >= bound);
  return drawn;
}

int draw_below(int bound, std::mt19937_64& random) {
  const auto below = static_cast<std::uint64_t>(bound);
  const std::uint64_t mask = std::bit_ceil(below) - 1;
  std::uint64_t drawn = 0;
  do {
    drawn = random() & mask;
  } while (drawn >= below);
  return static_cast<int>(drawn);
}

}  // namespace fred::detail
