// SPDX-License-Identifier: Apache-2.0
// May this row of the descriptor table be enabled beside the rows that are enabled already?
//
// Refused (docs/protocol.md, Registers): an empty mask; an unknown kind, element type or virtual circuit; an operation
// that is not built in or not defined for the type; a root outside its mask; an all-to-all whose context does not exist,
// whose masks differ, or which shares a port with another one of its context; a pair that calls itself compatible though
// its ports meet.
`default_nettype none

module fred_enable_check #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int Descriptors = 8,                    // rows of the table
  parameter int Tables      = 1,                    // all-to-all contexts, 0 or more
  parameter int TablesV     = 1,                    // max(1, Tables)
  parameter int Types       = 1,                    // element types, 1..7
  parameter int Unsaturated = 0,                    // bit t: type t has no sum that saturates
  parameter int Ops         = 1,                    // operations built in, bit n: the one of code n
  parameter int Vcs         = 1,                    // virtual circuits, 1..8
  localparam int TypeP      = Types > 1 ? $clog2(Types) : 1
) (
  input  wire logic [Descriptors-1:0]             select_i,    // the row in question, one-hot
  input  wire logic [3:0]                         kind_i,
  input  wire logic [2:0]                         op_i,
  input  wire logic [3:0]                         table_i,
  input  wire logic [Vcs-1:0]                     vc_i,        // one-hot; 0 if it does not exist
  input  wire logic [TypeP-1:0]                   type_i,
  input  wire logic [Ports-1:0]                   in_i,
  input  wire logic [Ports-1:0]                   out_i,
  input  wire logic [Ports-1:0]                   root_i,      // one-hot; 0 if the root does not exist
  input  wire logic [Descriptors-1:0]             compat_i,
  input  wire logic [Descriptors-1:0]             enable_i,    // all rows
  input  wire logic [Descriptors*Ports-1:0]       in_mask_i,
  input  wire logic [Descriptors*Ports-1:0]       out_mask_i,
  input  wire logic [Descriptors*TablesV-1:0]     uses_i,
  input  wire logic [Descriptors*Descriptors-1:0] compat_all_i,
  output logic                                    ok_o
);

  logic is_alltoall, op_missing, root_missing, alltoall_bad;
  logic [Types-1:0] type_of;
  logic [7:0]       built_in;
  fred_onehot #(.Count(Types), .IndexW(TypeP)) u_type (.index_i(type_i), .onehot_o(type_of));
  assign built_in     = 8'(Ops) & {4'hf, ~|(type_of & Types'(Unsaturated)), 3'h7};
  assign is_alltoall  = kind_i == 4'd9;
  assign op_missing   = ((kind_i == 4'd0) | (kind_i == 4'd1) | (kind_i == 4'd4) | (kind_i == 4'd8)) & ~built_in[op_i];
  assign root_missing = (((kind_i == 4'd1) | (kind_i == 4'd5)) & ~|(root_i & out_i)) |
                        (((kind_i == 4'd2) | (kind_i == 4'd6)) & ~|(root_i & in_i));

  logic [TablesV-1:0] context_of;
  fred_onehot #(.Count(TablesV), .IndexW(4)) u_context (.index_i(table_i), .onehot_o(context_of));
  assign alltoall_bad = is_alltoall & ((Tables == 0) | ~|context_of | (in_i != out_i));

  logic [Descriptors-1:0] meets;
  for (genvar j = 0; j < Descriptors; j++) begin : g_other
    logic in_meets, out_meets, mutual, shares;
    assign in_meets  = |(in_i & in_mask_i[j*Ports +: Ports]);
    assign out_meets = |(out_i & out_mask_i[j*Ports +: Ports]);
    assign mutual    = compat_i[j] & |(compat_all_i[j*Descriptors +: Descriptors] & select_i);
    assign shares    = is_alltoall & |(context_of & uses_i[j*TablesV +: TablesV]) & in_meets;
    assign meets[j]  = enable_i[j] & ~select_i[j] & ((mutual & (in_meets | out_meets)) | shares);
  end

  assign ok_o = (|type_of) & (|vc_i) & (|in_i) & (|out_i) & (kind_i <= 4'd9) &
                ~op_missing & ~root_missing & ~alltoall_bad & ~|meets;

endmodule

`default_nettype wire
