// SPDX-License-Identifier: Apache-2.0
#include "synth/tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "fred/error.hpp"

namespace fred::synth {

namespace fs = std::filesystem;

namespace {

struct Program {
  const char* name;     ///< on PATH
  const char* package;  ///< Debian package that brings it
  const char* version;  ///< its option that prints a version, or ""
  const char* prefix;   ///< before what it prints
};

constexpr Program kPrograms[] = {{"yosys", "yosys", "-V", ""},
                                 {"sta", "opensta", "-version", "OpenSTA "},
                                 {"nextpnr-ice40", "nextpnr-ice40", "--version", ""},
                                 {"icepack", "fpga-icestorm", "", ""},
                                 {"icetime", "fpga-icestorm", "", ""},
                                 {"iverilog", "iverilog", "-V", ""},
                                 {"vvp", "iverilog", "-V", ""}};

/// What to do about a failure, by what the log says.
struct Advice {
  const char* program;
  const char* sign;  ///< in its log
  const char* text;
};

constexpr Advice kAdvice[] = {
    {"yosys", R"(abc.script 2>&1" failed: return code 127)",
     "Yosys runs ABC as berkeley-abc; get it with: apt-get install berkeley-abc"},
    {"icetime", "Can't find chipdb file", "it has no chip database; get it with: apt-get install fpga-icestorm-chipdb"},
    {"nextpnr-ice40", "no BELs remaining to implement cell type",
     "the design is larger than the device; take a larger --device, fewer --lanes or a --leaf"}};

std::string advice(const std::string& program, const std::string& log) {
  for (const Advice& advice : kAdvice) {
    if (program == advice.program && log.find(advice.sign) != std::string::npos)
      return fmt::format(": {}", advice.text);
  }
  return "";
}

const Program& program(const std::string& name) {
  return *std::find_if(std::begin(kPrograms), std::end(kPrograms),
                       [&name](const Program& p) { return p.name == name; });
}

}  // namespace

void require_tools(const std::vector<std::string>& programs) {
  for (const std::string& name : programs) {
    if (on_path(name)) continue;
    throw ToolError(fmt::format("{} is not installed; get it with: apt-get install {}", name, program(name).package));
  }
}

std::string tool_version(const std::string& name) {
  const Program& wanted = program(name);
  Ending ending;
  std::istringstream lines(output_of(fmt::format("{} {} 2>&1", name, wanted.version), ending));
  std::string line;
  while (line.empty() && std::getline(lines, line)) continue;
  constexpr std::string_view kNoDetails = " ()";  // Debian's Icarus Verilog has nothing to put there
  if (line.ends_with(kNoDetails)) line.erase(line.size() - kNoDetails.size());
  if (ending.ok() && !line.empty()) return wanted.prefix + line;
  throw ToolError(fmt::format("{0} {1} does not name a version ({2}); is {0} installed in whole? It says: {3}", name,
                              wanted.version, ending.text(), line));
}

ToolRunner::ToolRunner(fs::path folder, fs::path output) : folder_(std::move(folder)), output_(std::move(output)) {}

void ToolRunner::run(const std::vector<std::string>& command, const std::string& subfolder,
                     const std::string& log) const {
  const fs::path path = folder_ / subfolder / log;
  const Ending ending = run_tool(command, folder_ / subfolder, path);
  signals_.check();
  if (!ending.ok()) fail(command.front(), fmt::format("failed ({})", ending.text()), path);
}

void ToolRunner::fail(const std::string& name, const std::string& what, const fs::path& log) const {
  const std::string text = read_text(log);
  fs::path kept = output_;
  kept += "." + log.filename().string();
  std::error_code failed;
  fs::create_directories(kept.parent_path(), failed);
  fs::copy_file(log, kept, fs::copy_options::overwrite_existing, failed);
  const std::string where = failed ? "; its log" : fmt::format("; its log is {}", kept.string());
  throw ToolError(fmt::format("{} {}{}{}, which ends:\n{}", name, what, advice(name, text), where, end_of_log(text)));
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || !text) throw InputError(fmt::format("{}: cannot be read", file.string()));
  return text.str();
}

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw InputError(fmt::format("{}: cannot be written; is the disk full?", file.string()));
}

}  // namespace fred::synth
