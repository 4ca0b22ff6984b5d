// SPDX-License-Identifier: Apache-2.0
// Payloads to beats (fred_link_pack), one a cycle from the cycle after the payload on.
//
// Limits: a payload comes when the one before has been sent out, at the earliest Beats cycles after it.
`default_nettype none

module fred_link_unpack #(
  parameter int Beats  = 1,                         // beats of a payload, 1 or more
  parameter int Width  = 32,                        // bits of data of a beat
  parameter int SideW  = 20,                        // bits of what all beats have in common
  parameter int CountW = 3,                         // bits of a byte count
  localparam int EndW     = CountW + 2,
  localparam int MoreW    = Beats > 1 ? $clog2(Beats) : 1,
  localparam int PayloadW = (Beats > 1 ? MoreW : 0) + SideW + EndW + Beats * Width
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                push_i,          // payload_i comes
  input  wire logic [PayloadW-1:0] payload_i,       // {beats less one, side, step_end, last, count, data}
  output logic                     valid_o,
  output logic      [Width-1:0]    data_o,
  output logic      [CountW-1:0]   count_o,
  output logic                     last_o,
  output logic                     step_end_o,
  output logic      [SideW-1:0]    side_o
);

  logic [EndW-1:0]        end_q;
  logic [Beats*Width-1:0] data_q;
  assign data_o = data_q[Width-1:0];
  always_ff @(posedge clk_i) begin
    if (push_i) {side_o, end_q} <= payload_i[Beats*Width +: SideW+EndW];
  end
  if (Beats > 1) begin : g_many
    logic [MoreW-1:0] more_q;                       // beats behind this one
    logic             ends;
    assign ends       = more_q == '0;
    assign count_o    = ends ? end_q[CountW-1:0] : CountW'(Width / 8);
    assign last_o     = ends & end_q[CountW];
    assign step_end_o = ends & end_q[CountW+1];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_o <= 1'b0;
      else valid_o <= push_i | (valid_o & ~ends);
      if (push_i) begin
        more_q <= payload_i[PayloadW-1 -: MoreW];
        data_q <= payload_i[Beats*Width-1:0];
      end else begin
        more_q <= more_q - MoreW'(1);
        data_q <= data_q >> Width;
      end
    end
  end else begin : g_one
    assign {step_end_o, last_o, count_o} = end_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_o <= 1'b0;
      else valid_o <= push_i;
      if (push_i) data_q <= payload_i[Width-1:0];
    end
  end

endmodule

`default_nettype wire
