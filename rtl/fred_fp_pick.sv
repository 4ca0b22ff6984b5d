// SPDX-License-Identifier: Apache-2.0
// Front of a floating-point reducer: one comparison of magnitudes orders the operands of an addition and decides
// minimum and maximum.
//
// The result is always "main operand plus or minus addend". Whatever is not the sum of two finite numbers leaves here
// as its finished result in the main operand with an addend of zero, and the adder behind it hands it on bit by bit:
//
//   sum, both finite         main = operand of larger magnitude (a if equal), addend = the other
//   sum, an infinity         main = it, addend 0
//   sum, inf - inf or NaN    main = canonical NaN, addend 0
//   min, max                 main = the one chosen or the canonical NaN, addend 0
//   pass                     main = a, any bits, addend 0
//
// min and max are IEEE 754-2019 minimum and maximum: NaN propagates, -0 < +0.
//
// Limits: sum_i and max_i must not both be set; with neither the operation is min.
// Latency: none, combinational.
`default_nettype none

module fred_fp_pick #(
  parameter int ExpW = 8,  // exponent bits
  parameter int ManW = 7   // stored significand bits
) (
  input  wire logic                 sum_i,
  input  wire logic                 max_i,
  input  wire logic                 pass_i,
  input  wire logic [ExpW+ManW:0]   a_i,
  input  wire logic [ExpW+ManW:0]   b_i,
  output logic      [ExpW+ManW:0]   main_o,
  output logic      [ManW+1:0]      addend_o,    // significand with its hidden bit, and one place to the right
  output logic      [ExpW-1:0]      distance_o,  // by which to shift it to the right
  output logic                      subtract_o
);

  logic            a_sign, b_sign, a_normal, b_normal, a_top, b_top;
  logic [ExpW-1:0] a_exp, b_exp;
  logic [ManW-1:0] a_man, b_man;
  assign {a_sign, a_exp, a_man} = a_i;
  assign {b_sign, b_exp, b_man} = b_i;
  assign a_normal = |a_exp;
  assign b_normal = |b_exp;
  assign a_top = &a_exp;  // infinity or NaN
  assign b_top = &b_exp;

  // A subnormal number has the exponent 1 and no hidden bit.
  logic [ExpW-1:0] a_weight, b_weight;
  assign a_weight = {a_exp[ExpW-1:1], a_exp[0] | ~a_normal};
  assign b_weight = {b_exp[ExpW-1:1], b_exp[0] | ~b_normal};

  // One subtraction orders the exponents and gives their distance: where it borrows, ~difference is one less than
  // the distance, and the addend goes one place to the right instead.
  logic [ExpW-1:0] difference;
  logic            exp_less, a_less;  // a_less: in magnitude
  assign {exp_less, difference} = {1'b0, a_weight} - {1'b0, b_weight};
  assign a_less = exp_less | (~|difference & ({a_normal, a_man} < {b_normal, b_man}));

  // min takes the operand of larger magnitude if that is negative, max if it is positive.
  logic main_is_b;
  assign main_is_b = ~pass_i & (a_less ? sum_i | (b_sign ^ max_i) : ~sum_i & ~(a_sign ^ max_i));

  logic nan, alone;
  assign nan = ~pass_i & ((a_top & |a_man) | (b_top & |b_man) | (sum_i & (a_sign ^ b_sign) & a_top & b_top));
  assign alone = pass_i | ~sum_i | a_top | b_top;

  logic            main_sign;
  logic [ExpW-1:0] main_exp;
  logic [ManW-1:0] main_man;
  assign {main_sign, main_exp, main_man} = main_is_b ? b_i : a_i;
  assign main_o = {main_sign & ~nan, main_exp | {ExpW{nan}},
                   (main_man[ManW-1] | nan), main_man[ManW-2:0] & ~{(ManW-1){nan}}};

  logic [ManW+1:0] addend;
  assign addend = exp_less ? {1'b0, a_normal, a_man} : a_less ? {a_normal, a_man, 1'b0} : {b_normal, b_man, 1'b0};
  assign addend_o = addend & ~{(ManW+2){alone}};
  assign distance_o = difference ^ {ExpW{exp_less}};
  assign subtract_o = (a_sign ^ b_sign) & ~alone;

endmodule

`default_nettype wire
