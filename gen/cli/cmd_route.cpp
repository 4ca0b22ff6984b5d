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
#include "fred/cli/kept_routes.hpp"
#include "fred/cli/parallelism_route.hpp"
#include "fred/cli/route_answer.hpp"
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
  bool registers = false;
  DesignOptions design;  // --radix and --middle are taken from above
  std::string collectives = "allreduce";
  int root = 0;
  std::string op = "sum";
  int epoch = 0;
  std::vector<int> vcs = {0};  ///< --vc: one for all or one for each
  std::string c_header;        ///< --c-header
};

/// The ports of a group or flow by rank.
struct Ranks {
  Group in, out;
};

std::vector<Ranks> read_ranks(const RouteOptions& options) {
  const bool groups = options.groups_option->count() > 0;
  if (!groups && options.flows_option->count() == 0 && !options.broken.empty() && !options.registers) return {};
  if (groups == (options.flows_option->count() > 0)) {
    throw InputError("give one of --groups, --flows and --parallelism, for example --groups \"0,1,2;3,4,5\"");
  }
  const Overlap overlap = options.registers ? Overlap::kAllowed : Overlap::kRefused;
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

/// What --collective says of a flow.
struct What {
  Kind kind;
  TypeAndOp on;
};

/// One KIND, KIND:TYPE, KIND:OP or KIND:TYPE:OP for all `count` flows, or one for each.
std::vector<What> parse_kinds(std::string_view text, std::size_t count, const std::vector<DType>& types) {
  std::vector<What> kinds;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const auto colon = item.find(':');
    kinds.push_back({parse_kind(item.substr(0, colon)), {}});
    if (colon != std::string_view::npos) kinds.back().on = parse_type_and_op(item.substr(colon + 1), types, item);
    if (kinds.back().on.op && !reduces(kinds.back().kind)) {
      throw InputError(fmt::format("--collective '{}': {} does not reduce", item, to_string(kinds.back().kind)));
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (kinds.size() == 1) kinds.resize(count, kinds.front());
  if (kinds.size() != count) {
    throw InputError(
        fmt::format("--collective {}: {} kinds for {} group{} or flow{}; allowed are one for all or one "
                    "for each",
                    text, kinds.size(), count, count == 1 ? "" : "s", count == 1 ? "" : "s"));
  }
  return kinds;
}

/// 0 where the kind has no root.
int root_port(Kind kind, const Ranks& ranks, int root) {
  if (!root_sends(kind) && !root_receives(kind)) return 0;
  const Group& side = root_sends(kind) ? ranks.in : ranks.out;
  if (root < 0 || static_cast<std::size_t>(root) >= side.size()) {
    throw InputError(
        fmt::format("--root {}: {} on {} ranks allows 0..{}", root, to_string(kind), side.size(), side.size() - 1));
  }
  return side[static_cast<std::size_t>(root)];
}

std::vector<Collective> read_collectives(const RouteOptions& options, const Design& design,
                                         const std::vector<Ranks>& ranks, const std::vector<Flow>& flows) {
  const std::vector<What> kinds = parse_kinds(options.collectives, flows.size(), design.dtypes());
  const Op op = parse_op(options.op);
  if (options.vcs.size() != 1 && options.vcs.size() != flows.size()) {
    throw InputError(
        fmt::format("--vc {}: {} virtual circuits for {} group{} or flow{}; allowed are one for all or one "
                    "for each",
                    fmt::join(options.vcs, ","), options.vcs.size(), flows.size(), flows.size() == 1 ? "" : "s",
                    flows.size() == 1 ? "" : "s"));
  }
  std::vector<Collective> collectives;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const auto& [kind, on] = kinds[f];
    const int root = root_port(kind, ranks[f], options.root);
    collectives.push_back(
        {kind, flows[f], root, on.op.value_or(op), on.type, options.vcs[options.vcs.size() == 1 ? 0 : f]});
  }
  return collectives;
}

nlohmann::ordered_json to_json(const Design& design, const Program& program) {
  using Json = nlohmann::ordered_json;
  Json registers = Json::array();
  for (std::size_t d = 0; d < program.descriptors.size(); ++d) {
    Json writes = Json::array();
    for (const RegisterWrite& write : program.writes[d]) {
      writes.push_back({{"address", write.address}, {"data", write.data}, {"name", write.name}});
    }
    const Descriptor& descriptor = program.descriptors[d];
    registers.push_back({{"descriptor", descriptor.index},
                         {"kind", to_string(descriptor.kind)},
                         {"dtype", to_string(design.dtypes()[static_cast<std::size_t>(descriptor.type)])},
                         {"vc", descriptor.vc},
                         {"op", reduces(descriptor.kind) ? Json(to_string(descriptor.op)) : Json(nullptr)},
                         {"writes", std::move(writes)},
                         {"compatible", descriptor.compatible}});
  }
  return registers;
}

void print_text(const Design& design, const Program& program) {
  const int digits = (RegisterMap(design).address_bits + 3) / 4;
  const int width = std::max(7, digits + 2);  // "address"
  for (std::size_t d = 0; d < program.descriptors.size(); ++d) {
    fmt::print("\ndescriptor {}: {} on flow {}\n{:<{}}  value       register     meaning\n", d,
               to_string(program.descriptors[d].kind), d, "address", width);
    for (const RegisterWrite& write : program.writes[d]) {
      fmt::print("{:<{}}  {:#010x}  {:<11}  {}\n", fmt::format("0x{:0{}x}", write.address, digits), width, write.data,
                 write.name, write.meaning);
    }
  }
  if (!program.shared_time.empty()) fmt::print("\n");
  for (const std::string& note : program.shared_time) fmt::print("share time: {}\n", note);
}

/// Flows beside those of --keep.
void run_kept(const RouteOptions& options) {
  if (options.registers) throw InputError("--keep: gives routes only; leave out --registers");
  if (!options.json.empty() && !is_stdout(options.json)) check_output("--json", options.json, true);
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
  const LinkSet before = parse_broken(kept.broken, network);
  if (broken.empty()) broken = before;
  for (std::size_t i = 0; i < before.size(); ++i) broken[i] = broken[i] || before[i];
  std::vector<Flow> flows;
  if (options.groups_option->count() + options.flows_option->count() > 0) flows = flows_of(read_ranks(here));
  const KeptAnswer result = add_to_kept(network, kept.running, flows, broken, options.keep.move);
  write_svg(options.svg, network, result.answer.flows, result.answer.routes, result.answer.rounds, broken);
  // Nothing changes where something is refused: least of all the file that it was to be added to.
  if (!options.json.empty() && !(result.refused && same_file(options.json, options.keep.file))) {
    nlohmann::ordered_json json = to_json(network, result.answer, broken);
    json["routable"] = json["routable"].get<bool>() && !result.refused && result.answer.rounds.size() <= 1;
    if (!result.lost.empty()) json["broken"]["lost_flows"] = result.lost;
    json["would_move"] = result.would_move;
    json["refused"] = result.refused ? nlohmann::ordered_json(*result.refused) : nullptr;
    write_json(options.json, json);
  }
  if (!is_stdout(options.json) && !is_stdout(options.svg)) print_answer(network, result.answer, broken);
  std::fflush(stdout);
  if (result.refused) throw RouteError(*result.refused);
}

void run(const RouteOptions& options) {
  if (!options.keep.file.empty()) {
    run_kept(options);
    return;
  }
  if (!options.parallelism.parallelism.empty()) {
    if (options.registers) {
      throw InputError(
          "--registers: not with --parallelism; give the groups of all phases as --groups, with --vc one for each");
    }
    std::optional<int> radix;
    if (options.radix_option->count() > 0) radix = options.radix;
    return route_parallelism(options.parallelism, radix, options.middle, options.json);
  }
  Design design;
  if (!options.c_header.empty()) {
    if (same_file(options.c_header, options.json)) {
      throw InputError(fmt::format("--c-header {}: is also the file of --json", options.c_header));
    }
    check_output("--c-header", options.c_header, true);
  }
  if (!options.json.empty() && !is_stdout(options.json)) check_output("--json", options.json, true);
  check_svg(options.svg, {{"--json", options.json}, {"--c-header", options.c_header}});
  if (options.registers) {
    DesignOptions with = options.design;
    with.base.radix = options.radix;
    with.base.middle = options.middle;
    with.width = 64;  // of which registers say nothing; every element type fits
    design = with.design();
  }
  const Network network = make_network(options.radix, options.middle);
  const LinkSet broken = parse_broken(options.broken, network);
  const std::vector<Ranks> ranks = read_ranks(options);
  std::vector<Flow> flows = flows_of(ranks);
  std::optional<Program> program;
  std::vector<int> trees;
  std::vector<Collective> collectives;
  if (options.registers) collectives = read_collectives(options, design, ranks, flows);
  if (options.registers && lost_flows(network, flows, broken).empty()) {
    program = make_program(design, network, collectives, {options.epoch, false, broken});
  }
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (!program || program->descriptors[f].kind != Kind::kAllToAll) trees.push_back(static_cast<int>(f));
  }
  const Answer answer = program ? answer_of(network, *program, std::move(flows), std::move(trees), broken)
                                : find_answer(network, std::move(flows), std::move(trees), broken);
  write_svg(options.svg, network, answer.flows, answer.routes, answer.rounds, broken);
  if (program && !options.c_header.empty()) {
    write_text("--c-header", options.c_header, program_header(design, *program, c_name_of(options.c_header)));
  }
  if (!options.json.empty()) {
    nlohmann::ordered_json json = to_json(network, answer, broken);
    if (options.registers) json["registers"] = program ? to_json(design, *program) : nullptr;
    write_json(options.json, json);
  }
  if (!is_stdout(options.json) && !is_stdout(options.c_header) && !is_stdout(options.svg)) {
    print_answer(network, answer, broken);
    if (program) print_text(design, *program);
    if (options.registers && !program) fmt::print("\nno registers: not all flows have a route\n");
    std::fflush(stdout);
  }
  check_answer(network, answer, broken);
}

