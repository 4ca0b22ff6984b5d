// SPDX-License-Identifier: Apache-2.0
// The all-to-all contexts: for every context and port, where this port sends in its current step.
//
// Any number of descriptors with disjoint members may use one context: each port follows the one it is a member of.
//
// Limits: two enabled all-to-all descriptors of one context never share a port (checked at enabling).
`default_nettype none

module fred_alltoall #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number or step
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int Tables      = 1,                    // contexts, 1 or more
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int Fixed       = 0,                    // 1: the tables are constant, and not written
  // Then {route, destination} of context t, port p, step k at number (t*Ports + p) * 2^PortW + k.
  parameter logic [(Fixed != 0 ? Tables*Ports*(1<<PortW)*(PortW+RouteW) : 1)-1:0] Entries = '0,
  localparam int EntriesW   = Fixed != 0 ? (1<<PortW)*(PortW+RouteW) : 0,  // bits of a port's table
  localparam int TableW     = Tables > 1 ? $clog2(Tables) : 1
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  // Table write.
  input  wire logic                           we_i,
  input  wire logic [TableW-1:0]              wtable_i,
  input  wire logic [PortW-1:0]               wstep_i,
  input  wire logic [PortW-1:0]               wport_i,
  input  wire logic [PortW-1:0]               wdest_i,
  input  wire logic [RouteW-1:0]              wroute_i,
  input  wire logic                           wparity_i,
  // Descriptors.
  input  wire logic [Descriptors*Tables-1:0]  uses_i,      // one-hot context of each all-to-all descriptor; else 0
  input  wire logic [Descriptors*Ports-1:0]   in_mask_i,
  input  wire logic [Descriptors-1:0]         fetch_i,
  input  wire logic [Descriptors-1:0]         begin_i,
  input  wire logic [Descriptors-1:0]         advance_i,
  input  wire logic [Descriptors*PortW-1:0]   ahead_i,     // step to be fetched next
  // Launches: port p launches for the context.
  input  wire logic [Tables*Ports-1:0]        launch_i,
  input  wire logic [Tables*Ports-1:0]        step_end_i,  // its beat ends the step
  output logic      [Tables*Ports-1:0]        ended_o,     // context t, port p at [t*Ports + p]
  output logic      [Tables*Ports*Ports-1:0]  dest_o,
  output logic      [Tables*Ports*RouteW-1:0] route_o,
  output logic      [Descriptors-1:0]         bad_o        // for one cycle: an entry of it has a wrong bit
);

  logic [Tables*Ports-1:0] bad;
  always_comb begin
    bad_o = '0;
    for (int d = 0; d < Descriptors; d++) begin
      for (int t = 0; t < Tables; t++) begin
        bad_o[d] = bad_o[d] | (uses_i[d*Tables + t] & |(in_mask_i[d*Ports +: Ports] & bad[t*Ports +: Ports]));
      end
    end
  end
  for (genvar t = 0; t < Tables; t++) begin : g_context
    for (genvar p = 0; p < Ports; p++) begin : g_port
      logic [Descriptors-1:0] mine;
      logic [PortW-1:0]       ahead;
      for (genvar d = 0; d < Descriptors; d++) begin : g_mine
        assign mine[d] = uses_i[d*Tables + t] & in_mask_i[d*Ports + p];
      end
      fred_select #(.Width(PortW), .Count(Descriptors)) u_ahead (
        .select_i (mine),
        .data_i   (ahead_i),
        .data_o   (ahead)
      );
      fred_alltoall_port #(
        .Ports(Ports), .PortW(PortW), .RouteW(RouteW), .Fixed(Fixed),
        .Entries(Entries[(t*Ports + p)*EntriesW +: (Fixed != 0 ? EntriesW : 1)])
      ) u_port (
        .clk_i      (clk_i),
        .rst_ni     (rst_ni),
        .we_i       (we_i & (wtable_i == TableW'(t)) & (wport_i == PortW'(p))),
        .wstep_i    (wstep_i),
        .wdest_i    (wdest_i),
        .wroute_i   (wroute_i),
        .wparity_i  (wparity_i),
        .fetch_i    (|(mine & fetch_i)),
        .begin_i    (|(mine & begin_i)),
        .advance_i  (|(mine & advance_i)),
        .ahead_i    (ahead),
        .launch_i   (launch_i[t*Ports + p]),
        .step_end_i (step_end_i[t*Ports + p]),
        .ended_o    (ended_o[t*Ports + p]),
        .dest_o     (dest_o[(t*Ports + p)*Ports +: Ports]),
        .route_o    (route_o[(t*Ports + p)*RouteW +: RouteW]),
        .bad_o      (bad[t*Ports + p])
      );
    end
  end

endmodule

`default_nettype wire
