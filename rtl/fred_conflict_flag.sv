// SPDX-License-Identifier: Apache-2.0
// The conflict flag of a microswitch: the misuse that it sees, one cycle later or at once; nothing where the check is
// left out.
`default_nettype none

module fred_conflict_flag #(
  parameter int Check      = 1, // 1: built in; 0: left out, conflict_o stays 0
  parameter int Registered = 1  // 1: one cycle later; 0: at once
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic conflict_i,
  output logic      conflict_o
);

  if (Check != 0) begin : g_check
    fred_delay_rst #(.Width(1), .Depth(Registered)) u_delay (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .data_i (conflict_i),
      .data_o (conflict_o)
    );
  end else begin : g_none
    logic unused_inputs;
    assign unused_inputs = ^{clk_i, rst_ni, conflict_i};
    assign conflict_o    = 1'b0;
  end

endmodule

`default_nettype wire
