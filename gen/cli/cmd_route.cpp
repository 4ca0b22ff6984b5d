// SPDX-License-Identifier: Apache-2.0
// `fred route`: whether groups or flows fit into a network together, how, and if not, why and in how many rounds; with
// --registers also what to write into the registers of a switch for collectives on them.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>

#include "fred/cli/commands.hpp"
#include "fred/cli/design_options.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/cli/kept_registers.hpp"
#include "fred/cli/kept_routes.hpp"
#include "fred/cli/parallelism_route.hpp"
#include "fred/cli/route_answer.hpp"
#include "fred/cli/route_registers.hpp"
#include "fred/cli/svg_output.hpp"
#include "fred/error.hpp"
#include "fred/network/network.hpp"
#include "fred/route/broken.hpp"
#include "fred/route/program_header.hpp"
#include "fred/route/route.hpp"

namespace fred::cli {
namespace {

struct RouteOptions {
  int radix = 8;
  int middle = 3;
  std::string groups;
  std::string flows;
  std::string json;
  std::string broken;
  KeepOptions keep;
  const CLI::Option* radix_option = nullptr;
  const CLI::Option* middle_option = nullptr;
  std::string svg;  ///< --svg
  const CLI::Option* groups_option = nullptr;
  const CLI::Option* flows_option = nullptr;
  ParallelismOptions parallelism;
  RegisterOptions registers;
};

std::vector<Ranks> read_ranks(const RouteOptions& options) {
  const bool groups = options.groups_option->count() > 0;
  if (!groups && options.flows_option->count() == 0 && !options.broken.empty() && !options.registers.on) return {};
  if (groups == (options.flows_option->count() > 0)) {
    throw InputError("give one of --groups, --flows and --parallelism, for example --groups \"0,1,2;3,4,5\"");
  }
  const Overlap overlap = options.registers.on ? Overlap::kAllowed : Overlap::kRefused;
  std::vector<Ranks> ranks;
  if (groups) {
    for (const Group& group : parse_groups(options.groups, options.radix, overlap)) ranks.push_back({group, group});
  } else {
    for (const Flow& flow : parse_flows(options.flows, options.radix, overlap)) ranks.push_back({flow.in, flow.out});
  }
  return ranks;
}

std::vector<Flow> flows_of(const std::vector<Ranks>& ranks) {
  std::vector<Flow> flows;
  for (const Ranks& of : ranks) flows.push_back({flow_of(of.in).in, flow_of(of.out).out});
  return flows;
}

/// Flows beside those of --keep.
void run_kept(const RouteOptions& options) {
  if (!options.registers.c_header.empty()) {
    throw InputError("--c-header: tables of a whole program, which --keep does not write anew; leave out one of them");
  }
  check_json(options.json);
  check_svg(options.svg, {{"--json", options.json}, {"--keep", options.keep.file}});
  const KeptRoutes kept = read_kept(options.keep);
  for (const auto& [option, given, of_file] : {std::tuple{options.radix_option, options.radix, kept.radix},
                                               std::tuple{options.middle_option, options.middle, kept.middle}}) {
    if (option->count() > 0 && given != of_file) {
      throw InputError(fmt::format("{} {}: the routes of --keep are for {}", option->get_name(), given, of_file));
    }
  }
  RouteOptions here = options;
  here.radix = kept.radix;
  here.middle = kept.middle;
  const Network network = make_network(here.radix, here.middle);
  LinkSet broken = parse_broken(options.broken, network);
  unite(broken, parse_broken(kept.broken, network));
  std::vector<Ranks> ranks;
  if (options.groups_option->count() + options.flows_option->count() > 0) ranks = read_ranks(here);
  const std::vector<Flow> flows = flows_of(ranks);
  Design design;
  KeptRegisters registers;
  std::vector<Collective> added;
  if (options.registers.on) {
    design = options.registers.design_of(kept.radix, kept.middle);
    registers = read_kept_registers(options.keep, kept, design);
    added = read_collectives(options.registers, design, ranks, flows);
  }
  const KeptAnswer result = add_to_kept(network, kept.running, flows, broken, options.keep.move);
  std::optional<ProgramChange> change;
  if (options.registers.on && !result.refused) {
    change = change_program(design, network, registers.running, registers.removed, added, result.answer.routes,
                            options.registers.epoch);
  }
  write_svg(options.svg, network, result.answer.flows, result.answer.routes, result.answer.rounds, broken);
  // Nothing changes where something is refused: least of all the file that it was to be added to.
  if (!options.json.empty() && !(result.refused && same_file(options.json, options.keep.file))) {
    nlohmann::ordered_json json = to_json(network, result.answer, broken);
    json["routable"] = json["routable"].get<bool>() && !result.refused && result.answer.rounds.size() <= 1;
    if (!result.lost.empty()) json["broken"]["lost_flows"] = result.lost;
    json["would_move"] = result.would_move;
    json["refused"] = result.refused ? nlohmann::ordered_json(*result.refused) : nullptr;
    if (options.registers.on) {
      json["registers"] = change ? registers_json(design, program_after(design, *change)) : nullptr;
      json["change"] = change ? change_json(*change) : nullptr;
    }
    write_json(options.json, json);
  }
  if (!is_stdout(options.json) && !is_stdout(options.svg)) {
    print_answer(network, result.answer, broken);
    if (change) print_change(design, *change);
  }
  std::fflush(stdout);
  if (result.refused) throw RouteError(*result.refused);
}

void run(const RouteOptions& options) {
  if (!options.keep.file.empty()) {
    run_kept(options);
    return;
  }
  if (!options.registers.c_header.empty()) {
    if (same_file(options.registers.c_header, options.json)) {
      throw InputError(fmt::format("--c-header {}: is also the file of --json", options.registers.c_header));
    }
    check_output("--c-header", options.registers.c_header, true);
  }
  check_json(options.json);
  check_svg(options.svg, {{"--json", options.json}, {"--c-header", options.registers.c_header}});
  if (!options.parallelism.parallelism.empty()) {
    std::optional<int> radix;
    if (options.radix_option->count() > 0) radix = options.radix;
    route_parallelism(options.parallelism, options.registers, radix, options.middle,
                      {options.json, options.svg, options.broken});
    return;
  }
  Design design;
  if (options.registers.on) design = options.registers.design_of(options.radix, options.middle);
  const Network network = make_network(options.radix, options.middle);
  const LinkSet broken = parse_broken(options.broken, network);
  const std::vector<Ranks> ranks = read_ranks(options);
  std::vector<Flow> flows = flows_of(ranks);
  std::optional<Program> program;
  std::vector<int> trees;
  std::vector<Collective> collectives;
  if (options.registers.on) collectives = read_collectives(options.registers, design, ranks, flows);
  std::vector<Flow> routed;  // as trees: an all-to-all finds ways where a tree does not
  for (std::size_t f = 0; f < collectives.size(); ++f) {
    if (collectives[f].kind != Kind::kAllToAll) routed.push_back(flows[f]);
  }
  if (options.registers.on && lost_flows(network, routed, broken).empty()) {
    program = make_program(design, network, collectives, {options.registers.epoch, false, broken, {}});
  }
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (!options.registers.on || collectives[f].kind != Kind::kAllToAll) trees.push_back(static_cast<int>(f));
  }
  const Answer answer = program ? answer_of(network, *program, std::move(flows), std::move(trees), broken)
                                : find_answer(network, std::move(flows), std::move(trees), broken);
  write_svg(options.svg, network, answer.flows, answer.routes, answer.rounds, broken);
  if (program && !options.registers.c_header.empty()) {
    write_text("--c-header", options.registers.c_header,
               program_header(design, *program, c_name_of(options.registers.c_header)));
  }
  if (!options.json.empty()) {
    nlohmann::ordered_json json = to_json(network, answer, broken);
    if (options.registers.on) json["registers"] = program ? registers_json(design, *program) : nullptr;
    write_json(options.json, json);
  }
  if (!is_stdout(options.json) && !is_stdout(options.registers.c_header) && !is_stdout(options.svg)) {
    print_answer(network, answer, broken);
    if (program) print_registers(design, *program);
    if (options.registers.on && !program) fmt::print("\nno registers: not all flows have a route\n");
    std::fflush(stdout);
  }
  check_answer(network, answer, broken);
}

}  // namespace

