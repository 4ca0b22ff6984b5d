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
  parameter int RouteBits   = 4,                    // bits of a route's colours, 0 or more
  parameter int Vcs         = 1,                    // virtual circuits, 1..8
  // In a row: the first register of the report, COMPAT, OUT_MASK, IN_MASK, then COLOURS, CONFIG, STATUS, CONTROL, 8 bits
  // each.
  parameter logic [63:0] RowWords   = 64'h07_06_05_04_03_02_01_00,
  parameter logic [31:0] ControlBits = 32'h00000f03, // bits that CONTROL has
  parameter logic [31:0] ConfigBits = 32'h00ffff7f, // bits that CONFIG has
  // Lowest bits of its fields vc, type, root, table, epoch, op, kind, 8 bits each.
  parameter logic [55:0] ConfigLows = 56'h1b_18_10_0c_08_04_00,
  localparam int RouteW     = RouteBits > 0 ? RouteBits : 1,
  localparam int MaskWords  = (Ports + 31) / 32,    // registers of a port mask
  localparam int CompatWords = (Descriptors + 31) / 32, // registers of a compatibility mask
  localparam int Words      = 4 + 6 * MaskWords + CompatWords, // registers of a row
  localparam int TypeP      = Types > 1 ? $clog2(Types) : 1
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,

  // Writes to a register of the row that select_i names.
  input  wire logic [Descriptors-1:0]             select_i,
  input  wire logic [Words-1:0]                   word_i,      // one-hot
  input  wire logic                               write_i,
  input  wire logic [31:0]                        wdata_i,
  input  wire logic [31:0]                        status_i,    // its STATUS
  input  wire logic [4*Ports-1:0]                 report_i,    // its report: LOCKED, FULL, BEHIND, MISSING
  // The epoch of an aborted descriptor.
  input  wire logic [Descriptors-1:0]             epoch_we_i,
  input  wire logic [3:0]                         epoch_i,

  // The selected row, a cycle after select_i.
  output logic                                    row_enable_o,
  output logic      [31:0]                        row_word_o,  // what the register reads as
  output logic      [31:0]                        row_bits_o,  // bits of it that can be written
  output logic      [3:0]                         row_kind_o,  // fields of CONFIG
  output logic      [2:0]                         row_op_o,
  output logic      [3:0]                         row_table_o,
  output logic      [7:0]                         row_root_o,
  output logic      [TypeP-1:0]                   row_type_o,
  output logic      [Vcs-1:0]                     row_vc_o,    // one-hot; 0 if there is no such circuit
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
  output logic      [Descriptors*Vcs-1:0]         vc_o,        // one-hot
  output logic      [Descriptors*Tables-1:0]      uses_o,      // one-hot context of each all-to-all; else 0
  output logic      [Descriptors*Descriptors-1:0] compat_o,
  output logic      [Descriptors*Descriptors-1:0] clash_o      // pairs that may not go together
);

  localparam int D = Descriptors;
  localparam int P = Ports;
  localparam int MW = MaskWords;
  localparam int CW = CompatWords;
  localparam int TypeW    = Types > 1 ? TypeP : 0;
  localparam int VcP      = Vcs > 1 ? $clog2(Vcs) : 1;
  localparam int KindLow  = {24'd0, ConfigLows[7:0]};
  localparam int OpLow    = {24'd0, ConfigLows[15:8]};
  localparam int EpochLow = {24'd0, ConfigLows[23:16]};
  localparam int TableLow = {24'd0, ConfigLows[31:24]};
  localparam int RootLow  = {24'd0, ConfigLows[39:32]};
  localparam int TypeLow  = {24'd0, ConfigLows[47:40]};
  localparam int VcLow    = {24'd0, ConfigLows[55:48]};
  localparam int ControlAt = {24'd0, RowWords[7:0]};
  localparam int StatusAt  = {24'd0, RowWords[15:8]};
  localparam int ConfigAt  = {24'd0, RowWords[23:16]};
  localparam int ColoursAt = {24'd0, RowWords[31:24]};
  localparam int InAt      = {24'd0, RowWords[39:32]};
  localparam int OutAt     = {24'd0, RowWords[47:40]};
  localparam int CompatAt  = {24'd0, RowWords[55:48]};
  localparam int ReportAt  = {24'd0, RowWords[63:56]};
  logic [Words-1:0] we;
  logic             unused_wdata;
  assign we           = {Words{write_i}} & word_i;
  assign unused_wdata = ^wdata_i;

  logic [D*32-1:0] config_flat;
  for (genvar d = 0; d < D; d++) begin : g_row
    logic [31:0]       config_q;
    logic [RouteW-1:0] route_q;
    logic [P-1:0]      in_q, out_q, root_q, root;
    logic [D-1:0]      compat_q;
    logic [Tables-1:0] uses_q, context_of;
    logic              enable_q;
    always_ff @(posedge clk_i) begin
      if (select_i[d] && we[ColoursAt])  route_q  <= wdata_i[RouteW-1:0];
      root_q <= root;
      uses_q <= (AllToAll != 0 && config_q[KindLow +: 4] == 4'd9) ? context_of : '0;
      if (!rst_ni) enable_q <= 1'b0;
      else if (select_i[d] && we[ControlAt]) enable_q <= wdata_i[0];
    end
    for (genvar b = 0; b < 32; b++) begin : g_config
      if (b >= EpochLow && b < EpochLow + 4) begin : g_epoch
        logic bit_q;
        always_ff @(posedge clk_i) begin
          if (epoch_we_i[d]) bit_q <= epoch_i[b-EpochLow];
          else if (select_i[d] && we[ConfigAt]) bit_q <= wdata_i[b];
        end
        assign config_q[b] = bit_q;
      end else if (ConfigBits[b]) begin : g_bit
        logic bit_q;
        always_ff @(posedge clk_i) if (select_i[d] && we[ConfigAt]) bit_q <= wdata_i[b];
        assign config_q[b] = bit_q;
      end else begin : g_no_bit
        assign config_q[b] = 1'b0;
      end
    end
    for (genvar p = 0; p < P; p++) begin : g_mask
      always_ff @(posedge clk_i) begin
        if (select_i[d] && we[InAt+p/32])  in_q[p]  <= wdata_i[p%32];
        if (select_i[d] && we[OutAt+p/32]) out_q[p] <= wdata_i[p%32];
      end
    end
    for (genvar j = 0; j < D; j++) begin : g_compat
      always_ff @(posedge clk_i) begin
        if (select_i[d] && we[CompatAt+j/32]) compat_q[j] <= wdata_i[j%32];
      end
      assign clash_o[d*D + j] = (d == j) ? 1'b0 : ~(compat_o[d*D + j] & compat_o[j*D + d]);
    end
    fred_onehot #(.Count(P), .IndexW(8)) u_root (.index_i(config_q[RootLow +: 8]), .onehot_o(root));
    fred_onehot #(.Count(Tables), .IndexW(4)) u_context (.index_i(config_q[TableLow +: 4]), .onehot_o(context_of));

    assign config_flat[d*32 +: 32] = config_q;
    assign enable_o[d]                  = enable_q;
    assign kind_o[d*4 +: 4]             = config_q[KindLow +: 4];
    assign epoch_o[d*4 +: 4]            = config_q[EpochLow +: 4];
    if (Types > 1) begin : g_types
      logic [Types-1:0] type_of;
      logic [2:0]       granule;
      assign dtype_o[d*TypeP +: TypeP] = config_q[TypeLow +: TypeW];
      fred_onehot #(.Count(Types), .IndexW(TypeW)) u_type (.index_i(config_q[TypeLow +: TypeW]), .onehot_o(type_of));
      fred_select #(.Width(3), .Count(Types)) u_granule (
        .select_i(type_of), .data_i((3*Types)'(Granules)), .data_o(granule)
      );
      always_ff @(posedge clk_i) granule_o[d*3 +: 3] <= granule;
    end else begin : g_one_type
      assign dtype_o[d]           = 1'b0;
      assign granule_o[d*3 +: 3] = 3'(Granules);
    end
    if (Vcs > 1) begin : g_circuits
      logic [Vcs-1:0] vc, vc_q;
      fred_onehot #(.Count(Vcs), .IndexW(VcP)) u_vc (.index_i(config_q[VcLow +: VcP]), .onehot_o(vc));
      always_ff @(posedge clk_i) vc_q <= vc;
      assign vc_o[d*Vcs +: Vcs] = vc_q;
    end else begin : g_one_circuit
      assign vc_o[d] = 1'b1;
    end
    if (OpW > CodeW) begin : g_type_travels
      assign op_o[d*OpW +: OpW] = {config_q[TypeLow +: TypeW], config_q[OpLow +: CodeW]};
    end else begin : g_code_travels
      assign op_o[d*OpW +: OpW] = config_q[OpLow +: CodeW];
    end
    assign route_o[d*RouteW +: RouteW]  = route_q;
    assign in_mask_o[d*P +: P]          = in_q;
    assign out_mask_o[d*P +: P]         = out_q;
    assign root_o[d*P +: P]             = root_q;
    assign uses_o[d*Tables +: Tables]   = uses_q;
    assign compat_o[d*D +: D]           = compat_q;
  end

  localparam int RowW = 1 + 32 + RouteW + 2 * P + D;
  logic [D*RowW-1:0] rows;
  logic [RowW-1:0]   row;
  logic [31:0]       row_config;
  logic [RouteW-1:0] row_route;
  for (genvar d = 0; d < D; d++) begin : g_flat
    assign rows[d*RowW +: RowW] = {enable_o[d], config_flat[d*32 +: 32], route_o[d*RouteW +: RouteW],
                                   in_mask_o[d*P +: P], out_mask_o[d*P +: P], compat_o[d*D +: D]};
  end
  fred_select #(.Width(RowW), .Count(D)) u_row (.select_i(select_i), .data_i(rows), .data_o(row));
  always_ff @(posedge clk_i) begin
    {row_enable_o, row_config, row_route, row_in_o, row_out_o, row_compat_o} <= row;
  end
  assign row_kind_o  = row_config[KindLow +: 4];
  assign row_op_o    = row_config[OpLow +: 3];
  assign row_table_o = row_config[TableLow +: 4];
  assign row_root_o  = row_config[RootLow +: 8];
  if (Types > 1) begin : g_row_type
    assign row_type_o = row_config[TypeLow +: TypeW];
  end else begin : g_row_one_type
    assign row_type_o = 1'b0;
  end
  if (Vcs > 1) begin : g_row_vc
    fred_onehot #(.Count(Vcs), .IndexW(VcP)) u_vc (.index_i(row_config[VcLow +: VcP]), .onehot_o(row_vc_o));
  end else begin : g_row_one_vc
    assign row_vc_o = 1'b1;
  end

  // What the registers of the row read as, and which bits they have.
  logic [Words*32-1:0] reads, bits;
  assign reads[32*ControlAt +: 32]   = 32'(row_enable_o);
  assign reads[32*StatusAt +: 32]    = status_i;
  assign reads[32*ConfigAt +: 32]    = row_config;
  assign reads[32*InAt +: 32*MW]     = (MW*32)'(row_in_o);
  assign reads[32*OutAt +: 32*MW]    = (MW*32)'(row_out_o);
  assign reads[32*CompatAt +: 32*CW] = (CW*32)'(row_compat_o);
  if (RouteBits > 0) begin : g_row_colours
    assign reads[32*ColoursAt +: 32] = 32'(row_route);
  end else begin : g_row_no_colours
    logic unused_route;
    assign unused_route              = ^row_route;
    assign reads[32*ColoursAt +: 32] = 32'd0;
  end
  for (genvar r = 0; r < 4; r++) begin : g_report
    assign reads[32*(ReportAt + r*MW) +: 32*MW] = (MW*32)'(report_i[r*P +: P]);
    assign bits[32*(ReportAt + r*MW) +: 32*MW]  = '0;
  end
  assign bits[32*ControlAt +: 32]    = ControlBits;
  assign bits[32*StatusAt +: 32]     = 32'd0;
  assign bits[32*ConfigAt +: 32]     = ConfigBits;
  assign bits[32*ColoursAt +: 32]    = 32'((64'd1 << RouteBits) - 64'd1);
  assign bits[32*InAt +: 32*MW]      = (MW*32)'({P{1'b1}});
  assign bits[32*OutAt +: 32*MW]     = (MW*32)'({P{1'b1}});
  assign bits[32*CompatAt +: 32*CW]  = (CW*32)'({D{1'b1}});
  fred_select #(.Width(32), .Count(Words)) u_word (.select_i(word_i), .data_i(reads), .data_o(row_word_o));
  fred_select #(.Width(32), .Count(Words)) u_bits (.select_i(word_i), .data_i(bits), .data_o(row_bits_o));

endmodule

`default_nettype wire
