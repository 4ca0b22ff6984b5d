// SPDX-License-Identifier: Apache-2.0
#include "fred/route/program_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "fred/design/kind.hpp"
#include "fred/version.hpp"

namespace fred {
namespace {

std::string upper(std::string_view text) {
  std::string name(text);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::isalnum(c) != 0 ? static_cast<char>(std::toupper(c)) : '_'; });
  return name;
}

/// "{0x1u, 0x0u}": the words of a mask.
std::string mask(const std::vector<int>& members, int words) {
  std::vector<std::uint32_t> mask(static_cast<std::size_t>(words), 0);
  for (const int member : members) mask[static_cast<std::size_t>(member) / 32] |= 1U << (member % 32);
  std::string text;
  for (const std::uint32_t word : mask) text += fmt::format("{}0x{:x}u", text.empty() ? "" : ", ", word);
  return "{" + text + "}";
}

/// Stops the compiler where the switch of fred_regs.h lacks something.
std::string requirements(const Design& design, const Program& program) {
  int tables = 0, vcs = 0;
  for (const Descriptor& descriptor : program.descriptors) {
    if (descriptor.kind == Kind::kAllToAll) tables = std::max(tables, descriptor.table + 1);
    vcs = std::max(vcs, descriptor.vc + 1);
  }
  std::string wanted = fmt::format(
      "FRED_RADIX != {} || FRED_MIDDLE != {} || FRED_DESCRIPTORS < {} || FRED_ALLTOALL_TABLES < {} || FRED_VCS < {}",
      design.radix, design.middle, program.descriptors.size(), tables, vcs);
  std::string what = fmt::format(
      "radix {}, middle {}, {} or more descriptors, {} or more all-to-all tables, {} or more "
      "virtual circuits",
      design.radix, design.middle, program.descriptors.size(), tables, vcs);
  const std::vector<DType> types = design.dtypes();
  if (types.size() > 1) {  // a descriptor says which by its number
    wanted += fmt::format(" || (FRED_TYPES_RESET & 0x{0:x}u) != 0x{1:x}u", (1ULL << (4 * types.size())) - 1,
                          type_codes(types));
    what += fmt::format(", element types {}", names_of(types));
  }
  return fmt::format("#if {}\n#error \"fred_regs.h is of another switch; needed: {}\"\n#endif\n", wanted, what);
}

}  // namespace

std::string c_name_of(std::string_view file) {
  std::string name;
  for (const char c : std::filesystem::path(file).stem().string()) {
    const bool plain = static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += plain ? c : '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) name = "p" + name;
  return name;
}

std::string program_header(const Design& design, const Program& program, const std::string& name) {
  const RegisterMap map(design);
  const std::string guard = upper(name) + "_FRED_PROGRAM_H";
  std::string text = fmt::format(
      "/* SPDX-License-Identifier: Apache-2.0\n"
      " * Collectives for fred_driver.h, by fred {} route. */\n"
      "#ifndef {}\n#define {}\n\n#include \"fred_driver.h\"\n\n{}\n",
      version(), guard, guard, requirements(design, program));
  text += fmt::format("static const fred_descriptor {}_descriptors[{}] = {{\n", name, program.descriptors.size());
  std::size_t entries = 0;
  for (const Descriptor& d : program.descriptors) {
    text += fmt::format("  /* {} from {} to {} */\n", to_string(d.kind), fmt::join(d.in, ","), fmt::join(d.out, ","));
    text += fmt::format(
        "  {{.index = {}, .kind = FRED_KIND_{}, .op = FRED_OP_{}, .type = {}, .vc = {}, .epoch = {}, .table = {}, "
        ".root = "
        "{},\n"
        "   .colours = 0x{:x}u, .in_mask = {}, .out_mask = {}, .compat = {}}},\n",
        d.index, upper(to_string(d.kind)), upper(to_string(d.op)), d.type, d.vc, d.epoch, d.table, d.root,
        colours_word(design, d.route), mask(d.in, map.mask_words), mask(d.out, map.mask_words),
        mask(d.compatible, (static_cast<int>(program.descriptors.size()) + 31) / 32));
    for (const auto& step : d.alltoall.steps) entries += step.size();
  }
  text += "};\n\n";
  if (entries > 0) {
    text += fmt::format("static const fred_entry {}_entries[{}] = {{\n", name, entries);
    for (const Descriptor& d : program.descriptors) {
      for (std::size_t step = 0; step < d.alltoall.steps.size(); ++step) {
        for (const AllToAllEntry& entry : d.alltoall.steps[step]) {
          text += fmt::format("  {{.table = {}, .step = {}, .port = {}, .destination = {}, .colours = 0x{:x}u}},\n",
                              d.table, step, entry.source, entry.destination, colours_word(design, entry.route));
        }
      }
    }
    text += "};\n\n";
  }
  text += fmt::format("static const fred_program {0}_program = {{{0}_descriptors, {1}, {2}, {3}}};\n\n#endif\n", name,
                      program.descriptors.size(), entries > 0 ? name + "_entries" : "NULL", entries);
  return text;
}

}  // namespace fred
