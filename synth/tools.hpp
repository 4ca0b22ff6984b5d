// SPDX-License-Identifier: Apache-2.0
// The programs of a flow: whether they are there, what they call themselves, and running them in the folder of a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fred/process/process.hpp"

namespace fred::synth {

/// Throws ToolError that names the Debian package unless all of `programs` are on PATH.
void require_tools(const std::vector<std::string>& programs);

/// What a program calls itself: "Yosys 0.23 (git sha1 7ce5011c24b)", "OpenSTA 2.0.17".
[[nodiscard]] std::string tool_version(const std::string& program);

/// Runs programs in the folder in which an output is being made. While it lives, a signal ends the program that runs,
/// and the run throws (SignalGuard).
class ToolRunner {
 public:
  /// `folder` is where things run, `output` what it will become: the log of a program that fails is kept beside that.
  ToolRunner(std::filesystem::path folder, std::filesystem::path output);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Runs `command` in `subfolder`, both outputs to `log` there. Throws ToolError that names the program, how it ended
  /// and its log, which is kept.
  void run(const std::vector<std::string>& command, const std::string& subfolder, const std::string& log) const;
  /// Throws that error: for a program that ended well and did not do its work.
  [[noreturn]] void fail(const std::string& program, const std::string& what, const std::filesystem::path& log) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path output_;
  SignalGuard signals_;
};

/// Throws InputError if it cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);
/// Makes its folder too. Throws InputError if it cannot be written.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace fred::synth
