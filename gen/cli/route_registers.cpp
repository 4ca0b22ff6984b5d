// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/route_registers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "fred/design/register_map.hpp"
#include "fred/error.hpp"

namespace fred::cli {
namespace {

/// What --collective says of a flow.
struct What {
  Kind kind;
  TypeAndOp on;
};

/// One KIND, KIND:TYPE, KIND:OP or KIND:TYPE:OP for all `count` flows, or one for each.
std::vector<What> parse_kinds(std::string_view text, std::size_t count, const std::vector<DType>& types) {
  std::vector<What> kinds;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const auto colon = item.find(':');
    kinds.push_back({parse_kind(item.substr(0, colon)), {}});
    if (colon != std::string_view::npos) kinds.back().on = parse_type_and_op(item.substr(colon + 1), types, item);
    if (kinds.back().on.op && !reduces(kinds.back().kind)) {
      throw InputError(fmt::format("--collective '{}': {} does not reduce", item, to_string(kinds.back().kind)));
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (kinds.size() == 1) kinds.resize(count, kinds.front());
  if (kinds.size() != count) {
    throw InputError(
        fmt::format("--collective {}: {} kinds for {} group{} or flow{}; allowed are one for all or one "
                    "for each",
                    text, kinds.size(), count, count == 1 ? "" : "s", count == 1 ? "" : "s"));
  }
  return kinds;
}

/// 0 where the kind has no root.
int root_port(Kind kind, const Ranks& ranks, int root) {
  if (!root_sends(kind) && !root_receives(kind)) return 0;
  const Group& side = root_sends(kind) ? ranks.in : ranks.out;
  if (root < 0 || static_cast<std::size_t>(root) >= side.size()) {
    throw InputError(
        fmt::format("--root {}: {} on {} ranks allows 0..{}", root, to_string(kind), side.size(), side.size() - 1));
  }
  return side[static_cast<std::size_t>(root)];
}

}  // namespace

std::vector<Collective> read_collectives(const RegisterOptions& options, const Design& design,
                                         const std::vector<Ranks>& ranks, const std::vector<Flow>& flows) {
  const std::vector<What> kinds = parse_kinds(options.collectives, flows.size(), design.dtypes());
  const Op op = parse_op(options.op);
  if (options.vcs.size() != 1 && options.vcs.size() != flows.size()) {
    throw InputError(
        fmt::format("--vc {}: {} virtual circuits for {} group{} or flow{}; allowed are one for all or one "
                    "for each",
                    fmt::join(options.vcs, ","), options.vcs.size(), flows.size(), flows.size() == 1 ? "" : "s",
                    flows.size() == 1 ? "" : "s"));
  }
  std::vector<Collective> collectives;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const auto& [kind, on] = kinds[f];
    const int root = root_port(kind, ranks[f], options.root);
    collectives.push_back(
        {kind, flows[f], root, on.op.value_or(op), on.type, options.vcs[options.vcs.size() == 1 ? 0 : f]});
  }
  return collectives;
}

nlohmann::ordered_json writes_json(const std::vector<RegisterWrite>& writes) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const RegisterWrite& write : writes) {
    json.push_back({{"address", write.address}, {"data", write.data}, {"name", write.name}});
  }
  return json;
}

nlohmann::ordered_json registers_json(const Design& design, const Program& program) {
  using Json = nlohmann::ordered_json;
  Json registers = Json::array();
  for (std::size_t d = 0; d < program.descriptors.size(); ++d) {
    const Descriptor& descriptor = program.descriptors[d];
    registers.push_back({{"descriptor", descriptor.index},
                         {"kind", to_string(descriptor.kind)},
                         {"dtype", to_string(design.dtypes()[static_cast<std::size_t>(descriptor.type)])},
                         {"vc", descriptor.vc},
                         {"op", reduces(descriptor.kind) ? Json(to_string(descriptor.op)) : Json(nullptr)},
                         {"writes", writes_json(program.writes[d])},
                         {"compatible", descriptor.compatible}});
  }
  return registers;
}

void print_writes(const Design& design, const std::vector<RegisterWrite>& writes) {
  const int digits = (RegisterMap(design).address_bits + 3) / 4;
  const int width = std::max(7, digits + 2);  // "address"
  fmt::print("{:<{}}  value       register     meaning\n", "address", width);
  for (const RegisterWrite& write : writes) {
    fmt::print("{:<{}}  {:#010x}  {:<11}  {}\n", fmt::format("0x{:0{}x}", write.address, digits), width, write.data,
               write.name, write.meaning);
  }
}

void print_shared_time(const std::vector<std::string>& pairs) {
  if (!pairs.empty()) fmt::print("\n");
  for (const std::string& pair : pairs) fmt::print("share time: {}\n", pair);
}

void print_registers(const Design& design, const Program& program) {
  for (std::size_t d = 0; d < program.descriptors.size(); ++d) {
    fmt::print("\ndescriptor {}: {} on flow {}\n", d, to_string(program.descriptors[d].kind), d);
    print_writes(design, program.writes[d]);
  }
  print_shared_time(program.shared_time);
}

Design RegisterOptions::design_of(int radix, int middle) const {
  DesignOptions with = design;
  with.base.radix = radix;
  with.base.middle = middle;
  with.width = 64;  // of which registers say nothing; every element type fits
  return with.design();
}

void RegisterOptions::add_to(CLI::App& command) {
  constexpr const char* kGroup = "Registers";
  CLI::Option* registers =
      command
          .add_flag("--registers", on,
                    "also print what to write into the registers: descriptor i for group i. Groups or flows may "
                    "then have ports in common, and take turns. With --keep: the writes of the change")
          ->group(kGroup);
  command
      .add_option(
          "--collective", collectives,
          "KIND for all or KIND,KIND.. for each group, flow or dimension: allreduce, reduce, broadcast, allgather, "
          "reducescatter, gather, scatter, send, barrier, alltoall. KIND:TYPE, KIND:OP, KIND:TYPE:OP: on one of "
          "the types of --dtype (default: the first), with another operation than --op")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--root", root, "rank of the root within each group (a flow's ranks ascend by port)")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--op", op, "reduce operation: " + op_names())->capture_default_str()->group(kGroup);
  command.add_option("--epoch", epoch, "epoch of the descriptors: 0..15")->capture_default_str()->group(kGroup);
  vc_option =
      command
          .add_option(
              "--vc", vcs,
              "virtual circuit, VC for all or VC,VC.. for each group, flow or dimension: 0..V-1 of --vcs. With "
              "--parallelism and four circuits or more the default is 1 for mp, tp, sp, cp and ep, 2 for pp, 3 for dp")
          ->delimiter(',')
          ->capture_default_str()
          ->group(kGroup);
  command
      .add_option("--c-header", c_header,
                  "write them also as C tables for fred_driver.h to FILE (docs/driver.md); - is standard output, and "
                  "nothing else goes there")
      ->type_name("FILE")
      ->group(kGroup);
  design.add_registers_to(command, kGroup);
  for (const char* name : {"--collective", "--root", "--op", "--epoch", "--vc", "--c-header", "--dtype", "--ops",
                           "--descriptors", "--alltoall-tables", "--vcs"}) {
    command.get_option(name)->needs(registers);
  }
}

}  // namespace fred::cli
