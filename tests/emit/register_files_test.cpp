// SPDX-License-Identifier: Apache-2.0
// The files of the register map: each is read back, by a parser of its own or a C compiler, and must say what the
// description says. That the RTL does what the description says is in tests/switch/test_rtl_register_map.cpp.
#include "fred/emit/register_files.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "fred/design/registers.hpp"
#include "tests/emit/support.hpp"

using namespace fred;
using namespace fred::test;
namespace fs = std::filesystem;

namespace {

/// Odd and even radices, masks of several words, no colours, no tables, circuits that are no power of two.
std::vector<Design> designs() {
  struct Shape {
    int radix, middle, descriptors, tables, vcs;
    std::vector<DType> more;
  };
  std::vector<Design> all;
  for (const Shape& shape : {Shape{8, 3, 8, 1, 1, {}}, Shape{5, 3, 3, 3, 3, {}}, Shape{2, 2, 1, 0, 8, {}},
                             Shape{34, 2, 40, 1, 2, {DType::kFp32, DType::kInt8}}, Shape{200, 2, 64, 0, 5, {}}}) {
    Design design;
    design.radix = shape.radix;
    design.middle = shape.middle;
    design.descriptors = shape.descriptors;
    design.alltoall_tables = shape.tables;
    design.vcs = shape.vcs;
    design.more_dtypes = shape.more;
    design.lanes = 2;
    design.validate();
    all.push_back(design);
    if (shape.vcs != 3 && shape.radix != 200) continue;
    design.counters = true;
    all.push_back(design);
  }
  return all;
}

/// What is said of the registers of one name: by address, in order of the addresses.
struct Said {
  std::string name;
  std::string access;  // "ro", "rw", "wo", "w1c"
  struct Field {
    int high = 0, low = 0;
    std::string reset;  // of RDL: the field's; empty: undefined
    friend bool operator==(const Field&, const Field&) = default;
  };
  std::map<std::string, Field> fields;
  friend bool operator==(const Said&, const Said&) = default;
};
using Registers = std::map<std::uint32_t, Said>;

std::string short_access(Access access) {
  switch (access) {
    case Access::kReadOnly:
      return "ro";
    case Access::kWriteOnly:
      return "wo";
    case Access::kWriteOneToClear:
      return "w1c";
    case Access::kReadWrite:
      break;
  }
  return "rw";
}

Registers described(const Design& design) {
  const std::vector<RegisterBlock> blocks = register_blocks(design);
  Registers all;
  for (const RegisterAt& at : all_registers(blocks)) {
    Said said{at.item->name, short_access(at.item->access), {}};
    for (const RegisterField& field : at.item->existing_fields()) {
      said.fields[field.name] = {field.bits.low + field.bits.width - 1, field.bits.low,
                                 at.item->reset ? fmt::format("{}", field.bits.of(*at.item->reset)) : ""};
    }
    CHECK(all.emplace(at.address, std::move(said)).second);
  }
  return all;
}

/// Reads SystemRDL: enums are skipped, everything else must be understood.
class RdlReader {
 public:
  explicit RdlReader(const std::string& text) {
    for (std::size_t i = 0; i < text.size();) {
      const auto c = static_cast<unsigned char>(text[i]);
      std::size_t end = i + 1;
      if (std::isspace(c) != 0) {
      } else if (text.compare(i, 2, "//") == 0) {
        end = text.find('\n', i);
      } else if (c == '"') {
        while (text[end] != '"') end += text[end] == '\\' ? 2 : 1;
        tokens_.push_back(text.substr(i, ++end - i));
      } else if (std::isalnum(c) != 0 || c == '_') {
        while (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_') ++end;
        tokens_.push_back(text.substr(i, end - i));
      } else {
        if (text.compare(i, 2, "+=") == 0) ++end;
        tokens_.push_back(text.substr(i, end - i));
      }
      i = end;
    }
  }

  Registers registers() {
    while (next() == "enum") {
      while (next() != ";" || tokens_[at_ - 2] != "}") {
      }
    }
    REQUIRE(tokens_[at_ - 1] == "addrmap");
    next();
    wants("{");
    body();
    wants(";");
    CHECK(at_ == tokens_.size());
    return std::move(all_);
  }

 private:
  struct Place {
    std::string name;
    std::uint32_t base = 0, count = 1, stride = 0;
  };

  const std::string& next() {
    REQUIRE(at_ < tokens_.size());
    return tokens_[at_++];
  }
  void wants(const std::string& token) { REQUIRE(next() == token); }
  std::uint32_t number() { return static_cast<std::uint32_t>(std::stoul(next(), nullptr, 0)); }

  /// NAME, or NAME[count], @ address, for an array += stride.
  Place place() {
    Place place;
    place.name = next();
    const bool array = tokens_[at_] == "[";
    if (array) {
      next();
      place.count = number();
      wants("]");
    }
    wants("@");
    place.base = number();
    if (array) {
      wants("+=");
      place.stride = number();
    }
    wants(";");
    return place;
  }

  /// Up to the closing brace. Components are read before it is known where they are, so their offsets are moved then.
  void body() {
    for (std::string token = next(); token != "}"; token = next()) {
      if (token == "regfile") {
        wants("{");
        Registers outer;
        std::swap(outer, all_);
        body();
        repeat(place(), std::move(outer));
      } else if (token == "reg") {
        wants("{");
        Registers outer;
        std::swap(outer, all_);
        all_[0] = reg();
        const Place where = place();
        all_[0].name = where.name;
        repeat(where, std::move(outer));
      } else {
        while (token != ";") token = next();  // a property
      }
    }
  }

  void repeat(const Place& where, Registers outer) {
    for (std::uint32_t i = 0; i < where.count; ++i) {
      for (const auto& [offset, said] : all_) {
        CHECK(outer.emplace(where.base + i * where.stride + offset, said).second);
      }
    }
    all_ = std::move(outer);
  }

  Said reg() {
    Said said;
    for (std::string token = next(); token != "}"; token = next()) {
      if (token != "field") {
        while (token != ";") token = next();
        continue;
      }
      wants("{");
      std::map<std::string, std::string> properties;
      for (std::string name = next(); name != "}"; name = next()) {
        if (next() == "=") {
          properties[name] = next();
          wants(";");
        } else {
          properties[name] = "true";
        }
      }
      const std::string name = next();
      Said::Field field;
      wants("[");
      field.high = static_cast<int>(number());
      wants(":");
      field.low = static_cast<int>(number());
      wants("]");
      if (next() == "=") {
        field.reset = fmt::format("{}", number());
        wants(";");
      }
      const std::string access = properties["onwrite"] == "woclr"                     ? "w1c"
                                 : properties["sw"] == "rw"                           ? "rw"
                                 : properties["sw"] == "w"                            ? "wo"
                                 : properties["sw"] == "r" && properties["hw"] != "r" ? "ro"
                                                                                      : "?";
      if (name == "unused") {
        said.access = "rw";  // no bits: nothing to compare
        continue;
      }
      CHECK((said.access.empty() || said.access == access));
      said.access = access;
      said.fields[name] = field;
    }
    return said;
  }

  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  Registers all_;
};

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> all;
  std::stringstream stream(row.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const auto first = cell.find_first_not_of(" `");
    all.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(" `") - first + 1));
  }
  return all;
}

