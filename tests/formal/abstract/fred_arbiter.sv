// SPDX-License-Identifier: Apache-2.0
// What arbiter.sv proves of fred_arbiter, and nothing more: candidates go, no two that clash, one at least.
`default_nettype none

module fred_arbiter #(
  parameter int Count = 4
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [Count-1:0]       candidate_i,
  input  wire logic [Count*Count-1:0] clash_i,
  input  wire logic [Count*Count-1:0] before_i,
  output logic      [Count-1:0]       grant_o
);

  (* anyseq *) logic [Count-1:0] any;
  assign grant_o = any;
  always_comb assume ((any & ~candidate_i) == '0 && (any != '0 || candidate_i == '0));
  for (genvar i = 0; i < Count; i++) begin : g_one
    always_comb assume (!any[i] || (any & clash_i[i*Count +: Count]) == '0);
  end

endmodule

`default_nettype wire
