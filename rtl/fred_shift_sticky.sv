// SPDX-License-Identifier: Apache-2.0
// Right shift that keeps one sticky bit: y_o[0] is the OR of itself and of everything shifted out.
//
// Aligns the smaller significand of a floating-point addition; what leaves on the right only has to be known to be
// zero or not for correct rounding.
//
// Limits: none; a distance of Width or more leaves only the sticky bit.
// Latency: none, combinational. One 2:1 multiplexer a bit of amount_i.
`default_nettype none

module fred_shift_sticky #(
  parameter int Width = 11,   // bits of the data
  parameter int AmountW = 4   // bits of the distance; 2**(AmountW-1) < Width
) (
  input  wire logic [Width-1:0]   d_i,
  input  wire logic [AmountW-1:0] amount_i,
  output logic      [Width-1:0]   y_o
);

  // Step k moves by 2**k or not.
  for (genvar k = 0; k < AmountW; k++) begin : gen_step
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

  assign y_o = gen_step[AmountW-1].out;

endmodule

`default_nettype wire
