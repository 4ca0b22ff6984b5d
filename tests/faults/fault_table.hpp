// SPDX-License-Identifier: Apache-2.0
// Seeded faults: mistakes that a person could make in the RTL, each as one exact substitution in one emitted file, and
// the quick test that must see it. A fault whose text is not found exactly once is an error, so that faults do not rot
// when the RTL changes; it is then to be written anew.
#pragma once

#include <string_view>
#include <vector>

namespace fred::test {

struct SeededFault {
  std::string_view name;
  std::string_view what;  ///< what is wrong, in a sentence
  std::string_view file;  ///< below rtl/, of the switch that `test` runs on
  std::string_view find;  ///< occurs exactly once in the file
  std::string_view replace;
  std::string_view test;  ///< a QuickTest that fails
};

[[nodiscard]] const std::vector<SeededFault>& seeded_faults();

}  // namespace fred::test
