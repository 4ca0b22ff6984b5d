// SPDX-License-Identifier: Apache-2.0
// The share of families that route: orbits against plain enumeration, the router against SAT and the checker, samples
// against what they are drawn from.
#include "fred/route/routability.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "fred/error.hpp"
#include "fred/route/natural.hpp"
#include "fred/route/parallel.hpp"
#include "fred/route/partitions.hpp"
#include "fred/route/route.hpp"
#include "fred/route/sat.hpp"
#include "tests/route/support.hpp"

using namespace fred;
using namespace fred::test;
using detail::Blocks;
using detail::Natural;

namespace {

Blocks blocks_of(const std::vector<Flow>& groups, int radix) {
  Blocks blocks(radix);
  for (std::size_t b = 0; b < groups.size(); ++b) {
    for (const int port : groups[b].in) blocks[port] = static_cast<int>(b);
  }
  return blocks;
}

/// Blocks numbered by their first ports.
Blocks renumbered(const Blocks& blocks) {
  std::map<int, int> numbers;
  Blocks result;
  for (const int block : blocks)
    result.push_back(numbers.try_emplace(block, static_cast<int>(numbers.size())).first->second);
  return result;
}

/// All that follows from `start` by exchanging, again and again, two full subtrees below a vertex.
std::set<Blocks> all_exchanged(const Blocks& start) {
  const int radix = static_cast<int>(start.size());
  std::set<Blocks> found{start};
  std::vector<Blocks> open{start};
  while (!open.empty()) {
    const Blocks blocks = open.back();
    open.pop_back();
    for (int size = 1; 2 * size <= radix; size *= 2) {
      for (int first = 0; first + 2 * size <= radix; first += 2 * size) {
        Blocks exchanged = blocks;
        for (int i = 0; i < size; ++i) std::swap(exchanged[first + i], exchanged[first + size + i]);
        exchanged = renumbered(exchanged);
        if (found.insert(exchanged).second) open.push_back(exchanged);
      }
    }
  }
  return found;
}

/// Every family of flows in the order of the inputs' partition, the outputs', the matching.
template <typename Visit>
void each_family(int radix, Visit visit) {
  std::vector<std::vector<Flow>> partitions;
  each_partition(radix, [&](const std::vector<Flow>& flows) { partitions.push_back(flows); });
  for (const std::vector<Flow>& in : partitions) {
    for (const std::vector<Flow>& out : partitions) {
      if (in.size() != out.size()) continue;
      std::vector<int> matching(in.size());
      std::iota(matching.begin(), matching.end(), 0);
      do {
        std::vector<Flow> flows;
        for (std::size_t i = 0; i < in.size(); ++i) flows.push_back({in[i].in, out[matching[i]].out});
        visit(flows);
      } while (std::next_permutation(matching.begin(), matching.end()));
    }
  }
}

/// Counts one family by plain means, as the exact tallies should.
void count_plainly(Tally& tally, const std::vector<Flow>& flows) {
  ++tally.families;
  for (Tally::Middle& middle : tally.middles) {
    if (can_route(make_outline(tally.radix, middle.middle), flows)) {
      ++middle.routable;
    } else if (!middle.failure || flows.size() < middle.failure->family.size()) {
      middle.failure = Failure{flows, {}};
    }
  }
}

void check_same_counts(const Tally& tally, const Tally& plain) {
  CAPTURE(tally.radix);
  CHECK(tally.families == plain.families);
  for (std::size_t m = 0; m < plain.middles.size(); ++m) {
    CAPTURE(plain.middles[m].middle);
    CHECK(tally.middles[m].routable == plain.middles[m].routable);
    REQUIRE(tally.middles[m].failure.has_value() == plain.middles[m].failure.has_value());
    if (plain.middles[m].failure) CHECK(tally.middles[m].failure->family == plain.middles[m].failure->family);
  }
}

Tally plain_tally(Population population, int radix, const std::vector<int>& middles) {
  Tally tally{population, true, radix, 0, 0, {}};
  for (const int middle : middles) tally.middles.push_back({middle, 0, {}});
  return tally;
}

/// Chi-square of `drawn` against `expected`, which has all that can be drawn.
double chi_square(const std::map<std::string, double>& drawn, const std::map<std::string, double>& expected) {
  for (const auto& [what, count] : drawn) CHECK_MESSAGE(expected.contains(what), what);
  double sum = 0;
  for (const auto& [what, count] : expected) {
    const auto at = drawn.find(what);
    const double difference = (at == drawn.end() ? 0 : at->second) - count;
    sum += difference * difference / count;
  }
  return sum;
}

std::map<std::string, double> draw_many(Population population, int radix, int samples) {
  std::map<std::string, double> drawn;
  for (int i = 0; i < samples; ++i) {
    std::vector<Flow> flows = draw_family(population, radix, 5, i);
    std::sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.in < b.in; });
    ++drawn[list_of(population, flows)];
  }
  return drawn;
}

