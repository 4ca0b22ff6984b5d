// SPDX-License-Identifier: Apache-2.0
// The ingress buffers of all link ports, a queue of Depth beats a slot. Vectors are flat: link port i has bits
// [i*N +: N], of the heads its slot s [(i*C + s)*N +: N].
//
// The counterpart of fred_ingress_bank. Beats are taken at once: the link's credits have kept a place for each.
`default_nettype none

module fred_link_ingress #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int LinkPorts   = 1,                    // L, link ports
  parameter int StepW       = 3,                    // bits of a step
  parameter int Slots       = 1,                    // S, slots of a link port
  parameter int Circuits    = Slots,                // C, circuits of any port, S or more; those beyond S have no beats
  parameter int Width       = 32,                   // W, bits of tdata
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int DescW       = 3,                    // bits of a descriptor index
  parameter int TagW        = 3,                    // bits of tdest, DescW or more
  parameter int Depth       = 64,                   // beats of a slot
  localparam int SlotW      = Slots > 1 ? $clog2(Slots) : 1,
  localparam int Bytes      = Width / 8,
  localparam int CountW     = $clog2(Bytes + 1),
  localparam int UserW      = 6 + StepW
) (
  input  wire logic                                      clk_i,
  input  wire logic                                      rst_ni,
  // From the links (fred_link), tuser as at m_axis of a switch.
  input  wire logic [LinkPorts-1:0]                      valid_i,
  input  wire logic [LinkPorts*Width-1:0]                data_i,
  input  wire logic [LinkPorts*Bytes-1:0]                keep_i,
  input  wire logic [LinkPorts-1:0]                      last_i,
  input  wire logic [LinkPorts*SlotW-1:0]                slot_i,
  input  wire logic [LinkPorts*TagW-1:0]                 dest_i,
  input  wire logic [LinkPorts*UserW-1:0]                user_i,
  input  wire logic [LinkPorts-1:0]                      lost_i,       // what was under way is lost
  input  wire logic [LinkPorts-1:0]                      flows_i,      // low from then on until what is new comes
  output logic      [LinkPorts*Slots-1:0]                free_o,       // a place is free again
  // Descriptor table.
  input  wire logic [Descriptors-1:0]                    enable_i,
  input  wire logic [Descriptors-1:0]                    run_i,        // enabled, and neither stopped nor spoiled
  input  wire logic [Descriptors*4-1:0]                  epoch_i,
  input  wire logic [Descriptors*Ports-1:0]              in_mask_i,
  input  wire logic [Descriptors*Ports-1:0]              out_mask_i,
  input  wire logic [Descriptors*LinkPorts*Slots-1:0]    slots_i,      // one-hot, of descriptor d at link port i
  input  wire logic [Descriptors*LinkPorts-1:0]          pass_i,       // its step is the one that has come along
  // Heads, as in fred_ingress.
  output logic      [LinkPorts*Circuits-1:0]             head_valid_o,
  output logic      [LinkPorts*Circuits-1:0]             head_usable_o,
  output logic      [LinkPorts*Circuits*Descriptors-1:0] head_desc_o,
  output logic      [LinkPorts*Circuits*DescW-1:0]       head_index_o,
  output logic      [LinkPorts*Circuits-1:0]             head_last_o,
  output logic      [LinkPorts*Circuits-1:0]             head_step_end_o,
  output logic      [LinkPorts*Circuits*CountW-1:0]      head_count_o,
  output logic      [LinkPorts*Circuits*Ports-1:0]       head_dest_o,
  output logic      [LinkPorts*Circuits-1:0]             head_member_o,
  output logic      [LinkPorts*Circuits-1:0]             head_stale_o,
  output logic      [LinkPorts*Circuits-1:0]             head_unknown_o,
  output logic      [LinkPorts*Circuits-1:0]             head_framing_o,
  output logic      [LinkPorts*Circuits-1:0]             head_vc_o,
  input  wire logic [LinkPorts*Circuits-1:0]             pop_i,
  // The launched beats: circuit, descriptor; with them the step that one has brought along, and whether it counts.
  input  wire logic [LinkPorts*Circuits-1:0]             launched_i,
  input  wire logic [LinkPorts*Descriptors-1:0]          launch_desc_i,
  input  wire logic [LinkPorts*Circuits-1:0]             dropped_i,
  output logic      [LinkPorts-1:0]                      passes_o,
  output logic      [LinkPorts*StepW-1:0]                arrived_o,
  output logic      [LinkPorts*Width-1:0]                data_o,
  // Descriptors of which something is lost: an error beat is at a head, or the link has lost what was under way.
  output logic      [Descriptors-1:0]                    bad_o
);

  localparam int D = Descriptors, L = LinkPorts, S = Slots, C = Circuits;

  logic [D*(4+Ports)-1:0] rows;
  for (genvar d = 0; d < D; d++) begin : g_row
    assign rows[d*(4+Ports) +: 4+Ports] = {epoch_i[d*4 +: 4], out_mask_i[d*Ports +: Ports]};
  end
  logic news;
  fred_run_news #(.Descriptors(D)) u_news (
    .clk_i(clk_i), .rst_ni(rst_ni), .enable_i(enable_i), .run_i(run_i), .news_o(news)
  );

  logic [L*D-1:0] bad;
  for (genvar i = 0; i < L; i++) begin : g_link
    localparam int Port = Ports - L + i;
    logic [D*S-1:0]     mine;
    logic [D-1:0]       passes, crosses, failed;
    logic [C*TagW-1:0]  index;
    logic [C*StepW-1:0] step, step_q;
    logic [C-1:0]       errors;
    logic               unused_ready, unused_tags;  // a descriptor's number here may have fewer bits
    logic [S-1:0]       unused_vc_ready;
    for (genvar d = 0; d < D; d++) begin : g_mine
      assign mine[d*S +: S] = slots_i[(d*L + i)*S +: S];
      assign passes[d]      = pass_i[d*L + i];
      assign crosses[d]     = in_mask_i[d*Ports + Port] | out_mask_i[d*Ports + Port];
    end
    fred_ingress #(
      .Ports(Ports), .Vcs(S), .Circuits(C), .Width(Width), .Descriptors(D), .Depth(Depth), .PortW(StepW),
      .DescW(TagW), .Linked(1)
    ) u_ingress (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .s_axis_tvalid   (valid_i[i]),
      .s_axis_tready   (unused_ready),
      .s_axis_tdata    (data_i[i*Width +: Width]),
      .s_axis_tkeep    (keep_i[i*Bytes +: Bytes]),
      .s_axis_tlast    (last_i[i]),
      .s_axis_tid      (slot_i[i*SlotW +: SlotW]),
      .s_axis_tdest    (dest_i[i*TagW +: TagW]),
      .s_axis_tuser    (user_i[i*UserW +: UserW]),
      .s_axis_vc_ready (unused_vc_ready),
      .cut_i           (~flows_i[i]),
      .news_i          (news),
      .enable_i        (enable_i),
      .run_i           (run_i),
      .rows_i          (rows),
      .vc_i            (mine),
      .head_valid_o    (head_valid_o[i*C +: C]),
      .head_usable_o   (head_usable_o[i*C +: C]),
      .head_desc_o     (head_desc_o[i*C*D +: C*D]),
      .head_index_o    (index),
      .head_last_o     (head_last_o[i*C +: C]),
      .head_step_end_o (head_step_end_o[i*C +: C]),
      .head_count_o    (head_count_o[i*C*CountW +: C*CountW]),
      .head_dest_o     (head_dest_o[i*C*Ports +: C*Ports]),
      .head_port_o     (step),
      .head_member_o   (head_member_o[i*C +: C]),
      .head_stale_o    (head_stale_o[i*C +: C]),
      .head_unknown_o  (head_unknown_o[i*C +: C]),
      .head_framing_o  (head_framing_o[i*C +: C]),
      .head_error_o    (errors),
      .head_vc_o       (head_vc_o[i*C +: C]),
      .pop_i           (pop_i[i*C +: S]),
      .launched_i      (launched_i[i*C +: S]),
      .dropped_i       (dropped_i[i*C +: S]),
      .data_o          (data_o[i*Width +: Width])
    );
    for (genvar s = 0; s < C; s++) begin : g_index
      assign head_index_o[(i*C + s)*DescW +: DescW] = index[s*TagW +: DescW];
    end
    assign unused_tags      = ^index;
    assign free_o[i*S +: S] = launched_i[i*C +: S] | dropped_i[i*C +: S];

    // ---- The launched beat's step. ----
    always_ff @(posedge clk_i) step_q <= step;
    fred_select #(.Width(StepW), .Count(C)) u_step (
      .select_i(launched_i[i*C +: C]), .data_i(step_q), .data_o(arrived_o[i*StepW +: StepW])
    );
    assign passes_o[i] = |(launch_desc_i[i*D +: D] & passes);

    // ---- What is lost. ----
    fred_select #(.Width(D), .Count(C)) u_failed (
      .select_i(errors), .data_i(head_desc_o[i*C*D +: C*D]), .data_o(failed)
    );
    assign bad[i*D +: D] = failed | (crosses & enable_i & {D{lost_i[i]}});

    if (C > S) begin : g_no_circuits
      localparam int N = C - S, At = i * C + S;
      logic unused_beats;                           // there are none
      assign unused_beats = ^{pop_i[At +: N], dropped_i[At +: N]};
    end
  end
  fred_select #(.Width(D), .Count(L)) u_bad (.select_i({L{1'b1}}), .data_i(bad), .data_o(bad_o));

endmodule

`default_nettype wire
