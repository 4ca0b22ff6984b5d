// SPDX-License-Identifier: Apache-2.0
// What `fred gen --fabric` writes: every kind of switch of a fabric once, each in a folder of its own, and fabric.json
// with the switches, links and collectives and the register writes that set every switch up.
#pragma once

#include <vector>

#include "fred/emit/emit.hpp"
#include "fred/fabric/plan.hpp"

namespace fred {

/// The folder of a switch's RTL: the name of the first switch of the same design.
[[nodiscard]] std::string folder_of(const Fabric& fabric, int of);

/// All files, the manifest last. `command` gives them again. Throws as fabric_writes.
[[nodiscard]] std::vector<EmittedFile> emit_fabric(const Fabric& fabric,
                                                   const std::vector<FabricCollective>& collectives,
                                                   const FabricPlan& plan);

}  // namespace fred
