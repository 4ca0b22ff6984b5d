// SPDX-License-Identifier: Apache-2.0
// Internal to the router: pieces of text that a user wrote.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fred::detail {

/// Without blanks on either side.
[[nodiscard]] std::string_view trim(std::string_view text);
/// The parts between separators, trimmed; at least one.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Text in quotes for a message: short, and without anything that a terminal would act on.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace fred::detail
