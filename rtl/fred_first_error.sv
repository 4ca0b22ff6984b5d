// SPDX-License-Identifier: Apache-2.0
// The errors of a cycle, and which of them is recorded: its kind, and the port, circuit and descriptor that it is about.
//
// Of several the first in this order is taken: conflict, mismatch, parity, link, timeout (of the lowest descriptor), then
// the lowest (port, circuit) with an error at its head.
`default_nettype none

module fred_first_error #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, virtual circuits; (port, circuit) is number port*V + circuit
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int DescW       = 3,                    // bits of tdest
  localparam int Queues     = Ports * Vcs,
  localparam int Errors     = 10                    // bits of ERROR
) (
  input  wire logic                    conflict_i,
  input  wire logic [Descriptors-1:0]  spoils_i,        // whose beats the conflict spoils
  input  wire logic [Descriptors-1:0]  halt_i,          // operands disagree
  input  wire logic [Descriptors-1:0]  parity_now_i,    // a table holds a wrong bit
  input  wire logic [Descriptors-1:0]  hangs_now_i,     // begins to hang
  input  wire logic [Descriptors-1:0]  link_now_i,      // something of it was lost on a link
  input  wire logic [Queues-1:0]       head_stale_i,
  input  wire logic [Queues-1:0]       head_unknown_i,
  input  wire logic [Queues-1:0]       head_framing_i,
  input  wire logic [Queues-1:0]       head_vc_i,
  input  wire logic [Queues-1:0]       member_error_i,
  input  wire logic [Queues*DescW-1:0] head_index_i,
  output logic      [Errors-1:0]       errors_o,        // as in ERROR
  output logic      [3:0]              kind_o,          // number of the bit of ERROR
  output logic                         has_port_o,      // port and circuit mean something
  output logic      [7:0]              port_o,
  output logic      [2:0]              vc_o,
  output logic      [7:0]              descriptor_o
);

  localparam int D = Descriptors, Q = Queues;

  assign errors_o = {|link_now_i, |parity_now_i, |hangs_now_i, |head_vc_i, |head_framing_i, |member_error_i, |head_unknown_i,
                     |head_stale_i, |halt_i, conflict_i};

  // ---- Errors of descriptors. ----
  logic [D-1:0] wrong, first;
  logic [7:0]   number;
  assign wrong = conflict_i ? spoils_i : |halt_i ? halt_i : |parity_now_i ? parity_now_i :
                 |link_now_i ? link_now_i : hangs_now_i;
  fred_first #(.Count(D)) u_first (.start_i({D{1'b1}}), .request_i(wrong), .first_o(first));
  always_comb begin
    number = '0;
    for (int d = 0; d < D; d++) begin
      if (first[d]) number = number | 8'(d);
    end
  end

  // ---- Errors at heads. ----
  logic [Q-1:0]     bad, at;
  logic [Q*4-1:0]   causes;                         // but the wrong circuit, which is what is left
  logic [3:0]       cause;
  logic [DescW-1:0] index;
  logic [7:0]       port;
  logic [2:0]       circuit;
  for (genvar q = 0; q < Q; q++) begin : g_queue
    assign causes[q*4 +: 4] = {head_framing_i[q], member_error_i[q], head_unknown_i[q], head_stale_i[q]};
    assign bad[q]           = head_vc_i[q] | (|causes[q*4 +: 4]);
  end
  fred_first #(.Count(Q)) u_at (.start_i({Q{1'b1}}), .request_i(bad), .first_o(at));
  fred_select #(.Width(4), .Count(Q)) u_cause (.select_i(at), .data_i(causes), .data_o(cause));
  fred_select #(.Width(DescW), .Count(Q)) u_index (.select_i(at), .data_i(head_index_i), .data_o(index));
  always_comb begin
    port    = '0;
    circuit = '0;
    for (int q = 0; q < Q; q++) begin
      if (at[q]) begin
        port    = port | 8'(q / Vcs);
        circuit = circuit | 3'(q % Vcs);
      end
    end
  end

  assign has_port_o   = ~(conflict_i | (|halt_i) | (|parity_now_i) | (|link_now_i) | (|hangs_now_i));
  assign port_o       = has_port_o ? port : '0;
  assign vc_o         = has_port_o ? circuit : '0;
  assign descriptor_o = has_port_o ? 8'(index) : number;
  assign kind_o       = conflict_i ? 4'd0 : |halt_i ? 4'd1 : |parity_now_i ? 4'd8 : |link_now_i ? 4'd9 :
                        |hangs_now_i ? 4'd7 :
                        cause[0] ? 4'd2 : cause[1] ? 4'd3 : cause[2] ? 4'd4 : cause[3] ? 4'd5 : 4'd6;

endmodule

`default_nettype wire
