// SPDX-License-Identifier: Apache-2.0
// The golden model against MPFR for floating point (oracle.hpp) and against 128-bit arithmetic for integers.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"
#include "tests/numeric/operands.hpp"
#include "tests/numeric/oracle.hpp"

using namespace fred;
using fred::test::Operands;
using fred::test::Oracle;

namespace {

/// Integers of `bits` bits in 128.
std::uint64_t exact_int(DType dtype, Op op, std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = __int128;
  const Wide modulus = Wide{1} << element_bits(dtype);
  const Wide least = is_signed(dtype) ? -(modulus / 2) : 0, most = least + modulus - 1;
  const auto value = [&](std::uint64_t pattern) { return pattern <= most ? Wide{pattern} : Wide{pattern} - modulus; };
  const Wide x = value(a), y = value(b);
  Wide result = op == Op::kMin ? std::min(x, y) : op == Op::kMax ? std::max(x, y) : x + y;
  if (op == Op::kSumSat) result = std::clamp(result, least, most);
  return static_cast<std::uint64_t>((result + 2 * modulus) % modulus);
}

/// Bit by bit, from the least on.
std::uint64_t exact_bits(int bits, Op op, std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  for (int i = bits - 1; i >= 0; --i) {
    const bool x = (a >> i) & 1, y = (b >> i) & 1;
    result = 2 * result + (op == Op::kAnd ? x && y : op == Op::kOr ? x || y : x != y);
  }
  return result;
}

/// Compares model and oracle, says what differs and stops after a few differences.
class Checker {
 public:
  explicit Checker(DType dtype) : dtype_(dtype), oracle_(is_float(dtype) ? dtype : DType::kFp32) {}
  void check(Op op, std::uint64_t a, std::uint64_t b) {
    if (!is_defined(dtype_, op)) return;
    const std::uint64_t want = op >= Op::kAnd     ? exact_bits(element_bits(dtype_), op, a, b)
                               : is_float(dtype_) ? oracle_(op, a, b)
                                                  : exact_int(dtype_, op, a, b);
    const std::uint64_t got = reduce_bits(dtype_, op, a, b);
    ++compared_;
    if (got == want || ++wrong_ > 10) return;
    MESSAGE(fmt::format("{} {}: a {:#x} b {:#x} model {:#x} oracle {:#x}", to_string(dtype_), to_string(op), a, b, got,
                        want));
  }
  void finish() const {
    MESSAGE(fmt::format("{}: {} results compared, {} wrong; FRED_SEED={}", to_string(dtype_), compared_, wrong_,
                        test::seed()));
    CHECK(wrong_ == 0);
  }

 private:
  DType dtype_;
  Oracle oracle_;
  std::uint64_t compared_ = 0, wrong_ = 0;
};

}  // namespace

TEST_CASE("golden model: every pair of corner values agrees with the oracle") {
  for (DType dtype : kAllDTypes) {
    Checker checker(dtype);
    const Operands operands(dtype, 0);
    for (const std::uint64_t a : operands.corners())
      for (const std::uint64_t b : operands.corners())
        for (Op op : kAllOps) checker.check(op, a, b);
    checker.finish();
  }
}

TEST_CASE("golden model: random pairs agree with the oracle") {
  const std::uint64_t pairs = test::number_from_env("FRED_PAIRS", 1'000'000);
  for (DType dtype : kAllDTypes) {
    Checker checker(dtype);
    Operands operands(dtype, test::seed());
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const auto [a, b] = operands.next();
      checker.check(Op::kSum, a, b);
      checker.check(kAllOps[1 + i % (kAllOps.size() - 1)], a, b);
    }
    checker.finish();
  }
}

// All 2^32 pairs of a 16-bit type; a sum is the same in either order, so half of them are done:
//   test_numeric -ns -tc='*exhaustive*fp16*'
TEST_CASE("golden model: exhaustive sums of fp16" * doctest::skip()) {
  Checker checker(DType::kFp16);
  for (std::uint32_t a = 0; a < 0x10000; ++a)
    for (std::uint32_t b = a; b < 0x10000; ++b) checker.check(Op::kSum, a, b);
  checker.finish();
}

TEST_CASE("golden model: exhaustive sums of bf16" * doctest::skip()) {
  Checker checker(DType::kBf16);
  for (std::uint32_t a = 0; a < 0x10000; ++a)
    for (std::uint32_t b = a; b < 0x10000; ++b) checker.check(Op::kSum, a, b);
  checker.finish();
}

