// SPDX-License-Identifier: Apache-2.0
// SDC and XDC. The text keeps to what every reader has: set, expr and the constraint commands, no loops or conditions
// (XDC allows none) and no collection commands (OpenSTA, Quartus and Vivado have different ones): ports are named.
#include <fmt/format.h>

#include <algorithm>

#include "fred/flow/formats.hpp"

namespace fred::flow {
namespace {

using verilog::Direction;

constexpr const char* kVirtualClock = "virtual_clk";

/// set_input_delay or set_output_delay on all ports of a direction, a port a line.
std::string io_delay(const FlowInput& input, Direction direction) {
  const std::vector<std::string> patterns = port_patterns(input, direction);
  if (patterns.empty()) return "";
  std::string text =
      fmt::format("set_{}_delay $io_delay -clock [get_clocks {}] [get_ports {{\n",
                  direction == Direction::kInput ? "input" : "output", input.has_clock() ? kClock : kVirtualClock);
  for (const std::string& pattern : patterns) text += fmt::format("  {}\n", pattern);
  return text + "}]\n";
}

/// The clock and the delays at the ports. `set clk_period NUMBER` is in this form because OpenROAD-flow-scripts reads
/// the number out of the text.
std::string timing(const FlowInput& input) {
  std::string text = fmt::format("set clk_period {}\n", number(input.period_ns));
  text += fmt::format("set io_delay [expr {{{} * $clk_period}}]\n\n", number(kIoDelayFraction));
  text += input.has_clock() ? fmt::format("create_clock -name {0} -period $clk_period [get_ports {{{0}}}]\n\n", kClock)
                            : fmt::format("create_clock -name {} -period $clk_period\n\n", kVirtualClock);
  return text + io_delay(input, Direction::kInput) + io_delay(input, Direction::kOutput);
}

/// What the constraints say, as comment lines.
std::string about(const FlowInput& input) {
  const bool has_reset =
      std::any_of(input.ports.begin(), input.ports.end(), [](const auto& port) { return port.name == "rst_ni"; });
  std::string text = "# No clock: a virtual one times the paths from input to output.\n";
  if (input.has_clock()) text = "# One clock: no path is false or asynchronous.\n";
  if (input.has_clock() && has_reset) text += "# The reset rst_ni is sampled by it, an input like others.\n";
  return text + fmt::format("# What surrounds the design takes {:g}% of the period at every input and output.\n",
                            100 * kIoDelayFraction);
}

}  // namespace

std::vector<EmittedFile> sdc(const FlowInput& input) {
  return {{sdc_name(input), header(input, ToolFlow::kSdc, true) + "#\n" + about(input) +
                                "# Times are in ns, which must be the time unit of the library. Driving cells and "
                                "loads are the flow's.\n\n" +
                                timing(input)}};
}

std::vector<EmittedFile> xdc(const FlowInput& input) {
  return {{xdc_name(input), header(input, ToolFlow::kXdc, true) + "#\n" + about(input) +
                                "# For synthesis out of context: no pins, no I/O standards.\n\n" + timing(input)}};
}

}  // namespace fred::flow
