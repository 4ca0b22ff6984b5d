// SPDX-License-Identifier: Apache-2.0
// The FILE of `fred route --placement FILE`.
#pragma once

#include <string>

#include "fred/route/placement.hpp"

namespace fred::cli {

/// Reads a JSON list of ports, one a rank, or an object with such a list as `placement`, as `fred route --json` writes
/// it. Throws InputError that names the file and what is wrong: not to be read, too large, no JSON, not a port, a port
/// twice, one that is lost, too few or many for `ranks`.
[[nodiscard]] Placement read_placement(const std::string& file, int ranks, int radix, const Loss& loss);

}  // namespace fred::cli
