// SPDX-License-Identifier: Apache-2.0
// Right shift that keeps one sticky bit: y_o[0] is the OR of itself and of everything shifted out.
//
// Aligns the smaller significand of a floating-point addition; what leaves on the right only has to be known to be
// zero or not for correct rounding. gone_i clears everything but the sticky bit, which is then meaningless.
//
// Limits: none; a distance of Width or more leaves only the sticky bit.
// Latency: none, combinational. One 2:1 multiplexer a bit of amount_i, the last one with an enable.
`default_nettype none

module fred_shift_sticky #(
  parameter int Width = 11,   // bits of the data
  parameter int AmountW = 4   // bits of the distance, at least 2; 2**(AmountW-1) < Width
) (
  input  wire logic [Width-1:0]   d_i,
  input  wire logic [AmountW-1:0] amount_i,
  input  wire logic               gone_i,
  output logic      [Width-1:0]   y_o
);

  // Step k moves by 2**k or not.
  for (genvar k = 0; k < AmountW - 1; k++) begin : gen_step
    localparam int Distance = 1 << k;
    logic [Width-1:0] in;
    logic [Width-1:0] out;
    if (k == 0) begin : gen_first
      assign in = d_i;
    end else begin : gen_next
      assign in = gen_step[k-1].out;
    end
    assign out = amount_i[k] ? {{Distance{1'b0}}, in[Width-1:Distance+1], |in[Distance:0]} : in;
  end

  // The last step moves, keeps or clears.
  localparam int Last = 1 << (AmountW - 1);
  logic [Width-1:0] in;
  logic             keep, move;
  assign in   = gen_step[AmountW-2].out;
  assign keep = ~gone_i & ~amount_i[AmountW-1];
  assign move = ~gone_i & amount_i[AmountW-1];

  assign y_o[Width-1:1] = (in[Width-1:1] & {(Width-1){keep}}) |
                          ({{Last{1'b0}}, in[Width-1:Last+1]} & {(Width-1){move}});
  assign y_o[0] = in[0] | (move & |in[Last:1]);

endmodule

`default_nettype wire
