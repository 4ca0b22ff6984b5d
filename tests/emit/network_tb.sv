// SPDX-License-Identifier: Apache-2.0
// Plays vectors into an emitted network, one a cycle, and compares its outputs with the expected ones bit for bit,
// X and Z included. Written for Icarus; everything it needs comes from network_sim_test.cpp: the module under test as
// the macro NET, its shape as parameters, the vectors as a file of hexadecimal lines.
//
// A vector, high bits first: conflict mode, expected mask, expected data, then op, colour, mask, data, valid of the
// inputs. Conflict mode 0: conflict_o must be 0; 1: it may be anything; 2: it must have been 1 since the last mode 0.
// Outputs are compared in mode 0 only.
`timescale 1ns / 1ps
`default_nettype none

module network_tb;

  parameter int Ports = 2;
  parameter int DataW = 32;
  parameter int ColourW = 1;  // all colours of a beat; 1 where the port is absent
  parameter int Latency = 1;
  parameter int Cycles = 1;

  localparam int VectorW = 2 + 2 * Ports + 2 * Ports * DataW + Ports * (Ports + ColourW + 2);

  reg [VectorW-1:0] vectors [0:Cycles-1];
  reg [1023:0]      file;

  reg                      clk = 1'b0;
  reg                      rst_n = 1'b0;
  reg [Ports-1:0]          in_valid = 'x;
  reg [Ports*DataW-1:0]    in_data = 'x;
  reg [Ports*Ports-1:0]    in_mask = 'x;
  reg [Ports*ColourW-1:0]  in_colour = 'x;
  reg [Ports*2-1:0]        in_op = 'x;
  reg [1:0]                mode;
  reg [Ports-1:0]          expected_mask;
  reg [Ports*DataW-1:0]    expected_data;
  wire [Ports-1:0]         out_mask;
  wire [Ports*DataW-1:0]   out_data;
  wire                     conflict;
  reg                      seen = 1'b0;
  integer                  cycle, port, errors = 0, beats = 0, conflicts = 0;

  `NET u_net (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .in_valid_i (in_valid),
    .in_data_i  (in_data),
    .in_mask_i  (in_mask),
`ifdef HAS_COLOUR
    .in_colour_i(in_colour),
`endif
`ifdef HAS_OP
    .in_op_i    (in_op),
`endif
    .out_mask_o (out_mask),
    .out_data_o (out_data),
    .conflict_o (conflict)
  );

  task complain(input integer at_port);
    begin
      errors = errors + 1;
      if (errors <= 10) begin
        $display("cycle %0d port %0d: mask %b expected %b, data %h expected %h, conflict %b mode %0d", cycle, at_port,
                 out_mask, expected_mask, out_data, expected_data, conflict, mode);
      end
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", file)) $fatal(1, "no +vectors=FILE");
    $readmemh(file, vectors);
    // One edge of reset with every input unknown.
    #5 clk = 1'b1;
    #5 clk = 1'b0;
    rst_n = 1'b1;
    for (cycle = 0; cycle < Cycles; cycle = cycle + 1) begin
      {mode, expected_mask, expected_data, in_op, in_colour, in_mask, in_data, in_valid} = vectors[cycle];
      #4;
      if (mode == 2'd0 && out_mask !== expected_mask) complain(-1);
      for (port = 0; port < Ports; port = port + 1) begin
        if (mode == 2'd0 && expected_mask[port] === 1'b1) begin
          beats = beats + 1;
          if (out_data[port*DataW +: DataW] !== expected_data[port*DataW +: DataW]) complain(port);
        end
      end
      if (conflict !== 1'b0) seen = 1'b1;
      if (mode == 2'd0 && conflict !== 1'b0) complain(-1);
      if (mode == 2'd2) begin
        if (seen !== 1'b1) complain(-1);
        conflicts = conflicts + 1;
      end
      if (mode != 2'd1) seen = 1'b0;
      #1 clk = 1'b1;
      #5 clk = 1'b0;
    end
    $display("%0d beats, %0d conflicts, %0d errors", beats, conflicts, errors);
    $finish;
  end

endmodule

`default_nettype wire
