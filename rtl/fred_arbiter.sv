// SPDX-License-Identifier: Apache-2.0
// Chooses which candidates go in this cycle, so that no two of them clash.
//
//   candidates ──┬──────────────────────> AND ──> grants     a candidate goes unless one that clashes is before it
//                │                         ^
//                └> [reg] ─> chain ─> [reg] chosen: decides who is before whom
//
// Everything slow is off the way from candidates to grants. The chain goes through the candidates of an earlier cycle,
// the favourite first, the others in ascending order, and chooses each that clashes with none chosen before it. The
// chosen ones are before all others; the others are ordered by their number. The first candidate in this order always
// goes; where the candidates stay the same, exactly the chosen ones go and no other could.
//
// The favourite moves on, in a circle, to a candidate that lost, unless it lost itself: a candidate that stays one is
// the favourite after at most Count - 1 others have been, and then goes within two cycles.
//
// Limits: in the two cycles after a change a candidate may wait for one that waits itself (docs/decisions/0005).
`default_nettype none

module fred_arbiter #(
  parameter int Count = 4                           // candidates
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [Count-1:0]       candidate_i,
  input  wire logic [Count*Count-1:0] clash_i,      // [a*Count + b]: a and b may not go together; symmetric
  output logic      [Count-1:0]       grant_o
);

  // ---- Now. ----
  logic [Count-1:0] chosen_q;
  logic             unused_chosen;                  // nobody reads that of a lone candidate
  assign unused_chosen = ^chosen_q;
  for (genvar i = 0; i < Count; i++) begin : g_grant
    logic [Count-1:0] rivals;                       // these clash with i and have precedence over it
    for (genvar j = 0; j < Count; j++) begin : g_other
      if (j < i) begin : g_lower
        assign rivals[j] = clash_i[i*Count + j] & (chosen_q[j] | ~chosen_q[i]);
      end else if (j == i) begin : g_self
        assign rivals[j] = 1'b0;
      end else begin : g_higher
        assign rivals[j] = clash_i[i*Count + j] & chosen_q[j] & ~chosen_q[i];
      end
    end
    assign grant_o[i] = candidate_i[i] & ~|(candidate_i & rivals);
  end

  // ---- For later: the favourite, and then in ascending order. ----
  logic [Count-1:0] candidate_q, lost_q, favourite_q, first, row_of_first, chosen;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      candidate_q <= '0;
      lost_q      <= '0;
      chosen_q    <= '0;
    end else begin
      candidate_q <= candidate_i;
      lost_q      <= candidate_i & ~grant_o;
      chosen_q    <= chosen;
    end
  end
  assign first = candidate_q & favourite_q;
  fred_select #(.Width(Count), .Count(Count)) u_first (
    .select_i (first),
    .data_i   (clash_i),
    .data_o   (row_of_first)
  );
  for (genvar i = 0; i < Count; i++) begin : g_step
    // Candidates from i on that one chosen before them rules out.
    logic [Count-1:i] blocked;
    logic             take;
    if (i == 0) begin : g_head
      assign blocked = row_of_first;
    end else begin : g_tail
      assign blocked = g_step[i-1].blocked[Count-1:i] |
                       ({(Count-i){g_step[i-1].take}} & clash_i[(i-1)*Count + i +: Count-i]);
    end
    assign take      = candidate_q[i] & ~blocked[i];
    assign chosen[i] = take;
  end

  // ---- The favourite. ----
  logic [Count-1:0] after, next_in_circle;
  for (genvar i = 0; i < Count; i++) begin : g_after
    if (i == 0) begin : g_none
      assign after[i] = 1'b0;
    end else begin : g_some
      assign after[i] = |favourite_q[i-1:0];
    end
  end
  fred_first #(.Count(Count)) u_next (.start_i(after), .request_i(lost_q), .first_o(next_in_circle));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) favourite_q <= Count'(1);
    else if ((lost_q & ~favourite_q) != '0 && (lost_q & favourite_q) == '0) favourite_q <= next_in_circle;
  end

endmodule

`default_nettype wire
