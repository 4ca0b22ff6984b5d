// SPDX-License-Identifier: Apache-2.0
// Placements against the checker of routes, and what is said of pairs of phases against the links of the network.
#include "fred/route/placement.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>

#include "fred/error.hpp"
#include "fred/route/cross_phase.hpp"
#include "fred/route/placement_search.hpp"
#include "tests/route/support.hpp"

using namespace fred;
using namespace fred::test;

namespace {

/// Every flow of every phase is in one round, and every round routes, clear of what is broken; but for flows that have
/// no route beside it.
void check(const Network& network, const Parallelism& parallelism, const PlacedJob& job, const LinkSet& broken = {}) {
  CAPTURE(to_string(parallelism));
  CAPTURE(job.rule);
  CHECK_NOTHROW(check_placement(job.placement, parallelism.ranks(), network.radix));
  std::size_t phases = 0;
  for (int d = 0; d < static_cast<int>(parallelism.dimensions.size()); ++d) {
    if (parallelism.dimensions[d].size == 1) continue;
    REQUIRE(phases < job.phases.size());
    const Phase& phase = job.phases[phases++];
    CHECK(phase.name == parallelism.dimensions[d].name);
    CHECK(phase.size() == parallelism.dimensions[d].size);
    const std::vector<Group> ranks = groups_of(parallelism, d);
    REQUIRE(phase.groups.size() == ranks.size());
    REQUIRE(phase.flows.size() == ranks.size());
    for (std::size_t g = 0; g < ranks.size(); ++g) {
      for (std::size_t i = 0; i < ranks[g].size(); ++i) CHECK(phase.groups[g][i] == job.placement[ranks[g][i]]);
      CHECK(phase.flows[g] == flow_of(phase.groups[g]));
    }
    std::set<int> seen;
    for (const std::vector<int>& round : phase.rounds.rounds) {
      std::vector<Flow> flows;
      std::vector<Route> routes;
      for (const int f : round) {
        CHECK(seen.insert(f).second);
        flows.push_back(phase.flows[f]);
        routes.push_back(phase.rounds.routes[f]);
        if (!broken.empty()) CHECK(disjoint(links_of(network, flows.back(), routes.back()), broken));
      }
      const auto error = check_routes(network, flows, routes);
      CHECK_MESSAGE(!error.has_value(), error.value_or(""));
    }
    CHECK(phase.lost == (broken.empty() ? std::vector<int>{} : lost_flows(network, phase.flows, broken)));
    for (const int f : phase.lost) CHECK(seen.insert(f).second);
    CHECK(seen.size() == phase.flows.size());
    if (phase.lost.size() < phase.flows.size()) CHECK(phase.rounds.at_least >= 1);
    CHECK(phase.rounds.at_least <= phase.rounds.count());
  }
  CHECK(phases == job.phases.size());
}

/// The same counted by the links of the network.
std::vector<CrossPhase> counted_by_links(const Network& network, const std::vector<Phase>& phases) {
  std::vector<CrossPhase> result;
  for (int a = 0; a < static_cast<int>(phases.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(phases.size()); ++b) {
      CrossPhase cross{a, b, 0, 0};
      const auto lost = [](const Phase& phase, std::size_t flow) {
        return std::find(phase.lost.begin(), phase.lost.end(), static_cast<int>(flow)) != phase.lost.end();
      };
      for (std::size_t f = 0; f < phases[a].flows.size(); ++f) {
        if (lost(phases[a], f)) continue;
        const LinkSet links = links_of(network, phases[a].flows[f], phases[a].rounds.routes[f]);
        for (std::size_t g = 0; g < phases[b].flows.size(); ++g) {
          if (lost(phases[b], g) || share_a_port(phases[a].flows[f], phases[b].flows[g])) continue;
          ++cross.pairs;
          if (disjoint(links, links_of(network, phases[b].flows[g], phases[b].rounds.routes[g]))) ++cross.compatible;
        }
      }
      result.push_back(cross);
    }
  }
  return result;
}

long compatible(const std::vector<CrossPhase>& cross) {
  long sum = 0;
  for (const CrossPhase& two : cross) sum += two.compatible;
  return sum;
}

/// Phases on a placement, each routed by the router alone.
std::vector<Phase> routed(const Network& network, const Parallelism& parallelism, const Placement& placement) {
  std::vector<Phase> phases = phases_of(parallelism, placement);
  for (Phase& phase : phases) phase.rounds = route_rounds(network, phase.flows);
  return phases;
}

/// Every ordered MP * PP * DP = `ranks`.
template <typename Visit>
void each_triple(int ranks, Visit visit) {
  for (int mp = 1; mp <= ranks; ++mp) {
    if (ranks % mp != 0) continue;
    for (int pp = 1; pp <= ranks / mp; ++pp) {
      if (ranks / mp % pp == 0) visit(Parallelism{{{"mp", mp}, {"pp", pp}, {"dp", ranks / mp / pp}}});
    }
  }
}

/// Places every triple at m = 3 and has it checked: the paper's order and one round a phase.
void check_triples(int ranks) {
  CAPTURE(ranks);
  const Network network = make_network(std::max(ranks, 2), 3);
  Placement identity(ranks);
  for (int rank = 0; rank < ranks; ++rank) identity[rank] = rank;
  each_triple(ranks, [&](const Parallelism& parallelism) {
    const PlacedJob job = place(network, parallelism);
    check(network, parallelism, job);
    CHECK(job.one_round_each());
    CHECK(job.placement == identity);  // mp fastest, then pp, then dp
    for (const CrossPhase& two : job.cross) CHECK(two.compatible == two.pairs);
  });
}

/// The same at m = 2 with any placement; returns for how many another order than the paper's was taken.
int check_triples_of_two_middles(int ranks) {
  const Network network = make_network(std::max(ranks, 2), 2);
  int others = 0;
  each_triple(ranks, [&](const Parallelism& parallelism) {
    const PlacedJob job = place(network, parallelism);
    check(network, parallelism, job);
    CHECK_MESSAGE(job.one_round_each(), to_string(parallelism), ": ", job.rule);
    others += std::is_sorted(job.placement.begin(), job.placement.end()) ? 0 : 1;
  });
  return others;
}

Placement random_placement(std::mt19937& random, int ranks, int radix) {
  Placement placement = shuffled(random, radix);
  placement.resize(ranks);
  return placement;
}

}  // namespace

