// SPDX-License-Identifier: Apache-2.0
// Who has waited for so long that it may claim: late from the second tick on that finds it waiting. With a tick every
// bound / 2 cycles that is after bound / 2 to bound cycles of waiting, for two flip-flops each.
`default_nettype none

module fred_late #(
  parameter int Count = 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             tick_i,
  input  wire logic [Count-1:0] waiting_i,          // waits in this cycle
  output logic      [Count-1:0] late_o,
  output logic      [Count-1:0] new_o               // late from the next cycle on
);

  logic [Count-1:0] marked_q;
  assign new_o = waiting_i & marked_q & ~late_o & {Count{tick_i}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      marked_q <= '0;
      late_o   <= '0;
    end else begin
      marked_q <= waiting_i & (marked_q | {Count{tick_i}});
      late_o   <= waiting_i & (late_o | new_o);
    end
  end

endmodule

`default_nettype wire
