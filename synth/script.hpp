// SPDX-License-Identifier: Apache-2.0
// The scripts of synth/scripts/, which the tools run: templates in which @name@ stands for a value.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fred::synth {

/// One file of synth/scripts/, embedded by cmake/embed_flow.cmake.
struct Template {
  std::string_view name;  ///< "asic.ys"
  std::string_view text;  ///< its whole text
};

/// All files of synth/scripts/, ordered by name.
[[nodiscard]] const std::vector<Template>& templates();

/// Values by name, without the @.
using Values = std::map<std::string, std::string, std::less<>>;

/// The template `name` with every @name@ replaced. Throws std::logic_error if there is no such template, or it asks for
/// a value that is not given; values that it does not ask for are left over.
[[nodiscard]] std::string fill(std::string_view name, const Values& values);

}  // namespace fred::synth
