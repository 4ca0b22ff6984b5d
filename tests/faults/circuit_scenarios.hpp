// SPDX-License-Identifier: Apache-2.0
// Quick tests of virtual circuits, in a small switch with three of them.
#pragma once

#include "fred/design/design.hpp"
#include "tb/engine.hpp"

namespace fred::test {

/// Radix 4, m = 2, three circuits: one int16 a beat, 4 descriptors, counters.
[[nodiscard]] Design circuit_switch();

void circuits_held(tb::Engine& engine, const Design& design);
void circuit_priority(tb::Engine& engine, const Design& design);
void losers_step_aside(tb::Engine& engine, const Design& design);
void claimed_ports(tb::Engine& engine, const Design& design);
void shared_egress(tb::Engine& engine, const Design& design);

}  // namespace fred::test
