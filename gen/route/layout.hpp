// SPDX-License-Identifier: Apache-2.0
// Internal to the drawing: where the microswitches, pins, links and subnetworks of a Network lie on paper.
#pragma once

#include <vector>

#include "fred/network/network.hpp"

namespace fred::detail {

/// All lengths are in whole pixels, so that every machine writes the same numbers. x to the right, y downwards.
struct Point {
  int x = 0, y = 0;
};

struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] int middle_x() const { return (left + right) / 2; }
  [[nodiscard]] int middle_y() const { return (top + bottom) / 2; }
};

/// A link: straight from `from` to `leave`, bent in the gap between two columns, straight from `enter` to `to`.
struct Wire {
  Point from, leave, enter, to;
};

/// A subnetwork, m0.m2: the middles entered on the way to it.
struct SubnetBox {
  int level = 0;
  std::vector<int> middles;
  Box box;
};

inline constexpr int kNodeWidth = 46;
inline constexpr int kNameSize = 9;  ///< font size of a node's name, which is above it

/// Roughly, and rather too much, the width of text in a sans-serif font.
[[nodiscard]] constexpr int text_width(std::size_t characters, int font_size) {
  return static_cast<int>(characters) * font_size * 3 / 5;
}

/// Stages are columns. The middles of a subnetwork lie one under the other between its R and its D, each in a box of
/// its own; all boxes of a level have the same size. Links bend only between a column and the boxes beside it.
class Layout {
 public:
  explicit Layout(const Network& network);
  [[nodiscard]] int width() const { return levels_.front().right + levels_.front().left; }
  [[nodiscard]] int height() const { return levels_.front().height; }
  [[nodiscard]] Box node(int index) const;
  [[nodiscard]] Point in_pin(int node, int pin) const;
  [[nodiscard]] Point out_pin(int node, int pin) const;
  [[nodiscard]] Wire wire(const Link& link) const;
  /// Of all levels but the innermost, whose subnetworks are single RD; from the outside to the inside.
  [[nodiscard]] std::vector<SubnetBox> subnets() const;

 private:
  struct Level {
    int left = 0, right = 0;     // of the boxes of this level
    int entries = 0, exits = 0;  // middle of the column of R and demux, of D and mux; both of RD
    int half = 0;                // of the width of these columns
    int height = 0;              // of a box
    int pitch = 0;               // from the top of a middle to the top of the next
  };
  [[nodiscard]] int top(int level, const std::vector<int>& middles) const;
  [[nodiscard]] Point pin(int node, int pin, bool is_in) const;
  void add_subnets(int level, std::vector<int>& middles, std::vector<SubnetBox>& boxes) const;

  const Network& network_;
  std::vector<Level> levels_;  // outermost first
};

}  // namespace fred::detail
