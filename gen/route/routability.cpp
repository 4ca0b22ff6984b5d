// SPDX-License-Identifier: Apache-2.0
// Every family is asked about for ascending m until it routes: a larger m only adds middles, so it then routes too.
//
// Exact counts ask once for each orbit of families that route alike. For groups these are orbits of partitions
// (partitions.hpp). For flows, the two sides of a family matter only through how early their blocks must part: a
// *side* is a matrix with the shift at which blocks i and j first meet, and partitions with the same matrix up to the
// numbering of the blocks are alike. A family is then two sides and a matching of their blocks, and matchings that
// differ by automorphisms of the two matrices are alike.
#include "fred/route/routability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "fred/error.hpp"
#include "fred/network/network.hpp"
#include "fred/route/parallel.hpp"
#include "fred/route/partitions.hpp"
#include "fred/route/route.hpp"

namespace fred {
namespace {

using detail::Blocks;

std::vector<Network> outlines(int radix, const std::vector<int>& middles) {
  std::vector<Network> networks;
  for (const int middle : middles) networks.push_back(make_outline(radix, middle));
  return networks;
}

/// Position of the first network, by ascending m, in which the flows route; their number if there is none.
std::size_t first_that_routes(const std::vector<Network>& networks, const std::vector<Flow>& flows) {
  std::size_t i = 0;
  while (i < networks.size() && !can_route(networks[i], flows)) ++i;
  return i;
}

std::vector<Flow> groups_of(const Blocks& blocks) {
  std::vector<Flow> flows;
  for (const Ports& ports : detail::ports_of(blocks)) flows.push_back({ports, ports});
  return flows;
}

Tally blank(Population population, bool exact, int radix, const std::vector<int>& middles) {
  Tally tally{population, exact, radix, 0, 0, {}};
  for (const int middle : middles) tally.middles.push_back({middle, 0, std::nullopt});
  return tally;
}

/// Counts `members` families that route from network `first` on.
void count(Tally& tally, std::uint64_t members, std::size_t first) {
  tally.families += members;
  ++tally.routed;
  for (std::size_t i = first; i < tally.middles.size(); ++i) tally.middles[i].routable += members;
}

/// Leaves out ports, the last ones first, as long as the flows do not route.
void drop_ports(const Network& network, bool groups, std::vector<Flow>& flows) {
  for (int port = network.radix - 1; port >= 0; --port) {
    for (const bool input : {true, false}) {
      if (groups && !input) continue;
      std::vector<Flow> without = flows;
      for (Flow& flow : without) {
        const auto drop = [&](Ports& ports) {
          if (ports.size() > 1) std::erase(ports, port);
        };
        if (groups || input) drop(flow.in);
        if (groups || !input) drop(flow.out);
      }
      if (without != flows && !can_route(network, without)) flows = std::move(without);
    }
  }
}

/// With the flows and ports that are to blame.
Failure explained(const Network& network, Population population, const std::vector<Flow>& family) {
  const RouteResult result = route_flows(network, family);
  Failure failure{family, {}};
  for (const int f : result.conflict.value().flows) failure.conflict.push_back(family[f]);
  drop_ports(network, population != Population::kFlows, failure.conflict);
  return failure;
}

/// Makes failures of the families, by network; an empty one is none.
void explain(Tally& tally, const std::vector<Network>& networks, const std::vector<std::vector<Flow>>& families,
             int threads) {
  detail::parallel_for(networks.size(), 1, threads, [&](std::size_t i) {
    if (!families[i].empty()) tally.middles[i].failure = explained(networks[i], tally.population, families[i]);
  });
}

Tally count_orbits(const detail::Orbits& orbits, const std::vector<int>& middles, int threads) {
  const std::vector<Network> networks = outlines(orbits.ports(), middles);
  std::vector<std::uint8_t> first(orbits.size());
  detail::parallel_for(orbits.size(), 256, threads, [&](std::size_t i) {
    first[i] = static_cast<std::uint8_t>(first_that_routes(networks, groups_of(orbits[i].first)));
  });
  Tally tally = blank(Population::kGroups, true, orbits.ports(), middles);
  std::vector<std::vector<Flow>> families(middles.size());
  for (std::size_t i = 0; i < orbits.size(); ++i) {
    count(tally, orbits[i].members, first[i]);
    if (first[i] == 0) continue;
    const std::vector<Flow> flows = groups_of(orbits[i].first);
    for (std::size_t m = 0; m < first[i]; ++m) {
      if (families[m].empty() || flows.size() < families[m].size()) families[m] = flows;
    }
  }
  explain(tally, networks, families, threads);
  return tally;
}

/// By block: its new number, or the block that it is matched with.
using Permutation = std::vector<int>;

/// At which shift the blocks of a partition first meet, for every two of them.
class Meetings {
 public:
  explicit Meetings(const Blocks& blocks) : size_(detail::count_blocks(blocks)), shifts_(size_ * size_, 32) {
    for (unsigned p = 0; p < blocks.size(); ++p) {
      for (unsigned q = 0; q < p; ++q) {
        const auto shift = static_cast<int>(std::bit_width(p ^ q));
        for (const int at : {blocks[p] * size_ + blocks[q], blocks[q] * size_ + blocks[p]}) {
          shifts_[at] = std::min(shifts_[at], shift);
        }
      }
    }
  }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int operator()(int i, int j) const { return shifts_[i * size_ + j]; }

