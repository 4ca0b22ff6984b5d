// SPDX-License-Identifier: Apache-2.0
// The modules of the interconnect, one for each size of the recursion. A module wires its own microswitches to the
// `middle` instances of the next smaller module; sizes, halves and levels come from Network::shapes.
//
// A level's conventions, which the drawing in each emitted module repeats:
//   in<i>, out<i>   input and output microswitch i;  demux, mux: those of an odd size's last port
//   mid<k>          middle subnetwork k
//   in2_to_mid1_*   output 1 of in2 = input 2 of mid1
//   mid1_to_out2_*  output 2 of mid1 = input 1 of out2
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fred/emit/emit.hpp"

namespace fred {
namespace {

using verilog::Bits;
using verilog::Direction;
using verilog::Expr;
using verilog::Instance;
using verilog::Interface;
using verilog::Module;
using verilog::Net;
using verilog::Size;

constexpr Direction kIn = Direction::kInput;
constexpr Direction kOut = Direction::kOutput;

/// Widths and parameters that all microswitches of one module share.
struct Shape {
  int width;    ///< bits of a beat's data
  int ports;    ///< P, bits of a mask
  int middle;   ///< m
  int colour;   ///< bits of one colour
  int rest;     ///< bits of the colours that inner levels consume; 0 at the last R level
  int op;       ///< bits of an operation: its code and, with several types, the type's number
  bool has_op;  ///< it travels with a beat
};

// Hand-written modules of rtl/ as the writer needs to know them.

Interface r_interface(const Shape& s) {
  const int rest = std::max(1, s.rest);
  return {"fred_uswitch_r",
          {"Middle", "Types", "DTypes", "Ops", "OpW", "Width", "MaskW", "ColourW", "RestW", "Latency", "Check"},
          {{"clk_i", kIn, 1},
           {"rst_ni", kIn, 1},
           {"valid_i", kIn, 2},
           {"data_i", kIn, 2 * s.width},
           {"mask_i", kIn, 2 * s.ports},
           {"colour_i", kIn, 2 * (s.colour + s.rest)},
           {"op_i", kIn, 2 * s.op},
           {"valid_o", kOut, s.middle},
           {"data_o", kOut, s.middle * s.width},
           {"mask_o", kOut, s.middle * s.ports},
           {"colour_o", kOut, s.middle * rest},
           {"op_o", kOut, s.middle * s.op},
           {"conflict_o", kOut, 1}}};
}

Interface demux_interface(const Shape& s) {
  const int rest = std::max(1, s.rest);
  return {"fred_odd_demux",
          {"Middle", "OpW", "Width", "MaskW", "ColourW", "RestW", "Latency", "Check"},
          {{"clk_i", kIn, 1},
           {"rst_ni", kIn, 1},
           {"valid_i", kIn, 1},
           {"data_i", kIn, s.width},
           {"mask_i", kIn, s.ports},
           {"colour_i", kIn, s.colour + s.rest},
           {"op_i", kIn, s.op},
           {"valid_o", kOut, s.middle},
           {"data_o", kOut, s.middle * s.width},
           {"mask_o", kOut, s.middle * s.ports},
           {"colour_o", kOut, s.middle * rest},
           {"op_o", kOut, s.middle * s.op},
           {"conflict_o", kOut, 1}}};
}

Interface rd_interface(const Shape& s) {
  return {"fred_uswitch_rd",
          {"Types", "DTypes", "Ops", "OpW", "Width", "MaskW", "SplitAt", "Latency", "Check"},
          {{"clk_i", kIn, 1},
           {"rst_ni", kIn, 1},
           {"valid_i", kIn, 2},
           {"data_i", kIn, 2 * s.width},
           {"mask_i", kIn, 2 * s.ports},
           {"op_i", kIn, 2 * s.op},
           {"mask_o", kOut, s.ports},
           {"data_o", kOut, 2 * s.width},
           {"conflict_o", kOut, 1}}};
}

/// `mask` = ports behind the microswitch.
Interface d_interface(const Shape& s, int mask) {
  return {"fred_uswitch_d",
          {"Middle", "Width", "MaskW", "SplitAt", "Registered", "Check"},
          {{"clk_i", kIn, 1},
           {"rst_ni", kIn, 1},
           {"mask_i", kIn, s.middle * mask},
           {"data_i", kIn, s.middle * s.width},
           {"mask_o", kOut, mask},
           {"data_o", kOut, 2 * s.width},
           {"conflict_o", kOut, 1}}};
}

Interface mux_interface(const Shape& s, int mask) {
  return {"fred_odd_mux",
          {"Middle", "Width", "MaskW", "Registered", "Check"},
          {{"clk_i", kIn, 1},
           {"rst_ni", kIn, 1},
           {"mask_i", kIn, s.middle * mask},
           {"data_i", kIn, s.middle * s.width},
           {"mask_o", kOut, mask},
           {"data_o", kOut, s.width},
           {"conflict_o", kOut, 1}}};
}

Interface delay_interface() {
  return {"fred_delay_rst",
          {"Width", "Depth"},
          {{"clk_i", kIn, 1}, {"rst_ni", kIn, 1}, {"data_i", kIn, 1}, {"data_o", kOut, 1}}};
}

/// The links of the input side that one kind of signal makes: link[i][k] joins entry i and middle k.
using Links = std::vector<std::vector<Net>>;

/// Column k: what all entries send to middle k, entry 0 in the low bits.
Expr to_middle(const Links& links, int k) {
  std::vector<Expr> items;
  for (const auto& row : links) items.push_back(row[static_cast<std::size_t>(k)]);
  return verilog::pack(std::move(items));
}

/// A row, element 0 in the low bits.
Expr all_of(const std::vector<Net>& nets) { return verilog::pack({nets.begin(), nets.end()}); }

/// One row of the drawing.
struct DrawnRow {
  std::string ports;  ///< "ports 0, 1"
  std::string in;     ///< "in0 (R)"
  std::string out;    ///< "out0 (D)"
};

std::string draw(const LevelShape& shape, int middle) {
  constexpr int kAll = 10;  // entries drawn without leaving any out
  const int entries = shape.half + (shape.odd ? 1 : 0);
  std::vector<DrawnRow> rows;
  for (int i = 0; i < entries; ++i) {
    if (entries > kAll && i == 3) {
      rows.push_back({"...", "...", "..."});
      i = entries - 3;
    }
    if (i == shape.half) {
      rows.push_back({fmt::format("port {}", 2 * i), "demux", "mux"});
    } else {
      rows.push_back(
          {fmt::format("ports {}, {}", 2 * i, 2 * i + 1), fmt::format("in{} (R)", i), fmt::format("out{} (D)", i)});
    }
  }
  const auto column = [&rows](std::string DrawnRow::*text) {
    std::size_t size = 0;
    for (const DrawnRow& row : rows) size = std::max(size, (row.*text).size());
    return size;
  };
  const std::string first = middle == 2 ? "mid0, mid1" : fmt::format("mid0 .. mid{}", middle - 1);
  const std::string second = fmt::format("FRED_{}({})", middle, shape.middle_size);
  const std::size_t box = std::max(first.size(), second.size());
  const std::size_t at = (rows.size() - 1) / 2;  // row of the centre's first line; there are at least two rows
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DrawnRow& row = rows[i];
    out += fmt::format("  {:<{}} --> {:<{}} --+{} {:<{}} {}+--> {:<{}} --> {}\n", row.ports, column(&DrawnRow::ports),
                       row.in, column(&DrawnRow::in), i == at ? "-->" : "   ",
                       i == at       ? first
                       : i == at + 1 ? second
                                     : "",
                       box, i == at ? "--" : "  ", row.out, column(&DrawnRow::out), row.ports);
  }
  return out;
}

/// "ports 4..7" or "port 8" of the switch, behind `n` ports from `first` on.
std::string ports_text(int first, int n) {
  return n == 1 ? fmt::format("port {}", first) : fmt::format("ports {}..{}", first, first + n - 1);
}

/// Builds one module.
class NetworkEmitter {
 public:
  NetworkEmitter(const Network& network, const Design& design, int level)
      : network_(network),
        design_(design),
        level_(level),
        shape_{design.network_width(), design.radix,         design.middle, design.colour_bits(), 0,
               design.op_width(),      design.op_bits() != 0},
        size_(level < static_cast<int>(network.shapes.size()) ? network.shapes[static_cast<std::size_t>(level)].size
                                                              : 2),
        module_(network_module_name(size_, design.middle)) {
    const int inner = network.levels() - 1 - level;  // levels whose colours are still to be consumed
    colours_ = inner * shape_.colour;
    shape_.rest = std::max(0, colours_ - shape_.colour);
  }

