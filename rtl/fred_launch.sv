// SPDX-License-Identifier: Apache-2.0
// From the launch decision to the network's inputs, and what travels beside the network to the egress ports.
//
//   cycle 3: launch_* ─> what the table says of the descriptor ─> net_* (cycle 4) ─> network, L cycles ─> egress
//                                                               └> crossbar ─> delay of L ─> side_o
//
// Beats launched together agree in their side information, so the crossbar may take the OR of them. The epoch does not
// travel: the row of the descriptor table stays as it is until its beats have arrived (fred_registers), so it is looked
// up there.
//
// Limits: Latency 1 or more.
`default_nettype none

module fred_launch #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int PortW       = 3,                    // bits of a port number or step
  parameter int Vcs         = 1,                    // virtual circuits
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int DescW       = 3,                    // bits of tdest
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int CountW      = 3,                    // bits of a byte count
  parameter int OpW         = 2,                    // bits of an operation, type included
  parameter int EdgeW       = 0,                    // bits for the converters at the network's edges; 0: there are none
  parameter int Latency     = 5,                    // L, register stages of the network, and of a converter before it
  localparam int EdgeP      = EdgeW > 0 ? EdgeW : 1,
  localparam int VcW        = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int OutW       = EdgeW + VcW + CountW + 1 + 6 + PortW + DescW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // Descriptor table; a row is steady until its beats have arrived.
  input  wire logic [Descriptors*OpW-1:0]    op_i,
  input  wire logic [Descriptors*4-1:0]      epoch_i,
  input  wire logic [Descriptors-1:0]        spoiled_i,
  input  wire logic [Descriptors*RouteW-1:0] route_i,
  input  wire logic [Descriptors*Vcs-1:0]    vc_i,         // one-hot
  input  wire logic [Descriptors*EdgeP-1:0]  conversion_i,
  // Descriptors in the cycle of the launch decision.
  input  wire logic [Descriptors-1:0]        is_send_i,
  input  wire logic [Descriptors-1:0]        is_alltoall_i,
  input  wire logic [Descriptors*Ports-1:0]  deliver_i,    // egress ports of a tree collective; else 0
  input  wire logic [Descriptors*PortW-1:0]  step_i,
  // From the launch decision, by ingress port.
  input  wire logic [Ports-1:0]              launch_i,
  input  wire logic [Ports*Descriptors-1:0]  launch_desc_i,  // one-hot
  input  wire logic [Ports*Ports-1:0]        launch_dest_i,  // egress port of a send or all-to-all; else 0
  input  wire logic [Ports*RouteW-1:0]       launch_route_i, // colours of an all-to-all
  input  wire logic [Ports*(CountW+2)-1:0]   launch_side_i,
  // To the network.
  output logic      [Ports-1:0]              net_valid_o,
  output logic      [Ports*Ports-1:0]        net_mask_o,
  output logic      [Ports*RouteW-1:0]       net_route_o,
  output logic      [Ports*OpW-1:0]          net_op_o,
  output logic      [Ports*EdgeP-1:0]        net_conversion_o,
  // To the egress ports, together with the network's output.
  output logic      [Ports-1:0]              due_o,        // a beat comes
  output logic      [Ports*OutW-1:0]         side_o        // {edge, circuit, descriptor, tuser, tlast, byte count} a port
);

  localparam int D = Descriptors;
  localparam int P = Ports;

  // ---- What the table says of each descriptor. ----
  localparam int RowW = VcW + PortW + RouteW + OpW + P + 2;
  logic [D*RowW-1:0] rows;
  for (genvar d = 0; d < D; d++) begin : g_row
    logic [VcW-1:0] circuit;
    logic [VcW*Vcs-1:0] circuits;
    for (genvar v = 0; v < Vcs; v++) begin : g_circuit
      assign circuits[v*VcW +: VcW] = VcW'(v);
    end
    fred_select #(.Width(VcW), .Count(Vcs)) u_circuit (
      .select_i (vc_i[d*Vcs +: Vcs]),
      .data_i   (circuits),
      .data_o   (circuit)
    );
    assign rows[d*RowW +: RowW] = {circuit, step_i[d*PortW +: PortW], route_i[d*RouteW +: RouteW], op_i[d*OpW +: OpW], deliver_i[d*P +: P],
                                   is_send_i[d], is_alltoall_i[d]};
  end

  // ---- What port p launches, as it enters the network and as it will leave the switch. ----
  localparam int FlowW = EdgeW + VcW + DescW + PortW + 2 + CountW;  // of what travels
  logic [P*FlowW-1:0] side_q;
  for (genvar p = 0; p < P; p++) begin : g_port
    logic [D-1:0]      desc;
    logic [RowW-1:0]   row;
    logic [VcW-1:0]    circuit;
    logic [DescW-1:0]  number;
    logic [PortW-1:0]  step;
    logic [RouteW-1:0] route;
    logic [OpW-1:0]    op;
    logic [P-1:0]      deliver;
    logic              is_send, is_alltoall, last, step_end;
    logic [CountW-1:0] count;
    assign desc = launch_desc_i[p*D +: D];
    fred_select #(.Width(RowW), .Count(D)) u_row (.select_i(desc), .data_i(rows), .data_o(row));
    assign {circuit, step, route, op, deliver, is_send, is_alltoall} = row;
    always_comb begin
      number = '0;
      for (int d = 0; d < D; d++) begin
        if (desc[d]) number = number | DescW'(d);
      end
    end
    assign {step_end, last, count} = launch_side_i[p*(CountW+2) +: CountW+2];
    logic [FlowW-EdgeW-1:0] own_side;
    assign own_side = {circuit, number, is_send ? PortW'(p) : step, step_end, last, count};
    if (EdgeW > 0) begin : g_edge
      logic [EdgeW-1:0] at_edge;
      fred_select #(.Width(EdgeW), .Count(D)) u_edge (.select_i(desc), .data_i(conversion_i), .data_o(at_edge));
      always_ff @(posedge clk_i) begin
        side_q[p*FlowW +: FlowW]           <= {at_edge, own_side};
        net_conversion_o[p*EdgeW +: EdgeW] <= at_edge;
      end
    end else begin : g_no_edge
      logic unused_edge;
      assign unused_edge         = ^conversion_i;
      assign net_conversion_o[p] = 1'b0;
      always_ff @(posedge clk_i) side_q[p*FlowW +: FlowW] <= own_side;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) net_valid_o[p] <= 1'b0;
      else net_valid_o[p] <= launch_i[p];
      net_mask_o[p*P +: P]            <= deliver | launch_dest_i[p*P +: P];
      net_route_o[p*RouteW +: RouteW] <= is_alltoall ? launch_route_i[p*RouteW +: RouteW] : route;
      net_op_o[p*OpW +: OpW]          <= op;
    end
  end

  // ---- Beside the network. ----
  logic [P-1:0] due;
  fred_delay_rst #(.Width(P), .Depth(Latency)) u_due (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .data_i (due),
    .data_o (due_o)
  );
  for (genvar q = 0; q < P; q++) begin : g_egress
    logic [P-1:0]     from;
    logic [FlowW-1:0] chosen, beside;
    logic [3:0]       epoch;
    logic [D-1:0]     desc;
    for (genvar p = 0; p < P; p++) begin : g_from
      assign from[p] = net_valid_o[p] & net_mask_o[p*P + q];
    end
    assign due[q] = |from;
    fred_select #(.Width(FlowW), .Count(P)) u_side (.select_i(from), .data_i(side_q), .data_o(chosen));
    fred_delay #(.Width(FlowW), .Depth(Latency - 1)) u_delay (
      .clk_i  (clk_i),
      .data_i (chosen),
      .data_o (beside)
    );
    fred_onehot #(.Count(D), .IndexW(DescW)) u_desc (
      .index_i  (beside[CountW+2+PortW +: DescW]),
      .onehot_o (desc)
    );
    fred_select #(.Width(4), .Count(D)) u_epoch (.select_i(desc), .data_i(epoch_i), .data_o(epoch));
    always_ff @(posedge clk_i) begin                // what a spoiled descriptor has launched is marked
      side_o[q*OutW +: OutW] <= {beside[FlowW-1:CountW+2], |(desc & spoiled_i), epoch, beside[CountW+1:0]};
    end
  end

endmodule

`default_nettype wire
