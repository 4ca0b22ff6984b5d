// SPDX-License-Identifier: Apache-2.0
// Egress buffers of one port (fred_egress), two virtual circuits, in any legal environment.
//
// Proved, by induction (all labels together) for Packets = 0 and 1:
//   places_*     a circuit never has more beats in flight and stored than places; a push finds room, a pop a beat
//   delivered_*  what arrives in a circuit leaves once, in order, unchanged (an arbitrary beat is followed)
//   axis_*       m_axis: valid and payload stay until ready; a beat is first offered only after vc_ready of its circuit
//   idle_*       Packets = 0: a port offers something whenever a stored beat may be offered
//   whole_*      Packets = 1: from a packet's first to its last beat no other circuit's beat leaves
// inv_* are what the induction needs beside them; they are proved too.
//
// Assumed: a beat is launched (take) only where space_o is set, and arrives once, at any later time, in any order among
// circuits. In the switch it arrives after a fixed time and at most one does in a cycle, which is less. The order of the
// circuits is a total one and steady. The sink does what it likes.
`default_nettype none

module egress #(
  parameter int Depth   = 4,
  parameter int Packets = 0
) (
  input wire logic clk
);

  localparam int V = 2, SideW = 10, W = SideW + 8, N = $clog2(Depth + 1);
  logic up_q = 1'b0;                                // out of reset
  always_ff @(posedge clk) up_q <= 1'b1;

  // ---- The environment. ----
  (* anyseq *) logic [V-1:0] take;
  (* anyseq *) logic         arrives, arrives_vc, ready;
  (* anyseq *) logic [W-1:0] beat;
  (* anyseq *) logic [V-1:0] vc_ready;
  (* anyconst *) logic       second_first;          // circuit 1 goes before circuit 0
  (* anyseq *) logic [15:0]  bound;
  logic [V-1:0] space;
  logic         valid, last, tid, tdest, keep;
  logic [7:0]   data;
  logic [6:0]   user;
  fred_egress #(.Vcs(V), .Width(8), .PortW(1), .DescW(1), .Depth(Depth), .Packets(Packets)) dut (
    .clk_i           (clk),
    .rst_ni          (up_q),
    .vc_before_i     ({1'b0, ~second_first, second_first, 1'b0}),
    .bound_i         (bound),
    .take_i          (take),
    .space_o         (space),
    .net_valid_i     (arrives),
    .net_vc_i        (arrives_vc),
    .net_data_i      (beat[7:0]),
    .net_side_i      (beat[W-1:8]),
    .m_axis_tvalid   (valid),
    .m_axis_tready   (ready),
    .m_axis_tdata    (data),
    .m_axis_tkeep    (keep),
    .m_axis_tlast    (last),
    .m_axis_tid      (tid),
    .m_axis_tdest    (tdest),
    .m_axis_tuser    (user),
    .m_axis_vc_ready (vc_ready)
  );
  logic [W-1:0] out;
  assign out = {tdest, user, last, keep, data};

  // ---- Inside. ----
  (* hierconn *) wire [V-1:0] \dut.push , \dut.pop , \dut.stored , \dut.chosen_q , \dut.vc_ready_q ;
  (* hierconn *) wire         \dut.holding_q ;
  (* hierconn *) wire [V-1:0] \dut.g_packets.lock_q ;     // with Packets = 1
  (* hierconn *) wire [N-1:0] \dut.g_vc[0].u_vc.free_q , \dut.g_vc[1].u_vc.free_q ;
  (* hierconn *) wire [N-1:0] \dut.g_vc[0].u_vc.fill_q , \dut.g_vc[1].u_vc.fill_q ;
  (* hierconn *) wire [2:0]   \dut.g_vc[0].u_vc.waddr_o , \dut.g_vc[1].u_vc.waddr_o ;
  (* hierconn *) wire [2:0]   \dut.g_vc[0].u_vc.raddr_o , \dut.g_vc[1].u_vc.raddr_o ;
  logic [V*N-1:0] free, fill;
  logic [V*3-1:0] wptr, rptr;
  assign free = {\dut.g_vc[1].u_vc.free_q , \dut.g_vc[0].u_vc.free_q };
  assign fill = {\dut.g_vc[1].u_vc.fill_q , \dut.g_vc[0].u_vc.fill_q };
  assign wptr = {\dut.g_vc[1].u_vc.waddr_o , \dut.g_vc[0].u_vc.waddr_o };
  assign rptr = {\dut.g_vc[1].u_vc.raddr_o , \dut.g_vc[0].u_vc.raddr_o };

  // ---- Beats of each circuit: launched and not arrived, arrived and not left. ----
  logic [V*N-1:0] flight_q, here_q;
  logic [V-1:0]   arrives_in, leaves_in, space_q;
  logic           leaves;
  assign leaves     = valid & ready;
  assign arrives_in = {arrives & arrives_vc, arrives & ~arrives_vc};
  assign leaves_in  = {leaves & tid, leaves & ~tid};
  logic [V-1:0]   total, pushes, pops, exists, placed, filled, spaced, ranged, apart, chosens, storeds;
  for (genvar v = 0; v < V; v++) begin : g_vc
    logic [N-1:0] flight, here;
    assign flight = flight_q[v*N +: N];
    assign here   = here_q[v*N +: N];
    always_ff @(posedge clk) begin
      if (!up_q) begin
        flight_q[v*N +: N] <= '0;
        here_q[v*N +: N]   <= '0;
      end else begin
        flight_q[v*N +: N] <= flight + N'(take[v]) - N'(arrives_in[v]);
        here_q[v*N +: N]   <= here + N'(arrives_in[v]) - N'(leaves_in[v]);
      end
    end
    always_comb begin
      assume (!take[v] || space[v]);
      assume (!arrives_in[v] || flight != '0);
    end
    assign total[v]   = {1'b0, flight} + {1'b0, here} <= (N+1)'(Depth);
    assign pushes[v]  = !\dut.push [v] || fill[v*N +: N] != N'(Depth) || \dut.pop [v];
    assign pops[v]    = !\dut.pop [v] || fill[v*N +: N] != '0;
    assign exists[v]  = !leaves_in[v] || here != '0 || arrives_in[v];
    assign placed[v]  = {1'b0, free[v*N +: N]} + {1'b0, flight} + {1'b0, here} == (N+1)'(Depth);
    assign filled[v]  = fill[v*N +: N] == here;
    assign spaced[v]  = space[v] == (free[v*N +: N] != '0);
    assign ranged[v]  = rptr[v*3 +: 3] >= 3'(v*Depth) && {1'b0, rptr[v*3 +: 3]} < 4'((v+1)*Depth) &&
                        wptr[v*3 +: 3] >= 3'(v*Depth) && {1'b0, wptr[v*3 +: 3]} < 4'((v+1)*Depth);
    assign apart[v]   = 4'(wptr[v*3 +: 3]) == 4'(rptr[v*3 +: 3]) + 4'(here) ||
                        4'(wptr[v*3 +: 3]) + 4'(Depth) == 4'(rptr[v*3 +: 3]) + 4'(here);
    assign chosens[v] = !\dut.chosen_q [v] || (here != '0 && \dut.stored [v]);
    assign storeds[v] = Packets == 0 ? \dut.stored [v] == (here != '0) : !\dut.stored [v] || here != '0;
  end
  always_comb begin
    if (up_q) begin
      places_total        : assert (&total);
      places_push         : assert (&pushes);
      places_pop          : assert (&pops);
      delivered_none_made : assert (&exists);
      inv_free            : assert (&placed);
      inv_fill            : assert (&filled);
      inv_space           : assert (&spaced);
      inv_range           : assert (&ranged);
      inv_apart           : assert (&apart);
      inv_chosen          : assert (&chosens);
      inv_stored          : assert (&storeds);
    end
  end

  // ---- An arbitrary beat. ----
  (* anyconst *) logic c;                           // of this circuit
  (* anyseq *) logic   mark;
  logic         tagged_q;
  logic [N-1:0] ahead_q, here_c;                    // beats of the circuit that leave before it
  logic [W-1:0] tag_q;
  logic [2:0]   at_q, wptr_c, rptr_c;
  assign here_c = c ? here_q[N +: N] : here_q[0 +: N];
  assign wptr_c = c ? wptr[5:3] : wptr[2:0];
  assign rptr_c = c ? rptr[5:3] : rptr[2:0];
  always_ff @(posedge clk) begin
    if (!up_q) tagged_q <= 1'b0;
    else if (tagged_q) begin
      if (leaves_in[c]) begin
        tagged_q <= ahead_q != '0;
        ahead_q  <= ahead_q - N'(1);
      end
    end else if (arrives_in[c] && mark && !(leaves_in[c] && here_c == '0)) begin
      tagged_q <= 1'b1;
      ahead_q  <= here_c - N'(leaves_in[c]);
      tag_q    <= beat;
      at_q     <= wptr_c;
    end
  end
  (* hierconn *) wire [W-1:0] \dut.u_fifo.mem[0] , \dut.u_fifo.mem[1] , \dut.u_fifo.mem[2] , \dut.u_fifo.mem[3] ;
  (* hierconn *) wire [W-1:0] \dut.u_fifo.mem[4] , \dut.u_fifo.mem[5] , \dut.u_fifo.mem[6] , \dut.u_fifo.mem[7] ;
  logic [8*W-1:0] mem;
  assign mem = {\dut.u_fifo.mem[7] , \dut.u_fifo.mem[6] , \dut.u_fifo.mem[5] , \dut.u_fifo.mem[4] ,
                \dut.u_fifo.mem[3] , \dut.u_fifo.mem[2] , \dut.u_fifo.mem[1] , \dut.u_fifo.mem[0] };
  always_comb begin
    if (up_q) begin
      delivered_past   : assert (!(leaves_in[c] && here_c == '0) || out == beat);
      delivered_stored : assert (!(leaves_in[c] && tagged_q && ahead_q == '0) || out == tag_q);
      inv_ahead        : assert (!tagged_q || ahead_q < here_c);
      inv_at           : assert (!tagged_q || 4'(at_q) == 4'(rptr_c) + 4'(ahead_q) ||
                                 4'(at_q) + 4'(Depth) == 4'(rptr_c) + 4'(ahead_q));
      inv_at_range     : assert (!tagged_q || (at_q >= (c ? 3'(Depth) : 3'd0) &&
                                               4'(at_q) < (c ? 4'(2*Depth) : 4'(Depth))));
      inv_at_data      : assert (!tagged_q || mem[at_q*W +: W] == tag_q);
    end
  end

  // ---- The pins. ----
  logic         held_q, had_q;
  logic [V-1:0] vc_ready_q;
  logic [W-1:0] out_q;
  logic         tid_q, open_q, open_vc_q;
  logic [V-1:0] waited_q;                           // a beat is stored and was let
  always_ff @(posedge clk) begin
    held_q     <= up_q & valid & ~ready;
    out_q      <= out;
    tid_q      <= tid;
    vc_ready_q <= up_q ? vc_ready : '0;
    if (!up_q) begin
      open_q   <= 1'b0;
      waited_q <= '0;
    end else begin
      if (leaves) begin
        open_q    <= ~last;
        open_vc_q <= tid;
      end
      for (int v = 0; v < V; v++)
        waited_q[v] <= vc_ready[v] & (here_q[v*N +: N] + N'(arrives_in[v]) - N'(leaves_in[v]) != '0);
    end
  end
  always_comb begin
    if (up_q) begin
      axis_valid : assert (!held_q || valid);
      axis_stays : assert (!held_q || (out == out_q && tid == tid_q));
      axis_first : assert (!valid || held_q || vc_ready_q[tid]);
      inv_held   : assert (\dut.holding_q == held_q);
      inv_ready  : assert (\dut.vc_ready_q == vc_ready_q);
      inv_one    : assert (\dut.chosen_q != 2'b11);
      inv_where  : assert (!held_q || (\dut.chosen_q [tid_q] && \dut.stored [tid_q]));
      inv_what   : assert (!held_q || out_q == (tid_q ? mem[rptr[5:3]*W +: W] : mem[rptr[2:0]*W +: W]));
      inv_let    : assert (\dut.chosen_q == '0 || held_q || (\dut.chosen_q & ~vc_ready_q) == '0);
      if (Packets == 0) begin
        idle_never : assert (waited_q == '0 || valid);
      end else begin
        whole_packet : assert (!(open_q && valid) || tid == open_vc_q);
        inv_lock     : assert (\dut.g_packets.lock_q == (open_q ? (open_vc_q ? 2'b10 : 2'b01) : 2'b00));
        inv_lock_chosen : assert (!open_q || (\dut.chosen_q & ~\dut.g_packets.lock_q ) == '0);
      end
    end
  end

endmodule

`default_nettype wire
