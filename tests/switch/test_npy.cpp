// SPDX-License-Identifier: Apache-2.0
// .npy files, good and hostile.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"
#include "tb/npy.hpp"
#include "tb/random.hpp"

using namespace fred;
using namespace fred::tb;

namespace {

std::vector<std::byte> file(const std::string& header, std::size_t data_bytes, int version = 1) {
  std::string text("\x93NUMPY", 6);
  text += static_cast<char>(version);
  text += '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  if (version > 1) text += std::string(2, '\0');
  text += header + std::string(data_bytes, '\x01');
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::string reason(const std::vector<std::byte>& bytes) {
  try {
    (void)parse_npy(bytes, "x.npy", DType::kFp32);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kGood = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";

}  // namespace

TEST_CASE("npy: all three versions and the types") {
  const auto parse = [](const std::vector<std::byte>& bytes, DType wanted = DType::kFp32) {
    return parse_npy(bytes, "x", wanted);
  };
  for (const int version : {1, 2, 3}) CHECK(parse(file(kGood, 24, version)).elements() == 6);
  const auto taken_as = [&](const std::string& descr, std::size_t bytes, DType wanted) {
    const std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (5,), }";
    return parse(file(header, 5 * bytes), wanted).dtype;
  };
  CHECK(taken_as("|i1", 1, DType::kFp32) == DType::kInt8);
  CHECK(taken_as("<i8", 8, DType::kFp32) == DType::kInt64);
  CHECK(taken_as("<u4", 4, DType::kFp32) == DType::kUint32);
  CHECK(taken_as("<u8", 8, DType::kFp32) == DType::kUint64);
  CHECK(taken_as("<f8", 8, DType::kFp32) == DType::kFp64);
  CHECK(taken_as("<u2", 2, DType::kUint16) == DType::kUint16);
  CHECK(taken_as("<V2", 2, DType::kUint16) == DType::kBf16);
  CHECK(taken_as("|u1", 1, DType::kFp32) == DType::kUint8);
  CHECK(taken_as("|u1", 1, DType::kFp8E4m3) == DType::kFp8E4m3);
  CHECK(taken_as("|V1", 1, DType::kFp8E5m2) == DType::kFp8E5m2);
  CHECK_THROWS_AS((void)taken_as("|V1", 1, DType::kUint8), InputError);
  CHECK(parse(file("{'descr': '<i2', 'fortran_order': False, 'shape': (5,), }", 10)).dtype == DType::kInt16);
  CHECK(parse(file("{'descr': '<u2', 'fortran_order': False, 'shape': (5,), }", 10)).dtype == DType::kBf16);
  CHECK(parse(file("{'descr': '<f2', 'fortran_order': True, 'shape': (5,)}", 10)).dtype == DType::kFp16);
  CHECK(parse(file("{\"shape\": (), 'descr': '<i4', 'fortran_order': False}", 4)).elements() == 1);
  CHECK(parse(file("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 7)}", 0)).elements() == 0);
}

TEST_CASE("npy: what is refused, and why") {
  const auto says = [](const std::vector<std::byte>& bytes, const char* words) {
    const std::string text = reason(bytes);
    INFO(text);
    CHECK(text.find("x.npy") == 0);
    CHECK(text.find(words) != std::string::npos);
  };
  says({}, "truncated");
  says(std::vector<std::byte>(100), "magic");
  says(file(kGood, 23), "truncated");
  says(file(kGood, 25), "after the data");
  says(file(kGood, 24, 4), "version 4");
  auto huge = file(kGood, 24, 2);
  huge[11] = std::byte{0x7f};
  says(huge, "header of");
  auto cut = file(kGood, 24);
  cut.resize(30);
  says(cut, "truncated in the header");
  says(file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", 24), "Fortran");
  says(file("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3)}", 24), ">f4");
  says(file("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", 23), "needs 24 bytes");
  says(file("{'descr': '<c8', 'fortran_order': False, 'shape': (3,)}", 24), "<c8");
  says(file("{'descr': '|O', 'fortran_order': False, 'shape': (3,)}", 24), "|O");
  says(file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}", 24), "structured");
  says(file("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 24), "too many");
  says(file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 24), "not a number");
  says(file("{'descr': '<f4', 'fortran_order': False}", 24), "needed");
  says(file("{'descr': '<f4", 24), "quote");
  says(file("", 24), "expected");
  says(file(kGood + "x", 24), "after the dictionary");
}

TEST_CASE("npy: any damage to a good file is an InputError or another array, never a crash") {
  const auto good = file(kGood, 24);
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    auto bytes = good;
    for (int i = random.below(4); i >= 0; --i) {
      bytes[static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())))] =
          static_cast<std::byte>(random.next());
    }
    if (random.below(4) == 0) bytes.resize(static_cast<std::size_t>(random.below(static_cast<int>(bytes.size()))));
    (void)reason(bytes);
  }
}

