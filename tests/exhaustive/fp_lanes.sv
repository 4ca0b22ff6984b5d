// SPDX-License-Identifier: Apache-2.0
// Some combinational lanes of fred_fp_add side by side, for exhaustive.cpp: one evaluation, several pairs.
`default_nettype none

module fp_lanes #(
  parameter int ExpW = 8,       // as in fred_fp_add
  parameter int ManW = 7,
  parameter bit Finite = 1'b0,
  parameter int Lanes = 8
) (
  input  wire logic               sum_i,
  input  wire logic               max_i,
  input  wire logic               pass_i,
  input  wire logic               saturate_i,
  input  wire logic [ExpW+ManW:0] a_i [Lanes],
  input  wire logic [ExpW+ManW:0] b_i [Lanes],
  output logic      [ExpW+ManW:0] y_o [Lanes]
);

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    fred_fp_add #(
      .ExpW(ExpW),
      .ManW(ManW),
      .Latency(0),
      .Finite(Finite)
    ) u_add (
      .clk_i(1'b0),
      .sum_i(sum_i),
      .max_i(max_i),
      .pass_i(pass_i),
      .saturate_i(saturate_i),
      .a_i(a_i[lane]),
      .b_i(b_i[lane]),
      .y_o(y_o[lane])
    );
  end

endmodule

`default_nettype wire
