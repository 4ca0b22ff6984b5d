// SPDX-License-Identifier: Apache-2.0
#include "tb/model_build.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "fred/emit/emit.hpp"
#include "fred/emit/sha256.hpp"
#include "fred/error.hpp"
#include "fred/process/process.hpp"
#include "tb/verilator_engine.hpp"

namespace fred::tb {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSharedObject = "fred_switch.so";
constexpr const char* kSeal = "fred_switch.so.sha256";  // of the shared object, as sha256sum writes it
constexpr const char* kScratch = "fred-build-";         // prefix of folders in which something is built

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
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
    std::string pattern = (parent / (std::string(kScratch) + "XXXXXX")).string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw ToolError(
          fmt::format("cannot create a folder in {}; choose another with --cache or FRED_CACHE", parent.string()));
    }
    path_ = pattern;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code failed;
    for (int attempt = 0; attempt < 5; ++attempt) {  // a tool that was killed may still be writing
      fs::remove_all(path_, failed);
      if (!failed) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
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

/// Builds that were killed leave their folders behind; ours of yesterday are nobody's.
void remove_old_scratch(const fs::path& parent) {
  std::error_code ignored;
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (fs::directory_iterator entry(parent, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    struct stat status {};
    if (!entry->path().filename().string().starts_with(kScratch) || lstat(entry->path().c_str(), &status) != 0 ||
        !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
      continue;
    }
    std::error_code failed;
    if (entry->last_write_time(failed) < yesterday && !failed) fs::remove_all(entry->path(), failed);
  }
}

/// Whether make and the Makefiles of Verilator can work below this path: they know no quoting.
bool make_can_build_in(const fs::path& folder) {
  const std::string path = folder.string();
  return std::all_of(path.begin(), path.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/._-+,@").find(c) != std::string::npos;
  });
}

/// Where to build for a cache: in it, else in $TMPDIR, else in /tmp.
fs::path scratch_parent(const fs::path& cache) {
  if (make_can_build_in(cache)) return cache;
  std::error_code ignored;
  const fs::path temporary = environment("TMPDIR");
  const bool usable = temporary.is_absolute() && fs::is_directory(temporary, ignored) && make_can_build_in(temporary);
  return usable ? temporary : fs::path("/tmp");
}

struct Toolchain {
  std::string verilator;                ///< what it calls itself: "Verilator 5.006 2023-01-22 rev ..."
  std::string compiler;                 ///< clang++ or g++
  std::string compiler_version;         ///< what it calls itself
  std::vector<std::string> flags;       ///< of verilator, without paths
  std::vector<std::string> make_flags;  ///< of make, without paths
};

/// The line of a tool's `--version` that matches `expected`. Its messages (a locale that is missing, ...) are not it.
std::string version_of(const std::string& tool, const char* expected) {
  Ending ending;
  std::stringstream lines(output_of(tool + " --version 2>/dev/null", ending));
  if (ending.ok()) {
    const std::regex wanted(expected);
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_search(line, wanted)) return line;
    }
  }
  throw ToolError(fmt::format("{0} --version does not name a version ({1}); is {0} installed in whole? It says:\n{2}",
                              tool, ending.text(), output_of(tool + " --version 2>&1", ending)));
}

