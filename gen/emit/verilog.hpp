// SPDX-License-Identifier: Apache-2.0
// A small typed writer of structural SystemVerilog: ports, localparams, wires, assigns and instances, in the order
// in which they are added. It knows the width of everything it can, so that a generator's mistake is an exception
// here and not a warning of a tool later.
//
//   using namespace fred::verilog;
//   Module m("pair");                                    // module pair (
//   m.header("Two halves of a pair.");
//   const Net clk = m.input("clk_i");                    //   input  wire logic        clk_i,
//   const Net in = m.input("data_i", {8, 2});            //   input  wire logic [2*8-1:0] data_i,
//   const Net out = m.output("data_o", {8, 2});          //   output logic      [2*8-1:0] data_o
//                                                        // );
//   const Size w = m.localparam("DataW", 8);             //   localparam int DataW = 8;
//   const Net wire = m.wire("left_to_right", {w});       //   logic [DataW-1:0] left_to_right;
//   m.add(Instance(half, "u_left")                       //   fred_half #(
//             .parameter("Width", w)                     //     .Width(DataW)
//             .connect("clk_i", clk)                     //   ) u_left (
//             .connect("data_i", in.element(0))          //     .clk_i (clk_i),
//             .connect("data_o", wire));                 //     .data_i(data_i[0*8 +: 8]), ...
//   m.assign(out.element(0), wire);                      //   assign data_o[0*8 +: 8] = left_to_right;
//   std::string text = m.text();
//
// Checked, with std::logic_error that names module and net: a name declared twice; a net that is not declared here;
// a width that differs on the two sides of an assign or a connection; a port that the instantiated module does not
// have, or that is left out; an output connected to what cannot be driven; a bit driven twice; a wire or output with
// a bit that nothing drives. There is no way to connect by position.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fred::verilog {

/// A number and how it is written: `Size(8)` is "8", a localparam is written by its name.
struct Size {
  Size(int number)
      : value(number), text(std::to_string(number)) {}  // NOLINT(google-explicit-constructor): a number is a size
  Size(int number, std::string written) : value(number), text(std::move(written)) {}
  int value;         ///< the number
  std::string text;  ///< how it is written
};

/// The shape of a net: `count` elements of `width` bits each, element 0 in the low bits.
///   {1}     -> a scalar      {1, 8}  -> [7:0]
///   {32}    -> [31:0]        {32, 8} -> [8*32-1:0]      {DataW, 8} -> [8*DataW-1:0]
struct Bits {
  Bits(Size element_width = 1, int elements = 1)  // NOLINT(google-explicit-constructor): {w} reads as a shape
      : width(std::move(element_width)), count(elements) {}
  Size width;                                                      ///< bits of an element
  int count = 1;                                                   ///< elements
  [[nodiscard]] int total() const { return width.value * count; }  ///< bits
};

/// Part of a net that an expression uses.
struct Part {
  std::string net;  ///< name
  int low = 0;      ///< lowest bit
  int width = 0;    ///< bits
};

/// Something that can stand on the right of an assign or in a connection.
class Expr {
 public:
  /// Any text. `width` 0 = unknown, not checked. `parts` = the nets it reads. The general form: raw("a & b", 1, {..}).
  static Expr raw(std::string text, int width, std::vector<Part> parts);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  /// A net, a part of one, or a concatenation of these: can be driven.
  [[nodiscard]] bool drivable() const { return drivable_; }

 private:
  friend class Net;
  friend Expr concat(const std::vector<Expr>& items);
  std::string text_;         // as written
  int width_ = 0;            // bits, 0 = unknown
  std::vector<Part> parts_;  // nets used, for the checks
  bool drivable_ = false;    // may stand on the left of an assign
};

/// A declared net: a port or a wire.
class Net {
 public:
  Net(std::string name, Bits bits) : name_(std::move(name)), bits_(std::move(bits)) {}
  operator Expr() const;  // NOLINT(google-explicit-constructor): a net is an expression
  /// Element i: `data_i[3*DataW +: DataW]`, or `valid_i[3]` where an element is one bit.
  [[nodiscard]] Expr element(int i) const { return elements(i, 1); }
  /// Elements first..first+n-1: `data_i[2*DataW +: 2*DataW]`, `valid_i[3:2]`; all of them: `data_i`.
  [[nodiscard]] Expr elements(int first, int n) const;
  /// Bits low..low+width-1, whatever the elements are: `mask[5:4]`.
  [[nodiscard]] Expr bits(int low, int width) const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Bits& shape() const { return bits_; }

 private:
  [[nodiscard]] Expr part(std::string select, int low, int width) const;
  std::string name_;
  Bits bits_;
};

