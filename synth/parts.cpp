// SPDX-License-Identifier: Apache-2.0
#include "synth/parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace fred::synth {
namespace {

// Rows of the split, in the order in which they are printed.
enum Row {
  kReducers,
  kSwitching,
  kNetworkRegisters,
  kLaunch,
  kControl,
  kTables,
  kHost,
  kLinks,
  kIngress,
  kEgress,
  kCounters,
  kEdge,
  kRows
};
constexpr std::array<const char*, kRows> kRowNames = {"network: reducers",
                                                      "network: multiplexing in R, D, RD, demux, mux",
                                                      "network: pipeline and route registers",
                                                      "launch",
                                                      "control",
                                                      "tables",
                                                      "host registers",
                                                      "links",
                                                      "ingress buffers",
                                                      "egress buffers",
                                                      "counters",
                                                      "edge registers and the rest"};

/// Parts by the modules that begin them; what is below a module belongs to it unless it begins another.
struct Start {
  std::string_view module;
  Row row;
};
constexpr Start kStarts[] = {
    {"fred_reduce", kReducers},         {"fred_net_", kSwitching},        {"fred_uswitch_", kSwitching},
    {"fred_odd_", kSwitching},          {"fred_launch", kLaunch},         {"fred_control", kControl},
    {"fred_descriptor_table", kTables}, {"fred_alltoall_port", kControl}, {"fred_host", kHost},
    {"fred_ingress_bank", kIngress},    {"fred_egress_bank", kEgress},    {"fred_counters", kCounters},
    {"fred_link_ingress", kIngress},    {"fred_link_egress", kEgress},    {"fred_link_table", kTables},
    {"fred_link_ports", kLinks}};

Row row_of(const std::string& module, Row around) {
  for (const Start& start : kStarts) {
    if (module.starts_with(start.module)) return start.row;
  }
  return around == kControl && is_memory(module) ? kTables : around;  // of an all-to-all
}

class Splitter {
 public:
  Splitter(const Stat& stat, const Liberty& library) : stat_(stat), library_(library) {}

  void add(const std::string& module, Row around, long count) {
    const Row row = row_of(module_name(module), around);
    Area area = own_area(stat_, module, library_);
    if (row == kReducers || row == kSwitching) {  // the network: registers are a row of their own
      const Area registers{area.registers, area.registers, area.flip_flops + area.latches, area.flip_flops,
                           area.latches};
      rows_[kNetworkRegisters].add(registers, count);
      area.add(registers, -1);
    }
    rows_[row].add(area, count);
    for (const auto& [type, number] : stat_.modules.at(module).cells) {
      if (stat_.modules.contains(type)) add(type, row, count * number);
    }
  }

  [[nodiscard]] std::vector<Part> parts() const {
    std::vector<Part> parts;
    for (std::size_t row = 0; row < kRows; ++row) {
      if (rows_[row].cells > 0) parts.push_back({kRowNames[row], rows_[row]});
    }
    return parts;
  }

 private:
  const Stat& stat_;
  const Liberty& library_;
  std::array<Area, kRows> rows_{};
};

/// "m1." of "u_mid1", "R0" of "u_in0", "D2" of "u_out2", "RD" of "u_rd", "demux", "mux"; or nothing.
std::string node_of(std::string_view instance) {
  const auto numbered = [instance](std::string_view prefix) {
    return instance.starts_with(prefix) && instance.size() > prefix.size() &&
           std::all_of(instance.begin() + static_cast<std::ptrdiff_t>(prefix.size()), instance.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  if (numbered("u_mid")) return "m" + std::string(instance.substr(5)) + ".";
  if (numbered("u_in")) return "R" + std::string(instance.substr(4));
  if (numbered("u_out")) return "D" + std::string(instance.substr(5));
  if (instance == "u_rd") return "RD";
  if (instance == "u_demux") return "demux";
  return instance == "u_mux" ? "mux" : "";
}

}  // namespace

std::string place_of(std::string_view rtl_name, std::string_view leaf) {
  if (!leaf.empty() && leaf != "network") return "";
  std::string node;  // of the network, as far as it is known
  bool in_network = false;
  while (!rtl_name.empty()) {
    const std::size_t dot = rtl_name.find('.');
    if (dot == std::string_view::npos) break;  // the signal
    const std::string_view instance = rtl_name.substr(0, dot);
    rtl_name.remove_prefix(dot + 1);
    for (const std::string_view part : {"host", "ingress", "control", "launch", "egress", "counters", "link_table",
                                        "links", "link_ingress", "link_egress"}) {
      if (!in_network && instance.size() == part.size() + 2 && instance.ends_with(part)) return std::string(part);
    }
    in_network = in_network || instance == "u_network" || instance == "u_leaf";
    if (!in_network) break;
    const std::string step = node_of(instance);
    node += step;
    if (!step.empty() && step.back() != '.') return "network, " + node;
  }
  return in_network ? "network" : "";
}

std::vector<Part> split_by_part(const Stat& stat, const std::string& top, const Liberty& library) {
  Splitter splitter(stat, library);
  splitter.add(top, kEdge, 1);
  return splitter.parts();
}

}  // namespace fred::synth
