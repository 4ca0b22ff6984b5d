// SPDX-License-Identifier: Apache-2.0
// The arbiter (fred_arbiter), N candidates, any symmetric clashes, an order that may change in every cycle.
//
// Proved:
//   grant_*   only candidates go, no two of them clash, and one goes whenever there is a candidate
//   first_*   a candidate that the order has before all candidates that clash with it goes at once if it was none two
//             cycles ago, and else (full_first) when all has been steady for Wait cycles
//   full_*    with candidates, clashes and order steady for Wait cycles nothing that could go is left out, and of two
//             that clash the one that the order has first is not left out for the other
// Assumed: before_i is a strict weak order (transitive, and so is "neither before the other"), as fred_claims makes it
// (claims.sv); a mere partial order is not enough, for the numbers that break ties could close a circle.
`default_nettype none

module arbiter #(
  parameter int N    = 4,
  parameter int Wait = 3
) (
  input wire logic clk
);

  logic up_q = 1'b0;
  always_ff @(posedge clk) up_q <= 1'b1;
  (* anyseq *) logic [N-1:0]   candidate;
  (* anyseq *) logic [N*N-1:0] pairs, before;
  logic [N*N-1:0] clash;
  logic [N-1:0]   grant;
  for (genvar i = 0; i < N; i++) begin : g_i
    for (genvar j = 0; j < N; j++) begin : g_j
      assign clash[i*N + j] = i == j ? 1'b0 : i < j ? pairs[i*N + j] : pairs[j*N + i];
      always_comb assume (i != j || !before[i*N + j]);
      for (genvar k = 0; k < N; k++) begin : g_k
        always_comb begin
          assume (!before[i*N + j] || !before[j*N + k] || before[i*N + k]);
          assume (!before[i*N + k] || before[i*N + j] || before[j*N + k]);
        end
      end
    end
  end
  fred_arbiter #(.Count(N)) dut (
    .clk_i (clk), .rst_ni (up_q), .candidate_i (candidate), .clash_i (clash), .before_i (before), .grant_o (grant)
  );
  (* hierconn *) wire [N-1:0] \dut.favourite_q ;

  // ---- How long all has been the same. ----
  logic [3:0]     same_q;
  logic [N-1:0]   candidate_q, candidate2_q;
  logic [N*N-1:0] clash_q, before_q;
  logic           same;
  assign same = candidate == candidate_q && clash == clash_q && before == before_q;
  always_ff @(posedge clk) begin
    candidate_q  <= up_q ? candidate : '0;
    candidate2_q <= up_q ? candidate_q : '0;
    clash_q     <= clash;
    before_q    <= before;
    same_q      <= !up_q || !same ? 4'd0 : same_q == 4'd15 ? 4'd15 : same_q + 4'd1;
  end
  logic steady;
  assign steady = up_q && same && same_q >= 4'(Wait - 1);

  logic [N-1:0] apart, first_ok, blocked, order_ok;
  for (genvar i = 0; i < N; i++) begin : g_one
    logic [N-1:0] rivals;
    assign rivals      = candidate & clash[i*N +: N];
    assign apart[i]    = !grant[i] || (grant & clash[i*N +: N]) == '0;
    assign blocked[i]  = (grant & clash[i*N +: N]) != '0;
    logic [N-1:0] after;
    for (genvar j = 0; j < N; j++) begin : g_after
      assign after[j] = before[j*N + i];            // i goes before j
    end
    assign first_ok[i] = !candidate[i] || (rivals & ~after) != '0 || candidate2_q[i] || grant[i];
    assign order_ok[i] = !candidate[i] || (rivals & ~after) != '0 || grant[i];
  end
  always_comb begin
    if (up_q) begin
      grant_candidates : assert ((grant & ~candidate) == '0);
      grant_apart      : assert (&apart);
      grant_something  : assert (candidate == '0 || grant != '0);
      first_goes       : assert (&first_ok);
      full_maximal     : assert (!steady || (candidate & ~grant & ~blocked) == '0);
      full_first       : assert (!steady || (&order_ok));
      inv_favourite    : assert (\dut.favourite_q != '0 && (\dut.favourite_q & (\dut.favourite_q - N'(1))) == '0);
    end
  end

endmodule

`default_nettype wire
