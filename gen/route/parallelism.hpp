// SPDX-License-Identifier: Apache-2.0
// How the ranks of a job are divided: the dimensions of its parallelism, and the groups of ranks along each.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fred/route/flow.hpp"

namespace fred {

/// Names that a dimension may have, in the order in which ranks are placed unless another one routes better:
/// mp and tp (model, tensor), sp (sequence), cp (context), ep (expert), pp (pipeline), dp (data).
inline constexpr std::array<std::string_view, 7> kDimensionNames{"mp", "tp", "sp", "cp", "ep", "pp", "dp"};

struct Dimension {
  std::string name;  ///< one of kDimensionNames
  int size = 1;      ///< at least 1
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// Dimensions in the order that numbers the ranks, the first varying fastest as in Megatron's order strings:
/// rank = c0 + n0 * (c1 + n1 * (c2 + ...)) for coordinates c and sizes n.
struct Parallelism {
  std::vector<Dimension> dimensions;
  [[nodiscard]] int ranks() const;  ///< product of the sizes
  friend bool operator==(const Parallelism&, const Parallelism&) = default;
};

/// "mp=2,dp=5,pp=2". Spaces are ignored. Each name once, sizes from 1, at most 4096 ranks. Throws InputError that names
/// the value.
[[nodiscard]] Parallelism parse_parallelism(std::string_view text);
[[nodiscard]] std::string to_string(const Parallelism& parallelism);

/// Coordinates of a rank, one a dimension.
[[nodiscard]] std::vector<int> coordinates_of(const Parallelism& parallelism, int rank);
/// The groups of ranks that differ in one dimension only: each in the order of that coordinate, by their first rank.
[[nodiscard]] std::vector<Group> groups_of(const Parallelism& parallelism, int dimension);

}  // namespace fred
