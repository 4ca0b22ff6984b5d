// SPDX-License-Identifier: Apache-2.0
// What the quick tests share: a bench that ends whatever the switch does, and jobs with random data.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "tests/switch/bench.hpp"

namespace fred::test {

using namespace fred::tb;

constexpr std::uint64_t kIdleLimit = 400;     // cycles without a handshake until a run is hung
constexpr std::uint64_t kMostCycles = 60000;  // of one test; a faulty switch may babble for ever
/// Something did not hold.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw Failure(what);
}

inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// A bench that ends whatever the switch does.
struct QuickBench : Bench {
  QuickBench(Engine& engine, const Design& its_design) : Bench(engine, its_design) {
    harness.set_idle_limit(kIdleLimit);
    harness.set_hook([this](const InPins& in, const OutPins& out) {
      require(harness.cycles() < kMostCycles, fmt::format("still moving after {} cycles", kMostCycles));
      if (watch) watch(in, out);
    });
  }

  std::function<void(const InPins&, const OutPins&)> watch;  ///< called after every cycle

  void steps(int cycles) {
    for (int i = 0; i < cycles; ++i) harness.step();
  }
  std::uint32_t errors() { return harness.read(RegisterMap::kError).data; }
  std::uint32_t status(int descriptor) {
    return harness.read(harness.registers().descriptor(descriptor, RegisterMap::kStatus)).data;
  }
  /// The scoreboard has seen all that it expects and nothing else.
  void check_scoreboard(const std::string& what) {
    Scoreboard& board = harness.scoreboard();
    board.finish();
    require(board.mismatches() == 0, what + ": " + (board.messages().empty() ? "?" : board.messages().front()));
  }
};

inline void check(const RunResult& result, const std::string& what) {
  if (result.mismatches == 0) return;
  std::string why = result.messages.empty() ? std::string() : first_line(result.messages.front());
  if (!result.hang.empty()) why = "hang: " + first_line(result.hang);
  throw Failure(fmt::format("{}: {}", what, why));
}

inline Group all_ports(const Design& design) {
  Group group;
  for (int port = 0; port < design.radix; ++port) group.push_back(port);
  return group;
}

/// A job with random data; `beats` of it a rank.
inline Job random_job(Kind kind, const Group& in, const Group& out, const Design& design, std::size_t beats,
                      std::uint64_t seed) {
  return with_data(Job{kind, in, out, 0, Op::kSum, {}}, design, beats * static_cast<std::size_t>(design.bytes()), seed);
}

inline Job random_job(Kind kind, const Group& group, const Design& design, std::size_t beats, std::uint64_t seed) {
  return random_job(kind, group, group, design, beats, seed);
}

inline Behaviour even_stalls(const Design& design, double in, double out) {
  Behaviour behaviour;
  behaviour.stall_in.assign(static_cast<std::size_t>(design.radix), in);
  behaviour.stall_out.assign(static_cast<std::size_t>(design.radix), out);
  behaviour.seed = base_seed();
  return behaviour;
}

}  // namespace fred::test
