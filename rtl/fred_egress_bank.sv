// SPDX-License-Identifier: Apache-2.0
// The egress buffers of all ports but link ports: of the first Ends ports. Vectors are flat: port q has bits [q*N +: N],
// of those to the control unit its circuit v [(q*C + v)*N +: N].
`default_nettype none

module fred_egress_bank #(
  parameter int Ends   = 8,                         // ports
  parameter int StepW  = 3,                         // bits of a port number or step
  parameter int Vcs    = 1,                         // V, virtual circuits of a port
  parameter int Circuits = Vcs,                     // C, circuits of any port, V or more; those beyond V are not there
  parameter int TagW   = 0,                         // bits of a link port's tdest; 0: there is none
  parameter int Width  = 32,                        // W, bits of a port's tdata
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int DescW  = 3,                         // bits of tdest
  parameter int Depth  = 9,                         // beats a buffer of one circuit holds
  parameter int Packets = 0,                        // 1: whole packets only
  localparam int VcW   = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int Bytes = Width / 8,
  localparam int UserW = 6 + StepW,
  localparam int CircuitW = Circuits > 1 ? $clog2(Circuits) : 1,
  localparam int SideW = $clog2(Bytes + 1) + 1 + UserW + DescW, // {descriptor, tuser, tlast, byte count}
  localparam int OutW  = TagW + CircuitW + SideW
) (
  input  wire logic                                  clk_i,
  input  wire logic                                  rst_ni,
  input  wire logic [Vcs*Vcs-1:0]                    vc_before_i,
  input  wire logic [15:0]                           bound_i,
  input  wire logic [Ends*Circuits-1:0]              take_i,
  output logic      [Ends*Circuits-1:0]              space_o,
  input  wire logic [Descriptors-1:0]                close_i,
  output logic      [Ends*Circuits-1:0]              closed_o,
  output logic      [Ends*Circuits*DescW-1:0]        owner_o,
  input  wire logic [Ends-1:0]                       net_valid_i,
  input  wire logic [Ends*Width-1:0]                 net_data_i,
  input  wire logic [Ends*OutW-1:0]                  net_side_i,  // {tag, circuit, descriptor, tuser, tlast, byte count}
  input  wire logic                                  net_error_i,  // of all beats that leave the network in this cycle
  output logic      [Ends-1:0]                       m_axis_tvalid,
  input  wire logic [Ends-1:0]                       m_axis_tready,
  output logic      [Ends*Width-1:0]                 m_axis_tdata,
  output logic      [Ends*Bytes-1:0]                 m_axis_tkeep,
  output logic      [Ends-1:0]                       m_axis_tlast,
  output logic      [Ends*VcW-1:0]                   m_axis_tid,
  output logic      [Ends*DescW-1:0]                 m_axis_tdest,
  output logic      [Ends*UserW-1:0]                 m_axis_tuser,
  input  wire logic [Ends*Vcs-1:0]                   m_axis_vc_ready
);

  for (genvar q = 0; q < Ends; q++) begin : g_port
    logic unused_way;                               // of link ports, and bits of more circuits than are here
    assign unused_way = ^net_side_i[q*OutW + SideW +: TagW + CircuitW];
    fred_egress #(
      .Vcs(Vcs), .Circuits(Circuits), .Width(Width), .StepW(StepW), .Descriptors(Descriptors), .DescW(DescW),
      .Depth(Depth), .Packets(Packets)
    ) u_egress (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .vc_before_i     (vc_before_i),
      .bound_i         (bound_i),
      .take_i          (take_i[q*Circuits +: Vcs]),
      .space_o         (space_o[q*Circuits +: Circuits]),
      .close_i         (close_i),
      .closed_o        (closed_o[q*Circuits +: Circuits]),
      .owner_o         (owner_o[q*Circuits*DescW +: Circuits*DescW]),
      .net_valid_i     (net_valid_i[q]),
      .net_data_i      (net_data_i[q*Width +: Width]),
      .net_side_i      (net_side_i[q*OutW +: SideW]),
      .net_desc_i      (net_side_i[q*OutW + SideW - DescW +: DescW]),
      .net_vc_i        (net_side_i[q*OutW + SideW +: VcW]),
      .net_error_i     (net_error_i),
      .m_axis_tvalid   (m_axis_tvalid[q]),
      .m_axis_tready   (m_axis_tready[q]),
      .m_axis_tdata    (m_axis_tdata[q*Width +: Width]),
      .m_axis_tkeep    (m_axis_tkeep[q*Bytes +: Bytes]),
      .m_axis_tlast    (m_axis_tlast[q]),
      .m_axis_tid      (m_axis_tid[q*VcW +: VcW]),
      .m_axis_tdest    (m_axis_tdest[q*DescW +: DescW]),
      .m_axis_tuser    (m_axis_tuser[q*UserW +: UserW]),
      .m_axis_vc_ready (m_axis_vc_ready[q*Vcs +: Vcs])
    );
    if (Circuits > Vcs) begin : g_no_circuits
      logic unused_beats;                           // there are none
      assign unused_beats = ^take_i[q*Circuits + Vcs +: Circuits - Vcs];
    end
  end

endmodule

`default_nettype wire
