// SPDX-License-Identifier: Apache-2.0
// `fred run`: generates a switch, lets Verilator build it (cached), runs collectives on it and checks every bit.
// First everything is checked (plan_run), then the switch is built, then the phases run one after another.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>

#include "fred/cli/commands.hpp"
#include "fred/cli/design_options.hpp"
#include "fred/cli/fabric_commands.hpp"
#include "fred/cli/fabric_file.hpp"
#include "fred/cli/json_input.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/cli/run_outcome.hpp"
#include "fred/cli/static_options.hpp"
#include "fred/emit/emit.hpp"
#include "fred/emit/temporary.hpp"
#include "fred/error.hpp"
#include "fred/route/broken.hpp"
#include "tb/counters.hpp"
#include "tb/harness.hpp"
#include "tb/model_build.hpp"
#include "tb/npy.hpp"
#include "tb/replay.hpp"
#include "tb/verilator_engine.hpp"
#include "tb/workload.hpp"

namespace fred::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

struct RunOptions {
  DesignOptions design;
  StaticOptions constants;
  std::string collectives = "allreduce";
  std::string groups, flows;
  int root = 0, vc = 0;
  std::string op = "sum";
  std::string data, out;
  bool convert = false;
  std::size_t bytes = 4096, packet = 4096;
  std::uint64_t seed = 1;
  std::string stall_in, stall_out;
  std::string trace, vectors, cache, json;
  bool one_round = false;
  std::string broken, counts;
  std::uint64_t timeout = 5000;
  std::string fabric;
  double link_errors = 0;
  const CLI::Option* groups_option = nullptr;
  const CLI::Option* flows_option = nullptr;
};

/// The type of the elements in files, of which a run has one; barriers have no elements. Throws InputError if its
/// collectives have several.
DType file_type(const RunOptions& options, const Plan& plan) {
  const std::vector<DType> types = plan.design.dtypes();
  std::optional<int> type;
  for (const tb::Phase& phase : plan.phases) {
    for (const tb::Entry& entry : phase.entries) {
      if (entry.kind == Kind::kBarrier) continue;
      if (!type) type = entry.type;
      if (entry.type == *type || (options.data.empty() && options.out.empty())) continue;
      throw InputError(fmt::format("--collective {}: with {} all must be on one element type", options.collectives,
                                   options.data.empty() ? "--out" : "--data"));
    }
  }
  return types[static_cast<std::size_t>(type.value_or(0))];
}

