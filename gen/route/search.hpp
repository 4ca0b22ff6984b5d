// SPDX-License-Identifier: Apache-2.0
// Internal to the router: the complete search for middle subnetworks. How it works is told in search.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "fred/route/route.hpp"
#include "fred/route/wiring.hpp"

namespace fred::detail {

/// A set of flow indices.
class FlowSet {
 public:
  explicit FlowSet(std::size_t flows) : words_((flows + 63) / 64) {}
  void add(int flow) { words_[flow / 64] |= bit(flow); }
  [[nodiscard]] bool has(int flow) const { return (words_[flow / 64] & bit(flow)) != 0; }
  void unite(const FlowSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  [[nodiscard]] std::vector<int> list() const {
    std::vector<int> flows;
    for (int flow = 0; flow < static_cast<int>(words_.size() * 64); ++flow) {
      if (has(flow)) flows.push_back(flow);
    }
    return flows;
  }

 private:
  static std::uint64_t bit(int flow) { return std::uint64_t{1} << (flow % 64); }
  std::vector<std::uint64_t> words_;
};

/// Thrown when a search with a limit has tried too many assignments.
struct OutOfEffort {};

/// What the flows ask of the microswitches at each level, with the network's sizes.
struct Problem {
  Problem(const Network& network_in, const std::vector<Flow>& flows_in);

  /// Pairs of flows of `set` that share an R or a D microswitch at `level` (in one subnetwork): neighbours by position.
  [[nodiscard]] std::vector<std::vector<int>> conflicts(int level, const std::vector<int>& set) const;

  const Network& network;
  const std::vector<Flow>& flows;
  std::vector<std::vector<std::vector<int>>> in, out;  ///< [level][flow]: R (demux) and D (mux) indices it uses
};

class Search {
 public:
  /// `subnets` is null when all middles are alike; then `avoid` and `prefer` do not count. `depth`: levels to colour.
  Search(const Problem& problem, const std::vector<Subnet>* subnets, const LinkSet* avoid, const LinkSet* prefer,
         int depth)
      : problem_(problem),
        subnets_(subnets),
        avoid_(avoid),
        prefer_(prefer),
        depth_(depth),
        colours_(problem.flows.size(), std::vector<int>(problem.network.shapes.size())) {}

  /// Colours the flows of `set` from `level` on, in subnetwork `subnet`. False: `core` holds flows of the set that
  /// cannot be together there.
  bool solve(int level, int subnet, const std::vector<int>& set, FlowSet& core);

  /// Makes `solve` throw OutOfEffort after so many assignments.
  void limit_effort(long assignments) { effort_ = assignments; }

  /// [flow][level], valid for the set last solved.
  [[nodiscard]] const std::vector<std::vector<int>>& colours() const { return colours_; }

 private:
  const Problem& problem_;
  const std::vector<Subnet>* subnets_;
  const LinkSet* avoid_;
  const LinkSet* prefer_;
  int depth_;
  long effort_ = -1;  // assignments left; negative: no limit

  struct Colouring;
  struct Nogoods {
    std::vector<std::vector<int>> sets;                                // each: flows that cannot be together
    std::map<int, std::vector<int>> by_flow;                           // flow -> indices of sets
    std::map<std::vector<int>, std::vector<std::vector<int>>> solved;  // set -> colours from its level on
  };

  bool assign(Colouring& c, int assigned, FlowSet& fail);
  bool solve_classes(Colouring& c, FlowSet& fail);
  [[nodiscard]] int pick(const Colouring& c) const;
  [[nodiscard]] std::vector<int> order(const Colouring& c, int i) const;
  [[nodiscard]] bool clean(int subnet) const { return subnets_ == nullptr || (*subnets_)[subnet].clean; }
  [[nodiscard]] int child(int subnet, int k) const { return subnets_ == nullptr ? 0 : (*subnets_)[subnet].children[k]; }
  /// Subnetworks of one key are alike: clean ones of a level, or a single one.
  [[nodiscard]] int key(int level, int subnet) const { return clean(subnet) ? -level : subnet + 1; }
  [[nodiscard]] FlowSet none() const { return FlowSet(problem_.flows.size()); }

  /// Calls `visit` with each border link of middle `k` that flow `f` would use.
  template <typename Visit>
  void visit_links(const Colouring& c, int f, int k, Visit visit) const;

  std::vector<std::vector<int>> colours_;  // [flow][level]
  std::map<int, Nogoods> nogoods_;         // by key
};

}  // namespace fred::detail
