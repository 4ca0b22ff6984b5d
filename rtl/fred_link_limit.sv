// SPDX-License-Identifier: Apache-2.0
// Credits of all slots at the receiving end: up to which beat each slot's queue has room (fred_link_credit), and which
// slot the next flit tells of.
//
// Every other flit tells of a slot whose room has grown since it was told of last, the others go through all slots in
// turn: so what is new is told soon, and what got lost is told again though others always have news.
//
// The places of beats that were delivered before the link began anew are still taken: it begins with what is left.
`default_nettype none

module fred_link_limit #(
  parameter int Slots   = 4,                        // S
  parameter int Depth   = 16,                       // places of a slot's queue
  parameter int CreditW = 5,                        // bits of a count of beats
  localparam int SlotW  = Slots > 1 ? $clog2(Slots) : 1
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic               run_i,
  input  wire logic [Slots-1:0]   deliver_i,        // a beat goes into its slot's queue, one-hot
  input  wire logic [Slots-1:0]   free_i,           // a place there is free again
  input  wire logic               take_i,           // the next flit is made up in this cycle
  output logic      [SlotW-1:0]   slot_o,           // it tells of this slot:
  output logic      [CreditW-1:0] limit_o           // room up to this beat
);

  logic [Slots*CreditW-1:0] limits;
  logic [Slots*SlotW-1:0]   numbers;
  logic [Slots-1:0]         news_q, chosen, last_q, news_last_q;
  logic                     turn_q;
  for (genvar s = 0; s < Slots; s++) begin : g_slot
    logic [CreditW-1:0] limit_q, held_q, held_d;
    assign held_d = held_q + CreditW'(deliver_i[s]) - CreditW'(free_i[s]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= '0;
      else held_q <= held_d;
      if (!rst_ni) limit_q <= CreditW'(Depth);
      else limit_q <= run_i ? limit_q + CreditW'(free_i[s]) : CreditW'(Depth) - held_d;
    end
    assign limits[s*CreditW +: CreditW] = limit_q;
    assign numbers[s*SlotW +: SlotW]    = SlotW'(s);
  end

  // ---- Whose turn it is. ----
  logic [Slots-1:0] behind;
  logic             by_news;
  assign by_news = turn_q & (|news_q);
  assign behind  = by_news ? news_last_q : last_q;
  fred_first #(.Count(Slots)) u_next (
    .start_i   (~(behind | (behind - Slots'(1)))),
    .request_i (by_news ? news_q : '1),
    .first_o   (chosen)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      news_q      <= '0;
      news_last_q <= '0;
      last_q      <= '0;
      turn_q      <= 1'b0;
    end else begin
      news_q <= free_i | (news_q & ~(chosen & {Slots{take_i}}));
      if (take_i) turn_q <= ~turn_q;
      if (take_i && by_news) news_last_q <= chosen;
      if (take_i && !by_news) last_q <= chosen;
    end
  end
  fred_select #(.Width(CreditW), .Count(Slots)) u_limit (.select_i(chosen), .data_i(limits), .data_o(limit_o));
  fred_select #(.Width(SlotW), .Count(Slots)) u_slot (.select_i(chosen), .data_i(numbers), .data_o(slot_o));

endmodule

`default_nettype wire
