// SPDX-License-Identifier: Apache-2.0
// Every element type of fred_reduce side by side, with many latencies and sets of operations, for rtl_test.cpp: one Verilator
// build for all.
//
// Type t has operands a_i[64*t +: 64] and b_i[64*t +: 64], of which it takes the low bits, and eight results in
// y_o[512*t +: 512], zero-extended to 64 bits each: slots 0..3 have all operations of the type at latencies 1..4, slots
// 4..7 the sets of operations that rotate with the type (reduce_bench_set in rtl_test.cpp) at latencies 1..4.
`default_nettype none

module reduce_bench (
  input  wire logic          clk_i,
  input  wire logic [2:0]    op_i,
  input  wire logic          pass_i,
  input  wire logic [895:0]  a_i,
  input  wire logic [895:0]  b_i,
  output logic      [7167:0] y_o
);

  for (genvar t = 0; t < 14; t++) begin : gen_type
    localparam int ElemW = ((t == 6) || (t == 10) || (t == 13)) ? 64 : ((t == 0) || (t == 3) || (t == 9)) ? 32 :
                           ((t == 5) || (t == 7) || (t == 11) || (t == 12)) ? 8 : 16;
    localparam logic HasSat = (t == 0) || ((t >= 4) && (t <= 12));
    for (genvar slot = 0; slot < 8; slot++) begin : gen_slot
      // 7 sets of operations, then each alone.
      localparam int Which = (slot - 4 + 4 * t) % 14;
      localparam int Some  = (Which < 7) ? (1 << Which) : (Which == 7) ? 3 : (Which == 8) ? 6 : (Which == 9) ? 5 :
                             (Which == 10) ? 48 : (Which == 11) ? 65 : (Which == 12) ? 82 : 102;
      localparam int Safe  = ((Some == 8) && !HasSat) ? 1 : Some;
      localparam int Ops   = (slot >= 4) ? Safe : HasSat ? 127 : 119;
      localparam int OpW   = (Ops > 15) ? 3 : 2;
      logic [ElemW-1:0] y;
      fred_reduce #(
        .DType(t),
        .Ops(Ops),
        .OpW(OpW),
        .Latency(1 + slot % 4)
      ) u_reduce (
        .clk_i(clk_i),
        .op_i(op_i[OpW-1:0]),
        .pass_i(pass_i),
        .a_i(a_i[64*t +: ElemW]),
        .b_i(b_i[64*t +: ElemW]),
        .y_o(y)
      );
      assign y_o[512*t + 64*slot +: 64] = 64'(y);
    end
    if (ElemW < 64) begin : gen_unused
      logic unused_bits;
      assign unused_bits = ^{a_i[64*t+63:64*t+ElemW], b_i[64*t+63:64*t+ElemW]};
    end
  end

endmodule

`default_nettype wire
