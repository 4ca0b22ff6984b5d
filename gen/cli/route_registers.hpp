// SPDX-License-Identifier: Apache-2.0
// `fred route --registers`: what to write into the registers of a switch.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fred/cli/design_options.hpp"
#include "fred/route/program.hpp"

namespace fred::cli {

/// --registers, and what has a meaning with it only.
struct RegisterOptions {
  bool on = false;       ///< --registers
  DesignOptions design;  ///< --radix and --middle are those of the command
  std::string collectives = "allreduce";
  int root = 0;
  std::string op = "sum";
  int epoch = 0;
  std::vector<int> vcs = {0};              ///< --vc: one for all or one for each
  const CLI::Option* vc_option = nullptr;  ///< --vc
  std::string c_header;                    ///< --c-header

  /// The object must outlive the parse.
  void add_to(CLI::App& command);
  /// The validated design; throws InputError.
  [[nodiscard]] Design design_of(int radix, int middle) const;
};

/// The ports of a group or flow by rank.
struct Ranks {
  Group in, out;
};

/// One collective for each flow, as the options say. Throws InputError.
[[nodiscard]] std::vector<Collective> read_collectives(const RegisterOptions& options, const Design& design,
                                                       const std::vector<Ranks>& ranks, const std::vector<Flow>& flows);

/// [{address, data, name}]
[[nodiscard]] nlohmann::ordered_json writes_json(const std::vector<RegisterWrite>& writes);
/// A table of them, and of pairs that share time, if any.
void print_writes(const Design& design, const std::vector<RegisterWrite>& writes);
void print_shared_time(const std::vector<std::string>& pairs);

[[nodiscard]] nlohmann::ordered_json registers_json(const Design& design, const Program& program);
void print_registers(const Design& design, const Program& program);

}  // namespace fred::cli