/// Reads the tables of the page: "There is one for port 0..4, vc 0..2." and addresses "0x400 + 0x10 port + 0x4 vc".
Registers page_registers(const std::string& page) {
  Registers all;
  std::map<std::string, std::uint32_t> counts;
  std::vector<std::uint32_t> addresses;
  std::uint32_t reset = 0;
  bool has_reset = false;
  std::stringstream stream(page);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("## ")) counts.clear();
    if (line.starts_with("There is one for ")) {
      std::stringstream words(line.substr(17));
      for (std::string name, range; words >> name >> range;) {
        counts[name] = static_cast<std::uint32_t>(std::stoul(range.substr(range.find("..") + 2))) + 1;
      }
    }
    if (!line.starts_with("| ")) continue;
    const std::vector<std::string> row = cells(line);
    if (row.size() < 7 || row[0] == "address") continue;
    if (!row[0].empty()) {
      std::stringstream words(row[0]);
      std::string word;
      words >> word;
      addresses = {static_cast<std::uint32_t>(std::stoul(word, nullptr, 0))};
      for (std::string plus, stride, name; words >> plus >> stride >> name;) {
        std::vector<std::uint32_t> more;
        for (const std::uint32_t address : addresses) {
          for (std::uint32_t i = 0; i < counts.at(name); ++i) {
            more.push_back(address + i * static_cast<std::uint32_t>(std::stoul(stride, nullptr, 0)));
          }
        }
        addresses = more;
      }
      for (const std::uint32_t address : addresses) CHECK(all.emplace(address, Said{row[1], row[2], {}}).second);
      has_reset = row[3] != "-";
      reset = has_reset ? static_cast<std::uint32_t>(std::stoul(row[3], nullptr, 0)) : 0;
    } else {
      Said::Field field;
      field.high = std::stoi(row[4]);
      field.low = row[4].find(':') == std::string::npos ? field.high : std::stoi(row[4].substr(row[4].find(':') + 1));
      const BitField bits{field.low, field.high - field.low + 1};
      if (has_reset) field.reset = fmt::format("{}", bits.of(reset));
      for (const std::uint32_t address : addresses) all.at(address).fields[row[5]] = field;
    }
  }
  return all;
}

