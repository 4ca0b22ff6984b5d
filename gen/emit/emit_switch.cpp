// SPDX-License-Identifier: Apache-2.0
// The top module, `fred_switch`: buffers, launch control and registers of rtl/ around the emitted network.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "fred/design/kind.hpp"
#include "fred/design/registers.hpp"
#include "fred/emit/emit.hpp"
#include "fred/emit/switch_emitter.hpp"

namespace fred {

using verilog::Direction;
using verilog::Instance;
using verilog::Interface;
using verilog::Module;
using verilog::Net;
using verilog::Size;

namespace {

constexpr int kErrors = 8;  // bits of ERROR but `parity`: there are no tables
constexpr Direction kIn = Direction::kInput;
constexpr Direction kOut = Direction::kOutput;

}  // namespace

SwitchEmitter::SwitchEmitter(const Network& network, const Design& design)
    : network_(network), design_(design), map_(design), module_(std::string(kTopModule)) {
  if (!is_static()) return;
  descriptors_of_ = static_program(design, network).descriptors;
}

Size SwitchEmitter::packed(const std::vector<std::uint32_t>& elements, int digits) {
  std::string text = fmt::format("{}'h", elements.size() * static_cast<std::size_t>(4 * digits));
  for (auto element = elements.rbegin(); element != elements.rend(); ++element) {
    text += fmt::format("{}{:0{}x}", element == elements.rbegin() ? "" : "_", *element, digits);
  }
  return {static_cast<int>(elements.front()), text};
}

Module SwitchEmitter::emit() {
  header();
  ports();
  constants();
  registers_wires();
  if (is_static()) {
    fixed();
  } else {
    host();
  }
  circuits();
  if (ends_ > 0) ingress();
  if (has_links()) link_ports();
  control();
  supervisor();
  launch();
  if (design_.acc) widen();
  network();
  if (design_.acc) narrow();
  if (ends_ > 0) egress();
  if (has_links()) link_egress();
  if (design_.counters) counters();
  return module_;
}

void SwitchEmitter::header() {
  module_.header(fmt::format("A FRED_{}({}) switch: {} ports of {} bits ({}), {} descriptor{}.", design_.middle,
                             design_.radix, design_.radix, design_.width(), design_.beat_text(), design_.descriptors,
                             design_.descriptors == 1 ? "" : "s"));
  module_.header(provenance(design_));
  module_.header(fmt::format(
      "\n"
      "  s_axis --> ingress --heads--> control --> launch --> network --> egress --> m_axis\n"
      "                |                  ^                      ^\n"
      "                +------- data -----|----------------------+\n"
      "{}"
      "\n"
      "A {} that nothing stands in the way of leaves {} cycles after it was accepted{}, {} of them in the network.\n"
      "Vectors of all ports are flat: port p has bits [p*N +: N].",
      is_static() ? "  constants: descriptors, routes; errors and status are pins\n"
                  : "  s_axil --> host: registers, descriptor table\n",
      design_.egress == Egress::kPacket ? "packet" : "beat", design_.first_beat_latency(),
      design_.egress == Egress::kPacket ? " in whole" : "", design_.network_latency()));
}

void SwitchEmitter::ports() {
  clk_.push_back(in("clk_i"));
  clk_.push_back(in("rst_ni"));
  if (ends_ > 0) streams();
  if (has_links()) link_pins();
  if (is_static()) {
    const int d = design_.descriptors;
    module_.port_comment("Errors, sticky, and what clears them, bits as in docs/protocol.md; status by descriptor.");
    status_ = {in("error_clear_i", {kErrors}), out("error_o", {kErrors}), out("halted_o", {1, d}),
               out("busy_o", {1, d}), out("hangs_o", {1, d})};
    return;
  }
  axil();
}

void SwitchEmitter::streams() {
  const int p = ends_;
  module_.port_comment("AXI4-Stream into the switch; tuser: destination port, epoch, step_end.");
  s_axis_ = {in("s_axis_tvalid", {1, p}),     out("s_axis_tready", {1, p}), in("s_axis_tdata", {width_, p}),
             in("s_axis_tkeep", {bytes_, p}), in("s_axis_tlast", {1, p}),   in("s_axis_tid", {vc_w_, p})};
  if (has_tdest()) s_axis_.push_back(in("s_axis_tdest", {desc_w_, p}));
  s_axis_.push_back(in("s_axis_tuser", {s_user_w_, p}));
  s_axis_.push_back(out("s_axis_vc_ready", {vcs_, p}));
  module_.port_comment("AXI4-Stream out of the switch; tuser: step or source port, error, epoch, step_end.");
  m_axis_ = {out("m_axis_tvalid", {1, p}),      in("m_axis_tready", {1, p}),         out("m_axis_tdata", {width_, p}),
             out("m_axis_tkeep", {bytes_, p}),  out("m_axis_tlast", {1, p}),         out("m_axis_tid", {vc_w_, p}),
             out("m_axis_tdest", {desc_w_, p}), out("m_axis_tuser", {m_user_w_, p}), in("m_axis_vc_ready", {vcs_, p})};
}

void SwitchEmitter::axil() {
  module_.port_comment("AXI4-Lite.");
  s_axil_ = {in("s_axil_awvalid"),
             out("s_axil_awready"),
             in("s_axil_awaddr", {addr_w_}),
             in("s_axil_wvalid"),
             out("s_axil_wready"),
             in("s_axil_wdata", {32}),
             in("s_axil_wstrb", {4}),
             out("s_axil_bvalid"),
             in("s_axil_bready"),
             out("s_axil_bresp", {2}),
             in("s_axil_arvalid"),
             out("s_axil_arready"),
             in("s_axil_araddr", {addr_w_}),
             out("s_axil_rvalid"),
             in("s_axil_rready"),
             out("s_axil_rdata", {32}),
             out("s_axil_rresp", {2})};
  module_.port_comment("Interrupt: a bit of ERROR is set that IRQ_ENABLE has.");
  status_ = {out("irq_o")};
}

void SwitchEmitter::constants() {
  module_.blank();
  module_.localparam(ports_.text, ports_.value, "P");
  module_.localparam(width_.text, width_.value, "W, bits of tdata");
  if (design_.acc) module_.localparam(wide_.text, wide_.value, "bits of a beat in the network");
  module_.localparam(vcs_.text, vcs_.value, "V, virtual circuits of a port");
  if (has_links()) {
    module_.localparam(link_ports_.text, link_ports_.value, "of the ports, the last ones");
    module_.localparam(slots_.text, slots_.value, "of a link port");
    module_.localparam(circuits_.text, circuits_.value, "circuits of any port: V, or the slots");
    module_.localparam(step_w_.text, step_w_.value, "bits of a step");
    module_.localparam(tag_w_.text, tag_w_.value, "bits of a descriptor in the next switch");
  }
  module_.localparam(descriptors_.text, descriptors_.value, "D, entries of the descriptor table");
  if (!is_static()) module_.localparam(tables_.text, tables_.value, "all-to-all contexts");
  module_.localparam(port_w_.text, port_w_.value, "bits of a port number");
  module_.localparam(desc_w_.text, desc_w_.value, "bits of a descriptor index");
  module_.localparam(count_w_.text, count_w_.value, "bits of a byte count");
  module_.localparam(op_w_.text, op_w_.value,
                     design_.op_width() > design_.code_bits()
                         ? "bits of an operation: its code, above it the type's number"
                         : "bits of an operation's code");
  if (!is_static()) module_.localparam(route_bits_.text, route_bits_.value, "bits of a route's colours");
  module_.localparam(latency_.text, latency_.value,
                     design_.acc ? "register stages of the network and of the converter before it"
                                 : "L, register stages of the network");
  if (ends_ > 0) module_.localparam(ingress_depth_.text, ingress_depth_.value, "beats");
  module_.localparam(egress_depth_.text, egress_depth_.value, "beats");
  if (!is_static()) module_.localparam(addr_w_.text, addr_w_.value, "bits of an AXI4-Lite address");
  // Derived, not worth a name in the text of the module.
  contexts_ = std::max(1, design_.alltoall_tables);
  route_w_ = std::max(1, design_.route_bits());
  table_w_ = contexts_ > 1 ? ceil_log2(contexts_) : 1;
  side_w_ = design_.keep_count_bits() + 2;
  out_w_ = std::max(1, ceil_log2(design_.circuits())) + design_.keep_count_bits() + 1 + design_.m_user_bits() +
           design_.descriptor_bits() + (has_links() ? design_.link.tag_bits : 0);
}

Net SwitchEmitter::wire(const std::string& name, const Bits& bits) {
  Net net = module_.wire(name, bits);
  nets_.push_back(net);
  return net;
}
/// The wire or port of this name.
[[nodiscard]] const Net& SwitchEmitter::net(const std::string& name) const {
  for (const std::vector<Net>* list : {&nets_, &clk_, &s_axis_, &m_axis_, &phy_, &s_axil_, &status_}) {
    for (const Net& candidate : *list) {
      if (candidate.name() == name) return candidate;
    }
  }
  throw std::logic_error("fred_switch has no net " + name);
}

void SwitchEmitter::registers_wires() {
  const int d = design_.descriptors;
  const int p = design_.radix;
  const int heads = p * design_.circuits();
  module_.comment("Descriptor table and status.");
  for (const char* name : {"enable", "halted", "busy"}) wire(name, {1, d});
  wire("kind", {4, d});
  wire("op", {op_w_, d});
  wire("dtype", {std::max(1, design_.type_bits()), d});
  if (!design_.acc) unused_.push_back(net("dtype"));
  wire("granule", {3, d});
  wire("epoch", {4, d});
  wire("route", {route_w_, d});
  wire("in_mask", {ports_, d});
  wire("out_mask", {ports_, d});
  wire("root", {ports_, d});
  wire("final_step", {port_w_, d});
  wire("vc", {vcs_, d});
  wire("circuit", {circuits_, d * p});
  const int l = std::max(1, design_.link_ports);
  wire("slot", {slots_, d * l});
  wire("tag", {tag_w_, d * l});
  wire("repeats", {step_w_, d * l});
  if (has_links()) wire("pass", {1, d * l});
  wire("uses", {contexts_, d});
  wire("clash", {descriptors_, d});
  wire("step", {step_w_, d});
  wire("table_we");
  wire("table_index", {table_w_});
  for (const char* name : {"table_step", "table_port", "table_dest"}) wire(name, {port_w_});
  wire("table_route", {route_w_});
  wire("table_parity");
  if (!has_tdest()) {
    module_.comment("Descriptor of each port's beats.");
    s_axis_.insert(s_axis_.end() - 2, wire("s_axis_tdest", {desc_w_, ends_}));
  }
  module_.comment("Order of the virtual circuits; cycles after which a launch may claim its ports.");
  wire("vc_before", {vcs_, design_.vcs});
  wire("bound", {16});
  module_.comment("Heads of the ingress buffers, one a port and virtual circuit.");
  for (const char* name :
       {"head_valid", "head_usable", "head_last", "head_step_end", "head_stale", "head_unknown", "head_framing",
        "head_vc", "member_error", "head_member", "pop", "launched", "dropped", "open"}) {
    wire(name, {circuits_, p});
  }
  wire("head_desc", {descriptors_, heads});
  wire("head_index", {desc_w_, heads});
  wire("head_count", {count_w_, heads});
  wire("head_dest", {ports_, heads});
  module_.comment("Places and open packets of the egress buffers.");
  for (const char* name : {"space", "take", "egress_busy"}) wire(name, {circuits_, p});
  module_.comment("Launched beats, and the descriptors when they were launched.");
  wire("launch", {1, p});
  wire("launch_desc", {descriptors_, p});
  wire("launch_dest", {ports_, p});
  wire("launch_route", {route_w_, p});
  wire("launch_side", {side_w_, p});
  for (const char* name : {"is_send", "is_alltoall"}) wire(name, {1, d});
  wire("deliver", {ports_, d});
  wire("step_then", {step_w_, d});
  wire("passes", {1, l});
  wire("arrived", {step_w_, l});
  module_.comment("The network's inputs, and its outputs L cycles later.");
  wire("net_in_valid", {1, p});
  wire("net_in_data", {width_, p});
  wire("net_in_mask", {ports_, p});
  wire("net_in_route", {route_w_, p});
  wire("net_in_op", {op_w_, p});
  wire("net_conversion", {edge_w_, p});
  wire("conversion", {edge_w_, design_.descriptors});
  if (design_.acc) {
    module_.comment("The same in the type that sums are accumulated in.");
    wire("acc_in_valid", {1, p});
    wire("acc_in_data", {wide_, p});
    wire("acc_in_mask", {ports_, p});
    wire("acc_in_route", {route_w_, p});
    wire("acc_in_op", {op_w_, p});
    wire("acc_out_valid", {1, p});
    wire("acc_out_data", {wide_, p});
    wire("acc_out_side", {edge_w_ + out_w_, p});
    wire("conflict_narrow");
  } else {
    unused_.push_back(net("net_conversion"));
    module_.assign(net("conversion"), verilog::constant(design_.descriptors, 0));
  }
  wire("net_out_valid", {1, p});
  wire("net_out_data", {width_, p});
  wire("net_out_side", {out_w_, p});
  wire("net_came", {1, p});
  wire("net_conflict");
  wire("conflict");
  module_.comment("Aborts, watchdog, reports.");
  for (const char* name :
       {"run",        "hold",      "close",     "abort",     "stopped",   "spoiled", "holds",    "in_use",
        "hangs",      "report_of", "halt",      "hangs_now", "spoils",    "flying",  "row_bad",  "entry_bad",
        "parity_now", "grant",     "candidate", "pends",     "in_packet", "way_bad", "link_bad", "link_now"}) {
    wire(name, {1, d});
  }
  for (const char* name : {"wanted", "at_head", "delivers"}) wire(name, {ports_, d});
  wire("own_dest", {ports_, heads});
  wire("closed", {circuits_, p});
  wire("owner", {desc_w_, heads});
  wire("report", {ports_, 4});
  wire("timeout_after", {5});
  wire("cycle", {32});
  if (!design_.counters) unused_.push_back(net("candidate"));
  wire("links_ok");
  if (has_links()) {
    link_wires();
  } else {
    for (const char* name : {"slot", "tag", "repeats", "passes", "arrived", "way_bad", "link_bad"}) fix_all(name, "'0");
    fix_all("links_ok", "1'b1");
  }
  if (is_static()) return;
  module_.comment("Registers elsewhere: an access, and what it is answered.");
  wire("others_access", {map_.address_bits + 30});
  wire("others_write");
  wire("others_answer", {34});
  std::vector<std::string> answers;
  if (design_.counters) answers.emplace_back("counters_answer");
  if (has_links()) answers.insert(answers.end(), {"table_answer", "links_answer"});
  std::string all;
  std::vector<verilog::Part> parts;
  for (const std::string& answer : answers) {
    wire(answer, {34});
    all += (all.empty() ? "" : " | ") + answer;
    parts.push_back({answer, 0, 34});
  }
  module_.assign(net("others_answer"), verilog::Expr::raw(all.empty() ? "'0" : all, 34, parts));
  if (!answers.empty()) return;
  unused_.push_back(net("others_access"));
  unused_.push_back(net("others_write"));
}

void SwitchEmitter::add(const std::string& module, const std::string& name, const Parameters& parameters,
                        const std::vector<Pin>& pins) {
  Interface interface {
    module, {}, {}
  };
  for (const auto& [parameter, value] : parameters) interface.parameters.push_back(parameter);
  for (const Pin& pin : pins) {
    interface.ports.push_back({pin.port, is_output(pin.port) ? kOut : kIn, of(pin).width()});
  }
  Instance instance(interface, name);
  for (const auto& [parameter, value] : parameters) instance.parameter(parameter, value);
  for (const Pin& pin : pins) instance.connect(pin.port, of(pin));
  module_.blank();
  module_.add(instance);
}
[[nodiscard]] verilog::Expr SwitchEmitter::of(const Pin& pin) const {
  const Net& whole = net(pin.net);
  if (!pin.range) return whole;
  const int per_port = whole.shape().count / design_.radix;
  return whole.elements(pin.range->first * per_port, pin.range->count * per_port);
}

bool SwitchEmitter::is_output(const std::string& port) {
  static const std::vector<std::string> axi_outputs = {
      "s_axis_tready", "s_axis_vc_ready", "m_axis_tvalid", "m_axis_tdata",   "m_axis_tkeep",  "m_axis_tlast",
      "m_axis_tid",    "m_axis_tdest",    "m_axis_tuser",  "s_axil_awready", "s_axil_wready", "s_axil_bvalid",
      "s_axil_bresp",  "s_axil_arready",  "s_axil_rvalid", "s_axil_rdata",   "s_axil_rresp"};
  return port.ends_with("_o") || std::find(axi_outputs.begin(), axi_outputs.end(), port) != axi_outputs.end();
}

std::vector<SwitchEmitter::Pin> SwitchEmitter::pins(const std::vector<std::string>& names, const char* ending) {
  std::vector<Pin> out;
  for (const std::string& name : names) out.push_back({name + ending, name});
  return out;
}

std::vector<SwitchEmitter::Pin> SwitchEmitter::pins(const std::vector<std::string>& names, const char* ending,
                                                    Range range) {
  std::vector<Pin> out;
  for (const std::string& name : names) out.push_back({name + ending, name, range});
  return out;
}

std::vector<SwitchEmitter::Pin> SwitchEmitter::same(const std::vector<Net>& nets) {
  std::vector<Pin> out;
  for (const Net& n : nets) out.push_back({n.name(), n.name()});
  return out;
}

std::vector<SwitchEmitter::Pin> SwitchEmitter::join(std::initializer_list<std::vector<Pin>> lists) {
  std::vector<Pin> out = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}};
  for (const auto& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

void SwitchEmitter::host() {
  const std::vector<DType> types = design_.dtypes();
  int granules = 0, unsaturated = 0;
  for (std::size_t t = 0; t < types.size(); ++t) {
    granules |= (element_bits(types[t]) / 8 - 1) << (3 * t);
    unsaturated |= is_defined(types[t], Op::kSumSat) ? 0 : 1 << t;
  }
  const std::vector<RegisterBlock> blocks = register_blocks(design_);
  std::vector<std::uint32_t> identity;
  for (const Register& item : blocks.front().registers) {
    if (item.is_constant()) identity.push_back(*item.reset);
  }
  const auto number = [](std::uint32_t address) { return static_cast<int>(address / 4); };
  std::vector<std::uint32_t> globals, row, lows;
  for (const std::uint32_t address :
       {RegisterMap::kError, RegisterMap::kPriority, RegisterMap::kBound, RegisterMap::kTimeout,
        RegisterMap::kIrqEnable, RegisterMap::kFirstError, RegisterMap::kFirstCycle, RegisterMap::kCycle}) {
    globals.push_back(address / 4);
  }
  for (const std::uint32_t offset :
       {RegisterMap::kControl, RegisterMap::kStatus, RegisterMap::kConfig, RegisterMap::kColours, RegisterMap::kInMask,
        map_.out_mask, map_.compat, map_.report}) {
    row.push_back(offset / 4);
  }
  using Fields = ConfigFields;
  for (const BitField& field :
       {Fields::kKind, Fields::kOp, Fields::kEpoch, Fields::kTable, Fields::kRoot, Fields::kType, Fields::kVc}) {
    lows.push_back(static_cast<std::uint32_t>(field.low));
  }
  add("fred_host", "u_host",
      {{"Ports", ports_},
       {"PortW", port_w_},
       {"StepW", step_w_},
       {"Descriptors", descriptors_},
       {"DescW", desc_w_},
       {"Tables", tables_},
       {"RouteBits", route_bits_},
       {"Ops", design_.op_mask()},
       {"OpW", op_w_},
       {"Types", static_cast<int>(types.size())},
       {"Granules", granules},
       {"Unsaturated", unsaturated},
       {"Vcs", vcs_},
       {"Circuits", circuits_},
       {"AddrW", addr_w_},
       {"GlobalWords", packed(globals, 2)},
       {"PortWord", number(map_.port_base)},
       {"RowBase", number(map_.descriptor_base)},
       {"RowSize", std::countr_zero(map_.descriptor_stride / 4)},
       {"EntryBase", number(map_.alltoall_base)},
       {"RowWords", packed(row, 2)},
       {"ControlBits", packed({register_named(blocks, "CONTROL").mask()}, 8)},
       {"ConfigBits", packed({register_named(blocks, "CONFIG").mask()}, 8)},
       {"ConfigLows", packed(lows, 2)},
       {"Errors", std::bit_width(register_named(blocks, "ERROR").mask())},
       {"BoundLeast", static_cast<int>(RegisterMap::kBoundLeast)},
       {"BoundReset", static_cast<int>(RegisterMap::kBoundReset)},
       {"Constants", static_cast<int>(identity.size())},
       {"Identity", packed(identity, 8)}},
      join({same(s_axil_),
            pins({"cycle", "spoils", "halt", "parity_now", "hangs_now", "link_now", "links_ok", "head_stale",
                  "head_unknown", "head_framing", "head_vc", "member_error", "head_valid", "head_index", "open",
                  "egress_busy", "space", "owner", "step"},
                 "_i"),
            {{"conflict_i", design_.acc ? "conflict_narrow" : "conflict"},
             {"irq_o", "irq_o"},
             {"halted_i", "holds"},
             {"busy_i", "in_use"},
             {"stopped_i", "stopped"},
             {"spoiled_i", "spoiled"},
             {"hangs_i", "hangs"},
             {"flying_i", "flying"},
             {"close_i", "close"}},
            {{"report_i", "report"},
             {"report_o", "report_of"},
             {"abort_o", "abort"},
             {"hold_o", "hold"},
             {"timeout_o", "timeout_after"}},
            {{"others_o", "others_access"}, {"others_write_o", "others_write"}, {"others_i", "others_answer"}},
            pins({"enable",      "row_bad",    "final_step", "kind",       "op",          "dtype",
                  "granule",     "epoch",      "route",      "in_mask",    "out_mask",    "root",
                  "vc",          "uses",       "clash",      "vc_before",  "bound",       "table_we",
                  "table_index", "table_step", "table_port", "table_dest", "table_route", "table_parity"},
                 "_o")}));
}

void SwitchEmitter::ingress() {
  const Range own{0, ends_};
  add("fred_ingress_bank", "u_ingress",
      {{"Ports", ports_},
       {"Ends", ends_},
       {"PortW", port_w_},
       {"Vcs", vcs_},
       {"Circuits", circuits_},
       {"Width", width_},
       {"Descriptors", descriptors_},
       {"DescW", desc_w_},
       {"Depth", ingress_depth_}},
      join({same(s_axis_),
            pins({"enable", "run", "epoch", "out_mask", "vc"}, "_i"),
            pins(heads(), "_o", own),
            pins({"pop", "launched", "dropped"}, "_i", own),
            {{"data_o", "net_in_data", own}}}));
}

void SwitchEmitter::control() {
  Parameters parameters = {{"Ports", ports_},
                           {"PortW", port_w_},
                           {"StepW", step_w_},
                           {"LinkPorts", link_ports_},
                           {"Vcs", circuits_},
                           {"Classes", vcs_},
                           {"Descriptors", descriptors_},
                           {"Tables", contexts_},
                           {"RouteW", route_w_},
                           {"CountW", count_w_}};
  if (is_static()) {
    parameters.emplace_back("Fixed", 1);
    parameters.emplace_back("Entries", Size(0, fixed_entries()));
  }
  add("fred_control", "u_control", parameters,
      join({pins({"run", "hold", "kind", "granule", "in_mask", "out_mask", "root", "final_step", "repeats", "vc",
                  "circuit", "uses", "clash"},
                 "_i"),
            pins({"halted", "busy", "step"}, "_o"), pins({"close", "closed"}, "_i"), pins({"vc_before", "bound"}, "_i"),
            pins({"table_we", "table_index", "table_step", "table_port", "table_dest", "table_route", "table_parity"},
                 "_i"),
            pins({"head_usable", "head_desc", "head_last", "head_step_end", "head_count", "head_dest", "head_member",
                  "head_stale", "head_unknown"},
                 "_i"),
            pins({"pop"}, "_o"), pins({"space"}, "_i"), pins({"take"}, "_o"),
            pins({"launch",      "launched",     "dropped",     "launch_desc", "launch_dest", "launch_route",
                  "launch_side", "is_send",      "is_alltoall", "deliver",     "step_then",   "open",
                  "egress_busy", "member_error", "halt",        "grant",       "candidate",   "pends",
                  "entry_bad",   "in_packet",    "wanted",      "at_head",     "delivers",    "own_dest"},
                 "_o")}));
}

void SwitchEmitter::supervisor() {
  add("fred_supervisor", "u_supervisor",
      {{"Ports", ports_},
       {"Vcs", circuits_},
       {"Descriptors", descriptors_},
       {"Flight", design_.network_latency() + design_.edge_latency() + 2}},
      join({pins({"enable", "abort"}, "_i"),
            {{"select_i", "report_of"}, {"exponent_i", "timeout_after"}},
            pins({"circuit", "grant", "halted", "busy", "pends", "in_packet", "wanted", "at_head", "delivers",
                  "own_dest", "open", "egress_busy"},
                 "_i"),
            pins({"run", "close"}, "_o"),
            pins({"head_valid", "space"}, "_i"),
            {{"conflict_i", design_.acc ? "conflict_narrow" : "conflict"}},
            pins({"row_bad", "entry_bad", "way_bad", "link_bad"}, "_i"),
            pins({"stopped", "flying", "spoiled", "holds", "in_use", "hangs", "hangs_now", "spoils", "parity_now",
                  "link_now", "cycle", "report"},
                 "_o")}));
}

void SwitchEmitter::launch() {
  add("fred_launch", "u_launch",
      {{"Ports", ports_},
       {"StepW", step_w_},
       {"Vcs", circuits_},
       {"Classes", vcs_},
       {"LinkPorts", link_ports_},
       {"Slots", slots_},
       {"TagW", tag_w_},
       {"Descriptors", descriptors_},
       {"DescW", desc_w_},
       {"RouteW", route_w_},
       {"CountW", count_w_},
       {"OpW", op_w_},
       {"EdgeW", design_.acc ? edge_w_ : 0},
       {"Latency", latency_}},
      join({pins({"op", "epoch", "spoiled", "route", "vc", "slot", "tag", "conversion", "is_send", "is_alltoall",
                  "deliver"},
                 "_i"),
            {{"step_i", "step_then"}},
            pins({"launch", "launch_desc", "launch_dest", "launch_route", "launch_side", "passes", "arrived"}, "_i"),
            {{"net_valid_o", "net_in_valid"},
             {"net_mask_o", "net_in_mask"},
             {"net_route_o", "net_in_route"},
             {"net_op_o", "net_in_op"},
             {"net_conversion_o", "net_conversion"},
             {"due_o", design_.acc ? "acc_out_valid" : "net_out_valid"},
             {"side_o", design_.acc ? "acc_out_side" : "net_out_side"}}}));
}

void SwitchEmitter::network() {
  Instance instance(emit_network(network_, design_, 0).interface(), "u_network");
  instance.connect("clk_i", net("clk_i")).connect("rst_ni", net("rst_ni"));
  const std::string in = design_.acc ? "acc_in_" : "net_in_", out = design_.acc ? "acc_out_" : "net_out_";
  instance.connect("in_valid_i", net(in + "valid")).connect("in_data_i", net(in + "data"));
  instance.connect("in_mask_i", net(in + "mask"));
  if (design_.route_bits() > 0) instance.connect("in_colour_i", net(in + "route"));
  if (design_.op_bits() > 0) instance.connect("in_op_i", net(in + "op"));
  instance.connect("out_mask_o", net("net_came")).connect("out_data_o", net(out + "data"));
  instance.connect("conflict_o", net("net_conflict"));
  module_.blank();
  module_.add(instance);
  add("fred_arrivals", "u_arrivals", {{"Ports", ports_}},
      {{"due_i", out + "valid"}, {"came_i", "net_came"}, {"conflict_i", "net_conflict"}, {"conflict_o", "conflict"}});
  std::vector<verilog::Expr> idle(unused_.begin(), unused_.end());
  if (design_.route_bits() == 0) idle.emplace_back(net(in + "route"));
  if (design_.op_bits() == 0) idle.emplace_back(net(in + "op"));
  if (!idle.empty()) module_.unused("unused_launch", idle);
}

SwitchEmitter::Parameters SwitchEmitter::converter_parameters() const {
  const std::vector<DType> types = design_.dtypes();
  return {{"Ports", ports_},
          {"Width", width_},
          {"Wide", wide_},
          {"Types", static_cast<int>(types.size())},
          {"DTypes", type_codes(types)},
          {"Acc", static_cast<int>(*design_.acc)},
          {"AccW", element_bits(*design_.acc)}};
}

void SwitchEmitter::widen() {
  add("fred_edge_table", "u_edge",
      {{"Ports", ports_}, {"Descriptors", descriptors_}, {"CodeW", op_w_}, {"TypeP", std::max(1, design_.type_bits())}},
      {{"clk_i", "clk_i"},
       {"kind_i", "kind"},
       {"op_i", "op"},
       {"dtype_i", "dtype"},
       {"in_mask_i", "in_mask"},
       {"conversion_o", "conversion"}});
  auto parameters = converter_parameters();
  parameters.insert(parameters.end(), {{"CodeW", op_w_}, {"RouteW", route_w_}});
  add("fred_widen_bank", "u_widen", parameters,
      {{"clk_i", "clk_i"},
       {"rst_ni", "rst_ni"},
       {"valid_i", "net_in_valid"},
       {"data_i", "net_in_data"},
       {"mask_i", "net_in_mask"},
       {"route_i", "net_in_route"},
       {"op_i", "net_in_op"},
       {"conversion_i", "net_conversion"},
       {"valid_o", "acc_in_valid"},
       {"data_o", "acc_in_data"},
       {"mask_o", "acc_in_mask"},
       {"route_o", "acc_in_route"},
       {"op_o", "acc_in_op"}});
}

void SwitchEmitter::narrow() {
  auto parameters = converter_parameters();
  parameters.insert(parameters.end(), {{"SideW", out_w_}});
  add("fred_narrow_bank", "u_narrow", parameters,
      {{"clk_i", "clk_i"},
       {"rst_ni", "rst_ni"},
       {"valid_i", "acc_out_valid"},
       {"data_i", "acc_out_data"},
       {"side_i", "acc_out_side"},
       {"valid_o", "net_out_valid"},
       {"data_o", "net_out_data"},
       {"side_o", "net_out_side"}});
  add("fred_delay_rst", "u_conflict", {{"Width", 1}, {"Depth", 1}},
      {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}, {"data_i", "conflict"}, {"data_o", "conflict_narrow"}});
}

