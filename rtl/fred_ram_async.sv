// SPDX-License-Identifier: Apache-2.0
// A small memory with one write and one read port, read without a clock: distributed memory, or registers.
//
// Limits: reading a word in the cycle that writes it gives the old content. The content after power-up is undefined;
// there is no reset. To use a compiled macro replace this file (docs/memories.md).
`default_nettype none

module fred_ram_async #(
  parameter int Width = 8,                          // bits of a word
  parameter int Depth = 4,                          // words, 2 or more
  parameter int AddrW = $clog2(Depth)               // bits of an address; leave at its default
) (
  input  wire logic             clk_i,
  input  wire logic             we_i,
  input  wire logic [AddrW-1:0] waddr_i,
  input  wire logic [Width-1:0] wdata_i,
  input  wire logic [AddrW-1:0] raddr_i,
  output logic      [Width-1:0] rdata_o
);

  logic [Width-1:0] mem [0:Depth-1];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  assign rdata_o = mem[raddr_i];

endmodule

`default_nettype wire
