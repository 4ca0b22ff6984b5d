// SPDX-License-Identifier: Apache-2.0
// `fred gen`: writes a switch as SystemVerilog, with its filelist and manifest.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fred/cli/commands.hpp"
#include "fred/cli/design_options.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/emit/emit.hpp"
#include "fred/emit/write.hpp"

namespace fred::cli {
namespace {

struct GenOptions {
  DesignOptions design;
  std::string folder;  ///< -o
  bool force = false;  ///< --force
  std::string json;    ///< --json
};

void run(const GenOptions& options) {
  const Design design = options.design.design();
  if (!options.json.empty() && !is_stdout(options.json)) check_output("--json", options.json, true);
  const std::vector<EmittedFile> files = emit_design(design);
  write_output(options.folder, files, options.force);
  if (!options.json.empty()) {
    const auto manifest =
        std::find_if(files.begin(), files.end(), [](const EmittedFile& file) { return file.path == "manifest.json"; });
    write_json(options.json, nlohmann::ordered_json::parse(manifest->text));
    if (is_stdout(options.json)) return;
  }

  const Counts counts = count_network(design.radix, design.middle);
  fmt::print("FRED_{}({}): {} ports of {} bits\n", design.middle, design.radix, design.radix, design.width());
  fmt::print("  {} microswitches ({} R, {} D, {} RD)", counts.microswitches(), counts.r, counts.d, counts.rd);
  if (counts.demux > 0) fmt::print(", {} demultiplexers, {} multiplexers", counts.demux, counts.mux);
  fmt::print("\n  latency {} cycles in the network, {} to the first beat\n", design.network_latency(),
             design.first_beat_latency());
  fmt::print("{}: {} files, top module {}, filelist {}.f\n", options.folder, files.size(), kTopModule, kTopModule);
}

}  // namespace

void add_gen(CLI::App& app) {
  CLI::App* command = app.add_subcommand("gen", "Write a switch as SystemVerilog, with filelist and manifest");
  const auto options = std::make_shared<GenOptions>();
  command
      ->add_option("-o,--output", options->folder,
                   "folder to write, whole or not at all; an earlier output of fred gen is replaced")
      ->required()
      ->type_name("DIR");
  command->add_flag("--force", options->force,
                    "replace an earlier output even if files in it were changed or added, which are lost");
  command
      ->add_option("--json", options->json,
                   "write the manifest also to FILE; - is standard output, and nothing else goes there")
      ->type_name("FILE");
  options->design.add_to(*command);
  command->footer(
      "Examples:\n"
      "  fred gen --radix 8 -o build/switch8\n"
      "  fred gen --radix 12 --middle 3 --dtype fp16 --lanes 32 --ops sum -o switch12\n"
      "  cd switch12 && verilator --lint-only -Wall --top-module fred_switch -f fred_switch.f\n"
      "The same options give the same bytes. manifest.json is described in docs/manifest.md.");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
