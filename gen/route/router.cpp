// SPDX-License-Identifier: Apache-2.0
// The router: a complete search for middle subnetworks, level by level.
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
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "fred/error.hpp"
#include "fred/route/route.hpp"
#include "fred/route/wiring.hpp"

namespace fred {
namespace {

using detail::Subnet;
using detail::Wiring;

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
  Problem(const Network& network_in, const std::vector<Flow>& flows_in) : network(network_in), flows(flows_in) {
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

  /// Pairs of flows of `set` that share an R or a D microswitch at `level` (in one subnetwork): neighbours by position.
  [[nodiscard]] std::vector<std::vector<int>> conflicts(int level, const std::vector<int>& set) const {
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

  const Network& network;
  const std::vector<Flow>& flows;
  std::vector<std::vector<std::vector<int>>> in, out;  ///< [level][flow]: R (demux) and D (mux) indices it uses

 private:
  static std::vector<int> entries(const Ports& ports, int level) {
    std::vector<int> result;
    for (const int port : ports) {
      if (const int entry = port >> (level + 1); result.empty() || result.back() != entry) result.push_back(entry);
    }
    return result;
  }
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

std::vector<int> all_of(const std::vector<Flow>& flows) {
  std::vector<int> set(flows.size());
  for (std::size_t i = 0; i < set.size(); ++i) set[i] = static_cast<int>(i);
  return set;
}

std::string join(const std::vector<int>& flows) {
  std::string text;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i > 0) text += i + 1 == flows.size() ? " and " : ", ";
    text += std::to_string(flows[i]);
  }
  return text;
}

/// Two flows that have a port in common on one side.
std::optional<Conflict> port_conflict(const Network& network, const std::vector<Flow>& flows) {
  for (const bool input : {true, false}) {
    std::vector<int> user(network.radix, -1);
    for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
      for (const int port : input ? flows[f].in : flows[f].out) {
        if (user[port] >= 0) {
          Node node{input ? NodeKind::kR : NodeKind::kD, 0, {}, port / 2, 0};
          if (network.shapes.empty()) {
            node = {NodeKind::kRD, 0, {}, 0, 0};
          } else if (port / 2 == network.shapes[0].half) {
            node.kind = input ? NodeKind::kDemux : NodeKind::kMux;
          }
          return Conflict{
              {user[port], f},
              0,
              {node.name()},
              fmt::format("port {} is an {} of flows {} and {}", port, input ? "input" : "output", user[port], f)};
        }
        user[port] = f;
      }
    }
  }
  return std::nullopt;
}

/// Names of the microswitches at `level` that two flows of `set` share in the subnetwork entered by `middles`.
std::vector<std::string> shared_switches(const Problem& problem, int level, const std::vector<int>& middles,
                                         const std::vector<int>& set) {
  std::vector<std::string> names;
  for (const bool input : {true, false}) {
    std::vector<int> users(problem.network.shapes[level].half + 1);
    for (const int f : set) {
      for (const int entry : (input ? problem.in : problem.out)[level][f]) ++users[entry];
    }
    for (int i = 0; i < static_cast<int>(users.size()); ++i) {
      if (users[i] > 1) names.push_back(Node{input ? NodeKind::kR : NodeKind::kD, level, middles, i, 0}.name());
    }
  }
  return names;
}

/// Whether all positions can be reached from the first.
bool connected(const std::vector<std::vector<int>>& neighbours) {
  std::vector<char> seen(neighbours.size());
  std::vector<int> open{0};
  std::size_t reached = 0;
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    if (seen[i] != 0) continue;
    seen[i] = 1;
    ++reached;
    open.insert(open.end(), neighbours[i].begin(), neighbours[i].end());
  }
  return reached == neighbours.size();
}

