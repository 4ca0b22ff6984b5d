// SPDX-License-Identifier: Apache-2.0
// What the emitter's tests share: emitted networks as files, commands, golden files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fred/emit/emit.hpp"

namespace fred::test {

/// A validated design; `extra` may change anything else.
[[nodiscard]] Design make_design(int radix, int middle, DType dtype, int lanes, const std::vector<Op>& ops,
                                 int pipeline = 1, int adder_latency = 1, int vcs = 1);
/// The design with its last `ports` ports as link ports.
[[nodiscard]] Design linked(Design design, int ports, int slots = 2);

/// The modules of a design's network, outermost first.
[[nodiscard]] std::vector<verilog::Module> network_modules(const Design& design);
/// The network with its leaf modules and a filelist "fred_net.f", as a folder's files.
[[nodiscard]] std::vector<EmittedFile> network_files(const Design& design);
/// Writes files below `folder`, which is emptied first.
void write_files(const std::filesystem::path& folder, const std::vector<EmittedFile>& files);

/// Runs a shell command; returns its exit code, and its output (both streams) in `output`.
int run(const std::string& command, std::string& output);

/// A fresh folder for a test: FRED_BINARY_DIR/emit_test/NAME.
[[nodiscard]] std::filesystem::path scratch(const std::string& name);

/// Compares with tests/golden/NAME/..., file by file; with FRED_UPDATE_GOLDEN=1 in the environment writes it instead.
/// Returns what differs, empty if nothing.
[[nodiscard]] std::string compare_golden(const std::string& name, const std::vector<EmittedFile>& files);

}  // namespace fred::test
