// SPDX-License-Identifier: Apache-2.0
// Between the ingress buffers and a network that accumulates in a wider type: every element of a beat widened, and
// everything that travels with the beat delayed by the same register.
//
//   data ──> fred_widen for each lane of each type ──> select ──> [reg] ──> data, one element of the wide type a lane
//   valid, mask, route, operation ────────────────────────────> [reg] ──>
//
// A beat that is not reduced, or bit by bit, travels raw: its elements are not converted, so every bit pattern
// arrives unchanged.
//
// Limits: lanes that a type does not have are zero.
`default_nettype none

module fred_widen_bank #(
  parameter int Ports  = 8,     // ports of the switch
  parameter int Width  = 32,    // bits of a port
  parameter int Wide   = 64,    // bits of a beat in the network: lanes of the narrowest type x bits of the wide type
  parameter int Types  = 1,     // element types, 1..7
  parameter int DTypes = 2,     // their codes (docs/numerics.md), 4 bits each
  parameter int Acc    = 3,     // the wide type
  parameter int AccW   = 32,    // its bits
  parameter int CodeW  = 2,     // bits of an operation's code
  parameter int RouteW = 4,     // bits of a route's colours
  localparam int TypeP = Types > 1 ? $clog2(Types) : 1,
  localparam int EdgeW = TypeP + 2
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,
  input  wire logic [Ports-1:0]        valid_i,
  input  wire logic [Ports*Width-1:0]  data_i,
  input  wire logic [Ports*Ports-1:0]  mask_i,
  input  wire logic [Ports*RouteW-1:0] route_i,
  input  wire logic [Ports*CodeW-1:0]  op_i,
  input  wire logic [Ports*EdgeW-1:0]  conversion_i,      // {type, saturate, raw} a port
  output logic      [Ports-1:0]        valid_o,
  output logic      [Ports*Wide-1:0]   data_o,
  output logic      [Ports*Ports-1:0]  mask_o,
  output logic      [Ports*RouteW-1:0] route_o,
  output logic      [Ports*CodeW-1:0]  op_o
);

  for (genvar p = 0; p < Ports; p++) begin : g_port
    logic                  raw, unused_saturate;
    logic [TypeP-1:0]      number;
    logic [Types-1:0]      type_of;
    logic [Types*Wide-1:0] widened;
    logic [Wide-1:0]       chosen;
    assign {number, unused_saturate, raw} = conversion_i[p*EdgeW +: EdgeW];
    fred_onehot #(.Count(Types), .IndexW(TypeP)) u_type (.index_i(number), .onehot_o(type_of));
    for (genvar t = 0; t < Types; t++) begin : g_type
      localparam int Code  = (DTypes >> (4 * t)) & 15;
      localparam int ElemW = ((Code == 6) || (Code == 10) || (Code == 13)) ? 64 :
                             ((Code == 0) || (Code == 3) || (Code == 9)) ? 32 :
                             ((Code == 5) || (Code == 7) || (Code == 11) || (Code == 12)) ? 8 : 16;
      localparam int Lanes = Width / ElemW;
      for (genvar lane = 0; lane < Lanes; lane++) begin : g_lane
        fred_widen #(.From(Code), .To(Acc), .FromW(ElemW), .ToW(AccW)) u_widen (
          .raw_i (raw),
          .d_i   (data_i[p*Width + lane*ElemW +: ElemW]),
          .y_o   (widened[t*Wide + lane*AccW +: AccW])
        );
      end
      if (Lanes * AccW < Wide) begin : g_rest
        assign widened[t*Wide + Lanes*AccW +: Wide - Lanes*AccW] = '0;
      end
    end
    fred_select #(.Width(Wide), .Count(Types)) u_select (.select_i(type_of), .data_i(widened), .data_o(chosen));
    always_ff @(posedge clk_i) data_o[p*Wide +: Wide] <= chosen;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= '0;
    else valid_o <= valid_i;
    mask_o  <= mask_i;
    route_o <= route_i;
    op_o    <= op_i;
  end

endmodule

`default_nettype wire
