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
  const StaticForm& form = *design.static_form;
  Program program = make_program(design, network, form.collectives, 0, form.share_time);
  const auto from = program.descriptors.begin() + static_cast<std::ptrdiff_t>(first);
  return {{from, from + static_cast<std::ptrdiff_t>(count)}, std::move(program.shared_time)};
}

Setup make_setup(const Design& design, const Network& network, const std::vector<Job>& jobs, int epoch,
                 bool share_time) {
  std::vector<Collective> collectives;
  for (const Job& job : jobs) collectives.push_back(collective_of(job));
  Program program = make_program(design, network, collectives, epoch, share_time);
  return {std::move(program.descriptors), std::move(program.shared_time)};
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
