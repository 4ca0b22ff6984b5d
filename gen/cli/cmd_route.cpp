// SPDX-License-Identifier: Apache-2.0
// `fred route`: whether groups or flows fit into a network together, how, and if not, why and in how many rounds.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fred/cli/commands.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/error.hpp"
#include "fred/network/network.hpp"
#include "fred/numeric/reduce.hpp"
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
};

struct Answer {
  std::vector<Flow> flows;
  std::vector<std::vector<int>> rounds;  // indices of flows
  std::vector<Route> routes;             // by flow, in its round
  std::optional<Conflict> conflict;
};

std::vector<Flow> read_flows(const RouteOptions& options) {
  const bool groups = options.groups_option->count() > 0;
  if (groups == (options.flows_option->count() > 0)) {
    throw InputError("give either --groups or --flows, for example --groups \"0,1,2;3,4,5\"");
  }
  if (!groups) return parse_flows(options.flows, options.radix);
  std::vector<Flow> flows;
  for (const Group& group : parse_groups(options.groups, options.radix)) flows.push_back(flow_of(group));
  return flows;
}

Answer find_routes(const Network& network, std::vector<Flow> flows) {
  Answer answer{std::move(flows), {}, {}, {}};
  RouteResult together = route_flows(network, answer.flows);
  if (together.routable()) {
    answer.rounds.emplace_back(answer.flows.size());
    for (std::size_t f = 0; f < answer.flows.size(); ++f) answer.rounds[0][f] = static_cast<int>(f);
    answer.routes = std::move(together.routes);
    return answer;
  }
  answer.conflict = std::move(together.conflict);
  answer.rounds = route_rounds(network, answer.flows);
  answer.routes.resize(answer.flows.size());
  for (const auto& round : answer.rounds) {
    std::vector<Flow> members;
    for (const int f : round) members.push_back(answer.flows[f]);
    const RouteResult result = route_flows(network, members);
    for (std::size_t i = 0; i < round.size(); ++i) answer.routes[round[i]] = result.routes[i];
  }
  return answer;
}

nlohmann::ordered_json to_json(const Network& network, const Answer& answer) {
  using Json = nlohmann::ordered_json;
  Json routes = Json::array();
  for (std::size_t f = 0; f < answer.flows.size(); ++f) {
    const Flow& flow = answer.flows[f];
    routes.push_back(
        {{"in", flow.in}, {"out", flow.out}, {"colours", answer.routes[f].colours}, {"tree", tree_text(flow.in)}});
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

void print_text(const Network& network, const Answer& answer) {
  std::vector<std::string> names;
  std::size_t width = 4;
  for (const Flow& flow : answer.flows) {
    names.push_back(to_string(flow));
    width = std::max(width, names.back().size());
  }
  const bool one = answer.rounds.size() == 1;
  fmt::print("FRED_{}({}): {} flow{} in {} round{}\n\n", network.middle, network.radix, names.size(),
             names.size() == 1 ? "" : "s", answer.rounds.size(), one ? "" : "s");
  fmt::print("round  flow  {:<{}}  colours  tree\n", "in>out", width);
  for (std::size_t round = 0; round < answer.rounds.size(); ++round) {
    for (const int f : answer.rounds[round]) {
      const auto& colours = answer.routes[f].colours;
      fmt::print("{:>5}  {:>4}  {:<{}}  {:<7}  {}\n", round, f, names[f], width,
                 colours.empty() ? "-" : fmt::format("{}", fmt::join(colours, ",")), tree_text(answer.flows[f].in));
    }
  }
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
  const Network network = make_network(options.radix, options.middle);
  const Answer answer = find_routes(network, read_flows(options));
  if (!options.json.empty()) write_json(options.json, to_json(network, answer));
  if (!is_stdout(options.json)) {
    print_text(network, answer);
    std::fflush(stdout);
  }
  if (!answer.conflict) return;
  const int enough = enough_middles(network, answer.flows);
  throw RouteError(fmt::format("{}. They take {} rounds{}", answer.conflict->reason, answer.rounds.size(),
                               enough > 0 ? fmt::format("; --middle {} routes all at once", enough) : ""));
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
  command->footer(
      "Exactly one of --groups and --flows. Exit code 3: the flows do not fit into one round; the rounds that they\n"
      "take, and the route of each flow in its round, are printed all the same.\n"
      "Examples:\n"
      "  fred route --radix 8 --middle 3 --groups \"0,1,2;3,4,5\"\n"
      "  fred route --radix 6 --flows \"3,4>2;1>3,5\" --json -\n"
      "  fred route --radix 12 --groups \"0,2,4;1,6,8;3,7,10;5,9,11\"    (exit code 3: needs --middle 4)");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