std::vector<Flow> groups(const char* list, int radix) {
  std::vector<Flow> flows;
  for (const Group& group : parse_groups(list, radix)) flows.push_back(flow_of(group));
  return flows;
}

bool sat_says(int radix, int middle, const std::vector<Flow>& flows) {
  return detail::sat_routes(detail::make_words(radix, middle, flows)).has_value();
}

/// The flows do not route, and do without any one flow or port.
void check_minimal(int radix, int middle, bool is_groups, const std::vector<Flow>& flows) {
  const Network network = make_outline(radix, middle);
  CHECK_FALSE(can_route(network, flows));
  CHECK_FALSE(sat_says(radix, middle, flows));
  for (std::size_t f = 0; f < flows.size(); ++f) {
    std::vector<Flow> fewer = flows;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(f));
    CHECK(can_route(network, fewer));
    for (const auto side : {&Flow::in, &Flow::out}) {
      for (const int port : flows[f].*side) {
        if ((flows[f].*side).size() == 1) continue;
        std::vector<Flow> smaller = flows;
        std::erase(smaller[f].*side, port);
        if (is_groups) smaller[f].in = smaller[f].out = smaller[f].*side;
        CHECK(can_route(network, smaller));
      }
    }
  }
}

}  // namespace

TEST_CASE("numbers of any size are drawn with equal probability") {
  std::mt19937_64 random(1);
  const Natural bound = (Natural(1) << 64) + 5;  // nearly half of what is drawn is refused
  int high = 0;
  for (int i = 0; i < 1000; ++i) {
    const Natural drawn = detail::draw_below(bound, random);
    CHECK(drawn >= 0);
    CHECK(drawn < bound);
    high += drawn * 2 >= bound ? 1 : 0;
  }
  CHECK(high > 430);
  CHECK(high < 570);
  CHECK(detail::draw_below(Natural(1), random) == 0);
  CHECK(detail::draw_below(1, random) == 0);
}

TEST_CASE("partitions: Bell and Stirling numbers, and their orbits add up") {
  const detail::Stirling stirling(50);
  CHECK(stirling(10, 5) == Natural(42525));
  CHECK(stirling(7, 8) == Natural(0));
  CHECK(stirling(7, 0) == Natural(0));
  Natural bell50;
  for (int k = 0; k <= 50; ++k) bell50 += stirling(50, k);
  CHECK(bell50.get_str() == "185724268771078270438257767181908917499221852770");
  detail::Orbits orbits;
  while (orbits.ports() < 12) {
    orbits.add_port(1);
    std::vector<Natural> by_blocks(orbits.ports() + 1);
    for (std::size_t i = 0; i < orbits.size(); ++i) {
      by_blocks[detail::count_blocks(orbits[i].first)] += Natural(orbits[i].members);
    }
    for (int k = 0; k <= orbits.ports(); ++k) CHECK(by_blocks[k] == stirling(orbits.ports(), k));
  }
}

TEST_CASE("orbits: as by exchanging subtrees of every partition") {
  detail::Orbits orbits;
  while (orbits.ports() < 9) {
    orbits.add_port(2);
    std::map<Blocks, std::uint64_t> expected;
    std::set<Blocks> seen;
    each_partition(orbits.ports(), [&](const std::vector<Flow>& flows) {
      const Blocks blocks = blocks_of(flows, orbits.ports());
      if (seen.contains(blocks)) return;
      const std::set<Blocks> orbit = all_exchanged(blocks);
      seen.insert(orbit.begin(), orbit.end());
      expected[*orbit.begin()] = orbit.size();
    });
    REQUIRE(orbits.size() == expected.size());
    std::size_t i = 0;
    for (const auto& [first, members] : expected) CHECK(orbits[i++] == detail::Orbit{first, members});
  }
}

TEST_CASE("groups: exact counts are those of plain enumeration, P = 2..8") {
  const std::vector<int> middles{2, 3};
  const std::vector<Tally> tallies = count_groups(8, middles, 2);
  REQUIRE(tallies.size() == 7);
  for (int radix = 2; radix <= 8; ++radix) {
    Tally plain = plain_tally(Population::kGroups, radix, middles);
    each_partition(radix, [&](const std::vector<Flow>& flows) { count_plainly(plain, flows); });
    check_same_counts(tallies[radix - 2], plain);
  }
}

