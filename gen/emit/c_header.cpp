// SPDX-License-Identifier: Apache-2.0
// The register map as a C header. What a design does not have is there too, with a count or mask of 0, so that the same
// program compiles for every design.
#include <fmt/format.h>

#include <cctype>

#include "fred/design/registers.hpp"
#include "fred/emit/register_files.hpp"

namespace fred {
namespace {

/// "sum-sat" -> "SUM_SAT".
std::string upper(const std::string& text) {
  std::string name;
  for (const char c : text) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0
                ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                : '_';
  }
  return name;
}

class Header {
 public:
  explicit Header(const Design& design) : design_(design), map_(design), blocks_(register_blocks(design)) {}

  std::string text() && {
    text_ = fmt::format(
        "/* SPDX-License-Identifier: Apache-2.0\n"
        " * Registers of a FRED_{}({}) switch: {}.\n"
        " * {}\n"
        " *\n"
        " * Byte addresses, 32-bit registers. FRED_REG_NAME(index, ..) is the address of a register, "
        "FRED_NAME_FIELD_MASK\n"
        " * and _SHIFT are the bits of a field; a mask of 0: this design has no such field. FRED_NAME_RESET is a "
        "register's\n"
        " * value after reset, where that is defined. What they mean: registers.md. */\n"
        "#ifndef FRED_REGS_H\n"
        "#define FRED_REGS_H\n"
        "\n"
        "#include <stdint.h>\n"
        "\n"
        "/* A field of a register's value, and a value as a field: FRED_GET(status, FRED_STATUS_STEP). */\n"
        "#define FRED_GET(word, field) (((uint32_t)(word) & field##_MASK) >> field##_SHIFT)\n"
        "#define FRED_PUT(field, value) (((uint32_t)(value) << field##_SHIFT) & field##_MASK)\n",
        design_.middle, design_.radix, design_.beat_text(), commented(provenance(design_)));
    shape();
    for (const RegisterBlock& block : blocks_) registers(block);
    if (design_.alltoall_tables == 0) without_tables();
    if (!design_.counters) without_counters();
    for (const CodeList& list : code_lists()) codes(list);
    return text_ + "\n#endif\n";
  }

 private:
  static std::string commented(const std::string& lines) {
    std::string text;
    for (const char c : lines) text += c == '\n' ? std::string("\n * ") : std::string(1, c);
    return text;
  }

  void title(const std::string& text) { text_ += fmt::format("\n/* ---- {}. ---- */\n", text); }
  void number(const std::string& name, std::uint32_t value, const std::string& what = {}) {
    text_ += fmt::format("#define FRED_{} {}u{}\n", name, value, what.empty() ? "" : fmt::format(" /* {} */", what));
  }
  void word(const std::string& name, std::uint32_t value) {
    text_ += fmt::format("#define FRED_{} 0x{:x}u\n", name, value);
  }

  void shape() {
    const auto u = [](int value) { return static_cast<std::uint32_t>(value); };
    title("Shape of this design");
    number("RADIX", u(design_.radix), "ports");
    number("MIDDLE", u(design_.middle), "middle subnetworks a level");
    number("VCS", u(design_.vcs), "virtual circuits of a port");
    number("DESCRIPTORS", u(design_.descriptors));
    number("ALLTOALL_TABLES", u(design_.alltoall_tables));
    number("PORT_WIDTH", u(design_.width()), "bits of tdata");
    number("TYPES", u(static_cast<int>(design_.dtypes().size())), "element types");
    number("MASK_WORDS", u(map_.mask_words), "registers of a port mask");
    number("COMPAT_WORDS", u(map_.compat_words), "registers of a compatibility mask");
    number("ADDRESS_BITS", u(map_.address_bits), "of AXI4-Lite");
    number("BOUND_LEAST", RegisterMap::kBoundLeast, "cycles, the least that BOUND takes");
    number("HAS_COUNTERS", u(design_.counters ? 1 : 0), "beats, launches and waits are counted");
    number("PLACE_BITS", u(RegisterMap::kPlaceBits), "of a place in PRIORITY and of a type in TYPES");
    number("NO_TYPE", RegisterMap::kNoType, "in TYPES: there is none");
    text_ += fmt::format("#define FRED_OPTIONS \"{}\"\n", design_.canonical_options());
  }

  void registers(const RegisterBlock& block) {
    title(block.description);
    for (const Register& item : block.registers) {
      address(block, item);
      if (!item.words_of.empty() && item.word == 0) {
        text_ += fmt::format(
            "#define FRED_REG_{}_WORD(descriptor, word) (FRED_REG_{}(descriptor) + (uint32_t)(word) * 4u)\n",
            item.words_of, item.name);
      }
      if (item.reset) word(item.name + "_RESET", *item.reset);
      for (const RegisterField& field : item.fields) {
        const std::string name = fmt::format("{}_{}", item.name, upper(field.name));
        word(name + "_MASK", field.bits.mask());
        number(name + "_SHIFT", static_cast<std::uint32_t>(field.exists() ? field.bits.low : 0), field.description);
      }
    }
  }

  void address(const RegisterBlock& block, const Register& item) {
    std::string names;
    std::string sum = fmt::format("0x{:x}u", block.base + item.offset);
    for (const RegisterIndex& index : block.indices) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", index.name);
      sum += fmt::format(" + (uint32_t)({}) * 0x{:x}u", index.name, index.stride);
    }
    text_ +=
        fmt::format("\n/* {}{} */\n", item.description.empty() ? item.name : item.description, access(item.access));
    text_ += names.empty() ? fmt::format("#define FRED_REG_{} {}\n", item.name, sum)
                           : fmt::format("#define FRED_REG_{}({}) ({})\n", item.name, names, sum);
  }

  static std::string_view access(Access access) {
    switch (access) {
      case Access::kReadOnly:
        return "; read only";
      case Access::kWriteOnly:
        return "; write only";
      case Access::kWriteOneToClear:
        return "; write 1 to clear";
      case Access::kReadWrite:
        break;
    }
    return "";
  }

  void without_tables() {
    title("All-to-all tables: none");
    text_ += "#define FRED_REG_ENTRY(table, step, port) 0xffffffffu\n";
    for (const char* field : {"DESTINATION", "COLOURS"}) {
      word(fmt::format("ENTRY_{}_MASK", field), 0);
      number(fmt::format("ENTRY_{}_SHIFT", field), 0);
    }
  }

  void without_counters() {
    title("Counters: none");
    for (const char* name : {"COUNTERS", "BEATS_IN(port, vc)", "BEATS_OUT(port, vc)", "LAUNCHES(descriptor)",
                             "WAIT_DATA(descriptor)", "WAIT_EGRESS(descriptor)", "WAIT_ARBITRATION(descriptor)"}) {
      text_ += fmt::format("#define FRED_REG_{} 0xffffffffu\n", name);
    }
    word("COUNTERS_SNAPSHOT_MASK", 0);
    number("COUNTERS_SNAPSHOT_SHIFT", 0);
  }

  void codes(const CodeList& list) {
    title(list.description);
    text_ += fmt::format("enum fred_{} {{\n", list.name);
    for (const CodeList::Code& code : list.codes) {
      text_ += fmt::format("  FRED_{}_{} = {}{}\n", upper(list.name), upper(code.name), code.value,
                           &code == &list.codes.back() ? "" : ",");
    }
    text_ += "};\n";
  }

  const Design& design_;
  RegisterMap map_;
  std::vector<RegisterBlock> blocks_;
  std::string text_;
};

}  // namespace

std::string c_header(const Design& design) { return Header(design).text(); }

}  // namespace fred
