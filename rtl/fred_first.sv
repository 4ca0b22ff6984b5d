// SPDX-License-Identifier: Apache-2.0
// The first request in circular order: the lowest one among `start_i`, or else the lowest of all.
`default_nettype none

module fred_first #(
  parameter int Count = 4                           // requests
) (
  input  wire logic [Count-1:0] start_i,            // requests that come first: those behind the last one served
  input  wire logic [Count-1:0] request_i,
  output logic      [Count-1:0] first_o             // one-hot, or zero without a request
);

  logic [Count-1:0] preferred, chosen;
  assign preferred = request_i & start_i;
  assign chosen    = |preferred ? preferred : request_i;
  assign first_o   = chosen & (~chosen + Count'(1));

endmodule

`default_nettype wire
