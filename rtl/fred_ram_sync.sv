// SPDX-License-Identifier: Apache-2.0
// A memory with one write and one read port, read on the clock: block memory, or distributed where it is small.
//
// `rdata_o` shows, from the cycle after one with `re_i`, the word that was at `raddr_i`, and keeps it until the next read.
// Limits: what a read of a word returns in the cycle that writes it is undefined, though a simulation of this file gives
// the old content; `no_rw_check` says so to Yosys, which otherwise adds a register and a multiplexer a bit. The content
// after power-up is undefined; there is no reset. To use a compiled macro replace this file (docs/memories.md).
`default_nettype none

module fred_ram_sync #(
  parameter int Width = 8,                          // bits of a word
  parameter int Depth = 4,                          // words, 2 or more
  parameter int AddrW = $clog2(Depth)               // bits of an address; leave at its default
) (
  input  wire logic             clk_i,
  input  wire logic             we_i,
  input  wire logic [AddrW-1:0] waddr_i,
  input  wire logic [Width-1:0] wdata_i,
  input  wire logic             re_i,
  input  wire logic [AddrW-1:0] raddr_i,
  output logic      [Width-1:0] rdata_o
);

  (* no_rw_check *) logic [Width-1:0] mem [0:Depth-1];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    if (re_i) rdata_o <= mem[raddr_i];
  end

endmodule

`default_nettype wire
