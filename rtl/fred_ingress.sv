// SPDX-License-Identifier: Apache-2.0
// Ingress buffer of one port: AXI4-Stream in, the decoded beat at its head out to the control unit, its data out to the
// network two cycles after the control unit takes it.
//
//   cycle 0   1          2                      3          4
//   s_axis -> sideband -> head_* (decoded) ---> read_i --> data_o
//          -> data memory ----------------------^
//
// Only what the launch decision needs is decoded ahead (descriptor and destination one-hot, byte count); the data waits
// in a memory until it is launched. A beat that breaks the framing rules of docs/protocol.md is never launchable
// (`head_framing_o`).
//
// Limits: one virtual circuit. Full rate needs Depth >= 4.
`default_nettype none

module fred_ingress #(
  parameter int Ports       = 8,                    // ports of the switch, to decode the destination of a send
  parameter int Width       = 32,                   // bits of tdata, a multiple of 8
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int Depth       = 4,                    // beats held, 2 or more
  parameter int PortW       = 3,                    // bits of a port number
  parameter int DescW       = 3,                    // bits of tdest
  localparam int Bytes      = Width / 8,
  localparam int CountW     = $clog2(Bytes + 1),
  localparam int UserW      = 5 + PortW
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  input  wire logic                     s_axis_tvalid,
  output logic                          s_axis_tready,
  input  wire logic [Width-1:0]         s_axis_tdata,
  input  wire logic [Bytes-1:0]         s_axis_tkeep,
  input  wire logic                     s_axis_tlast,
  input  wire logic                     s_axis_tid,
  input  wire logic [DescW-1:0]         s_axis_tdest,
  input  wire logic [UserW-1:0]         s_axis_tuser,
  output logic                          s_axis_vc_ready,

  // From the descriptor table, steady while a descriptor is enabled.
  input  wire logic [Descriptors-1:0]   enable_i,
  input  wire logic [Descriptors*4-1:0] epoch_i,
  input  wire logic [Descriptors*Ports-1:0] out_mask_i,

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
  input  wire logic                     pop_i,             // the head is taken or dropped in this cycle

  input  wire logic                     read_i,            // the cycle after pop_i
  output logic      [Width-1:0]         data_o             // the cycle after read_i
);

`ifndef __ICARUS__
  if (Depth < 2) begin : g_check_depth
    $error("fred_ingress: Depth must be 2 or more");
  end
  if (Width % 8 != 0) begin : g_check_width
    $error("fred_ingress: Width must be a multiple of 8");
  end
