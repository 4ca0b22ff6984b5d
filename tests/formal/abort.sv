// SPDX-License-Identifier: Apache-2.0
// Aborts (fred_abort).
//
// Proved; a request is an abort, or what spoils a descriptor that is not spoiled already: a conflict that comes with beats
// of it, or a wrong bit in a table:
//   close_only     a descriptor is closed only after a request of it that no close has answered
//   close_stopped  it is closed while it is stopped; from the cycle after the request to that one it is (stop_from)
//   close_waits    at least Flight + 1 cycles after its last launch: all its beats have arrived
//   close_soon     and at most 2 * (Flight + 2) + 4 cycles after the abort
//   spoiled_*      a descriptor is spoiled from the cycle after that until an abort or until it is disabled, and no
//                  other is
//   flying_true    of which descriptors beats are under way is known
// Assumed: what is launched is enabled, not stopped and not spoiled; an abort comes only for an enabled descriptor that
// is not stopped, and a stopped one is not disabled (the registers refuse both). Conflicts and wrong bits come at any time.
`default_nettype none

module abort #(
  parameter int Flight = 3
) (
  input wire logic clk
);

  localparam int D = 3, Bound = 2 * (Flight + 2) + 4;
  logic up_q = 1'b0;
  always_ff @(posedge clk) up_q <= 1'b1;
  (* anyseq *) logic [D-1:0] enable, aborts, grant, bad;
  (* anyseq *) logic         conflict;
  logic [D-1:0] stop, spoiled, close, flying;
  fred_abort #(.Descriptors(D), .Flight(Flight)) dut (
    .clk_i (clk), .rst_ni (up_q), .enable_i (enable), .abort_i (aborts), .grant_i (grant), .conflict_i (conflict),
    .bad_i (bad), .flying_o (flying), .spoils_o (), .stop_o (stop), .spoiled_o (spoiled), .close_o (close)
  );
  logic [D-1:0] enable_q, aborts_q;
  always_ff @(posedge clk) begin
    enable_q <= up_q ? enable : '0;
    aborts_q <= up_q ? aborts : '0;
  end
  always_comb begin
    assume (up_q || (grant == '0 && aborts == '0 && enable == '0));
    assume ((grant & ~(enable & ~stop & ~spoiled)) == '0);
    assume ((aborts & ~(enable & ~stop)) == '0);
    assume ((enable_q & stop & ~enable) == '0);
  end

  // ---- What was launched so many cycles ago; how long ago the last launch and the last abort were. ----
  logic [Flight*D-1:0] launched_q;                  // newest in the low bits
  logic [D*6-1:0]      since_q, age_q;              // cycles, at most 63
  logic [D-1:0]        owed_q, again_q, waited_q;   // requests not answered, one, two; an abort that is not
  logic [D-1:0]        meets, meets_q, spoiled_q, request, request_q;
  logic [D-1:0]        in_time, apart, flies;
  assign meets   = (launched_q[(Flight-1)*D +: D] & {D{conflict}} & enable) | bad;
  assign request = aborts | (meets & ~spoiled);
  always_ff @(posedge clk) begin
    launched_q <= up_q ? (Flight*D)'({launched_q, grant}) : '0;
    meets_q    <= up_q ? meets : '0;
    spoiled_q  <= up_q ? spoiled : '0;
    request_q  <= up_q ? request : '0;
  end
  for (genvar d = 0; d < D; d++) begin : g_descriptor
    logic [5:0] since, age;
    logic       owed;
    assign since = since_q[d*6 +: 6];
    assign age   = age_q[d*6 +: 6];
    assign owed  = owed_q[d] & stop[d] & ~(close[d] & ~again_q[d]);
    always_ff @(posedge clk) begin
      if (!up_q) begin
        since_q[d*6 +: 6] <= 6'd63;
        {owed_q[d], again_q[d], waited_q[d]} <= 3'b000;
      end else begin
        since_q[d*6 +: 6] <= grant[d] ? 6'd1 : since == 6'd63 ? since : since + 6'd1;
        age_q[d*6 +: 6]   <= aborts[d] ? 6'd1 : age == 6'd63 ? age : age + 6'd1;
        owed_q[d]   <= request[d] | owed;
        again_q[d]  <= stop[d] & ((request[d] & owed) | (again_q[d] & ~close[d]));
        waited_q[d] <= aborts[d] | (waited_q[d] & ~close[d]);
      end
    end
    assign in_time[d] = !waited_q[d] || age <= 6'(Bound);
    assign apart[d]   = !close[d] || since > 6'(Flight);
    assign flies[d]   = since <= 6'(Flight);
  end
  always_comb begin
    if (up_q) begin
      close_only    : assert ((close & ~owed_q) == '0);
      close_stopped : assert ((close & ~stop) == '0);
      close_waits   : assert (&apart);
      close_soon    : assert (&in_time);
      flying_true   : assert (flying == flies);
      stop_from     : assert (((request_q | (waited_q & ~close)) & ~stop) == '0);
      spoiled_begin : assert ((meets_q & ~spoiled) == '0);
      spoiled_stays : assert ((spoiled_q & enable_q & ~aborts_q & ~spoiled) == '0);
      spoiled_only  : assert ((spoiled & ~spoiled_q & ~meets_q) == '0);
      spoiled_ends  : assert ((spoiled & ~meets_q & (aborts_q | ~enable_q)) == '0);
    end
  end

endmodule

`default_nettype wire
