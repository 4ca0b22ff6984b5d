// SPDX-License-Identifier: Apache-2.0
// The clauses. Variables of flow f: whether it is routed; for each round whether it is in it; for each level and middle
// whether its word has that letter. A routed flow has a round and a letter at each level (one or more: any will do, as
// all other clauses forbid). For a pair of depth d, a variable a level says that the two have been together so far:
//
//   same round and both routed, letters equal      =>  together_0
//   together_(l-1) and letters equal at level l    =>  together_l
//   not (together_(d-2) and letters equal at level d-1)
//
// There are many pairs, and most are apart without being told to be. So only those of depth 0 and 1, which need no such
// variables, have their clauses from the start; the others get theirs when an answer violates them, and the question is
// asked again. What cannot be with some of the clauses cannot be with all of them, so a "no" is final at once.
#include "fred/route/sat.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <numeric>
#include <utility>

#include "fred/route/hitting.hpp"

namespace fred::detail {

struct RouteSat::Solver {
  CaDiCaL::Solver sat;
};

RouteSat::RouteSat(const WordProblem& words, int rounds, bool alike)
    : words_(words),
      rounds_(rounds),
      per_flow_(1 + rounds + words.levels * words.middle),
      variables_(words.flows * per_flow_),
      added_(static_cast<std::size_t>(words.flows) * words.flows),
      solver_(std::make_unique<Solver>()) {
  solver_->sat.set("quiet", 1);
  for (int f = 0; f < words_.flows; ++f) add_flow(f);
  for (int f = 0; f < words_.flows; ++f) {
    for (int g = f + 1; g < words_.flows; ++g) {
      if (words_.depth(f, g) <= 1) add_pair(f, g);
    }
  }
  if (alike) break_symmetry();
}

RouteSat::~RouteSat() = default;

int RouteSat::routed(int flow) const { return flow * per_flow_ + 1; }

int RouteSat::letter(int flow, int level, int k) const {
  return routed(flow) + 1 + (level < 0 ? k : rounds_ + level * words_.middle + k);
}

void RouteSat::add(std::initializer_list<int> clause) {
  for (const int literal : clause) solver_->sat.add(literal);
  solver_->sat.add(0);
}

void RouteSat::add_flow(int flow) {
  for (int level = -1; level < words_.levels; ++level) {
    solver_->sat.add(-routed(flow));
    for (int k = 0; k < letters(level); ++k) solver_->sat.add(letter(flow, level, k));
    solver_->sat.add(0);
  }
  for (const std::vector<int>& prefix : words_.forbidden[flow]) {
    solver_->sat.add(-routed(flow));
    for (std::size_t level = 0; level < prefix.size(); ++level) {
      solver_->sat.add(-letter(flow, static_cast<int>(level), prefix[level]));
    }
    solver_->sat.add(0);
  }
}

void RouteSat::add_pair(int f, int g) {
  const std::uint8_t depth = words_.depth(f, g);
  added_[static_cast<std::size_t>(f) * words_.flows + g] = 1;
  int together = 0;  // no variable yet: always so
  for (int level = rounds_ == 1 && depth > 0 ? 0 : -1; level < depth; ++level) {
    const bool last = level + 1 == depth;
    const int now = last ? 0 : ++variables_;
    for (int k = 0; k < letters(level); ++k) {
      if (together != 0) solver_->sat.add(-together);
      if (now != 0) solver_->sat.add(now);
      add({-letter(f, level, k), -letter(g, level, k)});
    }
    together = now;
  }
}

/// Adds the clauses of pairs that the last answer has together. Flows are compared by the places of their words in
/// ascending order, where those with the same beginning stand side by side.
bool RouteSat::add_violated() {
  std::vector<std::pair<std::vector<int>, int>> places;  // the round, the word; the flow
  for (int f = 0; f < words_.flows; ++f) {
    if (solver_->sat.val(routed(f)) < 0) continue;
    std::vector<int> place;
    for (int level = -1; level < words_.levels; ++level) place.push_back(chosen(f, level));
    places.emplace_back(std::move(place), f);
  }
  std::sort(places.begin(), places.end());
  bool violated = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const auto& [a, f] = places[i];
      const auto& [b, g] = places[j];
      const auto alike = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
      if (alike < 3) break;  // the round and a letter: what differs by then has its clauses
      const std::uint8_t depth = words_.depth(f, g);
      if (depth == WordProblem::kFree || alike < depth + 1) continue;
      if (added_[static_cast<std::size_t>(std::min(f, g)) * words_.flows + std::max(f, g)] != 0) continue;
      add_pair(std::min(f, g), std::max(f, g));
      violated = true;
    }
  }
  return violated;
}

/// Rounds, and the middles of a round, are numbered as the flows of some order come to need them.
void RouteSat::break_symmetry() {
  const auto in_order = [&](const std::vector<int>& apart, int level) {
    const int count = std::min(static_cast<int>(apart.size()), letters(level));
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < letters(level); ++k) {
        if (k != i) add({-letter(apart[i], level, k)});  // no two of them have one letter: the i-th may have the i-th
      }
    }
  };
  if (rounds_ > 1) {
    std::vector<int> apart = clique(words_, 0);
    if (apart.empty()) return;
    in_order(apart, -1);
  } else if (words_.uniform() && words_.levels > 0) {
    in_order(clique(words_, 1), 0);
  }
}

int RouteSat::keeps(int flow, const Route& route) {
  const int keep = ++variables_;
  for (int level = 0; level < words_.levels; ++level) {
    for (int k = 0; k < words_.middle; ++k) {
      if (k != route.colours[level]) add({-keep, -letter(flow, level, k)});
    }
  }
  return keep;
}

