// SPDX-License-Identifier: Apache-2.0
// A functional switch without RTL: queues, launch gating and one reduction a beat, behind the Engine interface and with
// the registers of docs/protocol.md. It proves the testbench: a scoreboard must say nothing about the honest one and
// must catch each of the faults that it can be told to commit. Its network is ideal (every two descriptors of other
// ports are compatible); its latency is that of the design. Virtual circuits (VCs) have buffers of their own and the
// order 0, 1, 2, ...
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/design/register_map.hpp"
#include "tb/collectives.hpp"
#include "tb/descriptors.hpp"
#include "tb/engine.hpp"
#include "tb/pins.hpp"

namespace fred::test {

/// What the fake does wrong, once, to the `fault_at`-th launched beat (or from it on, where said).
enum class Fault {
  kNone,
  kLoseBeat,         ///< a delivered beat is missing at one port
  kDoubleBeat,       ///< a delivered beat comes twice at one port
  kFlipBit,          ///< one bit of the data is wrong at one port
  kWrongStep,        ///< the step field is one too high
  kEarlyLast,        ///< tlast on a beat before the last
  kWrongKeep,        ///< tkeep has one byte less
  kWrongEpoch,       ///< the epoch differs
  kErrorBit,         ///< the error bit is set
  kNoStepEnd,        ///< step_end is missing at the end of a step
  kSwapPorts,        ///< from then on two ports receive each other's beats
  kDropValid,        ///< m_axis_tvalid falls for a cycle while stalled
  kChangePayload,    ///< the data changes while stalled
  kUseOtherOperand,  ///< one operand is reduced twice instead of another
  kWrongVc,          ///< m_axis_tid is another VC
  kChangeVc,         ///< m_axis_tid changes while stalled
  kIgnoreVcReady,    ///< from then on m_axis_vc_ready is not waited for
  kBreakPromise,     ///< from then on s_axis_vc_ready is set in every VC
  kSplitPacket,      ///< from then on packets of one VC may be inside each other at the output
  kCoupleVcs,        ///< from then on a port whose output has a VC without space gets nothing
};

class FakeEngine final : public tb::Engine {
 public:
  explicit FakeEngine(const Design& design, Fault fault = Fault::kNone, int fault_at = 3);
  void cycle(const tb::InPins& in, tb::OutPins& out) override;
  [[nodiscard]] std::string name() const override { return "fake"; }
  /// The fault was committed.
  [[nodiscard]] bool faulted() const { return faulted_; }

 private:
  struct Beat {
    tb::Bytes data;
    int count = 0, descriptor = 0, destination = 0, epoch = 0, tag = 0, vc = 0, tid = 0;
    bool last = false, step_end = false, error = false;
    std::uint64_t at = 0;  ///< earliest cycle at the head of a queue
  };
  struct Entry {  ///< a descriptor as written
    std::vector<std::uint32_t> words;
    bool enabled = false, halted = false;
    int step = 0, vc = 0;
    tb::Descriptor parsed;
    std::vector<bool> ended;  ///< all-to-all: by port, has ended the step
  };

  void outputs(tb::OutPins& out);
  void accept(const tb::InPins& in, const tb::OutPins& out);
  /// The VC whose beat is at m_axis of a port in this cycle; -1: none.
  [[nodiscard]] int shown_vc(int port);
  void launch();
  bool launch_tree(int d);
  void launch_sources(int d);
  /// Takes the head of an operand's buffer.
  Beat take(int port, int vc);
  void deliver(Beat beat, const Ports& to);
  void registers(const tb::InPins& in);
  void enable(int d, bool on);
  [[nodiscard]] std::uint32_t port_status(int port, int vc) const;
  [[nodiscard]] std::uint32_t read(std::uint32_t address) const;
  [[nodiscard]] bool write(std::uint32_t address, std::uint32_t data);
  /// A beat that no descriptor takes: its tid is not the descriptor's VC, or there is no such descriptor.
  [[nodiscard]] bool is_astray(const Beat& beat) const;
  [[nodiscard]] bool has_head(int port, int d) const;
  [[nodiscard]] bool can_deliver(const Ports& to, int vc, int owner);
  [[nodiscard]] bool has_space(int port, int vc) const;
  [[nodiscard]] Ports deliver_ports(const tb::Descriptor& descriptor, int step) const;
  [[nodiscard]] bool strike(Fault fault);
  /// The same for a fault that is committed from then on.
  [[nodiscard]] bool from_now(Fault fault) { return (fault_ == fault && faulted_) || strike(fault); }
  /// Index of a VC of a port.
  [[nodiscard]] std::size_t circuit(int port, int vc) const {
    return static_cast<std::size_t>(port * design_.vcs + vc);
  }

  Design design_;
  RegisterMap map_;
  Fault fault_;
  int countdown_;
  bool faulted_ = false;
  std::uint64_t cycle_ = 0;
  std::vector<std::deque<Beat>> ingress_, egress_;  ///< by port * V + VC
  std::vector<int> owner_;                          ///< likewise: who has a packet open at the egress; -1
  std::vector<bool> launched_, taken_;              ///< by port: its operand, its output of this cycle is used
  std::vector<Entry> entries_;                      ///< by descriptor
  std::vector<std::uint32_t> tables_;               ///< all-to-all entries
  std::vector<int> shown_;                          ///< by port: the VC whose head was at m_axis and not accepted; -1
  tb::Pins allowed_;                                ///< m_axis_vc_ready of the last cycle
  std::uint32_t error_ = 0;
  bool aw_seen_ = false, w_seen_ = false, b_valid_ = false, r_valid_ = false;
  std::uint32_t aw_ = 0, w_ = 0, b_ = 0, r_data_ = 0, r_ = 0;
};

}  // namespace fred::test
