// SPDX-License-Identifier: Apache-2.0
#include "fred/route/partitions.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "fred/route/parallel.hpp"

namespace fred::detail {
namespace {

constexpr int kBitsPerPort = 4;

int shift_of(int port) { return kBitsPerPort * (kMaxOrbitPorts - 1 - port); }
unsigned block_of(std::uint64_t packed, int port) {
  return static_cast<unsigned>(packed >> shift_of(port)) & (kMaxOrbitPorts - 1U);
}

/// One way to exchange subtrees, as far as it has been settled: which ports come first.
struct Candidate {
  std::uint64_t names = 0;  // four bits a block: its new number
  unsigned named = 0;       // a bit a block: has one
  unsigned last = 0;        // the port that came last
};

/// The lexicographically first partition in the orbit of `packed`. Ports are placed one by one; of all exchanges, those
/// stay that give the first partition so far.
std::uint64_t first_of_orbit(std::uint64_t packed, int ports) {
  thread_local std::vector<Candidate> candidates, next;
  candidates.assign(1, {});
  std::uint64_t result = 0;
  unsigned blocks = 0;
  unsigned base = 0;
  // Ports 0..ports-1 are the leaves of full trees, one for each bit of `ports`, which cannot be exchanged themselves.
  for (unsigned size = std::bit_floor(static_cast<unsigned>(ports)); size > 0; size /= 2) {
    if ((static_cast<unsigned>(ports) & size) == 0) continue;
    for (unsigned i = 0; i < size; ++i) {
      const unsigned height = static_cast<unsigned>(std::countr_zero(i == 0 ? size : i));
      unsigned best = blocks;
      next.clear();
      for (const Candidate& candidate : candidates) {
        // The tree that is entered: the whole, or the sibling of the one that is complete.
        const unsigned start = i == 0 ? base : base + ((((candidate.last - base) >> height) ^ 1U) << height);
        for (unsigned port = start; port < start + (1U << height); ++port) {
          const unsigned block = block_of(packed, static_cast<int>(port));
          const bool known = ((candidate.named >> block) & 1U) != 0;
          const unsigned name =
              known ? static_cast<unsigned>(candidate.names >> (kBitsPerPort * block)) & (kMaxOrbitPorts - 1U) : blocks;
          if (name > best) continue;
          if (name < best) next.clear();
          best = name;
          next.push_back({candidate.names | (known ? 0 : std::uint64_t{name} << (kBitsPerPort * block)),
                          candidate.named | (1U << block), port});
        }
      }
      std::swap(candidates, next);
      result |= std::uint64_t{best} << shift_of(static_cast<int>(base + i));
      if (best == blocks) ++blocks;
    }
    base += size;
    // What comes after depends on the numbers of the blocks alone.
    const auto key = [](const Candidate& candidate) { return std::pair(candidate.names, candidate.named); };
    std::sort(candidates.begin(), candidates.end(),
              [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
    candidates.erase(std::unique(candidates.begin(), candidates.end(),
                                 [&](const Candidate& a, const Candidate& b) { return key(a) == key(b); }),
                     candidates.end());
  }
  return result;
}

}  // namespace

int count_blocks(const Blocks& blocks) {
  return blocks.empty() ? 0 : *std::max_element(blocks.begin(), blocks.end()) + 1;
}

std::vector<Ports> ports_of(const Blocks& blocks) {
  std::vector<Ports> ports(count_blocks(blocks));
  for (std::size_t p = 0; p < blocks.size(); ++p) ports[blocks[p]].push_back(static_cast<int>(p));
  return ports;
}

/// Sorts and makes one orbit of those that have the same first partition.
void Orbits::merge(std::vector<Packed>& orbits) {
  std::sort(orbits.begin(), orbits.end(), [](const Packed& a, const Packed& b) { return a.blocks < b.blocks; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < orbits.size(); ++i) {
    if (kept > 0 && orbits[kept - 1].blocks == orbits[i].blocks) {
      orbits[kept - 1].members += orbits[i].members;
    } else {
      orbits[kept++] = orbits[i];
    }
  }
  orbits.resize(kept);
}

/// The new port joins a block or is one. What the exchanges that leave it in its place do to the other ports does not
/// matter for this, so the first partition of an orbit stands for all of them.
void Orbits::add_port(int threads) {
  constexpr std::size_t kChunk = 4096;
  std::vector<std::vector<Packed>> parts((orbits_.size() + kChunk - 1) / kChunk);
  parallel_for(parts.size(), 1, threads, [&](std::size_t part) {
    for (std::size_t i = part * kChunk; i < std::min((part + 1) * kChunk, orbits_.size()); ++i) {
      unsigned blocks = 0;
      for (int p = 0; p < ports_; ++p) blocks = std::max(blocks, block_of(orbits_[i].blocks, p) + 1);
      for (unsigned block = 0; block <= blocks; ++block) {
        const std::uint64_t longer = orbits_[i].blocks | std::uint64_t{block} << shift_of(ports_);
        parts[part].push_back({first_of_orbit(longer, ports_ + 1), orbits_[i].members});
      }
    }
    merge(parts[part]);
  });
  orbits_.clear();
  for (const std::vector<Packed>& part : parts) orbits_.insert(orbits_.end(), part.begin(), part.end());
  merge(orbits_);
  ++ports_;
}

Orbit Orbits::operator[](std::size_t i) const {
  Orbit orbit{Blocks(ports_), orbits_[i].members};
  for (int p = 0; p < ports_; ++p) orbit.first[p] = static_cast<int>(block_of(orbits_[i].blocks, p));
  return orbit;
}

Stirling::Stirling(int most_ports) : table_(most_ports + 1, std::vector<Natural>(most_ports + 1)) {
  table_[0][0] = Natural(1);
  for (int n = 1; n <= most_ports; ++n) {
    for (int k = 1; k <= n; ++k) {
      table_[n][k] = Natural(k) * table_[n - 1][k];
      table_[n][k] += table_[n - 1][k - 1];
    }
  }
}

/// From the last port on: it is a block of its own, the last one, in S(n - 1, k - 1) of the S(n, k) partitions; in the
/// others it joins one of the k blocks of the ports before it.
Blocks draw_partition(const Stirling& stirling, int ports, int blocks, std::mt19937_64& random) {
  Blocks result(ports);
  for (int n = ports, k = blocks; n > 0; --n) {
    if (draw_below(stirling(n, k), random) < stirling(n - 1, k - 1)) {
      result[n - 1] = --k;
    } else {
      result[n - 1] = draw_below(k, random);
    }
  }
  return result;
}

int draw_index(const std::vector<Natural>& weights, std::mt19937_64& random) {
  Natural sum;
  for (const Natural& weight : weights) sum += weight;
  Natural drawn = draw_below(sum, random);
  int index = 0;
  for (; drawn >= weights[index]; ++index) drawn -= weights[index];
  return index;
}

std::vector<int> draw_order(int count, std::mt19937_64& random) {
  std::vector<int> order(count);
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[draw_below(i + 1, random)]);
  return order;
}

std::vector<int> draw_sizes(int ports, int smallest, int largest, std::mt19937_64& random) {
  std::vector<int> sizes;
  for (int left = ports; left > 0;) {
    const int size = std::min(smallest + draw_below(largest - smallest + 1, random), left);
    if (left - size == 1) continue;
    sizes.push_back(size);
    left -= size;
  }
  return sizes;
}

}  // namespace fred::detail
