// SPDX-License-Identifier: Apache-2.0
// Floating-point reducer for any binary format: sum, minimum or maximum of two operands, or operand a as is.
//
// Sum rounds to nearest even, keeps subnormals in and out, follows IEEE 754 for infinities and signed zeros, and has
// one NaN: positive, quiet, payload zero. The main operand is never the smaller one, so no difference is negative:
//
//   a,b -> pick -+- main ---------------------|-> add, round -|-> normalise -|-> y
//                +- addend -|-> align, sticky |               |              |
//   register if Latency is  4                2..4            3, 4           1..4
//
// Rounding comes before normalising, because no sum needs both: to shift by more than one place takes operands of equal
// or neighbouring exponents that cancel, and such a difference is exact. So rounding up, or the +1 of a subtraction, is
// one late carry into the significands:
//
//   main    m m m m m m m m
//   addend  a a a a a a a a  guard round sticky
//   carry                 +
//
// A sticky bit alone changes no result. A subnormal sum is exact: the normaliser stops at the exponent of the
// subnormals, and there is nothing to round.
//
// A finite sum that overflows gives infinity, with saturate_i the largest number of its sign. Finite is for E4M3 of the
// OCP 8-bit floating-point specification: the top exponent holds numbers too, there is no infinity, NaN is all ones,
// and overflow gives NaN, with saturate_i the largest number.
//
// Limits: sum_i and max_i must not both be set; with neither the operation is min. saturate_i concerns sums alone.
// Latency: Latency cycles, one operation a cycle; with 0 it is combinational.
`default_nettype none

module fred_fp_add #(
  parameter int ExpW = 8,       // exponent bits; 2**(ExpW-1) at least ManW + 4
  parameter int ManW = 7,       // stored significand bits, at least 2
  parameter int Latency = 1,    // register stages, 0..4
  parameter bit Finite = 1'b0   // no infinities
) (
  input  wire logic               clk_i,
  input  wire logic               sum_i,
  input  wire logic               max_i,
  input  wire logic               pass_i,
  input  wire logic               saturate_i,
  input  wire logic [ExpW+ManW:0] a_i,
  input  wire logic [ExpW+ManW:0] b_i,
  output logic      [ExpW+ManW:0] y_o
);

  // Icarus 11 has no elaboration tasks.
`ifndef __ICARUS__
  if ((ManW < 2) || ((1 << (ExpW - 1)) < ManW + 4) || (Latency < 0) || (Latency > 4)) begin : gen_bad_parameter
    $error("fred_fp_add: ManW must be at least 2, 2**(ExpW-1) at least ManW + 4, Latency 0 to 4");
  end
