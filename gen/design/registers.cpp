// SPDX-License-Identifier: Apache-2.0
// What the registers are called and mean. A register or field that a design does not have is not listed.
#include "fred/design/registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <stdexcept>

#include "fred/design/kind.hpp"
#include "fred/design/link_registers.hpp"
#include "fred/version.hpp"

namespace fred {
namespace {

using Map = RegisterMap;

constexpr std::uint32_t kWord = 4;  // bytes of a register

std::uint32_t u(int value) { return static_cast<std::uint32_t>(value); }

std::uint32_t version_word() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  std::sscanf(version(), "%u.%u.%u", &major, &minor, &patch);
  using Fields = VersionFields;
  return Fields::kMajor.place(major) | Fields::kMinor.place(minor) | Fields::kPatch.place(patch);
}

/// Contents of TYPES: by number of a type its code, then kNoType; in the last place the accumulation type's.
std::uint32_t types_word(const Design& design) {
  std::vector<std::uint32_t> places(8, Map::kNoType);
  const std::vector<DType> types = design.dtypes();
  for (std::size_t t = 0; t < types.size(); ++t) places[t] = u(static_cast<int>(types[t]));
  if (design.acc) places.back() = u(static_cast<int>(*design.acc));
  std::uint32_t word = 0;
  for (std::size_t t = 0; t < places.size(); ++t) word |= places[t] << (Map::kPlaceBits * t);
  return word;
}

/// A register that always reads as `value`.
Register constant(std::string name, std::uint32_t offset, std::uint32_t value, std::string description,
                  std::vector<RegisterField> fields) {
  return {std::move(name), offset, Access::kReadOnly, false, value, std::move(description), std::move(fields)};
}

/// A field that only designs with link ports have.
BitField of_links(const Design& design, BitField field) { return {field.low, design.link_ports > 0 ? field.width : 0}; }

std::vector<Register> identity(const Design& design) {
  using Shape = ShapeFields;
  using Data = DataFields;
  using Latency = LatencyFields;
  const std::uint32_t shape = Shape::kRadix.place(u(design.radix)) | Shape::kMiddle.place(u(design.middle)) |
                              Shape::kDescriptors.place(u(design.descriptors));
  const std::uint32_t data = Data::kWidth.place(u(design.width())) |
                             Data::kDType.place(u(static_cast<int>(design.dtype))) |
                             Data::kOps.place(u(design.op_mask())) | Data::kTables.place(u(design.alltoall_tables));
  const std::uint32_t latency =
      Latency::kNetwork.place(u(design.network_latency())) | Latency::kFirstBeat.place(u(design.first_beat_latency()));
  const bool has_links = design.link_ports > 0;
  Register types = constant("TYPES", Map::kTypes, types_word(design),
                            fmt::format("Element types by number; {}: there is none", Map::kNoType), {});
  for (int t = 0; t < 7; ++t) {
    types.fields.push_back({fmt::format("type{}", t), {Map::kPlaceBits * t, Map::kPlaceBits}, "", "dtype"});
  }
  types.fields.push_back({"acc",
                          {Map::kPlaceBits * 7, Map::kPlaceBits},
                          fmt::format("type in which sums are accumulated; {}: the element's own", Map::kNoType),
                          "dtype"});
  return {
      constant("ID", Map::kId, Map::kIdValue, "\"FRED\"", {{"id", {0, 32}, "", ""}}),
      constant("VERSION", Map::kVersion, version_word(), "Version of the generator",
               {{"patch", VersionFields::kPatch, "", ""},
                {"minor", VersionFields::kMinor, "", ""},
                {"major", VersionFields::kMajor, "", ""}}),
      constant("SHAPE", Map::kShape, shape, "Shape of the switch",
               {{"radix", Shape::kRadix, "ports", ""},
                {"middle", Shape::kMiddle, "middle subnetworks a level", ""},
                {"descriptors", Shape::kDescriptors, "entries of the descriptor table", ""}}),
      constant("DATA", Map::kData, data, "What a beat holds",
               {{"port_width", Data::kWidth, "bits of tdata", ""},
                {"dtype", Data::kDType, "the first element type", "dtype"},
                {"ops", Data::kOps, "operations built in: bit n is set for the one of code n", ""},
                {"alltoall_tables", Data::kTables, "all-to-all tables", ""}}),
      constant("LATENCY", Map::kLatency, latency, "Cycles",
               {{"network", Latency::kNetwork, "L", ""},
                {"first_beat", Latency::kFirstBeat, "F, from an accepted beat to the egress of an idle switch", ""}}),
      constant("HASH", Map::kHash, parameter_hash(design), "Hash of the parameters, as in the heads of the files",
               {{"hash", {0, 32}, "", ""}}),
      std::move(types),
      constant("VCS", Map::kVcs,
               VcsFields::kVcs.place(u(design.vcs)) | VcsFields::kSlots.place(u(has_links ? design.link.slots : 0)) |
                   VcsFields::kLinkPorts.place(u(design.link_ports)),
               "Virtual circuits and link ports",
               {{"vcs", VcsFields::kVcs, "virtual circuits of a port", ""},
                {"slots", of_links(design, VcsFields::kSlots), "slots of a link port", ""},
                {"link_ports", of_links(design, VcsFields::kLinkPorts), "link ports, the last ones", ""}})};
}

Register error(const Design& design) {
  using Fields = ErrorFields;
  return {
      "ERROR",
      Map::kError,
      Access::kWriteOneToClear,
      true,
      0,
      "Sticky errors",
      {{"conflict", Fields::kConflict, "beats that are not of one flow met in a microswitch", ""},
       {"mismatch", Fields::kMismatch, "operands differ in length or framing; the descriptor halts", ""},
       {"epoch", Fields::kEpoch, "a beat of another epoch, dropped", ""},
       {"unknown", Fields::kUnknown, "a descriptor that does not exist or is not enabled; the beat is held", ""},
       {"member", Fields::kMember, "the port is no sender of the descriptor; the beat is held", ""},
       {"framing", Fields::kFraming, "tkeep, tlast or what is constant in a packet is wrong; the beat is held", ""},
       {"vc", Fields::kVc, "the virtual circuit is not the descriptor's; the beat is held", ""},
       {"timeout", Fields::kTimeout, "a descriptor hangs (STATUS): nothing of it has gone for the time of TIMEOUT", ""},
       {"parity", Fields::kParity, "a table holds a wrong bit of an enabled descriptor, which stops (STATUS, spoiled)",
        ""},
       {"link", of_links(design, Fields::kLink),
        "beats of a descriptor were lost on a link or before it; the descriptor stops (STATUS, spoiled)", ""}}};
}

RegisterBlock global_block(const Design& design, const Map& map) {
  Register priority{"PRIORITY",
                    Map::kPriority,
                    Access::kReadWrite,
                    false,
                    0,
                    "Order of the virtual circuits, the one in place 0 first. A word in which not every circuit has "
                    "one place answers SLVERR",
                    {}};
  for (int place = 0; place < design.vcs; ++place) {
    priority.fields.push_back({fmt::format("place_{}", place),
                               {Map::kPlaceBits * place, Map::kPlaceBits},
                               fmt::format("circuit in place {}", place),
                               ""});
    *priority.reset |= u(place) << (Map::kPlaceBits * place);
  }
  Register bound{"BOUND",
                 Map::kBound,
                 Access::kReadWrite,
                 false,
                 Map::kBoundReset,
                 fmt::format("How long a launch may be passed over. Less than {} answers SLVERR", Map::kBoundLeast),
                 {{"cycles", BoundFields::kCycles, "cycles that a launch may wait before it claims its ports", ""}}};
  RegisterBlock block{"global", 0, map.port_base, "Identity, errors, settings", {}, identity(design)};
  block.registers.push_back(error(design));
  block.registers.push_back(std::move(priority));
  block.registers.push_back(std::move(bound));
  block.registers.push_back(
      {"TIMEOUT",
       Map::kTimeout,
       Access::kReadWrite,
       false,
       0,
       "Watchdog",
       {{"exponent", TimeoutFields::kExponent, "n: a descriptor hangs after 2^(n-1) to 2^n cycles; 0: never", ""}}});
  Register enable = error(design);
  enable.name = "IRQ_ENABLE";
  enable.offset = Map::kIrqEnable;
  enable.access = Access::kReadWrite;
  enable.is_volatile = false;
  enable.description = "Bits of ERROR that raise `irq_o`";
  for (RegisterField& field : enable.fields) field.description.clear();
  block.registers.push_back(std::move(enable));
  using First = FirstErrorFields;
  block.registers.push_back({"FIRST_ERROR",
                             Map::kFirstError,
                             Access::kReadOnly,
                             true,
                             0,
                             "The first error since ERROR was last cleared; 0 where there is none",
                             {{"kind", First::kKind, "number of the bit of ERROR", ""},
                              {"vc", First::kVc, "virtual circuit, where `has_port` is set", ""},
                              {"has_port", First::kHasPort, "it is about the head of a circuit of a port", ""},
                              {"port", First::kPort, "port, where `has_port` is set", ""},
                              {"descriptor", First::kDescriptor, "descriptor; of a head its tdest", ""},
                              {"valid", First::kValid, "there is one", ""}}});
  block.registers.push_back({"FIRST_CYCLE",
                             Map::kFirstCycle,
                             Access::kReadOnly,
                             true,
                             0,
                             "When it came",
                             {{"cycle", {0, 32}, "value of CYCLE", ""}}});
  block.registers.push_back({"CYCLE",
                             Map::kCycle,
                             Access::kReadOnly,
                             true,
                             {},
                             "Time",
                             {{"cycle", {0, 32}, "cycles since reset, modulo 2^32", ""}}});
  if (design.counters) {
    block.registers.push_back({"COUNTERS",
                               Map::kCounters,
                               Access::kReadWrite,
                               false,
                               0,
                               "Counters of beats, launches and waits",
                               {{"snapshot", CountersFields::kSnapshot,
                                 "1: freezes all counts, to be read, and counts from 0 on; reads as 0", ""}}});
  }
  return block;
}

RegisterBlock port_block(const Design& design, const Map& map) {
  using Fields = PortFields;
  RegisterBlock block{"port",
                      map.port_base,
                      map.port_stride << ceil_log2(design.radix),
                      "Status of the ports by virtual circuit",
                      {{"port", design.radix, map.port_stride}, {"vc", design.circuits(), kWord}},
                      {{"PORT",
                        0,
                        Access::kReadOnly,
                        true,
                        {},
                        "Status of a virtual circuit of a port",
                        {{"head", Fields::kHead, "a beat is at the head of the ingress", ""},
                         {"ingress_open", Fields::kIngressOpen, "a packet is open at the ingress", ""},
                         {"egress_open", Fields::kEgressOpen, "a packet is open at the egress", ""},
                         {"egress_space", Fields::kEgressSpace, "the egress can take a beat", ""},
                         {"held", Fields::kHeld, "the head is held by an error", ""},
                         {"descriptor", Fields::kDescriptor, "the head's descriptor; undefined without a head", ""},
                         {"owner", Fields::kOwner, "descriptor of the egress packet; undefined without one", ""}}}}};
  return block;
}

/// The words of a mask with `bits` bits: NAME, or NAME_0, NAME_1, ... where it takes several.
void add_mask(std::vector<Register>& registers, const std::string& name, std::uint32_t offset, int bits,
              const std::string& member, const std::string& description, Access access = Access::kReadWrite) {
  const int words = (bits + 31) / 32;
  for (int word = 0; word < words; ++word) {
    registers.push_back({words == 1 ? name : fmt::format("{}_{}", name, word),
                         offset + u(word) * kWord,
                         access,
                         access == Access::kReadOnly,
                         {},
                         words == 1 ? description : fmt::format("{}, from number {} on", description, 32 * word),
                         {{member, {0, std::min(32, bits - 32 * word)}, "", ""}},
                         name,
                         word});
  }
}

Register config(const Design& design) {
  using Fields = ConfigFields;
  return {"CONFIG",
          Map::kConfig,
          Access::kReadWrite,
          false,
          {},
          "What is computed",
          {{"kind", Fields::kKind, "kind of collective", "kind"},
           {"op", Fields::kOp, "operation, where the kind reduces", "op"},
           {"epoch", Fields::kEpoch, "epoch of the beats", ""},
           {"table", Fields::kTable, "all-to-all table", ""},
           {"root", Fields::kRoot, "root port", ""},
           {"type_index", {Fields::kType.low, design.type_bits()}, "element type, by its number in TYPES", ""},
           {"vc", {Fields::kVc.low, ceil_log2(design.vcs)}, "virtual circuit", ""}}};
}

RegisterBlock descriptor_block(const Design& design, const Map& map) {
  using Status = StatusFields;
  Register colours{
      "COLOURS", Map::kColours, Access::kReadWrite, false, {}, "The route; not of an all-to-all, whose entries have it",
      {}};
  for (int level = 0; level + 1 < design.levels() && design.colour_bits() > 0; ++level) {
    colours.fields.push_back({fmt::format("level_{}", level),
                              {level * design.colour_bits(), design.colour_bits()},
                              level == 0 ? "middle subnetwork at level 0, the outermost"
                                         : fmt::format("middle subnetwork at level {}", level),
                              ""});
  }
  std::vector<Register> registers = {
      {"CONTROL",
       Map::kControl,
       Access::kReadWrite,
       false,
       0,
       "Setting `enable` is the commit of the other registers, which may be written "
       "while it is 0",
       {{"enable", ControlFields::kEnable, "", ""},
        {"abort", ControlFields::kAbort, "abort, with `enable` set; reads as 0", ""},
        {"flip_parity", ControlFields::kFlipParity,
         "with `enable`, without `abort`: makes the parity of the row wrong, to try out ERROR.parity; reads as 0", ""},
        {"epoch", ControlFields::kEpoch, "with `abort`: the epoch from its end on; else 0; reads as 0", ""}}},
      {"STATUS",
       Map::kStatus,
       Access::kReadOnly,
       true,
       0,
       "",
       {{"enabled", Status::kEnabled, "", ""},
        {"halted", Status::kHalted, "operands did not match, or `spoiled`", ""},
        {"busy", Status::kBusy, "a packet is open or a collective is under way", ""},
        {"aborting", Status::kAborting, "an abort is under way", ""},
        {"hangs", Status::kHangs, "at work, and nothing has gone for the time of TIMEOUT", ""},
        {"spoiled", Status::kSpoiled,
         "beats of it met those of another flow, or may have, a table holds a wrong bit of it, or a link has lost some "
         "of it",
         ""},
        {"step", Status::kStep, "step of the collective", ""}}},
      config(design),
      std::move(colours)};
  add_mask(registers, "IN_MASK", Map::kInMask, design.radix, "ports", "Sending ports");
  add_mask(registers, "OUT_MASK", map.out_mask, design.radix, "ports", "Receiving ports");
  add_mask(registers, "COMPAT", map.compat, design.descriptors, "descriptors",
           "Descriptors that it may share cycles with");
  const std::uint32_t mask_bytes = kWord * u(map.mask_words);
  constexpr Access kRead = Access::kReadOnly;
  add_mask(registers, "MISSING", map.report, design.radix, "ports", "Ports whose beat it waits for", kRead);
  add_mask(registers, "BEHIND", map.report + mask_bytes, design.radix, "ports",
           "Of these, ports where something else is at the head", kRead);
  add_mask(registers, "FULL", map.report + 2 * mask_bytes, design.radix, "ports",
           "Egress ports that it needs and that have no place", kRead);
  add_mask(registers, "LOCKED", map.report + 3 * mask_bytes, design.radix, "ports",
           "Egress ports that it needs and that are inside another packet", kRead);
  return {"descriptor",
          map.descriptor_base,
          map.descriptor_stride * u(design.descriptors),
          "Descriptor table",
          {{"descriptor", design.descriptors, map.descriptor_stride}},
          std::move(registers)};
}

RegisterBlock alltoall_block(const Design& design, const Map& map) {
  using Fields = EntryFields;
  Register entry{
      "ENTRY",
      0,
      Access::kWriteOnly,
      false,
      {},
      "Where a port sends at a step of an all-to-all. Not to be written while an enabled descriptor with "
      "this port uses the table",
      {{"destination", Fields::kDestination, "port", ""},
       {"colours", {Fields::kColours.low, design.route_bits()}, "the route, as in COLOURS", ""},
       {"flip_parity", Fields::kFlipParity, "stores it with the wrong parity, to try out ERROR.parity", ""}}};
  const std::uint32_t step = kWord << design.port_bits();
  const std::uint32_t table = step << design.port_bits();
  return {"alltoall",
          map.alltoall_base,
          table * u(design.alltoall_tables),
          "All-to-all tables",
          {{"table", design.alltoall_tables, table}, {"step", design.radix, step}, {"port", design.radix, kWord}},
          {std::move(entry)}};
}

Register counter(std::string name, std::uint32_t offset, std::string description) {
  return {std::move(name),
          offset,
          Access::kReadOnly,
          true,
          0,
          std::move(description),
          {{"count", {0, 32}, "all ones: as many or more", ""}}};
}

RegisterBlock beats_block(const Design& design, const Map& map) {
  return {
      "beats",
      map.beats_base,
      map.beats_stride << ceil_log2(design.radix),
      "Counters of the ports by virtual circuit, as of the last snapshot",
      {{"port", design.radix, map.beats_stride}, {"vc", design.circuits(), Map::kBeatsStride}},
      {counter("BEATS_IN", Map::kBeatsIn, "Beats launched from the ingress"),
       counter("BEATS_OUT", Map::kBeatsOut, "Beats that have left the egress, those that end an aborted packet too")}};
}

RegisterBlock launches_block(const Design& design, const Map& map) {
  return {"launches",
          map.launches_base,
          Map::kLaunchesStride << ceil_log2(design.descriptors),
          "Counters of the descriptors, as of the last snapshot",
          {{"descriptor", design.descriptors, Map::kLaunchesStride}},
          {counter("LAUNCHES", Map::kLaunches, "Cycles in which something of it was launched"),
           counter("WAIT_DATA", Map::kWaitData, "Cycles at work in which it waited for beats at the heads"),
           counter("WAIT_EGRESS", Map::kWaitEgress,
                   "Cycles in which all was at the heads, and an egress port that it needs was not to be had"),
           counter("WAIT_ARBITRATION", Map::kWaitArbitration, "Cycles in which it could have gone, and others went")}};
}

template <typename Values>
CodeList code_list(std::string name, std::string description, const Values& values) {
  CodeList list{std::move(name), std::move(description), {}};
  for (const auto value : values) list.codes.push_back({static_cast<int>(value), std::string(to_string(value))});
  return list;
}

}  // namespace

