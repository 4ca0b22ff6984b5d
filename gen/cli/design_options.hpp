// SPDX-License-Identifier: Apache-2.0
// The command-line options that describe a design, shared by gen, info and run; route takes some.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fred/design/design.hpp"

namespace fred::cli {

/// Raw option values; `design()` parses and validates them.
struct DesignOptions {
  Design base;                                   ///< integer options are written straight into this
  std::string dtype = "bf16";                    ///< --dtype
  std::string acc;                               ///< --acc
  std::string ops = "sum,min,max";               ///< --ops
  std::string egress = "beat";                   ///< --egress
  std::optional<int> width;                      ///< --width, bits
  std::vector<int> link_ports;                   ///< --link-ports
  bool fabric = false;                           ///< of a fabric, in which switches without links may be
  std::vector<const CLI::Option*> link_options;  ///< of links, without --link-ports
  const CLI::Option* ops_option = nullptr;       ///< --ops
  const CLI::Option* descriptors = nullptr;      ///< --descriptors
  const CLI::Option* tables = nullptr;           ///< --alltoall-tables
  const CLI::Option* lanes = nullptr;            ///< --lanes, into base.lanes

  /// Adds --radix --middle --dtype --acc --lanes --width --ops --pipeline --adder-latency --descriptors
  /// --alltoall-tables --vcs --ingress-depth --egress-depth --egress --allow-slow. The object must outlive the parse.
  void add_to(CLI::App& command);
  /// Adds --link-ports, and returns it.
  CLI::Option* add_link_ports_to(CLI::App& command);
  /// Adds what links are: --slots --step-bits --tag-bits --link-latency --flit-beats --flit-words --slot-depth
  /// --replay.
  void add_links_to(CLI::App& command);
  /// Adds --dtype --ops --descriptors --alltoall-tables --vcs to `group`: what register values depend on beside the
  /// network.
  void add_registers_to(CLI::App& command, const char* group);
  /// The validated design; throws InputError.
  [[nodiscard]] Design design() const;

 private:
  void add_types(CLI::App& command, const char* group);
  void add_ops(CLI::App& command, const char* group);
  void add_tables(CLI::App& command, const char* group);
  void add_vcs(CLI::App& command, const char* group);
  void set_link_ports(Design& design) const;
};

}  // namespace fred::cli