TEST_CASE("flows: exact counts are those of plain enumeration, P = 2..6") {
  for (const int up_to : {5, 6}) {
    const std::vector<int> middles = up_to == 5 ? std::vector<int>{2, 3} : std::vector<int>{3};
    const std::vector<Tally> tallies = count_flows(up_to, middles, 2);
    for (int radix = up_to == 5 ? 2 : 6; radix <= up_to; ++radix) {
      Tally plain = plain_tally(Population::kFlows, radix, middles);
      each_family(radix, [&](const std::vector<Flow>& flows) { count_plainly(plain, flows); });
      check_same_counts(tallies[radix - 2], plain);
    }
  }
}

TEST_CASE("flows: exact counts of 8 ports are those of every matching of every two orbits") {
  detail::Orbits orbits;
  while (orbits.ports() < 8) orbits.add_port(1);
  const Network network = make_outline(8, 2);
  std::uint64_t routable = 0;
  for (std::size_t a = 0; a < orbits.size(); ++a) {
    const std::vector<Ports> in = detail::ports_of(orbits[a].first);
    for (std::size_t b = 0; b < orbits.size(); ++b) {
      const std::vector<Ports> out = detail::ports_of(orbits[b].first);
      if (in.size() != out.size()) continue;
      std::vector<int> matching(in.size());
      std::iota(matching.begin(), matching.end(), 0);
      do {
        std::vector<Flow> flows;
        for (std::size_t i = 0; i < in.size(); ++i) flows.push_back({in[i], out[matching[i]]});
        if (can_route(network, flows)) routable += orbits[a].members * orbits[b].members;
      } while (std::next_permutation(matching.begin(), matching.end()));
    }
  }
  CHECK(count_flows(8, {2}, 2).back().middles[0].routable == routable);
}

TEST_CASE("what is known: where groups and flows begin to fail") {
  const std::uint64_t bell[] = {1, 1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975, 678570, 4213597};
  for (const Tally& tally : count_groups(12, {2, 3, 4}, 2)) {
    CAPTURE(tally.radix);
    CHECK(tally.exact);
    CHECK(tally.families == bell[tally.radix]);
    CHECK((tally.middles[0].routable == tally.families) == (tally.radix < 6));
    CHECK((tally.middles[1].routable == tally.families) == (tally.radix < 12));
    CHECK(tally.middles[2].routable == tally.families);
    if (tally.radix == 6) CHECK(tally.families - tally.middles[0].routable == 8);
    if (tally.radix == 6) CHECK(list_of(Population::kGroups, tally.middles[0].failure->conflict) == "0,2;1,4;3,5");
    if (tally.radix == 12) {
      CHECK(list_of(Population::kGroups, tally.middles[1].failure->conflict) == "0,2,4;1,6,8;3,7,10;5,9,11");
    }
  }
  const std::uint64_t families[] = {0, 0, 3, 25, 339, 6721, 179643, 6166105, 262308819};
  for (const Tally& tally : count_flows(8, {2, 3, 4}, 2)) {
    CAPTURE(tally.radix);
    CHECK(tally.families == families[tally.radix]);
    if (tally.radix == 7) {  // counted once by plain enumeration, which takes a minute
      CHECK(tally.families - tally.middles[0].routable == 3356208);
      CHECK(tally.families - tally.middles[1].routable == 22656);
    }
    CHECK((tally.middles[0].routable == tally.families) == (tally.radix < 4));
    CHECK((tally.middles[1].routable == tally.families) == (tally.radix < 6));
    CHECK(tally.middles[2].routable == tally.families);
  }
}

TEST_CASE("m + 1 flows that all meet each other, in m (m + 1) ports, or half of them") {
  CHECK_FALSE(can_route(make_outline(20, 4), groups("0,2,4,6;1,8,10,12;3,9,14,16;5,11,15,18;7,13,17,19", 20)));
  CHECK_FALSE(can_route(make_outline(10, 4), parse_flows("0,9>0,9;1,2>5,6;3,4>1,2;5,6>7,8;7,8>3,4", 10)));
}

