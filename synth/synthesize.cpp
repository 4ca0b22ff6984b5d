// SPDX-License-Identifier: Apache-2.0
#include "synth/synthesize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

#include "fred/emit/harness.hpp"
#include "fred/emit/sha256.hpp"
#include "fred/emit/temporary.hpp"
#include "fred/error.hpp"
#include "fred/flow/flow.hpp"
#include "fred/network/network.hpp"
#include "fred/version.hpp"
#include "synth/fpga.hpp"
#include "synth/liberty.hpp"
#include "synth/script.hpp"
#include "synth/tools.hpp"
#include "synth/yosys_stat.hpp"

namespace fred::synth {

namespace fs = std::filesystem;

namespace {

constexpr const char* kManifest = "manifest.json";
constexpr const char* kHarness = "harness";  // folder of an iCE40 design as it is placed

/// Path of an output as TemporaryFolder wants it.
fs::path clean(const fs::path& output) {
  fs::path path = fs::weakly_canonical(fs::absolute(output));
  return path.has_filename() ? path : path.parent_path();
}

std::string subject_of(const Request& request) {
  const Design& design = request.design;
  std::string ops;
  for (const Op op : design.ops) ops += (ops.empty() ? "" : ", ") + std::string(to_string(op));
  return fmt::format(
      "{}FRED_{}({}), {} a beat, {}{}",
      request.leaf ? fmt::format("leaf {}{} of ", request.leaf->name, request.leaf->registered ? ", registered," : "")
                   : "",
      design.middle, design.radix, design.beat_text(), ops, design.conflict_check ? "" : ", no conflict check");
}

/// What the request can be refused for before anything runs; `output` is canonical.
void check(const Request& request, const fs::path& output) {
  const Flow flow = request.target.flow;
  if (flow == Flow::kIce40) check_ice40(request.device, request.package);
  if (flow != Flow::kAsic) return;
  if (!(request.load >= 0 && request.load <= kMaxLoad)) {  // not a number is neither
    throw InputError(fmt::format("--load {}: allowed are 0..{}", request.load, kMaxLoad));
  }
  if (request.buffering && !abc_reads(output.string())) {  // it reads abc.constr there
    throw InputError(fmt::format("-o {}: ABC reads no file whose path has spaces or special characters; take another",
                                 output.string()));
  }
}

/// A number as the tools take it: "0.05", "3".
std::string plain(double number) { return fmt::format("{}", number); }

class Synthesis {
 public:
  Synthesis(const Request& request, const fs::path& output)
      : request_(request), output_(output), folder_(temporary_beside(output, "synth")) {}

  Outcome run() {
    Report& report = outcome_.report;
    report.command = canonical_command(request_);
    report.subject = subject_of(request_);
    report.target = request_.target.name;
    if (request_.leaf) report.leaf = request_.leaf->name;
    report.tools.push_back(fmt::format("fred {}", version()));
    if (request_.target.flow == Flow::kAsic) find_library();
    emit("", request_.leaf);
    if (request_.stimulus) request_.stimulus(folder_.path());  // runs tools under a guard of its own
    tools_.emplace(folder_.path(), output_);
    if (request_.target.flow == Flow::kAsic) {
      run_asic();
    } else {
      run_fpga();
    }
    write_text(folder_.path() / "report.txt", to_text(report));
    write_text(folder_.path() / "report.json", to_json(report).dump(2) + "\n");
    collect();
    return std::move(outcome_);
  }

 private:
  // --- What all flows share ---

  /// Writes the RTL below `subfolder` and notes the values for scripts that read it.
  void emit(const std::string& subfolder, const std::optional<Leaf>& leaf) {
    const std::string top = leaf ? leaf_module_name(leaf->name) : std::string(kTopModule);
    std::vector<EmittedFile> files = leaf ? emit_leaf_design(request_.design, *leaf) : emit_design(request_.design);
    const FlowInput constraints = leaf ? flow_input(files, request_.design, *leaf) : flow_input(files, request_.design);
    if (request_.target.flow == Flow::kAsic) add_sdc(constraints, files);
    write_design(subfolder, top, files);
  }

  /// Writes emitted files, but for their manifest, and notes how scripts read them.
  void write_design(const std::string& subfolder, const std::string& top, const std::vector<EmittedFile>& files) {
    std::string read;
    for (const EmittedFile& file : files) {
      if (file.path == kManifest) continue;
      write_text(folder_.path() / subfolder / file.path, file.text);
      if (file.path.ends_with(".sv")) read += fmt::format("read_verilog -sv {}\n", file.path);
    }
    read.pop_back();  // the line break that the template has
    values_["top"] = top;
    values_["read"] = read;
    values_["title"] = fmt::format("{}, for {}.", subject_of(request_), request_.target.title);
    values_["command"] = outcome_.report.command;
  }

