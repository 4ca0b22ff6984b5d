// SPDX-License-Identifier: Apache-2.0
// manifest.json: what a program needs to know of a generated switch without parsing SystemVerilog. The schema is in
// docs/manifest.md; change both together, and schema_version when a reader of the old form would err.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fred/design/kind.hpp"
#include "fred/design/memories.hpp"
#include "fred/design/registers.hpp"
#include "fred/emit/emit.hpp"
#include "fred/emit/files_json.hpp"
#include "fred/emit/sha256.hpp"
#include "fred/route/program.hpp"
#include "fred/version.hpp"

namespace fred {
namespace {

using Json = nlohmann::ordered_json;

Json parameters(const Design& design) {
  Json ops = Json::array();
  for (const Op op : design.ops) ops.push_back(to_string(op));
  Json types = Json::array();
  for (const DType dtype : design.dtypes()) types.push_back(to_string(dtype));
  Json all = {{"radix", design.radix},
              {"middle", design.middle},
              {"dtype", to_string(design.dtype)},
              {"dtypes", types},
              {"lanes", design.lanes},
              {"ops", ops},
              {"pipeline", design.pipeline},
              {"adder_latency", design.adder_latency},
              {"descriptors", design.descriptors},
              {"alltoall_tables", design.alltoall_tables},
              {"vcs", design.vcs},
              {"ingress_depth", design.ingress_depth},
              {"egress_depth", design.egress_depth},
              {"egress", to_string(design.egress)},
              {"allow_slow", design.allow_slow},
              {"conflict_check", design.conflict_check}};
  if (design.acc) all["acc"] = to_string(*design.acc);
  if (design.counters) all["counters"] = true;
  if (design.link_ports > 0) {
    const ChipLink& link = design.link;
    all["link_ports"] = design.link_ports;
    all["link"] = {{"slots", link.slots},           {"step_bits", link.step_bits},   {"tag_bits", link.tag_bits},
                   {"latency", link.latency},       {"flit_beats", link.flit_beats}, {"flit_words", link.flit_words},
                   {"slot_depth", link.slot_depth}, {"replay", link.replay},         {"phy_bits", link.phy_bits()}};
  }
  return all;
}

Json widths(const Design& design) {
  return {{"tdata", design.width()},
          {"tkeep", design.bytes()},
          {"tdest", design.descriptor_bits()},
          {"s_axis_tuser", design.s_user_bits()},
          {"m_axis_tuser", design.m_user_bits()},
          {"element", element_bits(design.dtype)},
          {"port", design.port_bits()},
          {"colour", design.colour_bits()},
          {"route", design.route_bits()}};
}

Json counts(const Design& design) {
  const Counts c = count_network(design.radix, design.middle);
  return {{"r", c.r},
          {"d", c.d},
          {"rd", c.rd},
          {"demux", c.demux},
          {"mux", c.mux},
          {"microswitches", c.microswitches()},
          {"reducers", c.reducers()},
          {"levels", design.levels()},
          {"stages", 2 * design.levels() - 1}};
}

Json registers(const Design& design) {
  const RegisterMap map(design);
  const int words_of_ports = map.mask_words;
  Json all = {
      {"address_bits", map.address_bits},
      {"id", RegisterMap::kId},
      {"version", RegisterMap::kVersion},
      {"shape", RegisterMap::kShape},
      {"data", RegisterMap::kData},
      {"latency", RegisterMap::kLatency},
      {"hash", RegisterMap::kHash},
      {"types", RegisterMap::kTypes},
      {"vcs", RegisterMap::kVcs},
      {"error", RegisterMap::kError},
      {"priority", RegisterMap::kPriority},
      {"bound", RegisterMap::kBound},
      {"port", {{"base", map.port_base}, {"stride", map.port_stride}, {"vc_stride", 4}, {"count", design.radix}}},
      {"descriptor",
       {{"base", map.descriptor_base},
        {"stride", map.descriptor_stride},
        {"count", design.descriptors},
        {"control", RegisterMap::kControl},
        {"status", RegisterMap::kStatus},
        {"config", RegisterMap::kConfig},
        {"colours", RegisterMap::kColours},
        {"in_mask", RegisterMap::kInMask},
        {"out_mask", map.out_mask},
        {"compat", map.compat},
        {"mask_words", words_of_ports},
        {"compat_words", map.compat_words}}},
      {"alltoall",
       {{"base", map.alltoall_base},
        {"tables", design.alltoall_tables},
        {"table_stride", 4 << (2 * design.port_bits())},
        {"step_stride", 4 << design.port_bits()},
        {"port_stride", 4}}}};
  if (design.counters) {
    all["counters"] = {
        {"snapshot", RegisterMap::kCounters},
        {"beats", {{"base", map.beats_base}, {"stride", map.beats_stride}, {"vc_stride", RegisterMap::kBeatsStride}}},
        {"launches", {{"base", map.launches_base}, {"stride", RegisterMap::kLaunchesStride}}}};
  }
  if (design.link_ports > 0) {
    all["links"] = {
        {"base", map.link_base}, {"stride", map.link_stride}, {"link_stride", 4}, {"count", design.link_ports}};
    all["link_status"] = {{"base", map.link_status_base}, {"stride", RegisterMap::kLinkStatusStride}};
  }
  return all;
}

/// Descriptors of a switch without registers.
Json static_form(const Design& design) {
  const StaticForm& form = *design.static_form;
  const Program program = static_program(design, make_network(design.radix, design.middle));
  Json descriptors = Json::array();
  for (const Descriptor& of : program.descriptors) {
    Json root = nullptr, colours = nullptr;
    if (root_sends(of.kind) || root_receives(of.kind)) root = of.root;
    if (of.kind != Kind::kAllToAll) colours = of.route.colours;
    descriptors.push_back({{"descriptor", of.index},
                           {"kind", to_string(of.kind)},
                           {"dtype", to_string(design.dtypes()[static_cast<std::size_t>(of.type)])},
                           {"op", reduces(of.kind) ? Json(to_string(of.op)) : Json(nullptr)},
                           {"vc", of.vc},
                           {"in", of.in},
                           {"out", of.out},
                           {"root", root},
                           {"colours", colours},
                           {"compatible", of.compatible}});
  }
  Json ports = nullptr;
  if (!form.tdest) {
    ports = Json::array();
    for (int port = 0; port < design.radix; ++port) {
      Json by_vc = Json::array();
      for (int vc = 0; vc < design.vcs; ++vc) {
        const int d = form.descriptor_of(port, vc);
        by_vc.push_back(d < 0 ? Json(nullptr) : Json(d));
      }
      ports.push_back(std::move(by_vc));
    }
  }
  const std::vector<RegisterBlock> blocks = register_blocks(design);
  Json errors = Json::array();
  for (const RegisterField& field : register_named(blocks, "ERROR").fields) {
    // There are no tables to go wrong, and no links.
    if (field.exists() && field.name != "parity") errors.push_back(field.name);
  }
  return {{"tdest", form.tdest},
          {"watchdog", form.watchdog},
          {"errors", std::move(errors)},
          {"descriptors", std::move(descriptors)},
          {"descriptor_of_port_and_vc", std::move(ports)}};
}

Json codes() {
  Json all = Json::object();
  for (const CodeList& list : code_lists()) {
    for (const CodeList::Code& code : list.codes) all[list.name][code.name] = code.value;
  }
  return all;
}

}  // namespace

Json files_json(const std::vector<EmittedFile>& files) {
  Json listed = Json::array();
  for (const EmittedFile& file : files) listed.push_back({{"path", file.path}, {"sha256", sha256(file.text)}});
  return listed;
}

std::string emit_manifest(const Design& design, const std::vector<EmittedFile>& files,
                          const std::vector<EmittedFile>& registers_as, const std::optional<Leaf>& leaf) {
  const std::string top = leaf ? leaf_module_name(leaf->name) : std::string(kTopModule);
  Json manifest = {
      {"schema_version", 1},
      {"generator", "fred"},
      {"version", version()},
      {"command", canonical_command(design, leaf)},
      {"parameter_hash", fmt::format("{:08x}", parameter_hash(design))},
      {"top", top},
      {"filelist", top + ".f"},
      {"files", files_json(files)},
      {"parameters", parameters(design)},
      {"widths", widths(design)},
      {"counts", counts(design)},
      {"latency", {{"network", design.network_latency()}, {"first_beat", design.first_beat_latency()}}},
      {"tree_rule",
       "Ports p and q meet at the first k with p >> k = q >> k; the operand of the lower ports is the left one."},
      {design.static_form ? "static" : "registers", design.static_form ? static_form(design) : registers(design)},
      {"codes", codes()}};
  if (!leaf) manifest["memories"] = memories_json(design);
  if (!leaf && !design.static_form) manifest["register_files"] = files_json(registers_as);
  if (leaf) manifest["leaf"] = {{"name", leaf->name}, {"registered", leaf->registered}};
  return manifest.dump(2) + "\n";
}

}  // namespace fred
