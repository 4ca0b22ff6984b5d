// SPDX-License-Identifier: Apache-2.0
// Local search on the routes of all phases together. One flow at a time is moved to the cheapest of all its routes,
// where a route costs one for each flow of another phase that it meets and may meet none of its own round. That never
// makes the sum worse. Among equally cheap routes one is drawn, from a generator with a fixed seed, so that flows drift
// until others find room.
//
// The cheapest of the m^(levels-1) routes is found without trying them: another flow is met exactly by the routes that
// begin with the same d colours as its own (shared_prefix), so all others together are a tree of weighted prefixes, in
// which the lightest way down is looked for.
//
// Where a round is so full that no flow can move alone, two middles of one subnetwork are exchanged (a Kempe chain): a
// flow goes to the other middle, the flows of its round that it meets there come to this one, and so on.
#include "fred/route/cross_phase.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "fred/route/find.hpp"

namespace fred {
namespace {

constexpr int kNever = -1;
constexpr long kForbidden = long{1} << 40;  // more than all pairs together
constexpr long kEffort = 60'000'000;        // flows looked at
constexpr int kPatience = 100;              // sweeps without a better sum
constexpr int kSideways = 2;                // one in so many exchanges without a gain is made

/// Weighted prefixes of routes.
class PrefixTree {
 public:
  PrefixTree(int middle, int letters) : middle_(middle), letters_(letters) { clear(); }

  void clear() {
    weight_.assign(1, 0);
    child_.assign(middle_, kNone);
  }

  /// Adds `weight` to all routes that begin as `colours` up to `length`.
  void add(const std::vector<int>& colours, int length, long weight) {
    int node = 0;
    for (int l = 0; l < length; ++l) {
      const std::size_t slot = node * middle_ + colours[l];
      if (child_[slot] == kNone) {
        child_[slot] = static_cast<int>(weight_.size());
        weight_.push_back(0);
        child_.insert(child_.end(), middle_, kNone);
      }
      node = child_[slot];
    }
    weight_[node] += weight;
  }

  [[nodiscard]] long cost(const std::vector<int>& colours) const {
    long sum = weight_[0];
    int node = 0;
    for (int l = 0; l < letters_; ++l) {
      node = child_[node * middle_ + colours[l]];
      if (node == kNone) break;
      sum += weight_[node];
    }
    return sum;
  }

  /// A cheapest route, drawn among all that are.
  [[nodiscard]] std::vector<int> cheapest(std::mt19937& random) {
    // Children have larger indices than their parents.
    least_ = weight_;
    for (int node = static_cast<int>(weight_.size()) - 1; node >= 0; --node) {
      if (!leaf(node)) least_[node] += least_below(node);
    }
    std::vector<int> colours;
    int node = 0;
    while (static_cast<int>(colours.size()) < letters_) {
      if (node == kNone) {
        colours.push_back(static_cast<int>(random() % static_cast<std::uint32_t>(middle_)));
        continue;
      }
      const long least = least_below(node);
      int ties = 0;
      for (int k = 0; k < middle_; ++k) ties += below(node, k) == least ? 1 : 0;
      int skip = static_cast<int>(random() % static_cast<std::uint32_t>(ties));
      int colour = 0;
      while (below(node, colour) != least || skip-- > 0) ++colour;
      colours.push_back(colour);
      node = child_[node * middle_ + colour];
    }
    return colours;
  }

 private:
  static constexpr int kNone = -1;

  [[nodiscard]] bool leaf(int node) const {
    return std::all_of(child_.begin() + node * middle_, child_.begin() + (node + 1) * middle_,
                       [](int child) { return child == kNone; });
  }
  [[nodiscard]] long below(int node, int colour) const {
    const int child = child_[node * middle_ + colour];
    return child == kNone ? 0 : least_[child];
  }
  [[nodiscard]] long least_below(int node) const {
    long least = below(node, 0);
    for (int k = 1; k < middle_; ++k) least = std::min(least, below(node, k));
    return least;
  }

