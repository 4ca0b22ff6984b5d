// SPDX-License-Identifier: Apache-2.0
// Go-Back-N (fred_link_send, fred_link_receive) between two ends, over ways on which any flit may be lost in either
// direction: a flit that was changed is one that is lost, as its CRC is wrong (fred_flit_rx).
//
// Proved:
//   order_*     payloads are taken as they were written: each once, in order, unchanged, and none that was not written
//   room_*      never more than Replay payloads are between their writing and the far end's receipt of them
//   progress_*  when nothing has been lost for Calm cycles, all that had been written when that began has been taken
//
// Assumed: flits stay in order (one way of wires has no other). A flit is made up at any time; in calm, in every cycle.
`default_nettype none

module link #(
  parameter int Replay  = 2,
  parameter int Way     = 2,                        // cycles on the way, each way
  parameter int Timeout = 5,                        // shorter than a round trip too
  parameter int Calm    = 24
) (
  input wire logic clk
);

  localparam int SeqW = $clog2(Replay) + 1, CountW = SeqW + 1, CalmW = $clog2(Calm + 1);
  logic up_q = 1'b0;
  always_ff @(posedge clk) up_q <= 1'b1;

  // ---- The environment. ----
  (* anyseq *) logic wants, take_a_any, take_b_any, drop_a_any, drop_b_any;
  logic [CalmW-1:0] calm_q;
  (* anyseq *) logic quiet;                         // nothing goes wrong in this cycle
  logic take_a, take_b, drop_a, drop_b;
  assign take_a = take_a_any | quiet;
  assign take_b = take_b_any | quiet;
  assign drop_a = drop_a_any & ~quiet;
  assign drop_b = drop_b_any & ~quiet;

  // ---- The ends. ----
  logic               room, push, data, echo, again, accept, heard_a, heard_b, unused_idle, unused_replay, unused_timeout, unused_gap;
  logic [CountW-1:0]  written_q, taken_q, payload;
  logic [SeqW-1:0]    seq, ack;
  logic [Way*(1+1+SeqW+1+CountW)-1:0] to_b_q;       // {good, data, seq, echo, payload}, the oldest first
  logic [Way*(1+SeqW+1)-1:0]          to_a_q;       // {good, ack, again}
  localparam int ToB = 3 + SeqW + CountW, ToA = 2 + SeqW;
  logic [ToB-1:0] at_b;
  logic [ToA-1:0] at_a;
  assign at_b = to_b_q[0 +: ToB];
  assign at_a = to_a_q[0 +: ToA];
  assign heard_b = at_b[ToB-1];
  assign heard_a = at_a[ToA-1];
  assign push = wants & room;
  fred_link_send #(.PayloadW(CountW), .Replay(Replay), .Timeout(Timeout)) send (
    .clk_i     (clk),
    .run_i     (up_q),
    .room_o    (room),
    .push_i    (push),
    .payload_i (written_q),
    .idle_o    (unused_idle),
    .heard_i   (heard_a),
    .ack_i     (at_a[1 +: SeqW]),
    .again_i   (at_a[0]),
    .take_i    (take_a),
    .data_o    (data),
    .seq_o     (seq),
    .payload_o (payload),
    .echo_o    (echo),
    .replay_o  (unused_replay),
    .timeout_o (unused_timeout)
  );
  fred_link_receive #(.SeqW(SeqW)) receive (
    .clk_i    (clk),
    .run_i    (up_q),
    .heard_i  (heard_b),
    .data_i   (at_b[ToB-2]),
    .seq_i    (at_b[CountW+1 +: SeqW]),
    .echo_i   (at_b[CountW]),
    .accept_o (accept),
    .gap_o    (unused_gap),
    .ack_o    (ack),
    .again_o  (again)
  );

  // ---- The ways, and the counts. ----
  logic [CountW-1:0] between, old_q;                // of them, written before calm began
  always_ff @(posedge clk) begin
    if (!up_q) begin
      to_b_q    <= '0;
      to_a_q    <= '0;
      written_q <= '0;
      taken_q   <= '0;
      calm_q    <= '0;
    end else begin
      to_b_q    <= (Way*ToB)'({take_a & ~drop_a, data, seq, echo, payload, to_b_q} >> ToB);
      to_a_q    <= (Way*ToA)'({take_b & ~drop_b, ack, again, to_a_q} >> ToA);
      written_q <= written_q + CountW'(push);
      taken_q   <= taken_q + CountW'(accept);
      calm_q    <= ~quiet ? '0 : calm_q == CalmW'(Calm) ? calm_q : calm_q + CalmW'(1);
    end
    old_q <= (calm_q == '0 ? between : old_q) - CountW'(accept & (calm_q == '0 || old_q != '0));
  end
  assign between = written_q - taken_q;
  always_comb begin
    if (up_q) begin
      if (accept) order_right: assert (at_b[CountW-1:0] == taken_q);
      if (accept) order_written: assert (between != '0);
      room_between: assert (between <= CountW'(Replay));
      if (calm_q == CalmW'(Calm)) progress_taken: assert (old_q == '0);
    end
  end

endmodule

`default_nettype wire
