// SPDX-License-Identifier: Apache-2.0
// The `fred` command: parses the command line, runs one subcommand and turns errors into exit codes:
// 0 right, 1 wrong results, 2 bad input, 3 cannot be routed together, 4 a tool failed or is missing.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "fred/cli/commands.hpp"
#include "fred/cli/config_file.hpp"
#include "fred/error.hpp"
#include "fred/version.hpp"

namespace {
int g_exit_code = 0;  // exit code of a command that ended without an error

/// The message of a command line that was not understood.
std::string failure_message(const CLI::App* app, const CLI::Error& error) {
  std::string commands;
  for (const CLI::App* command : app->get_subcommands(nullptr)) {
    commands += (commands.empty() ? "" : ", ") + command->get_name();
  }
  const bool no_command = app->get_subcommands().empty();
  const std::vector<std::string> words = app->remaining();
  if (no_command && !words.empty() && !words.front().starts_with('-')) {
    return fmt::format("fred: unknown command '{}': {}\n", words.front(), commands);
  }
  const bool required = no_command && error.get_name() == "RequiredError";
  return fmt::format("fred: {}{}\nRun with --help for more information.\n", error.what(),
                     required ? ": " + commands : "");
}

/// What is wrong with the text of a number of type T; empty if nothing is.
template <typename T>
std::string wrong_number(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return "";
  return fmt::format("'{}': allowed are whole numbers {}..{}", text, std::numeric_limits<T>::min(),
                     std::numeric_limits<T>::max());
}

/// No option takes an empty value: an unset shell variable is a mistake, not zero or "not given". A number is one, and
/// a negative one is no large one.
void check_values(CLI::App& app) {
  const CLI::Validator not_empty([](const std::string& value) { return value.empty() ? "the value is empty" : ""; },
                                 "");
  const CLI::Validator whole([](const std::string& value) { return wrong_number<int>(value); }, "");
  const CLI::Validator natural([](const std::string& value) { return wrong_number<std::uint64_t>(value); }, "");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_min() == 0) continue;
    option->check(not_empty);
    if (option->get_type_name() == "INT") option->check(whole);
    if (option->get_type_name() == "UINT") option->check(natural);
  }
  for (CLI::App* command : app.get_subcommands(nullptr)) check_values(*command);
}

/// Whether all that was printed has reached standard output, which may be a full disk.
bool flush_output() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }
}  // namespace

void fred::cli::set_exit_code(int code) { g_exit_code = code; }

int main(int argc, char** argv) {
  CLI::App app{"fred: generate, route and run FRED switches, which compute collectives inside the network"};
  app.set_version_flag("--version", std::string("fred ") + fred::version());
  app.set_config("--config", "",
                 "Read options from a TOML file: a section for each command, [gen], [run], ...; also after COMMAND")
      ->type_name("FILE");
  app.config_formatter(std::make_shared<fred::cli::ConfigFile>(app));
  app.failure_message(failure_message);
  app.fallthrough();  // what a command does not know, --config, is looked up here
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 right, 1 wrong results, 2 bad input, 3 cannot be routed together, 4 a tool failed or is missing.\n"
      "`fred COMMAND --help` has examples.");
  fred::cli::add_gen(app);
  fred::cli::add_info(app);
  fred::cli::add_link(app);
  fred::cli::add_order(app);
  fred::cli::add_route(app);
  fred::cli::add_routability(app);
  fred::cli::add_run(app);
  fred::cli::add_synth(app);
  check_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const fred::Error& error) {
    if (!flush_output()) fmt::print(stderr, "fred: standard output: not everything could be written\n");
    fmt::print(stderr, "fred: {}\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "fred: internal error: {}\n", error.what());
    return 4;
  }
  if (!flush_output()) {
    fmt::print(stderr, "fred: standard output: not everything could be written\n");
    return 2;
  }
  return g_exit_code;
}
