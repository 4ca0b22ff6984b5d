// SPDX-License-Identifier: Apache-2.0
// The conflict flag of a microswitch: the misuse that it sees, one cycle later; nothing where the check is left out.
`default_nettype none

module fred_conflict_flag #(
  parameter int Check = 1  // 1: built in; 0: left out, conflict_o stays 0
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic conflict_i,
  output logic      conflict_o
);

  if (Check != 0) begin : g_check
    logic conflict_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) conflict_q <= 1'b0;
      else         conflict_q <= conflict_i;
    end
    assign conflict_o = conflict_q;
  end else begin : g_none
    logic unused_inputs;
    assign unused_inputs = ^{clk_i, rst_ni, conflict_i};
    assign conflict_o    = 1'b0;
  end

endmodule

`default_nettype wire