TEST_CASE("npy: the gradients are read; what is written is read again") {
  const NpyArray gradients = read_npy(std::string(FRED_SOURCE_DIR) + "/tests/data/rank00.npy", DType::kFp32);
  CHECK(gradients.dtype == DType::kFp32);
  CHECK(gradients.elements() == 2410);
  const auto path = std::filesystem::temp_directory_path() / "fred_test_roundtrip.npy";
  for (const DType dtype : kAllDTypes) {
    NpyArray array{dtype, gradients.data};
    if (is_float(dtype)) {
      array = convert(gradients, dtype, "gradients");
    } else {
      CHECK_THROWS_AS((void)convert(gradients, dtype, "gradients"), InputError);
    }
    write_npy(path, dtype, array.data);
    const NpyArray again = read_npy(path, dtype);
    CHECK(again.dtype == dtype);
    CHECK(again.data == array.data);
  }
  std::filesystem::remove(path);
  CHECK_THROWS_AS((void)read_npy("/nonexistent/rank00.npy", DType::kFp32), InputError);
  const NpyArray sum = read_npy(std::string(FRED_SOURCE_DIR) + "/tests/data/sum_f64.npy", DType::kFp32);
  CHECK(sum.dtype == DType::kFp64);
  CHECK(sum.elements() == 2410);
  CHECK(convert(sum, DType::kFp32, "sum").elements() == 2410);
  CHECK_THROWS_AS((void)convert(sum, DType::kInt32, "sum"), InputError);
}

TEST_CASE("npy: every conversion rounds once, to nearest even") {
  const auto bits_of = [](const NpyArray& array) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, array.data.data(), array.element_bytes());
    return bits;
  };
  const auto from = [&](auto value, DType type, DType to) {
    NpyArray array{type, std::vector<std::byte>(sizeof value)};
    std::memcpy(array.data.data(), &value, sizeof value);
    return bits_of(convert(array, to, "x"));
  };
  // Doubles at, just above and just below every value of the 16-bit types and every midpoint between two of them.
  for (const DType to : {DType::kFp16, DType::kBf16}) {
    const std::uint32_t infinity = to == DType::kFp16 ? 0x7c00 : 0x7f80;
    const double beyond = to == DType::kFp16 ? 65536.0 : 0x1p128;  // the value that infinity's pattern would have
    std::size_t wrong = 0;
    for (std::uint32_t bits = 0; bits < infinity; ++bits) {
      const double value = to_double(to, bits);
      const double next = bits + 1 == infinity ? beyond : to_double(to, bits + 1);
      const double middle = (value + next) / 2;  // exact
      const double huge = std::numeric_limits<double>::infinity();
      const std::pair<double, std::uint32_t> cases[] = {{value, bits},
                                                        {std::nextafter(value, huge), bits},
                                                        {std::nextafter(middle, 0.0), bits},
                                                        {middle, bits + (bits & 1U)},
                                                        {std::nextafter(middle, huge), bits + 1},
                                                        {std::nextafter(next, 0.0), bits + 1}};
      for (const auto& [input, expected] : cases) {
        wrong += from(input, DType::kFp64, to) == expected ? 0 : 1;
        wrong += from(-input, DType::kFp64, to) == (expected | 0x8000U) ? 0 : 1;
      }
    }
    INFO(to_string(to));
    CHECK(wrong == 0);
    const double huge = std::numeric_limits<double>::infinity();
    CHECK(from(huge, DType::kFp64, to) == infinity);
    CHECK(from(1e300, DType::kFp64, to) == infinity);
    CHECK(from(-huge, DType::kFp64, to) == (infinity | 0x8000U));
    CHECK(from(-std::nan(""), DType::kFp64, to) == (to == DType::kFp16 ? 0x7e00U : 0x7fc0U));
    CHECK(from(1e-320, DType::kFp64, to) == 0);
    CHECK(from(-1e-320, DType::kFp64, to) == 0x8000U);
  }
  CHECK(from(1 + 0x1p-24, DType::kFp64, DType::kFp32) == 0x3f800000);
  CHECK(from(1 + 0x1p-24 + 0x1p-52, DType::kFp64, DType::kFp32) == 0x3f800001);
  CHECK(from(0x1p-149 * 1.5, DType::kFp64, DType::kFp32) == 2);
  CHECK(from(1e39, DType::kFp64, DType::kFp32) == 0x7f800000);
  CHECK(from(-std::nan("7"), DType::kFp64, DType::kFp32) == 0x7fc00000);
  // 2^24 + 2^16 + 1 is just above the middle of two bf16 values, and rounds to that middle in binary32.
  CHECK(from(std::int32_t{0x1010001}, DType::kInt32, DType::kBf16) == 0x4b81);
  CHECK(from(std::int32_t{-0x1010001}, DType::kInt32, DType::kBf16) == 0xcb81);
  CHECK(from(std::int32_t{16777217}, DType::kInt32, DType::kFp32) == 0x4b800000);
  CHECK(from(std::uint16_t{0x3c01}, DType::kFp16, DType::kFp32) == 0x3f802000);
  CHECK(from(std::int16_t{-257}, DType::kInt16, DType::kBf16) == 0xc380);
  CHECK(from(std::int16_t{-32768}, DType::kInt16, DType::kFp16) == 0xf800);
}
