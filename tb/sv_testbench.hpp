// SPDX-License-Identifier: Apache-2.0
// A self-checking SystemVerilog testbench beside a generated switch, for any simulator (docs/sv-testbench.md). Pure:
// the same design and seed give the same bytes.
//
//   tb/fred_switch_tb_pkg.sv   numbers of the design and of the vectors
//   tb/fred_switch_tb.sv       the testbench, the same for all designs: tb/sv/fred_switch_tb.sv
//   tb/vectors/*.hex           what is written, sent and expected; sv_vectors.hpp
//   tb/fred_switch_tb.f        filelist of it all, the switch included
//   tb/README.md               how to run it, and what it runs
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/emit/emit.hpp"

namespace fred::tb {

/// `files`, those of emit_design(design), with those of the testbench before manifest.json, and "testbench" in it
/// (docs/manifest.md). `seed` is that of groups, collectives and data.
[[nodiscard]] std::vector<EmittedFile> with_testbench(std::vector<EmittedFile> files, const Design& design,
                                                      std::uint64_t seed);

/// Texts of tb/sv/, which travel inside the library.
[[nodiscard]] std::string_view bench_text();
[[nodiscard]] std::string_view bench_readme_text();

}  // namespace fred::tb
