// SPDX-License-Identifier: Apache-2.0
// What the descriptors are at the link ports: of each (descriptor d, link port i) a register LINK with the slot, the
// descriptor in the next switch (tag), further steps there (repeat), and whether the step is the one that has come along.
//
// A slot is of one enabled descriptor a direction: one that would share it is not enabled (`ok_o`), nor are a send and
// an all-to-all that cross a link. Of each register a parity bit is kept from its write on, and compared while the
// descriptor is enabled and crosses that link. A register is written while its descriptor is not in use.
//
// Limits: a register's number is its address / 4; slot_o follows a write one cycle later.
`default_nettype none

module fred_link_table #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int LinkPorts   = 1,                    // L, link ports, the last ones
  parameter int Slots       = 4,                    // S, slots of a link port
  parameter int StepW       = 3,                    // bits of a step, 1..12
  parameter int TagW        = 3,                    // bits of a descriptor in the next switch, 1..8
  parameter int Descriptors = 8,                    // D, rows of the descriptor table
  parameter int WordW       = 11,                   // bits of a register's number
  parameter int LinkWord    = 1024,                 // number of that of descriptor 0, link port 0
  // Lowest bits of the fields pass_step, flip_parity, repeat, tag, slot, 8 bits each.
  parameter logic [39:0] LinkLows = 40'h1f_1e_0c_04_00
) (
  input  wire logic                                   clk_i,
  // An access, and what it is answered (fred_host).
  input  wire logic [WordW+31:0]                      access_i,    // {data, number of the register}
  input  wire logic                                   write_i,     // carry out the write
  output logic      [33:0]                            answer_o,    // {exists, the data may be written, what is read}
  // The descriptor table.
  input  wire logic [Descriptors-1:0]                 select_i,    // the row that may be enabled
  input  wire logic [Descriptors-1:0]                 enable_i,
  input  wire logic [Descriptors-1:0]                 flying_i,    // has beats that have not arrived
  input  wire logic [Descriptors*4-1:0]               kind_i,
  input  wire logic [Descriptors*Ports-1:0]           in_mask_i,
  input  wire logic [Descriptors*Ports-1:0]           out_mask_i,
  output logic                                        ok_o,        // of that row, a cycle after select_i
  output logic      [Descriptors-1:0]                 bad_o,       // a wrong bit of an enabled descriptor
  // What it holds, of descriptor d at link port i.
  output logic      [Descriptors*LinkPorts*Slots-1:0] slot_o,      // one-hot; 0 if there is no such slot
  output logic      [Descriptors*LinkPorts*TagW-1:0]  tag_o,
  output logic      [Descriptors*LinkPorts*StepW-1:0] repeats_o,
  output logic      [Descriptors*LinkPorts-1:0]       pass_o
);

  localparam int D = Descriptors, L = LinkPorts, P = Ports, S = Slots;
  localparam int SlotW     = S > 1 ? $clog2(S) : 1;
  localparam int PlaceW    = $clog2(L);             // bits of a register's number that say which link port
  localparam int SlotLow   = {24'd0, LinkLows[7:0]};
  localparam int TagLow    = {24'd0, LinkLows[15:8]};
  localparam int RepeatLow = {24'd0, LinkLows[23:16]};
  localparam int FlipBit   = {24'd0, LinkLows[31:24]};
  localparam int PassBit   = {24'd0, LinkLows[39:32]};
  localparam int RowW      = SlotW + TagW + StepW + 1;
  localparam logic [31:0] Bits = 32'(32'((64'd1 << SlotW) - 64'd1) << SlotLow) |
                                 32'(32'((64'd1 << TagW) - 64'd1) << TagLow) |
                                 32'(32'((64'd1 << StepW) - 64'd1) << RepeatLow) |
                                 (32'd1 << FlipBit) | (32'd1 << PassBit);

  // ---- The registers. ----
  logic [31:0]       wdata, place, read;
  logic [D*L-1:0]    at;                            // the register that the access names
  logic [D*L*32-1:0] reads;
  logic [D-1:0]      in_use;
  logic              exists;
  assign wdata  = access_i[WordW +: 32];
  assign place  = 32'(access_i[WordW-1:0]) - 32'(LinkWord);
  assign in_use = enable_i | flying_i;
  logic [D*L-1:0] crosses_in, crosses_out, used, wrong;
  for (genvar d = 0; d < D; d++) begin : g_row
    for (genvar i = 0; i < L; i++) begin : g_link
      localparam int N = d*L + i;
      logic [RowW-1:0]  row_q, row;
      logic             parity_q;
      logic [SlotW-1:0] number;
      logic [S-1:0]     slot;
      assign at[N] = place == 32'((d << PlaceW) + i);
      assign row   = {wdata[PassBit], wdata[RepeatLow +: StepW], wdata[TagLow +: TagW], wdata[SlotLow +: SlotW]};
      always_ff @(posedge clk_i) begin
        if (write_i && at[N]) begin
          row_q    <= row;
          parity_q <= (^row) ^ wdata[FlipBit];
        end
      end
      assign {pass_o[N], repeats_o[N*StepW +: StepW], tag_o[N*TagW +: TagW], number} = row_q;
      assign reads[N*32 +: 32] = (32'(pass_o[N]) << PassBit) | (32'(repeats_o[N*StepW +: StepW]) << RepeatLow) |
                                 (32'(tag_o[N*TagW +: TagW]) << TagLow) | (32'(number) << SlotLow);
      fred_onehot #(.Count(S), .IndexW(SlotW)) u_slot (.index_i(number), .onehot_o(slot));
      always_ff @(posedge clk_i) slot_o[N*S +: S] <= slot;
      assign crosses_in[N]  = in_mask_i[d*P + P - L + i];
      assign crosses_out[N] = out_mask_i[d*P + P - L + i];
      assign used[N]        = crosses_in[N] | crosses_out[N];
      assign wrong[N]       = enable_i[d] & used[N] & ((^row_q) != parity_q);
    end
    always_ff @(posedge clk_i) bad_o[d] <= |wrong[d*L +: L];
  end
  fred_select #(.Width(32), .Count(D*L)) u_read (.select_i(at), .data_i(reads), .data_o(read));
  assign exists = |at;
  logic [D-1:0] named;
  for (genvar d = 0; d < D; d++) begin : g_named
    assign named[d] = |at[d*L +: L];
  end
  assign answer_o = {exists, exists & ((wdata & ~Bits) == '0) & ~|(named & in_use), read};

  // ---- May the selected row be enabled? ----
  logic [3:0]     kind, kind_q;
  logic [D-1:0]   select_q, shares;
  logic [L-1:0]   in, out, in_q, out_q, no_slot;
  logic [L*S-1:0] slots, slots_q;
  fred_select #(.Width(4), .Count(D)) u_kind (.select_i(select_i), .data_i(kind_i), .data_o(kind));
  fred_select #(.Width(L), .Count(D)) u_in (.select_i(select_i), .data_i(crosses_in), .data_o(in));
  fred_select #(.Width(L), .Count(D)) u_out (.select_i(select_i), .data_i(crosses_out), .data_o(out));
  fred_select #(.Width(L*S), .Count(D)) u_slots (.select_i(select_i), .data_i(slot_o), .data_o(slots));
  always_ff @(posedge clk_i) {select_q, kind_q, in_q, out_q, slots_q} <= {select_i, kind, in, out, slots};
  for (genvar i = 0; i < L; i++) begin : g_no_slot
    assign no_slot[i] = (in_q[i] | out_q[i]) & ~|slots_q[i*S +: S];
  end
  for (genvar j = 0; j < D; j++) begin : g_other
    logic [L-1:0] meets;
    for (genvar i = 0; i < L; i++) begin : g_meets
      assign meets[i] = ((in_q[i] & crosses_in[j*L + i]) | (out_q[i] & crosses_out[j*L + i])) &
                        |(slots_q[i*S +: S] & slot_o[(j*L + i)*S +: S]);
    end
    assign shares[j] = enable_i[j] & ~select_q[j] & (|meets);
  end
  assign ok_o = ~|no_slot & ~|shares & ~((|(in_q | out_q)) & ((kind_q == 4'd7) | (kind_q == 4'd9)));

endmodule

`default_nettype wire
