// SPDX-License-Identifier: Apache-2.0
// One descriptor at work: which ports it would launch in this cycle, where to, and the step it is in.
//
// A tree collective launches one beat from every port of its launch mask, at once, to every port of its deliver mask.
// In `send` one source goes at a time, in all-to-all each one on its own. `candidate_o` says that something can go; the
// arbiter answers with `grant_i` in the same cycle.
//
// Masks by kind (docs/protocol.md); cursor = the one member, in ascending order, whose step it is:
//   launch:  IN_MASK, the root, or the cursor        deliver:  OUT_MASK, the root, or the cursor
// At a link port, behind which there may be many members, the cursor stays for further steps (repeats_i).
//
// Limits: halts when operands disagree, until it is disabled or aborted.
`default_nettype none

module fred_descriptor #(
  parameter int Ports     = 8,                      // ports of the switch
  parameter int PortW     = 3,                      // bits of a port number, and of a step of an all-to-all
  parameter int StepW     = 3,                      // bits of a step, PortW or more
  parameter int LinkPorts = 0,                      // link ports, the last ones
  parameter int CountW    = 3,                      // bits of a byte count
  localparam int LinksP   = LinkPorts > 0 ? LinkPorts : 1
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,

  // The table entry; steady while enable_i is set.
  input  wire logic                    enable_i,
  input  wire logic                    hold_i,      // launches nothing in this cycle
  input  wire logic [3:0]              kind_i,
  input  wire logic [2:0]              granule_i,   // bytes of an element less one
  input  wire logic [Ports-1:0]        in_mask_i,
  input  wire logic [Ports-1:0]        out_mask_i,
  input  wire logic [Ports-1:0]        root_i,      // one-hot
  input  wire logic [PortW-1:0]        final_step_i, // members of in_mask_i less one
  input  wire logic [LinksP*StepW-1:0] repeats_i,    // further steps at each link port

  // Decoded, for the ports.
  output logic                         is_send_o,
  output logic                         is_alltoall_o,
  output logic      [Ports-1:0]        senders_o,   // ports that send in some step

  // The ports: heads that name this descriptor, and what they hold.
  input  wire logic [Ports-1:0]        head_i,
  input  wire logic [Ports-1:0]        named_i,     // ports whose last head named it, taken or not
  input  wire logic [Ports-1:0]        last_i,
  input  wire logic [Ports-1:0]        step_end_i,
  input  wire logic [Ports*CountW-1:0] count_i,
  input  wire logic [Ports-1:0]        open_i,      // ingress ports inside a packet
  input  wire logic [Ports-1:0]        space_i,     // egress ports with a place, in its virtual circuit
  input  wire logic [Ports-1:0]        busy_i,      // egress ports inside a packet, in its virtual circuit
  input  wire logic [Ports-1:0]        withheld_i,  // egress ports on which it must not start a packet
  input  wire logic [Ports-1:0]        late_i,      // sources that have waited for the bound
  input  wire logic [Ports-1:0]        moves_ok_i,  // of a send or all-to-all: the egress port that it goes to is a member
                                                    // and can take it
  input  wire logic [Ports-1:0]        ended_i,     // sources that have ended this all-to-all step

  output logic                         waits_o,     // a tree collective that has all its operands and does not go
  output logic                         in_packet_o, // its packet is open
  output logic                         late_goes_o, // a late source can go
  output logic                         pends_o,     // at work, and nothing of it goes
  output logic      [Ports-1:0]        wanted_o,    // ports whose beats it waits for; of a send none
  output logic                         candidate_o,
  input  wire logic                    grant_i,
  output logic      [Ports-1:0]        launch_o,    // ports that launch if granted
  output logic      [Ports-1:0]        deliver_o,   // egress ports of a tree collective; 0 for send and all-to-all
  output logic                         last_o,      // the launched beat of a tree collective ends its packet
  output logic      [StepW-1:0]        step_o,

  // All-to-all step control.
  output logic                         fetch_o,
  output logic                         begin_o,
  output logic                         advance_o,
  output logic      [PortW-1:0]        ahead_o,     // the step to be fetched next

  output logic                         halt_o,      // operands disagree: halts now
  output logic                         halted_o,
  output logic                         busy_o       // inside a packet or between steps
);

  // ---- What the kind means. ----
  localparam logic [3:0] Reduce = 4'd1, Broadcast = 4'd2, AllGather = 4'd3, ReduceScatter = 4'd4, Gather = 4'd5,
                         Scatter = 4'd6, Send = 4'd7, AllToAll = 4'd9;  // all others: all-reduce and barrier
  logic launch_root, launch_cursor, deliver_root, deliver_cursor, tree, is_send, is_alltoall, reduces;
  always_ff @(posedge clk_i) begin                  // steady long before the first launch
    launch_root    <= (kind_i == Broadcast) | (kind_i == Scatter);
    launch_cursor  <= (kind_i == AllGather) | (kind_i == Gather);
    deliver_root   <= (kind_i == Reduce) | (kind_i == Gather);
    deliver_cursor <= (kind_i == ReduceScatter) | (kind_i == Scatter);
    is_send        <= kind_i == Send;
    is_alltoall    <= kind_i == AllToAll;
    tree           <= (kind_i != Send) & (kind_i != AllToAll);
  end
  assign reduces        = tree & ~launch_root & ~launch_cursor;
  assign is_send_o      = is_send;
  assign is_alltoall_o  = is_alltoall;
  assign senders_o      = launch_root ? root_i : in_mask_i;

  // ---- Steps. ----
  logic             ready1_q, ready_q;              // enable, one and two cycles ago
  logic             running, stepped, last_step, step_end, advance, stays;
  logic [Ports-1:0] walk, cursor_q, cursor_d, above, next_cursor;
  logic [StepW-1:0] step_q;
  assign running = enable_i & ready_q;
  assign stepped = launch_cursor | deliver_cursor | is_alltoall;
  assign walk    = deliver_cursor ? out_mask_i : in_mask_i;
  assign above   = walk & ~(cursor_q | (cursor_q - Ports'(1)));
  assign last_step = (above == '0) & ~stays;
  fred_first #(.Count(Ports)) u_next (.start_i(above), .request_i(walk), .first_o(next_cursor));
  assign advance = grant_i & stepped & step_end;
  assign cursor_d = ~running ? walk & (~walk + Ports'(1)) : advance & ~stays ? next_cursor : cursor_q;
  always_ff @(posedge clk_i) begin
    cursor_q <= cursor_d;
    if (!rst_ni || !enable_i) begin
      ready1_q <= 1'b0;
      ready_q  <= 1'b0;
    end else begin
      ready1_q <= 1'b1;
      ready_q  <= ready1_q;
    end
    if (!running) step_q <= '0;
    else if (advance) step_q <= last_step ? '0 : step_q + StepW'(1);
  end
  if (LinkPorts > 0) begin : g_repeat
    logic [StepW-1:0] left_q, first_left, next_left;  // further steps at the cursor; at the first one, at the next one
    logic [Ports-1:0] first;
    logic             unused_first;                   // at a port of its own there is one step
    assign first        = walk & (~walk + Ports'(1));
    assign unused_first = ^first;
    fred_select #(.Width(StepW), .Count(LinkPorts)) u_first_left (
      .select_i(first[Ports-1 -: LinkPorts]), .data_i(repeats_i), .data_o(first_left)
    );
    fred_select #(.Width(StepW), .Count(LinkPorts)) u_next_left (
      .select_i(next_cursor[Ports-1 -: LinkPorts]), .data_i(repeats_i), .data_o(next_left)
    );
    assign stays = (left_q != '0) & ~is_alltoall;
    always_ff @(posedge clk_i) begin
      if (!running) left_q <= first_left;
      else if (advance) left_q <= stays ? left_q - StepW'(1) : next_left;
    end
  end else begin : g_once
    logic unused_repeat;
    assign unused_repeat = ^repeats_i;
    assign stays         = 1'b0;
  end
  assign step_o    = step_q;
  assign fetch_o   = enable_i & ~ready1_q;
  assign begin_o   = ready1_q & ~ready_q;
  assign advance_o = advance;

  // The all-to-all tables read a step ahead of the one that they hold ready, so this is two steps ahead of step_q.
  logic [PortW-1:0] ahead_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i) ahead_q <= '0;
    else if (fetch_o || begin_o || advance) ahead_q <= (ahead_q == final_step_i) ? '0 : ahead_q + PortW'(1);
  end
  assign ahead_o = ahead_q;

  // ---- Tree collectives. ----
  logic [Ports-1:0]  tree_launch, tree_deliver;
  logic              in_packet_q, missing, blocked, differ, cut;
  logic [CountW+1:0] common;
  always_ff @(posedge clk_i) begin
    tree_launch  <= launch_root  ? root_i : launch_cursor  ? cursor_d : in_mask_i;
    tree_deliver <= deliver_root ? root_i : deliver_cursor ? cursor_d : out_mask_i;
  end
  assign missing = |(tree_launch & ~head_i);
  always_ff @(posedge clk_i) begin                  // its packet is open, so the egress ports are its own
    if (!running) in_packet_q <= 1'b0;
    else if (grant_i) in_packet_q <= ~last_o;
  end
  assign blocked = |(tree_deliver & (~space_i | ((busy_i | withheld_i) & ~{Ports{in_packet_q}})));
  assign in_packet_o = in_packet_q;
  assign waits_o     = running & ~halted_o & tree & ~missing & ~grant_i;

  logic [Ports*(CountW+2)-1:0] described;
  for (genvar p = 0; p < Ports; p++) begin : g_described
    assign described[p*(CountW+2) +: CountW+2] = {last_i[p], step_end_i[p], count_i[p*CountW +: CountW]};
  end
  fred_agree #(.Width(CountW + 2), .Count(Ports)) u_agree (
    .select_i (tree_launch),
    .data_i   (described),
    .value_o  (common),
    .differ_o (differ)
  );
  // A cut element is allowed only where nothing is added to it.
  assign cut = reduces & (final_step_i != '0) & |(3'(common[CountW-1:0]) & granule_i);
  assign last_o = common[CountW+1];

  // ---- Send and all-to-all. ----
  // Late sources of a send that can go do so before the others; that one of them can is known a cycle later.
  logic [Ports-1:0] able, senders, sender, served_q, moving, ends;
  logic             late_goes_q;
  assign able    = head_i & in_mask_i & moves_ok_i;
  assign senders = able & (late_i | ~{Ports{late_goes_q}});
  fred_first #(.Count(Ports)) u_sender (.start_i(~served_q), .request_i(senders), .first_o(sender));
  always_ff @(posedge clk_i) begin                  // ports up to the sender served last
    if (!running) served_q <= '0;
    else if (grant_i && is_send) served_q <= sender | (sender - Ports'(1));
  end
  assign moving = head_i & in_mask_i & moves_ok_i & ~ended_i;
  assign ends   = ended_i | (moving & step_end_i);
  assign late_goes_o = running & |(late_i & (is_send ? able : is_alltoall ? moving : '0));
  always_ff @(posedge clk_i) late_goes_q <= late_goes_o;

  // ---- The candidate. ----
  assign launch_o    = is_send ? sender : is_alltoall ? moving : tree_launch;
  assign deliver_o   = tree ? tree_deliver : '0;
  assign step_end    = is_alltoall ? (ends & in_mask_i) == in_mask_i : common[CountW];
  assign candidate_o = running & ~halted_o & ~hold_i &
                       (is_send ? |senders : is_alltoall ? |moving : ~missing & ~blocked & ~differ & ~cut);
  assign halt_o      = running & ~halted_o & tree & ~missing & (differ | cut);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i) halted_o <= 1'b0;
    else if (halt_o) halted_o <= 1'b1;
  end
  assign wanted_o = is_send ? '0 : is_alltoall ? in_mask_i & ~ended_i : tree_launch;
  assign pends_o  = running & ~halted_o & ~grant_i &
                    ((|head_i) | in_packet_q | (step_q != '0) | (is_alltoall & |(in_mask_i & ended_i)));
  assign busy_o = running & ((step_q != '0) | (|(named_i & open_i)) | (is_alltoall & (|(in_mask_i & ended_i))));

endmodule

`default_nettype wire
