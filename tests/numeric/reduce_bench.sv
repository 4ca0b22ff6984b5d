// SPDX-License-Identifier: Apache-2.0
// Every element type, latency and set of operations of fred_reduce side by side, for rtl_test.cpp: one Verilator
// build instead of fifty.
//
// Type t has the operands a<t>_i and b<t>_i and ten results of 32 bits in y<t>_o, results of 16 bits zero-extended:
// slots 0..3 all operations at latency 1..4, slots 4..9 the sets Ops = 1..6 at latencies 1, 2, 3, 4, 1, 2.
`default_nettype none

module reduce_bench (
  input  wire logic         clk_i,
  input  wire logic [1:0]   op_i,
  input  wire logic         pass_i,
  input  wire logic [31:0]  a0_i,
  input  wire logic [31:0]  b0_i,
  input  wire logic [15:0]  a1_i,
  input  wire logic [15:0]  b1_i,
  input  wire logic [15:0]  a2_i,
  input  wire logic [15:0]  b2_i,
  input  wire logic [31:0]  a3_i,
  input  wire logic [31:0]  b3_i,
  input  wire logic [15:0]  a4_i,
  input  wire logic [15:0]  b4_i,
  output logic      [319:0] y0_o,
  output logic      [319:0] y1_o,
  output logic      [319:0] y2_o,
  output logic      [319:0] y3_o,
  output logic      [319:0] y4_o
);

  for (genvar slot = 0; slot < 10; slot++) begin : gen_slot
    localparam int Ops = (slot < 4) ? 7 : slot - 3;
    localparam int Latency = 1 + slot % 4;

    logic [15:0] y1, y2, y4;

    fred_reduce #(
      .DType(0),
      .Ops(Ops),
      .Latency(Latency)
    ) u_int32 (
      .clk_i(clk_i),
      .op_i(op_i),
      .pass_i(pass_i),
      .a_i(a0_i),
      .b_i(b0_i),
      .y_o(y0_o[32*slot +: 32])
    );

    fred_reduce #(
      .DType(1),
      .Ops(Ops),
      .Latency(Latency)
    ) u_fp16 (
      .clk_i(clk_i),
      .op_i(op_i),
      .pass_i(pass_i),
      .a_i(a1_i),
      .b_i(b1_i),
      .y_o(y1)
    );

    fred_reduce #(
      .DType(2),
      .Ops(Ops),
      .Latency(Latency)
    ) u_bf16 (
      .clk_i(clk_i),
      .op_i(op_i),
      .pass_i(pass_i),
      .a_i(a2_i),
      .b_i(b2_i),
      .y_o(y2)
    );

    fred_reduce #(
      .DType(3),
      .Ops(Ops),
      .Latency(Latency)
    ) u_fp32 (
      .clk_i(clk_i),
      .op_i(op_i),
      .pass_i(pass_i),
      .a_i(a3_i),
      .b_i(b3_i),
      .y_o(y3_o[32*slot +: 32])
    );

    fred_reduce #(
      .DType(4),
      .Ops(Ops),
      .Latency(Latency)
    ) u_int16 (
      .clk_i(clk_i),
      .op_i(op_i),
      .pass_i(pass_i),
      .a_i(a4_i),
      .b_i(b4_i),
      .y_o(y4)
    );

    assign y1_o[32*slot +: 32] = {16'd0, y1};
    assign y2_o[32*slot +: 32] = {16'd0, y2};
    assign y4_o[32*slot +: 32] = {16'd0, y4};
  end

endmodule

`default_nettype wire