Toolchain find_toolchain(const BuildOptions& options) {
  if (!on_path("verilator")) {
    throw ToolError("verilator is not installed; get it with: apt-get install verilator");
  }
  Toolchain tools;
  // clang++ compiles a wide switch several times faster than g++, and the result runs faster (docs/testbench.md).
  tools.compiler = on_path("clang++") ? "clang++" : "g++";
  if (!on_path(tools.compiler)) throw ToolError("no C++ compiler is installed; get one with: apt-get install clang");
  if (!on_path("make")) throw ToolError("make is not installed; get it with: apt-get install make");
  tools.verilator = version_of("verilator", "Verilator [0-9.]+");
  tools.compiler_version = version_of(tools.compiler, "[0-9]+\\.[0-9]+");
  const bool gnu = tools.compiler == "g++";
  tools.flags = {"--cc",   "--exe",       "--top-module", "fred_switch", "--x-assign",
                 "unique", "--x-initial", "unique",       "--timescale", "1ns/1ps"};
  if (options.trace) tools.flags.emplace_back("--trace-fst");
  if (options.assertions) tools.flags.emplace_back("--assert");
  tools.flags.insert(tools.flags.end(),
                     {"-CFLAGS",
                      std::string("-fPIC -std=c++17 -fvisibility=hidden -DVL_USER_STOP -DVL_USER_FATAL") +
                          (gnu ? " -fno-gnu-unique" : ""),
                      "-LDFLAGS", "-shared -Wl,-Bsymbolic"});
  tools.make_flags = {"CXX=" + tools.compiler, "LINK=" + tools.compiler,
                      "OPT_FAST=-O1",          "OPT_SLOW=-O0",
                      "OPT_GLOBAL=-O1",        std::string("OBJCACHE=") + (on_path("ccache") ? "ccache" : "")};
  return tools;
}

/// Which tool failed when make says so: a command that it ran ("make: *** [Vfred_switch.mk:75: verilated.o] Error 1"),
/// or make itself.
std::string make_failure(const Toolchain& tools, const std::string& log, const Ending& make) {
  static const std::regex complaint(R"(\*\*\* \[(?:[^\]]*[ :])?([^\] ]+)\] (?:Error ([0-9]+)|([^\n]+)))");
  std::smatch found;
  if (!std::regex_search(log, found, complaint)) return fmt::format("make failed ({})", make.text());
  const fs::path target = found[1].str();
  const bool compiled = target.extension() != ".a" && target.extension() != ".cpp";
  return fmt::format("{} failed to make {} ({})", compiled ? tools.compiler : "a command of make",
                     target.filename().string(), found[2].matched ? "exit code " + found[2].str() : found[3].str());
}

/// "; Verilator 4.038 is installed, and 5.006 or later is needed: ..." if so.
std::string version_advice(const std::string& verilator) {
  int major = 0;
  int minor = 0;
  const auto at = verilator.find("Verilator ");
  if (at == std::string::npos || std::sscanf(verilator.c_str() + at, "Verilator %d.%d", &major, &minor) != 2) return "";
  if (major > 5 || (major == 5 && minor >= 6)) return "";
  return fmt::format("; Verilator {}.{:03} is installed, and 5.006 or later is needed: apt-get install verilator",
                     major, minor);
}

/// Builds the shared object in `folder`.
void run_build(const Toolchain& tools, const BuildOptions& options, const std::vector<SourceFile>& files,
               const fs::path& folder, const SignalGuard& signals) {
  std::string file_list;
  for (const SourceFile& file : files) {
    write_file(folder / file.path, file.text);
    file_list += file.path + "\n";
  }
  const fs::path wrapper = folder / "verilated_wrapper.cpp";
  write_file(wrapper, wrapper_text());
  write_file(folder / "model.f", file_list);
  const fs::path log = folder / "build.log";
  const auto fail = [&](const std::string& what) {
    throw ToolError(fmt::format("the switch could not be built: {}{}. The end of the log:\n{}", what,
                                version_advice(tools.verilator), end_of_log(read_file(log))));
  };

  std::vector<std::string> verilator = {"verilator"};
  verilator.insert(verilator.end(), tools.flags.begin(), tools.flags.end());
  verilator.insert(verilator.end(),
                   {"--Mdir", "obj", "-o", fmt::format("../{}", kSharedObject), "-f", "model.f", wrapper.string()});
  const Ending verilated = run_tool(verilator, folder, log);
  signals.check();
  if (!verilated.ok()) fail(fmt::format("verilator failed ({})", verilated.text()));

  std::vector<std::string> make = {"make", "-f", "Vfred_switch.mk", "-j", std::to_string(options.jobs)};
  make.insert(make.end(), tools.make_flags.begin(), tools.make_flags.end());
  const Ending made = run_tool(make, folder / "obj", log);
  signals.check();
  if (!made.ok()) fail(make_failure(tools, read_file(log), made));
  if (!fs::exists(folder / kSharedObject)) fail(fmt::format("make succeeded, but there is no {}", kSharedObject));
}

