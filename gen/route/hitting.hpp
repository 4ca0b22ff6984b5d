// SPDX-License-Identifier: Apache-2.0
// Internal to the router: a smallest set that has an element of each of some sets.
#pragma once

#include <optional>
#include <vector>

namespace fred::detail {

/// A smallest set of elements 0..elements-1, ascending, that meets every one of `sets` (none empty). nullopt when the
/// search has gone through `nodes` nodes without an end. The same input gives the same answer.
[[nodiscard]] std::optional<std::vector<int>> minimum_hitting_set(const std::vector<std::vector<int>>& sets,
                                                                  int elements, long nodes);

}  // namespace fred::detail
