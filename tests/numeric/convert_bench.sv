// SPDX-License-Identifier: Apache-2.0
// Every pair of element type and accumulation type: fred_widen and fred_narrow side by side, for convert_test.cpp.
//
// Pair n has results of 64 bits in wide_o[64*n +: 64] and narrow_o[64*n +: 64]; Pairs lists {from, to} in 8 bits each,
// in the order of convert_pairs in convert_test.cpp.
`default_nettype none

module convert_bench (
  input  wire logic          raw_i,
  input  wire logic          saturate_i,
  input  wire logic [31:0]   element_i,               // the low bits are what is widened
  input  wire logic [63:0]   sum_i,                   // and what is narrowed
  output logic      [2047:0] wide_o,
  output logic      [2047:0] narrow_o
);

  function automatic int bits_of(input int code);
    if ((code == 6) || (code == 10) || (code == 13)) bits_of = 64;
    else if ((code == 0) || (code == 3) || (code == 9)) bits_of = 32;
    else if ((code == 5) || (code == 7) || (code == 11) || (code == 12)) bits_of = 8;
    else bits_of = 16;
  endfunction

  localparam int Count = 32;
  // Signed, unsigned, floating point; {from, to}, the first pair in the low bits.
  localparam logic [8*Count-1:0] Pairs = {
    8'h3d, 8'h2d, 8'h1d, 8'hcd, 8'hbd, 8'h23, 8'h13, 8'hc3, 8'hb3, 8'hc2, 8'hb2, 8'hc1, 8'hb1, 8'h33, 8'hbb, 8'h22,
    8'h9a, 8'h8a, 8'h7a, 8'h89, 8'h79, 8'h78, 8'h99, 8'h77, 8'h06, 8'h46, 8'h56, 8'h40, 8'h50, 8'h54, 8'h00, 8'h55};

  for (genvar n = 0; n < Count; n++) begin : gen_pair
    localparam int From  = int'(Pairs[8*n+4 +: 4]);
    localparam int To    = int'(Pairs[8*n +: 4]);
    localparam int FromW = bits_of(From);
    localparam int ToW   = bits_of(To);
    logic [FromW-1:0] narrow;
    logic [ToW-1:0]   wide;
    fred_widen #(.From(From), .To(To), .FromW(FromW), .ToW(ToW)) u_widen (
      .raw_i (raw_i),
      .d_i   (element_i[FromW-1:0]),
      .y_o   (wide)
    );
    fred_narrow #(.From(To), .To(From), .FromW(ToW), .ToW(FromW)) u_narrow (
      .raw_i      (raw_i),
      .saturate_i (saturate_i),
      .d_i        (sum_i[ToW-1:0]),
      .y_o        (narrow)
    );
    assign wide_o[64*n +: 64]   = 64'(wide);
    assign narrow_o[64*n +: 64] = 64'(narrow);
  end

endmodule

`default_nettype wire
