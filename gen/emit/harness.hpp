// SPDX-License-Identifier: Apache-2.0
// A module with five pins around one with thousands, so that it can be placed on any FPGA and timed there. All inputs
// come from registers, all outputs go into registers, and every bit can be set and seen, so that nothing is optimised
// away and every path that is timed is one inside the module.
//
//   serial_i --> fred_scan_in --------------------> fred_scan_out --> serial_o
//                     |                                  ^
//                     +--inputs--> the module --outputs--+
//
// How to use the pins: with shift_i high, one bit a cycle goes from serial_i into the chain of inputs, from there into
// that of the outputs, and out at serial_o; in either chain the highest bit goes first. A cycle with update_i gives the
// module the inputs that have been shifted in, and the output chain the outputs of the cycle before. The pins are
// registered: what they say takes effect a cycle later, and so the module's clock never stops.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fred/emit/emit.hpp"
#include "fred/emit/verilog.hpp"

namespace fred {

/// Name of the harness' module.
inline constexpr std::string_view kHarnessModule = "fred_harness";

/// Where a port of the module stands in its chain.
struct HarnessField {
  std::string port;                                           ///< name
  verilog::Direction direction = verilog::Direction::kInput;  ///< which chain
  int low = 0;                                                ///< its lowest bit's place in the chain
  int width = 0;                                              ///< bits
  friend bool operator==(const HarnessField&, const HarnessField&) = default;
};

/// All ports but `clk_i`, in order; those of one direction follow each other in their chain from bit 0 on. Throws
/// std::logic_error where a width is not known, or where there is no clk_i, no other input or no output.
[[nodiscard]] std::vector<HarnessField> harness_fields(const verilog::Interface& top);

/// The module `fred_harness` around `top`, whose port widths must be those for `parameters`. `provenance` goes into its
/// header. With the modules of `top`, `collect_files(modules, "fred_harness")` finds all files.
[[nodiscard]] verilog::Module emit_harness(const verilog::Interface& top,
                                           const std::vector<std::pair<std::string, verilog::Size>>& parameters = {},
                                           std::string_view provenance = {});

}  // namespace fred
