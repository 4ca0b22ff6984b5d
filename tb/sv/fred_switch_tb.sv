// SPDX-License-Identifier: Apache-2.0
// A self-checking testbench of a FRED switch. It sets up groups over AXI4-Lite, sends the packets of their collectives
// into every port, and compares every beat that comes out with what the generator's golden model expects. What it sends
// and expects is in files; the numbers of this switch are in fred_switch_tb_pkg.sv; this file is the same for all.
//
//   program.hex ──> register accesses, and when to run which phase
//
//   send.hex ──> source of port 0 ──> s_axis ┌────────┐ m_axis ──> sink and check of port 0 <── expect.hex
//                source of port 1 ──>        │ switch │        ──> sink and check of port 1
//                ...                         └────────┘        ...
//
// One process does everything, once a cycle at the falling edge of the clock: no output of the switch depends on an
// input but over a register, so what the outputs are then, and what the inputs are made then, is what the next rising
// edge takes. Stalls are by a random generator of its own: a seed gives the same stimulus in every simulator. A cycle
// is 10 units of time, whatever the simulator takes for one.
//
// Options, after the name of the simulation:
//   +vectors=DIR   folder of the .hex files; "tb/vectors"
//   +seed=N        of the stalls; 1
//   +stall=N       per cent of the cycles, on average, in which a port does not send, does not take, or holds a virtual
//                  circuit back, 0..47; each port has its own rate in each phase. 0: full rate. 25
//   +timeout=N     ends with FAIL when nothing has moved for N cycles; 5000
//   +trace=FILE    writes the waveforms of all signals, as VCD
//
// Limits: stimulus without errors, but for register accesses that must be refused. The switch is never reset between
// phases.
`default_nettype none

module fred_switch_tb;
  import fred_switch_tb_pkg::*;

  localparam int BeatBytes = Width / 8;
  localparam int MaxMessages = 10;   // of differences that are told one by one
  localparam int DrainCycles = 64;   // after the last beat of a phase, in which no other may come

  // ------------------------------------------------------------------------------------------------------- the switch
  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic drive = 1'b0;  // its rising edge changes the pins
  initial forever begin
    #4 clk = 1'b1;
    drive = 1'b0;
    #4 clk = 1'b0;
    #2 drive = 1'b1;
  end

  logic [Ports-1:0]           s_axis_tvalid = '0;
  logic [Ports-1:0]           s_axis_tready;
  logic [Ports*Width-1:0]     s_axis_tdata = '0;
  logic [Ports*BeatBytes-1:0] s_axis_tkeep = '0;
  logic [Ports-1:0]           s_axis_tlast = '0;
  logic [Ports*IdBits-1:0]    s_axis_tid = '0;
  logic [Ports*DestBits-1:0]  s_axis_tdest = '0;
  logic [Ports*SUserBits-1:0] s_axis_tuser = '0;
  logic [Ports*Vcs-1:0]       s_axis_vc_ready;

  logic [Ports-1:0]           m_axis_tvalid;
  logic [Ports-1:0]           m_axis_tready = '0;
  logic [Ports*Width-1:0]     m_axis_tdata;
  logic [Ports*BeatBytes-1:0] m_axis_tkeep;
  logic [Ports-1:0]           m_axis_tlast;
  logic [Ports*IdBits-1:0]    m_axis_tid;
  logic [Ports*DestBits-1:0]  m_axis_tdest;
  logic [Ports*MUserBits-1:0] m_axis_tuser;
  logic [Ports*Vcs-1:0]       m_axis_vc_ready = '0;

  logic                   s_axil_awvalid = 1'b0;
  logic                   s_axil_awready;
  logic [AddressBits-1:0] s_axil_awaddr = '0;
  logic                   s_axil_wvalid = 1'b0;
  logic                   s_axil_wready;
  logic [31:0]            s_axil_wdata = '0;
  logic [3:0]             s_axil_wstrb = 4'hf;
  logic                   s_axil_bvalid;
  logic                   s_axil_bready = 1'b0;
  logic [1:0]             s_axil_bresp;
  logic                   s_axil_arvalid = 1'b0;
  logic                   s_axil_arready;
  logic [AddressBits-1:0] s_axil_araddr = '0;
  logic                   s_axil_rvalid;
  logic                   s_axil_rready = 1'b0;
  logic [31:0]            s_axil_rdata;
  logic [1:0]             s_axil_rresp;
  logic                   unused_irq;

  fred_switch dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tdata(s_axis_tdata),
    .s_axis_tkeep(s_axis_tkeep),
    .s_axis_tlast(s_axis_tlast),
    .s_axis_tid(s_axis_tid),
    .s_axis_tdest(s_axis_tdest),
    .s_axis_tuser(s_axis_tuser),
    .s_axis_vc_ready(s_axis_vc_ready),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tready(m_axis_tready),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tlast(m_axis_tlast),
    .m_axis_tid(m_axis_tid),
    .m_axis_tdest(m_axis_tdest),
    .m_axis_tuser(m_axis_tuser),
    .m_axis_vc_ready(m_axis_vc_ready),
    .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready),
    .s_axil_awaddr(s_axil_awaddr),
    .s_axil_wvalid(s_axil_wvalid),
    .s_axil_wready(s_axil_wready),
    .s_axil_wdata(s_axil_wdata),
    .s_axil_wstrb(s_axil_wstrb),
    .s_axil_bvalid(s_axil_bvalid),
    .s_axil_bready(s_axil_bready),
    .s_axil_bresp(s_axil_bresp),
    .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready),
    .s_axil_araddr(s_axil_araddr),
    .s_axil_rvalid(s_axil_rvalid),
    .s_axil_rready(s_axil_rready),
    .s_axil_rdata(s_axil_rdata),
    .s_axil_rresp(s_axil_rresp),
    .irq_o(unused_irq)
  );

  // What the pins will be, worked out at the falling edge of clk; they change a little later, together.
  logic [Ports-1:0]           next_tvalid = '0;
  logic [Ports*Width-1:0]     next_tdata = '0;
  logic [Ports*BeatBytes-1:0] next_tkeep = '0;
  logic [Ports-1:0]           next_tlast = '0;
  logic [Ports*IdBits-1:0]    next_tid = '0;
  logic [Ports*DestBits-1:0]  next_tdest = '0;
  logic [Ports*SUserBits-1:0] next_tuser = '0;
  logic [Ports-1:0]           next_tready = '0;
  logic [Ports*Vcs-1:0]       next_vc_ready = '0;
  logic                       next_awvalid = 1'b0;
  logic [AddressBits-1:0]     next_awaddr = '0;
  logic                       next_wvalid = 1'b0;
  logic [31:0]                next_wdata = '0;
  logic                       next_bready = 1'b0;
  logic                       next_arvalid = 1'b0;
  logic [AddressBits-1:0]     next_araddr = '0;
  logic                       next_rready = 1'b0;
  always_ff @(posedge drive) begin
    s_axis_tvalid <= next_tvalid;
    s_axis_tdata <= next_tdata;
    s_axis_tkeep <= next_tkeep;
    s_axis_tlast <= next_tlast;
    s_axis_tid <= next_tid;
    s_axis_tdest <= next_tdest;
    s_axis_tuser <= next_tuser;
    m_axis_tready <= next_tready;
    m_axis_vc_ready <= next_vc_ready;
    s_axil_awvalid <= next_awvalid;
    s_axil_awaddr <= next_awaddr;
    s_axil_wvalid <= next_wvalid;
    s_axil_wdata <= next_wdata;
    s_axil_bready <= next_bready;
    s_axil_arvalid <= next_arvalid;
    s_axil_araddr <= next_araddr;
    s_axil_rready <= next_rready;
  end

  // ------------------------------------------------------------------------------------------------------ the vectors
  // Fields are whole hexadecimal digits, so that the files can be read by people too.
  localparam int IdDigits = 4 * ((IdBits + 3) / 4);
  localparam int DestDigits = 4 * ((DestBits + 3) / 4);
  localparam int SUserDigits = 4 * ((SUserBits + 3) / 4);
  localparam int MUserDigits = 4 * ((MUserBits + 3) / 4);
  localparam int KeepDigits = 4 * ((BeatBytes + 3) / 4);

  typedef struct packed {
    logic [SUserDigits-1:0] user;
    logic [DestDigits-1:0]  dest;
    logic [IdDigits-1:0]    id;
    logic [3:0]             last;
    logic [KeepDigits-1:0]  keep;
    logic [Width-1:0]       data;
  } send_t;

  typedef struct packed {
    logic [MUserDigits-1:0] user;
    logic [DestDigits-1:0]  dest;
    logic [IdDigits-1:0]    id;
    logic [3:0]             last;
    logic [KeepDigits-1:0]  keep;
    logic [Width-1:0]       data;
  } expect_t;

  // The packets of a descriptor come to a port in order, and so each of its queues; packets of different queues may
  // come in any order. Those of a `send` are in order for each source only: there a queue is of one source.
  typedef struct packed {
    logic [3:0]  by_source;  // 1: of the source port below only
    logic [11:0] source;
    logic [7:0]  dest;       // descriptor
  } queue_t;

  // Register accesses and phases, in order.
  typedef struct packed {
    logic [3:0]  action;
    logic [31:0] address;  // RunPhase: 1 if sources offer beats without waiting for s_axis_vc_ready
    logic [31:0] data;     // written or expected; RunPhase: number of the phase
  } step_t;
  localparam logic [3:0] Write = 4'd0;         // answers OKAY
  localparam logic [3:0] WriteRefused = 4'd1;  // answers SLVERR
  localparam logic [3:0] Read = 4'd2;          // answers OKAY and `data`
  localparam logic [3:0] ReadRefused = 4'd3;   // answers SLVERR
  localparam logic [3:0] RunPhase = 4'd4;
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlvErr = 2'b10;

  logic [$bits(step_t)-1:0]   steps [0:Steps-1];
  logic [$bits(send_t)-1:0]   send_beats [0:SendBeats-1];      // by phase, port, VC
  logic [31:0]                send_first [0:Phases*Ports*Vcs];  // first of send_beats by phase, port, VC
  logic [$bits(expect_t)-1:0] expect_beats [0:ExpectBeats-1];  // by queue
  logic [$bits(queue_t)-1:0]  queues [0:Queues-1];             // by phase, port
  logic [31:0]                queue_beats [0:Queues];          // first of expect_beats by queue
  logic [31:0]                queue_first [0:Phases*Ports];    // first of queues by phase, port

  // ------------------------------------------------------------------------------------------------------ the options
  string vectors;
  string trace;
  int    seed;
  int    stall;
  int    timeout;

  task read_options;
    begin
      if (!$value$plusargs("vectors=%s", vectors)) vectors = "tb/vectors";
      if (!$value$plusargs("seed=%d", seed)) seed = 1;
      if (!$value$plusargs("stall=%d", stall)) stall = 25;
      if (!$value$plusargs("timeout=%d", timeout)) timeout = 5000;
      if ($value$plusargs("trace=%s", trace)) begin
        $dumpfile(trace);
        $dumpvars(0, fred_switch_tb);
      end
      if (stall < 0 || stall > 47) begin
        $display("FAIL: +stall=%0d: allowed are 0..47", stall);
        quit;
      end
      if (timeout < 100) begin
        $display("FAIL: +timeout=%0d: allowed are 100 and more", timeout);
        quit;
      end
    end
  endtask

  task read_vectors;
    begin
      $readmemh({vectors, "/program.hex"}, steps);
      $readmemh({vectors, "/send.hex"}, send_beats);
      $readmemh({vectors, "/send_first.hex"}, send_first);
      $readmemh({vectors, "/expect.hex"}, expect_beats);
      $readmemh({vectors, "/queues.hex"}, queues);
      $readmemh({vectors, "/queue_beats.hex"}, queue_beats);
      $readmemh({vectors, "/queue_first.hex"}, queue_first);
      if (send_first[Phases*Ports*Vcs] !== SendBeats || queue_beats[Queues] !== ExpectBeats ||
          queue_first[Phases*Ports] !== Queues) begin
        $display("FAIL: %0s: not there, or not of this testbench; +vectors=DIR names another folder", vectors);
        quit;
      end
    end
  endtask

  // ----------------------------------------------------------------------------------------------------- book-keeping
  int cycle = 0;        // since the start
  int phase = -1;       // -1: before the first
  int failures = 0;
  int beats_in = 0;     // accepted by the switch
  int beats_out = 0;    // checked
  int to_send = 0;      // beats of this phase that have not been accepted
  int to_receive = 0;   // beats of this phase that have not come
  int idle = 0;         // cycles in which nothing has moved
  bit running = 1'b0;   // sources may offer beats

  bit over = 1'b0;      // the end has been told
  task quit;
    begin
      over = 1'b1;
      $fatal(1, "the testbench has failed");
    end
  endtask

  // Counts a failure and begins its message; the caller goes on with it if `tell` is set.
  bit tell;
  task fail;
    begin
      tell = failures < MaxMessages;
      failures = failures + 1;
      if (tell) $write("cycle %0d, phase %0d, ", cycle, phase);
    end
  endtask

  task finish;
    begin
      if (failures == 0 && beats_out == ExpectBeats) begin
        $display("PASS: %0d beats in, %0d beats out in %0d cycles; %0d phases, seed %0d, stalls %0d %%", beats_in,
                 beats_out, cycle, Phases, seed, stall);
        over = 1'b1;
        $finish;
      end else begin
        $display("FAIL: %0d differences; %0d of %0d beats checked in %0d cycles; seed %0d, stalls %0d %%", failures,
                 beats_out, ExpectBeats, cycle, seed, stall);
        quit;
      end
    end
  endtask

  // xorshift32 (Marsaglia 2003). True with a probability of `percent`. To be called in a statement of its own: whether
  // a simulator calls the functions of an expression whose value is already known is up to it.
  logic [31:0] random;
  function [31:0] below(input int bound);
    begin
      random = random ^ (random << 13);
      random = random ^ (random >> 17);
      random = random ^ (random << 5);
      below = (random >> 4) % bound;
    end
  endfunction
  function chance(input int percent);
    chance = below(100) < percent;
  endfunction

  // ---------------------------------------------------------------------------------------------------------- sources
  int               source_next [0:Ports*Vcs-1];  // next beat to be offered, by port and VC
  int               source_end [0:Ports*Vcs-1];   // behind the last of this phase
  int               source_start [0:Ports-1];     // first cycle with an offer
  int               source_stall [0:Ports-1];     // per cent
  bit               eager;                        // sources do not wait for s_axis_vc_ready
  logic [Ports-1:0] source_done = '0;             // the beat at the pins was accepted by the last rising edge
  logic [Ports*Vcs-1:0] vc_ready_before = '0;     // s_axis_vc_ready of the cycle before

  // Offers the next beat of a VC, any that has one and may, or holds the beat that is offered.
  int    source_vc;
  int    source_i;
  bit    source_stalls;
  bit    source_new;
  send_t to_offer;
  task source(input int p);
    begin
      if (source_done[p]) begin
        // What stands beside a low tvalid must not matter: something that hurts if it does.
        next_tvalid[p] = 1'b0;
        next_tdata[p*Width +: Width] = ~next_tdata[p*Width +: Width];
        next_tlast[p] = 1'b1;
        next_tid[p*IdBits +: IdBits] = '1;
        next_tdest[p*DestBits +: DestBits] = '1;
        next_tuser[p*SUserBits +: SUserBits] = '1;
      end
      source_new = 1'b0;
      if (!next_tvalid[p] && running) begin
        source_stalls = chance(source_stall[p]);
        source_vc = below(Vcs);
        for (source_i = 0; source_i < Vcs && !source_new; source_i = source_i + 1) begin
          source_vc = source_vc == Vcs - 1 ? 0 : source_vc + 1;
          source_new = !source_stalls && cycle >= source_start[p] &&
                       source_next[p*Vcs + source_vc] != source_end[p*Vcs + source_vc] &&
                       (eager || vc_ready_before[p*Vcs + source_vc]);
        end
      end
      if (source_new) begin
        to_offer = send_beats[source_next[p*Vcs + source_vc]];
        source_next[p*Vcs + source_vc] = source_next[p*Vcs + source_vc] + 1;
        next_tvalid[p] = 1'b1;
        next_tdata[p*Width +: Width] = to_offer.data;
        next_tkeep[p*BeatBytes +: BeatBytes] = BeatBytes'(to_offer.keep);
        next_tlast[p] = 1'(to_offer.last);
        next_tid[p*IdBits +: IdBits] = IdBits'(to_offer.id);
        next_tdest[p*DestBits +: DestBits] = DestBits'(to_offer.dest);
        next_tuser[p*SUserBits +: SUserBits] = SUserBits'(to_offer.user);
        if (!eager && s_axis_tready[p] !== 1'b1) begin
          fail;
          if (tell) $display("port %0d VC %0d: s_axis_vc_ready was set, but the beat is not accepted", p, source_vc);
        end
      end
      source_done[p] = next_tvalid[p] && s_axis_tready[p] === 1'b1;
      if (source_done[p]) begin
        beats_in = beats_in + 1;
        to_send = to_send - 1;
        idle = 0;
      end
    end
  endtask

  // ------------------------------------------------------------------------------------------------- sinks and checks
  int sink_stall [0:Ports-1];        // per cent in which tready is low
  int circuit_stall [0:Ports-1];     // per cent in which a bit of vc_ready is low
  int queue_next [0:Queues-1];       // beat that the queue expects next
  int queue_packet [0:Queues-1];     // number of the packet that it is in
  int queue_beat [0:Queues-1];       // number of the beat in that packet
  int open_queue [0:Ports*Vcs-1];    // of the packet that is open, by port and VC; -1: none
  bit paused [0:Ports*Vcs-1];        // that packet was not offered though vc_ready was set

  // m_axis of the cycle before.
  logic [Ports-1:0]           valid_before = '0;
  logic [Ports-1:0]           ready_before = '0;
  logic [Ports*Width-1:0]     data_before = '0;
  logic [Ports*BeatBytes-1:0] keep_before = '0;
  logic [Ports-1:0]           last_before = '0;
  logic [Ports*IdBits-1:0]    id_before = '0;
  logic [Ports*DestBits-1:0]  dest_before = '0;
  logic [Ports*MUserBits-1:0] user_before = '0;
  logic [Ports*Vcs-1:0]       allowed_before = '0;

  // The rules of the stream.
  int offered_vc;
  task check_stream(input int p);
    begin
      if (m_axis_tvalid[p] !== 1'b0 && m_axis_tvalid[p] !== 1'b1) begin
        fail;
        if (tell) $display("port %0d: m_axis_tvalid is %b", p, m_axis_tvalid[p]);
      end
      if (valid_before[p] && !ready_before[p]) begin
        if (m_axis_tvalid[p] !== 1'b1 ||
            m_axis_tdata[p*Width +: Width] !== data_before[p*Width +: Width] ||
            m_axis_tkeep[p*BeatBytes +: BeatBytes] !== keep_before[p*BeatBytes +: BeatBytes] ||
            m_axis_tlast[p] !== last_before[p] ||
            m_axis_tid[p*IdBits +: IdBits] !== id_before[p*IdBits +: IdBits] ||
            m_axis_tdest[p*DestBits +: DestBits] !== dest_before[p*DestBits +: DestBits] ||
            m_axis_tuser[p*MUserBits +: MUserBits] !== user_before[p*MUserBits +: MUserBits]) begin
          fail;
          if (tell) $display("port %0d: the beat at m_axis changed before it was accepted", p);
        end
      end else if (m_axis_tvalid[p] === 1'b1) begin
        offered_vc = 32'(m_axis_tid[p*IdBits +: IdBits]);
        if (offered_vc < Vcs && !allowed_before[p*Vcs + offered_vc]) begin
          fail;
          if (tell) $display("port %0d VC %0d: a beat is offered after a cycle without next_vc_ready", p, offered_vc);
        end
      end
    end
  endtask

  // The queue of port p whose next packet may be the one that begins at the pins; -1 if there is none.
  int     found;
  int     found_i;
  queue_t candidate;
  task find_queue(input int p);
    begin
      found = -1;
      for (found_i = queue_first[phase*Ports + p]; found_i < queue_first[phase*Ports + p + 1]; found_i = found_i + 1) begin
        candidate = queues[found_i];
        if (found < 0 && candidate.dest === 8'(m_axis_tdest[p*DestBits +: DestBits]) &&
            (candidate.by_source == 4'd0 ||
             candidate.source === 12'(m_axis_tuser[p*MUserBits + 6 +: MUserBits - 6])) &&
            queue_next[found_i] != queue_beats[found_i + 1])
          found = found_i;
      end
    end
  endtask

  // Tells of a field that differs.
  task differ(input string field, input int p, input logic [31:0] expected, input logic [31:0] got);
    begin
      fail;
      if (tell)
        $display("port %0d VC %0d: descriptor %0d, packet %0d, beat %0d: %0s: expected %h, got %h", p, beat_vc,
                 wanted.dest, queue_packet[beat_queue], queue_beat[beat_queue], field, expected, got);
    end
  endtask

  int      beat_vc;
  int      other_vc;
  int      beat_queue;
  int      byte_i;
  bit      data_differs;
  expect_t wanted;
  logic [Width-1:0]     wanted_data;
  logic [BeatBytes-1:0] wanted_keep;
  task check_data(input int p);
    begin
      data_differs = 1'b0;
      if (m_axis_tdata[p*Width +: Width] !== wanted_data) begin
        for (byte_i = 0; byte_i < BeatBytes; byte_i = byte_i + 1) begin
          if (!data_differs && wanted_keep[byte_i] &&
              m_axis_tdata[p*Width + 8*byte_i +: 8] !== wanted_data[8*byte_i +: 8]) begin
            data_differs = 1'b1;
            fail;
            if (tell)
              $display("port %0d VC %0d: descriptor %0d, packet %0d, byte %0d: expected %h, got %h", p, beat_vc,
                       wanted.dest, queue_packet[beat_queue], queue_beat[beat_queue] * BeatBytes + byte_i,
                       wanted_data[8*byte_i +: 8], m_axis_tdata[p*Width + 8*byte_i +: 8]);
          end
        end
      end
    end
  endtask

  // A beat that the next rising edge takes.
  task check_beat(input int p);
    begin
      idle = 0;
      beat_vc = 32'(m_axis_tid[p*IdBits +: IdBits]);
      if (beat_vc >= Vcs) begin
        fail;
        if (tell) $display("port %0d: tid %0d is no virtual circuit", p, beat_vc);
        beat_vc = 0;
      end
      for (other_vc = 0; other_vc < Vcs; other_vc = other_vc + 1) begin
        if (WholePackets != 0 && other_vc != beat_vc && open_queue[p*Vcs + other_vc] >= 0) begin
          fail;
          if (tell) $display("port %0d VC %0d: a beat within a packet of VC %0d", p, beat_vc, other_vc);
        end
      end
      beat_queue = open_queue[p*Vcs + beat_vc];
      if (beat_queue < 0 && running) begin
        find_queue(p);
        beat_queue = found;
      end
      if (beat_queue < 0) begin
        fail;
        if (tell)
          $display("port %0d VC %0d: a beat that nobody waits for: tdest %0d, tuser %h, tkeep %h, tlast %b, tdata %h", p,
                   beat_vc, m_axis_tdest[p*DestBits +: DestBits], m_axis_tuser[p*MUserBits +: MUserBits],
                   m_axis_tkeep[p*BeatBytes +: BeatBytes], m_axis_tlast[p], m_axis_tdata[p*Width +: Width]);
      end else begin
        wanted = expect_beats[queue_next[beat_queue]];
        wanted_data = wanted.data;
        wanted_keep = BeatBytes'(wanted.keep);
        if (m_axis_tid[p*IdBits +: IdBits] !== IdBits'(wanted.id))
          differ("tid", p, 32'(wanted.id), 32'(m_axis_tid[p*IdBits +: IdBits]));
        if (m_axis_tdest[p*DestBits +: DestBits] !== DestBits'(wanted.dest))
          differ("tdest", p, 32'(wanted.dest), 32'(m_axis_tdest[p*DestBits +: DestBits]));
        if (m_axis_tuser[p*MUserBits +: MUserBits] !== MUserBits'(wanted.user))
          differ("tuser", p, 32'(wanted.user), 32'(m_axis_tuser[p*MUserBits +: MUserBits]));
        if (m_axis_tlast[p] !== 1'(wanted.last)) differ("tlast", p, 32'(wanted.last), 32'(m_axis_tlast[p]));
        if (m_axis_tkeep[p*BeatBytes +: BeatBytes] !== wanted_keep)
          differ("tkeep", p, 32'(wanted_keep), 32'(m_axis_tkeep[p*BeatBytes +: BeatBytes]));
        check_data(p);
        beats_out = beats_out + 1;
        to_receive = to_receive - 1;
        queue_next[beat_queue] = queue_next[beat_queue] + 1;
        queue_beat[beat_queue] = queue_beat[beat_queue] + 1;
        open_queue[p*Vcs + beat_vc] = beat_queue;
        if (wanted.last[0]) begin
          if (paused[p*Vcs + beat_vc] && queue_beat[beat_queue] <= WholePackets) begin
            fail;
            if (tell) $display("port %0d VC %0d: a packet of %0d beats pauses", p, beat_vc, queue_beat[beat_queue]);
          end
          paused[p*Vcs + beat_vc] = 1'b0;
          queue_packet[beat_queue] = queue_packet[beat_queue] + 1;
          queue_beat[beat_queue] = 0;
          open_queue[p*Vcs + beat_vc] = -1;
        end
      end
    end
  endtask

  int sink_v;
  bit sink_stalls;
  task sink(input int p);
    begin
      check_stream(p);
      for (sink_v = 0; sink_v < Vcs; sink_v = sink_v + 1) begin
        if (WholePackets != 0 && open_queue[p*Vcs + sink_v] >= 0 && m_axis_tvalid[p] === 1'b0 &&
            allowed_before[p*Vcs + sink_v])
          paused[p*Vcs + sink_v] = 1'b1;
      end
      sink_stalls = chance(sink_stall[p]);
      next_tready[p] = !sink_stalls;
      for (sink_v = 0; sink_v < Vcs; sink_v = sink_v + 1) begin
        sink_stalls = chance(circuit_stall[p]);
        next_vc_ready[p*Vcs + sink_v] = !sink_stalls;
      end
      if (m_axis_tvalid[p] === 1'b1 && next_tready[p]) check_beat(p);
    end
  endtask

  // ------------------------------------------------------------------------------------------------------- time-out
  int     wait_p;
  int     wait_i;
  queue_t wait_queue;
  task give_up;
    begin
      fail;
      $display("time-out: nothing has moved for %0d cycles", timeout);
      for (wait_p = 0; wait_p < Ports && phase >= 0; wait_p = wait_p + 1) begin
        if (next_tvalid[wait_p])
          $display("  port %0d: a beat of descriptor %0d, VC %0d, is offered and not accepted", wait_p,
                   next_tdest[wait_p*DestBits +: DestBits], next_tid[wait_p*IdBits +: IdBits]);
        for (wait_i = 0; wait_i < Vcs; wait_i = wait_i + 1) begin
          if (source_next[wait_p*Vcs + wait_i] != source_end[wait_p*Vcs + wait_i]) begin
            to_offer = send_beats[source_next[wait_p*Vcs + wait_i]];
            $display("  port %0d VC %0d: %0d beats not offered, the next of descriptor %0d; s_axis_vc_ready is %b", wait_p,
                     wait_i, source_end[wait_p*Vcs + wait_i] - source_next[wait_p*Vcs + wait_i], to_offer.dest,
                     s_axis_vc_ready[wait_p*Vcs + wait_i]);
          end
        end
        for (wait_i = queue_first[phase*Ports + wait_p]; wait_i < queue_first[phase*Ports + wait_p + 1];
             wait_i = wait_i + 1) begin
          wait_queue = queues[wait_i];
          if (queue_next[wait_i] != queue_beats[wait_i + 1]) begin
            $write("  port %0d: waits for %0d beats of descriptor %0d, in packet %0d", wait_p,
                   queue_beats[wait_i + 1] - queue_next[wait_i], wait_queue.dest, queue_packet[wait_i]);
            if (wait_queue.by_source != 4'd0) $write(" from port %0d", wait_queue.source);
            $display("");
          end
        end
      end
      finish;
    end
  endtask

  // -------------------------------------------------------------------------------------------------------- registers
  // One access at a time. A write gives address and data at once, the address first, or the data first: in turn.
  bit    accessing = 1'b0;
  int    write_order = 0;  // 0: at once, 1: the address first, 2: the data first
  logic  aw_left = 1'b0;   // to be accepted still
  logic  w_left = 1'b0;
  logic  ar_left = 1'b0;
  step_t now;              // the step of the program that is under way

  task start_access;
    begin
      accessing = 1'b1;
      next_awaddr = AddressBits'(now.address);
      next_araddr = AddressBits'(now.address);
      next_wdata = now.data;
      if (now.action == Write || now.action == WriteRefused) begin
        aw_left = 1'b1;
        w_left = 1'b1;
        next_awvalid = write_order != 2;
        next_wvalid = write_order != 1;
        next_bready = 1'b1;
        write_order = (write_order + 1) % 3;
      end else begin
        ar_left = 1'b1;
        next_arvalid = 1'b1;
        next_rready = 1'b1;
      end
    end
  endtask

  // What the last rising edge took is gone.
  logic aw_done = 1'b0;
  logic w_done = 1'b0;
  logic b_done = 1'b0;
  logic ar_done = 1'b0;
  logic r_done = 1'b0;
  task go_on_with_access;
    begin
      if (aw_done || w_done || b_done || ar_done || r_done) idle = 0;
      if (aw_done) aw_left = 1'b0;
      if (w_done) w_left = 1'b0;
      if (ar_done) ar_left = 1'b0;
      if (b_done) next_bready = 1'b0;
      if (r_done) next_rready = 1'b0;
      next_awvalid = aw_left;
      next_wvalid = w_left;
      next_arvalid = ar_left;
      accessing = next_bready || next_rready;
    end
  endtask

  // What the next rising edge will take.
  logic [1:0] answer;
  task look_at_access;
    begin
      aw_done = next_awvalid && s_axil_awready === 1'b1;
      w_done = next_wvalid && s_axil_wready === 1'b1;
      b_done = next_bready && s_axil_bvalid === 1'b1;
      ar_done = next_arvalid && s_axil_arready === 1'b1;
      r_done = next_rready && s_axil_rvalid === 1'b1;
      answer = now.action == WriteRefused || now.action == ReadRefused ? SlvErr : Okay;
      if (b_done && s_axil_bresp !== answer) begin
        fail;
        if (tell)
          $display("write of %h to register %h: answer %b, expected %b", now.data, now.address, s_axil_bresp, answer);
      end
      if (r_done && s_axil_rresp !== answer) begin
        fail;
        if (tell) $display("read of register %h: answer %b, expected %b", now.address, s_axil_rresp, answer);
      end else if (r_done && answer == Okay && s_axil_rdata !== now.data) begin
        fail;
        if (tell) $display("register %h: expected %h, got %h", now.address, now.data, s_axil_rdata);
      end
    end
  endtask

  // ----------------------------------------------------------------------------------------------------------- phases
  int run_i;
  int drained = 0;  // cycles since the last beat of the phase
  task start_phase;
    begin
      phase = now.data;
      eager = now.address[0];
      for (run_i = 0; run_i < Ports*Vcs; run_i = run_i + 1) begin
        source_next[run_i] = send_first[phase*Ports*Vcs + run_i];
        source_end[run_i] = send_first[phase*Ports*Vcs + run_i + 1];
      end
      for (run_i = queue_first[phase*Ports]; run_i < queue_first[(phase + 1)*Ports]; run_i = run_i + 1) begin
        queue_next[run_i] = queue_beats[run_i];
        queue_packet[run_i] = 0;
        queue_beat[run_i] = 0;
      end
      to_send = send_first[(phase + 1)*Ports*Vcs] - send_first[phase*Ports*Vcs];
      to_receive = queue_beats[queue_first[(phase + 1)*Ports]] - queue_beats[queue_first[phase*Ports]];
      for (run_i = 0; run_i < Ports; run_i = run_i + 1) begin
        source_stall[run_i] = below(2*stall + 1);
        sink_stall[run_i] = below(2*stall + 1);
        circuit_stall[run_i] = below(2*stall + 1);
        source_start[run_i] = stall == 0 ? cycle : cycle + below(32);
      end
      drained = 0;
      running = 1'b1;
    end
  endtask

  task go_on_with_phase;
    begin
      if (to_send == 0 && to_receive == 0) begin
        drained = drained + 1;
        idle = 0;
        if (drained == DrainCycles) running = 1'b0;
      end
    end
  endtask

  // -------------------------------------------------------------------------------------------------------- the clock
  int step_i = 0;
  task next_step;
    begin
      if (step_i == Steps) begin
        finish;
      end else begin
        now = steps[step_i];
        step_i = step_i + 1;
        case (now.action)
          Write, WriteRefused, Read, ReadRefused: start_access;
          RunPhase: start_phase;
          default: begin
            fail;
            $display("step %0d of the program: %h is no action", step_i - 1, now.action);
          end
        endcase
      end
    end
  endtask

  int port_i;
  task advance;
    begin
      cycle = cycle + 1;
      idle = idle + 1;
      if (accessing) go_on_with_access;
      if (running) go_on_with_phase;
      if (!accessing && !running) next_step;
      look_at_access;
      for (port_i = 0; port_i < Ports; port_i = port_i + 1) begin
        source(port_i);
        sink(port_i);
      end
      vc_ready_before = s_axis_vc_ready;
      valid_before = m_axis_tvalid;
      ready_before = next_tready;
      data_before = m_axis_tdata;
      keep_before = m_axis_tkeep;
      last_before = m_axis_tlast;
      id_before = m_axis_tid;
      dest_before = m_axis_tdest;
      user_before = m_axis_tuser;
      allowed_before = next_vc_ready;
      if (idle > timeout && !over) give_up;
    end
  endtask

  task reset_state;
    begin
      random = 32'h9e3779b9 ^ (seed << 8 | seed >> 24);
      if (random == 0) random = 32'h1;
      for (port_i = 0; port_i < Ports; port_i = port_i + 1) begin
        source_stall[port_i] = 0;
        sink_stall[port_i] = 0;
        circuit_stall[port_i] = 0;
      end
      for (port_i = 0; port_i < Ports*Vcs; port_i = port_i + 1) begin
        open_queue[port_i] = -1;
        paused[port_i] = 1'b0;
      end
    end
  endtask

  initial begin
    read_options;
    if (!over) read_vectors;
    reset_state;
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    repeat (4) @(negedge clk);
    forever begin
      @(negedge clk);
      if (!over) advance;
    end
  end
endmodule

`default_nettype wire
