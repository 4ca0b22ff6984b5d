// SPDX-License-Identifier: Apache-2.0
// The independent checker: sends one beat of every flow through the Network, stage by stage, by the rules of the
// hardware, and looks at what comes out. It knows nothing of levels as a colouring problem: it follows links.
//
//   R      sends a beat to the output that its colour names; two beats on one output must be of one flow: reduced.
//   D      copies a beat to each output behind which it has a destination; two beats for one output collide.
//   RD     both: beats of one flow are reduced, beats of different flows pass to disjoint outputs.
//   demux  as R with one input. mux: one beat at most, passed on.
//
// A beat carries its operand tree; trees are numbered so that equal trees have equal numbers.
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "fred/route/route.hpp"

namespace fred {
namespace {

/// Operand trees, each stored once. Tree p < ports is the lone operand of port p.
class Trees {
 public:
  explicit Trees(int ports) : ports_(ports) {}
  int join(int left, int right) {
    const auto [it, added] = numbers_.try_emplace({left, right}, ports_ + static_cast<int>(pairs_.size()));
    if (added) pairs_.emplace_back(left, right);
    return it->second;
  }
  [[nodiscard]] std::string text(int tree) const {
    if (tree < ports_) return std::to_string(tree);
    const auto& [left, right] = pairs_[tree - ports_];
    return "(" + text(left) + "+" + text(right) + ")";
  }

 private:
  int ports_;
  std::vector<std::pair<int, int>> pairs_;
  std::map<std::pair<int, int>, int> numbers_;
};

/// The trie over port numbers: ports p and q meet at the first k with p >> k = q >> k, the lower one on the left.
int trie(const Ports& ports, Trees& trees) {
  std::map<int, int> at;  // port >> k -> tree
  for (const int port : ports) at[port] = port;
  while (at.size() > 1) {
    std::map<int, int> next;
    for (const auto& [prefix, tree] : at) {  // ascending: the left operand comes first
      const auto [it, alone] = next.try_emplace(prefix >> 1, tree);
      if (!alone) it->second = trees.join(it->second, tree);
    }
    at = std::move(next);
  }
  return at.begin()->second;
}

struct Beat {
  int flow = -1;  // -1: no beat
  int tree = 0;
};

class Checker {
 public:
  Checker(const Network& network, const std::vector<Flow>& flows, const std::vector<Route>& routes)
      : network_(network),
        flows_(flows),
        routes_(routes),
        trees_(network.radix),
        beats_(network.links.size()),
        inputs_(network.nodes.size()),
        outputs_(network.nodes.size()),
        reach_(network.links.size()) {}

  std::optional<std::string> run() {
    if (network_.links.empty()) return "the network is an outline: it has no links";
    index();
    if (auto error = launch()) return error;
    for (const auto& stage : by_stage_) {
      for (const int node : stage) {
        if (auto error = step(node)) return error;
      }
    }
    return compare();
  }

 private:
  using Error = std::optional<std::string>;

  void index() {
    by_stage_.resize(network_.stages());
    for (int i = 0; i < static_cast<int>(network_.nodes.size()); ++i) by_stage_[network_.nodes[i].stage].push_back(i);
    for (int i = 0; i < static_cast<int>(network_.links.size()); ++i) {
      const Link& link = network_.links[i];
      if (link.from >= 0) place(outputs_[link.from], link.from_pin, i);
      if (link.to >= 0) place(inputs_[link.to], link.to_pin, i);
    }
  }

  static void place(std::vector<int>& pins, int pin, int link) {
    if (static_cast<int>(pins.size()) <= pin) pins.resize(pin + 1, -1);
    pins[pin] = link;
  }

  /// Output ports behind a link of the distributing half; found when first asked for.
  const std::vector<int>& reach(int link) {
    std::vector<int>& ports = reach_[link];
    if (!ports.empty()) return ports;
    const Link& l = network_.links[link];
    if (l.to < 0) {
      ports.push_back(l.to_pin);
    } else {
      for (const int out : outputs_[l.to]) {
        const auto& behind = reach(out);
        ports.insert(ports.end(), behind.begin(), behind.end());
      }
    }
    return ports;
  }

