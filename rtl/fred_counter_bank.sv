// SPDX-License-Identifier: Apache-2.0
// Counters of which at most one counts in a cycle, in memories instead of registers: one incrementer for all of them.
//
//   event_i --[register]--> +------ memory <------+
//                           |                     |        two banks: one counts, the other one is read
//                           +--[register]-- + 1 --+------> memory of the same words --> rdata_o
//
// They count in one bank while the other holds what they were at the last snapshot. A snapshot exchanges the banks; the
// valid bits of the one that counts from then on are cleared, and a word without its bit is 0, so no memory has to be
// cleared. An event in the cycle of the snapshot counts after it.
//
// Limits: a counter stops at 2^Width - 1. A snapshot can be read from two cycles after snapshot_i on. What is read of a
// word in the cycle that writes it is not used (docs/memories.md).
`default_nettype none

module fred_counter_bank #(
  parameter int Count  = 4,                         // counters, 1 or more
  parameter int Width  = 32,                        // bits of a counter
  localparam int IndexW = Count > 1 ? $clog2(Count) : 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [Count-1:0]  event_i,           // at most one
  input  wire logic              snapshot_i,
  input  wire logic [IndexW-1:0] index_i,           // the counter that is read
  output logic      [Width-1:0]  rdata_o
);

  localparam int Half  = Count > 1 ? 1 << IndexW : 1;  // words from one bank to the other
  localparam int AddrW = $clog2(Half + Count);
  logic                 live_q, shown;              // the bank that counts, the one that is read
  logic [2*Count-1:0]   valid_q;                    // bank b, counter n at [b*Count + n]
  logic [Count-1:0]     event_q, live_valid, read_valid, select;
  logic [Count*AddrW-1:0] numbers;
  logic [AddrW-1:0]     index, at, at_q, raddr;
  assign shown      = ~live_q;
  assign live_valid = live_q ? valid_q[Count +: Count] : valid_q[0 +: Count];
  assign read_valid = live_q ? valid_q[0 +: Count] : valid_q[Count +: Count];
  for (genvar n = 0; n < Count; n++) begin : g_number
    assign numbers[n*AddrW +: AddrW] = AddrW'(n);
  end
  fred_select #(.Width(AddrW), .Count(Count)) u_index (.select_i(event_q), .data_i(numbers), .data_o(index));
  assign at = index | AddrW'(live_q) << (AddrW - 1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q  <= 1'b0;
      event_q <= '0;
    end else begin
      event_q <= event_i;
      if (snapshot_i) live_q <= ~live_q;
    end
  end
  for (genvar b = 0; b < 2; b++) begin : g_bank
    logic live;
    assign live = live_q == 1'(b);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (snapshot_i && !live)) valid_q[b*Count +: Count] <= '0;
      else if (live) valid_q[b*Count +: Count] <= valid_q[b*Count +: Count] | event_q;
    end
  end

  // ---- Read, add one, write: a cycle each for reading and writing. ----
  logic             counts_q;
  logic [Width-1:0] word, word_q, count;
  fred_ram_async #(.Width(Width), .Depth(Half + Count)) u_count (
    .clk_i   (clk_i),
    .we_i    (counts_q),
    .waddr_i (at_q),
    .wdata_i (count),
    .raddr_i (at),
    .rdata_o (word)
  );
  assign count = word_q + Width'(~&word_q);         // stops at all ones
  always_ff @(posedge clk_i) begin
    if (!rst_ni) counts_q <= 1'b0;
    else counts_q <= |event_q;
    at_q   <= at;
    word_q <= (counts_q & (at_q == at) ? count : word) & {Width{|(event_q & live_valid)}};
  end

  // ---- The other bank, for reading. ----
  logic [Width-1:0] frozen;
  fred_onehot #(.Count(Count), .IndexW(IndexW)) u_select (.index_i(index_i), .onehot_o(select));
  assign raddr = (Count > 1 ? AddrW'(index_i) : '0) | AddrW'(shown) << (AddrW - 1);
  fred_ram_async #(.Width(Width), .Depth(Half + Count)) u_frozen (
    .clk_i   (clk_i),
    .we_i    (counts_q),
    .waddr_i (at_q),
    .wdata_i (count),
    .raddr_i (raddr),
    .rdata_o (frozen)
  );
  assign rdata_o = frozen & {Width{|(select & read_valid)}};

endmodule

`default_nettype wire
