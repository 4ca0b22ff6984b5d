// SPDX-License-Identifier: Apache-2.0
// Broken parts of a network by name, and what is lost with them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/route.hpp"

namespace fred {

/// "m1.R0" -> its links; "m1" -> those of all parts of that middle; "R0>m1.R0" -> the link from the first to the
/// second; "port3>R1" and "D1>port3" are links at the border, "port3" is both. Several, separated by commas; spaces are
/// ignored; no text: no links, and the result is empty. Microswitches, demultiplexers and multiplexers are named as in
/// Network. Throws InputError that quotes what the network does not have.
[[nodiscard]] LinkSet parse_broken(std::string_view text, const Network& network);

/// "R0[1] to m1.R0[0]", "port 3 to R1[1]".
[[nodiscard]] std::string link_name(const Network& network, int link);

/// The name that parse_broken takes: "R0>m1.R0", "port3>R1".
[[nodiscard]] std::string part_name(const Network& network, int link);

/// What no routing can bring back.
struct Loss {
  Ports in;   ///< ports that can no longer send
  Ports out;  ///< ports that can no longer receive
  [[nodiscard]] bool none() const { return in.empty() && out.empty(); }
  friend bool operator==(const Loss&, const Loss&) = default;
};
[[nodiscard]] Loss loss_of(const Network& network, const LinkSet& broken);

/// Of the flows, those that have no route of their own beside the broken links, by index.
[[nodiscard]] std::vector<int> lost_flows(const Network& network, const std::vector<Flow>& flows,
                                          const LinkSet& broken);

/// "no route keeps clear of the broken parts; ports that cannot send: 0, 1".
[[nodiscard]] std::string loss_cause_text(const Network& network, const LinkSet& broken);
/// "flows 0, 2 are lost: " and the cause.
[[nodiscard]] std::string loss_text(const Network& network, const std::vector<int>& lost, const LinkSet& broken);

}  // namespace fred
