// SPDX-License-Identifier: Apache-2.0
// A quick bench that sees all packets, writes CONTROL, and runs jobs again on descriptors that stay as they are.
#pragma once

#include <vector>

#include "fred/design/register_map.hpp"
#include "tests/faults/quick_bench.hpp"
#include "tests/switch/packet_watch.hpp"

namespace fred::test {

struct ControlBench : QuickBench {
  ControlBench(Engine& engine, const Design& its_design) : QuickBench(engine, its_design), packets(its_design) {
    watch = [this](const InPins& in, const OutPins& out) { packets(in, out); };
  }
  /// Whether the switch takes this word.
  [[nodiscard]] bool control(int descriptor, std::uint32_t word) {
    return harness.write(harness.registers().descriptor(descriptor, RegisterMap::kControl), word).okay();
  }
  /// What is to be written for an abort.
  static std::uint32_t abort_to(int epoch) {
    return ControlFields::kEnable.mask() | ControlFields::kAbort.mask() |
           ControlFields::kEpoch.place(static_cast<std::uint32_t>(epoch));
  }
  /// Aborts and waits for the end of that.
  void abort(int descriptor, int next_epoch) {
    require(control(descriptor, abort_to(next_epoch)), "abort refused");
    for (int polls = 0; StatusFields::kAborting.of(status(descriptor)) != 0; ++polls) {
      require(polls < 20, "the abort does not end");
    }
  }
  /// Sources get the packets of a traffic.
  void push(const Traffic& of) {
    for (int port = 0; port < design.radix; ++port) {
      harness.source(port).push(of.sent[static_cast<std::size_t>(port)]);
    }
  }
  /// Runs job `i` in an epoch.
  RunResult again(const std::vector<Job>& jobs, int i, int its_epoch) {
    std::vector<Traffic> now;
    now.push_back(make_traffic(jobs[static_cast<std::size_t>(i)], design, i, static_cast<std::uint8_t>(its_epoch),
                               4 * static_cast<std::size_t>(design.bytes()), false));
    return harness.run(now);
  }
  void clear_errors() { require(harness.write(RegisterMap::kError, errors()).okay(), "ERROR refused"); }

  PacketWatch packets;
};

}  // namespace fred::test
