// SPDX-License-Identifier: Apache-2.0
// Inside gen/flow: one function a format, and what they share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fred/flow/flow.hpp"

namespace fred::flow {

inline constexpr std::string_view kClock = "clk_i";

// The files of a format, the main one first.
[[nodiscard]] std::vector<EmittedFile> sdc(const FlowInput& input);
[[nodiscard]] std::vector<EmittedFile> xdc(const FlowInput& input);
[[nodiscard]] std::vector<EmittedFile> vivado(const FlowInput& input);
[[nodiscard]] std::vector<EmittedFile> quartus(const FlowInput& input);
[[nodiscard]] std::vector<EmittedFile> openroad(const FlowInput& input);
[[nodiscard]] std::vector<EmittedFile> librelane(const FlowInput& input);
[[nodiscard]] std::vector<EmittedFile> fusesoc(const FlowInput& input);
[[nodiscard]] std::vector<EmittedFile> bender(const FlowInput& input);
[[nodiscard]] std::vector<EmittedFile> ipxact(const FlowInput& input);

/// The command that writes the file: that of the RTL with `--flow NAME`, and the clock period where `timed`.
[[nodiscard]] std::string command(const FlowInput& input, ToolFlow flow, bool timed);
/// Licence, version and command as comment lines "# ...", for the head of a file.
[[nodiscard]] std::string header(const FlowInput& input, ToolFlow flow, bool timed);

/// What a file itself says: the names of constraint files that scripts read.
[[nodiscard]] std::string sdc_name(const FlowInput& input);
[[nodiscard]] std::string xdc_name(const FlowInput& input);

/// A number without trailing zeros, as every format reads it: "10", "3.3".
[[nodiscard]] std::string number(double value);

/// Names of the ports of one direction without the clock, in order; as a pattern of get_ports: "rst_ni", "data_i[*]".
[[nodiscard]] std::vector<std::string> port_patterns(const FlowInput& input, verilog::Direction direction);

/// The text of gen/flow/fred_generator.py, embedded by the build.
[[nodiscard]] std::string_view generator_script();

}  // namespace fred::flow
