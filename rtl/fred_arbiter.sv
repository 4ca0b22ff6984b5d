// SPDX-License-Identifier: Apache-2.0
// Chooses which candidates go in this cycle: as many as are compatible with all taken so far.
//
// One candidate is the favourite and goes first; the others follow in ascending order, each unless one taken before it
// is incompatible. So nothing is left out that could still go. The favourite moves on, in a circle, to a candidate that
// lost, unless it has not had its turn: a candidate that stays one is the favourite after at most Count - 1 others
// have been, and then goes.
//
// Limits: a combinational chain of Count steps.
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

  logic [Count-1:0] favourite_q, first, row_of_first;
  assign first = candidate_i & favourite_q;
  fred_select #(.Width(Count), .Count(Count)) u_first (
    .select_i (first),
    .data_i   (clash_i),
    .data_o   (row_of_first)
  );

  for (genvar i = 0; i < Count; i++) begin : g_step
    // Candidates from i on that one taken before them rules out.
    logic [Count-1:i] blocked;
    logic             take;
    if (i == 0) begin : g_head
      assign blocked = row_of_first;
    end else begin : g_tail
      assign blocked = g_step[i-1].blocked[Count-1:i] |
                       ({(Count-i){g_step[i-1].take}} & clash_i[(i-1)*Count + i +: Count-i]);
    end
    assign take       = candidate_i[i] & ~blocked[i];
    assign grant_o[i] = take;
  end

  // The losers of the last cycle decide about the favourite, a cycle late to keep the chain short.
  logic [Count-1:0] lost_q, after, next_in_circle;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) lost_q <= '0;
    else lost_q <= candidate_i & ~grant_o;
  end
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
