// SPDX-License-Identifier: Apache-2.0
#include "tb/descriptors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "fred/error.hpp"

namespace fred::tb {

namespace {

bool share_a_port(const Ports& a, const Ports& b) {
  return std::any_of(a.begin(), a.end(), [&](int port) { return std::binary_search(b.begin(), b.end(), port); });
}

bool share_a_port(const Flow& a, const Flow& b) { return share_a_port(a.in, b.in) || share_a_port(a.out, b.out); }

/// A set of flows that route together, with their routes.
struct Round {
  std::vector<Flow> flows;
  std::vector<Route> routes;
};

/// Adds `flow` to the first round that takes it and returns its route. A round that shares no port with it and still
/// does not take it is a conflict: an error unless `share_time`.
Route place(const Network& network, const Flow& flow, std::vector<Round>& rounds, bool share_time) {
  for (Round& round : rounds) {
    if (const auto found = std::find(round.flows.begin(), round.flows.end(), flow); found != round.flows.end()) {
      return round.routes[static_cast<std::size_t>(found - round.flows.begin())];
    }
  }
  for (Round& round : rounds) {
    if (std::any_of(round.flows.begin(), round.flows.end(),
                    [&](const Flow& other) { return share_a_port(flow, other); }))
      continue;
    std::vector<Flow> flows = round.flows;
    flows.push_back(flow);
    RouteResult result = route_flows(network, flows);
    if (result.routable()) {
      round = {std::move(flows), std::move(result.routes)};
      return round.routes.back();
    }
    if (!share_time) {
      throw RouteError(
          fmt::format("these collectives cannot be routed together: {}\nuse --share-time to let them take "
                      "turns, or another grouping, or a larger --middle",
                      result.conflict->reason));
    }
  }
  RouteResult alone = route_flows(network, {flow});
  if (!alone.routable()) {
    throw RouteError(fmt::format("flow {} cannot be routed: {}", to_string(flow), alone.conflict->reason));
  }
  rounds.push_back({{flow}, alone.routes});
  return alone.routes.front();
}

void add_links(LinkSet& to, const LinkSet& links) {
  for (std::size_t i = 0; i < links.size(); ++i) to[i] = to[i] || links[i];
}

int root_port(const Job& job) {
  const auto rank = static_cast<std::size_t>(job.root);
  if (root_sends(job.kind)) return job.in[rank];
  if (root_receives(job.kind)) return job.out[rank];
  return job.in.front();
}

}  // namespace

Setup make_setup(const Design& design, const Network& network, const std::vector<Job>& jobs, int epoch,
                 bool share_time) {
  if (jobs.size() > static_cast<std::size_t>(design.descriptors)) {
    throw InputError(
        fmt::format("{} collectives at once need as many descriptors, the design has {}; use --descriptors {}",
                    jobs.size(), design.descriptors, jobs.size()));
  }
  Setup setup;
  for (const Job& job : jobs) {
    Descriptor descriptor;
    descriptor.index = static_cast<int>(setup.descriptors.size());
    descriptor.kind = job.kind;
    descriptor.op = job.op;
    descriptor.epoch = epoch;
    descriptor.root = root_port(job);
    descriptor.in = job.flow().in;
    descriptor.out = job.flow().out;
    setup.descriptors.push_back(std::move(descriptor));
  }

  // Trees. A later flow may move the earlier ones of its round to other colours, so routes are read at the end.
  std::vector<Round> rounds;
  for (const Job& job : jobs) {
    if (job.kind != Kind::kAllToAll) (void)place(network, job.flow(), rounds, share_time);
  }
  std::vector<LinkSet> links(jobs.size());
  LinkSet taken(network.links.size(), false);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].kind == Kind::kAllToAll) continue;
    setup.descriptors[i].route = place(network, jobs[i].flow(), rounds, share_time);
    links[i] = links_of(network, jobs[i].flow(), setup.descriptors[i].route);
    add_links(taken, links[i]);
  }

  // All-to-alls, each clear of the rest if that can be had. Disjoint groups share one table; others get the next one.
  std::vector<Ports> table_ports(static_cast<std::size_t>(design.alltoall_tables));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Descriptor& descriptor = setup.descriptors[i];
    if (descriptor.kind != Kind::kAllToAll) continue;
    const auto table = std::find_if(table_ports.begin(), table_ports.end(),
                                    [&](const Ports& ports) { return !share_a_port(descriptor.in, ports); });
    if (table == table_ports.end()) {
      throw InputError(
          fmt::format("alltoall on overlapping groups at once needs more tables than the design's {}; use "
                      "--alltoall-tables {}",
                      design.alltoall_tables, design.alltoall_tables + 1));
    }
    descriptor.table = static_cast<int>(table - table_ports.begin());
    table->insert(table->end(), descriptor.in.begin(), descriptor.in.end());
    std::sort(table->begin(), table->end());

    std::optional<AllToAllRoutes> routes = route_alltoall(network, descriptor.in, taken);
    if (!routes) routes = route_alltoall(network, descriptor.in);
    if (!routes) throw RouteError("the router found no routes for an all-to-all");
    descriptor.alltoall = std::move(*routes);
    links[i] = descriptor.alltoall.links;
    add_links(taken, links[i]);
  }

  for (std::size_t a = 0; a < jobs.size(); ++a) {
    for (std::size_t b = 0; b < jobs.size(); ++b) {
      if (a == b || share_a_port(jobs[a].flow(), jobs[b].flow())) continue;
      if (disjoint(links[a], links[b])) {
        setup.descriptors[a].compatible.push_back(static_cast<int>(b));
      } else if (a < b) {
        setup.shared_time.push_back(fmt::format("{} {} and {} {}", to_string(jobs[a].kind), to_string(jobs[a].flow()),
                                                to_string(jobs[b].kind), to_string(jobs[b].flow())));
      }
    }
  }
  return setup;
}