TEST_CASE("ranks are numbered with the first dimension fastest") {
  const Parallelism parallelism = parse_parallelism(" mp=2, dp = 3,pp=2");
  CHECK(parallelism == Parallelism{{{"mp", 2}, {"dp", 3}, {"pp", 2}}});
  CHECK(to_string(parallelism) == "mp=2,dp=3,pp=2");
  CHECK(parallelism.ranks() == 12);
  CHECK(coordinates_of(parallelism, 0) == std::vector<int>{0, 0, 0});
  CHECK(coordinates_of(parallelism, 1) == std::vector<int>{1, 0, 0});
  CHECK(coordinates_of(parallelism, 7) == std::vector<int>{1, 0, 1});
  CHECK(coordinates_of(parallelism, 11) == std::vector<int>{1, 2, 1});
  CHECK(groups_of(parallelism, 0) == std::vector<Group>{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}});
  CHECK(groups_of(parallelism, 1) == std::vector<Group>{{0, 2, 4}, {1, 3, 5}, {6, 8, 10}, {7, 9, 11}});
  CHECK(groups_of(parallelism, 2) == std::vector<Group>{{0, 6}, {1, 7}, {2, 8}, {3, 9}, {4, 10}, {5, 11}});
}

TEST_CASE("parallelism that is none") {
  for (const char* text : {"", "mp", "mp=", "mp=0", "mp=-1", "mp=2,mp=2", "mp=2,,dp=2", "xp=2", "mp=4097",
                           "mp=64,dp=65", "mp=2 2", "mp=4096,pp=4096,dp=4096"}) {
    CAPTURE(text);
    CHECK_THROWS_AS((void)parse_parallelism(text), InputError);
  }
  CHECK(parse_parallelism("mp=1,tp=1,sp=1,cp=1,ep=1,pp=1,dp=4096").ranks() == 4096);
}

