// SPDX-License-Identifier: Apache-2.0
// Checks happen when a thing is added, so that the exception's call stack names the culprit; text() only lays out:
// columns of ports, declarations and connections are aligned, and long lists are wrapped after a comma.
#include "fred/emit/verilog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fred::verilog {
namespace {

constexpr std::size_t kLineLength = 110;  // columns

/// "[7:0]" for a shape; empty for a scalar. `numbers`: localparams are written by their values, for the port list.
std::string range(const Bits& bits, bool numbers) {
  const std::string width = numbers ? std::to_string(bits.width.value) : bits.width.text;
  const bool symbol = width != std::to_string(bits.width.value);
  if (bits.count == 1 && bits.width.value == 1 && !symbol) return "";
  if (bits.count == 1) return symbol ? fmt::format("[{}-1:0]", width) : fmt::format("[{}:0]", bits.width.value - 1);
  if (bits.width.value == 1 && !symbol) return fmt::format("[{}:0]", bits.count - 1);
  return fmt::format("[{}*{}-1:0]", bits.count, width);
}

/// Breaks a line after commas; later lines are indented to column `hang`.
std::string wrap(const std::string& line, std::size_t hang) {
  std::string out;
  std::size_t start = 0;   // of what is still to be written
  std::size_t column = 0;  // where it goes
  while (line.size() - start + column > kLineLength) {
    std::size_t cut = line.rfind(", ", start + kLineLength - column - 1);
    if (cut == std::string::npos || cut <= start) cut = line.find(", ", start);
    if (cut == std::string::npos) break;
    out += line.substr(start, cut + 1 - start) + "\n" + std::string(hang, ' ');
    start = cut + 2;
    column = hang;
  }
  return out + line.substr(start);
}

std::string comment_lines(std::string_view text, std::string_view indent) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out += fmt::format("{}//{}{}\n", indent, line.empty() ? "" : " ", line);
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

template <typename Container, typename Text>
std::size_t longest(const Container& items, Text text) {
  std::size_t size = 0;
  for (const auto& item : items) size = std::max(size, text(item).size());
  return size;
}

}  // namespace

// --- Expressions ---

Expr Expr::raw(std::string text, int width, std::vector<Part> parts) {
  Expr expr;
  expr.text_ = std::move(text);
  expr.width_ = width;
  expr.parts_ = std::move(parts);
  return expr;
}

Expr Net::part(std::string select, int low, int width) const {
  if (low < 0 || width < 1 || low + width > bits_.total()) {
    throw std::logic_error(
        fmt::format("{}: bits {}..{} are outside its {} bits", name_, low, low + width - 1, bits_.total()));
  }
  if (width == bits_.total()) select.clear();
  Expr expr = Expr::raw(name_ + select, width, {{name_, low, width}});
  expr.drivable_ = true;
  return expr;
}

Net::operator Expr() const { return part("", 0, bits_.total()); }

Expr Net::elements(int first, int n) const {
  const int width = bits_.width.value;
  const std::string& w = bits_.width.text;
  std::string select;
  if (w == "1") {
    select = n == 1 ? fmt::format("[{}]", first) : fmt::format("[{}:{}]", first + n - 1, first);
  } else {
    select = n == 1 ? fmt::format("[{}*{} +: {}]", first, w, w) : fmt::format("[{}*{} +: {}*{}]", first, w, n, w);
  }
  return part(std::move(select), first * width, n * width);
}

Expr Net::bits(int low, int width) const {
  return part(width == 1 ? fmt::format("[{}]", low) : fmt::format("[{}:{}]", low + width - 1, low), low, width);
}

