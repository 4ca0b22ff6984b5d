// SPDX-License-Identifier: Apache-2.0
// One element in the type in which a switch accumulates: the same value, exactly. Signed numbers are extended by their
// sign, unsigned ones by zeros. Of floating point the exponent gets the other bias, and a subnormal number, which the
// wider type holds as a normal one, moves to the left:
//
//   exponent 0:   0.000mmmm  ->  1.mmm0000, exponent less the places moved
//
// Infinities stay what they are, a NaN stays one, with its payload or not.
//
// With raw_i the element's bits come out as they are, zeros above.
//
// Limits: To must hold every value of From: both signed, unsigned or floating point, no part of it smaller.
// Latency: none, combinational.
`default_nettype none

module fred_widen #(
  parameter int From = 2,       // element type, a code of docs/numerics.md
  parameter int To   = 3,       // of the sums
  parameter int FromW = 16,     // bits of each
  parameter int ToW   = 32
) (
  input  wire logic             raw_i,
  input  wire logic [FromW-1:0] d_i,
  output logic      [ToW-1:0]   y_o
);

  localparam bit FromFloat = ((From >= 1) && (From <= 3)) || (From >= 11);
  localparam bit FromSigned = (From == 0) || ((From >= 4) && (From <= 6));
  localparam int FromE = ((From == 1) || (From == 12)) ? 5 : (From == 11) ? 4 : (From == 13) ? 11 : 8;
  localparam int ToE   = ((To == 1) || (To == 12)) ? 5 : (To == 11) ? 4 : (To == 13) ? 11 : 8;
  localparam int FromM = FromW - 1 - FromE;
  localparam int ToM   = ToW - 1 - ToE;

  logic [ToW-1:0] wide;
  if (!FromFloat) begin : gen_int
    if (ToW == FromW) begin : gen_same
      assign wide = d_i;
    end else begin : gen_extend
      assign wide = {{(ToW-FromW){FromSigned & d_i[FromW-1]}}, d_i};
    end
  end else if (FromE == ToE) begin : gen_same_exponent
    if (ToW == FromW) begin : gen_same
      assign wide = d_i;
    end else begin : gen_append
      assign wide = {d_i, {(ToW-FromW){1'b0}}};
    end
  end else begin : gen_float
    localparam int Bias = (1 << (ToE - 1)) - (1 << (FromE - 1));  // to be added to the exponent
    localparam bit Finite = From == 11;
    logic             sign, subnormal, top;
    logic [FromE-1:0] exponent;
    logic [FromM-1:0] mantissa, moved;
    logic [ToE-1:0]   places, weight;
    assign {sign, exponent, mantissa} = d_i;
    assign subnormal = ~|exponent;
    assign top = Finite ? (&exponent & &mantissa) : &exponent;

    // Places to move a subnormal number, so that its first one becomes the hidden bit: 1 to FromM; of zero any.
    logic [FromM:0]   first;                        // one-hot
    logic [ToE*(FromM+1)-1:0]   distances;
    logic [FromM*(FromM+1)-1:0] shifted;
    for (genvar k = 0; k <= FromM; k++) begin : gen_place
      if (k == 0) begin : gen_not_moved
        assign first[k] = ~subnormal;
        assign shifted[k*FromM +: FromM] = mantissa;
      end else begin : gen_moved
        if (k == 1) begin : gen_top
          assign first[k] = subnormal & mantissa[FromM-1];
        end else begin : gen_lower
          assign first[k] = subnormal & mantissa[FromM-k] & ~|mantissa[FromM-1:FromM-k+1];
        end
        assign shifted[k*FromM +: FromM] = mantissa << k;
      end
      assign distances[k*ToE +: ToE] = (k == 0) ? '0 : ToE'(k - 1);
    end
    fred_select #(.Width(FromM), .Count(FromM + 1)) u_moved (.select_i(first), .data_i(shifted), .data_o(moved));
    fred_select #(.Width(ToE), .Count(FromM + 1)) u_places (.select_i(first), .data_i(distances), .data_o(places));
    assign weight = ToE'(exponent) + ToE'(Bias) - places;
    assign wide = {sign, (|first ? weight : '0) | {ToE{top}}, moved, {(ToM-FromM){1'b0}}};
  end

  assign y_o = raw_i ? ToW'(d_i) : wide;

endmodule

`default_nettype wire
