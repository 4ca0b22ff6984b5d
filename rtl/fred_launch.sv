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
// The last LinkPorts ports are link ports: the circuit there is a slot, the descriptor that of the next switch (tag), and
// what comes from one may bring its step along (`passes_i`).
//
// Limits: Latency 1 or more.
`default_nettype none

module fred_launch #(
  parameter int Ports       = 8,                    // ports of the switch
  parameter int StepW       = 3,                    // bits of a port number or step
  parameter int Vcs         = 1,                    // circuits of a port
  parameter int Classes     = 1,                    // virtual circuits
  parameter int LinkPorts   = 0,                    // link ports
  parameter int Slots       = 1,                    // slots of a link port
  parameter int TagW        = 3,                    // bits of a descriptor in the next switch
  parameter int Descriptors = 8,                    // entries of the descriptor table
  parameter int DescW       = 3,                    // bits of tdest
  parameter int RouteW      = 4,                    // bits of a route's colours, 1 or more
  parameter int CountW      = 3,                    // bits of a byte count
  parameter int OpW         = 2,                    // bits of an operation, type included
  parameter int EdgeW       = 0,                    // bits for the converters at the network's edges; 0: there are none
  parameter int Latency     = 5,                    // L, register stages of the network, and of a converter before it
  localparam int EdgeP      = EdgeW > 0 ? EdgeW : 1,
  localparam int VcW        = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int LinksP     = LinkPorts > 0 ? LinkPorts : 1,
  localparam int DestW      = LinkPorts > 0 ? TagW : 0,
  localparam int OutW       = EdgeW + DestW + VcW + CountW + 1 + 6 + StepW + DescW
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // Descriptor table; a row is steady until its beats have arrived.
  input  wire logic [Descriptors*OpW-1:0]    op_i,
  input  wire logic [Descriptors*4-1:0]      epoch_i,
  input  wire logic [Descriptors-1:0]        spoiled_i,
  input  wire logic [Descriptors*RouteW-1:0] route_i,
  input  wire logic [Descriptors*Classes-1:0] vc_i,        // one-hot
  input  wire logic [Descriptors*LinksP*Slots-1:0] slot_i, // one-hot, of descriptor d at link port i
  input  wire logic [Descriptors*LinksP*TagW-1:0] tag_i,   // in the next switch, of descriptor d at link port i
  input  wire logic [Descriptors*EdgeP-1:0]  conversion_i,
  // Descriptors in the cycle of the launch decision.
  input  wire logic [Descriptors-1:0]        is_send_i,
  input  wire logic [Descriptors-1:0]        is_alltoall_i,
  input  wire logic [Descriptors*Ports-1:0]  deliver_i,    // egress ports of a tree collective; else 0
  input  wire logic [Descriptors*StepW-1:0]  step_i,
  // From the launch decision, by ingress port.
  input  wire logic [Ports-1:0]              launch_i,
  input  wire logic [Ports*Descriptors-1:0]  launch_desc_i,  // one-hot
  input  wire logic [Ports*Ports-1:0]        launch_dest_i,  // egress port of a send or all-to-all; else 0
  input  wire logic [Ports*RouteW-1:0]       launch_route_i, // colours of an all-to-all
  input  wire logic [Ports*(CountW+2)-1:0]   launch_side_i,
  input  wire logic [LinksP-1:0]             passes_i,     // link port: the step is the one that it has brought along
  input  wire logic [LinksP*StepW-1:0]       arrived_i,    // that step
  // To the network.
  output logic      [Ports-1:0]              net_valid_o,
  output logic      [Ports*Ports-1:0]        net_mask_o,
  output logic      [Ports*RouteW-1:0]       net_route_o,
  output logic      [Ports*OpW-1:0]          net_op_o,
  output logic      [Ports*EdgeP-1:0]        net_conversion_o,
  // To the egress ports, together with the network's output.
  output logic      [Ports-1:0]              due_o,        // a beat comes
  output logic      [Ports*OutW-1:0]         side_o        // {edge, tag, circuit, descriptor, tuser, tlast, byte count} a port
);

  localparam int D = Descriptors;
  localparam int P = Ports;

  // ---- What the table says of each descriptor. ----
  localparam int LinkW = LinkPorts * (DestW + VcW);  // of each link port {tag, circuit}
  localparam int RowW  = LinkW + VcW + StepW + RouteW + OpW + P + 2;
  logic [D*RowW-1:0]  rows;
  logic [VcW*Vcs-1:0] circuits;
  for (genvar v = 0; v < Vcs; v++) begin : g_circuit
    assign circuits[v*VcW +: VcW] = VcW'(v);
  end
  for (genvar d = 0; d < D; d++) begin : g_row
    logic [VcW-1:0] circuit;
    fred_select #(.Width(VcW), .Count(Classes)) u_circuit (
      .select_i (vc_i[d*Classes +: Classes]),
      .data_i   (circuits[VcW*Classes-1:0]),
      .data_o   (circuit)
    );
    assign rows[d*RowW +: RowW-LinkW] = {circuit, step_i[d*StepW +: StepW], route_i[d*RouteW +: RouteW],
                                         op_i[d*OpW +: OpW], deliver_i[d*P +: P], is_send_i[d], is_alltoall_i[d]};
    for (genvar i = 0; i < LinkPorts; i++) begin : g_link
      logic [VcW-1:0] slot;
      fred_select #(.Width(VcW), .Count(Slots)) u_slot (
        .select_i (slot_i[(d*LinksP + i)*Slots +: Slots]),
        .data_i   (circuits[VcW*Slots-1:0]),
        .data_o   (slot)
      );
      assign rows[d*RowW + RowW - LinkW + i*(DestW+VcW) +: DestW+VcW] = {tag_i[(d*LinksP + i)*TagW +: TagW], slot};
    end
  end

  // ---- What port p launches, as it enters the network and as it will leave the switch. ----
  localparam int FlowW = EdgeW + VcW + DescW + StepW + 2 + CountW;  // of what travels
  localparam int LinkP = LinkW > 0 ? LinkW : 1;
  logic [P*FlowW-1:0] side_q;
  logic [P*LinkP-1:0] links_q;                      // port p, link port i at [p*LinkP + i*(DestW+VcW)]
  for (genvar p = 0; p < P; p++) begin : g_port
    logic [D-1:0]      desc;
    logic [RowW-1:0]   row;
    logic [VcW-1:0]    circuit;
    logic [DescW-1:0]  number;
    logic [StepW-1:0]  step, own_step;
    logic [RouteW-1:0] route;
    logic [OpW-1:0]    op;
    logic [P-1:0]      deliver;
    logic              is_send, is_alltoall, last, step_end;
    logic [CountW-1:0] count;
    assign desc = launch_desc_i[p*D +: D];
    fred_select #(.Width(RowW), .Count(D)) u_row (.select_i(desc), .data_i(rows), .data_o(row));
    assign {circuit, own_step, route, op, deliver, is_send, is_alltoall} = row[RowW-LinkW-1:0];
    always_comb begin
      number = '0;
      for (int d = 0; d < D; d++) begin
        if (desc[d]) number = number | DescW'(d);
      end
    end
    assign {step_end, last, count} = launch_side_i[p*(CountW+2) +: CountW+2];
    if (LinkPorts > 0) begin : g_links
      always_ff @(posedge clk_i) links_q[p*LinkW +: LinkW] <= row[RowW-1 -: LinkW];
    end else begin : g_no_links
      assign links_q[p] = 1'b0;
    end
    if (p < P - LinkPorts) begin : g_own_step
      assign step = is_send ? StepW'(p) : own_step;
    end else begin : g_link_step
      localparam int I = p - (P - LinkPorts);
      logic unused_send;                            // none from a link port
      assign unused_send = is_send;
      assign step        = passes_i[I] ? arrived_i[I*StepW +: StepW] : own_step;
    end
    logic [FlowW-EdgeW-1:0] own_side;
    assign own_side = {circuit, number, step, step_end, last, count};
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

  if (LinkPorts == 0) begin : g_no_link_ports
    logic unused_links;
    assign unused_links = ^{passes_i, arrived_i, tag_i, slot_i, links_q};
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
    logic [FlowW-1:0]       chosen;
    logic [DestW+FlowW-1:0] sent, beside;           // {edge, tag, circuit, descriptor, step, step_end, last, count}
    logic [DestW+FlowW-EdgeW-1:0] plain;            // without the edge
    logic [3:0]       epoch;
    logic [D-1:0]     desc;
    for (genvar p = 0; p < P; p++) begin : g_from
      assign from[p] = net_valid_o[p] & net_mask_o[p*P + q];
    end
    assign due[q] = |from;
    fred_select #(.Width(FlowW), .Count(P)) u_side (.select_i(from), .data_i(side_q), .data_o(chosen));
    if (q >= P - LinkPorts) begin : g_link
      localparam int I = q - (P - LinkPorts);
      logic [P*(DestW+VcW)-1:0] ways;
      logic [DestW-1:0]         tag;
      logic [VcW-1:0]           slot;
      logic                     unused_circuit;
      for (genvar p = 0; p < P; p++) begin : g_way
        assign ways[p*(DestW+VcW) +: DestW+VcW] = links_q[p*LinkW + I*(DestW+VcW) +: DestW+VcW];
      end
      fred_select #(.Width(DestW+VcW), .Count(P)) u_way (.select_i(from), .data_i(ways), .data_o({tag, slot}));
      assign unused_circuit = ^chosen[FlowW-EdgeW-1 -: VcW];
      assign plain = {tag, slot, chosen[FlowW-EdgeW-VcW-1:0]};
    end else begin : g_own
      assign plain = (DestW+FlowW-EdgeW)'(chosen[FlowW-EdgeW-1:0]);
    end
    if (EdgeW > 0) begin : g_edge
      assign sent = {chosen[FlowW-1 -: EdgeW], plain};
    end else begin : g_no_edge
      assign sent = plain;
    end
    fred_delay #(.Width(DestW+FlowW), .Depth(Latency - 1)) u_delay (
      .clk_i  (clk_i),
      .data_i (sent),
      .data_o (beside)
    );
    fred_onehot #(.Count(D), .IndexW(DescW)) u_desc (
      .index_i  (beside[CountW+2+StepW +: DescW]),
      .onehot_o (desc)
    );
    fred_select #(.Width(4), .Count(D)) u_epoch (.select_i(desc), .data_i(epoch_i), .data_o(epoch));
    always_ff @(posedge clk_i) begin                // what a spoiled descriptor has launched is marked
      side_o[q*OutW +: OutW] <= {beside[DestW+FlowW-1:CountW+2], |(desc & spoiled_i), epoch, beside[CountW+1:0]};
    end
  end

endmodule

`default_nettype wire
