// SPDX-License-Identifier: Apache-2.0
// Which egress ports get a beat in this cycle in which circuit, and which are inside a packet there.
//
// A packet's first beat takes all its egress ports in its circuit at once and its last beat frees them, so the packets
// of two launches never interleave in a circuit of a port. Egress port q, circuit v is at [q*V + v].
`default_nettype none

module fred_egress_locks #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, circuits of a port
  parameter int Descriptors = 8                     // D, entries of the descriptor table
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  // Tree collectives, by descriptor.
  input  wire logic [Descriptors-1:0]       grant_i,
  input  wire logic [Descriptors*Ports*Vcs-1:0] circuit_i, // one-hot, of descriptor d at port q
  input  wire logic [Descriptors*Ports-1:0] deliver_i,     // zero for send and all-to-all
  input  wire logic [Descriptors-1:0]       last_i,
  // Sends and all-to-all, by ingress port and circuit.
  input  wire logic [Ports*Vcs-1:0]         launch_i,
  input  wire logic [Ports*Vcs*Ports-1:0]   dest_i,        // one-hot; zero for a tree collective
  input  wire logic [Ports*Vcs-1:0]         ends_i,
  input  wire logic [Ports*Vcs-1:0]         closed_i,      // its open packet has been closed
  output logic      [Ports*Vcs-1:0]         take_o,
  output logic      [Ports*Vcs-1:0]         busy_o
);

  for (genvar q = 0; q < Ports; q++) begin : g_egress
    for (genvar v = 0; v < Vcs; v++) begin : g_vc
      logic [Descriptors-1:0] tree;
      logic [Ports-1:0]       own, ends;
      for (genvar d = 0; d < Descriptors; d++) begin : g_tree
        assign tree[d] = grant_i[d] & deliver_i[d*Ports + q] & circuit_i[(d*Ports + q)*Vcs + v];
      end
      for (genvar p = 0; p < Ports; p++) begin : g_own
        assign own[p]  = launch_i[p*Vcs + v] & dest_i[(p*Vcs + v)*Ports + q];
        assign ends[p] = ends_i[p*Vcs + v];
      end
      assign take_o[q*Vcs + v] = (|tree) | (|own);
      always_ff @(posedge clk_i) begin
        if (!rst_ni) busy_o[q*Vcs + v] <= 1'b0;
        else if (take_o[q*Vcs + v]) busy_o[q*Vcs + v] <= ~((|(tree & last_i)) | (|(own & ends)));
        else if (closed_i[q*Vcs + v]) busy_o[q*Vcs + v] <= 1'b0;
      end
    end
  end

endmodule

`default_nettype wire
