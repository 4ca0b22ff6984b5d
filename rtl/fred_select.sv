// SPDX-License-Identifier: Apache-2.0
// One-hot multiplexer: the OR of the words whose select bit is set; zero where none is.
//
// More than one select bit may be set where all selected words are known to be equal.
`default_nettype none

module fred_select #(
  parameter int Width = 8,                          // bits of a word
  parameter int Count = 2                           // words
) (
  input  wire logic [Count-1:0]       select_i,
  input  wire logic [Count*Width-1:0] data_i,       // word n at [n*Width +: Width]
  output logic      [Width-1:0]       data_o
);

  for (genvar b = 0; b < Width; b++) begin : g_bit
    logic [Count-1:0] column;
    for (genvar n = 0; n < Count; n++) begin : g_word
      assign column[n] = data_i[n*Width + b];
    end
    assign data_o[b] = |(column & select_i);
  end

endmodule

`default_nettype wire