  /// The constraints that `fred gen --flow sdc` writes, their times in the library's unit.
  void add_sdc(FlowInput input, std::vector<EmittedFile>& files) const {
    input.period_ns = request_.period_ps / library_.time_unit_ps;
    for (EmittedFile& file : emit_flow(ToolFlow::kSdc, input)) files.push_back(std::move(file));
  }

  void write_script(const std::string& subfolder, const char* name, const char* source) {
    values_["file"] = name;
    write_text(folder_.path() / subfolder / name, fill(source, values_));
  }

  void yosys(const std::string& subfolder, const std::string& script, const std::string& log) {
    tools_->run({"yosys", "-Q", "-T", "-s", script}, subfolder, log);
  }

  [[nodiscard]] Stat stat(const fs::path& file) const { return parse_stat(read_text(folder_.path() / file)); }

  /// All that the run left, into the outcome.
  void collect() {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const fs::path& path : paths) {
      EmittedFile file{path.lexically_relative(folder_.path()).generic_string(), read_text(path)};
      files.push_back({{"path", file.path}, {"sha256", sha256(file.text)}});
      outcome_.files.push_back(std::move(file));
    }
    const nlohmann::ordered_json manifest = {{"schema_version", 1},
                                             {"generator", "fred"},
                                             {"version", version()},
                                             {"command", outcome_.report.command},
                                             {"files", files}};
    outcome_.files.push_back({kManifest, manifest.dump(2) + "\n"});
  }

  // --- A Liberty library ---

  void find_library() {
    const Target& target = request_.target;
    require_tools({"yosys", "sta"});
    if (request_.stimulus) require_tools({"iverilog", "vvp"});
    if (!fs::exists(target.library)) {
      if (target.package.empty()) throw InputError(fmt::format("--liberty {}: no such file", target.library.string()));
      throw ToolError(fmt::format("the library {} is not installed; get it with: apt-get install {}",
                                  target.library.string(), target.package));
    }
    library_ = read_liberty(target.library);
    library_.check_usable();
    const double unit = library_.time_unit_ps;
    const double least = std::max<double>(kMinPeriodPs, std::ceil(kMinPeriodNs * unit));  // of the SDC's numbers
    const double most = std::min<double>(kMaxPeriodPs, std::floor(kMaxPeriodNs * unit));
    if (request_.period_ps < least || request_.period_ps > most) {
      throw InputError(fmt::format("--period {}: allowed are {}..{} ps, the library's unit of time being {} ps",
                                   request_.period_ps, least, most, unit));
    }
    driver_ = driving_cell();
  }

  void run_asic() {
    for (const char* tool : {"yosys", "sta"}) outcome_.report.tools.push_back(tool_version(tool));

    values_["liberty"] = request_.target.library.string();
    values_["driver"] = driver_;
    values_["load"] = plain(request_.load);
    values_["abc"] = request_.buffering ? fmt::format("-D {} -constr abc.constr", request_.period_ps) : "";

    AsicResult result;
    result.library = library_.name;
    result.driving_cell = request_.buffering ? driver_ : "";
    result.load = request_.load;
    result.period_ps = request_.period_ps;
    result.unit_ps = library_.time_unit_ps;
    result.buffering = request_.buffering;
    result.hierarchical = request_.hierarchical;
    map("", result);
    split("", result);
    if (request_.leaf && !request_.leaf->registered) {
      AsicResult registered = result;
      emit("registered", Leaf{request_.leaf->name, true});
      map("registered", registered);
      result.registered = registered.paths.register_to_register;
    }
    if (request_.stimulus) result.power = estimate_power(result);
    outcome_.report.asic = std::move(result);
  }

  [[nodiscard]] std::string driving_cell() const {
    if (!request_.driving_cell.empty()) {
      library_.check_driving_cell(request_.driving_cell);
      return request_.driving_cell;
    }
    return request_.target.driving_cell.empty() ? library_.middle_inverter() : request_.target.driving_cell;
  }

  /// Maps the design below `subfolder` and times it.
  void map(const std::string& subfolder, AsicResult& result) {
    values_["prefix"] = "";
    write_script(subfolder, "abc.constr", "abc.constr");
    write_script(subfolder, "map.ys", request_.hierarchical ? "asic_hierarchical.ys" : "asic.ys");
    write_script(subfolder, "sta.tcl", "sta.tcl");
    yosys(subfolder, "map.ys", "yosys.log");
    const fs::path folder = subfolder;
    const Stat after = stat(folder / "stat.yosys");
    result.area = area_of(after.cells(values_["top"]), library_);
    result.without_area = cells_without_area(after.cells(values_["top"]), library_);
    result.memories = memories_of(stat(folder / "memories.yosys"), after, values_["top"], library_);

    const std::string text = sta(subfolder, "sta.tcl", "sta.log");
    const fs::path log = folder_.path() / folder / "sta.log";
    if (text.find("\n== end") == std::string::npos) tools_->fail("sta", "did not come to the end of its script", log);
    result.paths = parse_sta(text);
  }

