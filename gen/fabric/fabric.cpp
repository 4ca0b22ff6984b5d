// SPDX-License-Identifier: Apache-2.0
#include "fred/fabric/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "fred/error.hpp"

namespace fred {

void Fabric::validate() const {
  if (switches.empty()) throw InputError("fabric: at least one switch is needed");
  const int count = static_cast<int>(switches.size());
  std::set<std::pair<int, int>> used, pairs;
  std::set<int> leaves, tops;
  for (std::size_t l = 0; l < links.size(); ++l) {
    const FabricLink& link = links[l];
    for (const auto& [of, port] : {std::pair{link.leaf, link.leaf_port}, std::pair{link.root, link.root_port}}) {
      if (of < 0 || of >= count)
        throw InputError(fmt::format("link {}: switch {}: allowed are 0..{}", l, of, count - 1));
      const FabricSwitch& at = switches[static_cast<std::size_t>(of)];
      if (port < at.design.ends() || port >= at.design.radix) {
        throw InputError(fmt::format("link {}: port {} of {}: allowed are its link ports {}", l, port, at.name,
                                     at.design.link_ports == 0 ? "(it has none)" : at.design.link_port_list()));
      }
      if (!used.emplace(of, port).second)
        throw InputError(fmt::format("link {}: port {} of {} has a link", l, port, at.name));
    }
    const FabricSwitch &leaf = switches[static_cast<std::size_t>(link.leaf)],
                       &root = switches[static_cast<std::size_t>(link.root)];
    if (!(leaf.design.link == root.design.link)) {
      throw InputError(fmt::format("link {}: its ends differ: {} has {}, {} has {}", l, leaf.name,
                                   leaf.design.link.canonical_options(), root.name,
                                   root.design.link.canonical_options()));
    }
    if (!pairs.emplace(link.leaf, link.root).second) {
      throw InputError(fmt::format("link {}: {} and {} have a link", l, leaf.name, root.name));
    }
    leaves.insert(link.leaf);
    tops.insert(link.root);
  }
  for (const int of : leaves) {
    if (tops.count(of) != 0) {
      throw InputError(fmt::format("switch {}: is the leaf of a link and the root of another; allowed are two levels",
                                   switches[static_cast<std::size_t>(of)].name));
    }
  }
}

const FabricLink* Fabric::link(int leaf, int root) const {
  const auto found =
      std::find_if(links.begin(), links.end(), [&](const FabricLink& l) { return l.leaf == leaf && l.root == root; });
  return found == links.end() ? nullptr : &*found;
}

std::vector<int> Fabric::roots() const {
  std::set<int> all;
  for (const FabricLink& l : links) all.insert(l.root);
  return {all.begin(), all.end()};
}

}  // namespace fred
