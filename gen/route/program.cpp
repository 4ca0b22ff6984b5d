// SPDX-License-Identifier: Apache-2.0
#include "fred/route/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "fred/design/registers.hpp"
#include "fred/error.hpp"
#include "fred/route/program_routes.hpp"

namespace fred {
namespace {

constexpr int kEpochs = 16;

bool contains(const Ports& ports, int port) { return std::binary_search(ports.begin(), ports.end(), port); }

void check_side(const char* side, const Ports& ports, int radix) {
  if (ports.empty()) throw InputError(fmt::format("{}: at least one port is needed", side));
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i] < 0 || ports[i] >= radix) {
      throw InputError(fmt::format("{}: port {}: allowed are 0..{}", side, ports[i], radix - 1));
    }
    if (i > 0 && ports[i] <= ports[i - 1]) {
      throw InputError(fmt::format("{}: port {} after port {}: ports must ascend", side, ports[i], ports[i - 1]));
    }
  }
}

bool built_in(const Design& design, Op op) {
  return std::find(design.ops.begin(), design.ops.end(), op) != design.ops.end();
}

/// Throws InputError unless the switch would enable a descriptor of it.
void check(const Collective& collective, const Design& design) {
  const auto& [kind, flow, root, op, type, vc] = collective;
  check_side("inputs", flow.in, design.radix);
  check_side("outputs", flow.out, design.radix);
  if (root < 0 || root >= design.radix) {
    throw InputError(fmt::format("root port {}: allowed are 0..{}", root, design.radix - 1));
  }
  if (root_sends(kind) && !contains(flow.in, root)) {
    throw InputError(
        fmt::format("root port {}: {} allows its inputs {}", root, to_string(kind), fmt::join(flow.in, ",")));
  }
  if (root_receives(kind) && !contains(flow.out, root)) {
    throw InputError(
        fmt::format("root port {}: {} allows its outputs {}", root, to_string(kind), fmt::join(flow.out, ",")));
  }
  if (kind == Kind::kAllToAll && flow.in != flow.out) {
    throw InputError(fmt::format("alltoall needs a group: flow {} has other inputs than outputs", to_string(flow)));
  }
  if (kind == Kind::kAllToAll && design.alltoall_tables == 0) {
    throw InputError("alltoall: the design has no all-to-all table; use --alltoall-tables 1");
  }
  if (reduces(kind) && kind != Kind::kBarrier && !built_in(design, op)) {
    throw InputError(fmt::format("operation {} is not built in; add it to --ops", to_string(op)));
  }
  const std::vector<DType> types = design.dtypes();
  if (type < 0 || type >= static_cast<int>(types.size())) {
    throw InputError(fmt::format("element type number {}: the design has 0..{}", type, types.size() - 1));
  }
  if (vc < 0 || vc >= design.vcs) {
    throw InputError(fmt::format("virtual circuit {}: the design has 0..{}", vc, design.vcs - 1));
  }
  const DType dtype = types[static_cast<std::size_t>(type)];
  if (reduces(kind) && kind != Kind::kBarrier && !is_defined(dtype, op)) {
    throw InputError(fmt::format("operation {} is not defined for {}", to_string(op), to_string(dtype)));
  }
}

void check_epoch(int epoch) {
  if (epoch < 0 || epoch >= kEpochs) {
    throw InputError(fmt::format("epoch {}: allowed are 0..{}", epoch, kEpochs - 1));
  }
}

/// A barrier need not carry data, so any operation will do for it; the switch asks for one that is built in.
Op operation_of(const Design& design, const Collective& collective) {
  const DType dtype = design.dtypes()[static_cast<std::size_t>(collective.type)];
  if (collective.kind != Kind::kBarrier || (built_in(design, collective.op) && is_defined(dtype, collective.op)))
    return collective.op;
  return *std::find_if(design.ops.begin(), design.ops.end(), [dtype](Op op) { return is_defined(dtype, op); });
}

