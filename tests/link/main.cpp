// SPDX-License-Identifier: Apache-2.0
// Checks of the link between two switches (`make links`), and their quick form in ctest.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>

#include "tests/link/bench.hpp"

using namespace fred;
using namespace fred::test;

namespace {

/// Random runs of one kind over all parameters; counts what happened, so that a check that met nothing is seen.
struct Totals {
  long runs = 0, beats = 0, bad = 0, gaps = 0, replays = 0, timeouts = 0, downs = 0, resets = 0, lost = 0;
  void add(const LinkResult& r) {
    runs += 1;
    beats += r.beats;
    bad += r.bad;
    gaps += r.gaps;
    replays += r.replays;
    timeouts += r.timeouts;
    downs += r.downs;
    resets += r.resets;
    lost += r.lost;
  }
  void print(const char* what) const {
    fmt::print(
        "{:<28} {:>5} runs {:>10} beats {:>9} bad flits {:>8} gaps {:>8} replays {:>5} time-outs {:>4} downs {:>4} "
        "resets {:>4} losses\n",
        what, runs, beats, bad, gaps, replays, timeouts, downs, resets, lost);
  }
};

LinkRun random_run(const std::string& link, std::uint64_t seed, long beats) {
  tb::Random random(tb::sub_seed(seed, 3));
  LinkRun run;
  run.link = link;
  run.seed = seed;
  run.latency = 1 + random.below(named_link(link).link.latency);
  run.beats = beats;
  run.longest_packet = 1 + random.below(random.below(2) == 0 ? 3 : 200);
  const std::array<double, 4> stalls{0, 0.1, 0.5, 0.9};
  const auto pick = [&] { return stalls[static_cast<std::size_t>(random.below(4))]; };
  run.source_stalls = pick();
  run.sink_stalls = pick();
  run.phy_stalls = random.below(2) == 0 ? 0 : 0.05 * random.below(10);
  return run;
}

bool check(int runs, std::uint64_t seed, long beats) {
  bool right = true;
  Totals clean, errors, cuts, resets, stopped;
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) fmt::print("WRONG: {}\n", what);
    right = right && holds;
  };
  for (int i = 0; i < runs; ++i) {
    for (const auto& [link, parameters] : links()) {
      const std::uint64_t each = tb::sub_seed(seed, 5, static_cast<std::uint64_t>(i));
      tb::Random random(tb::sub_seed(each, 4));
      LinkRun run = random_run(link, each, beats);
      const LinkResult quiet = run_link(run);
      clean.add(quiet);
      require(quiet.bad + quiet.gaps + quiet.replays == 0,
              fmt::format("errors without a cause: link {}, seed {}", link, each));

      run.errors.flits = std::pow(10.0, -0.5 - 0.5 * random.below(5));
      errors.add(run_link(run));
      run.errors.flits *= 0.1 * random.below(2);
      run.errors.cut_from = 450 + random.below(static_cast<int>(std::max(100L, quiet.cycles)));
      run.errors.cut_to = run.errors.cut_from + 1 + random.below(2000);
      cuts.add(run_link(run));

      run.errors = {};
      run.phy_stalls = 0;
      const bool twice = random.below(2) == 0;
      if (twice) {  // with all that can be under way, and again before what was under way has gone
        run.latency = parameters.latency;
        run.source_stalls = 0;
      }
      const long cycles = run_link(run).cycles;
      run.resets = {450 + random.below(static_cast<int>(std::max(100L, cycles)))};
      if (twice) run.resets.push_back(run.resets.front() + 3 + random.below(4 * parameters.round_trip()));
      resets.add(run_link(run));

      if (parameters.slots < 2) continue;
      run = random_run(link, each, beats);
      run.stopped_slot = random.below(parameters.slots);
      stopped.add(run_link(run));
    }
  }
  clean.print("no errors");
  errors.print("errors 0.3 % to 32 %");
  cuts.print("cut and brought back");
  resets.print("one end reset");
  stopped.print("one slot stopped");
  require(errors.bad > 0 && errors.gaps > 0 && errors.replays > 0, "no errors were met");
  require(cuts.downs > 0 && cuts.timeouts > 0, "no cut was long");
  require(resets.lost > 0, "no reset was seen");
  return right;
}

