// SPDX-License-Identifier: Apache-2.0
#include "fred/fabric/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "fred/design/register_map.hpp"
#include "fred/error.hpp"
#include "fred/network/network.hpp"

namespace fred {
namespace {

/// Kinds of the three parts of a collective.
struct Parts {
  Kind up, top, down;
  bool repeats = false;  ///< the root has a step for every member
};

Parts parts_of(Kind kind, int number) {
  switch (kind) {
    case Kind::kAllReduce:
      return {Kind::kAllReduce, Kind::kAllReduce, Kind::kBroadcast};
    case Kind::kReduce:
      return {Kind::kAllReduce, Kind::kReduce, Kind::kBroadcast};
    case Kind::kBroadcast:
      return {Kind::kBroadcast, Kind::kBroadcast, Kind::kBroadcast};
    case Kind::kAllGather:
      return {Kind::kAllGather, Kind::kAllGather, Kind::kBroadcast, true};
    case Kind::kReduceScatter:
      return {Kind::kAllReduce, Kind::kReduceScatter, Kind::kScatter, true};
    case Kind::kGather:
      return {Kind::kGather, Kind::kGather, Kind::kBroadcast, true};
    case Kind::kScatter:
      return {Kind::kBroadcast, Kind::kScatter, Kind::kScatter, true};
    case Kind::kBarrier:
      return {Kind::kBarrier, Kind::kBarrier, Kind::kBroadcast};
    default:
      throw InputError(
          fmt::format("collective {}: {} does not cross links; allowed are allreduce, reduce, broadcast, allgather, "
                      "reducescatter, gather, scatter, barrier",
                      number, to_string(kind)));
  }
}

class Planner {
 public:
  explicit Planner(const Fabric& fabric) : fabric_(fabric) {
    plan_.descriptors.resize(fabric.switches.size());
    used_.resize(fabric.links.size());
  }

  void add(const FabricCollective& collective) {
    collective_ = &collective;
    number_ = static_cast<int>(plan_.at.size());
    plan_.at.emplace_back(fabric_.switches.size());
    members_.clear();
    for (const FabricPort& rank : collective.ranks) add_member(rank);
    if (members_.empty()) throw InputError(fmt::format("collective {}: at least one rank is needed", number_));
    if (has_root() && (collective.root < 0 || collective.root >= static_cast<int>(collective.ranks.size()))) {
      throw InputError(fmt::format("collective {}: root {}: allowed are ranks 0..{}", number_, collective.root,
                                   collective.ranks.size() - 1));
    }
    const int vcs = fabric_.design(collective.ranks.front().leaf).vcs;
    if (collective.vc < 0 || collective.vc >= vcs) {
      throw InputError(fmt::format("collective {}: vc {}: allowed are 0..{}", number_, collective.vc, vcs - 1));
    }
    const int steps = 1 << fabric_.design(collective.ranks.front().leaf).step_bits();
    if (members_.size() > 1 && static_cast<int>(collective.ranks.size()) > steps) {
      throw InputError(fmt::format("collective {}: {} ranks; --step-bits allows {} over links", number_,
                                   collective.ranks.size(), steps));
    }
    if (members_.size() == 1) {
      alone(members_.begin()->first, members_.begin()->second);
    } else {
      over_root(choose_root());
    }
  }

  [[nodiscard]] FabricPlan plan() && { return std::move(plan_); }

 private:
  [[nodiscard]] bool has_root() const { return root_sends(collective_->kind) || root_receives(collective_->kind); }
  [[nodiscard]] FabricPort root_member() const {
    return collective_->ranks[static_cast<std::size_t>(collective_->root)];
  }
  [[nodiscard]] FabricPlan::At& at(int of) { return plan_.at.back()[static_cast<std::size_t>(of)]; }

