// SPDX-License-Identifier: Apache-2.0
// Quick test of the performance counters, in the switch of circuit_scenarios.hpp.
#pragma once

#include "fred/design/design.hpp"
#include "tb/engine.hpp"

namespace fred::test {

void counters_exact(tb::Engine& engine, const Design& design);

}  // namespace fred::test