  /// Runs OpenSTA's script and returns its log. Of what OpenSTA does not know it makes black boxes and goes on.
  [[nodiscard]] std::string sta(const std::string& subfolder, const char* script, const char* log) {
    tools_->run({"sta", "-no_splash", "-exit", script}, subfolder, log);
    const fs::path path = folder_.path() / subfolder / log;
    std::string text = read_text(path);
    const std::string said = complaint(text);
    if (!said.empty()) tools_->fail("sta", fmt::format("has not timed the whole netlist ({})", said), path);
    return text;
  }

  /// The split by part, of the mapping that keeps the hierarchy.
  void split(const std::string& subfolder, AsicResult& result) {
    std::string prefix;
    if (!request_.hierarchical) {
      prefix = "parts_";
      values_["prefix"] = prefix;
      write_script(subfolder, "parts.ys", "asic_hierarchical.ys");
      yosys(subfolder, "parts.ys", "parts_yosys.log");
    }
    result.parts = split_by_part(stat(fs::path(subfolder) / (prefix + "stat.yosys")), values_["top"], library_);
    for (const Part& part : result.parts) result.parts_total += part.area.total;
  }

  /// Simulates the mapped netlist and lets OpenSTA make power of its activity, at the period that the paths allow.
  [[nodiscard]] PowerResult estimate_power(const AsicResult& mapped) {
    const auto& path = mapped.clock_path();
    const double period_ps = path ? mapped.least_period_ps(*path) : request_.period_ps;
    outcome_.report.tools.push_back(tool_version("iverilog"));
    values_["power_period"] = plain(period_ps / library_.time_unit_ps);
    for (const char* name : {"power.ys", "power_dump.sv", "power.tcl"}) write_script("", name, name);
    yosys("", "power.ys", "power_yosys.log");
    tools_->run({"iverilog", "-g2012", "-o", "power.sim", "-s", "replay", "-s", "power_dump", "netlist.v", "cells.v",
                 "replay.sv", "power_dump.sv"},
                "", "iverilog.log");
    tools_->run({"vvp", "-n", "power.sim"}, "", "vvp.log");
    const fs::path log = folder_.path() / "vvp.log";
    if (read_text(log).find("PASS: ") == std::string::npos) {
      tools_->fail("vvp", "found that the mapped netlist does not do what the RTL does", log);
    }
    std::ifstream waveform(folder_.path() / "power.vcd");
    const Toggles toggles = count_toggles(waveform, library_.output_pins);
    write_text(folder_.path() / "activities.tcl", activities(toggles));
    PowerResult power = parse_power(sta("", "power.tcl", "power.log"));
    power.cycles = toggles.cycles;
    power.period_ps = period_ps;
    power.leakage_cells = library_.with_leakage();
    power.internal_cells = library_.with_internal_power();
    for (const char* name : {"power.vcd", "power.sim"}) fs::remove(folder_.path() / name);  // large, and made again
    return power;
  }

  // --- FPGAs ---

  void run_fpga() {
    const bool place = request_.target.flow == Flow::kIce40;
    std::vector<std::string> tools = {"yosys"};
    if (place) tools.insert(tools.end(), {"nextpnr-ice40", "icepack", "icetime"});
    require_tools(tools);
    if (place) check_package();
    outcome_.report.tools.push_back(tool_version("yosys"));
    if (place) outcome_.report.tools.push_back(tool_version("nextpnr-ice40"));

    std::string commands;
    for (const std::vector<std::string>& command : place_commands()) {
      commands += fmt::format("{}#   {}", commands.empty() ? "" : "\n", fmt::join(command, " "));
    }
    values_["place"] = commands;
    write_script("", "map.ys", (request_.target.name + ".ys").c_str());
    yosys("", "map.ys", "yosys.log");
    FpgaResult result;
    const Stat before = stat("memories.yosys");
    result.cells = stat("stat.yosys").cells(values_["top"]);
    result.resources = count_resources(request_.target.name, result.cells);
    const Memories memories = memories_of(before, Stat{{{values_["top"], {}}}}, values_["top"], {});
    result.memories = memories.instances;
    result.memory_bits = memories.bits;
    if (place) result.placed = place_and_route();
    outcome_.report.fpga = std::move(result);
  }

