// SPDX-License-Identifier: Apache-2.0
// From the collectives of a fabric to the descriptors of each of its switches.
//
//   leaf: members -> uplink      root: links -> links      leaf: downlink -> members
//
// kind              up             at the root                 down
// all-reduce        all-reduce     all-reduce                  broadcast
// reduce            all-reduce     reduce to the root's leaf   broadcast to the root
// broadcast         broadcast      broadcast                   broadcast
// all-gather        all-gather     all-gather, repeats         broadcast
// reduce-scatter    all-reduce     reduce-scatter, repeats     scatter
// gather            gather         gather, repeats             broadcast to the root
// scatter           broadcast      scatter, repeats            scatter
// barrier           barrier        barrier                     broadcast
//
// Repeats: the root stays at a link for as many steps as its leaf has members. Downlinks pass on the step that arrives.
#pragma once

#include <vector>

#include "fred/fabric/fabric.hpp"
#include "fred/route/program.hpp"

namespace fred {

/// What a descriptor is at a link port, as in the register LINK.
struct LinkEntry {
  int link = 0;  ///< number of the link port: port less ends()
  int slot = 0;
  int tag = 0;        ///< descriptor in the next switch; 0 where it receives from the link alone
  int repeat = 0;     ///< further steps there
  bool pass = false;  ///< beats from there keep their step
};

/// One descriptor of one switch.
struct FabricDescriptor {
  int collective = 0;  ///< that it is part of
  Collective local;    ///< as the switch sees it
  std::vector<LinkEntry> links;
};

struct FabricPlan {
  std::vector<std::vector<FabricDescriptor>> descriptors;  ///< by switch; descriptor d is entry d of its table
  /// Of a collective at a switch: the descriptors that its members there send to and receive from; -1: none does.
  struct At {
    int sends = -1;
    int receives = -1;
  };
  std::vector<std::vector<At>> at;  ///< by collective, then by switch
};

/// Throws InputError where a member is no port of a leaf or is there twice, for a kind that cannot cross links (send,
/// all-to-all), where no root is linked to all leaves of a collective, and where a link has no slot left.
[[nodiscard]] FabricPlan plan_fabric(const Fabric& fabric, const std::vector<FabricCollective>& collectives);

/// By switch, the register writes in an order that it takes: all descriptors, then what enables them. Throws as
/// make_program.
[[nodiscard]] std::vector<std::vector<RegisterWrite>> fabric_writes(const Fabric& fabric, const FabricPlan& plan,
                                                                    int epoch);

}  // namespace fred
