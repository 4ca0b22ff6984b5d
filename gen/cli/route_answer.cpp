// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/route_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fred/error.hpp"
#include "fred/numeric/tree.hpp"

namespace fred::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Flow> select(const std::vector<Flow>& flows, const std::vector<int>& indices) {
  std::vector<Flow> selected;
  for (const int f : indices) selected.push_back(flows[f]);
  return selected;
}

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

Json to_json(const Network& network, const LinkSet& broken, const Answer& answer) {
  Json links = Json::array();
  for (std::size_t i = 0; i < broken.size(); ++i) {
    if (broken[i]) links.push_back(part_name(network, static_cast<int>(i)));
  }
  const Loss loss = loss_of(network, broken);
  return {
      {"links", std::move(links)}, {"cannot_send", loss.in}, {"cannot_receive", loss.out}, {"lost_flows", answer.lost}};
}

}  // namespace

bool Answer::is_tree(std::size_t flow) const {
  return std::binary_search(trees.begin(), trees.end(), static_cast<int>(flow));
}

Answer find_answer(const Network& network, std::vector<Flow> flows, std::vector<int> trees, const LinkSet& broken) {
  Answer answer;
  answer.flows = std::move(flows);
  answer.trees = std::move(trees);
  answer.routes.resize(answer.flows.size());
  answer.min_middle = min_middle(network.radix, select(answer.flows, answer.trees));
  std::vector<int> alive = answer.trees;
  if (!broken.empty()) {
    for (const int f : lost_flows(network, select(answer.flows, answer.trees), broken)) {
      answer.lost.push_back(answer.trees[f]);
      std::erase(alive, answer.trees[f]);
    }
  }
  const std::vector<Flow> routed = select(answer.flows, alive);
  const Rounds rounds = route_rounds(network, routed, broken);
  answer.at_least = rounds.at_least;
  for (const std::vector<int>& round : rounds.rounds) {
    answer.rounds.emplace_back();
    for (const int f : round) answer.rounds.back().push_back(alive[f]);
  }
  for (std::size_t i = 0; i < alive.size(); ++i) answer.routes[alive[i]] = rounds.routes[i];
  if (rounds.count() > 1) {
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

Json to_json(const Network& network, const Answer& answer, const LinkSet& broken) {
  Json routes = Json::array();
  for (std::size_t f = 0; f < answer.flows.size(); ++f) {
    const Flow& flow = answer.flows[f];
    Json route = {{"in", flow.in}, {"out", flow.out}, {"colours", nullptr}, {"tree", nullptr}};
    const bool lost = std::binary_search(answer.lost.begin(), answer.lost.end(), static_cast<int>(f));
    if (answer.is_tree(f) && !lost) {
      route["colours"] = answer.routes[f].colours;
      route["tree"] = tree_text(flow.in);
    }
    routes.push_back(std::move(route));
  }
  return {{"radix", network.radix},
          {"middle", network.middle},
          {"routable", !answer.conflict.has_value() && answer.lost.empty()},
          {"routes", std::move(routes)},
          {"rounds", answer.rounds},
          {"at_least", answer.at_least},
          {"min_middle", answer.min_middle ? Json(*answer.min_middle) : Json(nullptr)},
          {"conflict", answer.conflict ? to_json(*answer.conflict) : Json(nullptr)},
          {"broken", broken.empty() ? Json(nullptr) : to_json(network, broken, answer)},
          {"kept", answer.kept},
          {"moved", answer.moved}};
}

void print_answer(const Network& network, const Answer& answer, const LinkSet& broken) {
  std::vector<std::string> names;
  std::size_t width = 4;
  for (const Flow& flow : answer.flows) {
    names.push_back(to_string(flow));
    width = std::max(width, names.back().size());
  }
  fmt::print("FRED_{}({}): {}\n", network.middle, network.radix, answer.flows.empty() ? "no flows" : summary(answer));
  if (!broken.empty()) {
    const Loss loss = loss_of(network, broken);
    fmt::print("broken: {} links; ports that cannot send: {}; that cannot receive: {}\n",
               std::count(broken.begin(), broken.end(), true), ports_text(loss.in), ports_text(loss.out));
  }
  if (answer.flows.empty()) return;
  fmt::print("\n");
  fmt::print("round  flow  {:<{}}  colours  tree\n", "in>out", width);
  for (std::size_t round = 0; round < answer.rounds.size(); ++round) {
    for (const int f : answer.rounds[round]) {
      const auto& colours = answer.routes[f].colours;
      fmt::print("{:>5}  {:>4}  {:<{}}  {:<7}  {}{}\n", round, f, names[f], width,
                 colours.empty() ? "-" : fmt::format("{}", fmt::join(colours, ",")), tree_text(answer.flows[f].in),
                 std::binary_search(answer.moved.begin(), answer.moved.end(), f) ? "  (moved)" : "");
    }
  }
  for (const int f : answer.lost) fmt::print("{:>5}  {:>4}  {:<{}}  lost     -\n", "-", f, names[f], width);
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (!answer.is_tree(f)) fmt::print("{:>5}  {:>4}  {:<{}}  entries  -\n", "-", f, names[f], width);
  }
}

}  // namespace fred::cli