/// All jobs of a phase, entry by entry.
std::vector<tb::Job> jobs_of(const Plan& plan, const tb::Phase& phase) {
  std::vector<tb::Job> jobs;
  for (const tb::Entry& entry : phase.entries) {
    for (tb::Job& job : tb::make_jobs(entry, plan.sets, plan.design, plan.job)) jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<tb::RankSet> read_sets(const RunOptions& options, int radix) {
  if (options.flows_option->count() > 0) return tb::rank_sets(parse_flows(options.flows, radix, Overlap::kAllowed));
  if (options.groups_option->count() > 0) return tb::rank_sets(parse_groups(options.groups, radix, Overlap::kAllowed));
  Group all;
  for (int port = 0; port < radix; ++port) all.push_back(port);
  return tb::rank_sets(std::vector<Group>{all});
}

/// --counts: a list a rank, of elements for each rank.
std::vector<std::vector<std::size_t>> read_counts(const std::string& file) {
  const nlohmann::json value = read_json("--counts", file);
  const auto fail = [&](const std::string& what) { throw InputError(fmt::format("--counts {}: {}", file, what)); };
  if (!value.is_array() || value.empty()) fail("a list of lists is needed, [[0,2],[3,1]]: row i from rank i");
  std::vector<std::vector<std::size_t>> counts;
  for (const nlohmann::json& row : value) {
    if (!row.is_array() || row.size() != value.size()) {
      fail(
          fmt::format("row {} is {}: {} numbers are needed, as many as rows", counts.size(), shown(row), value.size()));
    }
    std::vector<std::size_t>& numbers = counts.emplace_back();
    for (const nlohmann::json& number : row) {
      if (!number.is_number_integer() || number < 0 || number > kMaxBytes) {
        fail(fmt::format("row {} has {}: allowed are 0..{} elements", counts.size() - 1, shown(number), kMaxBytes));
      }
      numbers.push_back(number.get<std::size_t>());
    }
    if (std::accumulate(numbers.begin(), numbers.end(), std::size_t{0}) > kMaxBytes) {
      fail(fmt::format("row {} adds up to more than {} elements", counts.size() - 1, kMaxBytes));
    }
  }
  return counts;
}

/// Throws InputError unless the counts suit every all-to-all of the run.
void check_counts(const Plan& plan) {
  bool used = false;
  for (const tb::Phase& phase : plan.phases) {
    for (const tb::Entry& entry : phase.entries) {
      if (entry.kind != Kind::kAllToAll) continue;
      used = true;
      for (const int group : entry.groups) {
        const std::size_t ranks = plan.sets[static_cast<std::size_t>(group)].in.size();
        if (ranks == plan.counts.size()) continue;
        throw InputError(fmt::format("--counts: {} rows, but group {} has {} ranks", plan.counts.size(), group, ranks));
      }
    }
  }
  if (!used) throw InputError("--counts: is of alltoall, which --collective does not name");
}

/// The options of the fixed-function form, with those that `run` has for every switch.
StaticOptions form_of(const RunOptions& options) {
  StaticOptions form = options.constants;
  form.one_round = options.one_round;
  return form;
}

/// Reads and checks all there is to check before a switch is built.
void plan_run(const RunOptions& options, Plan& plan) {
  plan.design = options.design.design();
  plan.network = make_network(plan.design.radix, plan.design.middle);
  plan.broken = parse_broken(options.broken, plan.network);
  plan.sets = read_sets(options, plan.design.radix);
  if (options.vc < 0 || options.vc >= plan.design.vcs) {
    throw InputError(fmt::format("--vc {}: allowed are 0..{}{}", options.vc, plan.design.vcs - 1,
                                 plan.design.vcs == 1 ? "; --vcs gives the switch more" : ""));
  }
  plan.phases = tb::parse_collectives(options.collectives, static_cast<int>(plan.sets.size()), plan.design.dtypes(),
                                      plan.design.vcs, options.vc);
  plan.job = {options.root, parse_op(options.op), options.bytes, nullptr, options.seed, nullptr};
  if (!options.counts.empty()) {
    plan.counts = read_counts(options.counts);
    check_counts(plan);
    plan.job.counts = &plan.counts;
  }
  if (options.constants.on) {
    if (!options.vectors.empty()) throw InputError("--vectors: of a switch with registers only; leave out --static");
    if (!plan.broken.empty()) throw InputError("--broken: of a switch with registers only; leave out --static");
    plan.design = static_design(options.design, form_of(options), plan.phases, plan.sets, plan.job);
  }
  plan.behaviour.stall_in = tb::parse_stalls(options.stall_in, plan.design.radix, "--stall-in");
  plan.behaviour.stall_out = tb::parse_stalls(options.stall_out, plan.design.radix, "--stall-out");
  plan.behaviour.seed = options.seed;
  plan.behaviour.honour_vc_ready = plan.design.vcs > 1;  // without it a full buffer of one VC stops the others
  if (!options.trace.empty() && !options.trace.ends_with(".fst")) {
    throw InputError(fmt::format("--trace {}: waveforms are written as FST; the name must end in .fst", options.trace));
  }
  tb::check_trace(options.trace);
  if (!options.out.empty()) check_output("--out", options.out, false);
  std::error_code different;
  if (!options.data.empty() && !options.out.empty() && fs::equivalent(options.data, options.out, different)) {
    throw InputError(
        fmt::format("--out {}: is the folder of --data, whose files the results would replace", options.out));
  }
  if (!options.vectors.empty()) check_output("--vectors", options.vectors, false);
  check_json(options.json);
  if (options.bytes > kMaxBytes)
    throw InputError(fmt::format("--bytes {}: allowed are 0..{}", options.bytes, kMaxBytes));

  const auto beat = static_cast<std::size_t>(plan.design.bytes());
  if (options.packet == 0 || options.packet > kMaxBytes) {
    throw InputError(fmt::format("--packet {}: allowed are 1..{}", options.packet, kMaxBytes));
  }
  plan.packet = std::max<std::size_t>(options.packet / beat, 1) * beat;

  const DType dtype = file_type(options, plan);
  if (!options.data.empty()) {
    int ranks = 0;
    for (const tb::RankSet& set : plan.sets) ranks += static_cast<int>(set.in.size());
    plan.files = tb::read_rank_files(options.data, ranks, dtype, options.convert);
    plan.job.files = &plan.files;
  } else if (options.convert) {
    throw InputError("--convert needs --data");
  }
  const auto element = static_cast<std::size_t>(element_bits(dtype)) / 8;
  if (!options.out.empty() && options.data.empty() && options.bytes % element != 0) {
    throw InputError(
        fmt::format("--out: {} bytes are no whole number of {} elements", options.bytes, to_string(dtype)));
  }
  for (const tb::Phase& phase : plan.phases) {
    const std::vector<tb::Job> jobs = jobs_of(plan, phase);
    for (const tb::Job& job : jobs) tb::validate(job, plan.design, plan.packet);
    if (!plan.design.static_form)
      (void)tb::make_setup(plan.design, plan.network, jobs, plan.program(0, options.one_round));
  }
}

tb::BuiltModel build(const RunOptions& options, const Design& design) {
  tb::BuildOptions build_options;
  build_options.cache = options.cache;
  build_options.trace = !options.trace.empty();
  build_options.on_build = [] {
    fmt::print(stderr, "building the switch with Verilator ...\n");
    std::fflush(stderr);
  };
  return tb::build_model(tb::design_sources(design), build_options);
}

/// Says on standard error which files of ranks in `folder` are not among those that this run has written there.
void name_older_results(const fs::path& folder, const std::vector<std::string>& written) {
  std::vector<std::string> older;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool of_rank = name.starts_with("rank") && name.ends_with(".npy");
    if (of_rank && std::find(written.begin(), written.end(), name) == written.end()) older.push_back(name);
  }
  if (older.empty()) return;
  std::sort(older.begin(), older.end());
  fmt::print(stderr, "fred: --out {}: not of this run, and left there: {}\n", folder.string(), fmt::join(older, ", "));
}

/// Writes what the ranks received: rankNN.npy, in a folder of its own for each phase if there are several. All files of
/// a phase or none.
void write_results(const RunOptions& options, const Plan& plan, std::size_t phase_index,
                   const std::vector<tb::Traffic>& traffic) {
  const tb::Phase& phase = plan.phases[phase_index];
  fs::path folder = options.out;
  if (plan.phases.size() > 1) {
    const bool mixed = phase.entries.size() > 1;
    folder /= fmt::format("{}-{}", phase_index, mixed ? "mixed" : tb::to_string(phase.entries.front().kind));
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError(fmt::format("--out {}: {}", folder.string(), error.message()));
  const TemporaryFolder staging(temporary_beside(folder / "ranks", "out"));
  std::vector<std::string> names;
  std::size_t job = 0;
  for (const tb::Entry& entry : phase.entries) {
    for (const int group : entry.groups) {
      const tb::Traffic& results = traffic[job++];
      for (std::size_t r = 0; r < results.sinks.size(); ++r) {
        if (results.sinks[r].packets.empty()) continue;  // receives nothing: not the root
        const int rank = plan.sets[static_cast<std::size_t>(group)].first_out + static_cast<int>(r);
        names.push_back(fmt::format("rank{:02}.npy", rank));
        if (fs::is_directory(folder / names.back())) {
          throw InputError(fmt::format("--out: {} is a folder", (folder / names.back()).string()));
        }
        tb::write_npy(staging.path() / names.back(), file_type(options, plan), results.results[r]);
      }
    }
  }
  for (const std::string& name : names) fs::rename(staging.path() / name, folder / name);
  name_older_results(folder, names);
}

/// First accepted to last delivered beat if every round goes at full rate: rounds add up, the latency comes once.
std::optional<std::uint64_t> predict(const Plan& plan, std::size_t phase, const tb::Setup& setup,
                                     const std::vector<tb::Job>& jobs, const std::vector<tb::Traffic>& traffic) {
  for (const tb::Entry& entry : plan.phases[phase].entries) {
    if (entry.start > 0) return std::nullopt;
  }
  auto cycles = static_cast<std::uint64_t>(plan.design.first_beat_latency());
  for (const std::vector<int>& round : setup.rounds) {
    std::uint64_t longest = 0;
    for (const int job : round) {
      const auto j = static_cast<std::size_t>(job);
      longest = std::max(longest, tb::cycles_alone(jobs[j], traffic[j], plan.design));
    }
    cycles += longest;
  }
  return cycles;
}

/// Runs one phase; false when the switch hangs, so that nothing further can run.
bool run_phase(const RunOptions& options, const Plan& plan, std::size_t index, tb::Harness& harness, Outcome& outcome) {
  const std::vector<tb::Job> jobs = jobs_of(plan, plan.phases[index]);
  const bool is_static = plan.design.static_form.has_value();
  const int epoch = is_static ? 0 : static_cast<int>(index % 16);
  // Without registers the descriptors of all phases are there, one phase's behind the other's.
  std::size_t first = 0;
  for (std::size_t before = 0; is_static && before < index; ++before)
    first += jobs_of(plan, plan.phases[before]).size();
  const tb::Setup setup = is_static
                              ? tb::static_setup(plan.design, plan.network, first, jobs.size())
                              : tb::make_setup(plan.design, plan.network, jobs, plan.program(epoch, options.one_round));
  std::vector<tb::Traffic> traffic;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    traffic.push_back(tb::make_traffic(jobs[i], plan.design, static_cast<int>(first + i),
                                       static_cast<std::uint8_t>(epoch), plan.packet, !options.out.empty()));
  }
  harness.configure(setup);
  const tb::RunResult result = harness.run(traffic);

  PhaseOutcome phase{setup.rounds, setup.at_least, predict(plan, index, setup, jobs, traffic), {}};
  std::vector<const tb::JobResult*> all;
  for (const tb::JobResult& of : result.jobs) all.push_back(&of);
  phase.summary = tb::summarise(all);
  outcome.phases.push_back(std::move(phase));
  std::size_t job = 0;
  for (const tb::Entry& entry : plan.phases[index].entries) {
    Row row{entry, 0, index, {}};
    std::vector<const tb::JobResult*> parts;
    for (std::size_t i = 0; i < entry.groups.size(); ++i, ++job) {
      parts.push_back(&result.jobs[job]);
      for (const tb::Bytes& data : jobs[job].data) row.payload_bytes = std::max(row.payload_bytes, data.size());
    }
    row.summary = tb::summarise(parts);
    outcome.rows.push_back(std::move(row));
  }
  outcome.mismatches += result.mismatches;
  for (const std::string& message : result.messages) {
    outcome.messages.push_back(fmt::format("{}: {}", tb::to_string(plan.phases[index].entries.front().kind), message));
  }
  outcome.notes.insert(outcome.notes.end(), setup.shared_time.begin(), setup.shared_time.end());
  if (!result.hang.empty()) {
    outcome.messages.push_back(result.hang);
    return false;
  }
  if (!options.out.empty()) write_results(options, plan, index, traffic);
  return true;
}

Outcome run_phases(const RunOptions& options, const Plan& plan, tb::Engine& engine) {
  tb::Harness harness(engine, plan.design);
  harness.set_behaviour(plan.behaviour);
  harness.set_idle_limit(options.timeout);
  std::unique_ptr<tb::ReplayWriter> replay;
  if (!options.vectors.empty()) {
    replay = std::make_unique<tb::ReplayWriter>(options.vectors, plan.design);
    harness.set_hook([&replay](const tb::InPins& in, const tb::OutPins& out) { replay->cycle(in, out); });
  }
  harness.reset();
  Outcome outcome;
  for (std::size_t index = 0; index < plan.phases.size(); ++index) {
    if (!run_phase(options, plan, index, harness, outcome)) break;
  }
  if (plan.design.counters) {
    tb::snapshot_counters(harness);
    outcome.counted = tb::read_counters(harness, plan.design);
  }
  if (replay) replay->close();
  if (harness.run_seconds() > 0) {
    outcome.cycles_per_second = static_cast<double>(harness.run_cycles()) / harness.run_seconds();
  }
  return outcome;
}

void run(const RunOptions& options) {
  if (!options.fabric.empty()) {
    run_fabric(options.fabric, options.design,
               {options.bytes, options.packet, options.seed, options.timeout, options.link_errors, options.stall_in,
                options.stall_out, options.cache, options.json});
    return;
  }
  Plan plan;
  plan_run(options, plan);
  const tb::BuiltModel model = build(options, plan.design);
  const std::unique_ptr<tb::Engine> engine =
      tb::open_model(model.shared_object.string(), static_cast<int>(options.seed & 0x7fffffffU), options.trace);
  const Outcome outcome = run_phases(options, plan, *engine);
  engine->close();
  if (!options.json.empty()) write_json(options.json, to_json(plan, model, outcome));
  if (!is_stdout(options.json)) print_outcome(plan, model, outcome);
  for (const std::string& message : outcome.messages) fmt::print(stderr, "{}\n", message);
  if (outcome.mismatches != 0) set_exit_code(1);
}

}  // namespace

