// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/placement_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fred/cli/json_input.hpp"
#include "fred/error.hpp"

namespace fred::cli {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw InputError(fmt::format("--placement {}: {}", file, what));
}

}  // namespace

Placement read_placement(const std::string& file, int ranks, int radix, const Loss& loss) {
  json value = read_json("--placement", file, {"placement"});
  if (value.is_object()) {
    const auto found = value.find("placement");
    if (found == value.end()) fail(file, "has no 'placement': a list of ports, one a rank, is needed");
    value = json(std::move(*found));
  }
  if (!value.is_array()) {
    fail(file, fmt::format("the placement is {}: allowed is a list of ports, one a rank, as [0,4,1]", shown(value)));
  }
  Placement placement;
  for (const json& port : value) {
    if (!port.is_number_integer() || port < 0 || port >= radix) {
      fail(file, fmt::format("port {} for rank {}: allowed are 0..{}", shown(port), placement.size(), radix - 1));
    }
    placement.push_back(port.get<int>());
  }
  try {
    check_placement(placement, ranks, radix, loss);
  } catch (const InputError& error) {
    fail(file, error.what());
  }
  return placement;
}

}  // namespace fred::cli
