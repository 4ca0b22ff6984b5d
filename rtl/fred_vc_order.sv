// SPDX-License-Identifier: Apache-2.0
// The order of the virtual circuits: the register PRIORITY, and as a relation.
//
// Place k of the order is at [4k +: 4] of the register and holds a circuit's number; the circuit in place 0 goes first.
// After reset circuit k is in place k. legal_o says whether a word may be written: every circuit has one place, and the
// bits above the last place are 0.
//
// Limits: before_o follows a write one cycle later. One circuit takes no flip-flop.
`default_nettype none

module fred_vc_order #(
  parameter int Vcs = 1                             // virtual circuits, 1..8
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic               write_i,          // take wdata_i, which is legal
  input  wire logic [31:0]        wdata_i,
  output logic                    legal_o,          // wdata_i is an order
  output logic      [31:0]        value_o,          // the register
  output logic      [Vcs*Vcs-1:0] before_o          // bit v*Vcs + w: circuit w goes before circuit v
);

  // ---- The word that may be written: with as many places as circuits, all circuits have one. ----
  logic [Vcs*Vcs-1:0] wanted;                       // bit k*Vcs + v: circuit v in place k
  logic [Vcs-1:0]     placed;                       // circuits that have a place
  for (genvar k = 0; k < Vcs; k++) begin : g_wanted
    fred_onehot #(.Count(Vcs), .IndexW(4)) u_place (.index_i(wdata_i[4*k +: 4]), .onehot_o(wanted[k*Vcs +: Vcs]));
  end
  for (genvar v = 0; v < Vcs; v++) begin : g_placed
    logic [Vcs-1:0] places;
    for (genvar k = 0; k < Vcs; k++) begin : g_place
      assign places[k] = wanted[k*Vcs + v];
    end
    assign placed[v] = |places;
  end
  if (Vcs < 8) begin : g_above
    assign legal_o = (&placed) & (wdata_i[31:4*Vcs] == '0);
  end else begin : g_full
    assign legal_o = &placed;
  end

  // ---- The order. ----
  if (Vcs > 1) begin : g_order
    localparam int VcW = $clog2(Vcs);
    logic [Vcs*Vcs-1:0] at, place, goes;            // circuit v in place k: bit k*Vcs + v, bit v*Vcs + k
    for (genvar k = 0; k < Vcs; k++) begin : g_place
      logic [VcW-1:0] circuit_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) circuit_q <= VcW'(k);
        else if (write_i) circuit_q <= wdata_i[4*k +: VcW];
      end
      assign value_o[4*k +: 4] = 4'(circuit_q);
      fred_onehot #(.Count(Vcs), .IndexW(VcW)) u_at (.index_i(circuit_q), .onehot_o(at[k*Vcs +: Vcs]));
      for (genvar v = 0; v < Vcs; v++) begin : g_circuit
        assign place[v*Vcs + k] = at[k*Vcs + v];
      end
    end
    if (Vcs < 8) begin : g_unused_places
      assign value_o[31:4*Vcs] = '0;
    end
    for (genvar v = 0; v < Vcs; v++) begin : g_first
      for (genvar w = 0; w < Vcs; w++) begin : g_second
        logic [Vcs-1:0] here;                       // v is in place k, w in a later one
        for (genvar k = 0; k < Vcs; k++) begin : g_at
          assign here[k] = place[v*Vcs + k] & |(place[w*Vcs +: Vcs] >> (k + 1));
        end
        assign goes[w*Vcs + v] = |here;
      end
    end
    always_ff @(posedge clk_i) before_o <= goes;
  end else begin : g_one
    logic unused_inputs;
    assign unused_inputs = ^{clk_i, rst_ni, write_i};
    assign value_o       = '0;
    assign before_o      = '0;
  end

endmodule

`default_nettype wire
