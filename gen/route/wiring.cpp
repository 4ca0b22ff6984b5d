// SPDX-License-Identifier: Apache-2.0
// Walks the Network from the ports inwards. A flow stays in one middle at each level, so its links are found from both
// sides: from its inputs through R microswitches and demultiplexers, from its outputs back through D and mux.
#include "fred/route/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fred/error.hpp"

namespace fred {
namespace detail {

Wiring::Wiring(const Network& network)
    : network_(network),
      pins_(std::max(2, network.middle)),
      port_in_(network.radix, -1),
      port_out_(network.radix, -1),
      out_(network.nodes.size() * pins_, -1),
      in_(network.nodes.size() * pins_, -1) {
  for (int i = 0; i < static_cast<int>(network.links.size()); ++i) {
    const Link& link = network.links[i];
    (link.from < 0 ? port_in_[link.from_pin] : out_[link.from * pins_ + link.from_pin]) = i;
    (link.to < 0 ? port_out_[link.to_pin] : in_[link.to * pins_ + link.to_pin]) = i;
  }
}

bool meets_at_border(const Subnet& subnet, const Flow& flow, int level, const LinkSet& avoid) {
  const auto any = [&](const std::vector<int>& border, const Ports& ports) {
    return std::any_of(ports.begin(), ports.end(), [&](int port) { return avoid[border[port >> level]]; });
  };
  return any(subnet.in, flow.in) || any(subnet.out, flow.out);
}

void check_ports(const Ports& ports, int radix, const char* what) {
  if (ports.empty()) throw InputError(fmt::format("{}: at least one port is needed", what));
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i] < 0 || ports[i] >= radix) {
      throw InputError(fmt::format("{}: port {}: allowed are 0..{}", what, ports[i], radix - 1));
    }
    if (i > 0 && ports[i] <= ports[i - 1]) {
      throw InputError(
          fmt::format("{}: port {} follows {}; ports ascend without repetition", what, ports[i], ports[i - 1]));
    }
  }
}

void add_links(const Wiring& wiring, const Flow& flow, const Route& route, LinkSet& links) {
  const Network& network = wiring.network();
  if (network.links.empty()) throw InputError("the network is an outline: it has no links");
  check_ports(flow.in, network.radix, "inputs of a flow");
  check_ports(flow.out, network.radix, "outputs of a flow");
  if (route.colours.size() != network.shapes.size()) {
    throw InputError(
        fmt::format("a route has {} colours: this network needs {}", route.colours.size(), network.shapes.size()));
  }
  for (const int colour : route.colours) {
    if (colour < 0 || colour >= network.middle) {
      throw InputError(fmt::format("colour {}: allowed are 0..{}", colour, network.middle - 1));
    }
  }
  for (const int port : flow.in) {
    int link = wiring.port_in(port);
    links[link] = true;
    for (const int colour : route.colours) {
      link = wiring.out(network.links[link].to, colour);
      links[link] = true;
    }
  }
  for (const int port : flow.out) {
    int link = wiring.port_out(port);
    links[link] = true;
    for (const int colour : route.colours) {
      link = wiring.in(network.links[link].from, colour);
      links[link] = true;
    }
  }
}

namespace {

/// Appends the subnetwork with border links `in` and `out`, and those inside it; returns its index.
int add_subnet(const Wiring& wiring, const LinkSet& avoid, int level, std::vector<int> in, std::vector<int> out,
               std::vector<Subnet>& subnets) {
  const Network& network = wiring.network();
  const auto avoided = [&](int link) { return !avoid.empty() && avoid[link]; };
  const int index = static_cast<int>(subnets.size());
  subnets.emplace_back();
  bool clean = std::none_of(in.begin(), in.end(), avoided) && std::none_of(out.begin(), out.end(), avoided);
  std::vector<int> children;
  if (level < static_cast<int>(network.shapes.size())) {
    const int size = network.shapes[level].size;
    for (int k = 0; k < network.middle; ++k) {
      std::vector<int> inner_in, inner_out;
      for (int port = 0; port < size; port += 2) {  // the first port of each R; the odd port has a demux
        inner_in.push_back(wiring.out(network.links[in[port]].to, k));
        inner_out.push_back(wiring.in(network.links[out[port]].from, k));
      }
      children.push_back(add_subnet(wiring, avoid, level + 1, std::move(inner_in), std::move(inner_out), subnets));
      clean = clean && subnets[children.back()].clean;
    }
  }
  subnets[index] = {std::move(in), std::move(out), std::move(children), clean};
  return index;
}

}  // namespace

std::vector<Subnet> make_subnets(const Wiring& wiring, const LinkSet& avoid) {
  std::vector<int> in, out;
  for (int port = 0; port < wiring.network().radix; ++port) {
    in.push_back(wiring.port_in(port));
    out.push_back(wiring.port_out(port));
  }
  std::vector<Subnet> subnets;
  add_subnet(wiring, avoid, 0, std::move(in), std::move(out), subnets);
  return subnets;
}

}  // namespace detail

LinkSet links_of(const Network& network, const Flow& flow, const Route& route) {
  LinkSet links(network.links.size());
  detail::add_links(detail::Wiring(network), flow, route, links);
  return links;
}

void unite(LinkSet& to, const LinkSet& links) {
  to.resize(std::max(to.size(), links.size()));
  for (std::size_t i = 0; i < links.size(); ++i) to[i] = to[i] || links[i];
}

bool disjoint(const LinkSet& a, const LinkSet& b) {
  const std::size_t size = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < size; ++i) {
    if (a[i] && b[i]) return false;
  }
  return true;
}

}  // namespace fred
