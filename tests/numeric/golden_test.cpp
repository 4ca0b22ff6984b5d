// SPDX-License-Identifier: Apache-2.0
// The golden model against MPFR for floating point and against 64-bit arithmetic for integers. MPFR is set to the
// precision and the exponent range of the format; decoding and encoding here share nothing with the model.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <mpfr.h>

#include <cmath>
#include <cstring>
#include <string>

#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"
#include "tests/numeric/operands.hpp"

using namespace fred;
using fred::test::Operands;

namespace {

/// IEEE 754 arithmetic of one format, by MPFR.
class Oracle {
 public:
  explicit Oracle(DType dtype) : exp_(exponent_bits(dtype)), man_(mantissa_bits(dtype)), bias_((1 << (exp_ - 1)) - 1) {
    mpfr_inits2(man_ + 1, a_, b_, r_, static_cast<mpfr_ptr>(nullptr));
    // MPFR's significands are in [1/2, 1).
    mpfr_set_emin(2 - bias_ - man_);
    mpfr_set_emax(bias_ + 1);
  }
  ~Oracle() {
    mpfr_clears(a_, b_, r_, static_cast<mpfr_ptr>(nullptr));
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  std::uint32_t operator()(Op op, std::uint32_t a, std::uint32_t b) {
    decode(a_, a);
    decode(b_, b);
    if (mpfr_nan_p(a_) || mpfr_nan_p(b_)) return nan();
    int rounding = 0;
    switch (op) {
      case Op::kSum:
        rounding = mpfr_add(r_, a_, b_, MPFR_RNDN);
        break;
      case Op::kMin:
        rounding = mpfr_min(r_, a_, b_, MPFR_RNDN);
        break;
      case Op::kMax:
        rounding = mpfr_max(r_, a_, b_, MPFR_RNDN);
        break;
    }
    mpfr_subnormalize(r_, rounding, MPFR_RNDN);
    return encode(r_);
  }

 private:
  [[nodiscard]] std::uint32_t infinity() const { return ((1u << exp_) - 1) << man_; }
  [[nodiscard]] std::uint32_t nan() const { return infinity() | 1u << (man_ - 1); }

  void decode(mpfr_t x, std::uint32_t bits) const {
    const bool negative = (bits >> (exp_ + man_)) & 1;
    const int exponent = static_cast<int>(bits >> man_) & ((1 << exp_) - 1);
    const long mantissa = static_cast<long>(bits & ((1u << man_) - 1));
    if (exponent == (1 << exp_) - 1) {
      mantissa == 0 ? mpfr_set_inf(x, negative ? -1 : 1) : mpfr_set_nan(x);
    } else if (exponent == 0 && mantissa == 0) {
      mpfr_set_zero(x, negative ? -1 : 1);
    } else {
      const long integer = exponent == 0 ? mantissa : mantissa + (1l << man_);
      mpfr_set_si_2exp(x, negative ? -integer : integer, (exponent == 0 ? 1 : exponent) - bias_ - man_, MPFR_RNDN);
    }
  }

  std::uint32_t encode(const mpfr_t x) const {
    const std::uint32_t sign = mpfr_signbit(x) ? 1u << (exp_ + man_) : 0;
    if (mpfr_nan_p(x)) return nan();
    if (mpfr_inf_p(x)) return sign | infinity();
    if (mpfr_zero_p(x)) return sign;
    const double magnitude = std::fabs(mpfr_get_d(x, MPFR_RNDN));  // exact: 24 bits at most
    const int exponent = std::ilogb(magnitude) + bias_;
    if (exponent < 1) return sign | static_cast<std::uint32_t>(std::ldexp(magnitude, bias_ - 1 + man_));
    const auto mantissa = static_cast<std::uint32_t>(std::ldexp(magnitude, man_ - (exponent - bias_)));
    return sign | static_cast<std::uint32_t>(exponent) << man_ | (mantissa - (1u << man_));
  }

  int exp_, man_, bias_;  ///< of the format: bits, bits, offset
  mpfr_t a_, b_, r_;
};

/// Two's complement arithmetic of `bits` bits.
std::uint32_t exact_int(int bits, Op op, std::uint32_t a, std::uint32_t b) {
  const std::int64_t modulus = std::int64_t{1} << bits;
  const auto value = [&](std::uint32_t pattern) { return pattern < modulus / 2 ? pattern : pattern - modulus; };
  const std::int64_t x = value(a), y = value(b);
  const std::int64_t result = op == Op::kSum ? x + y : op == Op::kMin ? std::min(x, y) : std::max(x, y);
  return static_cast<std::uint32_t>((result + 2 * modulus) % modulus);
}

/// Compares model and oracle, says what differs and stops after a few differences.
class Checker {
 public:
  explicit Checker(DType dtype) : dtype_(dtype), oracle_(is_float(dtype) ? dtype : DType::kFp32) {}
  void check(Op op, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t want = is_float(dtype_) ? oracle_(op, a, b) : exact_int(element_bits(dtype_), op, a, b);
    const auto got = static_cast<std::uint32_t>(reduce_bits(dtype_, op, a, b));
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
    for (std::uint32_t a : operands.corners())
      for (std::uint32_t b : operands.corners())
        for (Op op : kAllOps) checker.check(op, a, b);
    checker.finish();
  }
}

TEST_CASE("golden model: random pairs agree with the oracle") {
  const std::uint64_t pairs = test::number_from_env("FRED_PAIRS", 2'500'000);
  for (DType dtype : kAllDTypes) {
    Checker checker(dtype);
    Operands operands(dtype, test::seed());
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const auto [a, b] = operands.next();
      checker.check(Op::kSum, a, b);
      checker.check(i % 2 == 0 ? Op::kMin : Op::kMax, a, b);
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
      for (Op op : kAllOps) wrong += reduce_bits(dtype, op, a, b) != reduce_bits(dtype, op, b, a);
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
}

TEST_CASE("conversions: every 16-bit value survives, and roundings are those of a sum with zero in MPFR") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float half = to_float(DType::kFp16, bits), brain = to_float(DType::kBf16, bits);
    const std::uint32_t magnitude = bits & 0x7fff;
    if (fp16_from_float(half) != (magnitude > 0x7c00 ? 0x7e00 : bits)) FAIL_CHECK("fp16 ", bits);
    if (bf16_from_float(brain) != (magnitude > 0x7f80 ? 0x7fc0 : bits)) FAIL_CHECK("bf16 ", bits);
  }
  CHECK(to_float(DType::kInt32, 0xffffffff) == -1.0f);
  CHECK(to_float(DType::kInt16, 0x8000) == -32768.0f);
  // Midway points and their neighbours in binary32, between every two adjacent values.
  for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = to_float(DType::kFp16, bits), high = to_float(DType::kFp16, bits + 1), middle = (low + high) / 2;
    if (fp16_from_float(middle) != bits + bits % 2) FAIL_CHECK("fp16 tie above ", bits);
    if (fp16_from_float(std::nextafter(middle, low)) != bits) FAIL_CHECK("fp16 below the tie above ", bits);
    if (fp16_from_float(std::nextafter(-middle, -high)) != (0x8000 | (bits + 1))) FAIL_CHECK("fp16 above it ", bits);
  }
  for (std::uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const std::uint32_t tie = bits << 16 | 0x8000;
    if (bf16_from_float(to_float(DType::kFp32, tie)) != bits + bits % 2) FAIL_CHECK("bf16 tie above ", bits);
    if (bf16_from_float(to_float(DType::kFp32, tie - 1)) != bits) FAIL_CHECK("bf16 below the tie above ", bits);
    if (bf16_from_float(to_float(DType::kFp32, tie + 1)) != bits + 1) FAIL_CHECK("bf16 above the tie above ", bits);
  }
}

