// SPDX-License-Identifier: Apache-2.0
// `fred route --parallelism`: the ranks of a job placed on the ports, and the routes of every phase.
#pragma once

#include <optional>
#include <string>

#include "fred/cli/commands.hpp"
#include "fred/cli/route_registers.hpp"

namespace fred::cli {

/// Options of `fred route` that are not of --parallelism alone.
struct OtherOptions {
  std::string json, svg;  ///< empty: not given
  std::string broken;     ///< --broken
};

struct ParallelismOptions {
  std::string parallelism;  ///< --parallelism; empty: not given
  std::string placement;    ///< --placement, a file; empty: search
};

/// Adds --parallelism and --placement. `options` must live as long as the command.
void add_parallelism_options(CLI::App& command, ParallelismOptions& options);

/// Places, routes and prints, with --registers also a descriptor for each group of each phase; `radix`: nullopt takes
/// the number of ranks. Throws RouteError, after all is printed, when a phase takes more than one round or has lost
/// flows.
void route_parallelism(const ParallelismOptions& options, const RegisterOptions& registers, std::optional<int> radix,
                       int middle, const OtherOptions& others);

}  // namespace fred::cli
