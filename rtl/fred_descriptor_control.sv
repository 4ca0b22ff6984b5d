// SPDX-License-Identifier: Apache-2.0
// CONTROL and STATUS of the selected descriptor: what may be written, the status word, aborts.
//
// An abort stops the descriptor a cycle after abort_o, and what is launched until then still has the old epoch: the new
// one is written a cycle later too.
`default_nettype none

module fred_descriptor_control #(
  parameter int Descriptors = 8,                    // rows of the descriptor table
  parameter int PortW       = 3                     // bits of a step
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
  input  wire logic [Descriptors*PortW-1:0] step_i,
  output logic      [31:0]                  status_o,
  output logic                              legal_o,     // wdata_i may be written to CONTROL
  output logic      [Descriptors-1:0]       abort_o,     // for one cycle
  output logic      [Descriptors-1:0]       epoch_we_o,  // a cycle later: the epoch from now on
  output logic      [3:0]                   epoch_o
);

  localparam int EnableBit = 0;                     // of CONTROL
  localparam int AbortBit  = 1;
  localparam int EpochLow  = 8;

  logic [PortW-1:0] step;
  logic             busy, stopped, no_epoch;
  fred_select #(.Width(PortW), .Count(Descriptors)) u_step (.select_i(select_i), .data_i(step_i), .data_o(step));
  assign busy     = |(busy_i & select_i);
  assign stopped  = |(stopped_i & select_i);
  assign status_o = {16'(step), 10'd0, |(spoiled_i & select_i), |(hangs_i & select_i), stopped, busy,
                     |(halted_i & select_i), enable_i};

  assign no_epoch = wdata_i[EpochLow +: 4] == 4'd0;
  logic [1:0] wanted;                               // {abort, enable}
  assign wanted = {wdata_i[AbortBit], wdata_i[EnableBit]};
  always_comb begin
    case (wanted)
      2'b00:   legal_o = ~busy & no_epoch;                       // disable
      2'b01:   legal_o = (enable_i | enable_ok_i) & no_epoch;    // enable
      2'b11:   legal_o = enable_i & ~stopped;                    // abort
      default: legal_o = 1'b0;
    endcase
  end

  assign abort_o = select_i & {Descriptors{write_i & wdata_i[AbortBit]}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) epoch_we_o <= '0;
    else epoch_we_o <= abort_o;
    epoch_o <= wdata_i[EpochLow +: 4];
  end

endmodule

`default_nettype wire
