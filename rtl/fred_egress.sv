// SPDX-License-Identifier: Apache-2.0
// Egress buffers of one port, one a virtual circuit: FIFOs in one memory, which the network's beats pass by when
// nothing that goes first is stored and the sink is ready.
//
//   network --+--> FIFO of the beat's circuit --> choice --+--> m_axis
//             +-------------------- bypass ----------------+
//
// The control unit takes a place when it launches a beat (fred_egress_vc), so a beat that arrives always finds room
// and the network needs no back-pressure. Of the stored beats that may go in the next cycle one is chosen in this one:
// an urgent one, else by the order of the circuits. A beat that arrives passes it if its circuit has nothing stored and
// goes before the chosen one's.
//
// A packet that an abort cuts short is ended by a null beat with the error bit (fred_egress_vc).
// With Packets = 1 a packet is offered once all of it is here and then goes to its end before another circuit's.
//
// Limits: a place is held for L + 3 cycles by a beat that leaves at once: full rate needs Depth >= L + 3.
`default_nettype none

module fred_egress #(
  parameter int Vcs     = 1,                        // V, virtual circuits
  parameter int Circuits = Vcs,                     // C, to the control unit: V or more; those beyond V are not there
  parameter int Width   = 32,                       // bits of tdata, a multiple of 8
  parameter int StepW   = 3,                        // bits of a port number or step
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int DescW   = 3,                        // bits of a descriptor index
  parameter int DestW   = DescW,                    // bits of tdest
  parameter int Depth   = 9,                        // beats held a circuit, 2 or more
  parameter int Packets = 0,                        // 1: whole packets, see above
  localparam int VcW    = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int Bytes  = Width / 8,
  localparam int CountW = $clog2(Bytes + 1),
  localparam int UserW  = 6 + StepW,
  localparam int SideW  = CountW + 1 + UserW + DestW
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic [Vcs*Vcs-1:0] vc_before_i,      // [v*Vcs + w]: circuit w goes before circuit v
  input  wire logic [15:0]        bound_i,          // beats of others that may pass one

  input  wire logic [Vcs-1:0]     take_i,           // a beat for this port is launched
  output logic      [Circuits-1:0] space_o,          // a beat may be launched
  input  wire logic [Descriptors-1:0] close_i,      // close the open packets of these descriptors
  output logic      [Circuits-1:0] closed_o,         // a packet has been closed
  output logic      [Circuits*DescW-1:0] owner_o,        // descriptor of the packet that came last

  input  wire logic               net_valid_i,      // a beat leaves the network
  input  wire logic [VcW-1:0]     net_vc_i,
  input  wire logic [DescW-1:0]   net_desc_i,       // descriptor here
  input  wire logic [Width-1:0]   net_data_i,
  input  wire logic [SideW-1:0]   net_side_i,       // {tdest, tuser, tlast, byte count}
  input  wire logic               net_error_i,      // to be marked with the error bit

  output logic                    m_axis_tvalid,
  input  wire logic               m_axis_tready,
  output logic      [Width-1:0]   m_axis_tdata,
  output logic      [Bytes-1:0]   m_axis_tkeep,
  output logic                    m_axis_tlast,
  output logic      [VcW-1:0]     m_axis_tid,
  output logic      [DestW-1:0]   m_axis_tdest,
  output logic      [UserW-1:0]   m_axis_tuser,
  input  wire logic [Vcs-1:0]     m_axis_vc_ready
);

  localparam int AddrW    = $clog2(Vcs * Depth);
  localparam int ErrorBit = 5;                      // of tuser
  logic [Vcs-1:0]       arriving, stored, stored_next, urgent, nulls, spoiled, now, push, pop, leave_vc;
  logic [Vcs*AddrW-1:0] waddrs, raddrs;
  logic                 leave, tick, bypass, is_null, error;
  if (Vcs > 1) begin : g_arriving
    logic [Vcs-1:0] of_vc;
    fred_onehot #(.Count(Vcs), .IndexW(VcW)) u_of_vc (.index_i(net_vc_i), .onehot_o(of_vc));
    assign arriving = of_vc & {Vcs{net_valid_i}};
  end else begin : g_one_arriving
    logic unused_vc;
    assign unused_vc = net_vc_i;
    assign arriving  = net_valid_i;
  end
  assign leave    = m_axis_tvalid & m_axis_tready;
  assign leave_vc = now & {Vcs{leave}};
  assign pop      = leave_vc & stored;
  assign push     = arriving & ~(leave_vc & ~stored);
  logic [AddrW-1:0] waddr, raddr;
  logic [Width-1:0] fifo_data;
  logic [SideW-1:0] fifo_side, side, net_side;
  logic [CountW-1:0] count;
  logic [Vcs-1:0]   chosen_q;
  assign error    = net_error_i | (|(arriving & spoiled));
  assign net_side = net_side_i | SideW'(error) << (CountW + 1 + ErrorBit);
  for (genvar v = 0; v < Vcs; v++) begin : g_vc
    fred_egress_vc #(
      .Depth(Depth), .Base(v * Depth), .AddrW(AddrW), .Descriptors(Descriptors), .DescW(DescW), .Packets(Packets)
    ) u_vc (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .take_i        (take_i[v]),
      .space_o       (space_o[v]),
      .arrive_i      (arriving[v]),
      .arrive_last_i (net_side[CountW]),
      .arrive_error_i(net_error_i),
      .arrive_desc_i (net_desc_i),
      .push_i        (push[v]),
      .leave_i       (leave_vc[v]),
      .pop_i         (pop[v]),
      .pop_last_i    (fifo_side[CountW] | is_null),
      .tick_i        (tick),
      .close_i       (close_i),
      .closed_o      (closed_o[v]),
      .owner_o       (owner_o[v*DescW +: DescW]),
      .null_o        (nulls[v]),
      .spoiled_o     (spoiled[v]),
      .stored_o      (stored[v]),
      .stored_next_o (stored_next[v]),
      .urgent_o      (urgent[v]),
      .waddr_o       (waddrs[v*AddrW +: AddrW]),
      .raddr_o       (raddrs[v*AddrW +: AddrW])
    );
  end

  if (Circuits > Vcs) begin : g_no_circuits
    localparam int N = Circuits - Vcs;
    assign space_o[Vcs +: N]             = '0;
    assign closed_o[Vcs +: N]            = '0;
    assign owner_o[Vcs*DescW +: N*DescW] = '0;
  end

  // ---- Memory. ----
  if (Vcs > 1) begin : g_addr
    fred_select #(.Width(AddrW), .Count(Vcs)) u_waddr (.select_i(arriving), .data_i(waddrs), .data_o(waddr));
    fred_select #(.Width(AddrW), .Count(Vcs)) u_raddr (.select_i(chosen_q), .data_i(raddrs), .data_o(raddr));
  end else begin : g_one_addr
    assign waddr = waddrs;
    assign raddr = raddrs;
  end
  fred_ram_async #(.Width(Width + SideW), .Depth(Vcs * Depth)) u_fifo (
    .clk_i   (clk_i),
    .we_i    (net_valid_i),
    .waddr_i (waddr),
    .wdata_i ({net_side, net_data_i}),
    .raddr_i (raddr),
    .rdata_o ({fifo_side, fifo_data})
  );

  // ---- The choice. A beat is first offered only after a cycle with its circuit's vc_ready, then held. ----
  logic [Vcs-1:0] vc_ready_q, may_go, favoured, best, locked;
  logic           holding_q;
  assign may_go   = stored_next & m_axis_vc_ready & locked;
  assign favoured = |(may_go & urgent & ~leave_vc) ? may_go & urgent & ~leave_vc : may_go;
  for (genvar v = 0; v < Vcs; v++) begin : g_best
    assign best[v] = favoured[v] & ~|(favoured & vc_before_i[v*Vcs +: Vcs]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      holding_q  <= 1'b0;
      vc_ready_q <= '0;
      chosen_q   <= '0;
    end else begin
      holding_q  <= m_axis_tvalid & ~m_axis_tready;
      vc_ready_q <= m_axis_vc_ready;
      chosen_q   <= m_axis_tvalid & ~m_axis_tready ? now : best;
    end
  end

  // ---- Past the memory. ----
  if (Packets != 0) begin : g_packets
    logic [Vcs-1:0] lock_q, lock_d;                 // the circuit whose packet has begun; none: 0
    logic           unused_bypass;
    assign unused_bypass = ^{vc_ready_q, holding_q};
    assign lock_d = leave ? (m_axis_tlast ? '0 : now) : lock_q;
    assign locked = |lock_d ? lock_d : '1;
    assign bypass = 1'b0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) lock_q <= '0;
      else lock_q <= lock_d;
    end
  end else begin : g_beats
    logic [Vcs-1:0] first;                          // circuits that go before the chosen one
    assign locked = '1;
    for (genvar v = 0; v < Vcs; v++) begin : g_first
      assign first[v] = (chosen_q == '0) | ((|(chosen_q & ~vc_before_i[v*Vcs +: Vcs])) & ~|(chosen_q & urgent));
    end
    assign bypass = |(arriving & vc_ready_q & ~stored & first) & ~holding_q;
  end

  assign now           = bypass ? arriving : chosen_q;
  assign m_axis_tvalid = bypass | (|chosen_q);
  assign m_axis_tdata  = bypass ? net_data_i : fifo_data;
  assign side          = bypass ? net_side : fifo_side;
  assign is_null       = ~bypass & |(chosen_q & nulls);
  assign count         = side[CountW-1:0] & {CountW{~is_null}};
  for (genvar i = 0; i < Bytes; i++) begin : g_keep
    assign m_axis_tkeep[i] = count > CountW'(i);
  end
  assign m_axis_tlast  = side[CountW] | is_null;
  assign m_axis_tuser  = side[CountW+1 +: UserW] | UserW'(is_null) << ErrorBit;
  assign m_axis_tdest  = side[CountW+1+UserW +: DestW];

  // ---- Which circuit it is, and how many beats have gone. ----
  if (Vcs > 1) begin : g_many
    logic [Vcs*VcW-1:0] numbers;
    logic [14:0]        passed_q;
    logic               unused_bound;
    for (genvar v = 0; v < Vcs; v++) begin : g_number
      assign numbers[v*VcW +: VcW] = VcW'(v);
    end
    fred_select #(.Width(VcW), .Count(Vcs)) u_tid (.select_i(now), .data_i(numbers), .data_o(m_axis_tid));
    assign tick         = leave & (passed_q == 15'd0);
    assign unused_bound = bound_i[0];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) passed_q <= '0;
      else if (leave) passed_q <= passed_q == 15'd0 ? bound_i[15:1] - 15'd1 : passed_q - 15'd1;
    end
  end else begin : g_one
    logic unused_bound;
    assign unused_bound = ^bound_i;
    assign m_axis_tid   = 1'b0;
    assign tick         = 1'b0;
  end

endmodule

`default_nettype wire
