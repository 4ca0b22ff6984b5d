// SPDX-License-Identifier: Apache-2.0
// In the place of rtl/fred_ram_async.sv: the same module around the latch array latch_2p.
`default_nettype none

module fred_ram_async #(
  parameter int Width = 8,
  parameter int Depth = 4,
  parameter int AddrW = $clog2(Depth)
) (
  input  wire logic             clk_i,
  input  wire logic             we_i,
  input  wire logic [AddrW-1:0] waddr_i,
  input  wire logic [Width-1:0] wdata_i,
  input  wire logic [AddrW-1:0] raddr_i,
  output logic      [Width-1:0] rdata_o
);

  latch_2p #(.Bits(Width), .Words(Depth)) u_macro (
    .CLK (clk_i),
    .WEN (~we_i),
    .AW  (waddr_i),
    .D   (wdata_i),
    .AR  (raddr_i),
    .Q   (rdata_o)
  );

endmodule

`default_nettype wire
