// SPDX-License-Identifier: Apache-2.0
// What one descriptor sees: of each ingress port the head that names it, of each egress port its own circuit there.
//
// A head names a descriptor only in the descriptor's own circuit of the port (fred_circuits), so of a port at most one
// does.
// Vectors of heads and egress: port p, circuit v at [p*V + v].
`default_nettype none

module fred_view #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, circuits of a port
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int Tables      = 1,                    // T, all-to-all contexts, 1 or more
  parameter int CountW      = 3,                    // bits of a byte count
  parameter int Index       = 0                     // number of this descriptor
) (
  // Its row of the descriptor table.
  input  wire logic [Ports*Vcs-1:0]             circuit_i,   // one-hot of each port
  input  wire logic [Tables-1:0]                uses_i,      // one-hot context, of an all-to-all; else 0
  // All heads.
  input  wire logic [Ports*Vcs*Descriptors-1:0] head_desc_i,
  input  wire logic [Ports*Vcs-1:0]             usable_i,
  input  wire logic [Ports*Vcs-1:0]             last_i,
  input  wire logic [Ports*Vcs-1:0]             step_end_i,
  input  wire logic [Ports*Vcs*CountW-1:0]      count_i,
  input  wire logic [Ports*Vcs-1:0]             open_i,
  input  wire logic [Ports*Vcs-1:0]             late_i,
  input  wire logic [Ports*Vcs-1:0]             moves_ok_i,
  // All-to-all contexts: context t, port p at [t*P + p].
  input  wire logic [Tables*Ports-1:0]          ended_i,
  // All egress ports.
  input  wire logic [Ports*Vcs-1:0]             space_i,
  input  wire logic [Ports*Vcs-1:0]             busy_i,
  // By port.
  output logic      [Ports-1:0]                 named_o,     // the last head named it, taken or not
  output logic      [Ports-1:0]                 head_o,      // the head names it and may be used
  output logic      [Ports-1:0]                 last_o,
  output logic      [Ports-1:0]                 step_end_o,
  output logic      [Ports*CountW-1:0]          count_o,
  output logic      [Ports-1:0]                 open_o,
  output logic      [Ports-1:0]                 late_o,
  output logic      [Ports-1:0]                 moves_ok_o,
  output logic      [Ports-1:0]                 ended_o,
  output logic      [Ports-1:0]                 space_o,
  output logic      [Ports-1:0]                 busy_o
);

  localparam int D = Descriptors, P = Ports, T = Tables, V = Vcs;

  for (genvar p = 0; p < P; p++) begin : g_port
    logic [V-1:0] here;                             // circuits whose head names it: at most its own
    logic [T-1:0] ended;
    for (genvar v = 0; v < V; v++) begin : g_vc
      assign here[v]     = head_desc_i[(p*V + v)*D + Index];
    end
    for (genvar t = 0; t < T; t++) begin : g_context
      assign ended[t] = ended_i[t*P + p];
    end
    assign named_o[p]    = |here;
    assign head_o[p]     = |(here & usable_i[p*V +: V]);
    assign last_o[p]     = |(here & last_i[p*V +: V]);
    assign step_end_o[p] = |(here & step_end_i[p*V +: V]);
    assign open_o[p]     = |(here & open_i[p*V +: V]);
    assign late_o[p]     = |(here & late_i[p*V +: V]);
    assign moves_ok_o[p] = |(here & moves_ok_i[p*V +: V]);
    assign ended_o[p]    = |(uses_i & ended);
    if (V > 1) begin : g_circuit
      assign space_o[p] = |(circuit_i[p*V +: V] & space_i[p*V +: V]);
      assign busy_o[p]  = |(circuit_i[p*V +: V] & busy_i[p*V +: V]);
    end else begin : g_only
      logic unused_circuit;
      assign unused_circuit = circuit_i[p];
      assign space_o[p] = space_i[p];
      assign busy_o[p]  = busy_i[p];
    end
    fred_select #(.Width(CountW), .Count(V)) u_count (
      .select_i (here),
      .data_i   (count_i[p*V*CountW +: V*CountW]),
      .data_o   (count_o[p*CountW +: CountW])
    );
  end

endmodule

`default_nettype wire
