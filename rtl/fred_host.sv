// SPDX-License-Identifier: Apache-2.0
// The side of the switch that software sees: AXI4-Lite, the registers and the descriptor table.
`default_nettype none

module fred_host #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number
  parameter int StepW       = 3,                    // bits of a step
  parameter int Descriptors = 8,                    // rows of the descriptor table
  parameter int DescW       = 3,                    // bits of a descriptor index
  parameter int Tables      = 1,                    // all-to-all contexts, 0 or more
  parameter int RouteBits   = 4,                    // bits of a route's colours, 0 or more
  parameter int Ops         = 1,                    // operations built in, bit n: the one of code n
  parameter int OpW         = 2,                    // bits of an operation for the network
  parameter int Types       = 1,                    // element types, 1..7
  parameter int Granules    = 3,                    // of each type the bytes of an element less one, in 3 bits
  parameter int Unsaturated = 0,                    // bit t: type t has no sum that saturates
  parameter int Vcs         = 1,                    // virtual circuits of a port, 1..8
  parameter int Circuits    = Vcs,                  // circuits of any port: with link ports slots too, 1..8
  parameter int AddrW       = 13,                   // bits of an address
  // Where registers are, by number: address / 4.
  parameter logic [63:0] GlobalWords = 64'h0f_0e_0d_0c_0b_0a_09_08, // as in fred_global_registers
  parameter int PortWord     = 256,                 // PORT of port 0, circuit 0
  parameter int RowBase      = 1024,                // first register of descriptor 0
  parameter int RowSize      = 3,                   // log2 of the registers between descriptors
  parameter int EntryBase    = 1088,                // first all-to-all entry
  // In a row, 8 bits each: the first register of the report, COMPAT, OUT_MASK, IN_MASK, COLOURS, CONFIG, STATUS, CONTROL.
  parameter logic [63:0] RowWords   = 64'h07_06_05_04_03_02_01_00,
  parameter logic [31:0] ControlBits = 32'h00000f03, // bits that CONTROL has
  parameter logic [31:0] ConfigBits = 32'h00ffff7f, // bits that CONFIG has
  parameter logic [55:0] ConfigLows = 56'h1b_18_10_0c_08_04_00, // lowest bits of vc, type, root, table, epoch, op, kind
  parameter int Errors      = 9,                    // bits of ERROR: 9, with link ports 10
  parameter int BoundLeast   = 8,                   // least that BOUND takes
  parameter int BoundReset   = 256,                 // BOUND after reset
  parameter int Constants    = 8,                   // identity registers, from address 0 on
  parameter logic [Constants*32-1:0] Identity = '0, // their words
  localparam int TablesV    = Tables > 0 ? Tables : 1,
  localparam int TableW     = TablesV > 1 ? $clog2(TablesV) : 1,
  localparam int RouteW     = RouteBits > 0 ? RouteBits : 1,
  localparam int TypeP      = Types > 1 ? $clog2(Types) : 1
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  // AXI4-Lite.
  input  wire logic                               s_axil_awvalid,
  output logic                                    s_axil_awready,
  input  wire logic [AddrW-1:0]                   s_axil_awaddr,
  input  wire logic                               s_axil_wvalid,
  output logic                                    s_axil_wready,
  input  wire logic [31:0]                        s_axil_wdata,
  input  wire logic [3:0]                         s_axil_wstrb,
  output logic                                    s_axil_bvalid,
  input  wire logic                               s_axil_bready,
  output logic      [1:0]                         s_axil_bresp,
  input  wire logic                               s_axil_arvalid,
  output logic                                    s_axil_arready,
  input  wire logic [AddrW-1:0]                   s_axil_araddr,
  output logic                                    s_axil_rvalid,
  input  wire logic                               s_axil_rready,
  output logic      [31:0]                        s_axil_rdata,
  output logic      [1:0]                         s_axil_rresp,
  // Errors and status; of (port, circuit) at port*Circuits + circuit.
  input  wire logic [31:0]                        cycle_i,     // cycles since reset
  input  wire logic                               conflict_i,
  input  wire logic [Descriptors-1:0]             spoils_i,    // whose beats the conflict spoils
  input  wire logic [Descriptors-1:0]             halt_i,      // halts in this cycle
  input  wire logic [Descriptors-1:0]             parity_now_i, // a table holds a wrong bit of it
  input  wire logic [Descriptors-1:0]             hangs_now_i, // begins to hang
  input  wire logic [Descriptors-1:0]             link_now_i,  // something of it was lost on a link
  input  wire logic [Ports*Circuits-1:0]          head_stale_i,
  input  wire logic [Ports*Circuits-1:0]          head_unknown_i,
  input  wire logic [Ports*Circuits-1:0]          head_framing_i,
  input  wire logic [Ports*Circuits-1:0]          head_vc_i,
  input  wire logic [Ports*Circuits-1:0]          member_error_i,
  input  wire logic [Ports*Circuits-1:0]          head_valid_i,
  input  wire logic [Ports*Circuits*DescW-1:0]    head_index_i,
  input  wire logic [Ports*Circuits-1:0]          open_i,
  input  wire logic [Ports*Circuits-1:0]          egress_busy_i,
  input  wire logic [Ports*Circuits-1:0]          space_i,
  input  wire logic [Ports*Circuits*DescW-1:0]    owner_i,
  input  wire logic [Descriptors-1:0]             halted_i,
  input  wire logic [Descriptors-1:0]             busy_i,
  input  wire logic [Descriptors-1:0]             stopped_i,
  input  wire logic [Descriptors-1:0]             spoiled_i,
  input  wire logic [Descriptors-1:0]             hangs_i,
  input  wire logic [Descriptors-1:0]             flying_i,    // has beats that have not arrived
  input  wire logic [Descriptors-1:0]             close_i,     // its abort ends
  input  wire logic [4*Ports-1:0]                 report_i,    // of the descriptor report_o, a cycle later
  output logic      [Descriptors-1:0]             report_o,
  input  wire logic                               links_ok_i,  // it may be enabled, as far as link ports go
  output logic      [Descriptors-1:0]             abort_o,     // for one cycle
  output logic      [Descriptors-1:0]             hold_o,      // launches nothing in this cycle
  input  wire logic [Descriptors*StepW-1:0]       step_i,
  // Descriptor table.
  output logic      [Descriptors-1:0]             enable_o,
  output logic      [Descriptors-1:0]             row_bad_o,   // the parity of its row is wrong
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
  // Settings of the launch logic.
  output logic      [Vcs*Vcs-1:0]                 vc_before_o, // bit v*Vcs + w: circuit w goes before circuit v
  output logic      [15:0]                        bound_o,     // cycles that a launch may wait before it claims
  output logic      [4:0]                         timeout_o,   // of the watchdog: 2^n cycles, 0: off
  output logic                                    irq_o,       // an enabled error bit is set
  // Registers elsewhere: an access {data, number of the register}, {exists, the data may be written, what is read}.
  output logic      [AddrW+29:0]                  others_o,
  output logic                                    others_write_o, // carry out a write to a global register or one elsewhere
  input  wire logic [33:0]                        others_i,
  // All-to-all table writes.
  output logic                                    table_we_o,
  output logic      [TableW-1:0]                  table_index_o,
  output logic      [PortW-1:0]                   table_step_o,
  output logic      [PortW-1:0]                   table_port_o,
  output logic      [PortW-1:0]                   table_dest_o,
  output logic      [RouteW-1:0]                  table_route_o,
  output logic                                    table_parity_o
);

  logic             request, write, full, done, error, global_exists, global_legal;
  logic [AddrW-1:0] addr;
  logic [31:0]      wdata, rdata, global_rdata;
  assign others_o = {wdata, addr[AddrW-1:2]};
  fred_axil #(.AddrW(AddrW)) u_axil (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .s_axil_awvalid (s_axil_awvalid),
    .s_axil_awready (s_axil_awready),
    .s_axil_awaddr  (s_axil_awaddr),
    .s_axil_wvalid  (s_axil_wvalid),
    .s_axil_wready  (s_axil_wready),
    .s_axil_wdata   (s_axil_wdata),
    .s_axil_wstrb   (s_axil_wstrb),
    .s_axil_bvalid  (s_axil_bvalid),
    .s_axil_bready  (s_axil_bready),
    .s_axil_bresp   (s_axil_bresp),
    .s_axil_arvalid (s_axil_arvalid),
    .s_axil_arready (s_axil_arready),
    .s_axil_araddr  (s_axil_araddr),
    .s_axil_rvalid  (s_axil_rvalid),
    .s_axil_rready  (s_axil_rready),
    .s_axil_rdata   (s_axil_rdata),
    .s_axil_rresp   (s_axil_rresp),
    .request_o      (request),
    .write_o        (write),
    .addr_o         (addr),
    .wdata_o        (wdata),
    .full_o         (full),
    .done_i         (done),
    .error_i        (error),
    .rdata_i        (rdata)
  );
  fred_global_registers #(
    .Ports(Ports), .Vcs(Vcs), .Circuits(Circuits), .Descriptors(Descriptors), .DescW(DescW), .WordW(AddrW - 2),
    .Constants(Constants), .Identity(Identity),
    .GlobalWords(GlobalWords), .PortWord(PortWord), .Errors(Errors), .BoundLeast(BoundLeast),
    .BoundReset(BoundReset)
  ) u_global (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .word_i         (addr[AddrW-1:2]),
    .write_i        (others_write_o),
    .wdata_i        (wdata),
    .exists_o       (global_exists),
    .legal_o        (global_legal),
    .rdata_o        (global_rdata),
    .cycle_i        (cycle_i),
    .conflict_i     (conflict_i),
    .spoils_i       (spoils_i),
    .halt_i         (halt_i),
    .parity_now_i   (parity_now_i),
    .hangs_now_i    (hangs_now_i),
    .link_now_i     (link_now_i),
    .head_stale_i   (head_stale_i),
    .head_unknown_i (head_unknown_i),
    .head_framing_i (head_framing_i),
    .head_vc_i      (head_vc_i),
    .member_error_i (member_error_i),
    .head_valid_i   (head_valid_i),
    .head_index_i   (head_index_i),
    .open_i         (open_i),
    .egress_busy_i  (egress_busy_i),
    .space_i        (space_i),
    .owner_i        (owner_i),
    .vc_before_o    (vc_before_o),
    .bound_o        (bound_o),
    .timeout_o      (timeout_o),
    .irq_o          (irq_o)
  );
  fred_registers #(
    .Ports(Ports), .PortW(PortW), .StepW(StepW), .Descriptors(Descriptors), .Tables(Tables), .RouteBits(RouteBits), .Ops(Ops),
    .OpW(OpW), .Types(Types), .Granules(Granules), .Unsaturated(Unsaturated), .Vcs(Vcs), .AddrW(AddrW), .RowBase(RowBase),
    .RowSize(RowSize), .EntryBase(EntryBase), .RowWords(RowWords), .ControlBits(ControlBits), .ConfigBits(ConfigBits),
    .ConfigLows(ConfigLows)
  ) u_registers (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .request_i       (request),
    .write_i         (write),
    .addr_i          (addr),
    .wdata_i         (wdata),
    .full_i          (full),
    .done_o          (done),
    .error_o         (error),
    .rdata_o         (rdata),
    .global_write_o  (others_write_o),
    .global_exists_i (global_exists | others_i[33]),
    .global_legal_i  (global_legal | others_i[32]),
    .global_rdata_i  (global_rdata | others_i[31:0]),
    .halted_i        (halted_i),
    .busy_i          (busy_i),
    .stopped_i       (stopped_i),
    .spoiled_i       (spoiled_i),
    .hangs_i         (hangs_i),
    .flying_i        (flying_i),
    .close_i         (close_i),
    .report_i        (report_i),
    .report_o        (report_o),
    .links_ok_i      (links_ok_i),
    .abort_o         (abort_o),
    .hold_o          (hold_o),
    .step_i          (step_i),
    .enable_o        (enable_o),
    .bad_o           (row_bad_o),
    .final_step_o    (final_step_o),
    .kind_o          (kind_o),
    .op_o            (op_o),
    .dtype_o         (dtype_o),
    .granule_o       (granule_o),
    .epoch_o         (epoch_o),
    .route_o         (route_o),
    .in_mask_o       (in_mask_o),
    .out_mask_o      (out_mask_o),
    .root_o          (root_o),
    .vc_o            (vc_o),
    .uses_o          (uses_o),
    .clash_o         (clash_o),
    .table_we_o(table_we_o), .table_index_o(table_index_o), .table_step_o(table_step_o), .table_port_o(table_port_o),
    .table_dest_o(table_dest_o), .table_route_o(table_route_o), .table_parity_o(table_parity_o)
  );

endmodule

`default_nettype wire