/// Differences in words, the first few.
std::string differences(const Registers& wanted, const Registers& got) {
  std::string text;
  int count = 0;
  for (const auto& [address, said] : wanted) {
    const auto found = got.find(address);
    if (found == got.end()) {
      text += fmt::format("{:#x} {} is missing\n", address, said.name);
    } else if (!(found->second == said)) {
      text += fmt::format("{:#x} {}, {} differs\n", address, said.name, found->second.name);
    } else {
      continue;
    }
    if (++count == 5) return text;
  }
  if (got.size() != wanted.size()) text += fmt::format("{} registers, not {}\n", got.size(), wanted.size());
  return text;
}

std::string upper(std::string text) {
  for (char& c : text) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0
            ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
            : '_';
  }
  return text;
}

/// A C program that compares what fred_regs.h says with what the description says.
std::string header_program(const Design& design) {
  std::string checks;
  const auto check = [&](const std::string& expression, std::uint32_t value) {
    checks += fmt::format("  {{\"{0}\", (uint32_t)({0}), {1}u}},\n", expression, value);
  };
  const std::vector<RegisterBlock> blocks = register_blocks(design);
  for (const RegisterAt& at : all_registers(blocks)) {
    std::string arguments;
    for (const int index : at.indices) arguments += fmt::format("{}{}", arguments.empty() ? "(" : ", ", index);
    if (!arguments.empty()) arguments += ")";
    check(fmt::format("FRED_REG_{}{}", at.item->name, arguments), at.address);
    if (std::any_of(at.indices.begin(), at.indices.end(), [](int index) { return index > 0; })) continue;
    if (at.item->reset) check(fmt::format("FRED_{}_RESET", at.item->name), *at.item->reset);
    for (const RegisterField& field : at.item->fields) {
      const std::string name = fmt::format("FRED_{}_{}", at.item->name, upper(field.name));
      check(name + "_MASK", field.bits.mask());
      check(name + "_SHIFT", field.exists() ? static_cast<std::uint32_t>(field.bits.low) : 0);
      check(fmt::format("FRED_PUT({}, 0xffffffffu)", name), field.bits.mask());
      check(fmt::format("FRED_GET(0x12345678u, {})", name), field.bits.of(0x12345678U));
    }
  }
  for (const CodeList& list : code_lists()) {
    for (const CodeList::Code& code : list.codes) {
      check(fmt::format("FRED_{}_{}", upper(list.name), upper(code.name)), static_cast<std::uint32_t>(code.value));
    }
  }
  check("FRED_RADIX", static_cast<std::uint32_t>(design.radix));
  check("FRED_VCS", static_cast<std::uint32_t>(design.vcs));
  check("FRED_DESCRIPTORS", static_cast<std::uint32_t>(design.descriptors));
  check("FRED_ALLTOALL_TABLES", static_cast<std::uint32_t>(design.alltoall_tables));
  const RegisterMap map(design);
  const int last = map.mask_words - 1;
  check(fmt::format("FRED_REG_OUT_MASK_WORD(0, {})", last),
        map.descriptor(0, map.out_mask) + 4 * static_cast<std::uint32_t>(last));
  return "#include \"fred_regs.h\"\n#include \"fred_driver.h\"\n#include <stdio.h>\n"
         "static const struct { const char *what; uint32_t got, wanted; } checks[] = {\n" +
         checks +
         "};\nint main(void) {\n  size_t i, wrong = 0;\n"
         "  for (i = 0; i < sizeof checks / sizeof checks[0]; ++i) {\n"
         "    if (checks[i].got == checks[i].wanted) continue;\n"
         "    printf(\"%s: 0x%lx, not 0x%lx\\n\", checks[i].what, (unsigned long)checks[i].got, (unsigned "
         "long)checks[i].wanted);\n"
         "    if (++wrong == 5) break;\n  }\n  return wrong != 0;\n}\n";
}

}  // namespace

