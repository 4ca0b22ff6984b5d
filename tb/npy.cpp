// SPDX-License-Identifier: Apache-2.0
#include "tb/npy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>

#include "fred/emit/temporary.hpp"
#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"

namespace fred::tb {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMaxHeader = 65536;  // far more than any header of these types needs
constexpr std::uintmax_t kMaxFile = std::uintmax_t{4} << 30;

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
  throw InputError(fmt::format("{}: {}", name, reason));
}

/// Text of a header for a message: short and printable.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 40)) result += c >= 0x20 && c < 0x7f ? c : '?';
  return result;
}

/// A cursor over the header, a Python dictionary literal with three keys.
class Header {
 public:
  Header(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void parse() {
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        if (peek() == '[') fail(name_, "structured arrays are not supported");
        descr = quoted();
      } else if (key == "fortran_order") {
        const std::string_view value = word();
        if (value != "True" && value != "False") fail(name_, "bad header: fortran_order is neither True nor False");
        fortran = value == "True";
        has_fortran = true;
      } else if (key == "shape") {
        shape();
      } else {
        fail(name_, fmt::format("bad header: unknown key '{}'", shown(key)));
      }
      ++keys;
      if (!take(',') && peek() != '}') fail(name_, "bad header: ',' or '}' expected");
    }
    skip();
    if (at_ != text_.size()) fail(name_, "bad header: text after the dictionary");
    if (descr.empty() || !has_shape || !has_fortran || keys != 3)
      fail(name_, "bad header: descr, fortran_order and shape are needed once each");
  }

  std::string_view descr;  ///< '<f4'
  bool fortran = false;    ///< column-major
  bool has_fortran = false;
  bool has_shape = false;
  bool overflow = false;       ///< the shape's product does not fit
  std::uint64_t elements = 1;  ///< product of the shape
  int dimensions = 0;
  int keys = 0;

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(name_, fmt::format("bad header: '{}' expected", c));
  }
  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail(name_, "bad header: a quoted name expected");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(name_, "bad header: a quote is not closed");
    const std::string_view result = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return result;
  }
  std::string_view word() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           ((text_[at_] >= 'a' && text_[at_] <= 'z') || (text_[at_] >= 'A' && text_[at_] <= 'Z'))) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }
  void shape() {
    expect('(');
    has_shape = true;
    while (!take(')')) {
      skip();
      std::uint64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (error != std::errc{}) fail(name_, "bad header: a size in the shape is not a number");
      at_ = static_cast<std::size_t>(end - text_.data());
      overflow = overflow || (size != 0 && elements > std::numeric_limits<std::uint64_t>::max() / size);
      elements = overflow ? elements : elements * size;
      if (++dimensions > 32) fail(name_, "bad header: more than 32 dimensions");
      if (!take(',') && peek() != ')') fail(name_, "bad header: ',' or ')' expected in the shape");
    }
  }

  std::string_view text_;    ///< the header
  std::size_t at_ = 0;       ///< position in it
  const std::string& name_;  ///< of the file
};

constexpr std::pair<std::string_view, DType> kDescr[] = {
    {"|i1", DType::kInt8},    {"<i2", DType::kInt16},  {"<i4", DType::kInt32},  {"<i8", DType::kInt64},
    {"|u1", DType::kUint8},   {"<u2", DType::kUint16}, {"<u4", DType::kUint32}, {"<u8", DType::kUint64},
    {"<f2", DType::kFp16},    {"<f4", DType::kFp32},   {"<f8", DType::kFp64},   {"<u2", DType::kBf16},
    {"|u1", DType::kFp8E4m3}, {"|u1", DType::kFp8E5m2}};

DType dtype_of(std::string_view descr, const std::string& name, DType wanted) {
  // NumPy has no names for these: their bits lie in unsigned integers, or in nameless bytes (package ml_dtypes).
  const bool nameless = descr == "<V2" || descr == "|V2" || descr == "|V1";
  if (is_float(wanted) && element_bits(wanted) == 8 && (descr == "|u1" || descr == "|V1")) return wanted;
  if ((descr == "<u2" && wanted != DType::kUint16) || (nameless && descr[2] == '2')) return DType::kBf16;
  for (const auto& [known, dtype] : kDescr)
    if (known == descr) return dtype;
  fail(name,
       fmt::format("element type '{}' is not supported; allowed: |i1, <i2, <i4, <i8, |u1, <u2, <u4, <u8, <f2, <f4, "
                   "<f8 and, for bf16 and 8-bit floating point, <V2 and |V1",
                   shown(descr)));
}

std::string_view descr_of(DType dtype) {
  for (const auto& [descr, known] : kDescr)
    if (known == dtype) return descr;
  return "";
}

