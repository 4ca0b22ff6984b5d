// SPDX-License-Identifier: Apache-2.0
// `--svg FILE` of `fred route`: the network with the routes in it as a picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fred/network/network.hpp"
#include "fred/route/route.hpp"

namespace fred::cli {

inline constexpr const char* kSvgHelp =
    "draw the network and the routes in it as SVG to FILE, a panel for each round; - is standard output, and nothing "
    "else goes there. All-to-alls have no tree and are not drawn";

/// Throws InputError unless `svg` is empty or can be written and is none of the `others` (option and file).
void check_svg(const std::string& svg, const std::vector<std::pair<std::string, std::string>>& others);

/// Draws `rounds` (indices of flows, whose routes are by flow) to `svg`, unless that is empty, with the
/// `broken` links marked.
void write_svg(const std::string& svg, const Network& network, const std::vector<Flow>& flows,
               const std::vector<Route>& routes, const std::vector<std::vector<int>>& rounds, const LinkSet& broken);

}  // namespace fred::cli
