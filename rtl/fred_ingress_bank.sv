// SPDX-License-Identifier: Apache-2.0
// The ingress buffers of all ports. Vectors are flat: port p has bits [p*N +: N].
`default_nettype none

module fred_ingress_bank #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int PortW       = 3,                    // bits of a port number
  parameter int Width       = 32,                   // W, bits of a port's tdata
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int DescW       = 3,                    // bits of tdest
  parameter int Depth       = 4,                    // beats a buffer holds
  localparam int Bytes      = Width / 8,
  localparam int CountW     = $clog2(Bytes + 1),
  localparam int UserW      = 5 + PortW
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  input  wire logic [Ports-1:0]               s_axis_tvalid,
  output logic      [Ports-1:0]               s_axis_tready,
  input  wire logic [Ports*Width-1:0]         s_axis_tdata,
  input  wire logic [Ports*Bytes-1:0]         s_axis_tkeep,
  input  wire logic [Ports-1:0]               s_axis_tlast,
  input  wire logic [Ports-1:0]               s_axis_tid,
  input  wire logic [Ports*DescW-1:0]         s_axis_tdest,
  input  wire logic [Ports*UserW-1:0]         s_axis_tuser,
  output logic      [Ports-1:0]               s_axis_vc_ready,
  // Descriptor table.
  input  wire logic [Descriptors-1:0]         enable_i,
  input  wire logic [Descriptors*4-1:0]       epoch_i,
  input  wire logic [Descriptors*Ports-1:0]   out_mask_i,
  // Heads, as in fred_ingress.
  output logic      [Ports-1:0]               head_valid_o,
  output logic      [Ports*Descriptors-1:0]   head_desc_o,
  output logic      [Ports*DescW-1:0]         head_index_o,
  output logic      [Ports-1:0]               head_last_o,
  output logic      [Ports-1:0]               head_step_end_o,
  output logic      [Ports*CountW-1:0]        head_count_o,
  output logic      [Ports*Ports-1:0]         head_dest_o,
  output logic      [Ports-1:0]               head_member_o,
  output logic      [Ports-1:0]               head_stale_o,
  output logic      [Ports-1:0]               head_unknown_o,
  output logic      [Ports-1:0]               head_framing_o,
  input  wire logic [Ports-1:0]               pop_i,
  input  wire logic [Ports-1:0]               read_i,
  output logic      [Ports*Width-1:0]         data_o
);

  for (genvar p = 0; p < Ports; p++) begin : g_port
    fred_ingress #(
      .Ports(Ports), .Width(Width), .Descriptors(Descriptors), .Depth(Depth), .PortW(PortW), .DescW(DescW)
    ) u_ingress (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .s_axis_tvalid   (s_axis_tvalid[p]),
      .s_axis_tready   (s_axis_tready[p]),
      .s_axis_tdata    (s_axis_tdata[p*Width +: Width]),
      .s_axis_tkeep    (s_axis_tkeep[p*Bytes +: Bytes]),
      .s_axis_tlast    (s_axis_tlast[p]),
      .s_axis_tid      (s_axis_tid[p]),
      .s_axis_tdest    (s_axis_tdest[p*DescW +: DescW]),
      .s_axis_tuser    (s_axis_tuser[p*UserW +: UserW]),
      .s_axis_vc_ready (s_axis_vc_ready[p]),
      .enable_i        (enable_i),
      .epoch_i         (epoch_i),
      .out_mask_i      (out_mask_i),
      .head_valid_o    (head_valid_o[p]),
      .head_desc_o     (head_desc_o[p*Descriptors +: Descriptors]),
      .head_index_o    (head_index_o[p*DescW +: DescW]),
      .head_last_o     (head_last_o[p]),
      .head_step_end_o (head_step_end_o[p]),
      .head_count_o    (head_count_o[p*CountW +: CountW]),
      .head_dest_o     (head_dest_o[p*Ports +: Ports]),
      .head_member_o   (head_member_o[p]),
      .head_stale_o    (head_stale_o[p]),
      .head_unknown_o  (head_unknown_o[p]),
      .head_framing_o  (head_framing_o[p]),
      .pop_i           (pop_i[p]),
      .read_i          (read_i[p]),
      .data_o          (data_o[p*Width +: Width])
    );
  end

endmodule

`default_nettype wire
