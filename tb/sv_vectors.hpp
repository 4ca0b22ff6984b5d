// SPDX-License-Identifier: Apache-2.0
// The vector files of the emitted SystemVerilog testbench, as $readmemh reads them: what the ports send, what they must
// receive, and the register accesses around it. Their layout is that of the structs in tb/sv/fred_switch_tb.sv.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "tb/sv_plan.hpp"

namespace fred::tb {

/// The files by name without ".hex", and how many words they hold.
struct Vectors {
  std::string program;       ///< register accesses and phases, in order
  std::string send;          ///< beats by phase, port, circuit
  std::string send_first;    ///< where those of a phase, port and circuit begin
  std::string expect;        ///< beats by queue: of a phase, port, descriptor and, in a `send`, source
  std::string queues;        ///< what a queue takes
  std::string queue_beats;   ///< where its beats begin
  std::string queue_first;   ///< where the queues of a phase and port begin
  std::size_t steps = 0;     ///< words of program
  std::size_t sent = 0;      ///< words of send
  std::size_t expected = 0;  ///< words of expect
  std::size_t queued = 0;    ///< words of queues
};

[[nodiscard]] Vectors make_vectors(const Design& design, const std::vector<PlannedPhase>& phases);

/// "allreduce 0,2>0,2, fp32, sum, VC 1, 2 rounds": a descriptor in words.
[[nodiscard]] std::string describe(const Design& design, const PlannedDescriptor& descriptor);

}  // namespace fred::tb
