// SPDX-License-Identifier: Apache-2.0
#include "tests/route/support.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>

namespace fred::test {

std::mt19937 seeded(const char* what) {
  const char* given = std::getenv("FRED_SEED");
  const auto seed = given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 0)) : 20240619U;
  std::cout << what << ": FRED_SEED=" << seed << "\n";
  return std::mt19937(seed);
}

std::vector<int> shuffled(std::mt19937& random, int n) {
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
  return order;
}

std::vector<Flow> random_groups(std::mt19937& random, int radix, int largest) {
  const std::vector<int> order = shuffled(random, radix);
  std::vector<Flow> flows;
  for (int at = 0; at < radix;) {
    const int size = std::min<int>(1 + static_cast<int>(random() % largest), radix - at);
    flows.push_back(flow_of(Group(order.begin() + at, order.begin() + at + size)));
    at += size;
  }
  return flows;
}

std::vector<Flow> random_flows(std::mt19937& random, int radix, int count) {
  std::vector<Flow> flows(count);
  for (const auto side : {&Flow::in, &Flow::out}) {
    const std::vector<int> order = shuffled(random, radix);
    for (int i = 0; i < radix; ++i) {
      const int f = i < count ? i : static_cast<int>(random() % (count + 1));
      if (f < count) (flows[f].*side).push_back(order[i]);
    }
    for (Flow& flow : flows) std::sort((flow.*side).begin(), (flow.*side).end());
  }
  return flows;
}

namespace {

using Links = std::set<std::vector<int>>;  // each: side, the middles entered, port of the subnetwork

bool fits(const std::vector<std::vector<Links>>& choices, std::size_t flow, const Links& taken) {
  if (flow == choices.size()) return true;
  for (const Links& links : choices[flow]) {
    if (std::any_of(links.begin(), links.end(), [&](const auto& link) { return taken.count(link) != 0; })) continue;
    Links more = taken;
    more.insert(links.begin(), links.end());
    if (fits(choices, flow + 1, more)) return true;
  }
  return false;
}

}  // namespace

bool brute_force(int radix, int middle, const std::vector<Flow>& flows) {
  int levels = 0;
  while ((1 << levels) < radix) ++levels;
  int routes = 1;
  for (int l = 1; l < levels; ++l) routes *= middle;
  std::vector<std::vector<Links>> choices;
  for (const Flow& flow : flows) {
    choices.emplace_back();
    for (int route = 0; route < routes; ++route) {
      Links links;
      std::vector<int> path;
      for (int l = 0, rest = route; l < levels; ++l, rest /= middle) {
        for (const bool input : {true, false}) {
          for (const int port : input ? flow.in : flow.out) {
            std::vector<int> link{input ? 1 : 0};
            link.insert(link.end(), path.begin(), path.end());
            link.push_back(port >> l);
            links.insert(link);
          }
        }
        path.push_back(rest % middle);
      }
      choices.back().push_back(links);
    }
  }
  return fits(choices, 0, {});
}

}  // namespace fred::test
