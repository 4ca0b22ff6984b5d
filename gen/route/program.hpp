// SPDX-License-Identifier: Apache-2.0
// From collectives to what stands in the switch's registers: a route for every flow, all-to-all tables, which
// descriptors may share cycles, and the register writes that say so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fred/design/collective.hpp"
#include "fred/design/design.hpp"
#include "fred/design/kind.hpp"
#include "fred/design/register_map.hpp"
#include "fred/network/network.hpp"
#include "fred/numeric/dtype.hpp"
#include "fred/route/flow.hpp"
#include "fred/route/route.hpp"

namespace fred {

/// One entry of the descriptor table.
struct Descriptor {
  int index = 0;  ///< tdest
  Kind kind = Kind::kAllReduce;
  Op op = Op::kSum;
  int type = 0;                 ///< index of the element type in design.dtypes()
  int epoch = 0;                ///< 0..15
  int table = 0;                ///< all-to-all table
  int vc = 0;                   ///< virtual circuit: tid
  int root = 0;                 ///< root port
  Ports in, out;                ///< IN_MASK, OUT_MASK
  Route route;                  ///< colours of the tree; unused in all-to-all
  AllToAllRoutes alltoall;      ///< all-to-all only
  std::vector<int> compatible;  ///< indices of descriptors that it may share cycles with
};

struct RegisterWrite {
  std::uint32_t address = 0;
  std::uint32_t data = 0;
  std::string name;     ///< of the register, as in registers.hpp: "CONFIG"; a word of several: "IN_MASK_1"
  std::string meaning;  ///< of the data, for a person
};

/// All that a program which sets up a switch needs to know.
struct Program {
  std::vector<Descriptor> descriptors;  ///< one a collective, descriptor i for collective i
  /// By descriptor: its writes in an order that the switch takes, the enabling one last.
  std::vector<std::vector<RegisterWrite>> writes;
  /// Descriptors that can go in one cycle, all together, round by round: as few rounds as were found. Descriptors of
  /// different rounds may be compatible all the same.
  std::vector<std::vector<int>> rounds;
  int at_least = 0;        ///< there are no fewer rounds, as far as the trees and shared ports go: proved
  int trees_at_least = 0;  ///< the trees alone take no fewer
  /// Pairs of collectives that must share time though no port of theirs is shared, in words; empty when all run side
  /// by side.
  std::vector<std::string> shared_time;
};

struct ProgramOptions {
  int epoch = 0;           ///< 0..15, of all descriptors
  bool one_round = false;  ///< more rounds than shared ports ask for are an error; else all share time
  LinkSet broken = {};     ///< empty, or links of the network that no route may use
  /// Empty, or by collective the route of its tree, found before (of an all-to-all: not looked at). Trees that share no
  /// link are then what goes in one round.
  std::vector<Route> routes = {};
};

/// Routes the collectives and numbers their descriptors from 0. Trees are routed first, in as few rounds as possible
/// (route_rounds); each all-to-all then tries to keep clear of all that is routed. Collectives that share ports (one
/// group twice) always share time. Throws RouteError when `one_round` asks for more than there is and when no route
/// keeps clear of `broken`; InputError when there are more collectives than descriptors, when the switch would refuse
/// one of them, and when the network is not the design's.
[[nodiscard]] Program make_program(const Design& design, const Network& network,
                                   const std::vector<Collective>& collectives, const ProgramOptions& options);

/// The program of `design.static_form`, which is set. Throws as make_program.
[[nodiscard]] Program static_program(const Design& design, const Network& network, bool one_round = false);

/// The descriptor of a collective, not routed yet. Throws InputError when the switch would refuse it.
[[nodiscard]] Descriptor descriptor_of(const Design& design, const Collective& collective, int index, int epoch);
/// "allreduce 0,1>0,1 and send 2,3>2,3": two that share time though they share no port.
[[nodiscard]] std::string shared_time_text(const Descriptor& a, const Descriptor& b);

/// What stands in COLOURS and, above the destination, in an all-to-all entry.
[[nodiscard]] std::uint32_t colours_word(const Design& design, const Route& route);
/// The writes of one descriptor (and its all-to-all entries) while it is disabled; enabling not included.
[[nodiscard]] std::vector<RegisterWrite> register_writes(const Design& design, const Descriptor& descriptor);
/// The write that enables or disables a descriptor.
[[nodiscard]] RegisterWrite enable_write(const Design& design, int descriptor, bool enable);

}  // namespace fred
