// SPDX-License-Identifier: Apache-2.0
// Middle inputs to one output, by mask: the multiplexer through which the last port of an odd FRED_m leaves its
// middle subnetworks, and each of the two halves of D (fred_uswitch_d).
//
//   middle 0 --+
//   middle 1 --+--> [register] --> out     the input whose mask is not empty
//   ...      --+
//
// Two inputs at once are a misuse: conflict_o pulses one cycle later and the output is undefined. mask_o is zero where
// no beat is.
//
// Limits: the inputs' masks must be zero where no beat is.
`default_nettype none

module fred_odd_mux #(
  parameter int Middle = 2,     // inputs, 2..8
  parameter int Width = 32,     // bits of a beat's data
  parameter int MaskW = 1,      // ports behind the output
  parameter int Registered = 1, // 1: the output is registered; 0: wires, for a register shared by several stages
  parameter int Check = 1       // 1: conflicts are detected; 0: conflict_o stays 0
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,

  input  wire logic [Middle*MaskW-1:0] mask_i,
  input  wire logic [Middle*Width-1:0] data_i,

  output logic      [MaskW-1:0]        mask_o,
  output logic      [Width-1:0]        data_o,

  output logic                         conflict_o
);

`ifndef __ICARUS__
  if (Middle < 2 || MaskW < 1 || Registered < 0 || Registered > 1) begin : g_check
    $error("fred_odd_mux: Middle must be at least 2, MaskW at least 1, Registered 0 or 1");
  end
`endif

  // AND-OR, input after input: `upto` is the OR of the inputs 0..k, `again` says that two of them are valid.
  for (genvar k = 0; k < Middle; k++) begin : g_in
    logic [MaskW-1:0] mask, mask_upto;
    logic [Width-1:0] data_upto;
    logic             valid, valid_upto, again;

    assign mask  = mask_i[k*MaskW +: MaskW];
    assign valid = |mask;
    if (k == 0) begin : g_first
      assign mask_upto  = mask;
      assign data_upto  = data_i[0 +: Width] & {Width{valid}};
      assign valid_upto = valid;
      assign again      = 1'b0;
    end else begin : g_next
      assign mask_upto  = g_in[k-1].mask_upto | mask;
      assign data_upto  = g_in[k-1].data_upto | (data_i[k*Width +: Width] & {Width{valid}});
      assign valid_upto = g_in[k-1].valid_upto || valid;
      assign again      = g_in[k-1].again || (g_in[k-1].valid_upto && valid);
    end
  end

  logic unused_valid;
  assign unused_valid = g_in[Middle-1].valid_upto;

  fred_conflict_flag #(
    .Check     (Check),
    .Registered(Registered)
  ) u_conflict (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .conflict_i(g_in[Middle-1].again),
    .conflict_o(conflict_o)
  );

  fred_delay_rst #(
    .Width(MaskW),
    .Depth(Registered)
  ) u_mask (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .data_i(g_in[Middle-1].mask_upto),
    .data_o(mask_o)
  );

  fred_delay #(
    .Width(Width),
    .Depth(Registered)
  ) u_data (
    .clk_i (clk_i),
    .data_i(g_in[Middle-1].data_upto),
    .data_o(data_o)
  );

endmodule

`default_nettype wire
