// SPDX-License-Identifier: Apache-2.0
// Tells the ingress buffers that a descriptor begins or ends to run or to be enabled: what their heads know of the table
// may be outdated. Between the end of one run and the begin of the next several cycles pass, so it is said a cycle late.
`default_nettype none

module fred_run_news #(
  parameter int Descriptors = 8                     // D, entries of the descriptor table
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [Descriptors-1:0] enable_i,
  input  wire logic [Descriptors-1:0] run_i,        // enabled, and neither stopped nor spoiled
  output logic                        news_o        // one of them has changed
);

  logic [2*Descriptors-1:0] runs_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      runs_q <= '0;
      news_o <= 1'b0;
    end else begin
      runs_q <= {enable_i, run_i};
      news_o <= runs_q != {enable_i, run_i};
    end
  end

endmodule

`default_nettype wire
