// SPDX-License-Identifier: Apache-2.0
#include "tb/pins.hpp"

#include <algorithm>

#include "tb/engine.hpp"

namespace fred::tb {

namespace {

/// A zeroed vector for a signal of `bits` bits a port.
Pins per_port(const Design& design, int bits) {
  return Pins(pin_words(static_cast<std::size_t>(design.radix) * static_cast<std::size_t>(bits)), 0U);
}

/// The same a link port; a word where there is none, so that there is something to point to.
Pins per_link(const Design& design, int bits) {
  return Pins(pin_words(static_cast<std::size_t>(std::max(1, design.link_ports)) * static_cast<std::size_t>(bits)), 0U);
}
int phy_bits(const Design& design) { return design.link_ports > 0 ? design.link.phy_bits() : 1; }

}  // namespace

InPins::InPins(const Design& design)
    : s_tvalid(per_port(design, 1)),
      s_tdata(per_port(design, design.width())),
      s_tkeep(per_port(design, design.bytes())),
      s_tlast(per_port(design, 1)),
      s_tid(per_port(design, design.vc_bits())),
      s_tdest(per_port(design, design.descriptor_bits())),
      s_tuser(per_port(design, design.s_user_bits())),
      m_tready(per_port(design, 1)),
      m_vc_ready(per_port(design, design.vcs)),
      phy_tx_ready(per_link(design, 1)),
      phy_rx_valid(per_link(design, 1)),
      phy_rx_first(per_link(design, 1)),
      phy_rx_data(per_link(design, phy_bits(design))) {}

OutPins::OutPins(const Design& design)
    : s_tready(per_port(design, 1)),
      s_vc_ready(per_port(design, design.vcs)),
      m_tvalid(per_port(design, 1)),
      m_tdata(per_port(design, design.width())),
      m_tkeep(per_port(design, design.bytes())),
      m_tlast(per_port(design, 1)),
      m_tid(per_port(design, design.vc_bits())),
      m_tdest(per_port(design, design.descriptor_bits())),
      m_tuser(per_port(design, design.m_user_bits())),
      halted(pin_words(static_cast<std::size_t>(design.descriptors))),
      busy(halted),
      hangs(halted),
      phy_tx_valid(per_link(design, 1)),
      phy_tx_first(per_link(design, 1)),
      phy_tx_data(per_link(design, phy_bits(design))),
      link_up(per_link(design, 1)) {}

void set_prefix(Pins& pins, std::size_t offset, int bits, int count) {
  for (int done = 0; done < bits;) {
    // Up to the end of the current word, so that every step is one masked write.
    const int chunk = std::min(bits - done, 32 - static_cast<int>((offset + static_cast<std::size_t>(done)) % 32));
    set_field(pins, offset + static_cast<std::size_t>(done), chunk, ones(std::clamp(count - done, 0, chunk)));
    done += chunk;
  }
}

int get_prefix(const Pins& pins, std::size_t offset, int bits) {
  int count = 0;
  for (int done = 0; done < bits;) {
    const int chunk = std::min(bits - done, 32 - static_cast<int>((offset + static_cast<std::size_t>(done)) % 32));
    const std::uint32_t field = get_field(pins, offset + static_cast<std::size_t>(done), chunk);
    const int set = std::countr_one(field);
    if (field != ones(set)) return -1;         // a hole in this chunk
    if (set != 0 && count != done) return -1;  // ones above a zero of an earlier chunk
    count += set;
    done += chunk;
  }
  return count;
}

}  // namespace fred::tb
