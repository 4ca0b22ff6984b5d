// SPDX-License-Identifier: Apache-2.0
// The router against the checker (an answer is right) and against a brute force (no answer means there is none).
#include "fred/route/route.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "fred/error.hpp"
#include "fred/route/permutation.hpp"
#include "tests/route/support.hpp"

using namespace fred;
using namespace fred::test;

namespace {

std::string text(const std::vector<Flow>& flows) {
  std::string all;
  for (const Flow& flow : flows) all += to_string(flow) + "; ";
  return all;
}

std::vector<Flow> groups(const char* list, int radix) {
  std::vector<Flow> flows;
  for (const Group& group : parse_groups(list, radix)) flows.push_back(flow_of(group));
  return flows;
}

/// Routes and has the answer checked; says whether there was one. What is said of a conflict is checked too.
bool routes(const Network& network, const std::vector<Flow>& flows) {
  const RouteResult result = route_flows(network, flows);
  if (result.routable()) {
    const auto error = check_routes(network, flows, result.routes);
    CHECK_MESSAGE(!error.has_value(), text(flows), error.value_or(""));
    return true;
  }
  CHECK(result.routes.empty());
  const Conflict& conflict = *result.conflict;
  CHECK_MESSAGE(conflict.flows.size() >= 2, text(flows));
  CHECK(std::is_sorted(conflict.flows.begin(), conflict.flows.end()));
  CHECK(conflict.level >= 0);
  CHECK(conflict.level < network.levels());
  CHECK(!conflict.reason.empty());
  CHECK(!conflict.microswitches.empty());
  for (const std::string& name : conflict.microswitches) {
    const auto found = std::find_if(network.nodes.begin(), network.nodes.end(), [&](const Node& node) {
      return node.name() == name && node.level == conflict.level;
    });
    CHECK_MESSAGE(found != network.nodes.end(), name);
  }
  return false;
}

std::vector<Flow> subset(const std::vector<Flow>& flows, const std::vector<int>& indices) {
  std::vector<Flow> some;
  for (const int f : indices) some.push_back(flows[f]);
  return some;
}

}  // namespace

TEST_CASE("every partition of the ports, P = 2..9, m = 3, routes") {
  for (int radix = 2; radix <= 9; ++radix) {
    CAPTURE(radix);
    const Network network = make_network(radix, 3);
    int partitions = 0;
    int failures = 0;
    each_partition(radix, [&](const std::vector<Flow>& flows) {
      ++partitions;
      failures += routes(network, flows) ? 0 : 1;
    });
    const int bell[] = {1, 1, 2, 5, 15, 52, 203, 877, 4140, 21147};
    CHECK(partitions == bell[radix]);
    CHECK(failures == 0);
  }
}

TEST_CASE("every partition of the ports, P = 2..6, m = 2: as by brute force") {
  for (int radix = 2; radix <= 6; ++radix) {
    const Network network = make_network(radix, 2);
    int failures = 0;
    each_partition(radix, [&](const std::vector<Flow>& flows) {
      const bool answer = routes(network, flows);
      CHECK_MESSAGE(answer == brute_force(radix, 2, flows), text(flows));
      failures += answer ? 0 : 1;
    });
    CHECK(failures == (radix == 6 ? 8 : 0));
  }
}

TEST_CASE("random flows with IP and OP apart: as by brute force; conflicts are true") {
  std::mt19937 random = seeded("random flows");
  int routable = 0;
  int blocked = 0;
  for (int round = 0; round < 3000; ++round) {
    const int radix = 3 + static_cast<int>(random() % 4);
    const int middle = 2 + static_cast<int>(random() % 2);
    const Network network = make_network(radix, middle);
    const auto flows = random_flows(random, radix, 2 + static_cast<int>(random() % (radix - 1)));
    const bool answer = routes(network, flows);
    CHECK_MESSAGE(answer == brute_force(radix, middle, flows), "P = ", radix, ", m = ", middle, ": ", text(flows));
    (answer ? routable : blocked) += 1;
    if (!answer) {
      // The flows that are blamed do not fit, by brute force; without any one of them they do.
      const Conflict conflict = *route_flows(network, flows).conflict;
      CHECK_MESSAGE(!brute_force(radix, middle, subset(flows, conflict.flows)), conflict.reason);
      for (const int f : conflict.flows) {
        std::vector<int> others = conflict.flows;
        std::erase(others, f);
        CHECK_MESSAGE(brute_force(radix, middle, subset(flows, others)), conflict.reason);
      }
    }
  }
  CHECK(routable > 100);
  CHECK(blocked > 100);
}

