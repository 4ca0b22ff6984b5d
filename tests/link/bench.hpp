// SPDX-License-Identifier: Apache-2.0
// Two ends of a link, beats of all slots both ways, and what lies between. Every beat that comes out is compared, bit
// for bit, with what went in; no queue may ever hold more than it has places. What a reset of one end takes, lost_o of
// the other one must tell: before that nothing newer may come out, and after it nothing from before.
#pragma once

#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/link/end.hpp"

namespace fred::test {

struct LinkRun {
  std::string link;  ///< name of its parameters
  std::uint64_t seed = 1;
  int latency = 20;            ///< cycles on the way, each way
  long beats = 1000;           ///< a slot and direction
  int longest_packet = 40;     ///< beats
  double source_stalls = 0.3;  ///< share of cycles in which a source offers nothing new
  long pair_gap = 0;           ///< cycles from a beat's acceptance until the second next one may be offered, at least
  double sink_stalls = 0.3;    ///< ... in which a queue gives no beat away
  int hold = 1;                ///< cycles that a beat stays in its queue at least
  int only_slot = -1;          ///< the others send nothing
  double phy_stalls = 0;       ///< ... in which a transceiver takes no word
  int stopped_slot = -1;       ///< its queues give nothing away until all others are done
  Errors errors;
  std::vector<long> resets;  ///< end 1 is reset in these cycles, and nothing is sent again; without errors only
  long patience = 20000;     ///< cycles without a beat after which it hangs
};

struct LinkResult {
  long cycles = 0;  ///< from the first beat in to the last one out
  long beats = 0;   ///< that came out
  long bad = 0, gaps = 0, replays = 0, timeouts = 0, lost = 0, downs = 0;
  long resets = 0;       ///< that came before the end
  long longest_way = 0;  ///< cycles from a beat's acceptance until it came out
  long taken = 0;        ///< flits that were taken
  long flit_times = 0;   ///< flits that could have been sent one way in those cycles
  long errors_met = 0, flits_wasted = 0;
};

/// What is not as it should be, with the seed.
struct LinkFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

LinkResult run_link(const LinkRun& run);

}  // namespace fred::test
