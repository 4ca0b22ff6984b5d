// SPDX-License-Identifier: Apache-2.0
// The descriptor table: configuration registers of every descriptor, the row that an access selects, and what the
// control unit needs of all rows, decoded.
//
// Limits: the decoded outputs follow a write one cycle later; a descriptor is enabled several cycles after its last
// write (fred_registers), so nothing sees a half-written one.
`default_nettype none

module fred_descriptor_table #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int Descriptors = 8,                    // rows
  parameter int Tables      = 1,                    // all-to-all contexts, 1 or more
  parameter int AllToAll    = 1,                    // 0: no all-to-all is built in
  parameter int Types       = 1,                    // element types, 1..7
  parameter int Granules    = 3,                    // of each type the bytes of an element less one, in 3 bits
  parameter int CodeW       = 2,                    // bits of an operation's code
  parameter int OpW         = 2,                    // bits of an operation for the network: CodeW, or the type above
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  localparam int TypeW      = Types > 1 ? $clog2(Types) : 0,
  localparam int TypeP      = Types > 1 ? TypeW : 1,
  localparam int ConfigW    = 24 + TypeW            // [3:0] kind [6:4] op [11:8] epoch [15:12] table [23:16] root [26:24] type
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,

  // Writes to the rows that select_i names: one strobe a register. Mask words are 32 bits wide.
  input  wire logic [Descriptors-1:0]             select_i,
  input  wire logic                               we_config_i,
  input  wire logic                               we_route_i,
  input  wire logic [(Ports+31)/32-1:0]           we_in_i,
  input  wire logic [(Ports+31)/32-1:0]           we_out_i,
  input  wire logic [(Descriptors+31)/32-1:0]     we_compat_i,
  input  wire logic                               set_i,       // enable
  input  wire logic                               clear_i,     // disable
  input  wire logic [31:0]                        wdata_i,

  // The selected row, a cycle after select_i.
  output logic                                    row_enable_o,
  output logic      [ConfigW-1:0]                 row_config_o,
  output logic      [RouteW-1:0]                  row_route_o,
  output logic      [Ports-1:0]                   row_in_o,
  output logic      [Ports-1:0]                   row_out_o,
  output logic      [Descriptors-1:0]             row_compat_o,

  // All rows.
  output logic      [Descriptors-1:0]             enable_o,
  output logic      [Descriptors*4-1:0]           kind_o,
  output logic      [Descriptors*OpW-1:0]         op_o,
  output logic      [Descriptors*TypeP-1:0]       dtype_o,
  output logic      [Descriptors*3-1:0]           granule_o,   // bytes of an element less one
  output logic      [Descriptors*4-1:0]           epoch_o,
  output logic      [Descriptors*RouteW-1:0]      route_o,
  output logic      [Descriptors*Ports-1:0]       in_mask_o,
  output logic      [Descriptors*Ports-1:0]       out_mask_o,
  output logic      [Descriptors*Ports-1:0]       root_o,      // one-hot
  output logic      [Descriptors*Tables-1:0]      uses_o,      // one-hot context of each all-to-all; else 0
  output logic      [Descriptors*Descriptors-1:0] compat_o,
  output logic      [Descriptors*Descriptors-1:0] clash_o      // pairs that may not go together
);

  localparam int D = Descriptors;
  localparam int P = Ports;
  logic unused_wdata;
  assign unused_wdata = ^wdata_i;

  logic [D*ConfigW-1:0] config_flat;
  for (genvar d = 0; d < D; d++) begin : g_row
    logic [ConfigW-1:0] config_q;
    logic [RouteW-1:0] route_q;
    logic [P-1:0]      in_q, out_q, root_q, root;
    logic [D-1:0]      compat_q;
    logic [Tables-1:0] uses_q, context_of;
    logic              enable_q;
    always_ff @(posedge clk_i) begin
      if (select_i[d] && we_config_i) config_q <= wdata_i[ConfigW-1:0];
      if (select_i[d] && we_route_i)  route_q  <= wdata_i[RouteW-1:0];
      root_q <= root;
      uses_q <= (AllToAll != 0 && config_q[3:0] == 4'd9) ? context_of : '0;
      if (!rst_ni) enable_q <= 1'b0;
      else if (select_i[d] && (set_i || clear_i)) enable_q <= set_i;
    end
    for (genvar p = 0; p < P; p++) begin : g_mask
      always_ff @(posedge clk_i) begin
        if (select_i[d] && we_in_i[p/32])  in_q[p]  <= wdata_i[p%32];
        if (select_i[d] && we_out_i[p/32]) out_q[p] <= wdata_i[p%32];
      end
    end
    for (genvar j = 0; j < D; j++) begin : g_compat
      always_ff @(posedge clk_i) begin
        if (select_i[d] && we_compat_i[j/32]) compat_q[j] <= wdata_i[j%32];
      end
      assign clash_o[d*D + j] = (d == j) ? 1'b0 : ~(compat_o[d*D + j] & compat_o[j*D + d]);
    end
    fred_onehot #(.Count(P), .IndexW(8)) u_root (.index_i(config_q[23:16]), .onehot_o(root));
    fred_onehot #(.Count(Tables), .IndexW(4)) u_context (.index_i(config_q[15:12]), .onehot_o(context_of));

    assign config_flat[d*ConfigW +: ConfigW] = config_q;
    assign enable_o[d]                  = enable_q;
    assign kind_o[d*4 +: 4]             = config_q[3:0];
    assign epoch_o[d*4 +: 4]            = config_q[11:8];
    if (Types > 1) begin : g_types
      logic [Types-1:0] type_of;
      logic [2:0]       granule;
      assign dtype_o[d*TypeP +: TypeP] = config_q[24 +: TypeW];
      fred_onehot #(.Count(Types), .IndexW(TypeW)) u_type (.index_i(config_q[24 +: TypeW]), .onehot_o(type_of));
      fred_select #(.Width(3), .Count(Types)) u_granule (
        .select_i(type_of), .data_i((3*Types)'(Granules)), .data_o(granule)
      );
      always_ff @(posedge clk_i) granule_o[d*3 +: 3] <= granule;
    end else begin : g_one_type
      assign dtype_o[d]           = 1'b0;
      assign granule_o[d*3 +: 3] = 3'(Granules);
    end
    if (OpW > CodeW) begin : g_type_travels
      assign op_o[d*OpW +: OpW] = {config_q[24 +: TypeW], config_q[4 +: CodeW]};
    end else begin : g_code_travels
      assign op_o[d*OpW +: OpW] = config_q[4 +: CodeW];
    end
    assign route_o[d*RouteW +: RouteW]  = route_q;
    assign in_mask_o[d*P +: P]          = in_q;
    assign out_mask_o[d*P +: P]         = out_q;
    assign root_o[d*P +: P]             = root_q;
    assign uses_o[d*Tables +: Tables]   = uses_q;
    assign compat_o[d*D +: D]           = compat_q;
  end

  localparam int RowW = 1 + ConfigW + RouteW + 2 * P + D;
  logic [D*RowW-1:0] rows;
  logic [RowW-1:0]   row;
  for (genvar d = 0; d < D; d++) begin : g_flat
    assign rows[d*RowW +: RowW] = {enable_o[d], config_flat[d*ConfigW +: ConfigW], route_o[d*RouteW +: RouteW],
                                   in_mask_o[d*P +: P], out_mask_o[d*P +: P], compat_o[d*D +: D]};
  end
  fred_select #(.Width(RowW), .Count(D)) u_row (.select_i(select_i), .data_i(rows), .data_o(row));
  always_ff @(posedge clk_i) begin
    {row_enable_o, row_config_o, row_route_o, row_in_o, row_out_o, row_compat_o} <= row;
  end

endmodule

`default_nettype wire
