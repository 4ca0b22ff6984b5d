// SPDX-License-Identifier: Apache-2.0
// Of a running descriptor the file's writes say all; from what CONFIG, the masks and the route say they are made anew
// and compared, so that options of another switch than the file's cannot go unseen.
#include "fred/cli/kept_registers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fred/cli/kept_file.hpp"
#include "fred/cli/route_registers.hpp"
#include "fred/design/kind.hpp"
#include "fred/error.hpp"
#include "fred/numeric/dtype.hpp"

namespace fred::cli {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostWord = 0xffffffff;

std::string place_of(std::size_t flow) { return fmt::format("registers[{}]", flow); }

int index_of(const KeptFile& file, const Json& entry, std::size_t flow, const Design& design) {
  const std::string place = place_of(flow) + ".descriptor";
  return static_cast<int>(
      file.number(file.field(entry, place_of(flow), "descriptor"), place, 0, design.descriptors - 1));
}

/// A word of a write: "address" or "data".
std::uint32_t word(const KeptFile& file, const Json& write, const std::string& place, const char* name) {
  return static_cast<std::uint32_t>(file.number(file.field(write, place, name), place + "." + name, 0, kMostWord));
}

std::uint32_t config_of(const KeptFile& file, const Json& writes, const std::string& place) {
  for (const Json& write : file.list(writes, place)) {
    const Json& name = file.field(write, place, "name");
    if (name.is_string() && name == "CONFIG") return word(file, write, place, "data");
  }
  file.fail(place, "have no CONFIG");
}

/// Throws unless the file has these writes.
void compare(const KeptFile& file, const Json& writes, const std::string& place,
             const std::vector<RegisterWrite>& expected) {
  constexpr const char* kOptions =
      "give the options of the switch that the file is of: --descriptors, --alltoall-tables, --vcs, --dtype";
  if (writes.size() != expected.size()) {
    file.fail(place,
              fmt::format("are {}: with these options there are {}; {}", writes.size(), expected.size(), kOptions));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", place, i);
    const std::uint32_t address = word(file, writes[i], at, "address"), data = word(file, writes[i], at, "data");
    if (address == expected[i].address && data == expected[i].data) continue;
    file.fail(at, fmt::format("writes {:#010x} to {:#06x}: with these options {} is {:#010x} at {:#06x}; {}", data,
                              address, expected[i].name, expected[i].data, expected[i].address, kOptions));
  }
}

Descriptor read_descriptor(const KeptFile& file, const Json& entry, std::size_t flow, const Design& design,
                           const Flow& of, const Route& route) {
  using Fields = ConfigFields;
  const std::string place = place_of(flow) + ".writes";
  const Json& writes = file.field(entry, place_of(flow), "writes");
  const std::uint32_t config = config_of(file, writes, place);
  const auto field = [&](BitField bits) { return static_cast<int>(bits.of(config)); };
  if (Fields::kKind.of(config) >= kAllKinds.size() || Fields::kOp.of(config) >= kAllOps.size()) {
    file.fail(place, fmt::format("have CONFIG {:#010x}: its kind or operation is not known", config));
  }
  const auto kind = static_cast<Kind>(field(Fields::kKind));
  if (kind == Kind::kAllToAll) {
    file.fail(place_of(flow), "is an all-to-all, which cannot be kept; --remove takes it out");
  }
  const Collective collective{
      kind, of, field(Fields::kRoot), static_cast<Op>(field(Fields::kOp)), field(Fields::kType), field(Fields::kVc)};
  Descriptor descriptor;
  try {
    descriptor = descriptor_of(design, collective, index_of(file, entry, flow, design), field(Fields::kEpoch));
  } catch (const InputError& error) {
    file.fail(place, fmt::format("have CONFIG {:#010x}: {}", config, error.what()));
  }
  descriptor.route = route;
  const std::string compatible = place_of(flow) + ".compatible";
  descriptor.compatible =
      file.numbers(file.field(entry, place_of(flow), "compatible"), compatible, 0, design.descriptors - 1);
  std::vector<RegisterWrite> expected = register_writes(design, descriptor);
  expected.push_back(enable_write(design, descriptor.index, true));
  compare(file, writes, place, expected);
  return descriptor;
}

}  // namespace

KeptRegisters read_kept_registers(const KeepOptions& options, const KeptRoutes& kept, const Design& design) {
  const KeptFile file(options.file);
  const Json& routes = file.list(file.field("routes"), "routes");
  const Json entries = file.optional_field("registers");
  if (entries.is_null())
    file.fail("", "has no registers: write it by fred route --registers, with a route for every flow");
  if (file.list(entries, "registers").size() != routes.size()) {
    file.fail("registers", fmt::format("are {} for {} flows", entries.size(), routes.size()));
  }
  KeptRegisters registers;
  for (std::size_t flow = 0; flow < routes.size(); ++flow) {
    if (std::find(options.remove.begin(), options.remove.end(), static_cast<int>(flow)) != options.remove.end()) {
      registers.removed.push_back(index_of(file, entries[flow], flow, design));
      continue;
    }
    const std::size_t at = registers.running.size();
    registers.running.push_back(
        read_descriptor(file, entries[flow], flow, design, kept.running.flows[at], kept.running.routes[at]));
  }
  return registers;
}

nlohmann::ordered_json change_json(const ProgramChange& change) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const ChangeStep& step : change.steps) {
    steps.push_back(
        {{"step", to_string(step.kind)}, {"descriptor", step.descriptor}, {"writes", writes_json(step.writes)}});
  }
  return steps;
}

void print_change(const Design& design, const ProgramChange& change) {
  if (change.steps.empty()) fmt::print("\nno register changes\n");
  bool disables = false;
  for (const ChangeStep& step : change.steps) {
    std::string what;
    for (std::size_t flow = 0; flow < change.descriptors.size(); ++flow) {
      const Descriptor& descriptor = change.descriptors[flow];
      if (descriptor.index == step.descriptor && step.kind != StepKind::kRemove) {
        what = fmt::format(": {} on flow {}", to_string(descriptor.kind), flow);
      }
    }
    fmt::print("\n{} descriptor {}{}\n", to_string(step.kind), step.descriptor, what);
    print_writes(design, step.writes);
    disables =
        disables || step.kind == StepKind::kRemove || step.kind == StepKind::kStop || step.kind == StepKind::kShare;
  }
  if (disables) {
    fmt::print("\nDisabling is refused (SLVERR) while a descriptor is busy: write it again until it is taken.\n");
  }
  print_shared_time(change.shared_time);
}

Program program_after(const Design& design, const ProgramChange& change) {
  Program program;
  program.descriptors = change.descriptors;
  program.shared_time = change.shared_time;
  for (const Descriptor& descriptor : change.descriptors) {
    program.writes.push_back(register_writes(design, descriptor));
    program.writes.back().push_back(enable_write(design, descriptor.index, true));
  }
  return program;
}

}  // namespace fred::cli