  int middle_;
  int letters_;               // colours of a route
  std::vector<long> weight_;  // by node
  std::vector<long> least_;   // by node: cheapest way down from here, its own weight included
  std::vector<int> child_;    // by node and colour
};

bool alike(const std::vector<int>& a, const std::vector<int>& b, std::size_t length) {
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(length), b.begin());
}

/// The flows of all phases that are not lost, found by the microswitches that they use.
class Flows {
 public:
  Flows(const Network& network, const std::vector<Phase>& phases, const LinkSet& broken) : levels_(network.levels()) {
    const detail::Obstacles obstacles(network, broken);
    for (int phase = 0; phase < static_cast<int>(phases.size()); ++phase) {
      const Phase& of = phases[phase];
      for (int round = 0; round < of.rounds.count(); ++round) {
        for (const int f : of.rounds.rounds[round]) {
          flows_.push_back({phase, round, f, &of.flows[f], of.rounds.routes[f].colours, {}});
        }
      }
    }
    std::sort(flows_.begin(), flows_.end(),
              [](const Item& a, const Item& b) { return std::pair(a.phase, a.index) < std::pair(b.phase, b.index); });
    for (Item& item : flows_) {
      if (obstacles.subnets) item.forbidden = obstacles.words({*item.flow}).forbidden.front();
    }
    for (int side = 0; side < 2; ++side) {
      users_[side].resize(levels_);
      for (int shift = 0; shift < levels_; ++shift) {
        users_[side][shift].resize(((network.radix - 1) >> shift) + 1);
        for (int f = 0; f < size(); ++f) {
          for (const int port : ports(f, side)) {
            std::vector<int>& users = users_[side][shift][port >> shift];
            if (users.empty() || users.back() != f) users.push_back(f);
          }
        }
      }
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(flows_.size()); }
  [[nodiscard]] int phase(int f) const { return flows_[f].phase; }
  [[nodiscard]] bool same_round(int f, int g) const {
    return flows_[f].phase == flows_[g].phase && flows_[f].round == flows_[g].round;
  }
  [[nodiscard]] const std::vector<int>& colours(int f) const { return flows_[f].colours; }
  /// Beginnings of routes over broken links.
  [[nodiscard]] const std::vector<std::vector<int>>& forbidden(int f) const { return flows_[f].forbidden; }
  [[nodiscard]] bool is_forbidden(int f, const std::vector<int>& colours) const {
    return std::any_of(forbidden(f).begin(), forbidden(f).end(),
                       [&](const std::vector<int>& prefix) { return alike(prefix, colours, prefix.size()); });
  }
  void set_colours(int f, std::vector<int> colours) { flows_[f].colours = std::move(colours); }

  /// shared_prefix of `f` and every flow.
  void shared_prefixes(int f, std::vector<int>& prefixes) const {
    prefixes.assign(flows_.size(), kNever);
    for (int shift = levels_ - 1; shift >= 0; --shift) {  // the smaller one stays
      for (int side = 0; side < 2; ++side) {
        int last = -1;
        for (const int port : ports(f, side)) {
          if (port >> shift == last) continue;
          last = port >> shift;
          for (const int g : users_[side][shift][last]) prefixes[g] = shift;
        }
      }
    }
  }

  void write_routes(std::vector<Phase>& phases) const {
    for (const Item& item : flows_) phases[item.phase].rounds.routes[item.index].colours = item.colours;
  }

 private:
  struct Item {
    int phase = 0, round = 0;
    int index = 0;  // in the phase
    const Flow* flow = nullptr;
    std::vector<int> colours;
    std::vector<std::vector<int>> forbidden;
  };
  [[nodiscard]] const Ports& ports(int f, int side) const {
    return side == 0 ? flows_[f].flow->in : flows_[f].flow->out;
  }

  int levels_;
  std::vector<Item> flows_;                                          // by phase and index
  std::array<std::vector<std::vector<std::vector<int>>>, 2> users_;  // [side][shift][port >> shift]: flows
};

class Improvement {
 public:
  Improvement(const Network& network, const std::vector<Phase>& phases, const LinkSet& broken)
      : middle_(network.middle),
        letters_(network.levels() - 1),
        flows_(network, phases, broken),
        tree_(middle_, letters_),
        random_(2025) {}

  void run() {
    for (int patience = kPatience; patience > 0; --patience) {
      bool met = false;
      bool better = false;
      for (int f = 0; f < flows_.size() && effort_ > 0; ++f) {
        const Step step = move(f);
        better = better || step.gain > 0;
        if (step.left == 0) continue;
        met = true;
        better = exchange(f) || better;
      }
      if (!met || effort_ <= 0) return;
      if (better) patience = kPatience + 1;
    }
  }

  void write_routes(std::vector<Phase>& phases) const { flows_.write_routes(phases); }

 private:
  /// What has become of the flows of other phases that a flow meets.
  struct Step {
    long gain = 0, left = 0;
  };
  /// A flow of one round and the colours that it would have.
  struct Moved {
    int flow = 0;
    std::vector<int> colours;
  };

  const std::vector<int>& prefixes_of(int f) {
    effort_ -= flows_.size();
    flows_.shared_prefixes(f, prefixes_);
    return prefixes_;
  }

