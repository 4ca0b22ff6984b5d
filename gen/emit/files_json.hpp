// SPDX-License-Identifier: Apache-2.0
// Emitted files as a manifest lists them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "fred/emit/emit.hpp"

namespace fred {

/// [{"path": ..., "sha256": ...}, ...], in order: what write_output looks for in an earlier output.
[[nodiscard]] nlohmann::ordered_json files_json(const std::vector<EmittedFile>& files);

}  // namespace fred
