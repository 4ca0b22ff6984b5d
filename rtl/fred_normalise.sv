// SPDX-License-Identifier: Apache-2.0
// Left shift that brings the leading one to the top, but stops at a mark: count_o is the smaller of the leading
// zeros of d_i and of mark_i.
//
// The mark is how gradual underflow costs no path of its own: a one where the exponent would reach that of the
// subnormals ends the search there. Each step looks at the upper half of what is left of the search word, and the same
// bit shifts the data, so counting and shifting overlap:
//
//   search  |upper|lower| -> upper zero? -> keep the half with the leading one -> ...
//   data    --------------> shift by a half or not ------------------------> ... -> y_o
//
// Limits: where both words are zero, count_o is meaningless; y_o is zero all the same.
// Latency: none, combinational.
`default_nettype none

module fred_normalise #(
  parameter int Width = 12,  // bits of the data, 3..64
  parameter int CountW = 4   // bits of the count: ceil(log2(Width))
) (
  input  wire logic [Width-1:0]  d_i,
  input  wire logic [Width-1:0]  mark_i,
  output logic      [CountW-1:0] count_o,
  output logic      [Width-1:0]  y_o
);

  localparam int SearchW = 1 << CountW;

  // Step s shifts by Half = 2**(CountW-1-s) or not.
  for (genvar s = 0; s < CountW; s++) begin : gen_step
    localparam int Half = SearchW >> (s + 1);
    logic [2*Half-1:0] search;
    logic [Half-1:0]   found;
    logic [Width-1:0]  in;
    logic [Width-1:0]  out;
    logic              empty;
    if (s == 0) begin : gen_first
      if (SearchW > Width) begin : gen_pad
        assign search = {d_i | mark_i, {(SearchW-Width){1'b0}}};
      end else begin : gen_exact
        assign search = d_i | mark_i;
      end
      assign in = d_i;
    end else begin : gen_next
      assign search = gen_step[s-1].found;
      assign in = gen_step[s-1].out;
    end
    assign empty = ~|search[2*Half-1:Half];
    assign found = empty ? search[Half-1:0] : search[2*Half-1:Half];
    assign out = empty ? {in[Width-1-Half:0], {Half{1'b0}}} : in;
    assign count_o[CountW-1-s] = empty;
  end

  assign y_o = gen_step[CountW-1].out;

  logic unused_found;
  assign unused_found = gen_step[CountW-1].found;

endmodule

`default_nettype wire