  Module emit() {
    if (size_ == 2) {
      header_of_two();
    } else {
      header_of_level();
    }
    ports();
    constants();
    if (size_ == 2) {
      body_of_two();
    } else {
      body_of_level();
    }
    return module_;
  }

 private:
  [[nodiscard]] const LevelShape& level_shape() const { return network_.shapes[static_cast<std::size_t>(level_)]; }
  /// Entry i of the output side: first port of the switch behind it, and how many there are.
  [[nodiscard]] int first_port(int i) const { return i << (level_ + 1); }
  [[nodiscard]] int port_count(int i) const { return std::min(design_.radix, first_port(i + 1)) - first_port(i); }

  void title() {
    module_.header(
        fmt::format("FRED_{}({}), level {} of a switch of {} ports.", design_.middle, size_, level_, design_.radix));
    module_.header(provenance(design_));
    module_.header("");
  }

  void header_of_two() {
    title();
    const int split = 1 << level_;
    module_.header(
        fmt::format("  input 0 --+      +--> output 0: {} of the switch\n"
                    "            +- RD -+\n"
                    "  input 1 --+      +--> output 1: {} of the switch",
                    ports_text(0, split), ports_text(split, design_.radix - split)));
  }

  void header_of_level() {
    const LevelShape& s = level_shape();
    title();
    module_.header(draw(s, design_.middle));
    module_.header("Output k of in<i> is input i of mid<k>; output i of mid<k> is input k of out<i>.");
    if (s.odd)
      module_.header(fmt::format("The odd port, {}, uses the last input and output of each middle.", s.size - 1));
    if (level_ > 0) {
      module_.header(fmt::format("Behind output i are the ports {}i .. {}i+{} of the switch, as far as it has them.",
                                 1 << level_, 1 << level_, (1 << level_) - 1));
    }
    if (!registered(level_)) module_.header("The D here are wires: their register is in an outer level (--pipeline).");
  }

