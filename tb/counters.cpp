// SPDX-License-Identifier: Apache-2.0
#include "tb/counters.hpp"

#include <fmt/format.h>

namespace fred::tb {
namespace {

std::uint32_t value_at(Harness& harness, std::uint32_t address) {
  const LiteResult result = harness.read(address);
  if (!result.okay()) throw SwitchError(fmt::format("the switch refuses to read the counter at 0x{:x}", address));
  return result.data;
}

}  // namespace

void snapshot_counters(Harness& harness) {
  if (harness.write(RegisterMap::kCounters, CountersFields::kSnapshot.mask()).okay()) return;
  throw SwitchError("the switch refuses a snapshot of its counters");
}

CounterValues read_counters(Harness& harness, const Design& design) {
  using Map = RegisterMap;
  const Map& map = harness.registers();
  CounterValues values;
  for (int port = 0; port < design.radix; ++port) {
    std::vector<BeatCounts>& circuits = values.beats.emplace_back();
    for (int vc = 0; vc < design.vcs; ++vc) {
      circuits.push_back({value_at(harness, map.beats(port, vc, Map::kBeatsIn)),
                          value_at(harness, map.beats(port, vc, Map::kBeatsOut))});
    }
  }
  for (int d = 0; d < design.descriptors; ++d) {
    values.launches.push_back({value_at(harness, map.launches(d, Map::kLaunches)),
                               value_at(harness, map.launches(d, Map::kWaitData)),
                               value_at(harness, map.launches(d, Map::kWaitEgress)),
                               value_at(harness, map.launches(d, Map::kWaitArbitration))});
  }
  return values;
}

}  // namespace fred::tb