TEST_CASE("answers are right: the checker follows routes, SAT agrees") {
  detail::Orbits orbits;
  while (orbits.ports() < 10) orbits.add_port(1);
  const auto check = [](int radix, int middle, const std::vector<Flow>& flows) {
    const Network network = make_network(radix, middle);
    const RouteResult result = route_flows(network, flows);
    CHECK(result.routable() == can_route(make_outline(radix, middle), flows));
    CHECK(result.routable() == sat_says(radix, middle, flows));
    if (result.routable()) CHECK_FALSE(check_routes(network, flows, result.routes).has_value());
  };
  for (std::size_t i = 0; i < orbits.size(); i += 5) {
    const std::vector<Ports> blocks = detail::ports_of(orbits[i].first);
    std::vector<Flow> flows;
    for (const Ports& ports : blocks) flows.push_back({ports, ports});
    check(10, 2, flows);
  }
  for (int i = 0; i < 200; ++i) {
    check(8, 3, draw_family(Population::kFlows, 8, 3, i));
    check(20, 3, draw_family(Population::kSizedGroups, 20, 3, i));
  }
}

TEST_CASE("failures are minimal") {
  std::vector<Tally> tallies = count_groups(12, {2, 3}, 2);
  for (const Tally& tally : count_flows(7, {2, 3}, 2)) tallies.push_back(tally);
  for (const Population population : {Population::kGroups, Population::kSizedGroups, Population::kFlows}) {
    tallies.push_back(sample_families(population, 24, {2, 3}, 300, 1, 2));
  }
  int failures = 0;
  for (const Tally& tally : tallies) {
    for (const Tally::Middle& middle : tally.middles) {
      REQUIRE(middle.failure.has_value() == (middle.routable < tally.families));
      if (!middle.failure) continue;
      ++failures;
      CHECK_FALSE(can_route(make_outline(tally.radix, middle.middle), middle.failure->family));
      check_minimal(tally.radix, middle.middle, tally.population != Population::kFlows, middle.failure->conflict);
    }
  }
  CHECK(failures >= 18);
}

TEST_CASE("samples: every family with the same probability") {
  constexpr int kSamples = 30'000;
  std::map<std::string, double> expected;
  each_partition(
      4, [&](const std::vector<Flow>& flows) { expected[list_of(Population::kGroups, flows)] = kSamples / 15.0; });
  CHECK(chi_square(draw_many(Population::kGroups, 4, kSamples), expected) < 36.1);  // 14 degrees of freedom, 99.9 %
  expected.clear();
  each_family(3,
              [&](const std::vector<Flow>& flows) { expected[list_of(Population::kFlows, flows)] = kSamples / 25.0; });
  CHECK(expected.size() == 25);
  CHECK(chi_square(draw_many(Population::kFlows, 3, kSamples), expected) < 51.2);  // 24 degrees, 99.9 %
}

TEST_CASE("samples of groups by size: sizes, and no group of one") {
  constexpr int kSamples = 30'000;
  // Of five ports: 4 would leave one port and is drawn again; 2 and 3 leave what the other gives; 5..8 take all.
  std::map<std::string, double> expected;
  each_partition(5, [&](const std::vector<Flow>& flows) {
    const bool one = flows.size() == 1;
    const bool two = flows.size() == 2 && flows[0].in.size() != 1 && flows[1].in.size() != 1;
    if (one || two) expected[list_of(Population::kSizedGroups, flows)] = kSamples * (one ? 4.0 / 6 : 2.0 / 6 / 10);
  });
  CHECK(expected.size() == 11);
  CHECK(chi_square(draw_many(Population::kSizedGroups, 5, kSamples), expected) < 29.6);  // 10 degrees, 99.9 %
  for (int radix = 2; radix <= 40; ++radix) {
    for (int i = 0; i < 200; ++i) {
      for (const Flow& flow : draw_family(Population::kSizedGroups, radix, 1, i)) {
        CHECK(flow.in.size() >= 2);
        CHECK(flow.in.size() <= 8);
      }
    }
  }
}

TEST_CASE("samples cover all ports once on each side") {
  for (const Population population : {Population::kGroups, Population::kSizedGroups, Population::kFlows}) {
    for (const int radix : {2, 3, 17, 64, 256}) {
      const std::vector<Flow> flows = draw_family(population, radix, 9, 0);
      std::vector<int> inputs(radix), outputs(radix);
      for (const Flow& flow : flows) {
        for (const int port : flow.in) ++inputs[port];
        for (const int port : flow.out) ++outputs[port];
        if (population != Population::kFlows) CHECK(flow.in == flow.out);
      }
      CHECK(inputs == std::vector<int>(radix, 1));
      CHECK(outputs == std::vector<int>(radix, 1));
    }
  }
}

