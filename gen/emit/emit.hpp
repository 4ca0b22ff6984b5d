// SPDX-License-Identifier: Apache-2.0
// From a design to the files of its switch: the network's modules, the top module, the leaf modules of rtl/ that they
// need, the filelist and the manifest. Pure: the same design gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/emit/verilog.hpp"
#include "fred/network/network.hpp"

namespace fred {

/// One file of a generated switch.
struct EmittedFile {
  std::string path;  ///< relative to the output folder, with '/': "rtl/fred_switch.sv"
  std::string text;  ///< its whole text
  friend bool operator==(const EmittedFile&, const EmittedFile&) = default;
};

/// Name of the top module.
inline constexpr std::string_view kTopModule = "fred_switch";

/// One part of a switch, cut out to be looked at or synthesized alone.
struct Leaf {
  std::string name;         ///< one of leaf_names
  bool registered = false;  ///< a register at every input and output, so that every path is between registers
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

/// The command that generates the design: "fred gen --radix 8 ...".
[[nodiscard]] std::string canonical_command(const Design& design, const std::optional<Leaf>& leaf = {});
/// Two comment lines for the head of every emitted module, without "// ": version, command, parameter hash.
[[nodiscard]] std::string provenance(const Design& design, const std::optional<Leaf>& leaf = {});

/// "fred_net_p8_m3".
[[nodiscard]] std::string network_module_name(int size, int middle);

/// The module of the subnetwork at `level`, 0 outermost; `network.levels() - 1` is FRED_m(2), one RD. Ports, with
/// n = size, W = data bits, P = ports of the switch, C = bits of the colours that this level and the inner ones
/// consume:
///
///   clk_i, rst_ni
///   in_valid_i  [n]       a beat at each input
///   in_data_i   [n * W]
///   in_mask_i   [n * P]   ports of the switch that the beat goes to
///   in_colour_i [n * C]   this level's colour in the low bits; absent where C is 0
///   in_op_i     [n * 2]   absent where one operation is built in
///   out_mask_o  [P]       the beat's valid bits: output i at level l has the ports i << l .. min(P, (i+1) << l) - 1
///   out_data_o  [n * W]
///   conflict_o            pulse: beats that are not of one flow met
///
/// At level 0 out_mask_o[p] is port p's valid bit, `design.network_latency()` cycles after its beats' in_valid_i.
[[nodiscard]] verilog::Module emit_network(const Network& network, const Design& design, int level);

/// The top module, `fred_switch`: ports as in docs/protocol.md.
[[nodiscard]] verilog::Module emit_switch(const Network& network, const Design& design);

/// Module `top` with all that it needs: `modules` are the emitted ones, in any order; the leaf modules are found by
/// name. Files under rtl/, each after those that it instantiates. Throws std::logic_error if a module is missing.
[[nodiscard]] std::vector<EmittedFile> collect_files(const std::vector<verilog::Module>& modules,
                                                     const std::string& top);

/// The parts that a switch of this design has: "network", "control", "reduce", ... in the order of docs/leaves.md.
[[nodiscard]] std::vector<std::string> leaf_names(const Design& design);
/// "fred_leaf_control".
[[nodiscard]] std::string leaf_module_name(const std::string& leaf);
/// The module around one instance of the part, with its ports and the parameters that it has in the switch. Throws
/// InputError that names the leaf and lists those that the design has.
[[nodiscard]] verilog::Module emit_leaf(const Network& network, const Design& design, const Leaf& leaf);

/// manifest.json of a design, or of one leaf of it, whose RTL, in filelist order, is `files`; `registers` are those of
/// register_files. The schema is in docs/manifest.md.
[[nodiscard]] std::string emit_manifest(const Design& design, const std::vector<EmittedFile>& files,
                                        const std::vector<EmittedFile>& registers,
                                        const std::optional<Leaf>& leaf = {});

/// Everything that `fred gen` writes: rtl/*.sv, regs/*, fred_switch.f, manifest.json. Throws std::logic_error if
/// `design` was not validated.
[[nodiscard]] std::vector<EmittedFile> emit_design(const Design& design);

/// The same for one leaf: rtl/*.sv, fred_leaf_NAME.f, manifest.json.
[[nodiscard]] std::vector<EmittedFile> emit_leaf_design(const Design& design, const Leaf& leaf);

}  // namespace fred