  Error launch() {
    if (routes_.size() != flows_.size()) {
      return fmt::format("{} routes for {} flows", routes_.size(), flows_.size());
    }
    std::vector<int> taker(network_.radix, -1);  // flow that is to leave at a port
    std::vector<int> entry(network_.radix, -1);  // link that enters at a port
    for (int i = 0; i < static_cast<int>(network_.links.size()); ++i) {
      if (network_.links[i].from < 0) entry[network_.links[i].from_pin] = i;
    }
    for (int f = 0; f < static_cast<int>(flows_.size()); ++f) {
      if (static_cast<int>(routes_[f].colours.size()) != network_.levels() - 1) {
        return fmt::format("the route of flow {} has {} colours, not {}", f, routes_[f].colours.size(),
                           network_.levels() - 1);
      }
      for (const int colour : routes_[f].colours) {
        if (colour < 0 || colour >= network_.middle) {
          return fmt::format("flow {} has colour {}: there are {} middles", f, colour, network_.middle);
        }
      }
      if (flows_[f].in.empty() || flows_[f].out.empty()) return fmt::format("flow {} has no inputs or no outputs", f);
      for (const int port : flows_[f].in) {
        if (port < 0 || port >= network_.radix) return fmt::format("flow {} names port {}", f, port);
        if (auto error = put(entry[port], {f, port})) return error;
      }
      for (const int port : flows_[f].out) {
        if (port < 0 || port >= network_.radix) return fmt::format("flow {} names port {}", f, port);
        if (taker[port] >= 0) return fmt::format("flows {} and {} both leave at port {}", taker[port], f, port);
        taker[port] = f;
      }
      destinations_.emplace_back(flows_[f].out.begin(), flows_[f].out.end());
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string name(int link) const {
    const Link& l = network_.links[link];
    return fmt::format(
        "{} to {}",
        l.from < 0 ? fmt::format("port {}", l.from_pin)
                   : fmt::format("{}[{}]", network_.nodes[l.from].name(), l.from_pin),
        l.to < 0 ? fmt::format("port {}", l.to_pin) : fmt::format("{}[{}]", network_.nodes[l.to].name(), l.to_pin));
  }

  Error put(int link, Beat beat) {
    if (beats_[link].flow >= 0) {
      return fmt::format("flows {} and {} collide on the link from {}", beats_[link].flow, beat.flow, name(link));
    }
    beats_[link] = beat;
    return std::nullopt;
  }

  /// Whether the flow has a destination behind a link of the distributing half.
  [[nodiscard]] bool wanted(int link, int flow) {
    for (const int port : reach(link)) {
      if (destinations_[flow].count(port) != 0) return true;
    }
    return false;
  }

  Error step(int n) {
    const Node& node = network_.nodes[n];
    std::vector<Beat> in;
    for (const int link : inputs_[n]) in.push_back(beats_[link]);
    switch (node.kind) {
      case NodeKind::kR:
      case NodeKind::kDemux: {
        const auto output = [&](const Beat& beat) { return outputs_[n][routes_[beat.flow].colours[node.level]]; };
        if (in.size() == 2 && in[0].flow >= 0 && in[0].flow == in[1].flow) {
          return put(output(in[0]), {in[0].flow, trees_.join(in[0].tree, in[1].tree)});
        }
        for (const Beat& beat : in) {
          if (beat.flow < 0) continue;
          if (auto error = put(output(beat), beat)) return error;
        }
        return std::nullopt;
      }
      case NodeKind::kRD:
        if (in[0].flow >= 0 && in[0].flow == in[1].flow) {
          in = {{in[0].flow, trees_.join(in[0].tree, in[1].tree)}};
        }
        [[fallthrough]];
      case NodeKind::kD:
      case NodeKind::kMux:
        for (const Beat& beat : in) {
          if (beat.flow < 0) continue;
          for (const int link : outputs_[n]) {
            if (!wanted(link, beat.flow)) continue;
            if (auto error = put(link, beat)) return error;
          }
        }
        return std::nullopt;
    }
    return std::nullopt;
  }

  Error compare() {
    std::vector<Beat> arrived(network_.radix);
    for (std::size_t i = 0; i < network_.links.size(); ++i) {
      if (network_.links[i].to < 0) arrived[network_.links[i].to_pin] = beats_[i];
    }
    int expected_beats = 0;
    for (int f = 0; f < static_cast<int>(flows_.size()); ++f) {
      const int expected = trie(flows_[f].in, trees_);
      for (const int port : flows_[f].out) {
        ++expected_beats;
        const Beat& beat = arrived[port];
        if (beat.flow < 0) return fmt::format("flow {} does not reach port {}", f, port);
        if (beat.flow != f) return fmt::format("port {} receives flow {}, not {}", port, beat.flow, f);
        if (beat.tree != expected) {
          return fmt::format("port {} receives {} of flow {}, not {}", port, trees_.text(beat.tree), f,
                             trees_.text(expected));
        }
      }
    }
    for (const Beat& beat : arrived) expected_beats -= beat.flow >= 0 ? 1 : 0;
    if (expected_beats != 0) return "a flow leaves at a port that is not one of its outputs";
    return std::nullopt;
  }

  const Network& network_;
  const std::vector<Flow>& flows_;
  const std::vector<Route>& routes_;
  Trees trees_;
  std::vector<Beat> beats_;                  // by link
  std::vector<std::vector<int>> inputs_;     // by node: links by pin
  std::vector<std::vector<int>> outputs_;    // by node: links by pin
  std::vector<std::vector<int>> by_stage_;   // nodes
  std::vector<std::vector<int>> reach_;      // by link: output ports behind it; empty: not yet known
  std::vector<std::set<int>> destinations_;  // by flow
};

}  // namespace

std::optional<std::string> check_routes(const Network& network, const std::vector<Flow>& flows,
                                        const std::vector<Route>& routes) {
  return Checker(network, flows, routes).run();
}

}  // namespace fred
