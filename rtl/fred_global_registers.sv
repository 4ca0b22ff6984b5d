// SPDX-License-Identifier: Apache-2.0
// The registers of the switch as a whole: identity, sticky errors, the order of the virtual circuits, the bound of a
// launch, the status of every port and circuit. Bits: docs/registers.md.
//
// Limits: where the registers are is decided by the generator and comes in as parameters; a register's number is its
// address / 4. The block of port status is aligned to its size.
`default_nettype none

module fred_global_registers #(
  parameter int Ports        = 8,                   // ports of the switch
  parameter int Vcs          = 1,                   // virtual circuits of a port, 1..8
  parameter int Circuits     = Vcs,                 // circuits of any port: with link ports slots too, 1..8
  parameter int Descriptors  = 8,                   // rows of the descriptor table
  parameter int DescW        = 3,                   // bits of a descriptor index
  parameter int WordW        = 11,                  // bits of a register's number
  parameter int Constants    = 8,                   // registers from 0 on that read as a constant
  parameter logic [Constants*32-1:0] Identity = '0, // these constants
  // Numbers of CYCLE, FIRST_CYCLE, FIRST_ERROR, IRQ_ENABLE, TIMEOUT, BOUND, PRIORITY, ERROR, 8 bits each.
  parameter logic [63:0] GlobalWords = 64'h0f_0e_0d_0c_0b_0a_09_08,
  parameter int PortWord     = 256,                 // number of the first port's first circuit
  parameter int Errors       = 9,                   // bits of ERROR: 9, with link ports 10
  parameter int BoundLeast   = 8,                   // least bound that may be written
  parameter int BoundReset   = 256,                 // bound after reset
  localparam int Queues      = Ports * Circuits     // index of (port, circuit): port*Circuits + circuit
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,
  input  wire logic [WordW-1:0]        word_i,      // number of the register
  input  wire logic                    write_i,     // carry out a write; only where legal_o
  input  wire logic [31:0]             wdata_i,
  output logic                         exists_o,    // there is such a register here
  output logic                         legal_o,     // and wdata_i may be written to it
  output logic      [31:0]             rdata_o,
  // Errors.
  input  wire logic [31:0]             cycle_i,     // cycles since reset
  input  wire logic                    conflict_i,
  input  wire logic [Descriptors-1:0]  spoils_i,
  input  wire logic [Descriptors-1:0]  halt_i,
  input  wire logic [Descriptors-1:0]  parity_now_i,
  input  wire logic [Descriptors-1:0]  hangs_now_i,
  input  wire logic [Descriptors-1:0]  link_now_i,
  input  wire logic [Queues-1:0]       head_stale_i,
  input  wire logic [Queues-1:0]       head_unknown_i,
  input  wire logic [Queues-1:0]       head_framing_i,
  input  wire logic [Queues-1:0]       head_vc_i,
  input  wire logic [Queues-1:0]       member_error_i,
  // Status.
  input  wire logic [Queues-1:0]       head_valid_i,
  input  wire logic [Queues*DescW-1:0] head_index_i,
  input  wire logic [Queues-1:0]       open_i,
  input  wire logic [Queues-1:0]       egress_busy_i,
  input  wire logic [Queues-1:0]       space_i,
  input  wire logic [Queues*DescW-1:0] owner_i,     // descriptor of the egress packet
  // Settings.
  output logic      [Vcs*Vcs-1:0]      vc_before_o,
  output logic      [15:0]             bound_o,
  output logic      [4:0]              timeout_o,
  output logic                         irq_o
);

  localparam int VcBits = $clog2(Circuits);
  localparam int BlockW = $clog2(Ports) + VcBits;   // bits of a number within the block of port status

  logic at_error, at_priority, at_bound, at_timeout, at_irq;
  localparam int Settings = 8;                      // ERROR to CYCLE, in the order of GlobalWords
  logic [Settings-1:0] at_setting;
  for (genvar n = 0; n < Settings; n++) begin : g_setting
    assign at_setting[n] = word_i == WordW'(GlobalWords[8*n +: 8]);
  end
  assign {at_irq, at_timeout, at_bound, at_priority, at_error} = at_setting[4:0];

  // ---- Errors. ----
  logic [Errors-1:0] error_bits, irq_enable;
  logic [31:0]       first, first_cycle;
  fred_errors #(.Ports(Ports), .Vcs(Circuits), .Descriptors(Descriptors), .DescW(DescW), .Errors(Errors)) u_errors (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .write_error_i  (write_i & at_error),
    .write_enable_i (write_i & at_irq),
    .wdata_i        (wdata_i[Errors-1:0]),
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
    .head_index_i   (head_index_i),
    .error_o        (error_bits),
    .enable_o       (irq_enable),
    .first_o        (first),
    .first_cycle_o  (first_cycle),
    .irq_o          (irq_o)
  );

  // ---- PRIORITY. ----
  logic        order_legal;
  logic [31:0] order;
  fred_vc_order #(.Vcs(Vcs)) u_order (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .write_i  (write_i & at_priority),
    .wdata_i  (wdata_i),
    .legal_o  (order_legal),
    .value_o  (order),
    .before_o (vc_before_o)
  );

  // ---- BOUND and TIMEOUT. ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bound_o   <= 16'(BoundReset);
      timeout_o <= '0;
    end else begin
      if (write_i && at_bound)   bound_o   <= wdata_i[15:0];
      if (write_i && at_timeout) timeout_o <= wdata_i[4:0];
    end
  end

  assign legal_o = ((at_error | at_irq) & (wdata_i[31:Errors] == '0)) | (at_priority & order_legal) |
                   (at_timeout & (wdata_i[31:5] == '0)) |
                   (at_bound & (wdata_i[31:16] == '0) & (wdata_i[15:0] >= 16'(BoundLeast)));

  // ---- PORT: the status of (port, circuit). ----
  logic [Queues-1:0]   select, held;
  logic [Queues*5-1:0] all_flags;
  logic [4:0]          flags;
  logic [DescW-1:0]    index, owner;
  assign held = head_framing_i | member_error_i | head_unknown_i | head_vc_i;
  for (genvar q = 0; q < Queues; q++) begin : g_queue
    localparam int Number = ((q / Circuits) << VcBits) + q % Circuits;  // within the block
    assign select[q]           = word_i[BlockW-1:0] == BlockW'(Number);
    assign all_flags[q*5 +: 5] = {held[q], space_i[q], egress_busy_i[q], open_i[q], head_valid_i[q]};
  end
  fred_select #(.Width(5), .Count(Queues)) u_flags (.select_i(select), .data_i(all_flags), .data_o(flags));
  fred_select #(.Width(DescW), .Count(Queues)) u_index (.select_i(select), .data_i(head_index_i), .data_o(index));
  fred_select #(.Width(DescW), .Count(Queues)) u_owner (.select_i(select), .data_i(owner_i), .data_o(owner));
  logic in_ports;
  assign in_ports = word_i[WordW-1:BlockW] == (WordW-BlockW)'(PortWord >> BlockW);

  // ---- What is read. ----
  logic [Constants+Settings-1:0]      at;           // one-hot: the constants, then these in the order of their words
  logic [(Constants+Settings)*32-1:0] words;
  logic [31:0]                        word;
  for (genvar n = 0; n < Constants; n++) begin : g_constant
    assign at[n] = word_i == WordW'(n);
  end
  assign at[Constants +: Settings] = at_setting;
  assign words = {cycle_i, first_cycle, first, 32'(irq_enable), 32'(timeout_o), 16'd0, bound_o, order, 32'(error_bits), Identity};
  fred_select #(.Width(32), .Count(Constants + Settings)) u_word (.select_i(at), .data_i(words), .data_o(word));
  assign exists_o = (|at) | (in_ports & (|select));
  assign rdata_o  = in_ports ? {8'(owner), 8'(index), 11'd0, flags} : word;

endmodule

`default_nettype wire
