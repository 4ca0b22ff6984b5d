// SPDX-License-Identifier: Apache-2.0
// One virtual circuit of an egress buffer: its free places, and the pointers of its FIFO in the port's memory.
//
// The control unit takes a place (`take_i`) when it launches a beat to this port and circuit; the place is free again
// once the beat has left. `space_o` says whether a place is free, from the cycle after the take that used the last one.
//
// A beat that `bound_i` others of the port's other circuits have passed is urgent, or sooner: the circuit is marked
// when the port's count of beats comes around (`tick_i`, every bound_i / 2 beats) and urgent when it does so again.
`default_nettype none

module fred_egress_vc #(
  parameter int Depth   = 9,                        // beats held, 2 or more
  parameter int Base    = 0,                        // first of its places in the memory
  parameter int AddrW   = 4,                        // bits of an address there
  parameter int Packets = 0                         // 1: a packet is offered when all of it is here, or no place is left
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             take_i,             // a beat is launched
  output logic                  space_o,            // a beat may be launched
  input  wire logic             push_i,             // a beat from the network is stored
  input  wire logic             push_last_i,        // it ends its packet
  input  wire logic             leave_i,            // a beat of this circuit leaves the port
  input  wire logic             pop_i,              // that one was stored
  input  wire logic             pop_last_i,         // it ends its packet
  input  wire logic             tick_i,
  output logic                  stored_o,           // a stored beat may leave
  output logic                  stored_next_o,      // the same in the next cycle
  output logic                  urgent_o,
  output logic      [AddrW-1:0] waddr_o,
  output logic      [AddrW-1:0] raddr_o             // the oldest stored beat
);

`ifndef __ICARUS__
  if (Depth < 2) begin : g_check_depth
    $error("fred_egress_vc: Depth must be 2 or more");
  end
`endif

  localparam int FillW = $clog2(Depth + 1);

  // ---- Places. take_i is the last to come: it chooses between results that are there. ----
  logic [FillW-1:0] free_q, kept, taken;
  assign kept  = free_q + FillW'(leave_i);
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

  // ---- FIFO. ----
  logic [FillW-1:0] fill_q, fill_d;
  assign fill_d  = fill_q + FillW'(push_i) - FillW'(pop_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waddr_o <= AddrW'(Base);
      raddr_o <= AddrW'(Base);
      fill_q <= '0;
    end else begin
      if (push_i) waddr_o <= (waddr_o == AddrW'(Base + Depth - 1)) ? AddrW'(Base) : waddr_o + AddrW'(1);
      if (pop_i)  raddr_o <= (raddr_o == AddrW'(Base + Depth - 1)) ? AddrW'(Base) : raddr_o + AddrW'(1);
      fill_q <= fill_d;
    end
  end

  // ---- What may be offered. ----
  if (Packets != 0) begin : g_packets
    // Whole packets, or a packet that is longer than the FIFO: once begun it goes on as its beats come.
    logic [FillW-1:0] ends_q, ends_d;
    logic             begun_q, begun_d;
    assign ends_d        = ends_q + FillW'(push_i & push_last_i) - FillW'(pop_i & pop_last_i);
    assign begun_d       = pop_i ? ~pop_last_i : begun_q;
    assign stored_next_o = (fill_d != '0) & ((ends_d != '0) | begun_d | (fill_d == FillW'(Depth)));
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
    assign unused_last   = push_last_i ^ pop_last_i;
    assign stored_next_o = pop_i ? (fill_q[FillW-1:1] != '0) | push_i : (fill_q != '0) | push_i;
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
