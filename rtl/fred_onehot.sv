// SPDX-License-Identifier: Apache-2.0
// Decodes a binary index into a one-hot vector; an index of `Count` or more gives all zeros.
`default_nettype none

module fred_onehot #(
  parameter int Count  = 2,                         // bits of the one-hot vector
  parameter int IndexW = 1                          // bits of the index
) (
  input  wire logic [IndexW-1:0] index_i,
  output logic      [Count-1:0]  onehot_o
);

  for (genvar i = 0; i < Count; i++) begin : g_bit
    assign onehot_o[i] = index_i == IndexW'(i);
  end

endmodule

`default_nettype wire