TEST_CASE("larger random flows and groups, P = 7..10: as by brute force") {
  std::mt19937 random = seeded("larger random flows");
  int blocked = 0;
  for (int round = 0; round < 400; ++round) {
    const int radix = 7 + static_cast<int>(random() % 4);
    const Network network = make_network(radix, 2);
    const auto flows = round % 2 == 0 ? random_flows(random, radix, 2 + static_cast<int>(random() % 3))
                                      : random_groups(random, radix, 5);
    const bool answer = routes(network, flows);
    CHECK_MESSAGE(answer == brute_force(radix, 2, flows), "P = ", radix, ": ", text(flows));
    blocked += answer ? 0 : 1;
  }
  CHECK(blocked > 10);
}

TEST_CASE("the known failures") {
  SUBCASE("P = 12: a conflict graph that is K4 needs m = 4") {
    const auto flows = groups("0,2,4;1,6,8;3,7,10;5,9,11", 12);
    const RouteResult result = route_flows(make_network(12, 3), flows);
    REQUIRE(!result.routable());
    CHECK(result.conflict->flows == std::vector<int>{0, 1, 2, 3});
    CHECK(result.conflict->level == 0);
    CHECK(result.conflict->microswitches ==
          std::vector<std::string>{"R0", "R1", "R2", "R3", "R4", "R5", "D0", "D1", "D2", "D3", "D4", "D5"});
    CHECK(result.conflict->reason ==
          "flows 0, 1, 2 and 3 cannot be routed together: every two of them share a microswitch at level 0, so each "
          "needs a middle subnetwork of its own: 4 are needed, the switch has 3");
    CHECK(routes(make_network(12, 4), flows));
    CHECK(route_rounds(make_network(12, 3), flows).rounds == std::vector<std::vector<int>>{{0, 1, 2}, {3}});
  }
  SUBCASE("P = 6: IP and OP differ") {
    const auto flows = parse_flows("3,4>2;1>3,5;5>0,4;0,2>1", 6);
    CHECK(!routes(make_network(6, 3), flows));
    CHECK(!brute_force(6, 3, flows));
    CHECK(routes(make_network(6, 4), flows));
  }
}

TEST_CASE("a collision at an inner level is reported there") {
  // Flows that can be kept apart at level 0, but not in a way that also suits level 1. Found by random search.
  std::mt19937 random = seeded("inner levels");
  int inner = 0;
  for (int round = 0; round < 3000 && inner < 20; ++round) {
    const Network network = make_network(16, 2);
    const auto flows = random_groups(random, 16, 5);
    const RouteResult result = route_flows(network, flows);
    if (result.routable() || result.conflict->level == 0) continue;
    ++inner;
    CHECK(!routes(network, flows));
    if (inner == 1) MESSAGE(text(flows), result.conflict->reason);
    CHECK(!brute_force(16, 2, subset(flows, result.conflict->flows)));
    for (const int f : result.conflict->flows) {
      std::vector<int> others = result.conflict->flows;
      std::erase(others, f);
      CHECK(brute_force(16, 2, subset(flows, others)));
    }
  }
  CHECK(inner > 0);
}

TEST_CASE("unicast permutations route at m = 2") {
  std::mt19937 random = seeded("permutations");
  for (int radix = 2; radix <= 9; ++radix) {
    const Network network = make_network(radix, 2);
    for (int round = 0; round < 200; ++round) {
      const auto to = shuffled(random, radix);
      std::vector<Flow> flows;
      for (int p = 0; p < radix; ++p) {
        if (random() % 8 != 0) flows.push_back({{p}, {to[p]}});
      }
      CHECK(routes(network, flows));
    }
  }
  for (const int radix : {33, 64, 127}) {
    const Network network = make_network(radix, 2);
    const auto to = shuffled(random, radix);
    std::vector<Flow> flows;
    for (int p = 0; p < radix; ++p) flows.push_back({{p}, {to[p]}});
    CHECK(routes(network, flows));
  }
}