/// Says in words why the flows of `set`, which cannot be coloured at `level`, cannot.
std::string explain(const Problem& problem, int level, const std::vector<int>& set, bool avoiding) {
  const int m = problem.network.middle;
  const auto neighbours = problem.conflicts(level, set);
  const auto all_have = [&](std::size_t degree) {
    return std::all_of(neighbours.begin(), neighbours.end(), [&](const auto& list) { return list.size() == degree; });
  };
  if (all_have(set.size() - 1) && static_cast<int>(set.size()) > m) {
    return fmt::format(
        "every two of them share a microswitch at level {}, so each needs a middle subnetwork of its own: {} are "
        "needed, the switch has {}",
        level, set.size(), m);
  }
  if (m == 2 && all_have(2) && set.size() % 2 == 1 && connected(neighbours)) {
    return fmt::format(
        "they form a ring of odd length at level {}, each sharing a microswitch with the next, which needs 3 middle "
        "subnetworks: the switch has 2",
        level);
  }
  return fmt::format("those that share a microswitch at level {} need different middle subnetworks, and {} are too few",
                     level, avoiding ? "those clear of the links that must stay free" : fmt::format("{}", m));
}

/// Assignments that may be spent on making a report smaller or clearer. It is true without.
constexpr long kReportEffort = 200'000;

/// Leaves out flows of `core`, which has no solution, as long as it has none.
std::vector<int> shrink(Search& search, int level, int subnet, std::vector<int> core, std::size_t flows) {
  search.limit_effort(kReportEffort);
  try {
    for (const int f : std::vector<int>(core)) {
      std::vector<int> without = core;
      if (std::erase(without, f) == 0) continue;
      FlowSet smaller(flows);
      if (!search.solve(level, subnet, without, smaller)) core = smaller.list();
    }
  } catch (const OutOfEffort&) {
  }
  return core;
}

/// Finds a small set of flows that cannot be routed, and the outermost level that explains it. `core` is known not to
/// be routable by `search`, which has gone through all levels.
Conflict find_conflict(const Problem& problem, const std::vector<Subnet>* subnets, const LinkSet& avoid, Search& search,
                       std::vector<int> core) {
  const std::size_t flows = problem.flows.size();
  core = shrink(search, 0, 0, std::move(core), flows);
  Conflict conflict;
  conflict.flows = core;
  const bool avoiding = subnets != nullptr;
  const int levels = static_cast<int>(problem.network.shapes.size());
  // Colours of the core at the levels before the one at hand, to show how that one fails.
  std::optional<std::vector<std::vector<int>>> outer;
  for (; conflict.level < levels; ++conflict.level) {
    Search shallow(problem, subnets, &avoid, nullptr, conflict.level + 1);
    shallow.limit_effort(kReportEffort);
    try {
      FlowSet smaller(flows);
      if (!shallow.solve(0, 0, core, smaller)) {
        if (conflict.level == 0) conflict.flows = core = smaller.list();
        break;
      }
      outer = shallow.colours();
    } catch (const OutOfEffort&) {
      outer.reset();
      if (conflict.level + 1 == levels) break;
    }
  }
  if (core.size() == 1) {
    conflict.reason = fmt::format("flow {} has no route that keeps clear of the links that must stay free", core[0]);
    return conflict;
  }
  conflict.reason = fmt::format("flows {} cannot be routed together{}: ", join(core),
                                avoiding ? ", beside the links that must stay free" : "");
  if (conflict.level == 0) {
    conflict.microswitches = shared_switches(problem, 0, {}, core);
    conflict.reason += explain(problem, 0, core, avoiding);
    return conflict;
  }
  conflict.reason += fmt::format("whatever middle subnetworks they take at the levels before, some collide at level {}",
                                 conflict.level);
  if (!outer) return conflict;
  std::map<std::vector<int>, std::vector<int>> classes;
  for (const int f : core) classes[{(*outer)[f].begin(), (*outer)[f].begin() + conflict.level}].push_back(f);
  for (const auto& [middles, members] : classes) {
    int subnet = 0;
    for (const int k : middles) subnet = avoiding ? (*subnets)[subnet].children[k] : 0;
    FlowSet inner(flows);
    Search one_level(problem, subnets, &avoid, nullptr, conflict.level + 1);
    if (one_level.solve(conflict.level, subnet, members, inner)) continue;
    const std::vector<int> set = shrink(one_level, conflict.level, subnet, inner.list(), flows);
    conflict.microswitches = shared_switches(problem, conflict.level, middles, set);
    conflict.reason += fmt::format("; if flows {} meet in m{}, {}", join(set), fmt::join(middles, ".m"),
                                   explain(problem, conflict.level, set, avoiding));
    break;
  }
  return conflict;
}

