// SPDX-License-Identifier: Apache-2.0
// The waveform of the mapped switch in replay.sv, from the first beat offered on: no reset, no register writes.
module power_dump;
  initial begin
    $dumpfile("power.vcd");
    $dumpvars(0, replay.dut);
    $dumpoff;
    wait (|replay.s_axis_tvalid === 1'b1);
    $dumpon;
  end
endmodule