TEST_CASE("rounds: every flow once, every round routes") {
  std::mt19937 random = seeded("rounds");
  for (int round = 0; round < 100; ++round) {
    const int radix = 6 + static_cast<int>(random() % 20);
    const Network network = make_network(radix, 2);
    const auto flows = random_groups(random, radix, 5);
    std::set<int> seen;
    for (const auto& indices : route_rounds(network, flows).rounds) {
      CHECK(routes(network, subset(flows, indices)));
      for (const int f : indices) CHECK(seen.insert(f).second);
    }
    CHECK(seen.size() == flows.size());
  }
}

TEST_CASE("64 ports: fast, and the same every time") {
  const Network network = make_network(64, 3);
  std::vector<Flow> flows;
  for (int g = 0; g < 16; ++g) flows.push_back(flow_of({g, g + 16, g + 32, g + 48}));
  const auto start = std::chrono::steady_clock::now();
  const RouteResult result = route_flows(network, flows);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
  REQUIRE(result.routable());
  CHECK(!check_routes(network, flows, result.routes).has_value());
  CHECK(route_flows(network, flows).routes == result.routes);
}

TEST_CASE("links of routes: apart exactly when the checker finds no collision") {
  std::mt19937 random = seeded("links");
  int apart = 0;
  int together = 0;
  for (int round = 0; round < 2000; ++round) {
    const int radix = 3 + static_cast<int>(random() % 14);
    const int middle = 2 + static_cast<int>(random() % 3);
    const Network network = make_network(radix, middle);
    const auto flows = random_flows(random, radix, 2);
    std::vector<Route> chosen(2);
    for (Route& route : chosen) {
      for (int l = 1; l < network.levels(); ++l) route.colours.push_back(static_cast<int>(random() % middle));
    }
    const bool free = disjoint(links_of(network, flows[0], chosen[0]), links_of(network, flows[1], chosen[1]));
    const auto error = check_routes(network, flows, chosen);
    CHECK_MESSAGE(free == !error.has_value(), text(flows), error.value_or("no error"));
    (free ? apart : together) += 1;
  }
  CHECK(apart > 100);
  CHECK(together > 100);
}

TEST_CASE("links to avoid are avoided, and an answer is found whenever there is one") {
  std::mt19937 random = seeded("avoid");
  int found = 0;
  int none = 0;
  for (int round = 0; round < 600; ++round) {
    const int radix = 4 + static_cast<int>(random() % 4);
    const int middle = 2 + static_cast<int>(random() % 2);
    const Network network = make_network(radix, middle);
    const auto flows = random_flows(random, radix, 2 + static_cast<int>(random() % 2));
    LinkSet avoid(network.links.size());
    for (std::size_t i = 0; i < avoid.size(); ++i) {
      const bool border = network.links[i].from < 0 || network.links[i].to < 0;
      avoid[i] = !border && random() % 6 == 0;
    }
    const RouteResult result = route_flows(network, flows, avoid);
    if (result.routable()) {
      CHECK(!check_routes(network, flows, result.routes).has_value());
      for (std::size_t f = 0; f < flows.size(); ++f) {
        CHECK(disjoint(avoid, links_of(network, flows[f], result.routes[f])));
      }
      ++found;
      continue;
    }
    ++none;
    CHECK(!result.conflict->reason.empty());
    // All routes of all flows, by their links.
    int options = 1;
    for (int l = 1; l < network.levels(); ++l) options *= middle;
    std::vector<std::vector<LinkSet>> choices;
    for (const Flow& flow : flows) {
      choices.emplace_back();
      for (int option = 0; option < options; ++option) {
        Route route;
        for (int l = 1, rest = option; l < network.levels(); ++l, rest /= middle)
          route.colours.push_back(rest % middle);
        choices.back().push_back(links_of(network, flow, route));
      }
    }
    const auto fits = [&](const auto& self, std::size_t f, const LinkSet& taken) -> bool {
      if (f == flows.size()) return true;
      for (const LinkSet& links : choices[f]) {
        if (!disjoint(links, taken)) continue;
        LinkSet more = taken;
        for (std::size_t i = 0; i < more.size(); ++i) more[i] = more[i] || links[i];
        if (self(self, f + 1, more)) return true;
      }
      return false;
    };
    CHECK_MESSAGE(!fits(fits, 0, avoid), text(flows), result.conflict->reason);
  }
  CHECK(found > 50);
  CHECK(none > 50);
}

