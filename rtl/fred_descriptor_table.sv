// SPDX-License-Identifier: Apache-2.0
// The descriptor table: the rows (fred_descriptor_row), the one that an access selects, and what the control unit needs
// of all rows.
//
// Limits: the decoded outputs follow a write one cycle later; a descriptor is enabled several cycles after its last
// write (fred_registers), so nothing sees a half-written one.
`default_nettype none

module fred_descriptor_table #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number or step
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
  input  wire logic                               enables_i,   // a write to CONTROL enables
  input  wire logic                               flips_i,     // and makes the parity wrong
  input  wire logic [31:0]                        status_i,    // its STATUS
  input  wire logic [4*Ports-1:0]                 report_i,    // its report: LOCKED, FULL, BEHIND, MISSING
  // The epochs of aborted descriptors.
  input  wire logic [Descriptors-1:0]             epoch_we_i,
  input  wire logic [Descriptors*4-1:0]           epoch_i,

  // The selected row, a cycle after select_i.
  output logic                                    row_enable_o,
  output logic      [31:0]                        row_word_o,  // what the register reads as
  output logic      [31:0]                        row_bits_o,  // bits of it that can be written
  output logic      [3:0]                         row_kind_o,  // fields of CONFIG
  output logic      [2:0]                         row_op_o,
  output logic      [3:0]                         row_table_o,
  output logic      [3:0]                         row_epoch_o,
  output logic      [7:0]                         row_root_o,
  output logic      [TypeP-1:0]                   row_type_o,
  output logic      [Vcs-1:0]                     row_vc_o,    // one-hot; 0 if there is no such circuit
  output logic      [Ports-1:0]                   row_in_o,
  output logic      [Ports-1:0]                   row_out_o,
  output logic      [Descriptors-1:0]             row_compat_o,

  // All rows.
  output logic      [Descriptors-1:0]             enable_o,
  output logic      [Descriptors-1:0]             bad_o,       // its parity is wrong
  output logic      [Descriptors*PortW-1:0]       final_step_o, // number of the last step over IN_MASK
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

  logic [D*32-1:0]  config_flat;
  logic [PortW-1:0] row_final_q;
  for (genvar d = 0; d < D; d++) begin : g_row
    logic [31:0] row_config;
    fred_descriptor_row #(
      .Ports(P), .PortW(PortW), .Descriptors(D), .Tables(Tables), .AllToAll(AllToAll), .Types(Types),
      .Granules(Granules), .CodeW(CodeW), .OpW(OpW), .RouteBits(RouteBits), .Vcs(Vcs), .RowWords(RowWords),
      .ConfigBits(ConfigBits), .ConfigLows(ConfigLows)
    ) u_row (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .we_i       (word_i & {Words{write_i & select_i[d]}}),
      .wdata_i    (wdata_i),
      .enables_i  (enables_i),
      .flips_i    (flips_i),
      .final_step_i    (row_final_q),
      .epoch_we_i (epoch_we_i[d]),
      .epoch_i    (epoch_i[d*4 +: 4]),
      .enable_o   (enable_o[d]),
      .bad_o      (bad_o[d]),
      .config_o   (row_config),
      .route_o    (route_o[d*RouteW +: RouteW]),
      .in_mask_o  (in_mask_o[d*P +: P]),
      .out_mask_o (out_mask_o[d*P +: P]),
      .compat_o   (compat_o[d*D +: D]),
      .final_step_o    (final_step_o[d*PortW +: PortW]),
      .op_o       (op_o[d*OpW +: OpW]),
      .dtype_o    (dtype_o[d*TypeP +: TypeP]),
      .granule_o  (granule_o[d*3 +: 3]),
      .root_o     (root_o[d*P +: P]),
      .vc_o       (vc_o[d*Vcs +: Vcs]),
      .uses_o     (uses_o[d*Tables +: Tables])
    );
    assign config_flat[d*32 +: 32] = row_config;
    assign kind_o[d*4 +: 4]        = row_config[KindLow +: 4];
    assign epoch_o[d*4 +: 4]       = row_config[EpochLow +: 4];
    for (genvar j = 0; j < D; j++) begin : g_clash
      assign clash_o[d*D + j] = (d == j) ? 1'b0 : ~(compat_o[d*D + j] & compat_o[j*D + d]);
    end
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
  assign row_epoch_o = row_config[EpochLow +: 4];
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

  // What a row that is enabled keeps of itself: two cycles after select_i.
  logic [PortW-1:0] members_less_one;
  always_comb begin
    members_less_one = {PortW{1'b1}};
    for (int p = 0; p < P; p++) members_less_one = members_less_one + PortW'(row_in_o[p]);
  end
  always_ff @(posedge clk_i) row_final_q <= members_less_one;

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