  void ports() {
    clk_.push_back(module_.input("clk_i"));
    clk_.push_back(module_.input("rst_ni"));
    module_.port_comment("Beats in; the mask names the ports of the switch that a beat goes to.");
    in_.push_back(module_.input("in_valid_i", {1, size_}));
    in_.push_back(module_.input("in_data_i", {data_, size_}));
    in_.push_back(module_.input("in_mask_i", {mask_, size_}));
    if (colours_ > 0) in_colour_.push_back(module_.input("in_colour_i", {in_colour_width(), size_}));
    if (shape_.has_op) in_op_.push_back(module_.input("in_op_i", {op_width_, size_}));
    module_.port_comment("Beats out; a mask bit is the valid bit of the port's beat.");
    out_.push_back(module_.output("out_mask_o", {1, design_.radix}));
    out_.push_back(module_.output("out_data_o", {data_, size_}));
    module_.port_comment("Pulse: beats that are not of one flow met.");
    out_.push_back(module_.output("conflict_o"));
  }

  void constants() {
    std::string names;
    for (const Op op : kAllOps) {
      if ((design_.op_mask() >> static_cast<int>(op) & 1) == 0) continue;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(op));
    }
    module_.blank();
    const std::vector<DType> types = design_.network_dtypes();
    types_ = module_.localparam("Types", static_cast<int>(types.size()), "element types");
    dtypes_ = module_.localparam("DTypes", type_codes(types), names_of(types));
    ops_ = module_.localparam("Ops", design_.op_mask(), names);
    op_parameter_ = module_.localparam(op_width_.text, op_width_.value, "bits of an operation, type included");
    module_.localparam(data_.text, data_.value, "bits of a beat's data");
    module_.localparam(mask_.text, mask_.value, "ports of the switch");
    if (size_ > 2) {
      middle_ = module_.localparam("Middle", design_.middle, "middle subnetworks");
      colour_width_ = module_.localparam("ColourW", shape_.colour, "bits of this level's colour");
      rest_width_ = module_.localparam("RestColourW", shape_.rest, "bits of the inner levels' colours");
      module_.localparam(in_colour_width().text, colours_, "bits of all colours of a beat that enters");
    }
    latency_ = module_.localparam("AdderLatency", design_.adder_latency, "cycles of a reducing stage");
    if (size_ > 2) {
      registered_ =
          module_.localparam("Registered", registered(level_) ? 1 : 0, "1: a distributing stage has a register");
    }
    check_ = module_.localparam("Check", design_.conflict_check ? 1 : 0, "1: conflicts are detected");
  }

