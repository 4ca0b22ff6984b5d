// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "tb/collectives.hpp"
#include "tb/random.hpp"

namespace fred::tb {

namespace {

/// One random element of a floating-point type in its low bits.
std::uint32_t random_float(Random& random, int exponent, int mantissa) {
  const std::uint64_t bits = random.next();
  const auto sign = static_cast<std::uint32_t>(bits & 1U);
  const std::uint32_t fraction = static_cast<std::uint32_t>(bits >> 1) & ((1U << mantissa) - 1U);
  const auto choice = static_cast<std::uint32_t>(bits >> 40);
  const std::uint32_t top = (1U << exponent) - 1U;
  const std::uint32_t bias = top >> 1;
  // Magnitudes of 2^-spread .. 2^spread, so that sums lose bits, round and cancel.
  const std::uint32_t spread = exponent < 8 ? 6 : 12;
  std::uint32_t field = bias - spread + (choice >> 8) % (2 * spread + 1);
  std::uint32_t value = fraction;
  switch (choice & 0xffU) {
    case 0:  // subnormal
      field = 0;
      break;
    case 1:  // infinity
      field = top;
      value = 0;
      break;
    case 2:  // NaN, quiet or signalling, with a payload
      field = top;
      value |= 1;
      break;
    case 3:  // zero of either sign
      field = 0;
      value = 0;
      break;
    default:
      break;
  }
  return sign << (exponent + mantissa) | field << mantissa | value;
}

}  // namespace

Bytes random_buffer(DType dtype, std::size_t bytes, std::uint64_t seed) {
  Random random(seed);
  Bytes data(bytes);
  const std::size_t size = static_cast<std::size_t>(element_bits(dtype)) / 8;
  const std::size_t whole = is_float(dtype) ? bytes / size * size : 0;
  for (std::size_t at = 0; at < whole; at += size) {
    const std::uint32_t element = random_float(random, exponent_bits(dtype), mantissa_bits(dtype));
    std::memcpy(data.data() + at, &element, size);
  }
  for (std::size_t at = whole; at < bytes; at += 8) {
    const std::uint64_t word = random.next();
    std::memcpy(data.data() + at, &word, bytes - at < 8 ? bytes - at : 8);
  }
  return data;
}

}  // namespace fred::tb