Expr concat(const std::vector<Expr>& items) {
  if (items.empty()) throw std::logic_error("a concatenation of nothing");
  if (items.size() == 1) return items.front();
  Expr all;
  all.drivable_ = true;
  bool known = true;
  for (const Expr& item : items) {
    all.text_ += (all.text_.empty() ? "{" : ", ") + item.text();
    known = known && item.width() != 0;
    all.width_ += item.width();
    all.parts_.insert(all.parts_.end(), item.parts().begin(), item.parts().end());
    all.drivable_ = all.drivable_ && item.drivable();
  }
  all.text_ += "}";
  if (!known) all.width_ = 0;
  return all;
}

Expr pack(std::vector<Expr> items) {
  std::reverse(items.begin(), items.end());
  return concat(items);
}

Expr constant(int width, int value) { return Expr::raw(fmt::format("{}'d{}", width, value), width, {}); }

Expr any(const Expr& operand) { return Expr::raw("|" + operand.text(), 1, operand.parts()); }

// --- Instances ---

Instance& Instance::parameter(const std::string& name, const Size& value) {
  if (std::find(interface_.parameters.begin(), interface_.parameters.end(), name) == interface_.parameters.end()) {
    throw std::logic_error(fmt::format("{} {}: there is no parameter {}", interface_.module, name_, name));
  }
  parameters_.emplace_back(name, value);
  return *this;
}

Instance& Instance::connect(const std::string& port, const Expr& to) {
  const auto found = std::find_if(interface_.ports.begin(), interface_.ports.end(),
                                  [&](const Interface::Port& candidate) { return candidate.name == port; });
  const std::string where = fmt::format("{} {}: port {}", interface_.module, name_, port);
  if (found == interface_.ports.end()) throw std::logic_error(where + " does not exist");
  for (const auto& connection : connections_) {
    if (connection.first == port) throw std::logic_error(where + " is connected twice");
  }
  if (found->width != 0 && to.width() != 0 && found->width != to.width()) {
    throw std::logic_error(fmt::format("{} has {} bits, {} has {}", where, found->width, to.text(), to.width()));
  }
  if (found->direction == Direction::kOutput && !to.drivable()) {
    throw std::logic_error(fmt::format("{} is an output and cannot drive {}", where, to.text()));
  }
  connections_.emplace_back(port, to);
  return *this;
}

// --- Modules ---

Module::Module(std::string name) : name_(std::move(name)) { interface_.module = name_; }

void Module::fail(const std::string& message) const { throw std::logic_error(name_ + ": " + message); }

void Module::declare(const std::string& name, int width, bool input) {
  if (width < 1) fail(fmt::format("{} has {} bits", name, width));
  if (nets_.count(name) != 0 || std::find(names_.begin(), names_.end(), name) != names_.end()) {
    fail(name + " is declared twice");
  }
  nets_[name] = {input, std::vector<bool>(static_cast<std::size_t>(width), input)};
}

void Module::check_reads(const Expr& expr, const std::string& where) const {
  for (const Part& part : expr.parts()) {
    const auto net = nets_.find(part.net);
    if (net == nets_.end()) fail(fmt::format("{}: {} is not declared", where, part.net));
    if (part.low + part.width > static_cast<int>(net->second.driven.size())) {
      fail(fmt::format("{}: {} has only {} bits", where, part.net, net->second.driven.size()));
    }
  }
}

void Module::drive(const Expr& expr, const std::string& where) {
  check_reads(expr, where);
  if (!expr.drivable()) fail(fmt::format("{}: {} cannot be driven", where, expr.text()));
  for (const Part& part : expr.parts()) {
    NetState& net = nets_[part.net];
    if (net.input) fail(fmt::format("{}: the input {} cannot be driven", where, part.net));
    for (int bit = part.low; bit < part.low + part.width; ++bit) {
      if (net.driven[static_cast<std::size_t>(bit)])
        fail(fmt::format("{}: {}[{}] is driven twice", where, part.net, bit));
      net.driven[static_cast<std::size_t>(bit)] = true;
    }
  }
}

void Module::header(std::string_view text) { header_ += comment_lines(text, ""); }

