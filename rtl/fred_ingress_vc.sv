// SPDX-License-Identifier: Apache-2.0
// One virtual circuit of an ingress buffer: which places of the data memory are its own, the sideband of the beats in
// them, and the decoded beat at its head.
//
//   cycle 0   1          2
//   accept -> sideband -> head_* (decoded)
//
// Only what the launch decision needs is decoded ahead (descriptor and destination one-hot, byte count). A beat that
// breaks the framing rules of docs/protocol.md is never launchable (`head_framing_o`).
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
  output logic                          room_o,            // it will have a place in the next cycle
  output logic                          vc_ready_o,
  output logic      [AddrW-1:0]         waddr_o,           // where its data goes

  // From the descriptor table, steady while a descriptor is enabled.
  input  wire logic [Descriptors-1:0]   enable_i,
  input  wire logic [Descriptors*4-1:0] epoch_i,
  input  wire logic [Descriptors*Ports-1:0] out_mask_i,
  input  wire logic [Descriptors-1:0]   mine_i,            // its beats are to be in this circuit

  // The beat at the head. `head_desc_o` is one-hot, and zero for a beat that must not be launched.
  output logic                          head_valid_o,
  output logic      [Descriptors-1:0]   head_desc_o,
  output logic      [DescW-1:0]         head_index_o,
  output logic                          head_last_o,
  output logic                          head_step_end_o,
  output logic      [CountW-1:0]        head_count_o,
  output logic      [Ports-1:0]         head_dest_o,
  output logic                          head_member_o,     // the destination is in the descriptor's OUT_MASK
  output logic                          head_stale_o,      // enabled descriptor, other epoch: drop it
  output logic                          head_unknown_o,    // no such descriptor, or not enabled
  output logic                          head_framing_o,    // breaks a framing rule
  output logic                          head_vc_o,         // its descriptor belongs to another circuit
  input  wire logic                     pop_i,             // the head is taken or dropped in this cycle

  input  wire logic                     read_i,            // the cycle after pop_i: the place is free again
  output logic      [AddrW-1:0]         raddr_o            // where the data of that beat is
);

  localparam int FillW = $clog2(Depth + 1);
  localparam int SideA = $clog2(Depth);             // bits of an address in the sideband memory
  localparam int SideW = CountW + 1 + UserW + DescW + 1;

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
  logic             load;         // the next entry becomes the head
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

  logic [SideW-1:0] side_out;
  fred_ram_async #(.Width(SideW), .Depth(Depth)) u_sideband (
    .clk_i   (clk_i),
    .we_i    (accept_i),
    .waddr_i (side_wptr),
    .wdata_i ({bad_i, desc_i, user_i, last_i, count_i}),
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
  assign next_bad      = side_out[SideW-1];
  assign load          = (waiting_q != '0) & (~head_valid_o | pop_i);

  // Within a packet the descriptor, epoch and destination stay; the head registers still hold the last beat's.
  logic inside_q, framing, framing_q;
  assign framing = next_bad | (inside_q & ((next_index != head_index_o) | (next_epoch != epoch_q) |
                                           (next_port != port_q)));

  logic [Descriptors-1:0] next_desc, desc;
  logic [Ports-1:0]       next_dest;
  fred_onehot #(.Count(Descriptors), .IndexW(DescW)) u_next_desc (.index_i(next_index), .onehot_o(next_desc));
  fred_onehot #(.Count(Descriptors), .IndexW(DescW)) u_desc (.index_i(head_index_o), .onehot_o(desc));
  fred_onehot #(.Count(Ports), .IndexW(PortW)) u_dest (.index_i(next_port), .onehot_o(next_dest));

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
      head_index_o    <= next_index;
      head_last_o     <= next_last;
      head_step_end_o <= next_step_end;
      epoch_q         <= next_epoch;
      head_count_o    <= next_count;
      head_dest_o     <= next_dest;
      framing_q       <= framing;
      port_q          <= next_port;
    end
  end

  // What the table says of the descriptor that the head will name in the next cycle, looked up a cycle ahead for both
  // beats that may be the head then: software writes an entry only while the descriptor is disabled, several cycles
  // before it is launched.
  logic [3:0]       table_epoch, next_table_epoch;
  logic [Ports-1:0] members, next_members;
  logic             known_q, same_epoch_q, same_vc_q;
  fred_select #(.Width(4), .Count(Descriptors)) u_epoch (
    .select_i (desc),
    .data_i   (epoch_i),
    .data_o   (table_epoch)
  );
  fred_select #(.Width(4), .Count(Descriptors)) u_next_epoch (
    .select_i (next_desc),
    .data_i   (epoch_i),
    .data_o   (next_table_epoch)
  );
  fred_select #(.Width(Ports), .Count(Descriptors)) u_members (
    .select_i (desc),
    .data_i   (out_mask_i),
    .data_o   (members)
  );
  fred_select #(.Width(Ports), .Count(Descriptors)) u_next_members (
    .select_i (next_desc),
    .data_i   (out_mask_i),
    .data_o   (next_members)
  );
  always_ff @(posedge clk_i) begin
    head_desc_o   <= (load ? next_desc & ~{Descriptors{framing}} : desc & ~{Descriptors{framing_q}}) & mine_i;
    head_member_o <= load ? |(next_members & next_dest) : |(members & head_dest_o);
    known_q       <= load ? |(next_desc & enable_i) : |(desc & enable_i);
    same_vc_q     <= load ? |(next_desc & mine_i) : |(desc & mine_i);
    same_epoch_q  <= load ? next_table_epoch == next_epoch : table_epoch == epoch_q;
  end
  assign head_framing_o = head_valid_o & framing_q;
  assign head_unknown_o = head_valid_o & ~known_q & ~framing_q;
  assign head_vc_o      = head_valid_o & known_q & ~same_vc_q & ~framing_q;
  assign head_stale_o   = head_valid_o & known_q & same_vc_q & ~same_epoch_q & ~framing_q;

endmodule

`default_nettype wire