TEST_CASE("registers: the page in docs is the one of the default design") {
  Design design;
  design.validate();
  const fs::path path = fs::path(FRED_SOURCE_DIR) / "docs" / "registers.md";
  if (const char* update = std::getenv("FRED_UPDATE_GOLDEN"); update != nullptr && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << register_page(design);
  }
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  CHECK_MESSAGE(text.str() == register_page(design), "FRED_UPDATE_GOLDEN=1 writes docs/registers.md anew");
}

TEST_CASE("registers: SystemRDL and the page say what the description says") {
  for (const Design& design : designs()) {
    CAPTURE(design.canonical_options());
    const Registers wanted = described(design);
    CHECK(differences(wanted, RdlReader(system_rdl(design)).registers()) == "");
    CHECK(differences(wanted, page_registers(register_page(design))) == "");
  }
}

TEST_CASE("registers: the C header says what the description says") {
  for (const Design& design : designs()) {
    CAPTURE(design.canonical_options());
    const fs::path folder = scratch("header");
    write_files(folder, register_files(design));
    std::ofstream(folder / "check.c") << header_program(design);
    std::string output;
    const std::string flags = fmt::format(
        "-Wall -Wextra -Wpedantic -Wconversion -Werror -I '{0}/regs' '{0}/check.c' -o '{0}/check'", folder.string());
    const int code = run(fmt::format("cc -std=c99 {} && '{}/check'", flags, folder.string()), output);
    CHECK_MESSAGE(code == 0, output);
    const int plus = run(fmt::format("c++ -x c++ -std=c++11 -fsyntax-only {}", flags), output);
    CHECK_MESSAGE(plus == 0, output);
  }
}

TEST_CASE("registers: found by address") {
  for (const Design& design : designs()) {
    CAPTURE(design.canonical_options());
    const std::vector<RegisterBlock> blocks = register_blocks(design);
    const std::vector<RegisterAt> all = all_registers(blocks);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::optional<RegisterAt> found = register_at(blocks, all[i].address);
      REQUIRE(found.has_value());
      CHECK(found->name() == all[i].name());
      CHECK(all[i].address < 1ULL << RegisterMap(design).address_bits);
      if (i == 0) continue;
      CHECK(all[i - 1].address < all[i].address);
      if (all[i].address > all[i - 1].address + 4) CHECK_FALSE(register_at(blocks, all[i].address - 4).has_value());
    }
    CHECK_FALSE(register_at(blocks, 2).has_value());
  }
}
