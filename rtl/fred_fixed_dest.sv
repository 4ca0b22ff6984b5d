// SPDX-License-Identifier: Apache-2.0
// The descriptor of each port's beats where s_axis_tdest is no pin (fred gen --static): a constant of the port and the
// virtual circuit.
`default_nettype none

module fred_fixed_dest #(
  parameter int Ports = 8,                          // P, ports of the switch
  parameter int Vcs   = 1,                          // V, virtual circuits of a port
  parameter int DescW = 3,                          // bits of a descriptor index
  parameter logic [Ports*Vcs*DescW-1:0] Dests = '0, // of port p, circuit v at [(p*V + v)*DescW +: DescW]
  localparam int VcW  = Vcs > 1 ? $clog2(Vcs) : 1
) (
  input  wire logic [Ports*VcW-1:0]   tid_i,
  output logic      [Ports*DescW-1:0] tdest_o
);

  for (genvar p = 0; p < Ports; p++) begin : g_port
    if (Vcs > 1) begin : g_by_circuit
      logic [Vcs-1:0] at;
      fred_onehot #(.Count(Vcs), .IndexW(VcW)) u_at (.index_i(tid_i[p*VcW +: VcW]), .onehot_o(at));
      fred_select #(.Width(DescW), .Count(Vcs)) u_dest (
        .select_i(at), .data_i(Dests[p*Vcs*DescW +: Vcs*DescW]), .data_o(tdest_o[p*DescW +: DescW])
      );
    end else begin : g_constant
      logic unused_tid;
      assign unused_tid                  = tid_i[p];
      assign tdest_o[p*DescW +: DescW] = Dests[p*DescW +: DescW];
    end
  end

endmodule

`default_nettype wire