 private:
  int size_;
  std::vector<int> shifts_;  // [i * size_ + j], i != j
};

/// The matrix with its blocks in the order that makes it smallest, read as rows below the diagonal; and all such orders
/// of the blocks.
struct Canonical {
  std::vector<int> rows;
  std::vector<Permutation> orders;
};

Canonical canonical(const Meetings& meetings) {
  Canonical result{{}, {{}}};
  for (int placed = 0; placed < meetings.size(); ++placed) {
    std::vector<int> best, row(placed);
    std::vector<Permutation> longer;
    for (const Permutation& order : result.orders) {
      for (int block = 0; block < meetings.size(); ++block) {
        if (std::find(order.begin(), order.end(), block) != order.end()) continue;
        for (int i = 0; i < placed; ++i) row[i] = meetings(block, order[i]);
        if (!longer.empty() && row > best) continue;
        if (longer.empty() || row < best) {
          longer.clear();
          best = row;
        }
        longer.push_back(order);
        longer.back().push_back(block);
      }
    }
    result.rows.insert(result.rows.end(), best.begin(), best.end());
    result.orders = std::move(longer);
  }
  return result;
}

/// The partitions of one side that have the same matrix up to the numbering of their blocks.
struct Side {
  std::vector<Ports> first;        ///< the blocks of the lexicographically first of them
  std::uint64_t members = 0;       ///< how many there are
  std::vector<Permutation> alike;  ///< renumberings of the blocks that leave the matrix as it is
};

/// The sides of k blocks, k = 1..P at [k], each list ascending by `first`.
std::vector<std::vector<Side>> make_sides(const detail::Orbits& orbits) {
  std::vector<std::vector<Side>> sides(orbits.ports() + 1);
  std::vector<std::map<std::vector<int>, std::size_t>> known(sides.size());
  for (std::size_t i = 0; i < orbits.size(); ++i) {
    const detail::Orbit orbit = orbits[i];
    const Meetings meetings(orbit.first);
    Canonical form = canonical(meetings);
    std::vector<Side>& list = sides[meetings.size()];
    const auto [at, is_new] = known[meetings.size()].try_emplace(std::move(form.rows), list.size());
    if (is_new) {
      list.push_back({detail::ports_of(orbit.first), 0, {}});
      for (const Permutation& order : form.orders) {
        Permutation renumbered(order.size());
        for (std::size_t b = 0; b < order.size(); ++b) renumbered[form.orders.front()[b]] = order[b];
        list.back().alike.push_back(renumbered);
      }
    }
    list[at->second].members += orbit.members;
  }
  return sides;
}

std::uint64_t factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Position in the lexicographic order of all permutations.
std::size_t rank_of(const Permutation& permutation) {
  std::size_t rank = 0;
  unsigned used = 0;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    const unsigned value = static_cast<unsigned>(permutation[i]);
    rank = rank * (permutation.size() - i) + value - std::popcount(used & ((1U << value) - 1));
    used |= 1U << value;
  }
  return rank;
}

/// Block i of the inputs goes to block matching[i] of the outputs.
std::vector<Flow> family_of(const Side& in, const Side& out, const Permutation& matching) {
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < matching.size(); ++i) flows.push_back({in.first[i], out.first[matching[i]]});
  return flows;
}

