// SPDX-License-Identifier: Apache-2.0
// Who waits goes in the end: fred_claims and fred_arbiter with D descriptors, two circuits, P egress ports. Descriptor
// D-1 is a tree collective like the others, or a send with a source at each of P ingress ports.
//
// Proved:
//   late_*    a tree collective that has waited for bound cycles without a break is late; none is before bound / 2
//   source_bound    the same of a source
//   order_*   the order that fred_claims gives is a strict weak one, with claimants first, by age
//   claim_starts    from the third cycle of a tree's claim on no tree starts a packet on the claimant's ports in its
//             circuit, but an older claimant and, right behind its packet of one beat, that one once more
//   claim_shut      nor does a source that is not late, from the second cycle on
//   claim_goes      a late tree whose ports are in no packet and have space, where no late source wants one of them and no
//             older claimant clashes with it or needs one of them, goes at the latest in the Within-th such cycle
//   source_goes_on  a late source whose port is in no packet and has space, where no late tree needs it, no other late
//             source of the send can go and no older claimant clashes, goes at the latest in the WithinS-th such cycle
//   vc_first  where nobody is late, of two that clash and have been candidates for three cycles, as everybody has been,
//             the one of the later circuit does not go if the other one could go but for it
//
// A tree collective is modelled by what fred_descriptor does: it waits with its operands until it goes, is a candidate
// where it has space and no other's packet is open on its ports and, unless its own is open, nothing is withheld; masks
// are constant. (The real descriptors' masks may change when a step ends; they wait anew then.) The sources are
// modelled by what fred_port_launch and fred_descriptor do.
// Assumed: bound 8..15 and steady; any circuits and clashes, but who shares egress ports clashes; operands come, and
// there is space, as they like; a source sends to members only.
`default_nettype none

module starve #(
  parameter int P      = 2,
  parameter int D      = 3,
  parameter int Within  = 4,
  parameter int WithinS = 4
) (
  input wire logic clk
);

  localparam int V = 2;
  logic up_q = 1'b0;
  always_ff @(posedge clk) up_q <= 1'b1;
  (* anyconst *) logic [D*P-1:0] deliver;
  (* anyconst *) logic [D-1:0]   second;            // in circuit 1
  (* anyconst *) logic [D*D-1:0] pairs;
  (* anyconst *) logic [3:0]     bound;
  (* anyconst *) logic           second_first;
  (* anyseq *)   logic [D-1:0]   comes, ends;       // operands of the next beat are there; it ends its packet
  (* anyseq *)   logic [P*V-1:0] space;
  // Descriptor D-1 may be a send, with a source at each of P ingress ports.
  (* anyconst *) logic           sends;
  (* anyseq *)   logic [P-1:0]   source_comes, source_ends;
  (* anyseq *)   logic [P*P-1:0] source_to;         // one-hot
  logic [P*P-1:0] to_q, dest;
  logic [P-1:0]   head_q, ending_q, opened_q, served_q, source_late, able, senders, sender, source_goes, source_waits;
  logic [D*P-1:0] wanted;                           // masks of the trees; 0 for the send
  logic           late_goes_q, late_goes;
  always_comb assume (bound[3]);

  logic [D-1:0]   ready_q, last_q, in_packet_q, candidate, grant, waits, late;
  logic [D*V-1:0] vc;
  logic [D*P-1:0] withheld;
  logic [D*D-1:0] clash, before;
  logic [P*V-1:0] busy_q, take, frees;
  logic [D*P*V-1:0] needs;
  for (genvar d = 0; d < D; d++) begin : g_d
    logic [P-1:0] room, busy;
    assign vc[d*V +: V] = {second[d], ~second[d]};
    always_comb assume (deliver[d*P +: P] != '0);
    assign wanted[d*P +: P] = d == D-1 && sends ? '0 : deliver[d*P +: P];
    for (genvar q = 0; q < P; q++) begin : g_q
      assign room[q] = |(vc[d*V +: V] & space[q*V +: V]);
      assign busy[q] = |(vc[d*V +: V] & busy_q[q*V +: V]);
      assign needs[d*P*V + q*V +: V] = vc[d*V +: V] & {V{wanted[d*P + q]}};
    end
    for (genvar e = 0; e < D; e++) begin : g_e
      assign clash[d*D + e] = d == e ? 1'b0 : (d < e ? pairs[d*D + e] : pairs[e*D + d]) |
                              (deliver[d*P +: P] & deliver[e*P +: P]) != '0;   // of a send: OUT_MASK
    end
    assign candidate[d] = d == D-1 && sends ? |senders : ready_q[d] & ~|(deliver[d*P +: P] & (~room | ((busy | withheld[d*P +: P]) & ~{P{in_packet_q[d]}})));
    assign waits[d]     = ready_q[d] & ~grant[d] & !(d == D-1 && sends);
    always_ff @(posedge clk) begin
      if (!up_q) begin
        ready_q[d]     <= 1'b0;
        in_packet_q[d] <= 1'b0;
      end else begin
        if (!waits[d]) begin
          ready_q[d] <= comes[d];
          last_q[d]  <= ends[d];
        end
        if (grant[d] && !(d == D-1 && sends)) in_packet_q[d] <= ~last_q[d];
      end
    end
  end
  for (genvar n = 0; n < P*V; n++) begin : g_n
    logic [D-1:0] takes;
    for (genvar d = 0; d < D; d++) begin : g_d
      assign takes[d] = grant[d] & needs[d*P*V + n];
    end
    logic [P-1:0] comes_here;                       // sources
    for (genvar p = 0; p < P; p++) begin : g_p
      assign comes_here[p] = source_goes[p] & dest[p*P + n/V] & (n%V == 1 ? second[D-1] : ~second[D-1]);
    end
    assign take[n]  = |takes | |comes_here;
    assign frees[n] = |(takes & last_q) | |(comes_here & ending_q);
    always_ff @(posedge clk) begin
      if (!up_q) busy_q[n] <= 1'b0;
      else if (take[n]) busy_q[n] <= ~frees[n];
    end
  end
  // ---- The sources, as fred_port_launch and fred_descriptor have them. ----
  logic [P*V-1:0]   waits_all, open_all, late_all, closed, for_trees;
  logic [P*V*P-1:0] dest_all;
  for (genvar p = 0; p < P; p++) begin : g_source
    logic [P-1:0] room, busy, shut, trees_only, open_to;
    always_comb assume (source_to[p*P +: P] != '0 && (source_to[p*P +: P] & (source_to[p*P +: P] - P'(1))) == '0);
    for (genvar q = 0; q < P; q++) begin : g_q
      assign dest[p*P + q]  = head_q[p] & to_q[p*P + q];
      assign room[q]        = second[D-1] ? space[q*V + 1] : space[q*V];
      assign busy[q]        = second[D-1] ? busy_q[q*V + 1] : busy_q[q*V];
      assign shut[q]        = second[D-1] ? closed[q*V + 1] : closed[q*V];
      assign trees_only[q]  = second[D-1] ? for_trees[q*V + 1] : for_trees[q*V];
    end
    assign open_to = room & (~(busy | (source_late[p] ? trees_only : shut)) | {P{opened_q[p]}});
    assign able[p] = head_q[p] & |(dest[p*P +: P] & open_to);
    assign source_late[p]  = second[D-1] ? late_all[p*V + 1] : late_all[p*V];
    assign source_goes[p]  = grant[D-1] & sends & sender[p];
    assign source_waits[p] = sends & head_q[p] & ~source_goes[p];
    for (genvar v = 0; v < V; v++) begin : g_v
      logic here;
      assign here = v == 1 ? second[D-1] : ~second[D-1];
      assign waits_all[p*V + v] = here & source_waits[p];
      assign open_all[p*V + v]  = here & opened_q[p];
      assign dest_all[(p*V + v)*P +: P] = {P{here & sends}} & dest[p*P +: P];
    end
    always_ff @(posedge clk) begin
      if (!up_q) begin
        head_q[p]   <= 1'b0;
        opened_q[p] <= 1'b0;
      end else begin
        if (!head_q[p] || source_goes[p]) begin
          head_q[p]   <= source_comes[p] & sends;
          ending_q[p] <= source_ends[p];
          if (source_goes[p] ? ending_q[p] : !opened_q[p]) to_q[p*P +: P] <= source_to[p*P +: P];
        end
        if (source_goes[p]) opened_q[p] <= ~ending_q[p];
      end
    end
  end
  assign senders   = able & (source_late | ~{P{late_goes_q}});
  assign late_goes = sends & |(source_late & able);
  fred_first #(.Count(P)) u_sender (.start_i(~served_q), .request_i(senders), .first_o(sender));
  always_ff @(posedge clk) begin
    late_goes_q <= up_q & late_goes;
    if (!up_q) served_q <= '0;
    else if (grant[D-1] && sends) served_q <= sender | (sender - P'(1));
  end
  logic [D*P*V-1:0] circuit;                        // at every port the descriptor's, as fred_circuits says
  for (genvar d = 0; d < D; d++) begin : g_circuit
    assign circuit[d*P*V +: P*V] = {P{vc[d*V +: V]}};
  end
  fred_claims #(.Ports(P), .Vcs(V), .Classes(V), .Descriptors(D)) u_claims (
    .clk_i (clk), .rst_ni (up_q), .bound_i ({12'd0, bound}), .vc_before_i ({1'b0, ~second_first, second_first, 1'b0}),
    .vc_i (vc), .circuit_i (circuit), .tree_waits_i (waits), .in_packet_i (in_packet_q), .deliver_i (wanted),
    .source_waits_i (waits_all), .open_i (open_all), .dest_i (dest_all), .late_goes_i ({late_goes, (D-1)'(0)}),
    .start_i (take & ~busy_q), .late_o (late_all), .closed_o (closed), .for_trees_o (for_trees), .withheld_o (withheld), .before_o (before)
  );
  fred_arbiter #(.Count(D)) u_arbiter (
    .clk_i (clk), .rst_ni (up_q), .candidate_i (candidate), .clash_i (clash), .before_i (before), .grant_o (grant)
  );
  (* hierconn *) wire [D-1:0] \u_claims.tree_late , \u_claims.claims ;
  assign late = \u_claims.tree_late ;
  for (genvar p = 0; p < P; p++) begin : g_inside   // a source sends only to the descriptor's OUT_MASK
    always_comb assume (!sends || (dest[p*P +: P] & ~deliver[(D-1)*P +: P]) == '0);
  end

  // Egress ports that late sources want, and late trees.
  logic [P*V-1:0] wants, tree_wants;
  for (genvar n = 0; n < P*V; n++) begin : g_wants
    logic [P-1:0] from;
    logic [D-1:0] by;
    for (genvar p = 0; p < P; p++) begin : g_p
      assign from[p] = late_all[p*V + n%V] & dest_all[(p*V + n%V)*P + n/V];
    end
    for (genvar d = 0; d < D; d++) begin : g_d
      assign by[d] = late[d] & needs[d*P*V + n];
    end
    assign wants[n]      = |from;
    assign tree_wants[n] = |by;
  end

  logic [D*5-1:0] waited_q;                         // cycles of waiting before this one, at most 31
  logic [D*3-1:0] could_q;                          // cycles in which it could have gone before this one, at most 7
  logic [D*2-1:0] claimed_q;                        // cycles of the claim before this one, at most 3
  logic [D-1:0]   candidate1_q, late_ok, early_ok, goes_ok, starts_ok, first_ok;
  logic [D*D-1:0] order_ok, vc_ok;
  logic [D*D*D-1:0] weak_ok;                         // transitive, and so is neither before the other
  logic [1:0]     same_q;
  logic           up2_q = 1'b0;
  always_ff @(posedge clk) begin
    up2_q        <= up_q;
    candidate1_q <= candidate;
    same_q       <= !up_q || candidate != candidate1_q || \u_claims.claims != '0 || (late_all != '0) ? 2'd0 : same_q == 2'd3 ? 2'd3 : same_q + 2'd1;
  end
  for (genvar d = 0; d < D; d++) begin : g_ok
    logic [D-1:0] elders, elders_q, starts_there;
    logic [P*V-1:0] mine;
    logic could;
    assign mine = needs[d*P*V +: P*V];
    for (genvar e = 0; e < D; e++) begin : g_e
      logic meet;
      assign meet = (mine & needs[e*P*V +: P*V]) != '0;
      assign elders[e] = e != d && \u_claims.claims [e] && before[d*D + e] && (clash[d*D + e] || meet);
      assign starts_there[e] = e != d && meet && grant[e] && !in_packet_q[e] && !elders[e] && !elders_q[e];
      assign order_ok[d*D + e] = !(before[d*D + e] && before[e*D + d]) && (d != e || !before[d*D + e]) &&
                                 (!\u_claims.claims [e] || \u_claims.claims [d] || before[d*D + e]);
      for (genvar f = 0; f < D; f++) begin : g_f
        assign weak_ok[(d*D + e)*D + f] = (!before[d*D + e] || !before[e*D + f] || before[d*D + f]) &&
                                                (!before[d*D + f] || before[d*D + e] || before[e*D + f]);
      end
      // e is of a circuit that goes before d's; d goes for its sake only if another stops e
      assign vc_ok[d*D + e] = !(same_q == 2'd3 && \u_claims.claims == '0 && late_all == '0 && candidate == candidate1_q && grant[d] && candidate[e] &&
                                clash[d*D + e] && second[d] != second[e] && second_first == second[e] &&
                                (grant & clash[e*D +: D] & ~(D'(1) << d)) == '0);
    end
    assign could = late[d] & waits[d] & (mine & wants) == '0 & (mine & (busy_q & ~{P*V{in_packet_q[d]}} | ~space)) == '0 && elders == '0;
    always_ff @(posedge clk) begin
      elders_q <= elders;
      waited_q[d*5 +: 5]  <= !up_q || !waits[d] ? 5'd0 :
                             waited_q[d*5 +: 5] == 5'd31 ? 5'd31 : waited_q[d*5 +: 5] + 5'd1;
      could_q[d*3 +: 3]   <= !up_q || !could ? 3'd0 :
                             could_q[d*3 +: 3] == 3'd7 ? 3'd7 : could_q[d*3 +: 3] + 3'd1;
      claimed_q[d*2 +: 2] <= !up_q || !late[d] || !waits[d] ? 2'd0 :
                             claimed_q[d*2 +: 2] == 2'd3 ? 2'd3 : claimed_q[d*2 +: 2] + 2'd1;
    end
    assign late_ok[d]   = late[d] || waited_q[d*5 +: 5] < 5'(bound);
    assign early_ok[d]  = !late[d] || waited_q[d*5 +: 5] > 5'(bound[3:1]);
    assign goes_ok[d]   = could_q[d*3 +: 3] < 3'(Within);
    assign starts_ok[d] = !(claimed_q[d*2 +: 2] >= 2'd2 && late[d] && !in_packet_q[d]) || starts_there == '0;
  end

  // Trees that have claimed for two cycles close their ports to sources that are not late.
  logic [P*V-1:0] shut_q;
  logic [P-1:0]   shut_ok, source_ok, source_late_ok;
  logic [P*3-1:0] source_could_q;
  logic [P*5-1:0] source_waited_q;
  logic [D-1:0]   send_elders;
  for (genvar e = 0; e < D; e++) begin : g_elder
    assign send_elders[e] = e != D-1 && \u_claims.claims [e] && clash[(D-1)*D + e] &&
                            (!\u_claims.claims [D-1] || before[(D-1)*D + e]);
  end
  for (genvar n = 0; n < P*V; n++) begin : g_shut
    logic [D-1:0] by;
    for (genvar d = 0; d < D; d++) begin : g_d
      assign by[d] = late[d] & ~in_packet_q[d] & needs[d*P*V + n];
    end
    always_ff @(posedge clk) begin
      shut_q[n]  <= up_q & |by;
    end
  end
  for (genvar p = 0; p < P; p++) begin : g_source_ok
    logic [P*V-1:0] there;
    logic could;
    for (genvar q = 0; q < P; q++) begin : g_q
      assign there[q*V +: V] = {V{dest[p*P + q]}} & vc[(D-1)*V +: V];
    end
    assign shut_ok[p] = !(source_goes[p] && !opened_q[p] && !source_late[p]) || (there & shut_q) == '0;
    assign could = sends && source_late[p] && source_waits[p] && (there & space) != '0 &&
                   (opened_q[p] || (there & busy_q) == '0) && (there & tree_wants) == '0 &&
                   (source_late & able & ~(P'(1) << p)) == '0 && send_elders == '0;
    assign source_ok[p] = source_could_q[p*3 +: 3] < 3'(WithinS);
    assign source_late_ok[p] = !sends || source_late[p] || source_waited_q[p*5 +: 5] < 5'(bound);
    always_ff @(posedge clk) begin
      source_could_q[p*3 +: 3] <= !up_q || !could ? 3'd0 :
                             source_could_q[p*3 +: 3] == 3'd7 ? 3'd7 : source_could_q[p*3 +: 3] + 3'd1;
      source_waited_q[p*5 +: 5] <= !up_q || !source_waits[p] ? 5'd0 :
                                   source_waited_q[p*5 +: 5] == 5'd31 ? 5'd31 : source_waited_q[p*5 +: 5] + 5'd1;
    end
  end
  always_comb begin
    if (up_q) begin
      claim_shut   : assert (&shut_ok);
      source_goes_on : assert (&source_ok);
      source_bound : assert (&source_late_ok);
      late_bound   : assert (&late_ok);
      late_half    : assert (&early_ok);
      order_strict : assert ((&order_ok) || !up2_q);
      order_weak   : assert ((&weak_ok) || !up2_q);
      claim_goes   : assert (&goes_ok);
      claim_starts : assert (&starts_ok);
      vc_first     : assert (&vc_ok);
    end
  end

endmodule

`default_nettype wire
