// SPDX-License-Identifier: Apache-2.0
// Ingress buffers of one port, one a virtual circuit: AXI4-Stream in, the decoded beat at the head of each circuit out
// to the control unit, data out to the network two cycles after the control unit takes a beat.
//
//                       +-> circuit 0 (fred_ingress_vc) -> head 0
//   s_axis --by tid-->--+-> ...                            ...       control unit -> launched_i
//            |          +-> circuit V-1 -----------------> head V-1                       |
//            +-> data memory, Depth places a circuit ----------------------------> data_o (the cycle after)
//
// s_axis_tready is one bit for all circuits and comes from a register. It stays set as long as every circuit has a
// place; the last place of each, where there are several, is not promised by s_axis_vc_ready. So a source that honours
// vc_ready never finds tready low for the sake of another circuit, and one that does not may, and then waits.
// A tid that is no circuit goes to the last one and is marked as bad.
//
// Behind a link (Linked = 1) circuits are slots, every beat has its place by the link's credits and is taken at once, and
// tuser is as at m_axis of the switch before, with PortW bits of a step.
//
// Limits: full rate needs Depth >= 4, with several circuits 6 (fred_ingress_vc).
`default_nettype none

module fred_ingress #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, virtual circuits
  parameter int Circuits    = Vcs,                  // C, of the heads: V or more; those beyond V have no beats
  parameter int Width       = 32,                   // bits of tdata, a multiple of 8
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int Depth       = 4,                    // beats held a circuit, 2 or more; with several circuits 3 or more
  parameter int PortW       = 3,                    // bits of a port number
  parameter int DescW       = 3,                    // bits of tdest
  parameter int Linked      = 0,                    // 1: behind a link
  localparam int VcW        = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int Bytes      = Width / 8,
  localparam int CountW     = $clog2(Bytes + 1),
  localparam int UserW      = 5 + PortW + (Linked != 0 ? 1 : 0)
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  input  wire logic                       s_axis_tvalid,
  output logic                            s_axis_tready,
  input  wire logic [Width-1:0]           s_axis_tdata,
  input  wire logic [Bytes-1:0]           s_axis_tkeep,
  input  wire logic                       s_axis_tlast,
  input  wire logic [VcW-1:0]             s_axis_tid,
  input  wire logic [DescW-1:0]           s_axis_tdest,
  input  wire logic [UserW-1:0]           s_axis_tuser,
  output logic      [Vcs-1:0]             s_axis_vc_ready,
  input  wire logic                       cut_i,             // the link has lost what was under way

  // From the descriptor table.
  input  wire logic                       news_i,            // a bit of the next two begins or ends
  input  wire logic [Descriptors-1:0]     enable_i,
  input  wire logic [Descriptors-1:0]     run_i,             // enabled, and neither stopped nor spoiled
  input  wire logic [Descriptors*(4+Ports)-1:0] rows_i,      // of each {epoch, OUT_MASK}
  input  wire logic [Descriptors*Vcs-1:0] vc_i,              // one-hot circuit of each descriptor

  // Heads, as in fred_ingress_vc; circuit v at [v*N +: N].
  output logic      [Circuits-1:0]        head_valid_o,
  output logic      [Circuits-1:0]        head_usable_o,
  output logic      [Circuits*Descriptors-1:0] head_desc_o,
  output logic      [Circuits*DescW-1:0]  head_index_o,
  output logic      [Circuits-1:0]        head_last_o,
  output logic      [Circuits-1:0]        head_step_end_o,
  output logic      [Circuits*CountW-1:0] head_count_o,
  output logic      [Circuits*Ports-1:0]  head_dest_o,
  output logic      [Circuits*PortW-1:0]  head_port_o,
  output logic      [Circuits-1:0]        head_member_o,
  output logic      [Circuits-1:0]        head_stale_o,
  output logic      [Circuits-1:0]        head_unknown_o,
  output logic      [Circuits-1:0]        head_framing_o,
  output logic      [Circuits-1:0]        head_error_o,
  output logic      [Circuits-1:0]        head_vc_o,
  input  wire logic [Vcs-1:0]             pop_i,             // heads taken or dropped in this cycle

  input  wire logic [Vcs-1:0]             launched_i,        // the head that was taken in the last cycle, one-hot
  input  wire logic [Vcs-1:0]             dropped_i,         // heads that were dropped in it
  output logic      [Width-1:0]           data_o             // of the launched beat, the cycle after launched_i
);

`ifndef __ICARUS__
  if (Depth < (Vcs > 1 ? 3 : 2)) begin : g_check_depth
    $error("fred_ingress: Depth must be 2 or more, 3 with several virtual circuits");
  end
  if (Width % 8 != 0) begin : g_check_width
    $error("fred_ingress: Width must be a multiple of 8");
  end
