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
  parameter int DescW        = 3,                   // bits of a descriptor index
  parameter int WordW        = 11,                  // bits of a register's number
  parameter int Constants    = 8,                   // registers from 0 on that read as a constant
  parameter logic [Constants*32-1:0] Identity = '0, // these constants
  parameter int ErrorWord    = 8,                   // numbers of registers
  parameter int PriorityWord = 9,
  parameter int BoundWord    = 10,
  parameter int PortWord     = 256,                 // number of the first port's first circuit
  parameter int BoundLeast   = 8,                   // least bound that may be written
  parameter int BoundReset   = 256,                 // bound after reset
  localparam int Queues      = Ports * Vcs          // index of (port, circuit): port*Vcs + circuit
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
  input  wire logic                    conflict_i,
  input  wire logic                    mismatch_i,
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
  // Settings.
  output logic      [Vcs*Vcs-1:0]      vc_before_o,
  output logic      [15:0]             bound_o
);

  localparam int Errors = 7;                        // bits of ERROR
  localparam int VcBits = $clog2(Vcs);
  localparam int BlockW = $clog2(Ports) + VcBits;   // bits of a number within the block of port status

  logic at_error, at_priority, at_bound;
  assign at_error    = word_i == WordW'(ErrorWord);
  assign at_priority = word_i == WordW'(PriorityWord);
  assign at_bound    = word_i == WordW'(BoundWord);

  // ---- ERROR: sticky, write 1 to clear. ----
  logic [Errors-1:0] error_q, clear;
  assign clear = {Errors{write_i & at_error}} & wdata_i[Errors-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) error_q <= '0;
    else error_q <= (error_q & ~clear) | {|head_vc_i, |head_framing_i, |member_error_i, |head_unknown_i, |head_stale_i,
                                          mismatch_i, conflict_i};
  end

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

  // ---- BOUND. ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bound_o <= 16'(BoundReset);
    else if (write_i && at_bound) bound_o <= wdata_i[15:0];
  end

  assign legal_o = (at_error & (wdata_i[31:Errors] == '0)) | (at_priority & order_legal) |
                   (at_bound & (wdata_i[31:16] == '0) & (wdata_i[15:0] >= 16'(BoundLeast)));

  // ---- PORT: the status of (port, circuit). ----
  logic [Queues-1:0]   select, held;
  logic [Queues*5-1:0] all_flags;
  logic [4:0]          flags;
  logic [DescW-1:0]    index;
  assign held = head_framing_i | member_error_i | head_unknown_i | head_vc_i;
  for (genvar q = 0; q < Queues; q++) begin : g_queue
    localparam int Number = ((q / Vcs) << VcBits) + q % Vcs;  // within the block
    assign select[q]           = word_i[BlockW-1:0] == BlockW'(Number);
    assign all_flags[q*5 +: 5] = {held[q], space_i[q], egress_busy_i[q], open_i[q], head_valid_i[q]};
  end
  fred_select #(.Width(5), .Count(Queues)) u_flags (.select_i(select), .data_i(all_flags), .data_o(flags));
  fred_select #(.Width(DescW), .Count(Queues)) u_index (.select_i(select), .data_i(head_index_i), .data_o(index));
  logic in_ports;
  assign in_ports = word_i[WordW-1:BlockW] == (WordW-BlockW)'(PortWord >> BlockW);

  // ---- What is read. ----
  logic [Constants+2:0]      at;                    // one-hot: the constants, then ERROR, PRIORITY, BOUND
  logic [Constants*32+95:0]  words;
  logic [31:0]               word;
  for (genvar n = 0; n < Constants; n++) begin : g_constant
    assign at[n] = word_i == WordW'(n);
  end
  assign at[Constants +: 3] = {at_bound, at_priority, at_error};
  assign words    = {16'd0, bound_o, order, 32'(error_q), Identity};
  fred_select #(.Width(32), .Count(Constants + 3)) u_word (.select_i(at), .data_i(words), .data_o(word));
  assign exists_o = (|at) | (in_ports & (|select));
  assign rdata_o  = in_ports ? {8'd0, 8'(index), 11'd0, flags} : word;

endmodule

`default_nettype wire
