// SPDX-License-Identifier: Apache-2.0
// One virtual circuit of an ingress buffer: which places of the data memory are its own, the sideband of the beats in
// them, and the decoded beat at its head.
//
//   cycle 0   1          2
//   accept -> sideband -> head_* (decoded)
//
// Only what the launch decision needs is decoded ahead (descriptor and destination one-hot, byte count). A beat that
// breaks the framing rules of docs/protocol.md is never usable. One that changes its descriptor, epoch or destination
// within a packet counts as a bad beat of that packet: what is wrong is the packet's, and when the epoch of the packet's
// descriptor passes, it is dropped with the rest of it.
//
// At a link port (Linked = 1) the field of the destination holds the step that the beat brings along. A beat with the
// error bit is not launched but reported at the head (head_error_o); one that is the first after the link has lost what
// was under way (`cut_i`) begins a packet, whether or not the one before it has ended.
//
// Limits: full rate needs Depth >= 4, with a reserved place 6: one more than is in flight, to catch up after a beat that
// came late.
`default_nettype none

module fred_ingress_vc #(
  parameter int Ports       = 8,                    // ports of the switch, to decode the destination of a send
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int Depth       = 4,                    // beats held, 2 or more
  parameter int Reserve     = 0,                    // places that vc_ready_o does not promise
  parameter int Base        = 0,                    // first of its places in the data memory
  parameter int AddrW       = 2,                    // bits of an address there
  parameter int PortW       = 3,                    // bits of a port number
  parameter int DescW       = 3,                    // bits of tdest
  parameter int CountW      = 3,                    // bits of a byte count
  parameter int Linked      = 0,                    // 1: of a link port
  localparam int UserW      = 5 + PortW
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  // A beat for this circuit is accepted.
  input  wire logic                     accept_i,
  input  wire logic                     bad_i,             // it breaks a rule that one beat can break
  input  wire logic [CountW-1:0]        count_i,           // its bytes
  input  wire logic                     last_i,
  input  wire logic [DescW-1:0]         desc_i,
  input  wire logic [UserW-1:0]         user_i,
  input  wire logic                     error_i,           // it has the error bit
  input  wire logic                     cut_i,             // what was under way to here is lost
  output logic                          room_o,            // it will have a place in the next cycle
  output logic                          vc_ready_o,
  output logic      [AddrW-1:0]         waddr_o,           // where its data goes

  // From the descriptor table, steady while a descriptor runs.
  input  wire logic [Descriptors-1:0]   run_i,             // enabled, and neither stopped nor spoiled
  input  wire logic [Descriptors-1:0]   mine_i,            // its beats are to be in this circuit
  input  wire logic                     news_i,            // some descriptor begins or ends to run or to be enabled

  // A look-up there (fred_ingress_seek); found_i: what follows is the answer.
  output logic                          seek_o,
  output logic      [DescW-1:0]         seek_index_o,
  output logic      [3:0]               seek_epoch_o,
  output logic      [PortW-1:0]         seek_port_o,
  input  wire logic                     found_i,
  input  wire logic [Descriptors-1:0]   desc_is_i,         // one-hot
  input  wire logic                     enabled_i,
  input  wire logic                     runs_i,
  input  wire logic                     same_epoch_i,
  input  wire logic                     member_i,

  // The beat at the head. `head_desc_o` is one-hot, and zero if the descriptor does not exist or is of another circuit.
  output logic                          head_valid_o,
  output logic                          head_usable_o,     // may be launched
  output logic      [Descriptors-1:0]   head_desc_o,
  output logic      [DescW-1:0]         head_index_o,
  output logic                          head_last_o,
  output logic                          head_step_end_o,
  output logic      [CountW-1:0]        head_count_o,
  output logic      [Ports-1:0]         head_dest_o,
  output logic      [PortW-1:0]         head_port_o,       // its number, or the step
  output logic                          head_member_o,     // the destination is in the descriptor's OUT_MASK
  output logic                          head_stale_o,      // its descriptor runs in another epoch: to be dropped
  output logic                          head_unknown_o,    // no such descriptor, or not enabled
  output logic                          head_framing_o,    // breaks a framing rule
  output logic                          head_error_o,      // its descriptor runs in its epoch, and it has the error bit
  output logic                          head_vc_o,         // its descriptor belongs to another circuit
  input  wire logic                     pop_i,             // the head is taken or dropped in this cycle

  input  wire logic                     read_i,            // the cycle after pop_i: the place is free again
  output logic      [AddrW-1:0]         raddr_o            // where the data of that beat is
);

  localparam int FillW = $clog2(Depth + 1);
  localparam int SideA = $clog2(Depth);             // bits of an address in the sideband memory
  localparam int PlainW = CountW + 1 + UserW + DescW + 1;
  localparam int SideW = PlainW + (Linked != 0 ? 2 : 0);

  // ---- Fill level: counts a beat from its acceptance until its data is read. ----
  logic [FillW-1:0] fill_q, fill_d;
  logic             up_q;
  assign fill_d = fill_q + FillW'(accept_i) - FillW'(read_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q <= '0;
      up_q   <= 1'b0;
    end else begin
      fill_q <= fill_d;
      up_q   <= 1'b1;
    end
  end
  assign room_o     = fill_d != FillW'(Depth);
  // Room for one more in the next cycle even if a beat is accepted in this one.
  assign vc_ready_o = up_q & ((fill_q - FillW'(read_i)) < FillW'(Depth - 1 - Reserve));

  // ---- Pointers: into the data memory, where they go around within this circuit's places, and into the sideband. ----
  logic [SideA-1:0] side_wptr, side_rptr_q;
  logic [FillW-1:0] waiting_q;    // sideband entries behind the head
  logic [FillW-1:0] waiting;      // these and one that comes now
  logic             next_comes;   // the next entry may become the head
  logic             load;         // it does
  assign waiting   = waiting_q + FillW'(accept_i);
  if (Base > 0) begin : g_side_wptr
    assign side_wptr = SideA'(waddr_o - AddrW'(Base));
  end else begin : g_same_wptr
    assign side_wptr = waddr_o[SideA-1:0];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waddr_o      <= AddrW'(Base);
      raddr_o      <= AddrW'(Base);
      side_rptr_q <= '0;
      waiting_q   <= '0;
    end else begin
      if (accept_i) waddr_o <= (waddr_o == AddrW'(Base + Depth - 1)) ? AddrW'(Base) : waddr_o + AddrW'(1);
      if (read_i)   raddr_o <= (raddr_o == AddrW'(Base + Depth - 1)) ? AddrW'(Base) : raddr_o + AddrW'(1);
      if (load)     side_rptr_q <= (side_rptr_q == SideA'(Depth - 1)) ? '0 : side_rptr_q + SideA'(1);
      waiting_q <= load ? waiting - FillW'(1) : waiting;
    end
  end

  logic [SideW-1:0] side_in, side_out;
  logic             next_error, next_begins;        // the next entry has the error bit; begins a packet in any case
  logic             error_q;                        // the head has the error bit
  if (Linked != 0) begin : g_linked
    logic cut_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) cut_q <= 1'b0;
      else cut_q <= cut_i | (cut_q & ~accept_i);
      if (load) error_q <= next_error;
    end
    assign side_in = {cut_q, error_i, bad_i, desc_i, user_i, last_i, count_i};
    assign {next_begins, next_error} = side_out[SideW-1 -: 2];
  end else begin : g_own
    logic unused_link;
    assign unused_link = error_i | cut_i;
    assign side_in     = {bad_i, desc_i, user_i, last_i, count_i};
    assign next_error  = 1'b0;
    assign next_begins = 1'b0;
    assign error_q     = 1'b0;
  end
  fred_ram_async #(.Width(SideW), .Depth(Depth)) u_sideband (
    .clk_i   (clk_i),
    .we_i    (accept_i),
    .waddr_i (side_wptr),
    .wdata_i (side_in),
    .raddr_i (side_rptr_q),
    .rdata_o (side_out)
  );

  // ---- The head. ----
  logic              next_bad, next_last, next_step_end;
  logic [DescW-1:0]  next_index;
  logic [PortW-1:0]  next_port, port_q;
  logic [3:0]        next_epoch, epoch_q;
  logic [CountW-1:0] next_count;
  assign next_count    = side_out[CountW-1:0];
  assign next_last     = side_out[CountW];
  assign next_step_end = side_out[CountW+1];
  assign next_epoch    = side_out[CountW+2 +: 4];
  assign next_port     = side_out[CountW+6 +: PortW];
  assign next_index    = side_out[CountW+6+PortW +: DescW];
  assign next_bad      = side_out[PlainW-1];
  assign next_comes    = (waiting_q != '0) & (~head_valid_o | pop_i);
  assign load          = next_comes & (inner | found_i);  // a packet begins with a look-up

  // Within a packet the descriptor, epoch and destination stay; the head registers still hold the last beat's.
  logic inner, inside_q, changed, framing, framing_q, fresh;
  assign inner  = inside_q & ~next_begins;
  assign changed = inner & ((next_index != head_index_o) | (next_epoch != epoch_q) | (next_port != port_q));
  assign framing = next_bad | changed;
  assign fresh   = load & ~changed;                 // what the head says of its packet comes from this beat

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_valid_o <= 1'b0;
      inside_q     <= 1'b0;
    end else begin
      if (load) head_valid_o <= 1'b1;
      else if (pop_i) head_valid_o <= 1'b0;
      if (load) inside_q <= ~next_last;
    end
    if (load) begin
      head_last_o     <= next_last;
      head_step_end_o <= next_step_end;
      head_count_o    <= next_count;
      framing_q       <= framing;
    end
    if (fresh) begin
      head_index_o <= next_index;
      epoch_q      <= next_epoch;
      port_q       <= next_port;
    end
  end
  assign head_port_o = port_q;
  fred_onehot #(.Count(Ports), .IndexW(PortW)) u_dest (.index_i(port_q), .onehot_o(head_dest_o));

  // What the table says of the head's descriptor. While that runs the table does not change, so what was found for a
  // packet's first beat holds for all of it. A head whose descriptor does not run is neither launched nor dropped; it is
  // looked up again after every change of what runs (the last one may have come before there was a head).
  logic hold, again_q, run_q, run_d, known_q, same_epoch_q, same_epoch_d, same_vc, same_vc_q, sound_q;
  assign hold         = head_valid_o & ~run_q;
  assign seek_o       = hold ? again_q : next_comes & ~inner;
  assign seek_index_o = hold ? head_index_o : next_index;
  assign seek_epoch_o = hold ? epoch_q : next_epoch;
  assign seek_port_o  = hold ? port_q : next_port;
  assign same_vc      = |(desc_is_i & mine_i);
  assign run_d        = found_i ? runs_i & same_vc : run_q & |(head_desc_o & run_i);
  assign same_epoch_d = found_i ? same_epoch_i : same_epoch_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) again_q <= 1'b0;
    else again_q <= news_i | (again_q & ~found_i);
    if (found_i) begin
      head_member_o <= member_i;
      known_q       <= enabled_i;
      same_vc_q     <= same_vc;
    end
    // The last head's descriptor may be moved to another circuit.
    head_desc_o  <= (found_i ? desc_is_i : head_desc_o) & mine_i;
    run_q        <= run_d;
    same_epoch_q <= same_epoch_d;
    sound_q      <= run_d & same_epoch_d & ~(load ? framing | next_error : framing_q | error_q);
  end
  assign head_usable_o  = head_valid_o & sound_q;
  assign head_stale_o   = head_valid_o & run_q & ~same_epoch_q;
  assign head_error_o   = head_valid_o & run_q & same_epoch_q & error_q & ~framing_q;
  assign head_framing_o = head_valid_o & framing_q & ~head_stale_o;
  assign head_unknown_o = head_valid_o & ~known_q & ~framing_q;
  assign head_vc_o      = head_valid_o & known_q & ~same_vc_q & ~framing_q;

endmodule

`default_nettype wire
