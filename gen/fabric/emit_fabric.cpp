// SPDX-License-Identifier: Apache-2.0
#include "fred/fabric/emit_fabric.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fred/emit/files_json.hpp"
#include "fred/version.hpp"

namespace fred {
namespace {

using nlohmann::ordered_json;

const FabricSwitch& at(const Fabric& fabric, int of) { return fabric.switches[static_cast<std::size_t>(of)]; }

ordered_json collective_json(const Fabric& fabric, const FabricCollective& of,
                             const std::vector<FabricPlan::At>& where) {
  ordered_json ranks = ordered_json::array(), leaves = ordered_json::array();
  for (const FabricPort& rank : of.ranks) ranks.push_back(fmt::format("{}:{}", at(fabric, rank.leaf).name, rank.port));
  for (std::size_t s = 0; s < where.size(); ++s) {
    if (where[s].sends < 0 && where[s].receives < 0) continue;
    ordered_json leaf = {{"switch", fabric.switches[s].name}};
    if (where[s].sends >= 0) leaf["sends_to"] = where[s].sends;
    if (where[s].receives >= 0) leaf["receives_from"] = where[s].receives;
    leaves.push_back(std::move(leaf));
  }
  ordered_json json = {{"kind", to_string(of.kind)}, {"ranks", ranks}, {"vc", of.vc}};
  if (root_sends(of.kind) || root_receives(of.kind)) json["root"] = of.root;
  if (reduces(of.kind)) json["op"] = to_string(of.op);
  json["type"] = to_string(fabric.design(0).dtypes()[static_cast<std::size_t>(of.type)]);
  json["leaves"] = leaves;
  return json;
}

ordered_json switch_json(const Fabric& fabric, const FabricPlan& plan, int of,
                         const std::vector<RegisterWrite>& writes) {
  ordered_json descriptors = ordered_json::array(), list = ordered_json::array();
  for (const FabricDescriptor& d : plan.descriptors[static_cast<std::size_t>(of)]) {
    ordered_json links = ordered_json::array();
    for (const LinkEntry& entry : d.links) {
      links.push_back({{"port", fabric.design(of).ends() + entry.link},
                       {"slot", entry.slot},
                       {"tag", entry.tag},
                       {"repeat", entry.repeat},
                       {"pass_step", entry.pass}});
    }
    descriptors.push_back({{"collective", d.collective},
                           {"kind", to_string(d.local.kind)},
                           {"in", d.local.flow.in},
                           {"out", d.local.flow.out},
                           {"links", links}});
  }
  for (const RegisterWrite& write : writes) {
    list.push_back({{"address", fmt::format("{:#06x}", write.address)},
                    {"value", fmt::format("{:#010x}", write.data)},
                    {"register", write.name},
                    {"meaning", write.meaning}});
  }
  return {{"name", at(fabric, of).name},      {"rtl", folder_of(fabric, of)},
          {"radix", fabric.design(of).radix}, {"link_ports", fabric.design(of).link_ports},
          {"descriptors", descriptors},       {"writes", list}};
}

}  // namespace

std::string folder_of(const Fabric& fabric, int of) {
  int first = 0;
  while (!(fabric.design(first) == fabric.design(of))) ++first;
  return at(fabric, first).name;
}

std::vector<EmittedFile> emit_fabric(const Fabric& fabric, const std::vector<FabricCollective>& collectives,
                                     const FabricPlan& plan) {
  const auto writes = fabric_writes(fabric, plan, 0);
  std::vector<EmittedFile> files;
  ordered_json switches = ordered_json::array(), links = ordered_json::array(), all = ordered_json::array();
  for (int of = 0; of < static_cast<int>(fabric.switches.size()); ++of) {
    const std::string folder = folder_of(fabric, of);
    switches.push_back(switch_json(fabric, plan, of, writes[static_cast<std::size_t>(of)]));
    if (folder != at(fabric, of).name) continue;
    for (EmittedFile& file : emit_design(fabric.design(of))) {
      files.push_back({fmt::format("{}/{}", folder, file.path), std::move(file.text)});
    }
  }
  for (const FabricLink& link : fabric.links) {
    links.push_back({{"leaf", at(fabric, link.leaf).name},
                     {"leaf_port", link.leaf_port},
                     {"root", at(fabric, link.root).name},
                     {"root_port", link.root_port}});
  }
  for (std::size_t c = 0; c < collectives.size(); ++c)
    all.push_back(collective_json(fabric, collectives[c], plan.at[c]));
  const ordered_json json = {{"schema_version", 1}, {"switches", switches}, {"links", links}, {"collectives", all}};
  files.push_back({"fabric.json", json.dump(2) + "\n"});
  const ordered_json manifest = {{"schema_version", 1},
                                 {"generator", "fred"},
                                 {"version", version()},
                                 {"kind", "fabric"},
                                 {"files", files_json(files)}};
  files.push_back({"manifest.json", manifest.dump(2) + "\n"});
  return files;
}

}  // namespace fred
