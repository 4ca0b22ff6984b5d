// SPDX-License-Identifier: Apache-2.0
// A write to an all-to-all entry: which entry it is, and whether it may be written.
//
// Entry (table, step, source port) has the number ((table << PortW) + step) << PortW + port in its block. Its word:
// [7:0] destination, from bit 8 on the colours, bit 31 to make the parity wrong. Refused: a table, step, port or destination that does not exist, a
// colour bit too many, an entry of a port that an enabled descriptor uses with this table.
`default_nettype none

module fred_entry_write #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number or step
  parameter int Descriptors = 8,                    // rows of the descriptor table
  parameter int Tables      = 1,                    // all-to-all contexts, 0 or more
  parameter int RouteBits   = 4,                    // bits of a route's colours, 0 or more
  localparam int TablesV    = Tables > 0 ? Tables : 1,
  localparam int TableW     = TablesV > 1 ? $clog2(TablesV) : 1,
  localparam int RouteW     = RouteBits > 0 ? RouteBits : 1
) (
  input  wire logic [31:0]                    entry_i,      // number in the block; larger ones are outside
  input  wire logic [31:0]                    wdata_i,
  // Of all descriptors: enabled, its context one-hot, who sends.
  input  wire logic [Descriptors-1:0]         enable_i,
  input  wire logic [Descriptors*TablesV-1:0] uses_i,
  input  wire logic [Descriptors*Ports-1:0]   in_mask_i,
  output logic                                within_o,     // the block has such an entry number
  output logic                                legal_o,      // and the word may be written to it
  output logic      [TableW-1:0]              table_o,
  output logic      [PortW-1:0]               step_o,
  output logic      [PortW-1:0]               port_o,
  output logic      [PortW-1:0]               dest_o,
  output logic      [RouteW-1:0]              route_o,
  output logic                                parity_o      // of both, or its opposite
);

  assign table_o = entry_i[2*PortW +: TableW];
  assign step_o  = entry_i[PortW +: PortW];
  assign port_o  = entry_i[PortW-1:0];
  assign dest_o  = wdata_i[PortW-1:0];
  assign route_o = wdata_i[8 +: RouteW];
  assign parity_o = ^{route_o, dest_o, wdata_i[31]};
  if (Tables > 0) begin : g_within
    assign within_o = (entry_i >> (2 * PortW)) < 32'(Tables);
  end else begin : g_none
    logic unused_entry;
    assign unused_entry = ^entry_i;
    assign within_o     = 1'b0;
  end

  logic [Ports-1:0]       port;
  logic [TablesV-1:0]     context_of;
  logic [Descriptors-1:0] in_use;
  fred_onehot #(.Count(Ports), .IndexW(PortW)) u_port (.index_i(port_o), .onehot_o(port));
  fred_onehot #(.Count(TablesV), .IndexW(TableW)) u_table (.index_i(table_o), .onehot_o(context_of));
  for (genvar d = 0; d < Descriptors; d++) begin : g_in_use
    assign in_use[d] = enable_i[d] & (|(uses_i[d*TablesV +: TablesV] & context_of)) &
                       (|(in_mask_i[d*Ports +: Ports] & port));
  end
  assign legal_o = (|port) & (32'(step_o) < 32'(Ports)) & (32'(wdata_i[7:0]) < 32'(Ports)) &
                   ((wdata_i[30:8] >> RouteBits) == '0) & ~|in_use;

endmodule

`default_nettype wire
