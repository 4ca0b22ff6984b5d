// SPDX-License-Identifier: Apache-2.0
// Collects the packets that leave a switch, whatever they are: for tests of what the scoreboard does not expect.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "tb/engine.hpp"
#include "tb/pins.hpp"
#include "tests/switch/bench.hpp"

namespace fred::test {

/// A packet of m_axis, as far as it has come.
struct SeenPacket {
  int port = 0, vc = 0, descriptor = 0;
  int beats = 0;
  std::vector<std::byte> bytes;     ///< of tkeep
  bool error = false;               ///< some beat has the error bit
  bool ends_with_error = false;     ///< the last one has
  bool ends_without_bytes = false;  ///< the last one has no byte
};

class PacketWatch {
 public:
  explicit PacketWatch(const Design& design) : design_(design) {}

  /// Looks at the handshakes of a cycle.
  void operator()(const tb::InPins& in, const tb::OutPins& out) {
    const auto width = [](int bits) { return static_cast<std::size_t>(bits); };
    const auto bytes = width(design_.bytes()), user = width(6 + design_.port_bits());
    for (int port = 0; port < design_.radix; ++port) {
      const auto p = static_cast<std::size_t>(port);
      if (!tb::get_bit(out.m_tvalid, p) || !tb::get_bit(in.m_tready, p)) continue;
      const int vc_bits = std::max(1, ceil_log2(design_.vcs));
      const int vc = static_cast<int>(tb::get_field(out.m_tid, p * width(vc_bits), vc_bits));
      SeenPacket& packet = open_[{port, vc}];
      const int desc_bits = design_.descriptor_bits();
      packet.port = port;
      packet.vc = vc;
      packet.descriptor = static_cast<int>(tb::get_field(out.m_tdest, p * width(desc_bits), desc_bits));
      ++packet.beats;
      const int count = tb::get_prefix(out.m_tkeep, p * bytes, design_.bytes());
      const std::byte* data = tb::bytes_at(out.m_tdata, p * bytes);
      packet.bytes.insert(packet.bytes.end(), data, data + count);
      packet.ends_with_error = tb::get_bit(out.m_tuser, p * user + 5);
      packet.ends_without_bytes = count == 0;
      packet.error = packet.error || packet.ends_with_error;
      if (!tb::get_bit(out.m_tlast, p)) continue;
      packets.push_back(std::move(packet));
      open_.erase({port, vc});
    }
  }
  /// No packet is open.
  [[nodiscard]] bool all_closed() const { return open_.empty(); }
  void clear() { packets.clear(); }

  std::vector<SeenPacket> packets;  ///< those that have ended, in that order

 private:
  Design design_;
  std::map<std::pair<int, int>, SeenPacket> open_;  ///< by port and circuit
};

}  // namespace fred::test
