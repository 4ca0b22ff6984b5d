// SPDX-License-Identifier: Apache-2.0
// Two ends of a link as a user joins them, in any simulator: beats of two slots both ways, all of whose fields are made of
// a count, over ways of Delay cycles on which a bit of one word in 64 is wrong. Bytes that tkeep leaves out are X. Prints
// "right" or what is not. Made for
//   fred link --width 32 --slots 2 --latency 30 --flit-beats 2
`default_nettype none
`timescale 1ns / 1ps

module pair_tb;

  localparam int Delay = 30, Beats = 500, PhyW = `PHY_BITS, UserW = `USER_BITS, DestW = `DEST_BITS, Depth = `SLOT_DEPTH;
  localparam int BeatW = 1 + 4 + DestW + UserW + 32;
  logic clk = 1'b0, rst_n = 1'b0;
  always #1 clk = ~clk;

  // Of end e at [e]; slot s of end e at [2*e + s].
  logic [1:0]         s_valid = '0, s_ready, s_slot = '0, m_valid, m_slot, lost, bad, replay, tx_valid, tx_first;
  logic [2*BeatW-1:0] s_beat = '0, m_beat;          // {last, keep, dest, user, data}
  logic [2*2-1:0]     vc_ready, free = '0;
  logic [2*PhyW-1:0]  tx_data;
  logic [PhyW+1:0]    way [2*Delay];                // {valid, first, data}: what end e sent so many cycles ago
  integer             sent [4], came [4], held [4], wrong = 0, replays = 0, bads = 0, cycle = 0;

  // Beat n of those that go into slot s of end e, q = 2*e + s: packets of 7, the last beat of each of n % 5 bytes. With
  // `left`, the bytes that are left out, all else being the same.
  function automatic [BeatW-1:0] beat(input integer q, input integer n, input logic [7:0] left);
    logic             last;
    logic [3:0]       keep;
    logic [DestW-1:0] dest;
    logic [UserW-1:0] user;
    logic [31:0]      data;
    begin
      last    = n % 7 == 6;
      keep    = last ? 4'hf >> (n % 5) : 4'hf;
      dest    = DestW'(n / 7 + q);
      user    = UserW'(n / 7 * 37 + 5 * q);         // step, error, epoch
      user[0] = last & (n % 2 == 1);                // step_end
      data    = {30'(n), 2'(q)};
      for (int b = 0; b < 4; b++) if (!keep[b]) data[8*b +: 8] = left;
      beat    = {last, keep, dest, user, data};
    end
  endfunction

  for (genvar e = 0; e < 2; e++) begin : g_end
    logic [PhyW+1:0]  rx;
    logic             s_last, m_last;
    logic [3:0]       s_keep, m_keep;
    logic [DestW-1:0] s_dest, m_dest;
    logic [UserW-1:0] s_user, m_user;
    logic [31:0]      s_data, m_data;
    assign {s_last, s_keep, s_dest, s_user, s_data} = s_beat[e*BeatW +: BeatW];
    assign m_beat[e*BeatW +: BeatW] = {m_last, m_keep, m_dest, m_user, m_data};
    assign rx = way[(1-e)*Delay + Delay - 1];
    fred_link_end link (
      .clk_i(clk), .rst_ni(rst_n),
      .s_axis_tvalid(s_valid[e]), .s_axis_tready(s_ready[e]), .s_axis_tdata(s_data), .s_axis_tkeep(s_keep),
      .s_axis_tlast(s_last), .s_axis_tid(s_slot[e]), .s_axis_tdest(s_dest), .s_axis_tuser(s_user),
      .s_axis_vc_ready(vc_ready[2*e +: 2]),
      .m_axis_tvalid(m_valid[e]), .m_axis_tdata(m_data), .m_axis_tkeep(m_keep), .m_axis_tlast(m_last),
      .m_axis_tid(m_slot[e]), .m_axis_tdest(m_dest), .m_axis_tuser(m_user), .m_axis_free(free[2*e +: 2]),
      .phy_tx_valid_o(tx_valid[e]), .phy_tx_ready_i(1'b1), .phy_tx_first_o(tx_first[e]), .phy_tx_data_o(tx_data[e*PhyW +: PhyW]),
      .phy_rx_valid_i(rx[PhyW+1]), .phy_rx_first_i(rx[PhyW]), .phy_rx_data_i(rx[PhyW-1:0]),
      .up_o(), .lost_o(lost[e]), .sent_o(), .taken_o(), .bad_o(bad[e]), .gap_o(), .replay_o(replay[e]), .timeout_o()
    );
  end

  integer e, s, i, q;
  initial begin
    for (i = 0; i < 4; i = i + 1) begin
      sent[i] = 0; came[i] = 0; held[i] = 0;
    end
    for (i = 0; i < 2 * Delay; i = i + 1) way[i] = '0;
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
  end

  // All of it at the falling edge, between two rising ones.
  always @(negedge clk) if (rst_n) begin
    cycle = cycle + 1;
    for (e = 0; e < 2; e = e + 1) begin
      // What came out.
      if (m_valid[e]) begin
        q = 2 * e + m_slot[e];
        if (m_beat[e*BeatW +: BeatW] !== beat(2 * (1 - e) + m_slot[e], came[q], 8'h00)) wrong = wrong + 1;
        came[q] = came[q] + 1;
        held[q] = held[q] + 1;
        if (held[q] > Depth) wrong = wrong + 1;
      end
      for (s = 0; s < 2; s = s + 1) begin
        q = 2 * e + s;
        free[q] = held[q] > 0 && $urandom % 3 == 0;
        if (free[q]) held[q] = held[q] - 1;
      end
      if (lost[e]) wrong = wrong + 1;
      if (replay[e]) replays = replays + 1;
      if (bad[e]) bads = bads + 1;
      // The way.
      for (i = Delay - 1; i > 0; i = i - 1) way[e*Delay + i] = way[e*Delay + i - 1];
      way[e*Delay] = {tx_valid[e], tx_first[e], tx_data[e*PhyW +: PhyW]};
      if ($urandom % 64 == 0) begin
        i = $urandom % PhyW;
        way[e*Delay][i] = ~way[e*Delay][i];
      end
    end
  end

  // Sources: a beat is offered on a promise of the cycle before, and held.
  always @(posedge clk) begin
    for (e = 0; e < 2; e = e + 1) begin
      if (s_valid[e] && s_ready[e]) s_valid[e] <= 1'b0;
      if (!s_valid[e] || s_ready[e]) begin
        s = $urandom % 2;
        q = 2 * e + s;
        if (vc_ready[q] && rst_n && sent[q] < Beats) begin
          s_valid[e] <= 1'b1;
          s_slot[e]  <= s[0];
          s_beat[e*BeatW +: BeatW] <= beat(q, sent[q], 8'hxx);
          sent[q] = sent[q] + 1;
        end
      end
    end
    if (came[0] == Beats && came[1] == Beats && came[2] == Beats && came[3] == Beats) begin
      if (wrong == 0 && replays > 0 && bads > 0) $display("right: %0d replays, %0d cycles", replays, cycle);
      else $display("wrong: %0d differences, %0d replays", wrong, replays);
      $finish;
    end
    if (cycle > 60000) begin
      $display("wrong: hangs, %0d %0d %0d %0d beats came", came[0], came[1], came[2], came[3]);
      $finish;
    end
  end

endmodule

`default_nettype wire
