// SPDX-License-Identifier: Apache-2.0
// Cells and their area: what Yosys counted, times what the library says of a cell.
#pragma once

#include <map>
#include <string>

#include "synth/liberty.hpp"
#include "synth/yosys_stat.hpp"

namespace fred::synth {

struct Area {
  double total = 0;      ///< of all cells, in the library's unit
  double registers = 0;  ///< of it flip-flops and latches
  long cells = 0;        ///< all
  long flip_flops = 0;   ///< of them
  long latches = 0;      ///< of them
  void add(const Area& other, long times = 1);
  friend bool operator==(const Area&, const Area&) = default;
};

/// The memories: modules fred_ram_async and fred_ram_sync.
struct Memories {
  Area area;           ///< all instances
  long instances = 0;  ///< modules
  long bits = 0;       ///< width * depth * instances
  friend bool operator==(const Memories&, const Memories&) = default;
};

/// Of cells by type. Throws ToolError that names a cell that the library does not have: Yosys could not map it.
[[nodiscard]] Area area_of(const std::map<std::string, long>& cells, const Liberty& library);

/// Of cells by type those whose area the library does not state: they count as 0.
[[nodiscard]] std::map<std::string, long> cells_without_area(const std::map<std::string, long>& cells,
                                                             const Liberty& library);

/// Of one instance of a module, without the modules that it instantiates.
[[nodiscard]] Area own_area(const Stat& stat, const std::string& module, const Liberty& library);

[[nodiscard]] bool is_memory(const std::string& module);

/// Memories of the design `top`: their bits by the statistics before mapping, their area by those after it.
[[nodiscard]] Memories memories_of(const Stat& before, const Stat& after, const std::string& top,
                                   const Liberty& library);

}  // namespace fred::synth