std::vector<RegisterWrite> register_writes(const Design& design, const Descriptor& descriptor) {
  const RegisterMap map(design);
  std::vector<RegisterWrite> writes;
  const auto write = [&](std::uint32_t offset, std::uint32_t data) {
    writes.push_back({map.descriptor(descriptor.index, offset), data});
  };
  const auto write_mask = [&](std::uint32_t offset, int words, const std::vector<int>& members) {
    std::vector<std::uint32_t> mask(static_cast<std::size_t>(words), 0U);
    for (const int member : members) mask[static_cast<std::size_t>(member) / 32] |= 1U << (member % 32);
    for (std::size_t w = 0; w < mask.size(); ++w) write(offset + 4 * static_cast<std::uint32_t>(w), mask[w]);
  };
  const auto packed = [&](const Route& route) {
    std::uint32_t colours = 0;
    for (std::size_t level = 0; level < route.colours.size(); ++level) {
      colours |= static_cast<std::uint32_t>(route.colours[level])
                 << (level * static_cast<std::size_t>(design.colour_bits()));
    }
    return colours;
  };

  write(RegisterMap::kConfig,
        static_cast<std::uint32_t>(descriptor.kind) | static_cast<std::uint32_t>(descriptor.op) << 4 |
            static_cast<std::uint32_t>(descriptor.epoch) << 8 | static_cast<std::uint32_t>(descriptor.table) << 12 |
            static_cast<std::uint32_t>(descriptor.root) << 16);
  write(RegisterMap::kColours, packed(descriptor.route));
  write_mask(RegisterMap::kInMask, map.mask_words, descriptor.in);
  write_mask(map.out_mask, map.mask_words, descriptor.out);
  write_mask(map.compat, map.compat_words, descriptor.compatible);
  for (std::size_t step = 0; step < descriptor.alltoall.steps.size(); ++step) {
    for (const AllToAllEntry& entry : descriptor.alltoall.steps[step]) {
      writes.push_back({map.alltoall(design, descriptor.table, static_cast<int>(step), entry.source),
                        static_cast<std::uint32_t>(entry.destination) | packed(entry.route) << 8});
    }
  }
  return writes;
}

RegisterWrite enable_write(const Design& design, int descriptor, bool enable) {
  return {RegisterMap(design).descriptor(descriptor, RegisterMap::kControl), enable ? 1U : 0U};
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
