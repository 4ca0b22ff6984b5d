// SPDX-License-Identifier: Apache-2.0
// `fred gen`: writes a switch as SystemVerilog, with its register files, filelist and manifest, and project files for
// other tools.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "fred/cli/commands.hpp"
#include "fred/cli/design_options.hpp"
#include "fred/cli/fabric_commands.hpp"
#include "fred/cli/fabric_file.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/cli/static_options.hpp"
#include "fred/emit/emit.hpp"
#include "fred/emit/write.hpp"
#include "fred/error.hpp"
#include "fred/flow/flow.hpp"
#include "tb/sv_testbench.hpp"

namespace fred::cli {
namespace {

constexpr std::int64_t kMaxSeed = 0xffffffff;  // of --testbench-seed

struct GenOptions {
  DesignOptions design;
  StaticOptions constants;
  std::string folder;                        ///< -o
  bool force = false;                        ///< --force
  std::string leaf;                          ///< --leaf
  std::string fabric;                        ///< --fabric
  bool registered = false;                   ///< --registered
  std::string json;                          ///< --json
  std::string flows;                         ///< --flow: names, comma-separated; empty: none
  double period_ns = FlowInput{}.period_ns;  ///< --clock-period
  bool testbench = false;                    ///< --testbench
  std::int64_t testbench_seed = 1;           ///< --testbench-seed
};

/// The files of the design, or of one leaf of it, and of the flows that are asked for.
std::vector<EmittedFile> emit(const Design& design, const GenOptions& options) {
  if (options.registered && options.leaf.empty()) throw InputError("--registered: goes with --leaf only");
  if (options.testbench && !options.leaf.empty()) {
    throw InputError(
        fmt::format("--testbench: drives a whole switch, not a part of one; leave out --leaf {}", options.leaf));
  }
  if (options.testbench && design.static_form) {
    throw InputError("--testbench: sets up registers, which --static has not; fred run --static simulates it");
  }
  if (options.testbench_seed < 0 || options.testbench_seed > kMaxSeed) {
    throw InputError(fmt::format("--testbench-seed {}: allowed are 0..{}", options.testbench_seed, kMaxSeed));
  }
  if (options.testbench && design.link_ports > 0) {
    throw InputError("--testbench: has nothing that drives links; leave out --link-ports");
  }
  const std::vector<ToolFlow> flows = options.flows.empty() ? std::vector<ToolFlow>{} : parse_tool_flows(options.flows);
  if (design.static_form && std::find(flows.begin(), flows.end(), ToolFlow::kIpXact) != flows.end()) {
    throw InputError("--flow ipxact: describes the registers, which --static has not; name other flows");
  }
  if (design.link_ports > 0 && std::find(flows.begin(), flows.end(), ToolFlow::kIpXact) != flows.end()) {
    throw InputError(
        "--flow ipxact: describes streams and registers, no transceivers of --link-ports; name other flows");
  }
  std::optional<Leaf> leaf;
  if (!options.leaf.empty()) leaf = Leaf{options.leaf, options.registered};
  std::vector<EmittedFile> files = leaf ? emit_leaf_design(design, *leaf) : emit_design(design);
  if (options.testbench) {
    files = tb::with_testbench(std::move(files), design, static_cast<std::uint64_t>(options.testbench_seed));
  }
  if (flows.empty()) return files;
  FlowInput input = leaf ? flow_input(files, design, *leaf) : flow_input(files, design);
  input.period_ns = options.period_ns;
  return with_flows(std::move(files), input, flows);
}

void run(const GenOptions& options) {
  if (!options.fabric.empty()) {
    gen_fabric(options.fabric, options.design, options.folder, options.force, options.json);
    return;
  }
  const Design design = options.constants.apply(options.design);
  check_json(options.json, options.folder);
  const std::vector<EmittedFile> files = emit(design, options);
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
  CLI::App* command =
      app.add_subcommand("gen", "Write a switch as SystemVerilog, with register files, filelist and manifest");
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
                   "uswitch_rd, uswitch_d, odd_mux, egress, reduce; with --acc also widen, narrow; with --link-ports "
                   "link_table, links, "
                   "link_ingress, link_egress")
      ->type_name("NAME");
  command->add_flag("--registered", options->registered,
                    "with --leaf: put a register at every input and output, so that every path is between registers");
  constexpr const char* kFlowGroup = "Project files";
  CLI::Option* flow = command
                          ->add_option("--flow", options->flows,
                                       "write files for other tools too, a comma-separated list of " +
                                           tool_flow_names() + "; what they read is added")
                          ->type_name("FLOW")
                          ->group(kFlowGroup);
  command->add_option("--clock-period", options->period_ns, "clock period in the files of --flow, in ns")
      ->capture_default_str()
      ->type_name("NS")
      ->needs(flow)
      ->group(kFlowGroup);
  constexpr const char* kTestbenchGroup = "Testbench";
  CLI::Option* testbench =
      command
          ->add_flag("--testbench", options->testbench,
                     "write a self-checking SystemVerilog testbench with vectors to DIR/tb, for any simulator")
          ->group(kTestbenchGroup);
  command->add_option("--testbench-seed", options->testbench_seed, "seed of its groups, collectives and data")
      ->capture_default_str()
      ->type_name("N")
      ->needs(testbench)
      ->group(kTestbenchGroup);
  options->constants.add_to(*command, true);
  options->design.add_to(*command);
  CLI::Option* link_ports = options->design.add_link_ports_to(*command);
  options->design.add_links_to(*command);
  CLI::Option* fabric = command
                            ->add_option("--fabric", options->fabric,
                                         "write all kinds of switches of a fabric, and what sets them up for its "
                                         "collectives: FILE is JSON (docs/fabrics.md)")
                            ->type_name("FILE")
                            ->excludes(link_ports)
                            ->group("Link ports");
  fabric_excludes(*command, fabric, {"--radix", "--leaf", "--registered", "--flow", "--testbench", "--static"});
  command->footer(
      "Examples:\n"
      "  fred gen --radix 8 -o build/switch8\n"
      "  fred gen --radix 12 --middle 3 --dtype fp16 --lanes 32 --ops sum -o switch12\n"
      "  fred gen --radix 8 --dtype int32 --ops sum --leaf network -o network8\n"
      "  cd switch12 && verilator --lint-only -Wall --top-module fred_switch -f fred_switch.f\n"
      "  fred gen --radix 8 --flow vivado,ipxact --clock-period 4 -o build/switch8\n"
      "  fred gen --radix 8 --testbench -o build/switch8\n"
      "  fred gen --radix 8 --vcs 1 --static --groups \"0,1,2,3;4,5,6,7\" --collective allreduce@0,alltoall@1 -o "
      "fixed8\n"
      "The same options give the same bytes. The filelist and regs/ (C header and driver, SystemRDL, a page)\n"
      "are always written (regs/ not with --static, docs/static.md). manifest.json is described in docs/manifest.md, "
      "the project files in docs/flows.md, the\n"
      "driver in docs/driver.md, the testbench in docs/sv-testbench.md.");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
