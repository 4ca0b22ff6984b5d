// SPDX-License-Identifier: Apache-2.0
// Broken parts, and flows beside others that run: against brute force over all words.
#include "fred/route/change.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "fred/error.hpp"
#include "fred/route/broken.hpp"
#include "tests/route/support.hpp"

using namespace fred;
using namespace fred::test;

namespace {

std::vector<Route> all_routes(const Network& network) {
  std::vector<Route> routes{{}};
  for (int level = 1; level < network.levels(); ++level) {
    std::vector<Route> longer;
    for (const Route& route : routes) {
      for (int k = 0; k < network.middle; ++k) {
        longer.push_back(route);
        longer.back().colours.push_back(k);
      }
    }
    routes = std::move(longer);
  }
  return routes;
}

bool whole(const Network& network, const Flow& flow, const LinkSet& broken) {
  const auto routes = all_routes(network);
  return std::any_of(routes.begin(), routes.end(),
                     [&](const Route& route) { return disjoint(links_of(network, flow, route), broken); });
}

LinkSet random_broken(std::mt19937& random, const Network& network, int one_in) {
  LinkSet broken(network.links.size());
  for (std::size_t i = 0; i < broken.size(); ++i) broken[i] = random() % one_in == 0;
  return broken;
}

/// Whether there are routes for all flows of which the first keep theirs, except those of `moving`.
bool possible(const Network& network, const Running& running, const std::vector<Flow>& added, const LinkSet& broken,
              unsigned moving) {
  std::vector<Flow> flows = running.flows;
  flows.insert(flows.end(), added.begin(), added.end());
  const auto routes = all_routes(network);
  std::vector<LinkSet> taken;
  const auto place = [&](const auto& self, std::size_t f) -> bool {
    if (f == flows.size()) return true;
    const bool kept = f < running.flows.size() && (moving >> f) % 2 == 0;
    for (const Route& route : kept ? std::vector<Route>{running.routes[f]} : routes) {
      const LinkSet links = links_of(network, flows[f], route);
      bool free = disjoint(links, broken);
      for (std::size_t g = 0; g < f && free; ++g) {
        free = share_a_port(flows[f], flows[g]) || disjoint(links, taken[g]);
      }
      if (!free) continue;
      taken.push_back(links);
      if (self(self, f + 1)) return true;
      taken.pop_back();
    }
    return false;
  };
  return place(place, 0);
}

}  // namespace

TEST_CASE("broken: parts by name") {
  const Network network = make_network(6, 2);
  const auto names = [&](const char* text) {
    std::vector<std::string> result;
    const LinkSet links = parse_broken(text, network);
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i]) result.push_back(link_name(network, static_cast<int>(i)));
    }
    std::sort(result.begin(), result.end());
    return result;
  };
  CHECK(names("").empty());
  CHECK(names("R1") ==
        std::vector<std::string>{"R1[0] to m0.R0[1]", "R1[1] to m1.R0[1]", "port 2 to R1[0]", "port 3 to R1[1]"});
  CHECK(names("R2>m1.demux") == std::vector<std::string>{"R2[1] to m1.demux[0]"});
  CHECK(names(" port5>R2 , D0>port1 ") == std::vector<std::string>{"D0[1] to port 1", "port 5 to R2[1]"});
  CHECK(names("m1.m0.RD").size() == 4);
  CHECK(names("port3") == std::vector<std::string>{"D1[1] to port 3", "port 3 to R1[1]"});
  CHECK(names("m1.m0") == names("m1.m0.RD"));
  CHECK(names("m0,m1").size() == network.links.size() - 12);  // all but the ports' own
  const auto refused = [&](const char* text, const char* part) {
    try {
      (void)parse_broken(text, network);
    } catch (const InputError& error) {
      CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, error.what());
      return;
    }
    FAIL("no error: ", text);
  };
  refused("R3", "'R3'");
  refused("m2.R0", "'m2.R0'");
  refused("port6>R3", "'port6'");
  refused("port99999999999>R0", "'port99999999999'");
  refused("R0>R1", "no link");
  refused("m0.R0>R0", "no link");
  refused("m0.m1.m2", "'m0.m1.m2'");
  refused("R0,,R1", "missing");
  refused("R0\x1b[31m", "\\x1b");
}

TEST_CASE("broken: what is lost, as by trying every route") {
  std::mt19937 random = seeded("losses");
  int lost = 0;
  for (int round = 0; round < 300; ++round) {
    const int radix = 2 + static_cast<int>(random() % 9);
    const Network network = make_network(radix, 2 + static_cast<int>(random() % 2));
    const LinkSet broken = random_broken(random, network, 3 + static_cast<int>(random() % 6));
    const Loss loss = loss_of(network, broken);
    for (int p = 0; p < radix; ++p) {
      bool sends = false;
      bool receives = false;
      for (int q = 0; q < radix; ++q) {
        sends = sends || whole(network, {{p}, {q}}, broken);
        receives = receives || whole(network, {{q}, {p}}, broken);
      }
      CHECK(std::binary_search(loss.in.begin(), loss.in.end(), p) == !sends);
      CHECK(std::binary_search(loss.out.begin(), loss.out.end(), p) == !receives);
      lost += sends ? 0 : 1;
    }
    const auto flows = random_flows(random, radix, std::min(radix, 3));
    const std::vector<int> gone = lost_flows(network, flows, broken);
    for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
      CHECK(std::binary_search(gone.begin(), gone.end(), f) == !whole(network, flows[f], broken));
    }
  }
  CHECK(lost > 100);
  CHECK(loss_of(make_network(8, 2), {}).none());
}

