// SPDX-License-Identifier: Apache-2.0
// Builds the Verilated switch of a design as a shared object and keeps it in a cache, so that the same design is
// compiled once. The key is a hash of everything that the result depends on: the SystemVerilog files, the wrapper, the
// versions of Verilator and the compiler, and the flags. An entry whose shared object is damaged, missing or cannot be
// opened is built again. The cache may have any path: what make cannot cope with (a space, $, ...) is built in $TMPDIR
// or /tmp and copied.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fred/design/design.hpp"

namespace fred::tb {

/// One SystemVerilog file, in the order in which Verilator must read it.
struct SourceFile {
  std::string path;  ///< relative, "rtl/fred_switch.sv"
  std::string text;
};

struct BuildOptions {
  std::filesystem::path cache;     ///< folder; empty: $FRED_CACHE, else $XDG_CACHE_HOME/fred, else ~/.cache/fred
  bool trace = false;              ///< build with FST tracing
  bool assertions = true;          ///< check assertions of the RTL
  int jobs = 2;                    ///< parallel compilations
  std::function<void()> on_build;  ///< called before a build, not when the cache has the model
};

struct BuiltModel {
  std::filesystem::path shared_object;
  bool cached = false;       ///< it was there already
  double build_seconds = 0;  ///< wall-clock; 0 if cached
};

/// Throws ToolError that names the tool, how to get it, and the end of its log; after SIGINT, SIGTERM or SIGHUP, once
/// all is cleared away, Error with exit code 128 + signal. Two processes may build the same design at once: each builds
/// in a folder of its own and the first to finish provides the result.
[[nodiscard]] BuiltModel build_model(const std::vector<SourceFile>& files, const BuildOptions& options = {});

/// The SystemVerilog files of a design, in filelist order.
[[nodiscard]] std::vector<SourceFile> design_sources(const Design& design);

/// The files that `fred gen` wrote to `folder`, in the order of fred_switch.f.
[[nodiscard]] std::vector<SourceFile> read_design_folder(const std::filesystem::path& folder);

/// The cache folder that options and environment give.
[[nodiscard]] std::filesystem::path cache_folder(const std::filesystem::path& option);

/// Text of tb/verilated_wrapper.cpp, embedded by cmake/embed_tb.cmake.
[[nodiscard]] const char* wrapper_text();

}  // namespace fred::tb
