// SPDX-License-Identifier: Apache-2.0
// The register map: finds the register that an access names, judges the access, and carries it out. Holds the
// descriptor table and passes on all-to-all entries; the global registers are in fred_global_registers.
//
// An access takes four cycles: the row is selected, then judged, then written. Addresses and bits: docs/protocol.md. A
// write with a bit set that its register does not have answers SLVERR and changes nothing.
//
// Limits: where the blocks lie is decided by the generator and comes in as parameters.
`default_nettype none

module fred_registers #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number or step
  parameter int Descriptors = 8,                    // rows of the descriptor table
  parameter int Tables      = 1,                    // all-to-all contexts, 0 or more
  parameter int RouteBits   = 4,                    // bits of a route's colours, 0 or more
  parameter int Ops         = 1,                    // operations built in, bit n: the one of code n
  parameter int OpW         = 2,                    // bits of an operation for the network
  parameter int Types       = 1,                    // element types, 1..7
  parameter int Granules    = 3,                    // of each type the bytes of an element less one, in 3 bits
  parameter int Unsaturated = 0,                    // bit t: type t has no sum that saturates
  parameter int AddrW       = 13,                   // bits of an address
  parameter int StrideW     = 5,                    // log2 of the bytes between descriptors
  parameter int EntryBase   = 4352,                 // address of the all-to-all entries
  localparam int TablesV    = Tables > 0 ? Tables : 1,
  localparam int TableW     = TablesV > 1 ? $clog2(TablesV) : 1,
  localparam int RouteW     = RouteBits > 0 ? RouteBits : 1,
  localparam int TypeP      = Types > 1 ? $clog2(Types) : 1
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  // One access (fred_axil).
  input  wire logic                               request_i,
  input  wire logic                               write_i,
  input  wire logic [AddrW-1:0]                   addr_i,
  input  wire logic [31:0]                        wdata_i,
  input  wire logic                               full_i,
  output logic                                    done_o,
  output logic                                    error_o,
  output logic      [31:0]                        rdata_o,
  // Global registers.
  output logic                                    global_write_o,
  input  wire logic [31:0]                        global_rdata_i,
  // Status.
  input  wire logic [Descriptors-1:0]             halted_i,
  input  wire logic [Descriptors-1:0]             busy_i,
  input  wire logic [Descriptors*PortW-1:0]       step_i,
  // Descriptor table.
  output logic      [Descriptors-1:0]             enable_o,
  output logic      [Descriptors*4-1:0]           kind_o,
  output logic      [Descriptors*OpW-1:0]         op_o,
  output logic      [Descriptors*TypeP-1:0]       dtype_o,
  output logic      [Descriptors*3-1:0]           granule_o,
  output logic      [Descriptors*4-1:0]           epoch_o,
  output logic      [Descriptors*RouteW-1:0]      route_o,
  output logic      [Descriptors*Ports-1:0]       in_mask_o,
  output logic      [Descriptors*Ports-1:0]       out_mask_o,
  output logic      [Descriptors*Ports-1:0]       root_o,
  output logic      [Descriptors*TablesV-1:0]     uses_o,
  output logic      [Descriptors*Descriptors-1:0] clash_o,
  // All-to-all table writes.
  output logic                                    table_we_o,
  output logic      [TableW-1:0]                  table_index_o,
  output logic      [PortW-1:0]                   table_step_o,
  output logic      [PortW-1:0]                   table_port_o,
  output logic      [PortW-1:0]                   table_dest_o,
  output logic      [RouteW-1:0]                  table_route_o
);

  localparam int D  = Descriptors;
  localparam int P  = Ports;
  localparam int MW = (P + 31) / 32;                // words of a port mask
  localparam int CW = (D + 31) / 32;                // words of a compatibility mask
  localparam int Words = 4 + 2 * MW + CW;           // registers of a descriptor
  localparam int ConfigW = 24 + (Types > 1 ? TypeP : 0);

  // ---- Phases of an access: 1 select, 2 judge, 3 write and answer. ----
  logic [3:1] phase_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) phase_q <= '0;
    else phase_q <= {phase_q[2:1], request_i & (phase_q == '0)};
  end
  assign done_o = phase_q[3];

  // ---- Where the address points. ----
  logic [31:0]  addr, entry, local_addr;
  logic         in_descriptors, in_entries, in_ports, aligned;
  logic [D-1:0] select;
  assign addr           = 32'(addr_i);
  assign aligned        = addr[1:0] == 2'd0;
  assign local_addr     = addr - 32'h1000;
  assign entry          = addr - 32'(EntryBase);
  assign in_descriptors = (addr >= 32'h1000) & ((local_addr >> StrideW) < 32'(D));
  if (Tables > 0) begin : g_entries
    assign in_entries = (addr >= 32'(EntryBase)) & ((entry >> (2 * PortW + 2)) < 32'(Tables));
  end else begin : g_no_entries
    logic unused_entry;
    assign unused_entry = ^entry;
    assign in_entries   = 1'b0;
  end
  assign in_ports       = (addr >= 32'h400) & (addr < 32'(32'h400 + 4 * P));
  for (genvar d = 0; d < D; d++) begin : g_select
    assign select[d] = in_descriptors & ((local_addr >> StrideW) == 32'(d));
  end
  logic [Words-1:0] word;                           // one-hot register of a descriptor
  fred_onehot #(.Count(Words), .IndexW(StrideW - 2)) u_word (.index_i(local_addr[StrideW-1:2]), .onehot_o(word));

  // ---- The table. ----
  logic                   write, legal_q, set, clear;
  logic                   row_enable;
  logic [ConfigW-1:0]     row_config;
  logic [TypeP-1:0]       row_type;
  logic [RouteW-1:0]      row_route;
  logic [P-1:0]           row_in, row_out, row_root;
  logic [D-1:0]           row_compat;
  logic [D*D-1:0]         compat_all;
  assign write = phase_q[3] & write_i & legal_q;
  assign set   = write & word[0] & wdata_i[0];
  assign clear = write & word[0] & ~wdata_i[0];
  fred_descriptor_table #(
    .Ports(P), .Descriptors(D), .Tables(TablesV), .AllToAll(Tables > 0 ? 1 : 0), .Types(Types),
    .Granules(Granules), .CodeW(Ops > 15 ? 3 : 2), .OpW(OpW), .RouteW(RouteW)
  ) u_table (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .select_i     (select),
    .we_config_i  (write & word[2]),
    .we_route_i   (write & word[3]),
    .we_in_i      ({MW{write}} & word[4 +: MW]),
    .we_out_i     ({MW{write}} & word[4+MW +: MW]),
    .we_compat_i  ({CW{write}} & word[4+2*MW +: CW]),
    .set_i        (set),
    .clear_i      (clear),
    .wdata_i      (wdata_i),
    .row_enable_o (row_enable),
    .row_config_o (row_config),
    .row_route_o  (row_route),
    .row_in_o     (row_in),
    .row_out_o    (row_out),
    .row_compat_o (row_compat),
    .enable_o     (enable_o),
    .kind_o       (kind_o),
    .op_o         (op_o),
    .dtype_o       (dtype_o),
    .granule_o    (granule_o),
    .epoch_o      (epoch_o),
    .route_o      (route_o),
    .in_mask_o    (in_mask_o),
    .out_mask_o   (out_mask_o),
    .root_o       (root_o),
    .uses_o       (uses_o),
    .compat_o     (compat_all),
    .clash_o      (clash_o)
  );
  logic enable_ok;
  fred_onehot #(.Count(P), .IndexW(8)) u_root (.index_i(row_config[23:16]), .onehot_o(row_root));
  if (Types > 1) begin : g_types
    assign row_type = row_config[24 +: TypeP];
  end else begin : g_one_type
    assign row_type = 1'b0;
  end
  fred_enable_check #(
    .Ports(P), .Descriptors(D), .Tables(Tables), .TablesV(TablesV), .Types(Types), .Unsaturated(Unsaturated), .Ops(Ops)
  ) u_check (
    .select_i        (select),
    .kind_op_table_i (row_config[15:0]),
    .type_i          (row_type),
    .in_i            (row_in),
    .out_i           (row_out),
    .root_i          (row_root),
    .compat_i        (row_compat),
    .enable_i        (enable_o),
    .in_mask_i       (in_mask_o),
    .out_mask_i      (out_mask_o),
    .uses_i          (uses_o),
    .compat_all_i    (compat_all),
    .ok_o            (enable_ok)
  );

  // ---- What a descriptor's registers read as, and which bits they have. ----
  logic [Words*32-1:0] reads, exists;
  logic [31:0]         row_status, row_word, row_exists;
  logic [PortW-1:0]    row_step;
  fred_select #(.Width(PortW), .Count(D)) u_step (.select_i(select), .data_i(step_i), .data_o(row_step));
  assign row_status = {16'(row_step), 13'd0, |(busy_i & select), |(halted_i & select), row_enable};
  assign reads  = {(CW*32)'(row_compat), (MW*32)'(row_out), (MW*32)'(row_in), 32'(row_route), 32'(row_config),
                   row_status, 31'd0, row_enable};
  assign exists = {(CW*32)'({D{1'b1}}), (MW*32)'({P{1'b1}}), (MW*32)'({P{1'b1}}), 32'((64'd1 << RouteBits) - 64'd1),
                   32'((32'd1 << ConfigW) - 32'd1) & ~32'h80, 32'd0, 32'd1};
  fred_select #(.Width(32), .Count(Words)) u_read (.select_i(word), .data_i(reads), .data_o(row_word));
  fred_select #(.Width(32), .Count(Words)) u_exist (.select_i(word), .data_i(exists), .data_o(row_exists));

  logic in_global, in_error;
  assign in_error       = addr == 32'h20;
  assign in_global      = (addr < 32'h1c) | in_error;
  assign global_write_o = write & in_error;

  // ---- Judgement, in phase 2. ----
  logic entry_ok, word_ok, legal_write, legal_read;
  logic [P-1:0]       entry_port;
  logic [TablesV-1:0] entry_table;
  logic [D-1:0]       entry_in_use;
  fred_onehot #(.Count(P), .IndexW(PortW)) u_entry_port (.index_i(table_port_o), .onehot_o(entry_port));
  fred_onehot #(.Count(TablesV), .IndexW(TableW)) u_entry_table (.index_i(table_index_o), .onehot_o(entry_table));
  for (genvar d = 0; d < D; d++) begin : g_in_use
    assign entry_in_use[d] = enable_o[d] & (|(uses_o[d*TablesV +: TablesV] & entry_table)) &
                             (|(in_mask_o[d*P +: P] & entry_port));
  end
  assign word_ok  = |word;
  assign entry_ok = (|entry_port) & (32'(table_step_o) < 32'(P)) & (32'(wdata_i[7:0]) < 32'(P)) &
                    ((wdata_i[31:8] >> RouteBits) == '0) & ~|entry_in_use;
  logic writes_control, writes_row, bits_exist, may_write;
  assign writes_control = in_descriptors & word[0];
  assign writes_row     = in_descriptors & word_ok & ~word[0] & ~word[1];
  assign bits_exist     = in_descriptors ? (wdata_i & ~row_exists) == '0 : in_error ? (wdata_i >> 6) == '0 : entry_ok;
  assign may_write      = in_error | in_entries | (writes_row & ~row_enable) |
                          (writes_control & (wdata_i[0] ? row_enable | enable_ok : ~|(busy_i & select)));
  assign legal_write    = aligned & full_i & bits_exist & may_write;
  assign legal_read     = aligned & (in_global | in_ports | (in_descriptors & word_ok));
  always_ff @(posedge clk_i) begin
    legal_q <= write_i ? legal_write : legal_read;
    rdata_o <= in_descriptors ? row_word : global_rdata_i;
  end
  assign error_o = ~legal_q;

  assign table_we_o    = write & in_entries;
  assign table_index_o = entry[2*PortW+2 +: TableW];
  assign table_step_o  = entry[PortW+2 +: PortW];
  assign table_port_o  = entry[2 +: PortW];
  assign table_dest_o  = wdata_i[PortW-1:0];
  assign table_route_o = wdata_i[8 +: RouteW];

endmodule

`default_nettype wire
