// SPDX-License-Identifier: Apache-2.0
// Quick tests of aborts, of what the watchdog reports, and of routes that overlap.
#pragma once

#include "fred/design/design.hpp"
#include "tb/engine.hpp"

namespace fred::test {

void aborted_member_silent(tb::Engine& engine, const Design& design);
void aborted_stream(tb::Engine& engine, const Design& design);
void aborted_sink_dead(tb::Engine& engine, const Design& design);
void aborts_together(tb::Engine& engine, const Design& design);
void overlapping_routes(tb::Engine& engine, const Design& design);

/// As int_switch, without the network's check for conflicts.
[[nodiscard]] Design unchecked_switch();
void lost_beats(tb::Engine& engine, const Design& design);

}  // namespace fred::test
