// SPDX-License-Identifier: Apache-2.0
// What this project needs to know of a Liberty file: its cells, their areas, which of them hold state, the inverters,
// and what it says about power. Yosys and OpenSTA read the same file for everything else.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace fred::synth {

struct LibertyCell {
  double area = 0;              ///< in the library's unit; 0 if not stated
  bool states_area = false;     ///< the library has it
  bool flip_flop = false;       ///< has an `ff` or `ff_bank` group
  bool d_flip_flop = false;     ///< an `ff` group whose data and clock are one input each: what dfflibmap can use
  bool latch = false;           ///< has a `latch` or `latch_bank` group
  bool state_table = false;     ///< has a `statetable` group
  int inputs = 0, outputs = 0;  ///< pins, buses and bundles
  bool inverter = false;        ///< one input, one output, whose function is the input's complement
  double strength = 0;          ///< max_capacitance of the output of an inverter; 0 if not given
  bool dont_use = false;        ///< the library asks not to use it
  bool leakage_power = false;   ///< says how much it leaks
  bool internal_power = false;  ///< has tables of internal power
  [[nodiscard]] bool holds_state() const { return flip_flop || latch || state_table; }
  friend bool operator==(const LibertyCell&, const LibertyCell&) = default;
};

struct Liberty {
  std::string name;                                       ///< of the library
  double time_unit_ps = 1000;                             ///< picoseconds of one unit of time
  double voltage = 0;                                     ///< nom_voltage; 0 if not given
  std::map<std::string, LibertyCell, std::less<>> cells;  ///< by name
  std::set<std::string> output_pins;                      ///< names of the outputs of all cells
  friend bool operator==(const Liberty&, const Liberty&) = default;

  /// An inverter of middle strength, for the inputs: of those by ascending strength (area, where strengths are not
  /// given or are equal) the upper of the middle. Throws InputError that names the way out if the library has none.
  [[nodiscard]] std::string middle_inverter() const;
  /// Throws InputError that says why ABC cannot take the cell as the driver of inputs: it must be combinational and
  /// have one output.
  void check_driving_cell(const std::string& cell) const;
  /// Throws InputError unless a design can be mapped to it: it has cells, and among them a D flip-flop.
  void check_usable() const;
  /// How many of the cells, in words: "all cells", "some cells", "no cell".
  [[nodiscard]] std::string with_leakage() const;
  [[nodiscard]] std::string with_internal_power() const;
};

/// Reads the text of a Liberty file; `file` is named in messages. Throws InputError if it is not one.
[[nodiscard]] Liberty parse_liberty(std::string_view text, const std::string& file);
/// The same from a file.
[[nodiscard]] Liberty read_liberty(const std::filesystem::path& file);

}  // namespace fred::synth
