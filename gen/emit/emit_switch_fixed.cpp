// SPDX-License-Identifier: Apache-2.0
// What a switch without registers has in the place of the host: constants for descriptors, routes and all-to-all
// tables, errors and status as pins.
#include <fmt/format.h>

#include <algorithm>

#include "fred/design/kind.hpp"
#include "fred/emit/switch_emitter.hpp"

namespace fred {
namespace {

/// A constant of any number of bits, bit i as `set(i)` says.
template <typename F>
std::string bits_text(int width, F&& set) {
  std::string digits;
  for (int low = (width - 1) / 4 * 4; low >= 0; low -= 4) {
    int digit = 0;
    for (int bit = low; bit < std::min(low + 4, width); ++bit) digit |= set(bit) ? 1 << (bit - low) : 0;
    digits += fmt::format("{:x}", digit);
  }
  return fmt::format("{}'h{}", width, digits);
}

/// Words of `bits` bits, word 0 in the low bits, as one constant.
std::string words_text(const std::vector<std::uint32_t>& words, int bits) {
  return bits_text(static_cast<int>(words.size()) * bits,
                   [&](int bit) { return (words[static_cast<std::size_t>(bit / bits)] >> (bit % bits) & 1U) != 0; });
}

}  // namespace

void SwitchEmitter::fixed() {
  const int p = design_.radix, d = design_.descriptors;
  const std::vector<DType> types = design_.dtypes();
  const auto mask = [](const Ports& ports) {
    return [&ports](int bit) { return std::find(ports.begin(), ports.end(), bit) != ports.end(); };
  };
  const auto only = [](int set) { return [set](int bit) { return bit == set; }; };
  module_.comment("No registers: all descriptors are enabled for ever, in epoch 0.");
  fix_all("enable", "{Descriptors{1'b1}}");
  fix_all("epoch", "'0");
  fix_all("abort", "'0");
  fix_all("hold", "'0");
  fix_all("row_bad", "'0");
  fix_all("report_of", "'0");
  fix_all("vc_before",
          bits_text(design_.vcs * design_.vcs, [this](int bit) { return bit % design_.vcs < bit / design_.vcs; }));
  fix_all("bound", fmt::format("16'd{}", RegisterMap::kBoundReset));
  fix_all("timeout_after", fmt::format("5'd{}", static_form_exponent()));
  for (const char* name :
       {"table_we", "table_index", "table_step", "table_port", "table_dest", "table_route", "table_parity"}) {
    fix_all(name, "'0");
  }
  for (const Descriptor& of : descriptors_of_) {
    const int i = of.index;
    module_.comment(
        fmt::format("Descriptor {}: {}{} on {}{}.", i, to_string(of.kind),
                    reduces(of.kind) ? fmt::format(", {}", to_string(of.op)) : "", to_string(Flow{of.in, of.out}),
                    root_sends(of.kind) || root_receives(of.kind) ? fmt::format(", root {}", of.root) : ""));
    const auto type = static_cast<std::size_t>(of.type);
    int op = static_cast<int>(of.op) & ((1 << design_.code_bits()) - 1);
    if (design_.op_width() > design_.code_bits()) op |= of.type << design_.code_bits();
    fix("kind", i, fmt::format("4'd{}", static_cast<int>(of.kind)));
    fix("op", i, fmt::format("{}'d{}", design_.op_width(), op));
    fix("dtype", i, fmt::format("{}'d{}", std::max(1, design_.type_bits()), of.type));
    fix("granule", i, fmt::format("3'd{}", element_bits(types[type]) / 8 - 1));
    fix("route", i, fmt::format("{}'d{}", route_w_, colours_word(design_, of.route)));
    fix("in_mask", i, bits_text(p, mask(of.in)));
    fix("out_mask", i, bits_text(p, mask(of.out)));
    fix("root", i, bits_text(p, only(of.root)));
    fix("final_step", i, fmt::format("{}'d{}", design_.port_bits(), of.in.size() - 1));
    fix("vc", i, bits_text(design_.vcs, only(of.vc)));
    fix("uses", i, bits_text(contexts_, only(of.kind == Kind::kAllToAll ? of.table : -1)));
    fix("clash", i, bits_text(d, [&](int j) {
          return j != i && std::find(of.compatible.begin(), of.compatible.end(), j) == of.compatible.end();
        }));
  }
  if (!has_tdest()) fixed_dest();
  add("fred_fixed_status", "u_status", {{"Queues", p * design_.vcs}, {"Descriptors", descriptors_}},
      join({{{"conflict_i", design_.acc ? "conflict_narrow" : "conflict"}},
            pins({"halt", "hangs_now", "head_stale", "head_unknown", "head_framing", "head_vc", "member_error", "holds",
                  "in_use", "hangs"},
                 "_i"),
            same(status_)}));
  for (const char* name : {"head_index", "owner", "step", "stopped", "flying", "spoils", "parity_now", "link_now",
                           "links_ok", "cycle", "report"})
    unused_.push_back(net(name));
}

void SwitchEmitter::fixed_dest() {
  std::vector<std::uint32_t> dests;
  for (int port = 0; port < design_.radix; ++port) {
    for (int vc = 0; vc < design_.vcs; ++vc) {
      dests.push_back(static_cast<std::uint32_t>(std::max(0, design_.static_form->descriptor_of(port, vc))));
    }
  }
  const std::string text = words_text(dests, design_.descriptor_bits());
  add("fred_fixed_dest", "u_dest", {{"Ports", ports_}, {"Vcs", vcs_}, {"DescW", desc_w_}, {"Dests", Size(0, text)}},
      {{"tid_i", "s_axis_tid"}, {"tdest_o", "s_axis_tdest"}});
}

std::string SwitchEmitter::fixed_entries() const {
  const int steps = 1 << design_.port_bits();
  std::vector<std::uint32_t> entries(static_cast<std::size_t>(contexts_ * design_.radix * steps), 0);
  for (const Descriptor& of : descriptors_of_) {
    for (std::size_t step = 0; step < of.alltoall.steps.size(); ++step) {
      for (const AllToAllEntry& entry : of.alltoall.steps[step]) {
        const int at = (of.table * design_.radix + entry.source) * steps + static_cast<int>(step);
        entries[static_cast<std::size_t>(at)] =
            static_cast<std::uint32_t>(entry.destination) | colours_word(design_, entry.route) << design_.port_bits();
      }
    }
  }
  return words_text(entries, design_.port_bits() + route_w_);
}

}  // namespace fred