TEST_CASE("reduce_array equals reduce_bits, in place and without alignment") {
  for (DType dtype : kAllDTypes) {
    const auto element = static_cast<std::size_t>(element_bits(dtype) / 8);
    constexpr std::size_t kElements = 10'001;
    Operands operands(dtype, test::seed());
    std::vector<std::byte> a(kElements * element + 1), b(a.size()), out(a.size());
    for (Op op : kAllOps) {
      std::vector<std::uint32_t> want;
      for (std::size_t i = 0; i < kElements; ++i) {
        const auto [x, y] = operands.next();
        std::memcpy(a.data() + 1 + i * element, &x, element);
        std::memcpy(b.data() + 1 + i * element, &y, element);
        want.push_back(static_cast<std::uint32_t>(reduce_bits(dtype, op, x, y)));
      }
      reduce_array(dtype, op, a.data() + 1, b.data() + 1, out.data() + 1, kElements);
      reduce_array(dtype, op, a.data() + 1, b.data() + 1, a.data() + 1, kElements);
      CHECK(out == a);
      std::uint64_t wrong = 0;
      for (std::size_t i = 0; i < kElements; ++i) {
        std::uint32_t got = 0;
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
  CHECK_THROWS_WITH_AS((void)parse_dtype("fp8"),
                       "unknown element type 'fp8': use one of int32, fp16, bf16, fp32, int16", InputError);
  CHECK_THROWS_AS((void)parse_op("prod"), InputError);
  CHECK_THROWS_AS((void)parse_ops(""), InputError);
  CHECK_THROWS_AS((void)parse_ops("sum,"), InputError);
  CHECK_THROWS_AS((void)parse_ops("sum,sum"), InputError);
}
