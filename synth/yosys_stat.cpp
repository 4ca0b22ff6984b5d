// SPDX-License-Identifier: Apache-2.0
#include "synth/yosys_stat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fred/error.hpp"

namespace fred::synth {
namespace {

std::string without_backslash(const std::string& name) { return name.starts_with('\\') ? name.substr(1) : name; }

/// The object after "modules": of the output. Yosys 0.23 writes text after it that is no JSON, where modules are
/// nested.
std::string modules_object(const std::string& json) {
  const std::size_t begin = json.find('{', json.find("\"modules\":"));
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '{') ++depth;
    if (!quoted && c == '}' && --depth == 0) return json.substr(begin, i + 1 - begin);
  }
  throw ToolError("yosys wrote statistics without modules");
}

void add_instances(const Stat& stat, const std::string& name, long count, std::map<std::string, long>& result) {
  result[name] += count;
  for (const auto& [type, number] : stat.modules.at(name).cells) {
    if (stat.modules.contains(type)) add_instances(stat, type, count * number, result);
  }
}

}  // namespace

std::map<std::string, long> Stat::instances(const std::string& top) const {
  if (!modules.contains(top)) throw std::logic_error(fmt::format("stat: no module {}", top));
  std::map<std::string, long> result;
  add_instances(*this, top, 1, result);
  return result;
}

std::map<std::string, long> Stat::cells(const std::string& top) const {
  std::map<std::string, long> result;
  for (const auto& [module, count] : instances(top)) {
    for (const auto& [type, number] : modules.at(module).cells) {
      if (!modules.contains(type)) result[type] += count * number;
    }
  }
  return result;
}

long Stat::memory_bits(const std::string& top) const {
  long bits = 0;
  for (const auto& [module, count] : instances(top)) bits += count * modules.at(module).memory_bits;
  return bits;
}

Stat parse_stat(const std::string& json) {
  try {
    Stat stat;
    const nlohmann::json modules = nlohmann::json::parse(modules_object(json));
    for (const auto& [name, counts] : modules.items()) {
      ModuleStat& module = stat.modules[without_backslash(name)];
      module.memory_bits = counts.at("num_memory_bits").get<long>();
      for (const auto& [type, number] : counts.at("num_cells_by_type").items()) {
        module.cells[without_backslash(type)] = number.get<long>();
      }
    }
    return stat;
  } catch (const nlohmann::json::exception& error) {
    throw ToolError(
        fmt::format("yosys wrote statistics that cannot be read ({}); 0.23 and later are known to work", error.what()));
  }
}

std::string module_name(std::string_view mangled) {
  constexpr std::string_view kMark = "$paramod";
  if (mangled.starts_with('\\')) mangled.remove_prefix(1);
  if (mangled.starts_with(kMark)) mangled.remove_prefix(std::min(mangled.find('\\') + 1, mangled.size()));
  return std::string(mangled.substr(0, mangled.find('\\')));
}

}  // namespace fred::synth