  /// A register at this level's D: every K-th distributing stage counted from the centre, and the outermost.
  [[nodiscard]] bool registered(int level) const {
    const int from_centre = network_.levels() - 1 - level;
    return level == 0 || from_centre % design_.pipeline == 0;
  }

  /// The operation of inputs first..first+n-1, or the only one built in.
  [[nodiscard]] Expr op_of(int first, int n) const {
    if (shape_.has_op) return in_op_.front().elements(first, n);
    const int code = std::countr_zero(static_cast<unsigned>(design_.op_mask()));
    return verilog::constant(shape_.op * n, n == 1 ? code : code << shape_.op | code);
  }

  /// Register stages from an input of the subnetwork of a level to its outputs.
  [[nodiscard]] int stages(int level) const {
    const int last = network_.levels() - 1;
    if (level == last) return design_.adder_latency;
    return design_.adder_latency + stages(level + 1) + (registered(level) ? 1 : 0);
  }

  /// `name`: what `input` was `cycles` ago.
  Expr delayed(const std::string& name, const Expr& input, int cycles) {
    if (cycles == 0 || !design_.conflict_check) return input;
    Net net = module_.wire(name);
    module_.blank();
    module_.add(Instance(delay_interface(), "u_" + name)
                    .parameter("Width", 1)
                    .parameter("Depth", cycles)
                    .connect("clk_i", clk_[0])
                    .connect("rst_ni", clk_[1])
                    .connect("data_i", input)
                    .connect("data_o", net));
    return net;
  }

  void body_of_two() {
    const Net met = module_.wire("met");
    module_.blank();
    module_.add(Instance(rd_interface(shape_), "u_rd")
                    .parameter("Types", types_)
                    .parameter("DTypes", dtypes_)
                    .parameter("Ops", ops_)
                    .parameter("OpW", op_parameter_)
                    .parameter("Width", data_)
                    .parameter("MaskW", mask_)
                    .parameter("SplitAt", 1 << level_)
                    .parameter("Latency", latency_)
                    .parameter("Check", check_)
                    .connect("clk_i", clk_[0])
                    .connect("rst_ni", clk_[1])
                    .connect("valid_i", in_[0])
                    .connect("data_i", in_[1])
                    .connect("mask_i", in_[2])
                    .connect("op_i", op_of(0, 2))
                    .connect("mask_o", out_[0])
                    .connect("data_o", out_[1])
                    .connect("conflict_o", met));
    const Expr conflict = delayed("met_before", met, design_.adder_latency - 1);
    module_.blank();
    module_.assign(out_[2], conflict);
  }

