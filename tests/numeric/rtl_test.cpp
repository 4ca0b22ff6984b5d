// SPDX-License-Identifier: Apache-2.0
// fred_reduce in many configurations against the golden model, a new operation each cycle. reduce_bench.sv holds the
// instances; numeric/verilated.cmake verilates it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <memory>

#include "Vreduce_bench.h"
#include "fred/numeric/reduce.hpp"
#include "tests/numeric/operands.hpp"

using namespace fred;

namespace {

constexpr std::size_t kTypes = kAllDTypes.size();
constexpr int kSlots = 8;  ///< results a type, see reduce_bench.sv
constexpr int slot_latency(int slot) { return 1 + slot % 4; }

/// Operations built into a slot, as reduce_bench.sv says.
int reduce_bench_set(std::size_t type, int slot) {
  const bool saturates = is_defined(kAllDTypes[type], Op::kSumSat);
  if (slot < 4) return saturates ? 127 : 119;
  constexpr std::array<int, 7> kSets{3, 6, 5, 48, 65, 82, 102};
  const auto which = (static_cast<std::size_t>(slot - 4) + 4 * type) % 14;
  const int ops = which < 7 ? 1 << which : kSets[which - 7];
  return ops == 8 && !saturates ? 1 : ops;
}

/// One cycle's input to all instances.
struct Stimulus {
  unsigned op = 0;  ///< 0..7
  bool pass = false;
  std::array<test::Pair, kTypes> operands{};  ///< by type

  /// The one right result, or false where op is not built in.
  bool expected(std::size_t type, int ops, std::uint64_t& result) const {
    const auto [a, b] = operands[type];
    const bool single = (ops & (ops - 1)) == 0;
    // Without bitwise operations a lane sees the two low bits of op alone.
    const unsigned code = single     ? static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(ops)))
                          : ops > 15 ? op
                                     : op & 3U;
    if (pass) {
      result = a;
      return true;
    }
    if ((ops >> code & 1) == 0) return false;
    result = reduce_bits(kAllDTypes[type], static_cast<Op>(code), a, b);
    return true;
  }
};

/// Drives the bench and compares every result of every instance.
class Bench {
 public:
  Bench() {
    top_->clk_i = 0;
    for (std::size_t type = 0; type < kTypes; ++type)
      for (int slot = 0; slot < kSlots; ++slot)
        sets_[type][static_cast<std::size_t>(slot)] = reduce_bench_set(type, slot);
  }
  ~Bench() { top_->final(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void apply(const Stimulus& stimulus) {
    history_[cycle_ % history_.size()] = stimulus;
    top_->op_i = stimulus.op & 7U;
    top_->pass_i = stimulus.pass;
    for (std::size_t type = 0; type < kTypes; ++type) {
      std::memcpy(&top_->a_i[2 * type], &stimulus.operands[type].first, 8);
      std::memcpy(&top_->b_i[2 * type], &stimulus.operands[type].second, 8);
    }
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
    ++cycle_;
    for (std::size_t type = 0; type < kTypes; ++type) compare(type);
  }

  /// Lets the last operations come out and reports.
  void finish() {
    for (int i = 0; i < 4; ++i) apply(Stimulus{});
    MESSAGE(
        fmt::format("{} cycles, {} results compared, {} wrong; FRED_SEED={}", cycle_, compared_, wrong_, test::seed()));
    CHECK(wrong_ == 0);
    CHECK(compared_ > cycle_ * kTypes * kSlots / 2);
  }

 private:
  void compare(std::size_t type) {
    for (int slot = 0; slot < kSlots; ++slot) {
      const auto latency = static_cast<std::uint64_t>(slot_latency(slot));
      const int ops = sets_[type][static_cast<std::size_t>(slot)];
      std::uint64_t want = 0, got = 0;
      if (cycle_ < latency) continue;
      const Stimulus& stimulus = history_[(cycle_ - latency) % history_.size()];
      if (!stimulus.expected(type, ops, want)) continue;
      ++compared_;
      std::memcpy(&got, &top_->y_o[16 * type + 2 * static_cast<std::size_t>(slot)], 8);
      if (got == want || ++wrong_ > 20) continue;
      const auto [a, b] = stimulus.operands[type];
      MESSAGE(fmt::format("{} Ops {} Latency {}: op {} pass {} a {:#x} b {:#x}: RTL {:#x}, model {:#x}",
                          to_string(kAllDTypes[type]), ops, latency, stimulus.op, stimulus.pass, a, b, got, want));
    }
  }

  std::unique_ptr<Vreduce_bench> top_ = std::make_unique<Vreduce_bench>();
  std::array<std::array<int, kSlots>, kTypes> sets_{};
  std::array<Stimulus, 4> history_{};  ///< the last four cycles' inputs, by cycle modulo 4
  std::uint64_t cycle_ = 0;            ///< rising edges so far
  std::uint64_t compared_ = 0, wrong_ = 0;
};

/// Operations that every type has, more often those that are hard.
unsigned random_op(std::uint64_t draw) {
  constexpr std::array<std::uint8_t, 16> kOften{0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6};
  return kOften[draw >> 60];
}

}  // namespace

TEST_CASE("RTL: every pair of corner values, every operation") {
  Bench bench;
  std::array<std::vector<std::uint64_t>, kTypes> corners;
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
      // Types of 8 bits: all pairs that there are. A type without sum-sat skips it.
      for (stimulus.op = 0; stimulus.op < 4; ++stimulus.op) bench.apply(stimulus);
      stimulus.op = 4 + static_cast<unsigned>((i + j) % 3);
      bench.apply(stimulus);
    }
  }
  bench.finish();
}

TEST_CASE("RTL: random operations, operands and passes agree with the golden model") {
  const std::uint64_t vectors = test::number_from_env("FRED_VECTORS", 600'000);
  Bench bench;
  std::mt19937_64 rng(test::seed());
  std::vector<test::Operands> sources;
  for (DType dtype : kAllDTypes) sources.emplace_back(dtype, rng());
  for (std::uint64_t i = 0; i < vectors; ++i) {
    Stimulus stimulus;
    stimulus.op = random_op(rng());
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
  for (std::uint64_t pattern = 0; pattern < 0x10000; ++pattern) {
    Stimulus stimulus{static_cast<unsigned>(rng() >> 61), true, {}};
    const std::uint64_t random = rng();
    for (std::size_t type = 0; type < kTypes; ++type) {
      const int bits = element_bits(kAllDTypes[type]);
      // Up to 16 bits: every pattern. More: every upper 16 bits, which hold all exponents and the NaN's quiet bit.
      const std::uint64_t first = bits <= 16 ? pattern : pattern << (bits - 16) | (random >> (80 - bits));
      stimulus.operands[type] = {bits == 8 ? first & 0xff : first, sources[type].next().second};
    }
    bench.apply(stimulus);
  }
  bench.finish();
}
