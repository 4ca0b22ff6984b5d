// SPDX-License-Identifier: Apache-2.0
// Descriptions for package managers: FuseSoC's core file (CAPI2) and Bender's manifest, both YAML.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "fred/flow/formats.hpp"

namespace fred::flow {
namespace {

/// A string as a YAML scalar, in double quotes unless it is a plain word or path that no YAML version takes for
/// anything else.
std::string yaml(std::string_view text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/' || c == '.';
  };
  const bool is_path = text.find('/') != std::string_view::npos || text.find('_') != std::string_view::npos;
  if (is_path && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
      std::all_of(text.begin(), text.end(), plain)) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\x{:02x}", c);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

/// The RTL as items of a YAML list.
std::string items(const FlowInput& input, std::string_view indent) {
  std::string text;
  for (const std::string& file : input.files) text += fmt::format("{}- {}\n", indent, yaml(file));
  return text;
}

std::string description(const FlowInput& input) {
  if (!input.design) return fmt::format("{}, a part of a FRED switch", input.top);
  return fmt::format("FRED_{}({}): a switch of {} ports that computes collectives", input.design->middle,
                     input.design->radix, input.design->radix);
}

}  // namespace

// CAPI=2: must be the first line. Both targets use the tool API, which FuseSoC 1 and 2 have. The generator has a core
// of its own: who depends on it to generate a switch must not get this one's RTL, which has modules of the same names.
std::vector<EmittedFile> fusesoc(const FlowInput& input) {
  const std::string core = fmt::format(
      "name: {name}\n"
      "description: {description}\n"
      "\n"
      "filesets:\n"
      "  rtl:\n"
      "    file_type: systemVerilogSource\n"
      "    files:\n"
      "{files}"
      "  constraints:\n"
      "    file_type: xdc\n"
      "    files:\n"
      "      - {xdc}\n"
      "\n"
      "targets:\n"
      "  default:\n"
      "    filesets: [rtl]\n"
      "    toplevel: {top}\n"
      "  lint:\n"
      "    description: Verilator, all warnings\n"
      "    filesets: [rtl]\n"
      "    toplevel: {top}\n"
      "    default_tool: verilator\n"
      "    tools:\n"
      "      verilator:\n"
      "        mode: lint-only\n"
      "        verilator_options: [\"-Wall\"]\n"
      "  synth:\n"
      "    description: Vivado, without placing and routing\n"
      "    filesets: [rtl, constraints]\n"
      "    toplevel: {top}\n"
      "    default_tool: vivado\n"
      "    tools:\n"
      "      vivado:\n"
      "        part: xcvu9p-flga2104-2L-e\n"
      "        pnr: none\n",
      fmt::arg("name", yaml(fmt::format("fred:generated:{}:{}", input.top, input.version))),
      fmt::arg("description", yaml(description(input))), fmt::arg("files", items(input, "      ")),
      fmt::arg("xdc", yaml(xdc_name(input))), fmt::arg("top", yaml(input.top)));
  const std::string generator = fmt::format(
      "name: {}\n"
      "description: Generator of FRED switches\n"
      "\n"
      "generators:\n"
      "  fred_switch:\n"
      "    interpreter: python3\n"
      "    command: fred_generator.py\n"
      "    description: A FRED switch, by fred gen\n"
      "    usage: >-\n"
      "      Parameters are the long options of fred gen that describe a design, such as radix, middle, dtype,\n"
      "      lanes and ops. The command fred must be in PATH, or its path in the environment variable FRED.\n",
      yaml(fmt::format("fred:generators:fred_switch_generator:{}", input.version)));
  const std::string licence = "# SPDX-License-Identifier: Apache-2.0\n";
  return {{input.top + ".core", "CAPI=2:\n" + header(input, ToolFlow::kFuseSoc, true) + core},
          {"fred_generator.core", "CAPI=2:\n" + licence + generator},
          {"fred_generator.py", std::string(generator_script())}};
}

std::vector<EmittedFile> bender(const FlowInput& input) {
  return {{"Bender.yml", fmt::format("{}\n"
                                     "package:\n"
                                     "  name: {}\n"
                                     "  description: {}\n"
                                     "\n"
                                     "sources:\n"
                                     "{}",
                                     header(input, ToolFlow::kBender, false), yaml(input.top), yaml(description(input)),
                                     items(input, "  "))}};
}

}  // namespace fred::flow
