// SPDX-License-Identifier: Apache-2.0
// One end of a link as files of its own: what `fred link` writes.
#pragma once

#include <vector>

#include "fred/design/link.hpp"
#include "fred/emit/emit.hpp"

namespace fred {

/// Name of its top module.
inline constexpr std::string_view kLinkModule = "fred_link_end";

/// The top module: fred_link with the parameters of `link`, which is validated; ports as in docs/links.md.
[[nodiscard]] verilog::Module emit_link_end(const ChipLink& link);

/// rtl/*.sv, fred_link_end.f, manifest.json.
[[nodiscard]] std::vector<EmittedFile> emit_link(const ChipLink& link);

}  // namespace fred