Net Module::input(const std::string& name, const Bits& bits) {
  declare(name, bits.total(), true);
  ports_.push_back({Direction::kInput, range(bits, true), name, ""});
  interface_.ports.push_back({name, Direction::kInput, bits.total()});
  return {name, bits};
}

Net Module::output(const std::string& name, const Bits& bits) {
  declare(name, bits.total(), false);
  ports_.push_back({Direction::kOutput, range(bits, true), name, ""});
  interface_.ports.push_back({name, Direction::kOutput, bits.total()});
  return {name, bits};
}

void Module::port_comment(std::string_view text) { ports_.push_back({Direction::kInput, "", "", std::string(text)}); }

Size Module::localparam(const std::string& name, int value, std::string_view comment) {
  if (nets_.count(name) != 0 || std::find(names_.begin(), names_.end(), name) != names_.end()) {
    fail(name + " is declared twice");
  }
  names_.push_back(name);
  body_.emplace_back(Declaration{"localparam int", "", {fmt::format("{} = {}", name, value)}, std::string(comment)});
  return {value, name};
}

Net Module::wire(const std::string& name, const Bits& bits) { return wires({name}, bits).front(); }

std::vector<Net> Module::wires(const std::vector<std::string>& names, const Bits& bits) {
  if (names.empty()) fail("a declaration of no wire");
  std::vector<Net> nets;
  for (const std::string& name : names) {
    declare(name, bits.total(), false);
    nets.emplace_back(name, bits);
  }
  body_.emplace_back(Declaration{"logic", range(bits, false), names, ""});
  return nets;
}

void Module::comment(std::string_view text) {
  blank();
  std::string lines = comment_lines(text, "  ");
  lines.pop_back();
  body_.emplace_back(Line{lines.substr(2)});
}

void Module::blank() { body_.emplace_back(Line{}); }

void Module::assign(const Expr& to, const Expr& from) {
  const std::string where = "assign " + to.text();
  if (to.width() != 0 && from.width() != 0 && to.width() != from.width()) {
    fail(fmt::format("{}: {} bits from {} bits", where, to.width(), from.width()));
  }
  check_reads(from, where);
  drive(to, where);
  body_.emplace_back(Line{wrap(fmt::format("assign {} = {};", to.text(), from.text()), 6)});
}

void Module::add(const Instance& instance) {
  const std::string where = instance.interface_.module + " " + instance.name_;
  if (nets_.count(instance.name_) != 0 || std::find(names_.begin(), names_.end(), instance.name_) != names_.end()) {
    fail(instance.name_ + " is declared twice");
  }
  names_.push_back(instance.name_);
  for (const Interface::Port& port : instance.interface_.ports) {
    const auto connection = std::find_if(instance.connections_.begin(), instance.connections_.end(),
                                         [&](const auto& candidate) { return candidate.first == port.name; });
    if (connection == instance.connections_.end()) fail(fmt::format("{}: {} is not connected", where, port.name));
    if (port.direction == Direction::kOutput) {
      drive(connection->second, where + "." + port.name);
    } else {
      check_reads(connection->second, where + "." + port.name);
    }
  }
  instances_.push_back(instance.interface_.module);
  body_.emplace_back(instance);
}

void Module::unused(const std::string& name, const std::vector<Expr>& items) {
  const Net net = wire(name);
  const Expr all = concat(items);
  assign(net, Expr::raw("^" + all.text(), 1, all.parts()));
}

Interface Module::interface() const { return interface_; }

const Instance* Module::find_instance(std::string_view instance) const {
  for (const auto& item : body_) {
    if (const auto* found = std::get_if<Instance>(&item); found != nullptr && found->name_ == instance) return found;
  }
  return nullptr;
}

std::vector<std::string> Module::instantiates() const {
  std::vector<std::string> modules;
  for (const std::string& module : instances_) {
    if (std::find(modules.begin(), modules.end(), module) == modules.end()) modules.push_back(module);
  }
  return modules;
}

