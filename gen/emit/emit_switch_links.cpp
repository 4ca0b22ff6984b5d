// SPDX-License-Identifier: Apache-2.0
// The link ports of a switch: transceivers, links, the buffers behind them, and what the descriptors are there.
#include <fmt/format.h>

#include <algorithm>

#include "fred/emit/switch_emitter.hpp"

namespace fred {

void SwitchEmitter::link_pins() {
  const int l = design_.link_ports, bits = design_.link.phy_bits();
  module_.port_comment(
      fmt::format("Transceivers of the link ports {}; words of {} bits, and whether one begins a flit.",
                  design_.link_port_list(), bits));
  phy_ = {out("phy_tx_valid_o", {1, l}),   in("phy_tx_ready_i", {1, l}), out("phy_tx_first_o", {1, l}),
          out("phy_tx_data_o", {bits, l}), in("phy_rx_valid_i", {1, l}), in("phy_rx_first_i", {1, l}),
          in("phy_rx_data_i", {bits, l})};
  module_.port_comment("Both ends of the link run.");
  phy_.push_back(out("link_up_o", {1, l}));
}

void SwitchEmitter::link_wires() {
  const int l = design_.link_ports, bytes = design_.bytes();
  module_.comment("Between the links and the buffers of the link ports.");
  for (const char* way : {"out", "in"}) {
    const std::string name = way;
    wire(name + "_valid", {1, l});
    wire(name + "_data", {width_, l});
    wire(name + "_keep", {bytes, l});
    wire(name + "_last", {1, l});
    wire(name + "_slot", {design_.link.slot_bits(), l});
    wire(name + "_dest", {tag_w_, l});
    wire(name + "_user", {m_user_w_, l});
  }
  wire("out_ready", {1, l});
  wire("out_slot_ready", {slots_, l});
  wire("in_free", {slots_, l});
  for (const char* name : {"link_lost", "link_runs"}) wire(name, {1, l});
  if (design_.counters) leaving_wires();
}

void SwitchEmitter::circuits() {
  add("fred_circuits", "u_circuits",
      {{"Ports", ports_}, {"Vcs", vcs_}, {"LinkPorts", link_ports_}, {"Slots", slots_}, {"Descriptors", descriptors_}},
      {{"vc_i", "vc"}, {"slot_i", "slot"}, {"circuit_o", "circuit"}});
}

void SwitchEmitter::link_ports() {
  using Fields = LinkFields;
  std::vector<std::uint32_t> lows;
  for (const BitField& field : {Fields::kSlot, Fields::kTag, Fields::kRepeat, Fields::kFlipParity, Fields::kPassStep})
    lows.push_back(static_cast<std::uint32_t>(field.low));
  add("fred_link_table", "u_link_table",
      {{"Ports", ports_},
       {"LinkPorts", link_ports_},
       {"Slots", slots_},
       {"StepW", step_w_},
       {"TagW", tag_w_},
       {"Descriptors", descriptors_},
       {"WordW", map_.address_bits - 2},
       {"LinkWord", static_cast<int>(map_.link_base / 4)},
       {"LinkLows", packed(lows, 2)}},
      {{"clk_i", "clk_i"},
       {"access_i", "others_access"},
       {"write_i", "others_write"},
       {"answer_o", "table_answer"},
       {"select_i", "report_of"},
       {"enable_i", "enable"},
       {"flying_i", "flying"},
       {"kind_i", "kind"},
       {"in_mask_i", "in_mask"},
       {"out_mask_i", "out_mask"},
       {"ok_o", "links_ok"},
       {"bad_o", "way_bad"},
       {"slot_o", "slot"},
       {"tag_o", "tag"},
       {"repeats_o", "repeats"},
       {"pass_o", "pass"}});
  const ChipLink& link = design_.link;
  add("fred_link_ports", "u_links",
      {{"LinkPorts", link_ports_},
       {"Slots", slots_},
       {"Width", width_},
       {"StepW", step_w_},
       {"TagW", tag_w_},
       {"Depth", link.slot_depth},
       {"Beats", link.flit_beats},
       {"Words", link.flit_words},
       {"Replay", link.replay},
       {"Timeout", link.timeout()},
       {"Quiet", link.quiet()},
       {"Silence", link.silence()},
       {"PhyW", link.phy_bits()},
       {"WordW", map_.address_bits - 2},
       {"StatusWord", static_cast<int>(map_.link_status_base / 4)}},
      join(
          {pins({"out_valid"}, "_i"),
           pins({"out_ready"}, "_o"),
           pins({"out_data", "out_keep", "out_last", "out_slot", "out_dest", "out_user"}, "_i"),
           pins({"out_slot_ready", "in_valid", "in_data", "in_keep", "in_last", "in_slot", "in_dest", "in_user"}, "_o"),
           pins({"in_free"}, "_i"),
           {{"lost_o", "link_lost"}, {"run_o", "link_runs"}},
           {{"phy_tx_valid_o", "phy_tx_valid_o"},
            {"phy_tx_ready_i", "phy_tx_ready_i"},
            {"phy_tx_first_o", "phy_tx_first_o"},
            {"phy_tx_data_o", "phy_tx_data_o"},
            {"phy_rx_valid_i", "phy_rx_valid_i"},
            {"phy_rx_first_i", "phy_rx_first_i"},
            {"phy_rx_data_i", "phy_rx_data_i"},
            {"up_o", "link_up_o"}},
           {{"access_i", "others_access"}, {"answer_o", "links_answer"}}}));
  const Range links{ends_, design_.link_ports};
  add("fred_link_ingress", "u_link_ingress",
      {{"Ports", ports_},
       {"LinkPorts", link_ports_},
       {"StepW", step_w_},
       {"Slots", slots_},
       {"Circuits", circuits_},
       {"Width", width_},
       {"Descriptors", descriptors_},
       {"DescW", desc_w_},
       {"TagW", tag_w_},
       {"Depth", link.slot_depth}},
      join({{{"valid_i", "in_valid"},
             {"data_i", "in_data"},
             {"keep_i", "in_keep"},
             {"last_i", "in_last"},
             {"slot_i", "in_slot"},
             {"dest_i", "in_dest"},
             {"user_i", "in_user"},
             {"lost_i", "link_lost"},
             {"flows_i", "link_runs"},
             {"free_o", "in_free"}},
            pins({"enable", "run", "epoch", "in_mask", "out_mask"}, "_i"),
            {{"slots_i", "slot"}, {"pass_i", "pass"}},
            pins(heads(), "_o", links),
            pins({"pop", "launched", "launch_desc", "dropped"}, "_i", links),
            {{"passes_o", "passes"},
             {"arrived_o", "arrived"},
             {"data_o", "net_in_data", links},
             {"bad_o", "link_bad"}}}));
}

void SwitchEmitter::link_egress() {
  add("fred_link_egress", "u_link_egress",
      {{"Ports", ports_},
       {"LinkPorts", link_ports_},
       {"StepW", step_w_},
       {"Vcs", vcs_},
       {"Slots", slots_},
       {"Circuits", circuits_},
       {"Width", width_},
       {"Descriptors", descriptors_},
       {"DescW", desc_w_},
       {"TagW", tag_w_},
       {"Depth", egress_depth_}},
      join({pins({"vc_before", "bound", "enable", "out_mask", "vc"}, "_i"),
            {{"slots_i", "slot"}},
            egress_pins({ends_, design_.link_ports}),
            {{"valid_o", "out_valid"},
             {"ready_i", "out_ready"},
             {"data_o", "out_data"},
             {"keep_o", "out_keep"},
             {"last_o", "out_last"},
             {"slot_o", "out_slot"},
             {"dest_o", "out_dest"},
             {"user_o", "out_user"},
             {"slot_ready_i", "out_slot_ready"}}}));
}

void SwitchEmitter::leaving_wires() {
  const int bits = std::max(1, ceil_log2(design_.circuits()));
  module_.comment("What leaves over ports and links.");
  const Net valid = wire("leaving_valid", {1, design_.radix}), ready = wire("leaving_ready", {1, design_.radix});
  const Net tid = wire("leaving_id", {bits, design_.radix});
  const auto join_ports = [&](const Net& to, const std::string& own, const std::string& link) {
    for (int port = 0; port < design_.radix; ++port) {
      const verilog::Expr from = port < ends_ ? net(own).element(port) : net(link).element(port - ends_);
      const int missing = to.element(port).width() - from.width();
      module_.assign(to.element(port), missing > 0 ? verilog::concat({verilog::constant(missing, 0), from}) : from);
    }
  };
  join_ports(valid, "m_axis_tvalid", "out_valid");
  join_ports(ready, "m_axis_tready", "out_ready");
  join_ports(tid, "m_axis_tid", "out_slot");
}

}  // namespace fred
