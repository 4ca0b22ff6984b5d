// SPDX-License-Identifier: Apache-2.0
// What the router's tests share: seeds, random and enumerated flows, and a brute force that owes the router nothing.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fred/route/route.hpp"

namespace fred::test {

/// A generator whose seed is printed; FRED_SEED in the environment repeats a run.
std::mt19937 seeded(const char* what);

/// Every partition of the ports 0..radix-1 into groups, as flows; `visit` returns nothing.
template <typename Visit>
void each_partition(int radix, Visit visit) {
  std::vector<int> block(radix, 0);
  std::vector<int> highest(radix, 0);  // of block[0..i]
  for (;;) {
    std::vector<Group> groups(highest[radix - 1] + 1);
    for (int p = 0; p < radix; ++p) groups[block[p]].push_back(p);
    std::vector<Flow> flows;
    for (const Group& group : groups) flows.push_back(flow_of(group));
    visit(flows);
    int i = radix - 1;
    while (i > 0 && block[i] > highest[i - 1]) --i;
    if (i == 0) return;
    ++block[i];
    for (int j = i; j < radix; ++j) {
      if (j > i) block[j] = 0;
      highest[j] = std::max(highest[j - 1], block[j]);
    }
  }
}

/// Disjoint groups of random sizes over some of the ports, as flows with equal sides.
std::vector<Flow> random_groups(std::mt19937& random, int radix, int largest);
/// Flows whose sides are drawn apart from each other.
std::vector<Flow> random_flows(std::mt19937& random, int radix, int count);
std::vector<int> shuffled(std::mt19937& random, int n);

/// Whether the flows can be routed, found by trying all colours of all flows: a flow occupies the border link of port
/// p >> l in each subnetwork that its colours lead to, and no two flows may occupy the same.
bool brute_force(int radix, int middle, const std::vector<Flow>& flows);

}  // namespace fred::test
