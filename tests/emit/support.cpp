// SPDX-License-Identifier: Apache-2.0
#include "tests/emit/support.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>

namespace fred::test {
namespace fs = std::filesystem;

Design make_design(int radix, int middle, DType dtype, int lanes, const std::vector<Op>& ops, int pipeline,
                   int adder_latency, int vcs) {
  Design design;
  design.radix = radix;
  design.middle = middle;
  design.dtype = dtype;
  design.lanes = lanes;
  design.ops = ops;
  design.pipeline = pipeline;
  design.adder_latency = adder_latency;
  design.vcs = vcs;
  design.validate();
  return design;
}

Design linked(Design design, int ports, int slots) {
  design.link_ports = ports;
  design.link.slots = slots;
  design.validate();
  return design;
}

std::vector<verilog::Module> network_modules(const Design& design) {
  const Network network = make_network(design.radix, design.middle);
  std::vector<verilog::Module> modules;
  for (int level = 0; level < network.levels(); ++level) modules.push_back(emit_network(network, design, level));
  return modules;
}

std::vector<EmittedFile> network_files(const Design& design) {
  std::vector<EmittedFile> files =
      collect_files(network_modules(design), network_module_name(design.radix, design.middle));
  std::string list;
  for (const EmittedFile& file : files) list += file.path + "\n";
  files.push_back({"fred_net.f", list});
  return files;
}

void write_files(const fs::path& folder, const std::vector<EmittedFile>& files) {
  fs::remove_all(folder);
  for (const EmittedFile& file : files) {
    fs::create_directories((folder / file.path).parent_path());
    std::ofstream stream(folder / file.path, std::ios::binary);
    stream << file.text;
    if (!stream) throw std::runtime_error("cannot write " + (folder / file.path).string());
  }
}

int run(const std::string& command, std::string& output) {
  output.clear();
  FILE* pipe = popen(("( " + command + " ) 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

fs::path scratch(const std::string& name) {
  const fs::path folder = fs::path(FRED_BINARY_DIR) / "emit_test" / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

std::string compare_golden(const std::string& name, const std::vector<EmittedFile>& files) {
  const fs::path folder = fs::path(FRED_SOURCE_DIR) / "tests" / "golden" / name;
  if (const char* update = std::getenv("FRED_UPDATE_GOLDEN"); update != nullptr && std::string(update) == "1") {
    write_files(folder, files);
    return "";
  }
  std::string differences;
  std::set<std::string> expected;
  if (fs::exists(folder)) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) expected.insert(fs::relative(entry.path(), folder).generic_string());
    }
  }
  for (const EmittedFile& file : files) {
    if (expected.erase(file.path) == 0) {
      differences += file.path + " is new\n";
      continue;
    }
    std::ifstream stream(folder / file.path, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    if (text.str() != file.text) differences += file.path + " differs\n";
  }
  for (const std::string& path : expected) differences += path + " is gone\n";
  return differences.empty() ? "" : "tests/golden/" + name + " (FRED_UPDATE_GOLDEN=1 writes it anew):\n" + differences;
}

}  // namespace fred::test
