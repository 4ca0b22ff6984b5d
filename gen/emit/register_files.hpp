// SPDX-License-Identifier: Apache-2.0
// The register map of a design as files for others, all from the description in fred/design/registers.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fred/emit/emit.hpp"

namespace fred {

/// Folder of these files in the output of `fred gen`.
inline constexpr std::string_view kRegisterFolder = "regs";

/// fred_regs.h: addresses, fields, codes and the shape of the design. C99 and C++, no dependency but <stdint.h>.
[[nodiscard]] std::string c_header(const Design& design);
/// fred_switch.rdl: SystemRDL 2.0.
[[nodiscard]] std::string system_rdl(const Design& design);
/// registers.md: the same to be read; docs/registers.md is that of the default design.
[[nodiscard]] std::string register_page(const Design& design);
/// fred_driver.h, the same for every design: the text of driver/fred_driver.h, embedded by the build.
[[nodiscard]] std::string_view driver_header();

/// All of them, with their paths in the output.
[[nodiscard]] std::vector<EmittedFile> register_files(const Design& design);

}  // namespace fred
