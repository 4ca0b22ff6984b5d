// SPDX-License-Identifier: Apache-2.0
// The reducing half of a microswitch: two operands, reducers for every element type and the delay that keeps a second
// operand beside it. Instantiated by fred_uswitch_r and fred_uswitch_rd.
//
//   data0 --+--> a
//           |      reducers of each type ---> select ---> first_o   reduce_i: data0 (op) data1; else data0 unchanged
//   data1 --+--> b
//           |
//           +----> delay ----------------------------->  second_o  data1 unchanged
//
// Both outputs are Latency cycles old: two registers wide a stage and type, however many outputs choose among them. The
// operation has the number of the element type above the operation's code.
//
// Limits: Width must be a multiple of the bits of every type.
`default_nettype none

module fred_merge #(
  parameter int Types = 1,      // element types built in, 1..7
  parameter int DTypes = 0,     // their codes (docs/numerics.md), 4 bits each, the first in the low bits
  parameter int Ops = 1,        // operations built in, bit n: the one of code n
  parameter int OpW = 2,        // bits of an operation: its code (2, or 3 if bitwise ones are built in) and the type
  parameter int Width = 32,     // bits of an operand
  parameter int Latency = 1     // cycles
) (
  input  wire logic             clk_i,
  input  wire logic             reduce_i,  // both operands are of one flow
  input  wire logic [OpW-1:0]   op_i,
  input  wire logic [Width-1:0] data0_i,
  input  wire logic [Width-1:0] data1_i,
  output logic      [Width-1:0] first_o,
  output logic      [Width-1:0] second_o
);

  localparam int CodeW = (Ops > 15) ? 3 : 2;

`ifndef __ICARUS__
  if ((Types < 1) || (Types > 7) || (Latency < 1) || ((1 << (OpW - CodeW)) < Types)) begin : g_check
    $error("fred_merge: Types must be 1 to 7, Latency at least 1, OpW have room for code and type");
  end
`endif

  logic [Types*Width-1:0] reduced;
  for (genvar t = 0; t < Types; t++) begin : g_type
    localparam int Code  = (DTypes >> (4 * t)) & 15;
    localparam int ElemW = ((Code == 6) || (Code == 10) || (Code == 13)) ? 64 :
                           ((Code == 0) || (Code == 3) || (Code == 9)) ? 32 :
                           ((Code == 5) || (Code == 7) || (Code == 11) || (Code == 12)) ? 8 : 16;
    // Beside other types, sums of floating point saturate with 8 bits only.
    localparam int Wide  = ((Code == 1) || (Code == 2) || (Code == 3) || (Code == 13)) ? 1 : 0;
    localparam int Lanes = Width / ElemW;
    for (genvar lane = 0; lane < Lanes; lane++) begin : g_lane
      fred_reduce #(
        .DType  (Code),
        .Ops    (((Types > 1) && (Wide != 0)) ? (Ops & 119) : Ops),
        .OpW    (CodeW),
        .Latency(Latency)
      ) u_reduce (
        .clk_i (clk_i),
        .op_i  (op_i[CodeW-1:0]),
        .a_i   (data0_i[lane*ElemW +: ElemW]),
        .b_i   (data1_i[lane*ElemW +: ElemW]),
        .pass_i(!reduce_i),
        .y_o   (reduced[t*Width + lane*ElemW +: ElemW])
      );
    end
  end

  if (Types == 1) begin : g_one
    assign first_o = reduced;
  end else begin : g_several
    logic [Types-1:0] type_d, type_q;
    fred_onehot #(.Count(Types), .IndexW(OpW - CodeW)) u_type (.index_i(op_i[OpW-1:CodeW]), .onehot_o(type_d));
    fred_delay #(
      .Width(Types),
      .Depth(Latency)
    ) u_type_cut (
      .clk_i (clk_i),
      .data_i(type_d),
      .data_o(type_q)
    );
    fred_select #(.Width(Width), .Count(Types)) u_select (.select_i(type_q), .data_i(reduced), .data_o(first_o));
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