  void add_member(const FabricPort& rank) {
    const int count = static_cast<int>(fabric_.switches.size());
    if (rank.leaf < 0 || rank.leaf >= count) {
      throw InputError(fmt::format("collective {}: switch {}: allowed are 0..{}", number_, rank.leaf, count - 1));
    }
    const int ends = fabric_.design(rank.leaf).ends();
    if (rank.port < 0 || rank.port >= ends) {
      throw InputError(fmt::format("collective {}: port {} of {}: allowed are 0..{}", number_, rank.port,
                                   name(rank.leaf), ends - 1));
    }
    Ports& ports = members_[rank.leaf];
    const auto place = std::lower_bound(ports.begin(), ports.end(), rank.port);
    if (place != ports.end() && *place == rank.port) {
      throw InputError(fmt::format("collective {}: port {} of {} is there twice", number_, rank.port, name(rank.leaf)));
    }
    ports.insert(place, rank.port);
  }
  [[nodiscard]] const std::string& name(int of) const { return fabric_.switches[static_cast<std::size_t>(of)].name; }

  /// Adds a descriptor to a switch; returns its number.
  int put(int of, Kind kind, Ports in, Ports out, int root_port, std::vector<LinkEntry> links) {
    auto& table = plan_.descriptors[static_cast<std::size_t>(of)];
    const int most = fabric_.design(of).descriptors;
    if (static_cast<int>(table.size()) == most) {
      throw InputError(fmt::format("collective {}: {} has {} descriptors, all in use; take more --descriptors", number_,
                                   name(of), most));
    }
    table.push_back(
        {number_,
         {kind, {std::move(in), std::move(out)}, root_port, collective_->op, collective_->type, collective_->vc},
         std::move(links)});
    return static_cast<int>(table.size()) - 1;
  }

  void alone(int leaf, const Ports& ports) {
    const int root_port = has_root() ? root_member().port : ports.front();
    const int d = put(leaf, collective_->kind, ports, ports, root_port, {});
    at(leaf) = {d, d};
  }

  /// The root that is linked to all leaves, with the most slots left on the link that has the fewest.
  [[nodiscard]] int choose_root() const {
    int best = -1, best_left = 0;
    for (const int root : fabric_.roots()) {
      int left = fabric_.design(root).link.slots;
      for (const auto& [leaf, ports] : members_) {
        const FabricLink* link = fabric_.link(leaf, root);
        const int there = link == nullptr ? -1 : fabric_.design(leaf).link.slots - static_cast<int>(used(*link).size());
        left = std::min(left, there);
      }
      if (left < 0) continue;
      if (best < 0 || left > best_left) {
        best = root;
        best_left = left;
      }
    }
    if (best < 0) throw InputError(fmt::format("collective {}: no root is linked to all of its leaves", number_));
    if (best_left == 0) {
      throw InputError(fmt::format("collective {}: a link to {} has {} slots, all in use; take more --slots", number_,
                                   name(best), fabric_.design(best).link.slots));
    }
    return best;
  }
  [[nodiscard]] const std::set<int>& used(const FabricLink& link) const {
    return used_[static_cast<std::size_t>(&link - fabric_.links.data())];
  }
  int take_slot(const FabricLink& link) {
    std::set<int>& slots = used_[static_cast<std::size_t>(&link - fabric_.links.data())];
    int slot = 0;
    while (slots.count(slot) != 0) ++slot;
    slots.insert(slot);
    return slot;
  }

