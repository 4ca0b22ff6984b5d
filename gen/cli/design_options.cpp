// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/design_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fred/error.hpp"

namespace fred::cli {

void DesignOptions::add_to(CLI::App& command) {
  constexpr const char* kGroup = "Design";
  command.add_option("--radix", base.radix, "P, ports of the switch: 2..256")->capture_default_str()->group(kGroup);
  command.add_option("--middle", base.middle, "m, middle subnetworks a level: 2..8; 3 routes most sets of groups")
      ->capture_default_str()
      ->group(kGroup);
  add_types(command, kGroup);
  command.add_option("--acc", acc, "type in which sums are accumulated: converted at the edges, rounded once")
      ->group(kGroup);
  lanes =
      command
          .add_option("--lanes", base.lanes,
                      "elements (of the first type) a beat; lanes * element bits must be 8..4096; default: as few as "
                      "hold one of every type")
          ->group(kGroup);
  command.add_option("--width", width, "bits of a port, in the place of --lanes: a multiple of the element, 8..4096")
      ->excludes("--lanes")
      ->group(kGroup);
  add_ops(command, kGroup);
  command.add_option("--pipeline", base.pipeline, "K, distributing stages that share a register: 1 or more")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--adder-latency", base.adder_latency, "A, register stages of a reducer: 1..4")
      ->capture_default_str()
      ->group(kGroup);
  add_tables(command, kGroup);
  add_vcs(command, kGroup);
  command
      .add_option("--ingress-depth", base.ingress_depth,
                  "beats of an ingress buffer, one a virtual circuit: 4..1024 for full rate, with several virtual "
                  "circuits 6..1024; 0: the least")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--egress-depth", base.egress_depth,
                  "beats of an egress buffer: L + 4..1024 for full rate, L the network latency, with --acc L + 6, with "
                  "--egress "
                  "packet one more and the beats of a packet; 0: the least, without those")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--egress", egress,
                  "what an egress port offers: beat, any that is there, circuits in turn; packet, a packet once all of "
                  "it is there (or its buffer is full), whole before another circuit's")
      ->capture_default_str()
      ->type_name("beat|packet")
      ->group(kGroup);
  command.add_flag("--allow-slow", base.allow_slow, "accept buffers of 2 beats or more that do not keep full rate")
      ->group(kGroup);
  command
      .add_flag("--no-conflict-check{false}", base.conflict_check,
                "leave out the network's check that beats of different flows never meet")
      ->group(kGroup);
  command
      .add_flag("--counters", base.counters,
                "count beats by port and virtual circuit, launches and waits by descriptor; read through registers")
      ->group(kGroup);
}

constexpr const char* kLinkGroup = "Link ports";

CLI::Option* DesignOptions::add_link_ports_to(CLI::App& command) {
  return command
      .add_option("--link-ports", link_ports,
                  "ports that are ends of links to other switches, the last ones: 8,9 of 10")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("PORT,...")
      ->group(kLinkGroup);
}

void DesignOptions::add_links_to(CLI::App& command) {
  ChipLink& link = base.link;
  const auto option = [&](const char* name, int& value, const char* description) {
    link_options.push_back(command.add_option(name, value, description)->capture_default_str()->group(kLinkGroup));
  };
  option("--slots", link.slots, "S, slots of a link port, one a descriptor that crosses it: 1..8");
  option("--step-bits", link.step_bits,
         "bits of a step, for all members of a fabric: up to 12; 0: 8, or those of a port");
  option("--tag-bits", link.tag_bits,
         "bits of a descriptor in any switch of the fabric: up to 8; 0: those of this one");
  option("--link-latency", link.latency, "cycles from one end's transceiver to the other's, one way: 1..4096");
  option("--flit-beats", link.flit_beats, "beats that a flit carries at most: 1..16");
  option("--flit-words", link.flit_words,
         "words of a flit, one a cycle; 0: as many as beats, which keeps the port's rate");
  option("--slot-depth", link.slot_depth, "beats that a slot has room for at the far end; 0: what full rate needs");
  option("--replay", link.replay, "flits kept until they are acknowledged, a power of two; 0: what full rate needs");
}

void DesignOptions::add_registers_to(CLI::App& command, const char* group) {
  add_types(command, group);
  add_ops(command, group);
  add_tables(command, group);
  add_vcs(command, group);
}

void DesignOptions::add_types(CLI::App& command, const char* group) {
  command
      .add_option("--dtype", dtype,
                  "element type, or several, separated by commas, of which a descriptor chooses: " + dtype_names())
      ->capture_default_str()
      ->group(group);
}

void DesignOptions::add_ops(CLI::App& command, const char* group) {
  ops_option = command
                   .add_option("--ops", ops,
                               "reduce operations built in, a comma-separated list of " + op_names() +
                                   "; sum-sat is for integers and 8-bit floating point")
                   ->capture_default_str()
                   ->group(group);
}

void DesignOptions::add_tables(CLI::App& command, const char* group) {
  descriptors = command.add_option("--descriptors", base.descriptors, "entries of the descriptor table: 1..64")
                    ->capture_default_str()
                    ->group(group);
  tables = command.add_option("--alltoall-tables", base.alltoall_tables, "all-to-all tables: 0..4")
               ->capture_default_str()
               ->group(group);
}

void DesignOptions::add_vcs(CLI::App& command, const char* group) {
  command
      .add_option("--vcs", base.vcs, "V, virtual circuits of a port: 1..8; of 4 the usual order is control, MP, PP, DP")
      ->capture_default_str()
      ->group(group);
}

void DesignOptions::set_link_ports(Design& design) const {
  if (link_ports.empty()) {
    const auto given =
        std::find_if(link_options.begin(), link_options.end(), [](const auto* o) { return o->count() > 0; });
    if (given != link_options.end() && !fabric) {
      throw InputError(fmt::format("{}: is of links; goes with --link-ports or --fabric", (*given)->get_name()));
    }
    return;
  }
  std::vector<int> ports = link_ports;
  std::sort(ports.begin(), ports.end());
  design.link_ports = static_cast<int>(ports.size());
  design.link.allow_slow = design.allow_slow;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const int expected = design.radix - design.link_ports + static_cast<int>(i);
    if (ports[i] == expected) continue;
    throw InputError(
        fmt::format("--link-ports {}: allowed are the last ports of the switch, each once: {} ports are {}..{}",
                    fmt::join(link_ports, ","), design.link_ports, design.radix - design.link_ports, design.radix - 1));
  }
}

Design DesignOptions::design() const {
  Design design = base;
  const std::vector<DType> types = parse_dtypes(dtype);
  design.dtype = types.front();
  design.more_dtypes.assign(types.begin() + 1, types.end());
  if (!acc.empty()) design.acc = parse_acc(acc, types);
  design.ops = parse_ops(ops);
  design.egress = parse_egress(egress);
  const DType widest =
      *std::max_element(types.begin(), types.end(), [](DType a, DType b) { return element_bits(a) < element_bits(b); });
  const int bits = element_bits(widest);
  if (lanes != nullptr && lanes->count() == 0) design.lanes = bits / element_bits(design.dtype);
  if (width) {
    if (*width < bits || *width > 4096 || *width % bits != 0) {
      throw InputError(fmt::format("--width {}: must be a multiple of the {} bits of {}, {}..4096", *width, bits,
                                   to_string(widest), bits));
    }
    design.lanes = *width / element_bits(design.dtype);
  }
  set_link_ports(design);
  design.validate();
  return design;
}

}  // namespace fred::cli
