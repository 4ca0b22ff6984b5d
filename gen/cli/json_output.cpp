// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/json_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "fred/error.hpp"

namespace fred::cli {
namespace {

/// Writes all of `text`; false: errno says why not.
bool put(std::FILE* stream, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
}

[[noreturn]] void fail(const std::string& option, const std::string& file) {
  throw InputError(fmt::format("{} {}: cannot be written: {}", option, file, std::strerror(errno)));
}

/// Opens, writes and closes; on failure errno says why.
bool write_file(const std::string& path, const std::string& text, const char* mode) {
  std::FILE* stream = std::fopen(path.c_str(), mode);
  if (stream == nullptr) return false;
  const bool written = put(stream, text);
  const int cause = errno;
  const bool closed = std::fclose(stream) == 0;
  if (!written) errno = cause;
  return written && closed;
}

/// Whether `file` is `folder` or in it.
bool inside(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  const auto resolved = [](const std::string& path) {
    std::error_code error;
    fs::path whole = fs::weakly_canonical(fs::absolute(path), error);
    if (error) whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
  };
  const fs::path outer = resolved(folder);
  const fs::path inner = resolved(file);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || is_stdout(a) || is_stdout(b)) return a == b;
  std::error_code error;
  namespace fs = std::filesystem;
  return fs::weakly_canonical(fs::absolute(a, error), error) == fs::weakly_canonical(fs::absolute(b, error), error);
}

void check_output(const std::string& option, const std::string& path, bool is_file) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path folder = fs::absolute(path, error);
  if (is_file) {
    if (fs::is_directory(folder, error)) throw InputError(fmt::format("{} {}: is a folder", option, path));
    if (fs::exists(folder, error) && !fs::is_regular_file(folder, error)) return;  // a pipe: found out when written
    folder = folder.parent_path();
    if (!fs::exists(folder, error)) {
      throw InputError(fmt::format("{} {}: there is no folder {}", option, path, folder.string()));
    }
  } else {
    while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  }
  if (!fs::is_directory(folder, error)) {
    throw InputError(fmt::format("{} {}: {} is no folder", option, path, folder.string()));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError(fmt::format("{} {}: {}: {}", option, path, folder.string(), std::strerror(errno)));
  }
}

void check_json(const std::string& json, const std::string& output) {
  if (json.empty() || is_stdout(json)) return;
  if (!output.empty() && inside(json, output)) {
    throw InputError(fmt::format("--json {}: must not be the output folder {} or a file in it", json, output));
  }
  check_output("--json", json, true);
}

void write_json(const std::string& file, const nlohmann::ordered_json& value) {
  write_text("--json", file,
             value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");  // bytes not UTF-8
}

void write_text(const std::string& option, const std::string& file, const std::string& text) {
  if (is_stdout(file)) {
    if (!put(stdout, text)) fail(option, file);
    return;
  }
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {  // a pipe, /dev/null
    if (!write_file(file, text, "w")) fail(option, file);
    return;
  }
  const fs::path resolved = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : fs::path(file);
  const fs::path target = error || resolved.empty() ? fs::path(file) : resolved;  // a link stays a link
  const std::string temporary = fmt::format("{}.{}.tmp", target.string(), ::getpid());
  if (!write_file(temporary, text, "wx") || std::rename(temporary.c_str(), target.c_str()) != 0) {
    const int cause = errno;
    if (cause != EEXIST) std::remove(temporary.c_str());
    errno = cause;
    fail(option, file);
  }
}

}  // namespace fred::cli
