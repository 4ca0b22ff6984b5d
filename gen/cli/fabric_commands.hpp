// SPDX-License-Identifier: Apache-2.0
// What `--fabric FILE` makes of `fred gen` and `fred run`.
#pragma once

#include <cstdint>
#include <string>

#include "fred/cli/design_options.hpp"

namespace fred::cli {

/// `fred gen --fabric FILE -o DIR`.
void gen_fabric(const std::string& file, const DesignOptions& design, const std::string& folder, bool force,
                const std::string& json);

/// Options of `fred run` that a fabric takes.
struct FabricRun {
  std::size_t bytes = 0, packet = 0;
  std::uint64_t seed = 1, timeout = 0;
  double link_errors = 0;  ///< share of the flits
  std::string stall_in, stall_out, cache, json;
};

/// `fred run --fabric FILE`: all collectives of the file at once, every bit checked.
void run_fabric(const std::string& file, const DesignOptions& design, const FabricRun& run);

}  // namespace fred::cli
