// SPDX-License-Identifier: Apache-2.0
// Internal to the router: partitions of the ports into blocks: all of them, counted by orbits, and random ones.
//
// Whether flows fit together depends on one thing of their ports: for which shifts s two ports p and q of different
// flows have p >> s = q >> s. This is where their leaves meet in a binary tree over the port numbers. Exchanging the
// two subtrees below a vertex of this tree, where both are full, changes nothing of it: partitions that differ by such
// exchanges, an *orbit*, route alike.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "fred/route/flow.hpp"
#include "fred/route/natural.hpp"

namespace fred::detail {

/// A partition of ports 0..size-1: [p] is the block of port p. Blocks are numbered in the order of their first ports.
using Blocks = std::vector<int>;

[[nodiscard]] int count_blocks(const Blocks& blocks);
/// The ports of each block.
[[nodiscard]] std::vector<Ports> ports_of(const Blocks& blocks);

/// Partitions of the ports that route alike.
struct Orbit {
  Blocks first;               ///< the lexicographically first of them
  std::uint64_t members = 0;  ///< how many there are
  friend bool operator==(const Orbit&, const Orbit&) = default;
};

/// Most ports that Orbits counts: their blocks fit into one word.
inline constexpr int kMaxOrbitPorts = 16;

/// All partitions of ports 0..ports()-1 by orbits, for one number of ports after the other.
class Orbits {
 public:
  Orbits() = default;  ///< of one port
  void add_port(int threads);
  [[nodiscard]] int ports() const { return ports_; }
  [[nodiscard]] std::size_t size() const { return orbits_.size(); }
  /// Ascending by `first`.
  [[nodiscard]] Orbit operator[](std::size_t i) const;

 private:
  struct Packed {
    std::uint64_t blocks = 0;  // four bits a port, port 0 in the most significant: in the order of the partitions
    std::uint64_t members = 0;
  };
  static void merge(std::vector<Packed>& orbits);
  int ports_ = 1;
  std::vector<Packed> orbits_{{0, 1}};
};

/// Numbers of partitions of n ports into k blocks (Stirling, second kind), n up to a limit.
class Stirling {
 public:
  explicit Stirling(int most_ports);
  /// 0 for k > n and for k = 0 < n.
  [[nodiscard]] const Natural& operator()(int n, int k) const { return table_[n][k]; }
  [[nodiscard]] int most_ports() const { return static_cast<int>(table_.size()) - 1; }

 private:
  std::vector<std::vector<Natural>> table_;  // [n][k], k to most_ports()
};

/// Each partition of `ports` ports into exactly `blocks` blocks with equal probability.
[[nodiscard]] Blocks draw_partition(const Stirling& stirling, int ports, int blocks, std::mt19937_64& random);
/// i with a probability in proportion to weights[i], of which one is not 0.
[[nodiscard]] int draw_index(const std::vector<Natural>& weights, std::mt19937_64& random);
/// Each order of 0..count-1 with equal probability.
[[nodiscard]] std::vector<int> draw_order(int count, std::mt19937_64& random);

/// Sizes that add up to `ports` (2 or more): each is drawn uniformly from smallest..largest, again while it would leave
/// exactly one port, until one takes all ports that are left or more: it gets these. So no size is 1.
/// 2 <= smallest < largest.
[[nodiscard]] std::vector<int> draw_sizes(int ports, int smallest, int largest, std::mt19937_64& random);

}  // namespace fred::detail
