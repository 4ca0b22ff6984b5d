// SPDX-License-Identifier: Apache-2.0
// The links of all link ports (fred_link), and the registers that tell of them: of each link port LINK_STATUS and counts
// of its events. Vectors are flat: link port i has bits [i*N +: N].
//
// Limits: a register's number is its address / 4; those of a link port are 8, aligned to 8. Counts stop at 2^32 - 1.
`default_nettype none

module fred_link_ports #(
  parameter int LinkPorts  = 1,                     // L
  parameter int Slots      = 4,                     // these as in fred_link
  parameter int Width      = 32,
  parameter int StepW      = 3,
  parameter int TagW       = 3,
  parameter int Depth      = 64,
  parameter int Beats      = 1,
  parameter int Words      = Beats,
  parameter int Replay     = 64,
  parameter int Timeout    = 1024,
  parameter int Quiet      = 128,
  parameter int Silence    = 128,
  parameter int PhyW       = 128,                   // bits of a word, what fred_link makes of the others
  parameter int WordW      = 11,                    // bits of a register's number
  parameter int StatusWord = 1024,                  // number of LINK_STATUS of link port 0
  localparam int Bytes     = Width / 8,
  localparam int SlotW     = Slots > 1 ? $clog2(Slots) : 1,
  localparam int UserW     = 6 + StepW
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  // Out (fred_link_egress).
  input  wire logic [LinkPorts-1:0]       out_valid_i,
  output logic      [LinkPorts-1:0]       out_ready_o,
  input  wire logic [LinkPorts*Width-1:0] out_data_i,
  input  wire logic [LinkPorts*Bytes-1:0] out_keep_i,
  input  wire logic [LinkPorts-1:0]       out_last_i,
  input  wire logic [LinkPorts*SlotW-1:0] out_slot_i,
  input  wire logic [LinkPorts*TagW-1:0]  out_dest_i,
  input  wire logic [LinkPorts*UserW-1:0] out_user_i,
  output logic      [LinkPorts*Slots-1:0] out_slot_ready_o,
  // In (fred_link_ingress).
  output logic      [LinkPorts-1:0]       in_valid_o,
  output logic      [LinkPorts*Width-1:0] in_data_o,
  output logic      [LinkPorts*Bytes-1:0] in_keep_o,
  output logic      [LinkPorts-1:0]       in_last_o,
  output logic      [LinkPorts*SlotW-1:0] in_slot_o,
  output logic      [LinkPorts*TagW-1:0]  in_dest_o,
  output logic      [LinkPorts*UserW-1:0] in_user_o,
  input  wire logic [LinkPorts*Slots-1:0] in_free_i,
  output logic      [LinkPorts-1:0]       lost_o,      // what was under way is lost
  output logic      [LinkPorts-1:0]       run_o,       // low from then on until both ends have begun anew
  // Transceivers.
  output logic      [LinkPorts-1:0]       phy_tx_valid_o,
  input  wire logic [LinkPorts-1:0]       phy_tx_ready_i,
  output logic      [LinkPorts-1:0]       phy_tx_first_o,
  output logic      [LinkPorts*PhyW-1:0]  phy_tx_data_o,
  input  wire logic [LinkPorts-1:0]       phy_rx_valid_i,
  input  wire logic [LinkPorts-1:0]       phy_rx_first_i,
  input  wire logic [LinkPorts*PhyW-1:0]  phy_rx_data_i,
  output logic      [LinkPorts-1:0]       up_o,
  // An access {data, number of the register}, and what it is answered (fred_host).
  input  wire logic [WordW+31:0]          access_i,
  output logic      [33:0]                answer_o     // {exists, may be written: never, what is read}
);

  localparam int L = LinkPorts, Events = 7;

  logic [31:0]       place;
  logic [L*8-1:0]    at;
  logic [L*8*32-1:0] words;
  logic [31:0]       word;
  logic              unused_data;
  assign unused_data = ^access_i[WordW +: 32];
  assign place       = 32'(access_i[WordW-1:0]) - 32'(StatusWord);
  for (genvar i = 0; i < L; i++) begin : g_link
    logic [Events-1:0] events;                      // by register, from LINK_SENT on
    fred_link #(
      .Slots(Slots), .Width(Width), .StepW(StepW), .DestW(TagW), .Depth(Depth), .Beats(Beats), .Words(Words),
      .Replay(Replay), .Timeout(Timeout), .Quiet(Quiet), .Silence(Silence)
    ) u_link (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .s_axis_tvalid   (out_valid_i[i]),
      .s_axis_tready   (out_ready_o[i]),
      .s_axis_tdata    (out_data_i[i*Width +: Width]),
      .s_axis_tkeep    (out_keep_i[i*Bytes +: Bytes]),
      .s_axis_tlast    (out_last_i[i]),
      .s_axis_tid      (out_slot_i[i*SlotW +: SlotW]),
      .s_axis_tdest    (out_dest_i[i*TagW +: TagW]),
      .s_axis_tuser    (out_user_i[i*UserW +: UserW]),
      .s_axis_vc_ready (out_slot_ready_o[i*Slots +: Slots]),
      .m_axis_tvalid   (in_valid_o[i]),
      .m_axis_tdata    (in_data_o[i*Width +: Width]),
      .m_axis_tkeep    (in_keep_o[i*Bytes +: Bytes]),
      .m_axis_tlast    (in_last_o[i]),
      .m_axis_tid      (in_slot_o[i*SlotW +: SlotW]),
      .m_axis_tdest    (in_dest_o[i*TagW +: TagW]),
      .m_axis_tuser    (in_user_o[i*UserW +: UserW]),
      .m_axis_free     (in_free_i[i*Slots +: Slots]),
      .phy_tx_valid_o  (phy_tx_valid_o[i]),
      .phy_tx_ready_i  (phy_tx_ready_i[i]),
      .phy_tx_first_o  (phy_tx_first_o[i]),
      .phy_tx_data_o   (phy_tx_data_o[i*PhyW +: PhyW]),
      .phy_rx_valid_i  (phy_rx_valid_i[i]),
      .phy_rx_first_i  (phy_rx_first_i[i]),
      .phy_rx_data_i   (phy_rx_data_i[i*PhyW +: PhyW]),
      .up_o            (up_o[i]),
      .run_o           (run_o[i]),
      .lost_o          (lost_o[i]),
      .sent_o          (events[0]),
      .taken_o         (events[1]),
      .bad_o           (events[2]),
      .gap_o           (events[3]),
      .replay_o        (events[4]),
      .timeout_o       (events[5])
    );
    assign events[6]            = lost_o[i];
    assign at[i*8]              = place == 32'(i*8);
    assign words[i*8*32 +: 32]  = {30'd0, run_o[i], up_o[i]};
    for (genvar n = 0; n < Events; n++) begin : g_count
      logic [31:0] count_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) count_q <= '0;
        else if (events[n] && count_q != 32'hffffffff) count_q <= count_q + 32'd1;
      end
      assign at[i*8 + 1 + n]               = place == 32'(i*8 + 1 + n);
      assign words[(i*8 + 1 + n)*32 +: 32] = count_q;
    end
  end
  fred_select #(.Width(32), .Count(L*8)) u_word (.select_i(at), .data_i(words), .data_o(word));
  assign answer_o = {|at, 1'b0, word};

endmodule

`default_nettype wire
