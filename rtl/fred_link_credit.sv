// SPDX-License-Identifier: Apache-2.0
// Credits of one slot at the sending end: how many beats the far end's queue has room for.
//
// The far end announces not how many places became free but up to which beat, counted from the link's beginning, it has
// room (modulo 2^CreditW). An announcement that gets lost is made good by the next one, and one that comes twice does no
// harm: no credit is lost or made up, whatever happens on the way.
//
// `ready_o` promises (docs/protocol.md, vc_ready): a beat first offered in the next cycle has its place. A promise that
// is out, or a beat that is held, keeps one for itself.
`default_nettype none

module fred_link_credit #(
  parameter int CreditW = 5                         // bits of a count of beats; 2^CreditW is more than there are places
) (
  input  wire logic               clk_i,
  input  wire logic               run_i,            // the link runs; else all is forgotten
  input  wire logic               announce_i,
  input  wire logic [CreditW-1:0] limit_i,          // room up to this beat
  input  wire logic               held_i,           // a beat is offered and not accepted in this cycle
  input  wire logic               accept_i,         // a beat is accepted
  output logic                    ready_o
);

  logic [CreditW-1:0] limit_q, limit_d, sent_q, sent_d, left;
  logic               kept;
  assign limit_d = announce_i ? limit_i : limit_q;
  assign sent_d  = sent_q + CreditW'(accept_i);
  assign left    = limit_d - sent_d;
  assign kept    = ready_o | held_i;
  always_ff @(posedge clk_i) begin
    if (!run_i) begin
      limit_q <= '0;
      sent_q  <= '0;
      ready_o <= 1'b0;
    end else begin
      limit_q <= limit_d;
      sent_q  <= sent_d;
      ready_o <= left > CreditW'(kept);
    end
  end

endmodule

`default_nettype wire
