// SPDX-License-Identifier: Apache-2.0
// `fred route --keep FILE`: flows beside others that keep their routes.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fred/cli/route_answer.hpp"
#include "fred/route/change.hpp"

namespace fred::cli {

struct KeepOptions {
  std::string file;         ///< --keep
  std::vector<int> remove;  ///< --remove: indices of its flows
  bool move = false;        ///< --move

  void add_to(CLI::App& command);
};

/// What an earlier `fred route --json` wrote.
struct KeptRoutes {
  int radix = 0, middle = 0;
  Running running;
  std::string broken;  ///< links that were broken then, as --broken takes them
};

/// Reads the file of --keep and takes --remove out of it. Throws InputError that names the file and what is wrong.
[[nodiscard]] KeptRoutes read_kept(const KeepOptions& options);

/// Adds `flows` to what runs. Where that takes moves and --move does not allow them, the answer is what runs, and
/// `refused` says why.
struct KeptAnswer {
  Answer answer;
  std::optional<std::string> refused;
  std::vector<int> would_move;  ///< then, if moves would do
  std::vector<int> lost;        ///< then, flows without a route beside the broken parts, the added ones last
};
[[nodiscard]] KeptAnswer add_to_kept(const Network& network, const Running& running, const std::vector<Flow>& flows,
                                     const LinkSet& broken, bool move);

}  // namespace fred::cli
