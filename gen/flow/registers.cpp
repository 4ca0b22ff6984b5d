// SPDX-License-Identifier: Apache-2.0
#include "fred/flow/registers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fred/design/register_map.hpp"

namespace fred::flow {
namespace {

constexpr std::uint32_t kWord = 4;  // bytes of a register

/// "0 int32, 1 fp16, ...".
std::string dtype_codes() {
  std::string codes;
  for (const DType dtype : kAllDTypes) {
    codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", static_cast<int>(dtype), to_string(dtype));
  }
  return codes;
}

std::string op_codes() {
  std::string codes;
  for (const Op op : kAllOps) {
    codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", static_cast<int>(op), to_string(op));
  }
  return codes;
}

RegisterBlock global_block() {
  using Map = RegisterMap;
  constexpr Access kRead = Access::kReadOnly;
  return {"global",
          0,
          Map::kPort,
          0,
          "Identity, parameters, errors",
          {{"ID", Map::kId, kRead, false, 0x46524544U, {}, "FRED in ASCII", {{"id", 0, 32, ""}}},
           {"VERSION",
            Map::kVersion,
            kRead,
            false,
            {},
            {},
            "Version of the generator",
            {{"patch", 0, 8, ""}, {"minor", 8, 8, ""}, {"major", 16, 16, ""}}},
           {"SHAPE",
            Map::kShape,
            kRead,
            false,
            {},
            {},
            "Shape of the switch",
            {{"radix", 0, 16, "ports"},
             {"middle", 16, 8, "middle subnetworks a level"},
             {"descriptors", 24, 8, "entries of the descriptor table"}}},
           {"DATA",
            Map::kData,
            kRead,
            false,
            {},
            {},
            "What a beat holds",
            {{"port_width", 0, 16, "bits of tdata"},
             {"dtype", 16, 4, dtype_codes()},
             {"ops", 20, 7, "operations built in, bit n: " + op_codes()},
             {"alltoall_tables", 28, 4, ""}}},
           {"LATENCY",
            Map::kLatency,
            kRead,
            false,
            {},
            {},
            "Cycles",
            {{"network", 0, 16, "L"}, {"first_beat", 16, 16, "from an accepted beat to the egress"}}},
           {"HASH", Map::kHash, kRead, false, {}, {}, "Hash of the parameters", {{"hash", 0, 32, ""}}},
           {"TYPES",
            Map::kTypes,
            kRead,
            false,
            {},
            {},
            "Element types by number, as in DATA; 15: none",
            {{"type0", 0, 4, ""},
             {"type1", 4, 4, ""},
             {"type2", 8, 4, ""},
             {"type3", 12, 4, ""},
             {"type4", 16, 4, ""},
             {"type5", 20, 4, ""},
             {"type6", 24, 4, ""},
             {"acc", 28, 4, "type in which sums are accumulated; 15: the element's"}}},
           {"ERROR",
            Map::kError,
            Access::kWriteOneToClear,
            true,
            0,
            {},
            "Sticky error bits",
            {{"conflict", 0, 1, "beats that are not of one flow met"},
             {"mismatch", 1, 1, "operands differ in length or framing"},
             {"epoch", 2, 1, "a beat of another epoch"},
             {"unknown", 3, 1, "a descriptor that does not exist or is not enabled"},
             {"member", 4, 1, "the port is no sender of the descriptor"},
             {"framing", 5, 1, "tkeep, tlast or what is constant in a packet is wrong"}}}}};
}

RegisterBlock port_block(const Design& design) {
  return {"port",
          RegisterMap::kPort,
          static_cast<std::uint32_t>(design.radix) * kWord,
          0,
          "Status of the ports",
          {{"PORT",
            0,
            Access::kReadOnly,
            true,
            {},
            {design.radix},
            "Status of a port",
            {{"head", 0, 1, "a beat is at the head of the ingress"},
             {"ingress_open", 1, 1, "a packet is open at the ingress"},
             {"egress_open", 2, 1, "a packet is open at the egress"},
             {"egress_space", 3, 1, "the egress can take a beat"},
             {"held", 4, 1, "the head is held by an error"},
             {"descriptor", 16, 8, "the head's descriptor"}}}}};
}

/// The words of a mask with `bits` bits: NAME, or NAME_0, NAME_1, ... where it takes several.
void add_mask(std::vector<Register>& registers, const std::string& name, std::uint32_t offset, int bits,
              const std::string& description) {
  const int words = (bits + 31) / 32;
  for (int word = 0; word < words; ++word) {
    registers.push_back({words == 1 ? name : fmt::format("{}_{}", name, word),
                         offset + static_cast<std::uint32_t>(word) * kWord,
                         Access::kReadWrite,
                         false,
                         {},
                         {},
                         description,
                         {{"mask", 0, std::min(32, bits - 32 * word), ""}}});
  }
}

RegisterBlock descriptor_block(const Design& design, const RegisterMap& map) {
  using Map = RegisterMap;
  Register colours{"COLOURS", Map::kColours, Access::kReadWrite, false, {}, {}, "The route, level 0 outermost", {}};
  for (int level = 0; level + 1 < design.levels(); ++level) {
    colours.fields.push_back(
        {fmt::format("level_{}", level), level * design.colour_bits(), design.colour_bits(), "colour"});
  }
  std::vector<Register> registers = {
      {"CONTROL", Map::kControl, Access::kReadWrite, false, 0, {}, "", {{"enable", 0, 1, "setting it is the commit"}}},
      {"STATUS",
       Map::kStatus,
       Access::kReadOnly,
       true,
       {},
       {},
       "",
       {{"enabled", 0, 1, ""},
        {"halted", 1, 1, "operands did not match"},
        {"busy", 2, 1, "a packet is open or a collective is under way"},
        {"step", 16, 16, ""}}},
      {"CONFIG",
       Map::kConfig,
       Access::kReadWrite,
       false,
       {},
       {},
       "",
       {{"kind", 0, 4, "kind of collective"},
        {"op", 4, 3, op_codes()},
        {"epoch", 8, 4, ""},
        {"table", 12, 4, "all-to-all table"},
        {"root", 16, 8, "root port"}}},
      std::move(colours)};
  if (design.type_bits() > 0) {
    registers[2].fields.push_back({"type", 24, design.type_bits(), "number of the element type in TYPES"});
  }
  add_mask(registers, "IN_MASK", Map::kInMask, design.radix, "Sending ports");
  add_mask(registers, "OUT_MASK", map.out_mask, design.radix, "Receiving ports");
  add_mask(registers, "COMPAT", map.compat, design.descriptors, "Descriptors that it shares cycles with");
  return {"descriptor", map.descriptor_base, map.descriptor_stride, design.descriptors, "Descriptor table", registers};
}

RegisterBlock alltoall_block(const Design& design, const RegisterMap& map) {
  const int ports = 1 << design.port_bits();
  Register entry{"ENTRY",
                 0,
                 Access::kWriteOnly,
                 false,
                 {},
                 {design.alltoall_tables, ports, ports},
                 "Entry of (table, step, source port); write only",
                 {{"destination", 0, 8, "port"}}};
  if (design.route_bits() > 0) entry.fields.push_back({"colours", 8, design.route_bits(), "as in COLOURS"});
  const auto words = static_cast<std::uint32_t>(design.alltoall_tables) << (2 * design.port_bits());
  return {"alltoall", map.alltoall_base, words * kWord, 0, "All-to-all tables", {std::move(entry)}};
}

}  // namespace

std::vector<RegisterBlock> register_blocks(const Design& design) {
  const RegisterMap map(design);
  std::vector<RegisterBlock> blocks = {global_block(), port_block(design), descriptor_block(design, map)};
  if (design.alltoall_tables > 0) blocks.push_back(alltoall_block(design, map));
  return blocks;
}

}  // namespace fred::flow
