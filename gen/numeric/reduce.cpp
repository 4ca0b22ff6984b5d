// SPDX-License-Identifier: Apache-2.0
// Golden arithmetic on the host's binary32 and binary64, on purpose nothing like the RTL's align-add-normalise.
//
// fp32 and fp64 are the host's own addition. The smaller types are added in binary32 and rounded once more. Double
// rounding is harmless there: the sum of two p-bit numbers rounded first to q bits, then to p, equals the one rounding
// to p if q >= 2p + 2 (Figueroa 1995, "When is double rounding innocuous?"): p = 4 and 3 for the 8-bit types, 8 for
// bf16, 11 for fp16, q = 24. A sum below the smallest normal number of any of these is a multiple of its smallest
// subnormal and therefore exact in both steps; a sum that overflows binary32 is far beyond what any of them can hold.
#include "fred/numeric/reduce.hpp"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "fred/error.hpp"
#include "fred/numeric/formats.hpp"
#include "fred/numeric/tree.hpp"

namespace fred {
namespace {

using formats::with_operation;
using formats::with_type;

static_assert(std::endian::native == std::endian::little, "elements are read as they lie in memory");

template <class Bits, class Function>
void for_each(Function function, const std::byte* a, const std::byte* b, std::byte* out, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) {
    Bits x, y;
    std::memcpy(&x, a + i * sizeof(Bits), sizeof(Bits));
    std::memcpy(&y, b + i * sizeof(Bits), sizeof(Bits));
    const Bits z = function(x, y);
    std::memcpy(out + i * sizeof(Bits), &z, sizeof(Bits));
  }
}

void reduce_elements(DType dtype, Op op, const std::byte* a, const std::byte* b, std::byte* out, std::size_t elements) {
  with_type(dtype, [&](auto type) {
    using Type = decltype(type);
    with_operation<Type>(op, [&](auto function) { for_each<typename Type::Bits>(function, a, b, out, elements); });
  });
}

/// The host's arithmetic as IEEE 754 has it, whatever the calling thread has set: rounding to nearest, subnormals kept
/// (some libraries flush them to zero for speed).
class DefaultEnvironment {
 public:
  DefaultEnvironment() {
    if (std::fegetenv(&callers_) != 0 || std::fesetenv(FE_DFL_ENV) != 0)
      throw InputError("the host's floating-point environment cannot be set");
  }
  ~DefaultEnvironment() { std::fesetenv(&callers_); }
  DefaultEnvironment(const DefaultEnvironment&) = delete;
  DefaultEnvironment& operator=(const DefaultEnvironment&) = delete;

 private:
  std::fenv_t callers_{};
};

void check_operation(DType dtype, Op op) {
  if (is_defined(dtype, op)) return;
  throw InputError("operation '" + std::string(to_string(op)) + "' is not defined for " +
                   std::string(to_string(dtype)) + ": it is for integers and 8-bit floating point");
}

/// What reduce_tree promises to refuse. Returns the number of elements.
std::size_t check_tree(DType dtype, Op op, int radix, const std::vector<int>& ports,
                       const std::vector<const std::byte*>& operands, std::size_t bytes) {
  check_operation(dtype, op);
  check_ports(ports);
  if (ports.back() >= radix)
    throw InputError("port " + std::to_string(ports.back()) + " is not in 0.." + std::to_string(radix - 1));
  if (operands.size() != ports.size())
    throw InputError(std::to_string(operands.size()) + " operands for " + std::to_string(ports.size()) +
                     " ports: give one a port");
  const auto element = static_cast<std::size_t>(element_bits(dtype) / 8);
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / 16;  // a wider type has up to 8 times as many
  if (bytes > kMost)
    throw InputError(std::to_string(bytes) + " bytes: at most " + std::to_string(kMost) + " are allowed");
  if (bytes % element != 0)
    throw InputError(std::to_string(bytes) + " bytes are not a whole number of " + std::string(to_string(dtype)) +
                     " elements of " + std::to_string(element) + " bytes");
  return bytes / element;
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
  reduce_elements(dtype, op, a, b, out, elements);
  return out;
}

/// The whole tree in one type. Sums saturate in any type: where they are accumulated in a wider one, in that.
std::vector<std::byte> reduce_ports(DType dtype, Op op, const std::vector<int>& ports,
                                    const std::vector<const std::byte*>& operands, std::size_t elements) {
  const std::size_t bytes = elements * static_cast<std::size_t>(element_bits(dtype) / 8);
  std::vector<std::byte> result(bytes);
  const std::byte* root = reduce_into(result.data(), dtype, op, ports, operands, elements, bytes);
  if (root != result.data() && bytes != 0) std::memcpy(result.data(), root, bytes);
  return result;
}

/// Rounded to odd: what is inexact is cut and gets a last bit of one. Rounding that again, to a type with at least two
/// bits less, gives what one rounding gives. (Rounding to nearest twice does not: 1 + 2^-8 + 2^-40 would go to the
/// tie 1 + 2^-8 in binary32 and from there down to 1 in bf16.)
float rounded_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || value != value) return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;  // from infinity too
  return std::bit_cast<float>(bits | 1U);
}

}  // namespace

std::uint64_t reduce_bits(DType dtype, Op op, std::uint64_t a, std::uint64_t b) {
  check_operation(dtype, op);
  return with_type(dtype, [&](auto type) {
    using Type = decltype(type);
    using Bits = typename Type::Bits;
    return with_operation<Type>(
        op, [&](auto function) -> std::uint64_t { return function(static_cast<Bits>(a), static_cast<Bits>(b)); });
  });
}

