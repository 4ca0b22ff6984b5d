// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/route_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fred/error.hpp"
#include "fred/numeric/tree.hpp"

namespace fred::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Says of a conflict among some of the flows which flows it is about: its indices and its sentence count those only.
Conflict in_flows(Conflict conflict, const std::vector<int>& indices) {
  for (int& flow : conflict.flows) flow = indices[flow];
  conflict.reason =
      fmt::format("flows {} cannot be routed together: they collide at level {} in {}", fmt::join(conflict.flows, ", "),
                  conflict.level, fmt::join(conflict.microswitches, ", "));
  return conflict;
}

std::string plural(std::size_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

std::string ports_text(const Ports& ports) { return ports.empty() ? "none" : fmt::format("{}", fmt::join(ports, ",")); }

/// "3 flows in 2 rounds", ", 1 all-to-all".
std::string summary(const Answer& answer) {
  const std::size_t trees = answer.trees.size();
  const std::size_t others = answer.flows.size() - trees;
  std::string text;
  if (trees > 0) {
    text = fmt::format("{} in {}", plural(trees, "flow"), plural(answer.rounds.size(), "round"));
    if (!answer.lost.empty()) text += fmt::format(", {} of them lost", answer.lost.size());
  }
  if (others > 0) text += fmt::format("{}{} by table", trees > 0 ? ", " : "", plural(others, "all-to-all"));
  return text;
}

}  // namespace

bool Answer::is_tree(std::size_t flow) const {
  return std::binary_search(trees.begin(), trees.end(), static_cast<int>(flow));
}

Answer find_answer(const Network& network, std::vector<Flow> flows, std::vector<int> trees, const LinkSet& broken) {
  Answer answer;
  answer.flows = std::move(flows);
  answer.trees = std::move(trees);
  answer.min_middle = min_middle(network.radix, select(answer.flows, answer.trees));
  std::vector<int> alive = answer.trees;
  if (!broken.empty()) {
    for (const int f : lost_flows(network, select(answer.flows, answer.trees), broken)) {
      answer.lost.push_back(answer.trees[f]);
      std::erase(alive, answer.trees[f]);
    }
  }
  const std::vector<Flow> routed = select(answer.flows, alive);
  Rounds rounds = renumbered(route_rounds(network, routed, broken), alive, answer.flows.size());
  answer.at_least = rounds.at_least;
  answer.rounds = std::move(rounds.rounds);
  answer.routes = std::move(rounds.routes);
  if (answer.rounds.size() > 1) {
    answer.conflict = route_flows(network, routed, broken).conflict;  // all at once do not route
    if (alive.size() != answer.flows.size()) answer.conflict = in_flows(*std::move(answer.conflict), alive);
  }
  return answer;
}

Answer answer_of(const Network& network, const Program& program, std::vector<Flow> flows, std::vector<int> trees,
                 const LinkSet& broken) {
  Answer answer;
  answer.flows = std::move(flows);
  answer.trees = std::move(trees);
  answer.routes.resize(answer.flows.size());
  answer.at_least = program.trees_at_least;
  answer.min_middle = min_middle(network.radix, select(answer.flows, answer.trees));
  for (const int f : answer.trees) answer.routes[f] = program.descriptors[static_cast<std::size_t>(f)].route;
  for (const std::vector<int>& round : program.rounds) {
    std::vector<int> here;
    std::copy_if(round.begin(), round.end(), std::back_inserter(here),
                 [&](int f) { return answer.is_tree(static_cast<std::size_t>(f)); });
    if (!here.empty()) answer.rounds.push_back(std::move(here));
  }
  std::sort(answer.rounds.begin(), answer.rounds.end());
  const std::vector<Flow> routed = select(answer.flows, answer.trees);
  if (static_cast<int>(answer.rounds.size()) > rounds_of_ports(routed)) {
    answer.conflict = conflict_beyond_ports(network, routed, broken);
    if (answer.conflict && answer.trees.size() != answer.flows.size()) {
      answer.conflict = in_flows(*std::move(answer.conflict), answer.trees);
    }
  }
  return answer;
}

void check_answer(const Network& network, const Answer& answer, const LinkSet& broken) {
  std::string text;
  if (!answer.lost.empty()) {
    text = loss_text(network, answer.lost, broken);
  }
  if (answer.conflict) {
    if (!text.empty()) text += ". Of the others, ";
    const bool minimal = static_cast<int>(answer.rounds.size()) == answer.at_least;
    text += fmt::format("{}. They take {} rounds, {}{}", answer.conflict->reason, answer.rounds.size(),
                        minimal ? "no fewer" : fmt::format("at least {}", answer.at_least),
                        broken.empty() && answer.min_middle && *answer.min_middle > network.middle
                            ? fmt::format("; --middle {} routes all at once", *answer.min_middle)
                            : "");
  }
  if (!text.empty()) throw RouteError(text);
}

