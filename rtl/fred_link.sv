// SPDX-License-Identifier: Apache-2.0
// One end of a link between two switches: beats in and out in order, none lost and none twice, whatever the transceivers
// do to the words between the ends (docs/links.md).
//
//   s_axis --> pack --> send (replay memory) --+--> flit_tx (CRC) --> phy_tx
//                        ^ what is expected    |        state, credits, acknowledgement: in every flit
//                        |                     |
//   m_axis <-- unpack <- receive (order) <-----+--- flit_rx (CRC) <-- phy_rx
//
// A flit carries up to Beats beats of one packet and one slot. Beats of a slot are accepted as far as the slot's queue
// behind the far end has places (Depth there, and s_axis_vc_ready here), so slots never wait for each other; behind
// m_axis there is that queue, always ready, which tells with m_axis_free that a place is free again.
//
// Limits: Words >= Beats (a port takes one beat a cycle). Both ends have the same parameters. tuser is as at m_axis of a
// switch. Full rate needs Replay and Depth of a round trip (gen/design/link.hpp works them out).
`default_nettype none

module fred_link #(
  parameter int Slots   = 4,                        // S
  parameter int Width   = 32,                       // bits of tdata, a multiple of 8
  parameter int StepW   = 3,                        // bits of a step
  parameter int DestW   = 3,                        // bits of tdest
  parameter int Depth   = 64,                       // places of a slot's queue behind m_axis, 2 or more
  parameter int Beats   = 1,                        // beats of a flit, 1 or more
  parameter int Words   = Beats,                    // words of a flit, Beats or more
  parameter int Replay  = 64,                       // flits kept until they are acknowledged, a power of two
  parameter int Timeout = 1024,                     // cycles without acknowledgement until they are sent again
  parameter int Quiet   = 128,                      // cycles after reset in which nothing is listened to
  parameter int Silence = 128,                      // cycles without a good flit after which the link is down
  localparam int Bytes   = Width / 8,
  localparam int CountW  = $clog2(Bytes + 1),
  localparam int UserW   = 6 + StepW,
  localparam int SlotW   = Slots > 1 ? $clog2(Slots) : 1,
  localparam int CreditW = $clog2(Depth + 1),
  localparam int SeqW    = $clog2(Replay) + 1,
  localparam int SideW   = SlotW + DestW + UserW - 1,
  localparam int PayloadW = (Beats > 1 ? $clog2(Beats) : 0) + SideW + CountW + 2 + Beats * Width,
  localparam int FlitW   = 2 + SlotW + CreditW + 3 + 2 * SeqW + PayloadW,
  localparam int EvenW   = (FlitW + 32 + Words - 1) / Words,
  localparam int PhyW    = EvenW > 33 ? EvenW : 33
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              s_axis_tvalid,
  output logic                   s_axis_tready,
  input  wire logic [Width-1:0]  s_axis_tdata,
  input  wire logic [Bytes-1:0]  s_axis_tkeep,
  input  wire logic              s_axis_tlast,
  input  wire logic [SlotW-1:0]  s_axis_tid,
  input  wire logic [DestW-1:0]  s_axis_tdest,
  input  wire logic [UserW-1:0]  s_axis_tuser,
  output logic      [Slots-1:0]  s_axis_vc_ready,   // a beat of the slot first offered in the next cycle has its place

  output logic                   m_axis_tvalid,     // always taken
  output logic      [Width-1:0]  m_axis_tdata,
  output logic      [Bytes-1:0]  m_axis_tkeep,
  output logic                   m_axis_tlast,
  output logic      [SlotW-1:0]  m_axis_tid,
  output logic      [DestW-1:0]  m_axis_tdest,
  output logic      [UserW-1:0]  m_axis_tuser,
  input  wire logic [Slots-1:0]  m_axis_free,       // a place of the slot's queue is free again

  // Transceiver. A word is sent in a cycle with valid and ready; what is received comes when it comes.
  output logic                   phy_tx_valid_o,
  input  wire logic              phy_tx_ready_i,
  output logic                   phy_tx_first_o,    // the word begins a flit
  output logic      [PhyW-1:0]   phy_tx_data_o,
  input  wire logic              phy_rx_valid_i,
  input  wire logic              phy_rx_first_i,
  input  wire logic [PhyW-1:0]   phy_rx_data_i,

  output logic                   up_o,              // both ends run and this one hears the other
  output logic                   lost_o,            // the far end was reset: what was under way is lost; for one cycle
  output logic                   run_o,             // beats flow; low from lost_o on until both ends have begun anew
  // Events, for counters; each for one cycle.
  output logic                   sent_o,            // a flit with beats was sent, again or for the first time
  output logic                   taken_o,           // one was taken
  output logic                   bad_o,             // one came that is not whole or not right
  output logic                   gap_o,             // some are missing, and are asked for
  output logic                   replay_o,          // goes back, to send again
  output logic                   timeout_o          // ... because of the time
);

`ifndef __ICARUS__
  if (Words < Beats) begin : g_check_words
    $error("fred_link: Words must be Beats or more");
  end
  if (Depth < 2) begin : g_check_depth
    $error("fred_link: Depth must be 2 or more");
  end