TEST_CASE("samples agree with exact counts") {
  const Tally sampled = sample_families(Population::kGroups, 10, {2}, 4000, 1, 2);
  const Interval groups = wilson_interval(sampled.middles[0].routable, sampled.families);
  CHECK(groups.low < 94151.0 / 115975);
  CHECK(groups.high > 94151.0 / 115975);
  const Tally flows = sample_families(Population::kFlows, 7, {2}, 4000, 1, 2);
  const Interval interval = wilson_interval(flows.middles[0].routable, flows.families);
  CHECK(interval.low < 2809897.0 / 6166105);
  CHECK(interval.high > 2809897.0 / 6166105);
}

TEST_CASE("the same whatever the number of threads; more samples begin with those of fewer") {
  CHECK(count_groups(10, {2, 3}, 1) == count_groups(10, {2, 3}, 3));
  CHECK(count_flows(6, {2, 3}, 1) == count_flows(6, {2, 3}, 3));
  CHECK(sample_families(Population::kFlows, 16, {2, 3}, 500, 4, 1) ==
        sample_families(Population::kFlows, 16, {2, 3}, 500, 4, 3));
  CHECK(draw_family(Population::kGroups, 16, 1, 0) != draw_family(Population::kGroups, 16, 2, 0));
  CHECK(draw_family(Population::kGroups, 16, 1, 0) != draw_family(Population::kGroups, 16, 1, 1));
  // Kept, so that another compiler or library is seen to draw the same.
  CHECK(list_of(Population::kGroups, draw_family(Population::kGroups, 16, 1, 0)) ==
        "0,8,10,13;1,15;2,3;4,6;5,7,11;9;12,14");
  CHECK(list_of(Population::kSizedGroups, draw_family(Population::kSizedGroups, 16, 1, 0)) ==
        "3,11;5,6;0,2,9,10,12,15;1,4,7,8,13,14");
  CHECK(list_of(Population::kFlows, draw_family(Population::kFlows, 8, 1, 0)) == "0,1>5;2,6>3;3>0;4>6,7;5>4;7>1,2");
}

TEST_CASE("a larger m routes what a smaller one does, with any list of m") {
  const Tally all = sample_families(Population::kSizedGroups, 32, {2, 3, 4, 5}, 300, 1, 2);
  for (std::size_t m = 0; m < 4; ++m) {
    const Tally one = sample_families(Population::kSizedGroups, 32, {all.middles[m].middle}, 300, 1, 2);
    CHECK(one.middles[0] == all.middles[m]);
    if (m > 0) CHECK(all.middles[m].routable >= all.middles[m - 1].routable);
  }
}

TEST_CASE("Wilson's interval: published values") {
  const auto check = [](std::uint64_t successes, std::uint64_t samples, double low, double high) {
    const Interval interval = wilson_interval(successes, samples);
    CHECK(std::abs(interval.low - low) < 0.00005);
    CHECK(std::abs(interval.high - high) < 0.00005);
  };
  // R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  check(28, 29, 1 - 0.1718, 1 - 0.0061);
  CHECK(wilson_interval(0, 20).low == 0);
  CHECK(wilson_interval(20, 20).high == 1);
}

TEST_CASE("routability: what is not allowed is said") {
  CHECK_THROWS_WITH_AS((void)count_groups(17, {2}, 1), "P = 17: allowed is 2..16", InputError);
  CHECK_THROWS_WITH_AS((void)count_flows(11, {2}, 1), "P = 11: allowed is 2..10", InputError);
  CHECK_THROWS_WITH_AS((void)count_groups(4, {3, 2}, 1), "m = 2 after 3: must ascend", InputError);
  CHECK_THROWS_WITH_AS((void)count_groups(4, {17}, 1), "m = 17: allowed is 2..16", InputError);
  CHECK_THROWS_WITH_AS((void)count_groups(4, {}, 1), "no m is given: allowed are values in 2..16", InputError);
  CHECK_THROWS_WITH_AS((void)draw_family(Population::kGroups, 257, 1, 0), "P = 257: allowed is 2..256", InputError);
}

TEST_CASE("parallel work: every piece once, and an exception comes out") {
  std::vector<int> calls(1000);
  detail::parallel_for(calls.size(), 7, 3, [&](std::size_t i) { ++calls[i]; });
  CHECK(calls == std::vector<int>(1000, 1));
  CHECK_THROWS_AS(detail::parallel_for(100, 1, 3,
                                       [](std::size_t i) {
                                         if (i == 50) throw InputError("50");
                                       }),
                  InputError);
}
