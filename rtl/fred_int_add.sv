// SPDX-License-Identifier: Apache-2.0
// Integer reducer: sum (wraps or saturates), minimum or maximum of two operands, or operand a as is.
//
// One adder does all: a + b for the sum, a - b for the comparison, each with one more bit at the top, by which signed
// and unsigned numbers differ. From two stages on it is cut in the middle, the low half in the first cycle and the high
// half in the second:
//
//   low  a,b -> add -> register -----------+-> select -> [delay] -> y
//   high a,b --------> register -> add ----+
//
// Above the cut b and the carry are zero where a passes, so there the sum needs no multiplexer; below it they are not,
// because pass_i may arrive late and the carry chain begins there. In one stage the carry skips a group of bits right
// above the cut: the group finds out on its own whether it makes a carry or hands one on.
//
//   bits   Width-1 .. Low+Group    Low+Group-1 .. Low    Low-1 .. 0
//          high  <-- carry_high -- group  <-- carry ---- low
//
// Limits: Width even, at least 8; which operations exist is up to the inputs; sum_i and max_i must not both be set, with
// neither the operation is min; saturate_i only with sum_i.
// Latency: Latency cycles, one operation a cycle. The third and fourth stage only delay.
`default_nettype none

module fred_int_add #(
  parameter int Width = 32,  // bits, a multiple of 2, at least 8
  parameter int Signed = 1,  // 1: two's complement; 0: unsigned
  parameter int Latency = 1  // register stages, 1..4
) (
  input  wire logic             clk_i,
  input  wire logic             sum_i,
  input  wire logic             saturate_i,  // a sum out of range becomes the nearest number
  input  wire logic             max_i,
  input  wire logic             pass_i,
  input  wire logic [Width-1:0] a_i,
  input  wire logic [Width-1:0] b_i,
  output logic      [Width-1:0] y_o
);

  localparam logic HasSign = Signed != 0;
  localparam int Low   = (Latency == 1) ? Width * 15 / 32 : Width / 2;
  localparam int Group = (Latency == 1) ? Width * 5 / 32 : 0;
  localparam int Upper = Width - Low;  // group and high part
  localparam int High  = Upper - Group;

  // --- Low part ---
  logic         subtract;
  logic [Low:0] low_d, low;
  assign subtract = ~sum_i;
  assign low_d = {1'b0, a_i[Low-1:0]} + {1'b0, b_i[Low-1:0] ^ {Low{subtract}}} + (Low+1)'(subtract);

  logic sum, saturate, max, pass;
  logic [Width-1:0] a, b;

  fred_delay #(
    .Width(4 + 2 * Width + Low + 1),
    .Depth((Latency >= 2) ? 1 : 0)
  ) u_cut_low (
    .clk_i(clk_i),
    .data_i({sum_i, saturate_i, max_i, pass_i, a_i, b_i, low_d}),
    .data_o({sum, saturate, max, pass, a, b, low})
  );

  // --- Group and high part, with one more bit: of a difference it is the sign ---
  logic [Upper:0]   addend;
  logic [Upper-1:0] upper;
  logic             carry, carry_high, top;
  assign carry  = low[Low] & ~pass;
  assign addend = ({HasSign & b[Width-1], b[Width-1:Low]} ^ {(Upper+1){~sum}}) & {(Upper+1){~pass}};

  if (Group == 0) begin : g_no_group
    assign carry_high = carry;
  end else begin : g_group
    logic [Group-1:0] a_group, b_group;
    logic [Group:0]   own;  // what the group makes without a carry from below
    assign a_group = a[Low +: Group];
    assign b_group = addend[Group-1:0];
    assign own     = {1'b0, a_group} + {1'b0, b_group};
    assign carry_high         = own[Group] | (carry & (&(a_group ^ b_group)));
    assign upper[Group-1:0] = a_group + b_group + Group'(carry);
  end
  assign {top, upper[Upper-1:Group]} = {HasSign & a[Width-1], a[Width-1:Low+Group]} + addend[Upper:Group] +
                                       (High+1)'(carry_high);

  // --- A sum is out of range where the top bit is not that of a number of this width ---
  logic             clip;
  logic [Width-1:0] limit;
  assign clip  = saturate & ~pass & (top ^ (HasSign & upper[Upper-1]));
  assign limit = {top, {(Width-1){~(HasSign & top)}}};

  // --- Select: the difference is negative where a < b ---
  logic take_a;
  logic [Width-1:0] added, y_d;
  assign take_a = pass | (top ^ max);
  assign added[Low-1:0]     = (sum & ~pass) ? low[Low-1:0] : take_a ? a[Low-1:0] : b[Low-1:0];
  assign added[Width-1:Low] = sum ? upper : take_a ? a[Width-1:Low] : b[Width-1:Low];
  assign y_d = clip ? limit : added;

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