`endif

  // ---- What the far end says. ----
  logic               good, run, rx_data, rx_again, rx_echo, heard;
  logic [1:0]         rx_state, tx_state;
  logic [SlotW-1:0]   rx_slot, tx_slot;
  logic [CreditW-1:0] rx_limit, tx_limit;
  logic [SeqW-1:0]    rx_seq, rx_ack, tx_seq, tx_ack;
  logic [PayloadW-1:0] rx_payload, tx_payload;
  logic [FlitW-1:0]   rx_flit, tx_flit;
  fred_flit_rx #(.FlitW(FlitW), .Words(Words), .PhyW(PhyW)) u_flit_rx (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .phy_valid_i (phy_rx_valid_i),
    .phy_first_i (phy_rx_first_i),
    .phy_data_i  (phy_rx_data_i),
    .good_o      (good),
    .bad_o       (bad_o),
    .flit_o      (rx_flit)
  );
  assign {rx_payload, rx_seq, rx_ack, rx_echo, rx_again, rx_data, rx_limit, rx_slot, rx_state} = rx_flit;
  assign heard = good & run;
  assign run_o = run;
  fred_link_state #(.Quiet(Quiet), .Silence(Silence)) u_state (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .good_i  (good),
    .far_i   (rx_state),
    .state_o (tx_state),
    .run_o   (run),
    .up_o    (up_o),
    .lost_o  (lost_o)
  );

  // ---- Out. ----
  logic [Slots-1:0]   in_slot, out_slot;
  logic [CountW-1:0]  in_count;
  logic               accept, held, room, flush_q, push, idle, take, tx_data, tx_again, tx_echo, unused_prefix;
  logic [PayloadW-1:0] packed_beats;
  assign accept        = s_axis_tvalid & s_axis_tready;
  assign held          = s_axis_tvalid & ~s_axis_tready;
  assign s_axis_tready = room | flush_q;
  always_ff @(posedge clk_i) begin                  // a beat that was promised its place before the loss is lost too
    if (!rst_ni || run) flush_q <= 1'b0;
    else if (lost_o) flush_q <= 1'b1;
  end
  fred_onehot #(.Count(Slots), .IndexW(SlotW)) u_in_slot (.index_i(s_axis_tid), .onehot_o(in_slot));
  for (genvar s = 0; s < Slots; s++) begin : g_credit
    fred_link_credit #(.CreditW(CreditW)) u_credit (
      .clk_i      (clk_i),
      .run_i      (run),
      .announce_i (heard & (rx_slot == SlotW'(s))),
      .limit_i    (rx_limit),
      .held_i     (held & in_slot[s]),
      .accept_i   (accept & in_slot[s]),
      .ready_o    (s_axis_vc_ready[s])
    );
  end
  logic [Width-1:0] kept;                           // bytes that tkeep leaves out may be anything, and X in a simulation
  for (genvar i = 0; i < Bytes; i++) begin : g_kept
    assign kept[8*i +: 8] = s_axis_tdata[8*i +: 8] & {8{s_axis_tkeep[i]}};
  end
  fred_keep_count #(.Bytes(Bytes)) u_keep (.keep_i(s_axis_tkeep), .count_o(in_count), .prefix_o(unused_prefix));
  fred_link_pack #(.Beats(Beats), .Width(Width), .SideW(SideW), .EndW(CountW + 2)) u_pack (
    .clk_i     (clk_i),
    .run_i     (run),
    .idle_i    (idle),
    .room_i    (room),
    .accept_i  (accept),
    .last_i    (s_axis_tlast),
    .data_i    (kept),
    .side_i    ({s_axis_tid, s_axis_tdest, s_axis_tuser[UserW-1:1]}),
    .end_i     ({s_axis_tuser[0], s_axis_tlast, in_count}),
    .push_o    (push),
    .payload_o (packed_beats)
  );
  fred_link_send #(.PayloadW(PayloadW), .Replay(Replay), .Timeout(Timeout)) u_send (
    .clk_i     (clk_i),
    .run_i     (run),
    .room_o    (room),
    .push_i    (push),
    .payload_i (packed_beats),
    .idle_o    (idle),
    .heard_i   (heard),
    .ack_i     (rx_ack),
    .again_i   (rx_again),
    .take_i    (take),
    .data_o    (tx_data),
    .seq_o     (tx_seq),
    .payload_o (tx_payload),
    .echo_o    (tx_echo),
    .replay_o  (replay_o),
    .timeout_o (timeout_o)
  );
  assign tx_flit = {tx_payload & {PayloadW{tx_data}}, tx_seq, tx_ack, tx_echo, tx_again, tx_data, tx_limit, tx_slot, tx_state};
  assign sent_o  = take & tx_data;
  fred_flit_tx #(.FlitW(FlitW), .Words(Words), .PhyW(PhyW)) u_flit_tx (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .take_o      (take),
    .flit_i      (tx_flit),
    .phy_valid_o (phy_tx_valid_o),
    .phy_ready_i (phy_tx_ready_i),
    .phy_first_o (phy_tx_first_o),
    .phy_data_o  (phy_tx_data_o)
  );

  // ---- In. ----
  fred_link_receive #(.SeqW(SeqW)) u_receive (
    .clk_i    (clk_i),
    .run_i    (run),
    .heard_i  (heard),
    .data_i   (rx_data),
    .seq_i    (rx_seq),
    .echo_i   (rx_echo),
    .accept_o (taken_o),
    .gap_o    (gap_o),
    .ack_o    (tx_ack),
    .again_o  (tx_again)
  );
  logic [CountW-1:0] out_count;
  logic [SideW-1:0]  out_side;
  fred_link_unpack #(.Beats(Beats), .Width(Width), .SideW(SideW), .CountW(CountW)) u_unpack (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .push_i     (taken_o),
    .payload_i  (rx_payload),
    .valid_o    (m_axis_tvalid),
    .data_o     (m_axis_tdata),
    .count_o    (out_count),
    .last_o     (m_axis_tlast),
    .step_end_o (m_axis_tuser[0]),
    .side_o     (out_side)
  );
  assign {m_axis_tid, m_axis_tdest, m_axis_tuser[UserW-1:1]} = out_side;
  for (genvar i = 0; i < Bytes; i++) begin : g_keep
    assign m_axis_tkeep[i] = out_count > CountW'(i);
  end
  fred_onehot #(.Count(Slots), .IndexW(SlotW)) u_out_slot (.index_i(m_axis_tid), .onehot_o(out_slot));
  fred_link_limit #(.Slots(Slots), .Depth(Depth), .CreditW(CreditW)) u_limit (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .run_i     (run),
    .deliver_i (out_slot & {Slots{m_axis_tvalid}}),
    .free_i    (m_axis_free),
    .take_i    (take),
    .slot_o    (tx_slot),
    .limit_o   (tx_limit)
  );

endmodule

`default_nettype wire
