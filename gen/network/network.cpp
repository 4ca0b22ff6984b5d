// SPDX-License-Identifier: Apache-2.0
// The recursive construction of FRED_m(P), drawn here for P = 2r + 1 (without the last row for P = 2r):
//
//   in 2i   ──┐                                   ┌── out 2i
//             R i ──k──> i  middle k  i ──k──> D i
//   in 2i+1 ──┘          (m of them,              └── out 2i+1
//                        FRED_m(r + 1))
//   in 2r ── demux ──k──> r           r ──k──> mux ── out 2r
//
// A subnetwork's links at its inputs and outputs are made by whoever is on the far side of the subnetwork's border:
// `build` takes the drivers of its inputs and returns the drivers of its outputs, and a link is added with its reader.
#include "fred/network/network.hpp"

#include <fmt/format.h>

#include <utility>

#include "fred/error.hpp"

namespace fred {
namespace {

constexpr long kMaxMicroswitches = 1'000'000;  // about 200 MB as a value

/// The pin of a node, or a port of the switch (node -1), that drives a link.
struct Driver {
  int node = -1;
  int pin = 0;
};

class Builder {
 public:
  explicit Builder(Network& network) : network_(network) {}

  std::vector<Driver> build(int level, const std::vector<int>& middles, const std::vector<Driver>& in) {
    if (level == static_cast<int>(network_.shapes.size())) {
      const int rd = add_node(NodeKind::kRD, level, middles, 0, level);
      connect(in[0], rd, 0);
      connect(in[1], rd, 1);
      return {{rd, 0}, {rd, 1}};
    }
    const LevelShape shape = network_.shapes[level];
    std::vector<int> entries;  // R microswitches, then the demultiplexer
    for (int i = 0; i < shape.half; ++i) {
      const int r = add_node(NodeKind::kR, level, middles, i, level);
      connect(in[2 * i], r, 0);
      connect(in[2 * i + 1], r, 1);
      entries.push_back(r);
    }
    if (shape.odd) {
      entries.push_back(add_node(NodeKind::kDemux, level, middles, shape.half, level));
      connect(in[2 * shape.half], entries.back(), 0);
    }
    std::vector<std::vector<Driver>> middle_out;
    for (int k = 0; k < network_.middle; ++k) {
      std::vector<Driver> middle_in;
      for (const int entry : entries) middle_in.push_back({entry, k});
      std::vector<int> inner = middles;
      inner.push_back(k);
      middle_out.push_back(build(level + 1, inner, middle_in));
    }
    std::vector<Driver> out;
    const int stage = network_.stages() - 1 - level;
    for (int i = 0; i < shape.half; ++i) {
      const int d = add_node(NodeKind::kD, level, middles, i, stage);
      for (int k = 0; k < network_.middle; ++k) connect(middle_out[k][i], d, k);
      out.push_back({d, 0});
      out.push_back({d, 1});
    }
    if (shape.odd) {
      const int mux = add_node(NodeKind::kMux, level, middles, shape.half, stage);
      for (int k = 0; k < network_.middle; ++k) connect(middle_out[k][shape.half], mux, k);
      out.push_back({mux, 0});
    }
    return out;
  }

  void connect(Driver from, int to, int to_pin) { network_.links.push_back({from.node, from.pin, to, to_pin}); }

 private:
  int add_node(NodeKind kind, int level, const std::vector<int>& middles, int index, int stage) {
    network_.nodes.push_back({kind, level, middles, index, stage});
    return static_cast<int>(network_.nodes.size()) - 1;
  }

  Network& network_;  // grows
};

std::vector<LevelShape> make_shapes(int radix) {
  std::vector<LevelShape> shapes;
  for (int size = radix; size > 2;) {
    const LevelShape shape{static_cast<int>(shapes.size()), size, size / 2, size % 2 != 0, (size + 1) / 2};
    shapes.push_back(shape);
    size = shape.middle_size;
  }
  return shapes;
}

void check(int radix, int middle) {
  if (radix < 2 || radix > 4096) throw InputError(fmt::format("radix {}: allowed are 2..4096", radix));
  if (middle < 2 || middle > 16) throw InputError(fmt::format("middle {}: allowed are 2..16", middle));
}

}  // namespace

const char* to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::kR:
      return "R";
    case NodeKind::kD:
      return "D";
    case NodeKind::kRD:
      return "RD";
    case NodeKind::kDemux:
      return "demux";
    case NodeKind::kMux:
      return "mux";
  }
  return "?";
}

std::string Node::name() const {
  std::string text;
  for (const int k : middles) text += fmt::format("m{}.", k);
  text += to_string(kind);
  if (kind == NodeKind::kR || kind == NodeKind::kD) text += std::to_string(index);
  return text;
}

Counts count_network(int radix, int middle) {
  check(radix, middle);
  Counts counts;
  long subnetworks = 1;  // of the size at hand
  for (const LevelShape& shape : make_shapes(radix)) {
    counts.r += subnetworks * shape.half;
    counts.d += subnetworks * shape.half;
    if (shape.odd) {
      counts.demux += subnetworks;
      counts.mux += subnetworks;
    }
    subnetworks *= middle;
  }
  counts.rd = subnetworks;
  return counts;
}

Network make_outline(int radix, int middle) {
  check(radix, middle);
  return {radix, middle, make_shapes(radix), {}, {}};
}

Network make_network(int radix, int middle) {
  if (const long size = count_network(radix, middle).microswitches(); size > kMaxMicroswitches) {
    throw InputError(
        fmt::format("radix {} with middle {} has {} microswitches: allowed are at most {}; take a smaller "
                    "radix or middle",
                    radix, middle, size, kMaxMicroswitches));
  }
  Network network = make_outline(radix, middle);
  std::vector<Driver> in;
  for (int port = 0; port < radix; ++port) in.push_back({-1, port});
  Builder builder(network);
  const std::vector<Driver> out = builder.build(0, {}, in);
  for (int port = 0; port < radix; ++port) builder.connect(out[port], -1, port);
  return network;
}

}  // namespace fred
