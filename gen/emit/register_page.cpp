// SPDX-License-Identifier: Apache-2.0
// The register map as a Markdown page.
#include <fmt/format.h>

#include "fred/design/registers.hpp"
#include "fred/emit/register_files.hpp"
#include "fred/version.hpp"

namespace fred {
namespace {

std::string_view short_access(Access access) {
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

std::string bits(const BitField& field) {
  return field.width == 1 ? fmt::format("{}", field.low) : fmt::format("{}:{}", field.low + field.width - 1, field.low);
}

/// "0x1000 + 0x20 descriptor".
std::string address(const RegisterBlock& block, std::uint32_t offset) {
  std::string text = fmt::format("0x{:03x}", block.base + offset);
  for (const RegisterIndex& index : block.indices) text += fmt::format(" + 0x{:x} {}", index.stride, index.name);
  return text;
}

/// "descriptor 0..7".
std::string ranges(const RegisterBlock& block) {
  std::string text;
  for (const RegisterIndex& index : block.indices) {
    text += fmt::format("{}{} 0..{}", text.empty() ? "" : ", ", index.name, index.count - 1);
  }
  return text;
}

std::string describe(const RegisterField& field) {
  std::string text = field.description;
  if (!field.codes.empty()) text += fmt::format("{}[{}](#{})", text.empty() ? "" : ": ", field.codes, field.codes);
  return text;
}

void add_block(std::string& page, const RegisterBlock& block) {
  page += fmt::format("\n## {}\n\n", block.description);
  if (!block.indices.empty()) page += fmt::format("There is one for {}.\n\n", ranges(block));
  page += "| address | register | access | reset | bits | field | meaning |\n|---|---|---|---|---|---|---|\n";
  for (const Register& item : block.registers) {
    page += fmt::format("| {} | {} | {} | {} | | | {} |\n", address(block, item.offset), item.name,
                        short_access(item.access), item.reset ? fmt::format("0x{:08x}", *item.reset) : "-",
                        item.description);
    for (const RegisterField& field : item.existing_fields()) {
      page += fmt::format("| | | | | {} | `{}` | {} |\n", bits(field.bits), field.name, describe(field));
    }
  }
}

void add_codes(std::string& page, const CodeList& list) {
  page += fmt::format("\n## {}\n\n{}.\n\n| code | name |\n|---|---|\n", list.name, list.description);
  for (const CodeList::Code& code : list.codes) page += fmt::format("| {} | {} |\n", code.value, code.name);
}

}  // namespace

std::string register_page(const Design& design) {
  const RegisterMap map(design);
  std::string page = fmt::format(
      "# Registers of a FRED_{}({}) switch\n"
      "\n"
      "{} ports of {} bits ({}); descriptors: {}, virtual circuits: {}, all-to-all tables: {}. Written by fred {}, "
      "parameter "
      "hash {:08x}:\n"
      "\n"
      "```\n{}\n```\n"
      "\n"
      "Byte addresses of {} bits, 32-bit registers, AXI4-Lite. Access: ro read only, rw read and write, wo write only, "
      "w1c write 1 to clear. Reset `-`: undefined until written. Bits without a field read as 0, and a write that sets "
      "one answers SLVERR and changes nothing, as does any other access that is not allowed.\n",
      design.middle, design.radix, design.radix, design.width(), design.beat_text(), design.descriptors, design.vcs,
      design.alltoall_tables, version(), parameter_hash(design), canonical_command(design), map.address_bits);
  for (const RegisterBlock& block : register_blocks(design)) add_block(page, block);
  for (const CodeList& list : code_lists()) add_codes(page, list);
  return page;
}

std::vector<EmittedFile> register_files(const Design& design) {
  const std::string folder = std::string(kRegisterFolder) + "/";
  return {{folder + "fred_driver.h", std::string(driver_header())},
          {folder + "fred_regs.h", c_header(design)},
          {folder + "fred_switch.rdl", system_rdl(design)},
          {folder + "registers.md", register_page(design)}};
}

}  // namespace fred
