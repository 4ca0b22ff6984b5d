// SPDX-License-Identifier: Apache-2.0
// Egress buffer of one port: a FIFO that the network's beats pass by when it is empty and the sink is ready.
//
// The control unit takes a place (`take_i`) when it launches a beat to this port; the place is free again once the beat
// has left. So a beat that arrives always finds room and the network needs no back-pressure. `space_o` says whether a
// place is free, from the cycle after the take that used the last one.
//
// Limits: one virtual circuit. A place is held for L + 3 cycles by a beat that leaves at once: full rate needs Depth >= L + 3.
`default_nettype none

module fred_egress #(
  parameter int Width = 32,                         // bits of tdata, a multiple of 8
  parameter int PortW = 3,                          // bits of a port number or step
  parameter int DescW = 3,                          // bits of tdest
  parameter int Depth = 9,                          // beats held, 2 or more
  localparam int Bytes  = Width / 8,
  localparam int CountW = $clog2(Bytes + 1),
  localparam int UserW  = 6 + PortW,
  localparam int SideW  = CountW + 1 + UserW + DescW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              take_i,            // a beat for this port is launched
  output logic                   space_o,           // a beat may be launched

  input  wire logic              net_valid_i,       // a beat leaves the network
  input  wire logic [Width-1:0]  net_data_i,
  input  wire logic [SideW-1:0]  net_side_i,        // {descriptor, tuser, tlast, byte count}

  output logic                   m_axis_tvalid,
  input  wire logic              m_axis_tready,
  output logic      [Width-1:0]  m_axis_tdata,
  output logic      [Bytes-1:0]  m_axis_tkeep,
  output logic                   m_axis_tlast,
  output logic                   m_axis_tid,
  output logic      [DescW-1:0]  m_axis_tdest,
  output logic      [UserW-1:0]  m_axis_tuser,
  input  wire logic              m_axis_vc_ready
);

`ifndef __ICARUS__
  if (Depth < 2) begin : g_check_depth
    $error("fred_egress: Depth must be 2 or more");
  end
`endif

  localparam int AddrW = $clog2(Depth);
  localparam int FillW = $clog2(Depth + 1);

  // ---- Places. take_i is the last to come: it chooses between results that are there. ----
  logic             leave;
  logic [FillW-1:0] free_q, kept, taken;
  assign kept  = free_q + FillW'(leave);
  assign taken = kept - FillW'(1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_q  <= FillW'(Depth);
      space_o <= 1'b1;
    end else begin
      free_q  <= take_i ? taken : kept;
      space_o <= take_i ? taken != '0 : kept != '0;
    end
  end

  // ---- FIFO with a way around it. ----
  logic             stored, push, pop;
  logic [AddrW-1:0] wptr_q, rptr_q;
  logic [FillW-1:0] fill_q;
  logic [Width-1:0] fifo_data;
  logic [SideW-1:0] fifo_side, side;
  assign stored = fill_q != '0;
  assign leave  = m_axis_tvalid & m_axis_tready;
  assign pop    = leave & stored;
  assign push   = net_valid_i & ~(leave & ~stored);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q <= '0;
      rptr_q <= '0;
      fill_q <= '0;
    end else begin
      if (push) wptr_q <= (wptr_q == AddrW'(Depth - 1)) ? '0 : wptr_q + AddrW'(1);
      if (pop)  rptr_q <= (rptr_q == AddrW'(Depth - 1)) ? '0 : rptr_q + AddrW'(1);
      fill_q <= fill_q + FillW'(push) - FillW'(pop);
    end
  end
  fred_ram_async #(.Width(Width + SideW), .Depth(Depth)) u_fifo (
    .clk_i   (clk_i),
    .we_i    (push),
    .waddr_i (wptr_q),
    .wdata_i ({net_side_i, net_data_i}),
    .raddr_i (rptr_q),
    .rdata_o ({fifo_side, fifo_data})
  );

  // ---- A beat is first offered only after a cycle with vc_ready, then held. ----
  logic holding_q, vc_ready_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      holding_q  <= 1'b0;
      vc_ready_q <= 1'b0;
    end else begin
      holding_q  <= m_axis_tvalid & ~m_axis_tready;
      vc_ready_q <= m_axis_vc_ready;
    end
  end

  assign m_axis_tvalid = (stored | net_valid_i) & (holding_q | vc_ready_q);
  assign m_axis_tdata  = stored ? fifo_data : net_data_i;
  assign side          = stored ? fifo_side : net_side_i;
  for (genvar i = 0; i < Bytes; i++) begin : g_keep
    assign m_axis_tkeep[i] = side[CountW-1:0] > CountW'(i);
  end
  assign m_axis_tlast  = side[CountW];
  assign m_axis_tuser  = side[CountW+1 +: UserW];
  assign m_axis_tdest  = side[CountW+1+UserW +: DescW];
  assign m_axis_tid    = 1'b0;

endmodule

`default_nettype wire
