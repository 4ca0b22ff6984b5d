// SPDX-License-Identifier: Apache-2.0
// Delays a vector by a fixed number of cycles.
//
// Limits: no reset and no enable; the first Depth outputs after power-up are undefined. For bits that must be
// zero after reset use fred_delay_rst.
`default_nettype none

module fred_delay #(
  parameter int Width = 1,  // bits
  parameter int Depth = 1   // cycles; 0 = wires
) (
  input  wire logic             clk_i,
  input  wire logic [Width-1:0] data_i,
  output logic      [Width-1:0] data_o
);

`ifndef __ICARUS__
  if (Width < 1 || Depth < 0) begin : g_check
    $error("fred_delay: Width must be at least 1 and Depth at least 0");
  end
`endif

  if (Depth == 0) begin : g_wires
    logic unused_clk;
    assign unused_clk = clk_i;
    assign data_o = data_i;
  end else if (Depth == 1) begin : g_register
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i) begin
      data_q <= data_i;
    end
    assign data_o = data_q;
  end else begin : g_line
    logic [Depth*Width-1:0] line_q;  // newest in the low bits
    always_ff @(posedge clk_i) begin
      line_q <= {line_q[(Depth-1)*Width-1:0], data_i};
    end
    assign data_o = line_q[(Depth-1)*Width +: Width];
  end

endmodule

`default_nettype wire
