// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic of any of the types by MPFR, set to the precision and the exponent range of the format.
// Decoding and encoding share nothing with the golden model.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <cstdint>

#include "fred/error.hpp"
#include "fred/numeric/dtype.hpp"

namespace fred::test {

/// Arithmetic of one format: IEEE 754, and fp8e4m3 of the OCP specification. MPFR's exponent range is one a thread: no
/// more than one Oracle at a time in each.
class Oracle {
 public:
  explicit Oracle(DType dtype)
      : finite_(dtype == DType::kFp8E4m3),
        exp_(exponent_bits(dtype)),
        man_(mantissa_bits(dtype)),
        bias_((1 << (exp_ - 1)) - 1) {
    mpfr_inits2(man_ + 1, a_, b_, r_, static_cast<mpfr_ptr>(nullptr));
    // MPFR's significands are in [1/2, 1). Without infinities the uppermost exponent is one of numbers.
    mpfr_set_emin(2 - bias_ - man_);
    mpfr_set_emax(bias_ + 1 + (finite_ ? 1 : 0));
  }
  ~Oracle() {
    mpfr_clears(a_, b_, r_, static_cast<mpfr_ptr>(nullptr));
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  std::uint64_t operator()(Op op, std::uint64_t a, std::uint64_t b) {
    decode(a_, a);
    decode(b_, b);
    if (mpfr_nan_p(a_) || mpfr_nan_p(b_)) return nan();
    int rounding = 0;
    switch (op) {
      case Op::kSum:
      case Op::kSumSat:
        rounding = mpfr_add(r_, a_, b_, MPFR_RNDN);
        break;
      case Op::kMin:
        rounding = mpfr_min(r_, a_, b_, MPFR_RNDN);
        break;
      case Op::kMax:
        rounding = mpfr_max(r_, a_, b_, MPFR_RNDN);
        break;
      case Op::kAnd:
      case Op::kOr:
      case Op::kXor:
        throw InputError("MPFR has no bitwise operations");
    }
    mpfr_subnormalize(r_, rounding, MPFR_RNDN);
    const bool exact = mpfr_inf_p(a_) || mpfr_inf_p(b_);
    const bool overflow = (mpfr_inf_p(r_) && !exact) || (finite_ && encode(r_) % sign() > largest());
    if (!overflow) return encode(r_);
    if (op == Op::kSumSat) return (mpfr_signbit(r_) ? sign() : 0) | largest();
    return finite_ ? nan() : encode(r_);
  }

 private:
  [[nodiscard]] std::uint64_t sign() const { return std::uint64_t{1} << (exp_ + man_); }
  [[nodiscard]] std::uint64_t infinity() const { return ((std::uint64_t{1} << exp_) - 1) << man_; }
  [[nodiscard]] std::uint64_t nan() const { return finite_ ? sign() - 1 : infinity() | std::uint64_t{1} << (man_ - 1); }
  [[nodiscard]] std::uint64_t largest() const { return finite_ ? sign() - 2 : infinity() - 1; }

  void decode(mpfr_t x, std::uint64_t bits) const {
    const bool negative = (bits & sign()) != 0;
    const int exponent = static_cast<int>(bits >> man_) & ((1 << exp_) - 1);
    const auto mantissa = static_cast<long>(bits & ((std::uint64_t{1} << man_) - 1));
    if (exponent == (1 << exp_) - 1 && !finite_) {
      mantissa == 0 ? mpfr_set_inf(x, negative ? -1 : 1) : mpfr_set_nan(x);
    } else if (finite_ && bits % sign() == nan()) {
      mpfr_set_nan(x);
    } else if (exponent == 0 && mantissa == 0) {
      mpfr_set_zero(x, negative ? -1 : 1);
    } else {
      const long integer = exponent == 0 ? mantissa : mantissa + (1L << man_);
      mpfr_set_si_2exp(x, negative ? -integer : integer, (exponent == 0 ? 1 : exponent) - bias_ - man_, MPFR_RNDN);
    }
  }

  std::uint64_t encode(const mpfr_t x) const {
    const std::uint64_t negative = mpfr_signbit(x) ? sign() : 0;
    if (mpfr_nan_p(x)) return nan();
    if (mpfr_inf_p(x)) return negative | infinity();
    if (mpfr_zero_p(x)) return negative;
    const double magnitude = std::fabs(mpfr_get_d(x, MPFR_RNDN));  // exact: 53 bits at most
    const int exponent = std::ilogb(magnitude) + bias_;
    if (exponent < 1) return negative | static_cast<std::uint64_t>(std::ldexp(magnitude, bias_ - 1 + man_));
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(magnitude, man_ - (exponent - bias_)));
    return negative | (static_cast<std::uint64_t>(exponent) << man_ | (mantissa - (std::uint64_t{1} << man_)));
  }

  bool finite_;           ///< without infinities
  int exp_, man_, bias_;  ///< of the format: bits, bits, offset
  mpfr_t a_, b_, r_;
};

}  // namespace fred::test
