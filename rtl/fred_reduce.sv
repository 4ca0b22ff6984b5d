// SPDX-License-Identifier: Apache-2.0
// One lane of a reducing microswitch: reduces two elements, or passes the first one unchanged bit for bit.
//
//   op_i   0 sum, 1 min, 2 max, 3 sum that saturates, 4 and, 5 or, 6 xor; ignored where only one is built in
//   a_i    left operand (lower port), b_i right operand
//   pass_i 1: y_o is a_i, every bit pattern, NaNs included
//
// Numbers: sums of integers wrap or saturate; floating point is IEEE 754 with round to nearest even, subnormals and one
// canonical NaN, and of 8 bits as in the OCP specification (docs/numerics.md). Bitwise operations take an element of any
// type as its bits; their result enters the arithmetic as an operand that passes.
//
// Limits: data only, no valid and no reset: what travels beside the data is the user's to delay by Latency. An
// operation that is not built in gives an undefined result.
// Latency: Latency cycles, one operation a cycle; y_o is a register.
`default_nettype none

module fred_reduce #(
  parameter int DType = 2,    // 0 int32, 1 fp16, 2 bf16, 3 fp32, 4 int16, 5 int8, 6 int64, 7 uint8, 8 uint16, 9 uint32,
                              // 10 uint64, 11 fp8e4m3, 12 fp8e5m2, 13 fp64
  parameter int Ops = 7,      // operations built in, bit n: the one of code n
  parameter int OpW = 2,      // bits of op_i: 2, or 3 with bitwise operations
  parameter int Latency = 1,  // register stages, 1..4
  parameter int ElemW = ((DType == 6) || (DType == 10) || (DType == 13)) ? 64 :
                        ((DType == 0) || (DType == 3) || (DType == 9)) ? 32 :
                        ((DType == 5) || (DType == 7) || (DType == 11) || (DType == 12)) ? 8 : 16  // derived, leave alone
) (
  input  wire logic             clk_i,
  input  wire logic [OpW-1:0]   op_i /* verilator public_flat_rd */,
  input  wire logic             pass_i /* verilator public_flat_rd */,
  input  wire logic [ElemW-1:0] a_i /* verilator public_flat_rd */,
  input  wire logic [ElemW-1:0] b_i /* verilator public_flat_rd */,
  output logic      [ElemW-1:0] y_o
);

  localparam logic Float = (DType == 1) || (DType == 2) || (DType == 3) || (DType >= 11);

  localparam int Bits = ((DType == 6) || (DType == 10) || (DType == 13)) ? 64 :
                        ((DType == 0) || (DType == 3) || (DType == 9)) ? 32 :
                        ((DType == 5) || (DType == 7) || (DType == 11) || (DType == 12)) ? 8 : 16;

  // Icarus 11 has no elaboration tasks; there the check stops the simulation at time 0.
  if ((DType < 0) || (DType > 13) || (Ops < 1) || (Ops > 127) || (OpW != ((Ops > 15) ? 3 : 2)) || (Latency < 1) ||
      (Latency > 4) || (ElemW != Bits)) begin : gen_bad_parameter
`ifdef __ICARUS__
    initial $fatal(1, "fred_reduce: DType must be 0..13, Ops 1..127, OpW 2 (3 if Ops > 15), Latency 1..4, ElemW its default");
