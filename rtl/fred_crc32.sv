// SPDX-License-Identifier: Apache-2.0
// CRC-32 of one word, all its bits at once: the polynomial of IEEE 802.3 (clause 3.2.9), the highest bit first, no
// reflection. Words of a message follow each other: `crc_o` of one is `crc_i` of the next. With ones as the first
// `crc_i`, and `crc_o` of the last inverted, this is the CRC-32/BZIP2 of the catalogues.
//
//   crc_o[i] = xor of the bits of (data ^ crc at the top) whose power of x has bit i, modulo the polynomial
//
// Finds every burst of up to 32 bits, and up to 4 wrong bits in up to 2974 (Koopman, DSN 2002).
// Limits: Width 33 or more. One level of exclusive-or trees, about log2(Width / 2) deep: nothing is registered here.
`default_nettype none

module fred_crc32 #(
  parameter int Width = 64                          // bits of a word
) (
  input  wire logic [31:0]      crc_i,
  input  wire logic [Width-1:0] data_i,
  output logic      [31:0]      crc_o
);

`ifndef __ICARUS__
  if (Width < 33) begin : g_check_width
    $error("fred_crc32: Width must be 33 or more");
  end
`endif

  // Row n at [32n +: 32]: x^(32 + n) modulo the polynomial.
  function automatic [32*Width-1:0] powers(input [31:0] polynomial);
    integer n;
    logic [31:0] power;
    begin
      power = polynomial;
      for (n = 0; n < Width; n = n + 1) begin
        powers[32*n +: 32] = power;
        power = {power[30:0], 1'b0} ^ (power[31] ? polynomial : 32'd0);
      end
    end
  endfunction
  localparam logic [32*Width-1:0] Powers = powers(32'h04c1_1db7);

  logic [Width-1:0] word;
  assign word = data_i ^ {crc_i, {(Width-32){1'b0}}};
  for (genvar i = 0; i < 32; i++) begin : g_bit
    logic [Width-1:0] column;
    for (genvar n = 0; n < Width; n++) begin : g_row
      assign column[n] = Powers[32*n + i];
    end
    assign crc_o[i] = ^(word & column);
  end

endmodule

`default_nettype wire
