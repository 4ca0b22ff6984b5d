// SPDX-License-Identifier: Apache-2.0
// Compares what leaves the network with what has been launched for each egress port. Flows that meet in the network may
// lose beats or send them elsewhere; what is due is stored all the same, so that places and packets stay whole, and the
// cycle counts as one of a conflict.
`default_nettype none

module fred_arrivals #(
  parameter int Ports = 8                           // P, ports of the switch
) (
  input  wire logic [Ports-1:0] due_i,              // a beat was launched for the port, L cycles ago
  input  wire logic [Ports-1:0] came_i,             // a beat leaves the network
  input  wire logic             conflict_i,         // flows have met
  output logic                  conflict_o
);

  assign conflict_o = conflict_i | (due_i != came_i);

endmodule

`default_nettype wire
