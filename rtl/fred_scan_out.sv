// SPDX-License-Identifier: Apache-2.0
// Shows a module's outputs on one pin: a register a bit, and a shift register beside it that takes over all of them at
// once.
//
//                data_i[0]    data_i[1]    ...    data_i[Width-1]
//                   |            |                       |
//                 sample       sample                  sample          every cycle
//                   |            |                       |             with update_i, else
//   serial_i --> chain[0] --> chain[1] --> ... --> chain[Width-1] --> serial_o    with shift_i
//
// The highest bit comes out first.
// Limits: no reset. The sample registers stand for themselves so that the chain's multiplexers are not part of the paths
// that end here.
`default_nettype none

module fred_scan_out #(
  parameter int Width = 8  // bits
) (
  input  wire logic             clk_i,
  input  wire logic             shift_i,
  input  wire logic             update_i,
  input  wire logic             serial_i,
  input  wire logic [Width-1:0] data_i,
  output logic                  serial_o
);

  logic [Width-1:0] sample_q, chain_q;
  always_ff @(posedge clk_i) begin
    sample_q <= data_i;
    if (update_i)     chain_q <= sample_q;
    else if (shift_i) chain_q <= Width'({chain_q, serial_i});
  end
  assign serial_o = chain_q[Width-1];

endmodule

`default_nettype wire
