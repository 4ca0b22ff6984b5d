// SPDX-License-Identifier: Apache-2.0
// Chooses which candidates go in this cycle, so that no two of them clash.
//
//   candidates ──┬──────────────────────────> AND ──> grants    a candidate goes unless one that clashes precedes it
//                │                             ^
//                └> [reg] ─> who loses ─> [reg]┘   precedence: those that do not lose, then by the order
//
// The order of two candidates is given from outside (`before_i`: claims, priorities); where it is not, the favourite is
// first and then the lower number. Looked at alone it would leave something out: with a before b before c, where b
// clashes with both, b stops c although a stops b. So it is worked out off the critical path, from the candidates of the
// last cycle, who loses to one that goes, and who loses has no precedence over who does not. Where the candidates stay
// the same, all go that can: nothing is left out. Between, precedence is a total order at all times, so of two that
// clash one at most goes, and the first of all always does.
//
// The favourite moves on, in a circle, to a candidate that lost, in each cycle in which one did.
//
// Limits: a chain of losers longer than Rounds is seen through in several cycles. After a change of the candidates one
// may wait two cycles for another that waits itself (docs/decisions/0009).
`default_nettype none

module fred_arbiter #(
  parameter int Count  = 4,                         // candidates
  localparam int Rounds = 3
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [Count-1:0]       candidate_i,
  input  wire logic [Count*Count-1:0] clash_i,      // [a*Count + b]: a and b may not go together; symmetric
  input  wire logic [Count*Count-1:0] before_i,     // [a*Count + b]: b goes before a; a strict weak order, from registers
  output logic      [Count-1:0]       grant_o
);

  logic [Count-1:0]       candidate_q, lost_q, losing_q, favourite_q;
  logic [Count*Count-1:0] ahead;                    // [i*Count + j]: j clashes with i and the order has it before i

  logic                   unused_alone;             // nobody reads these where there is one candidate
  assign unused_alone = ^before_i ^ ^losing_q;

  // ---- Now. ----
  for (genvar i = 0; i < Count; i++) begin : g_grant
    logic [Count-1:0] rivals;                       // these clash with i and precede it
    for (genvar j = 0; j < Count; j++) begin : g_other
      if (j == i) begin : g_self
        assign ahead[i*Count + j] = 1'b0;
        assign rivals[j]          = 1'b0;
      end else begin : g_pair
        logic level, order;                         // the favourite and the number decide; j precedes i by the order
        assign level  = ~before_i[i*Count + j] & ~before_i[j*Count + i];
        if (j < i) begin : g_lower
          assign order = before_i[i*Count + j] | (level & ~favourite_q[i]);
        end else begin : g_higher
          assign order = before_i[i*Count + j] | (level & favourite_q[j]);
        end
        assign ahead[i*Count + j] = clash_i[i*Count + j] & order;
        assign rivals[j] = clash_i[i*Count + j] & (losing_q[i] ? ~losing_q[j] | order : ~losing_q[j] & order);
      end
    end
    assign grant_o[i] = candidate_i[i] & ~|(candidate_i & rivals);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      candidate_q <= '0;
      lost_q      <= '0;
      losing_q    <= '0;
    end else begin
      candidate_q <= candidate_i;
      lost_q      <= candidate_i & ~grant_o;
      losing_q    <= g_round[Rounds-1].losing;
    end
  end

  // ---- For later. Round by round: who has nobody before it wins, and who clashes with a winner loses. ----
  for (genvar r = 0; r < Rounds; r++) begin : g_round
    logic [Count-1:0] open, wins, beaten, losing;   // undecided before the round, decided in it, losers after it
    if (r == 0) begin : g_head
      assign open   = candidate_q;
      assign losing = beaten;
    end else begin : g_tail
      assign open   = g_round[r-1].open & ~g_round[r-1].wins & ~g_round[r-1].losing;
      assign losing = g_round[r-1].losing | beaten;
    end
    for (genvar i = 0; i < Count; i++) begin : g_one
      assign wins[i]   = open[i] & ~|(open & ahead[i*Count +: Count]);
      assign beaten[i] = open[i] & |(wins & clash_i[i*Count +: Count]);
    end
  end

  // ---- The favourite. ----
  logic [Count-1:0] after, others, next_in_circle;
  assign others = lost_q & ~favourite_q;
  for (genvar i = 0; i < Count; i++) begin : g_after
    if (i == 0) begin : g_none
      assign after[i] = 1'b0;
    end else begin : g_some
      assign after[i] = |favourite_q[i-1:0];
    end
  end
  fred_first #(.Count(Count)) u_next (.start_i(after), .request_i(others), .first_o(next_in_circle));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) favourite_q <= Count'(1);
    else if (|others) favourite_q <= next_in_circle;
  end

endmodule

`default_nettype wire
