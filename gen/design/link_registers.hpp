// SPDX-License-Identifier: Apache-2.0
// The registers that a switch has for its link ports; part of register_blocks().
#pragma once

#include "fred/design/registers.hpp"

namespace fred {

/// LINK of every (descriptor, link port).
[[nodiscard]] RegisterBlock links_block(const Design& design, const RegisterMap& map);
/// LINK_STATUS and counts of events of every link port.
[[nodiscard]] RegisterBlock link_status_block(const Design& design, const RegisterMap& map);

}  // namespace fred