Json to_json(const Conflict& conflict) {
  return {{"flows", conflict.flows},
          {"minimum", conflict.minimum},
          {"level", conflict.level},
          {"microswitches", conflict.microswitches},
          {"reason", conflict.reason}};
}

Json route_json(const Flow& flow, const Route* route) {
  Json json = {{"in", flow.in}, {"out", flow.out}, {"colours", nullptr}, {"tree", nullptr}};
  if (route != nullptr) {
    json["colours"] = route->colours;
    json["tree"] = tree_text(flow.in);
  }
  return json;
}

Json broken_json(const Network& network, const LinkSet& broken) {
  if (broken.empty()) return nullptr;
  Json links = Json::array();
  for (std::size_t i = 0; i < broken.size(); ++i) {
    if (broken[i]) links.push_back(part_name(network, static_cast<int>(i)));
  }
  const Loss loss = loss_of(network, broken);
  return {{"links", std::move(links)}, {"cannot_send", loss.in}, {"cannot_receive", loss.out}};
}

Json to_json(const Network& network, const Answer& answer, const LinkSet& broken) {
  Json of_broken = broken_json(network, broken);
  if (!of_broken.is_null()) of_broken["lost_flows"] = answer.lost;
  Json routes = Json::array();
  for (std::size_t f = 0; f < answer.flows.size(); ++f) {
    const bool lost = std::binary_search(answer.lost.begin(), answer.lost.end(), static_cast<int>(f));
    routes.push_back(route_json(answer.flows[f], answer.is_tree(f) && !lost ? &answer.routes[f] : nullptr));
  }
  return {{"radix", network.radix},
          {"middle", network.middle},
          {"routable", !answer.conflict.has_value() && answer.lost.empty()},
          {"routes", std::move(routes)},
          {"rounds", answer.rounds},
          {"at_least", answer.at_least},
          {"min_middle", answer.min_middle ? Json(*answer.min_middle) : Json(nullptr)},
          {"conflict", answer.conflict ? to_json(*answer.conflict) : Json(nullptr)},
          {"broken", std::move(of_broken)},
          {"kept", answer.kept},
          {"moved", answer.moved}};
}

std::size_t print_rounds(const std::vector<Flow>& flows, const std::vector<Route>& routes,
                         const std::vector<std::vector<int>>& rounds, const std::vector<int>& moved) {
  const auto colours_of = [&](std::size_t f) {
    return routes[f].colours.empty() ? std::string("-") : fmt::format("{}", fmt::join(routes[f].colours, ","));
  };
  std::size_t width = 4;
  std::size_t colours = 7;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    width = std::max(width, to_string(flows[f]).size());
    colours = std::max(colours, colours_of(f).size());
  }
  fmt::print("round  flow  {:<{}}  {:<{}}  tree\n", "in>out", width, "colours", colours);
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    for (const int f : rounds[round]) {
      const auto at = static_cast<std::size_t>(f);
      fmt::print("{:>5}  {:>4}  {:<{}}  {:<{}}  {}{}\n", round, f, to_string(flows[at]), width, colours_of(at), colours,
                 tree_text(flows[at].in), std::binary_search(moved.begin(), moved.end(), f) ? "  (moved)" : "");
    }
  }
  return width;
}

void print_broken(const Network& network, const LinkSet& broken) {
  if (broken.empty()) return;
  const Loss loss = loss_of(network, broken);
  fmt::print("broken: {} links; ports that cannot send: {}; that cannot receive: {}\n",
             std::count(broken.begin(), broken.end(), true), ports_text(loss.in), ports_text(loss.out));
}

void print_without_round(std::size_t index, const Flow& flow, std::size_t width, const char* what) {
  fmt::print("{:>5}  {:>4}  {:<{}}  {:<7}  -\n", "-", index, to_string(flow), width, what);
}

void print_answer(const Network& network, const Answer& answer, const LinkSet& broken) {
  fmt::print("FRED_{}({}): {}\n", network.middle, network.radix, answer.flows.empty() ? "no flows" : summary(answer));
  print_broken(network, broken);
  if (answer.flows.empty()) return;
  fmt::print("\n");
  const std::size_t width = print_rounds(answer.flows, answer.routes, answer.rounds, answer.moved);
  for (const int f : answer.lost) {
    print_without_round(static_cast<std::size_t>(f), answer.flows[static_cast<std::size_t>(f)], width, "lost");
  }
  for (std::size_t f = 0; f < answer.flows.size(); ++f) {
    if (!answer.is_tree(f)) print_without_round(f, answer.flows[f], width, "entries");
  }
}

}  // namespace fred::cli
