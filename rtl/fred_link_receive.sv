// SPDX-License-Identifier: Apache-2.0
// The receiving side of Go-Back-N: takes each flit once and in order, and asks for what is missing.
//
// A flit with a payload is taken if its number is the expected one; an earlier one has come twice and is passed over; a
// later one shows that something got lost, and so does a flit without a payload that announces a later one. Then
// the request bit is turned over, once: the far end's echo of it tells the flits sent since it went back from those that
// were already under way. So a request that gets lost is still there in the next flit, none is made twice, and what gets
// lost of the repetition is asked for again. A wrong CRC needs no rule: the next good flit shows the gap.
`default_nettype none

module fred_link_receive #(
  parameter int SeqW = 6                            // bits of a flit's number, modulo twice the far end's replay memory
) (
  input  wire logic            clk_i,
  input  wire logic            run_i,               // the link runs; else all is forgotten
  input  wire logic            heard_i,             // a good flit, which says:
  input  wire logic            data_i,              // it carries a payload
  input  wire logic [SeqW-1:0] seq_i,
  input  wire logic            echo_i,
  output logic                 accept_o,            // take its payload
  output logic                 gap_o,               // something is missing, and asked for from now on
  output logic      [SeqW-1:0] ack_o,               // the flit that is expected
  output logic                 again_o              // request bit
);

  // Half of the numbers are later ones. At most half are under way: if all of these got lost, what is announced is later
  // by just that half.
  logic [SeqW-1:0] ahead;
  logic            later;
  assign ahead    = seq_i - ack_o;
  assign later    = ahead[SeqW-1] ? ~data_i & (ahead[SeqW-2:0] == '0) : ahead != '0;
  assign accept_o = heard_i & run_i & data_i & (ahead == '0);
  assign gap_o    = heard_i & run_i & later & (echo_i == again_o);
  always_ff @(posedge clk_i) begin
    if (!run_i) begin
      ack_o   <= '0;
      again_o <= 1'b0;
    end else begin
      if (accept_o) ack_o <= ack_o + SeqW'(1);
      if (gap_o) again_o <= ~again_o;
    end
  end

endmodule

`default_nettype wire