/// --registers, and what has a meaning with it only.
void add_register_options(CLI::App& command, const std::shared_ptr<RouteOptions>& options) {
  constexpr const char* kGroup = "Registers";
  CLI::Option* registers =
      command
          .add_flag("--registers", options->registers,
                    "also print what to write into the registers: descriptor i for group i. Groups or flows may "
                    "then have ports in common, and take turns")
          ->group(kGroup);
  command
      .add_option(
          "--collective", options->collectives,
          "KIND for all or KIND,KIND.. for each group or flow: allreduce, reduce, broadcast, allgather, "
          "reducescatter, gather, scatter, send, barrier, alltoall. KIND:TYPE, KIND:OP, KIND:TYPE:OP: on one of "
          "the types of --dtype (default: the first), with another operation than --op")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--root", options->root, "rank of the root within each group (a flow's ranks ascend by port)")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--op", options->op, "reduce operation: " + op_names())->capture_default_str()->group(kGroup);
  command.add_option("--epoch", options->epoch, "epoch of the descriptors: 0..15")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--vc", options->vcs,
                  "virtual circuit, VC for all or VC,VC.. for each group or flow: 0..V-1 of --vcs")
      ->delimiter(',')
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--c-header", options->c_header,
                  "write them also as C tables for fred_driver.h to FILE (docs/driver.md); - is standard output, and "
                  "nothing else goes there")
      ->type_name("FILE")
      ->group(kGroup);
  options->design.add_registers_to(command, kGroup);
  for (const char* name : {"--collective", "--root", "--op", "--epoch", "--vc", "--c-header", "--dtype", "--ops",
                           "--descriptors", "--alltoall-tables", "--vcs"}) {
    command.get_option(name)->needs(registers);
  }
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
  for (const char* name : {"--keep", "--broken", "--svg"}) {
    command->get_option(name)->excludes(command->get_option("--parallelism"));
  }
  add_register_options(*command, options);
  command->footer(
      "Exactly one of --groups, --flows and --parallelism (--keep and --broken do without). Exit code 3: the flows, or "
      "those of "
      "a\n"
      "phase, do not fit into one round, or some are lost with broken parts; the fewest rounds that they take, and "
      "the\n"
      "route of each flow in its round, are printed all the same. The answer is exact: a SAT solver decides what a\n"
      "search does not.\n"
      "Examples:\n"
      "  fred route --radix 8 --middle 3 --groups \"0,1,2;3,4,5\"\n"
      "  fred route --radix 6 --flows \"3,4>2;1>3,5\" --json -\n"
      "  fred route --parallelism mp=2,dp=5,pp=2 --json job.json\n"
      "  fred route --radix 8 --groups \"0,2,6;1,3;4,5,7\" --svg routes.svg\n"
      "  fred route --radix 8 --groups \"0,3,6\" --registers --collective broadcast --root 2 --epoch 1\n"
      "  fred route --radix 4 --groups \"0,1;2,3;0,1,2,3\" --registers --vcs 2 --vc 0,0,1\n"
      "  fred route --radix 12 --groups \"0,2,4;1,6,8;3,7,10;5,9,11\"    (exit code 3: needs --middle 4)\n"
      "  fred route --radix 8 --groups \"0,1,2;3,4,5\" --broken \"m0.R1,D2>port4\"\n"
      "  fred route --keep routes.json --remove 1 --groups \"5,6\" --json routes.json");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
