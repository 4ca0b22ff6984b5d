// SPDX-License-Identifier: Apache-2.0
// Errors and status of a switch without registers (fred gen --static), as pins: error_o has the bits of the register
// ERROR but that of parity, sticky until they are cleared, the others a bit a descriptor.
`default_nettype none

module fred_fixed_status #(
  parameter int Queues      = 8,                    // ports times virtual circuits
  parameter int Descriptors = 8,                    // D, descriptors
  localparam int Errors     = 8                     // bits of ERROR, without parity
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  // Causes.
  input  wire logic                         conflict_i,
  input  wire logic [Descriptors-1:0]       halt_i,
  input  wire logic [Queues-1:0]            head_stale_i,
  input  wire logic [Queues-1:0]            head_unknown_i,
  input  wire logic [Queues-1:0]            head_framing_i,
  input  wire logic [Queues-1:0]            head_vc_i,
  input  wire logic [Queues-1:0]            member_error_i,
  input  wire logic [Descriptors-1:0]       hangs_now_i,
  input  wire logic [Descriptors-1:0]       holds_i,
  input  wire logic [Descriptors-1:0]       in_use_i,
  input  wire logic [Descriptors-1:0]       hangs_i,
  // Pins.
  input  wire logic [Errors-1:0]            error_clear_i,
  output logic      [Errors-1:0]            error_o,
  output logic      [Descriptors-1:0]       halted_o,
  output logic      [Descriptors-1:0]       busy_o,
  output logic      [Descriptors-1:0]       hangs_o
);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      error_o  <= '0;
      halted_o <= '0;
      busy_o   <= '0;
      hangs_o  <= '0;
    end else begin
      error_o <= (error_o & ~error_clear_i) | {|hangs_now_i, |head_vc_i, |head_framing_i, |member_error_i,
                                               |head_unknown_i, |head_stale_i, |halt_i, conflict_i};
      halted_o <= holds_i;
      busy_o   <= in_use_i;
      hangs_o  <= hangs_i;
    end
  end

endmodule

`default_nettype wire
