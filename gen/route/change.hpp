// SPDX-License-Identifier: Apache-2.0
// Flows beside others that keep their routes: adding, repairing, and what would have to move.
#pragma once

#include <optional>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/flow.hpp"
#include "fred/route/route.hpp"

namespace fred {

/// Flows that are in use, each with its route in its round.
struct Running {
  std::vector<Flow> flows;
  std::vector<Route> routes;             ///< by flow
  std::vector<std::vector<int>> rounds;  ///< indices of flows; flows of different rounds share time
};

struct Change {
  std::vector<Route> routes;         ///< of the running flows, then of the added ones; empty: there is no such change
  std::vector<int> moved;            ///< running flows that have another route than before
  bool fewest = false;               ///< no change moves fewer: proved
  std::optional<Conflict> conflict;  ///< why there is none; its flows count on from the running ones to the added ones
};

/// Routes `added` so that each goes at once with every other flow that it shares no port with, and moves as few of the
/// running flows as it can: none, wherever that is possible. Flows that shared time before may go on to do so. A
/// running flow whose route uses a link of `broken` has to move. Throws InputError when flows or routes are not of the
/// network, when the rounds are none of the flows, and when running flows of a round collide.
[[nodiscard]] Change add_flows(const Network& network, const Running& running, const std::vector<Flow>& added,
                               const LinkSet& broken = {});

}  // namespace fred
