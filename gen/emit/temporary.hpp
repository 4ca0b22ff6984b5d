// SPDX-License-Identifier: Apache-2.0
// What is written beside its target under another name, to be renamed onto it when it is complete. The name holds the
// process id, so that the next run can tell what a process that was killed left behind.
#pragma once

#include <filesystem>
#include <string_view>

namespace fred {

/// ".NAME.fred.PID.KIND" in the folder of `target`, NAME being the target's.
[[nodiscard]] std::filesystem::path temporary_beside(const std::filesystem::path& target, std::string_view kind);

/// Removes the temporaries of `target` whose process is gone, as far as it may.
void remove_stale_temporaries(const std::filesystem::path& target);

/// A new folder that is removed at the end of its scope, unless it has been renamed away.
class TemporaryFolder {
 public:
  /// Its parents are made too; throws std::filesystem::filesystem_error.
  explicit TemporaryFolder(std::filesystem::path path);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;  ///< exists, or has been renamed
};

}  // namespace fred
