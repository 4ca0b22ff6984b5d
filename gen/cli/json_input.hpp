// SPDX-License-Identifier: Apache-2.0
// Files of JSON that users name: any file may come in.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fred::cli {

/// The value in the `file` of `option`. Of an object only the fields of `wanted` are kept, if it names any. Throws
/// InputError that names the file when it cannot be read, is too large, no JSON, or nested too deeply.
[[nodiscard]] nlohmann::json read_json(const std::string& option, const std::string& file,
                                       const std::vector<std::string>& wanted = {});

/// A value for a message: short, and without anything that a terminal would act on.
[[nodiscard]] std::string shown(const nlohmann::json& value);

}  // namespace fred::cli
