// SPDX-License-Identifier: Apache-2.0
// Cells of FPGAs: what each stands for, and what place and route reports.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "synth/report.hpp"

namespace fred::synth {

/// "LUT", "FF", "carry", "block RAM", "LUT RAM", "DSP", "mux", "shift register" of a cell type of a target; "" for what
/// takes no logic (pads, constants, clock buffers).
[[nodiscard]] std::string resource_of(std::string_view target, const std::string& cell);

/// Cells by type -> counts by resource; LUT, FF, carry, block RAM, LUT RAM and DSP are there even if 0.
[[nodiscard]] std::map<std::string, long> count_resources(std::string_view target,
                                                          const std::map<std::string, long>& cells);

/// What --device takes: all that nextpnr-ice40 0.4 and icetime know.
[[nodiscard]] const std::vector<std::string_view>& ice40_devices();
/// All packages of IceStorm's chip databases; each device has some of them.
[[nodiscard]] const std::vector<std::string_view>& ice40_packages();
/// Throws InputError unless `device` is one of these and `package` can be the name of a package: both become arguments.
void check_ice40(const std::string& device, const std::string& package);

/// Of icetime's report: "Total path delay: 7.07 ns (141.48 MHz)". Throws ToolError if it does not say so.
[[nodiscard]] double parse_icetime(const std::string& text);

/// Of the JSON that nextpnr writes with --report: utilization, and the clock's frequency. Throws ToolError.
void parse_nextpnr(const std::string& json, PlacedResult& result);

}  // namespace fred::synth