std::uint32_t Register::mask() const {
  std::uint32_t bits = 0;
  for (const RegisterField& field : fields) bits |= field.bits.mask();
  return bits;
}

std::vector<RegisterField> Register::existing_fields() const {
  std::vector<RegisterField> existing;
  std::copy_if(fields.begin(), fields.end(), std::back_inserter(existing),
               [](const RegisterField& field) { return field.exists(); });
  return existing;
}

std::string RegisterAt::name() const {
  std::string text = item->name;
  for (const int index : indices) text += fmt::format("[{}]", index);
  return text;
}

std::vector<RegisterBlock> register_blocks(const Design& design) {
  const RegisterMap map(design);
  std::vector<RegisterBlock> blocks = {global_block(design, map), port_block(design, map),
                                       descriptor_block(design, map)};
  if (design.alltoall_tables > 0) blocks.push_back(alltoall_block(design, map));
  if (design.counters) {
    blocks.push_back(beats_block(design, map));
    blocks.push_back(launches_block(design, map));
  }
  if (design.link_ports > 0) {
    blocks.push_back(links_block(design, map));
    blocks.push_back(link_status_block(design, map));
  }
  return blocks;
}

std::vector<CodeList> code_lists() {
  return {code_list("kind", "Kinds of collectives, in CONFIG", kAllKinds),
          code_list("op", "Operations, in CONFIG; a bit each in DATA", kAllOps),
          code_list("dtype", "Element types, in DATA and TYPES", kAllDTypes)};
}

