// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/kept_file.hpp"

#include <fmt/format.h>

#include "fred/cli/json_input.hpp"
#include "fred/error.hpp"

namespace fred::cli {

KeptFile::KeptFile(const std::string& file)
    : file_(file), json_(read_json("--keep", file, {"radix", "middle", "routes", "rounds", "broken", "registers"})) {
  if (!json_.is_object()) fail("", "is not the JSON that fred route --json writes");
}

void KeptFile::fail(const std::string& place, const std::string& what) const {
  throw InputError(fmt::format("--keep {}: {}{}{}", file_, place, place.empty() ? "" : " ", what));
}

const KeptFile::Json& KeptFile::field(const Json& of, const std::string& place, const char* name) const {
  const auto found = of.is_object() ? of.find(name) : of.end();
  if (!of.is_object() || found == of.end()) fail(place.empty() ? name : place + "." + name, "is missing");
  return *found;
}

const KeptFile::Json& KeptFile::list(const Json& value, const std::string& place) const {
  if (!value.is_array()) fail(place, "is no list");
  return value;
}

std::int64_t KeptFile::number(const Json& value, const std::string& place, std::int64_t low, std::int64_t high) const {
  if (!value.is_number_integer() || value < low || value > high) {
    fail(place, fmt::format("is {}: allowed are {}..{}", shown(value), low, high));
  }
  return value.get<std::int64_t>();
}

std::vector<int> KeptFile::numbers(const Json& value, const std::string& place, int low, int high) const {
  if (!value.is_array()) fail(place, "is no list of numbers");
  std::vector<int> result;
  for (const Json& item : value) result.push_back(static_cast<int>(number(item, place, low, high)));
  return result;
}

std::string KeptFile::broken() const {
  const auto found = json_.find("broken");
  if (found == json_.end() || found->is_null()) return {};
  std::string names;
  for (const Json& name : list(field(*found, "broken", "links"), "broken.links")) {
    if (!name.is_string()) fail("broken.links", fmt::format("has {}: names of links are needed", shown(name)));
    names += (names.empty() ? "" : ",") + name.get<std::string>();
  }
  return names;
}

}  // namespace fred::cli
