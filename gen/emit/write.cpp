// SPDX-License-Identifier: Apache-2.0
#include "fred/emit/write.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "fred/error.hpp"

namespace fred {
namespace fs = std::filesystem;
namespace {

constexpr const char* kManifest = "manifest.json";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw InputError(fmt::format("{}: {}; name another folder or empty this one", folder.string(), why));
}

/// Throws unless the existing `folder` may be replaced.
void check_replaceable(const fs::path& folder) {
  if (!fs::is_directory(folder)) refuse(folder, "exists and is not a folder");
  if (fs::is_empty(folder)) return;

  std::set<std::string> own = {kManifest};
  try {
    std::ifstream stream(folder / kManifest);
    if (!stream) refuse(folder, "is not empty and not an output of fred gen (it has no manifest.json)");
    const nlohmann::json manifest = nlohmann::json::parse(stream);
    if (manifest.at("generator") != "fred") refuse(folder, "is not empty, and its manifest.json is not by fred");
    own.insert(manifest.at("filelist").get<std::string>());
    for (const auto& file : manifest.at("files")) own.insert(file.at("path").get<std::string>());
  } catch (const nlohmann::json::exception&) {
    refuse(folder, "is not empty, and its manifest.json is not by fred");
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory() && !entry.is_symlink()) continue;
    const std::string path = entry.path().lexically_relative(folder).generic_string();
    if (own.count(path) == 0) refuse(folder, fmt::format("holds {}, which fred gen did not write", path));
  }
}

/// A folder that is removed at the end of its scope, unless it has been renamed away.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;  // exists, or has been renamed
};

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw InputError(fmt::format("{}: cannot be written; is the disk full?", path.string()));
}

}  // namespace

void write_output(const fs::path& folder, const std::vector<EmittedFile>& files) {
  if (folder.empty()) throw InputError("the output folder has no name");
  try {
    fs::path target = fs::weakly_canonical(fs::absolute(folder));
    if (!target.has_filename()) target = target.parent_path();
    if (!target.has_filename()) refuse(folder, "is the root folder");
    const bool exists = fs::exists(target);
    if (exists) {
      check_replaceable(target);
      if (fs::equivalent(target, fs::current_path())) refuse(folder, "is the current folder and cannot be replaced");
    }
    fs::create_directories(target.parent_path());

    const std::string suffix = fmt::format("{}.fred.{}", target.filename().string(), getpid());
    const TemporaryFolder fresh(target.parent_path() / ("." + suffix + ".new"));
    for (const EmittedFile& file : files) write_file(fresh.path() / file.path, file.text);

    if (exists) {
      const TemporaryFolder old(target.parent_path() / ("." + suffix + ".old"));
      fs::rename(target, old.path());  // onto the empty folder
      std::error_code failed;
      fs::rename(fresh.path(), target, failed);
      if (failed) {
        fs::rename(old.path(), target);
        throw fs::filesystem_error("cannot be replaced", target, failed);
      }
    } else {
      fs::rename(fresh.path(), target);
    }
  } catch (const fs::filesystem_error& error) {
    throw InputError(fmt::format("{}: cannot be written: {}", folder.string(), error.code().message()));
  }
}

}  // namespace fred
