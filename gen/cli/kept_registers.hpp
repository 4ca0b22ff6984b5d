// SPDX-License-Identifier: Apache-2.0
// `fred route --keep FILE --registers`: what stands in the registers of a switch that runs, and what to write there.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fred/cli/kept_routes.hpp"
#include "fred/design/design.hpp"
#include "fred/route/program_change.hpp"

namespace fred::cli {

/// Descriptors that are enabled, as the file has them.
struct KeptRegisters {
  std::vector<Descriptor> running;  ///< by flow that stays
  std::vector<int> removed;         ///< those of --remove, by index
};

/// Reads `registers` of the file of --keep, whose routes are `kept`. Throws InputError that names the file and what is
/// wrong: there are none, or the switch of `design` has other registers or would refuse them.
[[nodiscard]] KeptRegisters read_kept_registers(const KeepOptions& options, const KeptRoutes& kept,
                                                const Design& design);

/// [{step, descriptor, writes}], in the order to be written.
[[nodiscard]] nlohmann::ordered_json change_json(const ProgramChange& change);
void print_change(const Design& design, const ProgramChange& change);
/// All that is enabled after a change, as if it were set up from reset on.
[[nodiscard]] Program program_after(const Design& design, const ProgramChange& change);

}  // namespace fred::cli
