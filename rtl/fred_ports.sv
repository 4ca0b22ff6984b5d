// SPDX-License-Identifier: Apache-2.0
// The launch decision as seen from the ports: one fred_port_launch each, and the wiring between vectors by port, by
// virtual circuit and by all-to-all context.
//
// Vectors: ingress or egress port p, virtual circuit v at [p*V + v]; descriptor d, port p at [d*P + p]; all-to-all
// context t, port p at [t*P + p].
`default_nettype none

module fred_ports #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, virtual circuits of a port
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int Tables      = 1,                    // T, all-to-all contexts, 1 or more
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int CountW      = 3,                    // bits of a byte count
  localparam int SideW      = CountW + 2
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,
  // Descriptors.
  input  wire logic [Descriptors-1:0]           is_send_i,
  input  wire logic [Descriptors*Tables-1:0]    uses_i,         // one-hot context of each all-to-all; else 0
  input  wire logic [Descriptors*Ports-1:0]     senders_i,      // ports that send in some step
  // Heads.
  input  wire logic [Ports*Vcs-1:0]             head_usable_i,
  input  wire logic [Ports*Vcs-1:0]             head_stale_i,
  input  wire logic [Ports*Vcs-1:0]             head_unknown_i,
  input  wire logic [Ports*Vcs*Descriptors-1:0] head_desc_i,
  input  wire logic [Ports*Vcs*Ports-1:0]       head_dest_i,
  input  wire logic [Ports*Vcs-1:0]             head_member_i,
  input  wire logic [Ports*Vcs-1:0]             head_last_i,
  input  wire logic [Ports*Vcs-1:0]             head_step_end_i,
  input  wire logic [Ports*Vcs*CountW-1:0]      head_count_i,
  // Egress.
  input  wire logic [Ports*Vcs-1:0]             space_i,
  input  wire logic [Ports*Vcs-1:0]             busy_i,
  input  wire logic [Ports*Vcs-1:0]             closed_i,       // only claimants start
  input  wire logic [Ports*Vcs-1:0]             for_trees_i,    // no source starts
  input  wire logic [Ports*Vcs-1:0]             late_i,         // heads that claim
  // All-to-all contexts.
  input  wire logic [Tables*Ports*Ports-1:0]    context_dest_i,
  input  wire logic [Tables*Ports*RouteW-1:0]   context_route_i,
  input  wire logic [Tables*Ports-1:0]          ended_i,
  // The decision.
  input  wire logic [Descriptors*Ports-1:0]     can_launch_i,
  input  wire logic [Descriptors-1:0]           grant_i,
  input  wire logic [Descriptors-1:0]           close_i,        // their open packets are closed
  // To the descriptors, the contexts and the egress, in this cycle; as in fred_port_launch.
  output logic      [Ports*Vcs-1:0]             moves_ok_o,
  output logic      [Ports*Vcs-1:0]             open_o,
  output logic      [Ports*Vcs-1:0]             launch_now_o,
  output logic      [Ports*Vcs-1:0]             pop_o,
  output logic      [Ports*Vcs*Ports-1:0]       own_dest_o,
  output logic      [Ports*Vcs-1:0]             waits_o,
  output logic      [Tables*Ports-1:0]          moves_now_o,    // the port launches for the context
  output logic      [Tables*Ports-1:0]          moves_end_o,    // that beat ends the step
  output logic      [Ports*Vcs-1:0]             member_error_o,
  // The launched beats, one cycle later.
  output logic      [Ports-1:0]                 launch_o,
  output logic      [Ports*Vcs-1:0]             launched_o,
  output logic      [Ports*Vcs-1:0]             dropped_o,
  output logic      [Ports*Descriptors-1:0]     desc_o,
  output logic      [Ports*Ports-1:0]           dest_o,
  output logic      [Ports*RouteW-1:0]          route_o,
  output logic      [Ports*SideW-1:0]           side_o
);

  localparam int D = Descriptors, P = Ports, T = Tables, V = Vcs;

  // ---- Egress by circuit: circuit v, port q at [v*P + q]. Where a beat may go, a packet may start, a late one. ----
  logic [V*P-1:0] space, starts, late_starts;
  for (genvar q = 0; q < P; q++) begin : g_egress
    for (genvar v = 0; v < V; v++) begin : g_vc
      assign space[v*P + q]       = space_i[q*V + v];
      assign starts[v*P + q]      = space_i[q*V + v] & ~busy_i[q*V + v] & ~closed_i[q*V + v];
      assign late_starts[v*P + q] = space_i[q*V + v] & ~busy_i[q*V + v] & ~for_trees_i[q*V + v];
    end
  end

  for (genvar p = 0; p < P; p++) begin : g_port
    logic [D-1:0]        sends_here, launches_here;
    logic [T-1:0]        ended;
    logic [T*P-1:0]      table_dest;
    logic [T*RouteW-1:0] table_route;
    logic [V*SideW-1:0]  sides;
    for (genvar d = 0; d < D; d++) begin : g_column
      assign sends_here[d]    = senders_i[d*P + p];
      assign launches_here[d] = can_launch_i[d*P + p];
    end
    for (genvar v = 0; v < V; v++) begin : g_side
      assign sides[v*SideW +: SideW] =
        {head_step_end_i[p*V + v], head_last_i[p*V + v], head_count_i[(p*V + v)*CountW +: CountW]};
    end
    for (genvar t = 0; t < T; t++) begin : g_context
      logic [D-1:0] users;
      logic [V-1:0] ends;
      for (genvar d = 0; d < D; d++) begin : g_users
        assign users[d] = uses_i[d*T + t];
      end
      for (genvar v = 0; v < V; v++) begin : g_ends
        assign ends[v] = head_usable_i[p*V + v] & head_step_end_i[p*V + v] & |(users & head_desc_i[(p*V + v)*D +: D]);
      end
      assign moves_now_o[t*P + p]            = |(grant_i & launches_here & users);
      assign moves_end_o[t*P + p]            = |ends;
      assign ended[t]                        = ended_i[t*P + p];
      assign table_dest[t*P +: P]            = context_dest_i[(t*P + p)*P +: P];
      assign table_route[t*RouteW +: RouteW] = context_route_i[(t*P + p)*RouteW +: RouteW];
    end
    fred_port_launch #(
      .Ports(P), .Vcs(V), .Descriptors(D), .Tables(T), .RouteW(RouteW), .SideW(SideW)
    ) u_port (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .is_send_i      (is_send_i),
      .uses_i         (uses_i),
      .sends_here_i   (sends_here),
      .head_usable_i  (head_usable_i[p*V +: V]),
      .head_stale_i   (head_stale_i[p*V +: V]),
      .head_unknown_i (head_unknown_i[p*V +: V]),
      .head_desc_i    (head_desc_i[p*V*D +: V*D]),
      .head_dest_i    (head_dest_i[p*V*P +: V*P]),
      .head_member_i  (head_member_i[p*V +: V]),
      .head_last_i    (head_last_i[p*V +: V]),
      .head_side_i    (sides),
      .space_i        (space),
      .starts_i       (starts),
      .late_starts_i  (late_starts),
      .late_i         (late_i[p*V +: V]),
      .table_dest_i   (table_dest),
      .table_route_i  (table_route),
      .ended_i        (ended),
      .moves_ok_o     (moves_ok_o[p*V +: V]),
      .can_launch_i   (launches_here),
      .grant_i        (grant_i),
      .close_i        (close_i),
      .open_o         (open_o[p*V +: V]),
      .launch_now_o   (launch_now_o[p*V +: V]),
      .pop_o          (pop_o[p*V +: V]),
      .own_dest_o     (own_dest_o[p*V*P +: V*P]),
      .waits_o        (waits_o[p*V +: V]),
      .member_error_o (member_error_o[p*V +: V]),
      .launch_o       (launched_o[p*V +: V]),
      .dropped_o      (dropped_o[p*V +: V]),
      .desc_o         (desc_o[p*D +: D]),
      .dest_o         (dest_o[p*P +: P]),
      .route_o        (route_o[p*RouteW +: RouteW]),
      .side_o         (side_o[p*SideW +: SideW])
    );
    assign launch_o[p] = |launched_o[p*V +: V];
  end

endmodule

`default_nettype wire
