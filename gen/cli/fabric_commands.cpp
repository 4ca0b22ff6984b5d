// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/fabric_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fred/cli/commands.hpp"
#include "fred/cli/fabric_file.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/design/kind.hpp"
#include "fred/emit/write.hpp"
#include "fred/error.hpp"
#include "fred/fabric/emit_fabric.hpp"
#include "tb/fabric_engine.hpp"
#include "tb/harness.hpp"
#include "tb/model_build.hpp"
#include "tb/verilator_engine.hpp"
#include "tb/workload.hpp"

namespace fred::cli {
namespace {

using nlohmann::ordered_json;

constexpr int kLinkUp = 20;  // round trips until all links must be up

std::string ranks_text(const Fabric& fabric, const FabricCollective& of) {
  std::string text;
  for (const FabricPort& rank : of.ranks) text += (text.empty() ? "" : ",") + to_string(fabric, rank);
  constexpr std::size_t kMost = 40;
  return text.size() > kMost ? text.substr(0, kMost - 3) + "..." : text;
}

std::unique_ptr<tb::Engine> open_switch(const Design& design, const FabricRun& run) {
  tb::BuildOptions build;
  build.cache = run.cache;
  build.on_build = [] {
    fmt::print(stderr, "building a switch with Verilator ...\n");
    std::fflush(stderr);
  };
  return tb::open_model(tb::build_model(tb::design_sources(design), build).shared_object.string(),
                        static_cast<int>(run.seed & 0x7fffffffU));
}

/// The collectives as jobs of the large switch, with random data.
std::vector<tb::Job> jobs_of(const FabricFile& file, const Design& large, const FabricRun& run) {
  std::vector<tb::Job> jobs;
  for (std::size_t c = 0; c < file.collectives.size(); ++c) {
    const FabricCollective& of = file.collectives[c];
    Group group;
    for (const FabricPort& rank : of.ranks) group.push_back(tb::FabricEngine::port(file.fabric, rank));
    tb::Job job = tb::Job::on_group(of.kind, group);
    job.root = of.root;
    job.op = of.op;
    job.type = of.type;
    job.vc = of.vc;
    const std::size_t bytes = of.kind == Kind::kBarrier ? 0 : run.bytes;
    for (std::size_t rank = 0; rank < group.size(); ++rank) {
      job.data.push_back(tb::random_buffer(job.dtype(large), bytes, tb::sub_seed(run.seed, 100 + c, rank)));
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

/// Sets up all switches; the links are up then.
void set_up(const FabricFile& file, const FabricPlan& plan, tb::FabricEngine& engine, tb::Harness& harness) {
  harness.reset();
  const int limit =
      kLinkUp * (file.fabric.links.empty() ? 1 : file.fabric.design(file.fabric.links.front().leaf).link.round_trip());
  for (int i = 0; i < limit && !engine.up(); ++i) harness.step();
  if (!engine.up()) throw tb::SwitchError(fmt::format("a link is not up after {} cycles", limit));
  const auto writes = fabric_writes(file.fabric, plan, 0);
  for (std::size_t of = 0; of < writes.size(); ++of) {
    for (const RegisterWrite& write : writes[of]) {
      if (harness.write(tb::FabricEngine::address(static_cast<int>(of), write.address), write.data).okay()) continue;
      throw tb::SwitchError(fmt::format("{} refused to set register {:#06x} to {:#010x} ({})",
                                        file.fabric.switches[of].name, write.address, write.data, write.meaning));
    }
  }
}

/// Throws InputError unless `text` is one share for all ports: a fabric's are not numbered through for users.
std::vector<double> stalls_of(const std::string& text, const Design& large, const std::string& option) {
  if (text.find_first_of(":,") != std::string::npos) {
    throw InputError(fmt::format("{} {}: with --fabric allowed is one probability, of all ports", option, text));
  }
  return tb::parse_stalls(text, large.radix, option);
}

ordered_json result_json(const FabricFile& file, const std::vector<tb::Job>& jobs, const tb::RunResult& result,
                         std::uint64_t hits, std::uint64_t seed) {
  ordered_json rows = ordered_json::array();
  for (std::size_t c = 0; c < jobs.size(); ++c) {
    const tb::Summary of = tb::summarise({&result.jobs[c]});
    rows.push_back({{"kind", to_string(file.collectives[c].kind)},
                    {"ranks", file.collectives[c].ranks.size()},
                    {"bytes", jobs[c].data.front().size()},
                    {"beats", of.beats},
                    {"cycles", of.cycles},
                    {"first_beat_cycles", of.first_beat_latency},
                    {"efficiency", of.efficiency},
                    {"mismatches", of.mismatches}});
  }
  return {{"switches", file.fabric.switches.size()},
          {"links", file.fabric.links.size()},
          {"flits_hit", hits},
          {"seed", seed},
          {"collectives", rows},
          {"mismatches", result.mismatches}};
}

void print_result(const FabricFile& file, const std::vector<tb::Job>& jobs, const tb::RunResult& result,
                  std::uint64_t hits, std::uint64_t seed) {
  const Fabric& fabric = file.fabric;
  fmt::print("{} switches, {} links of {} cycles, {} flits hit\n\n", fabric.switches.size(), fabric.links.size(),
             fabric.links.empty() ? 0 : fabric.design(fabric.links.front().leaf).link.latency, hits);
  fmt::print("{:<15}{:<42}{:>10}{:>9}{:>9}{:>12}{:>12}  {}\n", "collective", "ranks", "bytes", "beats", "cycles",
             "first beat", "efficiency", "result");
  for (std::size_t c = 0; c < jobs.size(); ++c) {
    const tb::Summary of = tb::summarise({&result.jobs[c]});
    fmt::print("{:<15}{:<42}{:>10}{:>9}{:>9}{:>12}{:>12.4f}  {}\n", to_string(file.collectives[c].kind),
               ranks_text(fabric, file.collectives[c]), jobs[c].data.front().size(), of.beats, of.cycles,
               of.first_beat_latency, of.efficiency,
               of.mismatches == 0 ? "ok" : fmt::format("{} wrong", of.mismatches));
  }
  fmt::print("\n{} mismatches, seed {}\n", result.mismatches, seed);
}

}  // namespace

void gen_fabric(const std::string& file, const DesignOptions& design, const std::string& folder, bool force,
                const std::string& json) {
  check_json(json, folder);
  const FabricFile read = read_fabric(file, design);
  const FabricPlan plan = plan_fabric(read.fabric, read.collectives);
  const std::vector<EmittedFile> files = emit_fabric(read.fabric, read.collectives, plan);
  write_output(folder, files, force);
  const auto text =
      std::find_if(files.begin(), files.end(), [](const EmittedFile& of) { return of.path == "fabric.json"; });
  if (!json.empty()) {
    write_json(json, ordered_json::parse(text->text));
    if (is_stdout(json)) return;
  }
  for (std::size_t of = 0; of < read.fabric.switches.size(); ++of) {
    const Design& d = read.fabric.switches[of].design;
    fmt::print("{}: FRED_{}({}), {} link port{}, {} of {} descriptors in use, RTL in {}\n",
               read.fabric.switches[of].name, d.middle, d.radix, d.link_ports, d.link_ports == 1 ? "" : "s",
               plan.descriptors[of].size(), d.descriptors, folder_of(read.fabric, static_cast<int>(of)));
  }
  fmt::print("{}: {} files; register writes of every switch in fabric.json\n", folder, files.size());
}

void run_fabric(const std::string& file, const DesignOptions& design, const FabricRun& run) {
  if (!(run.link_errors >= 0 && run.link_errors < 1)) {
    throw InputError(fmt::format("--link-errors {}: allowed are 0 to less than 1", run.link_errors));
  }
  check_json(run.json);
  const FabricFile read = read_fabric(file, design);
  if (read.fabric.design(0).acc) {
    throw InputError(
        "--acc: over several leaves the golden result is not that of one switch; leave it out with --fabric");
  }
  if (read.collectives.empty()) throw InputError(fmt::format("--fabric {}: has no 'collectives' to run", file));
  const FabricPlan plan = plan_fabric(read.fabric, read.collectives);
  const Design large = tb::FabricEngine::large(read.fabric, static_cast<int>(read.collectives.size()));
  const std::vector<tb::Job> jobs = jobs_of(read, large, run);
  const auto beat = static_cast<std::size_t>(large.bytes());
  const std::size_t packet = std::max<std::size_t>(run.packet / beat, 1) * beat;
  for (const tb::Job& job : jobs) tb::validate(job, large, packet);
  (void)fabric_writes(read.fabric, plan, 0);  // its errors before a switch is built
  tb::Behaviour behaviour;
  behaviour.stall_in = stalls_of(run.stall_in, large, "--stall-in");
  behaviour.stall_out = stalls_of(run.stall_out, large, "--stall-out");
  behaviour.seed = run.seed;
  behaviour.honour_vc_ready = large.vcs > 1;

  tb::FabricEngine engine(read.fabric, plan, {{.flits = run.link_errors}, run.seed},
                          [&](const Design& of) { return open_switch(of, run); });
  tb::Harness harness(engine, large);
  harness.set_behaviour(behaviour);
  harness.set_idle_limit(run.timeout);
  set_up(read, plan, engine, harness);
  std::vector<tb::Traffic> traffic;
  for (std::size_t c = 0; c < jobs.size(); ++c) {
    traffic.push_back(tb::make_traffic(jobs[c], large, static_cast<int>(c), 0, packet, false));
  }
  tb::RunResult result = harness.run(traffic);
  for (std::size_t of = 0; of < read.fabric.switches.size(); ++of) {
    const std::uint32_t error = harness.read(tb::FabricEngine::address(static_cast<int>(of), RegisterMap::kError)).data;
    if (error == 0) continue;
    ++result.mismatches;
    result.messages.push_back(fmt::format("{}: ERROR is {:#x}", read.fabric.switches[of].name, error));
  }

  if (!run.json.empty()) write_json(run.json, result_json(read, jobs, result, engine.hits(), run.seed));
  if (!is_stdout(run.json)) print_result(read, jobs, result, engine.hits(), run.seed);
  for (const std::string& message : result.messages) fmt::print(stderr, "{}\n", message);
  if (!result.hang.empty()) fmt::print(stderr, "{}\n", result.hang);
  if (result.mismatches != 0) set_exit_code(1);
}

}  // namespace fred::cli
