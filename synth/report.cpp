// SPDX-License-Identifier: Apache-2.0
#include "synth/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace fred::synth {
namespace {

using nlohmann::ordered_json;

constexpr double kPsOfNs = 1000;
constexpr double kMilli = 1000;
constexpr std::size_t kColumns = 110;  // of the text, where it lists cells

/// To a tenth, of picoseconds or MHz: the tools print no more.
double rounded(double value) { return std::round(value * 10) / 10; }

struct NamedPath {
  const char* title;                      ///< for people
  const char* key;                        ///< in JSON
  const std::optional<TimingPath>* path;  ///< never null
};

std::array<NamedPath, 4> named(const WorstPaths& paths) {
  return {{{"register to register", "register_to_register", &paths.register_to_register},
           {"input to register", "input_to_register", &paths.input_to_register},
           {"register to output", "register_to_output", &paths.register_to_output},
           {"input to output", "input_to_output", &paths.input_to_output}}};
}

/// "control", or "control to network, R0".
std::string places(const TimingPath& path, const std::string& leaf) {
  const std::string start = place_of(rtl_name(path.start), leaf);
  std::string end = place_of(rtl_name(path.end), leaf);
  if (start.empty() || start == end) return end;
  return end.empty() ? start : start + " to " + end;
}

const char* how_mapped(const AsicResult& result) {
  return result.hierarchical ? "summed: each distinct module mapped once" : "flattened";
}

class Text {
 public:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  void area_row(const std::string& name, const Area& area, double whole) {
    const double share = whole > 0 ? 100 * area.total / whole : 0;
    line("  {:<46}{:>12.0f}{:>7.1f}{:>10}{:>11}", name, area.total, share, area.cells, area.flip_flops);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void path_text(Text& text, const Report& report, const NamedPath& entry, bool clocked) {
  if (!*entry.path) return text.line("\n{}: none", entry.title);
  const TimingPath& path = **entry.path;
  const AsicResult& result = *report.asic;
  const auto ns = [&result](double time) { return result.picoseconds(time) / kPsOfNs; };
  if (clocked) {
    const double period = result.least_period_ps(path) / kPsOfNs;
    text.line("\n{}: {:.3f} ns ({:.3f} arrival + {:.3f} setup), {:.1f} MHz", entry.title, period, ns(path.arrival),
              ns(path.setup), kPsOfNs / period);
  } else {
    text.line("\n{}: {:.3f} ns", entry.title, ns(path.arrival) + ns(path.setup));
  }
  const std::string where = places(path, report.leaf);
  if (!where.empty()) text.line("  in     {}", where);
  text.line("  from   {}", rtl_name(path.start));
  text.line("  to     {}", rtl_name(path.end));
  std::string line = fmt::format("  cells  {}:", path.steps.size());
  for (const PathStep& step : path.steps) {
    const std::string cell = fmt::format(" {} {:.3f}", step.cell, ns(step.delay));
    if (line.size() + cell.size() > kColumns) text.line("{}", std::exchange(line, "        "));
    line += cell;
  }
  text.line("{}", line);
}

void power_text(Text& text, const PowerResult& power) {
  text.line("\npower at {:.1f} MHz in an all-reduce ({} cycles of the mapped netlist, simulated without delays), mW",
            1e6 / power.period_ps, power.cycles);
  text.line("  {:<16}{:>10}{:>11}{:>10}{:>10}", "", "internal", "switching", "leakage", "total");
  const auto row = [&text](const char* name, const PowerRow& power_row) {
    text.line("  {:<16}{:>10.3f}{:>11.3f}{:>10.3f}{:>10.3f}", name, kMilli * power_row.internal,
              kMilli * power_row.switching, kMilli * power_row.leakage, kMilli * power_row.total());
  };
  row("flip-flops", power.sequential);
  row("other cells", power.combinational);
  row("all", power.all());
  text.line("  by the library: tables of internal power for {}, leakage for {}; not in it: glitches, wires, clock tree",
            power.internal_cells, power.leakage_cells);
}

void asic_text(Text& text, const Report& report) {
  const AsicResult& result = *report.asic;
  text.line("  library {}, typical; {}; ABC {}", result.library, how_mapped(result),
            result.buffering ? fmt::format("with buffering: -D {}, driving cell {}, load {}", result.period_ps,
                                           result.driving_cell, result.load)
                             : "without buffering");
  text.line("\n{:<48}{:>12}{:>7}{:>10}{:>11}", "area", "area", "%", "cells", "flip-flops");
  text.area_row("all", result.area, result.area.total);
  if (result.memories.instances > 0) {
    text.area_row(fmt::format("memories ({} fred_ram_*, as flip-flops)", result.memories.instances),
                  result.memories.area, result.area.total);
    Area rest = result.area;
    rest.add(result.memories.area, -1);
    text.area_row("all but memories", rest, result.area.total);
  }
  text.line("  flip-flops take {:.0f}; memory bits {}", result.area.registers, result.memories.bits);
  if (!result.without_area.empty()) {
    std::string types;
    for (const auto& [type, count] : result.without_area) types += fmt::format(" {} x {},", count, type);
    types.back() = '.';
    text.line("  NOT IN THE AREA, because the library states no area of them:{}", types);
  }
  if (result.area.latches > 0) text.line("  latches {}", result.area.latches);

  text.line("\n{:<48}{:>12}{:>7}{:>10}{:>11}",
            result.hierarchical ? "parts" : "parts, by a second mapping that keeps the hierarchy", "area", "%", "cells",
            "flip-flops");
  for (const Part& part : result.parts) text.area_row(part.name, part.area, result.parts_total);
  if (!result.hierarchical) text.line("  {:<46}{:>12.0f}", "all, in that mapping", result.parts_total);

  if (result.registered) {
    text.line("\nWith a register at every input and output of the leaf (a second run, registered/):");
    path_text(text, report, {"register to register", "", &result.registered}, true);
    text.line("\nThe leaf as it is:");
  }
  const auto paths = named(result.paths);
  for (const NamedPath& path : paths) path_text(text, report, path, &path == paths.data());
  if (const auto& path = result.clock_path()) {
    const std::string where = places(*path, report.leaf);
    text.line("\nclock: {:.1f} MHz, set by {}; no wires, typical corner", 1e6 / result.least_period_ps(*path),
              !where.empty()        ? where
              : report.leaf.empty() ? "the top module"
                                    : report.leaf);
  }
  if (result.power) power_text(text, *result.power);
}

void fpga_text(Text& text, const FpgaResult& result) {
  text.line("\nresources, as mapped by Yosys");
  for (const auto& [name, count] : result.resources) text.line("  {:<14}{:>10}", name, count);
  text.line("  {:<14}{:>10}  in {} fred_ram_*", "memory bits", result.memory_bits, result.memories);
  text.line("\ncells");
  for (const auto& [name, count] : result.cells) text.line("  {:<14}{:>10}", name, count);
  if (!result.placed) return;
  const PlacedResult& placed = *result.placed;
  text.line("\nplaced and routed in a harness of five pins: {} {}, seed {}", placed.device, placed.package,
            placed.seed);
  for (const auto& [name, used] : placed.used) text.line("  {:<14}{:>10} of {}", name, used.first, used.second);
  text.line("\nclock: {:.1f} MHz by icetime; nextpnr: {:.1f} MHz", placed.fmax_mhz, placed.nextpnr_mhz);
}

ordered_json area_json(const Area& area) {
  return {{"area", area.total},
          {"register_area", area.registers},
          {"cells", area.cells},
          {"flip_flops", area.flip_flops},
          {"latches", area.latches}};
}

ordered_json path_json(const Report& report, const TimingPath& path, bool clocked) {
  const AsicResult& result = *report.asic;
  ordered_json steps = ordered_json::array();
  for (const PathStep& step : path.steps) {
    steps.push_back({{"instance", rtl_name(step.instance)},
                     {"cell", step.cell},
                     {"delay_ps", rounded(result.picoseconds(step.delay))}});
  }
  ordered_json json = {{"start", rtl_name(path.start)},
                       {"end", rtl_name(path.end)},
                       {"start_part", place_of(rtl_name(path.start), report.leaf)},
                       {"end_part", place_of(rtl_name(path.end), report.leaf)},
                       {"arrival_ps", rounded(result.picoseconds(path.arrival))},
                       {"setup_ps", rounded(result.picoseconds(path.setup))}};
  if (clocked) json["least_period_ps"] = rounded(result.least_period_ps(path));
  json["cells"] = std::move(steps);
  return json;
}

ordered_json asic_json(const Report& report) {
  const AsicResult& result = *report.asic;
  ordered_json json = {{"library", result.library},           {"mapping", how_mapped(result)},
                       {"period_ps", result.period_ps},       {"buffering", result.buffering},
                       {"driving_cell", result.driving_cell}, {"load", result.load},
                       {"total", area_json(result.area)}};
  json["without_area"] = ordered_json(result.without_area);
  json["memories"] = area_json(result.memories.area);
  json["memories"]["instances"] = result.memories.instances;
  json["memories"]["bits"] = result.memories.bits;
  json["parts"] = ordered_json::array();
  for (const Part& part : result.parts) {
    ordered_json row = {{"name", part.name}};
    row.update(area_json(part.area));
    json["parts"].push_back(std::move(row));
  }
  const auto paths = named(result.paths);
  for (const NamedPath& entry : paths) {
    json["paths"][entry.key] = *entry.path ? path_json(report, **entry.path, &entry == paths.data()) : ordered_json();
  }
  json["registered"] = result.registered ? path_json(report, *result.registered, true) : ordered_json();
  const auto& clock = result.clock_path();
  json["fmax_mhz"] = clock ? ordered_json(rounded(1e6 / result.least_period_ps(*clock))) : ordered_json();
  if (result.power) {
    const PowerResult& power = *result.power;
    const auto row = [](const PowerRow& watts) {
      return ordered_json{
          {"internal_w", watts.internal}, {"switching_w", watts.switching}, {"leakage_w", watts.leakage}};
    };
    json["power"] = {{"mhz", rounded(1e6 / power.period_ps)},      {"cycles", power.cycles},
                     {"flip_flops", row(power.sequential)},        {"other_cells", row(power.combinational)},
                     {"internal_power_for", power.internal_cells}, {"leakage_for", power.leakage_cells}};
  }
  return json;
}

ordered_json fpga_json(const FpgaResult& result) {
  ordered_json json = {{"resources", result.resources},
                       {"cells", result.cells},
                       {"memories", {{"instances", result.memories}, {"bits", result.memory_bits}}}};
  if (result.placed) {
    const PlacedResult& placed = *result.placed;
    ordered_json used;
    for (const auto& [name, count] : placed.used) used[name] = {{"used", count.first}, {"available", count.second}};
    json["placed"] = {{"device", placed.device},     {"package", placed.package},         {"seed", placed.seed},
                      {"fmax_mhz", placed.fmax_mhz}, {"nextpnr_mhz", placed.nextpnr_mhz}, {"used", used}};
  }
  return json;
}

}  // namespace

std::string to_text(const Report& report) {
  Text text;
  text.line("{}: {}", report.target, report.subject);
  text.line("  {}", fmt::join(report.tools, "; "));
  if (report.asic) asic_text(text, report);
  if (report.fpga) fpga_text(text, *report.fpga);
  return text.text();
}

ordered_json to_json(const Report& report) {
  ordered_json json = {{"command", report.command},
                       {"subject", report.subject},
                       {"target", report.target},
                       {"leaf", report.leaf.empty() ? ordered_json() : ordered_json(report.leaf)},
                       {"tools", report.tools}};
  if (report.asic) json["asic"] = asic_json(report);
  if (report.fpga) json["fpga"] = fpga_json(*report.fpga);
  return json;
}

}  // namespace fred::synth
