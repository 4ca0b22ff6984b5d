// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/fabric_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "fred/cli/json_input.hpp"
#include "fred/design/kind.hpp"
#include "fred/error.hpp"

namespace fred::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxSwitches = 256;

class Reader {
 public:
  Reader(const std::string& file, const DesignOptions& options) : file_(file), options_(options) {}

  FabricFile read() {
    const json value = read_json("--fabric", file_);
    const auto known = fields("the file", value, {"switches", "links", "collectives"});
    for (const json& of : list("switches", value, known)) add_switch(of);
    for (const json& of : list("links", value, known)) add_link(of);
    for (const json& of : list("collectives", value, known)) add_collective(of);
    if (out_.fabric.switches.empty()) fail("'switches' is empty: at least one is needed");
    try {
      out_.fabric.validate();
    } catch (const InputError& error) {
      fail(error.what());
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("--fabric {}: {}", file_, what));
  }

  /// The names of an object's fields, which must be among `allowed`.
  std::vector<std::string> fields(const std::string& where, const json& value,
                                  const std::vector<std::string>& allowed) const {
    if (!value.is_object())
      fail(fmt::format("{} is {}: an object with {} is needed", where, shown(value), fmt::join(allowed, ", ")));
    std::vector<std::string> names;
    for (const auto& [name, of] : value.items()) {
      if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
        fail(fmt::format("{} has {}: allowed are {}", where, shown(json(name)), fmt::join(allowed, ", ")));
      }
      names.push_back(name);
    }
    return names;
  }
  json list(const std::string& name, const json& value, const std::vector<std::string>& known) const {
    if (std::find(known.begin(), known.end(), name) == known.end()) return json::array();
    if (!value.at(name).is_array()) fail(fmt::format("'{}' is {}: a list is needed", name, shown(value.at(name))));
    return value.at(name);
  }
  int number(const std::string& where, const json& of, const char* name, std::optional<int> without = {}) const {
    const auto found = of.find(name);
    if (found == of.end() && without) return *without;
    if (found == of.end()) fail(fmt::format("{} has no '{}'", where, name));
    constexpr int kMost = 1 << 20;
    if (!found->is_number_integer() || *found < 0 || *found > kMost) {
      fail(fmt::format("{}: {} {}: allowed are 0..{}", where, name, shown(*found), kMost));
    }
    return found->get<int>();
  }
  std::string text(const std::string& where, const json& of, const char* name,
                   const std::optional<std::string>& without = {}) const {
    const auto found = of.find(name);
    if (found == of.end() && without) return *without;
    if (found == of.end()) fail(fmt::format("{} has no '{}'", where, name));
    if (!found->is_string()) fail(fmt::format("{}: {} {}: a text is needed", where, name, shown(*found)));
    return found->get<std::string>();
  }
  int switch_named(const std::string& where, const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return found->second;
    std::string names;
    for (const FabricSwitch& of : out_.fabric.switches) names += (names.empty() ? "" : ", ") + of.name;
    fail(fmt::format("{}: switch {}: allowed are {}", where, shown(json(name)), names));
  }

  void add_switch(const json& of) {
    const std::string where = fmt::format("switch {}", out_.fabric.switches.size());
    (void)fields(where, of, {"name", "radix", "link_ports"});
    if (out_.fabric.switches.size() == kMaxSwitches) fail(fmt::format("more than {} switches", kMaxSwitches));
    const std::string name = text(where, of, "name");
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (name.empty() || name.size() > 32 || !std::all_of(name.begin(), name.end(), is_word)) {
      fail(fmt::format("{}: name {}: allowed are 1 to 32 letters, digits and _", where, shown(json(name))));
    }
    if (!by_name_.emplace(name, static_cast<int>(out_.fabric.switches.size())).second) {
      fail(fmt::format("{}: name {}: there is one already", where, name));
    }
    DesignOptions options = options_;
    options.fabric = true;
    options.base.radix = number(where, of, "radix");
    const int links = number(where, of, "link_ports", 0);
    if (links > options.base.radix) {
      fail(fmt::format("{} ({}): link_ports {}: allowed are 0..{}, its radix", where, name, links, options.base.radix));
    }
    options.link_ports.clear();
    for (int i = options.base.radix - links; i < options.base.radix; ++i) options.link_ports.push_back(i);
    try {
      out_.fabric.switches.push_back({name, options.design()});
    } catch (const InputError& error) {
      fail(fmt::format("{} ({}): {}", where, name, error.what()));
    }
  }

  void add_link(const json& of) {
    const std::string where = fmt::format("link {}", out_.fabric.links.size());
    (void)fields(where, of, {"leaf", "leaf_port", "root", "root_port"});
    FabricLink link;
    link.leaf = switch_named(where, text(where, of, "leaf"));
    link.leaf_port = number(where, of, "leaf_port");
    link.root = switch_named(where, text(where, of, "root"));
    link.root_port = number(where, of, "root_port");
    out_.fabric.links.push_back(link);
  }

  FabricPort port(const std::string& where, const json& of) const {
    const std::string text = of.is_string() ? of.get<std::string>() : "";
    const std::size_t colon = text.find(':');
    const std::string digits = colon == std::string::npos ? "" : text.substr(colon + 1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (digits.empty() || digits.size() > 3 || !std::all_of(digits.begin(), digits.end(), is_digit)) {
      fail(fmt::format("{}: rank {}: allowed is \"SWITCH:PORT\", as \"leaf0:3\"", where, shown(of)));
    }
    return {switch_named(where, text.substr(0, colon)), std::stoi(digits)};
  }

  void add_collective(const json& of) {
    const std::string where = fmt::format("collective {}", out_.collectives.size());
    (void)fields(where, of, {"kind", "ranks", "root", "op", "type", "vc"});
    FabricCollective collective;
    const std::vector<DType> types =
        out_.fabric.switches.empty() ? std::vector<DType>{} : out_.fabric.design(0).dtypes();
    try {
      collective.kind = parse_kind(text(where, of, "kind"));
      collective.op = parse_op(text(where, of, "op", "sum"));
      if (of.contains("type")) {
        const DType type = parse_dtype(text(where, of, "type"));
        const auto found = std::find(types.begin(), types.end(), type);
        if (found == types.end()) fail(fmt::format("{}: type {}: is not one of --dtype", where, to_string(type)));
        collective.type = static_cast<int>(found - types.begin());
      }
    } catch (const InputError& error) {
      const std::string text = error.what();
      fail(text.starts_with("--fabric") ? text.substr(text.find(": ") + 2) : fmt::format("{}: {}", where, text));
    }
    collective.root = number(where, of, "root", 0);
    collective.vc = number(where, of, "vc", 0);
    const auto ranks = of.find("ranks");
    if (ranks == of.end() || !ranks->is_array() || ranks->empty()) {
      fail(fmt::format("{}: 'ranks' must be a list of \"SWITCH:PORT\", rank 0 first", where));
    }
    for (const json& rank : *ranks) collective.ranks.push_back(port(where, rank));
    out_.collectives.push_back(std::move(collective));
  }

  std::string file_;
  const DesignOptions& options_;
  FabricFile out_;
  std::map<std::string, int> by_name_;
};

}  // namespace

FabricFile read_fabric(const std::string& file, const DesignOptions& options) { return Reader(file, options).read(); }

std::string to_string(const Fabric& fabric, const FabricPort& port) {
  return fmt::format("{}:{}", fabric.switches[static_cast<std::size_t>(port.leaf)].name, port.port);
}

void fabric_excludes(CLI::App& command, CLI::Option* fabric, const std::vector<std::string>& names) {
  for (const std::string& name : names) fabric->excludes(command.get_option(name));
}

}  // namespace fred::cli
