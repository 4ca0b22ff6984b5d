// SPDX-License-Identifier: Apache-2.0
#include "fred/numeric/dtype.hpp"

#include <algorithm>

#include "fred/error.hpp"

namespace fred {
namespace {

/// What there is to say about a type; the order is that of DType.
struct TypeRow {
  DType dtype;
  std::string_view name;
  int bits, exponent, mantissa;  ///< in bits
  bool is_signed;
};
constexpr std::array<TypeRow, kAllDTypes.size()> kTypes{{{DType::kInt32, "int32", 32, 0, 0, true},
                                                         {DType::kFp16, "fp16", 16, 5, 10, true},
                                                         {DType::kBf16, "bf16", 16, 8, 7, true},
                                                         {DType::kFp32, "fp32", 32, 8, 23, true},
                                                         {DType::kInt16, "int16", 16, 0, 0, true},
                                                         {DType::kInt8, "int8", 8, 0, 0, true},
                                                         {DType::kInt64, "int64", 64, 0, 0, true},
                                                         {DType::kUint8, "uint8", 8, 0, 0, false},
                                                         {DType::kUint16, "uint16", 16, 0, 0, false},
                                                         {DType::kUint32, "uint32", 32, 0, 0, false},
                                                         {DType::kUint64, "uint64", 64, 0, 0, false},
                                                         {DType::kFp8E4m3, "fp8e4m3", 8, 4, 3, true},
                                                         {DType::kFp8E5m2, "fp8e5m2", 8, 5, 2, true},
                                                         {DType::kFp64, "fp64", 64, 11, 52, true}}};
constexpr std::array<std::string_view, kAllOps.size()> kOpNames{"sum", "min", "max", "sum-sat", "and", "or", "xor"};

/// For messages and lists: integers, unsigned integers, floating point, each by size.
constexpr std::array<DType, kAllDTypes.size()> kBySize{
    DType::kInt8,   DType::kInt16,   DType::kInt32,   DType::kInt64, DType::kUint8, DType::kUint16, DType::kUint32,
    DType::kUint64, DType::kFp8E4m3, DType::kFp8E5m2, DType::kFp16,  DType::kBf16,  DType::kFp32,   DType::kFp64};

const TypeRow& row(DType dtype) { return kTypes.at(static_cast<std::size_t>(dtype)); }

}  // namespace

int element_bits(DType dtype) { return row(dtype).bits; }
bool is_float(DType dtype) { return row(dtype).exponent != 0; }
bool is_signed(DType dtype) { return row(dtype).is_signed; }
int exponent_bits(DType dtype) { return row(dtype).exponent; }
int mantissa_bits(DType dtype) { return row(dtype).mantissa; }
bool holds(DType wide, DType type) {
  if (wide == type) return true;
  const TypeRow& a = row(wide);
  const TypeRow& b = row(type);
  if (is_float(wide)) {
    // fp8e4m3 has larger numbers in its uppermost exponent than an IEEE format of its size, and is only wider than
    // itself.
    return is_float(type) && wide != DType::kFp8E4m3 && a.exponent >= b.exponent && a.mantissa >= b.mantissa;
  }
  return !is_float(type) && a.is_signed == b.is_signed && a.bits >= b.bits;
}
bool is_defined(DType dtype, Op op) { return op != Op::kSumSat || !is_float(dtype) || element_bits(dtype) == 8; }

std::string_view to_string(DType dtype) { return row(dtype).name; }
std::string_view to_string(Op op) { return kOpNames.at(static_cast<std::size_t>(op)); }

int type_codes(const std::vector<DType>& types) {
  int codes = 0;
  for (std::size_t i = 0; i < types.size(); ++i) codes |= static_cast<int>(types[i]) << (4 * i);
  return codes;
}

std::string names_of(const std::vector<DType>& types) {
  std::string names;
  for (const DType type : types) names += (names.empty() ? "" : ", ") + std::string(to_string(type));
  return names;
}

std::string dtype_names() {
  std::string names;
  for (const DType dtype : kBySize) names += (names.empty() ? "" : ", ") + std::string(to_string(dtype));
  return names;
}

std::string op_names() {
  std::string names;
  for (const Op op : kAllOps) names += (names.empty() ? "" : ", ") + std::string(to_string(op));
  return names;
}

DType parse_dtype(std::string_view name) {
  for (const TypeRow& type : kTypes)
    if (type.name == name) return type.dtype;
  throw InputError("unknown element type '" + std::string(name) + "': use one of " + dtype_names());
}

Op parse_op(std::string_view name) {
  for (Op op : kAllOps)
    if (to_string(op) == name) return op;
  throw InputError("unknown operation '" + std::string(name) + "': use one of " + op_names());
}

std::vector<DType> parse_dtypes(std::string_view names) {
  std::vector<DType> types;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    types.push_back(parse_dtype(names.substr(begin, end - begin)));
    begin = end + 1;
  }
  return types;
}

DType parse_acc(std::string_view name, const std::vector<DType>& types) {
  const auto holds_all = [&](DType wide) {
    return std::all_of(types.begin(), types.end(), [wide](DType type) { return holds(wide, type); });
  };
  std::vector<DType> allowed;
  for (const DType wide : kAllDTypes) {
    if (!holds_all(wide)) continue;
    if (to_string(wide) == name) return wide;
    allowed.push_back(wide);
  }
  throw InputError("--acc " + std::string(name) + ": must hold every value of " + names_of(types) + ": " +
                   (allowed.empty() ? "no type does" : names_of(allowed)));
}

TypeAndOp parse_type_and_op(std::string_view text, const std::vector<DType>& types, std::string_view item) {
  TypeAndOp result;
  std::string_view rest = text;
  const std::string_view first = text.substr(0, text.find(':'));
  const auto found = std::find_if(types.begin(), types.end(), [first](DType type) { return to_string(type) == first; });
  if (found != types.end()) {
    result.type = static_cast<int>(found - types.begin());
    if (first.size() == text.size()) return result;
    rest.remove_prefix(first.size() + 1);
  }
  for (const Op op : kAllOps)
    if (to_string(op) == rest) result.op = op;
  if (result.op) return result;
  throw InputError("'" + std::string(rest) + "' in '" + std::string(item) +
                   "': neither an element type of the switch (" + names_of(types) + ") nor an operation (" +
                   op_names() + ")");
}

std::vector<Op> parse_ops(std::string_view names) {
  std::vector<Op> ops;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const Op op = parse_op(names.substr(begin, end - begin));
    if (std::find(ops.begin(), ops.end(), op) != ops.end())
      throw InputError("operation '" + std::string(to_string(op)) + "' is listed twice in '" + std::string(names) +
                       "': name each one once");
    ops.push_back(op);
    begin = end + 1;
  }
  std::sort(ops.begin(), ops.end());
  return ops;
}

}  // namespace fred