void SwitchEmitter::egress() {
  const Range own{0, ends_};
  Parameters parameters = {{"Ends", ends_},
                           {"StepW", step_w_},
                           {"Vcs", vcs_},
                           {"Circuits", circuits_},
                           {"TagW", has_links() ? tag_w_ : Size(0)},
                           {"Width", width_},
                           {"Descriptors", descriptors_},
                           {"DescW", desc_w_},
                           {"Depth", egress_depth_}};
  if (design_.egress == Egress::kPacket) parameters.emplace_back("Packets", 1);
  add("fred_egress_bank", "u_egress", parameters,
      join({pins({"vc_before", "bound"}, "_i"), egress_pins(own), same(m_axis_)}));
}

std::vector<SwitchEmitter::Pin> SwitchEmitter::egress_pins(Range range) const {
  return {{"take_i", "take", range},
          {"space_o", "space", range},
          {"close_i", "close"},
          {"closed_o", "closed", range},
          {"owner_o", "owner", range},
          {"net_valid_i", "net_out_valid", range},
          {"net_data_i", "net_out_data", range},
          {"net_side_i", "net_out_side", range},
          {"net_error_i", design_.acc ? "conflict_narrow" : "conflict"}};
}

void SwitchEmitter::counters() {
  add("fred_counters", "u_counters",
      {{"Ports", ports_},
       {"Vcs", circuits_},
       {"Descriptors", descriptors_},
       {"WordW", map_.address_bits - 2},
       {"CountersWord", static_cast<int>(RegisterMap::kCounters / 4)},
       {"BeatsWord", static_cast<int>(map_.beats_base / 4)},
       {"LaunchesWord", static_cast<int>(map_.launches_base / 4)}},
      join({pins({"launched"}, "_i"),
            {{"valid_i", leaving("valid")}, {"ready_i", leaving("ready")}, {"tid_i", leaving("id")}},
            pins({"grant", "pends", "candidate", "is_send", "is_alltoall", "in_mask", "wanted", "at_head"}, "_i"),
            {{"access_i", "others_access"}, {"write_i", "others_write"}, {"answer_o", "counters_answer"}}}));
}

verilog::Module emit_switch(const Network& network, const Design& design) {
  return SwitchEmitter(network, design).emit();
}

}  // namespace fred
