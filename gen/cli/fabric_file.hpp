// SPDX-License-Identifier: Apache-2.0
// The FILE of --fabric: switches, links between them, and collectives over their ports (docs/fabrics.md).
#pragma once

#include <string>
#include <vector>

#include "fred/cli/design_options.hpp"
#include "fred/fabric/fabric.hpp"

namespace fred::cli {

struct FabricFile {
  Fabric fabric;  ///< validated
  std::vector<FabricCollective> collectives;
};

/// Reads and checks FILE; `options` say what the switches have in common, all but radix and link ports. Throws
/// InputError that names the file and the place in it.
[[nodiscard]] FabricFile read_fabric(const std::string& file, const DesignOptions& options);

/// "leaf0:3".
[[nodiscard]] std::string to_string(const Fabric& fabric, const FabricPort& port);

/// Makes --fabric exclude these options of the command.
void fabric_excludes(CLI::App& command, CLI::Option* fabric, const std::vector<std::string>& names);

}  // namespace fred::cli
