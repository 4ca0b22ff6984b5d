// SPDX-License-Identifier: Apache-2.0
// Options of the fixed-function form of a switch (--static), for `gen`, `synth` and `run`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "fred/cli/design_options.hpp"
#include "fred/design/design.hpp"
#include "tb/workload.hpp"

namespace fred::cli {

struct StaticOptions {
  bool on = false;                ///< --static
  bool tdest = false;             ///< --tdest
  std::int64_t watchdog = 65536;  ///< --watchdog, cycles
  // What it computes; `run` has these options for every switch.
  std::string groups, flows;              ///< --groups, --flows
  std::string collectives = "allreduce";  ///< --collective
  int root = 0, vc = 0;                   ///< --root, --vc
  std::string op = "sum";                 ///< --op
  bool one_round = false;                 ///< --one-round

  /// Adds --static --tdest --watchdog, and with `what` also what it computes. The object must outlive the parse.
  void add_to(CLI::App& command, bool what);
  /// The design with these constants, checked and routed; unchanged without --static. Throws InputError, RouteError.
  [[nodiscard]] Design apply(const DesignOptions& options) const;

 private:
  CLI::Option* groups_option_ = nullptr;
  CLI::Option* flows_option_ = nullptr;
};

/// The fixed-function form of the design of `options` for the collectives of `phases`: a descriptor for each of them,
/// tables and, where --ops does not say them, operations as they need them. Throws InputError, RouteError.
[[nodiscard]] Design static_design(const DesignOptions& options, const StaticOptions& form,
                                   const std::vector<tb::Phase>& phases, const std::vector<tb::RankSet>& sets,
                                   const tb::JobOptions& job);

}  // namespace fred::cli
