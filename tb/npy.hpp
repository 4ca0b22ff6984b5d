// SPDX-License-Identifier: Apache-2.0
// Reads and writes NumPy .npy files (format versions 1, 2 and 3), little-endian. NumPy has no names for bfloat16 and
// 8-bit floating point: they are stored here as uint16 and uint8. Any shape in C order is read as one row of elements.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fred/numeric/dtype.hpp"

namespace fred::tb {

/// The content of one file.
struct NpyArray {
  DType dtype = DType::kFp32;
  std::vector<std::byte> data;  ///< elements, little-endian
  [[nodiscard]] std::size_t element_bytes() const { return static_cast<std::size_t>(element_bits(dtype)) / 8; }
  [[nodiscard]] std::size_t elements() const { return data.size() / element_bytes(); }
};

/// Parses the bytes of a file; `name` is for messages. Any bytes may come in. Throws InputError that names the file and
/// says what is wrong and what is allowed. `wanted` decides what unsigned integers are: for an 8-bit floating-point
/// type bytes are its bits, and 16-bit ones are bf16 unless uint16 is wanted.
[[nodiscard]] NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& name, DType wanted);
/// Reads a file of at most 4 GiB. Throws InputError.
[[nodiscard]] NpyArray read_npy(const std::filesystem::path& path, DType wanted);
/// Writes a one-dimensional array, format version 1. Throws InputError when the file cannot be written.
void write_npy(const std::filesystem::path& path, DType dtype, std::span<const std::byte> data);

/// The same values in another type, each rounded once, to nearest even; overflow to infinity (fp8e4m3: to NaN),
/// every NaN becomes the canonical one. Integers as a target are refused with an InputError that names `name`: it would
/// need a scale.
[[nodiscard]] NpyArray convert(const NpyArray& array, DType to, const std::string& name);

}  // namespace fred::tb
