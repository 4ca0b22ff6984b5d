// SPDX-License-Identifier: Apache-2.0
// What `fred route` finds out about flows, and how it tells it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/broken.hpp"
#include "fred/route/program.hpp"
#include "fred/route/route.hpp"

namespace fred::cli {

/// Flows, in the order given, and how they go through the network.
struct Answer {
  std::vector<Flow> flows;
  std::vector<int> trees;                ///< indices of the flows that are routed as one tree: all but all-to-alls
  std::vector<int> lost;                 ///< of the trees, those without any route beside the broken parts
  std::vector<std::vector<int>> rounds;  ///< of the other trees: indices of flows
  int at_least = 0;                      ///< they do not go in fewer rounds: proved
  std::vector<Route> routes;             ///< by flow, in its round; blank for an all-to-all and for what is lost
  std::optional<Conflict> conflict;      ///< why the trees do not go at once
  std::optional<int> min_middle;         ///< the smallest m that routes the trees at once in a network without faults
  int kept = 0;                          ///< with --keep: so many flows ran before, and come first
  std::vector<int> moved;                ///< of these, those with another route than before
  [[nodiscard]] bool is_tree(std::size_t flow) const;
};

/// Routes the trees among the flows.
[[nodiscard]] Answer find_answer(const Network& network, std::vector<Flow> flows, std::vector<int> trees,
                                 const LinkSet& broken);
/// The same where flows share ports: they share time in the rounds of `program`. A conflict is there only if they take
/// more rounds than their ports ask for.
[[nodiscard]] Answer answer_of(const Network& network, const Program& program, std::vector<Flow> flows,
                               std::vector<int> trees, const LinkSet& broken);

/// Throws RouteError if the trees do not all go in one round, with all there is to say about that.
void check_answer(const Network& network, const Answer& answer, const LinkSet& broken);

[[nodiscard]] nlohmann::ordered_json to_json(const Network& network, const Answer& answer, const LinkSet& broken);
[[nodiscard]] nlohmann::ordered_json to_json(const Conflict& conflict);
/// {in, out, colours, tree}; without a route the last two are null.
[[nodiscard]] nlohmann::ordered_json route_json(const Flow& flow, const Route* route);

/// {links, cannot_send, cannot_receive}; null where nothing is broken.
[[nodiscard]] nlohmann::ordered_json broken_json(const Network& network, const LinkSet& broken);
/// A line with the same; none where nothing is broken.
void print_broken(const Network& network, const LinkSet& broken);

/// The table of flows by round; `moved`, ascending, are marked. Returns the width of the column of flows.
std::size_t print_rounds(const std::vector<Flow>& flows, const std::vector<Route>& routes,
                         const std::vector<std::vector<int>>& rounds, const std::vector<int>& moved = {});
/// A row below it, for a flow that is in no round; `what` in the place of colours. `width` is that of print_rounds.
void print_without_round(std::size_t index, const Flow& flow, std::size_t width, const char* what);
void print_answer(const Network& network, const Answer& answer, const LinkSet& broken);

}  // namespace fred::cli
