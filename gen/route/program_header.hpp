// SPDX-License-Identifier: Apache-2.0
// A program as C tables for fred_driver.h.
#pragma once

#include <string>
#include <string_view>

#include "fred/design/design.hpp"
#include "fred/route/program.hpp"

namespace fred {

/// "out/my-groups.h" -> "my_groups": what the names in the header of this file begin with.
[[nodiscard]] std::string c_name_of(std::string_view file);

/// A C99 header with the constants NAME_descriptors, NAME_entries and NAME_program. It includes fred_driver.h, and
/// stops the compiler where fred_regs.h is of a switch that the program does not fit.
[[nodiscard]] std::string program_header(const Design& design, const Program& program, const std::string& name);

}  // namespace fred
