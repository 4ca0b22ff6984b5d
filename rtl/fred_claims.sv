// SPDX-License-Identifier: Apache-2.0
// Claims: who has waited for the bound, in which order they have come, and which egress ports are withheld for them.
//
// A launch waits while all its operands are at the heads and it does not go: a tree collective as a whole, a `send` or
// all-to-all source on its own. One that is late (fred_late) claims the egress ports that it needs, in its virtual
// circuit: nothing else starts a packet there any more, so places that become free stay free, and as soon as no packet
// is open on any of them it can go. A port that several claim is the oldest's. Open packets are never held up.
//
//   egress port q, circuit v:   claimed by trees    ->  the oldest of them, by the order of ages over all descriptors
//                               claimed by sources  ->  any of them: they need but this port
//                               by both             ->  in turn (given_*), one launch each
//
// Among candidates claimants go first, by age (`before_o`), then the order of the circuits counts.
// Everything here is registered and acts a cycle or two later: it is about who starts, never about what is safe.
// Vectors: egress port q (or ingress port p) and circuit v at [q*V + v]; descriptor d, port q at [d*P + q].
`default_nettype none

module fred_claims #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, circuits of a port
  parameter int Classes     = 1,                    // virtual circuits, in the order of which descriptors go
  parameter int Descriptors = 8                     // D, entries of the descriptor table
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  input  wire logic [15:0]                        bound_i,     // cycles, 8 or more
  input  wire logic [Classes*Classes-1:0]         vc_before_i, // [v*Classes + w]: circuit w goes before circuit v
  input  wire logic [Descriptors*Classes-1:0]     vc_i,        // one-hot
  input  wire logic [Descriptors*Ports*Vcs-1:0]   circuit_i,   // one-hot of descriptor d at port p
  // Tree collectives.
  input  wire logic [Descriptors-1:0]             tree_waits_i,
  input  wire logic [Descriptors-1:0]             in_packet_i,
  input  wire logic [Descriptors*Ports-1:0]       deliver_i,   // zero for send and all-to-all
  // Sources of send and all-to-all, by ingress port and circuit.
  input  wire logic [Ports*Vcs-1:0]               source_waits_i,
  input  wire logic [Ports*Vcs-1:0]               open_i,      // inside a packet
  input  wire logic [Ports*Vcs*Ports-1:0]         dest_i,      // one-hot; zero for a tree collective
  input  wire logic [Descriptors-1:0]             late_goes_i, // a late source of the descriptor can go
  input  wire logic [Ports*Vcs-1:0]               start_i,     // egress: a packet begins

  output logic      [Ports*Vcs-1:0]               late_o,      // late sources
  output logic      [Ports*Vcs-1:0]               closed_o,    // egress: only claimants start
  output logic      [Ports*Vcs-1:0]               for_trees_o, // egress: no source starts
  output logic      [Descriptors*Ports-1:0]       withheld_o,  // where the tree collective must not start
  output logic      [Descriptors*Descriptors-1:0] before_o     // [i*D + j]: j goes before i
);

  localparam int C = Classes, D = Descriptors, P = Ports, V = Vcs;

  // ---- Time. ----
  logic [14:0] cycles_q;
  logic        tick_q, unused_bound;
  assign unused_bound = bound_i[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      tick_q   <= 1'b0;
    end else begin
      cycles_q <= cycles_q == 15'd0 ? bound_i[15:1] - 15'd1 : cycles_q - 15'd1;
      tick_q   <= cycles_q == 15'd0;
    end
  end

  // ---- Who is late. ----
  logic [D-1:0]   tree_late, tree_new, source_goes_q, claims, claims_new;
  logic [P*V-1:0] source_new;
  logic           unused_new;                       // ages are of descriptors, and of several
  fred_late #(.Count(D)) u_trees (
    .clk_i(clk_i), .rst_ni(rst_ni), .tick_i(tick_q), .waiting_i(tree_waits_i), .late_o(tree_late), .new_o(tree_new)
  );
  fred_late #(.Count(P * V)) u_sources (
    .clk_i(clk_i), .rst_ni(rst_ni), .tick_i(tick_q), .waiting_i(source_waits_i), .late_o(late_o), .new_o(source_new)
  );
  assign unused_new = ^source_new ^ ^claims_new;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) source_goes_q <= '0;
    else source_goes_q <= late_goes_i;
  end
  assign claims     = tree_late | source_goes_q;
  assign claims_new = tree_new | (late_goes_i & ~source_goes_q);

  // ---- Ages and order of the descriptors. ----
  logic [D*D-1:0] older, later_vc;                  // [i*D + j]: j is older than i; j's circuit goes before i's
  for (genvar i = 0; i < D; i++) begin : g_row
    logic [C-1:0] ahead;                            // circuits that go before that of i
    fred_select #(.Width(C), .Count(C)) u_ahead (
      .select_i (vc_i[i*C +: C]),
      .data_i   (vc_before_i),
      .data_o   (ahead)
    );
    for (genvar j = 0; j < D; j++) begin : g_column
      if (j > i) begin : g_age                      // the lower number first where both come at once
        logic later_q;                              // j has come after i
        always_ff @(posedge clk_i) begin
          if (claims_new[j]) later_q <= 1'b1;
          else if (claims_new[i]) later_q <= 1'b0;
        end
        assign older[j*D + i] = later_q;
        assign older[i*D + j] = ~later_q;
      end else if (j == i) begin : g_self
        assign older[i*D + j] = 1'b0;
      end
      always_ff @(posedge clk_i) later_vc[i*D + j] <= |(vc_i[j*C +: C] & ahead);
      assign before_o[i*D + j] = claims[i] ? claims[j] & older[i*D + j] : claims[j] | later_vc[i*D + j];
    end
  end

  // ---- What is claimed. ----
  logic [D-1:0]   starts;                           // late trees that have no packet open
  logic [P*V-1:0] by_sources, for_sources;
  assign starts = tree_late & ~in_packet_i;
  for (genvar q = 0; q < P; q++) begin : g_egress
    for (genvar v = 0; v < V; v++) begin : g_vc
      logic [D-1:0] trees;
      logic [P-1:0] sources;
      for (genvar d = 0; d < D; d++) begin : g_tree
        assign trees[d] = starts[d] & deliver_i[d*P + q] & circuit_i[(d*P + q)*V + v];
      end
      for (genvar p = 0; p < P; p++) begin : g_source
        assign sources[p] = late_o[p*V + v] & ~open_i[p*V + v] & dest_i[(p*V + v)*P + q];
      end
      assign by_sources[q*V + v] = |sources;

      // Whose turn it is, where both claim the port; the turn passes on with a launch.
      logic given_trees_q, given_sources_q, trees_last_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          given_trees_q   <= 1'b0;
          given_sources_q <= 1'b0;
          trees_last_q    <= 1'b0;
        end else if ((given_trees_q | given_sources_q) & start_i[q*V + v]) begin
          given_trees_q   <= 1'b0;
          given_sources_q <= 1'b0;
          trees_last_q    <= given_trees_q;
        end else if (!(given_trees_q & (|trees)) && !(given_sources_q & (|sources))) begin
          given_trees_q   <= |trees & ~(|sources & trees_last_q);
          given_sources_q <= |sources & (~|trees | trees_last_q);
        end
        closed_o[q*V + v]    <= (|trees) | (|sources);
      end
      assign for_trees_o[q*V + v] = given_trees_q;
      assign for_sources[q*V + v] = given_sources_q;
    end
  end

  // ---- Where a tree collective must not start. ----
  for (genvar d = 0; d < D; d++) begin : g_withheld
    logic [D-1:0] rivals;                           // claimants that precede it
    for (genvar j = 0; j < D; j++) begin : g_rival
      assign rivals[j] = (j == d) ? 1'b0 : starts[j] & (~tree_late[d] | older[d*D + j]);
    end
    for (genvar q = 0; q < P; q++) begin : g_port
      logic [V-1:0] circuit;
      logic [D-1:0] claimed;
      logic         others;                         // sources claim the port, and may have it
      assign circuit = circuit_i[(d*P + q)*V +: V];
      for (genvar j = 0; j < D; j++) begin : g_by
        assign claimed[j] = rivals[j] & deliver_i[j*P + q] & |(circuit & circuit_i[(j*P + q)*V +: V]);
      end
      assign others = |(circuit & (tree_late[d] ? for_sources[q*V +: V] : by_sources[q*V +: V]));
      always_ff @(posedge clk_i) withheld_o[d*P + q] <= (|claimed) | others;
    end
  end

endmodule

`default_nettype wire
