// SPDX-License-Identifier: Apache-2.0
#include "tb/sv_testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "fred/design/register_map.hpp"
#include "fred/emit/sha256.hpp"
#include "tb/sv_plan.hpp"
#include "tb/sv_vectors.hpp"

namespace fred::tb {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTop = "fred_switch_tb";
constexpr const char* kFilelist = "tb/fred_switch_tb.f";

std::vector<EmittedFile>::iterator find(std::vector<EmittedFile>& files, std::string_view path) {
  const auto found =
      std::find_if(files.begin(), files.end(), [path](const EmittedFile& file) { return file.path == path; });
  if (found == files.end()) throw std::logic_error(fmt::format("a testbench needs {}", path));
  return found;
}

std::string package(const Design& design, std::uint64_t seed, std::size_t phases, const Vectors& vectors) {
  std::string text = fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n// Numbers of a switch and of the vectors for it, --testbench-seed "
      "{}.\n",
      seed);
  const std::string head = provenance(design);
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t end = std::min(head.find('\n', at), head.size());
    text += "// " + head.substr(at, end - at) + "\n";
    at = end + 1;
  }
  text += "`default_nettype none\n\npackage fred_switch_tb_pkg;\n";
  const auto number = [&text](const char* name, std::size_t value, const char* comment) {
    text += fmt::format("  localparam int {} = {};  // {}\n", name, value, comment);
  };
  const auto width = [&number](const char* name, int value, const char* comment) {
    number(name, static_cast<std::size_t>(value), comment);
  };
  width("Ports", design.radix, "radix");
  width("Vcs", design.vcs, "virtual circuits");
  width("Width", design.width(), "bits of tdata a port");
  width("IdBits", design.vc_bits(), "of tid");
  width("DestBits", design.descriptor_bits(), "of tdest");
  width("SUserBits", design.s_user_bits(), "of s_axis_tuser");
  width("MUserBits", design.m_user_bits(), "of m_axis_tuser");
  width("WholePackets", design.egress == Egress::kPacket ? design.egress_depth : 0,
        "a packet leaves whole, circuits do not alternate in it, and one of so many beats does not pause; 0: by beat");
  width("AddressBits", RegisterMap(design).address_bits, "of AXI4-Lite");
  number("Phases", phases, "that follow each other");
  number("Steps", vectors.steps, "words of program.hex");
  number("SendBeats", vectors.sent, "words of send.hex");
  number("ExpectBeats", vectors.expected, "words of expect.hex");
  number("Queues", vectors.queued, "words of queues.hex");
  text += "endpackage\n\n`default_nettype wire\n";
  return text;
}

std::string readme(const Design& design, std::uint64_t seed, const std::vector<PlannedPhase>& phases) {
  std::string text(bench_readme_text());
  text += fmt::format(
      "\n## What it runs\n\nSeed {} of `--testbench-seed`. Every line is a descriptor; those of a phase run at once.\n",
      seed);
  for (std::size_t number = 0; number < phases.size(); ++number) {
    text += fmt::format("\nPhase {}{}:\n\n", number, phases[number].eager ? ", not waiting for s_axis_vc_ready" : "");
    for (std::size_t i = 0; i < phases[number].descriptors.size(); ++i) {
      text += fmt::format("- {}: {}\n", i, describe(design, phases[number].descriptors[i]));
    }
  }
  return text;
}

std::vector<EmittedFile> bench_files(const Design& design, std::uint64_t seed, const std::string& switch_list) {
  const std::vector<PlannedPhase> phases = plan_phases(design, seed);
  Vectors vectors = make_vectors(design, phases);
  std::vector<EmittedFile> files;
  files.push_back({"tb/fred_switch_tb_pkg.sv", package(design, seed, phases.size(), vectors)});
  files.push_back({"tb/fred_switch_tb.sv", std::string(bench_text())});
  std::string list = switch_list;
  for (const EmittedFile& file : files) list += file.path + "\n";
  files.push_back({kFilelist, std::move(list)});
  files.push_back({"tb/README.md", readme(design, seed, phases)});
  files.push_back({"tb/vectors/program.hex", std::move(vectors.program)});
  files.push_back({"tb/vectors/send.hex", std::move(vectors.send)});
  files.push_back({"tb/vectors/send_first.hex", std::move(vectors.send_first)});
  files.push_back({"tb/vectors/expect.hex", std::move(vectors.expect)});
  files.push_back({"tb/vectors/queues.hex", std::move(vectors.queues)});
  files.push_back({"tb/vectors/queue_beats.hex", std::move(vectors.queue_beats)});
  files.push_back({"tb/vectors/queue_first.hex", std::move(vectors.queue_first)});
  return files;
}

}  // namespace

std::vector<EmittedFile> with_testbench(std::vector<EmittedFile> files, const Design& design, std::uint64_t seed) {
  std::vector<EmittedFile> added = bench_files(design, seed, find(files, fmt::format("{}.f", kTopModule))->text);
  Json listed = Json::array();
  for (const EmittedFile& file : added) listed.push_back({{"path", file.path}, {"sha256", sha256(file.text)}});
  const auto place = find(files, "manifest.json");
  Json manifest = Json::parse(place->text);
  manifest["testbench"] = {{"top", kTop}, {"filelist", kFilelist}, {"seed", seed}, {"files", std::move(listed)}};
  place->text = manifest.dump(2) + "\n";
  files.insert(place, std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  return files;
}

}  // namespace fred::tb
