// SPDX-License-Identifier: Apache-2.0
// What one lane must return, without an algorithm in common with it.
//
// Integers of 8 bits: the host's int, which holds every sum of two.
// 8-bit formats: through the host's binary64, which holds every sum of two such numbers exactly, and one rounding by
// counting units in the last place.
// fp32, fp64: the host's addition of binary32 and binary64. It is one instruction, and IEEE 754 says its result to the
// bit but for NaNs, of which there is only one here.
// fp16, bf16: the golden model. It adds in binary32 and rounds once more, which gives what one rounding of the exact
// sum gives: binary32 has 24 bits, at least 2p + 2 for p of 11 and 8 (docs/numerics.md); both steps are exact where the
// sum is subnormal.
//
// Where a sum of finite numbers came out infinite, the saturating sum is the largest number of its sign. All of it but
// the integers is itself compared with MPFR (check_* with Unit::kReference).
#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#include "fred/numeric/reduce.hpp"

namespace fred::test {

enum class Operation { kSum, kSaturatingSum, kMin, kMax, kPass, kAnd, kOr, kXor };
/// Those that MPFR has.
inline constexpr Operation kArithmetic[] = {Operation::kSum, Operation::kSaturatingSum, Operation::kMin,
                                            Operation::kMax};
/// Those of fred_fp_add.
inline constexpr Operation kAdderOperations[] = {Operation::kSum, Operation::kSaturatingSum, Operation::kMin,
                                                 Operation::kMax, Operation::kPass};
/// Those of fred_reduce.
inline constexpr Operation kLaneOperations[] = {
    Operation::kSum,  Operation::kSaturatingSum, Operation::kMin, Operation::kMax,
    Operation::kPass, Operation::kAnd,           Operation::kOr,  Operation::kXor};
inline const char* name_of(Operation operation) {
  constexpr const char* kNames[] = {"sum", "saturating sum", "min", "max", "pass", "and", "or", "xor"};
  return kNames[static_cast<int>(operation)];
}
/// The operation's code in the golden model and in fred_reduce; of a pass any.
inline Op op_of(Operation operation) {
  constexpr Op kOps[] = {Op::kSum, Op::kSumSat, Op::kMin, Op::kMax, Op::kSum, Op::kAnd, Op::kOr, Op::kXor};
  return kOps[static_cast<int>(operation)];
}

/// Whole numbers of 8 bits.
template <bool kSigned>
struct Byte {
  static constexpr int kLeast = kSigned ? -128 : 0, kMost = kLeast + 255;
  static int value(std::uint64_t x) { return static_cast<int>(x) - (kSigned && x > 127 ? 256 : 0); }
  static std::uint64_t apply(Operation operation, std::uint64_t a, std::uint64_t b) {
    const auto pattern = [](int x) { return static_cast<std::uint64_t>((x + 512) % 256); };
    const int x = value(a), y = value(b);
    switch (operation) {
      case Operation::kSum:
        return pattern(x + y);
      case Operation::kSaturatingSum:
        return pattern(std::clamp(x + y, kLeast, kMost));
      case Operation::kMin:
        return pattern(x < y ? x : y);
      case Operation::kMax:
        return pattern(x < y ? y : x);
      default:
        return a;
    }
  }
};

/// A format with the bitwise operations of fred_reduce.
template <class Format>
struct Bitwise : Format {
  static std::uint64_t apply(Operation operation, std::uint64_t a, std::uint64_t b) {
    switch (operation) {
      case Operation::kAnd:
        return a & b;
      case Operation::kOr:
        return a | b;
      case Operation::kXor:
        return a ^ b;
      default:
        return Format::apply(operation, a, b);
    }
  }
};

/// Bit fields of a format; `kFinite` is OCP E4M3: no infinities, NaN is all ones.
template <int kExp, int kMan, bool kFinite = false>
struct Fields {
  static constexpr int kExpBits = kExp, kManBits = kMan;
  static constexpr std::uint64_t kSign = 1ull << (kExp + kMan);
  static constexpr std::uint64_t kAll = kSign | (kSign - 1);
  static constexpr std::uint64_t kTop = kSign - (1ull << kMan);  ///< exponent all ones: infinity unless kFinite
  static constexpr std::uint64_t kNan = kFinite ? kSign - 1 : kTop | 1ull << (kMan - 1);
  static constexpr std::uint64_t kLargest = kFinite ? kSign - 2 : kTop - 1;
  static constexpr bool is_nan(std::uint64_t x) {
    return kFinite ? (x & (kSign - 1)) == kNan : (x & (kSign - 1)) > kTop;
  }
  static constexpr bool is_number(std::uint64_t x) { return (x & (kSign - 1)) <= kLargest; }
};

/// min and max by clause 9.6 of IEEE 754-2019, on bit patterns: as integers of sign and magnitude, -0 below +0.
template <class Format>
std::uint64_t extremum(std::uint64_t a, std::uint64_t b, bool max) {
  if (Format::is_nan(a) || Format::is_nan(b)) return Format::kNan;
  const auto key = [](std::uint64_t x) {
    const auto magnitude = static_cast<std::int64_t>(x & (Format::kSign - 1));
    return (x & Format::kSign) != 0 ? -magnitude - 1 : magnitude;
  };
  return (key(a) < key(b)) != max ? a : b;
}

/// 8-bit formats.
template <int kExp, int kMan, bool kFinite>
struct Small : Fields<kExp, kMan, kFinite> {
  using F = Fields<kExp, kMan, kFinite>;
  static constexpr int kBias = (1 << (kExp - 1)) - 1;

