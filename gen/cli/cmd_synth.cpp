// SPDX-License-Identifier: Apache-2.0
// `fred synth`: area, clock and cells of a switch, or of one leaf of it, by open tools.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fred/cli/commands.hpp"
#include "fred/cli/design_options.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/cli/static_options.hpp"
#include "fred/emit/write.hpp"
#include "fred/error.hpp"
#include "synth/fpga.hpp"
#include "synth/synthesize.hpp"
#include "tb/harness.hpp"
#include "tb/model_build.hpp"
#include "tb/replay.hpp"
#include "tb/verilator_engine.hpp"
#include "tb/workload.hpp"

namespace fred::cli {
namespace {

struct SynthOptions {
  DesignOptions design;
  StaticOptions constants;
  synth::Request request;  ///< the options that need no parsing are written straight into this
  std::string target;      ///< --target
  std::string liberty;     ///< --liberty
  std::string folder;      ///< -o
  bool force = false;      ///< --force
  Leaf leaf;               ///< --leaf --registered; no name: the switch
  bool power = false;      ///< --power
  std::string json;        ///< --json
};

/// The option groups that only some targets have: given for another, they would be ignored in silence.
constexpr const char* kAsicGroup = "Liberty libraries";
constexpr const char* kIce40Group = "iCE40";

void check_groups(const CLI::App& command, const synth::Target& target) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    const bool asic = option->get_group() == kAsicGroup && option->get_name() != "--liberty";
    const bool ice40 = option->get_group() == kIce40Group;
    if ((asic && target.flow != synth::Flow::kAsic) || (ice40 && target.flow != synth::Flow::kIce40)) {
      throw InputError(fmt::format("{}: means nothing for --target {}", option->get_name(), target.name));
    }
  }
}

/// Runs an all-reduce of all ports on the Verilated switch, and writes its vectors to `folder`.
void write_stimulus(const Design& design, const std::filesystem::path& folder) {
  constexpr std::size_t kBeats = 256;  // that each port sends
  tb::BuildOptions build;
  build.on_build = [] { fmt::print(stderr, "building the switch with Verilator ...\n"); };
  const auto engine = tb::open_model(tb::build_model(tb::design_sources(design), build).shared_object.string());
  const auto beat = static_cast<std::size_t>(design.bytes());
  Group all;
  for (int port = 0; port < design.radix; ++port) all.push_back(port);
  const tb::JobOptions data{0, design.ops.front(), kBeats * beat, nullptr, 1, nullptr};
  const tb::Entry entry{Kind::kAllReduce, {0}};
  const std::vector<tb::Job> jobs = tb::make_jobs(entry, tb::rank_sets(std::vector<Group>{all}), design, data);
  const tb::Setup setup = tb::make_setup(design, make_network(design.radix, design.middle), jobs, {.one_round = true});
  std::vector<tb::Traffic> traffic;
  for (const tb::Job& job : jobs) traffic.push_back(tb::make_traffic(job, design, 0, 0, kBeats * beat, false));
  tb::ReplayWriter replay(folder, design);
  tb::Harness harness(*engine, design);
  harness.set_hook([&replay](const tb::InPins& in, const tb::OutPins& out) { replay.cycle(in, out); });
  harness.reset();
  harness.configure(setup);
  const tb::RunResult result = harness.run(traffic);
  replay.close();
  if (result.mismatches != 0 || !result.hang.empty())
    throw std::logic_error("the all-reduce went wrong: " + result.hang);
}

void run(const SynthOptions& options, const CLI::App& command) {
  synth::Request request = options.request;
  request.design = options.constants.apply(options.design);
  if (options.target.empty() == options.liberty.empty()) {
    throw InputError("name what to synthesize for: --target NAME or --liberty FILE");
  }
  request.target =
      options.liberty.empty() ? synth::find_target(options.target) : synth::library_target(options.liberty);
  check_groups(command, request.target);
  if (options.leaf.registered && options.leaf.name.empty()) throw InputError("--registered: goes with --leaf only");
  if (!options.leaf.name.empty()) request.leaf = options.leaf;
  check_json(options.json, options.folder);
  check_replaceable(options.folder, options.force);

  if (options.power) {
    if (request.design.static_form) throw InputError("--power: of a switch with registers only; leave out --static");
    if (request.leaf) throw InputError("--power: of a whole switch only; leave out --leaf");
    if (request.hierarchical) throw InputError("--power: OpenSTA 2.0 fails on it with --hierarchical; leave that out");
    request.stimulus = [design = request.design](const std::filesystem::path& folder) {
      write_stimulus(design, folder);
    };
  }

  const synth::Outcome outcome = synth::synthesize(request, options.folder);
  write_output(options.folder, outcome.files, options.force);
  if (!options.json.empty()) write_json(options.json, to_json(outcome.report));
  if (!is_stdout(options.json)) fmt::print("{}", to_text(outcome.report));
}

