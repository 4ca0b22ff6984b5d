// SPDX-License-Identifier: Apache-2.0
// One part of a switch alone: a module around one instance of the part, cut out of the emitted switch or network with
// the parameters that it has there.
//
//   inputs --[register]--> u_leaf --[register]--> outputs      registers with Leaf::registered; clock and reset direct
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "fred/emit/emit.hpp"
#include "fred/error.hpp"

namespace fred {
namespace {

using verilog::Bits;
using verilog::Direction;
using verilog::Instance;
using verilog::Interface;
using verilog::Module;
using verilog::Net;
using verilog::Size;

/// A part and where it is found.
struct Part {
  const char* name;      ///< as in --leaf
  const char* instance;  ///< its instance in the emitted modules
  const char* what;      ///< for the header
};

// In the order in which a beat meets them.
constexpr Part kParts[] = {{"host", "u_host", "registers and descriptor table behind AXI4-Lite"},
                           {"link_table", "u_link_table", "what the descriptors are at the link ports"},
                           {"links", "u_links", "the ends of the links of all link ports"},
                           {"ingress", "u_ingress", "the ingress buffers of all ports but link ports"},
                           {"link_ingress", "u_link_ingress", "the ingress buffers of all link ports"},
                           {"control", "u_control", "the launch decision"},
                           {"launch", "u_launch", "from the launch decision to the network's inputs"},
                           {"widen", "u_widen", "the converters into the type of the sums"},
                           {"network", "u_network", "the interconnect"},
                           {"uswitch_r", "u_in0", "a microswitch of the outermost reducing stage"},
                           {"odd_demux", "u_demux", "the demultiplexer of an odd port"},
                           {"uswitch_rd", "u_rd", "the microswitch at the centre"},
                           {"uswitch_d", "u_out0", "a microswitch of the outermost distributing stage"},
                           {"odd_mux", "u_mux", "the multiplexer of an odd port"},
                           {"narrow", "u_narrow", "the converters back into the elements' types"},
                           {"egress", "u_egress", "the egress buffers of all ports but link ports"},
                           {"link_egress", "u_link_egress", "the egress buffers of all link ports"},
                           {"counters", "u_counters", "the counters of beats, launches and waits"}};

/// One lane of a reducer of the network's first type, as fred_merge instantiates it.
Instance reducer(const Design& design) {
  const DType dtype = design.network_dtypes().front();
  const int bits = element_bits(dtype);
  const int saturating = 1 << static_cast<int>(Op::kSumSat);
  const bool without = design.network_dtypes().size() > 1 && !is_defined(dtype, Op::kSumSat);
  const int ops = design.op_mask() & (without ? ~saturating : ~0);
  const Interface interface {
    "fred_reduce", {"DType", "Ops", "OpW", "Latency"}, {
      {"clk_i", Direction::kInput, 1}, {"op_i", Direction::kInput, design.code_bits()},
          {"a_i", Direction::kInput, bits}, {"b_i", Direction::kInput, bits}, {"pass_i", Direction::kInput, 1}, {
        "y_o", Direction::kOutput, bits
      }
    }
  };
  Instance instance(interface, "u_reduce");
  instance.parameter("DType", static_cast<int>(dtype))
      .parameter("Ops", ops)
      .parameter("OpW", design.code_bits())
      .parameter("Latency", design.adder_latency);
  return instance;
}

/// Calls `found` with every part of the design, in the order of docs/leaves.md.
void for_each_part(
    const Network& network, const Design& design,
    const std::function<void(const std::string& name, const std::string& what, const Instance&)>& found) {
  std::vector<Module> modules = {emit_switch(network, design)};
  for (int level = 0; level < network.levels(); ++level) modules.push_back(emit_network(network, design, level));
  for (const Part& part : kParts) {
    for (const Module& module : modules) {
      const Instance* instance = module.find_instance(part.instance);
      if (instance == nullptr) continue;
      found(part.name, part.what, *instance);
      break;
    }
  }
  found("reduce", "one lane of a reducer", reducer(design));
}

/// A parameter's value as it may stand outside its module: a localparam's name means nothing there.
Size literal(const Size& size) {
  return std::isdigit(static_cast<unsigned char>(size.text.front())) != 0 ? size : Size(size.value);
}

Module wrap(const Design& design, const Leaf& leaf, const std::string& what, const Instance& part) {
  Module module(leaf_module_name(leaf.name));
  module.header(fmt::format("One part of a FRED_{}({}) switch alone: {}.", design.middle, design.radix, what));
  module.header(provenance(design, leaf));
  if (leaf.registered) module.header("\nA register at every input and output: every path is between registers.");

  const auto is_common = [](const std::string& port) { return port == "clk_i" || port == "rst_ni"; };
  const auto& ports = part.interface().ports;
  std::vector<Net> outer;  // the module's ports, in the part's order
  for (const Interface::Port& port : ports) {
    const Bits bits = port.width == 1 ? Bits() : Bits(Size(port.width));
    outer.push_back(port.direction == Direction::kInput ? module.input(port.name, bits)
                                                        : module.output(port.name, bits));
  }

  std::vector<Net> inner = outer;  // what the part is connected to
  if (leaf.registered) {
    module.blank();
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (is_common(ports[i].name)) continue;
      inner[i] =
          module.wire((ports[i].direction == Direction::kInput ? "in_" : "out_") + ports[i].name, outer[i].shape());
    }
    const Net& clock = outer.front();
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (is_common(ports[i].name)) continue;
      const bool input = ports[i].direction == Direction::kInput;
      const Interface delay{"fred_delay",
                            {"Width", "Depth"},
                            {{"clk_i", Direction::kInput, 1},
                             {"data_i", Direction::kInput, ports[i].width},
                             {"data_o", Direction::kOutput, ports[i].width}}};
      Instance stage(delay, "u_at_" + ports[i].name);
      stage.parameter("Width", ports[i].width).parameter("Depth", 1);
      stage.connect("clk_i", clock)
          .connect("data_i", input ? outer[i] : inner[i])
          .connect("data_o", input ? inner[i] : outer[i]);
      module.blank();
      module.add(stage);
    }
  }

  Instance instance(part.interface(), "u_leaf");
  for (const auto& [name, value] : part.parameters()) instance.parameter(name, literal(value));
  for (std::size_t i = 0; i < ports.size(); ++i) instance.connect(ports[i].name, inner[i]);
  module.blank();
  module.add(instance);
  return module;
}

}  // namespace

std::vector<std::string> leaf_names(const Design& design) {
  std::vector<std::string> names;
  for_each_part(make_network(design.radix, design.middle), design,
                [&](const std::string& name, const std::string&, const Instance&) { names.push_back(name); });
  return names;
}

std::string leaf_module_name(const std::string& leaf) { return "fred_leaf_" + leaf; }

Module emit_leaf(const Network& network, const Design& design, const Leaf& leaf) {
  std::vector<Module> found;
  std::string names;
  for_each_part(network, design, [&](const std::string& name, const std::string& what, const Instance& part) {
    names += (names.empty() ? "" : ", ") + name;
    if (name == leaf.name) found.push_back(wrap(design, leaf, what, part));
  });
  if (found.empty()) {
    throw InputError(
        fmt::format("--leaf {}: a FRED_{}({}) switch has {}", leaf.name, design.middle, design.radix, names));
  }
  return found.front();
}

}  // namespace fred
