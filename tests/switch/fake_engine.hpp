// SPDX-License-Identifier: Apache-2.0
// A functional switch without RTL: queues, launch gating and one reduction a beat, behind the Engine interface and with
// the registers of docs/protocol.md. It proves the testbench: a scoreboard must say nothing about the honest one and
// must catch each of the faults that it can be told to commit. Its network is ideal (every two descriptors of other
// ports are compatible); its latency is that of the design.
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
    int count = 0, descriptor = 0, destination = 0, epoch = 0, tag = 0;
    bool last = false, step_end = false, error = false;
    std::uint64_t at = 0;  ///< earliest cycle at the head of a queue
  };
  struct Entry {  ///< a descriptor as written
    std::vector<std::uint32_t> words;
    bool enabled = false, halted = false;
    int step = 0;
    tb::Descriptor parsed;
    std::vector<bool> ended;  ///< all-to-all: by port, has ended the step
  };

  void outputs(tb::OutPins& out);
  void accept(const tb::InPins& in, const tb::OutPins& out);
  void launch();
  bool launch_tree(int d);
  void launch_sources(int d);
  void deliver(Beat beat, const Ports& to);
  void registers(const tb::InPins& in);
  void enable(int d, bool on);
  [[nodiscard]] std::uint32_t read(std::uint32_t address) const;
  [[nodiscard]] bool write(std::uint32_t address, std::uint32_t data);
  [[nodiscard]] bool has_head(int port, int d) const;
  [[nodiscard]] bool can_deliver(const Ports& to, int owner) const;
  [[nodiscard]] Ports deliver_ports(const tb::Descriptor& descriptor, int step) const;
  [[nodiscard]] bool strike(Fault fault);

  Design design_;
  RegisterMap map_;
  Fault fault_;
  int countdown_;
  bool faulted_ = false, swapped_ = false;
  std::uint64_t cycle_ = 0;
  std::vector<std::deque<Beat>> ingress_, egress_;  ///< by port
  std::vector<int> owner_;                          ///< by port: who has a packet open at the egress; -1
  std::vector<bool> taken_;                         ///< by port: an operand or an output of this cycle
  std::vector<Entry> entries_;                      ///< by descriptor
  std::vector<std::uint32_t> tables_;               ///< all-to-all entries
  std::vector<bool> shown_;                         ///< by port: the head was at m_axis and not accepted
  std::uint32_t error_ = 0;
  bool aw_seen_ = false, w_seen_ = false, b_valid_ = false, r_valid_ = false;
  std::uint32_t aw_ = 0, w_ = 0, b_ = 0, r_data_ = 0, r_ = 0;
};

}  // namespace fred::test
