// SPDX-License-Identifier: Apache-2.0
// A switch that is nothing but its host: the ports of fred_switch, inside only fred_host with the parameters that the
// emitter gives it. Quick to build for any shape, and what fred_host reads and drives is at pins:
//
//   head_valid, open, egress_busy, space of (port, vc) q    bits 0..3 of q + 1
//   head_index, owner of q                                  5 q + 1, 3 q + 2
//   conflict, mismatch, timeout, parity of descriptor 0, head
//   errors of q = 0                                         s_axis_tdata [0] .. [8], as in ERROR
//   hangs, stopped, spoiled of descriptor 0                 s_axis_tdata [9], [10], [11]
//   report of descriptor d                                  bit i of it is set where (7 i + 3) mod D is d
//   vc_before, bound, vc of all descriptors,
//   descriptors that were ever aborted                      m_axis_tdata, from bit 0 on, one after the other
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
  const auto numbers = [&](int factor, int offset) {
    std::string all;
    for (int q = queues; q-- > 0;) {
      const int width = design.descriptor_bits();
      all += fmt::format("{}{}'d{}", all.empty() ? "{" : ", ", width, (factor * q + offset) % (1 << width));
    }
    return all + "}";
  };
  std::string reports;
  for (int i = 4 * design.radix; i-- > 0;) {
    reports += fmt::format("{}selected[{}]", reports.empty() ? "{" : ", ", (7 * i + 3) % design.descriptors);
  }
  const auto first_of = [](int count, int bit) {
    return count == 1 ? fmt::format("s_axis_tdata[{}]", bit)
                      : fmt::format("{{{}'d0, s_axis_tdata[{}]}}", count - 1, bit);
  };
  const auto head_error = [&](int bit) { return first_of(queues, bit); };
  const std::vector<std::pair<std::string, std::string>> driven{{"conflict_i", "s_axis_tdata[0]"},
                                                                {"spoils_i", first_of(design.descriptors, 0)},
                                                                {"halt_i", first_of(design.descriptors, 1)},
                                                                {"head_stale_i", head_error(2)},
                                                                {"head_unknown_i", head_error(3)},
                                                                {"member_error_i", head_error(4)},
                                                                {"head_framing_i", head_error(5)},
                                                                {"head_vc_i", head_error(6)},
                                                                {"head_valid_i", pattern(0)},
                                                                {"open_i", pattern(1)},
                                                                {"egress_busy_i", pattern(2)},
                                                                {"space_i", pattern(3)},
                                                                {"head_index_i", numbers(5, 1)},
                                                                {"owner_i", numbers(3, 2)},
                                                                {"hangs_now_i", first_of(design.descriptors, 7)},
                                                                {"parity_now_i", first_of(design.descriptors, 8)},
                                                                {"flying_i", fmt::format("{}'d0", design.descriptors)},
                                                                {"close_i", "close"},
                                                                {"hangs_i", first_of(design.descriptors, 9)},
                                                                {"stopped_i", first_of(design.descriptors, 10)},
                                                                {"spoiled_i", first_of(design.descriptors, 11)},
                                                                {"report_i", reports + "}"},
                                                                {"report_o", "select"},
                                                                {"links_ok_i", "1'b1"},
                                                                {"cycle_i", "cycle"},
                                                                {"abort_o", "abort"}};
  const auto& ports = emit_switch(network, design).interface().ports;
  std::string header, body;
  for (const auto& port : ports) {
    const bool input = port.direction == Direction::kInput;
    header += fmt::format("{}  {} [{}:0] {}", header.empty() ? "" : ",\n", input ? "input wire logic" : "output logic",
                          port.width - 1, port.name);
    if (!input && port.name.starts_with("m_axis_tdata")) {
      body += fmt::format("  assign m_axis_tdata = {}'({{aborted, vc, bound, vc_before}});\n", port.width);
    } else if (!input && !port.name.starts_with("s_axil_") && port.name != "irq_o") {
      body += fmt::format("  assign {} = '0;\n", port.name);
    }
  }
  body += fmt::format("  logic [{}:0] vc;\n  logic [15:0] bound;\n  logic [{}:0] vc_before;\n",
                      design.descriptors * design.vcs - 1, design.vcs * design.vcs - 1);
  body += fmt::format(
      "  logic [{}:0] select, selected, abort, aborted, ends, close;  // an abort ends after two cycles\n"
      "  logic [31:0] cycle;\n"
      "  always_ff @(posedge clk_i) begin\n"
      "    selected <= select;\n"
      "    cycle    <= rst_ni ? cycle + 32'd1 : '0;\n"
      "    aborted  <= rst_ni ? aborted | abort : '0;\n"
      "    ends     <= abort;\n"
      "    close    <= ends;\n"
      "  end\n"
      "  fred_leaf_host u_host (",
      design.descriptors - 1);
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
