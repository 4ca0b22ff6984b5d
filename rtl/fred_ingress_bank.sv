// SPDX-License-Identifier: Apache-2.0
// The ingress buffers of all ports but link ports: of the first Ends ports. Vectors are flat: port p has bits [p*N +: N],
// of the heads its circuit v [(p*C + v)*N +: N].
`default_nettype none

module fred_ingress_bank #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Ends        = Ports,                // of them, ports of its own
  parameter int PortW       = 3,                    // bits of a port number
  parameter int Vcs         = 1,                    // V, virtual circuits of a port
  parameter int Circuits    = Vcs,                  // C, circuits of any port, V or more; those beyond V have no beats
  parameter int Width       = 32,                   // W, bits of a port's tdata
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int DescW       = 3,                    // bits of tdest
  parameter int Depth       = 4,                    // beats a buffer of one circuit holds
  localparam int VcW        = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int Bytes      = Width / 8,
  localparam int CountW     = $clog2(Bytes + 1),
  localparam int UserW      = 5 + PortW
) (
  input  wire logic                                   clk_i,
  input  wire logic                                   rst_ni,
  input  wire logic [Ends-1:0]                        s_axis_tvalid,
  output logic      [Ends-1:0]                        s_axis_tready,
  input  wire logic [Ends*Width-1:0]                  s_axis_tdata,
  input  wire logic [Ends*Bytes-1:0]                  s_axis_tkeep,
  input  wire logic [Ends-1:0]                        s_axis_tlast,
  input  wire logic [Ends*VcW-1:0]                    s_axis_tid,
  input  wire logic [Ends*DescW-1:0]                  s_axis_tdest,
  input  wire logic [Ends*UserW-1:0]                  s_axis_tuser,
  output logic      [Ends*Vcs-1:0]                    s_axis_vc_ready,
  // Descriptor table.
  input  wire logic [Descriptors-1:0]                 enable_i,
  input  wire logic [Descriptors-1:0]                 run_i,       // enabled, and neither stopped nor spoiled
  input  wire logic [Descriptors*4-1:0]               epoch_i,
  input  wire logic [Descriptors*Ports-1:0]           out_mask_i,
  input  wire logic [Descriptors*Vcs-1:0]             vc_i,
  // Heads, as in fred_ingress.
  output logic      [Ends*Circuits-1:0]               head_valid_o,
  output logic      [Ends*Circuits-1:0]               head_usable_o,
  output logic      [Ends*Circuits*Descriptors-1:0]   head_desc_o,
  output logic      [Ends*Circuits*DescW-1:0]         head_index_o,
  output logic      [Ends*Circuits-1:0]               head_last_o,
  output logic      [Ends*Circuits-1:0]               head_step_end_o,
  output logic      [Ends*Circuits*CountW-1:0]        head_count_o,
  output logic      [Ends*Circuits*Ports-1:0]         head_dest_o,
  output logic      [Ends*Circuits-1:0]               head_member_o,
  output logic      [Ends*Circuits-1:0]               head_stale_o,
  output logic      [Ends*Circuits-1:0]               head_unknown_o,
  output logic      [Ends*Circuits-1:0]               head_framing_o,
  output logic      [Ends*Circuits-1:0]               head_vc_o,
  input  wire logic [Ends*Circuits-1:0]               pop_i,
  input  wire logic [Ends*Circuits-1:0]               launched_i,
  input  wire logic [Ends*Circuits-1:0]               dropped_i,
  output logic      [Ends*Width-1:0]                  data_o
);

  logic [Descriptors*(4+Ports)-1:0] rows;
  for (genvar d = 0; d < Descriptors; d++) begin : g_row
    assign rows[d*(4+Ports) +: 4+Ports] = {epoch_i[d*4 +: 4], out_mask_i[d*Ports +: Ports]};
  end
  logic news;
  fred_run_news #(.Descriptors(Descriptors)) u_news (
    .clk_i(clk_i), .rst_ni(rst_ni), .enable_i(enable_i), .run_i(run_i), .news_o(news)
  );
  for (genvar p = 0; p < Ends; p++) begin : g_port
    logic unused_link;
    logic [Circuits-1:0]       no_errors;
    logic [Circuits*PortW-1:0] port_numbers;
    assign unused_link = ^{no_errors, port_numbers};
    fred_ingress #(
      .Ports(Ports), .Vcs(Vcs), .Circuits(Circuits), .Width(Width), .Descriptors(Descriptors), .Depth(Depth),
      .PortW(PortW), .DescW(DescW)
    ) u_ingress (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .s_axis_tvalid   (s_axis_tvalid[p]),
      .s_axis_tready   (s_axis_tready[p]),
      .s_axis_tdata    (s_axis_tdata[p*Width +: Width]),
      .s_axis_tkeep    (s_axis_tkeep[p*Bytes +: Bytes]),
      .s_axis_tlast    (s_axis_tlast[p]),
      .s_axis_tid      (s_axis_tid[p*VcW +: VcW]),
      .s_axis_tdest    (s_axis_tdest[p*DescW +: DescW]),
      .s_axis_tuser    (s_axis_tuser[p*UserW +: UserW]),
      .s_axis_vc_ready (s_axis_vc_ready[p*Vcs +: Vcs]),
      .cut_i           (1'b0),
      .news_i          (news),
      .enable_i        (enable_i),
      .run_i           (run_i),
      .rows_i          (rows),
      .vc_i            (vc_i),
      .head_valid_o    (head_valid_o[p*Circuits +: Circuits]),
      .head_usable_o   (head_usable_o[p*Circuits +: Circuits]),
      .head_desc_o     (head_desc_o[p*Circuits*Descriptors +: Circuits*Descriptors]),
      .head_index_o    (head_index_o[p*Circuits*DescW +: Circuits*DescW]),
      .head_last_o     (head_last_o[p*Circuits +: Circuits]),
      .head_step_end_o (head_step_end_o[p*Circuits +: Circuits]),
      .head_count_o    (head_count_o[p*Circuits*CountW +: Circuits*CountW]),
      .head_dest_o     (head_dest_o[p*Circuits*Ports +: Circuits*Ports]),
      .head_port_o     (port_numbers),
      .head_member_o   (head_member_o[p*Circuits +: Circuits]),
      .head_stale_o    (head_stale_o[p*Circuits +: Circuits]),
      .head_unknown_o  (head_unknown_o[p*Circuits +: Circuits]),
      .head_framing_o  (head_framing_o[p*Circuits +: Circuits]),
      .head_error_o    (no_errors),
      .head_vc_o       (head_vc_o[p*Circuits +: Circuits]),
      .pop_i           (pop_i[p*Circuits +: Vcs]),
      .launched_i      (launched_i[p*Circuits +: Vcs]),
      .dropped_i       (dropped_i[p*Circuits +: Vcs]),
      .data_o          (data_o[p*Width +: Width])
    );
    if (Circuits > Vcs) begin : g_no_circuits
      localparam int N = Circuits - Vcs, At = p * Circuits + Vcs;
      logic unused_beats;                           // there are none
      assign unused_beats = ^{pop_i[At +: N], launched_i[At +: N], dropped_i[At +: N]};
    end
  end

endmodule

`default_nettype wire
