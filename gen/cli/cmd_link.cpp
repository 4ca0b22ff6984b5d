// SPDX-License-Identifier: Apache-2.0
// `fred link`: one end of a link between two switches as SystemVerilog, and what its parameters come to.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "fred/cli/commands.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/design/link.hpp"
#include "fred/emit/emit_link.hpp"
#include "fred/emit/write.hpp"
#include "fred/error.hpp"

namespace fred::cli {
namespace {

struct LinkOptions {
  ChipLink link;
  std::string folder;  ///< -o
  bool force = false;  ///< --force
  std::string json;    ///< --json
};

void run(const LinkOptions& options) {
  ChipLink link = options.link;
  link.validate();
  if (options.force && options.folder.empty()) throw InputError("--force: goes with -o only");
  check_json(options.json, options.folder);
  const std::vector<EmittedFile> files = emit_link(link);
  if (!options.folder.empty()) write_output(options.folder, files, options.force);
  if (!options.json.empty()) {
    write_json(options.json, nlohmann::ordered_json::parse(files.back().text));  // the manifest comes last
    if (is_stdout(options.json)) return;
  }
  fmt::print("link of {} slots, {} bits a beat\n", link.slots, link.width);
  fmt::print("  flit: {} bits and 32 of CRC, up to {} beats, in {} words of {} bits: {:.1f} % of the bits are data\n",
             link.flit_bits(), link.flit_beats, link.flit_words, link.phy_bits(), 100 * link.payload_share());
  fmt::print("  rate: at most {:.3f} beats a cycle of one slot, in full flits\n", link.beats_per_cycle());
  fmt::print("  round trip: {} cycles at a latency of {}\n", link.round_trip(), link.latency);
  fmt::print("  replay: {} flits (full rate needs {}), {} bits\n", link.replay, link.full_rate_replay(),
             static_cast<long>(link.replay) * link.payload_bits());
  fmt::print("  a slot: room for {} beats at the far end (full rate needs {})\n", link.slot_depth,
             link.full_rate_depth());
  fmt::print("  sent again after {} cycles without acknowledgement, down after {} without a flit\n", link.timeout(),
             link.silence());
  if (!options.folder.empty())
    fmt::print("{}: {} files, top module {}, filelist {}.f\n", options.folder, files.size(), kLinkModule, kLinkModule);
}

}  // namespace

void add_link(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("link", "Size a lossless link between two switches, and write one end of it as SystemVerilog");
  const auto options = std::make_shared<LinkOptions>();
  ChipLink& link = options->link;
  command
      ->add_option("-o,--output", options->folder,
                   "folder to write, whole or not at all; without it only the figures are printed")
      ->type_name("DIR");
  command->add_flag("--force", options->force,
                    "replace an earlier output even if files in it were changed or added, which are lost");
  command
      ->add_option("--json", options->json,
                   "write the manifest also to FILE; - is standard output, and nothing else goes there")
      ->type_name("FILE");
  command->add_option("--width", link.width, "bits of data of a beat: those of the switch's ports")
      ->capture_default_str()
      ->type_name("BITS");
  command
      ->add_option("--slots", link.slots,
                   "slots: collectives that cross at the same time without waiting for each other")
      ->capture_default_str();
  command->add_option("--step-bits", link.step_bits, "bits of a step in tuser: those of the switch")
      ->capture_default_str();
  command->add_option("--tag-bits", link.tag_bits, "bits of tdest, the descriptor in the next switch")
      ->capture_default_str();
  command->add_option("--latency", link.latency, "cycles from one end's transceiver to the other's, one way")
      ->capture_default_str();
  command
      ->add_option("--flit-beats", link.flit_beats,
                   "beats that a flit carries at most: more of them share header and CRC")
      ->capture_default_str();
  command
      ->add_option("--flit-words", link.flit_words,
                   "words of a flit, one a cycle; 0: as many as beats, which keeps the port's rate")
      ->capture_default_str();
  command
      ->add_option("--slot-depth", link.slot_depth,
                   "beats that a slot has room for at the far end; 0: what full rate needs")
      ->capture_default_str();
  command
      ->add_option("--replay", link.replay,
                   "flits kept until they are acknowledged, a power of two; 0: what full rate needs")
      ->capture_default_str();
  command->add_flag("--allow-slow", link.allow_slow, "accept --slot-depth and --replay that do not keep full rate");
  command->footer(
      "Examples:\n"
      "  fred link --width 512 --slots 8 --latency 40\n"
      "  fred link --width 128 --flit-beats 4 -o link128\n"
      "  cd link128 && verilator --lint-only -Wall --top-module fred_link_end -f fred_link_end.f\n"
      "Pins, flits and guarantees are in docs/links.md.");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
