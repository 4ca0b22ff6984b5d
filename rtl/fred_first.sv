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

  logic [Count-1:0] preferred, first_preferred, first_request;
  assign preferred = request_i & start_i;
  if (Count <= 8) begin : g_few                     // gates beat the way into a carry chain
    for (genvar i = 0; i < Count; i++) begin : g_one
      if (i == 0) begin : g_lowest
        assign first_preferred[i] = preferred[i];
        assign first_request[i]   = request_i[i];
      end else begin : g_higher
        assign first_preferred[i] = preferred[i] & ~|preferred[i-1:0];
        assign first_request[i]   = request_i[i] & ~|request_i[i-1:0];
      end
    end
  end else begin : g_many
    assign first_preferred = preferred & (~preferred + Count'(1));
    assign first_request   = request_i & (~request_i + Count'(1));
  end
  assign first_o = |preferred ? first_preferred : first_request;

endmodule

`default_nettype wire
