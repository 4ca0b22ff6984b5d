// SPDX-License-Identifier: Apache-2.0
// The reducing half of a microswitch: two operands, a reducer for each lane and the delay that keeps a second
// operand beside it. Instantiated by fred_uswitch_r and fred_uswitch_rd.
//
//   data0 --+--> a
//           |      reducers ---> first_o   reduce_i: data0 (op) data1; else data0 unchanged
//   data1 --+--> b
//           |
//           +----> delay ------> second_o  data1 unchanged
//
// Both outputs are Latency cycles old: two registers wide a stage, however many outputs choose among them.
`default_nettype none

module fred_merge #(
  parameter int DType = 0,    // element type: 0 int32, 1 fp16, 2 bf16, 3 fp32, 4 int16
  parameter int Ops = 1,      // operations built in: bit 0 sum, 1 min, 2 max
  parameter int Lanes = 1,    // elements in Width
  parameter int Width = 32,   // bits of an operand
  parameter int Latency = 1   // cycles
) (
  input  wire logic             clk_i,
  input  wire logic             reduce_i,  // both operands are of one flow
  input  wire logic [1:0]       op_i,
  input  wire logic [Width-1:0] data0_i,
  input  wire logic [Width-1:0] data1_i,
  output logic      [Width-1:0] first_o,
  output logic      [Width-1:0] second_o
);

  localparam int ElemW = Width / Lanes;

`ifndef __ICARUS__
  if (Lanes < 1 || Width != Lanes * ElemW || Latency < 1) begin : g_check
    $error("fred_merge: Width must be a multiple of Lanes, Lanes and Latency at least 1");
  end
`endif

  for (genvar lane = 0; lane < Lanes; lane++) begin : g_lane
    fred_reduce #(
      .DType  (DType),
      .Ops    (Ops),
      .Latency(Latency)
    ) u_reduce (
      .clk_i (clk_i),
      .op_i  (op_i),
      .a_i   (data0_i[lane*ElemW +: ElemW]),
      .b_i   (data1_i[lane*ElemW +: ElemW]),
      .pass_i(!reduce_i),
      .y_o   (first_o[lane*ElemW +: ElemW])
    );
  end

  fred_delay #(
    .Width(Width),
    .Depth(Latency)
  ) u_second (
    .clk_i (clk_i),
    .data_i(data1_i),
    .data_o(second_o)
  );

endmodule

`default_nettype wire
