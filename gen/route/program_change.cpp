// SPDX-License-Identifier: Apache-2.0
#include "fred/route/program_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "fred/error.hpp"

namespace fred {
namespace {

bool contains(const std::vector<int>& list, int item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

Flow flow_of(const Descriptor& descriptor) { return {descriptor.in, descriptor.out}; }

/// Whether two may go in one cycle. `links_a` and `links_b` are those of their routes.
bool side_by_side(const Descriptor& a, const LinkSet& links_a, const Descriptor& b, const LinkSet& links_b) {
  return !share_a_port(flow_of(a), flow_of(b)) && disjoint(links_a, links_b);
}

void check_no_alltoall(Kind kind) {
  if (kind != Kind::kAllToAll) return;
  throw InputError(
      "alltoall: its entries are not changed beside running collectives; allowed are all other kinds, or all set up "
      "anew without --keep");
}

/// Every descriptor is the design's, and named once.
void check_indices(const Design& design, const std::vector<Descriptor>& running, const std::vector<int>& removed) {
  std::vector<char> used(static_cast<std::size_t>(design.descriptors));
  const auto take = [&](int index) {
    if (index < 0 || index >= design.descriptors) {
      throw InputError(fmt::format("descriptor {} runs: the design has 0..{}", index, design.descriptors - 1));
    }
    char& at = used[static_cast<std::size_t>(index)];
    if (at != 0) throw InputError(fmt::format("descriptor {} is named twice", index));
    at = 1;
  };
  for (const Descriptor& descriptor : running) take(descriptor.index);
  for (const int index : removed) take(index);
}

void check_running(const Network& network, const std::vector<Descriptor>& running) {
  std::vector<LinkSet> links;
  for (const Descriptor& descriptor : running) {
    check_no_alltoall(descriptor.kind);
    links.push_back(links_of(network, flow_of(descriptor), descriptor.route));
  }
  for (std::size_t a = 0; a < running.size(); ++a) {
    for (std::size_t b = a + 1; b < running.size(); ++b) {
      const bool mutual =
          contains(running[a].compatible, running[b].index) && contains(running[b].compatible, running[a].index);
      if (!mutual || side_by_side(running[a], links[a], running[b], links[b])) continue;
      throw InputError(fmt::format("descriptors {} and {} call each other compatible though their routes meet",
                                   running[a].index, running[b].index));
    }
  }
}

class Change {
 public:
  Change(const Design& design, const Network& network, const std::vector<Descriptor>& running,
         const std::vector<int>& removed, const std::vector<Route>& routes)
      : design_(design), network_(network), removed_(removed) {
    check_indices(design, running, removed);
    check_running(network, running);
    result_.descriptors = running;
    for (std::size_t d = 0; d < running.size(); ++d) {
      moved_.push_back(running[d].route == routes[d] ? 0 : 1);
      result_.descriptors[d].route = routes[d];
      links_.push_back(links_of(network_, flow_of(running[d]), routes[d]));
    }
  }

  void add(const Collective& collective, const Route& route, int epoch) {
    check_no_alltoall(collective.kind);
    Descriptor descriptor = descriptor_of(design_, collective, 0, epoch);
    descriptor.route = route;
    links_.push_back(links_of(network_, collective.flow, route));
    descriptor.index = free_index(descriptor);
    result_.descriptors.push_back(std::move(descriptor));
  }

  ProgramChange finish() && {
    for (const int index : removed_) stop(StepKind::kRemove, index);
    for (std::size_t d = 0; d < moved_.size(); ++d) {
      if (moved_[d] != 0) stop(StepKind::kStop, result_.descriptors[d].index);
    }
    for (std::size_t d = 0; d < moved_.size(); ++d) {
      if (moved_[d] == 0) continue;
      result_.descriptors[d].compatible = exact(d);
      write(StepKind::kMove, d, {"COLOURS", "COMPAT"});
    }
    for (std::size_t d = moved_.size(); d < result_.descriptors.size(); ++d) {
      result_.descriptors[d].compatible = exact(d);
      write(StepKind::kAdd, d, {});
    }
    for (std::size_t d = 0; d < moved_.size(); ++d) {
      std::vector<int>& has = result_.descriptors[d].compatible;
      std::vector<int> all = exact(d);
      if (moved_[d] != 0 || std::all_of(all.begin(), all.end(), [&](int other) { return contains(has, other); })) {
        continue;
      }
      has = std::move(all);
      write(StepKind::kShare, d, {"COMPAT"});
    }
    for (std::size_t a = 0; a < links_.size(); ++a) {
      for (std::size_t b = a + 1; b < links_.size(); ++b) {
        const Descriptor &one = result_.descriptors[a], &other = result_.descriptors[b];
        if (share_a_port(flow_of(one), flow_of(other)) || disjoint(links_[a], links_[b])) continue;
        result_.shared_time.push_back(shared_time_text(one, other));
      }
    }
    return std::move(result_);
  }

 private:
  /// For the descriptor that is added next, whose links are the last.
  [[nodiscard]] int free_index(const Descriptor& added) const {
    using Cost = std::tuple<bool, int, int>;  // just removed, rows to be written, index
    Cost best{true, 0, -1};
    for (int index = 0; index < design_.descriptors; ++index) {
      if (is_taken(index)) continue;
      const bool just_removed = contains(removed_, index);
      int rows = 0;
      for (std::size_t d = 0; d < moved_.size(); ++d) {
        const Descriptor& of = result_.descriptors[d];
        if (moved_[d] == 0 && side_by_side(of, links_[d], added, links_.back()) && !contains(of.compatible, index))
          ++rows;
      }
      const Cost cost{just_removed, rows, index};
      if (std::get<2>(best) < 0 || cost < best) best = cost;
    }
    if (std::get<2>(best) >= 0) return std::get<2>(best);
    throw InputError(
        fmt::format("{} collectives at once need as many descriptors, the design has {}; --descriptors "
                    "allows up to 64",
                    result_.descriptors.size() + 1, design_.descriptors));
  }

  [[nodiscard]] bool is_taken(int index) const {
    return std::any_of(result_.descriptors.begin(), result_.descriptors.end(),
                       [&](const Descriptor& descriptor) { return descriptor.index == index; });
  }

  /// Those that it may share cycles with, ascending.
  [[nodiscard]] std::vector<int> exact(std::size_t d) const {
    std::vector<int> compatible;
    for (std::size_t other = 0; other < links_.size(); ++other) {
      if (other == d || !side_by_side(result_.descriptors[d], links_[d], result_.descriptors[other], links_[other])) {
        continue;
      }
      compatible.push_back(result_.descriptors[other].index);
    }
    std::sort(compatible.begin(), compatible.end());
    return compatible;
  }

  void step(StepKind kind, int index, std::vector<RegisterWrite> writes) {
    result_.steps.push_back({kind, index, std::move(writes)});
  }

  void stop(StepKind kind, int index) { step(kind, index, {enable_write(design_, index, false)}); }

  /// Writes the registers of a row of these names, words of them included, or all if none is named; then enables it.
  void write(StepKind kind, std::size_t d, const std::vector<std::string>& names) {
    const Descriptor& descriptor = result_.descriptors[d];
    std::vector<RegisterWrite> writes;
    if (kind == StepKind::kShare) writes.push_back(enable_write(design_, descriptor.index, false));
    for (RegisterWrite& of : register_writes(design_, descriptor)) {
      const bool named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return of.name == name || of.name.starts_with(name + "_");
      });
      if (names.empty() || named) writes.push_back(std::move(of));
    }
    writes.push_back(enable_write(design_, descriptor.index, true));
    step(kind, descriptor.index, std::move(writes));
  }

