// SPDX-License-Identifier: Apache-2.0
// A fabric of switches as a value: leaves, to whose ports the members of groups are attached, and roots, which connect
// leaves by links. A collective whose members are at one leaf is that switch's alone; one over several leaves goes up
// to one root and down again.
#pragma once

#include <string>
#include <vector>

#include "fred/design/collective.hpp"
#include "fred/design/design.hpp"

namespace fred {

/// One switch.
struct FabricSwitch {
  std::string name;
  Design design;  ///< validated
};

/// A link between two link ports, of a leaf and of a root; both by index of the switch.
struct FabricLink {
  int leaf = 0, leaf_port = 0;
  int root = 0, root_port = 0;
};

/// All of it; `validate` before use.
struct Fabric {
  std::vector<FabricSwitch> switches;
  std::vector<FabricLink> links;

  /// Throws InputError that names the switch or link: a switch or port that is not there, a port that is no link port
  /// or is used twice, ends that differ, two links between the same two switches, a switch that is leaf and root.
  void validate() const;
  [[nodiscard]] const Design& design(int of) const { return switches[static_cast<std::size_t>(of)].design; }
  /// The link between a leaf and a root; nullptr if there is none.
  [[nodiscard]] const FabricLink* link(int leaf, int root) const;
  /// Switches that are roots, ascending.
  [[nodiscard]] std::vector<int> roots() const;
};

/// A port that is no link port.
struct FabricPort {
  int leaf = 0;  ///< switch
  int port = 0;
  friend bool operator==(const FabricPort&, const FabricPort&) = default;
};

/// One collective over ports of any leaves; ranks[r] is where rank r is. Steps and the reduction go by ascending root
/// port, then by ascending port of the leaf.
struct FabricCollective {
  Kind kind = Kind::kAllReduce;
  std::vector<FabricPort> ranks;
  int root = 0;  ///< a rank, where the kind has a root
  Op op = Op::kSum;
  int type = 0;  ///< number of the element type
  int vc = 0;    ///< virtual circuit at the members' ports
};

}  // namespace fred
