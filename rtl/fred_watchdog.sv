// SPDX-License-Identifier: Apache-2.0
// Says which descriptors hang: at work, and nothing of them has gone for the time given. Also counts the cycles.
//
// The time is 2^exponent_i cycles: a bit of the count of cycles ticks twice in it (fred_late), so that a descriptor hangs
// after half of it to all of it, once the exponent has been the same for as long. 0 turns the watchdog off.
`default_nettype none

module fred_watchdog #(
  parameter int Descriptors = 8                     // D, entries of the descriptor table
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [4:0]             exponent_i,
  input  wire logic [Descriptors-1:0] pends_i,      // at work, and nothing goes in this cycle
  output logic      [31:0]            cycle_o,      // cycles since reset
  output logic      [Descriptors-1:0] hangs_o,
  output logic      [Descriptors-1:0] new_o         // from the next cycle on
);

  logic                   level, level_q, tick_q, unused_top;
  logic [Descriptors-1:0] watched;
  logic [31:0]            levels;
  assign levels     = {cycle_o[30:0], 1'b0};        // bit n: changes every 2^(n-1) cycles
  assign level      = levels[exponent_i];
  assign unused_top = cycle_o[31];
  assign watched    = pends_i & {Descriptors{exponent_i != '0}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_o <= '0;
      level_q <= 1'b0;
      tick_q  <= 1'b0;
    end else begin
      cycle_o <= cycle_o + 32'd1;
      level_q <= level;
      tick_q  <= level != level_q;
    end
  end
  fred_late #(.Count(Descriptors)) u_late (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .tick_i    (tick_q),
    .waiting_i (watched),
    .late_o    (hangs_o),
    .new_o     (new_o)
  );

endmodule

`default_nettype wire