void reduce_array(DType dtype, Op op, const std::byte* a, const std::byte* b, std::byte* out, std::size_t elements) {
  check_operation(dtype, op);
  const DefaultEnvironment ieee;
  reduce_elements(dtype, op, a, b, out, elements);
}

std::vector<std::byte> reduce_tree(DType dtype, Op op, int radix, const std::vector<int>& ports,
                                   const std::vector<const std::byte*>& operands, std::size_t bytes) {
  const std::size_t elements = check_tree(dtype, op, radix, ports, operands, bytes);
  const DefaultEnvironment ieee;
  return reduce_ports(dtype, op, ports, operands, elements);
}

bool order_matters(DType dtype, DType acc, Op op, std::size_t ranks) {
  if (ranks <= 1 || (op != Op::kSum && op != Op::kSumSat)) return false;
  if (!is_float(dtype)) {
    const int more = element_bits(acc) - element_bits(dtype);
    return op == Op::kSumSat && is_signed(dtype) && more < 32 && ranks > std::size_t{1} << more;
  }
  return with_type(dtype, [&](auto type) {
    using Type = decltype(type);
    if constexpr (requires { Type::kLargest; }) {
      // Every sum is a multiple of the smallest number. None is rounded if the accumulator has a bit for all of them.
      const double largest = static_cast<double>(Type::value(Type::kLargest)) * static_cast<double>(ranks);
      const double units = largest / static_cast<double>(Type::value(1));
      return !(units <= std::ldexp(1.0, mantissa_bits(acc) + 1));
    }
    return true;
  });
}

std::uint64_t widen_bits(DType from, DType to, std::uint64_t bits) {
  if (is_float(from)) return from_double(to, to_double(from, bits));
  const int unused = 64 - element_bits(from);
  const std::uint64_t top = bits << unused;
  const std::uint64_t wide =
      is_signed(from) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(top) >> unused) : top >> unused;
  return wide & (~std::uint64_t{0} >> (64 - element_bits(to)));
}

std::uint64_t narrow_bits(DType from, DType to, std::uint64_t bits, bool saturate) {
  if (is_float(to)) {
    return with_type(to, [&](auto type) -> std::uint64_t {
      using Type = decltype(type);
      const double value = to_double(from, bits);
      const std::uint64_t rounded = from_double(to, value);
      if constexpr (requires { Type::kBias; }) {
        if (saturate) return Type::template round<true>(rounded_to_odd(value));
      } else if constexpr (requires { Type::kLargest; }) {
        const bool overflow = std::isfinite(value) && !std::isfinite(to_double(to, rounded));
        if (saturate && overflow) return (std::signbit(value) ? Type::kSign : 0) | Type::kLargest;
      }
      return rounded;
    });
  }
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - element_bits(to));
  if (!saturate || widen_bits(to, from, bits & mask) == bits) return bits & mask;
  if (!is_signed(to)) return mask;
  const bool negative = (bits >> (element_bits(from) - 1) & 1U) != 0;
  return negative ? mask ^ (mask >> 1) : mask >> 1;
}

std::vector<std::byte> reduce_tree(DType dtype, DType acc, Op op, int radix, const std::vector<int>& ports,
                                   const std::vector<const std::byte*>& operands, std::size_t bytes) {
  const std::size_t elements = check_tree(dtype, op, radix, ports, operands, bytes);
  if (!holds(acc, dtype)) {
    throw InputError(std::string(to_string(acc)) + " does not hold every value of " + std::string(to_string(dtype)));
  }
  const DefaultEnvironment ieee;
  if (acc == dtype || ports.size() == 1 || op >= Op::kAnd) return reduce_ports(dtype, op, ports, operands, elements);
  const auto narrow = static_cast<std::size_t>(element_bits(dtype) / 8);
  const auto wide = static_cast<std::size_t>(element_bits(acc) / 8);
  std::vector<std::vector<std::byte>> widened;
  std::vector<const std::byte*> pointers;
  for (const std::byte* operand : operands) {
    std::vector<std::byte>& data = widened.emplace_back(elements * wide);
    for (std::size_t i = 0; i < elements; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, operand + i * narrow, narrow);
      bits = widen_bits(dtype, acc, bits);
      std::memcpy(data.data() + i * wide, &bits, wide);
    }
    pointers.push_back(data.data());
  }
  const std::vector<std::byte> sum = reduce_ports(acc, op, ports, pointers, elements);
  std::vector<std::byte> result(elements * narrow);
  for (std::size_t i = 0; i < elements; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, sum.data() + i * wide, wide);
    bits = narrow_bits(acc, dtype, bits, op == Op::kSumSat);
    std::memcpy(result.data() + i * narrow, &bits, narrow);
  }
  return result;
}

std::uint64_t from_double(DType dtype, double value) {
  return with_type(dtype, [&](auto type) -> std::uint64_t {
    using Type = decltype(type);
    using Value = typename Type::Value;
    if constexpr (std::is_integral_v<Value>) {
      throw InputError("from_double is for floating-point types");
    } else if constexpr (requires { Type::kBias; }) {
      return Type::template round<false>(rounded_to_odd(value));
    } else {
      return Type::template round<false>(static_cast<Value>(value));
    }
  });
}

double to_double(DType dtype, std::uint64_t bits) {
  return with_type(dtype, [&](auto type) {
    using Type = decltype(type);
    return static_cast<double>(Type::value(static_cast<typename Type::Bits>(bits)));
  });
}

}  // namespace fred
