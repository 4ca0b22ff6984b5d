// SPDX-License-Identifier: Apache-2.0
// What a synthesis found, and how it is told: as text for people, as JSON for programs (docs/synthesis.md).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "synth/area.hpp"
#include "synth/parts.hpp"
#include "synth/power.hpp"
#include "synth/sta_report.hpp"

namespace fred::synth {

/// A design mapped to a Liberty library.
struct AsicResult {
  std::string library;                       ///< its name
  std::string driving_cell;                  ///< for ABC; empty without buffering
  double load = 0;                           ///< for ABC
  int period_ps = 0;                         ///< of ABC and of the clock
  double unit_ps = 1000;                     ///< picoseconds of the times in `paths`
  bool buffering = true;                     ///< ABC buffers and sizes
  bool hierarchical = false;                 ///< each distinct module mapped once; else flattened
  Area area;                                 ///< memories included
  std::map<std::string, long> without_area;  ///< cells in it whose area the library does not state, by type
  Memories memories;
  std::vector<Part> parts;  ///< of the mapping that keeps the hierarchy
  double parts_total = 0;   ///< its area
  WorstPaths paths;
  std::optional<TimingPath> registered;  ///< register to register in the leaf with registers at its edges, a second run
  std::optional<PowerResult> power;      ///< of a simulated all-reduce
  [[nodiscard]] double picoseconds(double time) const { return time * unit_ps; }
  /// Least period of a path that ends in a register, setup included, in picoseconds.
  [[nodiscard]] double least_period_ps(const TimingPath& path) const { return period_ps - picoseconds(path.slack); }
  /// The path that sets the clock: the slower of both runs of a leaf; none without registers.
  [[nodiscard]] const std::optional<TimingPath>& clock_path() const {
    const std::optional<TimingPath>& inner = paths.register_to_register;
    if (!registered || (inner && inner->slack < registered->slack)) return inner;
    return registered;
  }
};

/// A placed and routed iCE40, the design in a harness (fred/emit/harness.hpp).
struct PlacedResult {
  std::string device;                                 ///< "hx8k"
  std::string package;                                ///< "ct256"
  int seed = 1;                                       ///< of nextpnr
  double fmax_mhz = 0;                                ///< by icetime, all paths of the chip
  double nextpnr_mhz = 0;                             ///< by nextpnr, the clock's paths between registers
  std::map<std::string, std::pair<long, long>> used;  ///< used and available by kind of block
};

/// A design mapped to an FPGA.
struct FpgaResult {
  std::map<std::string, long> resources;  ///< "LUT", "FF", "carry", "block RAM", "DSP", "LUT RAM", ...
  std::map<std::string, long> cells;      ///< by type
  long memory_bits = 0;                   ///< of fred_ram_*
  long memories = 0;                      ///< instances of fred_ram_*
  std::optional<PlacedResult> placed;
};

struct Report {
  std::string command;             ///< that makes it again, without -o
  std::string subject;             ///< "FRED_3(8), 4 x fp32 a beat", "leaf reduce of ..."
  std::string target;              ///< "osu018"
  std::string leaf;                ///< or empty
  std::vector<std::string> tools;  ///< what they call themselves
  std::optional<AsicResult> asic;
  std::optional<FpgaResult> fpga;
};

[[nodiscard]] std::string to_text(const Report& report);
[[nodiscard]] nlohmann::ordered_json to_json(const Report& report);

}  // namespace fred::synth
