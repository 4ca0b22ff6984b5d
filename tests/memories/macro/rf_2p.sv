// SPDX-License-Identifier: Apache-2.0
// Behavioural model of a compiled two-port memory as a foundry delivers it: port A reads, port B writes, enables active
// low, one clock. As hostile as such macros are: words are unknown until written, and a word that is read in the cycle
// that writes it comes out unknown.
`default_nettype none

module rf_2p #(
  parameter int Bits  = 8,
  parameter int Words = 4,
  parameter int AddrW = $clog2(Words)
) (
  input  wire logic             CLK,
  input  wire logic             CENA,
  input  wire logic [AddrW-1:0] AA,
  output logic      [Bits-1:0]  QA,
  input  wire logic             CENB,
  input  wire logic [AddrW-1:0] AB,
  input  wire logic [Bits-1:0]  DB
);

  logic [Bits-1:0] mem [0:Words-1];

  always_ff @(posedge CLK) begin
    if (!CENB) mem[AB] <= DB;
    if (!CENA) QA <= (!CENB && (AA == AB)) ? 'x : mem[AA];
  end

endmodule

`default_nettype wire
