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
#include "fred/error.hpp"

namespace fred::cli {
namespace {

struct GenOptions {
  DesignOptions design;
  std::string folder;       ///< -o
  bool force = false;       ///< --force
  std::string leaf;         ///< --leaf
  bool registered = false;  ///< --registered
  std::string json;         ///< --json
};

void run(const GenOptions& options) {
  const Design design = options.design.design();
  if (!options.json.empty() && !is_stdout(options.json)) check_output("--json", options.json, true);
  if (options.registered && options.leaf.empty()) throw InputError("--registered: goes with --leaf only");
  const std::vector<EmittedFile> files =
      options.leaf.empty() ? emit_design(design) : emit_leaf_design(design, {options.leaf, options.registered});
  write_output(options.folder, files, options.force);
  if (!options.json.empty()) {
    const auto manifest =
        std::find_if(files.begin(), files.end(), [](const EmittedFile& file) { return file.path == "manifest.json"; });
    write_json(options.json, nlohmann::ordered_json::parse(manifest->text));
    if (is_stdout(options.json)) return;
  }

  const std::string top = options.leaf.empty() ? std::string(kTopModule) : leaf_module_name(options.leaf);
  const Counts counts = count_network(design.radix, design.middle);
  fmt::print("FRED_{}({}): {} ports of {} bits\n", design.middle, design.radix, design.radix, design.width());
  fmt::print("  {} microswitches ({} R, {} D, {} RD)", counts.microswitches(), counts.r, counts.d, counts.rd);
  if (counts.demux > 0) fmt::print(", {} demultiplexers, {} multiplexers", counts.demux, counts.mux);
  fmt::print("\n  latency {} cycles in the network, {} to the first beat\n", design.network_latency(),
             design.first_beat_latency());
  fmt::print("{}: {} files, top module {}, filelist {}.f\n", options.folder, files.size(), top, top);
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
  command
      ->add_option("--leaf", options->leaf,
                   "write one part of the switch alone: host, ingress, control, launch, network, uswitch_r, odd_demux, "
                   "uswitch_rd, uswitch_d, odd_mux, egress, reduce")
      ->type_name("NAME");
  command->add_flag("--registered", options->registered,
                    "with --leaf: put a register at every input and output, so that every path is between registers");
  options->design.add_to(*command);
  command->footer(
      "Examples:\n"
      "  fred gen --radix 8 -o build/switch8\n"
      "  fred gen --radix 12 --middle 3 --dtype fp16 --lanes 32 --ops sum -o switch12\n"
      "  fred gen --radix 8 --dtype int32 --ops sum --leaf network -o network8\n"
      "  cd switch12 && verilator --lint-only -Wall --top-module fred_switch -f fred_switch.f\n"
      "The same options give the same bytes. manifest.json is described in docs/manifest.md.");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
