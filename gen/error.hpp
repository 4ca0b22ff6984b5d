// SPDX-License-Identifier: Apache-2.0
// The errors that a user can cause or meet, each with the exit code of the `fred` command.
#pragma once

#include <stdexcept>
#include <string>

namespace fred {

/// Base of all errors that end a command with a message and a documented exit code.
class Error : public std::runtime_error {
 public:
  Error(int exit_code, const std::string& message) : std::runtime_error(message), exit_code_(exit_code) {}
  /// 2 bad input, 3 cannot be routed together, 4 a tool failed or is missing.
  [[nodiscard]] int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;  ///< exit code of the process
};

/// Bad input: the message names the value and says what is allowed. Exit code 2.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(2, message) {}
};

/// Flows that cannot be routed together in one round. Exit code 3.
class RouteError : public Error {
 public:
  explicit RouteError(const std::string& message) : Error(3, message) {}
};

/// An external tool failed or is missing; the message says which and how to get it. Exit code 4.
class ToolError : public Error {
 public:
  explicit ToolError(const std::string& message) : Error(4, message) {}
};

}  // namespace fred
