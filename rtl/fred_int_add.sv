// SPDX-License-Identifier: Apache-2.0
// Integer reducer: sum (wraps), signed minimum or maximum of two operands, or operand a as is.
//
// One adder does both: a + b for the sum, a - b for the comparison. From two stages on it is cut in the middle, the
// low half in the first cycle and the high half in the second:
//
//   low  a,b -> add -> register -----------+-> select -> [delay] -> y
//   high a,b --------> register -> add ----+
//
// Limits: Width even; which operations exist is up to the inputs; sum_i and max_i must not both be set, with neither
// the operation is min.
// Latency: Latency cycles, one operation a cycle. The third and fourth stage only delay.
`default_nettype none

module fred_int_add #(
  parameter int Width = 32,  // bits, even
  parameter int Latency = 1  // register stages, 1..4
) (
  input  wire logic             clk_i,
  input  wire logic             sum_i,
  input  wire logic             max_i,
  input  wire logic             pass_i,
  input  wire logic [Width-1:0] a_i,
  input  wire logic [Width-1:0] b_i,
  output logic      [Width-1:0] y_o
);

  localparam int Half = Width / 2;

  // --- Low half ---
  logic          subtract;
  logic [Half:0] low_d, low;
  assign subtract = ~sum_i;
  assign low_d = {1'b0, a_i[Half-1:0]} + {1'b0, b_i[Half-1:0] ^ {Half{subtract}}} + (Half+1)'(subtract);

  logic sum, max, pass;
  logic [Width-1:0] a, b;

  fred_delay #(
    .Width(3 + 2 * Width + Half + 1),
    .Depth((Latency >= 2) ? 1 : 0)
  ) u_cut_low (
    .clk_i(clk_i),
    .data_i({sum_i, max_i, pass_i, a_i, b_i, low_d}),
    .data_o({sum, max, pass, a, b, low})
  );

  // --- High half, with one more bit for the sign of the difference ---
  logic [Half:0] high;
  assign high = {a[Width-1], a[Width-1:Half]} + ({b[Width-1], b[Width-1:Half]} ^ {(Half+1){~sum}}) +
                (Half+1)'(low[Half]);

  // --- Select: the difference is negative where a < b ---
  logic take_a;
  logic [Width-1:0] y_d;
  assign take_a = pass | (high[Half] ^ max);
  assign y_d = (sum & ~pass) ? {high[Half-1:0], low[Half-1:0]} : take_a ? a : b;

  fred_delay #(
    .Width(Width),
    .Depth((Latency == 1) ? 1 : Latency - 1)
  ) u_cut_out (
    .clk_i(clk_i),
    .data_i(y_d),
    .data_o(y_o)
  );

endmodule

`default_nettype wire
