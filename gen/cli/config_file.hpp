// SPDX-License-Identifier: Apache-2.0
// The file of `--config FILE`: TOML, a section for each subcommand, a key for each long option.
#pragma once

#include <CLI/CLI.hpp>
#include <istream>
#include <vector>

namespace fred::cli {

/// Reads a configuration file for `app`. Sections and keys that `app` does not have, and keys given twice, are refused
/// with an InputError that names them. Options whose value is a list in one text also take a TOML array:
/// ops = ["sum", "min"], collective, flow, stall-in, stall-out likewise; groups = [[0, 1], [2, 3]] or ["0,1", "2,3"],
/// flows =
/// ["0,1>2", "3>4"].
class ConfigFile final : public CLI::ConfigTOML {
 public:
  /// `app` must outlive this.
  explicit ConfigFile(const CLI::App& app) : app_(app) {}
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;

 private:
  void check(const CLI::ConfigItem& item) const;

  const CLI::App& app_;
};

}  // namespace fred::cli
