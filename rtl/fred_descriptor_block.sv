// SPDX-License-Identifier: Apache-2.0
// The registers of the descriptors: the table (fred_descriptor_table), what may be enabled (fred_enable_check), CONTROL
// and STATUS (fred_descriptor_control). fred_registers selects a row and a register of it, judges and writes.
`default_nettype none

module fred_descriptor_block #(
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
  // In a row: the first register of the report, COMPAT, OUT_MASK, IN_MASK, then COLOURS, CONFIG, STATUS, CONTROL, 8 bits
  // each.
  parameter logic [63:0] RowWords   = 64'h07_06_05_04_03_02_01_00,
  parameter logic [31:0] ControlBits = 32'h00000f03, // bits that CONTROL has
  parameter logic [31:0] ConfigBits = 32'h00ffff7f, // bits that CONFIG has
  parameter logic [55:0] ConfigLows = 56'h1b_18_10_0c_08_04_00, // lowest bits of its fields (fred_descriptor_table)
  localparam int Words      = 4 + 6 * ((Ports + 31) / 32) + (Descriptors + 31) / 32, // registers of a descriptor
  localparam int TablesV    = Tables > 0 ? Tables : 1,
  localparam int RouteW     = RouteBits > 0 ? RouteBits : 1,
  localparam int TypeP      = Types > 1 ? $clog2(Types) : 1
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  input  wire logic [Descriptors-1:0]             select_i,    // one-hot
  input  wire logic [Words-1:0]                   word_i,      // one-hot
  input  wire logic                               write_i,
  input  wire logic [31:0]                        wdata_i,
  output logic      [31:0]                        rdata_o,
  output logic      [31:0]                        bits_o,      // bits that the register has
  output logic                                    enabled_o,   // the selected descriptor
  output logic                                    control_ok_o,// wdata_i may be written to its CONTROL
  output logic                                    control_late_o, // but not any more: the descriptor is in use
  // Status.
  input  wire logic [Descriptors-1:0]             halted_i,
  input  wire logic [Descriptors-1:0]             busy_i,      // or an abort is under way
  input  wire logic [Descriptors-1:0]             stopped_i,   // an abort is under way
  input  wire logic [Descriptors-1:0]             spoiled_i,   // its beats met another flow's
  input  wire logic [Descriptors-1:0]             hangs_i,
  input  wire logic [4*Ports-1:0]                 report_i,    // of the selected one, a cycle later
  input  wire logic                               links_ok_i,  // the selected one may be enabled, as far as links go
  output logic      [Descriptors-1:0]             abort_o,     // for one cycle
  input  wire logic [Descriptors-1:0]             close_i,     // their aborts end
  input  wire logic [Descriptors*StepW-1:0]       step_i,
  // Descriptor table.
  output logic      [Descriptors-1:0]             enable_o,
  output logic      [Descriptors-1:0]             bad_o,       // the parity of its row is wrong
  output logic      [Descriptors*PortW-1:0]       final_step_o, // number of the last step over IN_MASK
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
  output logic      [Descriptors*Descriptors-1:0] clash_o
);

  localparam int D         = Descriptors;
  localparam int P         = Ports;
  localparam int ControlAt = {24'd0, RowWords[7:0]};

  logic [31:0]      row_status;
  logic [3:0]       row_kind, row_table, row_epoch;
  logic [2:0]       row_op;
  logic [7:0]       row_root_port;
  logic [TypeP-1:0] row_type;
  logic [Vcs-1:0]   row_vc;
  logic [P-1:0]     row_in, row_out, row_root;
  logic [D-1:0]     row_compat;
  logic [D*D-1:0]   compat_all;
  logic             enable_ok;
  logic [D-1:0]     epoch_we;
  logic [D*4-1:0]   epochs;
  logic             enables, flips;
  fred_descriptor_control #(.Descriptors(D), .StepW(StepW)) u_control (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .select_i    (select_i),
    .write_i     (write_i & word_i[ControlAt]),
    .wdata_i     (wdata_i),
    .enable_i    (enabled_o),
    .enable_ok_i (enable_ok & links_ok_i),
    .halted_i    (halted_i),
    .busy_i      (busy_i),
    .stopped_i   (stopped_i),
    .hangs_i     (hangs_i),
    .spoiled_i   (spoiled_i),
    .step_i      (step_i),
    .status_o    (row_status),
    .row_epoch_i (row_epoch),
    .legal_o     (control_ok_o),
    .late_o      (control_late_o),
    .abort_o     (abort_o),
    .enables_o   (enables),
    .flips_o     (flips),
    .close_i     (close_i),
    .epoch_we_o  (epoch_we),
    .epoch_o     (epochs)
  );
  fred_descriptor_table #(
    .Ports(P), .PortW(PortW), .Descriptors(D), .Tables(TablesV), .AllToAll(Tables > 0 ? 1 : 0), .Types(Types),
    .Granules(Granules), .CodeW(Ops > 15 ? 3 : 2), .OpW(OpW), .RouteBits(RouteBits), .Vcs(Vcs),
    .RowWords(RowWords), .ControlBits(ControlBits), .ConfigBits(ConfigBits), .ConfigLows(ConfigLows)
  ) u_table (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .select_i     (select_i),
    .word_i       (word_i),
    .write_i      (write_i),
    .wdata_i      (wdata_i),
    .enables_i    (enables),
    .flips_i      (flips),
    .status_i     (row_status),
    .report_i     (report_i),
    .epoch_we_i   (epoch_we),
    .epoch_i      (epochs),
    .row_enable_o (enabled_o),
    .row_word_o   (rdata_o),
    .row_bits_o   (bits_o),
    .row_kind_o   (row_kind),
    .row_op_o     (row_op),
    .row_table_o  (row_table),
    .row_epoch_o  (row_epoch),
    .row_root_o   (row_root_port),
    .row_type_o   (row_type),
    .row_vc_o     (row_vc),
    .row_in_o     (row_in),
    .row_out_o    (row_out),
    .row_compat_o (row_compat),
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
    .compat_o     (compat_all),
    .clash_o      (clash_o)
  );
  fred_onehot #(.Count(P), .IndexW(8)) u_root (.index_i(row_root_port), .onehot_o(row_root));
  fred_enable_check #(
    .Ports(P), .Descriptors(D), .Tables(Tables), .TablesV(TablesV), .Types(Types), .Unsaturated(Unsaturated), .Ops(Ops),
    .Vcs(Vcs)
  ) u_check (
    .select_i        (select_i),
    .kind_i          (row_kind),
    .op_i            (row_op),
    .table_i         (row_table),
    .vc_i            (row_vc),
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

endmodule

`default_nettype wire
