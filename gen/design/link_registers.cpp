// SPDX-License-Identifier: Apache-2.0
#include "fred/design/link_registers.hpp"

namespace fred {

RegisterBlock links_block(const Design& design, const RegisterMap& map) {
  using Fields = LinkFields;
  const auto descriptors = static_cast<std::uint32_t>(1 << ceil_log2(design.descriptors));
  Register link{
      "LINK",
      0,
      Access::kReadWrite,
      false,
      {},
      "A descriptor at a link port. Written while the descriptor is not in use; counts where the port is in "
      "IN_MASK or OUT_MASK",
      {{"slot", {Fields::kSlot.low, design.link.slot_bits()}, "slot, of no other descriptor in use there", ""},
       {"tag", {Fields::kTag.low, design.link.tag_bits}, "descriptor in the next switch", ""},
       {"repeat",
        {Fields::kRepeat.low, design.link.step_bits},
        "further steps at this port: the members behind it less one",
        ""},
       {"flip_parity", Fields::kFlipParity, "makes the parity wrong, to try out ERROR.parity; reads as 0", ""},
       {"pass_step", Fields::kPassStep, "beats from here keep the step that they have brought along", ""}}};
  return {"link",
          map.link_base,
          map.link_stride * descriptors,
          "Descriptors at the link ports",
          {{"descriptor", design.descriptors, map.link_stride}, {"link", design.link_ports, 4}},
          {std::move(link)}};
}

RegisterBlock link_status_block(const Design& design, const RegisterMap& map) {
  RegisterBlock block{
      "link_status",
      map.link_status_base,
      RegisterMap::kLinkStatusStride << ceil_log2(design.link_ports),
      "Status of the link ports",
      {{"link", design.link_ports, RegisterMap::kLinkStatusStride}},
      {{"LINK_STATUS",
        RegisterMap::kLinkStatus,
        Access::kReadOnly,
        true,
        {},
        "Status of a link",
        {{"up", LinkStatusFields::kUp, "both ends run, and this one hears the other", ""},
         {"running", LinkStatusFields::kRunning, "both ends have agreed to run, and none was reset since", ""}}}}};
  const auto count = [&](const char* name, std::uint32_t offset, const char* description) {
    block.registers.push_back({name,
                               offset,
                               Access::kReadOnly,
                               true,
                               0,
                               description,
                               {{"count", {0, 32}, "since reset, at most 2^32 - 1", ""}}});
  };
  count("LINK_SENT", RegisterMap::kLinkSent, "Flits with beats sent, again or for the first time");
  count("LINK_TAKEN", RegisterMap::kLinkTaken, "Flits with beats taken");
  count("LINK_BAD", RegisterMap::kLinkBad, "Flits that came not whole or with a wrong CRC");
  count("LINK_GAPS", RegisterMap::kLinkGaps, "Times that something was missing and was asked for");
  count("LINK_REPLAYS", RegisterMap::kLinkReplays, "Times that it went back to send again");
  count("LINK_TIMEOUTS", RegisterMap::kLinkTimeouts, "Of these, because of the time");
  count("LINK_LOSSES", RegisterMap::kLinkLosses, "Times that the far end was reset, and what was under way was lost");
  return block;
}

}  // namespace fred
