// SPDX-License-Identifier: Apache-2.0
// The element types as C++ types: how an element lies in memory, its value in a type of the host, and the way back.
// Private to the golden model.
#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "fred/error.hpp"
#include "fred/numeric/dtype.hpp"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "The golden model needs IEEE arithmetic: build without -ffast-math"
#endif

namespace fred::formats {

static_assert(std::numeric_limits<float>::is_iec559 && FLT_EVAL_METHOD == 0, "float must be IEEE 754 binary32");
static_assert(std::numeric_limits<double>::is_iec559, "double must be IEEE 754 binary64");

/// An integer.
template <class T>
struct Int {
  using Value = T;
  using Bits = std::make_unsigned_t<T>;
  static T value(Bits bits) { return static_cast<T>(bits); }

  static Bits sum(Bits a, Bits b) { return static_cast<Bits>(a + b); }
  static Bits sum_sat(Bits a, Bits b) {
    T s;
    if (!__builtin_add_overflow(value(a), value(b), &s)) return static_cast<Bits>(s);
    return static_cast<Bits>(value(b) < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max());
  }
  static Bits min(Bits a, Bits b) { return static_cast<Bits>(std::min(value(a), value(b))); }
  static Bits max(Bits a, Bits b) { return static_cast<Bits>(std::max(value(a), value(b))); }
};

/// A floating-point type. Format gives Bits, Value (of the host, holds every number exactly), kSign, kLargest, kNan,
/// value(Bits) and round<Saturate>(Value).
template <class Format>
struct Float : Format {
  using typename Format::Bits;
  using typename Format::Value;

  static Bits sum(Bits a, Bits b) { return Format::template round<false>(Format::value(a) + Format::value(b)); }
  static Bits sum_sat(Bits a, Bits b) {
    const Value x = Format::value(a), y = Format::value(b), s = x + y;
    const auto finite = [](Value v) { return v - v == 0; };
    if (finite(x) && finite(y) && !finite(s))  // beyond the host's type, too
      return static_cast<Bits>((s < 0 ? Format::kSign : 0) | Format::kLargest);
    return Format::template round<true>(s);
  }
  // Equal values differ in their bits only as -0 and +0.
  static Bits min(Bits a, Bits b) {
    const Value x = Format::value(a), y = Format::value(b);
    const Bits equal = a | b;
    return x < y ? a : y < x ? b : x == y ? equal : Format::kNan;
  }
  static Bits max(Bits a, Bits b) {
    const Value x = Format::value(a), y = Format::value(b);
    const Bits equal = a & b;
    return x > y ? a : y > x ? b : x == y ? equal : Format::kNan;
  }
};

/// A type that the host has.
template <class B, class V, B Nan>
struct Host {
  using Bits = B;
  using Value = V;
  static constexpr Bits kNan = Nan;
  static constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  static constexpr Bits kLargest = std::bit_cast<Bits>(std::numeric_limits<Value>::max());
  static Value value(Bits bits) { return std::bit_cast<Value>(bits); }
  template <bool Saturate>
  static Bits round(Value x) {
    return x == x ? std::bit_cast<Bits>(x) : kNan;
  }
};

/// A type of at most 16 bits, held in a float. Finite: no infinities, and NaN is the largest pattern of a sign alone;
/// else as IEEE 754.
template <class B, int Exponent, int Mantissa, bool Finite>
struct Small {
  using Bits = B;
  using Value = float;
  static constexpr int kBias = (1 << (Exponent - 1)) - 1;
  static constexpr int kDrop = 23 - Mantissa;  // bits of a float's mantissa that it does not have
  static constexpr unsigned kSign = 1U << (Exponent + Mantissa);
  static constexpr unsigned kInfinity = ((1U << Exponent) - 1) << Mantissa;  // where there is one
  static constexpr unsigned kLargest = Finite ? kSign - 2 : kInfinity - 1;
  static constexpr Bits kNan = Finite ? kSign - 1 : kInfinity | (1U << (Mantissa - 1));
  static constexpr unsigned kRebias = (127U - kBias) << 23;

