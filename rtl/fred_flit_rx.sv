// SPDX-License-Identifier: Apache-2.0
// The words of a link to flits, of which only those with the right CRC-32 are good (fred_flit_tx).
//
//   phy --[register]--> CRC --> compare with the top of the last word --[register]--> flit
//
// A word that begins a flit in the middle of another one ends that one as bad; words before the first beginning, or
// behind a flit's last, are passed over, so words that get lost or are made up cost their flits and no more.
`default_nettype none

module fred_flit_rx #(
  parameter int FlitW = 96,                         // bits of a flit
  parameter int Words = 1,                          // words of a flit
  parameter int PhyW  = 128                         // bits of a word
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             phy_valid_i,
  input  wire logic             phy_first_i,        // begins a flit
  input  wire logic [PhyW-1:0]  phy_data_i,
  output logic                  good_o,             // flit_o has come
  output logic                  bad_o,              // one that is not whole or not right
  output logic      [FlitW-1:0] flit_o
);

  localparam int IndexW = $clog2(Words + 1);
  logic                  valid_q, first_q, last, whole, right;
  logic [PhyW-1:0]       data_q, word;
  logic [IndexW-1:0]     next_q, index;             // words that have come; Words: the flit is whole
  logic [31:0]           crc_q, crc_d;
  logic [Words*PhyW-1:0] words;
  assign index = first_q ? '0 : next_q;
  assign last  = index == IndexW'(Words - 1);
  assign whole = next_q == IndexW'(Words);
  assign word  = last ? {32'd0, data_q[PhyW-33:0]} : data_q;
  assign right = crc_d == ~data_q[PhyW-1 -: 32];
  fred_crc32 #(.Width(PhyW)) u_crc (.crc_i(first_q ? 32'hffff_ffff : crc_q), .data_i(word), .crc_o(crc_d));
  if (Words > 1) begin : g_words
    localparam int BeforeW = (Words - 1) * PhyW;
    logic [BeforeW-1:0] words_q;
    always_ff @(posedge clk_i) if (valid_q) words_q <= BeforeW'({data_q, words_q} >> PhyW);
    assign words = {data_q, words_q};
  end else begin : g_one_word
    assign words = data_q;
  end

  logic unused_fill;                                // behind the flit; its CRC is right
  assign unused_fill = ^words[Words*PhyW-1:FlitW];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      next_q  <= IndexW'(Words);
      good_o  <= 1'b0;
      bad_o   <= 1'b0;
    end else begin
      valid_q <= phy_valid_i;
      if (valid_q && (first_q || !whole)) next_q <= index + IndexW'(1);
      good_o  <= valid_q & (first_q | ~whole) & last & right;
      bad_o   <= valid_q & ((first_q & ~whole) | ((first_q | ~whole) & last & ~right));
    end
    first_q <= phy_first_i;
    data_q  <= phy_data_i;
    if (valid_q) begin
      crc_q  <= crc_d;
      flit_o <= words[FlitW-1:0];
    end
  end

endmodule

`default_nettype wire
