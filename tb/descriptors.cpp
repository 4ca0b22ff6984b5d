// SPDX-License-Identifier: Apache-2.0
#include "tb/descriptors.hpp"

#include <utility>

namespace fred::tb {

namespace {

int root_port(const Job& job) {
  const auto rank = static_cast<std::size_t>(job.root);
  if (root_sends(job.kind)) return job.in[rank];
  if (root_receives(job.kind)) return job.out[rank];
  return job.in.front();
}

}  // namespace

Collective collective_of(const Job& job) { return {job.kind, job.flow(), root_port(job), job.op, job.type, job.vc}; }

Setup static_setup(const Design& design, const Network& network, std::size_t first, std::size_t count) {
  Program program = static_program(design, network);
  const auto from = program.descriptors.begin() + static_cast<std::ptrdiff_t>(first);
  Setup setup{{from, from + static_cast<std::ptrdiff_t>(count)}, std::move(program.shared_time), {}, 0};
  std::vector<Collective> here(design.static_form->collectives.begin() + static_cast<std::ptrdiff_t>(first),
                               design.static_form->collectives.begin() + static_cast<std::ptrdiff_t>(first + count));
  setup.at_least = make_program(design, network, here, {}).at_least;
  for (const std::vector<int>& round : program.rounds) {
    std::vector<int> jobs;
    for (const int d : round) {
      const std::ptrdiff_t job = d - static_cast<std::ptrdiff_t>(first);
      if (job >= 0 && job < static_cast<std::ptrdiff_t>(count)) jobs.push_back(static_cast<int>(job));
    }
    if (!jobs.empty()) setup.rounds.push_back(std::move(jobs));
  }
  return setup;
}

Setup make_setup(const Design& design, const Network& network, const std::vector<Job>& jobs,
                 const ProgramOptions& options) {
  std::vector<Collective> collectives;
  for (const Job& job : jobs) collectives.push_back(collective_of(job));
  Program program = make_program(design, network, collectives, options);
  return {std::move(program.descriptors), std::move(program.shared_time), std::move(program.rounds), program.at_least};
}

Ports launch_ports(const Descriptor& descriptor, int step) {
  const auto k = static_cast<std::size_t>(step);
  switch (descriptor.kind) {
    case Kind::kBroadcast:
    case Kind::kScatter:
      return {descriptor.root};
    case Kind::kAllGather:
    case Kind::kGather:
      return k < descriptor.in.size() ? Ports{descriptor.in[k]} : Ports{};
    case Kind::kSend:
      return {};
    default:
      return descriptor.in;
  }
}

}  // namespace fred::tb