void check_input(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid) {
  for (std::size_t f = 0; f < flows.size(); ++f) {
    detail::check_ports(flows[f].in, network.radix, fmt::format("inputs of flow {}", f).c_str());
    detail::check_ports(flows[f].out, network.radix, fmt::format("outputs of flow {}", f).c_str());
  }
  if (!avoid.empty() && avoid.size() != network.links.size()) {
    throw InputError(
        fmt::format("a set of {} links to avoid: the network has {} links", avoid.size(), network.links.size()));
  }
}

/// Searches for routes of all flows; `explain_failure`: fill in the conflict, else leave it blank.
/// `subnets` is null when nothing is to be avoided or preferred.
RouteResult search_routes(const Network& network, const std::vector<Flow>& flows, const std::vector<Subnet>* subnets,
                          const LinkSet& avoid, const LinkSet* prefer, bool explain_failure) {
  RouteResult result;
  if ((result.conflict = port_conflict(network, flows))) return result;
  if (!avoid.empty()) {
    for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
      const auto blocked = [&](const std::vector<int>& border, const Ports& ports) {
        return std::any_of(ports.begin(), ports.end(), [&](int port) { return avoid[border[port]]; });
      };
      if (blocked((*subnets)[0].in, flows[f].in) || blocked((*subnets)[0].out, flows[f].out)) {
        result.conflict = Conflict{{f}, 0, {}, fmt::format("flow {} uses a port that must stay free", f)};
        return result;
      }
    }
  }
  const Problem problem(network, flows);
  Search search(problem, subnets, &avoid, prefer, static_cast<int>(network.shapes.size()));
  FlowSet core(flows.size());
  if (search.solve(0, 0, all_of(flows), core)) {
    for (const auto& colours : search.colours()) result.routes.push_back({colours});
  } else {
    result.conflict = explain_failure ? find_conflict(problem, subnets, avoid, search, core.list()) : Conflict{};
  }
  return result;
}

}  // namespace

RouteResult route_flows(const Network& network, const std::vector<Flow>& flows, const LinkSet& avoid) {
  check_input(network, flows, avoid);
  if (std::find(avoid.begin(), avoid.end(), true) == avoid.end()) {
    return search_routes(network, flows, nullptr, {}, nullptr, true);
  }
  const std::vector<Subnet> subnets = detail::make_subnets(Wiring(network), avoid);
  return search_routes(network, flows, &subnets, avoid, nullptr, true);
}

std::vector<std::vector<int>> route_rounds(const Network& network, const std::vector<Flow>& flows) {
  check_input(network, flows, {});
  std::vector<std::vector<int>> rounds;
  for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
    const auto fits = [&](const std::vector<int>& round) {
      std::vector<Flow> together;
      for (const int g : round) together.push_back(flows[g]);
      together.push_back(flows[f]);
      return search_routes(network, together, nullptr, {}, nullptr, false).routable();
    };
    const auto round = std::find_if(rounds.begin(), rounds.end(), fits);
    if (round == rounds.end()) {
      rounds.push_back({f});
    } else {
      round->push_back(f);
    }
  }
  return rounds;
}

std::optional<AllToAllRoutes> route_alltoall(const Network& network, const Ports& members, const LinkSet& avoid) {
  detail::check_ports(members, network.radix, "members of an all-to-all");
  check_input(network, {}, avoid);
  const Wiring wiring(network);
  const std::vector<Subnet> subnets = detail::make_subnets(wiring, avoid);
  const std::size_t n = members.size();
  AllToAllRoutes result{{}, LinkSet(network.links.size())};
  for (std::size_t step = 0; step < n; ++step) {
    std::vector<Flow> flows;
    for (std::size_t i = 0; i < n; ++i) flows.push_back({{members[i]}, {members[(i + step) % n]}});
    const RouteResult routed = search_routes(network, flows, &subnets, avoid, &result.links, false);
    if (!routed.routable()) return std::nullopt;
    std::vector<AllToAllEntry> entries;
    for (std::size_t i = 0; i < n; ++i) {
      entries.push_back({flows[i].in[0], flows[i].out[0], routed.routes[i]});
      detail::add_links(wiring, flows[i], routed.routes[i], result.links);
    }
    result.steps.push_back(std::move(entries));
  }
  return result;
}

}  // namespace fred
