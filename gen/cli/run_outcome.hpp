// SPDX-License-Identifier: Apache-2.0
// What `fred run` runs and how it went, as data and in words.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/network/network.hpp"
#include "fred/route/program.hpp"
#include "tb/counters.hpp"
#include "tb/harness.hpp"
#include "tb/model_build.hpp"
#include "tb/workload.hpp"

namespace fred::cli {

/// The options, understood and checked.
struct Plan {
  Design design;
  Network network;
  std::vector<tb::RankSet> sets;
  std::vector<tb::Phase> phases;
  std::vector<tb::Bytes> files;                  ///< by rank, with --data
  std::vector<std::vector<std::size_t>> counts;  ///< of --counts, elements
  tb::JobOptions job;
  tb::Behaviour behaviour;
  std::size_t packet = 0;  ///< bytes, whole beats
  LinkSet broken;          ///< links that no route may use

  [[nodiscard]] ProgramOptions program(int epoch, bool one_round) const { return {epoch, one_round, broken}; }
};

/// A row of the result: an entry of a phase, and how it went.
struct Row {
  tb::Entry entry;
  std::size_t payload_bytes = 0;  ///< the largest send buffer of a rank
  std::size_t phase = 0;          ///< index in Outcome::phases
  tb::Summary summary;
};

/// Collectives that run at once: how they share the network's time.
struct PhaseOutcome {
  std::vector<std::vector<int>> rounds;           ///< of groups, as the router splits them; indices of descriptors
  int at_least = 0;                               ///< there are no fewer, for the trees: proved
  std::optional<std::uint64_t> predicted_cycles;  ///< first accepted to last delivered beat; not with /fromN
  tb::Summary summary;
};

struct Outcome {
  std::vector<PhaseOutcome> phases;
  std::vector<Row> rows;
  std::size_t mismatches = 0;                ///< of everything, protocol and time-outs included
  std::vector<std::string> messages;         ///< the first mismatches of each phase
  std::vector<std::string> notes;            ///< what shares time
  std::optional<tb::CounterValues> counted;  ///< from reset to the end, with --counters
  double cycles_per_second = 0;
};

[[nodiscard]] nlohmann::ordered_json to_json(const Plan& plan, const tb::BuiltModel& model, const Outcome& outcome);
void print_outcome(const Plan& plan, const tb::BuiltModel& model, const Outcome& outcome);

}  // namespace fred::cli
