// SPDX-License-Identifier: Apache-2.0
// `fred info`: what a design comes to, without generating it.
#include <fmt/format.h>

#include <bit>
#include <memory>
#include <optional>

#include "fred/cli/commands.hpp"
#include "fred/cli/design_options.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/design/memories.hpp"
#include "fred/design/registers.hpp"
#include "fred/network/network.hpp"
#include "fred/route/broken.hpp"

namespace fred::cli {
namespace {

struct InfoOptions {
  DesignOptions design;
  std::string json;
  bool parts = false;
};

/// Bits of configuration that software writes: descriptors with their masks, and all-to-all entries of existing ports.
long configuration_bits(const Design& design) {
  long descriptor = 0;
  for (const RegisterBlock& block : register_blocks(design)) {
    if (block.name != "descriptor") continue;
    for (const Register& item : block.registers) {
      if (item.access == Access::kReadWrite) descriptor += std::popcount(item.mask());
    }
  }
  const long entry = design.port_bits() + design.route_bits();
  return design.descriptors * descriptor + entry * design.alltoall_tables * design.radix * design.radix;
}

/// The bases of the counters' registers; none without counters.
nlohmann::ordered_json counters_json(const Design& design, const RegisterMap& map) {
  if (!design.counters) return nullptr;
  return {{"beats_base", map.beats_base}, {"launches_base", map.launches_base}};
}

nlohmann::ordered_json to_json(const Design& design, const Counts& counts, const RegisterMap& map) {
  nlohmann::ordered_json ops = nlohmann::ordered_json::array();
  for (const Op op : design.ops) ops.push_back(to_string(op));
  nlohmann::ordered_json types = nlohmann::ordered_json::array();
  for (const DType dtype : design.dtypes()) types.push_back(to_string(dtype));
  nlohmann::ordered_json acc = nullptr;
  if (design.acc) acc = to_string(*design.acc);
  return {{"options", design.canonical_options()},
          {"radix", design.radix},
          {"middle", design.middle},
          {"dtype", to_string(design.dtype)},
          {"dtypes", types},
          {"acc", acc},
          {"lanes", design.lanes},
          {"ops", ops},
          {"port_width", design.width()},
          {"counts",
           {{"r", counts.r},
            {"d", counts.d},
            {"rd", counts.rd},
            {"demux", counts.demux},
            {"mux", counts.mux},
            {"microswitches", counts.microswitches()},
            {"reducers", counts.reducers()}}},
          {"levels", design.levels()},
          {"stages", 2 * design.levels() - 1},
          {"network_latency", design.network_latency()},
          {"first_beat_latency", design.first_beat_latency()},
          {"vcs", design.vcs},
          {"ingress_depth", design.ingress_depth},
          {"egress_depth", design.egress_depth},
          {"egress", to_string(design.egress)},
          {"counters", counters_json(design, map)},
          {"memories", memories_json(design)},
          {"registers",
           {{"address_bits", map.address_bits},
            {"port_base", map.port_base},
            {"descriptor_base", map.descriptor_base},
            {"descriptor_stride", map.descriptor_stride},
            {"descriptors", design.descriptors},
            {"in_mask", RegisterMap::kInMask},
            {"out_mask", map.out_mask},
            {"compat", map.compat},
            {"mask_words", map.mask_words},
            {"compat_words", map.compat_words},
            {"alltoall_base", map.alltoall_base},
            {"alltoall_tables", design.alltoall_tables},
            {"configuration_bits", configuration_bits(design)}}}};
}

std::string plural(long n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

void print_text(const Design& design, const Counts& counts, const RegisterMap& map) {
  std::string ops;
  for (const Op op : design.ops) ops += (ops.empty() ? "" : ", ") + std::string(to_string(op));
  std::string lanes;
  for (const DType dtype : design.dtypes()) {
    const int n = design.width() / element_bits(dtype);
    lanes += lanes.empty() ? plural(n, "lane", "lanes") : fmt::format(", {}", n);
  }
  fmt::print("FRED_{}({}): {} ports of {} bits ({} of {}), {}\n\n", design.middle, design.radix, design.radix,
             design.width(), lanes, names_of(design.dtypes()), ops);
  const auto row = [](const char* name, long value, const std::string& note = "") {
    fmt::print("  {:<28}{:>10}{}{}\n", name, value, note.empty() ? "" : "  ", note);
  };
  fmt::print("Network\n");
  row("R microswitches", counts.r);
  row("D microswitches", counts.d);
  row("RD microswitches", counts.rd);
  row("microswitches", counts.microswitches());
  row("demultiplexers", counts.demux);
  row("multiplexers", counts.mux);
  row("reducers", counts.reducers(), plural(design.reducer_lanes(), "lane each", "lanes each"));
  row("width", design.network_width(), design.acc ? fmt::format("bits, {}", to_string(*design.acc)) : "bits");
  row("levels", design.levels());
  row("stages", 2 * design.levels() - 1);
  fmt::print("Latency\n");
  row("network", design.network_latency(), "cycles");
  row("first beat", design.first_beat_latency(), "cycles, from s_axis to m_axis of an idle switch");
  fmt::print("Buffers\n");
  row("virtual circuits", design.vcs, "a port");
  row("ingress", design.ingress_depth, "beats a port and virtual circuit");
  row("egress", design.egress_depth,
      design.egress == Egress::kPacket ? "beats a port and virtual circuit; whole packets"
                                       : "beats a port and virtual circuit");
  fmt::print("Memories\n");
  for (const MemoryGroup& group : memory_groups(design)) {
    fmt::print("  {:<28}{:>10}  of {} words x {} bits, {}\n", group.holds, group.count, group.words, group.bits,
               group.module);
  }
  fmt::print("Registers\n");
  row("address bits", map.address_bits);
  row("configuration bits", configuration_bits(design));
  const auto region = [](const char* name, std::uint32_t base, std::uint32_t size, int count, const char* unit) {
    fmt::print("  {:<28}0x{:06x}..0x{:06x}  {} of 0x{:x} bytes\n", name, base, base + size * count - 1,
               plural(count, unit, fmt::format("{}s", unit).c_str()), size);
  };
  region("port status", map.port_base, map.port_stride, design.radix, "port");
  region("descriptors", map.descriptor_base, map.descriptor_stride, design.descriptors, "descriptor");
  if (design.alltoall_tables > 0) {
    region("all-to-all", map.alltoall_base, 4U << (2 * design.port_bits()), design.alltoall_tables, "table");
  }
  if (design.counters) {
    region("beats counted", map.beats_base, map.beats_stride, design.radix, "port");
    region("launches counted", map.launches_base, RegisterMap::kLaunchesStride, design.descriptors, "descriptor");
  }
  fmt::print("Options\n  {}\n", design.canonical_options());
}

nlohmann::ordered_json parts_json(const Network& network) {
  nlohmann::ordered_json nodes = nlohmann::ordered_json::array(), links = nlohmann::ordered_json::array();
  for (const Node& node : network.nodes) nodes.push_back({{"name", node.name()}, {"stage", node.stage}});
  for (std::size_t i = 0; i < network.links.size(); ++i) links.push_back(part_name(network, static_cast<int>(i)));
  return {{"nodes", std::move(nodes)}, {"links", std::move(links)}};
}

void print_parts(const Network& network) {
  fmt::print("Parts\n  stage  name\n");
  for (int stage = 0; stage < network.stages(); ++stage) {
    for (const Node& node : network.nodes) {
      if (node.stage == stage) fmt::print("  {:>5}  {}\n", stage, node.name());
    }
  }
  fmt::print("Links\n");
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    fmt::print("  {}\n", part_name(network, static_cast<int>(i)));
  }
}

void run(const InfoOptions& options) {
  const Design design = options.design.design();
  const Counts counts = count_network(design.radix, design.middle);
  const RegisterMap map(design);
  std::optional<Network> network;
  if (options.parts) network = make_network(design.radix, design.middle);
  if (!options.json.empty()) {
    nlohmann::ordered_json json = to_json(design, counts, map);
    if (network) json["parts"] = parts_json(*network);
    write_json(options.json, json);
  }
  if (is_stdout(options.json)) return;
  print_text(design, counts, map);
  if (network) print_parts(*network);
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Counts, latency and register map of a switch, without generating it");
  const auto options = std::make_shared<InfoOptions>();
  options->design.add_to(*command);
  command->add_flag("--parts", options->parts, "list microswitches and links too, by the names that --broken takes");
  command->add_option("--json", options->json, kJsonHelp)->type_name("FILE");
  command->footer(
      "Examples:\n"
      "  fred info --radix 12 --middle 3\n"
      "  fred info --radix 64 --dtype fp32 --lanes 16 --ops sum --json -");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
