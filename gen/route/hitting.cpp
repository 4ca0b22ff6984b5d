// SPDX-License-Identifier: Apache-2.0
// Branch and bound: some element of the smallest set that is not met yet must be taken, so each is tried in turn, those
// that meet most first. Sets that are not met and have no element in common need one each: the bound.
#include "fred/route/hitting.hpp"

#include <algorithm>

namespace fred::detail {
namespace {

class HittingSearch {
 public:
  HittingSearch(const std::vector<std::vector<int>>& sets, int elements, long nodes)
      : sets_(sets), containing_(elements), met_(sets.size()), excluded_(elements), nodes_(nodes) {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      for (const int e : sets[s]) containing_[e].push_back(static_cast<int>(s));
    }
  }

  std::optional<std::vector<int>> run() {
    best_ = greedy();
    std::vector<int> taken;
    if (!branch(taken)) return std::nullopt;
    std::sort(best_.begin(), best_.end());
    return best_;
  }

 private:
  [[nodiscard]] int gain(int element) const {
    int count = 0;
    for (const int s : containing_[element]) count += met_[s] == 0 ? 1 : 0;
    return count;
  }

  void take(int element, int by) {
    for (const int s : containing_[element]) met_[s] += by;
  }

  std::vector<int> greedy() {
    std::vector<int> taken;
    for (;;) {
      int best = -1;
      int most = 0;
      for (int e = 0; e < static_cast<int>(containing_.size()); ++e) {
        if (const int g = gain(e); g > most) {
          most = g;
          best = e;
        }
      }
      if (best < 0) break;
      take(best, 1);
      taken.push_back(best);
    }
    for (const int e : taken) take(e, -1);
    return taken;
  }

  /// So many elements are needed at least for what is not met yet.
  [[nodiscard]] int bound() const {
    std::vector<char> used(containing_.size());
    int count = 0;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (met_[s] != 0) continue;
      if (std::any_of(sets_[s].begin(), sets_[s].end(), [&](int e) { return used[e] != 0; })) continue;
      ++count;
      for (const int e : sets_[s]) used[e] = 1;
    }
    return count;
  }

  /// False: out of nodes.
  bool branch(std::vector<int>& taken) {
    if (nodes_-- <= 0) return false;
    int smallest = -1;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (met_[s] == 0 && (smallest < 0 || sets_[s].size() < sets_[smallest].size())) smallest = static_cast<int>(s);
    }
    if (smallest < 0) {
      if (taken.size() < best_.size()) best_ = taken;
      return true;
    }
    if (taken.size() + bound() >= best_.size()) return true;
    std::vector<int> order;
    for (const int e : sets_[smallest]) {
      if (excluded_[e] == 0) order.push_back(e);
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return gain(a) > gain(b); });
    std::vector<int> done;
    bool complete = true;
    for (const int e : order) {
      take(e, 1);
      taken.push_back(e);
      complete = branch(taken);
      taken.pop_back();
      take(e, -1);
      if (!complete) break;
      excluded_[e] = 1;  // what has it has been gone through
      done.push_back(e);
    }
    for (const int e : done) excluded_[e] = 0;
    return complete;
  }

  const std::vector<std::vector<int>>& sets_;
  std::vector<std::vector<int>> containing_;  // by element: indices of sets
  std::vector<int> met_;                      // by set: how often
  std::vector<char> excluded_;                // by element: not to be taken below
  std::vector<int> best_;
  long nodes_;
};

}  // namespace

std::optional<std::vector<int>> minimum_hitting_set(const std::vector<std::vector<int>>& sets, int elements,
                                                    long nodes) {
  return HittingSearch(sets, elements, nodes).run();
}

}  // namespace fred::detail
