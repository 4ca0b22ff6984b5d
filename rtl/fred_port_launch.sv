// SPDX-License-Identifier: Apache-2.0
// The launch decision as seen from one port: may its heads go on their own (send, all-to-all), which one goes, and what
// travels with it.
//
// A port has a head a virtual circuit; at most one of them is launched in a cycle, as descriptors that share a port
// clash. The registered outputs describe that beat in the next cycle. Circuit v is at [v*N +: N].
`default_nettype none

module fred_port_launch #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, virtual circuits
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int Tables      = 1,                    // T, all-to-all contexts, 1 or more
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int SideW       = 5                     // bits of {step_end, last, byte count}
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  // Descriptor table.
  input  wire logic [Descriptors-1:0]             is_send_i,
  input  wire logic [Descriptors*Tables-1:0]      uses_i,      // one-hot context of each all-to-all descriptor; else 0
  input  wire logic [Descriptors-1:0]             sends_here_i,  // this port sends in it
  // The heads.
  input  wire logic [Vcs-1:0]                     head_usable_i,
  input  wire logic [Vcs-1:0]                     head_stale_i,
  input  wire logic [Vcs-1:0]                     head_unknown_i,
  input  wire logic [Vcs*Descriptors-1:0]         head_desc_i,
  input  wire logic [Vcs*Ports-1:0]               head_dest_i,
  input  wire logic [Vcs-1:0]                     head_member_i,
  input  wire logic [Vcs-1:0]                     head_last_i,
  input  wire logic [Vcs*SideW-1:0]               head_side_i,
  // Egress ports, circuit v at [v*P +: P]: with a place; with one and where a packet may start; where one that is late.
  input  wire logic [Vcs*Ports-1:0]               space_i,
  input  wire logic [Vcs*Ports-1:0]               starts_i,
  input  wire logic [Vcs*Ports-1:0]               late_starts_i,
  input  wire logic [Vcs-1:0]                     late_i,      // the head is a late source
  // This port's current all-to-all step in each context.
  input  wire logic [Tables*Ports-1:0]            table_dest_i,
  input  wire logic [Tables*RouteW-1:0]           table_route_i,
  input  wire logic [Tables-1:0]                  ended_i,     // has ended it
  // Descriptors: what each would launch.
  output logic      [Vcs-1:0]                     moves_ok_o,  // a send or all-to-all beat has a port to go to
  input  wire logic [Descriptors-1:0]             can_launch_i,
  input  wire logic [Descriptors-1:0]             grant_i,
  input  wire logic [Descriptors-1:0]             close_i,     // their open packets are closed
  // This cycle.
  output logic      [Vcs-1:0]                     open_o,      // inside a packet
  output logic      [Vcs-1:0]                     launch_now_o,
  output logic      [Vcs-1:0]                     pop_o,       // launched or dropped
  output logic      [Vcs*Ports-1:0]               own_dest_o,  // egress port of a send or all-to-all beat; else 0
  output logic      [Vcs-1:0]                     waits_o,     // a send or all-to-all beat that does not go
  output logic      [Vcs-1:0]                     member_error_o,
  // The next cycle.
  output logic      [Vcs-1:0]                     launch_o,
  output logic      [Vcs-1:0]                     dropped_o,
  output logic      [Descriptors-1:0]             desc_o,      // of the launched beat, one-hot
  output logic      [Ports-1:0]                   dest_o,      // its egress port, of a send or all-to-all; else 0
  output logic      [RouteW-1:0]                  route_o,     // its colours, of an all-to-all
  output logic      [SideW-1:0]                   side_o
);

  localparam int D = Descriptors, P = Ports, T = Tables, V = Vcs;

  logic [V*RouteW-1:0] routes;
  logic [V-1:0]        drop;
  for (genvar v = 0; v < V; v++) begin : g_vc
    // ---- What the head is. ----
    logic [D-1:0] desc;
    logic         sends, able;
    logic [T-1:0] context_of;
    assign desc = head_desc_i[v*D +: D];
    for (genvar t = 0; t < T; t++) begin : g_context
      logic [D-1:0] uses;
      for (genvar d = 0; d < D; d++) begin : g_uses
        assign uses[d] = uses_i[d*T + t];
      end
      assign context_of[t] = |(desc & uses);
    end
    assign sends = |(desc & is_send_i);

    // ---- Egress ports that it may go to: with a place, and free or inside this port's own packet. ----
    logic [P-1:0] open_to, moves_to;
    assign open_to = open_o[v] ? space_i[v*P +: P] : late_i[v] ? late_starts_i[v*P +: P] : starts_i[v*P +: P];
    fred_select #(.Width(P), .Count(T)) u_moves_to (
      .select_i (context_of),
      .data_i   (table_dest_i),
      .data_o   (moves_to)
    );
    fred_select #(.Width(RouteW), .Count(T)) u_route (
      .select_i (context_of),
      .data_i   (table_route_i),
      .data_o   (routes[v*RouteW +: RouteW])
    );
    assign own_dest_o[v*P +: P]   = sends ? head_dest_i[v*P +: P] : moves_to;
    assign moves_ok_o[v]          = (|(own_dest_o[v*P +: P] & open_to)) & (head_member_i[v] | ~sends);
    assign able                   = head_usable_i[v] & ~head_unknown_i[v] & (|desc);
    assign member_error_o[v]      = able & ~((|(desc & sends_here_i)) & (head_member_i[v] | ~sends));
    assign waits_o[v]             = able & (|(desc & sends_here_i)) & ~launch_now_o[v] &
                                    ((sends & head_member_i[v]) | |(context_of & ~ended_i));

    // ---- The launch. ----
    assign launch_now_o[v] = |(grant_i & can_launch_i & desc);
    assign drop[v]         = head_stale_i[v];
    assign pop_o[v]        = launch_now_o[v] | drop[v];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        open_o[v]    <= 1'b0;
        launch_o[v]  <= 1'b0;
        dropped_o[v] <= 1'b0;
      end else begin
        if (launch_now_o[v]) open_o[v] <= ~head_last_i[v];
        else if (drop[v] | (|(desc & close_i))) open_o[v] <= 1'b0;
        launch_o[v]  <= launch_now_o[v];
        dropped_o[v] <= drop[v];
      end
    end
  end

  // ---- The beat that goes. Where there is one circuit it is known before the grant. ----
  logic [P-1:0]      dest;
  logic [RouteW-1:0] route;
  logic [SideW-1:0]  side;
  if (V > 1) begin : g_chosen
    fred_select #(.Width(P), .Count(V)) u_dest (.select_i(launch_now_o), .data_i(own_dest_o), .data_o(dest));
    fred_select #(.Width(RouteW), .Count(V)) u_route (.select_i(launch_now_o), .data_i(routes), .data_o(route));
    fred_select #(.Width(SideW), .Count(V)) u_side (.select_i(launch_now_o), .data_i(head_side_i), .data_o(side));
  end else begin : g_only
    assign dest  = own_dest_o;
    assign route = routes;
    assign side  = head_side_i;
  end
  always_ff @(posedge clk_i) begin
    desc_o  <= grant_i & can_launch_i;
    dest_o  <= dest;
    route_o <= route;
    side_o  <= side;
  end

endmodule

`default_nettype wire
