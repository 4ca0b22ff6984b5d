// SPDX-License-Identifier: Apache-2.0
// D, a microswitch of a distributing stage: one input from each of the Middle middle subnetworks, 2 outputs.
//
//                  +------- D -------+
//   middle 0 ----->|        +- mux --|----> out 0: ports       0 .. SplitAt-1 of the mask
//   middle 1 ----->|  masks |        |
//   ...      ----->|        +- mux --|----> out 1: ports SplitAt .. MaskW-1
//                  +-----------------+
//
// Each output takes the input whose part of the mask for it is not empty; one input may go to both. Two inputs for one
// output are a misuse: conflict_o pulses one cycle later, the output is undefined.
//
// Limits: the inputs' masks must be zero where no beat is; so are then the outputs' masks.
`default_nettype none

module fred_uswitch_d #(
  parameter int Middle = 2,     // inputs, 2..8
  parameter int Width = 32,     // bits of a beat's data
  parameter int MaskW = 2,      // ports behind both outputs
  parameter int SplitAt = 1,    // ports behind output 0, 1..MaskW-1
  parameter int Registered = 1, // 1: the outputs are registered; 0: wires, for a register shared by several stages
  parameter int Check = 1       // 1: conflicts are detected; 0: conflict_o stays 0
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,

  input  wire logic [Middle*MaskW-1:0] mask_i,
  input  wire logic [Middle*Width-1:0] data_i,

  output logic      [MaskW-1:0]        mask_o,
  output logic      [2*Width-1:0]      data_o,

  output logic                         conflict_o
);

`ifndef __ICARUS__
  if (SplitAt < 1 || SplitAt >= MaskW) begin : g_check
    $error("fred_uswitch_d: SplitAt must be in 1..MaskW-1");
  end
`endif

  localparam int UpperW = MaskW - SplitAt;

  logic [Middle*SplitAt-1:0] lower_mask;
  logic [Middle*UpperW-1:0]  upper_mask;
  logic [1:0]                conflict;

  for (genvar k = 0; k < Middle; k++) begin : g_part
    assign lower_mask[k*SplitAt +: SplitAt] = mask_i[k*MaskW +: SplitAt];
    assign upper_mask[k*UpperW +: UpperW]   = mask_i[k*MaskW+SplitAt +: UpperW];
  end

  fred_odd_mux #(
    .Middle    (Middle),
    .Width     (Width),
    .MaskW     (SplitAt),
    .Registered(Registered),
    .Check     (Check)
  ) u_out0 (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .mask_i    (lower_mask),
    .data_i    (data_i),
    .mask_o    (mask_o[SplitAt-1:0]),
    .data_o    (data_o[0 +: Width]),
    .conflict_o(conflict[0])
  );

  fred_odd_mux #(
    .Middle    (Middle),
    .Width     (Width),
    .MaskW     (UpperW),
    .Registered(Registered),
    .Check     (Check)
  ) u_out1 (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .mask_i    (upper_mask),
    .data_i    (data_i),
    .mask_o    (mask_o[MaskW-1:SplitAt]),
    .data_o    (data_o[Width +: Width]),
    .conflict_o(conflict[1])
  );

  assign conflict_o = |conflict;

endmodule

`default_nettype wire
