// SPDX-License-Identifier: Apache-2.0
// The register map as SystemRDL 2.0 (Accellera): one addrmap, a regfile for each index of a block but a register's own.
#include <fmt/format.h>

#include <algorithm>

#include "fred/design/registers.hpp"
#include "fred/emit/register_files.hpp"

namespace fred {
namespace {

constexpr std::uint32_t kRegisterBytes = 4;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string identifier(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Writes indented lines.
class Rdl {
 public:
  explicit Rdl(const Design& design) : design_(design) {}

  std::string text() && {
    text_ = "// SPDX-License-Identifier: Apache-2.0\n";
    std::string lines = provenance(design_);
    for (std::string::size_type end = 0; !lines.empty(); lines.erase(0, end == lines.npos ? end : end + 1)) {
      end = lines.find('\n');
      line("// " + lines.substr(0, end));
    }
    line("");
    for (const CodeList& list : code_lists()) codes(list);
    open("addrmap fred_switch");
    line(fmt::format("name = {};", quoted(fmt::format("FRED_{}({})", design_.middle, design_.radix))));
    line("desc = \"Registers of the switch. An access that is not allowed answers SLVERR and changes nothing.\";");
    line("default regwidth = 32;");
    line("default accesswidth = 32;");
    line("littleendian;");
    for (const RegisterBlock& block : register_blocks(design_)) registers(block);
    close(";");
    return text_;
  }

 private:
  void line(const std::string& content) {
    text_ += content.empty() ? "\n" : std::string(2 * static_cast<std::size_t>(depth_), ' ') + content + '\n';
  }
  void open(const std::string& head) {
    line(head + " {");
    ++depth_;
  }
  void close(const std::string& tail) {
    --depth_;
    line("}" + tail);
  }
  void describe(const std::string& text) {
    if (!text.empty()) line(fmt::format("desc = {};", quoted(text)));
  }

  void codes(const CodeList& list) {
    open(fmt::format("enum fred_{}", list.name));
    for (const CodeList::Code& code : list.codes) line(fmt::format("{} = {};", identifier(code.name), code.value));
    close(";");
    line("");
  }

  void registers(const RegisterBlock& block) {
    line("");
    line(fmt::format("// {}.", block.description));
    // Registers follow each other, so they are an array of their own where the innermost stride is a register's.
    const bool array = !block.indices.empty() && block.indices.back().stride == kRegisterBytes;
    const std::size_t files = block.indices.size() - (array ? 1 : 0);
    for (std::size_t i = 0; i < files; ++i) open("regfile");
    for (const Register& item : block.registers) {
      const std::uint32_t address = item.offset + (files == 0 ? block.base : 0);
      element(item, array ? fmt::format("{}[{}] @0x{:x} += 0x{:x};", item.name, block.indices.back().count, address,
                                        kRegisterBytes)
                          : fmt::format("{} @0x{:x};", item.name, address));
    }
    for (std::size_t i = files; i-- > 0;) {
      const RegisterIndex& index = block.indices[i];
      close(fmt::format(" {}[{}] @0x{:x} += 0x{:x};", index.name, index.count, i == 0 ? block.base : 0, index.stride));
    }
  }

  void element(const Register& item, const std::string& instance) {
    open("reg");
    describe(item.description);
    const std::vector<RegisterField> fields = item.existing_fields();
    for (const RegisterField& part : fields) field(item, part);
    if (fields.empty()) line("field { sw = r; hw = na; } unused[31:0] = 0x0;");  // a register has at least one
    close(" " + instance);
  }

  void field(const Register& item, const RegisterField& part) {
    std::string body = access(item);
    if (!part.codes.empty()) body += fmt::format(" encode = fred_{};", part.codes);
    if (!part.description.empty()) body += fmt::format(" desc = {};", quoted(part.description));
    const int high = part.bits.low + part.bits.width - 1;
    line(fmt::format("field {{ {} }} {}[{}:{}]{};", body, part.name, high, part.bits.low,
                     item.reset ? fmt::format(" = 0x{:x}", part.bits.of(*item.reset)) : ""));
  }

  static std::string access(const Register& item) {
    switch (item.access) {
      case Access::kReadWrite:
        return "sw = rw; hw = r;";
      case Access::kWriteOnly:
        return "sw = w; hw = r;";
      case Access::kWriteOneToClear:
        return "sw = rw; onwrite = woclr; hw = r; hwset;";
      case Access::kReadOnly:
        break;
    }
    return item.is_volatile ? "sw = r; hw = w;" : "sw = r; hw = na;";
  }

  const Design& design_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::string system_rdl(const Design& design) { return Rdl(design).text(); }

}  // namespace fred
