// SPDX-License-Identifier: Apache-2.0
// Credits of a link (fred_link_credit for each slot, fred_link_limit), with an arbitrary sender and arbitrary queues;
// announcements get lost in any way, beats arrive in order and none is lost (link.sv).
//
// Proved:
//   room_*  what is in a queue, or on the way to it, is never more than it has places: no credit is made up
//   use_*   when for Calm cycles nothing of a slot has moved and no announcement was lost, a beat of that slot is promised
//           its place just if there is one, whatever the other slots do: no credit is lost
//
// Assumed: a beat is first offered in the cycle after a promise, then held. Any number of beats may be under way.
`default_nettype none

module credit #(
  parameter int Slots = 2,
  parameter int Depth = 3,
  parameter int Calm  = 12
) (
  input wire logic clk
);

  localparam int CreditW = $clog2(Depth + 1), N = CreditW + 1, CalmW = $clog2(Calm + 1);
  logic up_q = 1'b0, run_q = 1'b0;                  // out of reset, and the link runs, later
  always_ff @(posedge clk) begin
    up_q  <= 1'b1;
    run_q <= up_q;
  end

  // ---- The environment. ----
  (* anyseq *) logic offers, offers_slot, room, arrives, arrives_slot, take, drop, quiet;
  (* anyseq *) logic [Slots-1:0] frees;
  logic [Slots-1:0] promised_q, ready, arrive, accept, free, held;
  logic             holding_q, slot_q, offer, slot, told_q;
  assign slot  = holding_q ? slot_q : offers_slot;
  assign offer = up_q & (holding_q | (offers & promised_q[slot]));
  logic [CreditW-1:0] limit, told_limit_q;
  logic               told_slot_q, limit_slot;
  always_ff @(posedge clk) begin
    if (!up_q) begin
      holding_q  <= 1'b0;
      promised_q <= '0;
      told_q     <= 1'b0;
    end else begin
      holding_q  <= offer & ~room;
      promised_q <= ready;
      told_q     <= run_q & ((take & ~drop) | quiet);
    end
    slot_q       <= slot;
    told_slot_q  <= limit_slot;
    told_limit_q <= limit;
  end
  fred_link_limit #(.Slots(Slots), .Depth(Depth), .CreditW(CreditW)) receiver (
    .clk_i     (clk),
    .rst_ni    (up_q),
    .run_i     (run_q),
    .deliver_i (arrive),
    .free_i    (free),
    .take_i    (take | quiet),
    .slot_o    (limit_slot),
    .limit_o   (limit)
  );
  logic [Slots-1:0] within, usable;
  for (genvar s = 0; s < Slots; s++) begin : g_slot
    logic [N-1:0]       way_q, queue_q;             // beats under way, beats in the queue
    logic [CalmW-1:0]   calm_q;                     // cycles in which nothing of the slot has moved
    assign accept[s] = offer & room & (slot == s);
    assign held[s]   = offer & ~room & (slot == s);
    assign arrive[s] = arrives & (arrives_slot == s) & (way_q != '0);
    assign free[s]   = up_q & frees[s] & (queue_q != '0);
    fred_link_credit #(.CreditW(CreditW)) sender (
      .clk_i      (clk),
      .run_i      (run_q),
      .announce_i (told_q & (told_slot_q == s)),
      .limit_i    (told_limit_q),
      .held_i     (held[s]),
      .accept_i   (accept[s]),
      .ready_o    (ready[s])
    );
    always_ff @(posedge clk) begin
      if (!up_q || !quiet || (offer && slot == s) || arrive[s] || free[s]) calm_q <= '0;
      else if (calm_q != Calm) calm_q <= calm_q + 1'b1;
      if (!up_q) begin
        way_q   <= '0;
        queue_q <= '0;
      end else begin
        way_q   <= way_q + N'(accept[s]) - N'(arrive[s]);
        queue_q <= queue_q + N'(arrive[s]) - N'(free[s]);
      end
    end
    assign within[s]  = way_q + queue_q <= N'(Depth);
    assign usable[s]  = calm_q != Calm || (ready[s] | promised_q[s]) == (way_q + queue_q < N'(Depth));
  end
  always_comb begin
    if (up_q) begin
      room_places: assert (&within);
      use_places: assert (&usable);
    end
  end

endmodule

`default_nettype wire
