// SPDX-License-Identifier: Apache-2.0
#include "fred/route/broken.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "fred/error.hpp"
#include "fred/route/find.hpp"
#include "fred/route/text.hpp"
#include "fred/route/wiring.hpp"

namespace fred {
namespace {

/// An end of a link: a node, or a port of the switch (node -1).
struct End {
  int node = -1;
  int port = 0;
  friend bool operator==(const End&, const End&) = default;
};

class Names {
 public:
  explicit Names(const Network& network) : network_(network) {
    for (int i = 0; i < static_cast<int>(network.nodes.size()); ++i) nodes_.emplace(network.nodes[i].name(), i);
  }

  [[nodiscard]] End end(std::string_view text) const {
    if (const auto node = nodes_.find(std::string(text)); node != nodes_.end()) return {node->second, 0};
    constexpr std::string_view kPort = "port";
    if (text.starts_with(kPort)) {
      int port = -1;
      const auto [stop, error] = std::from_chars(text.data() + kPort.size(), text.data() + text.size(), port);
      if (error == std::errc{} && stop == text.data() + text.size() && port >= 0 && port < network_.radix) {
        return {-1, port};
      }
    }
    throw InputError(fmt::format(
        "--broken {}: FRED_{}({}) has no such part; its parts are {} to {} (fred info --parts lists them), middles as "
        "m0, and port0 to port{}",
        detail::quote(text), network_.middle, network_.radix, network_.nodes.front().name(),
        network_.nodes.back().name(), network_.radix - 1));
  }

 private:
  const Network& network_;
  std::map<std::string, int> nodes_;
};

End from_end(const Link& link) { return {link.from, link.from < 0 ? link.from_pin : 0}; }
End to_end(const Link& link) { return {link.to, link.to < 0 ? link.to_pin : 0}; }

void add_link(const Network& network, const Names& names, std::string_view text, std::size_t arrow, LinkSet& links) {
  const End from = names.end(detail::trim(text.substr(0, arrow)));
  const End to = names.end(detail::trim(text.substr(arrow + 1)));
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    if (from_end(network.links[i]) != from || to_end(network.links[i]) != to) continue;
    links[i] = true;
    return;
  }
  throw InputError(fmt::format("--broken {}: there is no link between these, in this direction", detail::quote(text)));
}

/// A microswitch, a middle with all that is in it, or a port: all links there.
void add_part(const Network& network, const Names& names, std::string_view text, LinkSet& links) {
  std::vector<char> nodes(network.nodes.size());
  bool middle = false;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const std::string name = network.nodes[n].name();
    if (name.size() <= text.size() || !name.starts_with(text) || name[text.size()] != '.') continue;
    nodes[n] = 1;
    middle = true;
  }
  const End part = middle ? End{} : names.end(text);
  if (part.node >= 0) nodes[part.node] = 1;
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    const Link& link = network.links[i];
    const auto touches = [&](const End& end) {
      return end.node >= 0 ? nodes[end.node] != 0 : !middle && part.node < 0 && end == part;
    };
    if (touches(from_end(link)) || touches(to_end(link))) links[i] = true;
  }
}

}  // namespace

LinkSet parse_broken(std::string_view text, const Network& network) {
  if (detail::trim(text).empty()) return {};
  const Names names(network);
  LinkSet links(network.links.size());
  for (const std::string_view part : detail::split(text, ',')) {
    if (part.empty()) {
      throw InputError(
          fmt::format("--broken {}: a part is missing; write parts as R0,m1.RD,R0>m1.R0", detail::quote(text)));
    }
    if (const auto arrow = part.find('>'); arrow != std::string_view::npos) {
      add_link(network, names, part, arrow, links);
    } else {
      add_part(network, names, part, links);
    }
  }
  return links;
}

std::string link_name(const Network& network, int link) {
  const Link& l = network.links[static_cast<std::size_t>(link)];
  const auto end = [&](int node, int pin) {
    return node < 0 ? fmt::format("port {}", pin) : fmt::format("{}[{}]", network.nodes[node].name(), pin);
  };
  return fmt::format("{} to {}", end(l.from, l.from_pin), end(l.to, l.to_pin));
}

std::string part_name(const Network& network, int link) {
  const Link& l = network.links[static_cast<std::size_t>(link)];
  const auto end = [&](int node, int pin) {
    return node < 0 ? fmt::format("port{}", pin) : network.nodes[node].name();
  };
  return fmt::format("{}>{}", end(l.from, l.from_pin), end(l.to, l.to_pin));
}

Loss loss_of(const Network& network, const LinkSet& broken) {
  // A port can send if its way in and some port's way out are whole along one word of middles: in the innermost
  // subnetwork of that word, an input from the port and an output are alive. Walked from the outside with the ports
  // whose ways are whole so far; in a subnetwork without a broken link all of them stay alive.
  Loss loss;
  if (std::find(broken.begin(), broken.end(), true) == broken.end()) return loss;
  const std::vector<detail::Subnet> subnets = detail::make_subnets(detail::Wiring(network), broken);
  std::vector<char> sends(network.radix), receives(network.radix);
  const std::function<void(const detail::Subnet&, int, const Ports&, const Ports&)> walk =
      [&](const detail::Subnet& subnet, int level, const Ports& in, const Ports& out) {
        const auto whole = [&](const Ports& ports, const std::vector<int>& border) {
          Ports alive;
          std::copy_if(ports.begin(), ports.end(), std::back_inserter(alive),
                       [&](int port) { return !broken[border[port >> level]]; });
          return alive;
        };
        const Ports alive_in = whole(in, subnet.in), alive_out = whole(out, subnet.out);
        if (alive_in.empty() || alive_out.empty()) return;
        if (subnet.clean || subnet.children.empty()) {
          for (const int port : alive_in) sends[port] = 1;
          for (const int port : alive_out) receives[port] = 1;
          return;
        }
        for (const int child : subnet.children) walk(subnets[child], level + 1, alive_in, alive_out);
      };
  Ports all(network.radix);
  std::iota(all.begin(), all.end(), 0);
  walk(subnets.front(), 0, all, all);
  for (const int port : all) {
    if (sends[port] == 0) loss.in.push_back(port);
    if (receives[port] == 0) loss.out.push_back(port);
  }
  return loss;
}

std::vector<int> lost_flows(const Network& network, const std::vector<Flow>& flows, const LinkSet& broken) {
  detail::check_flows(network, flows);
  const detail::WordProblem words = detail::Obstacles(network, broken).words(flows);
  std::vector<int> lost;
  for (int f = 0; f < words.flows; ++f) {
    if (words.lost(f)) lost.push_back(f);
  }
  return lost;
}

std::string loss_cause_text(const Network& network, const LinkSet& broken) {
  std::string text = "no route keeps clear of the broken parts";
  const Loss loss = loss_of(network, broken);
  if (!loss.in.empty()) text += fmt::format("; ports that cannot send: {}", fmt::join(loss.in, ", "));
  if (!loss.out.empty()) text += fmt::format("; ports that cannot receive: {}", fmt::join(loss.out, ", "));
  return text;
}

std::string loss_text(const Network& network, const std::vector<int>& lost, const LinkSet& broken) {
  const bool one = lost.size() == 1;
  return fmt::format("{} {} {} lost: {}", one ? "flow" : "flows", fmt::join(lost, ", "), one ? "is" : "are",
                     loss_cause_text(network, broken));
}

}  // namespace fred
