// SPDX-License-Identifier: Apache-2.0
// From a design to the figures of its synthesis: emits the RTL, fills the scripts of synth/scripts/ with the values of
// the run, lets the tools run and reads what they wrote.
//
// A run's folder, which becomes the output folder:
//
//   rtl/ fred_switch.f             the design, as `fred gen` writes it
//   map.ys abc.constr              what Yosys runs          -> yosys.log stat.txt netlist.v
//   sta.tcl fred_switch.sdc        what OpenSTA runs        -> sta.log
//   parts.ys                       the mapping with hierarchy -> parts_yosys.log parts_stat.txt parts_netlist.v
//   power.ys power.tcl ...         with --power: simulation and power -> power.log
//   registered/                    the same for the leaf with registers at its edges
//   harness/                       iCE40: the design as it is placed, with nextpnr's and IceStorm's files
//   report.txt report.json         what was found
//   manifest.json                  what is in the folder
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/emit/emit.hpp"
#include "synth/report.hpp"
#include "synth/target.hpp"

namespace fred::synth {

inline constexpr int kMinPeriodPs = 10, kMaxPeriodPs = 1000000;
inline constexpr double kMaxLoad = 1000;

struct Request {
  Design design;             ///< validated
  std::optional<Leaf> leaf;  ///< instead of the switch
  Target target;

  // For a Liberty library.
  std::string driving_cell;  ///< empty: the target's, else an inverter of middle strength
  double load = 0.05;        ///< at the outputs, for ABC; in the library's unit; 0..kMaxLoad
  int period_ps =
      3000;  ///< kMinPeriodPs..kMaxPeriodPs, as far as the library's unit allows; that ABC aims at, and of the clock
  bool buffering = true;      ///< ABC buffers and sizes gates for the period
  bool hierarchical = false;  ///< map each distinct module once, instead of flattening
  /// Writes replay.sv and vectors.txt (tb/replay.hpp) of an all-reduce on the design into a folder: then power is
  /// estimated. Of a whole switch only.
  std::function<void(const std::filesystem::path&)> stimulus;

  // For iCE40.
  std::string device = "hx8k";    ///< one of ice40_devices
  std::string package = "ct256";  ///< of nextpnr-ice40, lower-case letters and digits
  int seed = 1;                   ///< of nextpnr-ice40
  int megahertz = 100;            ///< that nextpnr-ice40 aims at
};

struct Outcome {
  Report report;
  std::vector<EmittedFile> files;  ///< all files of the output folder, manifest.json the last
};

/// The command that makes the request again, without -o: "fred synth --target osu018 ... --radix 8 ...".
[[nodiscard]] std::string canonical_command(const Request& request);

/// Runs the flow in a folder beside `output`, which it does not touch. Throws InputError that names an option
/// and what it takes before anything runs, ToolError that names a tool or library
/// that is missing, with its Debian package, or a tool that failed, with its log, which is kept beside `output`.
[[nodiscard]] Outcome synthesize(const Request& request, const std::filesystem::path& output);

}  // namespace fred::synth
