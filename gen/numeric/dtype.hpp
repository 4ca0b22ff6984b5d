// SPDX-License-Identifier: Apache-2.0
// Element types and reduction operations: names, codes and sizes. Arithmetic is in reduce.hpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fred {

/// Element type of a beat's lanes. The values are the codes in the RTL's parameters and in the register DATA.
enum class DType {
  kInt32 = 0,
  kFp16 = 1,
  kBf16 = 2,
  kFp32 = 3,
  kInt16 = 4,
  kInt8 = 5,
  kInt64 = 6,
  kUint8 = 7,
  kUint16 = 8,
  kUint32 = 9,
  kUint64 = 10,
  kFp8E4m3 = 11,  ///< OCP 8-bit floating point: no infinities, one NaN a sign, largest number 448
  kFp8E5m2 = 12,  ///< OCP 8-bit floating point: as IEEE 754, largest number 57344
  kFp64 = 13
};

/// Reduction operation. The values are the codes that travel with a beat (`op`) and stand in the registers.
enum class Op {
  kSum = 0,     ///< integers wrap; floating point overflows to infinity, fp8e4m3 to NaN
  kMin = 1,     ///< of floating point: IEEE 754-2019 minimum
  kMax = 2,     ///< of floating point: IEEE 754-2019 maximum
  kSumSat = 3,  ///< integers and 8-bit floating point: overflow gives the largest or smallest number
  kAnd = 4,     ///< bit by bit, for every type
  kOr = 5,      ///< bit by bit, for every type
  kXor = 6      ///< bit by bit, for every type
};

inline constexpr std::array<DType, 14> kAllDTypes{
    DType::kInt32, DType::kFp16,   DType::kBf16,   DType::kFp32,   DType::kInt16,   DType::kInt8,    DType::kInt64,
    DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64, DType::kFp8E4m3, DType::kFp8E5m2, DType::kFp64};
inline constexpr std::array<Op, 7> kAllOps{Op::kSum, Op::kMin, Op::kMax, Op::kSumSat, Op::kAnd, Op::kOr, Op::kXor};

/// Bits of one element: 8, 16, 32 or 64.
[[nodiscard]] int element_bits(DType dtype);
[[nodiscard]] bool is_float(DType dtype);
/// Integers: two's complement rather than unsigned. Floating point: true.
[[nodiscard]] bool is_signed(DType dtype);
/// Exponent bits of a floating-point type; 0 for integers.
[[nodiscard]] int exponent_bits(DType dtype);
/// Stored (fraction) mantissa bits of a floating-point type; 0 for integers.
[[nodiscard]] int mantissa_bits(DType dtype);
/// Whether `wide` holds every value of `type`: both signed, unsigned or floating point, no part of it smaller.
[[nodiscard]] bool holds(DType wide, DType type);
/// Whether the operation is defined for the type: sum-sat is for integers and 8-bit floating point, all others for all.
[[nodiscard]] bool is_defined(DType dtype, Op op);

/// "int32", "fp16", "fp8e4m3", ...; "sum", "min", "max", "sum-sat", "and", "or", "xor".
[[nodiscard]] std::string_view to_string(DType dtype);
[[nodiscard]] std::string_view to_string(Op op);

/// The types' codes, 4 bits each, the first in the low bits: as parameters of the RTL and in the register TYPES. At
/// most 7.
[[nodiscard]] int type_codes(const std::vector<DType>& types);

/// "bf16, fp32".
[[nodiscard]] std::string names_of(const std::vector<DType>& types);
/// All element types, for messages: "int8, int16, ...".
[[nodiscard]] std::string dtype_names();
/// All operations in the order of their codes, for messages.
[[nodiscard]] std::string op_names();

/// Parse a name; throws InputError that names the value and lists what is allowed.
[[nodiscard]] DType parse_dtype(std::string_view name);
[[nodiscard]] Op parse_op(std::string_view name);
/// "bf16,fp32": a comma-separated list, in its order.
[[nodiscard]] std::vector<DType> parse_dtypes(std::string_view names);
/// A type to accumulate in; throws InputError also unless it holds every value of all `types`, and lists those that do.
[[nodiscard]] DType parse_acc(std::string_view name, const std::vector<DType>& types);
/// What "TYPE", "OP" or "TYPE:OP" says of a collective.
struct TypeAndOp {
  int type = 0;          ///< place in the switch's list of types, as CONFIG counts it; the first if not said
  std::optional<Op> op;  ///< none if not said
};
/// Throws InputError that says which `types` and operations there are; `item` is what the text is part of.
[[nodiscard]] TypeAndOp parse_type_and_op(std::string_view text, const std::vector<DType>& types,
                                          std::string_view item);
/// "sum,min": a comma-separated list without repetition, returned in code order.
[[nodiscard]] std::vector<Op> parse_ops(std::string_view names);

}  // namespace fred
