// SPDX-License-Identifier: Apache-2.0
// In which order the slots of a link port go: that of the virtual circuits of the descriptors that have them, then by
// number. Slots that no descriptor has, of which beats may be left, go last.
//
// Limits: the output follows a cycle later.
`default_nettype none

module fred_slot_order #(
  parameter int Slots       = 4,                    // S
  parameter int Vcs         = 1,                    // V, virtual circuits
  parameter int Descriptors = 8                     // D, entries of the descriptor table
) (
  input  wire logic                          clk_i,
  input  wire logic [Descriptors-1:0]        uses_i,      // enabled, and sends to this port
  input  wire logic [Descriptors*Slots-1:0]  slot_i,      // one-hot slot of each
  input  wire logic [Descriptors*Vcs-1:0]    vc_i,        // one-hot
  input  wire logic [Vcs*Vcs-1:0]            vc_before_i, // [v*V + w]: circuit w goes before circuit v
  output logic      [Slots*Slots-1:0]        before_o     // [s*S + t]: slot t goes before slot s
);

  localparam int D = Descriptors, S = Slots, V = Vcs;

  for (genvar s = 0; s < S; s++) begin : g_slot
    logic [D-1:0] owner;
    logic [V-1:0] vc, ahead;                        // its circuit, and those that go before that
    for (genvar d = 0; d < D; d++) begin : g_owner
      assign owner[d] = uses_i[d] & slot_i[d*S + s];
    end
    fred_select #(.Width(V), .Count(D)) u_vc (.select_i(owner), .data_i(vc_i), .data_o(vc));
    fred_select #(.Width(V), .Count(V)) u_ahead (.select_i(vc), .data_i(vc_before_i), .data_o(ahead));
    for (genvar t = 0; t < S; t++) begin : g_other
      always_ff @(posedge clk_i) begin
        if (s == t) before_o[s*S + t] <= 1'b0;
        else if (g_slot[t].vc == vc) before_o[s*S + t] <= t < s;
        else before_o[s*S + t] <= (vc == '0) | (|(g_slot[t].vc & ahead));
      end
    end
  end

endmodule

`default_nettype wire
