// SPDX-License-Identifier: Apache-2.0
// Do the selected words all agree? And what is their common value?
`default_nettype none

module fred_agree #(
  parameter int Width = 4,                          // bits of a word
  parameter int Count = 4                           // words
) (
  input  wire logic [Count-1:0]       select_i,
  input  wire logic [Count*Width-1:0] data_i,       // word n at [n*Width +: Width]
  output logic      [Width-1:0]       value_o,      // OR of the selected words: their value where they agree
  output logic                        differ_o      // at least two selected words differ
);

  logic [Width-1:0] split;
  for (genvar b = 0; b < Width; b++) begin : g_bit
    logic [Count-1:0] column;
    for (genvar n = 0; n < Count; n++) begin : g_word
      assign column[n] = data_i[n*Width + b];
    end
    assign value_o[b] = |(select_i & column);
    assign split[b]   = value_o[b] & |(select_i & ~column);
  end
  assign differ_o = |split;

endmodule

`default_nettype wire
