// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/run_outcome.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fred::cli {
namespace {

using nlohmann::ordered_json;

/// "bf16,fp32".
std::string types_text(const Design& design) {
  std::string text;
  for (const DType type : design.dtypes()) text += fmt::format("{}{}", text.empty() ? "" : ",", to_string(type));
  return text;
}

ordered_json group_json(const tb::RankSet& set) {
  if (!set.is_flow) return set.in;
  return {{"in", set.in}, {"out", set.out}};
}

/// The operation of an entry; null where it reduces nothing.
ordered_json op_of(const Plan& plan, const tb::Entry& entry) {
  if (!reduces(entry.kind) || entry.kind == Kind::kBarrier) return nullptr;
  return to_string(entry.op.value_or(plan.job.op));
}

/// "allreduce", "allreduce:bf16", "allreduce:bf16:max/vc2/from500": with the type if there are several, VCs but 0,
/// operation, root and first cycle if they were said.
std::string label(const Design& design, const tb::Entry& entry) {
  std::string text(tb::to_string(entry.kind));
  if (!design.more_dtypes.empty()) {
    text += fmt::format(":{}", to_string(design.dtypes()[static_cast<std::size_t>(entry.type)]));
  }
  if (entry.op) text += fmt::format(":{}", to_string(*entry.op));
  if (entry.vc > 0) text += fmt::format("/vc{}", entry.vc);
  if (entry.root) text += fmt::format("/root{}", *entry.root);
  if (entry.start > 0) text += fmt::format("/from{}", entry.start);
  return text;
}

ordered_json counters_json(const tb::CounterValues& counted) {
  ordered_json ports = ordered_json::array();
  for (const auto& circuits : counted.beats) {
    ordered_json& port = ports.emplace_back(ordered_json::array());
    for (const tb::BeatCounts& beats : circuits) port.push_back({{"beats_in", beats.in}, {"beats_out", beats.out}});
  }
  ordered_json descriptors = ordered_json::array();
  for (const tb::LaunchCounts& counts : counted.launches) {
    descriptors.push_back({{"launches", counts.launches},
                           {"wait_data", counts.wait_data},
                           {"wait_egress", counts.wait_egress},
                           {"wait_arbitration", counts.wait_arbitration}});
  }
  return {{"ports", ports}, {"descriptors", descriptors}};
}

/// "0,1,2;3,4" with at most `width` characters.
std::string group_text(const Plan& plan, const Row& row, std::size_t width) {
  std::string text;
  for (const int index : row.entry.groups) {
    const tb::RankSet& set = plan.sets[static_cast<std::size_t>(index)];
    text += fmt::format("{}{}", text.empty() ? "" : ";", fmt::join(set.in, ","));
    if (set.is_flow) text += fmt::format(">{}", fmt::join(set.out, ","));
  }
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

/// What has counted; the rest is 0.
void print_counters(const tb::CounterValues& counted) {
  const auto text = [](std::uint32_t count) {
    return fmt::format("{}{}", count, count == tb::kMostCounted ? "+" : "");
  };
  fmt::print("\n{:>10}{:>6}{:>16}{:>18}\n", "port", "vc", "beats in", "beats out");
  for (std::size_t port = 0; port < counted.beats.size(); ++port) {
    for (std::size_t vc = 0; vc < counted.beats[port].size(); ++vc) {
      const tb::BeatCounts& beats = counted.beats[port][vc];
      if (beats.in == 0 && beats.out == 0) continue;
      fmt::print("{:>10}{:>6}{:>16}{:>18}\n", port, vc, text(beats.in), text(beats.out));
    }
  }
  fmt::print("\n{:>10}{:>16}{:>16}{:>18}{:>22}\n", "descriptor", "launches", "waits for data", "waits for egress",
             "waits for arbitration");
  for (std::size_t d = 0; d < counted.launches.size(); ++d) {
    const tb::LaunchCounts& counts = counted.launches[d];
    if (counts.launches == 0 && counts.wait_data == 0 && counts.wait_egress == 0 && counts.wait_arbitration == 0) {
      continue;
    }
    fmt::print("{:>10}{:>16}{:>16}{:>18}{:>22}\n", d, text(counts.launches), text(counts.wait_data),
               text(counts.wait_egress), text(counts.wait_arbitration));
  }
}

}  // namespace

ordered_json to_json(const Plan& plan, const tb::BuiltModel& model, const Outcome& outcome) {
  ordered_json collectives = ordered_json::array();
  for (const Row& row : outcome.rows) {
    ordered_json groups = ordered_json::array();
    for (const int group : row.entry.groups) groups.push_back(group_json(plan.sets[static_cast<std::size_t>(group)]));
    collectives.push_back({{"kind", tb::to_string(row.entry.kind)},
                           {"dtype", to_string(plan.design.dtypes()[static_cast<std::size_t>(row.entry.type)])},
                           {"op", op_of(plan, row.entry)},
                           {"vc", row.entry.vc},
                           {"start", row.entry.start},
                           {"groups", groups},
                           {"phase", row.phase},
                           {"rounds", outcome.phases[row.phase].rounds.size()},
                           {"payload_bytes", row.payload_bytes},
                           {"beats", row.summary.beats},
                           {"cycles", row.summary.cycles},
                           {"first_beat_latency", row.summary.first_beat_latency},
                           {"efficiency", row.summary.efficiency},
                           {"mismatches", row.summary.mismatches}});
  }
  ordered_json phases = ordered_json::array();
  for (const PhaseOutcome& phase : outcome.phases) {
    phases.push_back({{"rounds", phase.rounds},
                      {"at_least", phase.at_least},
                      {"predicted_cycles", phase.predicted_cycles ? ordered_json(*phase.predicted_cycles) : nullptr},
                      {"cycles", phase.summary.cycles}});
  }
  ordered_json counted = nullptr;
  if (outcome.counted) counted = counters_json(*outcome.counted);
  return {{"radix", plan.design.radix},
          {"middle", plan.design.middle},
          {"dtype", types_text(plan.design)},
          {"acc", plan.design.acc ? ordered_json(to_string(*plan.design.acc)) : ordered_json(nullptr)},
          {"lanes", plan.design.lanes},
          {"port_width", plan.design.width()},
          {"vcs", plan.design.vcs},
          {"engine", "verilator"},
          {"seed", plan.job.seed},
          {"zero_load_latency", plan.design.first_beat_latency()},
          {"mismatches", outcome.mismatches},
          {"sim_cycles_per_second", outcome.cycles_per_second},
          {"build_seconds", model.build_seconds},
          {"collectives", collectives},
          {"phases", phases},
          {"counters", counted}};
}

void print_outcome(const Plan& plan, const tb::BuiltModel& model, const Outcome& outcome) {
  const Design& design = plan.design;
  fmt::print("FRED_{}({}), {} a beat; Verilated switch {}; first beat {} cycles\n\n", design.middle, design.radix,
             design.beat_text(),
             model.cached ? std::string("from the cache") : fmt::format("built in {:.1f} s", model.build_seconds),
             design.first_beat_latency());
  std::size_t width = 6;
  for (const Row& row : outcome.rows) width = std::max(width, group_text(plan, row, 40).size());
  std::size_t name_width = 14;
  for (const Row& row : outcome.rows) name_width = std::max(name_width, label(design, row.entry).size() + 1);
  fmt::print("{:<{}}{:<{}}{:>12}{:>10}{:>10}{:>12}{:>12}  {}\n", "collective", name_width, "groups", width, "bytes",
             "beats", "cycles", "first beat", "efficiency", "result");
  for (const Row& row : outcome.rows) {
    fmt::print("{:<{}}{:<{}}{:>12}{:>10}{:>10}{:>12}{:>12.4f}  {}\n", label(design, row.entry), name_width,
               group_text(plan, row, 40), width, row.payload_bytes, row.summary.beats, row.summary.cycles,
               row.summary.first_beat_latency, row.summary.efficiency,
               row.summary.mismatches == 0 ? "ok" : fmt::format("{} wrong", row.summary.mismatches));
  }
  for (const std::string& note : outcome.notes) fmt::print("share time: {}\n", note);
  for (std::size_t p = 0; p < outcome.phases.size(); ++p) {
    const PhaseOutcome& phase = outcome.phases[p];
    if (phase.rounds.size() <= 1) continue;
    fmt::print("phase {}: {} rounds ({}), {} cycles{}\n", p, phase.rounds.size(),
               static_cast<int>(phase.rounds.size()) == phase.at_least ? "no fewer are possible"
                                                                       : fmt::format("at least {}", phase.at_least),
               phase.summary.cycles,
               phase.predicted_cycles ? fmt::format(", {} predicted", *phase.predicted_cycles) : "");
  }
  if (outcome.counted) print_counters(*outcome.counted);
  fmt::print("\n{} mismatches, seed {}, {:.0f} cycles/s\n", outcome.mismatches, plan.job.seed,
             outcome.cycles_per_second);
}

}  // namespace fred::cli
