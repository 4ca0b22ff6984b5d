// SPDX-License-Identifier: Apache-2.0
// Rules first: the ranks are counted through with the dimensions in some order, the first of it fastest, and take the
// ports one after the other. Variants of an order:
//   reflected  every other block runs backwards (a Gray code): neighbours differ in one coordinate by one. A
//   microswitch
//              then joins two neighbours, so the conflicts of a phase form paths and no cycles at the outermost level.
//   even       blocks begin at even ports, where there are ports to spare;
//   aligned    the same with blocks of a power of two: they never share a microswitch further in either.
//
// Then swaps. What is to be made smaller is the number of flows that a greedy colouring leaves out, over all phases; it
// is zero only where every phase routes. A rank of a flow left out changes ports with any other rank, or moves to a
// free port; what is no worse is kept, and now and then what is worse by one.
#include "fred/route/placement_search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>

namespace fred::detail {
namespace {

/// Positions of the dimensions of more than one rank, the paper's order: MP fastest, then PP, then DP; the other names
/// between, as kDimensionNames has them.
std::vector<int> paper_order(const Parallelism& parallelism) {
  std::vector<int> order;
  for (const std::string_view name : kDimensionNames) {
    for (int d = 0; d < static_cast<int>(parallelism.dimensions.size()); ++d) {
      const Dimension& dimension = parallelism.dimensions[d];
      if (dimension.name == name && dimension.size > 1) order.push_back(d);
    }
  }
  return order;
}

enum class Variant { kPlain, kReflected, kEven, kAligned };

constexpr std::array<Variant, 4> kVariants{Variant::kPlain, Variant::kReflected, Variant::kEven, Variant::kAligned};

const char* suffix(Variant variant) {
  switch (variant) {
    case Variant::kPlain:
      return "";
    case Variant::kReflected:
      return ", every other block reversed";
    case Variant::kEven:
      return ", blocks at even ports";
    case Variant::kAligned:
      return ", blocks aligned";
  }
  return "";
}

int padded(int size, Variant variant) {
  if (variant == Variant::kEven) return size + size % 2;
  if (variant != Variant::kAligned) return size;
  int power = 1;
  while (power < size) power *= 2;
  return power;
}

/// The placement by a rule; nullopt if it needs more than `radix` ports.
std::optional<Placement> by_rule(const Parallelism& parallelism, const std::vector<int>& order, Variant variant,
                                 int radix) {
  std::vector<int> strides;  // as order
  long ports = 1;
  for (const int d : order) {
    strides.push_back(static_cast<int>(ports));
    const long used = (parallelism.dimensions[d].size - 1) * ports;
    if (used >= radix) return std::nullopt;
    ports = padded(static_cast<int>(used + ports), variant);
  }
  Placement placement(parallelism.ranks());
  for (int rank = 0; rank < static_cast<int>(placement.size()); ++rank) {
    const std::vector<int> coordinates = coordinates_of(parallelism, rank);
    long port = 0;
    bool backwards = false;  // the block inside
    for (int i = static_cast<int>(order.size()) - 1; i >= 0; --i) {
      const int size = parallelism.dimensions[order[i]].size;
      const int at = backwards ? size - 1 - coordinates[order[i]] : coordinates[order[i]];
      if (variant == Variant::kReflected) backwards = at % 2 != 0;
      port += static_cast<long>(at) * strides[i];
    }
    if (port >= radix) return std::nullopt;
    placement[rank] = static_cast<int>(port);
  }
  return placement;
}

/// Calls `visit` with those that are not in `seen`; returns whether it returned true.
bool each_rule_on(const PortOrder& order_of_ports, const Parallelism& parallelism, std::set<Placement>& seen,
                  const std::function<bool(const Candidate&)>& visit) {
  const std::vector<int> first = paper_order(parallelism);
  for (const Variant variant : kVariants) {
    std::vector<int> turn(first.size());  // a permutation of the paper's order
    std::iota(turn.begin(), turn.end(), 0);
    do {
      std::vector<int> order;
      std::vector<std::string> names;
      for (const int i : turn) {
        order.push_back(first[i]);
        names.push_back(parallelism.dimensions[first[i]].name);
      }
      std::optional<Placement> placement =
          by_rule(parallelism, order, variant, static_cast<int>(order_of_ports.ports.size()));
      if (!placement) continue;
      for (int& port : *placement) port = order_of_ports.ports[port];
      if (!seen.insert(*placement).second) continue;
      const std::string rule = names.empty() ? "alone" : fmt::format("in the order {}", fmt::join(names, ", "));
      if (visit({*std::move(placement), rule + suffix(variant) + order_of_ports.suffix})) return true;
    } while (std::next_permutation(turn.begin(), turn.end()));
  }
  return false;
}

}  // namespace

void each_rule(const Parallelism& parallelism, const std::vector<PortOrder>& orders,
               const std::function<bool(const Candidate&)>& visit) {
  std::set<Placement> seen;
  for (const PortOrder& order : orders) {
    if (each_rule_on(order, parallelism, seen, visit)) return;
  }
}

std::vector<int> Greedy::left_out(const std::vector<Flow>& flows, Effort& effort) const {
  const int whole = obstacles_.subnets ? 0 : kWhole;
  std::vector<int> alive;
  std::vector<int> left_out;
  for (int f = 0; f < static_cast<int>(flows.size()); ++f) {
    (passes(flows[f], 0, whole) ? alive : left_out).push_back(f);
  }
  colour(0, whole, alive, flows, left_out, effort);
  std::sort(left_out.begin(), left_out.end());
  return left_out;
}

bool Greedy::passes(const Flow& flow, int level, int subnet) const {
  if (subnet == kWhole) return true;
  const Subnet& of = (*obstacles_.subnets)[subnet];
  if (of.clean) return true;
  if (meets_at_border(of, flow, level, obstacles_.avoid)) return false;
  return of.children.empty() ||
         std::any_of(of.children.begin(), of.children.end(), [&](int child) { return passes(flow, level + 1, child); });
}

int Greedy::middle_of(int subnet, int colour) const {
  if (subnet == kWhole) return kWhole;
  const Subnet& of = (*obstacles_.subnets)[subnet];
  return of.clean ? kWhole : of.children[colour];
}

Greedy::Lists Greedy::neighbours(int shift, const std::vector<int>& set, const std::vector<Flow>& flows) const {
  const int n = static_cast<int>(set.size());
  Lists near(n);
  Lists users(((radix_ - 1) >> shift) + 1);  // by entry
  for (int i = 0; i < n; ++i) {
    for (const int port : flows[set[i]].in) {
      std::vector<int>& at = users[port >> shift];
      if (!at.empty() && at.back() == i) continue;
      for (const int j : at) {
        near[i].push_back(j);
        near[j].push_back(i);
      }
      at.push_back(i);
    }
  }
  for (std::vector<int>& list : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return near;
}

/// Colours the flows of a subnetwork, all of which have a way through it, those with the fewest colours left first,
/// each in the colour in which it meets the fewest a level further in; then goes on in the middles.
void Greedy::colour(int level, int subnet, const std::vector<int>& set, const std::vector<Flow>& flows,
                    std::vector<int>& left_out, Effort& effort) const {
  if (level == levels_ - 1 || set.size() < 2) return;
  const int n = static_cast<int>(set.size());
  const Lists now = neighbours(level + 1, set, flows);
  const Lists next = level + 1 < levels_ - 1 ? neighbours(level + 2, set, flows) : Lists(n);
  constexpr int kNone = -1;
  std::vector<int> colour(n, kNone);
  std::vector<int> left(n, middle_);  // colours that no neighbour has
  std::vector<int> size(middle_);     // flows of a colour
  std::vector<char> done(n, 0);
  Lists taken(n, std::vector<int>(middle_));  // neighbours of a colour
  Lists later(n, std::vector<int>(middle_));  // the same, a level further in
  effort.left -= static_cast<long>(n) * n;
  for (int k = 0; k < middle_; ++k) {  // what is broken counts as taken
    if (middle_of(subnet, k) == kWhole) continue;
    effort.left -= n;
    for (int i = 0; i < n; ++i) {
      if (passes(flows[set[i]], level + 1, middle_of(subnet, k))) continue;
      taken[i][k] = 1;
      --left[i];
    }
  }
  for (int count = 0; count < n; ++count) {
    int best = kNone;
    for (int i = 0; i < n; ++i) {
      if (done[i] != 0) continue;
      if (best == kNone || left[i] < left[best] || (left[i] == left[best] && now[i].size() > now[best].size())) {
        best = i;
      }
    }
    done[best] = 1;
    if (left[best] == 0) {
      left_out.push_back(set[best]);
      continue;
    }
    int choice = kNone;
    for (int k = 0; k < middle_; ++k) {
      if (taken[best][k] != 0) continue;
      if (choice == kNone || std::pair(later[best][k], size[k]) < std::pair(later[best][choice], size[choice])) {
        choice = k;
      }
    }
    colour[best] = choice;
    ++size[choice];
    for (const int j : now[best]) left[j] -= taken[j][choice]++ == 0 ? 1 : 0;
    for (const int j : next[best]) ++later[j][choice];
    effort.left -= static_cast<long>(now[best].size() + next[best].size()) + middle_;
  }
  for (int k = 0; k < middle_; ++k) {
    std::vector<int> members;
    for (int i = 0; i < n; ++i) {
      if (colour[i] == k) members.push_back(set[i]);
    }
    this->colour(level + 1, middle_of(subnet, k), members, flows, left_out, effort);
  }
}

namespace {

using Random = std::mt19937;

std::size_t draw(Random& random, std::size_t below) { return random() % below; }

/// The placement after a random move that involves `port`; the same one if the move drawn does not fit. Half of the
/// moves exchange two ports, a quarter two aligned blocks of up to 8, a quarter reverse up to 17 neighbours.
Placement moved(Placement placement, int port, int radix, Random& random) {
  const int kind = static_cast<int>(draw(random, 4));
  if (kind < 3) {
    const int shift = kind < 2 ? 0 : 1 + static_cast<int>(draw(random, 3));
    const int from = port >> shift;
    const int to = static_cast<int>(draw(random, (radix >> shift) + 1));
    if ((std::max(from, to) + 1) << shift > radix) return placement;
    for (int& p : placement) {
      if (p >> shift == from) {
        p += (to - from) * (1 << shift);
      } else if (p >> shift == to) {
        p += (from - to) * (1 << shift);
      }
    }
    return placement;
  }
  const int length = 2 + static_cast<int>(draw(random, 16));
  const int low = port - static_cast<int>(draw(random, length));
  const int high = low + length - 1;
  if (low < 0 || high >= radix) return placement;
  for (int& p : placement) {
    if (p >= low && p <= high) p = low + high - p;
  }
  return placement;
}

/// Steps after which few ports have been tried in every way, many times over; for others more than any effort.
long most_steps(std::size_t ports, std::size_t ranks) {
  constexpr long kEnough = 1'000'000'000;
  constexpr long kTimes = 20;
  long placements = 1;
  for (std::size_t rank = 0; rank < ranks && placements < kEnough; ++rank)
    placements *= static_cast<long>(ports - rank);
  return kTimes * placements;
}

}  // namespace

Measured swap_ranks(const Greedy& greedy, const Parallelism& parallelism, const Placement& start, const Ports& ports,
                    std::uint32_t seed, Effort& effort) {
  constexpr std::size_t kWorse = 200;  // one in so many steps may leave out one flow more
  std::vector<char> allowed(static_cast<std::size_t>(greedy.radix()));  // by port
  for (const int port : ports) allowed[port] = 1;
  std::vector<std::vector<Group>> groups;  // of ranks, by phase
  for (int d = 0; d < static_cast<int>(parallelism.dimensions.size()); ++d) {
    if (parallelism.dimensions[d].size > 1) groups.push_back(groups_of(parallelism, d));
  }
  using Found = std::vector<const Group*>;  // groups left out
  const auto left_out = [&](const Placement& placement, std::size_t enough) {
    Found found;
    for (const std::vector<Group>& phase : groups) {
      std::vector<Flow> flows;
      for (const Group& group : phase) {
        Group at;
        for (const int rank : group) at.push_back(placement[rank]);
        flows.push_back(flow_of(at));
      }
      for (const int f : greedy.left_out(flows, effort)) found.push_back(&phase[f]);
      effort.left -= static_cast<long>(placement.size());
      if (found.size() >= enough) break;  // too many already
    }
    return found;
  };
  Random random(seed);
  Placement placement = start;
  Found found = left_out(placement, start.size() * groups.size() + 1);
  Measured best{placement, static_cast<int>(found.size())};
  for (long steps = most_steps(ports.size(), start.size()); best.left_out > 0 && !effort.spent() && steps > 0;
       --steps) {
    --effort.left;
    const Group& group = *found[draw(random, found.size())];
    Placement next = moved(placement, placement[group[draw(random, group.size())]], greedy.radix(), random);
    if (next == placement) continue;
    if (!std::all_of(next.begin(), next.end(), [&](int port) { return allowed[port] != 0; })) continue;
    Found now = left_out(next, found.size() + 2);
    if (now.size() > found.size() + 1 || (now.size() == found.size() + 1 && draw(random, kWorse) != 0)) continue;
    placement = std::move(next);
    found = std::move(now);
    if (static_cast<int>(found.size()) < best.left_out) best = {placement, static_cast<int>(found.size())};
  }
  return best;
}

}  // namespace fred::detail