void add_asic_options(CLI::App& command, SynthOptions& options) {
  synth::Request& request = options.request;
  command.add_option("--liberty", options.liberty, "a library of your own, instead of --target")
      ->type_name("FILE")
      ->group(kAsicGroup);
  command.add_option("--period", request.period_ps, "picoseconds that ABC aims at, and the period of the clock")
      ->check(CLI::Range(synth::kMinPeriodPs, synth::kMaxPeriodPs))
      ->capture_default_str()
      ->group(kAsicGroup);
  command
      .add_option("--driving-cell", request.driving_cell,
                  "cell that drives the inputs, for ABC; else an inverter of middle strength")
      ->type_name("CELL")
      ->group(kAsicGroup);
  command.add_option("--load", request.load, "load of the outputs, for ABC, in the library's unit: 0..1000")
      ->capture_default_str()
      ->group(kAsicGroup);
  command.add_flag("--no-buffering{false}", request.buffering, "let ABC map only, not buffer and size for the period")
      ->group(kAsicGroup);
  command
      .add_flag("--hierarchical", request.hierarchical,
                "map each distinct module once and sum, instead of flattening: for large switches")
      ->group(kAsicGroup);
  command
      .add_flag(
          "--power", options.power,
          "simulate an all-reduce on the mapped netlist and estimate its power; needs Verilator and Icarus Verilog")
      ->group(kAsicGroup);
}

void add_ice40_options(CLI::App& command, synth::Request& request) {
  command
      .add_option("--device", request.device,
                  fmt::format("device of nextpnr-ice40: {}", fmt::join(synth::ice40_devices(), ", ")))
      ->capture_default_str()
      ->group(kIce40Group);
  command.add_option("--package", request.package, "package of nextpnr-ice40")
      ->capture_default_str()
      ->group(kIce40Group);
  command.add_option("--freq", request.megahertz, "MHz that nextpnr-ice40 aims at")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str()
      ->group(kIce40Group);
  command.add_option("--seed", request.seed, "seed of nextpnr-ice40: the same gives the same placement")
      ->capture_default_str()
      ->group(kIce40Group);
}

}  // namespace

void add_synth(CLI::App& app) {
  CLI::App* command = app.add_subcommand("synth", "Area, clock and cells of a switch, by Yosys, OpenSTA and nextpnr");
  const auto options = std::make_shared<SynthOptions>();
  command->add_option("--target", options->target,
                      fmt::format("what to synthesize for: {}", fmt::join(synth::target_names(), ", ")));
  command
      ->add_option("-o,--output", options->folder,
                   "folder to write, whole or not at all; an earlier output of fred is replaced")
      ->required()
      ->type_name("DIR");
  command->add_flag("--force", options->force,
                    "replace an earlier output even if files in it were changed or added, which are lost");
  command->add_option("--leaf", options->leaf.name, "synthesize one part of the switch alone, as fred gen --leaf")
      ->type_name("NAME");
  command->add_flag("--registered", options->leaf.registered,
                    "with --leaf: only the leaf with a register at every input and output");
  command->add_option("--json", options->json, kJsonHelp)->type_name("FILE");
  add_asic_options(*command, *options);
  add_ice40_options(*command, options->request);
  options->constants.add_to(*command, true);
  options->design.add_to(*command);
  command->footer(
      "Examples:\n"
      "  fred synth --target osu018 --radix 8 --middle 2 --dtype int32 --ops sum --leaf network -o network8\n"
      "  fred synth --target osu018 --leaf reduce --dtype fp32 -o adder\n"
      "  fred synth --liberty my_cells.lib --period 1000 --radix 4 -o mine\n"
      "  fred synth --target osu018 --radix 4 --dtype int32 --ops sum --power -o switch4\n"
      "  fred synth --target ice40 --leaf reduce --registered --dtype bf16 -o ice\n"
      "  fred synth --target osu018 --radix 4 --vcs 1 --dtype int32 --static --groups 0,1,2,3 -o fixed4\n"
      "  cd network8 && yosys -s map.ys && sta -no_splash -exit sta.tcl\n"
      "The report is printed and is in DIR, with scripts, netlist and logs: docs/synthesis.md.");
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace fred::cli
