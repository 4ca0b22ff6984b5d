// SPDX-License-Identifier: Apache-2.0
// CONTROL and STATUS of the selected descriptor: what may be written, the status word, aborts.
//
// The epoch that an abort gives is written when all that was launched before has arrived and the abort ends.
`default_nettype none

module fred_descriptor_control #(
  parameter int Descriptors = 8,                    // rows of the descriptor table
  parameter int StepW       = 3                     // bits of a step
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic [Descriptors-1:0]       select_i,    // one-hot
  input  wire logic                         write_i,     // wdata_i is written to CONTROL
  input  wire logic [31:0]                  wdata_i,
  input  wire logic                         enable_i,    // the selected one is enabled
  input  wire logic                         enable_ok_i, // and may be
  input  wire logic [Descriptors-1:0]       halted_i,
  input  wire logic [Descriptors-1:0]       busy_i,
  input  wire logic [Descriptors-1:0]       stopped_i,   // an abort is under way
  input  wire logic [Descriptors-1:0]       hangs_i,
  input  wire logic [Descriptors-1:0]       spoiled_i,   // its beats met another flow's
  input  wire logic [Descriptors*StepW-1:0] step_i,
  output logic      [31:0]                  status_o,
  input  wire logic [3:0]                   row_epoch_i, // of the selected one
  output logic                              legal_o,     // wdata_i may be written to CONTROL
  output logic                              late_o,      // but not any more: it disables one that is in use
  output logic                              enables_o,   // wdata_i enables
  output logic                              flips_o,     // and makes the parity of the row wrong
  output logic      [Descriptors-1:0]       abort_o,     // for one cycle
  input  wire logic [Descriptors-1:0]       close_i,     // their aborts end
  output logic      [Descriptors-1:0]       epoch_we_o,  // the epochs from now on
  output logic      [Descriptors*4-1:0]     epoch_o
);

  localparam int EnableBit = 0;                     // of CONTROL
  localparam int AbortBit  = 1;
  localparam int FlipBit   = 2;
  localparam int EpochLow  = 8;

  logic [StepW-1:0] step;
  logic             busy, stopped, no_epoch, new_epoch;
  fred_select #(.Width(StepW), .Count(Descriptors)) u_step (.select_i(select_i), .data_i(step_i), .data_o(step));
  assign busy     = |(busy_i & select_i);
  assign stopped  = |(stopped_i & select_i);
  assign status_o = {16'(step), 10'd0, |(spoiled_i & select_i), |(hangs_i & select_i), stopped, busy,
                     |(halted_i & select_i), enable_i};

  assign no_epoch  = wdata_i[EpochLow +: 4] == 4'd0;
  assign new_epoch = wdata_i[EpochLow +: 4] != row_epoch_i;
  logic [2:0] wanted;                               // {flip, abort, enable}
  assign enables_o = wdata_i[EnableBit];
  assign flips_o   = wdata_i[FlipBit];
  assign wanted    = {flips_o, wdata_i[AbortBit], enables_o};
  always_comb begin
    case (wanted)
      3'b000:         legal_o = ~busy & no_epoch;                       // disable
      3'b001, 3'b101: legal_o = (enable_i | enable_ok_i) & no_epoch;    // enable
      3'b011:         legal_o = enable_i & ~stopped & new_epoch;        // abort
      default:        legal_o = 1'b0;
    endcase
  end

  assign late_o  = busy & ~enables_o;
  assign abort_o = select_i & {Descriptors{write_i & wdata_i[AbortBit]}};
  logic [Descriptors-1:0] aborts_q;                 // by software
  assign epoch_we_o = aborts_q & close_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) aborts_q <= '0;
    else aborts_q <= (aborts_q & ~close_i) | abort_o;
    for (int d = 0; d < Descriptors; d++) begin
      if (abort_o[d]) epoch_o[d*4 +: 4] <= wdata_i[EpochLow +: 4];
    end
  end

endmodule

`default_nettype wire
