// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/svg_output.hpp"

#include <fmt/format.h>

#include "fred/cli/json_output.hpp"
#include "fred/error.hpp"
#include "fred/route/drawing.hpp"

namespace fred::cli {
void check_svg(const std::string& svg, const std::vector<std::pair<std::string, std::string>>& others) {
  if (svg.empty()) return;
  for (const auto& [option, file] : others) {
    if (!file.empty() && same_file(svg, file)) {
      throw InputError(fmt::format("--svg {}: is also the file of {}", svg, option));
    }
  }
  if (!is_stdout(svg)) check_output("--svg", svg, true);
}

void write_svg(const std::string& svg, const Network& network, const std::vector<Flow>& flows,
               const std::vector<Route>& routes, const std::vector<std::vector<int>>& rounds, const LinkSet& broken) {
  if (!svg.empty()) write_text("--svg", svg, draw_svg(network, drawn_rounds(flows, routes, rounds), broken));
}

}  // namespace fred::cli