  void body_of_level() {
    const LevelShape& s = level_shape();
    const int entries = s.half + (s.odd ? 1 : 0);
    const auto entry = [&](int i, const char* side, const char* odd) {
      return i == s.half ? std::string(odd) : fmt::format("{}{}", side, i);
    };
    const auto middles = [&](const auto& name) {
      std::vector<std::string> names;
      for (int k = 0; k < s_middle(); ++k) names.push_back(name(k));
      return names;
    };

    module_.comment("Links from the input microswitches to the middle subnetworks.");
    for (int i = 0; i < entries; ++i) {
      const std::string from = entry(i, "in", "demux");
      const auto links = [&](const char* what, const Bits& bits) {
        return module_.wires(middles([&](int k) { return fmt::format("{}_to_mid{}_{}", from, k, what); }), bits);
      };
      if (i > 0) module_.blank();
      valid_.push_back(links("valid", {}));
      in_data_.push_back(links("data", {data_}));
      in_mask_.push_back(links("mask", {mask_}));
      if (shape_.rest > 0) {
        colour_.push_back(links("colour", {rest_width_}));
      } else {
        unused_.push_back(module_.wire(from + "_unused_colour", {1, s_middle()}));
      }
      if (shape_.has_op) {
        op_.push_back(links("op", {op_width_}));
      } else {
        unused_.push_back(module_.wire(from + "_unused_op", {op_width_, s_middle()}));
      }
    }

    module_.comment("Links from the middle subnetworks to the output microswitches.");
    for (int i = 0; i < entries; ++i) {
      const std::string to = entry(i, "out", "mux");
      const auto links = [&](const char* what, const Bits& bits) {
        return module_.wires(middles([&](int k) { return fmt::format("mid{}_to_{}_{}", k, to, what); }), bits);
      };
      if (i > 0) module_.blank();
      out_mask_.push_back(links("mask", {port_count(i)}));
      out_data_.push_back(links("data", {data_}));
    }

    module_.blank();
    const Net in_conflict = module_.wire("in_conflict", {1, entries});
    const Net mid_conflict = module_.wire("mid_conflict", {1, s_middle()});
    const Net out_conflict = module_.wire("out_conflict", {1, entries});

    module_.comment("Input microswitches.");
    for (int i = 0; i < entries; ++i) input_microswitch(i, i == s.half, in_conflict.element(i));
    module_.comment("Middle subnetworks.");
    const Interface middle = NetworkEmitter(network_, design_, level_ + 1).emit().interface();
    for (int k = 0; k < s_middle(); ++k) middle_subnetwork(middle, k, mid_conflict.element(k));
    module_.comment("Output microswitches.");
    for (int i = 0; i < entries; ++i) output_microswitch(i, i == s.half, out_conflict.element(i));

    module_.blank();
    module_.comment("A conflict is shown together with the beats that it spoils: microswitches see it a cycle after");
    module_.comment("they are reached.");
    const int inner = stages(level_ + 1);
    const Net before = module_.wire("before_out");
    const Expr at_input = delayed("met_at_input", verilog::any(in_conflict), design_.adder_latency - 1 + inner);
    module_.assign(before, verilog::any(verilog::concat({at_input, mid_conflict})));
    const Expr at_output = delayed("met_before_out", before, registered(level_) ? 1 : 0);
    module_.assign(out_[2], verilog::any(verilog::concat({at_output, out_conflict})));
    if (!unused_.empty()) {
      module_.blank();
      module_.unused("unused_links", {unused_.begin(), unused_.end()});
    }
  }

  void input_microswitch(int i, bool odd, const Expr& conflict) {
    const auto at = static_cast<std::size_t>(i);
    const int inputs = odd ? 1 : 2;
    Instance instance(odd ? demux_interface(shape_) : r_interface(shape_), odd ? "u_demux" : fmt::format("u_in{}", i));
    instance.parameter("Middle", middle_);
    if (!odd) {
      instance.parameter("Types", types_).parameter("DTypes", dtypes_).parameter("Ops", ops_);
    }
    instance.parameter("OpW", op_parameter_);
    instance.parameter("Width", data_)
        .parameter("MaskW", mask_)
        .parameter("ColourW", colour_width_)
        .parameter("RestW", rest_width_)
        .parameter("Latency", latency_)
        .parameter("Check", check_)
        .connect("clk_i", clk_[0])
        .connect("rst_ni", clk_[1])
        .connect("valid_i", in_[0].elements(2 * i, inputs))
        .connect("data_i", in_[1].elements(2 * i, inputs))
        .connect("mask_i", in_[2].elements(2 * i, inputs))
        .connect("colour_i", in_colour_.front().elements(2 * i, inputs))
        .connect("op_i", op_of(2 * i, inputs))
        .connect("valid_o", all_of(valid_[at]))
        .connect("data_o", all_of(in_data_[at]))
        .connect("mask_o", all_of(in_mask_[at]));
    std::size_t spare = at * static_cast<std::size_t>((shape_.rest > 0 ? 0 : 1) + (shape_.has_op ? 0 : 1));
    instance.connect("colour_o", shape_.rest > 0 ? all_of(colour_[at]) : Expr(unused_[spare++]));
    instance.connect("op_o", shape_.has_op ? all_of(op_[at]) : Expr(unused_[spare]));
    instance.connect("conflict_o", conflict);
    if (i > 0) module_.blank();
    module_.add(instance);
  }

