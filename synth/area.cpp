// SPDX-License-Identifier: Apache-2.0
#include "synth/area.hpp"

#include <fmt/format.h>

#include "fred/error.hpp"

namespace fred::synth {

void Area::add(const Area& other, long times) {
  total += other.total * static_cast<double>(times);
  registers += other.registers * static_cast<double>(times);
  cells += other.cells * times;
  flip_flops += other.flip_flops * times;
  latches += other.latches * times;
}

Area area_of(const std::map<std::string, long>& cells, const Liberty& library) {
  Area area;
  for (const auto& [type, count] : cells) {
    const auto cell = library.cells.find(type);
    if (cell == library.cells.end()) {
      throw ToolError(
          fmt::format("yosys left {} cells of type {}, which library {} does not have", count, type, library.name));
    }
    const double size = cell->second.area * static_cast<double>(count);
    area.total += size;
    area.cells += count;
    if (cell->second.flip_flop) area.flip_flops += count;
    if (cell->second.latch) area.latches += count;
    if (cell->second.flip_flop || cell->second.latch) area.registers += size;
  }
  return area;
}

std::map<std::string, long> cells_without_area(const std::map<std::string, long>& cells, const Liberty& library) {
  std::map<std::string, long> found;
  for (const auto& [type, count] : cells) {
    const auto cell = library.cells.find(type);
    if (cell != library.cells.end() && !cell->second.states_area) found[type] = count;
  }
  return found;
}

Area own_area(const Stat& stat, const std::string& module, const Liberty& library) {
  std::map<std::string, long> cells;
  for (const auto& [type, count] : stat.modules.at(module).cells) {
    if (!stat.modules.contains(type)) cells[type] = count;
  }
  return area_of(cells, library);
}

bool is_memory(const std::string& module) { return module_name(module).starts_with("fred_ram_"); }

Memories memories_of(const Stat& before, const Stat& after, const std::string& top, const Liberty& library) {
  Memories memories;
  for (const auto& [module, count] : before.instances(top)) {
    if (!is_memory(module)) continue;
    memories.instances += count;
    memories.bits += before.modules.at(module).memory_bits * count;
  }
  for (const auto& [module, count] : after.instances(top)) {
    if (is_memory(module)) memories.area.add(own_area(after, module, library), count);
  }
  return memories;
}

}  // namespace fred::synth
