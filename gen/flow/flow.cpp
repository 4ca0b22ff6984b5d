// SPDX-License-Identifier: Apache-2.0
// Formats by name, and how their files join the output. The formats themselves are in a file each.
#include "fred/flow/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "fred/emit/sha256.hpp"
#include "fred/error.hpp"
#include "fred/flow/formats.hpp"

namespace fred {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kManifest = "manifest.json";
constexpr std::string_view kAll = "all";

std::vector<EmittedFile>::iterator manifest_of(std::vector<EmittedFile>& files) {
  const auto manifest =
      std::find_if(files.begin(), files.end(), [](const EmittedFile& file) { return file.path == kManifest; });
  if (manifest == files.end()) throw std::logic_error("project files need the manifest of a design");
  return manifest;
}

ToolFlow parse_tool_flow(std::string_view name) {
  for (const ToolFlow flow : kAllToolFlows) {
    if (to_string(flow) == name) return flow;
  }
  throw InputError(fmt::format("unknown flow '{}'; allowed: {}", name, tool_flow_names()));
}

/// The constraints that a format's files read.
std::optional<ToolFlow> needed_by(ToolFlow flow) {
  switch (flow) {
    case ToolFlow::kQuartus:
    case ToolFlow::kOpenRoad:
      return ToolFlow::kSdc;
    case ToolFlow::kVivado:
    case ToolFlow::kFuseSoc:
      return ToolFlow::kXdc;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view to_string(ToolFlow flow) {
  switch (flow) {
    case ToolFlow::kSdc:
      return "sdc";
    case ToolFlow::kXdc:
      return "xdc";
    case ToolFlow::kVivado:
      return "vivado";
    case ToolFlow::kQuartus:
      return "quartus";
    case ToolFlow::kOpenRoad:
      return "openroad";
    case ToolFlow::kLibreLane:
      return "librelane";
    case ToolFlow::kFuseSoc:
      return "fusesoc";
    case ToolFlow::kBender:
      return "bender";
    case ToolFlow::kIpXact:
      return "ipxact";
  }
  throw std::logic_error("no such flow");
}

std::string tool_flow_names() {
  std::string names;
  for (const ToolFlow flow : kAllToolFlows) names += fmt::format("{}, ", to_string(flow));
  return names + "or " + std::string(kAll);
}

std::vector<ToolFlow> parse_tool_flows(std::string_view names) {
  std::vector<ToolFlow> flows;
  if (names == kAll) return {kAllToolFlows.begin(), kAllToolFlows.end()};
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = names.substr(begin, end - begin);
    if (name == kAll) throw InputError(fmt::format("flow 'all' in '{}' stands for every flow: name it alone", names));
    const ToolFlow flow = parse_tool_flow(name);
    if (std::find(flows.begin(), flows.end(), flow) != flows.end()) {
      throw InputError(fmt::format("flow '{}' is listed twice in '{}': name each one once", name, names));
    }
    flows.push_back(flow);
    begin = end + 1;
  }
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const std::optional<ToolFlow> needed = needed_by(flows[i]);
    if (needed && std::find(flows.begin(), flows.end(), *needed) == flows.end()) flows.push_back(*needed);
  }
  std::sort(flows.begin(), flows.end());
  return flows;
}

bool FlowInput::has_clock() const {
  return std::any_of(ports.begin(), ports.end(), [](const auto& port) { return port.name == flow::kClock; });
}

FlowInput flow_input(const std::vector<EmittedFile>& files, const verilog::Interface& top) {
  std::vector<EmittedFile> copy = files;
  const Json manifest = Json::parse(manifest_of(copy)->text);
  FlowInput input;
  input.top = manifest.at("top").get<std::string>();
  input.version = manifest.at("version").get<std::string>();
  input.hash = manifest.at("parameter_hash").get<std::string>();
  input.command = manifest.at("command").get<std::string>();
  for (const Json& file : manifest.at("files")) input.files.push_back(file.at("path").get<std::string>());
  input.ports = top.ports;
  if (top.module != input.top) throw std::logic_error("the top module is " + input.top + ", not " + top.module);
  return input;
}

FlowInput flow_input(const std::vector<EmittedFile>& files, const Design& design) {
  FlowInput input = flow_input(files, emit_switch(make_network(design.radix, design.middle), design).interface());
  input.design = design;
  return input;
}

FlowInput flow_input(const std::vector<EmittedFile>& files, const Design& design, const Leaf& leaf) {
  return flow_input(files, emit_leaf(make_network(design.radix, design.middle), design, leaf).interface());
}

std::vector<EmittedFile> emit_flow(ToolFlow flow, const FlowInput& input) {
  if (!(input.period_ns >= kMinPeriodNs && input.period_ns <= kMaxPeriodNs)) {  // not a number is neither
    throw InputError(fmt::format("--clock-period {}: allowed are {}..{} ns", flow::number(input.period_ns),
                                 flow::number(kMinPeriodNs), flow::number(kMaxPeriodNs)));
  }
  switch (flow) {
    case ToolFlow::kSdc:
      return flow::sdc(input);
    case ToolFlow::kXdc:
      return flow::xdc(input);
    case ToolFlow::kVivado:
      return flow::vivado(input);
    case ToolFlow::kQuartus:
      return flow::quartus(input);
    case ToolFlow::kOpenRoad:
      return flow::openroad(input);
    case ToolFlow::kLibreLane:
      return flow::librelane(input);
    case ToolFlow::kFuseSoc:
      return flow::fusesoc(input);
    case ToolFlow::kBender:
      return flow::bender(input);
    case ToolFlow::kIpXact:
      return flow::ipxact(input);
  }
  throw std::logic_error("no such flow");
}

std::vector<EmittedFile> with_flows(std::vector<EmittedFile> files, const FlowInput& input,
                                    const std::vector<ToolFlow>& flows) {
  if (flows.empty()) return files;
  Json listed = Json::object();
  std::vector<EmittedFile> added;
  for (const ToolFlow flow : flows) {
    Json& entry = listed[std::string(to_string(flow))] = Json::array();
    for (EmittedFile& file : emit_flow(flow, input)) {
      entry.push_back({{"path", file.path}, {"sha256", sha256(file.text)}});
      added.push_back(std::move(file));
    }
  }
  auto place = manifest_of(files);
  Json manifest = Json::parse(place->text);
  manifest["clock_period_ns"] = input.period_ns;
  manifest["flows"] = std::move(listed);
  place->text = manifest.dump(2) + "\n";
  files.insert(place, std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  return files;
}

namespace flow {

std::string command(const FlowInput& input, ToolFlow flow, bool timed) {
  std::string text = fmt::format("{} --flow {}", input.command, to_string(flow));
  if (timed) text += " --clock-period " + number(input.period_ns);
  return text;
}

std::string header(const FlowInput& input, ToolFlow flow, bool timed) {
  return fmt::format(
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# Generated by fred {}, parameter hash {}:\n"
      "#   {}\n",
      input.version, input.hash, command(input, flow, timed));
}

std::string sdc_name(const FlowInput& input) { return input.top + ".sdc"; }
std::string xdc_name(const FlowInput& input) { return input.top + ".xdc"; }

std::string number(double value) { return fmt::format("{:.10g}", value); }

std::vector<std::string> port_patterns(const FlowInput& input, verilog::Direction direction) {
  std::vector<std::string> patterns;
  for (const verilog::Interface::Port& port : input.ports) {
    if (port.direction != direction || port.name == kClock) continue;
    patterns.push_back(port.width == 1 ? port.name : port.name + "[*]");
  }
  return patterns;
}

}  // namespace flow
}  // namespace fred
