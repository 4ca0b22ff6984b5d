// SPDX-License-Identifier: Apache-2.0
// One element back in its own type, from the type in which a switch accumulates: the one rounding of a sum.
//
// Integers lose their upper bits, which is a sum modulo a power of two; with saturate_i a number out of range becomes
// the nearest one. Floating point rounds to nearest, ties to even, into subnormals too; what overflows becomes infinity,
// of fp8e4m3 NaN, with saturate_i the largest number; every NaN becomes the canonical one.
//
//   exponent, significand -> shift right below the subnormals' exponent, sticky -> cut -> + round -> overflow?
//
// With raw_i the low bits come out as they are.
//
// Limits: From must hold every value of To (fred_widen).
// Latency: none, combinational.
`default_nettype none

module fred_narrow #(
  parameter int From = 3,       // of the sums, a code of docs/numerics.md
  parameter int To   = 2,       // element type
  parameter int FromW = 32,     // bits of each
  parameter int ToW   = 16
) (
  input  wire logic             raw_i,
  input  wire logic             saturate_i,
  input  wire logic [FromW-1:0] d_i,
  output logic      [ToW-1:0]   y_o
);

  localparam bit Float = ((From >= 1) && (From <= 3)) || (From >= 11);
  localparam bit Signed = (From == 0) || ((From >= 4) && (From <= 6));
  localparam int FromE = ((From == 1) || (From == 12)) ? 5 : (From == 11) ? 4 : (From == 13) ? 11 : 8;
  localparam int ToE   = ((To == 1) || (To == 12)) ? 5 : (To == 11) ? 4 : (To == 13) ? 11 : 8;
  localparam int FromM = FromW - 1 - FromE;
  localparam int ToM   = ToW - 1 - ToE;

  logic [ToW-1:0] narrow;
  if (FromW == ToW) begin : gen_same
    logic unused_saturate;
    assign unused_saturate = saturate_i;
    assign narrow = d_i;
  end else if (!Float) begin : gen_int
    logic out, negative;
    assign negative = Signed & d_i[FromW-1];
    // In range: all upper bits are like the sign, or zero.
    assign out = Signed ? (|(d_i[FromW-1:ToW-1] ^ {(FromW-ToW+1){d_i[FromW-1]}})) : |d_i[FromW-1:ToW];
    assign narrow = (saturate_i & out) ? {Signed ? negative : 1'b1, {(ToW-1){~negative}}} : d_i[ToW-1:0];
  end else begin : gen_float
    localparam bit Finite = To == 11;
    localparam int Bias = (1 << (FromE - 1)) - (1 << (ToE - 1));  // to be taken from the exponent
    localparam int Cut  = FromM - ToM;                            // bits below the last place, 1 or more
    localparam int ShiftW = $clog2(FromM + 3);

    logic             sign, nan, infinite;
    logic [FromE-1:0] exponent, weight;
    logic [FromM-1:0] mantissa;
    logic [FromM+2:0] significand, aligned;       // hidden bit above, two bits below, the last one sticky
    assign {sign, exponent, mantissa} = d_i;
    assign infinite = &exponent & ~|mantissa;
    assign nan      = &exponent & |mantissa;
    assign weight   = {exponent[FromE-1:1], exponent[0] | ~|exponent};
    assign significand = {|exponent, mantissa, 2'b00};

    logic [ToE:0]   place;                        // its exponent, from 1 on, and one bit more
    logic           beyond;                       // more than that can hold
    if (Bias == 0) begin : gen_same_exponent
      assign place   = {1'b0, weight};
      assign beyond  = 1'b0;
      assign aligned = significand;
    end else begin : gen_rebias
      logic              below;                   // its exponent is less than that of the subnormals: it is shifted there
      logic [FromE:0]    rest;                    // negative: below
      logic [FromE-1:0]  far;
      logic [ShiftW-1:0] amount;
      assign rest   = {1'b0, weight} - (FromE+1)'(Bias + 1);
      assign below  = rest[FromE];
      assign far    = ~rest[FromE-1:0] + FromE'(1);
      assign amount = ~below ? '0 : (far > FromE'(FromM + 2)) ? ShiftW'(FromM + 2) : far[ShiftW-1:0];
      assign place  = below ? (ToE+1)'(1) : rest[ToE:0] + (ToE+1)'(1);
      assign beyond = ~below & |(rest >> ToE);
      fred_shift_sticky #(.Width(FromM + 3), .AmountW(ShiftW)) u_align (
        .d_i(significand), .amount_i(amount), .gone_i(1'b0), .y_o(aligned)
      );
    end

    // The exponent is 0 without a hidden bit. A carry out of the significand is the next exponent.
    logic             up, overflow;
    logic [ToE:0]     kept;
    logic [ToE+ToM:0] rounded;
    assign kept    = place & {(ToE+1){aligned[FromM+2]}};
    assign up      = aligned[Cut+1] & (aligned[Cut+2] | (|aligned[Cut:0]));
    assign rounded = {kept, aligned[FromM+1 -: ToM]} + (ToE+ToM+1)'(up);
    localparam logic [ToE+ToM-1:0] Largest = {{(ToE-1){1'b1}}, Finite, {(ToM-1){1'b1}}, ~Finite};
    localparam logic [ToE+ToM-1:0] Quiet   = {{ToE{1'b1}}, 1'b1, {(ToM-1){Finite}}};
    localparam logic [ToE+ToM-1:0] TooMuch = Finite ? Quiet : {{ToE{1'b1}}, {ToM{1'b0}}};
    assign overflow = beyond | (rounded > {1'b0, Largest});
    assign narrow = nan ? {1'b0, Quiet} :
                    (infinite & ~Finite) ? {sign, TooMuch} :
                    (infinite | overflow) ? (saturate_i ? {sign, Largest} : {sign & ~Finite, TooMuch}) :
                    {sign, rounded[ToE+ToM-1:0]};
  end

  assign y_o = raw_i ? d_i[ToW-1:0] : narrow;

endmodule

`default_nettype wire
