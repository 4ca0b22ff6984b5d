// SPDX-License-Identifier: Apache-2.0
#include "tb/model_build.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "fred/error.hpp"

namespace fred::tb {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSharedObject = "fred_switch.so";
constexpr std::size_t kLogTail = 2000;  // characters of a failed build's log to show

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// Single-quoted for sh.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

bool on_path(const std::string& tool) {
  std::stringstream path(environment("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    if (!folder.empty() && access((fs::path(folder) / tool).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// First line of a command's output.
std::string first_line(const std::string& command) {
  std::string line;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return line;
  std::array<char, 512> buffer{};
  if (fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr) line = buffer.data();
  while (fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr) {
  }
  pclose(pipe);
  return line;
}

/// 128 bits of FNV-1a, as two 64-bit hashes with different bases: names of cache entries, no defence against an enemy.
class Hash {
 public:
  void add(const std::string& text) {
    const auto mix = [this](unsigned char byte) {
      low_ = (low_ ^ byte) * 0x100000001b3ULL;
      high_ = (high_ ^ (byte + 0x9eU)) * 0x100000001b3ULL;
    };
    for (const char c : text) mix(static_cast<unsigned char>(c));
    for (std::size_t size = text.size(), i = 0; i < 8; ++i) mix(static_cast<unsigned char>(size >> (8 * i)));
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}{:016x}", high_, low_); }

 private:
  std::uint64_t low_ = 0xcbf29ce484222325ULL;
  std::uint64_t high_ = 0x84222325cbf29ce4ULL;
};

/// A folder that is removed again, whatever happens.
class ScratchFolder {
 public:
  explicit ScratchFolder(const fs::path& parent) {
    std::string pattern = (parent / "build-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw ToolError(
          fmt::format("cannot create a folder in {}; choose another with --cache or FRED_CACHE", parent.string()));
    }
    path_ = pattern;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw ToolError(fmt::format("cannot write {}", path.string()));
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("cannot read {}", path.string()));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Builds that were killed leave their folders behind; those of yesterday are nobody's.
void remove_old_scratch(const fs::path& cache) {
  std::error_code ignored;
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, ignored)) {
    if (entry.path().filename().string().rfind("build-", 0) == 0 && entry.last_write_time(ignored) < yesterday) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

struct Toolchain {
  std::string compiler;  ///< clang++ or g++
  std::string versions;  ///< of Verilator and the compiler
  std::string flags;     ///< of verilator, without paths
};

Toolchain find_toolchain(const BuildOptions& options) {
  if (!on_path("verilator")) {
    throw ToolError("verilator is not installed; get it with: apt-get install verilator");
  }
  Toolchain tools;
  // clang++ compiles a wide switch several times faster than g++, and the result runs faster (docs/testbench.md).
  tools.compiler = on_path("clang++") ? "clang++" : "g++";
  if (!on_path(tools.compiler)) throw ToolError("no C++ compiler is installed; get one with: apt-get install clang");
  if (!on_path("make")) throw ToolError("make is not installed; get it with: apt-get install make");
  tools.versions = first_line("verilator --version") + first_line(tools.compiler + " --version");
  const bool gnu = tools.compiler == "g++";
  tools.flags = fmt::format(
      "--cc --exe --build --top-module fred_switch --x-assign unique --x-initial unique --timescale 1ns/1ps {}{}"
      "-CFLAGS {} -LDFLAGS {} -MAKEFLAGS {}",
      options.trace ? "--trace-fst " : "", options.assertions ? "--assert " : "",
      quoted(std::string("-fPIC -std=c++17 -fvisibility=hidden -DVL_USER_STOP -DVL_USER_FATAL") +
             (gnu ? " -fno-gnu-unique" : "")),
      quoted("-shared -Wl,-Bsymbolic"),
      quoted(fmt::format("CXX={0} LINK={0} OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 OBJCACHE={1}", tools.compiler,
                         on_path("ccache") ? "ccache" : "")));
  return tools;
}

void run_build(const Toolchain& tools, const BuildOptions& options, const std::vector<SourceFile>& files,
               const fs::path& folder) {
  std::string file_list;
  for (const SourceFile& file : files) {
    write_file(folder / file.path, file.text);
    file_list += file.path + "\n";
  }
  write_file(folder / "verilated_wrapper.cpp", wrapper_text());
  write_file(folder / "model.f", file_list);
  const std::string command = fmt::format(
      "cd {} && verilator {} -j {} --Mdir obj -o ../{} -f model.f \"$PWD\"/verilated_wrapper.cpp > build.log 2>&1",
      quoted(folder.string()), tools.flags, options.jobs, kSharedObject);
  const int status = std::system(command.c_str());
  if (status == 0 && fs::exists(folder / kSharedObject)) return;
  if (status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) throw ToolError("interrupted");
  std::string log = read_file(folder / "build.log");
  if (log.size() > kLogTail) log = "..." + log.substr(log.size() - kLogTail);
  throw ToolError(
      fmt::format("verilator could not build the switch (Verilator 5.006 or later is needed: apt-get install "
                  "verilator). It said:\n{}",
                  log));
}

}  // namespace

fs::path cache_folder(const fs::path& option) {
  if (!option.empty()) return option;
  if (const std::string own = environment("FRED_CACHE"); !own.empty()) return own;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "fred";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "fred";
  return fs::temp_directory_path() / "fred-cache";
}

BuiltModel build_model(const std::vector<SourceFile>& files, const BuildOptions& options) {
  const Toolchain tools = find_toolchain(options);
  Hash hash;
  for (const SourceFile& file : files) {
    hash.add(file.path);
    hash.add(file.text);
  }
  hash.add(wrapper_text());
  hash.add(tools.versions);
  hash.add(tools.flags);

  const fs::path cache = fs::absolute(cache_folder(options.cache));
  const fs::path entry = cache / hash.text();
  BuiltModel model{entry / kSharedObject, true, 0};
  if (fs::exists(model.shared_object)) return model;

  std::error_code error;
  fs::create_directories(cache, error);
  if (error) {
    throw ToolError(fmt::format("cannot create the cache folder {} ({}); choose another with --cache or FRED_CACHE",
                                cache.string(), error.message()));
  }
  const auto start = std::chrono::steady_clock::now();
  remove_old_scratch(cache);
  const ScratchFolder scratch(cache);
  run_build(tools, options, files, scratch.path());
  fs::remove_all(scratch.path() / "obj", error);
  fs::rename(scratch.path(), entry, error);
  if (error && !fs::exists(model.shared_object)) {
    throw ToolError(fmt::format("cannot move the built switch to {}: {}", entry.string(), error.message()));
  }
  model.cached = false;
  model.build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return model;
}

std::vector<SourceFile> read_design_folder(const fs::path& folder) {
  std::vector<SourceFile> files;
  std::stringstream list(read_file(folder / "fred_switch.f"));
  for (std::string line; std::getline(list, line);) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#' || line.compare(first, 2, "//") == 0) continue;
    const std::string path = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    files.push_back({path, read_file(folder / path)});
  }
  return files;
}

}  // namespace fred::tb
