// SPDX-License-Identifier: Apache-2.0
// Internal to the router: the links of a Network found by node and pin, and its subnetworks with their border links.
#pragma once

#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/route.hpp"

namespace fred::detail {

/// Links by what they are connected to. Keeps a reference to the network.
class Wiring {
 public:
  explicit Wiring(const Network& network);
  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] int port_in(int port) const { return port_in_[port]; }                 ///< link that enters at a port
  [[nodiscard]] int port_out(int port) const { return port_out_[port]; }               ///< link that leaves at a port
  [[nodiscard]] int out(int node, int pin) const { return out_[node * pins_ + pin]; }  ///< link driven by a pin, or -1
  [[nodiscard]] int in(int node, int pin) const { return in_[node * pins_ + pin]; }    ///< link read by a pin, or -1

 private:
  const Network& network_;
  int pins_;                             // most pins on one side of a node
  std::vector<int> port_in_, port_out_;  // by port
  std::vector<int> out_, in_;            // by node * pins_ + pin
};

/// Adds the links of a flow on its route to `links`. Throws InputError if flow or route does not suit the network.
void add_links(const Wiring& wiring, const Flow& flow, const Route& route, LinkSet& links);

/// A subnetwork: the whole switch, or a middle of the subnetwork around it.
struct Subnet {
  std::vector<int> in, out;   ///< border links by port of the subnetwork
  std::vector<int> children;  ///< indices of its middles; empty for a lone RD
  bool clean = true;          ///< no link of it, border included, is to be avoided
};

/// All subnetworks of a network, the whole switch first. `avoid` is empty or has one entry a link.
[[nodiscard]] std::vector<Subnet> make_subnets(const Wiring& wiring, const LinkSet& avoid);

/// Whether a flow that goes to a subnetwork at `level` (0: the whole switch) enters or leaves it by a link of `avoid`.
[[nodiscard]] bool meets_at_border(const Subnet& subnet, const Flow& flow, int level, const LinkSet& avoid);

/// Throws InputError unless ports are ascending, in 0..radix-1 and at least one. `what` names them in the message.
void check_ports(const Ports& ports, int radix, const char* what);

}  // namespace fred::detail
