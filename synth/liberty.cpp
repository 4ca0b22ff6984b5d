// SPDX-License-Identifier: Apache-2.0
// A Liberty file is a tree of statements:
//
//   name : value ;            an attribute
//   name ( values ) ;         an attribute of several values
//   name ( arguments ) { }    a group of statements
//
// The reader walks the tree once and keeps a few attributes on its way.
#include "synth/liberty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "fred/error.hpp"

namespace fred::synth {
namespace {

/// Words, quoted strings (without their quotes) and punctuation.
class Tokens {
 public:
  Tokens(std::string_view text, const std::string& file) : text_(text), file_(file) { advance(); }

  [[nodiscard]] const std::string& word() const { return word_; }
  /// Of the token's end.
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] bool at_end() const { return kind_ == Kind::kEnd; }
  [[nodiscard]] bool at(char mark) const { return kind_ == Kind::kMark && word_[0] == mark; }

  void advance() {
    skip();
    word_.clear();
    if (at_ == text_.size()) {
      kind_ = Kind::kEnd;
    } else if (text_[at_] == '"') {
      kind_ = Kind::kText;
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) fail("a quoted text has no end");
      word_ = text_.substr(at_ + 1, end - at_ - 1);
      count_lines(end);
      at_ = end + 1;
    } else if (is_mark(text_[at_])) {
      kind_ = Kind::kMark;
      word_ = text_[at_++];
    } else {
      kind_ = Kind::kText;
      while (at_ < text_.size() && !is_mark(text_[at_]) && text_[at_] != '"' && !is_space(text_[at_])) {
        word_ += text_[at_++];
      }
    }
  }
  std::string take() {
    if (kind_ != Kind::kText) fail("a name or value is missing");
    std::string word = word_;
    advance();
    return word;
  }
  bool accept(char mark) {
    if (!at(mark)) return false;
    advance();
    return true;
  }
  void expect(char mark) {
    if (!accept(mark)) fail(fmt::format("'{}' is missing", mark));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: not a Liberty file: {}", file_, line_, what));
  }

 private:
  enum class Kind { kText, kMark, kEnd };

  static bool is_mark(char c) { return std::string_view("(){};:,").find(c) != std::string_view::npos; }
  void count_lines(std::size_t end) {
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  }
  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\'; }

  /// White space, continued lines and comments.
  void skip() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_])) {
        if (text_[at_] == '\n') ++line_;
        ++at_;
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail("a comment has no end");
        count_lines(end);
        at_ = end + 2;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;      // of the character after the token
  int line_ = 1;            // that it stands in
  Kind kind_ = Kind::kEnd;  // of the token
  std::string word_;        // its text
};

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

/// Of "1ns", "10ps", "100 fs" the picoseconds.
double picoseconds(const std::string& text) {
  char* unit = nullptr;
  const double value = std::strtod(text.c_str(), &unit);
  while (*unit == ' ') ++unit;
  if (std::string_view(unit).starts_with("ps")) return value;
  if (std::string_view(unit).starts_with("fs")) return value / 1000;
  return std::string_view(unit).starts_with("us") ? value * 1e6 : value * 1000;
}

/// A pin on the way.
struct Pin {
  std::string name, direction, function;
  double max_capacitance = 0;
};

