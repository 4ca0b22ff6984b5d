// SPDX-License-Identifier: Apache-2.0
// The `fred` command: parses the command line, runs one subcommand and turns errors into exit codes:
// 0 right, 1 wrong results, 2 bad input, 3 cannot be routed together, 4 a tool failed or is missing.
#include <fmt/core.h>

#include <exception>

#include "fred/cli/commands.hpp"
#include "fred/error.hpp"
#include "fred/version.hpp"

namespace {
int g_exit_code = 0;  // exit code of a command that ended without an error
}

void fred::cli::set_exit_code(int code) { g_exit_code = code; }

int main(int argc, char** argv) {
  CLI::App app{"fred: generate, route and run FRED switches, which compute collectives inside the network"};
  app.set_version_flag("--version", std::string("fred ") + fred::version());
  app.set_config("--config", "", "Read options from a TOML file: a section for each subcommand, [gen], [run], ...");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 right, 1 wrong results, 2 bad input, 3 cannot be routed together, 4 a tool failed or is missing.\n"
      "`fred COMMAND --help` has examples.");
  fred::cli::add_gen(app);
  fred::cli::add_info(app);
  fred::cli::add_route(app);
  fred::cli::add_run(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const fred::Error& error) {
    fmt::print(stderr, "fred: {}\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "fred: internal error: {}\n", error.what());
    return 4;
  }
  return g_exit_code;
}