  static Value value(Bits bits) {
    const std::uint32_t sign = (bits & kSign) != 0 ? 0x80000000U : 0;
    const std::uint32_t magnitude = bits & (kSign - 1);
    std::uint32_t wide = (magnitude << kDrop) + kRebias;
    if constexpr (Finite) {
      if (magnitude == kSign - 1) wide = 0x7fc00000;
    } else {
      if (magnitude >= kInfinity) wide = (magnitude << kDrop) | 0x7f800000;
    }
    // Subnormals: an integer times the smallest of them.
    const float unit = std::bit_cast<float>(Exponent == 8 ? 1U << kDrop : (127U + 1 - kBias - Mantissa) << 23);
    const auto subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(magnitude)) * unit);
    return std::bit_cast<float>(sign | (magnitude < (1U << Mantissa) ? subnormal : wide));
  }

  /// To nearest, ties to even. A number beyond the largest becomes that one, else infinity or NaN.
  template <bool Saturate>
  static Bits round(Value x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t magnitude = bits & 0x7fffffff;
    // Half a place above the largest number, which rounds up where that is odd.
    constexpr std::uint32_t half_above = (kLargest << kDrop) + kRebias + (1U << (kDrop - 1));
    constexpr std::uint32_t too_large = (kLargest & 1) != 0 ? half_above : half_above + 1;
    // Adding this to a subnormal leaves no bits below its last place, and rounds to it.
    constexpr std::uint32_t adder = (127U + 1 - kBias - Mantissa + 23) << 23;
    std::uint32_t narrow;
    if (magnitude > 0x7f800000) return kNan;
    if (magnitude == 0x7f800000 && !Finite) {
      narrow = kInfinity;
    } else if (magnitude >= too_large) {
      if constexpr (Finite && !Saturate) return kNan;
      narrow = Saturate ? kLargest : kInfinity;
    } else if (magnitude < (128U - kBias) << 23) {
      narrow = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(adder)) - adder;
    } else {
      narrow = (magnitude - kRebias + (1U << (kDrop - 1)) - 1 + ((magnitude >> kDrop) & 1)) >> kDrop;
    }
    return static_cast<Bits>(((bits >> 31) != 0 ? kSign : 0) | narrow);
  }
};

using Fp8E4m3 = Float<Small<std::uint8_t, 4, 3, true>>;
using Fp8E5m2 = Float<Small<std::uint8_t, 5, 2, false>>;
using Fp16 = Float<Small<std::uint16_t, 5, 10, false>>;
using Bf16 = Float<Small<std::uint16_t, 8, 7, false>>;
using Fp32 = Float<Host<std::uint32_t, float, 0x7fc00000>>;
using Fp64 = Float<Host<std::uint64_t, double, 0x7ff8000000000000>>;

/// Calls `use` with a value of the C++ type of an element type, so that loops are compiled for each type.
template <class Use>
auto with_type(DType dtype, Use use) {
  switch (dtype) {
    case DType::kInt8:
      return use(Int<std::int8_t>{});
    case DType::kInt16:
      return use(Int<std::int16_t>{});
    case DType::kInt32:
      return use(Int<std::int32_t>{});
    case DType::kInt64:
      return use(Int<std::int64_t>{});
    case DType::kUint8:
      return use(Int<std::uint8_t>{});
    case DType::kUint16:
      return use(Int<std::uint16_t>{});
    case DType::kUint32:
      return use(Int<std::uint32_t>{});
    case DType::kUint64:
      return use(Int<std::uint64_t>{});
    case DType::kFp8E4m3:
      return use(Fp8E4m3{});
    case DType::kFp8E5m2:
      return use(Fp8E5m2{});
    case DType::kFp16:
      return use(Fp16{});
    case DType::kBf16:
      return use(Bf16{});
    case DType::kFp32:
      return use(Fp32{});
    case DType::kFp64:
      return use(Fp64{});
  }
  throw InputError("element type out of range");
}

/// Calls `use` with a function of two elements' bits of that type.
template <class Type, class Use>
auto with_operation(Op op, Use use) {
  using Bits = typename Type::Bits;
  switch (op) {
    case Op::kSum:
      return use([](Bits a, Bits b) { return Type::sum(a, b); });
    case Op::kMin:
      return use([](Bits a, Bits b) { return Type::min(a, b); });
    case Op::kMax:
      return use([](Bits a, Bits b) { return Type::max(a, b); });
    case Op::kSumSat:
      return use([](Bits a, Bits b) { return Type::sum_sat(a, b); });
    case Op::kAnd:
      return use([](Bits a, Bits b) { return static_cast<Bits>(a & b); });
    case Op::kOr:
      return use([](Bits a, Bits b) { return static_cast<Bits>(a | b); });
    case Op::kXor:
      return use([](Bits a, Bits b) { return static_cast<Bits>(a ^ b); });
  }
  throw InputError("operation out of range");
}

}  // namespace fred::formats
