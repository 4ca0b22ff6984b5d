// SPDX-License-Identifier: Apache-2.0
// The worst paths that OpenSTA reports for scripts/sta.tcl.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fred::synth {

/// A cell on a path.
struct PathStep {
  std::string instance;  ///< name in the netlist
  std::string cell;      ///< its type in the library
  double delay = 0;      ///< from the step before, in the library's unit of time
  friend bool operator==(const PathStep&, const PathStep&) = default;
};

struct TimingPath {
  std::string start, end;       ///< instance of a register, or a port
  std::vector<PathStep> steps;  ///< cells that the signal passes, a register at the start included
  double arrival = 0;           ///< at the end, after the clock edge, or after it enters at a port
  double setup = 0;             ///< that the end asks for; 0 at a port
  double slack = 0;             ///< against the period of the SDC
  friend bool operator==(const TimingPath&, const TimingPath&) = default;
};

/// A path that is not there: the design has none of the kind.
struct WorstPaths {
  std::optional<TimingPath> register_to_register;
  std::optional<TimingPath> input_to_register;
  std::optional<TimingPath> register_to_output;
  std::optional<TimingPath> input_to_output;
};

/// The first line of OpenSTA's log that says that something was not read or is a black box; empty if there is none. It
/// ends well all the same, without the paths.
[[nodiscard]] std::string complaint(const std::string& log);

/// Throws ToolError if `text` is not the output of scripts/sta.tcl.
[[nodiscard]] WorstPaths parse_sta(const std::string& text);

/// An instance or signal as it is named in the RTL: "u_network.u_in0.data_q[3]" of "u_network.u_in0/data_q[3]$_DFF_P_".
[[nodiscard]] std::string rtl_name(std::string_view instance);

}  // namespace fred::synth
