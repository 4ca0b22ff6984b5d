// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <stdexcept>

#include "fred/emit/harness.hpp"

namespace fred {
namespace {

using verilog::Direction;
using verilog::Instance;
using verilog::Interface;
using verilog::Module;
using verilog::Net;
using verilog::Size;

constexpr std::string_view kClock = "clk_i";

/// Bits of the chain of one direction.
int chain_bits(const std::vector<HarnessField>& fields, Direction direction) {
  int bits = 0;
  for (const HarnessField& field : fields)
    if (field.direction == direction) bits += field.width;
  return bits;
}

Interface scan_interface(const char* module, Direction data, const char* data_port, int bits) {
  return {module,
          {"Width"},
          {{"clk_i", Direction::kInput, 1},
           {"shift_i", Direction::kInput, 1},
           {"update_i", Direction::kInput, 1},
           {"serial_i", Direction::kInput, 1},
           {"serial_o", Direction::kOutput, 1},
           {data_port, data, bits}}};
}

}  // namespace

std::vector<HarnessField> harness_fields(const Interface& top) {
  const auto fail = [&](const std::string& what) { throw std::logic_error("harness of " + top.module + ": " + what); };
  std::vector<HarnessField> fields;
  bool clocked = false;
  int in_bits = 0, out_bits = 0;
  for (const Interface::Port& port : top.ports) {
    if (port.name == kClock) {
      clocked = true;
      continue;
    }
    if (port.width < 1) fail("the width of " + port.name + " is not known");
    int& bits = port.direction == Direction::kInput ? in_bits : out_bits;
    fields.push_back({port.name, port.direction, bits, port.width});
    bits += port.width;
  }
  if (!clocked) fail(fmt::format("it has no {}", kClock));
  if (in_bits == 0 || out_bits == 0) fail("it needs an input and an output beside the clock");
  return fields;
}

Module emit_harness(const Interface& top, const std::vector<std::pair<std::string, Size>>& parameters,
                    std::string_view provenance) {
  const std::vector<HarnessField> fields = harness_fields(top);
  const int in_bits = chain_bits(fields, Direction::kInput), out_bits = chain_bits(fields, Direction::kOutput);

  Module module{std::string(kHarnessModule)};
  module.header(
      fmt::format("Five pins for {}: its {} bits of inputs come from a shift register, its {} bits of outputs\n"
                  "go into one, so that it fits any package and every path in it starts and ends at a register.",
                  top.module, in_bits, out_bits));
  if (!provenance.empty()) module.header(provenance);
  module.header(fmt::format(
      "\n"
      "  serial_i --> u_inputs ----------------------------> u_outputs --> serial_o\n"
      "                  |                                      ^\n"
      "                  +--inputs--> {:^18} --outputs--+\n"
      "\n"
      "shift_i   moves both chains on by a bit; in either the highest bit goes first\n"
      "update_i  gives the module the inputs shifted in, and the chain of outputs the outputs of the cycle before\n"
      "The pins take effect a cycle later. Where a port stands in its chain is where it is connected below.",
      top.module));

  const Net clk = module.input(std::string(kClock));
  const Net shift = module.input("shift_i");
  const Net update = module.input("update_i");
  const Net serial_in = module.input("serial_i");
  const Net serial_out = module.output("serial_o");
  module.blank();
  const Size in_width = module.localparam("InW", in_bits, "bits of inputs");
  const Size out_width = module.localparam("OutW", out_bits, "bits of outputs");

  module.comment("---- The pins, registered. ----");
  const std::vector<Net> pins = module.wires({"shift", "update", "serial"});
  module.add(
      Instance({"fred_delay",
                {"Width", "Depth"},
                {{"clk_i", Direction::kInput, 1}, {"data_i", Direction::kInput, 3}, {"data_o", Direction::kOutput, 3}}},
               "u_pins")
          .parameter("Width", 3)
          .parameter("Depth", 1)
          .connect("clk_i", clk)
          .connect("data_i", verilog::concat({shift, update, serial_in}))
          .connect("data_o", verilog::concat({pins[0], pins[1], pins[2]})));

  module.comment("---- Inputs, the module, outputs. ----");
  const Net inputs = module.wire("inputs", {in_width});
  const Net outputs = module.wire("outputs", {out_width});
  const Net between = module.wire("in_to_out");
  module.add(Instance(scan_interface("fred_scan_in", Direction::kOutput, "data_o", in_bits), "u_inputs")
                 .parameter("Width", in_width)
                 .connect("clk_i", clk)
                 .connect("shift_i", pins[0])
                 .connect("update_i", pins[1])
                 .connect("serial_i", pins[2])
                 .connect("serial_o", between)
                 .connect("data_o", inputs));
  Instance instance(top, "u_top");
  for (const auto& [name, value] : parameters) instance.parameter(name, value);
  instance.connect(std::string(kClock), clk);
  for (const HarnessField& field : fields)
    instance.connect(field.port,
                     (field.direction == Direction::kInput ? inputs : outputs).bits(field.low, field.width));
  module.add(instance);
  module.add(Instance(scan_interface("fred_scan_out", Direction::kInput, "data_i", out_bits), "u_outputs")
                 .parameter("Width", out_width)
                 .connect("clk_i", clk)
                 .connect("shift_i", pins[0])
                 .connect("update_i", pins[1])
                 .connect("serial_i", between)
                 .connect("data_i", outputs)
                 .connect("serial_o", serial_out));
  return module;
}

}  // namespace fred
