// SPDX-License-Identifier: Apache-2.0
// The performance counters of a switch (Design::counters), read through its registers.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/harness.hpp"

namespace fred::tb {

/// A value of this is "as many or more".
constexpr std::uint32_t kMostCounted = ~std::uint32_t{0};

struct BeatCounts {
  std::uint32_t in = 0;   ///< launched from the ingress circuit
  std::uint32_t out = 0;  ///< that have left the egress circuit
};

/// Cycles.
struct LaunchCounts {
  std::uint32_t launches = 0;
  std::uint32_t wait_data = 0, wait_egress = 0, wait_arbitration = 0;  ///< at work without a launch, by cause
};

struct CounterValues {
  std::vector<std::vector<BeatCounts>> beats;  ///< by port, then virtual circuit
  std::vector<LaunchCounts> launches;          ///< by descriptor
};

/// Freezes all counters and starts them again from 0. SwitchError when it is refused.
void snapshot_counters(Harness& harness);
/// What the counters were at the last snapshot; zeros before the first.
[[nodiscard]] CounterValues read_counters(Harness& harness, const Design& design);

}  // namespace fred::tb
