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
};
constexpr std::array<TypeRow, kAllDTypes.size()> kTypes{{{DType::kInt32, "int32", 32, 0, 0},
                                                         {DType::kFp16, "fp16", 16, 5, 10},
                                                         {DType::kBf16, "bf16", 16, 8, 7},
                                                         {DType::kFp32, "fp32", 32, 8, 23},
                                                         {DType::kInt16, "int16", 16, 0, 0}}};
constexpr std::array<std::string_view, 3> kOpNames{"sum", "min", "max"};

const TypeRow& row(DType dtype) { return kTypes.at(static_cast<std::size_t>(dtype)); }

}  // namespace

int element_bits(DType dtype) { return row(dtype).bits; }
bool is_float(DType dtype) { return row(dtype).exponent != 0; }
int exponent_bits(DType dtype) { return row(dtype).exponent; }
int mantissa_bits(DType dtype) { return row(dtype).mantissa; }

std::string_view to_string(DType dtype) { return row(dtype).name; }
std::string_view to_string(Op op) { return kOpNames.at(static_cast<std::size_t>(op)); }

std::string dtype_names() {
  std::string names;
  for (const TypeRow& type : kTypes) names += (names.empty() ? "" : ", ") + std::string(type.name);
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
  throw InputError("unknown operation '" + std::string(name) + "': use sum, min or max");
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
