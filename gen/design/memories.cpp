// SPDX-License-Identifier: Apache-2.0
#include "fred/design/memories.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace fred {

std::vector<MemoryGroup> memory_groups(const Design& design) {
  constexpr int kLast = 1, kBad = 1;  // tlast; the mark of a beat that breaks a framing rule
  const int beside = design.keep_count_bits() + kLast + design.descriptor_bits();
  std::vector<MemoryGroup> groups;
  if (design.ends() > 0)
    groups = {
        {"fred_ram_sync", "u_data", "ingress data", design.vcs * design.ingress_depth, design.width(), design.ends()},
        {"fred_ram_async", "u_sideband", "ingress sideband", design.ingress_depth, beside + design.s_user_bits() + kBad,
         design.ends() * design.vcs},
        {"fred_ram_async", "u_fifo", "egress data and sideband", design.vcs * design.egress_depth,
         design.width() + beside + design.m_user_bits(), design.ends()}};
  if (design.link_ports > 0) {
    constexpr int kErrorAndCut = 2;
    const ChipLink& link = design.link;
    const int tagged = design.keep_count_bits() + kLast + link.tag_bits;
    const int user = link.user_bits();
    groups.push_back({"fred_ram_sync", "u_data", "link ingress data", link.slots * link.slot_depth, design.width(),
                      design.link_ports});
    groups.push_back({"fred_ram_async", "u_sideband", "link ingress sideband", link.slot_depth,
                      tagged + user - 1 + kBad + kErrorAndCut, design.link_ports * link.slots});
    groups.push_back({"fred_ram_async", "u_fifo", "link egress data and sideband", link.slots * design.egress_depth,
                      design.width() + tagged + user, design.link_ports});
    groups.push_back(
        {"fred_ram_sync", "u_replay", "flits kept by a link", link.replay, link.payload_bits(), design.link_ports});
  }
  if (design.alltoall_tables > 0 && !design.static_form) {
    constexpr int kParity = 1;
    const int colours = std::max(1, design.route_bits());  // two ports have none, but the table has a bit for them
    groups.push_back({"fred_ram_sync", "u_table", "all-to-all table", 1 << design.port_bits(),
                      design.port_bits() + colours + kParity, design.radix * design.alltoall_tables});
  }
  if (design.counters) {  // each twice: one is counted in, one is read
    constexpr int kBits = 32;
    const auto words = [](int count) { return (1 << ceil_log2(count)) + count; };  // two banks
    for (const char* instance : {"u_count", "u_frozen"}) {
      groups.push_back(
          {"fred_ram_async", instance, "counters of ports", words(design.circuits()), kBits, 2 * design.radix});
      groups.push_back({"fred_ram_async", instance, "counters of descriptors", words(4), kBits, design.descriptors});
    }
  }
  return groups;
}

nlohmann::ordered_json memories_json(const Design& design) {
  auto list = nlohmann::ordered_json::array();
  for (const MemoryGroup& group : memory_groups(design)) {
    list.push_back({{"module", group.module},
                    {"instance", group.instance},
                    {"holds", group.holds},
                    {"words", group.words},
                    {"bits", group.bits},
                    {"instances", group.count}});
  }
  return list;
}

}  // namespace fred
