// SPDX-License-Identifier: Apache-2.0
// One virtual circuit of an egress buffer: its free places, and the pointers of its FIFO in the port's memory.
//
// The control unit takes a place (`take_i`) when it launches a beat to this port and circuit; the place is free again
// once the beat has left. `space_o` says whether a place is free, from the cycle after the take that used the last one.
//
// An aborted descriptor's open packet is closed (`close_i`, when all its beats have arrived) by a null beat behind what
// is stored. It takes no place: it is a flag, and while it is set no place is given away. So an abort ends though the
// sink accepts nothing. The null beat's sideband is that of the packet's last beat, which is still in the memory: every
// beat is written there, also one that passes by. A packet with a spoiled beat has the error bit from there to its end.
//
// A beat that `bound_i` others of the port's other circuits have passed is urgent, or sooner: the circuit is marked
// when the port's count of beats comes around (`tick_i`, every bound_i / 2 beats) and urgent when it does so again.
`default_nettype none

module fred_egress_vc #(
  parameter int Depth   = 9,                        // beats held, 2 or more
  parameter int Base    = 0,                        // first of its places in the memory
  parameter int AddrW   = 4,                        // bits of an address there
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int DescW   = 3,                        // bits of a descriptor index
  parameter int Packets = 0                         // 1: a packet is offered when all of it is here, or no place is left
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             take_i,             // a beat is launched
  output logic                  space_o,            // a beat may be launched
  input  wire logic             arrive_i,           // a beat comes from the network
  input  wire logic             arrive_last_i,      // it ends its packet
  input  wire logic             arrive_error_i,     // it is spoiled
  input  wire logic [DescW-1:0] arrive_desc_i,      // its descriptor
  input  wire logic             push_i,             // it stays here; else it passes by
  input  wire logic             leave_i,            // a beat of this circuit leaves the port
  input  wire logic             pop_i,              // that one was stored, or is the null beat
  input  wire logic             pop_last_i,         // it ends its packet
  input  wire logic             tick_i,
  input  wire logic [Descriptors-1:0] close_i,      // close the packets of these descriptors
  output logic                  closed_o,           // one has been open here, and is not any more
  output logic      [DescW-1:0] owner_o,            // descriptor of the packet that came last
  output logic                  null_o,             // what is stored is the null beat
  output logic                  spoiled_o,          // a beat of the packet that comes in was spoiled
  output logic                  stored_o,           // a stored beat may leave
  output logic                  stored_next_o,      // the same in the next cycle
  output logic                  urgent_o,
  output logic      [AddrW-1:0] waddr_o,
  output logic      [AddrW-1:0] raddr_o             // the oldest stored beat, or for a null beat the last one
);

`ifndef __ICARUS__
  if (Depth < 2) begin : g_check_depth
    $error("fred_egress_vc: Depth must be 2 or more");
  end
`endif

  localparam int FillW = $clog2(Depth + 1);

  // ---- The packet that comes in, and its closing. While it closes nothing comes. ----
  logic                   open_q, closing_q, closing_d, null_d;
  logic [FillW-1:0]       fill_q, fill_d;
  logic [(1<<DescW)-1:0]  close;                    // by descriptor index
  assign close     = (1<<DescW)'(close_i);
  assign closed_o  = open_q & close[owner_o];
  assign closing_d = closed_o | (closing_q & ~(leave_i & null_o));
  assign null_d    = closing_q & (fill_q == '0) & ~(leave_i & null_o);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q    <= 1'b0;
      closing_q <= 1'b0;
      null_o    <= 1'b0;
      spoiled_o <= 1'b0;
    end else begin
      open_q    <= arrive_i ? ~arrive_last_i : open_q & ~closed_o;
      closing_q <= closing_d;
      null_o    <= null_d;
      spoiled_o <= arrive_i ? (spoiled_o | arrive_error_i) & ~arrive_last_i : spoiled_o & ~closed_o;
    end
    if (arrive_i) owner_o <= arrive_desc_i;
  end

  // ---- Places. take_i is the last to come: it chooses between results that are there. ----
  logic             frees;
  logic [FillW-1:0] free_q, kept, taken;
  assign frees = leave_i & ~null_o;
  assign kept  = free_q + FillW'(frees);
  assign taken = kept - FillW'(1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_q  <= FillW'(Depth);
      space_o <= 1'b1;
    end else begin
      free_q  <= take_i ? taken : kept;
      space_o <= (take_i ? taken != '0 : kept != '0) & ~(closed_o | closing_q);
    end
  end

  // ---- FIFO. A beat that passes by moves both pointers. For the null beat the read pointer steps back to the beat that
  // came last, and then on again: it is a plain register, which memories with registered addresses take in. ----
  logic stored_pop, onward, back;
  assign stored_pop = pop_i & ~null_o;
  assign onward     = pop_i | (arrive_i & ~push_i);
  assign back       = null_d & ~null_o;
  assign fill_d     = fill_q + FillW'(push_i) - FillW'(stored_pop);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waddr_o <= AddrW'(Base);
      raddr_o <= AddrW'(Base);
      fill_q <= '0;
    end else begin
      if (arrive_i) waddr_o <= (waddr_o == AddrW'(Base + Depth - 1)) ? AddrW'(Base) : waddr_o + AddrW'(1);
      if (onward)    raddr_o <= (raddr_o == AddrW'(Base + Depth - 1)) ? AddrW'(Base) : raddr_o + AddrW'(1);
      else if (back) raddr_o <= (raddr_o == AddrW'(Base)) ? AddrW'(Base + Depth - 1) : raddr_o - AddrW'(1);
      fill_q <= fill_d;
    end
  end

  // ---- What may be offered. ----
  if (Packets != 0) begin : g_packets
    // Whole packets, or a packet that is longer than the FIFO: once begun it goes on as its beats come.
    logic [FillW-1:0] ends_q, ends_d;
    logic             begun_q, begun_d, end_in, end_out;
    assign end_in        = push_i & arrive_last_i;
    assign end_out       = stored_pop & pop_last_i;
    assign ends_d        = ends_q + FillW'(end_in) - FillW'(end_out);
    assign begun_d       = pop_i ? ~pop_last_i : begun_q;
    assign stored_next_o = null_d | ((fill_d != '0) & ((ends_d != '0) | begun_d | closing_d | (fill_d == FillW'(Depth))));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        ends_q  <= '0;
        begun_q <= 1'b0;
      end else begin
        ends_q  <= ends_d;
        begun_q <= begun_d;
      end
    end
  end else begin : g_beats
    logic unused_last;
    assign unused_last   = pop_last_i;
    assign stored_next_o = null_d | push_i | (stored_pop ? fill_q[FillW-1:1] != '0 : fill_q != '0);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) stored_o <= 1'b0;
    else stored_o <= stored_next_o;
  end

  // ---- Passed by others. ----
  logic marked_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || leave_i || !stored_o) begin
      marked_q <= 1'b0;
      urgent_o <= 1'b0;
    end else if (tick_i) begin
      marked_q <= 1'b1;
      urgent_o <= urgent_o | marked_q;
    end
  end

endmodule

`default_nettype wire
