// SPDX-License-Identifier: Apache-2.0
// A complete search for middle subnetworks, level by level.
//
// In a subnetwork, two flows that share an R or a D microswitch must take different middles; flows that take the same
// middle are then routed inside it, with port q of the subnetwork entering as port q / 2. So each subnetwork poses a
// graph-colouring problem, and each colour class one problem of its own, a level further in.
//
// `Search::solve` colours the flows of one subnetwork by backtracking, the flow with the fewest middles left first.
// When all have a colour it solves the classes. A class that has no solution yields a *core*: a set of its flows that
// cannot be together in such a subnetwork, whatever else is there. The core is kept as a nogood, so no later colouring
// repeats it. Failures carry the set of flows that they rest on (conflict-directed backjumping): a flow that a failure
// does not rest on is not tried in another colour because of it. What is left at the root is the core of the whole.
//
// Middles without an avoided link inside are alike, so of those still unused only one is tried, and what is learnt
// about one holds for all of them. Nothing else is left out: when the search fails, there is no answer.
#include "fred/route/search.hpp"

#include <algorithm>
#include <utility>

namespace fred::detail {
namespace {

/// Microswitches of a level that ports use, ascending.
std::vector<int> entries(const Ports& ports, int level) {
  std::vector<int> result;
  for (const int port : ports) {
    if (const int entry = port >> (level + 1); result.empty() || result.back() != entry) result.push_back(entry);
  }
  return result;
}

}  // namespace

Problem::Problem(const Network& network_in, const std::vector<Flow>& flows_in) : network(network_in), flows(flows_in) {
  const int levels = static_cast<int>(network.shapes.size());
  in.resize(levels);
  out.resize(levels);
  for (int level = 0; level < levels; ++level) {
    for (const Flow& flow : flows) {
      in[level].push_back(entries(flow.in, level));
      out[level].push_back(entries(flow.out, level));
    }
  }
}

std::vector<std::vector<int>> Problem::conflicts(int level, const std::vector<int>& set) const {
  std::vector<std::vector<int>> neighbours(set.size());
  for (const auto* side : {&in[level], &out[level]}) {
    std::vector<std::vector<int>> users(network.shapes[level].half + 1);
    for (int i = 0; i < static_cast<int>(set.size()); ++i) {
      for (const int entry : (*side)[set[i]]) {
        for (const int j : users[entry]) {
          neighbours[i].push_back(j);
          neighbours[j].push_back(i);
        }
        users[entry].push_back(i);
      }
    }
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

/// The colouring problem of one subnetwork. Flows are named by their position in `set`.
struct Search::Colouring {
  int level = 0;
  int subnet = 0;
  const std::vector<int>& set;
  std::vector<std::vector<int>> neighbours;  // must differ in colour
  std::vector<std::vector<int>> later;       // would share a microswitch a level further in
  std::vector<std::vector<char>> allowed;    // [i][k]: uses no avoided link
  std::vector<std::vector<int>> taken;       // [i][k]: neighbours that have colour k
  std::vector<int> colour;                   // -1: none yet
  std::vector<int> when;                     // order of assignment
  std::vector<int> size;                     // [k]: flows of colour k
};

template <typename Visit>
void Search::visit_links(const Colouring& c, int f, int k, Visit visit) const {
  const Subnet& middle = (*subnets_)[child(c.subnet, k)];
  for (const int entry : problem_.in[c.level][f]) visit(middle.in[entry]);
  for (const int entry : problem_.out[c.level][f]) visit(middle.out[entry]);
}

bool Search::solve(int level, int subnet, const std::vector<int>& set, FlowSet& core) {
  if (level >= depth_ || set.empty()) return true;
  Nogoods& known = nogoods_[key(level, subnet)];
  if (const auto it = known.solved.find(set); it != known.solved.end()) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      std::copy(it->second[i].begin(), it->second[i].end(), colours_[set[i]].begin() + level);
    }
    return true;
  }
  const std::size_t n = set.size();
  const int m = problem_.network.middle;
  Colouring c{level, subnet, set, problem_.conflicts(level, set), {}, {}, {}, {}, {}, {}};
  c.later = level + 1 < depth_ ? problem_.conflicts(level + 1, set) : std::vector<std::vector<int>>(n);
  c.allowed.assign(n, std::vector<char>(m, 1));
  c.taken.assign(n, std::vector<int>(m, 0));
  c.colour.assign(n, -1);
  c.when.assign(n, 0);
  c.size.assign(m, 0);
  if (!clean(subnet)) {
    for (std::size_t i = 0; i < n; ++i) {
      for (int k = 0; k < m; ++k) {
        visit_links(c, set[i], k, [&](int link) {
          if ((*avoid_)[link]) c.allowed[i][k] = 0;
        });
      }
    }
  }
  if (!assign(c, 0, core)) return false;
  if (prefer_ == nullptr) {
    auto& solution = known.solved[set];
    for (const int f : set) solution.emplace_back(colours_[f].begin() + level, colours_[f].end());
  }
  return true;
}

/// The uncoloured flow with the fewest colours left, then the most neighbours, then the lowest index.
int Search::pick(const Colouring& c) const {
  int best = -1;
  int best_left = 0;
  for (int i = 0; i < static_cast<int>(c.set.size()); ++i) {
    if (c.colour[i] >= 0) continue;
    int left = 0;
    for (int k = 0; k < problem_.network.middle; ++k) left += c.allowed[i][k] != 0 && c.taken[i][k] == 0 ? 1 : 0;
    if (best < 0 || left < best_left || (left == best_left && c.neighbours[i].size() > c.neighbours[best].size())) {
      best = i;
      best_left = left;
    }
  }
  return best;
}

/// Colours that flow `i` may take, the most promising first: few conflicts a level further in, few flows. Where links
/// are preferred, that comes first: few links that are not yet, no middle that is not used by these flows.
std::vector<int> Search::order(const Colouring& c, int i) const {
  struct Choice {
    int links = 0, fresh = 0, conflicts = 0, size = 0, colour = 0;
    auto operator<=>(const Choice&) const = default;
  };
  std::vector<Choice> choices;
  for (int k = 0; k < problem_.network.middle; ++k) {
    if (c.allowed[i][k] == 0 || c.taken[i][k] != 0) continue;
    Choice choice{0, 0, 0, c.size[k], k};
    if (prefer_ != nullptr) {
      choice.fresh = c.size[k] == 0 ? 1 : 0;
      visit_links(c, c.set[i], k, [&](int link) { choice.links += (*prefer_)[link] ? 0 : 1; });
    }
    for (const int j : c.later[i]) choice.conflicts += c.colour[j] == k ? 1 : 0;
    choices.push_back(choice);
  }
  std::sort(choices.begin(), choices.end());
  std::vector<int> result;
  for (const Choice& choice : choices) result.push_back(choice.colour);
  return result;
}

/// Colours what is left. False: no extension of the colours given to the flows of `fail` exists among these flows.
bool Search::assign(Colouring& c, int assigned, FlowSet& fail) {
  if (assigned == static_cast<int>(c.set.size())) return solve_classes(c, fail);
  if (effort_ == 0) throw OutOfEffort{};
  if (effort_ > 0) --effort_;

  const int i = pick(c);
  const int f = c.set[i];
  fail = none();
  fail.add(f);
  for (int k = 0; k < problem_.network.middle; ++k) {  // colours that a neighbour has: blame the earliest
    if (c.allowed[i][k] == 0 || c.taken[i][k] == 0) continue;
    int earliest = -1;
    for (const int j : c.neighbours[i]) {
      if (c.colour[j] == k && (earliest < 0 || c.when[j] < c.when[earliest])) earliest = j;
    }
    fail.add(c.set[earliest]);
  }
  bool tried_unused = false;
  for (const int k : order(c, i)) {
    const int middle = child(c.subnet, k);
    if (c.size[k] == 0 && clean(middle)) {
      if (tried_unused) continue;  // alike
      tried_unused = true;
    }
    const Nogoods& known = nogoods_[key(c.level + 1, middle)];
    if (const auto it = known.by_flow.find(f); it != known.by_flow.end()) {
      const auto violated = std::find_if(it->second.begin(), it->second.end(), [&](int s) {
        return std::all_of(known.sets[s].begin(), known.sets[s].end(), [&](int g) {
          if (g == f) return true;
          const auto at = std::lower_bound(c.set.begin(), c.set.end(), g);
          return at != c.set.end() && *at == g && c.colour[at - c.set.begin()] == k;
        });
      });
      if (violated != it->second.end()) {
        for (const int g : known.sets[*violated]) fail.add(g);
        continue;
      }
    }
    c.colour[i] = k;
    c.when[i] = assigned;
    ++c.size[k];
    for (const int j : c.neighbours[i]) ++c.taken[j][k];
    FlowSet deeper = none();
    if (assign(c, assigned + 1, deeper)) return true;
    for (const int j : c.neighbours[i]) --c.taken[j][k];
    --c.size[k];
    c.colour[i] = -1;
    if (!deeper.has(f)) {
      fail = deeper;
      return false;
    }
    fail.unite(deeper);
  }
  return false;
}

bool Search::solve_classes(Colouring& c, FlowSet& fail) {
  for (int k = 0; k < problem_.network.middle; ++k) {
    if (c.size[k] == 0) continue;
    std::vector<int> members;
    for (std::size_t i = 0; i < c.set.size(); ++i) {
      if (c.colour[i] == k) members.push_back(c.set[i]);
    }
    const int middle = child(c.subnet, k);
    FlowSet core = none();
    if (!solve(c.level + 1, middle, members, core)) {
      Nogoods& known = nogoods_[key(c.level + 1, middle)];
      const int index = static_cast<int>(known.sets.size());
      known.sets.push_back(core.list());
      for (const int f : known.sets.back()) known.by_flow[f].push_back(index);
      fail = core;
      return false;
    }
  }
  for (std::size_t i = 0; i < c.set.size(); ++i) colours_[c.set[i]][c.level] = c.colour[i];
  return true;
}

}  // namespace fred::detail
