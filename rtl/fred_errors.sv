// SPDX-License-Identifier: Apache-2.0
// ERROR, IRQ_ENABLE, the record of the first error, and the interrupt.
//
// The record is of the first error since ERROR was last cleared: it is taken where no bit of ERROR is set, or none is
// left by a write that clears, and stays until then.
`default_nettype none

module fred_errors #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, virtual circuits; (port, circuit) is number port*V + circuit
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int DescW       = 3,                    // bits of tdest
  parameter int Errors      = 9,                    // bits of ERROR: 9, with link ports 10
  localparam int Queues     = Ports * Vcs
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,
  input  wire logic                    write_error_i,   // ones in wdata_i clear
  input  wire logic                    write_enable_i,  // wdata_i is the mask of the interrupt
  input  wire logic [Errors-1:0]       wdata_i,
  input  wire logic [31:0]             cycle_i,         // cycles since reset
  // Causes (fred_first_error).
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
  input  wire logic [Queues*DescW-1:0] head_index_i,
  // Registers.
  output logic      [Errors-1:0]       error_o,
  output logic      [Errors-1:0]       enable_o,
  output logic      [31:0]             first_o,         // FIRST_ERROR
  output logic      [31:0]             first_cycle_o,   // value of cycle_i when it came
  output logic                         irq_o            // level: an enabled bit of ERROR is set
);

  logic [9:0]        all;
  logic [Errors-1:0] errors, left;
  logic              unused_all;                    // without link ports they give no errors
  assign errors     = all[Errors-1:0];
  assign unused_all = ^all;
  logic              has_port;
  logic [3:0]        kind;
  logic [7:0]        port, descriptor;
  logic [2:0]        circuit;
  logic [23:0]       record_q;
  logic [31:0]       first_cycle_q;
  fred_first_error #(.Ports(Ports), .Vcs(Vcs), .Descriptors(Descriptors), .DescW(DescW)) u_first (
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
    .errors_o       (all),
    .kind_o         (kind),
    .has_port_o     (has_port),
    .port_o         (port),
    .vc_o           (circuit),
    .descriptor_o   (descriptor)
  );
  assign left          = error_o & ~({Errors{write_error_i}} & wdata_i);
  assign first_o       = {|error_o, 7'd0, record_q & {24{|error_o}}};
  assign first_cycle_o = first_cycle_q & {32{|error_o}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      error_o  <= '0;
      enable_o <= '0;
      irq_o    <= 1'b0;
    end else begin
      error_o <= left | errors;
      irq_o   <= |(error_o & enable_o);
      if (write_enable_i) enable_o <= wdata_i;
    end
    if (left == '0) begin
      record_q      <= {descriptor, port, has_port, circuit, kind};
      first_cycle_q <= cycle_i;
    end
  end

endmodule

`default_nettype wire
