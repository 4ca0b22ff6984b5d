// SPDX-License-Identifier: Apache-2.0
// All-to-all state of one port in one context: where its beats of this step go, over which colours, and whether it has
// ended the step.
//
// The table holds an entry a step, with its parity. The current entry is decoded in registers and the next one waits at
// the table's output, so one step follows the other without a bubble.
//
// Limits: the table is written while its descriptor is disabled.
`default_nettype none

module fred_alltoall_port #(
  parameter int Ports  = 8,                         // ports of the switch
  parameter int PortW  = 3,                         // bits of a port number or step; the table has 2^PortW entries
  parameter int RouteW = 4,                         // bits of a route's colours, 1 or more
  parameter int Fixed  = 0,                         // 1: the table is constant, and not written
  parameter logic [(Fixed != 0 ? (1<<PortW)*(PortW+RouteW) : 1)-1:0] Entries = '0  // then what it holds, by step
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  // Table write.
  input  wire logic              we_i,
  input  wire logic [PortW-1:0]  wstep_i,
  input  wire logic [PortW-1:0]  wdest_i,
  input  wire logic [RouteW-1:0] wroute_i,
  input  wire logic              wparity_i,
  // Step control, from the descriptor that this port belongs to.
  input  wire logic              fetch_i,           // enabled just now: fetch step 0
  input  wire logic              begin_i,           // the cycle after: make it the current step, fetch the next
  input  wire logic              advance_i,         // every member has ended the step: go on to the next
  input  wire logic [PortW-1:0]  ahead_i,           // the step to be fetched next
  // Launches of this port.
  input  wire logic              launch_i,
  input  wire logic              step_end_i,        // the launched beat ends the step
  output logic                   ended_o,           // has ended this step, waits for the others
  output logic      [Ports-1:0]  dest_o,            // one-hot
  output logic      [RouteW-1:0] route_o,
  output logic                   bad_o              // for one cycle: what they have become has a wrong bit
);

  logic [PortW+RouteW-1:0] entry;
  logic [Ports-1:0]        entry_dest;
  logic                    next, wrong;
  assign next = begin_i | advance_i;

  if (Fixed != 0) begin : g_fixed
    logic unused_write;
    assign unused_write = ^{we_i, wstep_i, wdest_i, wroute_i, wparity_i};
    assign wrong        = 1'b0;
    fred_rom_sync #(.Width(PortW + RouteW), .Depth(1 << PortW), .Words(Entries)) u_table (
      .clk_i   (clk_i),
      .re_i    (next | fetch_i),
      .raddr_i (ahead_i),
      .rdata_o (entry)
    );
  end else begin : g_written
    logic parity;
    assign wrong = ^{entry, parity};
    fred_ram_sync #(.Width(PortW + RouteW + 1), .Depth(1 << PortW)) u_table (
      .clk_i   (clk_i),
      .we_i    (we_i),
      .waddr_i (wstep_i),
      .wdata_i ({wparity_i, wroute_i, wdest_i}),
      .re_i    (next | fetch_i),
      .raddr_i (ahead_i),
      .rdata_o ({parity, entry})
    );
  end
  fred_onehot #(.Count(Ports), .IndexW(PortW)) u_dest (.index_i(entry[PortW-1:0]), .onehot_o(entry_dest));

  always_ff @(posedge clk_i) begin
    if (next) begin
      dest_o  <= entry_dest;
      route_o <= entry[PortW +: RouteW];
    end
    if (!rst_ni) bad_o <= 1'b0;
    else bad_o <= next & wrong;
    if (!rst_ni || next || fetch_i) ended_o <= 1'b0;
    else if (launch_i && step_end_i) ended_o <= 1'b1;
  end

endmodule

`default_nettype wire
