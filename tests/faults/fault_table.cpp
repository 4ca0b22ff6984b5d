// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/fault_table.hpp"

namespace fred::test {

const std::vector<SeededFault>& seeded_faults() {
  static const std::vector<SeededFault> faults{
      // ---- Microswitches: what goes where. ----
      {"r_select_exchanged", "R hands on the other operand", "fred_uswitch_r.sv", "second_sel[k] ? second : first;",
       "second_sel[k] ? first : second;", "every_route"},
      {"r_operands_exchanged", "one R has its two ports exchanged; sums do not show it", "fred_net_p5_m3.sv",
       "in_data_i[2*DataW +: 2*DataW]", "{in_data_i[2*DataW +: DataW], in_data_i[3*DataW +: DataW]}", "every_route"},
      {"r_passes_second", "R hands on the second operand instead of the sum", "fred_uswitch_r.sv", "wants1 & ~wants0}",
       "wants1}", "allreduce_all"},
      {"r_reduces_lone", "R adds to a lone beat what stands at the other input", "fred_uswitch_r.sv", ".reduce_i(meet)",
       ".reduce_i(1'b1)", "broadcast_beside_others"},
      {"rd_select_exchanged", "RD hands on the other operand", "fred_uswitch_rd.sv", "second_sel[k] ? second : first;",
       "second_sel[k] ? first : second;", "every_route"},
      {"rd_passes_second", "RD hands on the second operand instead of the sum", "fred_uswitch_rd.sv",
       ".data_i(wants1 & ~wants0)", ".data_i(wants1)", "allreduce_all"},
      {"rd_mask_of_first", "RD loses a beat from its second input to its first output", "fred_uswitch_rd.sv",
       "wants0[0] ? mask0[SplitAt-1:0] : mask1[SplitAt-1:0]", "mask0[SplitAt-1:0]", "every_route"},
      {"d_halves_exchanged", "D has the halves of its mask exchanged", "fred_uswitch_d.sv",
       "SplitAt] = mask_i[k*MaskW +: SplitAt];\n"
       "    assign upper_mask[k*UpperW +: UpperW]   = mask_i[k*MaskW+SplitAt +: UpperW];",
       "SplitAt] = mask_i[k*MaskW+UpperW +: SplitAt];\n"
       "    assign upper_mask[k*UpperW +: UpperW]   = mask_i[k*MaskW +: UpperW];",
       "reduce_to_each_root"},
      {"d_select_ungated", "D takes the OR of its inputs, valid or not", "fred_odd_mux.sv",
       "(data_i[k*Width +: Width] & {Width{valid}})", "data_i[k*Width +: Width]", "broadcast_beside_others"},
      {"conflict_unseen", "RD does not report two flows that meet", "fred_uswitch_rd.sv", "meet && !same_mask", "1'b0",
       "conflict_reported"},

      // ---- Wiring. ----
      {"middle_inputs_exchanged", "two links into one middle subnetwork are exchanged", "fred_net_p5_m3.sv",
       "({demux_to_mid1_data, in1_to_mid1_data, in0_to_mid1_data})",
       "({demux_to_mid1_data, in0_to_mid1_data, in1_to_mid1_data})", "every_route"},
      {"middle_outputs_exchanged", "a D takes one middle's data for another's", "fred_net_p5_m3.sv",
       "({mid2_to_out1_data, mid1_to_out1_data, mid0_to_out1_data})",
       "({mid1_to_out1_data, mid2_to_out1_data, mid0_to_out1_data})", "every_route"},
      {"ports_exchanged_in_tree", "port 1 is wired to port 2's place in the tree; only the order of operands shows it",
       "fred_switch.sv",
       ".in_valid_i (net_in_valid),\n"
       "    .in_data_i  (net_in_data),\n"
       "    .in_mask_i  (net_in_mask),",
       ".in_valid_i ({net_in_valid[3], net_in_valid[1], net_in_valid[2], net_in_valid[0]}),\n"
       "    .in_data_i  ({net_in_data[96 +: 32], net_in_data[32 +: 32], net_in_data[64 +: 32], net_in_data[0 +: "
       "32]}),\n"
       "    .in_mask_i  ({net_in_mask[12 +: 4], net_in_mask[4 +: 4], net_in_mask[8 +: 4], net_in_mask[0 +: 4]}),",
       "float_order"},
      {"d_split_off_by_one", "a D of an inner level counts one port too few to its first output", "fred_net_p3_m3.sv",
       ".SplitAt   (2)", ".SplitAt   (1)", "reduce_to_each_root"},

      // ---- Stage delays. ----
      {"r_colour_late", "the inner colours come out of R a cycle late", "fred_uswitch_r.sv",
       "    assign colour_o[k*RestPortW +: RestPortW] = second_sel[k] ? second_rest : first_rest;",
       "    logic [RestPortW-1:0] late_rest;\n"
       "    always_ff @(posedge clk_i) late_rest <= second_sel[k] ? second_rest : first_rest;\n"
       "    assign colour_o[k*RestPortW +: RestPortW] = late_rest;",
       "alternating_routes"},
      {"r_operation_late", "the operation comes out of R a cycle late", "fred_uswitch_r.sv",
       "    assign op_o[k*2 +: 2]                     = second_sel[k] ? second_op : first_op;",
       "    logic [1:0] late_op;\n"
       "    always_ff @(posedge clk_i) late_op <= second_sel[k] ? second_op : first_op;\n"
       "    assign op_o[k*2 +: 2] = late_op;",
       "alternating_routes"},
      {"r_second_early", "the register of R's second operand is missing", "fred_merge.sv", ".Depth(Latency)",
       ".Depth(Latency - 1)", "every_route"},
      {"rd_select_late", "RD chooses its operand a cycle late", "fred_uswitch_rd.sv", ".Width(2),\n    .Depth(Latency)",
       ".Width(2),\n    .Depth(Latency + 1)", "alternating_routes"},
      {"demux_colour_late", "the inner colours come out of the demultiplexer a cycle late", "fred_odd_demux.sv",
       "  assign colour_o = {Middle{delayed_rest}};",
       "  logic [RestPortW-1:0] late_rest;\n"
       "  always_ff @(posedge clk_i) late_rest <= delayed_rest;\n"
       "  assign colour_o = {Middle{late_rest}};",
       "alternating_routes"},
      {"demux_stage_extra", "the odd port enters a cycle later than its neighbours", "fred_net_p5_m3.sv",
       ".Latency(AdderLatency),\n    .Check  (Check)\n  ) u_demux",
       ".Latency(AdderLatency + 1),\n    .Check(Check)\n  ) u_demux", "allreduce_all"},
      {"d_data_early", "the data register of D is missing", "fred_odd_mux.sv", ".Width(Width),\n    .Depth(Registered)",
       ".Width(Width),\n    .Depth(0)", "allreduce_all"},
      {"mux_stage_missing", "the odd port leaves a cycle before its neighbours", "fred_net_p5_m3.sv",
       ".Registered(Registered),\n    .Check     (Check)\n  ) u_mux", ".Registered(0),\n    .Check(Check)\n  ) u_mux",
       "allreduce_all"},
      {"side_early", "tlast, tkeep, tdest and tuser reach the egress a cycle before their data", "fred_launch.sv",
       ".Depth(Latency + 1)", ".Depth(Latency)", "latency_and_rate"},

      // ---- Numbers. ----
      {"int_min_unsigned", "minimum and maximum take the left operand for unsigned", "fred_int_add.sv",
       "{a[Width-1], a[Width-1:Low+Group]} + addend", "{1'b0, a[Width-1:Low+Group]} + addend", "int_operations"},
      {"int_pass_adds_carry", "the carry of the low part is added to what passes alone", "fred_int_add.sv",
       "low[Low] & ~pass", "low[Low]", "every_route"},
      {"int_carry_stopped", "the group of bits in the middle of an integer adder hands no carry on", "fred_int_add.sv",
       "own[Group] | (carry & (&(a_group ^ b_group)))", "own[Group]", "int_operations"},
      {"operation_of_first", "a beat that passes R from its second input takes the other's operation along",
       "fred_uswitch_r.sv", "second_sel[k] ? second_op : first_op", "first_op", "int_operations"},
      {"round_half_up", "ties are rounded up instead of to even", "fred_fp_add.sv",
       "normal[3] & (normal[4] | (|normal[2:0])) & ~overflow", "normal[3] & ~overflow", "float_sum"},
      {"sticky_lost", "bits that leave on the right are forgotten", "fred_shift_sticky.sv", "|in[Distance:0]",
       "in[Distance]", "float_sum"},
      {"subnormal_weight", "a subnormal counts as half of what it is", "fred_fp_pick.sv", "a_exp[0] | ~a_normal",
       "a_exp[0]", "float_specials"},
      {"min_of_zeros", "of +0 and -0 the left one is the minimum", "fred_fp_pick.sv", ": ~sum_i & ~(a_sign ^ max_i)",
       ": 1'b0", "float_specials"},
      {"nan_missed", "a NaN as right operand is taken for a large number", "fred_fp_pick.sv",
       "(a_top & |a_man) | (b_top & |b_man)", "(a_top & |a_man)", "float_specials"},
      {"lone_nan_changed", "a NaN that nothing is added to loses its bits", "fred_fp_pick.sv", "nan = ~pass_i & (",
       "nan = (", "float_lone_operand"},

      // ---- Launch: masks, colours, steps. ----
      {"deliver_mask_off_by_one", "beats are delivered one port too high", "fred_launch.sv",
       "<= launch_mask_i[p*P +: P];", "<= {launch_mask_i[p*P +: P-1], launch_mask_i[p*P+P-1]};", "reduce_to_each_root"},
      {"send_destination_off_by_one", "sends and all-to-all go one port too high", "fred_port_launch.sv",
       "? own_dest_o :", "? {own_dest_o[Ports-2:0], own_dest_o[Ports-1]} :", "contended_send"},
      {"table_colours_unused", "all-to-all goes by the colours of a tree", "fred_launch.sv",
       "launch_route_i[p*RouteW +: RouteW] : route", "route : route", "alltoall_skewed"},
      {"step_not_counted", "the step number stays 0", "fred_descriptor.sv", "last_step ? '0 : step_q + PortW'(1)",
       "last_step ? '0 : step_q", "every_kind"},
      {"cursor_stuck", "every step is the first member's", "fred_descriptor.sv", ".start_i(above)", ".start_i('0)",
       "every_kind"},
      {"cursor_walks_inputs", "scatters go by the sending ports", "fred_descriptor.sv",
       "deliver_cursor ? out_mask_i : in_mask_i", "in_mask_i", "flows"},
      {"step_ends_with_packet", "every packet ends its step", "fred_descriptor.sv", ": common[CountW];",
       ": common[CountW+1];", "every_kind"},
      {"alltoall_ends_early", "an all-to-all goes on when the first source has ended a step", "fred_descriptor.sv",
       "(ends & in_mask_i) == in_mask_i", "|(ends & in_mask_i)", "alltoall_skewed"},
      {"alltoall_does_not_wait", "a source of an all-to-all that has ended its step goes on in it",
       "fred_descriptor.sv", "table_ok_i & ~ended_i", "table_ok_i", "alltoall_skewed"},
      {"alltoall_does_not_wrap", "the second all-to-all goes on behind the table's last step", "fred_descriptor.sv",
       "(ahead_q == final_q) ? '0 : ahead_q + PortW'(1)", "ahead_q + PortW'(1)", "one_after_another"},

      // ---- Contention. ----
      {"packet_lock_missing", "packets of two descriptors interleave at an egress port", "fred_egress_locks.sv",
       "~((|(tree & last_i)) | (|(own & ends_i)))", "1'b0", "two_roots"},
      {"send_lock_missing", "packets of two sources interleave at an egress port", "fred_egress_locks.sv",
       "(|(own & ends_i))", "(|own)", "contended_send"},
      {"arbiter_ignores_clash", "descriptors whose routes meet are launched together", "fred_arbiter.sv",
       "candidate_i[i] & ~|(candidate_i & rivals)", "candidate_i[i]", "two_roots"},
      {"arbiter_forgets_choice", "the lower number always goes first", "fred_arbiter.sv", "chosen_q    <= chosen;",
       "chosen_q    <= '0;", "fair_share"},
      {"packet_open_forgotten", "a descriptor does not know its own open packet", "fred_descriptor.sv",
       "in_packet_q <= ~last_o", "in_packet_q <= 1'b0", "allreduce_all"},
      {"next_epoch_not_compared", "a beat that becomes the head is taken for one of its descriptor's epoch",
       "fred_ingress.sv", "load ? next_table_epoch == next_epoch : ", "load | ", "other_epochs"},
      {"arbiter_stands_still", "the favourite does not move on", "fred_arbiter.sv", "favourite_q <= next_in_circle",
       "favourite_q <= favourite_q", "fair_share"},
      {"source_starves", "the lowest source of a send always goes first", "fred_descriptor.sv", ".start_i(~served_q)",
       ".start_i('0)", "fair_sources"},
      {"compatible_if_one_says_so", "compatibility need not be mutual", "fred_descriptor_table.sv",
       "compat_o[d*D + j] & compat_o", "compat_o[d*D + j] | compat_o", "one_sided_compatibility"},

      // ---- Buffers. ----
      {"credit_lost", "a full egress buffer loses a place with every beat that leaves", "fred_egress.sv",
       "free_q + FillW'(leave)", "free_q + FillW'(leave && free_q != '0)", "stalled_sinks"},
      {"place_not_freed", "a place is not freed in a cycle that takes one", "fred_egress.sv", "free_q + FillW'(leave)",
       "free_q + FillW'(leave && !take_i)", "latency_and_rate"},
      {"place_freed_twice", "a place is freed twice in a cycle that takes one", "fred_egress.sv",
       "free_q + FillW'(leave)", "free_q + FillW'(leave) + FillW'(leave && take_i)", "stalled_sinks"},
      {"space_late", "a full egress buffer says so a cycle late", "fred_egress.sv",
       "space_o <= take_i ? taken != '0 : kept != '0", "space_o <= free_q != '0", "stalled_sinks"},
      {"egress_beat_lost", "a beat that arrives while a stored one leaves is lost", "fred_egress.sv",
       "net_valid_i & ~(leave & ~stored)", "net_valid_i & ~leave", "stalled_sinks"},
      {"valid_falls", "an offered beat is taken back where vc_ready falls", "fred_egress.sv",
       "(holding_q | vc_ready_q)", "vc_ready_q", "vc_ready"},
      {"vc_ready_ignored", "beats are offered without vc_ready", "fred_egress.sv", "(holding_q | vc_ready_q)",
       "(holding_q | 1'b1)", "vc_ready"},
      {"ingress_beat_lost", "a full ingress buffer accepts one more beat", "fred_ingress.sv",
       "ready_q <= fill_d != FillW'(Depth)", "ready_q <= fill_q != FillW'(Depth)", "stalled_sinks"},
      {"room_overpromised", "s_axis_vc_ready promises a place that may be gone", "fred_ingress.sv",
       "< FillW'(Depth - 1)", "< FillW'(Depth)", "vc_ready"},
      {"keep_off_by_one", "tkeep names one byte too many", "fred_egress.sv", "side[CountW-1:0] > CountW'(i)",
       "side[CountW-1:0] + CountW'(1) > CountW'(i)", "any_bytes"},
      {"beats_survive_reset", "reset does not clear the valid bits of the network", "fred_delay_rst.sv",
       "if (!rst_ni) data_q <= '0;\n      else         data_q <= data_i;", "data_q <= data_i;", "reset_in_traffic"},

      // ---- Misuse. ----
      {"epoch_unchecked", "beats of every epoch are launched", "fred_ingress.sv",
       "head_valid_o & known_q & ~same_epoch_q", "1'b0 & known_q & ~same_epoch_q", "other_epochs"},
      {"epoch_of_three_bits", "epochs that differ by 8 are taken for one", "fred_ingress.sv",
       "next_table_epoch == next_epoch", "next_table_epoch[2:0] == next_epoch[2:0]", "other_epochs"},
      {"last_unchecked", "operands may differ in tlast", "fred_agree.sv", "differ_o = |split",
       "differ_o = |split[Width-2:0]", "unequal_operands"},
      {"count_unchecked", "operands may differ in their byte count", "fred_agree.sv", "differ_o = |split",
       "differ_o = |split[Width-1 -: 2]", "unequal_operands"},
      {"cut_element_added", "a cut element is added", "fred_descriptor.sv",
       "reduces & members_q & |common[$clog2(ElemBytes)-1:0]", "1'b0", "unequal_operands"},
      {"send_to_stranger", "a send may go to any port", "fred_descriptor.sv", "in_mask_i & send_ok_i & dest_member_i",
       "in_mask_i & send_ok_i", "strangers"},
      {"false_compatibility_enabled", "only inputs that meet keep a pair from being enabled", "fred_enable_check.sv",
       "(mutual & (in_meets | out_meets))", "(mutual & in_meets)", "false_compatibility"},
      {"enabled_too_early", "a descriptor starts before its all-to-all table is read", "fred_descriptor.sv",
       "running = enable_i & ready_q", "running = enable_i", "early_beats"},
      {"disabled_while_busy", "a descriptor can be disabled between its steps", "fred_registers.sv",
       "row_enable | enable_ok : ~|(busy_i & select)", "row_enable | enable_ok : 1'b1", "busy_descriptor"}};
  return faults;
}

}  // namespace fred::test
