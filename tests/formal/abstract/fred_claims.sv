// SPDX-License-Identifier: Apache-2.0
// Claims that say anything at any time: what holds beside this holds whatever fred_claims does.
`default_nettype none

module fred_claims #(
  parameter int Ports       = 8,
  parameter int Vcs         = 1,
  parameter int Classes     = 1,
  parameter int Descriptors = 8
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,
  input  wire logic [15:0]                        bound_i,
  input  wire logic [Classes*Classes-1:0]         vc_before_i,
  input  wire logic [Descriptors*Classes-1:0]     vc_i,
  input  wire logic [Descriptors*Ports*Vcs-1:0]   circuit_i,
  input  wire logic [Descriptors-1:0]             tree_waits_i,
  input  wire logic [Descriptors-1:0]             in_packet_i,
  input  wire logic [Descriptors*Ports-1:0]       deliver_i,
  input  wire logic [Ports*Vcs-1:0]               source_waits_i,
  input  wire logic [Ports*Vcs-1:0]               open_i,
  input  wire logic [Ports*Vcs*Ports-1:0]         dest_i,
  input  wire logic [Descriptors-1:0]             late_goes_i,
  input  wire logic [Ports*Vcs-1:0]               start_i,
  output logic      [Ports*Vcs-1:0]               late_o,
  output logic      [Ports*Vcs-1:0]               closed_o,
  output logic      [Ports*Vcs-1:0]               for_trees_o,
  output logic      [Descriptors*Ports-1:0]       withheld_o,
  output logic      [Descriptors*Descriptors-1:0] before_o
);

  (* anyseq *) logic [Ports*Vcs-1:0]               late, closed, for_trees;
  (* anyseq *) logic [Descriptors*Ports-1:0]       withheld;
  (* anyseq *) logic [Descriptors*Descriptors-1:0] before;
  assign late_o      = late;
  assign closed_o    = closed;
  assign for_trees_o = for_trees;
  assign withheld_o  = withheld;
  assign before_o    = before;

endmodule

`default_nettype wire
