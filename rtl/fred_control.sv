// SPDX-License-Identifier: Apache-2.0
// The launch decision: which beats at the heads of the ingress buffers enter the network in this cycle.
//
//   heads ──> fred_ports ──> fred_descriptors ──grants──┬──> fred_egress_locks ──> take_o
//                 ^                                     │
//                 └─────────────────────────────────────┴──> pop_o, launch_*
//
// The decision takes one cycle: what is launched now changes heads, places, open packets and steps for the next cycle,
// so nothing is speculative and descriptors may alternate at full rate. Why no launched beat is lost or mixed with
// another flow's is argued in docs/ordering.md.
//
// Vectors: ingress or egress port p, circuit v at [p*V + v]; descriptor d, port p at [d*P + p].
`default_nettype none

module fred_control #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int PortW       = 3,                    // bits of a port number, and of a step of an all-to-all
  parameter int StepW       = 3,                    // bits of a step, PortW or more
  parameter int LinkPorts   = 0,                    // link ports, the last ones
  parameter int Vcs         = 1,                    // V, circuits of a port: virtual circuits, or slots of a link port
  parameter int Classes     = 1,                    // virtual circuits
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int Tables      = 1,                    // T, all-to-all contexts, 1 or more
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int CountW      = 3,                    // bits of a byte count
  parameter int Fixed       = 0,                    // 1: the tables are constant, and not written
  parameter logic [(Fixed != 0 ? Tables*Ports*(1<<PortW)*(PortW+RouteW) : 1)-1:0] Entries = '0,  // as in fred_alltoall
  localparam int TableW     = Tables > 1 ? $clog2(Tables) : 1,
  localparam int LinksP     = LinkPorts > 0 ? LinkPorts : 1,
  localparam int SideW      = CountW + 2
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  // Descriptor table.
  input  wire logic [Descriptors-1:0]              run_i,      // enabled, and neither stopped nor spoiled
  input  wire logic [Descriptors-1:0]              hold_i,     // may be disabled in this cycle: launches nothing
  input  wire logic [Descriptors*4-1:0]            kind_i,
  input  wire logic [Descriptors*3-1:0]            granule_i,  // bytes of an element less one
  input  wire logic [Descriptors*Ports-1:0]        in_mask_i,
  input  wire logic [Descriptors*Ports-1:0]        out_mask_i,
  input  wire logic [Descriptors*Ports-1:0]        root_i,     // one-hot
  input  wire logic [Descriptors*PortW-1:0]        final_step_i, // members of in_mask_i less one
  input  wire logic [Descriptors*LinksP*StepW-1:0] repeats_i,   // further steps of descriptor d at link port i
  input  wire logic [Descriptors*Classes-1:0]      vc_i,       // one-hot
  input  wire logic [Descriptors*Ports*Vcs-1:0]    circuit_i,  // one-hot, of descriptor d at port p (fred_circuits)
  input  wire logic [Descriptors*Tables-1:0]       uses_i,     // one-hot context of each all-to-all; else 0
  input  wire logic [Descriptors*Descriptors-1:0]  clash_i,    // pairs that may not go together
  output logic      [Descriptors-1:0]              halted_o,
  output logic      [Descriptors-1:0]              busy_o,
  output logic      [Descriptors*StepW-1:0]        step_o,
  // Aborts: descriptors whose open packets are closed in this cycle, and egress circuits where one has been.
  input  wire logic [Descriptors-1:0]              close_i,
  input  wire logic [Ports*Vcs-1:0]                closed_i,
  // Order of the virtual circuits, [v*Classes + w]: w goes before v; cycles after which a launch may claim.
  input  wire logic [Classes*Classes-1:0]          vc_before_i,
  input  wire logic [15:0]                         bound_i,
  // All-to-all table writes.
  input  wire logic                                table_we_i,
  input  wire logic [TableW-1:0]                   table_index_i,
  input  wire logic [PortW-1:0]                    table_step_i,
  input  wire logic [PortW-1:0]                    table_port_i,
  input  wire logic [PortW-1:0]                    table_dest_i,
  input  wire logic [RouteW-1:0]                   table_route_i,
  input  wire logic                                table_parity_i,
  // Heads of the ingress buffers.
  input  wire logic [Ports*Vcs-1:0]                head_usable_i,
  input  wire logic [Ports*Vcs*Descriptors-1:0]    head_desc_i,
  input  wire logic [Ports*Vcs-1:0]                head_last_i,
  input  wire logic [Ports*Vcs-1:0]                head_step_end_i,
  input  wire logic [Ports*Vcs*CountW-1:0]         head_count_i,
  input  wire logic [Ports*Vcs*Ports-1:0]          head_dest_i,
  input  wire logic [Ports*Vcs-1:0]                head_member_i,
  input  wire logic [Ports*Vcs-1:0]                head_stale_i,
  input  wire logic [Ports*Vcs-1:0]                head_unknown_i,
  output logic      [Ports*Vcs-1:0]                pop_o,
  // Places in the egress buffers.
  input  wire logic [Ports*Vcs-1:0]                space_i,
  output logic      [Ports*Vcs-1:0]                take_o,
  // The launched beats, one cycle later; at most one a port.
  output logic      [Ports-1:0]                    launch_o,
  output logic      [Ports*Vcs-1:0]                launched_o, // the same by circuit
  output logic      [Ports*Vcs-1:0]                dropped_o,  // dropped beats
  output logic      [Ports*Descriptors-1:0]        launch_desc_o,
  output logic      [Ports*Ports-1:0]              launch_dest_o,  // egress port of a send or all-to-all; else 0
  output logic      [Ports*RouteW-1:0]             launch_route_o, // colours of an all-to-all
  output logic      [Ports*SideW-1:0]              launch_side_o,  // {step_end, last, count}
  // The descriptors in the cycle of the decision, likewise one cycle later.
  output logic      [Descriptors-1:0]              is_send_o,
  output logic      [Descriptors-1:0]              is_alltoall_o,
  output logic      [Descriptors*Ports-1:0]        deliver_o,  // egress ports of a tree collective; else 0
  output logic      [Descriptors*StepW-1:0]        step_then_o,
  output logic      [Ports*Vcs-1:0]                open_o,     // ingress circuits inside a packet
  output logic      [Ports*Vcs-1:0]                egress_busy_o,
  output logic      [Ports*Vcs-1:0]                member_error_o,
  // For fred_supervisor and fred_counters.
  output logic      [Descriptors-1:0]              halt_o,     // descriptors that halt in this cycle
  output logic      [Descriptors-1:0]              grant_o,
  output logic      [Descriptors-1:0]              candidate_o, // something of it can go
  output logic      [Descriptors-1:0]              pends_o,
  output logic      [Descriptors-1:0]              entry_bad_o, // all-to-all entries with a wrong bit
  output logic      [Descriptors-1:0]              in_packet_o,
  output logic      [Descriptors*Ports-1:0]        wanted_o,
  output logic      [Descriptors*Ports-1:0]        at_head_o,
  output logic      [Descriptors*Ports-1:0]        delivers_o,
  output logic      [Ports*Vcs*Ports-1:0]          own_dest_o
);

  localparam int D = Descriptors, P = Ports, T = Tables, V = Vcs;
  logic [P*V-1:0]        moves_ok, launch_now, waits, late, closed, for_trees;
  logic [T*P-1:0]        ended, moves_now, moves_end;  // context t, port p at [t*P + p]
  logic [T*P*P-1:0]      context_dest;
  logic [T*P*RouteW-1:0] context_route;
  logic [D-1:0]          tree_last, fetch, starts, advance;
  logic [D*PortW-1:0]    ahead;
  logic [D*P-1:0]        senders, can_launch;
  fred_descriptors #(
    .Ports(P), .PortW(PortW), .StepW(StepW), .LinkPorts(LinkPorts), .Vcs(V), .Classes(Classes), .Descriptors(D),
    .Tables(T), .CountW(CountW)
  ) u_descriptors (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .enable_i        (run_i),
    .hold_i          (hold_i),
    .kind_i          (kind_i),
    .granule_i       (granule_i),
    .in_mask_i       (in_mask_i),
    .out_mask_i      (out_mask_i),
    .root_i          (root_i),
    .final_step_i    (final_step_i),
    .repeats_i        (repeats_i),
    .vc_i            (vc_i),
    .circuit_i       (circuit_i),
    .uses_i          (uses_i),
    .clash_i         (clash_i),
    .vc_before_i     (vc_before_i),
    .bound_i         (bound_i),
    .head_desc_i     (head_desc_i),
    .head_usable_i   (head_usable_i),
    .head_last_i     (head_last_i),
    .head_step_end_i (head_step_end_i),
    .head_count_i    (head_count_i),
    .head_open_i     (open_o),
    .moves_ok_i      (moves_ok),
    .ended_i         (ended),
    .own_dest_i      (own_dest_o),
    .source_waits_i  (waits),
    .space_i         (space_i),
    .busy_i          (egress_busy_o),
    .start_i         (take_o & ~egress_busy_o),
    .closed_o        (closed),
    .for_trees_o     (for_trees),
    .late_o          (late),
    .grant_o         (grant_o),
    .launch_o        (can_launch),
    .deliver_o       (delivers_o),
    .last_o          (tree_last),
    .is_send_o       (is_send_o),
    .is_alltoall_o   (is_alltoall_o),
    .senders_o       (senders),
    .fetch_o         (fetch),
    .begin_o         (starts),
    .advance_o       (advance),
    .ahead_o         (ahead),
    .step_o          (step_o),
    .candidate_o     (candidate_o),
    .pends_o         (pends_o),
    .in_packet_o     (in_packet_o),
    .wanted_o        (wanted_o),
    .head_o          (at_head_o),
    .halt_o          (halt_o),
    .halted_o        (halted_o),
    .busy_o          (busy_o)
  );
  always_ff @(posedge clk_i) {deliver_o, step_then_o} <= {delivers_o, step_o};
  fred_alltoall #(
    .Ports(P), .PortW(PortW), .Descriptors(D), .Tables(T), .RouteW(RouteW), .Fixed(Fixed), .Entries(Entries)
  ) u_alltoall (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .we_i(table_we_i), .wtable_i(table_index_i), .wstep_i(table_step_i), .wport_i(table_port_i),
    .wdest_i(table_dest_i), .wroute_i(table_route_i), .wparity_i(table_parity_i),
    .uses_i     (uses_i),
    .in_mask_i  (in_mask_i),
    .fetch_i(fetch), .begin_i(starts), .advance_i(advance),
    .ahead_i    (ahead),
    .launch_i   (moves_now),
    .step_end_i (moves_end),
    .ended_o    (ended),
    .dest_o     (context_dest),
    .route_o    (context_route),
    .bad_o      (entry_bad_o)
  );
  fred_ports #(.Ports(P), .Vcs(V), .Descriptors(D), .Tables(T), .RouteW(RouteW), .CountW(CountW)) u_ports (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .is_send_i       (is_send_o),
    .uses_i          (uses_i),
    .senders_i       (senders),
    .head_usable_i   (head_usable_i),
    .head_stale_i    (head_stale_i),
    .head_unknown_i  (head_unknown_i),
    .head_desc_i     (head_desc_i),
    .head_dest_i     (head_dest_i),
    .head_member_i   (head_member_i),
    .head_last_i     (head_last_i),
    .head_step_end_i (head_step_end_i),
    .head_count_i    (head_count_i),
    .space_i         (space_i),
    .busy_i          (egress_busy_o),
    .closed_i        (closed),
    .for_trees_i     (for_trees),
    .late_i          (late),
    .context_dest_i  (context_dest),
    .context_route_i (context_route),
    .ended_i         (ended),
    .can_launch_i    (can_launch),
    .grant_i         (grant_o),
    .close_i         (close_i),
    .moves_ok_o      (moves_ok),
    .open_o          (open_o),
    .launch_now_o    (launch_now),
    .pop_o           (pop_o),
    .own_dest_o      (own_dest_o),
    .waits_o         (waits),
    .moves_now_o     (moves_now),
    .moves_end_o     (moves_end),
    .member_error_o  (member_error_o),
    .launch_o        (launch_o),
    .launched_o      (launched_o),
    .dropped_o       (dropped_o),
    .desc_o          (launch_desc_o),
    .dest_o          (launch_dest_o),
    .route_o         (launch_route_o),
    .side_o          (launch_side_o)
  );
  fred_egress_locks #(.Ports(P), .Vcs(V), .Descriptors(D)) u_locks (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .grant_i   (grant_o),
    .circuit_i (circuit_i),
    .deliver_i (delivers_o),
    .last_i    (tree_last),
    .launch_i  (launch_now),
    .dest_i    (own_dest_o),
    .ends_i    (head_last_i),
    .closed_i  (closed_i),
    .take_o    (take_o),
    .busy_o    (egress_busy_o)
  );

endmodule

`default_nettype wire
