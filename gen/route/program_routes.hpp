// SPDX-License-Identifier: Apache-2.0
// Internal to make_program: routes of the descriptors, such that as many as possible may share cycles.
#pragma once

#include <vector>

#include "fred/design/collective.hpp"
#include "fred/design/design.hpp"
#include "fred/network/network.hpp"
#include "fred/route/program.hpp"

namespace fred::detail {

/// Sets route, all-to-all entries and table of the descriptors, which are one a collective, and the program's rounds,
/// as far as its trees go, and bound. Returns the links of each descriptor. Throws as make_program.
[[nodiscard]] std::vector<LinkSet> route_program(const Design& design, const Network& network,
                                                 const std::vector<Collective>& collectives,
                                                 const ProgramOptions& options, Program& program);

/// Puts the descriptors that are in no round yet into the first whose members they are all compatible with.
void join_rounds(Program& program);

}  // namespace fred::detail
