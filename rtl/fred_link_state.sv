// SPDX-License-Identifier: Apache-2.0
// Brings a link up: both ends forget what was, and run once each has heard the other do so.
//
//   reset --> Reset --(hears Reset)--> Heard --(hears Heard or Run)--> Run
//               '--------(hears Heard)-----------------------------------^
//                                         ^----(hears Reset)------------'   the far end was reset: lost_o
//
// Every flit carries its sender's state. An end that comes out of reset listens to nothing for Quiet cycles, longer than
// a round trip, so that nothing from before its reset is taken for an answer. A link on which nothing good comes for Silence
// cycles is down; nothing is forgotten then, and when it is heard again it goes on where it was.
`default_nettype none

module fred_link_state #(
  parameter int Quiet   = 128,                      // cycles, more than a flit needs there and back
  parameter int Silence = 128                       // cycles without a good flit after which the link is down
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       good_i,                   // a good flit has come
  input  wire logic [1:0] far_i,                    // the state of who sent it
  output logic      [1:0] state_o,
  output logic            run_o,                    // both ends run; also with the flit that says so first
  output logic            up_o,                     // the link runs and is heard
  output logic            lost_o                    // the far end was reset; for one cycle
);

  localparam logic [1:0] Reset = 2'd0, Heard = 2'd1, Run = 2'd2;
  localparam int QuietW   = $clog2(Quiet + 1);
  localparam int SilenceW = $clog2(Silence + 1);
  logic [QuietW-1:0]   quiet_q;
  logic [SilenceW-1:0] silent_q;
  logic                hears, begins;
  assign hears  = good_i & (quiet_q == QuietW'(Quiet));
  assign lost_o = (state_o == Run) & hears & (far_i == Reset);
  assign begins = hears & ((state_o == Heard) ? (far_i != Reset) : (state_o == Reset) & (far_i == Heard));
  assign run_o  = ((state_o == Run) & ~lost_o) | (begins & (far_i == Run));
  assign up_o   = (state_o == Run) & (silent_q != SilenceW'(Silence));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_o  <= Reset;
      quiet_q  <= '0;
      silent_q <= '0;
    end else begin
      if (begins) state_o <= Run;
      else if (hears && far_i == Reset) state_o <= Heard;
      if (quiet_q != QuietW'(Quiet)) quiet_q <= quiet_q + QuietW'(1);
      if (hears) silent_q <= '0;
      else if (silent_q != SilenceW'(Silence)) silent_q <= silent_q + SilenceW'(1);
    end
  end

endmodule

`default_nettype wire