std::string Module::text() const {
  for (const auto& [name, net] : nets_) {
    const auto hole = std::find(net.driven.begin(), net.driven.end(), false);
    if (hole != net.driven.end()) fail(fmt::format("nothing drives {}[{}]", name, hole - net.driven.begin()));
  }

  std::string out = "// SPDX-License-Identifier: Apache-2.0\n" + header_ + "`default_nettype none\n\n";
  out += fmt::format("module {} (\n", name_);
  const std::size_t range_width = longest(ports_, [](const PortLine& port) { return port.range; });
  std::size_t left = interface_.ports.size();  // ports still to be written
  bool first = true;
  for (const PortLine& port : ports_) {
    if (port.name.empty()) {
      out += fmt::format("{}  // {}\n", first ? "" : "\n", port.comment);
    } else {
      out += fmt::format("  {} {:<{}}{}{}{}\n",
                         port.direction == Direction::kInput ? "input  wire logic" : "output logic     ", port.range,
                         range_width, range_width == 0 ? "" : " ", port.name, --left == 0 ? "" : ",");
    }
    first = false;
  }
  out += ");\n";

  // Columns of a run of declarations of one kind.
  const auto column = [this](std::size_t from, const auto& size_of) {
    std::size_t size = 0;
    const std::string& kind = std::get<Declaration>(body_[from]).kind;
    for (std::size_t i = from; i < body_.size(); ++i) {
      const auto* declaration = std::get_if<Declaration>(&body_[i]);
      if (declaration == nullptr || declaration->kind != kind) break;
      size = std::max(size, size_of(*declaration));
    }
    return size;
  };

  const char* run = "";  // kind of the run of declarations at hand
  std::size_t range_column = 0, name_column = 0;
  for (std::size_t i = 0; i < body_.size(); ++i) {
    if (const auto* declaration = std::get_if<Declaration>(&body_[i])) {
      if (declaration->kind != run) {
        run = declaration->kind.c_str();
        range_column = column(i, [](const Declaration& d) { return d.range.size(); });
        name_column =
            column(i, [](const Declaration& d) { return d.comment.empty() ? 0 : d.names.front().size() + 1; });
      }
      std::string line = fmt::format("  {}", declaration->kind);
      if (range_column > 0) line += fmt::format(" {:<{}}", declaration->range, range_column);
      const std::size_t hang = line.size() + 1;
      line += fmt::format(" {};", fmt::join(declaration->names, ", "));
      if (!declaration->comment.empty()) {
        const std::size_t pad = name_column - declaration->names.front().size() - 1;
        line += fmt::format("{:{}}  // {}", "", pad, declaration->comment);
      }
      out += wrap(line, hang) + "\n";
      continue;
    }
    run = "";
    if (const auto* line = std::get_if<Line>(&body_[i])) {
      out += line->text.empty() ? "\n" : "  " + line->text + "\n";
      continue;
    }
    const auto& instance = std::get<Instance>(body_[i]);
    out += "  " + instance.interface_.module;
    if (!instance.parameters_.empty()) {
      const std::size_t size = longest(instance.parameters_, [](const auto& p) { return p.first; });
      out += " #(\n";
      for (const auto& [name, value] : instance.parameters_) {
        out += fmt::format("    .{:<{}}({}){}\n", name, size, value.text,
                           &name == &instance.parameters_.back().first ? "" : ",");
      }
      out += "  )";
    }
    out += fmt::format(" {} (\n", instance.name_);
    const std::size_t size = longest(instance.connections_, [](const auto& c) { return c.first; });
    for (const auto& [port, expr] : instance.connections_) {
      const std::string line = fmt::format("    .{:<{}}({}){}", port, size, expr.text(),
                                           &port == &instance.connections_.back().first ? "" : ",");
      out += wrap(line, size + 7) + "\n";
    }
    out += "  );\n";
  }
  return out + "\nendmodule\n\n`default_nettype wire\n";
}

}  // namespace fred::verilog