std::string config_text(const Design& design, const Descriptor& descriptor) {
  std::string text(to_string(descriptor.kind));
  if (reduces(descriptor.kind)) text += fmt::format(", {}", to_string(descriptor.op));
  if (!design.more_dtypes.empty()) {
    text += fmt::format(", {}", to_string(design.dtypes()[static_cast<std::size_t>(descriptor.type)]));
  }
  text += fmt::format(", epoch {}", descriptor.epoch);
  if (design.vcs > 1) text += fmt::format(", virtual circuit {}", descriptor.vc);
  if (descriptor.kind == Kind::kAllToAll) text += fmt::format(", table {}", descriptor.table);
  if (root_sends(descriptor.kind) || root_receives(descriptor.kind)) {
    text += fmt::format(", root port {}", descriptor.root);
  }
  return text;
}

std::string colours_text(const Route& route) {
  return route.colours.empty() ? "no colours" : fmt::format("colours {}", fmt::join(route.colours, ","));
}

std::uint32_t config_word(const Descriptor& descriptor) {
  using Fields = ConfigFields;
  const auto at = [](BitField field, auto value) { return field.place(static_cast<std::uint32_t>(value)); };
  return at(Fields::kKind, descriptor.kind) | at(Fields::kOp, descriptor.op) | at(Fields::kEpoch, descriptor.epoch) |
         at(Fields::kTable, descriptor.table) | at(Fields::kRoot, descriptor.root) |
         at(Fields::kType, descriptor.type) | at(Fields::kVc, descriptor.vc);
}

}  // namespace

Program make_program(const Design& design, const Network& network, const std::vector<Collective>& collectives,
                     const ProgramOptions& options) {
  if (network.radix != design.radix || network.middle != design.middle) {
    throw InputError(fmt::format("the network is FRED_{}({}), the design is FRED_{}({}): they must be the same",
                                 network.middle, network.radix, design.middle, design.radix));
  }
  check_epoch(options.epoch);
  if (collectives.size() > static_cast<std::size_t>(design.descriptors)) {
    throw InputError(
        fmt::format("{} collectives at once need as many descriptors, the design has {}; --descriptors allows up to 64",
                    collectives.size(), design.descriptors));
  }
  Program program;
  for (const Collective& collective : collectives) {
    const int index = static_cast<int>(program.descriptors.size());
    program.descriptors.push_back(descriptor_of(design, collective, index, options.epoch));
  }
  const std::vector<LinkSet> links = detail::route_program(design, network, collectives, options, program);

  for (std::size_t a = 0; a < collectives.size(); ++a) {
    for (std::size_t b = 0; b < collectives.size(); ++b) {
      if (a == b || share_a_port(collectives[a].flow, collectives[b].flow)) continue;
      if (disjoint(links[a], links[b])) {
        program.descriptors[a].compatible.push_back(static_cast<int>(b));
      } else if (a < b) {
        program.shared_time.push_back(shared_time_text(program.descriptors[a], program.descriptors[b]));
      }
    }
  }
  detail::join_rounds(program);
  for (const Descriptor& descriptor : program.descriptors) {
    program.writes.push_back(register_writes(design, descriptor));
    program.writes.back().push_back(enable_write(design, descriptor.index, true));
  }
  return program;
}

Descriptor descriptor_of(const Design& design, const Collective& collective, int index, int epoch) {
  check(collective, design);
  check_epoch(epoch);
  Descriptor descriptor;
  descriptor.index = index;
  descriptor.kind = collective.kind;
  descriptor.op = operation_of(design, collective);
  descriptor.type = collective.type;
  descriptor.vc = collective.vc;
  descriptor.epoch = epoch;
  descriptor.root = collective.root_port;
  descriptor.in = collective.flow.in;
  descriptor.out = collective.flow.out;
  return descriptor;
}

std::string shared_time_text(const Descriptor& a, const Descriptor& b) {
  return fmt::format("{} {} and {} {}", to_string(a.kind), to_string(Flow{a.in, a.out}), to_string(b.kind),
                     to_string(Flow{b.in, b.out}));
}

