// SPDX-License-Identifier: Apache-2.0
// The whole output of `fred gen` for a design.
#include <fmt/format.h>

#include <stdexcept>

#include "fred/emit/emit.hpp"

namespace fred {

std::vector<EmittedFile> emit_design(const Design& design) {
  Design validated = design;
  validated.validate();
  if (!(validated == design)) throw std::logic_error("emit_design: Design::validate has not been called");
  const Network network = make_network(design.radix, design.middle);
  std::vector<verilog::Module> modules;
  for (int level = 0; level < network.levels(); ++level) modules.push_back(emit_network(network, design, level));
  modules.push_back(emit_switch(network, design));

  std::vector<EmittedFile> files = collect_files(modules, std::string(kTopModule));
  std::string list;
  for (const EmittedFile& file : files) list += file.path + "\n";
  std::string manifest = emit_manifest(design, files);
  files.push_back({fmt::format("{}.f", kTopModule), std::move(list)});
  files.push_back({"manifest.json", std::move(manifest)});
  return files;
}

}  // namespace fred