/// Two sides of as many blocks. Families with inputs and outputs exchanged route alike, so they are counted with these.
struct Pair {
  const Side& in;
  const Side& out;
  bool same = false;  ///< one side twice: exchanged, a matching is its inverse
};

/// What the families of a pair of sides add to the tally.
struct PairTally {
  std::uint64_t families = 0;
  std::uint64_t routed = 0;
  std::vector<std::uint64_t> routable;                 // by network
  std::vector<std::optional<Permutation>> unroutable;  // by network: the first matching
};

PairTally count_pair(const Pair& pair, const std::vector<Network>& networks) {
  PairTally tally{0, 0, std::vector<std::uint64_t>(networks.size()),
                  std::vector<std::optional<Permutation>>(networks.size())};
  const std::size_t k = pair.in.first.size();
  std::vector<bool> seen(factorial(static_cast<int>(k)));
  Permutation matching(k), like(k), inverse(k);
  std::iota(matching.begin(), matching.end(), 0);
  std::size_t rank = 0;
  do {
    if (seen[rank++]) continue;
    std::uint64_t members = 0;
    const auto meet = [&](const Permutation& permutation) {
      const std::size_t at = rank_of(permutation);
      if (!seen[at]) ++members;
      seen[at] = true;
    };
    for (const Permutation& in : pair.in.alike) {
      for (const Permutation& out : pair.out.alike) {
        for (std::size_t i = 0; i < k; ++i) like[in[i]] = out[matching[i]];
        meet(like);
        if (!pair.same) continue;
        for (std::size_t i = 0; i < k; ++i) inverse[like[i]] = static_cast<int>(i);
        meet(inverse);
      }
    }
    members *= pair.in.members * pair.out.members * (pair.same ? 1 : 2);
    const std::size_t first = first_that_routes(networks, family_of(pair.in, pair.out, matching));
    tally.families += members;
    ++tally.routed;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      if (i >= first) {
        tally.routable[i] += members;
      } else if (!tally.unroutable[i]) {
        tally.unroutable[i] = matching;
      }
    }
  } while (std::next_permutation(matching.begin(), matching.end()));
  return tally;
}

Tally count_all_flows(const detail::Orbits& orbits, const std::vector<int>& middles, int threads) {
  const std::vector<Network> networks = outlines(orbits.ports(), middles);
  const std::vector<std::vector<Side>> sides = make_sides(orbits);
  std::vector<Pair> pairs;  // by the number of flows, then by inputs, then by outputs
  for (const std::vector<Side>& list : sides) {
    for (std::size_t a = 0; a < list.size(); ++a) {
      for (std::size_t b = a; b < list.size(); ++b) pairs.push_back({list[a], list[b], a == b});
    }
  }
  std::vector<PairTally> parts(pairs.size());
  // The last ones have the most matchings.
  detail::parallel_for(pairs.size(), 1, threads, [&](std::size_t i) {
    const std::size_t pair = pairs.size() - 1 - i;
    parts[pair] = count_pair(pairs[pair], networks);
  });
  Tally tally = blank(Population::kFlows, true, orbits.ports(), middles);
  std::vector<std::vector<Flow>> families(middles.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    tally.families += parts[i].families;
    tally.routed += parts[i].routed;
    for (std::size_t m = 0; m < middles.size(); ++m) {
      tally.middles[m].routable += parts[i].routable[m];
      if (families[m].empty() && parts[i].unroutable[m]) {
        families[m] = family_of(pairs[i].in, pairs[i].out, *parts[i].unroutable[m]);
      }
    }
  }
  explain(tally, networks, families, threads);
  return tally;
}

