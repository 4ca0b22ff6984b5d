// SPDX-License-Identifier: Apache-2.0
// The launch decision: which beats at the heads of the ingress buffers enter the network in this cycle.
//
//   heads ──> P x fred_port_launch ──> D x fred_descriptor ──candidates──> fred_arbiter
//                     ^                                                        │ grants
//                     └────────────────────────────────────────────────────────┴──> pop_o, take_o, launch_*
//
// The decision takes one cycle: what is launched now changes heads, places, open packets and steps for the next cycle,
// so nothing is speculative and descriptors may alternate at full rate. Why no launched beat is lost or mixed with
// another flow's is argued in docs/ordering.md.
//
// Limits: one virtual circuit.
`default_nettype none

module fred_control #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number or step
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int Tables      = 1,                    // all-to-all contexts, 1 or more
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int CountW      = 3,                    // bits of a byte count
  localparam int TableW     = Tables > 1 ? $clog2(Tables) : 1,
  localparam int SideW      = CountW + 2
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,

  // Descriptor table.
  input  wire logic [Descriptors-1:0]              enable_i,
  input  wire logic [Descriptors*4-1:0]            kind_i,
  input  wire logic [Descriptors*3-1:0]            granule_i,  // bytes of an element less one
  input  wire logic [Descriptors*Ports-1:0]        in_mask_i,
  input  wire logic [Descriptors*Ports-1:0]        out_mask_i,
  input  wire logic [Descriptors*Ports-1:0]        root_i,     // one-hot
  input  wire logic [Descriptors*Tables-1:0]       uses_i,     // one-hot context of each all-to-all; else 0
  input  wire logic [Descriptors*Descriptors-1:0]  clash_i,    // pairs that may not go together
  output logic      [Descriptors-1:0]              halted_o,
  output logic      [Descriptors-1:0]              busy_o,
  output logic      [Descriptors*PortW-1:0]        step_o,

  // All-to-all table writes.
  input  wire logic                                table_we_i,
  input  wire logic [TableW-1:0]                   table_index_i,
  input  wire logic [PortW-1:0]                    table_step_i,
  input  wire logic [PortW-1:0]                    table_port_i,
  input  wire logic [PortW-1:0]                    table_dest_i,
  input  wire logic [RouteW-1:0]                   table_route_i,

  // Heads of the ingress buffers.
  input  wire logic [Ports-1:0]                    head_valid_i,
  input  wire logic [Ports*Descriptors-1:0]        head_desc_i,
  input  wire logic [Ports-1:0]                    head_last_i,
  input  wire logic [Ports-1:0]                    head_step_end_i,
  input  wire logic [Ports*CountW-1:0]             head_count_i,
  input  wire logic [Ports*Ports-1:0]              head_dest_i,
  input  wire logic [Ports-1:0]                    head_member_i,
  input  wire logic [Ports-1:0]                    head_stale_i,
  input  wire logic [Ports-1:0]                    head_unknown_i,
  output logic      [Ports-1:0]                    pop_o,

  // Places in the egress buffers.
  input  wire logic [Ports-1:0]                    space_i,
  output logic      [Ports-1:0]                    take_o,

  // The launched beats, one cycle later.
  output logic      [Ports-1:0]                    launch_o,
  output logic      [Ports-1:0]                    read_o,     // launched or dropped
  output logic      [Ports*Ports-1:0]              launch_mask_o,
  output logic      [Ports*Descriptors-1:0]        launch_desc_o,
  output logic      [Ports-1:0]                    launch_alltoall_o,  // all-to-all: colours are in launch_route_o
  output logic      [Ports*RouteW-1:0]             launch_route_o,
  output logic      [Ports*PortW-1:0]              launch_step_o,   // step, or for send the source port
  output logic      [Ports*SideW-1:0]              launch_side_o,   // {step_end, last, count}

  output logic      [Ports-1:0]                    open_o,     // ingress ports inside a packet
  output logic      [Ports-1:0]                    egress_busy_o,
  output logic      [Ports-1:0]                    member_error_o,
  output logic                                     mismatch_o  // a descriptor halts
);

  localparam int D = Descriptors, P = Ports, T = Tables;
  logic [P-1:0]          usable, send_ok, launch_now;
  logic [P*P-1:0]        own_dest;
  logic [T*P-1:0]        table_ok, ended, moves_now; // context t, port p at [t*P + p]
  logic [T*P*P-1:0]      context_dest;
  logic [T*P*RouteW-1:0] context_route;
  logic [D-1:0]          candidate, grant, tree_last, halt, fetch, starts, advance, is_send;
  logic [D*PortW-1:0]    ahead;
  logic [D*P-1:0]        senders, can_launch, can_deliver;
  assign usable     = head_valid_i & ~head_stale_i;
  assign mismatch_o = |halt;
  // ---- Descriptors. ----
  for (genvar d = 0; d < D; d++) begin : g_descriptor
    logic [P-1:0] named, mine_ended, mine_ok;
    for (genvar p = 0; p < P; p++) begin : g_port
      logic [T-1:0] ended_here, ok_here;
      for (genvar t = 0; t < T; t++) begin : g_context
        assign ended_here[t] = ended[t*P + p];
        assign ok_here[t]    = table_ok[t*P + p];
      end
      assign named[p]      = head_desc_i[p*D + d];
      assign mine_ended[p] = |(uses_i[d*T +: T] & ended_here);
      assign mine_ok[p]    = |(uses_i[d*T +: T] & ok_here);
    end
    fred_descriptor #(.Ports(P), .PortW(PortW), .CountW(CountW)) u_descriptor (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .enable_i      (enable_i[d]),
      .kind_i        (kind_i[d*4 +: 4]),
      .granule_i     (granule_i[d*3 +: 3]),
      .in_mask_i     (in_mask_i[d*P +: P]),
      .out_mask_i    (out_mask_i[d*P +: P]),
      .root_i        (root_i[d*P +: P]),
      .is_send_o     (is_send[d]),
      .senders_o     (senders[d*P +: P]),
      .head_i        (usable & named),
      .named_i       (named),
      .last_i        (head_last_i),
      .step_end_i    (head_step_end_i),
      .count_i       (head_count_i),
      .open_i        (open_o),
      .space_i       (space_i),
      .busy_i        (egress_busy_o),
      .send_ok_i     (send_ok),
      .dest_member_i (head_member_i),
      .table_ok_i    (mine_ok),
      .ended_i       (mine_ended),
      .candidate_o   (candidate[d]),
      .grant_i       (grant[d]),
      .launch_o      (can_launch[d*P +: P]),
      .deliver_o     (can_deliver[d*P +: P]),
      .last_o        (tree_last[d]),
      .step_o        (step_o[d*PortW +: PortW]),
      .fetch_o       (fetch[d]),
      .begin_o       (starts[d]),
      .advance_o     (advance[d]),
      .ahead_o       (ahead[d*PortW +: PortW]),
      .halt_o        (halt[d]),
      .halted_o      (halted_o[d]),
      .busy_o        (busy_o[d])
    );
  end
  fred_arbiter #(.Count(D)) u_arbiter (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .candidate_i (candidate),
    .clash_i     (clash_i),
    .grant_o     (grant)
  );
  fred_alltoall #(.Ports(P), .PortW(PortW), .Descriptors(D), .Tables(T), .RouteW(RouteW)) u_alltoall (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .we_i       (table_we_i),
    .wtable_i   (table_index_i),
    .wstep_i    (table_step_i),
    .wport_i    (table_port_i),
    .wdest_i    (table_dest_i),
    .wroute_i   (table_route_i),
    .uses_i     (uses_i),
    .in_mask_i  (in_mask_i),
    .fetch_i    (fetch),
    .begin_i    (starts),
    .advance_i  (advance),
    .ahead_i    (ahead),
    .launch_i   (moves_now),
    .step_end_i (head_step_end_i),
    .ended_o    (ended),
    .dest_o     (context_dest),
    .route_o    (context_route)
  );

  // ---- Ports. ----
  for (genvar p = 0; p < P; p++) begin : g_port
    logic [D-1:0]        sends_here, launches_here;
    logic [T-1:0]        ok_here;
    logic [T*P-1:0]      dest_here;
    logic [T*RouteW-1:0] route_here;
    for (genvar d = 0; d < D; d++) begin : g_column
      assign sends_here[d]    = senders[d*P + p];
      assign launches_here[d] = can_launch[d*P + p];
    end
    for (genvar t = 0; t < T; t++) begin : g_context
      logic [D-1:0] users;
      for (genvar d = 0; d < D; d++) begin : g_users
        assign users[d] = uses_i[d*T + t];
      end
      assign moves_now[t*P + p]             = |(grant & launches_here & users);
      assign table_ok[t*P + p]              = ok_here[t];
      assign dest_here[t*P +: P]            = context_dest[(t*P + p)*P +: P];
      assign route_here[t*RouteW +: RouteW] = context_route[(t*P + p)*RouteW +: RouteW];
    end
    fred_port_launch #(
      .Index(p), .Ports(P), .PortW(PortW), .Descriptors(D), .Tables(T), .RouteW(RouteW), .SideW(SideW)
    ) u_port (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .is_send_i      (is_send),
      .uses_i         (uses_i),
      .sends_here_i   (sends_here),
      .head_member_i  (head_member_i[p]),
      .head_valid_i   (head_valid_i[p]),
      .head_stale_i   (head_stale_i[p]),
      .head_unknown_i (head_unknown_i[p]),
      .head_desc_i    (head_desc_i[p*D +: D]),
      .head_dest_i    (head_dest_i[p*P +: P]),
      .head_last_i    (head_last_i[p]),
      .head_side_i    ({head_step_end_i[p], head_last_i[p], head_count_i[p*CountW +: CountW]}),
      .space_i        (space_i),
      .busy_i         (egress_busy_o),
      .table_dest_i   (dest_here),
      .table_route_i  (route_here),
      .send_ok_o      (send_ok[p]),
      .table_ok_o     (ok_here),
      .can_launch_i   (launches_here),
      .can_deliver_i  (can_deliver),
      .step_i         (step_o),
      .grant_i        (grant),
      .open_o         (open_o[p]),
      .launch_now_o   (launch_now[p]),
      .pop_o          (pop_o[p]),
      .own_dest_o     (own_dest[p*P +: P]),
      .member_error_o (member_error_o[p]),
      .launch_o       (launch_o[p]),
      .read_o         (read_o[p]),
      .mask_o         (launch_mask_o[p*P +: P]),
      .desc_o         (launch_desc_o[p*D +: D]),
      .alltoall_o     (launch_alltoall_o[p]),
      .route_o        (launch_route_o[p*RouteW +: RouteW]),
      .step_o         (launch_step_o[p*PortW +: PortW]),
      .side_o         (launch_side_o[p*SideW +: SideW])
    );
  end
  fred_egress_locks #(.Ports(P), .Descriptors(D)) u_locks (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .grant_i   (grant),
    .deliver_i (can_deliver),
    .last_i    (tree_last),
    .launch_i  (launch_now),
    .dest_i    (own_dest),
    .ends_i    (head_last_i),
    .take_o    (take_o),
    .busy_o    (egress_busy_o)
  );

endmodule

`default_nettype wire