/// Element i as a number that rounds to type `to` as the element does. Integers of 64 bits may have more bits than a
/// double: unless that is what they become, the last bit then says that something is cut (rounding to odd).
double value_of(const NpyArray& array, std::size_t i, DType to) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.data.data() + i * array.element_bytes(), array.element_bytes());
  const double nearest = to_double(array.dtype, bits);
  if (is_float(array.dtype) || array.element_bytes() < 8 || to == DType::kFp64) return nearest;
  const bool negative = nearest < 0;
  const std::uint64_t magnitude = negative ? 0 - bits : bits;
  const double size = std::fabs(nearest);
  // 2^64 is no uint64.
  const bool above = size >= 0x1p64 || static_cast<std::uint64_t>(size) > magnitude;
  if (!above && static_cast<std::uint64_t>(size) == magnitude) return nearest;
  const std::uint64_t odd = (std::bit_cast<std::uint64_t>(size) - (above ? 1U : 0U)) | 1U;
  return negative ? -std::bit_cast<double>(odd) : std::bit_cast<double>(odd);
}

}  // namespace

NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& name, DType wanted) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (bytes.size() < 10) fail(name, fmt::format("truncated: {} bytes are no .npy file", bytes.size()));
  if (text.substr(0, kMagic.size()) != kMagic) fail(name, "not a .npy file: the magic string is missing");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    fail(name, fmt::format(".npy version {} is not supported; allowed: 1, 2, 3", version));
  const std::size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start) fail(name, "truncated in the header's length");
  const std::size_t length =
      version == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > kMaxHeader) fail(name, fmt::format("header of {} bytes: at most {} are read", length, kMaxHeader));
  if (bytes.size() - start < length) {
    fail(name, fmt::format("truncated in the header: {} of {} bytes", bytes.size() - start, length));
  }

  Header header(text.substr(start, length), name);
  header.parse();
  NpyArray array;
  array.dtype = dtype_of(header.descr, name, wanted);
  if (header.fortran && header.dimensions > 1)
    fail(name, "the array is in Fortran order; save it with numpy.ascontiguousarray");
  const std::size_t have = bytes.size() - start - length;
  const std::size_t size = array.element_bytes();
  if (header.overflow || header.elements > kMaxFile / size) fail(name, "the shape has too many elements");
  if (header.elements * size != have) {
    fail(name, fmt::format("{}: the shape needs {} bytes of data, the file has {}",
                           have < header.elements * size ? "truncated" : "bytes after the data", header.elements * size,
                           have));
  }
  const auto data = bytes.subspan(start + length);
  array.data.assign(data.begin(), data.end());
  return array;
}

NpyArray read_npy(const std::filesystem::path& path, DType wanted) {
  const std::string name = path.string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) fail(name, "there is no such file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) fail(name, error.message());
  if (size > kMaxFile) fail(name, fmt::format("{} bytes: at most {} are read", size, kMaxFile));
  std::vector<std::byte> bytes(size);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) fail(name, "cannot be read");
  return parse_npy(bytes, name, wanted);
}

void write_npy(const std::filesystem::path& path, DType dtype, std::span<const std::byte> data) {
  const std::size_t elements = data.size() / (static_cast<std::size_t>(element_bits(dtype)) / 8);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", descr_of(dtype), elements);
  // The data begins at a multiple of 64 bytes, the header ends with a newline.
  const std::size_t prefix = kMagic.size() + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  const std::filesystem::path temporary = temporary_beside(path, "npy");  // whole or not at all
  std::ofstream file(temporary, std::ios::binary);
  file.write(kMagic.data(), static_cast<std::streamsize>(kMagic.size()));
  file.put(1).put(0);
  file.put(static_cast<char>(header.size() & 0xffU)).put(static_cast<char>(header.size() >> 8));
  file << header;
  file.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(temporary, path, error);
  if (!file || error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    fail(path.string(), error ? "cannot be written: " + error.message() : "cannot be written; is the disk full?");
  }
}

NpyArray convert(const NpyArray& array, DType to, const std::string& name) {
  if (array.dtype == to) return array;
  if (!is_float(to)) {
    fail(name, fmt::format("{} values are not converted to {}: scale and round them yourself", to_string(array.dtype),
                           to_string(to)));
  }
  const std::size_t to_size = static_cast<std::size_t>(element_bits(to)) / 8;
  NpyArray result{to, std::vector<std::byte>(array.elements() * to_size)};
  for (std::size_t i = 0; i < array.elements(); ++i) {
    const std::uint64_t bits = from_double(to, value_of(array, i, to));
    std::memcpy(result.data.data() + i * to_size, &bits, to_size);
  }
  return result;
}

}  // namespace fred::tb
