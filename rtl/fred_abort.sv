// SPDX-License-Identifier: Apache-2.0
// Aborts: stops descriptors, waits until all that they have launched has arrived, and has their open packets closed.
//
//   abort_i ──> pending ──> batch, timer ──> close_o        stop_o: pending or in the batch
//   conflict_i, grant_i (delayed), bad_i ──> spoiled_o, pending
//
// Two flows that met in the network have spoiled both, and which they were is not known: every descriptor launched in
// that cycle is spoiled. It is stopped and closed like an aborted one and stays stopped until software aborts or
// disables it. A descriptor of which a table holds a wrong bit, or of which something was lost on a
// link, fares likewise.
//
// Limits: an abort that comes while others are under way waits for them: at most 2 * Wait + 4 cycles in all.
`default_nettype none

module fred_abort #(
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int Flight      = 7,                    // cycles from a grant to the beat's arrival at the egress, 2 or more
  localparam int Wait       = Flight + 2,
  localparam int WaitW      = $clog2(Wait + 1)
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [Descriptors-1:0] enable_i,
  input  wire logic [Descriptors-1:0] abort_i,      // software aborts: one cycle
  input  wire logic [Descriptors-1:0] grant_i,      // launches
  input  wire logic                   conflict_i,   // beats that arrive at the egress in this cycle met others
  input  wire logic [Descriptors-1:0] bad_i,        // a table holds a wrong bit of it, or a link has failed it
  output logic      [Descriptors-1:0] flying_o,     // has beats that have not arrived
  output logic      [Descriptors-1:0] stop_o,       // launches nothing
  output logic      [Descriptors-1:0] spoils_o,     // becomes spoiled
  output logic      [Descriptors-1:0] spoiled_o,    // nor after that
  output logic      [Descriptors-1:0] close_o       // close its packets: one cycle
);

  logic [Descriptors-1:0] requests, pending_q, batch_q;
  logic [Flight*Descriptors-1:0] line_q;            // grants of the last Flight cycles, the newest in the low bits
  logic [WaitW-1:0]       timer_q;
  logic                   idle;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) line_q <= '0;
    else line_q <= {line_q[(Flight-1)*Descriptors-1:0], grant_i};
  end
  always_comb begin
    flying_o = '0;
    for (int n = 0; n < Flight; n++) flying_o = flying_o | line_q[n*Descriptors +: Descriptors];
  end
  assign spoils_o   = (line_q[(Flight-1)*Descriptors +: Descriptors] & {Descriptors{conflict_i}} & enable_i) | bad_i;
  assign requests   = abort_i | (spoils_o & ~spoiled_o);
  assign idle       = timer_q == '0;
  assign stop_o     = pending_q | batch_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= '0;
      batch_q   <= '0;
      timer_q   <= '0;
      close_o   <= '0;
      spoiled_o <= '0;
    end else begin
      pending_q <= idle ? requests : pending_q | requests;
      if (idle) begin
        batch_q <= pending_q;
        timer_q <= |pending_q ? WaitW'(Wait) : '0;
      end else begin
        timer_q <= timer_q - WaitW'(1);
      end
      close_o   <= timer_q == WaitW'(1) ? batch_q : '0;
      spoiled_o <= (spoiled_o & ~abort_i & enable_i) | spoils_o;
    end
  end

endmodule

`default_nettype wire
