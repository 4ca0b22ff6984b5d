// SPDX-License-Identifier: Apache-2.0
// One row of the descriptor table: its registers, what the control unit needs of them, decoded, and their parity.
//
// When the row is enabled, its parity is kept, and so is the number of its last member, which is worked out outside, once
// for all rows (fred_descriptor_table). From then on the parity is compared in every cycle. That of a row that is not
// enabled is kept wrong, so that a wrong bit does not enable it unseen.
//
// Limits: the decoded outputs follow a write one cycle later, `bad_o` a wrong bit likewise. One that disables the row is
// not seen here: its beats are then of no enabled descriptor, and held.
`default_nettype none

module fred_descriptor_row #(
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
  parameter logic [63:0] RowWords   = 64'h07_06_05_04_03_02_01_00, // as in fred_descriptor_table
  parameter logic [31:0] ConfigBits = 32'h00ffff7f, // bits that CONFIG has
  parameter logic [55:0] ConfigLows = 56'h1b_18_10_0c_08_04_00,    // lowest bits of its fields
  localparam int RouteW     = RouteBits > 0 ? RouteBits : 1,
  localparam int Words      = 4 + 6 * ((Ports + 31) / 32) + (Descriptors + 31) / 32,
  localparam int TypeP      = Types > 1 ? $clog2(Types) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  // Writes.
  input  wire logic [Words-1:0]       we_i,         // one-hot register of this row, or 0
  input  wire logic [31:0]            wdata_i,
  input  wire logic                   enables_i,    // a write to CONTROL enables
  input  wire logic                   flips_i,      // and makes the parity wrong
  input  wire logic [PortW-1:0]       final_step_i,      // of this row: members of IN_MASK less one
  // The epoch of an aborted descriptor.
  input  wire logic                   epoch_we_i,
  input  wire logic [3:0]             epoch_i,
  // What it holds.
  output logic                        enable_o,
  output logic                        bad_o,        // its parity is wrong
  output logic      [31:0]            config_o,
  output logic      [RouteW-1:0]      route_o,
  output logic      [Ports-1:0]       in_mask_o,
  output logic      [Ports-1:0]       out_mask_o,
  output logic      [Descriptors-1:0] compat_o,
  output logic      [PortW-1:0]       final_step_o,      // number of the last step over IN_MASK, once enabled
  // Decoded.
  output logic      [OpW-1:0]         op_o,
  output logic      [TypeP-1:0]       dtype_o,
  output logic      [2:0]             granule_o,    // bytes of an element less one
  output logic      [Ports-1:0]       root_o,       // one-hot
  output logic      [Vcs-1:0]         vc_o,         // one-hot
  output logic      [Tables-1:0]      uses_o        // one-hot context of an all-to-all; else 0
);

  localparam int P = Ports;
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
  localparam int ConfigAt  = {24'd0, RowWords[23:16]};
  localparam int ColoursAt = {24'd0, RowWords[31:24]};
  localparam int InAt      = {24'd0, RowWords[39:32]};
  localparam int OutAt     = {24'd0, RowWords[47:40]};
  localparam int CompatAt  = {24'd0, RowWords[55:48]};
  logic unused_write;
  assign unused_write = ^{we_i, wdata_i};

  // ---- Registers. ----
  for (genvar b = 0; b < 32; b++) begin : g_config
    if (b >= EpochLow && b < EpochLow + 4) begin : g_epoch
      logic bit_q;
      always_ff @(posedge clk_i) begin
        if (epoch_we_i) bit_q <= epoch_i[b-EpochLow];
        else if (we_i[ConfigAt]) bit_q <= wdata_i[b];
      end
      assign config_o[b] = bit_q;
    end else if (ConfigBits[b]) begin : g_bit
      logic bit_q;
      always_ff @(posedge clk_i) if (we_i[ConfigAt]) bit_q <= wdata_i[b];
      assign config_o[b] = bit_q;
    end else begin : g_no_bit
      assign config_o[b] = 1'b0;
    end
  end
  for (genvar p = 0; p < P; p++) begin : g_mask
    always_ff @(posedge clk_i) begin
      if (we_i[InAt+p/32])  in_mask_o[p]  <= wdata_i[p%32];
      if (we_i[OutAt+p/32]) out_mask_o[p] <= wdata_i[p%32];
    end
  end
  for (genvar j = 0; j < Descriptors; j++) begin : g_compat
    always_ff @(posedge clk_i) if (we_i[CompatAt+j/32]) compat_o[j] <= wdata_i[j%32];
  end
  if (RouteBits > 0) begin : g_route
    always_ff @(posedge clk_i) if (we_i[ColoursAt]) route_o <= wdata_i[RouteW-1:0];
  end else begin : g_no_route
    assign route_o = 1'b0;
  end

  // ---- Enabling, and the parity of an enabled row. ----
  logic parity_q, epoch_turns, rest, sum;
  assign epoch_turns = epoch_we_i & ^(config_o[EpochLow +: 4] ^ epoch_i);
  assign rest        = ^{config_o, route_o, in_mask_o, out_mask_o, compat_o};
  assign sum         = rest ^ (^final_step_o);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_o <= 1'b0;
      bad_o    <= 1'b0;
    end else begin
      if (we_i[ControlAt]) enable_o <= enables_i;
      bad_o <= enable_o & (sum != parity_q);
    end
    if (we_i[ControlAt] & enables_i & ~enable_o) begin
      final_step_o <= final_step_i;
      parity_q     <= rest ^ (^final_step_i) ^ flips_i;
    end else if (enable_o) begin
      parity_q <= parity_q ^ epoch_turns ^ (we_i[ControlAt] & flips_i);
    end else begin
      parity_q <= ~sum;
    end
  end

  // ---- Decoded. ----
  logic [P-1:0]      root;
  logic [Tables-1:0] context_of;
  fred_onehot #(.Count(P), .IndexW(8)) u_root (.index_i(config_o[RootLow +: 8]), .onehot_o(root));
  fred_onehot #(.Count(Tables), .IndexW(4)) u_context (.index_i(config_o[TableLow +: 4]), .onehot_o(context_of));
  always_ff @(posedge clk_i) begin
    root_o <= root;
    uses_o <= (AllToAll != 0 && config_o[KindLow +: 4] == 4'd9) ? context_of : '0;
  end
  if (Types > 1) begin : g_types
    logic [Types-1:0] type_of;
    logic [2:0]       granule;
    assign dtype_o = config_o[TypeLow +: TypeW];
    fred_onehot #(.Count(Types), .IndexW(TypeW)) u_type (.index_i(config_o[TypeLow +: TypeW]), .onehot_o(type_of));
    fred_select #(.Width(3), .Count(Types)) u_granule (
      .select_i(type_of), .data_i((3*Types)'(Granules)), .data_o(granule)
    );
    always_ff @(posedge clk_i) granule_o <= granule;
  end else begin : g_one_type
    assign dtype_o   = 1'b0;
    assign granule_o = 3'(Granules);
  end
  if (Vcs > 1) begin : g_circuits
    logic [Vcs-1:0] vc;
    fred_onehot #(.Count(Vcs), .IndexW(VcP)) u_vc (.index_i(config_o[VcLow +: VcP]), .onehot_o(vc));
    always_ff @(posedge clk_i) vc_o <= vc;
  end else begin : g_one_circuit
    assign vc_o = 1'b1;
  end
  if (OpW > CodeW) begin : g_type_travels
    assign op_o = {config_o[TypeLow +: TypeW], config_o[OpLow +: CodeW]};
  end else begin : g_code_travels
    assign op_o = config_o[OpLow +: CodeW];
  end

endmodule

`default_nettype wire
