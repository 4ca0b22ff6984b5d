// SPDX-License-Identifier: Apache-2.0
// fred_harness around a switch, in a simulator that keeps X apart: a bit takes as many cycles as the chains are long,
// and an AXI4-Lite read of the register ID, done with five pins, returns what it should. harness_test.cpp gives the
// places of the ports in the chains and looks for PASS.
`default_nettype none

module harness_tb #(
  parameter int InW     = 1,  // bits of the chain of inputs
  parameter int OutW    = 1,  // bits of the chain of outputs
  parameter int ResetN  = 0,  // places of ports in the chains
  parameter int ArValid = 0,
  parameter int RValid  = 0,
  parameter int RData   = 0
);

  logic clk, shift, update, serial_in, serial_out;
  fred_harness u_harness (
    .clk_i    (clk),
    .shift_i  (shift),
    .update_i (update),
    .serial_i (serial_in),
    .serial_o (serial_out)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  logic [InW-1:0]  in;   // what the module is to get
  logic [OutW-1:0] out;  // what it gave
  integer i;

  // A bit a cycle, then all of them at once to the module, which runs on for some cycles.
  task apply;
    begin
      for (i = InW - 1; i >= 0; i = i - 1) begin
        shift     = 1'b1;
        serial_in = in[i];
        @(negedge clk);
      end
      shift  = 1'b0;
      update = 1'b1;
      @(negedge clk);
      update = 1'b0;
      repeat (8) @(negedge clk);
    end
  endtask

  initial begin
    shift  = 1'b0;
    update = 1'b0;
    in     = '0;
    @(negedge clk);
    apply;  // reset
    in[ResetN] = 1'b1;
    apply;
    in[ArValid] = 1'b1;  // of address 0
    apply;
    in[ArValid] = 1'b0;  // and sees the answer wait, as rready is low
    apply;
    for (i = OutW - 1; i >= 0; i = i - 1) begin
      out[i] = serial_out;
      shift  = 1'b1;
      @(negedge clk);
      shift  = 1'b0;
      @(negedge clk);
    end
    if (out[RValid] !== 1'b1 || out[RData +: 32] !== 32'h46524544) begin
      $display("FAIL: rvalid %b, rdata %h", out[RValid], out[RData +: 32]);
      $finish;
    end

    // One bit on its way through both chains.
    shift     = 1'b1;
    serial_in = 1'b0;
    repeat (InW + OutW + 1) @(negedge clk);
    serial_in = 1'b1;
    @(negedge clk);
    serial_in = 1'b0;
    for (i = 1; serial_out !== 1'b1 && i <= InW + OutW; i = i + 1) @(negedge clk);
    if (i == InW + OutW + 1) $display("PASS: %0d + %0d bits", InW, OutW);
    else $display("FAIL: the chains are %0d bits long", i - 1);
    $finish;
  end

endmodule

`default_nettype wire
