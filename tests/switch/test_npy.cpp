// SPDX-License-Identifier: Apache-2.0
// .npy files, good and hostile.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "fred/error.hpp"
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
    (void)parse_npy(bytes, "x.npy");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kGood = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";

}  // namespace

TEST_CASE("npy: all three versions and the types") {
  for (const int version : {1, 2, 3}) CHECK(parse_npy(file(kGood, 24, version), "x").elements() == 6);
  CHECK(parse_npy(file("{'descr': '<u2', 'fortran_order': False, 'shape': (5,), }", 10), "x").dtype == DType::kBf16);
  CHECK(parse_npy(file("{'descr': '<f2', 'fortran_order': True, 'shape': (5,)}", 10), "x").dtype == DType::kFp16);
  CHECK(parse_npy(file("{\"shape\": (), 'descr': '<i4', 'fortran_order': False}", 4), "x").elements() == 1);
  CHECK(parse_npy(file("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 7)}", 0), "x").elements() == 0);
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
  says(file("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", 24), "<f8");
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
  const NpyArray gradients = read_npy(std::string(FRED_SOURCE_DIR) + "/tests/data/rank00.npy");
  CHECK(gradients.dtype == DType::kFp32);
  CHECK(gradients.elements() == 2410);
  const auto path = std::filesystem::temp_directory_path() / "fred_test_roundtrip.npy";
  for (const DType dtype : {DType::kFp32, DType::kFp16, DType::kBf16}) {
    const NpyArray array = convert(gradients, dtype, "gradients");
    write_npy(path, dtype, array.data);
    const NpyArray again = read_npy(path);
    CHECK(again.dtype == dtype);
    CHECK(again.data == array.data);
  }
  std::filesystem::remove(path);
  CHECK_THROWS_AS((void)convert(gradients, DType::kInt32, "gradients"), InputError);
  CHECK_THROWS_AS((void)read_npy("/nonexistent/rank00.npy"), InputError);
  CHECK_THROWS_AS((void)read_npy(std::string(FRED_SOURCE_DIR) + "/tests/data/sum_f64.npy"), InputError);
}
