// SPDX-License-Identifier: Apache-2.0
// The egress buffers of all link ports, one a slot. Vectors are flat: link port i has bits [i*N +: N], of those to the
// control unit its slot s [(i*C + s)*N +: N].
//
// The counterpart of fred_egress_bank. tdest is the descriptor in the next switch.
`default_nettype none

module fred_link_egress #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int LinkPorts   = 1,                    // L, link ports
  parameter int StepW       = 3,                    // bits of a step
  parameter int Vcs         = 1,                    // V, virtual circuits
  parameter int Slots       = 1,                    // S, slots of a link port
  parameter int Circuits    = Slots,                // C, circuits of any port, S or more; those beyond S are not there
  parameter int Width       = 32,                   // W, bits of tdata
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int DescW       = 3,                    // bits of a descriptor index
  parameter int TagW        = 3,                    // bits of tdest
  parameter int Depth       = 9,                    // beats of a slot
  localparam int SlotW      = Slots > 1 ? $clog2(Slots) : 1,
  localparam int CircuitW   = Circuits > 1 ? $clog2(Circuits) : 1,
  localparam int Bytes      = Width / 8,
  localparam int CountW     = $clog2(Bytes + 1),
  localparam int UserW      = 6 + StepW,
  localparam int OutW       = TagW + CircuitW + DescW + UserW + 1 + CountW
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [Vcs*Vcs-1:0]                     vc_before_i,
  input  wire logic [15:0]                            bound_i,
  // Descriptor table.
  input  wire logic [Descriptors-1:0]                 enable_i,
  input  wire logic [Descriptors*Ports-1:0]           out_mask_i,
  input  wire logic [Descriptors*Vcs-1:0]             vc_i,
  input  wire logic [Descriptors*LinkPorts*Slots-1:0] slots_i,     // one-hot, of descriptor d at link port i
  // As in fred_egress_bank.
  input  wire logic [LinkPorts*Circuits-1:0]          take_i,
  output logic      [LinkPorts*Circuits-1:0]          space_o,
  input  wire logic [Descriptors-1:0]                 close_i,
  output logic      [LinkPorts*Circuits-1:0]          closed_o,
  output logic      [LinkPorts*Circuits*DescW-1:0]    owner_o,
  input  wire logic [LinkPorts-1:0]                   net_valid_i,
  input  wire logic [LinkPorts*Width-1:0]             net_data_i,
  input  wire logic [LinkPorts*OutW-1:0]              net_side_i,  // {tag, circuit, descriptor, tuser, tlast, byte count}
  input  wire logic                                   net_error_i,
  // To the links (fred_link).
  output logic      [LinkPorts-1:0]                   valid_o,
  input  wire logic [LinkPorts-1:0]                   ready_i,
  output logic      [LinkPorts*Width-1:0]             data_o,
  output logic      [LinkPorts*Bytes-1:0]             keep_o,
  output logic      [LinkPorts-1:0]                   last_o,
  output logic      [LinkPorts*SlotW-1:0]             slot_o,
  output logic      [LinkPorts*TagW-1:0]              dest_o,
  output logic      [LinkPorts*UserW-1:0]             user_o,
  input  wire logic [LinkPorts*Slots-1:0]             slot_ready_i
);

  localparam int D = Descriptors, L = LinkPorts, S = Slots, C = Circuits;
  localparam int BaseW = UserW + 1 + CountW;        // {tuser, tlast, byte count}

  for (genvar i = 0; i < L; i++) begin : g_link
    localparam int Port = Ports - L + i;
    logic [D-1:0]    uses;
    logic [D*S-1:0]  slots;
    logic [S*S-1:0]  slot_before;
    logic [OutW-1:0] side;
    for (genvar d = 0; d < D; d++) begin : g_uses
      assign uses[d]         = enable_i[d] & out_mask_i[d*Ports + Port];
      assign slots[d*S +: S] = slots_i[(d*L + i)*S +: S];
    end
    fred_slot_order #(.Slots(S), .Vcs(Vcs), .Descriptors(D)) u_order (
      .clk_i       (clk_i),
      .uses_i      (uses),
      .slot_i      (slots),
      .vc_i        (vc_i),
      .vc_before_i (vc_before_i),
      .before_o    (slot_before)
    );
    logic            unused_side;                   // a slot's number has fewer bits
    assign side        = net_side_i[i*OutW +: OutW];
    assign unused_side = ^side;
    fred_egress #(
      .Vcs(S), .Circuits(C), .Width(Width), .StepW(StepW), .Descriptors(D), .DescW(DescW), .DestW(TagW),
      .Depth(Depth)
    ) u_egress (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .vc_before_i     (slot_before),
      .bound_i         (bound_i),
      .take_i          (take_i[i*C +: S]),
      .space_o         (space_o[i*C +: C]),
      .close_i         (close_i),
      .closed_o        (closed_o[i*C +: C]),
      .owner_o         (owner_o[i*C*DescW +: C*DescW]),
      .net_valid_i     (net_valid_i[i]),
      .net_vc_i        (side[BaseW+DescW +: SlotW]),
      .net_desc_i      (side[BaseW +: DescW]),
      .net_data_i      (net_data_i[i*Width +: Width]),
      .net_side_i      ({side[OutW-1 -: TagW], side[BaseW-1:0]}),
      .net_error_i     (net_error_i),
      .m_axis_tvalid   (valid_o[i]),
      .m_axis_tready   (ready_i[i]),
      .m_axis_tdata    (data_o[i*Width +: Width]),
      .m_axis_tkeep    (keep_o[i*Bytes +: Bytes]),
      .m_axis_tlast    (last_o[i]),
      .m_axis_tid      (slot_o[i*SlotW +: SlotW]),
      .m_axis_tdest    (dest_o[i*TagW +: TagW]),
      .m_axis_tuser    (user_o[i*UserW +: UserW]),
      .m_axis_vc_ready (slot_ready_i[i*S +: S])
    );
    if (C > S) begin : g_no_circuits
      logic unused_beats;                           // there are none
      assign unused_beats = ^take_i[i*C + S +: C - S];
    end
  end

endmodule

`default_nettype wire
