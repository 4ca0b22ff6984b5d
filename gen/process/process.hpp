// SPDX-License-Identifier: Apache-2.0
// Runs the tools of a build or a synthesis: one process at a time, its output in a log, and none left behind by a
// signal.
#pragma once

#include <signal.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace fred {

/// How a process ended.
struct Ending {
  int exit_code = 0;  ///< 127: it could not be started
  int signal = 0;     ///< that ended it, or 0
  [[nodiscard]] bool ok() const { return exit_code == 0 && signal == 0; }
  [[nodiscard]] std::string text() const;  ///< "exit code 2", "signal 9, Killed"
};

/// While it lives, SIGINT, SIGTERM and SIGHUP end the tool that runs, but not this process: who holds files clears them
/// away and calls `check`. Signals that are ignored stay so. One at a time.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  /// Throws Error with exit code 128 + signal, as of a process that the signal ended, if one came.
  void check() const;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

/// Runs `command` (found on PATH) in `folder`, nothing on its input, both outputs appended to `log`, and waits. Its
/// messages are in English (LC_ALL=C), and it knows nothing of a make that runs us. If a signal ends it, all that it
/// started ends too.
Ending run_tool(const std::vector<std::string>& command, const std::filesystem::path& folder,
                const std::filesystem::path& log);

/// What a shell command writes to its standard output, in English; `ending` says how it went.
[[nodiscard]] std::string output_of(const std::string& command, Ending& ending);

/// Whether a program of this name is on PATH.
[[nodiscard]] bool on_path(const std::string& tool);

/// What of a log to show in an error message: its last 2,000 characters.
[[nodiscard]] std::string end_of_log(const std::string& log);

}  // namespace fred