void add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Simulate collectives on a generated switch and check every bit");
  const auto options = std::make_shared<RunOptions>();
  options->constants.add_to(*command, false);
  options->design.add_to(*command);
  const char* what = "What to run";
  command
      ->add_option("--collective", options->collectives,
                   "comma-separated list, run one after another, each on all groups at once: allreduce, reduce, "
                   "broadcast, allgather, reducescatter, gather, scatter, send, barrier, alltoall. KIND@G: on group G "
                   "(from 0) only; neighbours of this form run together. KIND:TYPE, KIND:OP, KIND:TYPE:OP, also "
                   "behind @G: on one of the types of --dtype (default: the first), with another operation than --op. "
                   "Behind that /vcN: on virtual circuit N; /rootN: with rank N as the root; /fromN: from cycle N of "
                   "the phase on")
      ->capture_default_str()
      ->group(what);
  CLI::Option* groups =
      command
          ->add_option("--groups", options->groups,
                       "ports in rank order, \"0,1,2;5,3\"; groups with ports in common take turns; default: one "
                       "group of all ports")
          ->group(what);
  options->groups_option = groups;
  options->flows_option = command->add_option("--flows", options->flows, "flows \"3,4>2;1>3,5\" instead of groups")
                              ->excludes(groups)
                              ->group(what);
  command->add_option("--root", options->root, "rank of the root within each group")
      ->capture_default_str()
      ->group(what);
  command->add_option("--op", options->op, "reduce operation: " + op_names())->capture_default_str()->group(what);
  command->add_option("--vc", options->vc, "virtual circuit of the collectives that do not say /vcN")
      ->capture_default_str()
      ->group(what);
  command->add_option("--packet", options->packet, "bytes of a packet, rounded down to whole beats")
      ->capture_default_str()
      ->group(what);
  command
      ->add_flag("--one-round", options->one_round,
                 "exit code 3 if the groups of a phase cannot all be routed together; else they take turns")
      ->group(what);
  command
      ->add_option("--broken", options->broken,
                   "parts of the network that no route may use: microswitches and links, \"R0,m1.RD,R2>m0.R1\"")
      ->type_name("LIST")
      ->group(what);
  const char* data = "Data";
  CLI::Option* bytes = command->add_option("--bytes", options->bytes, "random data: bytes of each rank's send buffer")
                           ->capture_default_str()
                           ->group(data);
  command
      ->add_option("--data", options->data,
                   "folder with rank00.npy, rank01.npy, ... (integers, <f2, <f4, <f8; <u2 for bf16, |u1 for fp8); "
                   "ranks are counted through the groups")
      ->type_name("DIR")
      ->excludes(bytes)
      ->group(data);
  command
      ->add_option(
          "--counts", options->counts,
          "JSON of elements from each rank to each rank of an alltoall, [[0,2],[3,1]]: row i from rank i; each "
          "rank's buffer is as long as its row; default: equal chunks")
      ->type_name("FILE")
      ->group(data);
  command->add_flag("--convert", options->convert, "round the files' values to --dtype, to nearest even")->group(data);
  command->add_option("--out", options->out, "write what each rank received: DIR/rankNN.npy")
      ->type_name("DIR")
      ->group(data);
  const char* simulation = "Simulation";
  command->add_option("--seed", options->seed, "of data, stalls and uninitialised registers")
      ->capture_default_str()
      ->group(simulation);
  command->add_option("--stall-in", options->stall_in, "probability of a gap before each input beat, F or PORT:F,...")
      ->type_name("F")
      ->group(simulation);
  command->add_option("--stall-out", options->stall_out, "probability of a cycle without tready, F or PORT:F,...")
      ->type_name("F")
      ->group(simulation);
  command
      ->add_option(
          "--timeout", options->timeout,
          "cycles without any movement after which the run is hung; what stalls and the latency can take is added")
      ->capture_default_str()
      ->group(simulation);
  command->add_option("--trace", options->trace, "write a waveform, in the format FST")
      ->type_name("FILE.fst")
      ->group(simulation);
  command->add_option("--vectors", options->vectors, "write every cycle's pins and a bench that replays them anywhere")
      ->type_name("DIR")
      ->group(simulation);
  command->add_option("--cache", options->cache, "folder of built switches; default $FRED_CACHE or ~/.cache/fred")
      ->type_name("DIR")
      ->group(simulation);
  command->add_option("--json", options->json, kJsonHelp)->type_name("FILE")->group(simulation);
  options->design.add_links_to(*command);
  CLI::Option* fabric = command
                            ->add_option("--fabric", options->fabric,
                                         "run the collectives of a fabric of switches, all at once: FILE is JSON "
                                         "(docs/fabrics.md); the switches have the options of this command")
                            ->type_name("FILE")
                            ->group("Link ports");
  fabric_excludes(*command, fabric,
                  {"--radix", "--collective", "--groups", "--flows", "--root", "--op", "--vc", "--one-round",
                   "--broken", "--data", "--counts", "--convert", "--out", "--trace", "--vectors", "--static"});
  command
      ->add_option("--link-errors", options->link_errors,
                   "with --fabric: share of the flits of which a word is changed or lost")
      ->capture_default_str()
      ->type_name("F")
      ->needs(fabric)
      ->group("Link ports");
  command->footer(
      "Examples:\n"
      "  fred run --radix 8 --collective allreduce,allgather,alltoall --bytes 65536\n"
      "  fred run --radix 8 --dtype fp32 --data tests/data --collective allreduce --out results\n"
      "  fred run --radix 8 --vcs 4 --collective allreduce@0/vc3,allreduce@0/vc1/from200 --bytes 16384\n"
      "  fred run --radix 4 --vcs 1 --static --collective allreduce\n"
      "  fred run --radix 4 --counters --collective allreduce --stall-out 2:0.5\n"
      "  fred run --radix 6 --groups \"0,1,2;3,4,5\" --collective allreduce@0,alltoall@1 --stall-out 2:0.5 --json -");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
