// SPDX-License-Identifier: Apache-2.0
// How much of a port's rate collectives over links reach. FRED_FABRIC_BYTES=n is the size of a member's whole buffer.
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/fabric/fabric_bench.hpp"

namespace fred::test {
namespace {

TEST_CASE("fabric: nearly the rate of a port, over links of 20 cycles") {
  const char* text = std::getenv("FRED_FABRIC_BYTES");
  const std::size_t bytes = text == nullptr ? 65536 : static_cast<std::size_t>(std::atol(text));
  const std::vector<FabricPort> ranks = {{0, 0}, {0, 2}, {0, 5}, {1, 1}, {1, 4}};
  for (const Kind kind : {Kind::kAllReduce, Kind::kAllGather, Kind::kReduceScatter, Kind::kBroadcast}) {
    FabricBench bench(two_leaves(20), {{.kind = kind, .ranks = ranks, .vc = 1}}, {}, 1);
    const std::size_t own = kind == Kind::kAllGather ? bytes / ranks.size() / 4 * 4 : bytes;
    const tb::Job job = bench.job(0, own, 1);
    std::vector<tb::Traffic> traffic;
    traffic.push_back(tb::make_traffic(job, bench.large(), 0, 1, 4096, false));
    const tb::RunResult result = bench.harness().run(traffic);
    CHECK(result.mismatches == 0);
    CHECK_MESSAGE(result.hang.empty(), result.hang);
    const tb::Summary summary = tb::summarise({&result.jobs.front()});
    CAPTURE(std::string(to_string(kind)));
    CAPTURE(summary.efficiency);
    fmt::print("{:14} {} bytes: {} beats in {} cycles, {:.4f} of the rate; first beat after {}\n", to_string(kind),
               bytes, summary.beats, summary.cycles, summary.efficiency, summary.first_beat_latency);
    CHECK(summary.efficiency >= 0.98);
  }
}

}  // namespace
}  // namespace fred::test