  static double value(std::uint64_t x) {  // of a number
    const auto exponent = static_cast<int>((x & F::kTop) >> kMan);
    const auto man = static_cast<double>(x & ((1u << kMan) - 1));
    const double units = exponent == 0 ? man : man + (1 << kMan);
    const double magnitude = std::ldexp(units, (exponent == 0 ? 1 : exponent) - kBias - kMan);
    return (x & F::kSign) != 0 ? -magnitude : magnitude;
  }

  static std::uint64_t round(double exact, bool saturate) {
    const std::uint64_t sign = std::signbit(exact) ? F::kSign : 0;
    const double magnitude = std::fabs(exact);
    int exponent = 1 - kBias;  // of the unit in the first place
    while (magnitude >= std::ldexp(1.0, exponent + 1)) ++exponent;
    const double units = std::ldexp(magnitude, kMan - exponent);
    double whole = std::floor(units);
    const double rest = units - whole;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) == 1.0)) whole += 1;
    if (std::ldexp(whole, exponent - kMan) > value(F::kLargest)) {
      if (saturate) return sign | F::kLargest;
      return kFinite ? F::kNan : sign | F::kTop;
    }
    // Units count through the binades: the pattern of 1.0 * 2**exponent, and what is above it.
    const auto count = static_cast<std::uint64_t>(whole);
    return sign | ((static_cast<std::uint64_t>(exponent + kBias - 1) << kMan) + count);
  }

  static std::uint64_t apply(Operation operation, std::uint64_t a, std::uint64_t b) {
    if (operation == Operation::kPass) return a;
    if (operation == Operation::kMin || operation == Operation::kMax)
      return extremum<F>(a, b, operation == Operation::kMax);
    if (F::is_nan(a) || F::is_nan(b)) return F::kNan;
    if (!F::is_number(a)) return F::is_number(b) || a == b ? a : F::kNan;
    if (!F::is_number(b)) return b;
    return round(value(a) + value(b), operation == Operation::kSaturatingSum);
  }
};

/// The golden model's formats of 16 bits.
template <DType kType, int kExp, int kMan>
struct Golden : Fields<kExp, kMan> {
  using F = Fields<kExp, kMan>;
  static std::uint64_t saturate(std::uint64_t a, std::uint64_t b, std::uint64_t sum) {
    const bool overflow = F::is_number(a) && F::is_number(b) && !F::is_number(sum);
    return overflow ? (sum & F::kSign) | F::kLargest : sum;
  }
  static std::uint64_t apply(Operation operation, std::uint64_t a, std::uint64_t b) {
    if (operation == Operation::kPass) return a;
    if (operation == Operation::kSaturatingSum) return saturate(a, b, reduce_bits(kType, Op::kSum, a, b));
    return reduce_bits(kType, op_of(operation), a, b);
  }
};

/// The host's formats.
template <class Value, class Bits, int kExp, int kMan>
struct Host : Fields<kExp, kMan> {
  static_assert(std::numeric_limits<Value>::is_iec559 && FLT_EVAL_METHOD == 0, "sums must be those of IEEE 754");
  using F = Fields<kExp, kMan>;
  static std::uint64_t apply(Operation operation, std::uint64_t a, std::uint64_t b) {
    if (operation == Operation::kPass) return a;
    if (operation == Operation::kMin || operation == Operation::kMax)
      return extremum<F>(a, b, operation == Operation::kMax);
    const Value sum = std::bit_cast<Value>(static_cast<Bits>(a)) + std::bit_cast<Value>(static_cast<Bits>(b));
    const std::uint64_t bits = std::bit_cast<Bits>(sum);
    if (F::is_nan(bits)) return F::kNan;
    const bool overflow = F::is_number(a) && F::is_number(b) && !F::is_number(bits);
    return overflow && operation == Operation::kSaturatingSum ? (bits & F::kSign) | F::kLargest : bits;
  }
};

using Int8 = Byte<true>;
using Uint8 = Byte<false>;
using E5m2 = Small<5, 2, false>;
using E4m3 = Small<4, 3, true>;
using Fp16 = Golden<DType::kFp16, 5, 10>;
using Bf16 = Golden<DType::kBf16, 8, 7>;
using Fp32 = Host<float, std::uint32_t, 8, 23>;
using Fp64 = Host<double, std::uint64_t, 11, 52>;

}  // namespace fred::test
