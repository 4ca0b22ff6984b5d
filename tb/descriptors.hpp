// SPDX-License-Identifier: Apache-2.0
// From jobs to what stands in the switch's registers: a route for every flow, all-to-all tables, which descriptors may
// share cycles, and the register writes that say so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/design/register_map.hpp"
#include "fred/network/network.hpp"
#include "fred/route/route.hpp"
#include "tb/collectives.hpp"

namespace fred::tb {

/// One entry of the descriptor table.
struct Descriptor {
  int index = 0;  ///< tdest
  Kind kind = Kind::kAllReduce;
  Op op = Op::kSum;
  int epoch = 0;                ///< 0..15
  int table = 0;                ///< all-to-all table
  int root = 0;                 ///< root port, where the kind has one; else a port of both masks if there is one
  Ports in, out;                ///< IN_MASK, OUT_MASK
  Route route;                  ///< colours of the tree; unused in all-to-all
  AllToAllRoutes alltoall;      ///< all-to-all only
  std::vector<int> compatible;  ///< indices of descriptors that it may share cycles with
};

/// Descriptors of jobs that run together.
struct Setup {
  std::vector<Descriptor> descriptors;  ///< one a job, descriptor i for job i
  /// Pairs of jobs that must share time though no port of theirs is shared, in words; empty when all run side by side.
  std::vector<std::string> shared_time;
};

/// Routes the jobs and numbers their descriptors from 0. Trees are routed first; each all-to-all then tries to keep
/// clear of all that is routed. Flows that share no port but cannot be routed together: RouteError with the router's
/// reason, or time sharing if `share_time`. Jobs that share ports (one group twice) always share time.
/// Throws InputError when there are more jobs than descriptors.
[[nodiscard]] Setup make_setup(const Design& design, const Network& network, const std::vector<Job>& jobs, int epoch,
                               bool share_time);

struct RegisterWrite {
  std::uint32_t address = 0;
  std::uint32_t data = 0;
};
/// The writes of one descriptor (and its all-to-all entries) while it is disabled; enabling not included.
[[nodiscard]] std::vector<RegisterWrite> register_writes(const Design& design, const Descriptor& descriptor);
/// The write that enables or disables a descriptor.
[[nodiscard]] RegisterWrite enable_write(const Design& design, int descriptor, bool enable);

/// Ports that must have a beat at the head for the descriptor to launch at `step`; empty for `send` (any one port).
[[nodiscard]] Ports launch_ports(const Descriptor& descriptor, int step);

}  // namespace fred::tb
