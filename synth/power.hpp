// SPDX-License-Identifier: Apache-2.0
// Power: how often the outputs of the cells of a mapped netlist change in a simulation, and what OpenSTA makes of it.
#pragma once

#include <istream>
#include <map>
#include <set>
#include <string>

namespace fred::synth {

/// A row of OpenSTA's report_power, in watts.
struct PowerRow {
  double internal = 0;   ///< in the cells, while they switch or are clocked
  double switching = 0;  ///< to load what they drive
  double leakage = 0;
  [[nodiscard]] double total() const { return internal + switching + leakage; }
  friend bool operator==(const PowerRow&, const PowerRow&) = default;
};

struct PowerResult {
  PowerRow sequential, combinational;  ///< flip-flops, all other cells
  [[nodiscard]] PowerRow all() const {
    return {sequential.internal + combinational.internal, sequential.switching + combinational.switching,
            sequential.leakage + combinational.leakage};
  }
  long cycles = 0;             ///< that were simulated
  double period_ps = 0;        ///< of the clock that the power is for
  std::string leakage_cells;   ///< which cells of the library say how much they leak: "all cells"
  std::string internal_cells;  ///< which have tables of internal power
};

/// Throws ToolError if `text` is not the output of scripts/power.tcl.
[[nodiscard]] PowerResult parse_power(const std::string& text);

/// Changes of cells' outputs in a waveform.
struct Toggles {
  long cycles = 0;                     ///< clock cycles
  std::map<std::string, long> by_pin;  ///< "u_egress/mem[2][0]$_DFFE_PP_/Q": changes between 0 and 1
};

/// Reads a VCD file of `replay.dut`, from its first complete record on. A cell is a scope without others in it, its
/// outputs those of its signals that are named in `output_pins`. Throws ToolError if there is no clock `clk_i`.
[[nodiscard]] Toggles count_toggles(std::istream& vcd, const std::set<std::string>& output_pins);

/// A line "activity {PIN} CHANGES_A_CYCLE" for each pin: what scripts/power.tcl reads.
[[nodiscard]] std::string activities(const Toggles& toggles);

}  // namespace fred::synth
