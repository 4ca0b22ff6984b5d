// SPDX-License-Identifier: Apache-2.0
#include "fred/design/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fred/design/design.hpp"
#include "fred/error.hpp"

namespace fred {
namespace {

constexpr int kCrcBits = 32;
constexpr int kLeastPhyBits = 33;    // fred_crc32 takes no less
constexpr int kMaxReplay = 1 << 14;  // flits
constexpr int kMaxSlotDepth = 1 << 16;

void check(const char* option, int value, int low, int high) {
  if (value < low || value > high) throw InputError(fmt::format("{} {}: allowed are {}..{}", option, value, low, high));
}

int least_power_of_two(int n) { return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(n, 2)))); }

}  // namespace

void ChipLink::validate(const char* latency_option) {
  check("--width", width, 8, 4096);
  if (width % 8 != 0) throw InputError(fmt::format("--width {}: allowed are multiples of 8", width));
  check("--slots", slots, 1, 16);
  check("--step-bits", step_bits, 1, 16);
  check("--tag-bits", tag_bits, 1, 16);
  check(latency_option, latency, 1, 4096);
  check("--flit-beats", flit_beats, 1, 16);
  if (flit_words == 0) flit_words = flit_beats;
  check("--flit-words", flit_words, flit_beats, 64);
  if (replay == 0) replay = least_power_of_two(full_rate_replay());
  check("--replay", replay, 2, kMaxReplay);
  if (!std::has_single_bit(static_cast<unsigned>(replay))) {
    throw InputError(fmt::format("--replay {}: allowed are powers of two, 2..{}", replay, kMaxReplay));
  }
  if (slot_depth == 0) slot_depth = full_rate_depth();
  check("--slot-depth", slot_depth, 2, kMaxSlotDepth);
  if (allow_slow) return;
  const auto slow = [&](const char* option, int value, int least) {
    if (value >= least) return;
    throw InputError(fmt::format(
        "{} {}: full rate over a round trip of {} cycles needs {} or more; give --allow-slow to accept less", option,
        value, round_trip(), least));
  };
  slow("--replay", replay, full_rate_replay());
  slow("--slot-depth", slot_depth, full_rate_depth());
}

int ChipLink::slot_bits() const { return std::max(1, ceil_log2(slots)); }
int ChipLink::count_bits() const { return ceil_log2(width / 8 + 1); }
int ChipLink::credit_bits() const { return ceil_log2(slot_depth + 1); }
int ChipLink::seq_bits() const { return ceil_log2(replay) + 1; }
int ChipLink::user_bits() const { return 6 + step_bits; }

// As the localparams of rtl/fred_link.sv.
int ChipLink::payload_bits() const {
  const int more = flit_beats > 1 ? ceil_log2(flit_beats) : 0;
  const int side = slot_bits() + tag_bits + user_bits() - 1;
  return more + side + count_bits() + 2 + flit_beats * width;
}

int ChipLink::flit_bits() const { return 2 + slot_bits() + credit_bits() + 3 + 2 * seq_bits() + payload_bits(); }

int ChipLink::phy_bits() const {
  return std::max(kLeastPhyBits, (flit_bits() + kCrcBits + flit_words - 1) / flit_words);
}

// Both ways: the latency, the words of the flit, three registers between words and flits; one for what is expected;
// and a flit's time at either end, as one may have just begun.
int ChipLink::round_trip() const { return 2 * latency + 4 * flit_words + 8; }

int ChipLink::full_rate_replay() const { return (round_trip() + flit_words - 1) / flit_words; }

int ChipLink::credit_round_trip() const {
  constexpr int kIngress = 8;  // cycles through an empty ingress buffer, the unpacking included
  return round_trip() + kIngress + 2 * flit_words;
}

int ChipLink::full_rate_depth() const { return (credit_round_trip() * flit_beats + flit_words - 1) / flit_words; }

// The time-out is for ends that were out of reach of each other; gaps are asked for as soon as they show. So it may be
// long, and must not strike while all is well: four times what the first acknowledgement of a full replay memory takes
// leaves room for transceivers that take words at half the rate, and for a repetition of which something is lost again.
// An early one would cost rate, but not order.
//
// Quiet, after a reset: what was under way has gone by, and so has the answer to it, on a way of up to twice the
// latency.
//
// Silence: so many flits in a row are not lost by chance (at one in two, once in 10^19), and it is over soon, as a link
// that lives is never silent.
int ChipLink::timeout() const { return 4 * std::max(round_trip(), replay * flit_words); }
int ChipLink::quiet() const { return 2 * round_trip(); }
int ChipLink::silence() const { return 64 * flit_words; }
double ChipLink::beats_per_cycle() const {
  return std::min({static_cast<double>(flit_beats) / flit_words,
                   static_cast<double>(replay * flit_beats) / round_trip(),
                   static_cast<double>(slot_depth) / credit_round_trip()});
}
double ChipLink::payload_share() const {
  return static_cast<double>(flit_beats) * width / (static_cast<double>(flit_words) * phy_bits());
}

std::string ChipLink::canonical_options() const {
  return fmt::format(
      "--width {} --slots {} --step-bits {} --tag-bits {} --latency {} --flit-beats {} --flit-words {} --slot-depth {} "
      "--replay {}{}",
      width, slots, step_bits, tag_bits, latency, flit_beats, flit_words, slot_depth, replay,
      allow_slow ? " --allow-slow" : "");
}

std::string ChipLink::switch_options() const {
  return fmt::format(
      "--slots {} --step-bits {} --tag-bits {} --link-latency {} --flit-beats {} --flit-words {} --slot-depth {} "
      "--replay {}",
      slots, step_bits, tag_bits, latency, flit_beats, flit_words, slot_depth, replay);
}

}  // namespace fred
