// SPDX-License-Identifier: Apache-2.0
#include "synth/power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fred/error.hpp"

namespace fred::synth {
namespace {

/// A name as OpenSTA writes it, without the backslash of an escaped one.
std::string plain_name(const std::string& name) { return name.starts_with('\\') ? name.substr(1) : name; }

/// A scope of the waveform, and the pins in it that are a cell's if it has no scopes inside.
struct Scope {
  std::string name;
  bool has_scopes = false;
  std::vector<std::pair<std::string, std::string>> pins;  ///< name and code
};

/// What changes under one code.
struct Signal {
  char value = 'x';
  long toggles = 0;
};

PowerRow parse_row(const std::string& text, std::string_view name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream numbers(line.substr(name.size()));
    PowerRow row;
    if (numbers >> row.internal >> row.switching >> row.leakage) return row;
  }
  throw ToolError(fmt::format("OpenSTA's report of power has no row {}", name));
}

}  // namespace

PowerResult parse_power(const std::string& text) {
  PowerResult result;
  result.sequential = parse_row(text, "Sequential");
  result.combinational = parse_row(text, "Combinational");
  return result;
}

Toggles count_toggles(std::istream& vcd, const std::set<std::string>& output_pins) {
  std::vector<Scope> scopes;
  std::unordered_map<std::string, Signal> signals;  // by code
  std::map<std::string, std::string> pins;          // their codes
  std::string clock;                                // its code
  constexpr std::size_t kOutside = 2;               // scopes around the design: replay, dut
  for (std::string line; std::getline(vcd, line);) {
    if (line.empty()) continue;
    const char first = line.front();
    if (first == '0' || first == '1' || first == 'x' || first == 'z') {
      const auto found = signals.find(line.substr(1));
      if (found == signals.end()) continue;
      Signal& signal = found->second;
      if ((first == '0' && signal.value == '1') || (first == '1' && signal.value == '0')) ++signal.toggles;
      signal.value = first;
    } else if (first == '$') {
      std::istringstream words(line);
      std::string keyword, kind, name, width, code;
      words >> keyword >> kind;
      if (keyword == "$scope") {
        words >> name;
        if (!scopes.empty()) scopes.back().has_scopes = true;
        scopes.push_back({plain_name(name), false, {}});
      } else if (keyword == "$var") {
        words >> width >> code >> name;
        if (scopes.size() == kOutside && name == "clk_i") {
          clock = code;
          signals[code];
        }
        if (scopes.size() > kOutside && width == "1" && output_pins.contains(plain_name(name))) {
          scopes.back().pins.emplace_back(plain_name(name), code);
        }
      } else if (keyword == "$upscope" && !scopes.empty()) {
        std::string path;
        for (std::size_t i = kOutside; i < scopes.size(); ++i) path += scopes[i].name + "/";
        if (!scopes.back().has_scopes) {
          for (const auto& [pin, pin_code] : scopes.back().pins) {
            pins[path + pin] = pin_code;
            signals[pin_code];
          }
        }
        scopes.pop_back();
      }
    }
  }
  if (clock.empty()) throw ToolError("the waveform of the netlist has no clock");
  Toggles toggles;
  toggles.cycles = signals[clock].toggles / 2;
  for (const auto& [pin, code] : pins) toggles.by_pin[pin] = signals[code].toggles;
  return toggles;
}

std::string activities(const Toggles& toggles) {
  std::string text;
  for (const auto& [pin, count] : toggles.by_pin) {
    std::string escaped;  // get_pins matches patterns, in which a backslash stands before what is meant as it is
    for (const char c : pin) escaped += c == '\\' ? std::string("\\\\") : std::string(1, c);
    text += fmt::format("activity {{{}}} {}\n", escaped,
                        static_cast<double>(count) / static_cast<double>(std::max(toggles.cycles, 1L)));
  }
  return text;
}

}  // namespace fred::synth