Program static_program(const Design& design, const Network& network, bool one_round) {
  return make_program(design, network, design.static_form->collectives, {0, one_round, {}, {}});
}

std::uint32_t colours_word(const Design& design, const Route& route) {
  std::uint32_t colours = 0;
  for (std::size_t level = 0; level < route.colours.size(); ++level) {
    colours |= static_cast<std::uint32_t>(route.colours[level])
               << (level * static_cast<std::size_t>(design.colour_bits()));
  }
  return colours;
}

std::vector<RegisterWrite> register_writes(const Design& design, const Descriptor& descriptor) {
  const RegisterMap map(design);
  const std::vector<RegisterBlock> blocks = register_blocks(design);
  const bool alltoall = descriptor.kind == Kind::kAllToAll;
  std::vector<RegisterWrite> writes;
  const auto write = [&](std::uint32_t address, std::uint32_t data, std::string meaning) {
    const std::optional<RegisterAt> at = register_at(blocks, address);
    if (!at) {
      throw InputError(fmt::format("descriptor {}, table {}: the design has descriptors 0..{} and {} all-to-all tables",
                                   descriptor.index, descriptor.table, design.descriptors - 1, design.alltoall_tables));
    }
    writes.push_back({address, data, at->item->name, std::move(meaning)});
  };
  const auto write_row = [&](std::uint32_t offset, std::uint32_t data, std::string meaning) {
    write(map.descriptor(descriptor.index, offset), data, std::move(meaning));
  };
  const auto write_mask = [&](std::uint32_t offset, int words, const std::vector<int>& members, std::string_view role) {
    for (int w = 0; w < words; ++w) {
      std::uint32_t mask = 0;
      std::vector<int> here;
      for (const int member : members) {
        if (member / 32 != w) continue;
        mask |= 1U << (member % 32);
        here.push_back(member);
      }
      write_row(offset + 4 * static_cast<std::uint32_t>(w), mask,
                fmt::format("{} {}", role, here.empty() ? "none" : fmt::format("{}", fmt::join(here, ","))));
    }
  };

  write_row(RegisterMap::kConfig, config_word(descriptor), config_text(design, descriptor));
  write_row(RegisterMap::kColours, colours_word(design, descriptor.route),
            alltoall ? "unused: the entries have them" : colours_text(descriptor.route));
  write_mask(RegisterMap::kInMask, map.mask_words, descriptor.in, "sending ports:");
  write_mask(map.out_mask, map.mask_words, descriptor.out, "receiving ports:");
  write_mask(map.compat, map.compat_words, descriptor.compatible, "descriptors it shares cycles with:");
  for (std::size_t step = 0; step < descriptor.alltoall.steps.size(); ++step) {
    for (const AllToAllEntry& entry : descriptor.alltoall.steps[step]) {
      write(map.alltoall(design, descriptor.table, static_cast<int>(step), entry.source),
            EntryFields::kDestination.place(static_cast<std::uint32_t>(entry.destination)) |
                EntryFields::kColours.place(colours_word(design, entry.route)),
            fmt::format("table {}, step {}, port {} to {}, {}", descriptor.table, step, entry.source, entry.destination,
                        colours_text(entry.route)));
    }
  }
  return writes;
}

RegisterWrite enable_write(const Design& design, int descriptor, bool enable) {
  const std::vector<RegisterBlock> blocks = register_blocks(design);
  const std::uint32_t address = RegisterMap(design).descriptor(descriptor, RegisterMap::kControl);
  const std::optional<RegisterAt> at = register_at(blocks, address);
  if (!at) throw InputError(fmt::format("descriptor {}: the design has 0..{}", descriptor, design.descriptors - 1));
  return {address, ControlFields::kEnable.place(enable ? 1U : 0U), at->item->name, enable ? "enable" : "disable"};
}

}  // namespace fred
