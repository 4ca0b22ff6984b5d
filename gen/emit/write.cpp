// SPDX-License-Identifier: Apache-2.0
#include "fred/emit/write.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "fred/emit/sha256.hpp"
#include "fred/emit/temporary.hpp"
#include "fred/error.hpp"

namespace fred {
namespace fs = std::filesystem;
namespace {

constexpr const char* kManifest = "manifest.json";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why,
                         const std::string& way_out = "name another folder or empty this one") {
  throw InputError(fmt::format("{}: {}; {}", folder.string(), why, way_out));
}

/// A file itself, not what a symbolic link points to; no pipe, which would block whoever reads it.
bool is_plain_file(const fs::path& path) { return fs::is_regular_file(fs::symlink_status(path)); }

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// SHA-256 by path of what the manifest in `folder` lists, RTL, register and project files, and of the filelist. Throws
/// if it is not one of fred's.
std::map<std::string, std::string> listed_files(const fs::path& folder) {
  const fs::path path = folder / kManifest;
  if (!fs::exists(fs::symlink_status(path))) {
    refuse(folder, "is not empty and not an output of fred (it has no manifest.json)");
  }
  if (!is_plain_file(path)) refuse(folder, "is not empty, and its manifest.json is no regular file");
  std::map<std::string, std::string> listed;
  try {
    const nlohmann::json manifest = nlohmann::json::parse(read_file(path));
    if (manifest.at("generator") != "fred") refuse(folder, "is not empty, and its manifest.json is not by fred");
    std::string filelist;
    for (const auto& file : manifest.at("files")) {
      const std::string name = file.at("path").get<std::string>();
      listed[name] = file.at("sha256").get<std::string>();
      filelist += name + "\n";
    }
    if (manifest.contains("filelist")) listed[manifest.at("filelist").get<std::string>()] = sha256(filelist);
    for (const auto& file : manifest.value("register_files", nlohmann::json::array())) {
      listed[file.at("path").get<std::string>()] = file.at("sha256").get<std::string>();
    }
    if (manifest.contains("testbench")) {
      for (const auto& file : manifest.at("testbench").at("files")) {
        listed[file.at("path").get<std::string>()] = file.at("sha256").get<std::string>();
      }
    }
    for (const auto& flow : manifest.value("flows", nlohmann::json::object())) {
      for (const auto& file : flow) listed[file.at("path").get<std::string>()] = file.at("sha256").get<std::string>();
    }
  } catch (const nlohmann::json::exception&) {
    refuse(folder, "is not empty, and its manifest.json is not by fred");
  }
  return listed;
}

/// Throws unless `folder`, which is not empty, may be replaced.
void check_unchanged(const fs::path& folder, bool force) {
  const std::map<std::string, std::string> listed = listed_files(folder);
  if (force) return;
  constexpr const char* kWayOut = "name another folder, or use --force to lose it";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory() && !entry.is_symlink()) continue;
    const std::string path = entry.path().lexically_relative(folder).generic_string();
    if (path == kManifest) continue;
    const auto file = listed.find(path);
    if (file == listed.end()) refuse(folder, fmt::format("holds {}, which fred did not write", path), kWayOut);
    if (!is_plain_file(entry.path()) || sha256(read_file(entry.path())) != file->second) {
      refuse(folder, fmt::format("{} has been changed since fred wrote it", path), kWayOut);
    }
  }
}

/// Throws if `folder` is the current folder or holds it: whoever is there would be left in a folder that is gone.
void check_not_current(const fs::path& folder) {
  std::error_code none;
  for (fs::path path = fs::current_path(none); !none && !path.empty(); path = path.parent_path()) {
    if (fs::equivalent(folder, path, none)) {
      refuse(folder, "is or holds the current folder, so it cannot be replaced", "run fred from elsewhere");
    }
    if (path == path.parent_path()) break;
  }
}

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw InputError(fmt::format("{}: cannot be written; is the disk full?", path.string()));
}

void write_files(const fs::path& folder, const std::vector<EmittedFile>& files) {
  for (const EmittedFile& file : files) write_file(folder / file.path, file.text);
}

/// Puts `files` into a folder that is empty and stays: it may be the current one, or a mount point.
void fill(const fs::path& target, const std::vector<EmittedFile>& files) {
  const TemporaryFolder fresh(temporary_beside(target / target.filename(), "new"));
  write_files(fresh.path(), files);
  std::vector<fs::path> moved;
  try {
    for (const EmittedFile& file : files) {  // rtl, regs, the filelist, project files, and the manifest last
      const fs::path name = *fs::path(file.path).begin();
      if (!fs::exists(fresh.path() / name)) continue;  // moved with an earlier file
      fs::rename(fresh.path() / name, target / name);
      moved.push_back(target / name);
    }
  } catch (const fs::filesystem_error&) {
    std::error_code ignored;
    for (const fs::path& path : moved) fs::remove_all(path, ignored);
    throw;
  }
}

/// Puts a folder with `files` in the place of `target`, which may exist.
void replace(const fs::path& target, const std::vector<EmittedFile>& files) {
  const TemporaryFolder fresh(temporary_beside(target, "new"));
  write_files(fresh.path(), files);
  if (!fs::exists(target)) return fs::rename(fresh.path(), target);

  const TemporaryFolder old(temporary_beside(target, "old"));
  fs::rename(target, old.path());  // onto the empty folder
  std::error_code failed;
  fs::rename(fresh.path(), target, failed);
  if (failed) {
    fs::rename(old.path(), target);
    throw fs::filesystem_error("cannot be replaced", target, failed);
  }
}

/// The path of `folder`, which may be written: its stale temporaries are gone. Throws if it may not.
fs::path checked(const fs::path& folder, bool force) {
  if (folder.empty()) throw InputError("the output folder has no name");
  fs::path target = fs::weakly_canonical(fs::absolute(folder));
  if (!target.has_filename()) target = target.parent_path();
  if (!target.has_filename()) refuse(folder, "is the root folder", "name another folder");
  remove_stale_temporaries(target);
  if (!fs::exists(target)) return target;
  if (!fs::is_directory(target)) refuse(folder, "exists and is not a folder", "name another folder");
  remove_stale_temporaries(target / target.filename());
  if (!fs::is_empty(target)) {
    check_unchanged(target, force);
    check_not_current(target);
  }
  return target;
}

[[noreturn]] void fail(const fs::path& folder, const fs::filesystem_error& error) {
  throw InputError(fmt::format("{}: cannot be written: {}", folder.string(), error.code().message()));
}

}  // namespace

void write_output(const fs::path& folder, const std::vector<EmittedFile>& files, bool force) {
  try {
    const fs::path target = checked(folder, force);
    if (fs::exists(target) && fs::is_empty(target)) return fill(target, files);
    replace(target, files);
  } catch (const fs::filesystem_error& error) {
    fail(folder, error);
  }
}

void check_replaceable(const fs::path& folder, bool force) {
  try {
    (void)checked(folder, force);
  } catch (const fs::filesystem_error& error) {
    fail(folder, error);
  }
}

}  // namespace fred
