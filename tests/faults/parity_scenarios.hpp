// SPDX-License-Identifier: Apache-2.0
// Quick tests of the parity of the tables, and of rows that are disabled and written in the middle of traffic.
#pragma once

#include "fred/design/design.hpp"
#include "tb/engine.hpp"

namespace fred::test {

void row_parity(tb::Engine& engine, const Design& design);
void entry_parity(tb::Engine& engine, const Design& design);
void row_written_in_flight(tb::Engine& engine, const Design& design);
void disabled_in_traffic(tb::Engine& engine, const Design& design);

}  // namespace fred::test
