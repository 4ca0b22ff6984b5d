// SPDX-License-Identifier: Apache-2.0
// RD, the microswitch at the centre: 2 inputs, 2 outputs, reduces and distributes.
//
//             +----- RD -----+
//   in 0 ---->| \          / |----> out 0: ports        0 .. SplitAt-1 of the mask
//             |  > reduce? > |
//   in 1 ---->| /          \ |----> out 1: ports SplitAt .. MaskW-1
//             +--------------+
//
// A beat goes to each output that has a port of its mask. Two beats of equal masks are of one flow: they are reduced,
// in 0 as the left operand. Two beats for different outputs pass by each other, and any lone beat passes unchanged.
// Two beats of different masks for one output are a misuse: conflict_o pulses one cycle later, the output is
// undefined. From here on a beat's mask bits are its valid bits: mask_o is zero where no beat is, also after reset.
//
// Limits: a valid beat of an empty mask vanishes.
`default_nettype none

module fred_uswitch_rd #(
  parameter int Types = 1,     // element types built in, 1..7
  parameter int DTypes = 0,    // their codes (docs/numerics.md), 4 bits each, the first in the low bits
  parameter int Ops = 1,       // operations built in, bit n: the one of code n
  parameter int OpW = 2,       // bits of an operation, type included
  parameter int Width = 32,    // bits of a beat's data
  parameter int MaskW = 2,     // ports of the switch
  parameter int SplitAt = 1,   // ports of output 0, 1..MaskW-1
  parameter int Latency = 1,   // cycles, at least 1
  parameter int Check = 1      // 1: conflicts are detected; 0: conflict_o stays 0
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic [1:0]         valid_i,
  input  wire logic [2*Width-1:0] data_i,
  input  wire logic [2*MaskW-1:0] mask_i,
  input  wire logic [2*OpW-1:0]   op_i,

  output logic      [MaskW-1:0]   mask_o,
  output logic      [2*Width-1:0] data_o,

  output logic                    conflict_o
);

`ifndef __ICARUS__
  if (SplitAt < 1 || SplitAt >= MaskW || Latency < 1) begin : g_check
    $error("fred_uswitch_rd: SplitAt must be in 1..MaskW-1, Latency at least 1");
  end
`endif

  // Which input is for which output.
  logic [MaskW-1:0] mask0, mask1;   // zero where no beat is
  logic [1:0]       wants0, wants1;
  logic             meet, same_mask;
  logic [MaskW-1:0] mask_d;

  assign mask0 = mask_i[0 +: MaskW] & {MaskW{valid_i[0]}};
  assign mask1 = mask_i[MaskW +: MaskW] & {MaskW{valid_i[1]}};
  assign wants0 = {|mask0[MaskW-1:SplitAt], |mask0[SplitAt-1:0]};
  assign wants1 = {|mask1[MaskW-1:SplitAt], |mask1[SplitAt-1:0]};
  assign meet = |(wants0 & wants1);
  assign same_mask = mask0 == mask1;
  assign mask_d = {wants0[1] ? mask0[MaskW-1:SplitAt] : mask1[MaskW-1:SplitAt],
                   wants0[0] ? mask0[SplitAt-1:0] : mask1[SplitAt-1:0]};

  fred_conflict_flag #(
    .Check(Check)
  ) u_conflict (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .conflict_i(meet && !same_mask),
    .conflict_o(conflict_o)
  );

  // Data and what travels with it.
  logic [Width-1:0] first, second;
  logic [1:0]       second_sel;  // this output takes in 1, alone
  logic             unused_op;

  assign unused_op = ^op_i[2*OpW-1:OpW];  // equal to the other where it matters

  fred_merge #(
    .Types  (Types),
    .DTypes (DTypes),
    .Ops    (Ops),
    .OpW    (OpW),
    .Width  (Width),
    .Latency(Latency)
  ) u_merge (
    .clk_i   (clk_i),
    .reduce_i(meet),
    .op_i    (op_i[OpW-1:0]),
    .data0_i (data_i[0 +: Width]),
    .data1_i (data_i[Width +: Width]),
    .first_o (first),
    .second_o(second)
  );

  fred_delay #(
    .Width(2),
    .Depth(Latency)
  ) u_select (
    .clk_i (clk_i),
    .data_i(wants1 & ~wants0),
    .data_o(second_sel)
  );

  fred_delay_rst #(
    .Width(MaskW),
    .Depth(Latency)
  ) u_mask (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .data_i(mask_d),
    .data_o(mask_o)
  );

  for (genvar k = 0; k < 2; k++) begin : g_out
    assign data_o[k*Width +: Width] = second_sel[k] ? second : first;
  end

endmodule

`default_nettype wire
