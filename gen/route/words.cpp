// SPDX-License-Identifier: Apache-2.0
#include "fred/route/words.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace fred::detail {
namespace {

/// Levels with a choice of middle: ceil(log2 radix) - 1.
int levels_of(int radix) {
  int levels = 0;
  for (int size = radix; size > 2; size = (size + 1) / 2) ++levels;
  return levels;
}

void fill_depths(int radix, const std::vector<Flow>& flows, WordProblem& words) {
  words.depths.assign(static_cast<std::size_t>(words.flows) * words.flows, WordProblem::kFree);
  for (const bool input : {true, false}) {
    // From the innermost level out, so that the outermost common microswitch is what stays; shift 0: a common port.
    for (int shift = words.levels; shift >= 0; --shift) {
      std::vector<std::vector<int>> users((radix >> shift) + 1);
      for (int f = 0; f < words.flows; ++f) {
        for (const int port : input ? flows[f].in : flows[f].out) {
          std::vector<int>& here = users[port >> shift];
          if (here.empty() || here.back() != f) here.push_back(f);
        }
      }
      for (const std::vector<int>& here : users) {
        for (const int f : here) {
          for (const int g : here) {
            if (f == g) continue;
            std::uint8_t& depth = words.depths[static_cast<std::size_t>(f) * words.flows + g];
            depth = std::min(depth, static_cast<std::uint8_t>(shift));
          }
        }
      }
    }
  }
}

}  // namespace

bool WordProblem::uniform() const {
  return std::all_of(forbidden.begin(), forbidden.end(), [](const auto& prefixes) { return prefixes.empty(); });
}

long WordProblem::closed(int f) const {
  // No forbidden prefix is the beginning of another, so the words that they cover add up.
  long words = 0;
  for (const std::vector<int>& prefix : forbidden[f]) {
    long covered = 1;
    for (int level = static_cast<int>(prefix.size()); level < levels; ++level) covered *= middle;
    words += covered;
  }
  return words;
}

bool WordProblem::lost(int f) const {
  long words = 1;
  for (int level = 0; level < levels; ++level) words *= middle;
  return closed(f) == words;
}

WordProblem make_words(int radix, int middle, const std::vector<Flow>& flows) {
  WordProblem words;
  words.flows = static_cast<int>(flows.size());
  words.levels = levels_of(radix);
  words.middle = middle;
  words.forbidden.resize(flows.size());
  fill_depths(radix, flows, words);
  return words;
}

WordProblem make_words(const Network& network, const std::vector<Flow>& flows, const std::vector<Subnet>& subnets,
                       const LinkSet& avoid) {
  WordProblem words = make_words(network.radix, network.middle, flows);
  for (int f = 0; f < words.flows; ++f) {
    std::vector<int> prefix;
    const std::function<void(const Subnet&)> walk = [&](const Subnet& subnet) {
      const int level = static_cast<int>(prefix.size());
      if (meets_at_border(subnet, flows[f], level, avoid)) {
        words.forbidden[f].push_back(prefix);
        return;
      }
      for (std::size_t k = 0; k < subnet.children.size(); ++k) {
        const Subnet& child = subnets[subnet.children[k]];
        if (child.clean) continue;
        prefix.push_back(static_cast<int>(k));
        walk(child);
        prefix.pop_back();
      }
    };
    if (!subnets.front().clean) walk(subnets.front());
  }
  return words;
}

WordProblem restrict_to(const WordProblem& words, const std::vector<int>& flows, int levels) {
  WordProblem some;
  some.flows = static_cast<int>(flows.size());
  some.levels = levels;
  some.middle = words.middle;
  for (const int f : flows) {
    for (const int g : flows) {
      const std::uint8_t depth = words.depth(f, g);
      some.depths.push_back(depth > levels ? WordProblem::kFree : depth);
    }
    some.forbidden.emplace_back();
    for (const std::vector<int>& prefix : words.forbidden[f]) {
      if (static_cast<int>(prefix.size()) <= levels) some.forbidden.back().push_back(prefix);
    }
  }
  return some;
}

std::vector<int> clique(const WordProblem& words, int depth) {
  const auto apart = [&](int f, int g) { return words.depth(f, g) <= depth; };
  std::vector<int> order(words.flows);
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> degree(words.flows);
  for (int f = 0; f < words.flows; ++f) {
    for (int g = 0; g < words.flows; ++g) degree[f] += f != g && apart(f, g) ? 1 : 0;
  }
  std::stable_sort(order.begin(), order.end(), [&](int f, int g) { return degree[f] > degree[g]; });
  std::vector<int> best;
  const int starts = std::clamp(8'000 / std::max(words.flows, 1), 1, 32);
  for (int start = 0; start < std::min(words.flows, starts); ++start) {
    std::vector<int> grown{order[start]};
    for (const int f : order) {
      if (f != grown.front() && std::all_of(grown.begin(), grown.end(), [&](int g) { return apart(f, g); })) {
        grown.push_back(f);
      }
    }
    if (grown.size() > best.size()) best = std::move(grown);
  }
  return best;
}

std::vector<int> pigeonhole(const WordProblem& words) {
  std::size_t places = 1;
  for (int depth = 0; depth <= words.levels && places < static_cast<std::size_t>(words.flows); ++depth) {
    std::vector<int> flows = clique(words, depth);
    if (flows.size() > places) {
      flows.resize(places + 1);
      std::sort(flows.begin(), flows.end());
      return flows;
    }
    places *= static_cast<std::size_t>(words.middle);
  }
  return {};
}

}  // namespace fred::detail
