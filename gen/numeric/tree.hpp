// SPDX-License-Identifier: Apache-2.0
// The order in which a switch reduces: the binary trie over port numbers. Ports p < q meet at the first level k with
// p >> k == q >> k, the lower ports as the left operand. What ranks that means depends on where they are placed; a
// placement is the port of each rank. docs/numerics.md.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fred/numeric/dtype.hpp"

namespace fred {

/// Throws InputError unless ports are ascending, not negative and not empty.
void check_ports(std::span<const int> ports);
/// How many of two or more ascending ports are the left operand at the root of their tree.
[[nodiscard]] std::size_t left_count(std::span<const int> ports);

/// The tree of a group in print: {0, 1, 2} gives "((0+1)+2)", {5} gives "5". Throws as check_ports.
[[nodiscard]] std::string tree_text(const std::vector<int>& ports);
/// The same in ranks: placement {2, 0, 5} gives "((1+0)+2)". Throws InputError if a port is negative or there twice, or
/// there is none.
[[nodiscard]] std::string rank_tree_text(const std::vector<int>& placement);
/// Most reductions on a way from an operand to the result.
[[nodiscard]] int tree_height(const std::vector<int>& ports);

/// Whether two placements of the same ranks reduce in the same order. Operands may change sides: every operation is
/// commutative in every bit. Throws as rank_tree_text.
[[nodiscard]] bool same_order(const std::vector<int>& placement, const std::vector<int>& other);
/// A placement on `ports`, in any order, that reduces in the order of `placement`; none if the ports' tree has another
/// form. Throws as rank_tree_text.
[[nodiscard]] std::optional<std::vector<int>> placement_in_order_of(const std::vector<int>& placement,
                                                                    const std::vector<int>& ports);

}  // namespace fred
