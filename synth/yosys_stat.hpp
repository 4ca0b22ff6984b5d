// SPDX-License-Identifier: Apache-2.0
// What Yosys counted: the output of `stat -json`, module by module.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace fred::synth {

struct ModuleStat {
  std::map<std::string, long> cells;  ///< how many by type; an instance of a module is a cell of that type
  long memory_bits = 0;               ///< of its arrays, before they are mapped
  friend bool operator==(const ModuleStat&, const ModuleStat&) = default;
};

struct Stat {
  std::map<std::string, ModuleStat> modules;  ///< by name, without the leading backslash
  friend bool operator==(const Stat&, const Stat&) = default;

  /// How many instances of each module the design `top` has; itself: 1. Throws std::logic_error if there is no `top`.
  [[nodiscard]] std::map<std::string, long> instances(const std::string& top) const;
  /// Cells by type of the whole design `top`, without instances of modules.
  [[nodiscard]] std::map<std::string, long> cells(const std::string& top) const;
  /// Memory bits of the whole design `top`.
  [[nodiscard]] long memory_bits(const std::string& top) const;
};

/// Throws ToolError if `json` is not such an output.
[[nodiscard]] Stat parse_stat(const std::string& json);

/// The name in the RTL of a module: "fred_ram_async" of "$paramod$1e65...\fred_ram_async" and of
/// "$paramod\fred_ram_async\Width=s32'...".
[[nodiscard]] std::string module_name(std::string_view mangled);

}  // namespace fred::synth
