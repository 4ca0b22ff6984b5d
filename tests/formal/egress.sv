// SPDX-License-Identifier: Apache-2.0
// Egress buffers of one port (fred_egress), two virtual circuits, in any legal environment.
//
// Proved, for Packets = 0 and 1 (framed_* for Packets = 0 and the first 11 cycles):
//   places_*     a circuit never has more beats in flight and stored than places, and the others are free: none leaks
//                and none is freed twice, aborts or not; a push finds room, a pop a beat; while a packet closes there
//                is no space
//   delivered_*  what arrives in a circuit leaves once, in order, unchanged (an arbitrary beat is followed); only the
//                error bit is set, in a packet from the first spoiled beat to the end
//   close_*      a close of its descriptor cuts an open packet short, whatever is stored, and nothing else: behind
//                its last stored beat one null beat leaves (tlast, error bit, no bytes, else the sideband of the
//                packet's last beat), then nothing of it
//   framed_*     in a circuit the beats of a packet leave under one descriptor, up to tlast (follows from the above)
//   axis_*       m_axis: valid and payload stay until ready; a beat is first offered only after vc_ready of its circuit
//   idle_*       a port offers something whenever a stored beat or a null beat may be offered; Packets = 1: of a cut
//                packet
//   whole_*      Packets = 1: from a packet's first to its last beat no other circuit's beat leaves
// inv_* are what the induction needs beside them; they are proved too.
//
// Assumed: a beat is launched (take) only where space_o is set, and arrives once, at any later time, in any order
// among circuits. In the switch it arrives after a fixed time and at most one does in a cycle, which is less. In a
// circuit the beats of a packet come under one descriptor, up to the last (control.sv: whole_packet). A descriptor is
// closed at any time at which none of its beats is in flight or launched (fred_abort, abort.sv); so where its packet
// is open none at all is, as that is its own until the close (control.sv: egress_free). The order of the circuits is
// a total one and steady. The sink does what it likes.
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
  (* anyseq *) logic [1:0]   close;
  (* anyseq *) logic         spoiled;               // the beat that arrives is
  logic [V-1:0] space, closed;
  logic         valid, last, tid, tdest, keep;
  logic [7:0]   data;
  logic [6:0]   user;
  fred_egress #(
    .Vcs(V), .Width(8), .StepW(1), .Descriptors(2), .DescW(1), .Depth(Depth), .Packets(Packets)
  ) dut (
    .clk_i           (clk),
    .rst_ni          (up_q),
    .vc_before_i     ({1'b0, ~second_first, second_first, 1'b0}),
    .bound_i         (bound),
    .take_i          (take),
    .space_o         (space),
    .close_i         (close),
    .closed_o        (closed),
    .owner_o         (),
    .net_valid_i     (arrives),
    .net_vc_i        (arrives_vc),
    .net_desc_i      (beat[W-1]),
    .net_data_i      (beat[7:0]),
    .net_side_i      (beat[W-1:8]),
    .net_error_i     (spoiled),
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
  function automatic logic [2:0] before(input logic [2:0] at, input int v);
    before = at == 3'(v*Depth) ? 3'((v+1)*Depth - 1) : at - 3'd1;
  endfunction
  localparam int LastBit = 9, ErrorBit = 15;        // of a beat: {descriptor, tuser, tlast, byte count, data}
  logic [W-1:0] out, arrived;
  logic [V-1:0] marked_q;                           // a beat of the packet that comes in was spoiled
  assign out     = {tdest, user, last, keep, data};
  assign arrived = beat | W'(spoiled | marked_q[arrives_vc]) << ErrorBit;

  // ---- Inside. ----
  (* hierconn *) wire [V-1:0] \dut.push , \dut.pop , \dut.stored , \dut.chosen_q , \dut.vc_ready_q , \dut.spoiled ;
  (* hierconn *) wire         \dut.holding_q ;
  (* hierconn *) wire [V-1:0] \dut.g_packets.lock_q ;     // with Packets = 1
  (* hierconn *) wire [N-1:0] \dut.g_vc[0].u_vc.g_packets.ends_q , \dut.g_vc[1].u_vc.g_packets.ends_q ;
  (* hierconn *) wire         \dut.g_vc[0].u_vc.g_packets.begun_q , \dut.g_vc[1].u_vc.g_packets.begun_q ;
  (* hierconn *) wire [N-1:0] \dut.g_vc[0].u_vc.free_q , \dut.g_vc[1].u_vc.free_q ;
  (* hierconn *) wire [N-1:0] \dut.g_vc[0].u_vc.fill_q , \dut.g_vc[1].u_vc.fill_q ;
  (* hierconn *) wire [2:0]   \dut.g_vc[0].u_vc.waddr_o , \dut.g_vc[1].u_vc.waddr_o ;
  (* hierconn *) wire [2:0]   \dut.g_vc[0].u_vc.raddr_o , \dut.g_vc[1].u_vc.raddr_o ;
  (* hierconn *) wire         \dut.g_vc[0].u_vc.open_q , \dut.g_vc[1].u_vc.open_q ;
  (* hierconn *) wire         \dut.g_vc[0].u_vc.closing_q , \dut.g_vc[1].u_vc.closing_q ;
  (* hierconn *) wire         \dut.g_vc[0].u_vc.null_o , \dut.g_vc[1].u_vc.null_o ;
  (* hierconn *) wire         \dut.g_vc[0].u_vc.owner_o , \dut.g_vc[1].u_vc.owner_o ;
  logic [V*N-1:0] free, fill;
  logic [V*3-1:0] wptr, rptr, lptr, raddr;          // rptr: the oldest stored beat; lptr: the one that came last
  logic [V-1:0]   opens, closings, nulls, owners;
  assign opens    = {\dut.g_vc[1].u_vc.open_q , \dut.g_vc[0].u_vc.open_q };
  assign closings = {\dut.g_vc[1].u_vc.closing_q , \dut.g_vc[0].u_vc.closing_q };
  assign nulls    = {\dut.g_vc[1].u_vc.null_o , \dut.g_vc[0].u_vc.null_o };
  assign owners   = {\dut.g_vc[1].u_vc.owner_o , \dut.g_vc[0].u_vc.owner_o };
  logic [V*N-1:0] ends;
  logic [V-1:0]   begins;
  assign ends   = {\dut.g_vc[1].u_vc.g_packets.ends_q , \dut.g_vc[0].u_vc.g_packets.ends_q };
  assign begins = {\dut.g_vc[1].u_vc.g_packets.begun_q , \dut.g_vc[0].u_vc.g_packets.begun_q };
  assign free = {\dut.g_vc[1].u_vc.free_q , \dut.g_vc[0].u_vc.free_q };
  assign fill = {\dut.g_vc[1].u_vc.fill_q , \dut.g_vc[0].u_vc.fill_q };
  assign wptr = {\dut.g_vc[1].u_vc.waddr_o , \dut.g_vc[0].u_vc.waddr_o };
  assign raddr = {\dut.g_vc[1].u_vc.raddr_o , \dut.g_vc[0].u_vc.raddr_o };
  for (genvar v = 0; v < V; v++) begin : g_pointers
    logic [2:0] at, behind, ahead;
    assign at     = raddr[v*3 +: 3];
    assign behind = at == 3'(v*Depth) ? 3'((v+1)*Depth - 1) : at - 3'd1;
    assign ahead  = at == 3'((v+1)*Depth - 1) ? 3'(v*Depth) : at + 3'd1;
    assign rptr[v*3 +: 3] = nulls[v] ? ahead : at;
    assign lptr[v*3 +: 3] = nulls[v] ? at : behind;
  end
  (* hierconn *) wire [W-1:0] \dut.u_fifo.mem[0] , \dut.u_fifo.mem[1] , \dut.u_fifo.mem[2] , \dut.u_fifo.mem[3] ;
  (* hierconn *) wire [W-1:0] \dut.u_fifo.mem[4] , \dut.u_fifo.mem[5] , \dut.u_fifo.mem[6] , \dut.u_fifo.mem[7] ;
  logic [8*W-1:0] mem;
  assign mem = {\dut.u_fifo.mem[7] , \dut.u_fifo.mem[6] , \dut.u_fifo.mem[5] , \dut.u_fifo.mem[4] ,
                \dut.u_fifo.mem[3] , \dut.u_fifo.mem[2] , \dut.u_fifo.mem[1] , \dut.u_fifo.mem[0] };

  // ---- Beats of each circuit: launched and not arrived, arrived and not left. Its packet that comes in, and its last
  //      beat; its packet that goes out; a null beat is due (closing), and that may be offered (null). ----
  logic [V-1:0]   coming_q, owner_q, closing_q, shut_q, null_q, came_q, begun_q, names_q;
  logic [V-1:0]   cut, nulls_leave, null_d, here_d, closing_d;
  logic [V*W-1:0] tail_q;
  logic [V*N-1:0] flight_q, here_q;
  logic [V-1:0]   arrives_in, leaves_in, space_q;
  logic           leaves;
  assign leaves     = valid & ready;
  assign arrives_in = {arrives & arrives_vc, arrives & ~arrives_vc};
  assign leaves_in  = {leaves & tid, leaves & ~tid};
  logic [V-1:0]   total, pushes, pops, exists, placed, filled, spaced, shut, ranged, apart, chosens, storeds, endeds;
  logic [V-1:0]   same_open, same_closing, tails, lasts, null_ok, named_ok, quiet;
  for (genvar v = 0; v < V; v++) begin : g_vc
    logic [N-1:0] flight, here;
    assign flight = flight_q[v*N +: N];
    assign here   = here_q[v*N +: N];
    assign cut[v]         = coming_q[v] & close[owner_q[v]];
    assign nulls_leave[v] = leaves_in[v] & closing_q[v] & (here == '0);
    assign null_d[v]      = closing_q[v] & (here == '0) & ~leaves_in[v];
    assign closing_d[v]   = cut[v] | (closing_q[v] & ~nulls_leave[v]);
    assign here_d[v]      = here + N'(arrives_in[v]) - N'(leaves_in[v] & ~nulls_leave[v]) != '0;
    always_ff @(posedge clk) begin
      if (!up_q) begin
        flight_q[v*N +: N] <= '0;
        here_q[v*N +: N]   <= '0;
        coming_q[v]    <= 1'b0;
        closing_q[v] <= 1'b0;
        shut_q[v]    <= 1'b0;
        null_q[v]    <= 1'b0;
        came_q[v]    <= 1'b0;
        begun_q[v]   <= 1'b0;
        marked_q[v]  <= 1'b0;
      end else begin
        closing_q[v] <= closing_d[v];
        shut_q[v]    <= cut[v] | closing_q[v];
        null_q[v]    <= null_d[v];
        if (cut[v]) {coming_q[v], marked_q[v]} <= 2'b00;
        if (arrives_in[v]) begin
          marked_q[v]       <= (marked_q[v] | spoiled) & ~beat[LastBit];
          coming_q[v]         <= ~beat[LastBit];
          owner_q[v]        <= beat[W-1];
          came_q[v]         <= 1'b1;
          tail_q[v*W +: W]  <= arrived;
        end
        if (leaves_in[v]) begin
          begun_q[v] <= ~last;
          names_q[v] <= tdest;
        end
        flight_q[v*N +: N] <= flight + N'(take[v]) - N'(arrives_in[v]);
        here_q[v*N +: N]   <= here + N'(arrives_in[v]) - N'(leaves_in[v] & ~nulls_leave[v]);
      end
    end
    always_comb begin
      assume (!take[v] || space[v]);
      assume (!arrives_in[v] || flight != '0);
      assume (!arrives_in[v] || !coming_q[v] || beat[W-1] == owner_q[v]);
      assume (!cut[v] || (flight == '0 && !take[v]));
    end
    assign total[v]   = {1'b0, flight} + {1'b0, here} <= (N+1)'(Depth);
    assign pushes[v]  = !\dut.push [v] || fill[v*N +: N] != N'(Depth) || \dut.pop [v];
    assign pops[v]    = !\dut.pop [v] || fill[v*N +: N] != '0 || nulls_leave[v];
    assign exists[v]  = !leaves_in[v] || here != '0 || arrives_in[v] || closing_q[v];
    assign placed[v]  = {1'b0, free[v*N +: N]} + {1'b0, flight} + {1'b0, here} == (N+1)'(Depth);
    assign filled[v]  = fill[v*N +: N] == here;
    assign spaced[v]  = space[v] == (free[v*N +: N] != '0 && !shut_q[v]);
    assign shut[v]    = !closing_q[v] || (!space[v] && shut_q[v]);
    assign same_open[v]    = \dut.spoiled [v] == marked_q[v] && (!marked_q[v] || coming_q[v]) &&
                             opens[v] == coming_q[v] && (!came_q[v] || owners[v] == owner_q[v]) &&
                             (!coming_q[v] || came_q[v]);
    assign same_closing[v] = closings[v] == closing_q[v] && nulls[v] == null_q[v] &&
                             (!null_q[v] || (closing_q[v] && here == '0));
    assign quiet[v]        = !closing_q[v] || (flight == '0 && !coming_q[v] && came_q[v] && !tail_q[v*W + LastBit]);
    assign tails[v]        = !came_q[v] || (mem[before(wptr[v*3 +: 3], v)*W +: W] == tail_q[v*W +: W] &&
                                            tail_q[v*W + W-1] == owner_q[v] &&
                                            (!coming_q[v] || !tail_q[v*W + LastBit]));
    assign lasts[v]        = here != '0 || !came_q[v] || lptr[v*3 +: 3] == before(rptr[v*3 +: 3], v);
    assign null_ok[v]      = !nulls_leave[v] || (last && !keep && {tdest, user} == (tail_q[v*W+10 +: 8] | 8'h20));
    assign named_ok[v]     = !(leaves_in[v] && begun_q[v]) || tdest == names_q[v];
    assign ranged[v]  = rptr[v*3 +: 3] >= 3'(v*Depth) && {1'b0, rptr[v*3 +: 3]} < 4'((v+1)*Depth) &&
                        wptr[v*3 +: 3] >= 3'(v*Depth) && {1'b0, wptr[v*3 +: 3]} < 4'((v+1)*Depth);
    assign apart[v]   = 4'(wptr[v*3 +: 3]) == 4'(rptr[v*3 +: 3]) + 4'(here) ||
                        4'(wptr[v*3 +: 3]) + 4'(Depth) == 4'(rptr[v*3 +: 3]) + 4'(here);
    assign chosens[v] = !\dut.chosen_q [v] || ((here != '0 || null_q[v]) && \dut.stored [v]);
    logic [Depth*N-1:0] lasts_upto;                 // how many of the oldest stored beats, up to each, end a packet
    for (genvar i = 0; i < Depth; i++) begin : g_stored
      logic [2:0] at;
      logic       ends_here;
      assign at        = 4'(rptr[v*3 +: 3]) + 4'(i) >= 4'((v+1)*Depth) ? 3'(4'(rptr[v*3 +: 3]) + 4'(i) - 4'(Depth))
                                                                       : rptr[v*3 +: 3] + 3'(i);
      assign ends_here = here > N'(i) && mem[at*W + LastBit];
      if (i == 0) begin : g_one
        assign lasts_upto[0 +: N] = N'(ends_here);
      end else begin : g_more
        assign lasts_upto[i*N +: N] = lasts_upto[(i-1)*N +: N] + N'(ends_here);
      end
    end
    assign endeds[v]  = Packets == 0 || (ends[v*N +: N] == lasts_upto[(Depth-1)*N +: N] && begins[v] == begun_q[v]);
    assign storeds[v] = \dut.stored [v] == (null_q[v] || (here != '0 &&
                        (Packets == 0 || ends[v*N +: N] != '0 || begins[v] || closing_q[v] || here == N'(Depth))));
  end
  always_comb begin
    if (up_q) begin
      places_total        : assert (&total);
      places_push         : assert (&pushes);
      places_pop          : assert (&pops);
      delivered_none_made : assert (&exists);
      places_kept         : assert (&placed);
      places_closing      : assert (&shut);
      close_only          : assert (closed == cut);
      close_null          : assert (&null_ok);
      framed_packet       : assert (&named_ok);
      inv_open            : assert (&same_open);
      inv_closing         : assert (&same_closing);
      inv_quiet           : assert (&quiet);
      inv_tail            : assert (&tails);
      inv_last            : assert (&lasts);
      inv_fill            : assert (&filled);
      inv_space           : assert (&spaced);
      inv_range           : assert (&ranged);
      inv_apart           : assert (&apart);
      inv_chosen          : assert (&chosens);
      inv_stored          : assert (&storeds);
      inv_ends            : assert (&endeds);
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
      tag_q    <= arrived;
      at_q     <= wptr_c;
    end
  end
  always_comb begin
    if (up_q) begin
      delivered_past   : assert (!(leaves_in[c] && here_c == '0 && !closing_q[c]) || out == arrived);
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
  logic [V-1:0] waited_q, lock_d;                   // a beat is stored and was let; whose packet goes on
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
        waited_q[v] <= vc_ready[v] & (Packets == 0 ? here_d[v] | null_d[v]
                                                   : closing_d[v] & (here_d[v] | null_d[v]) &
                                                     (lock_d == '0 || lock_d[v]));
    end
  end
  logic [W-1:0] stored_out;                         // the beat that is offered, if it was stored
  always_comb begin
    stored_out = tid_q ? mem[rptr[5:3]*W +: W] : mem[rptr[2:0]*W +: W];
    if (null_q[tid_q]) begin
      stored_out = (tid_q ? mem[lptr[5:3]*W +: W] : mem[lptr[2:0]*W +: W]) | W'(1) << ErrorBit | W'(1) << LastBit;
      stored_out[8] = 1'b0;
    end
  end
  assign lock_d = leaves ? (last ? 2'b00 : tid ? 2'b10 : 2'b01) : open_q ? (open_vc_q ? 2'b10 : 2'b01) : 2'b00;
  always_comb begin
    if (up_q) begin
      axis_valid : assert (!held_q || valid);
      axis_stays : assert (!held_q || (out == out_q && tid == tid_q));
      axis_first : assert (!valid || held_q || vc_ready_q[tid]);
      inv_held   : assert (\dut.holding_q == held_q);
      inv_ready  : assert (\dut.vc_ready_q == vc_ready_q);
      inv_one    : assert (\dut.chosen_q != 2'b11);
      inv_where  : assert (!held_q || (\dut.chosen_q [tid_q] && \dut.stored [tid_q]));
      inv_what   : assert (!held_q || out_q == stored_out);
      inv_let    : assert (\dut.chosen_q == '0 || held_q || (\dut.chosen_q & ~vc_ready_q) == '0);
      idle_never : assert (waited_q == '0 || valid);
      if (Packets != 0) begin
        whole_packet : assert (!(open_q && valid) || tid == open_vc_q);
        inv_lock     : assert (\dut.g_packets.lock_q == (open_q ? (open_vc_q ? 2'b10 : 2'b01) : 2'b00));
        inv_lock_chosen : assert (!open_q || (\dut.chosen_q & ~\dut.g_packets.lock_q ) == '0);
      end
    end
  end

endmodule

`default_nettype wire
