// SPDX-License-Identifier: Apache-2.0
// In which circuit of each port a descriptor's beats are: at a port of its own in its virtual circuit, at a link port in
// its slot there.
//
// The last LinkPorts ports are link ports; link port i is port Ports - LinkPorts + i.
`default_nettype none

module fred_circuits #(
  parameter int Ports       = 8,                    // P, ports of the switch
  parameter int Vcs         = 1,                    // V, virtual circuits
  parameter int LinkPorts   = 0,                    // of them, the last ones
  parameter int Slots       = 1,                    // S, of a link port
  parameter int Descriptors = 8,                    // D, entries of the descriptor table
  localparam int Circuits   = LinkPorts > 0 && Slots > Vcs ? Slots : Vcs, // C, of any port, at most
  localparam int LinksP     = LinkPorts > 0 ? LinkPorts : 1
) (
  input  wire logic [Descriptors*Vcs-1:0]            vc_i,      // one-hot
  input  wire logic [Descriptors*LinksP*Slots-1:0]   slot_i,    // one-hot, of descriptor d at link port i
  output logic      [Descriptors*Ports*Circuits-1:0] circuit_o  // one-hot, of descriptor d at port p
);

  for (genvar d = 0; d < Descriptors; d++) begin : g_descriptor
    for (genvar p = 0; p < Ports; p++) begin : g_port
      if (p < Ports - LinkPorts) begin : g_own
        assign circuit_o[(d*Ports + p)*Circuits +: Circuits] = Circuits'(vc_i[d*Vcs +: Vcs]);
      end else begin : g_link
        localparam int At = (d*LinksP + p - (Ports - LinkPorts))*Slots;
        assign circuit_o[(d*Ports + p)*Circuits +: Circuits] = Circuits'(slot_i[At +: Slots]);
      end
    end
  end
  if (LinkPorts == Ports) begin : g_links_only
    logic unused_vcs;
    assign unused_vcs = ^vc_i;
  end
  if (LinkPorts == 0) begin : g_no_links
    logic unused_slots;
    assign unused_slots = ^slot_i;
  end

endmodule

`default_nettype wire
