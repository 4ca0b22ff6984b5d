// SPDX-License-Identifier: Apache-2.0
// Trees first, in as few rounds as possible; trees of different rounds are then kept apart where that costs nothing.
// All-to-alls follow one by one, each clear of all that is there if it can be. Where one cannot, all are routed anew at
// once (jointly.hpp), for all pairs that could run side by side, or for as many as can be had.
#include "fred/route/program_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fred/error.hpp"
#include "fred/route/broken.hpp"
#include "fred/route/cross_phase.hpp"
#include "fred/route/jointly.hpp"

namespace fred::detail {
namespace {

/// By pair of descriptors.
using Pairs = std::vector<std::vector<char>>;

/// The flows that are routed as trees.
struct Trees {
  std::vector<Flow> flows;
  std::vector<int> collective;  ///< by flow
  std::vector<int> of;          ///< by collective: index of its flow; -1: an all-to-all
};

Trees trees_of(const std::vector<Collective>& collectives) {
  Trees trees;
  for (const Collective& collective : collectives) {
    if (collective.kind == Kind::kAllToAll) {
      trees.of.push_back(-1);
      continue;
    }
    trees.of.push_back(static_cast<int>(trees.flows.size()));
    trees.collective.push_back(static_cast<int>(trees.of.size()) - 1);
    trees.flows.push_back(collective.flow);
  }
  return trees;
}

/// Throws RouteError if the flows take more rounds than the ports that they share ask for.
void check_one_round(const Network& network, const std::vector<Flow>& flows, const Rounds& rounds,
                     const LinkSet& broken) {
  const int of_ports = rounds_of_ports(flows);
  if (rounds.count() <= of_ports) return;
  const std::optional<Conflict> conflict = conflict_beyond_ports(network, flows, broken);
  throw RouteError(fmt::format(
      "{}\nwithout --one-round they take turns; another "
      "grouping or a larger --middle may let them go at once",
      conflict ? conflict->reason
               : fmt::format("the collectives take {} rounds, of which the ports that they share ask for {}",
                             rounds.count(), of_ports)));
}

/// Keeps trees of different rounds apart where their own rounds do not suffer.
void spread(const Network& network, const std::vector<Flow>& flows, const LinkSet& broken, Rounds& rounds) {
  std::vector<Phase> phases;
  for (const std::vector<int>& round : rounds.rounds) {
    Phase& phase = phases.emplace_back();
    phase.rounds.rounds.emplace_back();
    phase.rounds.at_least = 1;
    for (const int f : round) {
      phase.rounds.rounds.front().push_back(static_cast<int>(phase.flows.size()));
      phase.flows.push_back(flows[f]);
      phase.groups.push_back(flows[f].in);
      phase.rounds.routes.push_back(rounds.routes[f]);
    }
  }
  improve_cross_phase(network, phases, broken);
  for (std::size_t r = 0; r < phases.size(); ++r) {
    for (std::size_t i = 0; i < rounds.rounds[r].size(); ++i) {
      rounds.routes[rounds.rounds[r][i]] = phases[r].rounds.routes[i];
    }
  }
}

/// Collectives that one port takes part in, on one side: they need a round each.
int busiest_port(const std::vector<Collective>& collectives, int radix) {
  std::vector<int> in(static_cast<std::size_t>(radix)), out(in);
  for (const Collective& collective : collectives) {
    for (const int port : collective.flow.in) ++in[static_cast<std::size_t>(port)];
    for (const int port : collective.flow.out) ++out[static_cast<std::size_t>(port)];
  }
  return std::max(*std::max_element(in.begin(), in.end()), *std::max_element(out.begin(), out.end()));
}

/// Disjoint groups share one table; others get the next one.
void give_tables(const Design& design, std::vector<Descriptor>& descriptors) {
  std::vector<Ports> table_ports(static_cast<std::size_t>(design.alltoall_tables));
  for (Descriptor& descriptor : descriptors) {
    if (descriptor.kind != Kind::kAllToAll) continue;
    const auto table = std::find_if(table_ports.begin(), table_ports.end(),
                                    [&](const Ports& ports) { return !share_a_port(descriptor.in, ports); });
    if (table == table_ports.end()) {
      throw InputError(fmt::format(
          "alltoall on overlapping groups at once needs more tables than the design's {}; --alltoall-tables "
          "allows up to 4",
          design.alltoall_tables));
    }
    descriptor.table = static_cast<int>(table - table_ports.begin());
    table->insert(table->end(), descriptor.in.begin(), descriptor.in.end());
    std::sort(table->begin(), table->end());
  }
}

AllToAllRoutes alltoall_of(const Network& network, const Ports& members, const std::vector<Route>& routes) {
  const std::size_t n = members.size();
  AllToAllRoutes result{std::vector<std::vector<AllToAllEntry>>(n), LinkSet(network.links.size())};
  const Wiring wiring(network);
  for (std::size_t at = 0; at < routes.size(); ++at) {
    const std::size_t step = at / n, i = at % n;
    const int source = members[i], destination = members[(i + step) % n];
    result.steps[step].push_back({source, destination, routes[at]});
    detail::add_links(wiring, {{source}, {destination}}, routes[at], result.links);
  }
  return result;
}

/// Routes of all descriptors and the links that they take, as they are found and bettered.
class Routing {
 public:
  Routing(const Network& network, const std::vector<Collective>& collectives, const LinkSet& broken)
      : network_(network), collectives_(collectives), broken_(broken), links_(collectives.size()) {}