TEST_CASE("placements that are none") {
  CHECK_NOTHROW(check_placement({3, 0}, 2, 4));
  const auto says = [](const Placement& placement, int radix) {
    try {
      check_placement(placement, 2, radix);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(says({0}, 4) == "the placement has 1 ports: allowed is one for each of the 2 ranks");
  CHECK(says({0, 1, 2}, 4) == "the placement has 3 ports: allowed is one for each of the 2 ranks");
  CHECK(says({0, 4}, 4) == "the placement has port 4 for rank 1: allowed are 0..3");
  CHECK(says({-1, 0}, 4) == "the placement has port -1 for rank 0: allowed are 0..3");
  CHECK(says({1, 1}, 4) == "the placement has port 1 for ranks 0 and 1: a port is of one rank, once");
  CHECK(says({0, 0}, 1) == "2 ranks on 1 ports: allowed are at most 1 ranks, one a port");
  const Network network = make_network(4, 2);
  CHECK_THROWS_AS((void)place(network, parse_parallelism("dp=5")), InputError);
  CHECK_THROWS_AS((void)place_as_given(network, parse_parallelism("dp=2"), {0, 0}), InputError);
}

TEST_CASE("m = 3: the paper's order gives every MP * PP * DP = P one round a phase, P = 1..48, 64, 96, 128") {
  for (int ranks = 1; ranks <= 48; ++ranks) check_triples(ranks);
  for (const int ranks : {64, 96, 128}) check_triples(ranks);
}

TEST_CASE("m = 2: a placement is found for every MP * PP * DP = P, P = 1..32") {
  int others = 0;
  for (int ranks = 1; ranks <= 32; ++ranks) others += check_triples_of_two_middles(ranks);
  CHECK(others > 50);
}

// Seconds: test_route --no-skip -tc="m = 2: a placement*"
TEST_CASE("m = 2: a placement is found for every MP * PP * DP = P, P = 33..62" * doctest::skip()) {
  for (int ranks = 33; ranks <= 62; ++ranks) (void)check_triples_of_two_middles(ranks);
}

TEST_CASE("m = 2: other orders, reversed blocks and moves, where the paper's order fails") {
  const auto rule = [](const char* text, int radix) {
    const Parallelism parallelism = parse_parallelism(text);
    const Network network = make_network(radix, 2);
    // As told in the paper: mp fastest, then pp, then dp.
    Placement paper;
    int stride = 1;
    std::vector<int> strides(parallelism.dimensions.size());
    for (const std::string_view name : kDimensionNames) {
      for (std::size_t d = 0; d < strides.size(); ++d) {
        if (parallelism.dimensions[d].name != name) continue;
        strides[d] = stride;
        stride *= parallelism.dimensions[d].size;
      }
    }
    for (int rank = 0; rank < parallelism.ranks(); ++rank) {
      const std::vector<int> coordinates = coordinates_of(parallelism, rank);
      paper.push_back(0);
      for (std::size_t d = 0; d < strides.size(); ++d) paper.back() += coordinates[d] * strides[d];
    }
    const PlacedJob fixed = place_as_given(network, parallelism, paper);
    check(network, parallelism, fixed);
    CHECK(!fixed.one_round_each());
    CHECK(fixed.rule == "as given");
    CHECK(fixed.placement == paper);
    const PlacedJob job = place(network, parallelism);
    check(network, parallelism, job);
    CHECK(job.one_round_each());
    return job.rule;
  };
  CHECK(rule("mp=3,dp=2", 6) == "in the order dp, mp");
  CHECK(rule("dp=2,mp=3", 6) == "in the order dp, mp");
  CHECK(rule("mp=3,dp=3", 9) == "in the order mp, dp, every other block reversed");
  CHECK(rule("mp=3,pp=3,dp=3", 27) == "by local search");
}

TEST_CASE("m = 2: where no placement is found, the one with the fewest rounds") {
  const Parallelism parallelism = parse_parallelism("mp=5,pp=3,dp=5");
  const Network network = make_network(75, 2);
  const PlacedJob job = place(network, parallelism);
  check(network, parallelism, job);
  Placement paper(75);
  for (int rank = 0; rank < 75; ++rank) paper[rank] = rank;
  const PlacedJob fixed = place_as_given(network, parallelism, paper);
  check(network, parallelism, fixed);
  CHECK(fixed.rounds() == 5);
  CHECK(job.rounds() == 4);  // 3 if a later search finds more
}

TEST_CASE("ports to spare are used") {
  const Network network = make_network(64, 2);
  const Parallelism parallelism = parse_parallelism("mp=3,pp=3,dp=3");
  const PlacedJob job = place(network, parallelism);
  check(network, parallelism, job);
  CHECK(job.one_round_each());
  CHECK(job.rule.find("blocks") != std::string::npos);
}

TEST_CASE("all seven dimensions, and none") {
  const Network network = make_network(130, 3);
  const Parallelism seven = parse_parallelism("dp=2,pp=2,ep=2,cp=2,sp=2,tp=2,mp=2");
  const PlacedJob job = place(network, seven);
  check(network, seven, job);
  CHECK(job.one_round_each());
  CHECK(job.rule == "in the order mp, tp, sp, cp, ep, pp, dp");
  CHECK(job.cross.size() == 21);
  const PlacedJob alone = place(make_network(2, 2), parse_parallelism("dp=1,mp=1"));
  CHECK(alone.phases.empty());
  CHECK(alone.placement == Placement{0});
  CHECK(alone.one_round_each());
}

TEST_CASE("pairs of phases are counted as by the links of the network") {
  std::mt19937 random = seeded("pairs of phases");
  bool some_meet = false;
  for (const char* text : {"mp=2,dp=3,pp=2", "mp=3,dp=3", "mp=2,pp=2,dp=5", "tp=2,cp=2,pp=2,dp=2"}) {
    const Parallelism parallelism = parse_parallelism(text);
    for (int middle = 2; middle <= 4; ++middle) {
      const Network network = make_network(parallelism.ranks() + 1, middle);
      const std::vector<Phase> phases =
          routed(network, parallelism, random_placement(random, parallelism.ranks(), network.radix));
      const std::vector<CrossPhase> cross = count_cross_phase(network, phases);
      CHECK(cross == counted_by_links(network, phases));
      for (const CrossPhase& two : cross) some_meet = some_meet || two.compatible < two.pairs;
    }
  }
  CHECK(some_meet);
}

TEST_CASE("how far two routes must be alike: as by the links of the network") {
  std::mt19937 random = seeded("shared prefixes");
  for (int round = 0; round < 500; ++round) {
    const int radix = 2 + static_cast<int>(random() % 15);
    const int middle = 2 + static_cast<int>(random() % 2);
    const Network network = make_network(radix, middle);
    const auto flows = random_flows(random, radix, 2);
    const int shared = shared_prefix(flows[0], flows[1], network.levels());
    CHECK((shared == 0) == share_a_port(flows[0], flows[1]));
    Route a, b;
    for (int l = 1; l < network.levels(); ++l) {
      a.colours.push_back(static_cast<int>(random() % middle));
      b.colours.push_back(static_cast<int>(random() % 2 == 0 ? a.colours.back() : random() % middle));
    }
    const bool meet = shared >= 0 && std::equal(a.colours.begin(), a.colours.begin() + shared, b.colours.begin());
    CHECK(meet == !disjoint(links_of(network, flows[0], a), links_of(network, flows[1], b)));
  }
}

TEST_CASE("routes of phases are made compatible: never fewer, and no round is broken") {
  std::mt19937 random = seeded("compatible phases");
  long gained = 0;
  for (const char* text : {"mp=2,dp=5,pp=2", "mp=3,pp=3,dp=2", "mp=4,pp=4,dp=4", "mp=2,tp=2,pp=3,dp=2", "dp=6"}) {
    const Parallelism parallelism = parse_parallelism(text);
    for (int round = 0; round < 6; ++round) {
      const Network network = make_network(parallelism.ranks() + round % 2, 2 + round % 3);
      Placement placement = random_placement(random, parallelism.ranks(), network.radix);
      if (round < 3) std::sort(placement.begin(), placement.end());
      const std::vector<Phase> before = routed(network, parallelism, placement);
      std::vector<Phase> after = before;
      improve_cross_phase(network, after);
      PlacedJob job{placement, text, after, count_cross_phase(network, after)};
      check(network, parallelism, job);
      for (std::size_t p = 0; p < after.size(); ++p) CHECK(after[p].rounds.rounds == before[p].rounds.rounds);
      const long had = compatible(count_cross_phase(network, before));
      CHECK(compatible(job.cross) >= had);
      gained += compatible(job.cross) - had;
    }
  }
  CHECK(gained > 500);
}

TEST_CASE("m = 3: every pair of groups without a common port becomes compatible") {
  for (const char* text : {"mp=2,dp=5,pp=2", "mp=3,dp=3,pp=2", "mp=4,dp=4,pp=4", "mp=7,dp=2,pp=2", "mp=3,dp=4,pp=3"}) {
    CAPTURE(text);
    const Parallelism parallelism = parse_parallelism(text);
    const PlacedJob job = place(make_network(parallelism.ranks(), 3), parallelism);
    for (const CrossPhase& two : job.cross) CHECK(two.compatible == two.pairs);
  }
}

TEST_CASE("the same input gives the same answer") {
  for (const char* text : {"mp=2,dp=5,pp=2", "mp=3,dp=3,pp=3", "mp=3,pp=7,dp=2"}) {
    const Parallelism parallelism = parse_parallelism(text);
    const Network network = make_network(parallelism.ranks(), 2);
    const PlacedJob one = place(network, parallelism);
    const PlacedJob two = place(network, parallelism);
    CHECK(one.placement == two.placement);
    CHECK(one.rule == two.rule);
    CHECK(one.cross == two.cross);
    REQUIRE(one.phases.size() == two.phases.size());
    for (std::size_t p = 0; p < one.phases.size(); ++p) {
      CHECK(one.phases[p].rounds.rounds == two.phases[p].rounds.rounds);
      CHECK(one.phases[p].rounds.routes == two.phases[p].rounds.routes);
    }
  }
}

TEST_CASE("1024 ranks are placed, routed and checked within a second") {
  const Parallelism parallelism = parse_parallelism("mp=8,dp=16,pp=8");
  const auto start = std::chrono::steady_clock::now();
  const Network network = make_network(1024, 3);
  const PlacedJob job = place(network, parallelism);
  const auto placed = std::chrono::steady_clock::now();
  check(network, parallelism, job);
  const auto checked = std::chrono::steady_clock::now();
  using Milliseconds = std::chrono::duration<double, std::milli>;
  std::cout << "1024 ranks: placed and routed in " << Milliseconds(placed - start).count() << " ms, checked in "
            << Milliseconds(checked - placed).count() << " ms\n";
  CHECK(checked - start < std::chrono::seconds(1));
  CHECK(job.one_round_each());
  for (const CrossPhase& two : job.cross) CHECK(two.compatible == two.pairs);
}

namespace {

/// `count` links drawn, or their microswitches with all links.
LinkSet random_broken(std::mt19937& random, const Network& network, int count) {
  LinkSet broken(network.links.size());
  for (int i = 0; i < count; ++i) {
    const std::string name = part_name(network, static_cast<int>(random() % network.links.size()));
    const bool whole = random() % 3 == 0 && !name.starts_with("port");
    unite(broken, parse_broken(whole ? name.substr(0, name.find('>')) : name, network));
  }
  return broken;
}

}  // namespace

TEST_CASE("broken parts: every flow keeps clear, and no rank is at a lost port while there are others") {
  std::mt19937 random = seeded("placements beside broken parts");
  int lost_ports = 0, around = 0, lost = 0;
  for (int round = 0; round < 30; ++round) {
    const Network network = make_network(6 + static_cast<int>(random() % 19), 2 + static_cast<int>(random() % 2));
    const LinkSet broken = random_broken(random, network, 1 + static_cast<int>(random() % 4));
    const Loss loss = loss_of(network, broken);
    const int left = static_cast<int>(ports_left(network.radix, loss).size());
    const int mp = 1 + static_cast<int>(random() % 3);
    const Parallelism parallelism{{{"mp", mp}, {"dp", std::max(1, (round % 5 == 0 ? network.radix : left) / mp)}}};
    if (parallelism.ranks() > network.radix) continue;
    const PlacedJob job = place(network, parallelism, broken);
    check(network, parallelism, job, broken);
    CHECK(job.cross == counted_by_links(network, job.phases));
    const bool enough = parallelism.ranks() <= left;
    CHECK(job.lost_ranks.size() == static_cast<std::size_t>(enough ? 0 : parallelism.ranks() - left));
    if (enough) CHECK_NOTHROW(check_placement(job.placement, parallelism.ranks(), network.radix, loss));
    lost_ports += loss.none() ? 0 : 1;
    around += job.one_round_each() ? 1 : 0;
    lost += job.lost() > 0 ? 1 : 0;
    const PlacedJob again = place(network, parallelism, broken);
    CHECK(again.placement == job.placement);
    CHECK(again.rule == job.rule);
    if (!enough) continue;
    const PlacedJob given = place_as_given(network, parallelism, job.placement, broken);
    for (std::size_t p = 0; p < job.phases.size(); ++p) {
      CHECK(given.phases[p].rounds.routes == job.phases[p].rounds.routes);
    }
  }
  CHECK(lost_ports > 5);
  CHECK(around > 15);
  CHECK(lost > 0);
}

TEST_CASE("broken parts: a placement is found wherever there is one, for each link of small switches") {
  int others = 0;
  for (const auto& [radix, text] : {std::pair{4, "mp=2,dp=2"}, {5, "mp=2,dp=2"}, {6, "mp=3,dp=2"}, {6, "mp=2,dp=2"}}) {
    const Network network = make_network(radix, 2);
    const Parallelism parallelism = parse_parallelism(text);
    for (std::size_t link = 0; link < network.links.size(); ++link) {
      CAPTURE(part_name(network, static_cast<int>(link)));
      LinkSet broken(network.links.size());
      broken[link] = true;
      Placement all(static_cast<std::size_t>(radix));
      for (int port = 0; port < radix; ++port) all[port] = port;
      bool possible = false;
      do {
        const Placement some(all.begin(), all.begin() + parallelism.ranks());
        const std::vector<Phase> phases = phases_of(parallelism, some);
        possible = std::all_of(phases.begin(), phases.end(),
                               [&](const Phase& phase) { return can_route(network, phase.flows, broken); });
      } while (!possible && std::next_permutation(all.begin(), all.end()));
      const PlacedJob job = place(network, parallelism, broken);
      check(network, parallelism, job, broken);
      CHECK(job.one_round_each() == possible);
      others += possible && job.rule.find("in the order mp, dp") != 0 ? 1 : 0;
    }
  }
  CHECK(others > 5);
}

TEST_CASE("broken parts: no worse than the paper's order on the ports that are left, if nothing will do") {
  std::mt19937 random = seeded("hopeless placements");
  int hopeless = 0;
  for (int round = 0; round < 300; ++round) {
    const Network network = make_network(6 + static_cast<int>(random() % 2), 2 + static_cast<int>(random() % 2));
    LinkSet broken = random_broken(random, network, 4 + static_cast<int>(random() % 12));
    if (round % 3 == 0) unite(broken, parse_broken("m0,port0", network));
    const Loss loss = loss_of(network, broken);
    const Ports left = ports_left(network.radix, loss);
    const Parallelism parallelism = parse_parallelism(random() % 2 == 0 ? "mp=2,dp=2" : "mp=3,dp=2");
    if (parallelism.ranks() > static_cast<int>(left.size())) continue;
    const PlacedJob job = place(network, parallelism, broken);
    check(network, parallelism, job, broken);
    CHECK(job.lost_ranks.empty());
    const PlacedJob paper =
        place_as_given(network, parallelism, Placement(left.begin(), left.begin() + parallelism.ranks()), broken);
    CHECK(std::pair(job.lost(), job.rounds()) <= std::pair(paper.lost(), paper.rounds()));
    hopeless += job.one_round_each() ? 0 : 1;
  }
  CHECK(hopeless > 20);
}

TEST_CASE("broken parts: routes made compatible across phases keep clear") {
  std::mt19937 random = seeded("compatible beside broken parts");
  int changed = 0;
  for (int round = 0; round < 60; ++round) {
    const Parallelism parallelism = parse_parallelism(round % 2 == 0 ? "mp=2,dp=5,pp=2" : "mp=3,pp=3,dp=2");
    const Network network = make_network(parallelism.ranks(), 3 + round % 2);
    const LinkSet broken = random_broken(random, network, 1 + round % 6);
    std::vector<Phase> phases = phases_of(parallelism, random_placement(random, parallelism.ranks(), network.radix));
    const bool lost = std::any_of(phases.begin(), phases.end(), [&](const Phase& phase) {
      return !lost_flows(network, phase.flows, broken).empty();
    });
    if (lost) continue;
    for (Phase& phase : phases) phase.rounds = route_rounds(network, phase.flows, broken);
    std::vector<Phase> after = phases;
    improve_cross_phase(network, after, broken);
    for (std::size_t p = 0; p < after.size(); ++p) {
      for (std::size_t f = 0; f < after[p].flows.size(); ++f) {
        CHECK(disjoint(links_of(network, after[p].flows[f], after[p].rounds.routes[f]), broken));
        changed += after[p].rounds.routes[f] != phases[p].rounds.routes[f] ? 1 : 0;
      }
    }
  }
  CHECK(changed > 100);
}

TEST_CASE("broken parts: what a greedy colouring leaves none out of routes") {
  std::mt19937 random = seeded("greedy beside broken parts");
  int all = 0;
  for (int round = 0; round < 2000; ++round) {
    const Network network = make_network(2 + static_cast<int>(random() % 15), 2 + static_cast<int>(random() % 2));
    const LinkSet broken = random_broken(random, network, static_cast<int>(random() % 5));
    const std::vector<Flow> flows = random_groups(random, network.radix, 5);
    detail::Effort effort{1};
    const std::vector<int> left_out = detail::Greedy(network, broken).left_out(flows, effort);
    for (const int f : lost_flows(network, flows, broken)) {
      CHECK(std::find(left_out.begin(), left_out.end(), f) != left_out.end());
    }
    if (!left_out.empty()) continue;
    ++all;
    CHECK(can_route(network, flows, broken));
  }
  CHECK(all > 500);
}

TEST_CASE("broken parts: by which rule") {
  const auto placed = [](const char* text, int radix, int middle, const char* parts) {
    const Network network = make_network(radix, middle);
    const Parallelism parallelism = parse_parallelism(text);
    const LinkSet broken = parse_broken(parts, network);
    PlacedJob job = place(network, parallelism, broken);
    check(network, parallelism, job, broken);
    return job;
  };
  // A lost port: of a single rank, and in the paper's order, which goes on behind it.
  CHECK(placed("dp=1", 4, 2, "port0").placement == Placement{1});
  CHECK(placed("dp=1", 4, 2, "D0>port0").placement == Placement{1});
  const PlacedJob past = placed("mp=2,dp=3", 8, 3, "port2>R1");
  CHECK(past.placement == Placement{0, 1, 3, 4, 5, 6});
  CHECK(past.rule == "in the order mp, dp, past lost ports");
  // Nothing is lost, and the paper's order goes around.
  CHECK(placed("mp=2,dp=3", 6, 3, "m0.R0").rule == "in the order mp, dp");
  CHECK(placed("mp=2,dp=3", 6, 3, "m0.R0").one_round_each());
  // Ports that have lost ways come last where there are others.
  CHECK(placed("mp=2,dp=3", 11, 2, "m1.D1>D2,m1.m1.m1.RD>m1.m1.D0").rule ==
        "in the order mp, dp, ports with more ways first");
  CHECK(placed("mp=2,dp=3", 11, 2, "m1.D1>D2,m1.m1.m1.RD>m1.m1.D0").one_round_each());
  // All ports are lost.
  const PlacedJob none = placed("dp=1", 4, 2, "m0,m1");
  CHECK(none.lost_ranks == std::vector<int>{0});
  CHECK_FALSE(none.one_round_each());
  CHECK(none.phases.empty());
  const PlacedJob few = placed("mp=2,dp=2", 4, 2, "D1");
  CHECK(few.lost_ranks == std::vector<int>{2, 3});
  CHECK(few.phases[0].lost == std::vector<int>{1});
  CHECK(few.phases[1].lost == std::vector<int>{0, 1});
  CHECK(few.lost() == 3);
}

TEST_CASE("broken parts: a placement at a lost port is refused") {
  const Network network = make_network(4, 2);
  const auto says = [&](const Placement& placement, const char* parts) {
    try {
      (void)place_as_given(network, parse_parallelism("dp=2"), placement, parse_broken(parts, network));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(says({1, 0}, "port0>R0") ==
        "the placement has port 0 for rank 1: it can no longer send beside the broken parts; allowed are 1,2,3");
  CHECK(says({3, 0}, "D1").find("port 3 for rank 0: it can no longer receive") != std::string::npos);
  CHECK(says({3, 0}, "m0,m1").find("allowed are none") != std::string::npos);
  CHECK(says({3, 0}, "m0").empty());
}