/// Whether `function` is the complement of the pin `input`: "!A", "(!A)", "A'", "(A)'".
bool is_complement(std::string function, const std::string& input) {
  std::erase_if(function, [](char c) { return c == '(' || c == ')' || c == ' '; });
  return function == "!" + input || function == input + "'";
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : tokens_(text, file) {}

  Liberty read() {
    if (tokens_.at_end() || tokens_.word() != "library") tokens_.fail("it does not begin with 'library'");
    group([this](const std::string& name) { library_.name = name; },
          [this](const std::string& kind) { library_statement(kind); });
    return std::move(library_);
  }

 private:
  /// A statement that nobody asks for.
  void skip_statement() {
    if (tokens_.accept(':')) return value();
    arguments();
    if (tokens_.at('{')) return body([this](const std::string&) { skip_statement(); });
    tokens_.accept(';');
  }
  void value() { (void)take_value(); }
  /// Up to the semicolon, or the end of the line: some files leave the semicolon out.
  std::string take_value() {
    const int line = tokens_.line();
    std::string text = tokens_.take();
    while (!tokens_.at_end() && !tokens_.at(';') && !tokens_.at('}') && tokens_.line() == line) {  // "a + b"
      text += " " + tokens_.word();
      tokens_.advance();
    }
    tokens_.accept(';');
    return text;
  }

  std::vector<std::string> arguments() {
    std::vector<std::string> words;
    tokens_.expect('(');
    while (!tokens_.accept(')')) {
      if (tokens_.at_end()) tokens_.fail("')' is missing");
      if (!tokens_.accept(',')) {
        words.push_back(tokens_.word());
        tokens_.advance();
      }
    }
    return words;
  }
  template <typename Statement>
  void body(const Statement& statement) {
    tokens_.expect('{');
    while (!tokens_.accept('}')) {
      if (tokens_.accept(';')) continue;
      if (tokens_.at_end()) tokens_.fail("'}' is missing");
      statement(tokens_.take());
    }
  }
  template <typename Name, typename Statement>
  void group(const Name& named, const Statement& statement) {
    tokens_.advance();
    const std::vector<std::string> words = arguments();
    named(words.empty() ? std::string() : words.front());
    body(statement);
  }
  std::string attribute() {
    tokens_.expect(':');
    return take_value();
  }

  void library_statement(const std::string& kind) {
    if (kind == "cell" && tokens_.at('(')) return cell();
    if (!tokens_.at(':')) return skip_statement();
    if (kind == "time_unit") {
      library_.time_unit_ps = picoseconds(attribute());
    } else if (kind == "nom_voltage") {
      library_.voltage = number(attribute());
    } else {
      skip_statement();
    }
  }

  void cell() {
    const std::vector<std::string> words = arguments();
    if (words.empty()) tokens_.fail("a cell has no name");
    LibertyCell& cell = library_.cells[words.front()];
    pins_.clear();
    body([this, &cell](const std::string& kind) { cell_statement(cell, kind); });
    std::vector<Pin> inputs, outputs;
    for (const Pin& pin : pins_) {
      if (pin.direction == "input") inputs.push_back(pin);
      if (pin.direction != "input" && pin.direction != "internal") outputs.push_back(pin);
    }
    cell.inverter = inputs.size() == 1 && outputs.size() == 1 && !cell.flip_flop && !cell.latch &&
                    is_complement(outputs.front().function, inputs.front().name);
    for (const Pin& pin : outputs) library_.output_pins.insert(pin.name);
    if (cell.inverter) cell.strength = outputs.front().max_capacitance;
  }

  void cell_statement(LibertyCell& cell, const std::string& kind) {
    if (kind == "ff" || kind == "ff_bank") cell.flip_flop = true;
    if (kind == "latch" || kind == "latch_bank") cell.latch = true;
    if (kind == "leakage_power") cell.leakage_power = true;
    if (kind == "internal_power") cell.internal_power = true;
    if ((kind == "pin" || kind == "bus" || kind == "bundle") && tokens_.at('(')) return pin(cell);
    if (!tokens_.at(':')) return skip_statement();
    if (kind == "area") {
      cell.area = number(attribute());
    } else if (kind == "dont_use") {
      cell.dont_use = attribute() == "true";
    } else if (kind == "cell_leakage_power") {
      cell.leakage_power = true;
      skip_statement();
    } else {
      skip_statement();
    }
  }

  void pin(LibertyCell& cell) {
    Pin pin;
    const std::vector<std::string> words = arguments();
    if (!words.empty()) pin.name = words.front();
    body([this, &cell, &pin](const std::string& kind) {
      if (kind == "internal_power") cell.internal_power = true;
      if (!tokens_.at(':')) return skip_statement();
      if (kind == "direction") {
        pin.direction = attribute();
      } else if (kind == "function") {
        pin.function = attribute();
      } else if (kind == "max_capacitance") {
        pin.max_capacitance = number(attribute());
      } else {
        skip_statement();
      }
    });
    pins_.push_back(pin);
  }

  Tokens tokens_;
  Liberty library_;        // read so far
  std::vector<Pin> pins_;  // of the cell that is being read
};

std::string how_many(std::size_t some, std::size_t all) {
  return some == 0 ? "no cell" : some == all ? "all cells" : fmt::format("{} of {} cells", some, all);
}

}  // namespace

std::string Liberty::middle_inverter() const {
  std::vector<const std::pair<const std::string, LibertyCell>*> inverters;
  for (const auto& entry : cells) {
    if (entry.second.inverter && !entry.second.dont_use) inverters.push_back(&entry);
  }
  if (inverters.empty()) {
    throw InputError(
        fmt::format("library {}: no inverter found to drive the inputs; name a cell with --driving-cell", name));
  }
  std::sort(inverters.begin(), inverters.end(), [](const auto* a, const auto* b) {
    return std::tie(a->second.strength, a->second.area, a->first) <
           std::tie(b->second.strength, b->second.area, b->first);
  });
  return inverters[inverters.size() / 2]->first;
}

std::string Liberty::with_leakage() const {
  return how_many(static_cast<std::size_t>(
                      std::count_if(cells.begin(), cells.end(), [](const auto& c) { return c.second.leakage_power; })),
                  cells.size());
}

std::string Liberty::with_internal_power() const {
  return how_many(static_cast<std::size_t>(
                      std::count_if(cells.begin(), cells.end(), [](const auto& c) { return c.second.internal_power; })),
                  cells.size());
}

Liberty parse_liberty(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

Liberty read_liberty(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream || !text) throw InputError(fmt::format("{}: cannot be read", file.string()));
  return parse_liberty(text.str(), file.string());
}

}  // namespace fred::synth
