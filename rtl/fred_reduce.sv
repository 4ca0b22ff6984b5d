// SPDX-License-Identifier: Apache-2.0
// One lane of a reducing microswitch: reduces two elements, or passes the first one unchanged bit for bit.
//
//   op_i   0 sum, 1 min, 2 max; ignored where only one operation is built in
//   a_i    left operand (lower port), b_i right operand
//   pass_i 1: y_o is a_i, every bit pattern, NaNs included
//
// Numbers: integers wrap, their min and max are signed; floating point is IEEE 754 with round to nearest even,
// subnormals and one canonical NaN (docs/numerics.md).
//
// Limits: data only, no valid and no reset: what travels beside the data is the user's to delay by Latency. An
// operation that is not built in gives an undefined result.
// Latency: Latency cycles, one operation a cycle; y_o is a register.
`default_nettype none

module fred_reduce #(
  parameter int DType = 2,    // 0 int32, 1 fp16, 2 bf16, 3 fp32, 4 int16
  parameter int Ops = 7,      // operations built in: bit 0 sum, bit 1 min, bit 2 max
  parameter int Latency = 1,  // register stages, 1..4
  parameter int ElemW = ((DType == 0) || (DType == 3)) ? 32 : 16  // derived, leave alone
) (
  input  wire logic             clk_i,
  input  wire logic [1:0]       op_i /* verilator public_flat_rd */,
  input  wire logic             pass_i /* verilator public_flat_rd */,
  input  wire logic [ElemW-1:0] a_i /* verilator public_flat_rd */,
  input  wire logic [ElemW-1:0] b_i /* verilator public_flat_rd */,
  output logic      [ElemW-1:0] y_o
);

  // Icarus 11 has no elaboration tasks; there the check stops the simulation at time 0.
  if ((DType < 0) || (DType > 4) || (Ops < 1) || (Ops > 7) || (Latency < 1) || (Latency > 4) ||
      (ElemW != (((DType == 0) || (DType == 3)) ? 32 : 16))) begin : gen_bad_parameter
`ifdef __ICARUS__
    initial $fatal(1, "fred_reduce: DType must be 0 to 4, Ops 1 to 7, Latency 1 to 4, ElemW its default");
`else
    $error("fred_reduce: DType must be 0 to 4, Ops 1 to 7, Latency 1 to 4, ElemW its default");
`endif
  end

  // A switch has thousands of lanes. Verilator then emits one C++ function for all instead of one each; the public
  // inputs keep it from pulling each lane's own wires into the body, which would make them differ again.
  /* verilator no_inline_module */

  localparam logic HasSum = Ops[0];
  localparam logic HasMin = Ops[1];
  localparam logic HasMax = Ops[2];
  localparam int ExpW = (DType == 1) ? 5 : 8;
  localparam int ManW = ElemW - 1 - ExpW;

  logic sum, max, unused_op;
  assign sum = HasSum & ((op_i == 2'd0) | ~(HasMin | HasMax));
  assign max = HasMax & (op_i[1] | ~(HasSum | HasMin));
  assign unused_op = ^op_i;

  if ((DType == 0) || (DType == 4)) begin : gen_int
    fred_int_add #(
      .Width(ElemW),
      .Latency(Latency)
    ) u_add (
      .clk_i(clk_i),
      .sum_i(sum),
      .max_i(max),
      .pass_i(pass_i),
      .a_i(a_i),
      .b_i(b_i),
      .y_o(y_o)
    );
  end else if (HasSum) begin : gen_float
    fred_fp_add #(
      .ExpW(ExpW),
      .ManW(ManW),
      .Latency(Latency)
    ) u_add (
      .clk_i(clk_i),
      .sum_i(sum),
      .max_i(max),
      .pass_i(pass_i),
      .a_i(a_i),
      .b_i(b_i),
      .y_o(y_o)
    );
  end else begin : gen_compare
    // Minimum and maximum need no adder.
    logic [ElemW-1:0]     main;
    logic [ManW+1:0]      addend;
    logic [ExpW-1:0]      distance;
    logic                 subtract, unused_addend;

    fred_fp_pick #(
      .ExpW(ExpW),
      .ManW(ManW)
    ) u_pick (
      .sum_i(sum),
      .max_i(max),
      .pass_i(pass_i),
      .a_i(a_i),
      .b_i(b_i),
      .main_o(main),
      .addend_o(addend),
      .distance_o(distance),
      .subtract_o(subtract)
    );

    assign unused_addend = ^{addend, distance, subtract};

    fred_delay #(
      .Width(ElemW),
      .Depth(Latency)
    ) u_cut_out (
      .clk_i(clk_i),
      .data_i(main),
      .data_o(y_o)
    );
  end

endmodule

`default_nettype wire
