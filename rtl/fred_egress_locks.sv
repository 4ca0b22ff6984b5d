// SPDX-License-Identifier: Apache-2.0
// Which egress ports get a beat in this cycle, and which are inside a packet.
//
// A packet's first beat takes all its egress ports at once and its last beat frees them, so the packets of two launches
// never interleave on a port.
`default_nettype none

module fred_egress_locks #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int Descriptors = 8                     // entries of the descriptor table
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  // Tree collectives, by descriptor.
  input  wire logic [Descriptors-1:0]       grant_i,
  input  wire logic [Descriptors*Ports-1:0] deliver_i,     // zero for send and all-to-all
  input  wire logic [Descriptors-1:0]       last_i,
  // Sends and all-to-all, by port.
  input  wire logic [Ports-1:0]             launch_i,
  input  wire logic [Ports*Ports-1:0]       dest_i,        // one-hot; zero for a tree collective
  input  wire logic [Ports-1:0]             ends_i,
  output logic      [Ports-1:0]             take_o,
  output logic      [Ports-1:0]             busy_o
);

  for (genvar q = 0; q < Ports; q++) begin : g_egress
    logic [Descriptors-1:0] tree;
    logic [Ports-1:0]       own;
    for (genvar d = 0; d < Descriptors; d++) begin : g_tree
      assign tree[d] = grant_i[d] & deliver_i[d*Ports + q];
    end
    for (genvar p = 0; p < Ports; p++) begin : g_own
      assign own[p] = launch_i[p] & dest_i[p*Ports + q];
    end
    assign take_o[q] = (|tree) | (|own);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_o[q] <= 1'b0;
      else if (take_o[q]) busy_o[q] <= ~((|(tree & last_i)) | (|(own & ends_i)));
    end
  end

endmodule

`default_nettype wire
