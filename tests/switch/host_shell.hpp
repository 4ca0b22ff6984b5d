// SPDX-License-Identifier: Apache-2.0
// A switch that is nothing but its host: the ports of fred_switch, inside only fred_host with the parameters that the
// emitter gives it. Quick to build for any shape, and what fred_host reads and drives is at pins:
//
//   head_valid, open, egress_busy, space of (port, vc) q    bits 0..3 of q + 1
//   head_index of q                                         5 q + 1
//   conflict, mismatch, and the head errors of q = 0        s_axis_tdata [0] .. [6], as in ERROR
//   vc_before, bound, vc of all descriptors                 m_axis_tdata, from bit 0 on, one after the other
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fred/emit/emit.hpp"
#include "tb/model_build.hpp"

namespace fred::test {

inline std::vector<tb::SourceFile> host_shell(const Design& design) {
  using verilog::Direction;
  const Network network = make_network(design.radix, design.middle);
  std::vector<tb::SourceFile> files;
  for (EmittedFile& file : emit_leaf_design(design, {"host", false})) {
    if (file.path.ends_with(".sv")) files.push_back({std::move(file.path), std::move(file.text)});
  }
  const int queues = design.radix * design.vcs;
  const auto pattern = [&](int bit) {
    std::string bits;  // the highest first
    for (int q = queues; q-- > 0;) bits += ((q + 1) >> bit & 1) != 0 ? '1' : '0';
    return fmt::format("{}'b{}", queues, bits);
  };
  std::string indices;
  for (int q = queues; q-- > 0;) {
    const int width = design.descriptor_bits();
    indices += fmt::format("{}{}'d{}", indices.empty() ? "{" : ", ", width, (5 * q + 1) % (1 << width));
  }
  const auto head_error = [&](int bit) {
    return queues == 1 ? fmt::format("s_axis_tdata[{}]", bit)
                       : fmt::format("{{{}'d0, s_axis_tdata[{}]}}", queues - 1, bit);
  };
  const std::vector<std::pair<std::string, std::string>> driven{
      {"conflict_i", "s_axis_tdata[0]"}, {"mismatch_i", "s_axis_tdata[1]"}, {"head_stale_i", head_error(2)},
      {"head_unknown_i", head_error(3)}, {"member_error_i", head_error(4)}, {"head_framing_i", head_error(5)},
      {"head_vc_i", head_error(6)},      {"head_valid_i", pattern(0)},      {"open_i", pattern(1)},
      {"egress_busy_i", pattern(2)},     {"space_i", pattern(3)},           {"head_index_i", indices + "}"}};
  const auto& ports = emit_switch(network, design).interface().ports;
  std::string header, body;
  for (const auto& port : ports) {
    const bool input = port.direction == Direction::kInput;
    header += fmt::format("{}  {} [{}:0] {}", header.empty() ? "" : ",\n", input ? "input wire logic" : "output logic",
                          port.width - 1, port.name);
    if (!input && port.name.starts_with("m_axis_tdata")) {
      body += fmt::format("  assign m_axis_tdata = {}'({{vc, bound, vc_before}});\n", port.width);
    } else if (!input && !port.name.starts_with("s_axil_")) {
      body += fmt::format("  assign {} = '0;\n", port.name);
    }
  }
  body += fmt::format("  logic [{}:0] vc;\n  logic [15:0] bound;\n  logic [{}:0] vc_before;\n  fred_leaf_host u_host (",
                      design.descriptors * design.vcs - 1, design.vcs * design.vcs - 1);
  bool first = true;
  for (const auto& port : emit_leaf(network, design, {"host", false}).interface().ports) {
    std::string net = port.direction == Direction::kInput ? fmt::format("{}'d0", port.width) : "";
    if (std::any_of(ports.begin(), ports.end(), [&](const auto& own) { return own.name == port.name; }))
      net = port.name;
    for (const auto& [name, value] : driven) net = port.name == name ? value : net;
    for (const char* name : {"vc", "bound", "vc_before"}) net = port.name == std::string(name) + "_o" ? name : net;
    body += fmt::format("{}\n    .{}({})", first ? "" : ",", port.name, net);
    first = false;
  }
  files.push_back({"rtl/fred_switch.sv", "module fred_switch (\n" + header + "\n);\n" + body + "\n  );\nendmodule\n"});
  return files;
}

}  // namespace fred::test
