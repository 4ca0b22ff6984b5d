// SPDX-License-Identifier: Apache-2.0
// The looping algorithm. In a subnetwork, two unicasts that enter at one R take different middles, and so do two that
// leave at one D. Each unicast has at most one such partner on either side, so these pairs form chains and rings; a
// ring takes partners of the R and the D side in turn, so it is even, and all can be laid over two middles in turn.
// Each middle then has one unicast at most at each of its ports: the same problem, half as large.
#include "fred/route/permutation.hpp"

#include <array>

namespace fred::detail {
namespace {

class Looping {
 public:
  Looping(const Network& network, const std::vector<Subnet>& subnets, const std::vector<Unicast>& unicasts,
          const LinkSet& used)
      : levels_(static_cast<int>(network.shapes.size())),
        subnets_(subnets),
        unicasts_(unicasts),
        used_(used),
        routes_(unicasts.size(), Route{std::vector<int>(network.shapes.size())}) {}

  std::vector<Route> run() {
    std::vector<int> all(unicasts_.size());
    for (std::size_t u = 0; u < all.size(); ++u) all[u] = static_cast<int>(u);
    lay(0, 0, all);
    return std::move(routes_);
  }

 private:
  /// Microswitch of the level that unicast `u` uses on side 0 (R) or 1 (D).
  [[nodiscard]] int entry(int u, int side, int level) const {
    return (side == 0 ? unicasts_[u].source : unicasts_[u].destination) >> (level + 1);
  }

  /// Links to and from middle `k` that `u` would take and that are not used yet.
  [[nodiscard]] int fresh(int u, int level, const Subnet& subnet, int k) const {
    const Subnet& middle = subnets_[subnet.children[k]];
    return (used_[middle.in[entry(u, 0, level)]] ? 0 : 1) + (used_[middle.out[entry(u, 1, level)]] ? 0 : 1);
  }

  void lay(int level, int index, const std::vector<int>& set) {
    if (level == levels_ || set.empty()) return;
    const Subnet& subnet = subnets_[index];
    const std::size_t entries = subnet.in.size() / 2 + 1;
    std::array<std::vector<std::array<int, 2>>, 2> users;  // by side and microswitch: the unicasts there, or -1
    for (auto& side : users) side.assign(entries, {-1, -1});
    for (const int u : set) {
      for (int side = 0; side < 2; ++side) {
        auto& here = users[side][entry(u, side, level)];
        here[here[0] < 0 ? 0 : 1] = u;
      }
    }
    std::vector<char> done(unicasts_.size());
    for (const int first : set) {
      if (done[first] != 0) continue;
      // The chain or ring of `first`, with the colour of each: 0 for the first, then in turn.
      std::vector<std::pair<int, int>> loop{{first, 0}};
      done[first] = 1;
      for (std::size_t at = 0; at < loop.size(); ++at) {
        const auto [u, colour] = loop[at];
        for (int side = 0; side < 2; ++side) {
          for (const int partner : users[side][entry(u, side, level)]) {
            if (partner < 0 || done[partner] != 0) continue;
            done[partner] = 1;
            loop.emplace_back(partner, 1 - colour);
          }
        }
      }
      int kept = 0, turned = 0;
      for (const auto& [u, colour] : loop) {
        kept += fresh(u, level, subnet, colour);
        turned += fresh(u, level, subnet, 1 - colour);
      }
      for (const auto& [u, colour] : loop) routes_[u].colours[level] = turned < kept ? 1 - colour : colour;
    }
    for (int k = 0; k < 2; ++k) {
      std::vector<int> members;
      for (const int u : set) {
        if (routes_[u].colours[level] == k) members.push_back(u);
      }
      lay(level + 1, subnet.children[k], members);
    }
  }

  int levels_;
  const std::vector<Subnet>& subnets_;
  const std::vector<Unicast>& unicasts_;
  const LinkSet& used_;
  std::vector<Route> routes_;
};

}  // namespace

std::vector<Route> route_permutation(const Network& network, const std::vector<Subnet>& subnets,
                                     const std::vector<Unicast>& unicasts, const LinkSet& used) {
  return Looping(network, subnets, unicasts, used).run();
}

}  // namespace fred::detail
