// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fred {

/// Version of this release, "MAJOR.MINOR.PATCH", as in CMakeLists.txt.
[[nodiscard]] const char* version();

}  // namespace fred
