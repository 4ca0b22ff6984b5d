// SPDX-License-Identifier: Apache-2.0
// What the emitted SystemVerilog testbench runs on a design: collectives of every kind, every element type with every
// operation, on several groups and virtual circuits at once, in phases that follow each other. Pure: the same design
// and seed give the same plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fred/design/design.hpp"
#include "tb/collectives.hpp"

namespace fred::tb {

/// One descriptor of a phase, and the collectives that it serves one after another.
struct PlannedDescriptor {
  std::vector<Job> rounds;       ///< at least one; they differ in their data alone
  std::size_t packet_bytes = 0;  ///< longest packet: whole beats
};

/// Collectives that run at once. Every port issues the first round of all descriptors in the order of the list, then
/// the second of those that have one; within a virtual circuit, that is the order of its packets.
struct PlannedPhase {
  std::vector<PlannedDescriptor> descriptors;  ///< descriptor i in place i; at most design.descriptors
  int epoch = 0;                               ///< of all of them
  std::vector<int> priority;                   ///< circuits, the one that goes first first
  /// Sources offer beats without waiting for s_axis_vc_ready; only where all descriptors are on one circuit.
  bool eager = false;
};

/// The phases for a validated design. The first is one all-reduce over all ports that fills the buffers; the others
/// have up to 8 descriptors. Kinds that take a step a member are on at most 16 ports.
[[nodiscard]] std::vector<PlannedPhase> plan_phases(const Design& design, std::uint64_t seed);

}  // namespace fred::tb
