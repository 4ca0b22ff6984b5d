// SPDX-License-Identifier: Apache-2.0
// What a design can be synthesized for.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fred::synth {

enum class Flow {
  kAsic,   ///< cells of a Liberty library, static timing analysis
  kFpga,   ///< cells of an FPGA, counted
  kIce40,  ///< placed, routed and timed too
};

struct Target {
  std::string name;   ///< as in --target; "liberty" for a library of the user's
  std::string title;  ///< "Lattice iCE40"
  Flow flow = Flow::kAsic;
  std::filesystem::path library;  ///< Liberty file; kAsic only
  std::string package;            ///< Debian package that brings the library; empty if it is the user's
  std::string driving_cell;       ///< for the inputs; empty: Liberty::middle_inverter
  friend bool operator==(const Target&, const Target&) = default;
};

/// The names that --target takes, in the order of the help.
[[nodiscard]] std::vector<std::string_view> target_names();

/// Throws InputError that lists the names.
[[nodiscard]] Target find_target(std::string_view name);

/// Whether Yosys can pass the path on to ABC: its script has no quotes, and `;` or `!` in it would be commands.
[[nodiscard]] bool abc_reads(const std::string& path);

/// A Liberty file of the user's. Throws InputError if its path has characters that Yosys cannot pass on to ABC.
[[nodiscard]] Target library_target(const std::filesystem::path& file);

}  // namespace fred::synth