TEST_CASE("change: nobody moves where nobody must, and else as few as by brute force") {
  std::mt19937 random = seeded("changes");
  int kept = 0;
  int moves = 0;
  int refused = 0;
  for (int round = 0; round < 700; ++round) {
    const int radix = 4 + static_cast<int>(random() % 5);
    const int middle = 2 + static_cast<int>(random() % 2);
    const Network network = make_network(radix, middle);
    const auto flows = random_flows(random, radix, std::min(radix, 3 + static_cast<int>(random() % 3)));
    const std::size_t first = 1 + random() % flows.size();
    Running running{{flows.begin(), flows.begin() + static_cast<long>(first)}, {}, {{}}};
    const std::vector<Flow> added(flows.begin() + static_cast<long>(first), flows.end());
    const RouteResult routed = route_flows(network, running.flows);
    if (!routed.routable()) continue;
    running.routes = routed.routes;
    for (std::size_t f = 0; f < first; ++f) running.rounds[0].push_back(static_cast<int>(f));
    const LinkSet broken = round % 3 == 0 ? random_broken(random, network, 20) : LinkSet{};
    const Change change = add_flows(network, running, added, broken);
    int fewest = -1;
    for (unsigned moving = 0; moving < 1U << first; ++moving) {
      const int count = std::popcount(moving);
      if ((fewest < 0 || count < fewest) && possible(network, running, added, broken, moving)) fewest = count;
    }
    if (fewest < 0) {
      ++refused;
      CHECK(change.routes.empty());
      REQUIRE(change.conflict.has_value());
      CHECK(!change.conflict->reason.empty());
      continue;
    }
    (fewest == 0 ? kept : moves) += 1;
    REQUIRE(change.routes.size() == flows.size());
    CHECK(change.fewest);
    CHECK(static_cast<int>(change.moved.size()) == fewest);
    CHECK(!check_routes(network, flows, change.routes).has_value());
    for (std::size_t f = 0; f < flows.size(); ++f) {
      CHECK(disjoint(links_of(network, flows[f], change.routes[f]), broken));
      if (f >= first) continue;
      const bool same = change.routes[f] == running.routes[f];
      CHECK(same == !std::binary_search(change.moved.begin(), change.moved.end(), static_cast<int>(f)));
    }
  }
  CHECK(kept > 100);
  CHECK(moves > 30);
  CHECK(refused > 30);
}

TEST_CASE("change: beside two rounds that share time") {
  // MP groups and DP groups of a job, and another job's group.
  const Network network = make_network(8, 3);
  Running running;
  for (const Group& group : {Group{0, 1}, Group{2, 3}, Group{0, 2}, Group{1, 3}})
    running.flows.push_back(flow_of(group));
  const Rounds rounds = route_rounds(network, running.flows);
  running.routes = rounds.routes;
  running.rounds = rounds.rounds;
  REQUIRE(rounds.count() == 2);
  const std::vector<Flow> added{flow_of({4, 6}), flow_of({5, 7})};
  const Change change = add_flows(network, running, added);
  REQUIRE(change.routes.size() == 6);
  CHECK(change.moved.empty());
  for (int f = 0; f < 4; ++f) {
    for (int g = 4; g < 6; ++g) {
      CHECK(disjoint(links_of(network, running.flows[f], change.routes[f]),
                     links_of(network, added[g - 4], change.routes[g])));
    }
  }
}

TEST_CASE("change: what does not run as it says is refused") {
  const Network network = make_network(8, 2);
  const std::vector<Flow> flows{flow_of({0, 2}), flow_of({1, 4})};
  CHECK_THROWS_AS((void)add_flows(network, {flows, {{{0, 0}}, {{0, 0}}}, {{0, 1}}}, {}), InputError);  // collide
  CHECK_THROWS_AS((void)add_flows(network, {flows, {{{0, 0}}}, {{0, 1}}}, {}), InputError);
  CHECK_THROWS_AS((void)add_flows(network, {flows, {{{0, 0}}, {{1, 0}}}, {{0}}}, {}), InputError);
  CHECK_THROWS_AS((void)add_flows(network, {flows, {{{0, 0}}, {{1, 0}}}, {{0, 1, 1}}}, {}), InputError);
  CHECK_THROWS_AS((void)add_flows(network, {flows, {{{0, 0}}, {{1, 0}}}, {{0, 2}}}, {}), InputError);
  CHECK_THROWS_AS((void)add_flows(network, {flows, {{{0, 0}}, {{1, 0}}}, {{0, 1}}}, {{{8}, {0}}}), InputError);
  CHECK(add_flows(network, {flows, {{{0, 0}}, {{1, 0}}}, {{0, 1}}}, {}).moved.empty());
}