/// Full rate, errors at a given rate: what comes through, against the formula with the R that was measured; and R is
/// the same whatever happened to the flit, so an error costs the flit that it hits and no other one.
bool goodput(long flits, std::uint64_t seed) {
  struct Row {
    double p;  ///< share of the flits that is hit
    Errors::Kind kind;
    const char* what;
  };
  constexpr std::array kRows{Row{0, Errors::Kind::kFlip, "none"}, Row{1e-3, Errors::Kind::kFlip, "a wrong bit"},
                             Row{1e-3, Errors::Kind::kLostWord, "a lost word"},
                             Row{1e-2, Errors::Kind::kFlip, "a wrong bit"},
                             Row{1e-2, Errors::Kind::kLostWord, "a lost word"}};
  bool right = true;
  fmt::print(
      "| link | latency | each error | flit errors p | flits | R | (1-p)/(1-p+pR) | measured | difference "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string link : {"beat", "four"}) {
    const ChipLink& parameters = named_link(link).link;
    double flip_costs = 0;
    for (const Row& row : kRows) {
      LinkRun run;
      run.link = link;
      run.seed = seed;
      run.latency = 20;
      run.beats = flits * parameters.flit_beats / parameters.slots;
      run.longest_packet = 100 * parameters.flit_beats;
      run.source_stalls = run.sink_stalls = 0;
      run.errors.flits = row.p;
      run.errors.kind = row.kind;
      const LinkResult r = run_link(run);
      const double cost =
          r.errors_met > 0 ? static_cast<double>(r.flits_wasted) / static_cast<double>(r.errors_met) : 0;
      const double expected = (1 - row.p) / (1 - row.p + row.p * cost);
      const double measured = static_cast<double>(r.taken) / 2 / static_cast<double>(r.flit_times);
      const double difference = measured / expected - 1;
      fmt::print("| {} | {} | {} | {:g} | {} | {:.2f} | {:.4f} | {:.4f} | {:+.1f} % |\n", link, run.latency, row.what,
                 row.p, r.taken, cost, expected, measured, 100 * difference);
      right = right && std::abs(difference) <= 0.05;
      if (row.kind == Errors::Kind::kFlip) flip_costs = cost;
      if (std::abs(cost - flip_costs) > 0.5) {
        fmt::print("WRONG: {} costs {:.2f} flits, a wrong bit {:.2f}\n", row.what, cost, flip_costs);
        right = false;
      }
    }
  }
  return right;
}

/// Cycles from a beat's acceptance until it comes out at the far end, at the most, of one that comes alone or just
/// behind such a one (docs/links.md): a flit's time each for the flit that is under way, for the one that the beat
/// before takes, and for its own; and the registers, of which packing has one more.
long longest_way(const ChipLink& link, int latency) {
  return 4 + 3L * link.flit_words + (link.flit_beats > 1 ? 1 : 0) + latency;
}

/// What the generator works out is enough for full rate, for all slots and for one alone. It is also no more than is
/// needed: the round trips of these two are a power of two of flits, so two flits' time more on the way is too much for
/// their replay memories.
bool rates(std::uint64_t seed) {
  bool right = true;
  fmt::print("| link | slots | latency | share of the full rate |\n|---|---|---|---|\n");
  for (const std::string link : {"beat", "four"}) {
    const ChipLink& parameters = named_link(link).link;
    for (const int slot : {-1, 0}) {
      for (const int more : {0, 2 * parameters.flit_words}) {
        LinkRun run;
        run.link = link;
        run.seed = seed;
        run.latency = parameters.latency + more;
        run.beats = 20000 * parameters.flit_beats / (slot < 0 ? parameters.slots : 1);
        run.longest_packet = 400 * parameters.flit_beats;
        run.source_stalls = run.sink_stalls = 0;
        run.only_slot = slot;
        run.hold = 6;
        const LinkResult r = run_link(run);
        const double share = static_cast<double>(r.taken) / 2 / static_cast<double>(r.flit_times);
        fmt::print("| {} | {} | {} | {:.4f} |\n", link, slot < 0 ? "all" : "one", run.latency, share);
        right = right && (more == 0 ? share >= 0.99 : share < 0.99);
      }
    }
  }
  // Beats that come now and then, alone or in pairs, also in the middle of a packet: none waits for one that is to
  // come.
  fmt::print(
      "\n| link | latency | longest way of a beat that comes alone or second, cycles | of these in the link's ends | "
      "bound "
      "|\n|---|---|---|---|---|\n");
  for (const auto& [link, parameters] : links()) {
    LinkRun run;
    run.link = link;
    run.seed = seed;
    run.latency = parameters.latency;
    run.beats = 2000;
    run.source_stalls = 0.9;
    run.pair_gap = longest_way(parameters, 0) + parameters.flit_words;
    run.sink_stalls = 0;
    run.only_slot = 0;
    const LinkResult r = run_link(run);
    const long bound = longest_way(parameters, run.latency);
    fmt::print("| {} | {} | {} | {} | {} |\n", link, run.latency, r.longest_way, r.longest_way - run.latency,
               bound - run.latency);
    right = right && r.longest_way <= bound;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Checks of the link between two switches");
  std::uint64_t seed = 1;
  app.add_option("--seed", seed, "of all random choices")->capture_default_str();
  app.require_subcommand(1);
  app.fallthrough();
  int runs = 1000;
  long beats = 600;
  CLI::App* random = app.add_subcommand("check", "random runs: clean, with errors, cut, reset, a slot stopped");
  random->add_option("--runs", runs, "of each kind and each set of parameters")->capture_default_str();
  random->add_option("--beats", beats, "a slot and direction")->capture_default_str();
  long flits = 1'000'000;
  CLI::App* rate = app.add_subcommand("goodput", "what comes through at flit error rates of 0, 1e-3 and 1e-2");
  rate->add_option("--flits", flits, "each way")->capture_default_str();
  CLI::App* full = app.add_subcommand("rates", "full rate with the buffers that the generator works out");
  CLI11_PARSE(app, argc, argv);
  try {
    fmt::print("seed: {}\n", seed);
    bool right = false;
    if (random->parsed()) right = check(runs, seed, beats);
    if (rate->parsed()) right = goodput(flits, seed);
    if (full->parsed()) right = rates(seed);
    fmt::print("result: {}\n", right ? "all right" : "WRONG");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "links: {}\n", error.what());
    return 1;
  }
}
