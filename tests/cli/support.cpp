// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/support.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

namespace cli_test {
namespace {

/// A folder for everything that the tests write; removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "fred-cli-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

fs::path scratch(const std::string& name) {
  static const Scratch folder;
  return folder.path() / name;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

fs::path write(const std::string& name, const std::string& text) {
  const fs::path path = scratch(name);
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

Result fred(const std::string& arguments, const std::string& prefix) {
  const fs::path errors = scratch("stderr");
  const std::string command = prefix + " " + quoted(FRED_BINARY_DIR "/fred") + " " + arguments + " 2>" +
                              quoted(errors.string()) + " </dev/null";
  Result result;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  for (std::size_t size = 0; (size = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.out.append(buffer.data(), size);
  }
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.err = read(errors);
  return result;
}

void refused(const std::string& arguments, int code, const std::vector<std::string>& parts) {
  CAPTURE(arguments);
  const Result result = fred(arguments);
  CAPTURE(result.err);
  CHECK(result.code == code);
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(result.err.find(part) != std::string::npos);
  }
}

nlohmann::json parsed(const std::string& arguments) {
  CAPTURE(arguments);
  const Result result = fred(arguments);
  CAPTURE(result.err);
  REQUIRE(result.code == 0);
  return nlohmann::json::parse(result.out);  // that it parses also says that nothing else is printed
}

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().lexically_relative(folder).generic_string()] = read(entry.path());
  }
  return files;
}

std::vector<std::string> names(const fs::path& folder) {
  std::vector<std::string> result;
  for (const auto& entry : fs::directory_iterator(folder)) result.push_back(entry.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

std::string cache_option() {
  const char* cache = std::getenv("FRED_CACHE");
  const std::string folder = cache != nullptr && *cache != '\0' ? std::string(cache) : scratch("cache").string();
  return " --cache " + quoted(folder) + " ";
}

std::string run(const std::string& arguments) { return "run " + kSmall + cache_option() + arguments; }

}  // namespace cli_test
