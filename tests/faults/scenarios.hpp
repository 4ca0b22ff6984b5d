// SPDX-License-Identifier: Apache-2.0
// Quick tests of a whole switch, each about one thing that must hold, each over in a fraction of a second. `make
// faults` shows that every seeded fault of fault_table.cpp makes its test fail; any engine can run them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fred/design/design.hpp"
#include "tb/engine.hpp"

namespace fred::test {

struct QuickTest {
  std::string_view name;
  std::string_view what;                    ///< what must hold
  Design (*design)();                       ///< the switch that it runs on
  void (*run)(tb::Engine&, const Design&);  ///< throws when it does not hold; starts with a reset
};

/// Radix 5, m = 3: every kind of microswitch, an odd port at two levels; one int32 a beat, 4 descriptors.
[[nodiscard]] Design int_switch();
/// Radix 4, m = 2: one fp32 a beat, 2 descriptors, no all-to-all.
[[nodiscard]] Design float_switch();
/// Radix 8, m = 2: one fp8e5m2 a beat, sums of 4 cycles: what is launched is long under way.
[[nodiscard]] Design slow_switch();
/// Radix 3, m = 2: int8, uint8 and bf16 with every operation, two bytes a beat.
[[nodiscard]] Design types_switch();
/// The same for fp8e4m3 and bf16, accumulated in fp32; int8, accumulated in int16.
[[nodiscard]] Design acc_float_switch();
[[nodiscard]] Design acc_int_switch();

[[nodiscard]] const std::vector<QuickTest>& quick_tests();

/// Runs a test: nothing if it passed, else the first thing that was wrong, in one line.
[[nodiscard]] std::optional<std::string> why_failed(const QuickTest& test, tb::Engine& engine);

}  // namespace fred::test
