// SPDX-License-Identifier: Apache-2.0
// Project files for the tools that take a generated design further: constraints, scripts, package descriptions. Each
// lists the RTL in filelist order with paths relative to itself, so that the output folder may be moved as it is.
//
//   format     files               for                                  form as published in
//   sdc        TOP.sdc             any timing tool                      SDC 2.x, as OpenSTA and Quartus read it
//   xdc        TOP.xdc             Vivado, out of context               UG903, the Tcl subset of XDC
//   vivado     TOP_vivado.tcl      vivado -mode batch -source           UG835
//   quartus    TOP_quartus.tcl     quartus_sh -t                        Quartus Prime scripting manual
//   openroad   config.mk           OpenROAD-flow-scripts                its docs/user/FlowVariables.md
//   librelane  config.json         LibreLane                            its "Design Configuration Files"
//   fusesoc    TOP.core, ...       FuseSoC, with a generator            CAPI2 and GAPI reference
//   bender     Bender.yml          Bender                               its book, "Manifest"
//   ipxact     TOP.xml             IP-XACT tools                        IEEE 1685-2014
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fred/emit/emit.hpp"

namespace fred {

/// A format, in the order in which formats are written and listed.
enum class ToolFlow { kSdc, kXdc, kVivado, kQuartus, kOpenRoad, kLibreLane, kFuseSoc, kBender, kIpXact };
inline constexpr std::array kAllToolFlows = {ToolFlow::kSdc,     ToolFlow::kXdc,      ToolFlow::kVivado,
                                             ToolFlow::kQuartus, ToolFlow::kOpenRoad, ToolFlow::kLibreLane,
                                             ToolFlow::kFuseSoc, ToolFlow::kBender,   ToolFlow::kIpXact};

/// "sdc", "fusesoc", ...
[[nodiscard]] std::string_view to_string(ToolFlow flow);
/// "sdc, xdc, ..., or all": for messages and help.
[[nodiscard]] std::string tool_flow_names();

/// The formats of a comma-separated list, or "all", in the order of kAllToolFlows, together with those that they read:
/// quartus and openroad need sdc; vivado and fusesoc need xdc. Throws InputError that names the value and lists what is
/// allowed, also where one is named twice or `all` is not alone.
[[nodiscard]] std::vector<ToolFlow> parse_tool_flows(std::string_view names);

/// Part of the clock period that SDC, XDC and LibreLane leave outside the design at every input and output.
inline constexpr double kIoDelayFraction = 0.2;
/// Clock periods that are accepted, ns.
inline constexpr double kMinPeriodNs = 0.01, kMaxPeriodNs = 1e6;

/// What the project files of a design depend on. Where there is a port `clk_i` it is the clock; without one the design
/// is combinational and is timed against a virtual clock. `rst_ni` is synchronous to the clock: an input like others.
struct FlowInput {
  std::string top;                              ///< top module
  std::string version;                          ///< of fred
  std::string hash;                             ///< parameter hash, 8 hexadecimal digits
  std::string command;                          ///< the command that generates the RTL: "fred gen --radix ..."
  std::vector<std::string> files;               ///< RTL in filelist order, relative to the output folder
  std::vector<verilog::Interface::Port> ports;  ///< of the top module, in order; widths known
  std::optional<Design> design;                 ///< of a whole switch: its ports form AXI interfaces
  double period_ns = 10;                        ///< clock period, kMinPeriodNs..kMaxPeriodNs

  /// Whether the design has a clock, the port `clk_i`.
  [[nodiscard]] bool has_clock() const;
};

/// The input for any design whose files, manifest.json among them, are `files` and whose top module is `top`.
[[nodiscard]] FlowInput flow_input(const std::vector<EmittedFile>& files, const verilog::Interface& top);
/// The same for a whole switch: `files` are those of emit_design(design).
[[nodiscard]] FlowInput flow_input(const std::vector<EmittedFile>& files, const Design& design);
/// The same for one leaf: `files` are those of emit_leaf_design(design, leaf).
[[nodiscard]] FlowInput flow_input(const std::vector<EmittedFile>& files, const Design& design, const Leaf& leaf);

/// The files of one format, the main one first; paths are relative to the output folder, all in that folder itself.
/// Pure. Throws InputError if the clock period is out of range.
[[nodiscard]] std::vector<EmittedFile> emit_flow(ToolFlow flow, const FlowInput& input);

/// `files` with those of all `flows` before manifest.json, and "flows" and "clock_period_ns" in it, so that
/// write_output knows them again (docs/manifest.md). Without flows: `files` as they are.
[[nodiscard]] std::vector<EmittedFile> with_flows(std::vector<EmittedFile> files, const FlowInput& input,
                                                  const std::vector<ToolFlow>& flows);

}  // namespace fred