  void middle_subnetwork(const Interface& interface, int k, const Expr& conflict) {
    Instance instance(interface, fmt::format("u_mid{}", k));
    instance.connect("clk_i", clk_[0])
        .connect("rst_ni", clk_[1])
        .connect("in_valid_i", to_middle(valid_, k))
        .connect("in_data_i", to_middle(in_data_, k))
        .connect("in_mask_i", to_middle(in_mask_, k));
    if (shape_.rest > 0) instance.connect("in_colour_i", to_middle(colour_, k));
    if (shape_.has_op) instance.connect("in_op_i", to_middle(op_, k));
    instance.connect("out_mask_o", to_middle(out_mask_, k))
        .connect("out_data_o", to_middle(out_data_, k))
        .connect("conflict_o", conflict);
    if (k > 0) module_.blank();
    module_.add(instance);
  }

  void output_microswitch(int i, bool odd, const Expr& conflict) {
    const auto at = static_cast<std::size_t>(i);
    const int mask = port_count(i);
    Instance instance(odd ? mux_interface(shape_, mask) : d_interface(shape_, mask),
                      odd ? "u_mux" : fmt::format("u_out{}", i));
    instance.parameter("Middle", middle_).parameter("Width", data_).parameter("MaskW", mask);
    if (!odd) instance.parameter("SplitAt", 1 << level_);
    instance.parameter("Registered", registered_)
        .parameter("Check", check_)
        .connect("clk_i", clk_[0])
        .connect("rst_ni", clk_[1])
        .connect("mask_i", all_of(out_mask_[at]))
        .connect("data_i", all_of(out_data_[at]))
        .connect("mask_o", out_[0].bits(first_port(i), mask))
        .connect("data_o", out_[1].elements(2 * i, odd ? 1 : 2))
        .connect("conflict_o", conflict);
    if (i > 0) module_.blank();
    module_.add(instance);
  }

  [[nodiscard]] int s_middle() const { return shape_.middle; }
  [[nodiscard]] Size in_colour_width() const { return {colours_, "InColourW"}; }

  const Network& network_;
  const Design& design_;
  int level_;
  Shape shape_;
  int size_;                                     // ports of this subnetwork
  int colours_ = 0;                              // bits of the colours that enter
  Module module_;                                // grows
  Size op_width_{design_.op_width(), "OpW"};     // bits of an operation
  Size data_{design_.network_width(), "DataW"};  // bits of a beat's data
  Size mask_{design_.radix, "Ports"};            // bits of an input-side mask
  // The other localparams, once they are declared.
  Size types_ = 0, dtypes_ = 0, ops_ = 0, op_parameter_ = 0, middle_ = 0, colour_width_ = 0, rest_width_ = 0,
       latency_ = 0, registered_ = 0, check_ = 0;
  std::vector<Net> clk_;                           // clk_i, rst_ni
  std::vector<Net> in_;                            // in_valid_i, in_data_i, in_mask_i
  std::vector<Net> in_colour_, in_op_;             // one, or none where absent
  std::vector<Net> out_;                           // out_mask_o, out_data_o, conflict_o
  Links valid_, in_data_, in_mask_, colour_, op_;  // [entry][middle], input side
  Links out_mask_, out_data_;                      // [entry][middle], output side
  std::vector<Net> unused_;  // outputs of R and demux that this design has no use for, entry by entry
};

}  // namespace

std::string network_module_name(int size, int middle) { return fmt::format("fred_net_p{}_m{}", size, middle); }

Module emit_network(const Network& network, const Design& design, int level) {
  return NetworkEmitter(network, design, level).emit();
}

}  // namespace fred
