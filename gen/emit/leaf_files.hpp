// SPDX-License-Identifier: Apache-2.0
// The hand-written modules of rtl/, carried inside the library so that an installed `fred` needs no source tree.
#pragma once

#include <string_view>
#include <vector>

namespace fred {

/// One file of rtl/.
struct LeafFile {
  std::string_view name;  ///< file name without a folder, "fred_ingress.sv"
  std::string_view text;  ///< its whole text
};

/// All files of rtl/, ordered by name.
[[nodiscard]] const std::vector<LeafFile>& leaf_files();

}  // namespace fred
