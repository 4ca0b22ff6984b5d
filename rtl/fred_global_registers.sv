// SPDX-License-Identifier: Apache-2.0
// The registers of the switch as a whole: identity, sticky errors, port status. Bits: docs/protocol.md.
`default_nettype none

module fred_global_registers #(
  parameter int Ports = 8,                          // ports of the switch
  parameter int DescW = 3,                          // bits of a descriptor index
  parameter logic [31:0] Version   = 0,             // contents of the identity registers
  parameter logic [31:0] Shape     = 0,
  parameter logic [31:0] DataShape = 0,
  parameter logic [31:0] TypeCodes = 0,
  parameter logic [31:0] Latency   = 0,
  parameter logic [31:0] Hash      = 0
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [11:0]            addr_i,
  input  wire logic                   write_i,      // clear the ERROR bits set in wdata_i
  input  wire logic [5:0]             wdata_i,
  output logic      [31:0]            rdata_o,      // means nothing where there is no such register
  // Errors.
  input  wire logic                   conflict_i,
  input  wire logic                   mismatch_i,
  input  wire logic [Ports-1:0]       head_stale_i,
  input  wire logic [Ports-1:0]       head_unknown_i,
  input  wire logic [Ports-1:0]       head_framing_i,
  input  wire logic [Ports-1:0]       member_error_i,
  // Status.
  input  wire logic [Ports-1:0]       head_valid_i,
  input  wire logic [Ports*DescW-1:0] head_index_i,
  input  wire logic [Ports-1:0]       open_i,
  input  wire logic [Ports-1:0]       egress_busy_i,
  input  wire logic [Ports-1:0]       space_i
);

  logic [5:0] error_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) error_q <= '0;
    else error_q <= (error_q & ~({6{write_i}} & wdata_i)) |
                    {|head_framing_i, |member_error_i, |head_unknown_i, |head_stale_i, mismatch_i, conflict_i};
  end

  logic [Ports-1:0]   select, held;
  logic [Ports*5-1:0] port_flags;
  logic [4:0]         flags;
  logic [DescW-1:0]   index;
  assign held = head_framing_i | member_error_i | head_unknown_i;
  for (genvar p = 0; p < Ports; p++) begin : g_port
    assign select[p]            = addr_i[11:2] == 10'(256 + p);
    assign port_flags[p*5 +: 5] = {held[p], space_i[p], egress_busy_i[p], open_i[p], head_valid_i[p]};
  end
  fred_select #(.Width(5), .Count(Ports)) u_flags (.select_i(select), .data_i(port_flags), .data_o(flags));
  fred_select #(.Width(DescW), .Count(Ports)) u_index (.select_i(select), .data_i(head_index_i), .data_o(index));

  logic [31:0] identity;
  logic [3:0]  number;
  logic [1:0]  unused_addr;
  assign number      = addr_i[5:2];
  assign unused_addr = addr_i[1:0];
  always_comb begin
    case (number)
      4'd0:    identity = 32'h46524544;
      4'd1:    identity = Version;
      4'd2:    identity = Shape;
      4'd3:    identity = DataShape;
      4'd4:    identity = Latency;
      4'd5:    identity = Hash;
      4'd6:    identity = TypeCodes;
      default: identity = 32'(error_q);
    endcase
  end
  assign rdata_o = addr_i[11:10] == 2'd1 ? {8'd0, 8'(index), 11'd0, flags} : identity;

endmodule

`default_nettype wire
