// SPDX-License-Identifier: Apache-2.0
// A network and the routes through it as a picture (SVG 1.1).
#pragma once

#include <string>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/route.hpp"

namespace fred {

/// A flow on its route.
struct DrawnFlow {
  int number = 0;  ///< what the legend calls it, and its colour: the same in every round
  Flow flow;
  Route route;
};

/// Flows that go through the network at one time.
struct DrawnRound {
  std::vector<DrawnFlow> flows;
  std::string title = {};  ///< over its panel; empty: "round 0", unless there is one round only
};

/// The most links in a picture, over all its rounds: some 6 MB.
inline constexpr long kMaxDrawnLinks = 20'000;

/// `rounds` are lists of indices into `flows`, and `routes` has each flow's route in its round, as route_flows and
/// route_rounds return them.
[[nodiscard]] std::vector<DrawnRound> drawn_rounds(const std::vector<Flow>& flows, const std::vector<Route>& routes,
                                                   const std::vector<std::vector<int>>& rounds);

/// The network, inputs on the left, once for each round (once for none), with every link that a flow occupies in the
/// flow's colour and a mark on every node where it is reduced or distributed. Colours suit the colour-blind (Okabe and
/// Ito without yellow); from the eighth flow on they repeat with dashes, from the 57th on all repeats. `broken`, if not
/// empty, are links that do not work. The same arguments give the same bytes; the text is one XML document without
/// references to anything outside. Each link of a flow is a path with data-link, its index, and data-flow, the number.
/// Throws InputError if there are more than kMaxDrawnLinks links in all, if a flow or route does not suit the network,
/// if two flows of a round share a link, or if `broken` has another size than Network::links.
[[nodiscard]] std::string draw_svg(const Network& network, const std::vector<DrawnRound>& rounds,
                                   const LinkSet& broken = {});

}  // namespace fred
