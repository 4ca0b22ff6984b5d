// SPDX-License-Identifier: Apache-2.0
// Between a network that accumulates in a wider type and the egress buffers: every element rounded once, and everything
// that travels with the beat delayed by the same register. The counterpart of fred_widen_bank.
//
// Limits: none.
`default_nettype none

module fred_narrow_bank #(
  parameter int Ports  = 8,     // ports of the switch
  parameter int Width  = 32,    // bits of a port
  parameter int Wide   = 64,    // bits of a beat in the network
  parameter int Types  = 1,     // element types, 1..7
  parameter int DTypes = 2,     // their codes (docs/numerics.md), 4 bits each
  parameter int Acc    = 3,     // the wide type
  parameter int AccW   = 32,    // its bits
  parameter int SideW  = 16,    // bits beside the data, without the edge's
  localparam int TypeP = Types > 1 ? $clog2(Types) : 1,
  localparam int EdgeW = TypeP + 2
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  input  wire logic [Ports-1:0]               valid_i,
  input  wire logic [Ports*Wide-1:0]          data_i,
  input  wire logic [Ports*(EdgeW+SideW)-1:0] side_i,  // {type, saturate, raw, side} a port
  output logic      [Ports-1:0]               valid_o,
  output logic      [Ports*Width-1:0]         data_o,
  output logic      [Ports*SideW-1:0]         side_o
);

  for (genvar p = 0; p < Ports; p++) begin : g_port
    logic                   raw, saturate;
    logic [TypeP-1:0]       number;
    logic [Types-1:0]       type_of;
    logic [Types*Width-1:0] narrowed;
    logic [Width-1:0]       chosen;
    logic [SideW-1:0]       side;
    assign {number, saturate, raw, side} = side_i[p*(EdgeW+SideW) +: EdgeW+SideW];
    fred_onehot #(.Count(Types), .IndexW(TypeP)) u_type (.index_i(number), .onehot_o(type_of));
    for (genvar t = 0; t < Types; t++) begin : g_type
      localparam int Code  = (DTypes >> (4 * t)) & 15;
      localparam int ElemW = ((Code == 6) || (Code == 10) || (Code == 13)) ? 64 :
                             ((Code == 0) || (Code == 3) || (Code == 9)) ? 32 :
                             ((Code == 5) || (Code == 7) || (Code == 11) || (Code == 12)) ? 8 : 16;
      for (genvar lane = 0; lane < Width / ElemW; lane++) begin : g_lane
        fred_narrow #(.From(Acc), .To(Code), .FromW(AccW), .ToW(ElemW)) u_narrow (
          .raw_i      (raw),
          .saturate_i (saturate),
          .d_i        (data_i[p*Wide + lane*AccW +: AccW]),
          .y_o        (narrowed[t*Width + lane*ElemW +: ElemW])
        );
      end
    end
    fred_select #(.Width(Width), .Count(Types)) u_select (.select_i(type_of), .data_i(narrowed), .data_o(chosen));
    always_ff @(posedge clk_i) begin
      data_o[p*Width +: Width] <= chosen;
      side_o[p*SideW +: SideW] <= side;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= '0;
    else valid_o <= valid_i;
  end

endmodule

`default_nettype wire
