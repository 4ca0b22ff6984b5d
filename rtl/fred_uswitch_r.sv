// SPDX-License-Identifier: Apache-2.0
// R, a microswitch of a reducing stage: 2 inputs, one output to each of the Middle middle subnetworks.
//
//             +---------- R ----------+
//   in 0 ---->| colour 0 \            |----> middle 0
//             |           > reduce? > |----> middle 1
//   in 1 ---->| colour 1 /            |----> ...
//             +-----------------------+
//
// A beat goes to the output that its colour names. Two beats of one colour and one mask are of one flow: they are
// reduced, in 0 as the left operand. Any other beat passes unchanged. Everything that travels with the data
// (mask, remaining colours, operation) is delayed by the same Latency cycles. The masks are compared only to detect
// misuse, so the comparison is in nobody's way.
//
// Two beats of one colour and different masks, and a colour that names no output, are a misuse: conflict_o pulses
// one cycle later and what leaves the output is undefined (of two such beats) or nothing (no output).
//
// Limits: a colour is the low ColourW bits of colour_i; with RestW = 0 colour_o is one zero bit an output. Only the
// valid bits are reset.
`default_nettype none

module fred_uswitch_r #(
  parameter int Middle = 2,    // outputs, 2..8
  parameter int Types = 1,     // element types built in, 1..7
  parameter int DTypes = 0,    // their codes (docs/numerics.md), 4 bits each, the first in the low bits
  parameter int Ops = 1,       // operations built in, bit n: the one of code n
  parameter int OpW = 2,       // bits of an operation, type included
  parameter int Width = 32,    // bits of a beat's data
  parameter int MaskW = 4,     // ports of the switch
  parameter int ColourW = 1,   // bits of one colour
  parameter int RestW = 0,     // bits of the colours that later levels consume
  parameter int Latency = 1,   // cycles, at least 1
  parameter int Check = 1,     // 1: conflicts are detected; 0: conflict_o stays 0
  localparam int RestPortW = RestW < 1 ? 1 : RestW
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  input  wire logic [1:0]                   valid_i,
  input  wire logic [2*Width-1:0]           data_i,
  input  wire logic [2*MaskW-1:0]           mask_i,
  input  wire logic [2*(ColourW+RestW)-1:0] colour_i,
  input  wire logic [2*OpW-1:0]             op_i,

  output logic      [Middle-1:0]            valid_o,
  output logic      [Middle*Width-1:0]      data_o,
  output logic      [Middle*MaskW-1:0]      mask_o,
  output logic      [Middle*RestPortW-1:0]  colour_o,
  output logic      [Middle*OpW-1:0]        op_o,

  output logic                              conflict_o
);

`ifndef __ICARUS__
  if (Middle < 2 || (1 << ColourW) < Middle || RestW < 0 || Latency < 1) begin : g_check
    $error("fred_uswitch_r: Middle must be at least 2 and fit ColourW, RestW at least 0, Latency at least 1");
  end
`endif

  // Which input is for which output.
  logic [ColourW-1:0]   colour0, colour1;
  logic [RestPortW-1:0] rest0, rest1;
  logic [Middle-1:0]    wants0, wants1;  // one-hot or zero
  logic                 meet, same_mask;

  assign colour0 = colour_i[ColourW-1:0];
  assign colour1 = colour_i[ColourW+RestW +: ColourW];

  if (RestW == 0) begin : g_no_rest
    assign rest0 = '0;
    assign rest1 = '0;
  end else begin : g_rest
    assign rest0 = colour_i[ColourW +: RestPortW];
    assign rest1 = colour_i[2*ColourW+RestW +: RestPortW];
  end

  for (genvar k = 0; k < Middle; k++) begin : g_wants
    assign wants0[k] = valid_i[0] && colour0 == k[ColourW-1:0];
    assign wants1[k] = valid_i[1] && colour1 == k[ColourW-1:0];
  end

  assign meet      = |(wants0 & wants1);
  assign same_mask = mask_i[0 +: MaskW] == mask_i[MaskW +: MaskW];

  fred_conflict_flag #(
    .Check(Check)
  ) u_conflict (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .conflict_i((meet && !same_mask) || (valid_i[0] && !(|wants0)) || (valid_i[1] && !(|wants1))),
    .conflict_o(conflict_o)
  );

  // Data and what travels with it.
  logic [Width-1:0]     first, second;
  logic [MaskW-1:0]     first_mask, second_mask;
  logic [RestPortW-1:0] first_rest, second_rest;
  logic [OpW-1:0]       first_op, second_op;
  logic [Middle-1:0]    second_sel;  // this output takes in 1, alone

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
    .Width(2 * (MaskW + RestPortW + OpW) + Middle),
    .Depth(Latency)
  ) u_beside (
    .clk_i (clk_i),
    .data_i({mask_i, rest1, rest0, op_i, wants1 & ~wants0}),
    .data_o({second_mask, first_mask, second_rest, first_rest, second_op, first_op, second_sel})
  );

  fred_delay_rst #(
    .Width(Middle),
    .Depth(Latency)
  ) u_valid (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .data_i(wants0 | wants1),
    .data_o(valid_o)
  );

  for (genvar k = 0; k < Middle; k++) begin : g_out
    assign data_o[k*Width +: Width]           = second_sel[k] ? second : first;
    assign mask_o[k*MaskW +: MaskW]           = second_sel[k] ? second_mask : first_mask;
    assign colour_o[k*RestPortW +: RestPortW] = second_sel[k] ? second_rest : first_rest;
    assign op_o[k*OpW +: OpW]                 = second_sel[k] ? second_op : first_op;
  end

endmodule

`default_nettype wire