TEST_CASE("golden model: every 16-bit sum is the same in either order") {
  for (DType dtype : {DType::kFp16, DType::kBf16}) {
    Operands operands(dtype, test::seed());
    std::uint64_t wrong = 0;
    for (int i = 0; i < 1'000'000; ++i) {
      const auto [a, b] = operands.next();
      for (Op op : kAllOps)
        if (is_defined(dtype, op)) wrong += reduce_bits(dtype, op, a, b) != reduce_bits(dtype, op, b, a);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("golden model: named cases") {
  const auto sum = [](DType dtype, std::uint64_t a, std::uint64_t b) { return reduce_bits(dtype, Op::kSum, a, b); };
  CHECK(sum(DType::kInt32, 0x7fffffff, 1) == 0x80000000);
  CHECK(reduce_bits(DType::kInt32, Op::kMin, 0xffffffff, 0) == 0xffffffff);
  CHECK(sum(DType::kInt16, 0x7fff, 1) == 0x8000);
  CHECK(sum(DType::kInt16, 0xffff, 0xffff) == 0xfffe);
  CHECK(reduce_bits(DType::kInt16, Op::kMin, 0xffff, 0) == 0xffff);
  CHECK(reduce_bits(DType::kInt16, Op::kMax, 0x8000, 0x7fff) == 0x7fff);
  CHECK(sum(DType::kFp32, 0x3f800000, 0xbf800000) == 0);           // 1 + -1 = +0
  CHECK(sum(DType::kFp32, 0x80000000, 0x80000000) == 0x80000000);  // -0 + -0
  CHECK(sum(DType::kFp32, 0x7f800000, 0xff800000) == 0x7fc00000);  // inf - inf
  CHECK(sum(DType::kFp32, 0xffc12345, 0) == 0x7fc00000);           // NaN payload and sign go
  CHECK(sum(DType::kFp16, 0x7bff, 0x4c00) == 0x7c00);              // 65504 + 16: tie, to infinity
  CHECK(sum(DType::kFp16, 0x7bff, 0x4bff) == 0x7bff);              // just below the tie
  CHECK(sum(DType::kFp16, 0x0400, 0x8001) == 0x03ff);              // smallest normal - smallest subnormal
  CHECK(sum(DType::kBf16, 0x3f80, 0x3b80) == 0x3f80);              // 1 + 2^-8: tie to even
  CHECK(sum(DType::kBf16, 0x3f81, 0x3b80) == 0x3f82);
  CHECK(reduce_bits(DType::kBf16, Op::kMin, 0x0000, 0x8000) == 0x8000);  // -0 < +0
  CHECK(reduce_bits(DType::kBf16, Op::kMax, 0x8000, 0x0000) == 0x0000);
  CHECK(reduce_bits(DType::kFp16, Op::kMax, 0x3c00, 0xfc01) == 0x7e00);
  CHECK(reduce_bits(DType::kUint16, Op::kMin, 0xffff, 1) == 1);
  CHECK(reduce_bits(DType::kInt8, Op::kSumSat, 0x7f, 1) == 0x7f);
  CHECK(reduce_bits(DType::kInt8, Op::kSumSat, 0x80, 0xff) == 0x80);
  CHECK(reduce_bits(DType::kUint8, Op::kSumSat, 0xff, 1) == 0xff);
  CHECK(reduce_bits(DType::kInt64, Op::kSumSat, 0x8000000000000000, 0xffffffffffffffff) == 0x8000000000000000);
  CHECK(sum(DType::kFp8E4m3, 0x7e, 0x58) == 0x7e);  // 448 + 16: tie to even
  CHECK(sum(DType::kFp8E4m3, 0x7e, 0x59) == 0x7f);  // 448 + 18: too large, NaN
  CHECK(reduce_bits(DType::kFp8E4m3, Op::kSumSat, 0xfe, 0xfe) == 0xfe);
  CHECK(sum(DType::kFp8E5m2, 0x7b, 0x7b) == 0x7c);  // to infinity
  CHECK(reduce_bits(DType::kFp8E5m2, Op::kSumSat, 0x7b, 0x7b) == 0x7b);
  CHECK(reduce_bits(DType::kFp8E5m2, Op::kSumSat, 0x7c, 0x7b) == 0x7c);  // infinity stays
  CHECK(reduce_bits(DType::kFp8E5m2, Op::kSumSat, 0x7c, 0xfc) == 0x7e);
  CHECK(reduce_bits(DType::kFp64, Op::kSum, 0x3ff0000000000000, 0x3ca0000000000000) == 0x3ff0000000000000);
  CHECK(reduce_bits(DType::kFp64, Op::kXor, ~std::uint64_t{0}, 1) == ~std::uint64_t{1});
}

TEST_CASE("conversions: every value of a small type survives, and what lies between two goes to the nearest") {
  for (const DType dtype : {DType::kFp8E4m3, DType::kFp8E5m2, DType::kFp16, DType::kBf16}) {
    const std::uint64_t sign = std::uint64_t{1} << (element_bits(dtype) - 1);
    const double infinity = std::numeric_limits<double>::infinity();
    std::uint64_t wrong = 0, nan = 0;
    for (std::uint64_t bits = 0; bits < sign; ++bits) {
      const double low = to_double(dtype, bits), high = to_double(dtype, bits + 1), middle = (low + high) / 2;
      if (std::isnan(low)) {
        nan = from_double(dtype, low);
        wrong += from_double(dtype, -low) != nan;
        continue;
      }
      wrong += from_double(dtype, low) != bits;
      wrong += from_double(dtype, -low) != (sign | bits);
      if (!std::isfinite(high) || bits + 1 == sign) continue;
      // The tie, and its neighbours in binary64, which a rounding to binary32 first would make a tie.
      wrong += from_double(dtype, middle) != bits + bits % 2;
      wrong += from_double(dtype, -middle) != (sign | (bits + bits % 2));
      wrong += from_double(dtype, std::nextafter(middle, 0.0)) != bits;
      wrong += from_double(dtype, std::nextafter(-middle, -infinity)) != (sign | (bits + 1));
    }
    INFO(to_string(dtype));
    CHECK(wrong == 0);
    CHECK(nan == reduce_bits(dtype, Op::kSum, sign - 1, 0));
  }
  // Above the largest number.
  CHECK(from_double(DType::kFp8E4m3, 464) == 0x7e);  // a tie, and 448 is even
  CHECK(from_double(DType::kFp8E4m3, std::nextafter(464, 500)) == 0x7f);
  CHECK(from_double(DType::kFp8E4m3, -std::numeric_limits<double>::infinity()) == 0x7f);
  CHECK(from_double(DType::kFp8E5m2, std::nextafter(61440, 0)) == 0x7b);
  CHECK(from_double(DType::kFp8E5m2, -61440) == 0xfc);
  CHECK(from_double(DType::kFp16, std::nextafter(65520, 0)) == 0x7bff);
  CHECK(from_double(DType::kFp16, 65520) == 0x7c00);
  CHECK(from_double(DType::kBf16, 1e300) == 0x7f80);
  CHECK(from_double(DType::kFp32, 1e300) == 0x7f800000);
  CHECK(from_double(DType::kFp32, 1 + 0x1p-24) == 0x3f800000);
  CHECK(from_double(DType::kFp64, -0.5) == 0xbfe0000000000000);
  CHECK_THROWS_AS((void)from_double(DType::kInt8, 1), InputError);
  CHECK(to_double(DType::kInt32, 0xffffffff) == -1.0);
  CHECK(to_double(DType::kUint32, 0xffffffff) == 4294967295.0);
  CHECK(to_double(DType::kInt16, 0x8000) == -32768.0);
  CHECK(to_double(DType::kInt8, 0x80) == -128.0);
}

TEST_CASE("reduce_array equals reduce_bits, in place and without alignment") {
  for (DType dtype : kAllDTypes) {
    const auto element = static_cast<std::size_t>(element_bits(dtype) / 8);
    constexpr std::size_t kElements = 10'001;
    Operands operands(dtype, test::seed());
    std::vector<std::byte> a(kElements * element + 1), b(a.size()), out(a.size());
    for (Op op : kAllOps) {
      if (!is_defined(dtype, op)) {
        CHECK_THROWS_AS(reduce_array(dtype, op, a.data(), b.data(), out.data(), 1), InputError);
        continue;
      }
      std::vector<std::uint64_t> want;
      for (std::size_t i = 0; i < kElements; ++i) {
        const auto [x, y] = operands.next();
        std::memcpy(a.data() + 1 + i * element, &x, element);
        std::memcpy(b.data() + 1 + i * element, &y, element);
        want.push_back(reduce_bits(dtype, op, x, y));
      }
      reduce_array(dtype, op, a.data() + 1, b.data() + 1, out.data() + 1, kElements);
      reduce_array(dtype, op, a.data() + 1, b.data() + 1, a.data() + 1, kElements);
      CHECK(out == a);
      std::uint64_t wrong = 0;
      for (std::size_t i = 0; i < kElements; ++i) {
        std::uint64_t got = 0;
        std::memcpy(&got, out.data() + 1 + i * element, element);
        wrong += got != want[i];
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("names parse, and errors say what is allowed") {
  for (DType dtype : kAllDTypes) CHECK(parse_dtype(to_string(dtype)) == dtype);
  for (Op op : kAllOps) CHECK(parse_op(to_string(op)) == op);
  CHECK(parse_ops("max,sum") == std::vector<Op>{Op::kSum, Op::kMax});
  CHECK_THROWS_WITH_AS(
      (void)parse_dtype("fp8"),
      "unknown element type 'fp8': use one of int8, int16, int32, int64, uint8, uint16, uint32, uint64, "
      "fp8e4m3, fp8e5m2, fp16, bf16, fp32, fp64",
      InputError);
  CHECK_THROWS_AS((void)parse_op("prod"), InputError);
  CHECK_THROWS_AS((void)parse_ops(""), InputError);
  CHECK_THROWS_AS((void)parse_ops("sum,"), InputError);
  CHECK_THROWS_AS((void)parse_ops("sum,sum"), InputError);
}
