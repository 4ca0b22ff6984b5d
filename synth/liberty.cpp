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
#include <cmath>
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

/// Of "1ns", "10ps", "100 fs" the picoseconds; 0 if it is no time.
double picoseconds(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!std::isfinite(value) || value <= 0) return 0;
  std::string unit(end);
  std::erase(unit, ' ');
  if (unit == "fs") return value / 1000;
  if (unit == "ps") return value;
  if (unit == "ns") return value * 1000;
  return unit == "us" ? value * 1e6 : 0;
}

/// The pin that `text` is, or the complement of: "D", "(CK)", "!CKN", "CKN'".
std::string pin_of(std::string text) {
  std::erase_if(text, [](char c) { return std::string_view("()!' \t\r\n").find(c) != std::string_view::npos; });
  return text;
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
  Reader(std::string_view text, const std::string& file) : tokens_(text, file), file_(file) {}

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
  /// The number, 0 or more, of the attribute `name`.
  double number(const std::string& name) {
    const int line = tokens_.line();
    const std::string text = attribute();
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value) || value < 0) {
      throw InputError(fmt::format("{}:{}: {} : {}: must be a number, 0 or more", file_, line, name, text));
    }
    return value;
  }

  void library_statement(const std::string& kind) {
    if (kind == "cell" && tokens_.at('(')) return cell();
    if (!tokens_.at(':')) return skip_statement();
    if (kind == "time_unit") {
      const int line = tokens_.line();
      const std::string text = attribute();
      library_.time_unit_ps = picoseconds(text);
      if (library_.time_unit_ps == 0) {
        throw InputError(
            fmt::format("{}:{}: time_unit : {}: must be a time in fs, ps, ns or us, as 1ns", file_, line, text));
      }
    } else if (kind == "nom_voltage") {
      library_.voltage = number(kind);
    } else {
      skip_statement();
    }
  }

  void cell() {
    const std::vector<std::string> words = arguments();
    if (words.empty()) tokens_.fail("a cell has no name");
    if (library_.cells.contains(words.front())) {
      throw InputError(
          fmt::format("{}:{}: cell {} is listed twice; leave one of them", file_, tokens_.line(), words.front()));
    }
    LibertyCell& cell = library_.cells[words.front()];
    pins_.clear();
    next_state_.clear();
    clocked_on_.clear();
    body([this, &cell](const std::string& kind) { cell_statement(cell, kind); });
    std::vector<Pin> inputs, outputs;
    for (const Pin& pin : pins_) {
      if (pin.direction == "input") inputs.push_back(pin);
      if (pin.direction != "input" && pin.direction != "internal") outputs.push_back(pin);
    }
    cell.inputs = static_cast<int>(inputs.size());
    cell.outputs = static_cast<int>(outputs.size());
    const auto is_input = [&inputs](const std::string& name) {
      return std::any_of(inputs.begin(), inputs.end(), [&name](const Pin& pin) { return pin.name == name; });
    };
    cell.d_flip_flop = is_input(pin_of(next_state_)) && is_input(pin_of(clocked_on_));
    cell.inverter = cell.inputs == 1 && cell.outputs == 1 && !cell.holds_state() &&
                    is_complement(outputs.front().function, inputs.front().name);
    for (const Pin& pin : outputs) library_.output_pins.insert(pin.name);
    if (cell.inverter) cell.strength = outputs.front().max_capacitance;
  }

  void cell_statement(LibertyCell& cell, const std::string& kind) {
    if (kind == "ff" || kind == "ff_bank") cell.flip_flop = true;
    if (kind == "latch" || kind == "latch_bank") cell.latch = true;
    if (kind == "statetable") cell.state_table = true;
    if (kind == "leakage_power") cell.leakage_power = true;
    if (kind == "internal_power") cell.internal_power = true;
    if (kind == "ff" && tokens_.at('(')) return flip_flop();
    if ((kind == "pin" || kind == "bus" || kind == "bundle") && tokens_.at('(')) return pin(cell);
    if (!tokens_.at(':')) return skip_statement();
    if (kind == "area") {
      cell.area = number(kind);
      cell.states_area = true;
    } else if (kind == "dont_use") {
      cell.dont_use = attribute() == "true";
    } else if (kind == "cell_leakage_power") {
      cell.leakage_power = true;
      skip_statement();
    } else {
      skip_statement();
    }
  }

  void flip_flop() {
    (void)arguments();
    body([this](const std::string& kind) {
      if (!tokens_.at(':')) return skip_statement();
      if (kind == "next_state") {
        next_state_ = attribute();
      } else if (kind == "clocked_on") {
        clocked_on_ = attribute();
      } else {
        skip_statement();
      }
    });
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
        pin.max_capacitance = number(kind);
      } else {
        skip_statement();
      }
    });
    pins_.push_back(pin);
  }

  Tokens tokens_;
  const std::string& file_;
  Liberty library_;                      // read so far
  std::vector<Pin> pins_;                // of the cell that is being read
  std::string next_state_, clocked_on_;  // of its `ff` group
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

void Liberty::check_driving_cell(const std::string& cell) const {
  const auto found = cells.find(cell);
  const auto refuse = [this, &cell](std::string_view what) {
    throw InputError(fmt::format("--driving-cell {}: {}; must be a combinational cell of library {} with one output",
                                 cell, what, name));
  };
  if (found == cells.end()) return refuse("no such cell");
  if (found->second.holds_state()) return refuse("a flip-flop, latch or other cell with a state");
  if (found->second.inputs == 0) return refuse("a cell without inputs");
  if (found->second.outputs != 1) return refuse(fmt::format("a cell with {} outputs", found->second.outputs));
}

void Liberty::check_usable() const {
  if (cells.empty()) throw InputError(fmt::format("library {}: has no cells", name));
  const bool usable = std::any_of(cells.begin(), cells.end(),
                                  [](const auto& entry) { return entry.second.d_flip_flop && !entry.second.dont_use; });
  if (usable) return;
  throw InputError(fmt::format(
      "library {}: has no D flip-flop (a cell with an ff group whose next_state and clocked_on are an input "
      "each, and not dont_use), which every design needs",
      name));
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
  const auto refuse = [&file](const char* what) {
    throw InputError(fmt::format("{}: {}; must be a Liberty file, as text", file.string(), what));
  };
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) refuse("is a folder");
  std::ifstream stream(file, std::ios::binary);
  std::stringstream content;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) content << stream.rdbuf();
  if (!stream.is_open() || stream.bad() || !content) throw InputError(fmt::format("{}: cannot be read", file.string()));
  const std::string text = content.str();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) refuse("is empty");
  struct Magic {
    std::string_view bytes;
    const char* what;
  };
  constexpr Magic kPacked[] = {{"\x1f\x8b", "is packed by gzip (unpack it with gunzip)"},
                               {"BZh", "is packed by bzip2 (unpack it with bunzip2)"},
                               {"\xfd"
                                "7zXZ",
                                "is packed by xz (unpack it with unxz)"},
                               {"\x28\xb5\x2f\xfd", "is packed by zstd (unpack it with unzstd)"},
                               {"PK\x03\x04", "is a ZIP archive (unpack it with unzip)"}};
  for (const Magic& magic : kPacked) {
    if (text.starts_with(magic.bytes)) refuse(magic.what);
  }
  if (text.find('\0') != std::string::npos) refuse("is no text: it has zero bytes");
  return parse_liberty(text, file.string());
}

}  // namespace fred::synth
