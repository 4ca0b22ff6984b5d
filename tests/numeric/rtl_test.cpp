// SPDX-License-Identifier: Apache-2.0
// fred_reduce in every configuration against the golden model, a new operation each cycle. reduce_bench.sv holds the
// instances; numeric/verilated.cmake verilates it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <memory>

#include "Vreduce_bench.h"
#include "fred/numeric/reduce.hpp"
#include "tests/numeric/operands.hpp"

using namespace fred;

namespace {

constexpr int kSlots = 10;  ///< results a type, see reduce_bench.sv
constexpr int kTypes = 5;
constexpr int slot_ops(int slot) { return slot < 4 ? 7 : slot - 3; }
constexpr int slot_latency(int slot) { return 1 + slot % 4; }

/// One cycle's input to all instances.
struct Stimulus {
  unsigned op = 0;  ///< 0..3
  bool pass = false;
  std::array<test::Pair, kTypes> operands{};  ///< by type

  /// The one right result, or false where op is not built in.
  bool expected(int type, int ops, std::uint32_t& result) const {
    const auto [a, b] = operands[static_cast<std::size_t>(type)];
    const bool single = (ops & (ops - 1)) == 0;
    const unsigned code = single ? (ops == 1 ? 0u : ops == 2 ? 1u : 2u) : op;
    if (pass) {
      result = a;
      return true;
    }
    if ((ops >> code & 1) == 0) return false;
    result = static_cast<std::uint32_t>(
        reduce_bits(kAllDTypes[static_cast<std::size_t>(type)], static_cast<Op>(code), a, b));
    return true;
  }
};

/// Drives the bench and compares every result of every instance.
class Bench {
 public:
  Bench() { top_->clk_i = 0; }
  ~Bench() { top_->final(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void apply(const Stimulus& stimulus) {
    history_[cycle_ % history_.size()] = stimulus;
    top_->op_i = stimulus.op & 3;
    top_->pass_i = stimulus.pass;
    const auto& x = stimulus.operands;
    top_->a0_i = x[0].first;
    top_->b0_i = x[0].second;
    top_->a1_i = static_cast<std::uint16_t>(x[1].first);
    top_->b1_i = static_cast<std::uint16_t>(x[1].second);
    top_->a2_i = static_cast<std::uint16_t>(x[2].first);
    top_->b2_i = static_cast<std::uint16_t>(x[2].second);
    top_->a3_i = x[3].first;
    top_->b3_i = x[3].second;
    top_->a4_i = static_cast<std::uint16_t>(x[4].first);
    top_->b4_i = static_cast<std::uint16_t>(x[4].second);
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
    ++cycle_;
    compare(top_->y0_o.data(), 0);
    compare(top_->y1_o.data(), 1);
    compare(top_->y2_o.data(), 2);
    compare(top_->y3_o.data(), 3);
    compare(top_->y4_o.data(), 4);
  }

  /// Lets the last operations come out and reports.
  void finish() {
    for (int i = 0; i < 4; ++i) apply(Stimulus{});
    MESSAGE(
        fmt::format("{} cycles, {} results compared, {} wrong; FRED_SEED={}", cycle_, compared_, wrong_, test::seed()));
    CHECK(wrong_ == 0);
    CHECK(compared_ > cycle_ * kSlots);
  }

 private:
  void compare(const std::uint32_t* results, int type) {
    for (int slot = 0; slot < kSlots; ++slot) {
      const auto latency = static_cast<std::uint64_t>(slot_latency(slot));
      std::uint32_t want = 0;
      if (cycle_ < latency) continue;
      const Stimulus& stimulus = history_[(cycle_ - latency) % history_.size()];
      if (!stimulus.expected(type, slot_ops(slot), want)) continue;
      ++compared_;
      if (results[slot] == want || ++wrong_ > 20) continue;
      const auto [a, b] = stimulus.operands[static_cast<std::size_t>(type)];
      MESSAGE(fmt::format("{} Ops {} Latency {}: op {} pass {} a {:#x} b {:#x}: RTL {:#x}, model {:#x}",
                          to_string(kAllDTypes[static_cast<std::size_t>(type)]), slot_ops(slot), latency, stimulus.op,
                          stimulus.pass, a, b, results[slot], want));
    }
  }

  std::unique_ptr<Vreduce_bench> top_ = std::make_unique<Vreduce_bench>();
  std::array<Stimulus, 4> history_{};  ///< the last four cycles' inputs, by cycle modulo 4
  std::uint64_t cycle_ = 0;            ///< rising edges so far
  std::uint64_t compared_ = 0, wrong_ = 0;
};

}  // namespace

TEST_CASE("RTL: every pair of corner values, every operation") {
  Bench bench;
  std::array<std::vector<std::uint32_t>, kTypes> corners;
  std::size_t most = 0;
  for (std::size_t type = 0; type < kTypes; ++type) {
    corners[type] = test::Operands(kAllDTypes[type], 0).corners();
    most = std::max(most, corners[type].size());
  }
  for (std::size_t i = 0; i < most; ++i) {
    for (std::size_t j = 0; j < most; ++j) {
      Stimulus stimulus;
      for (std::size_t type = 0; type < kTypes; ++type)
        stimulus.operands[type] = {corners[type][i % corners[type].size()], corners[type][j % corners[type].size()]};
      for (stimulus.op = 0; stimulus.op < 3; ++stimulus.op) bench.apply(stimulus);
    }
  }
  bench.finish();
}

TEST_CASE("RTL: random operations, operands and passes agree with the golden model") {
  const std::uint64_t vectors = test::number_from_env("FRED_VECTORS", 1'500'000);
  Bench bench;
  std::mt19937_64 rng(test::seed());
  std::vector<test::Operands> sources;
  for (DType dtype : kAllDTypes) sources.emplace_back(dtype, rng());
  for (std::uint64_t i = 0; i < vectors; ++i) {
    Stimulus stimulus;
    const auto draw = static_cast<unsigned>(rng() >> 60);
    stimulus.op = draw < 11 ? 0 : draw < 13 ? 1 : draw < 15 ? 2 : 3;
    stimulus.pass = rng() >> 60 == 0;
    for (std::size_t type = 0; type < kTypes; ++type) stimulus.operands[type] = sources[type].next();
    bench.apply(stimulus);
  }
  bench.finish();
}

TEST_CASE("RTL: a passed operand keeps every bit, whatever stands beside it") {
  Bench bench;
  std::mt19937_64 rng(test::seed());
  std::vector<test::Operands> sources;
  for (DType dtype : kAllDTypes) sources.emplace_back(dtype, rng());
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    Stimulus stimulus{static_cast<unsigned>(rng() >> 62), true, {}};
    const auto random = static_cast<std::uint32_t>(rng());
    for (std::size_t type = 0; type < kTypes; ++type) stimulus.operands[type].second = sources[type].next().second;
    // 16 bits: every pattern. 32 bits: every upper half, which holds all exponents and the NaN's quiet bit.
    for (std::size_t type : {0u, 3u}) stimulus.operands[type].first = pattern << 16 | (random & 0xffff);
    for (std::size_t type : {1u, 2u, 4u}) stimulus.operands[type].first = pattern;
    bench.apply(stimulus);
  }
  bench.finish();
}