  void over_root(int root) {
    const Parts parts = parts_of(collective_->kind, number_);
    const bool up_from_root = root_sends(collective_->kind);     // from the leaf of the root alone
    const bool down_to_root = root_receives(collective_->kind);  // and to it
    const int root_leaf = has_root() ? root_member().leaf : -1;
    const auto place = [this](int of, int port) { return port - fabric_.design(of).ends(); };

    // The root's descriptor first: the leaves' uplinks name it, it names their downlinks.
    const int top = static_cast<int>(plan_.descriptors[static_cast<std::size_t>(root)].size());
    Ports in, out;
    std::vector<LinkEntry> links;
    for (const auto& [leaf, ports] : members_) {
      const FabricLink& link = *fabric_.link(leaf, root);
      const bool sends = !up_from_root || leaf == root_leaf, receives = !down_to_root || leaf == root_leaf;
      const int slot = take_slot(link);
      const int leaf_place = place(leaf, link.leaf_port);
      LinkEntry entry{place(root, link.root_port), slot, 0, parts.repeats ? static_cast<int>(ports.size()) - 1 : 0,
                      false};
      if (sends) {
        const Ports from = up_from_root ? Ports{root_member().port} : ports;
        const int root_port = up_from_root ? root_member().port : link.leaf_port;
        at(leaf).sends = put(leaf, parts.up, from, {link.leaf_port}, root_port, {{leaf_place, slot, top, 0, false}});
        in.push_back(link.root_port);
      }
      if (receives) {
        const Ports to = down_to_root ? Ports{root_member().port} : ports;
        at(leaf).receives =
            put(leaf, parts.down, {link.leaf_port}, to, link.leaf_port, {{leaf_place, slot, 0, 0, true}});
        entry.tag = at(leaf).receives;
        out.push_back(link.root_port);
      }
      links.push_back(entry);
    }
    std::sort(in.begin(), in.end());
    std::sort(out.begin(), out.end());
    const int root_port = has_root() ? fabric_.link(root_leaf, root)->root_port : in.front();
    put(root, parts.top, in, out, root_port, std::move(links));
  }

  const Fabric& fabric_;
  FabricPlan plan_;
  std::vector<std::set<int>> used_;  ///< slots, by link
  const FabricCollective* collective_ = nullptr;
  int number_ = 0;
  std::map<int, Ports> members_;  ///< by leaf, ascending
};

}  // namespace

FabricPlan plan_fabric(const Fabric& fabric, const std::vector<FabricCollective>& collectives) {
  Planner planner(fabric);
  for (const FabricCollective& collective : collectives) planner.add(collective);
  return std::move(planner).plan();
}

std::vector<std::vector<RegisterWrite>> fabric_writes(const Fabric& fabric, const FabricPlan& plan, int epoch) {
  std::vector<std::vector<RegisterWrite>> all(fabric.switches.size());
  for (std::size_t s = 0; s < all.size(); ++s) {
    const Design& design = fabric.switches[s].design;
    const RegisterMap map(design);
    std::vector<Collective> collectives;
    for (const FabricDescriptor& of : plan.descriptors[s]) collectives.push_back(of.local);
    if (collectives.empty()) continue;
    const Program program =
        make_program(design, make_network(design.radix, design.middle), collectives, {.epoch = epoch});
    std::vector<RegisterWrite> enables;
    for (std::size_t d = 0; d < collectives.size(); ++d) {
      const auto& writes = program.writes[d];
      all[s].insert(all[s].end(), writes.begin(), writes.end() - 1);
      for (const LinkEntry& entry : plan.descriptors[s][d].links) {
        using Fields = LinkFields;
        const auto u = [](int value) { return static_cast<std::uint32_t>(value); };
        const std::uint32_t word = Fields::kSlot.place(u(entry.slot)) | Fields::kTag.place(u(entry.tag)) |
                                   Fields::kRepeat.place(u(entry.repeat)) | Fields::kPassStep.place(entry.pass ? 1 : 0);
        all[s].push_back({map.link(static_cast<int>(d), entry.link), word, "LINK",
                          fmt::format("link port {}: slot {}, descriptor {} in the next switch, {} step{}{}",
                                      design.ends() + entry.link, entry.slot, entry.tag, entry.repeat + 1,
                                      entry.repeat == 0 ? "" : "s", entry.pass ? ", passes the step on" : "")});
      }
      enables.push_back(writes.back());
    }
    all[s].insert(all[s].end(), enables.begin(), enables.end());
  }
  return all;
}

}  // namespace fred
