// SPDX-License-Identifier: Apache-2.0
// What the tests of the command share: running the built binary, and files in a folder that is removed at the end.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cli_test {

namespace fs = std::filesystem;

/// `name` in the scratch folder.
fs::path scratch(const std::string& name);
std::string read(const fs::path& path);
/// Writes `text` to `name` in the scratch folder.
fs::path write(const std::string& name, const std::string& text);
/// `text` as one word for the shell.
std::string quoted(const std::string& text);

struct Result {
  int code = -1;
  std::string out, err;
};

/// Runs `fred ARGUMENTS`, which the shell reads, after `prefix`, such as variables to set.
Result fred(const std::string& arguments, const std::string& prefix = "");
/// Runs `fred ARGUMENTS` and checks the exit code and that the message has all of `parts`.
void refused(const std::string& arguments, int code, const std::vector<std::string>& parts);
/// Runs `fred ARGUMENTS`, which must end with exit code 0, and reads its output as JSON.
nlohmann::json parsed(const std::string& arguments);

/// Paths and contents of all files below `folder`.
std::map<std::string, std::string> contents(const fs::path& folder);
/// Names in `folder`, hidden ones too.
std::vector<std::string> names(const fs::path& folder);

/// Options of the one switch that is built.
inline const std::string kSmall = "--radix 3 --dtype int32 --ops sum --descriptors 2 ";
/// `run` with `arguments` on that switch, from the cache: $FRED_CACHE where that is set.
std::string run(const std::string& arguments);
/// The option for that cache.
std::string cache_option();

}  // namespace cli_test