  const Design& design_;
  const Network& network_;
  const std::vector<int>& removed_;
  std::vector<char> moved_;     // by running descriptor
  std::vector<LinkSet> links_;  // by descriptor of the result, after the change
  ProgramChange result_;
};

}  // namespace

const char* to_string(StepKind kind) {
  switch (kind) {
    case StepKind::kRemove:
      return "remove";
    case StepKind::kStop:
      return "stop";
    case StepKind::kMove:
      return "move";
    case StepKind::kAdd:
      return "add";
    case StepKind::kShare:
      return "share";
  }
  return "";
}

ProgramChange change_program(const Design& design, const Network& network, const std::vector<Descriptor>& running,
                             const std::vector<int>& removed, const std::vector<Collective>& added,
                             const std::vector<Route>& routes, int epoch) {
  if (network.radix != design.radix || network.middle != design.middle) {
    throw InputError(fmt::format("the network is FRED_{}({}), the design is FRED_{}({}): they must be the same",
                                 network.middle, network.radix, design.middle, design.radix));
  }
  if (routes.size() != running.size() + added.size()) {
    throw InputError(fmt::format("{} routes for {} collectives", routes.size(), running.size() + added.size()));
  }
  Change change(design, network, running, removed, routes);
  for (std::size_t i = 0; i < added.size(); ++i) change.add(added[i], routes[running.size() + i], epoch);
  return std::move(change).finish();
}

}  // namespace fred
