// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave port: turns one access at a time into a request that is held until it is done.
//
// A write begins when both its address and its data are there; a waiting write goes before a waiting read unless a
// write was served last. Every response is held until it is taken.
`default_nettype none

module fred_axil #(
  parameter int AddrW = 13                          // bits of an address
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             s_axil_awvalid,
  output logic                  s_axil_awready,
  input  wire logic [AddrW-1:0] s_axil_awaddr,
  input  wire logic             s_axil_wvalid,
  output logic                  s_axil_wready,
  input  wire logic [31:0]      s_axil_wdata,
  input  wire logic [3:0]       s_axil_wstrb,
  output logic                  s_axil_bvalid,
  input  wire logic             s_axil_bready,
  output logic      [1:0]       s_axil_bresp,
  input  wire logic             s_axil_arvalid,
  output logic                  s_axil_arready,
  input  wire logic [AddrW-1:0] s_axil_araddr,
  output logic                  s_axil_rvalid,
  input  wire logic             s_axil_rready,
  output logic      [31:0]      s_axil_rdata,
  output logic      [1:0]       s_axil_rresp,

  output logic                  request_o,          // held until done_i
  output logic                  write_o,
  output logic      [AddrW-1:0] addr_o,
  output logic      [31:0]      wdata_o,
  output logic                  full_o,             // all byte strobes are set
  input  wire logic             done_i,
  input  wire logic             error_i,            // with done_i: answer SLVERR
  input  wire logic [31:0]      rdata_i
);

  logic             aw_q, w_q, ar_q;                // an address, data, a read address is held
  logic             wrote_q;                        // the last access was a write
  logic [AddrW-1:0] awaddr_q, araddr_q;
  logic             idle, start_write, start_read, up_q;

  assign s_axil_awready = up_q & ~aw_q;
  assign s_axil_wready  = up_q & ~w_q;
  assign s_axil_arready = up_q & ~ar_q;
  assign idle           = ~request_o & ~s_axil_bvalid & ~s_axil_rvalid;
  assign start_write    = idle & aw_q & w_q & ~(ar_q & wrote_q);
  assign start_read     = idle & ar_q & ~start_write;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_q          <= 1'b0;
      aw_q          <= 1'b0;
      w_q           <= 1'b0;
      ar_q          <= 1'b0;
      wrote_q       <= 1'b0;
      request_o     <= 1'b0;
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end else begin
      up_q <= 1'b1;
      if (s_axil_awvalid && s_axil_awready) aw_q <= 1'b1;
      else if (done_i && write_o) aw_q <= 1'b0;
      if (s_axil_wvalid && s_axil_wready) w_q <= 1'b1;
      else if (done_i && write_o) w_q <= 1'b0;
      if (s_axil_arvalid && s_axil_arready) ar_q <= 1'b1;
      else if (done_i && !write_o) ar_q <= 1'b0;
      if (start_write || start_read) request_o <= 1'b1;
      else if (done_i) request_o <= 1'b0;
      if (done_i) wrote_q <= write_o;
      if (done_i && write_o) s_axil_bvalid <= 1'b1;
      else if (s_axil_bready) s_axil_bvalid <= 1'b0;
      if (done_i && !write_o) s_axil_rvalid <= 1'b1;
      else if (s_axil_rready) s_axil_rvalid <= 1'b0;
    end
    if (s_axil_awvalid && s_axil_awready) awaddr_q <= s_axil_awaddr;
    if (s_axil_arvalid && s_axil_arready) araddr_q <= s_axil_araddr;
    if (s_axil_wvalid && s_axil_wready) begin
      wdata_o <= s_axil_wdata;
      full_o  <= &s_axil_wstrb;
    end
    if (start_write || start_read) begin
      write_o <= start_write;
      addr_o  <= start_write ? awaddr_q : araddr_q;
    end
    if (done_i) begin
      s_axil_bresp <= {error_i, 1'b0};
      s_axil_rresp <= {error_i, 1'b0};
      s_axil_rdata <= error_i ? '0 : rdata_i;
    end
  end

endmodule

`default_nettype wire
