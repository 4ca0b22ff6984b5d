// SPDX-License-Identifier: Apache-2.0
// A read-only memory of constant words, with a registered output: the place of fred_ram_sync where what it holds is
// known to the generator.
`default_nettype none

module fred_rom_sync #(
  parameter int Width = 8,                          // bits of a word
  parameter int Depth = 4,                          // words, 2 or more
  parameter logic [Depth*Width-1:0] Words = '0,     // word n at [n*Width +: Width]
  localparam int AddrW = $clog2(Depth)
) (
  input  wire logic             clk_i,
  input  wire logic             re_i,
  input  wire logic [AddrW-1:0] raddr_i,
  output logic      [Width-1:0] rdata_o
);

  logic [Depth-1:0] at;
  logic [Width-1:0] word;
  fred_onehot #(.Count(Depth), .IndexW(AddrW)) u_at (.index_i(raddr_i), .onehot_o(at));
  fred_select #(.Width(Width), .Count(Depth)) u_word (.select_i(at), .data_i(Words), .data_o(word));
  always_ff @(posedge clk_i) if (re_i) rdata_o <= word;

endmodule

`default_nettype wire