std::vector<RegisterAt> all_registers(const std::vector<RegisterBlock>& blocks) {
  std::vector<RegisterAt> all;
  for (const RegisterBlock& block : blocks) {
    std::vector<int> at(block.indices.size(), 0);
    for (bool more = true; more;) {
      std::uint32_t address = block.base;
      for (std::size_t i = 0; i < at.size(); ++i) address += u(at[i]) * block.indices[i].stride;
      for (const Register& item : block.registers) all.push_back({&block, &item, at, address + item.offset});
      more = false;
      for (std::size_t i = at.size(); i-- > 0 && !more;) {  // the next place: count up, the innermost first
        more = ++at[i] < block.indices[i].count;
        if (!more) at[i] = 0;
      }
    }
  }
  return all;
}

std::optional<RegisterAt> register_at(const std::vector<RegisterBlock>& blocks, std::uint32_t address) {
  for (const RegisterBlock& block : blocks) {
    if (address < block.base || address - block.base >= block.size) continue;
    std::uint32_t offset = address - block.base;
    std::vector<int> at;
    bool exists = true;
    for (const RegisterIndex& index : block.indices) {
      at.push_back(static_cast<int>(offset / index.stride));
      exists = exists && at.back() < index.count;
      offset %= index.stride;
    }
    const auto item = std::find_if(block.registers.begin(), block.registers.end(),
                                   [offset](const Register& candidate) { return candidate.offset == offset; });
    if (exists && item != block.registers.end()) return RegisterAt{&block, &*item, std::move(at), address};
  }
  return std::nullopt;
}

const Register& register_named(const std::vector<RegisterBlock>& blocks, const std::string& name) {
  for (const RegisterBlock& block : blocks) {
    for (const Register& item : block.registers) {
      if (item.name == name) return item;
    }
  }
  throw std::logic_error("there is no register " + name);
}

}  // namespace fred
