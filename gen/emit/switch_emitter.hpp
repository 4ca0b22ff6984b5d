// SPDX-License-Identifier: Apache-2.0
// Builds the top module, `fred_switch`: one method a block of instances. What a switch without registers has in the
// place of the host is in emit_switch_fixed.cpp, what link ports are in emit_switch_links.cpp, all else in
// emit_switch.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/design/register_map.hpp"
#include "fred/emit/verilog.hpp"
#include "fred/network/network.hpp"
#include "fred/route/program.hpp"

namespace fred {

class SwitchEmitter {
 public:
  SwitchEmitter(const Network& network, const Design& design);

  [[nodiscard]] verilog::Module emit();

 private:
  using Bits = verilog::Bits;
  using Module = verilog::Module;
  using Net = verilog::Net;
  using Size = verilog::Size;

  [[nodiscard]] bool is_static() const { return design_.static_form.has_value(); }
  [[nodiscard]] bool has_tdest() const { return !is_static() || design_.static_form->tdest; }

  [[nodiscard]] bool has_links() const { return design_.link_ports > 0; }

  void header();

  Net in(const std::string& name, const Bits& bits = {}) { return module_.input(name, bits); }
  Net out(const std::string& name, const Bits& bits = {}) { return module_.output(name, bits); }

  void ports();
  void streams();
  void link_pins();
  void axil();
  void constants();

  Net wire(const std::string& name, const Bits& bits = {});
  /// The wire or port of this name.
  [[nodiscard]] const Net& net(const std::string& name) const;

  void registers_wires();
  void link_wires();

  /// Ports first..first+count-1 of the switch.
  struct Range {
    int first = 0;
    int count = 0;
  };
  /// One port of a hand-written module and the net that it is connected to, or of a net by port the part of a range;
  /// its width is the net's.
  struct Pin {
    std::string port;
    std::string net;
    std::optional<Range> range{};
  };
  using Parameters = std::vector<std::pair<std::string, Size>>;

  /// An instance of a hand-written module. The direction of a port is told by its ending, `_o`, or given for AXI names.
  void add(const std::string& module, const std::string& name, const Parameters& parameters,
           const std::vector<Pin>& pins);
  [[nodiscard]] verilog::Expr of(const Pin& pin) const;

  static bool is_output(const std::string& port);

  /// Pins that carry the nets of these names: "name" -> .name_i or .name_o.
  static std::vector<Pin> pins(const std::vector<std::string>& names, const char* ending);
  /// The same of these ports alone.
  static std::vector<Pin> pins(const std::vector<std::string>& names, const char* ending, Range range);
  static std::vector<Pin> same(const std::vector<Net>& nets);
  static std::vector<Pin> join(std::initializer_list<std::vector<Pin>> lists);

  void host();

  /// A constant parameter of `digits` hexadecimal digits an element, the last in the highest bits.
  static Size packed(const std::vector<std::uint32_t>& elements, int digits);

  /// Assigns a constant to element d of the net of this name.
  void fix(const std::string& name, int d, const std::string& text) {
    const verilog::Expr element = net(name).element(d);
    module_.assign(element, verilog::Expr::raw(text, element.width(), {}));
  }
  void fix_all(const std::string& name, const std::string& text) {
    module_.assign(net(name), verilog::Expr::raw(text, net(name).shape().total(), {}));
  }

  /// In the place of the host: constants for all that it drives, and errors and status as pins.
  void fixed();

  /// n of a watchdog of 2^n cycles, 0 where there is none.
  [[nodiscard]] int static_form_exponent() const {
    const std::uint32_t cycles = design_.static_form->watchdog;
    return cycles == 0 ? 0 : std::bit_width(cycles) - 1;
  }

  /// The descriptor of a port's beats, where no pin names it.
  void fixed_dest();

  /// The all-to-all tables as a constant: {route, destination} at (table * P + port) * 2^PortW + step.
  [[nodiscard]] std::string fixed_entries() const;

  void circuits();
  void ingress();
  static std::vector<std::string> heads() {
    return {"head_valid", "head_usable", "head_desc",  "head_index",   "head_last",    "head_step_end", "head_count",
            "head_dest",  "head_member", "head_stale", "head_unknown", "head_framing", "head_vc"};
  }

  /// What the descriptors are at the link ports, the links, and the buffers behind them.
  void link_ports();
  void control();
  void supervisor();
  void launch();
  void network();

  /// What both converters have in common.
  [[nodiscard]] Parameters converter_parameters() const;

  void widen();
  void narrow();
  void egress();
  void link_egress();

  /// Between the control unit, the network and the egress buffers of some ports.
  [[nodiscard]] std::vector<Pin> egress_pins(Range range) const;

  void counters();
  /// Name of a net of all ports: m_axis of the switch's own ones, with link ports what goes to the links too.
  [[nodiscard]] std::string leaving(const std::string& name) const {
    return has_links() ? "leaving_" + name : "m_axis_t" + name;
  }
  void leaving_wires();

  /// With link ports a localparam, else what stands in its place.
  [[nodiscard]] Size named(int value, const char* name, const Size& without) const {
    return has_links() ? Size(value, name) : without;
  }

  const Network& network_;
  const Design& design_;
  RegisterMap map_;
  Module module_;
  int contexts_ = 1, route_w_ = 1, table_w_ = 1, side_w_ = 1, out_w_ = 1;  // derived widths, as in the leaf modules
  std::vector<Net> clk_, s_axis_, m_axis_, phy_, s_axil_, status_, nets_;
  std::vector<Descriptor> descriptors_of_;  // of a static form
  std::vector<Net> unused_;                 // nobody reads them in this design
  // Named constants of the module.
  const Size ports_{design_.radix, "Ports"};
  const Size width_{design_.width(), "Width"};
  const Size wide_{design_.network_width(), "Wide"};
  const int edge_w_ = design_.acc ? std::max(1, design_.type_bits()) + 2 : 1;
  const Size bytes_{design_.bytes()};
  const Size descriptors_{design_.descriptors, "Descriptors"};
  const Size tables_{design_.alltoall_tables, "Tables"};
  const Size port_w_{design_.port_bits(), "PortW"};
  const Size desc_w_{design_.descriptor_bits(), "DescW"};
  const Size vcs_{design_.vcs, "Vcs"};
  // Without link ports they are what they are in a switch's own terms.
  const int ends_ = design_.ends();
  const Size link_ports_ = named(design_.link_ports, "LinkPorts", Size(0));
  const Size slots_ = named(design_.link.slots, "Slots", Size(1));
  const Size circuits_ = named(design_.circuits(), "Circuits", vcs_);
  const Size step_w_ = named(design_.step_bits(), "StepW", port_w_);
  const Size tag_w_ = named(design_.link.tag_bits, "TagW", desc_w_);
  const Size vc_w_{design_.vc_bits()};
  const Size count_w_{design_.keep_count_bits(), "CountW"};
  const Size s_user_w_{design_.s_user_bits()};
  const Size m_user_w_{design_.m_user_bits()};
  const Size op_w_{design_.op_width(), "OpW"};
  const Size route_bits_{design_.route_bits(), "RouteBits"};
  const Size latency_{design_.network_latency() + design_.edge_latency() / 2, "Latency"};
  const Size ingress_depth_{design_.ingress_depth, "IngressDepth"};
  const Size egress_depth_{design_.egress_depth, "EgressDepth"};
  const Size addr_w_{map_.address_bits, "AddrW"};
};

}  // namespace fred
