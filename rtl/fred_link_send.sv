// SPDX-License-Identifier: Apache-2.0
// The sending side of Go-Back-N: payloads are kept until the far end has them, and sent again from the first that it
// has not.
//
//          room_o                                   take_i
//   push_i ------> replay memory --[read]--> next ---------> data_o, seq_o, payload_o
//                  acknowledged ... sent ... written
//
// Three counters go around the memory: what is written, what is sent, what the far end has. To send again is to set the
// second back to the third; there is no other mode. It is done when the far end asks for it (its request bit has turned
// over; the bit in `echo_o` shows it which flits were sent after that) and when nothing has been acknowledged for
// Timeout cycles though something is under way.
//
// Limits: Replay is a power of two, 2 or more; full rate needs as many as there are flits in a round trip.
`default_nettype none

module fred_link_send #(
  parameter int PayloadW = 64,                      // bits of a payload
  parameter int Replay   = 32,                      // flits kept, a power of two
  parameter int Timeout  = 1024,                    // cycles without a sign of progress, more than a round trip
  localparam int IndexW  = $clog2(Replay),
  localparam int SeqW    = IndexW + 1
) (
  input  wire logic                clk_i,
  input  wire logic                run_i,           // the link runs; else all is forgotten
  // Payloads; accepted with push_i, which may come with room_o only.
  output logic                     room_o,
  input  wire logic                push_i,
  input  wire logic [PayloadW-1:0] payload_i,
  output logic                     idle_o,          // all that was written has been sent
  // What the far end says, in a good flit.
  input  wire logic                heard_i,
  input  wire logic [SeqW-1:0]     ack_i,           // the flit that it expects: it has all before
  input  wire logic                again_i,         // its request bit
  // The next flit; without data_o it carries no payload, and seq_o is the number of the next that will.
  input  wire logic                take_i,
  output logic                     data_o,
  output logic      [SeqW-1:0]     seq_o,
  output logic      [PayloadW-1:0] payload_o,
  output logic                     echo_o,          // request bit that the far end's was when this was decided
  // Events, for counters.
  output logic                     replay_o,        // goes back
  output logic                     timeout_o        // ... because of the time
);

`ifndef __ICARUS__
  if (Replay < 2 || (Replay & (Replay - 1)) != 0) begin : g_check_replay
    $error("fred_link_send: Replay must be a power of two, 2 or more");
  end
`endif

  // ---- What the far end has. An acknowledgement of what was never written is none. ----
  logic [SeqW-1:0] written_q, sent_q, acked_q, written_d, sent_d, acked_d, under_way, has, out;
  logic            progress, back;
  assign under_way = written_q - acked_q;
  assign has       = ack_i - acked_q;
  assign progress  = heard_i & (has != '0) & (has <= under_way);
  assign acked_d   = progress ? ack_i : acked_q;
  assign written_d = written_q + SeqW'(push_i);

  // ---- Time. ----
  localparam int TimeW = $clog2(Timeout + 1);
  logic [TimeW-1:0] time_q;
  assign timeout_o = time_q == TimeW'(Timeout);
  always_ff @(posedge clk_i) begin
    if (!run_i || back || progress || under_way == '0) time_q <= '0;
    else time_q <= time_q + TimeW'(1);
  end

  // ---- What is sent next. ----
  logic read;
  assign back     = (heard_i & (again_i ^ echo_o)) | timeout_o;
  assign replay_o = back & run_i;
  assign out      = sent_q - acked_q;
  assign read     = (take_i | ~data_o) & (sent_q != written_q) & ~back;
  assign sent_d   = back | (progress & (has > out)) ? acked_d : sent_q + SeqW'(read);
  assign idle_o   = sent_q == written_q;
  fred_ram_sync #(.Width(PayloadW), .Depth(Replay)) u_replay (
    .clk_i   (clk_i),
    .we_i    (push_i),
    .waddr_i (written_q[IndexW-1:0]),
    .wdata_i (payload_i),
    .re_i    (read),
    .raddr_i (sent_q[IndexW-1:0]),
    .rdata_o (payload_o)
  );
  logic [SeqW-1:0] seq_q;
  assign seq_o = data_o ? seq_q : sent_q;
  always_ff @(posedge clk_i) begin
    if (!run_i) begin
      written_q <= '0;
      sent_q    <= '0;
      acked_q   <= '0;
      data_o    <= 1'b0;
      echo_o    <= 1'b0;
      room_o    <= 1'b0;
    end else begin
      written_q <= written_d;
      sent_q    <= sent_d;
      acked_q   <= acked_d;
      data_o    <= ~back & (read | (data_o & ~take_i));
      if (heard_i) echo_o <= again_i;
      room_o    <= (written_d - acked_d) != SeqW'(Replay);
    end
    if (read) seq_q <= sent_q;
  end

endmodule

`default_nettype wire