`else
    $error("fred_reduce: DType must be 0..13, Ops 1..127, OpW 2 (3 if Ops > 15), Latency 1..4, ElemW its default");
`endif
  end

  // A switch has thousands of lanes. Verilator then emits one C++ function for all instead of one each; the public
  // inputs keep it from pulling each lane's own wires into the body, which would make them differ again.
  /* verilator no_inline_module */

  localparam logic Single = (Ops & (Ops - 1)) == 0;
  localparam logic Arithmetic = (Ops & 15) != 0;
  localparam logic Bitwise = Ops > 15;
  localparam bit Finite = DType == 11;
  localparam int ExpW = ((DType == 1) || (DType == 12)) ? 5 : (DType == 11) ? 4 : (DType == 13) ? 11 : 8;
  localparam int ManW = ElemW - 1 - ExpW;

  // --- Operation ---
  logic [6:0] built_in, is;
  logic       sum, saturate, max, unused_op;
  assign built_in  = 7'(Ops);
  for (genvar n = 0; n < 7; n++) begin : gen_is
    if (n < (1 << OpW)) begin : gen_code
      assign is[n] = built_in[n] & (Single | (op_i == OpW'(n)));
    end else begin : gen_no_code
      assign is[n] = 1'b0;
    end
  end
  assign saturate  = is[3];
  assign sum       = is[0] | is[3];
  assign max       = is[2];
  assign unused_op = ^{op_i, built_in, is};

  // --- Bitwise: done before the arithmetic, which passes it on ---
  logic             pass;
  logic [ElemW-1:0] a;
  if (Bitwise) begin : gen_bitwise
    logic [ElemW-1:0] bits;
    assign bits = ({ElemW{is[4]}} & a_i & b_i) | ({ElemW{is[5]}} & (a_i | b_i)) | ({ElemW{is[6]}} & (a_i ^ b_i));
    assign pass = pass_i | is[4] | is[5] | is[6];
    assign a    = ((is[4] | is[5] | is[6]) & ~pass_i) ? bits : a_i;
  end else begin : gen_no_bitwise
    assign pass = pass_i;
    assign a    = a_i;
  end

  // A case, for Yosys gives the blocks of a chain of `if` names of its own.
  localparam int Kind = !Arithmetic ? 0 : !Float ? 1 : ((Ops & 9) != 0) ? 2 : 3;
  case (Kind)
    0: begin : gen_delay
      logic unused_arithmetic;
      assign unused_arithmetic = ^{sum, saturate, max, pass};
      fred_delay #(
        .Width(ElemW),
        .Depth(Latency)
      ) u_cut_out (
        .clk_i(clk_i),
        .data_i(a),
        .data_o(y_o)
      );
    end
    1: begin : gen_int
      fred_int_add #(
        .Width(ElemW),
        .Signed(((DType == 0) || ((DType >= 4) && (DType <= 6))) ? 1 : 0),
        .Latency(Latency)
      ) u_add (
        .clk_i(clk_i),
        .sum_i(sum),
        .saturate_i(saturate),
        .max_i(max),
        .pass_i(pass),
        .a_i(a),
        .b_i(b_i),
        .y_o(y_o)
      );
    end
    2: begin : gen_float
      fred_fp_add #(
        .ExpW(ExpW),
        .ManW(ManW),
        .Finite(Finite),
        .Latency(Latency)
      ) u_add (
        .clk_i(clk_i),
        .sum_i(sum),
        .saturate_i(saturate),
        .max_i(max),
        .pass_i(pass),
        .a_i(a),
        .b_i(b_i),
        .y_o(y_o)
      );
    end
    default: begin : gen_compare
      // Minimum and maximum need no adder.
      localparam int DistanceW = $clog2(ManW + 4);
      logic [ElemW-1:0]     main;
      logic [ManW:0]        addend;
      logic [DistanceW-1:0] distance;
      logic                 gone, alone, subtract, unused_addend;

      fred_fp_pick #(
        .ExpW(ExpW),
        .ManW(ManW),
        .Finite(Finite)
      ) u_pick (
        .sum_i(sum),
        .max_i(max),
        .pass_i(pass),
        .a_i(a),
        .b_i(b_i),
        .main_o(main),
        .addend_o(addend),
        .distance_o(distance),
        .gone_o(gone),
        .alone_o(alone),
        .subtract_o(subtract)
      );

      assign unused_addend = ^{addend, distance, gone, alone, subtract, saturate};

      fred_delay #(
        .Width(ElemW),
        .Depth(Latency)
      ) u_cut_out (
        .clk_i(clk_i),
        .data_i(main),
        .data_o(y_o)
      );
    end
  endcase

endmodule

`default_nettype wire
