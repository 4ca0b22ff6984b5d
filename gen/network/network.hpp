// SPDX-License-Identifier: Apache-2.0
// FRED_m(P) as a value: microswitches, links, stages. The single source of truth about the wiring.
#pragma once

#include <string>
#include <vector>

namespace fred {

enum class NodeKind { kR, kD, kRD, kDemux, kMux };
[[nodiscard]] const char* to_string(NodeKind kind);

/// One size of the recursion, outermost first. FRED_m(size), size >= 3, has `half` R and D microswitches and m
/// middles FRED_m(middle_size); an odd size has a demultiplexer and a multiplexer for its last port.
struct LevelShape {
  int level = 0;  ///< 0 outermost; a port p of the switch belongs to port p >> level of its subnetwork here
  int size = 0;   ///< ports of the subnetwork
  int half = 0;   ///< r = size / 2
  bool odd = false;
  int middle_size = 0;  ///< r, or r + 1 if odd
  friend bool operator==(const LevelShape&, const LevelShape&) = default;
};

/// A microswitch, demultiplexer or multiplexer.
struct Node {
  NodeKind kind = NodeKind::kRD;
  int level = 0;                           ///< level of the subnetwork it belongs to; RD: the innermost
  std::vector<int> middles;                ///< which middle was entered at levels 0..level-1: names the subnetwork
  int index = 0;                           ///< position in its subnetwork; demux and mux: half
  int stage = 0;                           ///< 0..stages-1 from input to output
  [[nodiscard]] std::string name() const;  ///< unique, e.g. "R2", "m1.R0", "m1.m0.RD", "demux"
  friend bool operator==(const Node&, const Node&) = default;
};

/// A directed link. A node index of -1 means a port of the switch, whose number is then in the matching `*_pin`.
struct Link {
  int from = -1, from_pin = 0;
  int to = -1, to_pin = 0;
  friend bool operator==(const Link&, const Link&) = default;
};

struct Counts {
  long r = 0, d = 0, rd = 0, demux = 0, mux = 0;
  [[nodiscard]] long microswitches() const { return r + d + rd; }
  [[nodiscard]] long reducers() const { return r + rd; }
  friend bool operator==(const Counts&, const Counts&) = default;
};

struct Network {
  int radix = 0;                   ///< P
  int middle = 0;                  ///< m
  std::vector<LevelShape> shapes;  ///< sizes >= 3, outermost first; empty for radix 2
  std::vector<Node> nodes;
  std::vector<Link> links;
  [[nodiscard]] int levels() const { return static_cast<int>(shapes.size()) + 1; }  ///< ceil(log2 P)
  [[nodiscard]] int stages() const { return 2 * levels() - 1; }
  friend bool operator==(const Network&, const Network&) = default;
};

/// Builds FRED_m(P). Throws InputError unless radix is in 2..4096 and middle in 2..16 (and the size is reasonable).
[[nodiscard]] Network make_network(int radix, int middle);
/// Its sizes alone, without microswitches and links: enough to route where nothing is to be avoided.
[[nodiscard]] Network make_outline(int radix, int middle);
/// Counts without building the network.
[[nodiscard]] Counts count_network(int radix, int middle);

}  // namespace fred
