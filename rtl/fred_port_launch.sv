// SPDX-License-Identifier: Apache-2.0
// The launch decision as seen from one port: may its head go on its own (send, all-to-all), and what travels with it.
//
// The registered outputs describe the beat that was at the head in the last cycle; `launch_o` says whether it went.
`default_nettype none

module fred_port_launch #(
  parameter int Index       = 0,                    // number of this port
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number or step
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int Tables      = 1,                    // all-to-all contexts, 1 or more
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int SideW       = 5                     // bits of {step_end, last, byte count}
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  // Descriptor table.
  input  wire logic [Descriptors-1:0]             is_send_i,
  input  wire logic [Descriptors*Tables-1:0]      uses_i,      // one-hot context of each all-to-all descriptor; else 0
  input  wire logic [Descriptors-1:0]             sends_here_i,  // this port sends in it
  // The head.
  input  wire logic                               head_valid_i,
  input  wire logic                               head_stale_i,
  input  wire logic                               head_unknown_i,
  input  wire logic [Descriptors-1:0]             head_desc_i,
  input  wire logic [Ports-1:0]                   head_dest_i,
  input  wire logic                               head_member_i,
  input  wire logic                               head_last_i,
  input  wire logic [SideW-1:0]                   head_side_i,
  // Egress ports.
  input  wire logic [Ports-1:0]                   space_i,
  input  wire logic [Ports-1:0]                   busy_i,
  // This port's current all-to-all step in each context.
  input  wire logic [Tables*Ports-1:0]            table_dest_i,
  input  wire logic [Tables*RouteW-1:0]           table_route_i,
  // Descriptors: what each would launch.
  output logic                                    send_ok_o,
  output logic      [Tables-1:0]                  table_ok_o,
  input  wire logic [Descriptors-1:0]             can_launch_i,
  input  wire logic [Descriptors*Ports-1:0]       can_deliver_i,
  input  wire logic [Descriptors*PortW-1:0]       step_i,
  input  wire logic [Descriptors-1:0]             grant_i,
  // This cycle.
  output logic                                    open_o,      // inside a packet
  output logic                                    launch_now_o,
  output logic                                    pop_o,       // launched or dropped
  output logic      [Ports-1:0]                   own_dest_o,  // egress port of a send or all-to-all beat; else 0
  output logic                                    member_error_o,
  // The next cycle.
  output logic                                    launch_o,
  output logic                                    read_o,
  output logic      [Ports-1:0]                   mask_o,
  output logic      [Descriptors-1:0]             desc_o,
  output logic                                    alltoall_o,  // all-to-all: route_o holds the colours
  output logic      [RouteW-1:0]                  route_o,
  output logic      [PortW-1:0]                   step_o,
  output logic      [SideW-1:0]                   side_o
);

  // ---- What the head is. ----
  logic              sends, alltoall;
  logic [Tables-1:0] context_of;
  for (genvar t = 0; t < Tables; t++) begin : g_context
    logic [Descriptors-1:0] uses;
    for (genvar d = 0; d < Descriptors; d++) begin : g_uses
      assign uses[d] = uses_i[d*Tables + t];
    end
    assign context_of[t] = |(head_desc_i & uses);
  end
  assign sends = |(head_desc_i & is_send_i);
  assign alltoall = |context_of;

  // ---- Egress ports that it may go to: with a place, and free or inside this port's own packet. ----
  logic [Ports-1:0] open_to, moves_to;
  assign open_to = space_i & (~busy_i | {Ports{open_o}});
  for (genvar t = 0; t < Tables; t++) begin : g_table_ok
    assign table_ok_o[t] = |(table_dest_i[t*Ports +: Ports] & open_to);
  end
  fred_select #(.Width(Ports), .Count(Tables)) u_moves_to (
    .select_i (context_of),
    .data_i   (table_dest_i),
    .data_o   (moves_to)
  );
  assign send_ok_o      = |(head_dest_i & open_to);
  assign own_dest_o     = sends ? head_dest_i : moves_to;
  assign member_error_o = head_valid_i & (|head_desc_i) & ~head_stale_i & ~head_unknown_i &
                          ~((|(head_desc_i & sends_here_i)) & (head_member_i | ~sends));

  // ---- The launch. ----
  logic [Ports-1:0]  tree_mask;
  logic [PortW-1:0]  tree_step;
  logic [RouteW-1:0] table_route;
  assign launch_now_o = |(grant_i & can_launch_i);
  assign pop_o        = launch_now_o | head_stale_i;
  fred_select #(.Width(Ports), .Count(Descriptors)) u_mask (
    .select_i (head_desc_i),
    .data_i   (can_deliver_i),
    .data_o   (tree_mask)
  );
  fred_select #(.Width(PortW), .Count(Descriptors)) u_step (
    .select_i (head_desc_i),
    .data_i   (step_i),
    .data_o   (tree_step)
  );
  fred_select #(.Width(RouteW), .Count(Tables)) u_route (
    .select_i (context_of),
    .data_i   (table_route_i),
    .data_o   (table_route)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_o   <= 1'b0;
      launch_o <= 1'b0;
      read_o   <= 1'b0;
    end else begin
      if (launch_now_o) open_o <= ~head_last_i;
      launch_o <= launch_now_o;
      read_o   <= pop_o;
    end
    mask_o  <= (sends | alltoall) ? own_dest_o : tree_mask;
    desc_o  <= head_desc_i;
    alltoall_o <= alltoall;
    route_o <= table_route;
    step_o  <= sends ? PortW'(Index) : tree_step;
    side_o  <= head_side_i;
  end

endmodule

`default_nettype wire