  void take_trees(const Trees& trees, const Rounds& rounds, std::vector<Descriptor>& descriptors) {
    std::vector<int> round_of(trees.flows.size(), -1);
    for (std::size_t r = 0; r < rounds.rounds.size(); ++r) {
      for (const int f : rounds.rounds[r]) round_of[f] = static_cast<int>(r);
    }
    for (std::size_t i = 0; i < collectives_.size(); ++i) {
      round_.push_back(trees.of[i] < 0 ? -1 : round_of[trees.of[i]]);
      if (trees.of[i] < 0) continue;
      descriptors[i].route = rounds.routes[trees.of[i]];
      links_[i] = links_of(network_, collectives_[i].flow, descriptors[i].route);
    }
  }

  void add_alltoalls(std::vector<Descriptor>& descriptors) {
    for (std::size_t i = 0; i < collectives_.size(); ++i) {
      if (!alltoall(i)) continue;
      LinkSet taken = broken_;  // and by those it may share cycles with
      taken.resize(network_.links.size());
      for (std::size_t j = 0; j < collectives_.size(); ++j) {
        if (!links_[j].empty() && could_share(i, j)) unite(taken, links_[j]);
      }
      Descriptor& descriptor = descriptors[i];
      std::optional<AllToAllRoutes> routes = route_alltoall(network_, descriptor.in, taken);
      if (!routes) routes = route_alltoall(network_, descriptor.in, broken_);
      if (!routes) {
        throw RouteError(fmt::format("the all-to-all of ports {} has no routes that keep clear of the broken parts",
                                     fmt::join(descriptor.in, ",")));
      }
      descriptor.alltoall = std::move(*routes);
      links_[i] = descriptor.alltoall.links;
    }
  }

  /// Routes all anew, if all-to-alls are in the way of what could run beside them.
  void better(std::vector<Descriptor>& descriptors) {
    const std::vector<std::pair<std::size_t, std::size_t>> open = in_the_way();
    if (open.empty()) return;
    Pairs all = apart();
    for (const auto& [i, j] : open) all[i][j] = all[j][i] = 1;
    if (try_apart(all, descriptors)) return;
    for (std::size_t i = 0; i < all.size(); ++i) {  // trees of different rounds need not be
      for (std::size_t j = 0; j < all.size(); ++j) {
        if (!alltoall(i) && !alltoall(j) && round_[i] != round_[j]) all[i][j] = 0;
      }
    }
    if (try_apart(all, descriptors)) return;
    constexpr std::size_t kMostTries = 16;
    constexpr std::size_t kMostPairs = 500'000;  // of routes, over all tries
    const std::size_t tries = std::min(kMostTries, 1 + kMostPairs / (routes_to_find() * routes_to_find()));
    for (std::size_t at = 0; at < std::min(open.size(), tries); ++at) {
      Pairs more = apart();
      more[open[at].first][open[at].second] = more[open[at].second][open[at].first] = 1;
      (void)try_apart(more, descriptors);
    }
  }

  [[nodiscard]] const std::vector<LinkSet>& links() const { return links_; }

 private:
  [[nodiscard]] bool alltoall(std::size_t i) const { return collectives_[i].kind == Kind::kAllToAll; }
  [[nodiscard]] bool could_share(std::size_t i, std::size_t j) const {
    return i != j && !share_a_port(collectives_[i].flow, collectives_[j].flow);
  }