  /// Asks nextpnr, which looks at the package before it looks for a netlist, that is not there.
  [[nodiscard]] bool takes(const std::string& package) const {
    Ending ending;
    const std::string command =
        fmt::format("nextpnr-ice40 --{} --package {} --json /nonexistent/netlist.json 2>&1", request_.device, package);
    return output_of(command, ending).find("Unsupported package") == std::string::npos;
  }
  void check_package() const {
    if (takes(request_.package)) return;
    std::vector<std::string_view> allowed;
    for (const std::string_view package : ice40_packages()) {
      if (takes(std::string(package))) allowed.push_back(package);
    }
    throw InputError(fmt::format("--package {}: nextpnr-ice40 has no such package of {}; it has {}", request_.package,
                                 request_.device, fmt::join(allowed, ", ")));
  }

  /// The design in a harness, which needs five pins and times paths between registers only; below harness/.
  void emit_in_harness() {
    const Design& design = request_.design;
    const Network network = make_network(design.radix, design.middle);
    std::vector<verilog::Module> modules;
    for (int level = 0; level < network.levels(); ++level) modules.push_back(emit_network(network, design, level));
    modules.push_back(request_.leaf ? emit_leaf(network, design, *request_.leaf) : emit_switch(network, design));
    modules.push_back(emit_harness(modules.back().interface(), {}, provenance(design, request_.leaf)));
    write_design(kHarness, std::string(kHarnessModule), collect_files(modules, std::string(kHarnessModule)));
  }

  /// What runs in harness/ after Yosys.
  [[nodiscard]] std::vector<std::vector<std::string>> place_commands() const {
    return {{"nextpnr-ice40", "--" + request_.device, "--package", request_.package, "--seed",
             std::to_string(request_.seed), "--freq", std::to_string(request_.megahertz), "--timing-allow-fail",
             "--json", "netlist.json", "--asc", "design.asc", "--report", "nextpnr.json"},
            {"icepack", "design.asc", "design.bin"},
            {"icetime", "-d", request_.device, "-t", "-r", "icetime.txt", "design.asc"}};
  }

  PlacedResult place_and_route() {
    PlacedResult placed;
    placed.device = request_.device;
    placed.package = request_.package;
    placed.seed = request_.seed;
    emit_in_harness();
    write_script(kHarness, "map.ys", "ice40.ys");
    yosys(kHarness, "map.ys", "harness_yosys.log");
    for (const std::vector<std::string>& command : place_commands()) {
      tools_->run(command, kHarness, command.front() == "nextpnr-ice40" ? "nextpnr.log" : command.front() + ".log");
    }
    const fs::path folder = folder_.path() / kHarness;
    parse_nextpnr(read_text(folder / "nextpnr.json"), placed);
    placed.fmax_mhz = parse_icetime(read_text(folder / "icetime.txt"));
    return placed;
  }

  const Request& request_;
  const fs::path output_;            // what the folder becomes
  TemporaryFolder folder_;           // in which everything runs
  std::optional<ToolRunner> tools_;  // in that folder, once it runs
  Liberty library_;                  // of an ASIC flow
  std::string driver_;               // of its inputs
  Values values_;                    // for the scripts
  Outcome outcome_;
};

}  // namespace

std::string canonical_command(const Request& request) {
  std::string command = "fred synth";
  const Target& target = request.target;
  command += target.name == "liberty" ? " --liberty " + target.library.string() : " --target " + target.name;
  if (target.flow == Flow::kAsic) {
    command += fmt::format(" --period {} --load {}", request.period_ps, request.load);
    if (!request.driving_cell.empty()) command += " --driving-cell " + request.driving_cell;
    if (!request.buffering) command += " --no-buffering";
    if (request.hierarchical) command += " --hierarchical";
    if (request.stimulus) command += " --power";
  }
  if (target.flow == Flow::kIce40) {
    command += fmt::format(" --device {} --package {} --seed {} --freq {}", request.device, request.package,
                           request.seed, request.megahertz);
  }
  if (request.leaf) command += " --leaf " + request.leaf->name + (request.leaf->registered ? " --registered" : "");
  return command + " " + request.design.canonical_options();
}

Outcome synthesize(const Request& request, const fs::path& output) {
  try {
    const fs::path target = clean(output);
    check(request, target);
    remove_stale_temporaries(target);
    return Synthesis(request, target).run();
  } catch (const fs::filesystem_error& error) {
    throw InputError(fmt::format("{}: cannot be written: {}", output.string(), error.code().message()));
  }
}

}  // namespace fred::synth