std::optional<bool> RouteSat::solve(const std::vector<int>& literals, long conflicts) {
  for (;;) {
    for (const int literal : literals) solver_->sat.assume(literal);
    if (conflicts >= 0) solver_->sat.limit("conflicts", static_cast<int>(conflicts));
    const int answer = solver_->sat.solve();
    if (answer == 20) return false;
    if (answer != 10) return std::nullopt;
    if (!add_violated()) return true;
  }
}

bool RouteSat::failed(int literal) const { return solver_->sat.failed(literal); }

int RouteSat::chosen(int flow, int level) const {
  for (int k = 0; k < letters(level); ++k) {
    if (solver_->sat.val(letter(flow, level, k)) > 0) return k;
  }
  return 0;  // not asked for
}

Route RouteSat::route(int flow) const {
  Route route;
  for (int level = 0; level < words_.levels; ++level) route.colours.push_back(chosen(flow, level));
  return route;
}

int RouteSat::round(int flow) const { return chosen(flow, -1); }

namespace {

std::vector<int> routed(const RouteSat& sat, const std::vector<int>& flows) {
  std::vector<int> literals;
  for (const int f : flows) literals.push_back(sat.routed(f));
  return literals;
}

/// What is to blame in `flows`, which were asked for and cannot be.
std::vector<int> blamed(const RouteSat& sat, const std::vector<int>& flows) {
  std::vector<int> core;
  for (const int f : flows) {
    if (sat.failed(sat.routed(f))) core.push_back(f);
  }
  return core;
}

}  // namespace

std::optional<std::vector<Route>> sat_routes(const WordProblem& words, std::vector<int>* core, long conflicts) {
  RouteSat sat(words, 1);
  std::vector<int> all(words.flows);
  for (int f = 0; f < words.flows; ++f) all[f] = f;
  const std::optional<bool> fits = sat.solve(routed(sat, all), conflicts);
  if (fits != true) {
    if (core != nullptr) *core = fits ? blamed(sat, all) : std::vector<int>{};
    return std::nullopt;
  }
  std::vector<Route> routes;
  for (const int f : all) routes.push_back(sat.route(f));
  return routes;
}

std::vector<int> minimal_core(const WordProblem& all_words, const std::vector<int>& set) {
  constexpr int kFewFlows = 64;       // up to here minimal for certain
  constexpr long kConflicts = 2'000;  // else a flow that is hard to leave out stays
  const WordProblem words = restrict_to(all_words, set, all_words.levels);
  const long limit = words.flows <= kFewFlows ? -1 : kConflicts;
  RouteSat sat(words, 1);
  // Flows of `asked` that cannot be together; none if they can, or if that is not known.
  const auto blame = [&](const std::vector<int>& asked) {
    std::vector<int> holes = pigeonhole(restrict_to(words, asked, words.levels));
    for (int& place : holes) place = asked[place];
    if (!holes.empty()) return holes;
    const std::optional<bool> fits = sat.solve(routed(sat, asked), limit);
    return fits == false ? blamed(sat, asked) : std::vector<int>{};
  };
  std::vector<int> core(set.size());  // places in `set`
  std::iota(core.begin(), core.end(), 0);
  if (const std::vector<int> fewer = blame(core); !fewer.empty()) core = fewer;
  std::vector<char> needed(set.size());  // each was found to be: without it the rest can be together
  for (;;) {
    const auto open = std::find_if(core.rbegin(), core.rend(), [&](int f) { return needed[f] == 0; });
    if (open == core.rend()) break;
    std::vector<int> without = core;
    std::erase(without, *open);
    const std::vector<int> fewer = blame(without);
    if (fewer.empty()) {
      needed[*open] = 1;
    } else {
      core = fewer;
    }
  }
  for (int& place : core) place = set[place];
  std::sort(core.begin(), core.end());
  return core;
}

// The implicit hitting set method (Ignatiev et al., "Smallest MUS extraction with minimal hitting set dualization",
// CP 2015). A set that cannot be together has a flow outside of every set that can: it hits the complements of these.
// So a smallest set that hits all complements known, and cannot be together, is the answer; if it can, it is grown as
// far as it goes, and leaves one more complement to be hit.
std::optional<std::vector<int>> minimum_core(const WordProblem& words, const std::vector<int>& known) {
  constexpr int kMostFlows = 256;
  const int questions = std::min(8'000, 8'000'000 / std::max(1, words.flows * words.flows));
  constexpr long kConflicts = 2'000;
  constexpr long kNodes = 20'000;
  if (words.uniform() && static_cast<int>(known.size()) == words.middle + 1) return known;  // m of any kind fit
  if (words.flows > kMostFlows) return std::nullopt;
  RouteSat sat(words, 1, false);
  std::vector<std::vector<int>> complements;
  for (int asked = 0; asked < questions; ++asked) {
    auto chosen = minimum_hitting_set(complements, words.flows, kNodes);
    if (!chosen) return std::nullopt;
    if (chosen->size() >= known.size()) return known;
    const std::optional<bool> fits = sat.solve(routed(sat, *chosen), kConflicts);
    if (!fits) return std::nullopt;
    if (!*fits) return chosen;
    std::vector<int> grown = *chosen;
    std::vector<char> in(words.flows);
    for (const int f : grown) in[f] = 1;
    std::vector<int> complement;
    for (int f = 0; f < words.flows; ++f) {
      if (in[f] != 0) continue;
      grown.push_back(f);
      ++asked;
      if (sat.solve(routed(sat, grown), kConflicts) == true) continue;
      grown.pop_back();
      complement.push_back(f);
    }
    complements.push_back(std::move(complement));
  }
  return std::nullopt;
}

}  // namespace fred::detail
