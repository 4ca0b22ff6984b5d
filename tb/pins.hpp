// SPDX-License-Identifier: Apache-2.0
// Fields of the flat pin vectors. A vector is an array of 32-bit words, bit i at word i / 32, bit i % 32; a signal of
// N bits a port has port p at [p*N +: N]. Widths of tdata are whole bytes, so on a little-endian host the bytes of a
// port lie at byte offset p * W / 8 of the vector and can be copied and compared with memcpy and memcmp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fred::tb {

static_assert(std::endian::native == std::endian::little, "the pin vectors are viewed as little-endian bytes");

using Pins = std::vector<std::uint32_t>;

/// Words that hold `bits` bits.
[[nodiscard]] constexpr std::size_t pin_words(std::size_t bits) { return (bits + 31) / 32; }

[[nodiscard]] inline bool get_bit(const Pins& pins, std::size_t bit) {
  return ((pins[bit / 32] >> (bit % 32)) & 1U) != 0;
}

inline void set_bit(Pins& pins, std::size_t bit, bool value) {
  const std::uint32_t mask = 1U << (bit % 32);
  pins[bit / 32] = value ? (pins[bit / 32] | mask) : (pins[bit / 32] & ~mask);
}

/// The lowest `bits` bits set, 0 <= bits <= 32.
[[nodiscard]] constexpr std::uint32_t ones(int bits) { return bits >= 32 ? ~0U : (1U << bits) - 1U; }

/// A field of 1..32 bits.
[[nodiscard]] inline std::uint32_t get_field(const Pins& pins, std::size_t offset, int bits) {
  const std::size_t word = offset / 32;
  const int shift = static_cast<int>(offset % 32);
  std::uint64_t value = pins[word];
  if (shift + bits > 32) value |= static_cast<std::uint64_t>(pins[word + 1]) << 32;
  return static_cast<std::uint32_t>(value >> shift) & ones(bits);
}

inline void set_field(Pins& pins, std::size_t offset, int bits, std::uint32_t value) {
  const std::size_t word = offset / 32;
  const int shift = static_cast<int>(offset % 32);
  const std::uint64_t mask = static_cast<std::uint64_t>(ones(bits)) << shift;
  const std::uint64_t placed = (static_cast<std::uint64_t>(value) << shift) & mask;
  pins[word] = (pins[word] & ~static_cast<std::uint32_t>(mask)) | static_cast<std::uint32_t>(placed);
  if (shift + bits > 32) {
    pins[word + 1] =
        (pins[word + 1] & ~static_cast<std::uint32_t>(mask >> 32)) | static_cast<std::uint32_t>(placed >> 32);
  }
}

/// Writes a field of any width with `count` ones from bit 0 and zeros above: a tkeep of `count` bytes.
void set_prefix(Pins& pins, std::size_t offset, int bits, int count);
/// The number of ones of a field that is a prefix of ones, -1 if it is none.
[[nodiscard]] int get_prefix(const Pins& pins, std::size_t offset, int bits);

/// The bytes of a vector from byte `offset` on.
[[nodiscard]] inline const std::byte* bytes_at(const Pins& pins, std::size_t offset) {
  return reinterpret_cast<const std::byte*>(pins.data()) + offset;
}
[[nodiscard]] inline std::byte* bytes_at(Pins& pins, std::size_t offset) {
  return reinterpret_cast<std::byte*>(pins.data()) + offset;
}

}  // namespace fred::tb
