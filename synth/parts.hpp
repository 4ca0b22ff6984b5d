// SPDX-License-Identifier: Apache-2.0
// To which part of the switch something belongs: a path by the names of its registers, area by the modules that hold
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "synth/area.hpp"
#include "synth/yosys_stat.hpp"

namespace fred::synth {

/// Where a register or signal of a switch, or of the leaf of that name, stands by its name in the RTL: "host",
/// "ingress", "control", "launch", "egress", "counters"; with link ports "link_table", "links", "link_ingress",
/// "link_egress"; in the network its node, named as in `fred route`: "network, R0",
/// "network, m1.RD", "network, m0.demux".
/// "" where the name does not say: at a port, in another leaf than the network.
[[nodiscard]] std::string place_of(std::string_view rtl_name, std::string_view leaf);

/// A row of the split by part.
struct Part {
  std::string name;
  Area area;
  friend bool operator==(const Part&, const Part&) = default;
};

/// The area of a hierarchical mapping, `top` and all below it, by part: reducers, multiplexing, registers of the
/// network, launch, control, tables, host registers, links, buffers. Rows without cells are left out. The sum of the
/// rows is the whole.
[[nodiscard]] std::vector<Part> split_by_part(const Stat& stat, const std::string& top, const Liberty& library);

}  // namespace fred::synth
