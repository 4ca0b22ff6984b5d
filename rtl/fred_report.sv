// SPDX-License-Identifier: Apache-2.0
// What the selected descriptor waits for, as four masks of ports, for software to read: the answer to "which rank hangs
// the collective". They are what they are in this cycle; of a descriptor that hangs they stay.
//
// Vectors: ingress or egress port p, virtual circuit v at [p*V + v]; descriptor d, port p at [d*P + p].
// Limits: the outputs follow the selection one cycle later.
`default_nettype none

module fred_report #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, circuits of a port
  parameter int Descriptors = 8                     // D, entries of the descriptor table
) (
  input  wire logic                         clk_i,
  input  wire logic [Descriptors-1:0]       select_i,      // one-hot
  input  wire logic [Descriptors*Ports*Vcs-1:0] circuit_i, // one-hot, of descriptor d at port p
  input  wire logic [Descriptors*Ports-1:0] wanted_i,      // ports whose beats it waits for
  input  wire logic [Descriptors*Ports-1:0] head_i,        // ports where its beat is at the head
  input  wire logic [Descriptors*Ports-1:0] deliver_i,     // egress ports of a tree collective; else 0
  input  wire logic [Descriptors-1:0]       in_packet_i,   // of a tree collective
  input  wire logic [Ports*Vcs-1:0]         valid_i,       // a beat is at the head
  input  wire logic [Ports*Vcs-1:0]         open_i,        // inside a packet
  input  wire logic [Ports*Vcs*Ports-1:0]   own_dest_i,    // egress port of a send or all-to-all beat; else 0
  input  wire logic [Ports*Vcs-1:0]         space_i,
  input  wire logic [Ports*Vcs-1:0]         busy_i,        // egress inside a packet
  output logic      [Ports-1:0]             missing_o,     // ingress: nothing of it has come
  output logic      [Ports-1:0]             behind_o,      // of these: something else is at the head
  output logic      [Ports-1:0]             full_o,        // egress that it needs: no place
  output logic      [Ports-1:0]             locked_o       // egress that it needs: inside another packet
);

  localparam int D = Descriptors, P = Ports, V = Vcs;

  logic [P*V-1:0] circuits;
  logic [P-1:0] wanted, head, deliver, missing, valid, space, busy, open, needed, own;
  logic         in_packet;
  fred_select #(.Width(P*V), .Count(D)) u_circuit (.select_i(select_i), .data_i(circuit_i), .data_o(circuits));
  fred_select #(.Width(P), .Count(D)) u_wanted (.select_i(select_i), .data_i(wanted_i), .data_o(wanted));
  fred_select #(.Width(P), .Count(D)) u_head (.select_i(select_i), .data_i(head_i), .data_o(head));
  fred_select #(.Width(P), .Count(D)) u_deliver (.select_i(select_i), .data_i(deliver_i), .data_o(deliver));
  assign in_packet = |(select_i & in_packet_i);

  for (genvar p = 0; p < P; p++) begin : g_port
    logic [V-1:0] vc;
    logic [P-1:0] dest, wanting, owning;
    assign vc       = circuits[p*V +: V];
    assign valid[p] = |(vc & valid_i[p*V +: V]);
    assign open[p]  = |(vc & open_i[p*V +: V]);
    assign space[p] = |(vc & space_i[p*V +: V]);
    assign busy[p]  = |(vc & busy_i[p*V +: V]);
    fred_select #(.Width(P), .Count(V)) u_dest (
      .select_i (vc & {V{head[p]}}),
      .data_i   (own_dest_i[p*V*P +: V*P]),
      .data_o   (dest)
    );
    for (genvar q = 0; q < P; q++) begin : g_source
      assign wanting[q] = g_port[q].dest[p];        // source q has a beat for this egress port
      assign owning[q]  = g_port[q].dest[p] & open[q];
    end
    assign needed[p] = deliver[p] | |wanting;
    assign own[p]    = (deliver[p] & in_packet) | |owning;
  end

  assign missing = wanted & ~head;
  always_ff @(posedge clk_i) begin
    missing_o <= missing;
    behind_o  <= missing & valid;
    full_o    <= needed & ~space;
    locked_o  <= needed & busy & ~own;
  end

endmodule

`default_nettype wire
