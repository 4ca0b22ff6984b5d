// SPDX-License-Identifier: Apache-2.0
// Golden arithmetic on the host's binary32, on purpose nothing like the RTL's align-add-normalise.
//
// fp32 is the host's own addition. bf16 and fp16 are added in binary32 and rounded once more. Double rounding is
// harmless there: the sum of two p-bit numbers rounded first to q bits, then to p, equals the one rounding to p
// if q >= 2p + 2 (Figueroa 1995, "When is double rounding innocuous?"): p = 8 for bf16, 11 for fp16, q = 24. A sum
// below the smallest normal number of either format is a multiple of its smallest subnormal and therefore exact in
// both steps; a sum that overflows binary32 is far beyond what bf16 or fp16 can hold.
#include "fred/numeric/reduce.hpp"

#include <bit>
#include <cfloat>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "fred/error.hpp"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "The golden model needs IEEE arithmetic: build without -ffast-math"
#endif

namespace fred {
namespace {

static_assert(std::numeric_limits<float>::is_iec559 && FLT_EVAL_METHOD == 0, "float must be IEEE 754 binary32");
static_assert(std::endian::native == std::endian::little, "elements are read as they lie in memory");

constexpr std::uint32_t kFp32Nan = 0x7fc00000;
constexpr std::uint16_t kBf16Nan = 0x7fc0;
constexpr std::uint16_t kFp16Nan = 0x7e00;

// One type: its storage, its value in a host type that holds it exactly, and the rounding back.
template <class Unsigned>
struct Int {
  using Bits = Unsigned;
  using Value = std::make_signed_t<Bits>;
  static Bits apply_sum(Bits a, Bits b) { return static_cast<Bits>(a + b); }
  static Bits apply_min(Bits a, Bits b) { return static_cast<Value>(b) < static_cast<Value>(a) ? b : a; }
  static Bits apply_max(Bits a, Bits b) { return static_cast<Value>(a) < static_cast<Value>(b) ? b : a; }
};

template <class Format>
struct Float : Format {
  using Bits = typename Format::Bits;
  static Bits apply_sum(Bits a, Bits b) { return Format::round(Format::value(a) + Format::value(b)); }
  // Equal values differ in their bits only as -0 and +0.
  static Bits apply_min(Bits a, Bits b) {
    const float x = Format::value(a), y = Format::value(b);
    const Bits equal = a | b;
    return x < y ? a : y < x ? b : x == y ? equal : Format::kNan;
  }
  static Bits apply_max(Bits a, Bits b) {
    const float x = Format::value(a), y = Format::value(b);
    const Bits equal = a & b;
    return x > y ? a : y > x ? b : x == y ? equal : Format::kNan;
  }
};

struct Fp32Format {
  using Bits = std::uint32_t;
  static constexpr Bits kNan = kFp32Nan;
  static float value(Bits bits) { return std::bit_cast<float>(bits); }
  static Bits round(float x) { return x == x ? std::bit_cast<Bits>(x) : kNan; }
};

struct Bf16Format {
  using Bits = std::uint16_t;
  static constexpr Bits kNan = kBf16Nan;
  static float value(Bits bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
  static Bits round(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    // Just under half, and one more where the kept part is odd. A carry runs into the exponent and on to infinity.
    const std::uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return x == x ? static_cast<Bits>(rounded) : kNan;
  }
};

struct Fp16Format {
  using Bits = std::uint16_t;
  static constexpr Bits kNan = kFp16Nan;
  static float value(Bits bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
    const std::uint32_t magnitude = bits & 0x7fff;
    // Subnormals: an integer times 2^-24. Others: the exponent moves to its place and changes its bias.
    const auto subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(magnitude)) * 0x1p-24f);
    const std::uint32_t normal = (magnitude << 13) + ((magnitude < 0x7c00 ? 127u - 15u : 255u - 31u) << 23);
    return std::bit_cast<float>(sign | (magnitude < 0x0400 ? subnormal : normal));
  }
  static Bits round(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t magnitude = bits & 0x7fffffff;
    std::uint32_t half;
    if (magnitude > 0x7f800000) return kNan;
    if (magnitude >= 0x477ff000) {  // 65520, halfway between the largest number and 2^16: to even, so infinity
      half = 0x7c00;
    } else if (magnitude < 0x38800000) {  // below 2^-14: adding 0.5 rounds to a multiple of 2^-24
      half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - std::bit_cast<std::uint32_t>(0.5f);
    } else {
      half = (magnitude - ((127u - 15u) << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
    }
    return static_cast<Bits>(((bits >> 16) & 0x8000) | half);
  }
};

/// Calls `use` with the traits of a type, so that each loop is compiled for one type and one operation.
template <class Use>
auto with_type(DType dtype, Use use) {
  switch (dtype) {
    case DType::kInt32:
      return use(Int<std::uint32_t>{});
    case DType::kFp16:
      return use(Float<Fp16Format>{});
    case DType::kBf16:
      return use(Float<Bf16Format>{});
    case DType::kFp32:
      return use(Float<Fp32Format>{});
    case DType::kInt16:
      return use(Int<std::uint16_t>{});
  }
  throw InputError("element type out of range");
}

template <class Type, class Function>
void for_each(Function function, const std::byte* a, const std::byte* b, std::byte* out, std::size_t elements) {
  using Bits = typename Type::Bits;
  for (std::size_t i = 0; i < elements; ++i) {
    Bits x, y;
    std::memcpy(&x, a + i * sizeof(Bits), sizeof(Bits));
    std::memcpy(&y, b + i * sizeof(Bits), sizeof(Bits));
    const Bits z = function(x, y);
    std::memcpy(out + i * sizeof(Bits), &z, sizeof(Bits));
  }
}

void check_ports(std::span<const int> ports) {
  if (ports.empty()) throw InputError("a reduction needs at least one port");
  if (ports.front() < 0) throw InputError("port " + std::to_string(ports.front()) + " is negative");
  for (std::size_t i = 1; i < ports.size(); ++i)
    if (ports[i - 1] >= ports[i])
      throw InputError("ports must ascend: " + std::to_string(ports[i]) + " follows " + std::to_string(ports[i - 1]));
}

/// How many of two or more ascending ports are the left operand at the root of their tree.
std::size_t left_count(std::span<const int> ports) {
  // The root is where the first and the last port meet; there the highest bit in which they differ decides.
  const auto differ = static_cast<unsigned>(ports.front() ^ ports.back());
  const int split = (ports.back() >> (std::bit_width(differ) - 1)) << (std::bit_width(differ) - 1);
  std::size_t count = 0;
  while (ports[count] < split) ++count;
  return count;
}

std::string text_of(std::span<const int> ports) {
  if (ports.size() == 1) return std::to_string(ports.front());
  const std::size_t left = left_count(ports);
  return "(" + text_of(ports.first(left)) + "+" + text_of(ports.subspan(left)) + ")";
}

/// The result of a subtree of `elements` elements, which is `out` or, for a single port, that port's own data.
const std::byte* reduce_into(std::byte* out, DType dtype, Op op, std::span<const int> ports,
                             std::span<const std::byte* const> operands, std::size_t elements, std::size_t bytes) {
  if (ports.size() == 1) return operands.front();
  const std::size_t left = left_count(ports);
  const std::byte* a = reduce_into(out, dtype, op, ports.first(left), operands.first(left), elements, bytes);
  std::vector<std::byte> right(ports.size() - left > 1 ? bytes : 0);
  const std::byte* b =
      reduce_into(right.data(), dtype, op, ports.subspan(left), operands.subspan(left), elements, bytes);
  reduce_array(dtype, op, a, b, out, elements);
  return out;
}

}  // namespace

std::uint64_t reduce_bits(DType dtype, Op op, std::uint64_t a, std::uint64_t b) {
  return with_type(dtype, [&](auto type) -> std::uint64_t {
    using Type = decltype(type);
    const auto x = static_cast<typename Type::Bits>(a);
    const auto y = static_cast<typename Type::Bits>(b);
    switch (op) {
      case Op::kSum:
        return Type::apply_sum(x, y);
      case Op::kMin:
        return Type::apply_min(x, y);
      case Op::kMax:
        return Type::apply_max(x, y);
    }
    throw InputError("operation out of range");
  });
}

void reduce_array(DType dtype, Op op, const std::byte* a, const std::byte* b, std::byte* out, std::size_t elements) {
  with_type(dtype, [&](auto type) {
    using Type = decltype(type);
    using Bits = typename Type::Bits;
    switch (op) {
      case Op::kSum:
        return for_each<Type>([](Bits x, Bits y) { return Type::apply_sum(x, y); }, a, b, out, elements);
      case Op::kMin:
        return for_each<Type>([](Bits x, Bits y) { return Type::apply_min(x, y); }, a, b, out, elements);
      case Op::kMax:
        return for_each<Type>([](Bits x, Bits y) { return Type::apply_max(x, y); }, a, b, out, elements);
    }
    throw InputError("operation out of range");
  });
}

std::vector<std::byte> reduce_tree(DType dtype, Op op, int radix, const std::vector<int>& ports,
                                   const std::vector<const std::byte*>& operands, std::size_t bytes) {
  check_ports(ports);
  if (ports.back() >= radix)
    throw InputError("port " + std::to_string(ports.back()) + " is not in 0.." + std::to_string(radix - 1));
  if (operands.size() != ports.size())
    throw InputError(std::to_string(operands.size()) + " operands for " + std::to_string(ports.size()) +
                     " ports: give one a port");
  const auto element = static_cast<std::size_t>(element_bits(dtype) / 8);
  if (bytes % element != 0)
    throw InputError(std::to_string(bytes) + " bytes are not a whole number of " + std::string(to_string(dtype)) +
                     " elements of " + std::to_string(element) + " bytes");
  std::vector<std::byte> result(bytes);
  const std::byte* root = reduce_into(result.data(), dtype, op, ports, operands, bytes / element, bytes);
  if (root != result.data() && bytes != 0) std::memcpy(result.data(), root, bytes);
  return result;
}

std::string tree_text(const std::vector<int>& ports) {
  check_ports(ports);
  return text_of(ports);
}

std::uint16_t bf16_from_float(float value) { return Bf16Format::round(value); }
std::uint16_t fp16_from_float(float value) { return Fp16Format::round(value); }

float to_float(DType dtype, std::uint64_t bits) {
  switch (dtype) {
    case DType::kInt32:
      return static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
    case DType::kFp16:
      return Fp16Format::value(static_cast<std::uint16_t>(bits));
    case DType::kBf16:
      return Bf16Format::value(static_cast<std::uint16_t>(bits));
    case DType::kFp32:
      return Fp32Format::value(static_cast<std::uint32_t>(bits));
    case DType::kInt16:
      return static_cast<float>(static_cast<std::int16_t>(static_cast<std::uint16_t>(bits)));
  }
  throw InputError("element type out of range");
}

}  // namespace fred
