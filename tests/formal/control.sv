// SPDX-License-Identifier: Apache-2.0
// The launch decision and the way into the network (fred_control, fred_launch), two virtual circuits, all kinds.
//
// Proved (docs/formal.md):
//   operands_*  what is launched is a usable head of a running descriptor in its circuit; a tree collective launches
//               from all ports of its launch mask or from none, and its operands agree; an element is never cut in two
//   egress_*    it has a place in every egress buffer that it goes to, and no other launch's packet is open there
//   clash_*     no two that clash go together; a port launches one beat a cycle, and one comes to it, of one launch
//   once_*      the beats popped in a cycle are, two cycles later, the network's inputs, with the masks for which the
//               egress places were taken (take_o), travel with their circuit and descriptor, and are said to be due
//               when they come to the egress
//   whole_*     at an egress port and circuit only beats of one launch (descriptor, or source) are taken from a packet's
//               first to its last
//   step_*      a descriptor's step is one of 0 to n - 1; at a link port it has as many more as the table says.
//               A tree collective's goes to the next one when a step ends, and from the last one back to 0
//   abort_*     a descriptor that does not run, or may be disabled in this cycle, launches nothing. In the cycle after its close its step is 0, it is in
//               no packet, and no ingress or egress port is inside one of its packets; all other ports are as they
//               would have been. It may go on in that cycle, and what is above holds in its next life too
// inv_* help the proof and are proved too.
//
// Assumed of the descriptor table (its registers refuse all else, fred_enable_check, or software must not do it): of
// enabled descriptors the masks are not empty, the root is in its mask, the kind exists, the circuit is one, compatible
// is mutual and never for descriptors whose IN or OUT masks meet; entries do not change while enabled (here: never);
// all-to-all: IN = OUT, no port shared, in each step the destinations are different members. A descriptor is disabled
// only when it is not busy and none of its packets is open or at a head. Of the ingress (ingress.sv): heads stay until
// popped; within a packet descriptor, destination and epoch stay; step_end comes with last.
// Of aborts (abort.sv, fred_supervisor): a descriptor may be stopped in any cycle; it is closed in a cycle in which,
// and in the three before, it is stopped, then or later it runs again, and only then is it disabled. While it is
// stopped its epoch may change: then what is at its heads, and comes of the packets there, is stale. Of the egress
// (egress.sv, close_only): in the cycle of the close it closes just the descriptor's open packets, as all that was
// launched is there.
// Links = 1: the last port is a link port. A descriptor has any slot there and any tag, whoever else has it, and up to two
// further steps; sends and all-to-alls do not go there (fred_link_table).
// Egress places come and go as they like. The arbiter and the claims are replaced by abstract/*.sv: whoever is chosen and
// withheld, this holds.
`default_nettype none

module control #(
  parameter int P      = 4,                         // ports, 2..4
  parameter int D      = 4,                         // descriptors, 2..4
  parameter int Kinds  = 1023,                      // bit k: kind k occurs
  parameter int Links  = 0                          // link ports, 0 or 1
) (
  input wire logic clk
);

  localparam int V = 2, PW = P > 2 ? 2 : 1, SW = PW + Links, DescW = D > 2 ? 2 : 1;
  logic up_q = 1'b0, up2_q = 1'b0;                  // out of reset; for a cycle
  always_ff @(posedge clk) {up2_q, up_q} <= {up_q, 1'b1};

  // ---- The descriptor table. ----
  (* anyconst *) logic [D*4-1:0] kind;
  (* anyconst *) logic [D*3-1:0] granule;
  (* anyconst *) logic [D*P-1:0] in_mask, out_mask, root;
  (* anyconst *) logic [D*V-1:0] vc, slot;          // circuit; at the link port
  (* anyconst *) logic [D*DescW-1:0] tag;
  (* anyconst *) logic [D*SW-1:0] more;             // further steps at the link port
  logic [D*P*V-1:0] circuit;
  fred_circuits #(.Ports(P), .Vcs(V), .LinkPorts(Links), .Slots(V), .Descriptors(D)) u_circuits (
    .vc_i (vc), .slot_i (slot), .circuit_o (circuit)
  );
  (* anyconst *) logic [D*D-1:0] compat;
  (* anyconst *) logic [D-1:0]   unused;            // never enabled, and anything else may be in its entry
  (* anyconst *) logic           second_first;
  (* anyseq *)   logic [D-1:0]   enable_next, hold;
  (* anyseq *)   logic [15:0]    bound;
  logic [D-1:0]   enable_q, is_send, is_a2a, tree, reduces, from_root, from_cursor, to_root, to_cursor;
  logic [D*D-1:0] clash;
  logic [D*PW-1:0] final_step;                      // members less one
  logic [D-1:0]   busy, legal;
  logic [D*D-1:0] pair_legal;
  for (genvar d = 0; d < D; d++) begin : g_entry
    logic [3:0]   k;
    logic [P-1:0] i, o, r;
    assign k = kind[d*4 +: 4];
    assign i = in_mask[d*P +: P];
    assign o = out_mask[d*P +: P];
    assign r = root[d*P +: P];
    assign is_send[d]     = k == 4'd7;
    assign is_a2a[d]      = k == 4'd9;
    assign tree[d]        = ~is_send[d] & ~is_a2a[d];
    assign from_root[d]   = k == 4'd2 || k == 4'd6;
    assign from_cursor[d] = k == 4'd3 || k == 4'd5;
    assign to_root[d]     = k == 4'd1 || k == 4'd5;
    assign to_cursor[d]   = k == 4'd4 || k == 4'd6;
    always_comb begin
      final_step[d*PW +: PW] = {PW{1'b1}};
      for (int p = 0; p < P; p++) final_step[d*PW +: PW] = final_step[d*PW +: PW] + PW'(i[p]);
    end
    assign reduces[d]     = tree[d] && !from_root[d] && !from_cursor[d] && (i & (i - P'(1))) != '0;
    assign legal[d] = k <= 4'd9 && 1'((Kinds >> k) & 1) && i != '0 && o != '0 && r != '0 && (r & (r - P'(1))) == '0 &&
                      (vc[d*V +: V] == 2'b01 || vc[d*V +: V] == 2'b10) &&
                      (Links == 0 || ((slot[d*V +: V] == 2'b01 || slot[d*V +: V] == 2'b10) && more[d*SW +: SW] <= SW'(2) &&
                                      (tree[d] || !(i[P-1] || o[P-1])))) &&
                      (!to_root[d] || (r & o) != '0) && (!from_root[d] || (r & i) != '0) && (!is_a2a[d] || i == o);
    for (genvar e = 0; e < D; e++) begin : g_pair
      logic meet;
      assign clash[d*D + e] = (d != e) & ~(compat[d*D + e] & compat[e*D + d]);
      assign meet = (i & in_mask[e*P +: P]) != '0 || (o & out_mask[e*P +: P]) != '0;
      assign pair_legal[d*D + e] = d == e || ((clash[d*D + e] || !meet) && !(is_a2a[d] && is_a2a[e] && meet));
    end
    for (genvar e = 0; e < D; e++) begin : g_assume
      always_comb assume (unused[d] || unused[e] || pair_legal[d*D + e]);
    end
    always_comb assume (unused[d] || legal[d]);
  end

  // ---- The heads: port p, circuit v at i = p*V + v. ----
  localparam int H = P * V;
  (* anyseq *) logic [D-1:0] stop, close, turn;     // no launches; closed; the epoch changes
  logic [D-1:0] run, stop1_q, stop2_q, stop3_q, clear_q, cutting;  // clear: nothing launched since the last close
  logic [H-1:0] passes, closed;                     // the head's epoch passes; egress packets that are closed
  (* anyseq *) logic [H-1:0]   comes, new_last, new_end, new_count, new_stale, new_bad;
  (* anyseq *) logic [H*D-1:0] new_desc;
  (* anyseq *) logic [H*P-1:0] new_dest;
  (* anyseq *) logic [H-1:0]   space;
  logic [H-1:0]   valid_q, last_q, end_q, count_q, stale_q, bad_q, inside_q, known_q;
  logic [H*D-1:0] desc_q, packet_q;                 // packet_q: descriptor of the open packet
  logic [H*P-1:0] dest_q;
  logic [H-1:0]   fit, stale, unknown, member, pop, launched, open, take, egress_busy;
  for (genvar n = 0; n < H; n++) begin : g_head
    logic [D-1:0] desc, fresh, mine;
    logic         load;
    assign desc  = desc_q[n*D +: D];
    assign fresh = new_desc[n*D +: D];
    for (genvar d = 0; d < D; d++) begin : g_mine
      assign mine[d] = circuit[(d*P + n/V)*V + n%V];
    end
    assign load       = comes[n] & (~valid_q[n] | pop[n]);
    assign stale[n]   = valid_q[n] & known_q[n] & stale_q[n] & |desc;
    assign unknown[n] = valid_q[n] & ~known_q[n] & ~bad_q[n];
    assign fit[n]     = valid_q[n] & ~stale_q[n] & ~bad_q[n];
    assign passes[n]  = |(desc & turn);
    always_comb begin
      assume ((fresh & (fresh - D'(1))) == '0 && (fresh & ~mine) == '0);
      assume ((new_dest[n*P +: P] & (new_dest[n*P +: P] - P'(1))) == '0);
      assume (new_last[n] || !new_end[n]);
      assume (!inside_q[n] || (fresh == desc && new_dest[n*P +: P] == dest_q[n*P +: P] &&
                               new_stale[n] == (stale_q[n] | passes[n])));
    end
    logic [D-1:0] into;
    for (genvar d = 0; d < D; d++) begin : g_into
      assign into[d] = |(out_mask[d*P +: P] & dest_q[n*P +: P]);
    end
    assign member[n]   = |(into & desc);
    assign launched[n] = pop[n] & ~stale[n];
    always_ff @(posedge clk) begin
      if (!up_q) begin
        valid_q[n]  <= 1'b0;
        inside_q[n] <= 1'b0;
        desc_q[n*D +: D] <= '0;
      end else begin
        valid_q[n] <= load | (valid_q[n] & ~pop[n]);
        if (load) begin
          inside_q[n]      <= ~new_last[n];
          desc_q[n*D +: D] <= fresh;
          dest_q[n*P +: P] <= new_dest[n*P +: P];
          last_q[n]  <= new_last[n];
          end_q[n]   <= new_end[n];
          count_q[n] <= new_count[n];
          stale_q[n] <= new_stale[n];
          bad_q[n]   <= new_bad[n];
        end else begin
          stale_q[n] <= stale_q[n] | passes[n];
        end
      end
      known_q[n] <= |((load ? fresh : desc) & enable_q);
      if (launched[n]) packet_q[n*D +: D] <= desc;
    end
  end

  // ---- Software: enables as it likes, disables what is over. Aborts: a descriptor is stopped for as long as one
  //      likes, but not before the fourth cycle closed, and goes on only when it has been. While it is stopped its
  //      epoch may change. ----
  logic [D-1:0] in_use;
  for (genvar d = 0; d < D; d++) begin : g_use
    logic [H-1:0] here;
    for (genvar n = 0; n < H; n++) begin : g_here
      assign here[n] = (valid_q[n] & desc_q[n*D + d]) | (open[n] & packet_q[n*D + d]);
    end
    assign in_use[d] = busy[d] | (|here) | cutting[d];
    always_comb assume (!stop1_q[d] || stop[d] || !cutting[d]);
    always_comb assume (!close[d] || (stop[d] && stop1_q[d] && stop2_q[d] && stop3_q[d]));
    always_comb assume (!turn[d] || stop[d]);
    always_comb assume (!enable_next[d] || !unused[d]);
    always_comb assume (enable_next[d] || !enable_q[d] || !in_use[d]);
  end
  assign run     = enable_q & ~stop;
  assign cutting = stop1_q & ~clear_q;
  always_ff @(posedge clk) begin
    enable_q <= up_q ? enable_next : '0;
    stop1_q  <= up_q ? stop : '0;
    stop2_q  <= up_q ? stop1_q : '0;
    stop3_q  <= up_q ? stop2_q : '0;
    clear_q  <= up_q ? close | (clear_q & ~run) : '1;
  end

  // ---- The design. ----
  logic [D*SW-1:0] step, step_then;
  logic [P-1:0]    launch, net_valid, due;
  logic [H-1:0]    by_circuit, dropped;
  logic [P*D-1:0]  launch_desc;
  logic [P*P-1:0]  launch_dest, net_mask;
  logic [P-1:0]    launch_route, net_route, net_op;
  logic [P*3-1:0]  launch_side;
  logic [D-1:0]    send_o, a2a_o, grant;
  logic [D*P-1:0]  deliver_o;
  localparam int TagW = Links != 0 ? DescW : 0, OutW = TagW + 1 + 1 + 1 + 6 + SW + DescW;
  logic [P*OutW-1:0] side;
  fred_control #(
    .Ports(P), .PortW(PW), .StepW(SW), .LinkPorts(Links), .Vcs(V), .Classes(V), .Descriptors(D), .Tables(1), .RouteW(1),
    .CountW(1)
  ) dut (
    .clk_i (clk), .rst_ni (up_q),
    .run_i (run), .hold_i (hold), .kind_i (kind), .granule_i (granule), .in_mask_i (in_mask), .out_mask_i (out_mask),
    .root_i (root), .final_step_i (final_step), .repeats_i (more), .vc_i (vc), .circuit_i (circuit), .uses_i (is_a2a),
    .clash_i (clash), .halted_o (), .busy_o (busy), .step_o (step),
    .close_i (close), .closed_i (closed),
    .vc_before_i ({1'b0, ~second_first, second_first, 1'b0}), .bound_i (bound),
    .table_we_i (1'b0), .table_index_i (1'b0), .table_step_i ('0), .table_port_i ('0), .table_dest_i ('0),
    .table_route_i (1'b0), .table_parity_i (1'b0),
    .head_usable_i (fit), .head_desc_i (desc_q), .head_last_i (last_q), .head_step_end_i (end_q),
    .head_count_i (count_q), .head_dest_i (dest_q), .head_member_i (member), .head_stale_i (stale),
    .head_unknown_i (unknown), .pop_o (pop), .space_i (space), .take_o (take),
    .launch_o (launch), .launched_o (by_circuit), .dropped_o (dropped), .launch_desc_o (launch_desc),
    .launch_dest_o (launch_dest), .launch_route_o (launch_route), .launch_side_o (launch_side),
    .is_send_o (send_o), .is_alltoall_o (a2a_o), .deliver_o (deliver_o), .step_then_o (step_then),
    .open_o (open), .egress_busy_o (egress_busy), .member_error_o (), .halt_o (),
    .grant_o (grant), .candidate_o (), .pends_o (), .entry_bad_o (), .in_packet_o (), .wanted_o (), .at_head_o (),
    .delivers_o (), .own_dest_o ()
  );
  fred_launch #(
    .Ports(P), .StepW(SW), .Vcs(V), .Classes(V), .LinkPorts(Links), .Slots(V), .TagW(DescW), .Descriptors(D),
    .DescW(DescW), .RouteW(1), .CountW(1), .OpW(1), .Latency(1)
  ) u_launch (
    .clk_i (clk), .rst_ni (up_q), .op_i ('0), .epoch_i ('0), .spoiled_i ('0), .route_i ('0), .vc_i (vc),
    .slot_i (slot), .tag_i (tag), .conversion_i ('0),
    .is_send_i (send_o), .is_alltoall_i (a2a_o), .deliver_i (deliver_o), .step_i (step_then),
    .launch_i (launch), .launch_desc_i (launch_desc), .launch_dest_i (launch_dest), .launch_route_i (launch_route),
    .launch_side_i (launch_side), .passes_i ('0), .arrived_i ('0),
    .net_valid_o (net_valid), .net_mask_o (net_mask), .net_route_o (net_route), .net_op_o (net_op),
    .net_conversion_o (), .due_o (due), .side_o (side)
  );
  (* hierconn *) wire [P*P-1:0] \dut.context_dest ;
  (* hierconn *) wire [P-1:0]   \dut.ended ;
  (* hierconn *) wire [D-1:0]   \dut.in_packet_o ;

  // ---- What the protocol says of each descriptor's step (docs/protocol.md). ----
  logic [D*P-1:0] from, to;                         // launch and deliver masks of tree collectives
  logic [D-1:0]   goes, step_legal, step_ends_q, step_follows;
  logic [D*SW-1:0] step_next_q;
  for (genvar d = 0; d < D; d++) begin : g_spec
    logic [P-1:0] i, o, in_step, out_step, lp;
    logic [P*4-1:0] in_rank, out_rank;
    assign i = in_mask[d*P +: P];
    assign o = out_mask[d*P +: P];
    for (genvar p = 0; p < P; p++) begin : g_member
      if (p == 0) begin : g_first
        assign in_rank[3:0]  = 4'd0;
        assign out_rank[3:0] = 4'd0;
      end else begin : g_next
        assign in_rank[p*4 +: 4]  = in_rank[p*4-4 +: 4] + 4'(i[p-1]);
        assign out_rank[p*4 +: 4] = out_rank[p*4-4 +: 4] + 4'(o[p-1]);
      end
      if (p < P - Links) begin : g_own
        assign in_step[p]  = i[p] && in_rank[p*4 +: 4] == 4'(step[d*SW +: SW]);
        assign out_step[p] = o[p] && out_rank[p*4 +: 4] == 4'(step[d*SW +: SW]);
      end else begin : g_link
        logic [4:0] now, first_in, first_out;
        assign now         = 5'(step[d*SW +: SW]);
        assign first_in    = {1'b0, in_rank[p*4 +: 4]};
        assign first_out   = {1'b0, out_rank[p*4 +: 4]};
        assign in_step[p]  = i[p] && now >= first_in && now <= first_in + 5'(more[d*SW +: SW]);
        assign out_step[p] = o[p] && now >= first_out && now <= first_out + 5'(more[d*SW +: SW]);
      end
      assign lp[p]       = |(launched[p*V +: V] & {desc_q[(p*V+1)*D + d], desc_q[p*V*D + d]});
    end
    assign from[d*P +: P] = from_root[d] ? root[d*P +: P] : from_cursor[d] ? in_step : i;
    assign to[d*P +: P]   = to_root[d] ? root[d*P +: P] : to_cursor[d] ? out_step : o;
    assign goes[d]  = |lp;
    // Steps in all, and the one that follows where this one ends.
    logic [4:0]   steps, next;
    logic [P-1:0] ends;
    assign steps   = (to_cursor[d] ? 5'(out_rank[(P-1)*4 +: 4]) + 5'(o[P-1]) : 5'(in_rank[(P-1)*4 +: 4]) + 5'(i[P-1])) +
                     (Links != 0 && (to_cursor[d] ? o[P-1] : i[P-1]) ? 5'(more[d*SW +: SW]) : 5'd0);
    assign next    = 5'(step[d*SW +: SW]) + 5'd1;
    for (genvar p = 0; p < P; p++) begin : g_ends
      assign ends[p] = lp[p] & |(launched[p*V +: V] & end_q[p*V +: V]);
    end
    always_ff @(posedge clk) begin
      step_ends_q[d]          <= up_q & tree[d] & (from_cursor[d] | to_cursor[d]) & (|ends);
      step_next_q[d*SW +: SW] <= next == steps ? '0 : next[SW-1:0];
    end
    assign step_follows[d] = !step_ends_q[d] || unused[d] || step[d*SW +: SW] == step_next_q[d*SW +: SW];
    assign step_legal[d] = to_cursor[d] ? out_step != '0 : from_cursor[d] || is_a2a[d] ? in_step != '0 :
                           step[d*SW +: SW] == '0;
  end

  // ---- All-to-all: the table sends the members of a step to different members. ----
  for (genvar d = 0; d < D; d++) begin : g_a2a
    for (genvar p = 0; p < P; p++) begin : g_from
      logic [P-1:0] there;
      assign there = \dut.context_dest [p*P +: P];
      always_comb assume (unused[d] || !is_a2a[d] || !in_mask[d*P + p] ||
                          (there != '0 && (there & (there - P'(1))) == '0 && (there & ~in_mask[d*P +: P]) == '0));
      for (genvar r = 0; r < P; r++) begin : g_other
        if (r < p) begin : g_pair
          always_comb assume (unused[d] || !is_a2a[d] || !in_mask[d*P + p] || !in_mask[d*P + r] ||
                              (there & \dut.context_dest [r*P +: P]) == '0);
        end
      end
    end
  end

  // ---- Where each launched beat goes, and whose packet is open there. ----
  logic [H-1:0]   own, tree_head, a2a_head;         // heads of sends and all-to-alls
  logic [H*P-1:0] goes_to;                          // egress ports of each launched head
  logic [H-1:0]   open_q, lock_ok, place_ok, usable, member_ok, taken, whole_ok, cut_ok, taken_once, owner_ok;
  logic [H*D-1:0] owner_q;
  logic [H*P-1:0] source_q;                         // of a send or all-to-all; 0 for a tree collective
  for (genvar n = 0; n < H; n++) begin : g_goes
    logic [D-1:0]   desc;
    logic [D*P-1:0] masks;
    assign desc = desc_q[n*D +: D];
    fred_select #(.Width(P), .Count(D)) u_to (.select_i(desc), .data_i(to), .data_o(masks[P-1:0]));
    assign own[n]       = |(desc & (is_send | is_a2a));
    assign a2a_head[n]  = |(desc & is_a2a);
    assign tree_head[n] = |(desc & tree);
    assign goes_to[n*P +: P] = {P{launched[n]}} &
                               (a2a_head[n] ? \dut.context_dest [(n/V)*P +: P] : own[n] ? dest_q[n*P +: P] : masks[P-1:0]);
    assign usable[n]    = !launched[n] || (fit[n] && desc != '0 && (desc & ~run) == '0 && known_q[n]);
    assign member_ok[n] = !launched[n] || ((!own[n] || |(desc & g_in.sends[(n/V)*D +: D])) &&
                                           (!own[n] || a2a_head[n] || member[n]));
    assign cut_ok[n]    = !launched[n] || !(|(desc & reduces)) || !count_q[n] || !(|(desc & g_in.coarse));
  end
  if (1) begin : g_in
    logic [P*D-1:0] sends;
    logic [D-1:0]   coarse;                         // an element has more bytes than a beat of the harness
    for (genvar d = 0; d < D; d++) begin : g_d
      assign coarse[d] = granule[d*3];
      for (genvar p = 0; p < P; p++) begin : g_p
        assign sends[p*D + d] = in_mask[d*P + p];
      end
    end
  end
  for (genvar q = 0; q < P; q++) begin : g_egress
    for (genvar v = 0; v < V; v++) begin : g_vc
      localparam int n = q * V + v;
      logic [P-1:0]   into, from_source, ending;    // by ingress port
      logic [D-1:0]   taker;
      logic [P*D-1:0] takers;
      for (genvar p = 0; p < P; p++) begin : g_p
        // Of which circuit of the ingress port: without links of this one.
        logic [V-1:0] from;
        logic [D-1:0] here;
        for (genvar d = 0; d < D; d++) begin : g_here
          assign here[d] = circuit[(d*P + q)*V + v];
        end
        for (genvar u = 0; u < V; u++) begin : g_from
          assign from[u] = goes_to[(p*V + u)*P + q] & (Links == 0 ? u == v : |(desc_q[(p*V + u)*D +: D] & here));
        end
        assign into[p]           = |from;
        assign from_source[p]    = |(from & own[p*V +: V]);
        assign ending[p]         = |(from & last_q[p*V +: V]);
        assign takers[p*D +: D]  = ({D{from[0]}} & desc_q[p*V*D +: D]) | ({D{from[1]}} & desc_q[(p*V + 1)*D +: D]);
      end
      for (genvar d = 0; d < D; d++) begin : g_d
        logic [P-1:0] t;
        for (genvar p = 0; p < P; p++) begin : g_p
          assign t[p] = takers[p*D + d];
        end
        assign taker[d] = |t;
      end
      // fred_egress closes the packet whose beats have come last, and by now all have: the one that is open here.
      assign closed[n]     = open_q[n] & |(owner_q[n*D +: D] & close);
      assign ends_here[n]  = |ending;
      assign place_ok[n]   = into == '0 || space[n];
      assign lock_ok[n]    = into == '0 || !open_q[n] || (taker == owner_q[n*D +: D] && from_source == source_q[n*P +: P]);
      assign whole_ok[n]   = lock_ok[n];
      assign taken[n]      = take[n] == (into != '0);
      assign taken_once[n] = (taker & (taker - D'(1))) == '0 && (from_source & (from_source - P'(1))) == '0 &&
                             (from_source == '0 || from_source == into);
      always_ff @(posedge clk) begin
        if (!up_q) open_q[n] <= 1'b0;
        else if (closed[n]) open_q[n] <= 1'b0;
        else if (into != '0) begin
          open_q[n]            <= ~|ending;
          owner_q[n*D +: D]    <= taker;
          source_q[n*P +: P]   <= from_source;
        end
      end
      // A packet that is open here is open at its source, and the source's head is of it.
      logic [P-1:0] source_open;
      for (genvar p = 0; p < P; p++) begin : g_source
        assign source_open[p] = !source_q[n*P + p] ||
                                (open[p*V + v] && packet_q[(p*V + v)*D +: D] == owner_q[n*D +: D] &&
                                 (a2aish(owner_q[n*D +: D]) ? \dut.context_dest [p*P + q] && !\dut.ended [p]
                                                            : dest_q[(p*V + v)*P + q]));
      end
      assign owner_ok[n] = !open_q[n] ||
        (owner_q[n*D +: D] != '0 && (owner_q[n*D +: D] & (owner_q[n*D +: D] - D'(1))) == '0 &&
         (owner_q[n*D +: D] & ~enable_q) == '0 && ((owner_q[n*D +: D] & cutting) != '0 ||
         ((owner_q[n*D +: D] & tree) != '0
            ? (owner_q[n*D +: D] & ~\dut.in_packet_o ) == '0 && source_q[n*P +: P] == '0
            : (&source_open) && source_q[n*P +: P] != '0 &&
              (source_q[n*P +: P] & (source_q[n*P +: P] - P'(1))) == '0)));
    end
  end
  function automatic logic a2aish(input logic [D-1:0] d);
    a2aish = |(d & is_a2a);
  endfunction

  // ---- Aborts: what the cycle before was, and what follows from it. ----
  logic [D-1:0] close1_q, step_zero, none_left;
  logic [H-1:0] closed1_q, busy1_q, take_then_q, ended1_q, opened1_q, launched1_q, last1_q, dropped1_q, cut1_q;
  logic [H-1:0] ends_here, cut_here, lock_kept, port_kept;
  for (genvar n = 0; n < H; n++) begin : g_abort
    assign cut_here[n]  = open[n] & |(packet_q[n*D +: D] & close);
    assign lock_kept[n] = egress_busy[n] == (take_then_q[n] ? ~ended1_q[n] : busy1_q[n] & ~closed1_q[n]);
    assign port_kept[n] = launched1_q[n] ? open[n] == ~last1_q[n] : cut1_q[n] ? ~open[n] :
                          dropped1_q[n] ? ~open[n] | opened1_q[n] : open[n] == opened1_q[n];
  end
  for (genvar d = 0; d < D; d++) begin : g_none
    logic [H-1:0] left, held;
    for (genvar n = 0; n < H; n++) begin : g_left
      assign left[n] = open[n] & packet_q[n*D + d];
      assign held[n] = egress_busy[n] & owner_q[n*D + d];
    end
    assign none_left[d] = !close1_q[d] || (left == '0 && held == '0);
    assign step_zero[d] = !close1_q[d] || step[d*SW +: SW] == '0;
  end
  always_ff @(posedge clk) begin
    close1_q    <= up_q ? close : '0;
    closed1_q   <= closed;
    cut1_q      <= cut_here;
    busy1_q     <= up_q ? egress_busy : '0;
    take_then_q <= up_q ? take : '0;
    ended1_q    <= ends_here;
    opened1_q   <= up_q ? open : '0;
    launched1_q <= up_q ? launched : '0;
    last1_q     <= last_q;
    dropped1_q  <= pop & stale;
  end

  // ---- The assertions. ----
  logic [D-1:0] all_or_none, agreed, clear, in_packet_ok, masks_ok;
  logic [D*D-1:0] apart;
  logic [P-1:0] one_in, one_out;
  for (genvar d = 0; d < D; d++) begin : g_ok
    logic [P-1:0] lp, l, e, c, at_q, at_p;
    for (genvar p = 0; p < P; p++) begin : g_port
      assign lp[p] = |(launched[p*V +: V] & {desc_q[(p*V+1)*D + d], desc_q[p*V*D + d]});
      assign l[p]  = |(launched[p*V +: V] & last_q[p*V +: V]);
      assign e[p]  = |(launched[p*V +: V] & end_q[p*V +: V]);
      assign c[p]  = |(launched[p*V +: V] & count_q[p*V +: V]);
      assign at_q[p] = |(circuit[(d*P + p)*V +: V] & {open_q[p*V+1] && owner_q[(p*V+1)*D + d], open_q[p*V] && owner_q[p*V*D + d]});
      assign at_p[p] = |(circuit[(d*P + p)*V +: V] & {open[p*V+1] && packet_q[(p*V+1)*D + d], open[p*V] && packet_q[p*V*D + d]});
    end
    assign all_or_none[d] = !tree[d] || lp == '0 || lp == from[d*P +: P];
    assign agreed[d] = !tree[d] || (((lp & l) == '0 || (lp & ~l) == '0) && ((lp & e) == '0 || (lp & ~e) == '0) &&
                                    ((lp & c) == '0 || (lp & ~c) == '0));
    assign in_packet_ok[d] = unused[d] ? !\dut.in_packet_o [d] :
      !tree[d] || cutting[d] || (\dut.in_packet_o [d] ? at_q == to[d*P +: P] && at_p == from[d*P +: P]
                                                   : at_q == '0 && at_p == '0);
    for (genvar x = 0; x < D; x++) begin : g_pair
      assign apart[d*D + x] = !(goes[d] && goes[x] && clash[d*D + x]);
    end
  end
  for (genvar p = 0; p < P; p++) begin : g_one
    assign one_in[p]  = launched[p*V +: V] != 2'b11;
    assign one_out[p] = take[p*V +: V] != 2'b11;
  end
  // Two cycles later: what was launched and where to.
  logic [P-1:0]   valid1_q, valid2_q, mask_ok;
  logic [P*P-1:0] mask1_q, mask2_q, mask_now;
  logic [H-1:0]   take1_q, take2_q, take3_q;
  for (genvar p = 0; p < P; p++) begin : g_net
    assign mask_now[p*P +: P] = goes_to[p*V*P +: P] | goes_to[(p*V + 1)*P +: P];
    assign mask_ok[p] = net_valid[p] == valid2_q[p] && (!valid2_q[p] || net_mask[p*P +: P] == mask2_q[p*P +: P]);
  end
  logic [P-1:0]   launched_port, side_ok, tag_ok, taken3;
  logic [P*D-1:0] taker1_q, taker2_q, taker3_q, taker_now;
  for (genvar q = 0; q < P; q++) begin : g_side
    logic [P*D-1:0] descs;
    logic [D-1:0]   named;
    for (genvar p = 0; p < P; p++) begin : g_p
      assign descs[p*D +: D] = ({D{goes_to[p*V*P + q]}} & desc_q[p*V*D +: D]) |
                               ({D{goes_to[(p*V+1)*P + q]}} & desc_q[(p*V+1)*D +: D]);
    end
    for (genvar d = 0; d < D; d++) begin : g_d
      logic [P-1:0] t;
      for (genvar p = 0; p < P; p++) begin : g_p
        assign t[p] = descs[p*D + d];
      end
      assign taker_now[q*D + d] = |t;
      assign named[d] = side[q*OutW + 8 + SW +: DescW] == DescW'(d);
    end
    assign taken3[q]        = |take3_q[q*V +: V];
    assign launched_port[q] = |launched[q*V +: V];
    // {tag, circuit, descriptor, tuser, tlast, byte count}
    assign side_ok[q] = take3_q[q*V +: V] == '0 ||
                        (taker3_q[q*D +: D] == named && side[q*OutW + OutW - TagW - 1] == take3_q[q*V + 1] && tag_ok[q]);
    if (q < P - Links) begin : g_own
      assign tag_ok[q] = 1'b1;
    end else begin : g_link
      logic [D-1:0] tagged;
      for (genvar d = 0; d < D; d++) begin : g_tagged
        assign tagged[d] = side[q*OutW + OutW - TagW +: DescW] == tag[d*DescW +: DescW];
      end
      assign tag_ok[q] = (taker3_q[q*D +: D] & ~tagged) == '0;
    end
  end
  always_ff @(posedge clk) begin
    valid1_q     <= up_q ? launched_port : '0;
    valid2_q     <= up_q ? valid1_q : '0;
    mask1_q      <= mask_now;
    mask2_q      <= mask1_q;
    take1_q      <= up_q ? take : '0;
    take2_q      <= up_q ? take1_q : '0;
    take3_q      <= up_q ? take2_q : '0;
    taker1_q     <= taker_now;
    taker2_q     <= taker1_q;
    taker3_q     <= taker2_q;
  end
  always_comb begin
    if (up_q) begin
      operands_usable : assert (&usable);
      operands_member : assert (&member_ok);
      operands_all    : assert (&all_or_none);
      operands_agree  : assert (&agreed);
      operands_cut    : assert (&cut_ok);
      egress_place    : assert (&place_ok);
      egress_free     : assert (&lock_ok);
      whole_packet    : assert (&whole_ok);
      clash_never     : assert (&apart);
      clash_port      : assert (&one_in);
      clash_egress    : assert ((&one_out) && (&taken_once));
      once_taken      : assert (&taken);
      once_entered    : assert (&mask_ok);
      once_named      : assert (&side_ok);
      once_due        : assert (due == taken3);
      inv_busy        : assert (egress_busy == open_q);
      inv_owner       : assert (&owner_ok);
      inv_packet      : assert ((&in_packet_ok) || !up2_q);
      step_range      : assert (&(step_legal | unused | ~enable_q));
      step_order      : assert (&step_follows);
      abort_stopped   : assert ((grant & ~run) == '0);
      abort_step      : assert (&step_zero);
      abort_packet    : assert ((close1_q & \dut.in_packet_o ) == '0);
      abort_locks     : assert (&lock_kept);
      abort_ports     : assert (&port_kept);
      abort_none      : assert (&none_left);
      abort_held      : assert ((grant & hold) == '0);
    end
  end

endmodule

`default_nettype wire