void add_route(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("route", "Route groups or flows through a network, or say why they do not fit together");
  const auto options = std::make_shared<RouteOptions>();
  options->radix_option =
      command->add_option("--radix", options->radix, "P, ports: 2..4096; by --parallelism as many as ranks")
          ->capture_default_str();
  options->middle_option =
      command->add_option("--middle", options->middle, "m, middle subnetworks a level: 2..16")->capture_default_str();
  options->groups_option =
      command->add_option("--groups", options->groups,
                          "groups of ports, each in rank order: \"0,1,2;3,4,5\"; a group is routed as its all-reduce");
  options->flows_option = command->add_option("--flows", options->flows, "flows as inputs>outputs: \"3,4>2;1>3,5\"");
  command->add_option("--json", options->json, kJsonHelp)->type_name("FILE");
  command
      ->add_option("--broken", options->broken,
                   "parts that no route may use, \"R0,m1.RD,R2>m0.R1\": microswitches, and links from one to another; "
                   "fred info --parts names them")
      ->type_name("LIST");
  options->keep.add_to(*command);
  command->add_option("--svg", options->svg, kSvgHelp)->type_name("FILE");
  add_parallelism_options(*command, options->parallelism);
  command->get_option("--keep")->excludes(command->get_option("--parallelism"));
  options->registers.add_to(*command);
  command->footer(
      "Exactly one of --groups, --flows and --parallelism (--keep and --broken do without). Exit code 3: the flows, "
      "or\n"
      "those of a phase, do not fit into one round, or some are lost with broken parts; the fewest rounds that they\n"
      "take, and the route of each flow in its round, are printed all the same. The answer is exact: a SAT solver\n"
      "decides what a search does not.\n"
      "Examples:\n"
      "  fred route --radix 8 --middle 3 --groups \"0,1,2;3,4,5\"\n"
      "  fred route --radix 6 --flows \"3,4>2;1>3,5\" --json -\n"
      "  fred route --parallelism mp=2,dp=5,pp=2 --json job.json\n"
      "  fred route --parallelism mp=2,dp=3,pp=2 --radix 14 --broken \"D2>port4,m0.R2\"\n"
      "  fred route --radix 8 --groups \"0,2,6;1,3;4,5,7\" --svg routes.svg\n"
      "  fred route --radix 8 --groups \"0,3,6\" --registers --collective broadcast --root 2 --epoch 1\n"
      "  fred route --radix 4 --groups \"0,1;2,3;0,1,2,3\" --registers --vcs 2 --vc 0,0,1\n"
      "  fred route --radix 12 --groups \"0,2,4;1,6,8;3,7,10;5,9,11\"    (exit code 3: needs --middle 4)\n"
      "  fred route --radix 8 --groups \"0,1,2;3,4,5\" --broken \"m0.R1,D2>port4\"\n"
      "  fred route --keep routes.json --remove 1 --groups \"5,6\" --json routes.json\n"
      "  fred route --keep routes.json --groups \"6,7\" --registers    (what to write while the others run)");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