`endif

  localparam int Width = 1 + ExpW + ManW;
  localparam int SigW = ManW + 1;               // significand with its hidden bit
  localparam int AlignW = SigW + 3;             // and guard, round, sticky
  localparam int DistanceW = $clog2(ManW + 4);  // bits of a distance at which there is more than a sticky bit
  localparam int CountW = $clog2(SigW + 1);     // bits of a count of leading zeros
  localparam int UpperW = ExpW - CountW;        // exponent bits above that

  // --- Pick: larger and smaller operand, specials ---
  logic [Width-1:0]     main_d, main_p;
  logic [ManW:0]        addend_d, addend_p;
  logic [DistanceW-1:0] distance_d, distance_p;
  logic                 normal_d, gone_d, alone_d, subtract_d;
  logic                 normal_p, gone_p, alone_p, subtract_p, saturate_p;

  fred_fp_pick #(
    .ExpW(ExpW),
    .ManW(ManW),
    .Finite(Finite)
  ) u_pick (
    .sum_i(sum_i),
    .max_i(max_i),
    .pass_i(pass_i),
    .a_i(a_i),
    .b_i(b_i),
    .main_o(main_d),
    .addend_o(addend_d),
    .distance_o(distance_d),
    .gone_o(gone_d),
    .alone_o(alone_d),
    .subtract_o(subtract_d)
  );

  assign normal_d = |main_d[Width-2:ManW];

  fred_delay #(
    .Width(Width + SigW + DistanceW + 5),
    .Depth((Latency >= 4) ? 1 : 0)
  ) u_cut_pick (
    .clk_i(clk_i),
    .data_i({main_d, addend_d, distance_d, normal_d, gone_d, alone_d, subtract_d, saturate_i}),
    .data_o({main_p, addend_p, distance_p, normal_p, gone_p, alone_p, subtract_p, saturate_p})
  );

  // --- Align the addend ---
  logic [AlignW-1:0] aligned_d, aligned;
  logic [Width-1:0]  main;
  logic              normal, alone_a, subtract, saturate_a;

  fred_shift_sticky #(
    .Width(AlignW),
    .AmountW(DistanceW)
  ) u_align (
    .d_i({addend_p, 3'b000}),
    .amount_i(distance_p),
    .gone_i(gone_p),
    .y_o(aligned_d)
  );

  fred_delay #(
    .Width(Width + AlignW + 4),
    .Depth((Latency >= 2) ? 1 : 0)
  ) u_cut_align (
    .clk_i(clk_i),
    .data_i({main_p, aligned_d, normal_p, alone_p, subtract_p, saturate_p}),
    .data_o({main, aligned, normal, alone_a, subtract, saturate_a})
  );

  // --- Add or subtract, without the carry from guard, round and sticky ---
  logic [SigW-1:0] m, addend;
  logic [SigW:0]   sum;
  logic            guard, round, sticky;
  assign m = {normal, main[ManW-1:0]};
  assign addend = aligned[AlignW-1:3] ^ {SigW{subtract}};
  assign {guard, round, sticky} = aligned[2:0];
  assign sum = {1'b0, m} + {1'b0, addend};

  // --- Round: which place is the last one depends on the leading bits of the sum ---
  //   sum with a carry       the last place is 1, half of it is sum[0]
  //   sum without            the last place is 0, half is guard
  //   difference from 1      the last place is 0
  //   difference below 1     the last place is that of guard; no more than half of it can be missing
  logic up_sum, up_difference, up_close, up, close;
  assign up_sum = sum[SigW] ? sum[0] & (sum[1] | guard | round | sticky) : guard & (sum[0] | round | sticky);
  assign up_difference = ~guard | (sum[0] & ~(round | sticky));
  assign up_close      = ~guard & ~(round & sticky);
  assign close         = subtract & ~sum[SigW-1];
  assign up            = subtract ? (close ? up_close : up_difference) : up_sum;

  logic [SigW-1:0] rounded_d, rounded;
  logic [ExpW-1:0] weight_d, weight;  // exponent, 1 for subnormals
  logic            sign_d, last_d, wide_d, carry_d, zero_d, all_ones;
  logic            sign, last, wide, carry, zero, alone, saturate;
  assign rounded_d = m + addend + SigW'(up);
  assign last_d    = guard ? ~round : round & sticky;  // the place below, if it is close
  assign wide_d    = ~close;
  assign all_ones  = &(m ^ addend);  // so sum is all ones and makes no carry
  assign carry_d   = ~subtract & (sum[SigW] | (all_ones & guard));
  assign zero_d    = subtract & all_ones;
  assign sign_d    = main[Width-1] & ~zero_d;  // x - x is +0
  assign weight_d  = {main[Width-2:ManW+1], main[ManW] | ~normal};

  fred_delay #(
    .Width(ExpW + SigW + 7),
    .Depth((Latency >= 3) ? 1 : 0)
  ) u_cut_sum (
    .clk_i(clk_i),
    .data_i({sign_d, weight_d, rounded_d, last_d, wide_d, carry_d, zero_d, alone_a, saturate_a}),
    .data_o({sign, weight, rounded, last, wide, carry, zero, alone, saturate})
  );

  // --- Normalise, not beyond the exponent of the subnormals ---
  logic [SigW:0]     mark, normalised;
  logic [CountW-1:0] count;

  // The shift ends where the weight would become 1. Marks below the first do not matter, so each only has to be
  // right for weights of s and above: s itself is within the bits of s, nothing above it is.
  assign mark[SigW] = wide | (weight == ExpW'(1));
  for (genvar s = 2; s <= SigW; s++) begin : gen_mark
    assign mark[SigW+1-s] = (weight | ExpW'(s)) == ExpW'(s);
  end
  assign mark[0] = 1'b0;

  fred_normalise #(
    .Width(SigW + 1),
    .CountW(CountW)
  ) u_normalise (
    .d_i({rounded, last}),
    .mark_i(mark),
    .count_o(count),
    .y_o(normalised)
  );

  // --- Exponent: one more on a carry, else less by the count ---
  logic              overflow, hold;
  logic [ExpW-1:0]   exp, higher;
  logic [CountW:0]   lower;  // with a borrow
  logic [UpperW-1:0] upper;
  assign overflow = carry & (&weight[ExpW-1:1]) & (~Finite | weight[0]);
  assign hold     = overflow & saturate & ~Finite;
  assign higher   = weight + ExpW'(1);
  assign lower    = {1'b0, weight[CountW-1:0]} - {1'b0, count};
  assign upper    = lower[CountW] ? weight[ExpW-1:CountW] - UpperW'(1) : weight[ExpW-1:CountW];
  assign exp      = (carry & ~hold) ? higher : zero ? '0 : {upper, lower[CountW-1:0]};

  logic [ManW-1:0]  man;
  logic [Width-2:0] y;
  assign man = carry ? rounded[SigW-1:1] & ~{ManW{overflow}} : normalised[SigW-1:1];
  assign y = {exp[ExpW-1:1], exp[0] & (carry | normalised[SigW]), man};

  // --- Overflow: infinity came out above ---
  logic [Width-1:0] y_d;
  if (Finite) begin : gen_finite
    logic nan;
    assign nan = ((&y) | overflow) & ~alone;
    assign y_d[Width-1]   = sign & ~(nan & ~saturate);
    assign y_d[Width-2:1] = y[Width-2:1] | {(Width-2){nan}};
    assign y_d[0]         = nan ? ~saturate : y[0];
  end else begin : gen_infinite
    logic unused_alone;
    assign unused_alone = alone;
    assign y_d = {sign, y[Width-2:ManW], y[ManW-1:0] | {ManW{hold}}};
  end

  fred_delay #(
    .Width(Width),
    .Depth((Latency >= 1) ? 1 : 0)
  ) u_cut_out (
    .clk_i(clk_i),
    .data_i(y_d),
    .data_o(y_o)
  );

endmodule

`default_nettype wire
