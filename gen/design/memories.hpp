// SPDX-License-Identifier: Apache-2.0
// The memories of a switch: what a designer needs to have macros compiled in their places (docs/memories.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "fred/design/design.hpp"

namespace fred {

/// Memories of a switch that hold the same.
struct MemoryGroup {
  std::string_view module;    ///< "fred_ram_sync" or "fred_ram_async"
  std::string_view instance;  ///< its name inside the module that instantiates it, "u_fifo"
  std::string_view holds;     ///< "ingress data"
  int words;                  ///< parameter Depth
  int bits;                   ///< a word; parameter Width
  int count;                  ///< instances in the switch
};

/// All of them, the same order for every design. `design` is validated.
[[nodiscard]] std::vector<MemoryGroup> memory_groups(const Design& design);

/// The same as an array of objects with these keys, `instances` for `count`.
[[nodiscard]] nlohmann::ordered_json memories_json(const Design& design);

}  // namespace fred
