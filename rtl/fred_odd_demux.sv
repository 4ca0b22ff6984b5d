// SPDX-License-Identifier: Apache-2.0
// The 1-to-Middle demultiplexer through which the last port of an odd FRED_m enters its middle subnetworks.
//
//               +--> middle 0
//   in --> delay +--> middle 1     the output that the beat's colour names; Latency cycles, like the R beside it
//               +--> ...
//
// A colour that names no output is a misuse: conflict_o pulses one cycle later and the beat vanishes.
//
// Limits: as of fred_uswitch_r. Data, mask, colours and operation fan out from one delay line; only the valid bits
// say which output they are for.
`default_nettype none

module fred_odd_demux #(
  parameter int Middle = 2,    // outputs, 2..8
  parameter int OpW = 2,       // bits of an operation, type included
  parameter int Width = 32,    // bits of a beat's data
  parameter int MaskW = 4,     // ports of the switch
  parameter int ColourW = 1,   // bits of one colour
  parameter int RestW = 0,     // bits of the colours that later levels consume
  parameter int Latency = 1,   // cycles, at least 1
  parameter int Check = 1,     // 1: conflicts are detected; 0: conflict_o stays 0
  localparam int RestPortW = RestW < 1 ? 1 : RestW
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  input  wire logic                        valid_i,
  input  wire logic [Width-1:0]            data_i,
  input  wire logic [MaskW-1:0]            mask_i,
  input  wire logic [ColourW+RestW-1:0]    colour_i,
  input  wire logic [OpW-1:0]              op_i,

  output logic      [Middle-1:0]           valid_o,
  output logic      [Middle*Width-1:0]     data_o,
  output logic      [Middle*MaskW-1:0]     mask_o,
  output logic      [Middle*RestPortW-1:0] colour_o,
  output logic      [Middle*OpW-1:0]       op_o,

  output logic                             conflict_o
);

`ifndef __ICARUS__
  if (Middle < 2 || (1 << ColourW) < Middle || RestW < 0 || Latency < 1) begin : g_check
    $error("fred_odd_demux: Middle must be at least 2 and fit ColourW, RestW at least 0, Latency at least 1");
  end
`endif

  logic [ColourW-1:0]   colour;
  logic [RestPortW-1:0] rest;
  logic [Middle-1:0]    wants;

  assign colour = colour_i[ColourW-1:0];

  if (RestW == 0) begin : g_no_rest
    assign rest = '0;
  end else begin : g_rest
    assign rest = colour_i[ColourW +: RestPortW];
  end

  for (genvar k = 0; k < Middle; k++) begin : g_wants
    assign wants[k] = valid_i && colour == k[ColourW-1:0];
  end

  fred_conflict_flag #(
    .Check(Check)
  ) u_conflict (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .conflict_i(valid_i && !(|wants)),
    .conflict_o(conflict_o)
  );

  fred_delay_rst #(
    .Width(Middle),
    .Depth(Latency)
  ) u_valid (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .data_i(wants),
    .data_o(valid_o)
  );

  logic [Width-1:0]     delayed_data;
  logic [MaskW-1:0]     delayed_mask;
  logic [RestPortW-1:0] delayed_rest;
  logic [OpW-1:0]       delayed_op;

  fred_delay #(
    .Width(Width + MaskW + RestPortW + OpW),
    .Depth(Latency)
  ) u_beat (
    .clk_i (clk_i),
    .data_i({data_i, mask_i, rest, op_i}),
    .data_o({delayed_data, delayed_mask, delayed_rest, delayed_op})
  );

  assign data_o   = {Middle{delayed_data}};
  assign mask_o   = {Middle{delayed_mask}};
  assign colour_o = {Middle{delayed_rest}};
  assign op_o     = {Middle{delayed_op}};

endmodule

`default_nettype wire
