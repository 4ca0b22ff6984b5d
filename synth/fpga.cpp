// SPDX-License-Identifier: Apache-2.0
#include "synth/fpga.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "fred/error.hpp"

namespace fred::synth {
namespace {

/// Cell types that begin so, the first that fits.
struct Kind {
  std::string_view target, prefix;
  const char* resource;
};

constexpr Kind kKinds[] = {
    {"ice40", "SB_LUT4", "LUT"},
    {"ice40", "SB_DFF", "FF"},
    {"ice40", "SB_CARRY", "carry"},
    {"ice40", "SB_RAM", "block RAM"},
    {"ice40", "SB_MAC16", "DSP"},

    {"ecp5", "LUT4", "LUT"},
    {"ecp5", "TRELLIS_FF", "FF"},
    {"ecp5", "CCU2C", "carry"},
    {"ecp5", "DP16KD", "block RAM"},
    {"ecp5", "PDPW16KD", "block RAM"},
    {"ecp5", "TRELLIS_DPR16X4", "LUT RAM"},
    {"ecp5", "MULT", "DSP"},
    {"ecp5", "PFUMX", "mux"},
    {"ecp5", "L6MUX21", "mux"},

    {"xilinx", "LUT", "LUT"},
    {"xilinx", "INV", "LUT"},
    {"xilinx", "FD", "FF"},
    {"xilinx", "CARRY", "carry"},
    {"xilinx", "RAMB", "block RAM"},
    {"xilinx", "RAM", "LUT RAM"},
    {"xilinx", "DSP", "DSP"},
    {"xilinx", "MUXF", "mux"},
    {"xilinx", "SRL", "shift register"},

    {"gowin", "LUT", "LUT"},
    {"gowin", "DFF", "FF"},
    {"gowin", "ALU", "carry"},
    {"gowin", "SDP", "block RAM"},
    {"gowin", "DP", "block RAM"},
    {"gowin", "SP", "block RAM"},
    {"gowin", "RAM16", "LUT RAM"},
    {"gowin", "MULT", "DSP"},
    {"gowin", "MUX2", "mux"},
};

}  // namespace

std::string resource_of(std::string_view target, const std::string& cell) {
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&](const Kind& k) { return k.target == target && cell.starts_with(k.prefix); });
  return kind == std::end(kKinds) ? "" : kind->resource;
}

std::map<std::string, long> count_resources(std::string_view target, const std::map<std::string, long>& cells) {
  std::map<std::string, long> counts = {{"LUT", 0},       {"FF", 0},      {"carry", 0},
                                        {"block RAM", 0}, {"LUT RAM", 0}, {"DSP", 0}};
  for (const auto& [cell, count] : cells) {
    if (const std::string resource = resource_of(target, cell); !resource.empty()) counts[resource] += count;
  }
  return counts;
}

const std::vector<std::string_view>& ice40_devices() {
  static const std::vector<std::string_view> all = {"lp384", "lp1k", "lp4k", "lp8k", "hx1k", "hx4k",
                                                    "hx8k",  "up3k", "up5k", "u1k",  "u2k",  "u4k"};
  return all;
}

const std::vector<std::string_view>& ice40_packages() {
  static const std::vector<std::string_view> all = {"bg121", "cb81",    "cb121",   "cb132", "cm36",  "cm49",
                                                    "cm81",  "cm121",   "cm225",   "ct256", "qn32",  "qn84",
                                                    "sg48",  "swg16tr", "swg25tr", "tq144", "uwg30", "vq100"};
  return all;
}

void check_ice40(const std::string& device, const std::string& package) {
  const auto& devices = ice40_devices();
  if (std::find(devices.begin(), devices.end(), device) == devices.end()) {
    throw InputError(fmt::format("--device {}: must be one of {}", device, fmt::join(devices, ", ")));
  }
  const bool plain = !package.empty() && std::all_of(package.begin(), package.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
  if (plain) return;
  throw InputError(fmt::format("--package {}: must be a name of lower-case letters and digits, one of {}", package,
                               fmt::join(ice40_packages(), ", ")));
}

double parse_icetime(const std::string& text) {
  static const std::regex total(R"(Total path delay: [0-9.]+ ns \(([0-9.]+) MHz\))");
  std::smatch found;
  if (!std::regex_search(text, found, total)) throw ToolError("icetime's report names no path delay");
  return std::stod(found[1]);
}

void parse_nextpnr(const std::string& json, PlacedResult& result) {
  try {
    const nlohmann::json report = nlohmann::json::parse(json);
    for (const auto& [clock, fmax] : report.at("fmax").items()) {
      const double mhz = fmax.at("achieved").get<double>();
      result.nextpnr_mhz = result.nextpnr_mhz == 0 ? mhz : std::min(result.nextpnr_mhz, mhz);
    }
    for (const auto& [kind, count] : report.at("utilization").items()) {
      if (count.at("used") != 0) result.used[kind] = {count.at("used").get<long>(), count.at("available").get<long>()};
    }
  } catch (const nlohmann::json::exception& error) {
    throw ToolError(fmt::format("nextpnr-ice40 wrote a report that cannot be read: {}", error.what()));
  }
}

}  // namespace fred::synth
