// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "tb/collectives.hpp"
#include "tb/random.hpp"

namespace fred::tb {

namespace {

/// One random element of a floating-point type in its low bits.
std::uint64_t random_float(Random& random, DType dtype) {
  const int exponent = exponent_bits(dtype);
  const int mantissa = mantissa_bits(dtype);
  const std::uint64_t bits = random.next();
  const std::uint64_t sign = bits & 1U;
  const std::uint64_t ones = (std::uint64_t{1} << mantissa) - 1U;
  const std::uint64_t fraction = (mantissa > 32 ? random.next() : bits >> 1) & ones;
  const auto choice = static_cast<std::uint32_t>(bits >> 40);
  const std::uint32_t top = (1U << exponent) - 1U;
  const std::uint32_t bias = top >> 1;
  // Magnitudes of 2^-spread .. 2^spread, so that sums lose bits, round and cancel.
  const std::uint32_t spread = exponent < 8 ? 6 : 12;
  std::uint64_t field = bias - spread + (choice >> 8) % (2 * spread + 1);
  std::uint64_t value = fraction;
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
      value = dtype == DType::kFp8E4m3 ? ones : value | 1U;
      break;
    case 3:  // zero of either sign
      field = 0;
      value = 0;
      break;
    default:  // of others some are near the largest and near the smallest normal number
      if ((choice & 0xffU) < 10) {
        field = dtype == DType::kFp8E4m3 ? top : top - 1;
        if (field == top) value &= ~std::uint64_t{1};  // NaN is all ones
      } else if ((choice & 0xffU) < 16) {
        field = 1 + (choice >> 8) % 2;
      }
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
    const std::uint64_t element = random_float(random, dtype);
    std::memcpy(data.data() + at, &element, size);
  }
  for (std::size_t at = whole; at < bytes; at += 8) {
    const std::uint64_t word = random.next();
    std::memcpy(data.data() + at, &word, bytes - at < 8 ? bytes - at : 8);
  }
  return data;
}

}  // namespace fred::tb
