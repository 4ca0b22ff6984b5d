// SPDX-License-Identifier: Apache-2.0
// From the launch decision to the network's inputs, and what travels beside the network to the egress ports.
//
//   cycle 3: launch_* ─> colours and operation of the descriptor ─> net_* (cycle 4) ─> network, L cycles ─> egress
//                     └> crossbar: side of the launched beat to its egress ports ─> delay of L + 1 ─> side_o
//
// Beats launched together agree in their side information, so the crossbar may take the OR of them.
`default_nettype none

module fred_launch #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number or step
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int DescW       = 3,                    // bits of tdest
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int CountW      = 3,                    // bits of a byte count
  parameter int OpW         = 2,                    // bits of an operation, type included
  parameter int EdgeW       = 0,                    // bits for the converters at the network's edges; 0: there are none
  parameter int Latency     = 5,                    // L, register stages of the network, and of a converter before it
  localparam int EdgeP      = EdgeW > 0 ? EdgeW : 1,
  localparam int OutW       = EdgeW + CountW + 1 + 6 + PortW + DescW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // Descriptor table.
  input  wire logic [Descriptors*OpW-1:0]    op_i,
  input  wire logic [Descriptors*4-1:0]      epoch_i,
  input  wire logic [Descriptors*RouteW-1:0] route_i,
  input  wire logic [Descriptors*EdgeP-1:0]  conversion_i,
  // From the launch decision.
  input  wire logic [Ports-1:0]              launch_i,
  input  wire logic [Ports*Ports-1:0]        launch_mask_i,
  input  wire logic [Ports*Descriptors-1:0]  launch_desc_i,
  input  wire logic [Ports-1:0]              launch_alltoall_i,
  input  wire logic [Ports*RouteW-1:0]       launch_route_i,
  input  wire logic [Ports*PortW-1:0]        launch_step_i,
  input  wire logic [Ports*(CountW+2)-1:0]   launch_side_i,
  // To the network.
  output logic      [Ports-1:0]              net_valid_o,
  output logic      [Ports*Ports-1:0]        net_mask_o,
  output logic      [Ports*RouteW-1:0]       net_route_o,
  output logic      [Ports*OpW-1:0]          net_op_o,
  output logic      [Ports*EdgeP-1:0]        net_conversion_o,
  // To the egress ports, together with the network's output.
  output logic      [Ports*OutW-1:0]         side_o        // {edge, descriptor, tuser, tlast, byte count} a port
);

  localparam int D = Descriptors;
  localparam int P = Ports;

  logic [D*DescW-1:0] numbers;
  for (genvar d = 0; d < D; d++) begin : g_number
    assign numbers[d*DescW +: DescW] = DescW'(d);
  end

  logic [P*OutW-1:0] side;                          // what port p launches, as it will leave the switch
  for (genvar p = 0; p < P; p++) begin : g_port
    logic [D-1:0]      desc;
    logic [RouteW-1:0] route;
    logic [OpW-1:0]    op;
    logic [3:0]        epoch;
    logic [DescW-1:0]  number;
    logic [CountW-1:0] count;
    logic              last, step_end;
    assign desc = launch_desc_i[p*D +: D];
    assign {step_end, last, count} = launch_side_i[p*(CountW+2) +: CountW+2];
    fred_select #(.Width(RouteW), .Count(D)) u_route (.select_i(desc), .data_i(route_i), .data_o(route));
    fred_select #(.Width(OpW), .Count(D)) u_op (.select_i(desc), .data_i(op_i), .data_o(op));
    fred_select #(.Width(4), .Count(D)) u_epoch (.select_i(desc), .data_i(epoch_i), .data_o(epoch));
    fred_select #(.Width(DescW), .Count(D)) u_number (.select_i(desc), .data_i(numbers), .data_o(number));
    logic [OutW-EdgeW-1:0] own_side;
    assign own_side = {number, launch_step_i[p*PortW +: PortW], 1'b0, epoch, step_end, last, count};
    if (EdgeW > 0) begin : g_edge
      logic [EdgeW-1:0] at_edge;
      fred_select #(.Width(EdgeW), .Count(D)) u_edge (.select_i(desc), .data_i(conversion_i), .data_o(at_edge));
      assign side[p*OutW +: OutW] = {at_edge, own_side};
      always_ff @(posedge clk_i) net_conversion_o[p*EdgeW +: EdgeW] <= at_edge;
    end else begin : g_no_edge
      logic unused_edge;
      assign unused_edge   = ^conversion_i;
      assign net_conversion_o[p] = 1'b0;
      assign side[p*OutW +: OutW] = own_side;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) net_valid_o[p] <= 1'b0;
      else net_valid_o[p] <= launch_i[p];
      net_mask_o[p*P +: P]            <= launch_mask_i[p*P +: P];
      net_route_o[p*RouteW +: RouteW] <= launch_alltoall_i[p] ? launch_route_i[p*RouteW +: RouteW] : route;
      net_op_o[p*OpW +: OpW]          <= op;
    end
  end

  for (genvar q = 0; q < P; q++) begin : g_egress
    logic [P-1:0]    from;
    logic [OutW-1:0] chosen;
    for (genvar p = 0; p < P; p++) begin : g_from
      assign from[p] = launch_i[p] & launch_mask_i[p*P + q];
    end
    fred_select #(.Width(OutW), .Count(P)) u_side (.select_i(from), .data_i(side), .data_o(chosen));
    fred_delay #(.Width(OutW), .Depth(Latency + 1)) u_delay (
      .clk_i  (clk_i),
      .data_i (chosen),
      .data_o (side_o[q*OutW +: OutW])
    );
  end

endmodule

`default_nettype wire
