// SPDX-License-Identifier: Apache-2.0
// The subcommands of `fred`. Each file cmd_NAME.cpp adds one to the application.
#pragma once

#include <CLI/CLI.hpp>

namespace fred::cli {

/// Each adds its subcommand; the work runs in the subcommand's callback. Errors are thrown as fred::Error.
void add_gen(CLI::App& app);
void add_info(CLI::App& app);
void add_link(CLI::App& app);
void add_order(CLI::App& app);
void add_route(CLI::App& app);
void add_routability(CLI::App& app);
void add_run(CLI::App& app);
void add_synth(CLI::App& app);

/// Set by a command that ran and found wrong results (exit code 1).
void set_exit_code(int code);

}  // namespace fred::cli
