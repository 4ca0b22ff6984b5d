// SPDX-License-Identifier: Apache-2.0
// Turns tkeep into a byte count and says whether it is a prefix of ones.
//
// Limits: `count_o` means something only where `prefix_o` is set.
`default_nettype none

module fred_keep_count #(
  parameter int Bytes  = 4,                         // bits of tkeep
  parameter int CountW = $clog2(Bytes + 1)          // bits of the count; leave at its default
) (
  input  wire logic [Bytes-1:0]  keep_i,
  output logic      [CountW-1:0] count_o,
  output logic                   prefix_o
);

  // edge_at[n]: byte n-1 is kept and byte n is not. A prefix has one edge at most.
  logic [Bytes:0] above, below, edge_at;
  assign above   = {1'b0, keep_i};
  assign below   = {keep_i, 1'b1};
  assign edge_at = below & ~above;
  assign prefix_o = ~|(above & ~below);

  for (genvar b = 0; b < CountW; b++) begin : g_bit
    logic [Bytes:0] ones;
    for (genvar n = 0; n <= Bytes; n++) begin : g_edge
      assign ones[n] = ((n >> b) & 1) != 0 ? edge_at[n] : 1'b0;
    end
    assign count_o[b] = |ones;
  end

endmodule

`default_nettype wire
