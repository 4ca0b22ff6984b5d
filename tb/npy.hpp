// SPDX-License-Identifier: Apache-2.0
// Reads and writes NumPy .npy files (format versions 1, 2 and 3): little-endian float32, float16, int32, and bfloat16,
// which NumPy has no name for and stores here as uint16. float64 can be read too, but only to be converted. Any shape
// in C order is read as one row of elements. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fred/numeric/dtype.hpp"

namespace fred::tb {

/// The content of one file.
struct NpyArray {
  std::optional<DType> dtype =
      DType::kFp32;             ///< <f4 fp32, <f2 fp16, <i4 int32, <i2 int16, <u2 bf16; none: <f8, see `convert`
  std::vector<std::byte> data;  ///< elements, little-endian
  [[nodiscard]] std::size_t element_bytes() const {
    return dtype ? static_cast<std::size_t>(element_bits(*dtype)) / 8 : sizeof(double);
  }
  [[nodiscard]] std::size_t elements() const { return data.size() / element_bytes(); }
  /// "fp32", ..., "fp64".
  [[nodiscard]] std::string_view type_name() const { return dtype ? to_string(*dtype) : "fp64"; }
};

/// Parses the bytes of a file; `name` is for messages. Any bytes may come in. Throws InputError that names the file and
/// says what is wrong and what is allowed.
[[nodiscard]] NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& name);
/// Reads a file of at most 4 GiB. Throws InputError.
[[nodiscard]] NpyArray read_npy(const std::filesystem::path& path);
/// Writes a one-dimensional array, format version 1. Throws InputError when the file cannot be written.
void write_npy(const std::filesystem::path& path, DType dtype, std::span<const std::byte> data);

/// The same values in another type, each rounded once, to nearest even; overflow to infinity, every NaN becomes the
/// canonical one. Floating point to int32 is refused with an InputError that names `name`: it would need a scale.
[[nodiscard]] NpyArray convert(const NpyArray& array, DType to, const std::string& name);

}  // namespace fred::tb
