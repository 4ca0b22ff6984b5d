// SPDX-License-Identifier: Apache-2.0
// The command-line options that describe a design, shared by gen, info and run; route takes some.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "fred/design/design.hpp"

namespace fred::cli {

/// Raw option values; `design()` parses and validates them.
struct DesignOptions {
  Design base;                      ///< integer options are written straight into this
  std::string dtype = "bf16";       ///< --dtype
  std::string ops = "sum,min,max";  ///< --ops

  /// Adds --radix --middle --dtype --lanes --ops --pipeline --adder-latency --descriptors --alltoall-tables
  /// --ingress-depth --egress-depth --allow-slow. The object must outlive the parse.
  void add_to(CLI::App& command);
  /// Adds --ops --descriptors --alltoall-tables to `group`: what register values depend on beside the network.
  void add_registers_to(CLI::App& command, const char* group);
  /// The validated design; throws InputError.
  [[nodiscard]] Design design() const;

 private:
  void add_ops(CLI::App& command, const char* group);
  void add_tables(CLI::App& command, const char* group);
};

}  // namespace fred::cli
