// SPDX-License-Identifier: Apache-2.0
// Verilated switches for tests: emitted and built once a design (cached by content), opened afresh for each use.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fred/emit/emit.hpp"
#include "tb/model_build.hpp"
#include "tb/verilator_engine.hpp"

namespace fred::test {

using tb::design_sources;

/// A fresh switch of a design, in reset state unknown: registers without reset hold values made from `seed`.
inline std::unique_ptr<tb::Engine> rtl_switch(const Design& design, int seed = 1) {
  return tb::open_model(tb::build_model(design_sources(design)).shared_object.string(), seed);
}

/// The switch with counters that several tests share: two circuits, nearly all of it in use.
inline Design counting_design() {
  Design design;
  design.radix = 4;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.lanes = 2;
  design.ops = {Op::kSum};
  design.descriptors = 5;
  design.vcs = 2;
  design.counters = true;
  design.validate();
  return design;
}

}  // namespace fred::test