`endif

  localparam int AddrW = $clog2(Depth);
  localparam int FillW = $clog2(Depth + 1);
  localparam int SideW = CountW + 1 + UserW + DescW + 1;

  logic accept;
  assign accept = s_axis_tvalid & s_axis_tready;

  // ---- Fill level: counts a beat from its acceptance until its data is read. ----
  logic [FillW-1:0] fill_q, fill_d;
  logic             ready_q, up_q;
  assign fill_d = fill_q + FillW'(accept) - FillW'(read_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q  <= '0;
      ready_q <= 1'b0;
      up_q    <= 1'b0;
    end else begin
      fill_q  <= fill_d;
      ready_q <= fill_d != FillW'(Depth);
      up_q    <= 1'b1;
    end
  end
  assign s_axis_tready   = ready_q;
  // Room for one more in the next cycle even if a beat is accepted in this one.
  assign s_axis_vc_ready = up_q & ((fill_q - FillW'(read_i)) < FillW'(Depth - 1));

  // ---- Write side, and the pointers of both memories. ----
  logic [CountW-1:0] in_count;
  logic              in_prefix, in_bad;
  fred_keep_count #(.Bytes(Bytes)) u_keep (
    .keep_i   (s_axis_tkeep),
    .count_o  (in_count),
    .prefix_o (in_prefix)
  );
  assign in_bad = ~in_prefix | s_axis_tid |
                  (~s_axis_tlast & ((in_count != CountW'(Bytes)) | s_axis_tuser[0]));

  logic [AddrW-1:0] wptr_q, side_rptr_q, data_rptr_q;
  logic [FillW-1:0] waiting_q;    // sideband entries behind the head
  logic [FillW-1:0] waiting;      // these and one that comes now
  logic             load;         // the next entry becomes the head
  assign waiting = waiting_q + FillW'(accept);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q      <= '0;
      side_rptr_q <= '0;
      data_rptr_q <= '0;
      waiting_q   <= '0;
    end else begin
      if (accept) wptr_q      <= (wptr_q == AddrW'(Depth - 1)) ? '0 : wptr_q + AddrW'(1);
      if (load)   side_rptr_q <= (side_rptr_q == AddrW'(Depth - 1)) ? '0 : side_rptr_q + AddrW'(1);
      if (read_i) data_rptr_q <= (data_rptr_q == AddrW'(Depth - 1)) ? '0 : data_rptr_q + AddrW'(1);
      waiting_q <= load ? waiting - FillW'(1) : waiting;
    end
  end

  logic [SideW-1:0] side_out;
  fred_ram_async #(.Width(SideW), .Depth(Depth)) u_sideband (
    .clk_i   (clk_i),
    .we_i    (accept),
    .waddr_i (wptr_q),
    .wdata_i ({in_bad, s_axis_tdest, s_axis_tuser, s_axis_tlast, in_count}),
    .raddr_i (side_rptr_q),
    .rdata_o (side_out)
  );
  fred_ram_sync #(.Width(Width), .Depth(Depth)) u_data (
    .clk_i   (clk_i),
    .we_i    (accept),
    .waddr_i (wptr_q),
    .wdata_i (s_axis_tdata),
    .re_i    (read_i),
    .raddr_i (data_rptr_q),
    .rdata_o (data_o)
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

  logic [Descriptors-1:0] next_desc;
  logic [Ports-1:0]       next_dest;
  fred_onehot #(.Count(Descriptors), .IndexW(DescW)) u_desc (.index_i(next_index), .onehot_o(next_desc));
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
      head_desc_o     <= framing ? '0 : next_desc;
      head_index_o    <= next_index;
      head_last_o     <= next_last;
      head_step_end_o <= next_step_end;
      epoch_q    <= next_epoch;
      head_count_o    <= next_count;
      head_dest_o     <= next_dest;
      framing_q       <= framing;
      port_q          <= next_port;
    end
  end

  // What the table says of the descriptor that the head will name in the next cycle, looked up a cycle ahead for both
  // beats that may be the head then: software writes an entry only while the descriptor is disabled, several cycles
  // before it is launched.
  logic [3:0] table_epoch, next_table_epoch;
  fred_select #(.Width(4), .Count(Descriptors)) u_epoch (
    .select_i (head_desc_o),
    .data_i   (epoch_i),
    .data_o   (table_epoch)
  );
  fred_select #(.Width(4), .Count(Descriptors)) u_next_epoch (
    .select_i (next_desc),
    .data_i   (epoch_i),
    .data_o   (next_table_epoch)
  );
  logic [Ports-1:0] members, next_members;
  fred_select #(.Width(Ports), .Count(Descriptors)) u_members (
    .select_i (head_desc_o),
    .data_i   (out_mask_i),
    .data_o   (members)
  );
  fred_select #(.Width(Ports), .Count(Descriptors)) u_next_members (
    .select_i (next_desc),
    .data_i   (out_mask_i),
    .data_o   (next_members)
  );
  logic known_q, same_epoch_q;
  always_ff @(posedge clk_i) begin
    head_member_o <= load ? |(next_members & next_dest) : |(members & head_dest_o);
    known_q      <= load ? |(next_desc & enable_i) : |(head_desc_o & enable_i);
    same_epoch_q <= load ? next_table_epoch == next_epoch : table_epoch == epoch_q;
  end
  assign head_framing_o = head_valid_o & framing_q;
  assign head_stale_o   = head_valid_o & known_q & ~same_epoch_q & ~framing_q;
  assign head_unknown_o = head_valid_o & ~known_q & ~framing_q;

endmodule

`default_nettype wire
