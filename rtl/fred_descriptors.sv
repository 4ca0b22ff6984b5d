// SPDX-License-Identifier: Apache-2.0
// All descriptors, and which of them go in this cycle.
//
//   heads, egress ──> D x (fred_view ──> fred_descriptor) ──candidates──> fred_arbiter ──> grant_o
//                                              ^                  order ──^
//                               ports withheld └───── fred_claims ──┘
//
// Vectors: ingress or egress port p, circuit v at [p*V + v]; descriptor d, port p at [d*P + p]; all-to-all
// context t, port p at [t*P + p].
`default_nettype none

module fred_descriptors #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int PortW       = 3,                    // bits of a port number
  parameter int StepW       = 3,                    // bits of a step, PortW or more
  parameter int LinkPorts   = 0,                    // link ports, the last ones
  parameter int Vcs         = 1,                    // V, circuits of a port
  parameter int Classes     = 1,                    // virtual circuits
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int Tables      = 1,                    // T, all-to-all contexts, 1 or more
  parameter int CountW      = 3,                    // bits of a byte count
  localparam int LinksP     = LinkPorts > 0 ? LinkPorts : 1
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  // Descriptor table.
  input  wire logic [Descriptors-1:0]              enable_i,       // and neither stopped nor spoiled
  input  wire logic [Descriptors-1:0]              hold_i,         // launches nothing in this cycle
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
  input  wire logic [Classes*Classes-1:0]          vc_before_i,
  input  wire logic [15:0]                         bound_i,
  // Heads.
  input  wire logic [Ports*Vcs*Descriptors-1:0]    head_desc_i,
  input  wire logic [Ports*Vcs-1:0]                head_usable_i,
  input  wire logic [Ports*Vcs-1:0]                head_last_i,
  input  wire logic [Ports*Vcs-1:0]                head_step_end_i,
  input  wire logic [Ports*Vcs*CountW-1:0]         head_count_i,
  input  wire logic [Ports*Vcs-1:0]                head_open_i,    // inside a packet
  // Heads that go on their own, and what they may do.
  input  wire logic [Ports*Vcs-1:0]                moves_ok_i,
  input  wire logic [Tables*Ports-1:0]             ended_i,
  input  wire logic [Ports*Vcs*Ports-1:0]          own_dest_i,
  input  wire logic [Ports*Vcs-1:0]                source_waits_i,
  // Egress.
  input  wire logic [Ports*Vcs-1:0]                space_i,
  input  wire logic [Ports*Vcs-1:0]                busy_i,
  input  wire logic [Ports*Vcs-1:0]                start_i,        // a packet begins
  output logic      [Ports*Vcs-1:0]                closed_o,       // only claimants start
  output logic      [Ports*Vcs-1:0]                for_trees_o,    // no source starts
  output logic      [Ports*Vcs-1:0]                late_o,         // heads that claim
  // The decision.
  output logic      [Descriptors-1:0]              grant_o,
  output logic      [Descriptors*Ports-1:0]        launch_o,       // ports that launch if granted
  output logic      [Descriptors*Ports-1:0]        deliver_o,      // egress ports of a tree collective; else 0
  output logic      [Descriptors-1:0]              last_o,         // its beat ends the packet
  output logic      [Descriptors-1:0]              is_send_o,
  output logic      [Descriptors-1:0]              is_alltoall_o,
  output logic      [Descriptors*Ports-1:0]        senders_o,      // ports that send in some step
  // All-to-all steps.
  output logic      [Descriptors-1:0]              fetch_o,
  output logic      [Descriptors-1:0]              begin_o,
  output logic      [Descriptors-1:0]              advance_o,
  output logic      [Descriptors*PortW-1:0]        ahead_o,
  // Status.
  output logic      [Descriptors-1:0]              candidate_o,    // something of it can go
  output logic      [Descriptors-1:0]              pends_o,        // at work, and nothing of it goes
  output logic      [Descriptors-1:0]              in_packet_o,    // of a tree collective
  output logic      [Descriptors*Ports-1:0]        wanted_o,       // ports whose beats it waits for
  output logic      [Descriptors*Ports-1:0]        head_o,         // ports where its beat is at the head
  output logic      [Descriptors*StepW-1:0]        step_o,
  output logic      [Descriptors-1:0]              halt_o,
  output logic      [Descriptors-1:0]              halted_o,
  output logic      [Descriptors-1:0]              busy_o
);

  localparam int D = Descriptors, P = Ports, T = Tables, V = Vcs;
  logic [D-1:0]   tree_waits, late_goes;
  logic [D*P-1:0] withheld;
  logic [D*D-1:0] precede;
  for (genvar d = 0; d < D; d++) begin : g_descriptor
    logic [P-1:0]        named, last, step_end, open, space, busy, moves_ok, has_ended, is_late;
    logic [P*CountW-1:0] count;
    fred_view #(.Ports(P), .Vcs(V), .Descriptors(D), .Tables(T), .CountW(CountW), .Index(d)) u_view (
      .circuit_i   (circuit_i[d*P*V +: P*V]),
      .uses_i      (uses_i[d*T +: T]),
      .head_desc_i (head_desc_i),
      .usable_i    (head_usable_i),
      .last_i      (head_last_i),
      .step_end_i  (head_step_end_i),
      .count_i     (head_count_i),
      .open_i      (head_open_i),
      .late_i      (late_o),
      .moves_ok_i  (moves_ok_i),
      .ended_i     (ended_i),
      .space_i     (space_i),
      .busy_i      (busy_i),
      .named_o     (named),
      .head_o      (head_o[d*P +: P]),
      .last_o      (last),
      .step_end_o  (step_end),
      .count_o     (count),
      .open_o      (open),
      .late_o      (is_late),
      .moves_ok_o  (moves_ok),
      .ended_o     (has_ended),
      .space_o     (space),
      .busy_o      (busy)
    );
    fred_descriptor #(
      .Ports(P), .PortW(PortW), .StepW(StepW), .LinkPorts(LinkPorts), .CountW(CountW)
    ) u_descriptor (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .enable_i      (enable_i[d]),
      .hold_i        (hold_i[d]),
      .kind_i        (kind_i[d*4 +: 4]),
      .granule_i     (granule_i[d*3 +: 3]),
      .in_mask_i     (in_mask_i[d*P +: P]),
      .out_mask_i    (out_mask_i[d*P +: P]),
      .root_i        (root_i[d*P +: P]),
      .final_step_i  (final_step_i[d*PortW +: PortW]),
      .repeats_i      (repeats_i[d*LinksP*StepW +: LinksP*StepW]),
      .is_send_o     (is_send_o[d]),
      .is_alltoall_o (is_alltoall_o[d]),
      .senders_o     (senders_o[d*P +: P]),
      .head_i        (head_o[d*P +: P]),
      .named_i       (named),
      .last_i        (last),
      .step_end_i    (step_end),
      .count_i       (count),
      .open_i        (open),
      .space_i       (space),
      .busy_i        (busy),
      .withheld_i    (withheld[d*P +: P]),
      .late_i        (is_late),
      .moves_ok_i    (moves_ok),
      .ended_i       (has_ended),
      .waits_o       (tree_waits[d]),
      .in_packet_o   (in_packet_o[d]),
      .late_goes_o   (late_goes[d]),
      .pends_o       (pends_o[d]),
      .wanted_o      (wanted_o[d*P +: P]),
      .candidate_o   (candidate_o[d]),
      .grant_i       (grant_o[d]),
      .launch_o      (launch_o[d*P +: P]),
      .deliver_o     (deliver_o[d*P +: P]),
      .last_o        (last_o[d]),
      .step_o        (step_o[d*StepW +: StepW]),
      .fetch_o       (fetch_o[d]),
      .begin_o       (begin_o[d]),
      .advance_o     (advance_o[d]),
      .ahead_o       (ahead_o[d*PortW +: PortW]),
      .halt_o        (halt_o[d]),
      .halted_o      (halted_o[d]),
      .busy_o        (busy_o[d])
    );
  end
  fred_arbiter #(.Count(D)) u_arbiter (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .candidate_i (candidate_o),
    .clash_i     (clash_i),
    .before_i    (precede),
    .grant_o     (grant_o)
  );
  fred_claims #(.Ports(P), .Vcs(V), .Classes(Classes), .Descriptors(D)) u_claims (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .bound_i        (bound_i),
    .vc_before_i    (vc_before_i),
    .vc_i           (vc_i),
    .circuit_i      (circuit_i),
    .tree_waits_i   (tree_waits),
    .in_packet_i    (in_packet_o),
    .deliver_i      (deliver_o),
    .source_waits_i (source_waits_i),
    .open_i         (head_open_i),
    .dest_i         (own_dest_i),
    .late_goes_i    (late_goes),
    .start_i        (start_i),
    .late_o         (late_o),
    .closed_o       (closed_o),
    .for_trees_o    (for_trees_o),
    .withheld_o     (withheld),
    .before_o       (precede)
  );

endmodule

`default_nettype wire
