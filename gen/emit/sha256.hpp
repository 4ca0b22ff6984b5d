// SPDX-License-Identifier: Apache-2.0
// SHA-256, as the manifest lists it.
#pragma once

#include <string>

namespace fred {

/// SHA-256 of `text`, 64 hexadecimal digits in lower case.
[[nodiscard]] std::string sha256(const std::string& text);

}  // namespace fred
