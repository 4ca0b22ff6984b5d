// SPDX-License-Identifier: Apache-2.0
// Performance counters: beats by port and virtual circuit, launches and waits by descriptor. What they count is said in
// docs/protocol.md, where they are in the registers.md that is written with them.
//
//   launched ──────────────────> P x fred_counter_bank, V counters ──┐
//   m_axis ────────────────────> P x fred_counter_bank, V counters ──┼──> answer_o
//   grant, pends, candidate ───> D x fred_counter_bank, 4 counters ──┘
//
// A port launches at most one beat a cycle and sends at most one; a descriptor is granted, or waits for one thing: so
// each of these channels counts one event a cycle. All are frozen together by a write to COUNTERS.
//
// Limits: where the registers are is decided by the generator and comes in as parameters; a register's number is its
// address / 4. Each block of them is aligned to its size.
`default_nettype none

module fred_counters #(
  parameter int Ports        = 8,                   // P, ports of the switch
  parameter int Vcs          = 1,                   // V, virtual circuits of a port
  parameter int Descriptors  = 8,                   // D, entries of the descriptor table
  parameter int WordW        = 11,                  // bits of a register's number
  parameter int CountersWord = 16,                  // numbers of registers: COUNTERS
  parameter int BeatsWord    = 1280,                // BEATS_IN of port 0, circuit 0; BEATS_OUT is the next one
  parameter int LaunchesWord = 1312,                // LAUNCHES of descriptor 0; the waits follow
  localparam int VcW         = Vcs > 1 ? $clog2(Vcs) : 1
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  // Beats, by circuit: launched, and at m_axis.
  input  wire logic [Ports*Vcs-1:0]         launched_i,
  input  wire logic [Ports-1:0]             valid_i,
  input  wire logic [Ports-1:0]             ready_i,
  input  wire logic [Ports*VcW-1:0]         tid_i,
  // Descriptors (fred_control).
  input  wire logic [Descriptors-1:0]       grant_i,
  input  wire logic [Descriptors-1:0]       pends_i,     // at work, and nothing of it goes
  input  wire logic [Descriptors-1:0]       candidate_i, // something of it can go
  input  wire logic [Descriptors-1:0]       is_send_i,
  input  wire logic [Descriptors-1:0]       is_alltoall_i,
  input  wire logic [Descriptors*Ports-1:0] in_mask_i,
  input  wire logic [Descriptors*Ports-1:0] wanted_i,    // ports whose beats it waits for; of a send none
  input  wire logic [Descriptors*Ports-1:0] at_head_i,   // ports where its beat is at the head
  // An access, and what the register answers, in the next cycle (fred_host).
  input  wire logic [WordW+31:0]            access_i,    // {data, number of the register}
  input  wire logic                         write_i,     // carry out the write
  output logic      [33:0]                  answer_o     // {exists, the data may be written, what is read}
);

  localparam int P = Ports, V = Vcs, D = Descriptors;
  localparam int VcBits = $clog2(V);
  logic [31:0]              number, wdata;
  logic                     at_counters, legal, snapshot, vc_exists;
  logic [2*P+D-1:0]         select;                 // one-hot channel: in and out of port p at 2*p, then descriptors
  logic [(2*P+D)*32-1:0]    counts;
  logic [31:0]              count, count_q;
  logic [VcW-1:0]           vc;
  assign wdata       = access_i[WordW +: 32];
  assign number      = 32'(access_i[WordW-1:0]);
  assign at_counters = number == 32'(CountersWord);
  assign legal       = at_counters & (wdata[31:1] == '0);
  assign snapshot    = write_i & at_counters & wdata[0];
  assign vc          = V > 1 ? VcW'(number >> 1) : '0;
  assign vc_exists   = 32'(vc) < 32'(V);

  for (genvar p = 0; p < P; p++) begin : g_port
    logic         at_port;
    logic [V-1:0] left;
    assign at_port = (number >> (VcBits + 1)) == 32'((BeatsWord >> (VcBits + 1)) + p);
    assign select[2*p +: 2] = {number[0], ~number[0]} & {2{at_port & vc_exists}};
    fred_onehot #(.Count(V), .IndexW(VcW)) u_left (.index_i(tid_i[p*VcW +: VcW]), .onehot_o(left));
    fred_counter_bank #(.Count(V)) u_in (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .event_i    (launched_i[p*V +: V]),
      .snapshot_i (snapshot),
      .index_i    (vc),
      .rdata_o    (counts[(2*p)*32 +: 32])
    );
    fred_counter_bank #(.Count(V)) u_out (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .event_i    (left & {V{valid_i[p] & ready_i[p]}}),
      .snapshot_i (snapshot),
      .index_i    (vc),
      .rdata_o    (counts[(2*p+1)*32 +: 32])
    );
  end

  for (genvar d = 0; d < D; d++) begin : g_descriptor
    logic [P-1:0] wanted, head;
    logic         operands, waits;                  // operands: all that it needs are at the heads
    assign wanted   = wanted_i[d*P +: P];
    assign head     = at_head_i[d*P +: P];
    assign operands = is_send_i[d] ? |(head & in_mask_i[d*P +: P]) : is_alltoall_i[d] ? |(head & wanted)
                                                                   : (wanted & ~head) == '0;
    assign waits    = pends_i[d] & ~candidate_i[d];
    assign select[2*P+d] = (number >> 2) == 32'((LaunchesWord >> 2) + d);
    fred_counter_bank #(.Count(4)) u_launch (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .event_i    ({pends_i[d] & candidate_i[d], waits & operands, waits & ~operands, grant_i[d]}),
      .snapshot_i (snapshot),
      .index_i    (number[1:0]),
      .rdata_o    (counts[(2*P+d)*32 +: 32])
    );
  end

  // ---- What is read. ----
  fred_select #(.Width(32), .Count(2*P+D)) u_count (.select_i(select), .data_i(counts), .data_o(count));
  always_ff @(posedge clk_i) count_q <= count;
  assign answer_o = {at_counters | (|select), legal, count_q};

endmodule

`default_nettype wire
