// SPDX-License-Identifier: Apache-2.0
// In the place of rtl/fred_ram_sync.sv: the same module around the compiled macro rf_2p.
`default_nettype none

module fred_ram_sync #(
  parameter int Width = 8,
  parameter int Depth = 4,
  parameter int AddrW = $clog2(Depth)
) (
  input  wire logic             clk_i,
  input  wire logic             we_i,
  input  wire logic [AddrW-1:0] waddr_i,
  input  wire logic [Width-1:0] wdata_i,
  input  wire logic             re_i,
  input  wire logic [AddrW-1:0] raddr_i,
  output logic      [Width-1:0] rdata_o
);

  rf_2p #(.Bits(Width), .Words(Depth)) u_macro (
    .CLK  (clk_i),
    .CENA (~re_i),
    .AA   (raddr_i),
    .QA   (rdata_o),
    .CENB (~we_i),
    .AB   (waddr_i),
    .DB   (wdata_i)
  );

endmodule

`default_nettype wire
