// SPDX-License-Identifier: Apache-2.0
// Behavioural model of a latch array with one write and one read port, read without a clock. A word that is read in the
// cycle that writes it is unknown until the next one.
`default_nettype none

module latch_2p #(
  parameter int Bits  = 8,
  parameter int Words = 4,
  parameter int AddrW = $clog2(Words)
) (
  input  wire logic             CLK,
  input  wire logic             WEN,
  input  wire logic [AddrW-1:0] AW,
  input  wire logic [Bits-1:0]  D,
  input  wire logic [AddrW-1:0] AR,
  output logic      [Bits-1:0]  Q
);

  logic [Bits-1:0] mem [0:Words-1];

  always_ff @(posedge CLK) if (!WEN) mem[AW] <= D;
  assign Q = (!WEN && (AR == AW)) ? 'x : mem[AR];

endmodule

`default_nettype wire
