// SPDX-License-Identifier: Apache-2.0
// Which share of all ways to group the ports of FRED_m(P) routes in one round: counted exactly for small P, estimated
// from samples for larger ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fred/route/flow.hpp"

namespace fred {

/// A population of families of flows that cover all ports on both sides.
enum class Population {
  kGroups,       ///< partitions of the ports into all-reduce groups (IP = OP), all with equal probability
  kSizedGroups,  ///< such partitions with group sizes uniform in 2..8, see kSmallestGroup
  kFlows,        ///< partitions of the inputs and of the outputs into as many blocks, and a matching: (IP, OP) pairs
};
[[nodiscard]] const char* to_string(Population population);

/// Sizes of kSizedGroups are drawn from these limits, one after the other, a size again while it would leave exactly
/// one port, until one takes all ports that are left or more: it gets these. The ports are dealt in random order.
inline constexpr int kSmallestGroup = 2;
inline constexpr int kLargestGroup = 8;

/// Flows that do not route in one round.
struct Failure {
  std::vector<Flow> family;    ///< covers all ports
  std::vector<Flow> conflict;  ///< flows of it with some of their ports, which do not route; as a rule they do
                               ///< without any one flow or port
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// How many families of a population route in one round, by m.
struct Tally {
  struct Middle {
    int middle = 0;  ///< m
    std::uint64_t routable = 0;
    std::optional<Failure> failure;  ///< exact: of the fewest flows, and of these the first in the order of the
                                     ///< inputs' partition, the outputs', the matching; sampled: the first sample
    friend bool operator==(const Middle&, const Middle&) = default;
  };
  Population population = Population::kGroups;
  bool exact = false;          ///< all families were counted; else: independent samples
  int radix = 0;               ///< P
  std::uint64_t families = 0;  ///< families counted or samples drawn
  std::uint64_t routed = 0;    ///< orbits of equal families, or samples, that the router was asked about
  std::vector<Middle> middles;
  friend bool operator==(const Tally&, const Tally&) = default;
};

inline constexpr int kMaxExactGroups = 16;    ///< largest P of count_groups
inline constexpr int kMaxExactFlows = 10;     ///< largest P of count_flows
inline constexpr int kMaxSampledRadix = 256;  ///< largest P of sample_families

/// Called with each result as soon as it is there.
using TallyDone = std::function<void(const Tally&)>;

/// Every partition of the ports into groups, for each P from 2 to `up_to`. `middles`: values of m, ascending, each in
/// 2..16. Results do not depend on `threads`.
[[nodiscard]] std::vector<Tally> count_groups(int up_to, const std::vector<int>& middles, int threads,
                                              const TallyDone& done = {});
/// Every family of kFlows, for each P from 2 to `up_to`: there are the sum over k of S(P, k)^2 k!.
[[nodiscard]] std::vector<Tally> count_flows(int up_to, const std::vector<int>& middles, int threads,
                                             const TallyDone& done = {});
/// Independent samples of a population. Sample i depends on `seed`, the population, P and i alone: more samples begin
/// with those of fewer.
[[nodiscard]] Tally sample_families(Population population, int radix, const std::vector<int>& middles,
                                    std::uint64_t samples, std::uint64_t seed, int threads);
/// Sample `index` of sample_families.
[[nodiscard]] std::vector<Flow> draw_family(Population population, int radix, std::uint64_t seed, std::uint64_t index);

/// Limits between which a share lies.
struct Interval {
  double low = 0;   ///< 0..1
  double high = 1;  ///< 0..1
};
/// Wilson's score interval at 95 % for the share of successes in a population of which `samples` (1 or more) were
/// drawn: unlike the usual one right also near 0 and 1. E. B. Wilson, JASA 22 (1927) 209-212.
[[nodiscard]] Interval wilson_interval(std::uint64_t successes, std::uint64_t samples);

/// Flows as `fred route` reads them: "0,2;1,3" for groups, "0,1>2;2>0,1" for flows.
[[nodiscard]] std::string list_of(Population population, const std::vector<Flow>& flows);

}  // namespace fred
