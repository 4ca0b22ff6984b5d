// SPDX-License-Identifier: Apache-2.0
// Gives a module its inputs over one pin: a shift register, and a register beside it that takes over all its bits at once.
//
//   serial_i --> chain[0] --> chain[1] --> ... --> chain[Width-1] --> serial_o
//                   |            |                       |
//                data_o[0]    data_o[1]    ...    data_o[Width-1]      with update_i
//
// After Width cycles with shift_i the bit that went in first is the highest.
// Limits: no reset; data_o is undefined until the first update_i.
`default_nettype none

module fred_scan_in #(
  parameter int Width = 8  // bits
) (
  input  wire logic             clk_i,
  input  wire logic             shift_i,
  input  wire logic             update_i,
  input  wire logic             serial_i,
  output logic                  serial_o,
  output logic      [Width-1:0] data_o
);

  logic [Width-1:0] chain_q;
  always_ff @(posedge clk_i) begin
    if (shift_i)  chain_q <= Width'({chain_q, serial_i});
    if (update_i) data_o  <= chain_q;
  end
  assign serial_o = chain_q[Width-1];

endmodule

`default_nettype wire
