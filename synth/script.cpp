// SPDX-License-Identifier: Apache-2.0
#include "synth/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fred::synth {

std::string fill(std::string_view name, const Values& values) {
  const auto file =
      std::find_if(templates().begin(), templates().end(), [name](const Template& t) { return t.name == name; });
  if (file == templates().end()) throw std::logic_error(fmt::format("synth/scripts/{}: there is no such file", name));
  std::string result;
  std::string_view rest = file->text;
  for (std::size_t at = rest.find('@'); at != std::string_view::npos; at = rest.find('@')) {
    const std::size_t end = rest.find('@', at + 1);
    if (end == std::string_view::npos)
      throw std::logic_error(fmt::format("synth/scripts/{}: an @ without its other", name));
    const std::string_view key = rest.substr(at + 1, end - at - 1);
    const auto value = values.find(key);
    if (value == values.end()) throw std::logic_error(fmt::format("synth/scripts/{}: @{}@ has no value", name, key));
    result += rest.substr(0, at);
    result += value->second;
    rest.remove_prefix(end + 1);
  }
  return result += rest;
}

}  // namespace fred::synth
