// SPDX-License-Identifier: Apache-2.0
// The Engine over a Verilated switch: a shared object made by tb/model_build.hpp.
#pragma once

#include <memory>
#include <string>

#include "tb/engine.hpp"

namespace fred::tb {

/// Opens a model. `trace`: FST file to write, empty for none; the model must have been built with tracing.
/// Registers that have no reset start with values made from `seed`. Throws ToolError when it cannot be opened.
/// An assertion in the RTL ends `cycle` with a SwitchError.
[[nodiscard]] std::unique_ptr<Engine> open_model(const std::string& shared_object, int seed = 1,
                                                 const std::string& trace = {});

}  // namespace fred::tb
