// SPDX-License-Identifier: Apache-2.0
// Turns over every bit that an enabled row of the descriptor table and an all-to-all table hold, one at a time: each must
// be seen, and no other than the wrong state. Prints PASS.
`default_nettype none

module bits;

  localparam int P = 5, PortW = 3, D = 3, RouteW = 6, Words = 4 + 6 + 1;
  localparam logic [31:0] ConfigBits = 32'h00ffff7f;
  logic clk = 1'b0, up = 1'b0;
  always #5 clk = ~clk;
  int failures = 0, turned = 0;

  // ---- A row. ----
  logic [Words-1:0] we = '0;
  logic [31:0]      wdata = '0;
  logic             epoch_we = 1'b0, enable, bad;
  logic [3:0]       epoch = '0;
  logic [PortW-1:0] last = 3'd2;
  logic [31:0]      config_is;
  fred_descriptor_row #(
    .Ports(P), .PortW(PortW), .Descriptors(D), .RouteBits(RouteW), .ConfigBits(ConfigBits)
  ) row (
    .clk_i (clk), .rst_ni (up), .we_i (we), .wdata_i (wdata), .enables_i (wdata[0]), .flips_i (wdata[2]),
    .final_step_i (last), .epoch_we_i (epoch_we), .epoch_i (epoch), .enable_o (enable), .bad_o (bad),
    .config_o (config_is), .route_o (), .in_mask_o (), .out_mask_o (), .compat_o (), .final_step_o (), .op_o (),
    .dtype_o (), .granule_o (), .root_o (), .vc_o (), .uses_o ()
  );
  int target = -1;                                  // bit to be turned over: CONFIG, COLOURS, masks, COMPAT, last, enable
  event turn;
  localparam int Colours = 32, In = Colours + RouteW, Out = In + P, Compat = Out + P, Last = Compat + D,
                 Enable = Last + PortW, All = Enable + 1;
  for (genvar b = 0; b < 32; b++) begin : g_config
    if (b >= 8 && b < 12) begin : g_epoch
      always @(turn) if (target == b) row.g_config[b].g_epoch.bit_q = ~row.g_config[b].g_epoch.bit_q;
    end else if (ConfigBits[b]) begin : g_bit
      always @(turn) if (target == b) row.g_config[b].g_bit.bit_q = ~row.g_config[b].g_bit.bit_q;
    end
  end
  always @(turn) begin
    if (target >= Colours && target < In) row.route_o[target-Colours] = ~row.route_o[target-Colours];
    if (target >= In && target < Out)     row.in_mask_o[target-In] = ~row.in_mask_o[target-In];
    if (target >= Out && target < Compat) row.out_mask_o[target-Out] = ~row.out_mask_o[target-Out];
    if (target >= Compat && target < Last) row.compat_o[target-Compat] = ~row.compat_o[target-Compat];
    if (target >= Last && target < Enable) row.final_step_o[target-Last] = ~row.final_step_o[target-Last];
    if (target == Enable) row.enable_o = ~row.enable_o;
  end

  // ---- A table. ----
  logic              table_we = 1'b0, fetch = 1'b0, begins = 1'b0, advance = 1'b0, parity = 1'b0, entry_bad;
  logic [PortW-1:0]  step = '0, dest = '0, ahead = '0;
  logic [RouteW-1:0] route = '0;
  fred_alltoall_port #(.Ports(P), .PortW(PortW), .RouteW(RouteW)) port (
    .clk_i (clk), .rst_ni (up), .we_i (table_we), .wstep_i (step), .wdest_i (dest), .wroute_i (route),
    .wparity_i (parity), .fetch_i (fetch), .begin_i (begins), .advance_i (advance), .ahead_i (ahead),
    .launch_i (1'b0), .step_end_i (1'b0), .ended_o (), .dest_o (), .route_o (), .bad_o (entry_bad)
  );

  task automatic write(input int register, input logic [31:0] data);
    @(negedge clk);
    we    = Words'(1) << register;
    wdata = data;
    @(negedge clk);
    we = '0;
  endtask
  task automatic expect_bad(input logic value, input string what);
    repeat (2) @(negedge clk);
    if (bad !== value) begin
      failures++;
      $display("FAIL: %s: bad is %b", what, bad);
    end
  endtask
  task automatic turn_bit(input int bit_number);
    target = bit_number;
    ->turn;
    #1 turned++;
  endtask
  // Follows steps 0 to P - 1 around once; whether the one that begins is bad.
  task automatic steps(input int wrong);
    ahead = '0;
    fetch = 1'b1;
    @(negedge clk);
    fetch  = 1'b0;
    ahead  = 3'd1;
    begins = 1'b1;
    for (int at = 0; at < P; at++) begin
      @(negedge clk);
      begins  = 1'b0;
      advance = 1'b1;
      ahead   = PortW'((at + 2) % P);
      if (entry_bad !== (at == wrong)) begin
        failures++;
        $display("FAIL: step %0d, entry %0d turned: bad is %b", at, wrong, entry_bad);
      end
    end
    advance = 1'b0;
    @(negedge clk);
  endtask

  initial begin
    repeat (2) @(negedge clk);
    up = 1'b1;
    for (int round = 0; round < 4; round++) begin
      write(2, ConfigBits & ($random | 32'h1));
      write(3, 32'($unsigned($random)) & 32'h3f);
      write(4, 32'h13);
      write(5, 32'(1 << round) | 32'h2);
      write(6, 32'h4);
      write(0, 1);
      expect_bad(1'b0, "enabled");
      for (int b = 0; b < All; b++) begin
        if (b >= 32 || ConfigBits[b]) begin
          turn_bit(b);
          expect_bad(b != Enable, $sformatf("bit %0d turned over", b));
          turn_bit(b);
          // A row that is not enabled keeps its parity wrong from then on: enabled by a wrong bit it is bad.
          expect_bad(b == Enable, $sformatf("bit %0d turned back", b));
        end
      end
      write(0, 0);
      expect_bad(1'b0, "disabled");
      turn_bit(Enable);
      expect_bad(1'b1, "enabled by a wrong bit");
      turn_bit(Enable);
      expect_bad(1'b0, "and disabled again");
      write(0, 1);
      expect_bad(1'b0, "enabled again");
      // The epoch turns when an abort ends, and with it the parity.
      for (int e = 0; e < 16; e++) begin
        epoch    = 4'(7 * e);
        epoch_we = 1'b1;
        @(negedge clk);
        epoch_we = 1'b0;
        expect_bad(1'b0, "another epoch");
        if (config_is[11:8] !== 4'(7 * e)) failures++;
      end
      write(0, 5);
      expect_bad(1'b1, "parity flipped");
      write(0, 5);
      expect_bad(1'b0, "parity flipped back");
      write(0, 0);
      write(0, 5);
      expect_bad(1'b1, "enabled with the wrong parity");
      write(0, 0);
      expect_bad(1'b0, "disabled");
    end
    for (int at = 0; at < P; at++) begin
      @(negedge clk);
      table_we = 1'b1;
      step     = PortW'(at);
      dest     = PortW'(P - 1 - at);
      route    = RouteW'(11 * at + 5);
      parity   = ^{dest, route};
      @(negedge clk);
      table_we = 1'b0;
    end
    steps(-1);
    for (int at = 0; at < P; at++) begin
      for (int b = 0; b < PortW + RouteW + 1; b++) begin
        port.g_written.u_table.mem[at][b] = ~port.g_written.u_table.mem[at][b];
        turned++;
        steps(at);
        port.g_written.u_table.mem[at][b] = ~port.g_written.u_table.mem[at][b];
      end
    end
    steps(-1);
    if (failures == 0) $display("PASS: %0d bits turned over", turned);
    $finish;
  end

endmodule

`default_nettype wire
