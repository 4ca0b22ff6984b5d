// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/counter_scenarios.hpp"

#include "tb/counters.hpp"
#include "tests/faults/quick_bench.hpp"

namespace fred::test {
namespace {

void require_equal(std::uint64_t got, std::uint64_t wanted, const std::string& what) {
  require(got == wanted, fmt::format("{}: {}, not {}", what, got, wanted));
}

CounterValues take(QuickBench& bench, const Design& design) {
  snapshot_counters(bench.harness);
  return read_counters(bench.harness, design);
}

}  // namespace

/// An all-reduce of three ports, run after run with a snapshot behind each: even, with sinks that stall, and with a
/// port that comes late.
void counters_exact(Engine& engine, const Design& design) {
  constexpr std::size_t kBeats = 100;
  constexpr std::uint32_t kLate = 25;
  QuickBench bench(engine, design);
  Job job = random_job(Kind::kAllReduce, {0, 1, 3}, design, kBeats, 1);
  job.vc = 2;
  for (int round = 0; round < 6; ++round) {
    const bool stalls = round % 3 == 1, late = round % 3 == 2;
    Behaviour behaviour = even_stalls(design, 0, stalls ? 0.5 : 0);
    if (late) behaviour.start_in = {kLate, 0, 0, 0};
    bench.harness.set_behaviour(behaviour);
    check(bench.run({job}), fmt::format("round {}", round));
    const CounterValues values = take(bench, design);
    for (std::size_t port = 0; port < values.beats.size(); ++port) {
      for (std::size_t vc = 0; vc < values.beats[port].size(); ++vc) {
        const std::size_t wanted = vc == 2 && port != 2 ? kBeats : 0;
        const std::string where = fmt::format("round {}, port {}, circuit {}", round, port, vc);
        require_equal(values.beats[port][vc].in, wanted, where + ", beats in");
        require_equal(values.beats[port][vc].out, wanted, where + ", beats out");
      }
    }
    const LaunchCounts& counts = values.launches[0];
    require_equal(counts.launches, kBeats, fmt::format("round {}, launches", round));
    require_equal(counts.wait_data, late ? kLate : 0, fmt::format("round {}, waits for data", round));
    require_equal(counts.wait_arbitration, 0, fmt::format("round {}, waits for arbitration", round));
    require((counts.wait_egress > 0) == stalls,
            fmt::format("round {}: {} cycles of waiting for the egress", round, counts.wait_egress));
  }
}

}  // namespace fred::test