`endif

  localparam int AddrW = $clog2(Vcs * Depth);

  // ---- The beat that comes in. ----
  logic              accept, in_prefix, in_bad, ready_q;
  logic [CountW-1:0] in_count;
  logic [Vcs-1:0]    in_vc, of_vc;
  logic              no_vc;                         // tid is no circuit
  logic [4+PortW:0]  in_user;                       // {destination or step, epoch, step_end}
  logic              in_error;
  if (Linked != 0) begin : g_linked
    logic unused_room;
    assign unused_room   = ready_q;
    assign s_axis_tready = 1'b1;
    assign in_user       = {s_axis_tuser[UserW-1:6], s_axis_tuser[4:0]};
    assign in_error      = s_axis_tuser[5];
  end else begin : g_own
    assign s_axis_tready = ready_q;
    assign in_user       = s_axis_tuser;
    assign in_error      = 1'b0;
  end
  assign accept = s_axis_tvalid & s_axis_tready;
  fred_keep_count #(.Bytes(Bytes)) u_keep (
    .keep_i   (s_axis_tkeep),
    .count_o  (in_count),
    .prefix_o (in_prefix)
  );
  assign in_bad = ~in_prefix | no_vc |
                  (~s_axis_tlast & ((in_count != CountW'(Bytes)) | s_axis_tuser[0]));

  fred_onehot #(.Count(Vcs), .IndexW(VcW)) u_vc (.index_i(s_axis_tid), .onehot_o(of_vc));
  assign no_vc = ~|of_vc;
  assign in_vc = of_vc | Vcs'(no_vc) << (Vcs - 1);

  // ---- The circuits. ----
  logic [Vcs-1:0]       room;
  logic [Vcs*AddrW-1:0] waddrs, raddrs;
  logic [AddrW-1:0]     waddr, raddr;
  // One look-up for all.
  logic [Vcs-1:0]         seek, found;
  logic [Vcs*DescW-1:0]   seek_index;
  logic [Vcs*4-1:0]       seek_epoch;
  logic [Vcs*PortW-1:0]   seek_port;
  logic [Descriptors-1:0] desc_is;
  logic                   enabled, runs, same_epoch, member;
  fred_ingress_seek #(
    .Ports(Ports), .Vcs(Vcs), .Descriptors(Descriptors), .PortW(PortW), .DescW(DescW)
  ) u_seek (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .seek_i       (seek),
    .index_i      (seek_index),
    .epoch_i      (seek_epoch),
    .port_i       (seek_port),
    .found_o      (found),
    .enable_i     (enable_i),
    .run_i        (run_i),
    .rows_i       (rows_i),
    .desc_o       (desc_is),
    .enabled_o    (enabled),
    .runs_o       (runs),
    .same_epoch_o (same_epoch),
    .member_o     (member)
  );
  for (genvar v = 0; v < Vcs; v++) begin : g_vc
    logic [Descriptors-1:0] mine;
    for (genvar d = 0; d < Descriptors; d++) begin : g_mine
      assign mine[d] = vc_i[d*Vcs + v];
    end
    fred_ingress_vc #(
      .Ports(Ports), .Descriptors(Descriptors), .Depth(Depth), .Reserve(Vcs > 1 ? 1 : 0), .Base(v * Depth),
      .AddrW(AddrW), .PortW(PortW), .DescW(DescW), .CountW(CountW), .Linked(Linked)
    ) u_vc (
      .clk_i           (clk_i),
      .rst_ni          (rst_ni),
      .accept_i        (accept & in_vc[v]),
      .bad_i           (in_bad),
      .count_i         (in_count),
      .last_i          (s_axis_tlast),
      .desc_i          (s_axis_tdest),
      .user_i          (in_user),
      .error_i         (in_error),
      .cut_i           (cut_i),
      .room_o          (room[v]),
      .vc_ready_o      (s_axis_vc_ready[v]),
      .waddr_o         (waddrs[v*AddrW +: AddrW]),
      .run_i           (run_i),
      .mine_i          (mine),
      .news_i          (news_i),
      .seek_o          (seek[v]),
      .seek_index_o    (seek_index[v*DescW +: DescW]),
      .seek_epoch_o    (seek_epoch[v*4 +: 4]),
      .seek_port_o     (seek_port[v*PortW +: PortW]),
      .found_i         (found[v]),
      .desc_is_i       (desc_is),
      .enabled_i       (enabled),
      .runs_i          (runs),
      .same_epoch_i    (same_epoch),
      .member_i        (member),
      .head_valid_o    (head_valid_o[v]),
      .head_usable_o   (head_usable_o[v]),
      .head_desc_o     (head_desc_o[v*Descriptors +: Descriptors]),
      .head_index_o    (head_index_o[v*DescW +: DescW]),
      .head_last_o     (head_last_o[v]),
      .head_step_end_o (head_step_end_o[v]),
      .head_count_o    (head_count_o[v*CountW +: CountW]),
      .head_dest_o     (head_dest_o[v*Ports +: Ports]),
      .head_port_o     (head_port_o[v*PortW +: PortW]),
      .head_member_o   (head_member_o[v]),
      .head_stale_o    (head_stale_o[v]),
      .head_unknown_o  (head_unknown_o[v]),
      .head_framing_o  (head_framing_o[v]),
      .head_error_o    (head_error_o[v]),
      .head_vc_o       (head_vc_o[v]),
      .pop_i           (pop_i[v]),
      .read_i          (launched_i[v] | dropped_i[v]),
      .raddr_o         (raddrs[v*AddrW +: AddrW])
    );
  end
  if (Circuits > Vcs) begin : g_no_circuits
    localparam int N = Circuits - Vcs;
    assign head_valid_o[Vcs +: N]                         = '0;
    assign head_usable_o[Vcs +: N]                        = '0;
    assign head_desc_o[Vcs*Descriptors +: N*Descriptors]  = '0;
    assign head_index_o[Vcs*DescW +: N*DescW]             = '0;
    assign head_last_o[Vcs +: N]                          = '0;
    assign head_step_end_o[Vcs +: N]                      = '0;
    assign head_count_o[Vcs*CountW +: N*CountW]           = '0;
    assign head_dest_o[Vcs*Ports +: N*Ports]              = '0;
    assign head_port_o[Vcs*PortW +: N*PortW]              = '0;
    assign head_member_o[Vcs +: N]                        = '0;
    assign head_stale_o[Vcs +: N]                         = '0;
    assign head_unknown_o[Vcs +: N]                       = '0;
    assign head_framing_o[Vcs +: N]                       = '0;
    assign head_error_o[Vcs +: N]                         = '0;
    assign head_vc_o[Vcs +: N]                            = '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ready_q <= 1'b0;
    else ready_q <= &room;
  end

  // ---- The data. ----
  if (Vcs > 1) begin : g_addr
    fred_select #(.Width(AddrW), .Count(Vcs)) u_waddr (.select_i(in_vc), .data_i(waddrs), .data_o(waddr));
    fred_select #(.Width(AddrW), .Count(Vcs)) u_raddr (.select_i(launched_i), .data_i(raddrs), .data_o(raddr));
  end else begin : g_one_addr
    assign waddr = waddrs;
    assign raddr = raddrs;
  end
  fred_ram_sync #(.Width(Width), .Depth(Vcs * Depth)) u_data (
    .clk_i   (clk_i),
    .we_i    (accept),
    .waddr_i (waddr),
    .wdata_i (s_axis_tdata),
    .re_i    (|launched_i),
    .raddr_i (raddr),
    .rdata_o (data_o)
  );

endmodule

`default_nettype wire
