// SPDX-License-Identifier: Apache-2.0
// Floating-point reducer for any IEEE 754 binary format: sum, minimum or maximum of two operands, or operand a as is.
//
// Sum rounds to nearest even, keeps subnormals in and out, follows IEEE 754 for infinities and signed zeros, and has
// one NaN: positive, quiet, payload zero. One path for all cases:
//
//   a,b -> pick -+- main --------------------|-> add -|-> normalise -> round -|-> y
//                +- addend -|-> align, sticky |        |                      |
//   register if Latency is  4               2..4     3, 4                   1..4
//
// The main operand is never the smaller one, so the difference is never negative. A subnormal sum is exact: the
// normaliser stops at the exponent of the subnormals and rounding finds only zeros below.
//
// Limits: sum_i and max_i must not both be set; with neither the operation is min.
// Latency: Latency cycles, one operation a cycle.
`default_nettype none

module fred_fp_add #(
  parameter int ExpW = 8,    // exponent bits
  parameter int ManW = 7,    // stored significand bits
  parameter int Latency = 1  // register stages, 1..4
) (
  input  wire logic               clk_i,
  input  wire logic               sum_i,
  input  wire logic               max_i,
  input  wire logic               pass_i,
  input  wire logic [ExpW+ManW:0] a_i,
  input  wire logic [ExpW+ManW:0] b_i,
  output logic      [ExpW+ManW:0] y_o
);

  localparam int Width = 1 + ExpW + ManW;
  localparam int AlignW = ManW + 4;        // hidden bit, significand, guard, round, sticky
  localparam int SumW = AlignW + 1;        // a carry above
  localparam int ShiftW = $clog2(AlignW);  // bits of a distance that leaves anything in place
  localparam int CountW = $clog2(SumW);    // bits of a count of leading zeros

  // --- Pick: larger and smaller operand, specials ---
  logic [Width-1:0]  main_d, main_p;
  logic [ManW+1:0]   addend_d, addend_p;
  logic [ExpW-1:0]   distance;
  logic [ShiftW-1:0] shift_p;
  logic              subtract_d, subtract_p, far_d, far_p;

  fred_fp_pick #(
    .ExpW(ExpW),
    .ManW(ManW)
  ) u_pick (
    .sum_i(sum_i),
    .max_i(max_i),
    .pass_i(pass_i),
    .a_i(a_i),
    .b_i(b_i),
    .main_o(main_d),
    .addend_o(addend_d),
    .distance_o(distance),
    .subtract_o(subtract_d)
  );

  if (ExpW > ShiftW) begin : gen_far
    assign far_d = |distance[ExpW-1:ShiftW];
  end else begin : gen_near
    assign far_d = 1'b0;
  end

  fred_delay #(
    .Width(Width + ManW + 2 + ShiftW + 2),
    .Depth((Latency >= 4) ? 1 : 0)
  ) u_cut_pick (
    .clk_i(clk_i),
    .data_i({main_d, addend_d, distance[ShiftW-1:0], far_d, subtract_d}),
    .data_o({main_p, addend_p, shift_p, far_p, subtract_p})
  );

  // --- Align the addend ---
  logic [AlignW-1:0] shifted, aligned_d, aligned;
  logic [Width-1:0]  main;
  logic              subtract;

  fred_shift_sticky #(
    .Width(AlignW),
    .AmountW(ShiftW)
  ) u_align (
    .d_i({addend_p, 2'b00}),
    .amount_i(shift_p),
    .y_o(shifted)
  );

  // Less than a quarter of the main operand's last place, even of the binade below, does not change it.
  assign aligned_d = shifted & ~{AlignW{far_p}};

  fred_delay #(
    .Width(Width + AlignW + 1),
    .Depth((Latency >= 2) ? 1 : 0)
  ) u_cut_align (
    .clk_i(clk_i),
    .data_i({main_p, aligned_d, subtract_p}),
    .data_o({main, aligned, subtract})
  );

  // --- Add or subtract ---
  logic [ExpW-1:0] exp, exp_s;
  logic [SumW-1:0] sum_d, sum;
  logic            sign_d, sign;

  assign exp = main[Width-2:ManW];
  assign sum_d = {1'b0, |exp, main[ManW-1:0], 3'b000} + ({1'b0, aligned} ^ {SumW{subtract}}) + SumW'(subtract);
  assign sign_d = main[Width-1] & ~(subtract & ~|sum_d);  // x - x is +0

  fred_delay #(
    .Width(1 + ExpW + SumW),
    .Depth((Latency >= 3) ? 1 : 0)
  ) u_cut_sum (
    .clk_i(clk_i),
    .data_i({sign_d, exp, sum_d}),
    .data_o({sign, exp_s, sum})
  );

  // --- Normalise, not beyond the exponent of the subnormals ---
  logic [ExpW-1:0]   weight;
  logic [SumW-1:0]   mark, normal;
  logic [CountW-1:0] count;

  assign weight = {exp_s[ExpW-1:1], exp_s[0] | ~|exp_s};
  assign mark[SumW-1] = 1'b0;
  for (genvar s = 1; s < SumW; s++) begin : gen_mark
    assign mark[SumW-1-s] = (weight == ExpW'(s));
  end

  fred_normalise #(
    .Width(SumW),
    .CountW(CountW)
  ) u_normalise (
    .d_i(sum),
    .mark_i(mark),
    .count_o(count),
    .y_o(normal)
  );

  // --- Round; a carry out of the significand is the next exponent, out of the largest one infinity ---
  logic             overflow, up;
  logic [CountW:0]  gain;  // of the exponent: 1 on a carry, else 0 or less
  logic [ExpW-1:0]  normal_exp;
  logic [ManW-1:0]  normal_man;
  logic [Width-1:0] y_d;

  assign overflow = sum[SumW-1] & (&exp_s[ExpW-1:1]);
  assign gain = (CountW+1)'(1) - {1'b0, count};
  assign normal_exp = (weight + {{(ExpW-CountW){gain[CountW]}}, gain[CountW-1:0]}) & {ExpW{normal[SumW-1]}};
  assign normal_man = normal[SumW-2:4] & ~{ManW{overflow}};
  assign up = normal[3] & (normal[4] | (|normal[2:0])) & ~overflow;
  assign y_d = {sign, {normal_exp, normal_man} + (Width-1)'(up)};

  fred_delay #(
    .Width(Width),
    .Depth(1)
  ) u_cut_out (
    .clk_i(clk_i),
    .data_i(y_d),
    .data_o(y_o)
  );

endmodule

`default_nettype wire
