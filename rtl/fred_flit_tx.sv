// SPDX-License-Identifier: Apache-2.0
// A flit to the words of a link, with its CRC-32.
//
//   flit --[register]--> word 0 .. Words-1 --> CRC --[register]--> phy
//
// The flit, filled up with zeros, is Words words of PhyW bits, the lowest first; the top 32 bits of the last word are the
// CRC of all of them (zeros in their place). A flit begins as soon as the one before has gone: the link never rests, so
// what the far end hears, or does not, always says something of the link.
//
// Limits: Words * PhyW >= FlitW + 32, PhyW >= 33.
`default_nettype none

module fred_flit_tx #(
  parameter int FlitW = 96,                         // bits of a flit
  parameter int Words = 1,                          // words of a flit
  parameter int PhyW  = 128                         // bits of a word
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  output logic                  take_o,             // flit_i is taken in this cycle
  input  wire logic [FlitW-1:0] flit_i,
  // To the transceiver: a word is sent in a cycle with valid and ready; first: it begins a flit.
  output logic                  phy_valid_o,
  input  wire logic             phy_ready_i,
  output logic                  phy_first_o,
  output logic      [PhyW-1:0]  phy_data_o
);

`ifndef __ICARUS__
  if (Words * PhyW < FlitW + 32 || PhyW < 33) begin : g_check_width
    $error("fred_flit_tx: Words * PhyW must be FlitW + 32 or more, and PhyW 33 or more");
  end
`endif

  localparam int BodyW  = Words * PhyW - 32;
  localparam int IndexW = Words > 1 ? $clog2(Words) : 1;
  logic [BodyW-1:0]      body_q;
  logic [Words*PhyW-1:0] words;
  logic [IndexW-1:0]     index_q;
  logic [PhyW-1:0]       word;
  logic [31:0]           crc_q, crc_d;
  logic                  have_q, step, first, last;
  assign words  = {32'd0, body_q};
  assign step   = ~phy_valid_o | phy_ready_i;
  assign first  = index_q == '0;
  assign last   = index_q == IndexW'(Words - 1);
  assign take_o = ~have_q | (step & last);
  if (Words > 1) begin : g_word
    logic [Words-1:0] at;
    fred_onehot #(.Count(Words), .IndexW(IndexW)) u_at (.index_i(index_q), .onehot_o(at));
    fred_select #(.Width(PhyW), .Count(Words)) u_word (.select_i(at), .data_i(words), .data_o(word));
  end else begin : g_one_word
    assign word = words;
  end
  fred_crc32 #(.Width(PhyW)) u_crc (.crc_i(first ? 32'hffff_ffff : crc_q), .data_i(word), .crc_o(crc_d));

  always_ff @(posedge clk_i) begin
    if (take_o) body_q <= BodyW'(flit_i);
    if (!rst_ni) begin
      have_q      <= 1'b0;
      index_q     <= '0;
      phy_valid_o <= 1'b0;
    end else begin
      have_q <= 1'b1;
      if (step) begin
        phy_valid_o <= have_q;
        if (have_q) index_q <= last ? '0 : index_q + IndexW'(1);
      end
    end
    if (step) begin
      crc_q       <= crc_d;
      phy_first_o <= first;
      phy_data_o  <= word | {last ? ~crc_d : 32'd0, {(PhyW-32){1'b0}}};
    end
  end

endmodule

`default_nettype wire
