// SPDX-License-Identifier: Apache-2.0
// Heights come from the inside, the single RD; where the columns are, from the outside.
#include "fred/route/layout.hpp"

#include <algorithm>

namespace fred::detail {
namespace {

constexpr int kPinPitch = 7;     // between the m pins of an R or D
constexpr int kPairPitch = 16;   // between the two pins on the side of a pair of ports
constexpr int kNameHeight = 13;  // above a node
constexpr int kHeader = 20;      // of a box: its name
constexpr int kPadding = 12;     // inside a box
constexpr int kMiddleGap = 12;   // between the boxes of two middles
constexpr int kSingleGap = 9;    // between two RD
constexpr int kPortsWidth = 72;  // beside the outermost box
constexpr int kLeastGap = 56;    // between a column and the boxes beside it
constexpr int kLargestGap = 420;

/// R, D, demultiplexer and multiplexer have room for m pins; an RD has two on each side.
int node_height(const Network& network, NodeKind kind) {
  const int least = 30;
  return kind == NodeKind::kRD ? least : std::max(least, network.middle * kPinPitch + 8);
}

int rows(const LevelShape& shape) { return shape.half + (shape.odd ? 1 : 0); }

/// Pins on a side of a node.
int pins(const Network& network, NodeKind kind, bool is_in) {
  switch (kind) {
    case NodeKind::kR:
      return is_in ? 2 : network.middle;
    case NodeKind::kD:
      return is_in ? network.middle : 2;
    case NodeKind::kDemux:
      return is_in ? 1 : network.middle;
    case NodeKind::kMux:
      return is_in ? network.middle : 1;
    case NodeKind::kRD:
      return 2;
  }
  return 1;
}

bool is_entry(NodeKind kind) { return kind == NodeKind::kR || kind == NodeKind::kDemux; }

}  // namespace

Layout::Layout(const Network& network) : network_(network), levels_(static_cast<std::size_t>(network.levels())) {
  for (Level& level : levels_) level.half = kNodeWidth / 2 + 3;
  for (const Node& node : network.nodes) {
    int& half = levels_[node.level].half;
    half = std::max(half, text_width(node.name().size(), kNameSize) / 2 + 3);
  }
  const int last = network.levels() - 1;
  levels_[last].height = kNameHeight + node_height(network, NodeKind::kRD);
  for (int l = last - 1; l >= 0; --l) {
    const int gap = l + 1 == last ? kSingleGap : kMiddleGap;
    levels_[l].pitch = levels_[l + 1].height + gap;
    levels_[l].height = kHeader + network.middle * levels_[l].pitch - gap + kPadding;
  }
  const auto gap_of = [&](int l) { return std::clamp(levels_[l].height * 3 / 10, kLeastGap, kLargestGap); };
  levels_.front().left = kPortsWidth;
  for (int l = 0; l < last; ++l) {
    levels_[l].entries = levels_[l].left + kPadding + levels_[l].half;
    levels_[l + 1].left = levels_[l].entries + levels_[l].half + gap_of(l);
  }
  Level& single = levels_[last];
  single.entries = single.exits = single.left + single.half;
  single.right = single.left + 2 * single.half;
  for (int l = last - 1; l >= 0; --l) {
    levels_[l].exits = levels_[l + 1].right + gap_of(l) + levels_[l].half;
    levels_[l].right = levels_[l].exits + levels_[l].half + kPadding;
  }
}

int Layout::top(int level, const std::vector<int>& middles) const {
  int y = 0;
  for (int l = 0; l < level; ++l) y += kHeader + middles[l] * levels_[l].pitch;
  return y;
}

Box Layout::node(int index) const {
  const Node& node = network_.nodes[index];
  const Level& level = levels_[node.level];
  const int height = node_height(network_, node.kind);
  int name_top = top(node.level, node.middles);
  if (node.kind != NodeKind::kRD) {  // the rows share the height of the box
    const int room = level.height - kHeader - kPadding;
    const int centre = room * (2 * node.index + 1) / (2 * rows(network_.shapes[node.level]));
    name_top += kHeader + centre - (kNameHeight + height) / 2;
  }
  const int x = is_entry(node.kind) ? level.entries : level.exits;
  return {x - kNodeWidth / 2, name_top + kNameHeight, x + kNodeWidth / 2, name_top + kNameHeight + height};
}

Point Layout::pin(int node, int pin, bool is_in) const {
  const Box box = this->node(node);
  const int count = pins(network_, network_.nodes[node].kind, is_in);
  const int pitch = count == 2 ? kPairPitch : count == 3 ? kPinPitch + 2 : kPinPitch;
  return {is_in ? box.left : box.right, box.middle_y() + (2 * pin - count + 1) * pitch / 2};
}

Point Layout::in_pin(int node, int pin) const { return this->pin(node, pin, true); }
Point Layout::out_pin(int node, int pin) const { return this->pin(node, pin, false); }

Wire Layout::wire(const Link& link) const {
  Wire wire;
  if (link.from >= 0) {
    const Node& node = network_.nodes[link.from];
    const Level& level = levels_[node.level];
    wire.from = out_pin(link.from, link.from_pin);
    wire.leave = {is_entry(node.kind) ? level.entries + level.half : level.right, wire.from.y};
  }
  if (link.to >= 0) {
    const Node& node = network_.nodes[link.to];
    const Level& level = levels_[node.level];
    const bool is_exit = node.kind == NodeKind::kD || node.kind == NodeKind::kMux;
    wire.to = in_pin(link.to, link.to_pin);
    wire.enter = {is_exit ? level.exits - level.half : level.left, wire.to.y};
  }
  const int margin = kPortsWidth / 2;  // the end of a port's link
  if (link.from < 0) wire.from = wire.leave = {levels_.front().left - margin, wire.to.y};
  if (link.to < 0) wire.to = wire.enter = {levels_.front().right + margin, wire.from.y};
  return wire;
}

void Layout::add_subnets(int level, std::vector<int>& middles, std::vector<SubnetBox>& boxes) const {
  if (level + 1 == network_.levels()) return;
  const int y = top(level, middles);
  boxes.push_back({level, middles, {levels_[level].left, y, levels_[level].right, y + levels_[level].height}});
  for (int k = 0; k < network_.middle; ++k) {
    middles.push_back(k);
    add_subnets(level + 1, middles, boxes);
    middles.pop_back();
  }
}

std::vector<SubnetBox> Layout::subnets() const {
  std::vector<SubnetBox> boxes;
  std::vector<int> middles;
  add_subnets(0, middles, boxes);
  return boxes;
}

}  // namespace fred::detail
