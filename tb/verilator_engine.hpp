// SPDX-License-Identifier: Apache-2.0
// The Engine over a Verilated switch: a shared object made by tb/model_build.hpp.
#pragma once

#include <memory>
#include <string>

#include "tb/engine.hpp"

namespace fred::tb {

/// Opens a model. `trace`: FST file to write, empty for none; the model must have been built with tracing. It appears
/// whole when the engine is closed, and replaces only a regular file (or what a symbolic link points to); InputError
/// when that cannot be. Registers that have no reset start with values made from `seed`. Throws ToolError when the
/// model cannot be opened. An assertion in the RTL ends `cycle` with a SwitchError.
[[nodiscard]] std::unique_ptr<Engine> open_model(const std::string& shared_object, int seed = 1,
                                                 const std::string& trace = {});

/// Throws the InputError of open_model for a trace that could not be written, without writing anything: for a check
/// before a model is built.
void check_trace(const std::string& trace);

/// Why a shared object is no model that open_model would take, or "".
[[nodiscard]] std::string model_problem(const std::string& shared_object);

}  // namespace fred::tb
