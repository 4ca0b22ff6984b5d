// SPDX-License-Identifier: Apache-2.0
// Trees are compared by a text that is the same for two trees if and only if they are equal but for the sides of
// operands: a node's text has the lesser of its two operands' texts first (the AHU method for unordered trees). Leaves
// are named after their ranks, or all alike where the form alone is of interest.
#include "fred/numeric/tree.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "fred/error.hpp"

namespace fred {
namespace {

std::string text_of(std::span<const int> ports, const std::function<std::string(int)>& name) {
  if (ports.size() == 1) return name(ports.front());
  const std::size_t left = left_count(ports);
  return "(" + text_of(ports.first(left), name) + "+" + text_of(ports.subspan(left), name) + ")";
}

/// The text that does not depend on sides.
std::string normal_of(std::span<const int> ports, const std::function<std::string(int)>& name) {
  if (ports.size() == 1) return name(ports.front());
  const std::size_t left = left_count(ports);
  const std::string a = normal_of(ports.first(left), name);
  const std::string b = normal_of(ports.subspan(left), name);
  return "(" + std::min(a, b) + "+" + std::max(a, b) + ")";
}

std::string form_of(std::span<const int> ports) {
  return normal_of(ports, [](int) { return std::string("."); });
}

std::vector<int> ascending(std::vector<int> placement) {
  std::sort(placement.begin(), placement.end());
  if (const auto twice = std::adjacent_find(placement.begin(), placement.end()); twice != placement.end())
    throw InputError("port " + std::to_string(*twice) + " is there twice");
  check_ports(placement);
  return placement;
}

/// Names a port after the rank that is placed on it.
std::function<std::string(int)> rank_names(const std::vector<int>& placement) {
  return [&placement](int port) {
    return std::to_string(std::find(placement.begin(), placement.end(), port) - placement.begin());
  };
}

/// Puts the ranks of the subtree `from` of `placement` on the ports of `to`, a tree of the same form.
void place(const std::vector<int>& placement, std::span<const int> from, std::span<const int> to,
           std::vector<int>& result) {
  if (from.size() == 1) {
    const auto rank = std::find(placement.begin(), placement.end(), from.front()) - placement.begin();
    result[static_cast<std::size_t>(rank)] = to.front();
    return;
  }
  const std::size_t from_left = left_count(from);
  const std::size_t to_left = left_count(to);
  auto left = to.first(to_left);
  auto right = to.subspan(to_left);
  if (form_of(from.first(from_left)) != form_of(left)) std::swap(left, right);
  place(placement, from.first(from_left), left, result);
  place(placement, from.subspan(from_left), right, result);
}

}  // namespace

void check_ports(std::span<const int> ports) {
  if (ports.empty()) throw InputError("a reduction needs at least one port");
  if (ports.front() < 0) throw InputError("port " + std::to_string(ports.front()) + " is negative");
  for (std::size_t i = 1; i < ports.size(); ++i)
    if (ports[i - 1] >= ports[i])
      throw InputError("ports must ascend: " + std::to_string(ports[i]) + " follows " + std::to_string(ports[i - 1]));
}

std::size_t left_count(std::span<const int> ports) {
  // The root is where the first and the last port meet; there the highest bit in which they differ decides.
  const auto differ = static_cast<unsigned>(ports.front() ^ ports.back());
  const int split = (ports.back() >> (std::bit_width(differ) - 1)) << (std::bit_width(differ) - 1);
  std::size_t count = 0;
  while (ports[count] < split) ++count;
  return count;
}

std::string tree_text(const std::vector<int>& ports) {
  check_ports(ports);
  return text_of(ports, [](int port) { return std::to_string(port); });
}

std::string rank_tree_text(const std::vector<int>& placement) {
  return text_of(ascending(placement), rank_names(placement));
}

int tree_height(const std::vector<int>& ports) {
  check_ports(ports);
  const std::function<int(std::span<const int>)> height = [&](std::span<const int> part) {
    if (part.size() == 1) return 0;
    const std::size_t left = left_count(part);
    return 1 + std::max(height(part.first(left)), height(part.subspan(left)));
  };
  return height(ports);
}

bool same_order(const std::vector<int>& placement, const std::vector<int>& other) {
  return placement.size() == other.size() &&
         normal_of(ascending(placement), rank_names(placement)) == normal_of(ascending(other), rank_names(other));
}

std::optional<std::vector<int>> placement_in_order_of(const std::vector<int>& placement,
                                                      const std::vector<int>& ports) {
  const std::vector<int> from = ascending(placement);
  const std::vector<int> to = ascending(ports);
  if (from.size() != to.size() || form_of(from) != form_of(to)) return std::nullopt;
  std::vector<int> result(placement.size());
  place(placement, from, to, result);
  return result;
}

}  // namespace fred
