// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/kept_routes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "fred/cli/kept_file.hpp"
#include "fred/error.hpp"

namespace fred::cli {
namespace {

using Json = nlohmann::json;

constexpr int kMostPorts = 4096;

void remove_flows(Running& running, const std::vector<int>& removed) {
  Running rest;
  std::vector<int> place(running.flows.size(), -1);
  for (std::size_t f = 0; f < running.flows.size(); ++f) {
    if (std::find(removed.begin(), removed.end(), static_cast<int>(f)) != removed.end()) continue;
    place[f] = static_cast<int>(rest.flows.size());
    rest.flows.push_back(running.flows[f]);
    rest.routes.push_back(running.routes[f]);
  }
  for (const std::vector<int>& round : running.rounds) {
    std::vector<int> left;
    for (const int f : round) {
      if (place[static_cast<std::size_t>(f)] >= 0) left.push_back(place[static_cast<std::size_t>(f)]);
    }
    if (!left.empty()) rest.rounds.push_back(std::move(left));
  }
  running = std::move(rest);
}

/// Flows and their routes; a flow without one must be among the `removed`, and gets none.
void read_routes(const KeptFile& reader, const std::vector<int>& removed, KeptRoutes& kept) {
  const std::size_t levels = make_outline(kept.radix, kept.middle).shapes.size();
  const Json& routes = reader.list(reader.field("routes"), "routes");
  for (std::size_t f = 0; f < routes.size(); ++f) {
    const std::string place = fmt::format("routes[{}]", f);
    const Json& colours = reader.field(routes[f], place, "colours");
    const bool stays = std::find(removed.begin(), removed.end(), static_cast<int>(f)) == removed.end();
    if (colours.is_null() && stays) {
      reader.fail(place, "has no colours: an all-to-all or a lost flow cannot be kept; --remove takes it out");
    }
    const auto side = [&](const char* name) {
      Ports ports = reader.numbers(reader.field(routes[f], place, name), place + "." + name, 0, kept.radix - 1);
      if (ports.empty()) reader.fail(place + "." + name, "is empty");
      if (std::adjacent_find(ports.begin(), ports.end(), std::greater_equal<>()) != ports.end()) {
        reader.fail(place + "." + name, "must ascend without repetition");
      }
      return ports;
    };
    kept.running.flows.push_back({side("in"), side("out")});
    kept.running.routes.emplace_back();
    if (colours.is_null()) continue;
    kept.running.routes.back().colours = reader.numbers(colours, place + ".colours", 0, kept.middle - 1);
    if (kept.running.routes.back().colours.size() != levels) {
      reader.fail(place + ".colours", fmt::format("has {} colours: this network needs {}",
                                                  kept.running.routes.back().colours.size(), levels));
    }
  }
}

/// Every flow with a route is in one round.
void read_rounds(const KeptFile& reader, Running& running) {
  const Json& routes = reader.field("routes");
  std::set<int> seen;
  const int last = static_cast<int>(routes.size()) - 1;
  const auto without_route =
      std::count_if(routes.begin(), routes.end(), [](const Json& route) { return route["colours"].is_null(); });
  for (const Json& round : reader.list(reader.field("rounds"), "rounds")) {
    running.rounds.push_back(reader.numbers(round, "rounds", 0, last));
    for (const int f : running.rounds.back()) {
      if (!seen.insert(f).second) reader.fail("rounds", fmt::format("name flow {} twice", f));
    }
  }
  for (const int f : seen) {
    if (routes[static_cast<std::size_t>(f)]["colours"].is_null()) {
      reader.fail("rounds", fmt::format("name flow {}, which has no colours", f));
    }
  }
  if (seen.size() + static_cast<std::size_t>(without_route) != routes.size()) {
    reader.fail("rounds", fmt::format("have {} of {} flows", seen.size(), routes.size()));
  }
}

}  // namespace

void KeepOptions::add_to(CLI::App& command) {
  constexpr const char* kGroup = "Beside running flows";
  CLI::Option* keep =
      command
          .add_option("--keep", file,
                      "JSON of an earlier fred route: its flows run on their routes, and --groups or --flows, if any, "
                      "are added beside them; with --registers, as it was written, also the writes that do so in a "
                      "switch that runs")
          ->type_name("FILE")
          ->group(kGroup);
  command.add_option("--remove", remove, "first take these flows out of it, by their indices: 0,2")
      ->delimiter(',')
      ->needs(keep)
      ->group(kGroup);
  command
      .add_flag("--move", move,
                "give running flows other routes where that is needed, as few as possible; else exit code 3")
      ->needs(keep)
      ->group(kGroup);
}

KeptRoutes read_kept(const KeepOptions& options) {
  const KeptFile reader(options.file);
  KeptRoutes kept;
  kept.radix = static_cast<int>(reader.number(reader.field("radix"), "radix", 2, kMostPorts));
  kept.middle = static_cast<int>(reader.number(reader.field("middle"), "middle", 2, 16));
  read_routes(reader, options.remove, kept);
  read_rounds(reader, kept.running);
  const int last = static_cast<int>(kept.running.flows.size()) - 1;
  for (const int f : options.remove) {
    if (f < 0 || f > last) {
      throw InputError(last < 0 ? fmt::format("--remove {}: the file has no flows", f)
                                : fmt::format("--remove {}: allowed are the flows of the file, 0..{}", f, last));
    }
  }
  remove_flows(kept.running, options.remove);
  kept.broken = reader.broken();
  return kept;
}

KeptAnswer add_to_kept(const Network& network, const Running& running, const std::vector<Flow>& flows,
                       const LinkSet& broken, bool move) {
  const Change change = add_flows(network, running, flows, broken);
  KeptAnswer result;
  Answer& answer = result.answer;
  answer.kept = static_cast<int>(running.flows.size());
  answer.conflict = change.conflict;
  const bool allowed = !change.conflict && (move || change.moved.empty());
  answer.flows = running.flows;
  answer.routes = running.routes;
  answer.rounds = running.rounds;
  if (allowed) {
    answer.flows.insert(answer.flows.end(), flows.begin(), flows.end());
    answer.routes = change.routes;
    answer.moved = change.moved;
    for (int f = answer.kept; f < static_cast<int>(answer.flows.size()); ++f) {
      const auto fits = [&](const std::vector<int>& round) {
        return std::none_of(round.begin(), round.end(),
                            [&](int other) { return share_a_port(answer.flows[other], answer.flows[f]); });
      };
      const auto round = std::find_if(answer.rounds.begin(), answer.rounds.end(), fits);
      if (round != answer.rounds.end()) {
        round->push_back(f);
      } else {
        answer.rounds.push_back({f});
      }
    }
  }
  for (std::size_t f = 0; f < answer.flows.size(); ++f) answer.trees.push_back(static_cast<int>(f));
  answer.at_least =
      answer.rounds.size() > 1 ? route_rounds(network, answer.flows).at_least : static_cast<int>(answer.rounds.size());
  answer.min_middle = min_middle(network.radix, answer.flows);
  const std::string what = flows.empty() ? "the routes cannot stay as they are" : "nothing is added";
  std::vector<Flow> all = running.flows;
  all.insert(all.end(), flows.begin(), flows.end());
  if (!broken.empty()) result.lost = lost_flows(network, all, broken);
  if (!result.lost.empty()) {
    result.refused = fmt::format("{}: {}", what, loss_text(network, result.lost, broken));
  } else if (change.conflict) {
    result.refused =
        fmt::format("{}: {}{}", what, change.conflict->reason,
                    flows.empty() ? "" : fmt::format(" (flows count on from the {} that run)", answer.kept));
  } else if (!allowed) {
    const bool one = change.moved.size() == 1;
    result.refused =
        fmt::format("{}: flow{} {} of those that run would have to move{}; --move does so", what, one ? "" : "s",
                    fmt::join(change.moved, ", "), change.fewest ? ", no fewer would do" : "");
    result.would_move = change.moved;
  }
  return result;
}

}  // namespace fred::cli
