// SPDX-License-Identifier: Apache-2.0
// From jobs to descriptors: what gen/route/program.hpp makes of their flows, and what a descriptor waits for.
#pragma once

#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/network/network.hpp"
#include "fred/route/program.hpp"
#include "tb/collectives.hpp"

namespace fred::tb {

using fred::Descriptor;

/// Descriptors of jobs that run together. Their register writes are made when they are configured, so that a test may
/// change a descriptor first.
struct Setup {
  std::vector<Descriptor> descriptors;   ///< one a job, descriptor i for job i
  std::vector<std::string> shared_time;  ///< see Program
  std::vector<std::vector<int>> rounds;  ///< of jobs, see Program
  int at_least = 0;                      ///< rounds of the jobs that are trees, see Program
};

/// make_program of the jobs, with its errors.
[[nodiscard]] Setup make_setup(const Design& design, const Network& network, const std::vector<Job>& jobs,
                               const ProgramOptions& options);

/// What is to be set up for a job.
[[nodiscard]] Collective collective_of(const Job& job);

/// Descriptors first..first+count-1 of a switch without registers, `design.static_form`.
[[nodiscard]] Setup static_setup(const Design& design, const Network& network, std::size_t first, std::size_t count);

/// Ports that must have a beat at the head for the descriptor to launch at `step`; empty for `send` (any one port).
[[nodiscard]] Ports launch_ports(const Descriptor& descriptor, int step);

}  // namespace fred::tb
