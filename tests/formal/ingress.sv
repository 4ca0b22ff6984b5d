// SPDX-License-Identifier: Apache-2.0
// Ingress buffers of one port (fred_ingress), two virtual circuits.
//
// Proved:
//   places_*     no circuit holds more beats than it has places; a beat is accepted only into a free place
//   promise_*    Honours = 1: whatever the source offers is accepted in the same cycle, so no circuit waits for another;
//                Honours = 0: a beat first offered after a cycle with vc_ready of its circuit waits for the other circuit
//                at most, and only while that one is full
//   delivered_*  what is accepted in a circuit is at its head once, in order, unchanged, and its data come out two cycles
//                after the launch (an arbitrary beat is followed). A beat that changes its descriptor, epoch or destination
//                within a packet is not usable and shows those of the beat before it
//   error_*      Linked = 1: a beat with the error bit is never usable; it is reported where its descriptor runs in its
//                circuit and epoch and it breaks no framing rule, and no other is. The first beat of a circuit after a cut begins a
//                packet (delivered_head)
// Assumed: AXI4-Stream (what is offered stays until accepted; Honours = 1: a beat is first offered after a cycle with
// vc_ready of its circuit); the control pops only valid heads, launches at most one in a cycle, and says so in the next
// (fred_port_launch). Tables are arbitrary and steady. Linked = 1, behind a link: a beat comes only where its circuit has
// a place (credit.sv), and is accepted in any case; a cut comes at any time.
`default_nettype none

module ingress #(
  parameter int Depth   = 4,
  parameter int Honours = 1,
  parameter int Linked  = 0
) (
  input wire logic clk
);

  localparam int V = 2, P = 2, D = 2, N = $clog2(Depth + 1), W = 8 + 1 + 1 + 1 + 6;
  logic up_q = 1'b0;
  always_ff @(posedge clk) up_q <= 1'b1;
  (* anyseq *) logic         valid, tid;
  (* anyseq *) logic [W-1:0] beat;                  // {data, keep, last, desc, user}
  (* anyseq *) logic [V-1:0] pop, drop;
  (* anyseq *) logic         error, cut;            // of the beat; what was under way is lost
  (* anyconst *) logic [D-1:0]   enable;
  (* anyconst *) logic [D*4-1:0] epoch;
  (* anyconst *) logic [D*P-1:0] out_mask;
  (* anyconst *) logic [D-1:0]   second;
  logic               ready;
  logic [V-1:0]       vc_ready, head_valid, head_usable, head_last, head_end, head_count, head_index, launched_q, dropped_q;
  logic [V*P-1:0]     head_dest;
  logic [V-1:0]       head_error, head_framing;
  logic [7:0]         data;
  localparam int UserW = Linked != 0 ? 7 : 6;
  logic [UserW-1:0]   user;
  if (Linked != 0) begin : g_linked
    assign user = {beat[5], error, beat[4:0]};
  end else begin : g_own
    assign user = beat[5:0];
  end
  fred_ingress #(.Ports(P), .Vcs(V), .Width(8), .Descriptors(D), .Depth(Depth), .PortW(1), .DescW(1), .Linked(Linked)) dut (
    .clk_i (clk), .rst_ni (up_q), .s_axis_tvalid (valid), .s_axis_tready (ready), .s_axis_tdata (beat[W-1 -: 8]),
    .s_axis_tkeep (beat[8]), .s_axis_tlast (beat[7]), .s_axis_tid (tid), .s_axis_tdest (beat[6]),
    .s_axis_tuser (user), .s_axis_vc_ready (vc_ready), .cut_i (cut),
    .news_i (1'b0), .enable_i (enable), .run_i (enable),
    .rows_i ({epoch[7:4], out_mask[3:2], epoch[3:0], out_mask[1:0]}),
    .vc_i ({second[1], ~second[1], second[0], ~second[0]}),
    .head_valid_o (head_valid), .head_usable_o (head_usable), .head_desc_o (), .head_index_o (head_index), .head_last_o (head_last),
    .head_step_end_o (head_end), .head_count_o (head_count), .head_dest_o (head_dest), .head_port_o (), .head_member_o (),
    .head_stale_o (), .head_unknown_o (), .head_framing_o (head_framing), .head_error_o (head_error), .head_vc_o (),
    .pop_i (pop), .launched_i (launched_q), .dropped_i (dropped_q), .data_o (data)
  );
  (* hierconn *) wire [N-1:0] \dut.g_vc[0].u_vc.fill_q , \dut.g_vc[1].u_vc.fill_q ;
  (* hierconn *) wire [N-1:0] \dut.g_vc[0].u_vc.waiting_q , \dut.g_vc[1].u_vc.waiting_q ;
  (* hierconn *) wire         \dut.ready_q ;

  // ---- The source and the control. ----
  logic         held_q, tid_q;
  logic [W-1:0] beat_q;
  logic [V-1:0] vc_ready_q, accepts;
  assign accepts = {valid & ready & tid, valid & ready & ~tid};
  always_ff @(posedge clk) begin
    held_q     <= up_q & valid & ~ready;
    tid_q      <= tid;
    beat_q     <= beat;
    vc_ready_q <= up_q ? vc_ready : '0;
    launched_q <= up_q ? pop & ~drop : '0;
    dropped_q  <= up_q ? pop & drop : '0;
  end
  always_comb begin
    assume (!held_q || (valid && tid == tid_q && beat == beat_q));
    if (Linked != 0) assume (!valid || !full[tid]);
    else if (Honours != 0) assume (!valid || held_q || vc_ready_q[tid]);
    assume ((pop & ~head_valid) == '0);
    assume ((pop & ~drop) != 2'b11);
  end

  // ---- Counts, and an arbitrary beat. ----
  logic [V*N-1:0] here_q, held_places_q;            // accepted and not popped; accepted and not read
  logic [V-1:0]   full, room_ok, count_ok, fill_ok, let_ok;
  for (genvar v = 0; v < V; v++) begin : g_vc
    logic [N-1:0] fill, waiting;
    assign fill        = v == 0 ? \dut.g_vc[0].u_vc.fill_q : \dut.g_vc[1].u_vc.fill_q ;
    assign waiting     = v == 0 ? \dut.g_vc[0].u_vc.waiting_q : \dut.g_vc[1].u_vc.waiting_q ;
    assign full[v]     = held_places_q[v*N +: N] == N'(Depth);
    assign room_ok[v]  = !accepts[v] || !full[v];
    assign count_ok[v] = held_places_q[v*N +: N] <= N'(Depth) && here_q[v*N +: N] <= held_places_q[v*N +: N] &&
                         (!head_valid[v] || here_q[v*N +: N] != '0);
    assign fill_ok[v]  = fill == held_places_q[v*N +: N] &&
                         held_places_q[v*N +: N] == here_q[v*N +: N] + N'(launched_q[v] | dropped_q[v]) &&
                         here_q[v*N +: N] == waiting + N'(head_valid[v]) && (Linked != 0 || !\dut.ready_q || !full[v]) &&
                         !(launched_q[v] && dropped_q[v]);
    assign let_ok[v]   = !full[v] && (!vc_ready_q[v] || held_places_q[v*N +: N] < N'(Depth - 1));
    always_ff @(posedge clk) begin
      here_q[v*N +: N]        <= !up_q ? '0 : here_q[v*N +: N] + N'(accepts[v]) - N'(pop[v]);
      held_places_q[v*N +: N] <= !up_q ? '0 : held_places_q[v*N +: N] + N'(accepts[v]) - N'(launched_q[v] | dropped_q[v]);
    end
  end
  (* anyconst *) logic c;
  (* anyseq *) logic   mark;
  logic         tagged_q, out1_q, out2_q;           // the beat was launched one, two cycles ago
  logic [N-1:0] ahead_q;
  logic [W-1:0] tag_q;
  logic         tag_error_q, tag_begins_q, cut_q;   // it is the first of the circuit since a cut, or since reset
  logic [7:0]   out1_data_q, out2_data_q;
  logic         taken;
  assign taken = tagged_q & pop[c] & (ahead_q == '0);
  always_ff @(posedge clk) begin
    if (!up_q) tagged_q <= 1'b0;
    else if (tagged_q) begin
      if (pop[c]) begin
        tagged_q <= ahead_q != '0;
        ahead_q  <= ahead_q - N'(1);
      end
    end else if (accepts[c] && mark) begin
      tagged_q <= 1'b1;
      ahead_q  <= here_q[c*N +: N] - N'(pop[c]);
      tag_q    <= beat;
      tag_error_q  <= Linked != 0 && error;
      tag_begins_q <= Linked != 0 && cut_q;
    end
    cut_q       <= up_q & (cut | (cut_q & ~accepts[c]));
    out1_q      <= up_q & taken & ~drop[c];
    out2_q      <= up_q & out1_q;
    out1_data_q <= tag_q[W-1 -: 8];
    out2_data_q <= out1_data_q;
  end
  // ---- What the head before it showed: {last, descriptor, destination, epoch}. ----
  (* hierconn *) wire [3:0] \dut.g_vc[0].u_vc.epoch_q , \dut.g_vc[1].u_vc.epoch_q ;
  logic [3:0] epoch_c, before_epoch_q;
  logic       before_last_q, before_index_q, changed;
  logic [1:0] before_dest_q, dest_c;
  assign epoch_c = c ? \dut.g_vc[1].u_vc.epoch_q : \dut.g_vc[0].u_vc.epoch_q ;
  assign dest_c  = tag_q[5] ? 2'b10 : 2'b01;
  assign changed = !before_last_q && !tag_begins_q && {tag_q[6], dest_c, tag_q[4:1]} != {before_index_q, before_dest_q, before_epoch_q};
  always_ff @(posedge clk) begin
    if (!up_q) before_last_q <= 1'b1;
    else if (pop[c]) begin
      before_last_q  <= head_last[c];
      before_index_q <= head_index[c];
      before_dest_q  <= head_dest[c*P +: P];
      before_epoch_q <= epoch_c;
    end
  end
  logic runs;                                       // the head's descriptor does, in its circuit and epoch
  assign runs = head_index[c] ? enable[1] && second[1] == c && epoch[7:4] == epoch_c
                              : enable[0] && second[0] == c && epoch[3:0] == epoch_c;
  always_comb begin
    if (up_q) begin
      places_room    : assert (&room_ok);
      places_count   : assert (&count_ok);
      inv_fill       : assert (&fill_ok);
      if (Honours != 0 && Linked == 0) inv_room : assert ((&let_ok) && !held_q && (\dut.ready_q || vc_ready_q == '0));
      promise_kept   : assert (Honours != 0 ? !valid || ready
                                            : !(valid && !held_q && vc_ready_q[tid]) || ready || full[~tid]);
      delivered_head : assert (!taken || (head_last[c] == tag_q[7] && head_count[c] == tag_q[8] &&
                                          head_end[c] == tag_q[0] &&
                                          (changed ? !head_usable[c] && head_index[c] == before_index_q &&
                                                     head_dest[c*P +: P] == before_dest_q
                                                   : head_index[c] == tag_q[6] && head_dest[c*P +: P] == dest_c)));
      delivered_data : assert (!out2_q || data == out2_data_q);
      error_unusable : assert (!taken || !tag_error_q || !head_usable[c]);
      error_reported : assert (!taken || head_error[c] == (tag_error_q && runs && !head_framing[c]));
    end
  end

endmodule

`default_nettype wire
