// SPDX-License-Identifier: Apache-2.0
// The whole output of `fred gen`: for a switch, and for one leaf of it.
#include <fmt/format.h>

#include <stdexcept>

#include "fred/emit/emit.hpp"
#include "fred/emit/register_files.hpp"

namespace fred {
namespace {

void check_validated(const Design& design) {
  Design validated = design;
  validated.validate();
  if (!(validated == design)) throw std::logic_error("emit_design: Design::validate has not been called");
}

std::vector<verilog::Module> network_modules(const Network& network, const Design& design) {
  std::vector<verilog::Module> modules;
  for (int level = 0; level < network.levels(); ++level) modules.push_back(emit_network(network, design, level));
  return modules;
}

/// Adds the files of the register map (of a whole switch), the filelist and the manifest to the RTL.
std::vector<EmittedFile> with_lists(const Design& design, const std::string& top, const std::optional<Leaf>& leaf,
                                    std::vector<EmittedFile> files) {
  std::string list;
  for (const EmittedFile& file : files) list += file.path + "\n";
  const std::vector<EmittedFile> registers =
      leaf || design.static_form ? std::vector<EmittedFile>{} : register_files(design);
  std::string manifest = emit_manifest(design, files, registers, leaf);
  files.insert(files.end(), registers.begin(), registers.end());
  files.push_back({top + ".f", std::move(list)});
  files.push_back({"manifest.json", std::move(manifest)});
  return files;
}

}  // namespace

std::vector<EmittedFile> emit_design(const Design& design) {
  check_validated(design);
  const Network network = make_network(design.radix, design.middle);
  std::vector<verilog::Module> modules = network_modules(network, design);
  modules.push_back(emit_switch(network, design));
  const std::string top(kTopModule);
  return with_lists(design, top, {}, collect_files(modules, top));
}

std::vector<EmittedFile> emit_leaf_design(const Design& design, const Leaf& leaf) {
  check_validated(design);
  const Network network = make_network(design.radix, design.middle);
  std::vector<verilog::Module> modules = network_modules(network, design);
  modules.push_back(emit_leaf(network, design, leaf));
  const std::string top = leaf_module_name(leaf.name);
  return with_lists(design, top, leaf, collect_files(modules, top));
}

}  // namespace fred