TEST_CASE("a port to avoid is said so") {
  const Network network = make_network(4, 2);
  LinkSet avoid(network.links.size());
  for (std::size_t i = 0; i < avoid.size(); ++i) avoid[i] = network.links[i].from < 0 && network.links[i].from_pin == 1;
  const RouteResult result = route_flows(network, groups("0,1;2,3", 4), avoid);
  REQUIRE(!result.routable());
  CHECK(result.conflict->reason == "flow 0 uses a port that must stay free");
}

TEST_CASE("flows that are not flows") {
  const Network network = make_network(4, 2);
  CHECK_THROWS_AS((void)route_flows(network, {{{}, {0}}}), InputError);
  CHECK_THROWS_AS((void)route_flows(network, {{{0}, {4}}}), InputError);
  CHECK_THROWS_AS((void)route_flows(network, {{{1, 0}, {0}}}), InputError);
  CHECK_THROWS_AS((void)route_flows(network, {}, LinkSet(3)), InputError);
  CHECK(route_flows(network, {}).routable());
  const RouteResult result = route_flows(network, {{{0}, {1}}, {{0}, {2}}});
  REQUIRE(!result.routable());
  CHECK(result.conflict->reason == "port 0 is an input of flows 0 and 1");
  CHECK(result.conflict->flows == std::vector<int>{0, 1});
}

TEST_CASE("all-to-all of every group, P = 2..6, m = 2 and 3") {
  for (int middle = 2; middle <= 3; ++middle) {
    for (int radix = 2; radix <= 6; ++radix) {
      const Network network = make_network(radix, middle);
      for (int mask = 1; mask < (1 << radix); ++mask) {
        Ports members;
        for (int p = 0; p < radix; ++p) {
          if ((mask >> p) % 2 == 1) members.push_back(p);
        }
        const auto routed = route_alltoall(network, members);
        REQUIRE(routed.has_value());
        REQUIRE(routed->steps.size() == members.size());
        for (std::size_t k = 0; k < members.size(); ++k) {
          std::vector<Flow> flows;
          std::vector<Route> chosen;
          for (std::size_t i = 0; i < members.size(); ++i) {
            const AllToAllEntry& entry = routed->steps[k][i];
            CHECK(entry.source == members[i]);
            CHECK(entry.destination == members[(i + k) % members.size()]);
            flows.push_back({{entry.source}, {entry.destination}});
            chosen.push_back(entry.route);
            const LinkSet links = links_of(network, flows.back(), entry.route);
            for (std::size_t l = 0; l < links.size(); ++l) CHECK((!links[l] || routed->links[l]));
          }
          CHECK(!check_routes(network, flows, chosen).has_value());
        }
      }
    }
  }
}

TEST_CASE("looping: random partial permutations, any radix, over two middles") {
  std::mt19937 random = seeded("looping");
  for (int round = 0; round < 1500; ++round) {
    const int radix = 2 + static_cast<int>(random() % 40);
    const Network network = make_network(radix, 2 + static_cast<int>(random() % 2));
    const auto subnets = detail::make_subnets(detail::Wiring(network), {});
    const auto to = shuffled(random, radix);
    std::vector<detail::Unicast> unicasts;
    std::vector<Flow> flows;
    for (const int p : shuffled(random, radix)) {
      if (random() % 8 == 0) continue;
      unicasts.push_back({p, to[p]});
      flows.push_back({{p}, {to[p]}});
    }
    LinkSet used(network.links.size());
    for (std::size_t i = 0; i < used.size(); ++i) used[i] = random() % 2 == 0;
    const auto chosen = detail::route_permutation(network, subnets, unicasts, used);
    const auto error = check_routes(network, flows, chosen);
    CHECK_MESSAGE(!error.has_value(), text(flows), error.value_or(""));
    for (const Route& route : chosen) {
      for (const int colour : route.colours) CHECK(colour < 2);
    }
    // Laid again over its own links it takes no others.
    LinkSet own(network.links.size());
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const LinkSet links = links_of(network, flows[f], chosen[f]);
      for (std::size_t l = 0; l < links.size(); ++l) own[l] = own[l] || links[l];
    }
    CHECK(detail::route_permutation(network, subnets, unicasts, own) == chosen);
  }
}

