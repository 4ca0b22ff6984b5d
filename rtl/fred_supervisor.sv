// SPDX-License-Identifier: Apache-2.0
// Watches over the descriptors: aborts (fred_abort), the watchdog, and what a descriptor waits for (fred_report).
//
//   table: enable ──> run_o ──> control ──grants, at work──> here ──close_o──> control and egress
//
// Vectors: ingress or egress port p, virtual circuit v at [p*V + v]; descriptor d, port p at [d*P + p].
`default_nettype none

module fred_supervisor #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, circuits of a port
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int Flight      = 7                     // cycles from a grant to the beat's arrival at the egress
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  // Software.
  input  wire logic [Descriptors-1:0]       enable_i,
  input  wire logic [Descriptors-1:0]       abort_i,       // for one cycle
  input  wire logic [Descriptors-1:0]       select_i,      // whose report is read, one-hot
  input  wire logic [4:0]                   exponent_i,    // of the watchdog: 2^n cycles; 0: off
  input  wire logic [Descriptors*Ports*Vcs-1:0] circuit_i, // one-hot, of descriptor d at port p
  // Control.
  input  wire logic [Descriptors-1:0]       grant_i,
  input  wire logic [Descriptors-1:0]       halted_i,
  input  wire logic [Descriptors-1:0]       busy_i,
  input  wire logic [Descriptors-1:0]       pends_i,
  input  wire logic [Descriptors-1:0]       in_packet_i,
  input  wire logic [Descriptors*Ports-1:0] wanted_i,
  input  wire logic [Descriptors*Ports-1:0] at_head_i,
  input  wire logic [Descriptors*Ports-1:0] delivers_i,
  input  wire logic [Ports*Vcs*Ports-1:0]   own_dest_i,
  input  wire logic [Ports*Vcs-1:0]         open_i,
  input  wire logic [Ports*Vcs-1:0]         egress_busy_i,
  output logic      [Descriptors-1:0]       run_o,
  output logic      [Descriptors-1:0]       close_o,
  // Buffers and network.
  input  wire logic [Ports*Vcs-1:0]         head_valid_i,
  input  wire logic [Ports*Vcs-1:0]         space_i,
  input  wire logic                         conflict_i,    // with the beats that it spoils
  // Parity: of the descriptor's row, of its all-to-all entries, of what it is at link ports.
  input  wire logic [Descriptors-1:0]       row_bad_i,
  input  wire logic [Descriptors-1:0]       entry_bad_i,
  input  wire logic [Descriptors-1:0]       way_bad_i,
  input  wire logic [Descriptors-1:0]       link_bad_i,    // an error beat over a link, or the link has lost some of it
  // Status.
  output logic      [Descriptors-1:0]       stopped_o,     // an abort is under way
  output logic      [Descriptors-1:0]       flying_o,      // has beats that have not arrived
  output logic      [Descriptors-1:0]       spoiled_o,     // met another flow, has a wrong bit in a table, or a link failed it
  output logic      [Descriptors-1:0]       holds_o,       // halted or spoiled
  output logic      [Descriptors-1:0]       in_use_o,      // busy or stopped
  output logic      [Descriptors-1:0]       hangs_o,
  output logic      [31:0]                  cycle_o,       // cycles since reset
  output logic      [Descriptors-1:0]       hangs_now_o,   // begins to hang
  output logic      [Descriptors-1:0]       spoils_o,      // becomes spoiled in this cycle
  output logic      [Descriptors-1:0]       parity_now_o,  // by a wrong bit
  output logic      [Descriptors-1:0]       link_now_o,    // by what came over a link, or did not
  output logic      [4*Ports-1:0]           report_o       // {locked, full, behind, missing} of the selected one
);

  assign run_o    = enable_i & ~stopped_o & ~spoiled_o;
  assign holds_o  = halted_i | spoiled_o;
  assign in_use_o = busy_i | stopped_o;

  logic [Descriptors-1:0] bad;
  assign bad          = row_bad_i | entry_bad_i | way_bad_i;
  assign link_now_o   = link_bad_i & ~spoiled_o;
  assign parity_now_o = bad & ~spoiled_o;

  fred_abort #(.Descriptors(Descriptors), .Flight(Flight)) u_abort (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .enable_i   (enable_i),
    .abort_i    (abort_i),
    .grant_i    (grant_i),
    .conflict_i (conflict_i),
    .bad_i      (bad | link_bad_i),
    .flying_o   (flying_o),
    .stop_o     (stopped_o),
    .spoils_o   (spoils_o),
    .spoiled_o  (spoiled_o),
    .close_o    (close_o)
  );
  fred_watchdog #(.Descriptors(Descriptors)) u_watchdog (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .exponent_i (exponent_i),
    .pends_i    (pends_i),
    .cycle_o    (cycle_o),
    .hangs_o    (hangs_o),
    .new_o      (hangs_now_o)
  );
  fred_report #(.Ports(Ports), .Vcs(Vcs), .Descriptors(Descriptors)) u_report (
    .clk_i       (clk_i),
    .select_i    (select_i),
    .circuit_i   (circuit_i),
    .wanted_i    (wanted_i),
    .head_i      (at_head_i),
    .deliver_i   (delivers_i),
    .in_packet_i (in_packet_i),
    .valid_i     (head_valid_i),
    .open_i      (open_i),
    .own_dest_i  (own_dest_i),
    .space_i     (space_i),
    .busy_i      (egress_busy_i),
    .missing_o   (report_o[0 +: Ports]),
    .behind_o    (report_o[Ports +: Ports]),
    .full_o      (report_o[2*Ports +: Ports]),
    .locked_o    (report_o[3*Ports +: Ports])
  );

endmodule

`default_nettype wire
