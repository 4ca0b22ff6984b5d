// SPDX-License-Identifier: Apache-2.0
// Some lanes of fred_reduce side by side, with every operation and one register, for exhaustive.cpp.
`default_nettype none

module reduce_lanes #(
  parameter int DType = 5,  // of 8 bits, as in fred_reduce
  parameter int Lanes = 8
) (
  input  wire logic       clk_i,
  input  wire logic [2:0] op_i,
  input  wire logic       pass_i,
  input  wire logic [7:0] a_i [Lanes],
  input  wire logic [7:0] b_i [Lanes],
  output logic      [7:0] y_o [Lanes]
);

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    fred_reduce #(
      .DType(DType),
      .Ops(127),
      .OpW(3),
      .Latency(1)
    ) u_reduce (
      .clk_i(clk_i),
      .op_i(op_i),
      .pass_i(pass_i),
      .a_i(a_i[lane]),
      .b_i(b_i[lane]),
      .y_o(y_o[lane])
    );
  end

endmodule

`default_nettype wire
