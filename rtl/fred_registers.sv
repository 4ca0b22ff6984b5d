// SPDX-License-Identifier: Apache-2.0
// The register map: finds the register that an access names, judges the access, and carries it out. The
// registers of the descriptors are in fred_descriptor_block, the global ones in fred_global_registers.
//
// An access takes four cycles: the row is selected, then judged, then written. A write to the row of a descriptor that
// is not enabled any more waits until its last beats have arrived: they look up in the row what they are. A descriptor
// that is to be disabled launches nothing while that is written, and whether it is in use is looked at then. Addresses and bits: docs/registers.md. A
// write with a bit set that its register does not have answers SLVERR and changes nothing.
//
// Limits: where registers and fields are is decided by the generator and comes in as parameters. A register's number is
// its address / 4.
`default_nettype none

module fred_registers #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number
  parameter int StepW       = 3,                    // bits of a step
  parameter int Descriptors = 8,                    // rows of the descriptor table
  parameter int Tables      = 1,                    // all-to-all contexts, 0 or more
  parameter int RouteBits   = 4,                    // bits of a route's colours, 0 or more
  parameter int Ops         = 1,                    // operations built in, bit n: the one of code n
  parameter int OpW         = 2,                    // bits of an operation for the network
  parameter int Types       = 1,                    // element types, 1..7
  parameter int Granules    = 3,                    // of each type the bytes of an element less one, in 3 bits
  parameter int Unsaturated = 0,                    // bit t: type t has no sum that saturates
  parameter int Vcs         = 1,                    // virtual circuits, 1..8
  parameter int AddrW       = 13,                   // bits of an address
  parameter int RowBase     = 1024,                 // number of the first descriptor's first register
  parameter int RowSize     = 3,                    // log2 of the registers between descriptors
  parameter int EntryBase   = 1088,                 // number of the first all-to-all entry
  // In a row: the first register of the report, COMPAT, OUT_MASK, IN_MASK, then COLOURS, CONFIG, STATUS, CONTROL, 8 bits
  // each.
  parameter logic [63:0] RowWords   = 64'h07_06_05_04_03_02_01_00,
  parameter logic [31:0] ControlBits = 32'h00000f03, // bits that CONTROL has
  parameter logic [31:0] ConfigBits = 32'h00ffff7f, // bits that CONFIG has
  parameter logic [55:0] ConfigLows = 56'h1b_18_10_0c_08_04_00, // lowest bits of its fields (fred_descriptor_table)
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
  input  wire logic                               global_exists_i, // addr_i is one of them
  input  wire logic                               global_legal_i,  // and wdata_i may be written to it
  input  wire logic [31:0]                        global_rdata_i,
  // Status.
  input  wire logic [Descriptors-1:0]             halted_i,
  input  wire logic [Descriptors-1:0]             busy_i,      // or an abort is under way
  input  wire logic [Descriptors-1:0]             stopped_i,   // an abort is under way
  input  wire logic [Descriptors-1:0]             spoiled_i,   // its beats met another flow's
  input  wire logic [Descriptors-1:0]             hangs_i,
  input  wire logic [Descriptors-1:0]             flying_i,    // has beats that have not arrived
  input  wire logic [Descriptors-1:0]             close_i,     // its abort ends
  input  wire logic [4*Ports-1:0]                 report_i,    // of the descriptor report_o, a cycle later
  output logic      [Descriptors-1:0]             report_o,    // one-hot
  input  wire logic                               links_ok_i,  // it may be enabled, as far as link ports go
  output logic      [Descriptors-1:0]             abort_o,     // for one cycle
  output logic      [Descriptors-1:0]             hold_o,      // may be disabled in this cycle: launches nothing
  input  wire logic [Descriptors*StepW-1:0]       step_i,
  // Descriptor table.
  output logic      [Descriptors-1:0]             enable_o,
  output logic      [Descriptors-1:0]             bad_o,       // the parity of its row is wrong
  output logic      [Descriptors*PortW-1:0]       final_step_o, // members of in_mask_o less one
  output logic      [Descriptors*4-1:0]           kind_o,
  output logic      [Descriptors*OpW-1:0]         op_o,
  output logic      [Descriptors*TypeP-1:0]       dtype_o,
  output logic      [Descriptors*3-1:0]           granule_o,
  output logic      [Descriptors*4-1:0]           epoch_o,
  output logic      [Descriptors*RouteW-1:0]      route_o,
  output logic      [Descriptors*Ports-1:0]       in_mask_o,
  output logic      [Descriptors*Ports-1:0]       out_mask_o,
  output logic      [Descriptors*Ports-1:0]       root_o,
  output logic      [Descriptors*Vcs-1:0]         vc_o,
  output logic      [Descriptors*TablesV-1:0]     uses_o,
  output logic      [Descriptors*Descriptors-1:0] clash_o,
  // All-to-all table writes.
  output logic                                    table_we_o,
  output logic      [TableW-1:0]                  table_index_o,
  output logic      [PortW-1:0]                   table_step_o,
  output logic      [PortW-1:0]                   table_port_o,
  output logic      [PortW-1:0]                   table_dest_o,
  output logic      [RouteW-1:0]                  table_route_o,
  output logic                                    table_parity_o
);

  localparam int D  = Descriptors;
  localparam int P  = Ports;
  localparam int MW = (P + 31) / 32;                // words of a port mask
  localparam int CW = (D + 31) / 32;                // words of a compatibility mask
  localparam int Words = 4 + 6 * MW + CW;           // registers of a descriptor
  localparam int ControlAt = {24'd0, RowWords[7:0]};
  localparam int StatusAt  = {24'd0, RowWords[15:8]};
  localparam int ReportAt  = {24'd0, RowWords[63:56]};

  // ---- Phases of an access: 1 select, 2 judge, 3 write and answer. ----
  logic [3:1] phase_q;
  logic       waits;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) phase_q <= '0;
    else phase_q <= {phase_q[2], phase_q[1] & ~waits, (request_i & (phase_q == '0)) | (phase_q[1] & waits)};
  end
  assign done_o = phase_q[3];

  // ---- Where the address points. ----
  logic [31:0]  number, entry, row_number;
  logic         in_descriptors, in_entries, aligned;
  logic [D-1:0] select;
  assign number         = 32'(addr_i[AddrW-1:2]);
  assign aligned        = addr_i[1:0] == 2'd0;
  assign row_number     = number - 32'(RowBase);
  assign entry          = number - 32'(EntryBase);
  assign in_descriptors = (number >= 32'(RowBase)) & ((row_number >> RowSize) < 32'(D));
  for (genvar d = 0; d < D; d++) begin : g_select
    assign select[d] = in_descriptors & ((row_number >> RowSize) == 32'(d));
  end
  logic [Words-1:0] word;                           // one-hot register of a descriptor
  fred_onehot #(.Count(Words), .IndexW(RowSize)) u_word (.index_i(row_number[RowSize-1:0]), .onehot_o(word));

  // ---- The table. ----
  logic        writes_control, write, legal, legal_q, row_enable, control_ok, control_late;
  logic [31:0] row_word, row_bits;
  assign legal = legal_q & ~(write_i & writes_control & control_late);
  assign write = phase_q[3] & write_i & legal;
  assign waits    = write_i & |(select & flying_i & ~enable_o);
  assign report_o = select;
  fred_descriptor_block #(
    .Ports(P), .PortW(PortW), .StepW(StepW), .Descriptors(D), .Tables(Tables), .RouteBits(RouteBits), .Ops(Ops), .OpW(OpW),
    .Types(Types), .Granules(Granules), .Unsaturated(Unsaturated), .Vcs(Vcs), .RowWords(RowWords),
    .ControlBits(ControlBits), .ConfigBits(ConfigBits), .ConfigLows(ConfigLows)
  ) u_descriptors (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .select_i     (select),
    .word_i       (word),
    .write_i      (write & in_descriptors),
    .wdata_i      (wdata_i),
    .rdata_o      (row_word),
    .bits_o       (row_bits),
    .enabled_o    (row_enable),
    .control_ok_o (control_ok),
    .control_late_o (control_late),
    .halted_i     (halted_i),
    .busy_i       (busy_i),
    .stopped_i    (stopped_i),
    .spoiled_i    (spoiled_i),
    .hangs_i      (hangs_i),
    .report_i     (report_i),
    .links_ok_i   (links_ok_i),
    .abort_o      (abort_o),
    .close_i      (close_i),
    .step_i       (step_i),
    .enable_o     (enable_o),
    .bad_o        (bad_o),
    .final_step_o (final_step_o),
    .kind_o       (kind_o),
    .op_o         (op_o),
    .dtype_o      (dtype_o),
    .granule_o    (granule_o),
    .epoch_o      (epoch_o),
    .route_o      (route_o),
    .in_mask_o    (in_mask_o),
    .out_mask_o   (out_mask_o),
    .root_o       (root_o),
    .vc_o         (vc_o),
    .uses_o       (uses_o),
    .clash_o      (clash_o)
  );

  assign global_write_o = write & global_exists_i;

  // ---- Judgement, in phase 2. ----
  logic entry_within, entry_ok, word_ok, legal_write, legal_read;
  fred_entry_write #(
    .Ports(P), .PortW(PortW), .Descriptors(D), .Tables(Tables), .RouteBits(RouteBits)
  ) u_entry (
    .entry_i   (entry),
    .wdata_i   (wdata_i),
    .enable_i  (enable_o),
    .uses_i    (uses_o),
    .in_mask_i (in_mask_o),
    .within_o  (entry_within),
    .legal_o   (entry_ok),
    .table_o   (table_index_o),
    .step_o    (table_step_o),
    .port_o    (table_port_o),
    .dest_o    (table_dest_o),
    .route_o   (table_route_o),
    .parity_o  (table_parity_o)
  );
  assign in_entries = (number >= 32'(EntryBase)) & entry_within;
  assign table_we_o = write & in_entries;
  assign word_ok    = |word;
  logic writes_row, bits_exist, may_write;
  assign writes_control = in_descriptors & word[ControlAt];
  assign writes_row     = in_descriptors & word_ok & ~word[ControlAt] & ~word[StatusAt] & ~|word[ReportAt +: 4*MW];
  assign bits_exist     = in_descriptors ? (wdata_i & ~row_bits) == '0 : in_entries ? entry_ok : global_legal_i;
  assign may_write      = global_exists_i | in_entries | (writes_row & ~row_enable) |
                          (writes_control & control_ok);
  assign legal_write    = aligned & full_i & bits_exist & may_write;
  assign legal_read     = aligned & (global_exists_i | (in_descriptors & word_ok));
  always_ff @(posedge clk_i) begin
    legal_q <= write_i ? legal_write : legal_read;
    rdata_o <= in_descriptors ? row_word : global_rdata_i;
  end
  assign error_o = ~legal;
  always_ff @(posedge clk_i) begin                  // while a CONTROL without `enable` is written
    if (!rst_ni) hold_o <= '0;
    else hold_o <= select & {D{phase_q[2] & write_i & word[ControlAt] & ~wdata_i[0]}};
  end

endmodule

`default_nettype wire
