// SPDX-License-Identifier: Apache-2.0
// Front of a floating-point reducer: one comparison of magnitudes orders the operands of an addition and decides
// minimum and maximum.
//
// The result is always "main operand plus or minus addend". Whatever is not the sum of two finite numbers leaves here
// as its finished result in the main operand, with an addend that is gone, and the adder behind it hands it on bit by
// bit:
//
//   sum, both finite         main = operand of larger magnitude (a if equal), addend = the other
//   sum, an infinity         main = it, no addend
//   sum, inf - inf or NaN    main = canonical NaN, no addend
//   min, max                 main = the one chosen or the canonical NaN, no addend
//   pass                     main = a, any bits, no addend
//
// min and max are IEEE 754-2019 minimum and maximum: NaN propagates, -0 < +0.
//
// Nothing waits for a subtraction of whole exponents: the magnitudes are compared as they are, exponent and significand
// as one number, and beside that the low bits of the exponents are subtracted. That is the distance, or its negative,
// unless the high bits say that the addend is too far away to matter.
//
// Limits: sum_i and max_i must not both be set; with neither the operation is min. ExpW > DistanceW.
// Latency: none, combinational.
`default_nettype none

module fred_fp_pick #(
  parameter int ExpW = 8,        // exponent bits
  parameter int ManW = 7,        // stored significand bits, at least 2
  parameter bit Finite = 1'b0,   // no infinities; NaN is all ones, the rest of the top exponent are numbers
  parameter int DistanceW = $clog2(ManW + 4)  // derived, leave alone
) (
  input  wire logic                 sum_i,
  input  wire logic                 max_i,
  input  wire logic                 pass_i,
  input  wire logic [ExpW+ManW:0]   a_i,
  input  wire logic [ExpW+ManW:0]   b_i,
  output logic      [ExpW+ManW:0]   main_o,
  output logic      [ManW:0]        addend_o,       // significand with its hidden bit
  output logic      [DistanceW-1:0] distance_o,     // by which to shift it to the right
  output logic                      gone_o,         // no addend: alone or too far away
  output logic                      alone_o,        // main_o is the result
  output logic                      subtract_o
);

  localparam int Width = 1 + ExpW + ManW;
  localparam int HighW = ExpW - DistanceW;

  logic            a_sign, b_sign, a_normal, b_normal, a_top, b_top, a_nan, b_nan;
  logic [ExpW-1:0] a_exp, b_exp;
  logic [ManW-1:0] a_man, b_man;
  assign {a_sign, a_exp, a_man} = a_i;
  assign {b_sign, b_exp, b_man} = b_i;
  assign a_normal = |a_exp;
  assign b_normal = |b_exp;
  assign a_top = &a_exp & (~Finite | (&a_man));  // infinity or NaN
  assign b_top = &b_exp & (~Finite | (&b_man));
  assign a_nan = a_top & |a_man;
  assign b_nan = b_top & |b_man;

  // --- Order ---
  logic a_less, main_is_b;  // a_less: in magnitude
  assign a_less = a_i[Width-2:0] < b_i[Width-2:0];

  // min takes the operand of larger magnitude if that is negative, max if it is positive.
  assign main_is_b = ~pass_i & (a_less ? sum_i | (b_sign ^ max_i) : ~sum_i & ~(a_sign ^ max_i));

  // --- Distance: a subnormal number has the exponent 1 and no hidden bit ---
  logic [DistanceW-1:0] a_low, b_low, a_minus_b, above;
  logic                 a_low_less, b_low_less;
  assign a_low = {a_exp[DistanceW-1:1], a_exp[0] | ~a_normal};
  assign b_low = {b_exp[DistanceW-1:1], b_exp[0] | ~b_normal};
  assign {a_low_less, a_minus_b} = {1'b0, a_low} - {1'b0, b_low};
  assign b_low_less = ~a_low_less & (|a_minus_b);
  // The negative of a number: above its lowest one every bit is inverted.
  assign above[0] = 1'b0;
  for (genvar k = 1; k < DistanceW; k++) begin : gen_above
    assign above[k] = |a_minus_b[k-1:0];
  end
  assign distance_o = a_minus_b ^ (above & {DistanceW{a_less}});

  logic [HighW:0] a_high, b_high;
  logic           near;
  assign a_high = {1'b0, a_exp[ExpW-1:DistanceW]};
  assign b_high = {1'b0, b_exp[ExpW-1:DistanceW]};
  assign near = (a_high == b_high) | ((a_high == b_high + (HighW+1)'(1)) & a_low_less) |
                ((b_high == a_high + (HighW+1)'(1)) & b_low_less);

  // --- Special cases ---
  logic nan;
  assign nan = ~pass_i & (a_nan | b_nan | (sum_i & (a_sign ^ b_sign) & a_top & b_top));
  assign alone_o = pass_i | ~sum_i | a_top | b_top;

  logic            main_sign;
  logic [ExpW-1:0] main_exp;
  logic [ManW-1:0] main_man;
  assign {main_sign, main_exp, main_man} = main_is_b ? b_i : a_i;
  // In a sum the larger operand of a NaN has the top exponent already.
  assign main_o[Width-1]      = main_sign & ~nan;
  assign main_o[Width-2:ManW] = main_exp | {ExpW{nan & ~sum_i}};
  assign main_o[ManW-1]       = main_man[ManW-1] | nan;
  assign main_o[ManW-2:0]     = Finite ? main_man[ManW-2:0] | {(ManW-1){nan}} : main_man[ManW-2:0] & ~{(ManW-1){nan}};

  assign addend_o   = main_is_b ? {a_normal, a_man} : {b_normal, b_man};
  assign gone_o     = alone_o | ~near;
  assign subtract_o = (a_sign ^ b_sign) & ~alone_o;

endmodule

`default_nettype wire