void check_middles(const std::vector<int>& middles) {
  if (middles.empty()) throw InputError("no m is given: allowed are values in 2..16");
  for (std::size_t i = 0; i < middles.size(); ++i) {
    if (middles[i] < 2 || middles[i] > 16) throw InputError(fmt::format("m = {}: allowed is 2..16", middles[i]));
    if (i > 0 && middles[i - 1] >= middles[i]) {
      throw InputError(fmt::format("m = {} after {}: must ascend", middles[i], middles[i - 1]));
    }
  }
}

void check_radix(int radix, int most) {
  if (radix < 2 || radix > most) throw InputError(fmt::format("P = {}: allowed is 2..{}", radix, most));
}

template <typename CountOne>
std::vector<Tally> count_each(int up_to, int threads, const TallyDone& done, const CountOne& count_one) {
  std::vector<Tally> tallies;
  for (detail::Orbits orbits; orbits.ports() < up_to;) {
    orbits.add_port(threads);
    tallies.push_back(count_one(orbits));
    if (done) done(tallies.back());
  }
  return tallies;
}

/// Draws families of one population and size.
class Sampler {
 public:
  Sampler(Population population, int radix, std::uint64_t seed)
      : population_(population), radix_(radix), seed_(seed), stirling_(radix) {
    if (population == Population::kSizedGroups) return;
    detail::Natural matchings(1);
    for (int k = 0; k <= radix; ++k) {
      if (k > 0) matchings *= k;
      const detail::Natural& partitions = stirling_(radix, k);
      weights_.push_back(population == Population::kGroups ? partitions : partitions * partitions * matchings);
    }
  }

  [[nodiscard]] std::vector<Flow> draw(std::uint64_t index) const {
    std::mt19937_64 random = generator(index);
    if (population_ == Population::kSizedGroups) return draw_sized(random);
    const int k = detail::draw_index(weights_, random);
    const Blocks in = detail::draw_partition(stirling_, radix_, k, random);
    if (population_ == Population::kGroups) return groups_of(in);
    const std::vector<Ports> inputs = detail::ports_of(in);
    const std::vector<Ports> outputs = detail::ports_of(detail::draw_partition(stirling_, radix_, k, random));
    const std::vector<int> matching = detail::draw_order(k, random);
    std::vector<Flow> flows;
    for (int i = 0; i < k; ++i) flows.push_back({inputs[i], outputs[matching[i]]});
    return flows;
  }

 private:
  /// The words of a seed are mixed (splitmix64), so that neighbours have nothing in common.
  [[nodiscard]] std::mt19937_64 generator(std::uint64_t index) const {
    std::uint64_t state = 0;
    for (const std::uint64_t word :
         {seed_, static_cast<std::uint64_t>(population_), static_cast<std::uint64_t>(radix_), index}) {
      state = (state ^ word) + 0x9e37'79b9'7f4a'7c15U;
      state = (state ^ (state >> 30)) * 0xbf58'476d'1ce4'e5b9U;
      state = (state ^ (state >> 27)) * 0x94d0'49bb'1331'11ebU;
      state ^= state >> 31;
    }
    return std::mt19937_64(state);
  }

