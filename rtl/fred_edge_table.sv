// SPDX-License-Identifier: Apache-2.0
// What the converters at the edges of a network that accumulates in a wider type have to know of each descriptor: its
// element type, whether a sum saturates, and whether its beats travel raw: nothing is reduced, for want of a second
// member or by the kind, or only bit by bit.
//
// Limits: follows a write to the descriptor table two cycles later, long before the first launch.
`default_nettype none

module fred_edge_table #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int Descriptors = 8,                    // rows of the descriptor table
  parameter int CodeW       = 2,                    // bits of an operation's code
  parameter int TypeP       = 1,                    // bits of a type's number, 1 or more
  localparam int EdgeW      = TypeP + 2
) (
  input  wire logic                             clk_i,
  input  wire logic [Descriptors*4-1:0]         kind_i,
  input  wire logic [Descriptors*CodeW-1:0]     op_i,
  input  wire logic [Descriptors*TypeP-1:0]     dtype_i,
  input  wire logic [Descriptors*Ports-1:0]     in_mask_i,
  output logic      [Descriptors*EdgeW-1:0]     conversion_o       // {type, saturate, raw} a row
);

  for (genvar d = 0; d < Descriptors; d++) begin : g_row
    logic [3:0]       kind;
    logic [Ports-1:0] members;
    logic [2:0]       op;
    logic             reduces, several;
    assign kind    = kind_i[d*4 +: 4];
    assign members = in_mask_i[d*Ports +: Ports];
    assign op      = 3'(op_i[d*CodeW +: CodeW]);
    assign reduces = (kind == 4'd0) | (kind == 4'd1) | (kind == 4'd4) | (kind == 4'd8);
    assign several = |(members & (members - Ports'(1)));
    always_ff @(posedge clk_i) begin
      conversion_o[d*EdgeW +: EdgeW] <= {dtype_i[d*TypeP +: TypeP], op == 3'd3, ~reduces | ~several | op[2]};
    end
  end

endmodule

`default_nettype wire