  /// Moves a flow to one of its cheapest routes.
  Step move(int f) {
    const std::vector<int>& prefixes = prefixes_of(f);
    tree_.clear();
    for (int g = 0; g < flows_.size(); ++g) {
      if (prefixes[g] <= 0) continue;
      if (flows_.phase(f) != flows_.phase(g)) tree_.add(flows_.colours(g), prefixes[g], 1);
      if (flows_.same_round(f, g) && f != g) tree_.add(flows_.colours(g), prefixes[g], kForbidden);
    }
    for (const std::vector<int>& prefix : flows_.forbidden(f)) {
      tree_.add(prefix, static_cast<int>(prefix.size()), kForbidden);
    }
    std::vector<int> cheapest = tree_.cheapest(random_);
    const long left = tree_.cost(cheapest);
    const Step step{tree_.cost(flows_.colours(f)) - left, left};
    flows_.set_colours(f, std::move(cheapest));
    return step;
  }

  /// Tries to exchange the middle of a flow with each other, at each level. True: fewer flows meet now.
  bool exchange(int f) {
    for (int level = 0; level < letters_; ++level) {
      for (int other = 0; other < middle_; ++other) {
        if (other == flows_.colours(f)[level]) continue;
        if (effort_ <= 0) return false;
        long gain = 0;
        const std::vector<Moved> chain = chain_of(f, level, other, gain);
        if (gain < 0 || (gain == 0 && random_() % kSideways != 0)) continue;
        if (std::any_of(chain.begin(), chain.end(),
                        [&](const Moved& moved) { return flows_.is_forbidden(moved.flow, moved.colours); })) {
          continue;
        }
        for (const Moved& moved : chain) flows_.set_colours(moved.flow, moved.colours);
        return gain > 0;
      }
    }
    return false;
  }

  /// All that must move when `f` goes to middle `other` at `level`. `gain`: how many fewer flows of other phases they
  /// meet.
  std::vector<Moved> chain_of(int f, int level, int other, long& gain) {
    const int here = flows_.colours(f)[level];
    std::vector<char> in_chain(flows_.size(), 0);
    std::vector<Moved> chain;
    const auto add = [&](int flow) {
      in_chain[flow] = 1;
      std::vector<int> colours = flows_.colours(flow);
      colours[level] = colours[level] == here ? other : here;
      chain.push_back({flow, std::move(colours)});
    };
    add(f);
    for (std::size_t i = 0; i < chain.size(); ++i) {  // grows
      const int flow = chain[i].flow;
      const std::vector<int> colours = chain[i].colours;
      const std::vector<int>& prefixes = prefixes_of(flow);
      for (int g = 0; g < flows_.size(); ++g) {
        if (prefixes[g] <= 0 || in_chain[g] != 0) continue;
        const bool meets = alike(colours, flows_.colours(g), prefixes[g]);
        if (flows_.same_round(flow, g) && meets) add(g);
        if (flows_.phase(flow) == flows_.phase(g)) continue;
        gain += (alike(flows_.colours(flow), flows_.colours(g), prefixes[g]) ? 1 : 0) - (meets ? 1 : 0);
      }
    }
    return chain;
  }

  int middle_;
  int letters_;  // colours of a route
  Flows flows_;
  PrefixTree tree_;
  std::mt19937 random_;
  std::vector<int> prefixes_;
  long effort_ = kEffort;  // left
};

}  // namespace

int shared_prefix(const Flow& a, const Flow& b, int levels) {
  int shared = levels;
  for (const auto side : {&Flow::in, &Flow::out}) {
    for (const int p : a.*side) {
      for (const int q : b.*side) {
        int shift = 0;
        while (p >> shift != q >> shift) ++shift;
        shared = std::min(shared, shift);
      }
    }
  }
  return shared < levels ? shared : kNever;
}

std::vector<CrossPhase> count_cross_phase(const Network& network, const std::vector<Phase>& phases) {
  const int count = static_cast<int>(phases.size());
  std::vector<CrossPhase> result;
  std::vector<std::vector<int>> index(count, std::vector<int>(count));
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      index[a][b] = static_cast<int>(result.size());
      result.push_back({a, b, 0, 0});
    }
  }
  const Flows flows(network, phases, {});
  std::vector<int> prefixes;
  for (int f = 0; f < flows.size(); ++f) {
    flows.shared_prefixes(f, prefixes);
    for (int g = f + 1; g < flows.size(); ++g) {
      if (flows.phase(f) == flows.phase(g) || prefixes[g] == 0) continue;
      CrossPhase& cross = result[index[flows.phase(f)][flows.phase(g)]];
      ++cross.pairs;
      if (prefixes[g] == kNever || !alike(flows.colours(f), flows.colours(g), prefixes[g])) ++cross.compatible;
    }
  }
  return result;
}

void improve_cross_phase(const Network& network, std::vector<Phase>& phases, const LinkSet& broken) {
  const std::vector<CrossPhase> before = count_cross_phase(network, phases);
  if (std::all_of(before.begin(), before.end(),
                  [](const CrossPhase& cross) { return cross.compatible == cross.pairs; })) {
    return;  // nothing to gain: the router's own routes stay
  }
  Improvement improvement(network, phases, broken);
  improvement.run();
  improvement.write_routes(phases);
}

}  // namespace fred
