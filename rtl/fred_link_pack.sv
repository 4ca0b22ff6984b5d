// SPDX-License-Identifier: Apache-2.0
// Beats to payloads of up to Beats beats: those of one payload follow each other in one packet of one slot.
//
// A payload goes when it is full, when its packet ends, when a beat comes that does not go with it, and, so that no beat
// waits for one that may not come, in a cycle without a beat while the link has nothing else to send. With Beats = 1
// nothing is stored here.
`default_nettype none

module fred_link_pack #(
  parameter int Beats = 1,                          // beats of a payload, 1 or more
  parameter int Width = 32,                         // bits of data of a beat
  parameter int SideW = 20,                         // bits of what all beats of a packet have in common
  parameter int EndW  = 5,                          // bits of what only its last beat may have otherwise: {count, ends}
  localparam int MoreW    = Beats > 1 ? $clog2(Beats) : 1,
  localparam int PayloadW = (Beats > 1 ? MoreW : 0) + SideW + EndW + Beats * Width
) (
  input  wire logic                clk_i,
  input  wire logic                run_i,           // the link runs; else what is stored is dropped
  input  wire logic                idle_i,          // the link has nothing else to send
  input  wire logic                room_i,          // a payload may go
  input  wire logic                accept_i,        // a beat comes; with room_i only
  input  wire logic                last_i,          // it ends its packet
  input  wire logic [Width-1:0]    data_i,
  input  wire logic [SideW-1:0]    side_i,
  input  wire logic [EndW-1:0]     end_i,
  output logic                     push_o,          // payload_o goes
  output logic      [PayloadW-1:0] payload_o        // {beats less one, side, end, data}
);

  if (Beats > 1) begin : g_many
    logic                   have_q, whole_q, joins;
    logic [MoreW-1:0]       more_q;
    logic [SideW-1:0]       side_q;
    logic [EndW-1:0]        end_q;
    logic [Beats*Width-1:0] data_q;
    assign joins     = have_q & ~whole_q & (side_i == side_q);
    assign push_o    = have_q & room_i & (whole_q | (accept_i & ~joins) | (~accept_i & idle_i));
    assign payload_o = {more_q, side_q, end_q, data_q};
    always_ff @(posedge clk_i) begin
      if (!run_i) have_q <= 1'b0;
      else have_q <= accept_i | (have_q & ~push_o);
      if (accept_i) begin
        whole_q <= last_i | (joins & (more_q == MoreW'(Beats - 2)));
        more_q  <= joins ? more_q + MoreW'(1) : '0;
        side_q  <= side_i;
        end_q   <= end_i;
      end
    end
    // Beats that do not come are zero: all of a flit is known, and nothing of an earlier one is in it.
    for (genvar k = 0; k < Beats; k++) begin : g_beat
      always_ff @(posedge clk_i) begin
        if (accept_i && !joins) data_q[k*Width +: Width] <= k == 0 ? data_i : '0;
        else if (accept_i && k > 0 && more_q == MoreW'(k - 1)) data_q[k*Width +: Width] <= data_i;
      end
    end
  end else begin : g_one
    logic unused;
    assign unused    = &{1'b0, clk_i, run_i, idle_i, room_i, last_i};
    assign push_o    = accept_i;
    assign payload_o = {side_i, end_i, data_i};
  end

endmodule

`default_nettype wire
