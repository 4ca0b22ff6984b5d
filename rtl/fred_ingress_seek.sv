// SPDX-License-Identifier: Apache-2.0
// What the descriptor table says of the heads of one port: one look-up a cycle, shared by its virtual circuits in turn.
//
// A circuit asks when a beat that begins a packet is to become its head, and of a head that stands when the table has
// changed (fred_ingress_vc). A port accepts one beat a cycle, so on average one look-up a cycle is enough.
`default_nettype none

module fred_ingress_seek #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int Vcs         = 1,                    // V, virtual circuits
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  parameter int PortW       = 3,                    // bits of a port number
  parameter int DescW       = 3                     // bits of a descriptor index
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,
  // Who asks, circuit v at [v*N +: N], and whose turn it is.
  input  wire logic [Vcs-1:0]                   seek_i,
  input  wire logic [Vcs*DescW-1:0]             index_i,
  input  wire logic [Vcs*4-1:0]                 epoch_i,
  input  wire logic [Vcs*PortW-1:0]             port_i,
  output logic      [Vcs-1:0]                   found_o,     // one-hot or 0
  // From the descriptor table.
  input  wire logic [Descriptors-1:0]           enable_i,
  input  wire logic [Descriptors-1:0]           run_i,
  input  wire logic [Descriptors*(4+Ports)-1:0] rows_i,      // of each {epoch, OUT_MASK}
  // The answer.
  output logic      [Descriptors-1:0]           desc_o,      // one-hot; 0 if there is no such descriptor
  output logic                                  enabled_o,
  output logic                                  runs_o,
  output logic                                  same_epoch_o,
  output logic                                  member_o     // the port is in its OUT_MASK
);

  logic [DescW-1:0] index;
  logic [3:0]       epoch, table_epoch;
  logic [PortW-1:0] port;
  logic [Ports-1:0] members, dest;
  if (Vcs > 1) begin : g_turn
    logic [Vcs-1:0] after_q;                        // circuits behind the one served last
    fred_first #(.Count(Vcs)) u_first (.start_i(after_q), .request_i(seek_i), .first_o(found_o));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) after_q <= '0;
      else if (|seek_i) after_q <= ~(found_o | (found_o - Vcs'(1)));
    end
    fred_select #(.Width(DescW), .Count(Vcs)) u_index (.select_i(found_o), .data_i(index_i), .data_o(index));
    fred_select #(.Width(4), .Count(Vcs)) u_epoch (.select_i(found_o), .data_i(epoch_i), .data_o(epoch));
    fred_select #(.Width(PortW), .Count(Vcs)) u_port (.select_i(found_o), .data_i(port_i), .data_o(port));
  end else begin : g_alone
    logic unused_turn;
    assign unused_turn = ^{clk_i, rst_ni};
    assign found_o     = seek_i;
    assign index       = index_i;
    assign epoch       = epoch_i;
    assign port        = port_i;
  end

  fred_onehot #(.Count(Descriptors), .IndexW(DescW)) u_desc (.index_i(index), .onehot_o(desc_o));
  fred_onehot #(.Count(Ports), .IndexW(PortW)) u_dest (.index_i(port), .onehot_o(dest));
  fred_select #(.Width(4 + Ports), .Count(Descriptors)) u_row (
    .select_i (desc_o),
    .data_i   (rows_i),
    .data_o   ({table_epoch, members})
  );
  assign enabled_o    = |(desc_o & enable_i);
  assign runs_o       = |(desc_o & run_i);
  assign same_epoch_o = table_epoch == epoch;
  assign member_o     = |(members & dest);

endmodule

`default_nettype wire
