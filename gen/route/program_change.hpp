// SPDX-License-Identifier: Apache-2.0
// Register writes that change the collectives of a switch while the others run on.
//
// Two descriptors share cycles only where each has the other in COMPAT, so one side may say too much as long as the
// other does not: a row that is enabled need not be touched before another one is, and who has not yet been told of a
// newcomer shares time with it. Whatever has been written, no two enabled descriptors call each other compatible whose
// routes share a link.
#pragma once

#include <string>
#include <vector>

#include "fred/design/collective.hpp"
#include "fred/design/design.hpp"
#include "fred/network/network.hpp"
#include "fred/route/program.hpp"
#include "fred/route/route.hpp"

namespace fred {

/// What a step does to one descriptor. The first write of kRemove, kStop and kShare disables it, and is answered by
/// SLVERR while it is busy: then it is to be written again.
enum class StepKind {
  kRemove,  ///< disable it for good
  kStop,    ///< disable it, since its route changes
  kMove,    ///< give it its new route, and enable it
  kAdd,     ///< write all of it, and enable it
  kShare,   ///< write COMPAT again, so that it shares cycles with others; until then it shares time with them
};
[[nodiscard]] const char* to_string(StepKind kind);

struct ChangeStep {
  StepKind kind = StepKind::kAdd;
  int descriptor = 0;
  std::vector<RegisterWrite> writes;  ///< in an order that the switch takes
};

struct ProgramChange {
  /// All that are enabled afterwards: those that ran, in their order, then the added ones. `compatible` is what stands
  /// in COMPAT, which may name descriptors that do not name this one, or are not enabled.
  std::vector<Descriptor> descriptors;
  /// In an order in which each may be written while all others run: kRemove, kStop, kMove, kAdd, kShare.
  std::vector<ChangeStep> steps;
  /// See Program, of all descriptors.
  std::vector<std::string> shared_time;
};

/// Changes the table of a switch in which `running` (trees, `compatible` as in their COMPAT) and the descriptors
/// `removed` are enabled, and no others. `routes` are those of `running` afterwards, then of `added`; flows that share
/// no port and no link share cycles in the end. An added collective gets a descriptor that is not in use, one of
/// `removed` only where there is no other; of several the one that the fewest running rows have to be written for.
/// Throws InputError when one of `running` or `added` is an all-to-all, when descriptors are none of the design's, are
/// named twice or too few, when two that run call each other compatible though they share a link or port, when routes
/// do not suit, and as descriptor_of.
[[nodiscard]] ProgramChange change_program(const Design& design, const Network& network,
                                           const std::vector<Descriptor>& running, const std::vector<int>& removed,
                                           const std::vector<Collective>& added, const std::vector<Route>& routes,
                                           int epoch);

}  // namespace fred
