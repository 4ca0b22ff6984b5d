// SPDX-License-Identifier: Apache-2.0
// `fred route`: whether groups or flows fit into a network together, how, and if not, why and in how many rounds; with
// --registers also what to write into the registers of a switch for collectives on them.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "fred/cli/commands.hpp"
#include "fred/cli/design_options.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/error.hpp"
#include "fred/network/network.hpp"
#include "fred/numeric/tree.hpp"
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
  const CLI::Option* groups_option = nullptr;
  const CLI::Option* flows_option = nullptr;
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

struct Answer {
  std::vector<Flow> flows;
  std::vector<int> trees;                // indices of the flows that are routed as one tree: all but all-to-alls
  std::vector<std::vector<int>> rounds;  // of trees: indices of flows
  std::vector<Route> routes;             // by flow, in its round; blank for an all-to-all
  std::optional<Conflict> conflict;
};

std::vector<Ranks> read_ranks(const RouteOptions& options) {
  const bool groups = options.groups_option->count() > 0;
  if (groups == (options.flows_option->count() > 0)) {
    throw InputError("give either --groups or --flows, for example --groups \"0,1,2;3,4,5\"");
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

std::vector<Flow> select(const std::vector<Flow>& flows, const std::vector<int>& indices) {
  std::vector<Flow> selected;
  for (const int f : indices) selected.push_back(flows[f]);
  return selected;
}

/// Says of a conflict among the trees alone which flows it is about: its indices and its sentence count trees only.
Conflict in_flows(Conflict conflict, const std::vector<int>& trees) {
  for (int& flow : conflict.flows) flow = trees[flow];
  conflict.reason =
      fmt::format("flows {} cannot be routed together: they collide at level {} in {}", fmt::join(conflict.flows, ", "),
                  conflict.level, fmt::join(conflict.microswitches, ", "));
  return conflict;
}

Answer find_routes(const Network& network, std::vector<Flow> flows, std::vector<int> trees) {
  Answer answer{std::move(flows), std::move(trees), {}, {}, {}};
  const std::vector<Flow> routed = select(answer.flows, answer.trees);
  answer.routes.resize(answer.flows.size());
  RouteResult together = route_flows(network, routed);
  if (together.routable()) {
    if (!answer.trees.empty()) answer.rounds.push_back(answer.trees);
    for (std::size_t i = 0; i < routed.size(); ++i) answer.routes[answer.trees[i]] = together.routes[i];
    return answer;
  }
  answer.conflict = routed.size() == answer.flows.size() ? std::move(together.conflict)
                                                         : in_flows(*std::move(together.conflict), answer.trees);
  for (const auto& round : route_rounds(network, routed)) {
    const RouteResult result = route_flows(network, select(routed, round));
    answer.rounds.emplace_back();
    for (std::size_t i = 0; i < round.size(); ++i) {
      const int flow = answer.trees[round[i]];
      answer.rounds.back().push_back(flow);
      answer.routes[flow] = result.routes[i];
    }
  }
  return answer;
}

bool overlap(const std::vector<Flow>& flows) {
  for (std::size_t a = 0; a < flows.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (share_a_port(flows[a], flows[b])) return true;
    }
  }
  return false;
}

/// Where flows share ports they share time: rounds of those that the program lets go together.
Answer rounds_of(const Program& program, std::vector<Flow> flows, std::vector<int> trees) {
  Answer answer{std::move(flows), std::move(trees), {}, {}, {}};
  answer.routes.resize(answer.flows.size());
  for (const int f : answer.trees) {
    const Descriptor& descriptor = program.descriptors[static_cast<std::size_t>(f)];
    answer.routes[static_cast<std::size_t>(f)] = descriptor.route;
    const auto fits = [&](const std::vector<int>& round) {
      return std::all_of(round.begin(), round.end(), [&](int other) {
        return std::find(descriptor.compatible.begin(), descriptor.compatible.end(), other) !=
               descriptor.compatible.end();
      });
    };
    const auto round = std::find_if(answer.rounds.begin(), answer.rounds.end(), fits);
    if (round != answer.rounds.end()) {
      round->push_back(f);
    } else {
      answer.rounds.push_back({f});
    }
  }
  return answer;
}

bool is_tree(const Answer& answer, std::size_t flow) {
  return std::binary_search(answer.trees.begin(), answer.trees.end(), static_cast<int>(flow));
}

nlohmann::ordered_json to_json(const Network& network, const Answer& answer) {
  using Json = nlohmann::ordered_json;
  Json routes = Json::array();
  for (std::size_t f = 0; f < answer.flows.size(); ++f) {
    const Flow& flow = answer.flows[f];
    Json route = {{"in", flow.in}, {"out", flow.out}, {"colours", nullptr}, {"tree", nullptr}};
    if (is_tree(answer, f)) {
      route["colours"] = answer.routes[f].colours;
      route["tree"] = tree_text(flow.in);
    }
    routes.push_back(std::move(route));
  }
  Json conflict = nullptr;
  if (answer.conflict) {
    conflict = {{"flows", answer.conflict->flows},
                {"level", answer.conflict->level},
                {"microswitches", answer.conflict->microswitches},
                {"reason", answer.conflict->reason}};
  }
  return {{"radix", network.radix},      {"middle", network.middle}, {"routable", !answer.conflict.has_value()},
          {"routes", std::move(routes)}, {"rounds", answer.rounds},  {"conflict", std::move(conflict)}};
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

/// "3 flows in 2 rounds", ", 1 all-to-all".
std::string summary(const Answer& answer) {
  const std::size_t trees = answer.trees.size();
  const std::size_t others = answer.flows.size() - trees;
  std::string text;
  if (trees > 0) {
    text = fmt::format("{} flow{} in {} round{}", trees, trees == 1 ? "" : "s", answer.rounds.size(),
                       answer.rounds.size() == 1 ? "" : "s");
  }
  if (others > 0) {
    text += fmt::format("{}{} all-to-all{} by table", trees > 0 ? ", " : "", others, others == 1 ? "" : "s");
  }
  return text;
}

void print_text(const Network& network, const Answer& answer) {
  std::vector<std::string> names;
  std::size_t width = 4;
  for (const Flow& flow : answer.flows) {
    names.push_back(to_string(flow));
    width = std::max(width, names.back().size());
  }
  fmt::print("FRED_{}({}): {}\n\n", network.middle, network.radix, summary(answer));
  fmt::print("round  flow  {:<{}}  colours  tree\n", "in>out", width);
  for (std::size_t round = 0; round < answer.rounds.size(); ++round) {
    for (const int f : answer.rounds[round]) {
      const auto& colours = answer.routes[f].colours;
      fmt::print("{:>5}  {:>4}  {:<{}}  {:<7}  {}\n", round, f, names[f], width,
                 colours.empty() ? "-" : fmt::format("{}", fmt::join(colours, ",")), tree_text(answer.flows[f].in));
    }
  }
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (!is_tree(answer, f)) fmt::print("{:>5}  {:>4}  {:<{}}  entries  -\n", "-", f, names[f], width);
  }
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

/// The smallest number of middles with which all flows route together, or 0 if more than 8 are needed.
int enough_middles(const Network& network, const std::vector<Flow>& flows) {
  for (int middle = network.middle + 1; middle <= 8; ++middle) {
    try {
      if (route_flows(make_network(network.radix, middle), flows).routable()) return middle;
    } catch (const InputError&) {  // too large to build
      return 0;
    }
  }
  return 0;
}

void run(const RouteOptions& options) {
  Design design;
  if (!options.c_header.empty()) {
    if (options.c_header == options.json) {
      throw InputError(fmt::format("--c-header {}: is also the file of --json", options.c_header));
    }
    check_output("--c-header", options.c_header, true);
  }
  if (options.registers) {
    DesignOptions with = options.design;
    with.base.radix = options.radix;
    with.base.middle = options.middle;
    with.width = 64;  // of which registers say nothing; every element type fits
    design = with.design();
  }
  const Network network = make_network(options.radix, options.middle);
  const std::vector<Ranks> ranks = read_ranks(options);
  std::vector<Flow> flows;
  for (const Ranks& of : ranks) flows.push_back({flow_of(of.in).in, flow_of(of.out).out});
  std::optional<Program> program;
  std::vector<int> trees;
  if (options.registers) {
    const std::vector<Collective> collectives = read_collectives(options, design, ranks, flows);
    program = make_program(design, network, collectives, options.epoch, /*share_time=*/true);
  }
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (!program || program->descriptors[f].kind != Kind::kAllToAll) trees.push_back(static_cast<int>(f));
  }
  const Answer answer = program && overlap(flows) ? rounds_of(*program, std::move(flows), std::move(trees))
                                                  : find_routes(network, std::move(flows), std::move(trees));
  if (!options.c_header.empty()) {
    write_text("--c-header", options.c_header, program_header(design, *program, c_name_of(options.c_header)));
  }
  if (!options.json.empty()) {
    nlohmann::ordered_json json = to_json(network, answer);
    if (program) json["registers"] = to_json(design, *program);
    write_json(options.json, json);
  }
  if (!is_stdout(options.json) && !is_stdout(options.c_header)) {
    print_text(network, answer);
    if (program) print_text(design, *program);
    std::fflush(stdout);
  }
  if (!answer.conflict) return;
  const int enough = enough_middles(network, select(answer.flows, answer.trees));
  throw RouteError(fmt::format("{}. They take {} rounds{}", answer.conflict->reason, answer.rounds.size(),
                               enough > 0 ? fmt::format("; --middle {} routes all at once", enough) : ""));
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
  command->add_option("--radix", options->radix, "P, ports: 2..4096")->capture_default_str();
  command->add_option("--middle", options->middle, "m, middle subnetworks a level: 2..16")->capture_default_str();
  options->groups_option =
      command->add_option("--groups", options->groups,
                          "groups of ports, each in rank order: \"0,1,2;3,4,5\"; a group is routed as its all-reduce");
  options->flows_option = command->add_option("--flows", options->flows, "flows as inputs>outputs: \"3,4>2;1>3,5\"");
  command->add_option("--json", options->json, kJsonHelp)->type_name("FILE");
  add_register_options(*command, options);
  command->footer(
      "Exactly one of --groups and --flows. Exit code 3: the flows do not fit into one round; the rounds that they\n"
      "take, and the route of each flow in its round, are printed all the same.\n"
      "Examples:\n"
      "  fred route --radix 8 --middle 3 --groups \"0,1,2;3,4,5\"\n"
      "  fred route --radix 6 --flows \"3,4>2;1>3,5\" --json -\n"
      "  fred route --radix 8 --groups \"0,3,6\" --registers --collective broadcast --root 2 --epoch 1\n"
      "  fred route --radix 4 --groups \"0,1;2,3;0,1,2,3\" --registers --vcs 2 --vc 0,0,1\n"
      "  fred route --radix 12 --groups \"0,2,4;1,6,8;3,7,10;5,9,11\"    (exit code 3: needs --middle 4)");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