/// `{a, b, c}`, a in the high bits, as in Verilog. One item alone is written without braces.
[[nodiscard]] Expr concat(const std::vector<Expr>& items);
/// The items as elements of a vector, item 0 in the low bits: `{c, b, a}`.
[[nodiscard]] Expr pack(std::vector<Expr> items);
/// `2'd3`.
[[nodiscard]] Expr constant(int width, int value);
/// `|a`.
[[nodiscard]] Expr any(const Expr& operand);

enum class Direction { kInput, kOutput };

/// What an instance can be connected to: the ports and parameters of a module, hand-written or emitted.
struct Interface {
  struct Port {
    std::string name;
    Direction direction = Direction::kInput;
    int width = 0;  ///< bits, for the parameters given; 0 = unknown, not checked
  };
  std::string module;                   ///< module name
  std::vector<std::string> parameters;  ///< names of its parameters
  std::vector<Port> ports;              ///< in order
};

/// One instance; see the example above. Ports are written in the order in which they are connected.
class Instance {
 public:
  Instance(Interface interface, std::string name) : interface_(std::move(interface)), name_(std::move(name)) {}
  /// `.Width(DataW)`. Throws std::logic_error if the module has no such parameter.
  Instance& parameter(const std::string& name, const Size& value);
  /// `.data_i(wire)`. Throws std::logic_error on an unknown port, a second connection or another width.
  Instance& connect(const std::string& port, const Expr& to);

  [[nodiscard]] const Interface& interface() const { return interface_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Parameters given, in order.
  [[nodiscard]] const std::vector<std::pair<std::string, Size>>& parameters() const { return parameters_; }

 private:
  friend class Module;
  Interface interface_;                                    // what it is an instance of
  std::string name_;                                       // instance name, "u_in0"
  std::vector<std::pair<std::string, Size>> parameters_;   // in order
  std::vector<std::pair<std::string, Expr>> connections_;  // in order
};

/// One module; see the example above.
class Module {
 public:
  explicit Module(std::string name);

  /// Text on top of the file, below the SPDX line; lines without the leading "// ". An empty line is kept.
  void header(std::string_view text);

  Net input(const std::string& name, const Bits& bits = {});
  Net output(const std::string& name, const Bits& bits = {});
  /// A comment line between the ports, after an empty line.
  void port_comment(std::string_view text);

  /// `localparam int DataW = 32;  // bits of a beat's data`
  Size localparam(const std::string& name, int value, std::string_view comment = {});
  /// `logic [DataW-1:0] name;`
  Net wire(const std::string& name, const Bits& bits = {});
  /// One declaration of several: `logic [DataW-1:0] a, b;`
  std::vector<Net> wires(const std::vector<std::string>& names, const Bits& bits = {});
  /// Comment lines after an empty line.
  void comment(std::string_view text);
  void blank();
  /// `assign to = from;`
  void assign(const Expr& to, const Expr& from);
  void add(const Instance& instance);
  /// Takes in what nothing reads, so that lint needs no waiver: `logic unused_x; assign unused_x = ^{...};`
  void unused(const std::string& name, const std::vector<Expr>& items);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// For instances of this module.
  [[nodiscard]] Interface interface() const;
  /// The instance of this name, or null.
  [[nodiscard]] const Instance* find_instance(std::string_view instance) const;
  /// Names of the modules that this one instantiates, in order, without repetition.
  [[nodiscard]] std::vector<std::string> instantiates() const;
  /// Names of all instances' modules, in order.
  [[nodiscard]] const std::vector<std::string>& instances() const { return instances_; }
  /// The whole file. Throws std::logic_error if a wire or an output has a bit that nothing drives.
  [[nodiscard]] std::string text() const;

 private:
  struct PortLine {
    Direction direction = Direction::kInput;
    std::string range;    // "[7:0]" or empty
    std::string name;     // empty: a comment
    std::string comment;  // its text
  };
  struct Declaration {
    std::string kind;                // "logic", "localparam int"
    std::string range;               // "[7:0]" or empty
    std::vector<std::string> names;  // nets; of a localparam "DataW = 32"
    std::string comment;             // at the end of the line
  };
  struct Line {
    std::string text;  // without indentation
  };
  struct NetState {
    bool input = false;        // a port that may only be read
    std::vector<bool> driven;  // for each bit: something drives it
  };
  void declare(const std::string& name, int width, bool input);
  void check_reads(const Expr& expr, const std::string& where) const;
  void drive(const Expr& expr, const std::string& where);
  [[noreturn]] void fail(const std::string& message) const;

  std::string name_;
  std::string header_;                                           // comment lines, ready
  std::vector<PortLine> ports_;                                  // in order
  std::vector<std::variant<Declaration, Line, Instance>> body_;  // in order
  std::map<std::string, NetState> nets_;                         // ports and wires
  std::vector<std::string> names_;                               // localparams and instances
  std::vector<std::string> instances_;                           // module of each instance
  Interface interface_;                                          // grows with the ports
};

}  // namespace fred::verilog
