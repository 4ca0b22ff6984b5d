// SPDX-License-Identifier: Apache-2.0
// The Engine interface: one switch that can be clocked, whatever it is made of (Verilated RTL, the exact model).
// Drivers, monitors and scoreboard know only this. Pins are as in docs/protocol.md, flat, packed into 32-bit words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fred/design/design.hpp"

namespace fred::tb {

/// Input pins of one cycle. A per-port signal of N bits has port p at bits [p*N +: N] of its vector.
struct InPins {
  explicit InPins(const Design& design);
  bool rst_n = true;
  std::vector<std::uint32_t> s_tvalid, s_tdata, s_tkeep, s_tlast, s_tid, s_tdest, s_tuser;
  std::vector<std::uint32_t> m_tready, m_vc_ready;
  // AXI4-Lite
  bool awvalid = false, wvalid = false, bready = false, arvalid = false, rready = false;
  std::uint32_t awaddr = 0, wdata = 0, wstrb = 0xf, araddr = 0;
  // In their place in a switch without registers.
  std::uint32_t error_clear = 0;
  // Transceivers of the link ports, a link port as a port above.
  std::vector<std::uint32_t> phy_tx_ready, phy_rx_valid, phy_rx_first, phy_rx_data;
};

/// Output pins of one cycle, before the rising edge that ends it.
struct OutPins {
  explicit OutPins(const Design& design);
  std::vector<std::uint32_t> s_tready, s_vc_ready;
  std::vector<std::uint32_t> m_tvalid, m_tdata, m_tkeep, m_tlast, m_tid, m_tdest, m_tuser;
  bool awready = false, wready = false, bvalid = false, arready = false, rvalid = false;
  std::uint32_t bresp = 0, rdata = 0, rresp = 0;
  bool irq = false;
  // In their place in a switch without registers.
  std::uint32_t error = 0;
  std::vector<std::uint32_t> halted, busy, hangs;  ///< bit d: descriptor d
  // Transceivers of the link ports.
  std::vector<std::uint32_t> phy_tx_valid, phy_tx_first, phy_tx_data, link_up;
};

/// A clocked switch.
class Engine {
 public:
  virtual ~Engine() = default;
  /// One clock cycle: apply `in`, settle, sample `out`, then the rising edge. No output depends on an input of its
  /// cycle.
  virtual void cycle(const InPins& in, OutPins& out) = 0;
  /// Ends the simulation and completes what it writes, a trace; the destructor does it too, but cannot report an error.
  virtual void close() {}
  /// Name for reports: "verilator", "model".
  [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace fred::tb