  /// Pairs with an all-to-all that could share cycles and do not.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> in_the_way() const {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      for (std::size_t j = i + 1; j < links_.size(); ++j) {
        if ((alltoall(i) || alltoall(j)) && could_share(i, j) && !disjoint(links_[i], links_[j])) {
          pairs.emplace_back(i, j);
        }
      }
    }
    return pairs;
  }

  [[nodiscard]] std::size_t routes_to_find() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < collectives_.size(); ++i) {
      const std::size_t members = collectives_[i].flow.in.size();
      count += alltoall(i) ? members * members : 1;
    }
    return count;
  }

  /// What shares no link now.
  [[nodiscard]] Pairs apart() const {
    Pairs pairs(links_.size(), std::vector<char>(links_.size()));
    for (std::size_t i = 0; i < links_.size(); ++i) {
      for (std::size_t j = 0; j < links_.size(); ++j) {
        pairs[i][j] = could_share(i, j) && disjoint(links_[i], links_[j]) ? 1 : 0;
      }
    }
    return pairs;
  }

  bool try_apart(const Pairs& pairs, std::vector<Descriptor>& descriptors) {
    std::vector<Participant> participants;
    for (const Collective& collective : collectives_) {
      participants.push_back({collective.flow, collective.kind == Kind::kAllToAll});
    }
    const auto routes = route_jointly(Obstacles(network_, broken_), participants, pairs);
    if (!routes) return false;
    for (std::size_t i = 0; i < collectives_.size(); ++i) {
      if (alltoall(i)) {
        descriptors[i].alltoall = alltoall_of(network_, descriptors[i].in, (*routes)[i]);
        links_[i] = descriptors[i].alltoall.links;
      } else {
        descriptors[i].route = (*routes)[i].front();
        links_[i] = links_of(network_, collectives_[i].flow, descriptors[i].route);
      }
    }
    return true;
  }

  const Network& network_;
  const std::vector<Collective>& collectives_;
  const LinkSet& broken_;
  std::vector<LinkSet> links_;  // by descriptor; empty: not routed yet
  std::vector<int> round_;      // by descriptor: of the trees; -1: an all-to-all
};

}  // namespace

std::vector<LinkSet> route_program(const Design& design, const Network& network,
                                   const std::vector<Collective>& collectives, const ProgramOptions& options,
                                   Program& program) {
  if (collectives.empty()) return {};
  give_tables(design, program.descriptors);
  const Trees trees = trees_of(collectives);
  if (!options.broken.empty()) {
    std::vector<int> lost = lost_flows(network, trees.flows, options.broken);
    for (int& flow : lost) flow = trees.collective[flow];
    if (!lost.empty()) throw RouteError(loss_text(network, lost, options.broken));
  }
  if (!options.routes.empty() && options.routes.size() != collectives.size()) {
    throw InputError(fmt::format("{} routes for {} collectives", options.routes.size(), collectives.size()));
  }
  Rounds rounds;
  if (options.routes.empty()) {
    rounds = route_rounds(network, trees.flows, options.broken);
    if (options.one_round && rounds.count() > 1) check_one_round(network, trees.flows, rounds, options.broken);
    if (rounds.count() > 1) spread(network, trees.flows, options.broken, rounds);
  } else {
    for (const int collective : trees.collective) rounds.routes.push_back(options.routes[collective]);
    rounds.at_least = rounds_of_ports(trees.flows);
  }
  Routing routing(network, collectives, options.broken);
  routing.take_trees(trees, rounds, program.descriptors);
  routing.add_alltoalls(program.descriptors);
  routing.better(program.descriptors);

  program.trees_at_least = rounds.at_least;
  program.at_least = std::max(rounds.at_least, busiest_port(collectives, design.radix));
  for (const std::vector<int>& round : rounds.rounds) {
    std::vector<int>& descriptors = program.rounds.emplace_back();
    for (const int flow : round) descriptors.push_back(trees.collective[flow]);
  }
  return routing.links();
}

void join_rounds(Program& program) {
  std::vector<char> placed(program.descriptors.size());
  for (const std::vector<int>& round : program.rounds) {
    for (const int d : round) placed[static_cast<std::size_t>(d)] = 1;
  }
  for (const Descriptor& descriptor : program.descriptors) {
    if (placed[static_cast<std::size_t>(descriptor.index)] != 0) continue;
    const auto fits = [&](const std::vector<int>& round) {
      return std::all_of(round.begin(), round.end(), [&](int other) {
        return std::find(descriptor.compatible.begin(), descriptor.compatible.end(), other) !=
               descriptor.compatible.end();
      });
    };
    const auto round = std::find_if(program.rounds.begin(), program.rounds.end(), fits);
    if (round != program.rounds.end()) {
      round->push_back(descriptor.index);
    } else {
      program.rounds.push_back({descriptor.index});
    }
  }
  for (std::vector<int>& round : program.rounds) std::sort(round.begin(), round.end());
  std::sort(program.rounds.begin(), program.rounds.end());
}

}  // namespace fred::detail
