// SPDX-License-Identifier: Apache-2.0
// Two ends of a link as a user joins them, in any simulator: beats of two slots both ways, each a count of its own, over
// ways of DELAY cycles on which one word in 64 is changed. Prints "right" or what is not. Made for
//   fred link --width 32 --slots 2 --latency 30 --flit-beats 2
`default_nettype none
`timescale 1ns / 1ps

module pair_tb;

  localparam int Delay = 30, Beats = 500, PhyW = `PHY_BITS, UserW = `USER_BITS, DestW = `DEST_BITS, Depth = `SLOT_DEPTH;
  logic clk = 1'b0, rst_n = 1'b0;
  always #1 clk = ~clk;

  // Of end e at [e]; slot s of end e at [2*e + s].
  logic [1:0]         s_valid = '0, s_ready, s_last = '0, s_slot = '0, m_valid, m_last, m_slot;
  logic [2*32-1:0]    s_data = '0, m_data;
  logic [2*2-1:0]     vc_ready, vc_ready_q = '0, free = '0;
  logic [1:0]         tx_valid, tx_first, up, lost, bad, replay;
  logic [2*PhyW-1:0]  tx_data;
  logic [PhyW+1:0]    way [2*Delay];                // {valid, first, data}: what end e sent so many cycles ago
  integer             sent [4], came [4], held [4], longest [4], wrong = 0, replays = 0, bads = 0, cycle = 0;

  for (genvar e = 0; e < 2; e++) begin : g_end
    logic [1:0]       unused_dest_user;
    logic [PhyW+1:0]  rx;
    logic [3:0]       keep;
    logic [DestW-1:0] dest;
    logic [UserW-1:0] user;
    assign rx = way[(1-e)*Delay + Delay - 1];
    fred_link_end link (
      .clk_i(clk), .rst_ni(rst_n),
      .s_axis_tvalid(s_valid[e]), .s_axis_tready(s_ready[e]), .s_axis_tdata(s_data[e*32 +: 32]), .s_axis_tkeep(4'hf),
      .s_axis_tlast(s_last[e]), .s_axis_tid(s_slot[e]), .s_axis_tdest({DestW{1'b1}}), .s_axis_tuser({UserW{1'b0}}),
      .s_axis_vc_ready(vc_ready[2*e +: 2]),
      .m_axis_tvalid(m_valid[e]), .m_axis_tdata(m_data[e*32 +: 32]), .m_axis_tkeep(keep), .m_axis_tlast(m_last[e]),
      .m_axis_tid(m_slot[e]), .m_axis_tdest(dest), .m_axis_tuser(user), .m_axis_free(free[2*e +: 2]),
      .phy_tx_valid_o(tx_valid[e]), .phy_tx_ready_i(1'b1), .phy_tx_first_o(tx_first[e]), .phy_tx_data_o(tx_data[e*PhyW +: PhyW]),
      .phy_rx_valid_i(rx[PhyW+1]), .phy_rx_first_i(rx[PhyW]), .phy_rx_data_i(rx[PhyW-1:0]),
      .up_o(up[e]), .lost_o(lost[e]), .sent_o(), .taken_o(), .bad_o(bad[e]), .gap_o(), .replay_o(replay[e]), .timeout_o()
    );
  end

  integer e, s, i, q;
  initial begin
    for (i = 0; i < 4; i = i + 1) begin
      sent[i] = 0; came[i] = 0; held[i] = 0; longest[i] = 0;
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
        if (m_data[e*32 +: 32] !== {30'(came[q]), 2'(q)}) wrong = wrong + 1;
        if (m_last[e] !== (came[q] % 7 == 6)) wrong = wrong + 1;
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
      if ($urandom % 64 == 0) way[e*Delay][$urandom % PhyW] = ~way[e*Delay][$urandom % PhyW];
    end
  end

  // Sources: a beat is offered on a promise of the cycle before, and held.
  always @(posedge clk) begin
    vc_ready_q <= vc_ready;
    for (e = 0; e < 2; e = e + 1) begin
      if (s_valid[e] && s_ready[e]) s_valid[e] <= 1'b0;
      if (!s_valid[e] || s_ready[e]) begin
        s = $urandom % 2;
        q = 2 * e + s;
        if (vc_ready[q] && rst_n && sent[q] < Beats) begin
          s_valid[e] <= 1'b1;
          s_slot[e]  <= s[0];
          s_last[e]  <= sent[q] % 7 == 6;
          s_data[e*32 +: 32] <= {30'(sent[q]), 2'((2 * (1 - e)) + s)};
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
