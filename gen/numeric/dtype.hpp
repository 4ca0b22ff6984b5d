// SPDX-License-Identifier: Apache-2.0
// Element types and reduction operations: names, codes and sizes. Arithmetic is in reduce.hpp.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace fred {

/// Element type of a beat's lanes. The values are the codes in the RTL's parameters and in the register DATA.
enum class DType { kInt32 = 0, kFp16 = 1, kBf16 = 2, kFp32 = 3, kInt16 = 4 };

/// Reduction operation. The values are the codes that travel with a beat (`op`) and stand in the registers.
enum class Op { kSum = 0, kMin = 1, kMax = 2 };

inline constexpr std::array<DType, 5> kAllDTypes{DType::kInt32, DType::kFp16, DType::kBf16, DType::kFp32,
                                                 DType::kInt16};
inline constexpr std::array<Op, 3> kAllOps{Op::kSum, Op::kMin, Op::kMax};

/// Bits of one element: 16 or 32.
[[nodiscard]] int element_bits(DType dtype);
[[nodiscard]] bool is_float(DType dtype);
/// Exponent bits of a floating-point type; 0 for integers.
[[nodiscard]] int exponent_bits(DType dtype);
/// Stored (fraction) mantissa bits of a floating-point type; 0 for integers.
[[nodiscard]] int mantissa_bits(DType dtype);

/// "int32", "fp16", "bf16", "fp32", "int16"; "sum", "min", "max".
[[nodiscard]] std::string_view to_string(DType dtype);
[[nodiscard]] std::string_view to_string(Op op);

/// All element types in the order of their codes, for messages: "int32, fp16, bf16, fp32, int16".
[[nodiscard]] std::string dtype_names();

/// Parse a name; throws InputError that names the value and lists what is allowed.
[[nodiscard]] DType parse_dtype(std::string_view name);
[[nodiscard]] Op parse_op(std::string_view name);
/// "sum,min": a comma-separated list without repetition, returned in code order.
[[nodiscard]] std::vector<Op> parse_ops(std::string_view names);

}  // namespace fred
