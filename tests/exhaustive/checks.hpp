// SPDX-License-Identifier: Apache-2.0
// Comparisons of verilated lanes with their reference, and of the reference with MPFR. Each makes its own model, so
// they may run side by side. A format is one of int8, uint8, e5m2, e4m3, fp16, bf16, fp32, fp64.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/exhaustive/reference.hpp"

namespace fred::test {

struct Outcome {
  std::uint64_t pairs = 0;              ///< results compared
  std::uint64_t differences = 0;        ///< of them wrong
  std::vector<std::string> examples{};  ///< the first few wrong ones, in words
};

enum class Unit {
  kAdder,     ///< fred_fp_add without registers
  kLane,      ///< fred_reduce with all operations and one register
  kReference  ///< reference.hpp, compared with MPFR
};

/// Every pair of an 8-bit format; integers with kLane alone. A pass of a lane with each operation's code.
Outcome check_every_pair(Unit unit, const std::string& format, Operation operation);

/// All pairs whose left operand is in first..first + count - 1, "fp16" or "bf16"; every right operand. Of the adder.
Outcome check_left_operands(const std::string& format, Operation operation, std::uint32_t first, std::uint32_t count);

/// Every pair of corner values of fp32 or fp64. Of adder and reference.
Outcome check_corners(Unit unit, const std::string& format, Operation operation);

/// Pairs weighted to cancellation, subnormals, ties, overflow and specials, of any format but the small ones. The same
/// seed gives the same pairs. Of adder and reference.
Outcome check_random(Unit unit, const std::string& format, Operation operation, std::uint64_t pairs,
                     std::uint64_t seed);

}  // namespace fred::test