  [[nodiscard]] std::vector<Flow> draw_sized(std::mt19937_64& random) const {
    const std::vector<int> sizes = detail::draw_sizes(radix_, kSmallestGroup, kLargestGroup, random);
    const std::vector<int> order = detail::draw_order(radix_, random);
    std::vector<Flow> flows;
    auto next = order.begin();
    for (const int size : sizes) {
      Ports ports(next, next + size);
      std::sort(ports.begin(), ports.end());
      flows.push_back({ports, ports});
      next += size;
    }
    return flows;
  }

  Population population_;
  int radix_;
  std::uint64_t seed_;
  detail::Stirling stirling_;
  std::vector<detail::Natural> weights_;  // [k]: how many families have k flows
};

}  // namespace

const char* to_string(Population population) {
  switch (population) {
    case Population::kGroups:
      return "groups";
    case Population::kSizedGroups:
      return "sized-groups";
    case Population::kFlows:
      return "flows";
  }
  return "?";
}

std::vector<Tally> count_groups(int up_to, const std::vector<int>& middles, int threads, const TallyDone& done) {
  check_radix(up_to, kMaxExactGroups);
  check_middles(middles);
  return count_each(up_to, threads, done,
                    [&](const detail::Orbits& orbits) { return count_orbits(orbits, middles, threads); });
}

std::vector<Tally> count_flows(int up_to, const std::vector<int>& middles, int threads, const TallyDone& done) {
  check_radix(up_to, kMaxExactFlows);
  check_middles(middles);
  return count_each(up_to, threads, done,
                    [&](const detail::Orbits& orbits) { return count_all_flows(orbits, middles, threads); });
}

std::vector<Flow> draw_family(Population population, int radix, std::uint64_t seed, std::uint64_t index) {
  check_radix(radix, kMaxSampledRadix);
  return Sampler(population, radix, seed).draw(index);
}

Tally sample_families(Population population, int radix, const std::vector<int>& middles, std::uint64_t samples,
                      std::uint64_t seed, int threads) {
  check_radix(radix, kMaxSampledRadix);
  check_middles(middles);
  const Sampler sampler(population, radix, seed);
  const std::vector<Network> networks = outlines(radix, middles);
  std::vector<std::uint8_t> first(samples);
  detail::parallel_for(samples, 16, threads, [&](std::size_t i) {
    first[i] = static_cast<std::uint8_t>(first_that_routes(networks, sampler.draw(i)));
  });
  Tally tally = blank(population, false, radix, middles);
  std::vector<std::vector<Flow>> families(middles.size());
  for (std::size_t i = 0; i < samples; ++i) {
    count(tally, 1, first[i]);
    for (std::size_t m = 0; m < first[i]; ++m) {
      if (families[m].empty()) families[m] = sampler.draw(i);
    }
  }
  explain(tally, networks, families, threads);
  return tally;
}

Interval wilson_interval(std::uint64_t successes, std::uint64_t samples) {
  constexpr double kDeviations = 1.959963984540054;  // of the normal distribution: 97.5 % lie below
  const auto n = static_cast<double>(samples);
  const double share = static_cast<double>(successes) / n;
  const double square = kDeviations * kDeviations;
  const double centre = (share + square / (2 * n)) / (1 + square / n);
  const double half = kDeviations / (1 + square / n) * std::sqrt(share * (1 - share) / n + square / (4 * n * n));
  // At the ends the limit is 0 or 1 but for rounding.
  return {successes == 0 ? 0.0 : centre - half, successes == samples ? 1.0 : centre + half};
}

std::string list_of(Population population, const std::vector<Flow>& flows) {
  std::string list;
  for (const Flow& flow : flows) {
    if (!list.empty()) list += ';';
    list += fmt::format("{}", fmt::join(flow.in, ","));
    if (population == Population::kFlows) list += fmt::format(">{}", fmt::join(flow.out, ","));
  }
  return list;
}

}  // namespace fred