std::string seal_of(const fs::path& shared_object) {
  return fmt::format("{}  {}\n", sha256(read_file(shared_object)), kSharedObject);
}

/// Why a cache entry cannot be used, or "". The seal comes first: to open a shared object that was cut short can end
/// the process.
std::string entry_problem(const fs::path& entry) {
  std::error_code error;
  for (const char* name : {kSharedObject, kSeal}) {
    if (!fs::is_regular_file(entry / name, error)) return fmt::format("there is no {}", (entry / name).string());
    if (access((entry / name).c_str(), R_OK) != 0) return fmt::format("cannot read {}", (entry / name).string());
  }
  if (read_file(entry / kSeal) != seal_of(entry / kSharedObject)) {
    return fmt::format("{} is damaged", (entry / kSharedObject).string());
  }
  return model_problem((entry / kSharedObject).string());
}

[[noreturn]] void unusable(const fs::path& cache, const std::string& why) {
  throw ToolError(
      fmt::format("the built switch cannot be used from the cache {} ({}); choose another with --cache or "
                  "FRED_CACHE",
                  cache.string(), why));
}

/// Makes the finished folder `built`, which is in the cache, the `entry`, in the place of a damaged one. A good one
/// that another process has made meanwhile stays.
void install(const fs::path& built, const fs::path& entry) {
  std::error_code error;
  fs::rename(built, entry, error);
  if (error && entry_problem(entry).empty()) return;
  if (error) {
    const ScratchFolder damaged(entry.parent_path());
    fs::rename(entry, damaged.path() / "entry", error);
    fs::rename(built, entry, error);
  }
  if (error) unusable(entry.parent_path(), error.message());
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
  hash.add(tools.verilator);
  hash.add(tools.compiler_version);
  for (const std::string& flag : tools.flags) hash.add(flag);
  for (const std::string& flag : tools.make_flags) hash.add(flag);

  const fs::path cache = fs::absolute(cache_folder(options.cache));
  const fs::path entry = cache / hash.text();
  BuiltModel model{entry / kSharedObject, true, 0};
  if (entry_problem(entry).empty()) return model;

  std::error_code error;
  fs::create_directories(cache, error);
  if (error) {
    throw ToolError(fmt::format("cannot create the cache folder {} ({}); choose another with --cache or FRED_CACHE",
                                cache.string(), error.message()));
  }
  const auto start = std::chrono::steady_clock::now();
  const fs::path parent = scratch_parent(cache);
  remove_old_scratch(cache);
  if (parent != cache) remove_old_scratch(parent);
  {
    const SignalGuard signals;  // outlives the folders: they are removed before a signal has its way
    const ScratchFolder staged(cache);
    std::optional<ScratchFolder> elsewhere;
    if (parent != cache) elsewhere.emplace(parent);
    const fs::path& scratch = elsewhere ? elsewhere->path() : staged.path();
    if (options.on_build) options.on_build();
    run_build(tools, options, files, scratch, signals);
    fs::remove_all(scratch / "obj", error);
    if (elsewhere) {
      fs::copy(scratch, staged.path(), fs::copy_options::recursive, error);  // may be another file system
      if (error) throw ToolError(fmt::format("cannot copy the switch to {}: {}", cache.string(), error.message()));
    }
    write_file(staged.path() / kSeal, seal_of(staged.path() / kSharedObject));
    if (const std::string problem = entry_problem(staged.path()); !problem.empty()) unusable(cache, problem);
    install(staged.path(), entry);
    signals.check();
  }
  model.cached = false;
  model.build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return model;
}

std::vector<SourceFile> design_sources(const Design& design) {
  std::vector<SourceFile> files;
  for (EmittedFile& file : emit_design(design)) {
    if (file.path.ends_with(".sv")) files.push_back({std::move(file.path), std::move(file.text)});
  }
  return files;
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
