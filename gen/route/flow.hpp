// SPDX-License-Identifier: Apache-2.0
// A flow: reduce over the input ports, deliver the result to the output ports (FRED paper, section on flows).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fred {

/// Ports, ascending, without repetition.
using Ports = std::vector<int>;

/// One flow. Both sets are non-empty.
struct Flow {
  Ports in;   ///< IP: ports whose data is reduced
  Ports out;  ///< OP: ports that the result goes to
  friend bool operator==(const Flow&, const Flow&) = default;
};

/// A group of ports in rank order: group[r] is the port of rank r. No repetition.
using Group = std::vector<int>;

/// The all-reduce flow of a group, whose tree serves every collective of the group (IP = OP = members).
[[nodiscard]] Flow flow_of(const Group& group);

/// Whether groups or flows may have ports in common: they then share time.
enum class Overlap { kRefused, kAllowed };

/// "0,1,2;3,4,5" -> groups. Spaces are ignored. Ports must be in 0..radix-1, once in a group, and where overlaps are
/// refused in one group only. Throws InputError that names the value.
[[nodiscard]] std::vector<Group> parse_groups(std::string_view text, int radix, Overlap overlap = Overlap::kRefused);
/// "3,4>2;1>3,5" -> flows. A port may be an input of a flow once and an output of a flow once, and where overlaps are
/// refused of one flow only.
[[nodiscard]] std::vector<Flow> parse_flows(std::string_view text, int radix, Overlap overlap = Overlap::kRefused);
/// The flows with these indices, in that order.
[[nodiscard]] std::vector<Flow> select(const std::vector<Flow>& flows, const std::vector<int>& indices);
/// Some port is in both; ports ascend.
[[nodiscard]] bool share_a_port(const Ports& a, const Ports& b);
/// Some port is an input, or an output, of both.
[[nodiscard]] bool share_a_port(const Flow& a, const Flow& b);
[[nodiscard]] std::string to_string(const Flow& flow);

}  // namespace fred
