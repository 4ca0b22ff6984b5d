// SPDX-License-Identifier: Apache-2.0
#include "fred/emit/temporary.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace fred {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestName = 200;  // of the target's; a file name has at most 255 bytes

std::string prefix(const fs::path& target) {
  return fmt::format(".{}.fred.", target.filename().string().substr(0, kLongestName));
}

bool is_running(pid_t process) { return kill(process, 0) == 0 || errno != ESRCH; }

}  // namespace

fs::path temporary_beside(const fs::path& target, std::string_view kind) {
  return target.parent_path() / fmt::format("{}{}.{}", prefix(target), getpid(), kind);
}

void remove_stale_temporaries(const fs::path& target) {
  const std::string start = prefix(target);
  std::error_code ignored;
  std::vector<fs::path> stale;
  for (fs::directory_iterator entry(target.parent_path(), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(start)) continue;
    pid_t process = 0;
    const auto [rest, error] = std::from_chars(name.data() + start.size(), name.data() + name.size(), process);
    if (error == std::errc() && process > 0 && rest != name.data() + name.size() && *rest == '.' &&
        !is_running(process)) {
      stale.push_back(entry->path());
    }
  }
  for (const fs::path& path : stale) fs::remove_all(path, ignored);
}

TemporaryFolder::TemporaryFolder(fs::path path) : path_(std::move(path)) {
  fs::remove_all(path_);
  fs::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace fred