TEST_CASE("all-to-all keeps clear of another group") {
  const Network network = make_network(8, 3);
  const auto all_reduce = groups("4,5,6,7", 8);
  const RouteResult other = route_flows(network, all_reduce);
  REQUIRE(other.routable());
  const LinkSet avoid = links_of(network, all_reduce[0], other.routes[0]);
  const auto routed = route_alltoall(network, {0, 1, 2, 3}, avoid);
  REQUIRE(routed.has_value());
  CHECK(disjoint(routed->links, avoid));
  // Links are reused from step to step: half of the network's rows, and no more middles than needed.
  std::set<int> middles;
  for (const auto& step : routed->steps) {
    for (const auto& entry : step) middles.insert(entry.route.colours[0]);
  }
  CHECK(middles.size() == 2);
  CHECK(!route_alltoall(network, {0, 1, 2, 3}, LinkSet(network.links.size(), true)).has_value());
}

TEST_CASE("the checker rejects wrong routes") {
  const Network network = make_network(8, 3);
  const auto flows = groups("0,2;1,3;4,6;5,7", 8);
  const auto right = route_flows(network, flows).routes;
  REQUIRE(!check_routes(network, flows, right).has_value());

  auto wrong = right;
  wrong[1] = right[0];  // the two share all their microswitches
  const auto collision = check_routes(network, flows, wrong);
  REQUIRE(collision.has_value());
  CHECK(collision->find("flows 0 and 1 collide on the link from R0[") == 0);

  wrong = right;
  wrong[2].colours[1] = 3;
  CHECK(check_routes(network, flows, wrong) == "flow 2 has colour 3: there are 3 middles");
  wrong = right;
  wrong[2].colours.pop_back();
  CHECK(check_routes(network, flows, wrong) == "the route of flow 2 has 1 colours, not 2");
  wrong = right;
  wrong.pop_back();
  CHECK(check_routes(network, flows, wrong) == "3 routes for 4 flows");
  CHECK(check_routes(network, {{{0}, {1}}, {{2}, {1}}}, {right[0], right[1]}) == "flows 0 and 1 both leave at port 1");
}

TEST_CASE("the checker finds a changed colour exactly when links meet") {
  std::mt19937 random = seeded("mutations");
  int caught = 0;
  for (int round = 0; round < 2000; ++round) {
    const int radix = 4 + static_cast<int>(random() % 10);
    const Network network = make_network(radix, 3);
    const auto flows = random_groups(random, radix, 4);
    RouteResult result = route_flows(network, flows);
    if (!result.routable()) continue;
    const std::size_t f = random() % flows.size();
    int& colour = result.routes[f].colours[random() % (network.levels() - 1)];
    colour = static_cast<int>((colour + 1 + random() % 2) % 3);
    bool meets = false;
    for (std::size_t g = 0; g < flows.size(); ++g) {
      if (g == f) continue;
      meets = meets ||
              !disjoint(links_of(network, flows[f], result.routes[f]), links_of(network, flows[g], result.routes[g]));
    }
    CHECK(check_routes(network, flows, result.routes).has_value() == meets);
    caught += meets ? 1 : 0;
  }
  CHECK(caught > 200);
}

TEST_CASE("the checker sees a miswired network") {
  const auto flows = groups("0,1,2,3;4,5,6,7", 8);
  const Network right = make_network(8, 3);
  const auto chosen = route_flows(right, flows).routes;
  REQUIRE(!check_routes(right, flows, chosen).has_value());
  // Exchange the readers of two links that carry beats: operands in the wrong order, or outputs that go astray.
  int caught = 0;
  const LinkSet used = links_of(right, flows[0], chosen[0]);
  for (std::size_t a = 0; a < used.size(); ++a) {
    for (std::size_t b = a + 1; b < used.size(); ++b) {
      if (!used[a] || !used[b] || right.links[a].to != right.links[b].to || right.links[a].to < 0) continue;
      Network wrong = right;
      std::swap(wrong.links[a].to_pin, wrong.links[b].to_pin);
      const auto error = check_routes(wrong, flows, chosen);
      CHECK(error.has_value());
      ++caught;
      if (caught == 1) CHECK(*error == "port 0 receives ((1+0)+(2+3)) of flow 0, not ((0+1)+(2+3))");
    }
  }
  CHECK(caught > 0);
}
