// SPDX-License-Identifier: Apache-2.0
// What the tests of the whole switch share: the seed, random jobs, and one call from jobs to a result.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "fred/network/network.hpp"
#include "tb/collectives.hpp"
#include "tb/descriptors.hpp"
#include "tb/harness.hpp"
#include "tb/random.hpp"

namespace fred::test {

/// The seed of a test run: FRED_SEED, else 1. Tests print it (INFO) beside what they derive from it.
inline std::uint64_t base_seed() {
  const char* text = std::getenv("FRED_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 0);
}

/// Fills the ranks' buffers with random data; barriers get nothing.
inline tb::Job with_data(tb::Job job, const Design& design, std::size_t bytes, std::uint64_t seed) {
  job.data.clear();
  for (std::size_t rank = 0; rank < job.in.size(); ++rank) {
    const std::size_t size = job.kind == Kind::kBarrier ? 0 : bytes;
    job.data.push_back(tb::random_buffer(design.dtype, size, tb::sub_seed(seed, 7, rank)));
  }
  return job;
}

/// Ports 0..n-1 shuffled.
inline std::vector<int> shuffled(int n, tb::Random& random) {
  std::vector<int> ports(static_cast<std::size_t>(n));
  std::iota(ports.begin(), ports.end(), 0);
  for (int i = n - 1; i > 0; --i)
    std::swap(ports[static_cast<std::size_t>(i)], ports[static_cast<std::size_t>(random.below(i + 1))]);
  return ports;
}

/// Messages and hang of a result in one text.
inline std::string text_of(const tb::RunResult& result) {
  std::string text = result.hang;
  for (const std::string& message : result.messages) text += message + "\n";
  return text;
}

/// One engine with its harness and what a run needs.
struct Bench {
  Bench(tb::Engine& engine, const Design& its_design)
      : design(its_design), network(make_network(its_design.radix, its_design.middle)), harness(engine, its_design) {
    harness.reset();
  }

  /// Configures jobs and makes their traffic, which may then be spoiled.
  void prepare(const std::vector<tb::Job>& jobs, bool capture = false, std::size_t packets_of = 4) {
    const std::size_t packet = packets_of * static_cast<std::size_t>(design.bytes());
    epoch = (epoch + 1) % 16;
    setup = tb::make_setup(design, network, jobs, {epoch, false, broken});
    traffic.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      tb::validate(jobs[i], design, packet);
      traffic.push_back(
          tb::make_traffic(jobs[i], design, static_cast<int>(i), static_cast<std::uint8_t>(epoch), packet, capture));
    }
    harness.configure(setup);
  }
  /// Configures and runs jobs together. `capture`: received bytes are in `traffic[job].results`.
  tb::RunResult run(const std::vector<tb::Job>& jobs, bool capture = false, std::size_t packets_of = 4,
                    const std::vector<std::vector<int>>& issue_order = {}) {
    prepare(jobs, capture, packets_of);
    return harness.run(traffic, issue_order);
  }
  /// Runs what is prepared.
  tb::RunResult run_prepared() { return harness.run(traffic); }

  Design design;
  Network network;
  LinkSet broken;  // no route uses them
  tb::Harness harness;
  tb::Setup setup;
  std::vector<tb::Traffic> traffic;
  int epoch = 0;
};

}  // namespace fred::test
