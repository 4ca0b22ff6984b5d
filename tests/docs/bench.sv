// SPDX-License-Identifier: Apache-2.0
// A self-checking bench for one generated switch, written from docs/*.md and the emitted files alone, by one who had
// not seen the generator or its other tests: what it needed is what the documentation has to say. Plain SystemVerilog
// for Icarus Verilog. tests/docs/run.sh generates the design and sets the macros:
//   ROUTE   COLOURS of the group 0,1,2,3, as `fred route --json -` says
//   HASH    parameter_hash of manifest.json
//   FIRST   latency.first_beat of manifest.json
`timescale 1ns / 1ps
`default_nettype none

module bench;
  localparam int P = 4, W = 32, B = 4;      // ports, bits and bytes of a beat
  localparam int InUser = 7, OutUser = 8;   // 5 + PW, 6 + PW
  localparam int Q = 4096;                  // most beats a port in one phase
  localparam int AR = 0, AG = 1;            // descriptors: all-reduce, all-gather
  localparam int Sum = 0, Min = 1, Max = 2; // CONFIG operations
  localparam logic [3:0] EpochAr = 4'd5, EpochAg = 4'd10;
  localparam logic [1:0] Okay = 2'b00, Slverr = 2'b10;
  localparam logic [12:0] Error = 13'h020, Port = 13'h400, Desc = 13'h1000, Stride = 13'h040;

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = !clk;

  // ------------------------------------------------------------------------------------------------------ the switch
  logic [P-1:0]         s_valid = '0, s_last = '0, s_tid = '0, s_dest = '0;
  logic [P*W-1:0]       s_data = '0;
  logic [P*B-1:0]       s_keep = '0;
  logic [P*InUser-1:0]  s_user = '0;
  wire  [P-1:0]         s_ready, s_vc;
  wire  [P-1:0]         m_valid, m_last, m_tid, m_dest;
  wire  [P*W-1:0]       m_data;
  wire  [P*B-1:0]       m_keep;
  wire  [P*OutUser-1:0] m_user;
  logic [P-1:0]         m_ready = '0, m_vc = '1;

  logic awvalid = 1'b0, wvalid = 1'b0, bready = 1'b0, arvalid = 1'b0, rready = 1'b0;
  wire  awready, wready, bvalid, arready, rvalid;
  logic [12:0] awaddr = '0, araddr = '0;
  logic [31:0] wdata = '0;
  logic [3:0]  wstrb = '0;
  wire  [31:0] rdata;
  wire  [1:0]  bresp, rresp;
  wire         irq;

  fred_switch dut (
    .clk_i(clk), .rst_ni(rst_n),
    .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data), .s_axis_tkeep(s_keep),
    .s_axis_tlast(s_last), .s_axis_tid(s_tid), .s_axis_tdest(s_dest), .s_axis_tuser(s_user), .s_axis_vc_ready(s_vc),
    .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data), .m_axis_tkeep(m_keep),
    .m_axis_tlast(m_last), .m_axis_tid(m_tid), .m_axis_tdest(m_dest), .m_axis_tuser(m_user), .m_axis_vc_ready(m_vc),
    .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr),
    .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
    .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
    .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr),
    .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp), .irq_o(irq)
  );

  // --------------------------------------------------------------------------------------------------- book-keeping
  integer errors = 0, checked = 0, cycle = 0;
  reg [8*24-1:0] phase = "start";

  task fail(input reg [8*40-1:0] what, input integer port, input reg [63:0] got, input reg [63:0] wanted);
    begin
      errors = errors + 1;
      if (errors <= 20)
        $display("error in %0s, cycle %0d, %0d: %0s is %h, not %h", phase, cycle, port, what, got, wanted);
    end
  endtask

  task finish;
    begin
      if (errors == 0) $display("PASS");
      else $display("FAIL %0d errors", errors);
      $finish(0);
    end
  endtask

  initial begin
    #400000;
    $display("FAIL time-out in %0s", phase);
    $finish(0);
  end

  // What the ports send and what they are to receive: {step_end, epoch, tdest, tlast, tkeep, tdata}, {step, the same}.
  reg [42:0] send [0:P*Q-1];
  reg [44:0] want [0:P*Q-1];
  integer send_head [0:P-1], send_tail [0:P-1], want_head [0:P-1], want_tail [0:P-1];
  integer accepted [0:P-1];   // cycle of the latest accepted beat
  integer arrived [0:P-1];    // cycle in which the first beat of the phase was first at m_axis, -1 before
  integer left [0:P-1];       // cycle in which the latest beat left
  reg     go = 1'b0;          // sources may offer beats
  integer gaps = 0;           // sources: 0 none, 1 pauses, 2 port p waits 3p cycles before its first beat
  integer stalls = 0;         // sinks: 0 always ready, 1 tready goes, 2 m_axis_vc_ready goes too
  integer started = 0;

  task clear;
    integer p;
    begin
      for (p = 0; p < P; p = p + 1) begin
        send_head[p] = 0; send_tail[p] = 0; want_head[p] = 0; want_tail[p] = 0;
        accepted[p] = -1; arrived[p] = -1; left[p] = -1;
      end
    end
  endtask
  initial clear;

  function quiet(input integer dummy);   // everything sent, everything received
    integer p;
    begin
      quiet = 1'b1;
      for (p = 0; p < P; p = p + 1)
        if (send_head[p] != send_tail[p] || s_valid[p] || want_head[p] != want_tail[p]) quiet = 1'b0;
    end
  endfunction

  // -------------------------------------------------------------------------------------- sources, sinks and checks
  reg [P-1:0] was_offered = '0, was_taken = '0, was_s_vc = '0;   // s_axis in the cycle before
  reg [P-1:0] was_valid = '0, was_ready = '0, was_m_vc = '0;     // m_axis in the cycle before
  reg [49:0]  was_beat [0:P-1];

  integer    p;
  reg [42:0] beat;
  reg [44:0] w;
  reg [31:0] bytes;
  reg        opens;
  always @(posedge clk) begin
    cycle <= cycle + 1;
    for (p = 0; p < P; p = p + 1) begin
      // Source.
      if (!rst_n) begin
        s_valid[p] <= 1'b0;
      end else begin
        if (s_valid[p] && s_ready[p]) accepted[p] = cycle;
        opens = s_valid[p] && (!was_offered[p] || was_taken[p]);
        if (opens && was_s_vc[p] && s_ready[p] !== 1'b1) fail("tready after s_axis_vc_ready", p, s_ready[p], 1);
        if (!s_valid[p] || s_ready[p] === 1'b1) begin
          if (go && send_head[p] != send_tail[p] && !(gaps == 1 && (cycle * 5 + p * 3) % 11 > 6)
              && !(gaps == 2 && send_head[p] == 0 && cycle < started + 3 * p)) begin
            beat = send[p*Q + send_head[p]];
            send_head[p] = send_head[p] + 1;
            s_valid[p] <= 1'b1;
            s_data[p*W +: W] <= beat[31:0];
            s_keep[p*B +: B] <= beat[35:32];
            s_last[p] <= beat[36];
            s_dest[p] <= beat[37];
            s_user[p*InUser +: InUser] <= {2'b00, beat[41:38], beat[42]};
          end else begin
            s_valid[p] <= 1'b0;
          end
        end
        was_offered[p] <= s_valid[p];
        was_taken[p]   <= s_valid[p] && s_ready[p];
        was_s_vc[p]    <= s_vc[p];
      end

      // Sink: short pauses of every port, long ones in turn.
      m_ready[p] <= stalls == 0 || ((cycle * 3 + p * 5) % 8 < 6 && (cycle / 32) % 8 != 2 * p);
      m_vc[p]    <= stalls != 2 || (cycle + p) % 5 < 3;

      // Checks.
      if (rst_n) begin
        if ((m_valid[p] ^ s_ready[p] ^ s_vc[p]) === 1'bx)
          fail("x on a handshake", p, {m_valid[p], s_ready[p], s_vc[p]}, 0);
        if (was_valid[p] && !was_ready[p]) begin
          if (m_valid[p] !== 1'b1) fail("tvalid of a waiting beat", p, m_valid[p], 1);
          if ({m_user[p*OutUser +: OutUser], m_dest[p], m_tid[p], m_last[p], m_keep[p*B +: B], m_data[p*W +: W]}
              !== was_beat[p]) fail("changed waiting beat", p, m_data[p*W +: W], was_beat[p][31:0]);
        end
        if (m_valid[p] === 1'b1 && (!was_valid[p] || was_ready[p])) begin
          if (!was_m_vc[p]) fail("new beat without m_axis_vc_ready", p, 1, 0);
          if (arrived[p] < 0) arrived[p] = cycle;
          if (want_head[p] == want_tail[p]) begin
            fail("tdata of a beat nobody waits for", p, m_data[p*W +: W], 0);
          end else begin
            w = want[p*Q + want_head[p]];
            want_head[p] = want_head[p] + 1;
            checked = checked + 1;
            bytes = {{8{w[35]}}, {8{w[34]}}, {8{w[33]}}, {8{w[32]}}};
            if ((m_data[p*W +: W] & bytes) !== (w[31:0] & bytes)) fail("tdata", p, m_data[p*W +: W], w[31:0]);
            if (m_keep[p*B +: B] !== w[35:32]) fail("tkeep", p, m_keep[p*B +: B], w[35:32]);
            if (m_last[p] !== w[36]) fail("tlast", p, m_last[p], w[36]);
            if (m_dest[p] !== w[37]) fail("tdest", p, m_dest[p], w[37]);
            if (m_tid[p] !== 1'b0) fail("tid", p, m_tid[p], 0);
            if (m_user[p*OutUser] !== w[42]) fail("step_end", p, m_user[p*OutUser], w[42]);
            if (m_user[p*OutUser + 1 +: 4] !== w[41:38]) fail("epoch", p, m_user[p*OutUser + 1 +: 4], w[41:38]);
            if (m_user[p*OutUser + 5] !== 1'b0) fail("tuser error", p, m_user[p*OutUser + 5], 0);
            if (m_user[p*OutUser + 6 +: 2] !== w[44:43]) fail("step", p, m_user[p*OutUser + 6 +: 2], w[44:43]);
          end
        end
        if (m_valid[p] && m_ready[p]) left[p] = cycle;
      end
      was_valid[p] <= m_valid[p] && rst_n;
      was_ready[p] <= m_ready[p];
      was_m_vc[p]  <= m_vc[p];
      was_beat[p]  <= {m_user[p*OutUser +: OutUser], m_dest[p], m_tid[p], m_last[p], m_keep[p*B +: B],
                       m_data[p*W +: W]};
    end
  end

  // ------------------------------------------------------------------------------------------------------ AXI4-Lite
  // These tasks begin and end 1 ns after an edge.
  integer turn = 0;
  task axil_write(input reg [12:0] address, input reg [31:0] data, input reg [3:0] strobe, input reg [1:0] response);
    reg aw, w, b, aw_left, w_left;
    begin
      // The address first, the data first, or both at once.
      turn = (turn + 1) % 3;
      awaddr = address; wdata = data; wstrb = strobe;
      awvalid = turn != 0;
      wvalid = turn != 1;
      bready = 1'b1;
      aw_left = 1'b1; w_left = 1'b1;
      @(posedge clk); aw = awready; w = wready; #1;
      if (awvalid && aw) begin awvalid = 1'b0; aw_left = 1'b0; end
      if (wvalid && w) begin wvalid = 1'b0; w_left = 1'b0; end
      awvalid = aw_left;
      wvalid = w_left;
      while (awvalid || wvalid || bready) begin
        @(posedge clk);
        aw = awready; w = wready; b = bvalid;
        if (b && bresp !== response) fail("BRESP", address, bresp, response);
        #1;
        if (aw) awvalid = 1'b0;
        if (w) wvalid = 1'b0;
        if (b) bready = 1'b0;
      end
    end
  endtask

  task write(input reg [12:0] address, input reg [31:0] data);
    axil_write(address, data, 4'hf, Okay);
  endtask

  reg [31:0] got;
  task axil_read(input reg [12:0] address, input reg [1:0] response);
    reg ar, r;
    begin
      arvalid = 1'b1; araddr = address;
      rready = 1'b1;
      while (arvalid || rready) begin
        @(posedge clk);
        ar = arready; r = rvalid; got = rdata;
        if (r && rresp !== response) fail("RRESP", address, rresp, response);
        #1;
        if (ar) arvalid = 1'b0;
        if (r) rready = 1'b0;
      end
    end
  endtask

  task read(input reg [12:0] address, input reg [31:0] wanted);
    begin
      axil_read(address, Okay);
      if (got !== wanted) fail("register", address, got, wanted);
    end
  endtask

  // A descriptor over all ports, or an all-gather of `members`. COMPAT 0: the two share links, so they take turns.
  reg [P-1:0] members = 4'hf;
  task describe(input integer d, input integer kind, input integer op, input reg [3:0] epoch);
    reg [12:0] at;
    begin
      at = Desc + d * Stride;
      write(at + 13'h08, {8'd0, 8'd0, 4'd0, epoch, 2'd0, op[1:0], kind[3:0]});
      write(at + 13'h0c, `ROUTE);
      write(at + 13'h10, kind == 3 ? 32'(members) : 32'hf);
      write(at + 13'h14, kind == 3 ? 32'(members) : 32'hf);
      write(at + 13'h18, 32'h0);
      read(at + 13'h04, 32'h0);
      write(at, 32'h1);
      read(at, 32'h1);
      read(at + 13'h04, 32'h1);
      read(at + 13'h08, {8'd0, 8'd0, 4'd0, epoch, 2'd0, op[1:0], kind[3:0]});
      read(at + 13'h0c, `ROUTE);
      read(at + 13'h10, kind == 3 ? 32'(members) : 32'hf);
      read(at + 13'h14, kind == 3 ? 32'(members) : 32'hf);
      read(at + 13'h18, 32'h0);
    end
  endtask

  // ---------------------------------------------------------------------------------------------------- collectives
  integer beats = 0;   // numbers the beats of a run: no two positions have the same data
  function [31:0] value(input integer rank, input integer number);
    reg [31:0] x;
    begin
      x = 32'h9e3779b9 * (number + 1) + 32'h85ebca6b * (rank + 3);
      x = (x ^ (x >> 15)) * 32'h2c1b3c6d;
      value = x ^ (x >> 12);
    end
  endfunction

  function [31:0] reduce(input integer op, input reg [31:0] a, input reg [31:0] b);
    case (op)
      Sum:     reduce = a + b;
      Min:     reduce = $signed(a) < $signed(b) ? a : b;
      default: reduce = $signed(a) > $signed(b) ? a : b;
    endcase
  endfunction

  task put(input integer port, input reg [42:0] x);
    begin
      send[port*Q + send_tail[port]] = x;
      send_tail[port] = send_tail[port] + 1;
    end
  endtask

  task await_beat(input integer port, input reg [44:0] x);
    begin
      want[port*Q + want_tail[port]] = x;
      want_tail[port] = want_tail[port] + 1;
    end
  endtask

  // `packets` packets, the i-th of length + i beats; length 0: its first packet has no bytes.
  task all_reduce(input integer op, input integer packets, input integer length);
    integer i, j, n, r;
    reg last, step_end;
    reg [3:0] keep;
    begin
      for (i = 0; i < packets; i = i + 1) begin
        n = length + i;
        keep = n == 0 ? 4'h0 : 4'hf;
        if (n == 0) n = 1;
        for (j = 0; j < n; j = j + 1) begin
          last = j == n - 1;
          step_end = last && i == packets - 1;
          for (r = 0; r < P; r = r + 1) put(r, {step_end, EpochAr, 1'(AR), last, keep, value(r, beats)});
          for (r = 0; r < P; r = r + 1)
            await_beat(r, {2'd0, step_end, EpochAr, 1'(AR), last, keep,
                           reduce(op, reduce(op, value(0, beats), value(1, beats)),
                                      reduce(op, value(2, beats), value(3, beats)))});
          beats = beats + 1;
        end
      end
    end
  endtask

  // One step: port `rank` sends `packets` packets, the i-th of size + i bytes. trailer: each ends in a beat more,
  // without bytes (the bytes before it must fill their beats).
  task gather_step(input integer rank, input integer packets, input integer size, input reg trailer);
    integer i, j, n, r, rest, step;
    reg last, step_end;
    reg [3:0] keep;
    begin
      step = 0;
      for (r = 0; r < rank; r = r + 1) if (members[r]) step = step + 1;
      for (i = 0; i < packets; i = i + 1) begin
        rest = size + i;
        n = (rest + B - 1) / B;
        if (n == 0 || trailer) n = n + 1;
        for (j = 0; j < n; j = j + 1) begin
          last = j == n - 1;
          step_end = last && i == packets - 1;
          keep = rest >= B ? 4'hf : (4'h1 << rest) - 4'h1;
          rest = rest >= B ? rest - B : 0;
          put(rank, {step_end, EpochAg, 1'(AG), last, keep, value(rank, beats)});
          for (r = 0; r < P; r = r + 1)
            if (members[r]) await_beat(r, {2'(step), step_end, EpochAg, 1'(AG), last, keep, value(rank, beats)});
          beats = beats + 1;
        end
      end
    end
  endtask

  task all_gather(input integer packets, input integer size);
    integer k;
    for (k = 0; k < P; k = k + 1) if (members[k]) gather_step(k, packets + k % 2, size + k, 1'b0);
  endtask

  // Runs what is queued, with an eye on ERROR.
  task run(input reg [8*24-1:0] name);
    begin
      phase = name;
      started = cycle;
      go = 1'b1;
      @(posedge clk); #1;
      while (!quiet(0)) begin
        read(Error, 32'h0);
        @(posedge clk); #1;
      end
      repeat (30) @(posedge clk);   // nothing may follow
      #1 go = 1'b0;
      read(Error, 32'h0);
    end
  endtask

  // The first beat arrived everywhere `wanted` cycles after the last source's was accepted.
  integer q, t;
  task first_beats(input integer wanted);
    begin
      t = accepted[0];
      for (q = 1; q < P; q = q + 1) if (accepted[q] > t) t = accepted[q];
      for (q = 0; q < P; q = q + 1)
        if (arrived[q] - t != wanted) fail("cycles to the first beat", q, arrived[q] - t, wanted);
    end
  endtask

  task reset;
    begin
      rst_n <= 1'b0;
      @(posedge clk); @(posedge clk);
      rst_n <= 1'b1;
      @(posedge clk); #1;
      clear;
    end
  endtask

  task idle_status;
    begin
      for (q = 0; q < P; q = q + 1) begin
        axil_read(Port + 4 * q, Okay);
        if (got[4:0] !== 5'b01000) fail("PORT", q, got[4:0], 5'b01000);
      end
      read(Desc + 13'h04, 32'h1);
      read(Desc + Stride + 13'h04, 32'h1);
    end
  endtask

  // ------------------------------------------------------------------------------------------------------- the test
  initial begin
    reset;
    phase = "registers";
    read(13'h000, 32'h46524544);
    axil_read(13'h004, Okay);
    read(13'h008, {8'd2, 8'd2, 16'd4});
    read(13'h00c, {4'd1, 1'b0, 7'b0000111, 4'd0, 16'd32});
    read(13'h018, 32'hfffffff0);
    axil_read(13'h010, Okay);
    if (got[31:16] !== `FIRST || got[31:16] !== got[15:0] + 16'd4) fail("LATENCY", 0, got, `FIRST);
    read(13'h014, `HASH);
    read(Error, 32'h0);
    axil_write(Desc + 13'h08, 32'h3, 4'h7, Slverr);     // WSTRB
    axil_write(13'h000, 32'h0, 4'hf, Slverr);           // read-only
    read(13'h01c, 32'h1);                               // one virtual circuit
    read(13'h024, 32'h0);                               // PRIORITY
    read(13'h028, 32'h100);                             // BOUND
    write(13'h024, 32'h0);
    axil_write(13'h024, 32'h1, 4'hf, Slverr);           // no such circuit
    axil_write(13'h028, 32'h7, 4'hf, Slverr);           // too small
    write(13'h028, 32'hffff);
    read(13'h028, 32'hffff);
    write(13'h02c, 32'h14);                             // TIMEOUT: 2^20 cycles
    axil_write(13'h02c, 32'h20, 4'hf, Slverr);          // no such exponent
    read(13'h034, 32'h0);                               // FIRST_ERROR: none
    axil_write(13'h040, 32'h0, 4'hf, Slverr);           // no such address
    axil_read(13'h040, Slverr);
    write(Desc + 13'h08, 32'h0);
    write(Desc + 13'h10, 32'h0);
    write(Desc + 13'h14, 32'hf);
    axil_write(Desc, 32'h1, 4'hf, Slverr);              // no sources
    axil_write(Desc + 13'h10, 32'h1f, 4'hf, Slverr);    // a port too many
    read(Desc + 13'h10, 32'h0);
    axil_write(Desc + 13'h04, 32'h0, 4'hf, Slverr);     // read-only
    read(Desc, 32'h0);
    describe(AR, 0, Sum, EpochAr);
    all_reduce(Sum, 1, 1);
    run("one descriptor");                               // whatever is in the other, which nobody has written
    first_beats(`FIRST);
    clear;
    phase = "registers";
    describe(AG, 3, Sum, EpochAg);
    axil_write(Desc + 13'h10, 32'h7, 4'hf, Slverr);     // enabled
    read(Desc + 13'h10, 32'hf);
    idle_status;

    all_reduce(Sum, 1, 1);
    run("first beat");
    first_beats(`FIRST);
    clear;
    gaps = 2;
    all_reduce(Sum, 1, 1);
    run("first beat, in turn");
    first_beats(`FIRST);
    gaps = 0;
    clear;
    for (q = 0; q < P; q = q + 1) gather_step(q, 1, 3, 1'b0);
    run("first beat, all-gather");
    first_beats(`FIRST);
    for (q = 0; q < P; q = q + 1) if (left[q] - arrived[q] != P - 1)
      fail("cycles of 4 steps", q, left[q] - arrived[q], P - 1);
    clear;

    // Pauses everywhere; the second time of m_axis_vc_ready too.
    gaps = 1;
    for (stalls = 1; stalls <= 2; stalls = stalls + 1) begin
      all_reduce(Sum, 1, 9);
      all_gather(1, 6);
      all_reduce(Sum, 3, 0);
      all_reduce(Sum, 1, 1);
      all_gather(2, 0);
      all_gather(2, 17);
      for (q = 0; q < P; q = q + 1) gather_step(q, 1, 8, 1'b1);
      all_reduce(Sum, 4, 20);
      all_gather(3, 33);
      run("pauses");
      idle_status;
      clear;
    end
    stalls = 0;
    gaps = 0;

    // "Every port moves a beat a cycle. Nothing is lost between packets, steps, collectives, or descriptors."
    all_reduce(Sum, 4, 1);
    all_gather(1, 1);
    all_reduce(Sum, 1, 1);
    all_gather(2, 13);
    all_reduce(Sum, 2, 30);
    all_gather(1, 40);
    run("full rate");
    for (q = 0; q < P; q = q + 1)
      if (left[q] - arrived[q] != want_tail[q] - 1)
        fail("cycles of all beats", q, left[q] - arrived[q], want_tail[q] - 1);
    clear;

    // In the middle of an all-gather.
    gather_step(0, 1, 9, 1'b0);
    gather_step(1, 2, 4, 1'b0);
    run("half a gather");
    read(Desc + Stride + 13'h04, {16'd2, 16'h0005});             // step 2, busy, enabled
    axil_write(Desc + Stride, 32'h0, 4'hf, Slverr);
    gather_step(2, 1, 5, 1'b0);
    gather_step(3, 1, 1, 1'b0);
    run("the other half");
    idle_status;
    clear;

    // Other operations.
    for (t = Min; t <= Max; t = t + 1) begin
      phase = "operation";
      write(Desc, 32'h0);
      describe(AR, 0, t, EpochAr);
      all_reduce(t, 2, 5);
      all_gather(1, 5);
      run("minimum, maximum");
      clear;
    end
    phase = "operation";
    write(Desc, 32'h0);
    describe(AR, 0, Sum, EpochAr);

    // Three of the four gather: three steps.
    write(Desc + Stride, 32'h0);
    members = 4'hd;
    describe(AG, 3, Sum, EpochAg);
    all_gather(1, 6);
    all_reduce(Sum, 1, 4);
    all_gather(2, 3);
    all_gather(1, 0);
    run("three gather");
    idle_status;
    clear;
    phase = "four again";
    write(Desc + Stride, 32'h0);
    members = 4'hf;
    describe(AG, 3, Sum, EpochAg);

    // A stale beat is dropped and reported, and nothing else changes.
    phase = "epoch";
    put(2, {1'b1, EpochAr ^ 4'd1, 1'(AR), 1'b1, 4'hf, 32'hdeadbeef});
    go = 1'b1;
    repeat (20) @(posedge clk);
    #1 read(Error, 32'h4);
    write(Error, 32'h4);
    all_reduce(Sum, 1, 3);
    run("after a stale beat");
    clear;

    // A beat to a descriptor that is not enabled waits.
    phase = "unknown";
    write(Desc, 32'h0);
    all_reduce(Sum, 1, 1);
    go = 1'b1;
    repeat (20) @(posedge clk);
    #1 read(Error, 32'h8);
    axil_read(Port + 13'd4, Okay);
    if (got[23:16] !== 8'(AR) || got[4] !== 1'b1 || got[0] !== 1'b1) fail("PORT of a held head", 1, got, 32'h19);
    write(Desc, 32'h1);
    write(Error, 32'h8);
    run("enabled at last");
    clear;

    // Operands that differ halt the descriptor; reset recovers.
    phase = "mismatch";
    for (q = 0; q < P; q = q + 1) put(q, {q != 1, EpochAr, 1'(AR), 1'b1, 4'hf, 32'd1});
    go = 1'b1;
    repeat (30) @(posedge clk);
    #1 read(Error, 32'h2);
    axil_read(Desc + 13'h04, Okay);
    if (got[1:0] !== 2'b11) fail("STATUS of a halted descriptor", 0, got[1:0], 2'b11);
    go = 1'b0;
    reset;
    phase = "after reset";
    read(Error, 32'h0);
    read(Desc, 32'h0);
    read(Desc + Stride, 32'h0);
    describe(AR, 0, Sum, EpochAr);
    describe(AG, 3, Sum, EpochAg);
    stalls = 1;
    gaps = 1;
    all_gather(1, 10);
    all_reduce(Sum, 2, 6);
    run("after reset");
    idle_status;

    if (checked < 1000) fail("number of checked beats", 0, checked, 1000);
    $display("%0d beats checked in %0d cycles", checked, cycle);
    finish;
  end
endmodule

`default_nettype wire
