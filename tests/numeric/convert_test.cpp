// SPDX-License-Identifier: Apache-2.0
// Conversion to the accumulation type and back: the model against arithmetic, the RTL against the model for every pair
// of types. convert_bench.sv holds the instances.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include "Vconvert_bench.h"
#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"
#include "tests/numeric/operands.hpp"

using namespace fred;

namespace {

struct Pair {
  DType from, to;  ///< element, accumulation
};

/// As in convert_bench.sv, in the order of its results.
std::vector<Pair> convert_pairs() {
  constexpr std::array<unsigned, 32> kPairs{0x55, 0x00, 0x54, 0x50, 0x40, 0x56, 0x46, 0x06, 0x77, 0x99, 0x78,
                                            0x79, 0x89, 0x7a, 0x8a, 0x9a, 0x22, 0xbb, 0x33, 0xb1, 0xc1, 0xb2,
                                            0xc2, 0xb3, 0xc3, 0x13, 0x23, 0xbd, 0xcd, 0x1d, 0x2d, 0x3d};
  std::vector<Pair> pairs;
  for (const unsigned code : kPairs) pairs.push_back({static_cast<DType>(code >> 4), static_cast<DType>(code & 15)});
  return pairs;
}

std::uint64_t mask_of(DType dtype) { return ~std::uint64_t{0} >> (64 - element_bits(dtype)); }

bool is_nan(DType dtype, std::uint64_t bits) { return is_float(dtype) && std::isnan(to_double(dtype, bits)); }

/// Values to be narrowed: those of the wide type, and others at and around ties of the narrow one.
class Sums {
 public:
  Sums(const Pair& pair, std::uint64_t seed)
      : pair_(pair), wide_(pair.to, seed), narrow_(pair.from, seed), rng_(seed) {}
  std::uint64_t next() {
    if (rng_() % 2 == 0) return wide_.next().first;
    const std::uint64_t element = widen_bits(pair_.from, pair_.to, narrow_.next().first);
    // Half a place more or less, and a little beside it.
    const int cut = is_float(pair_.from) ? mantissa_bits(pair_.to) - mantissa_bits(pair_.from) : 0;
    const std::uint64_t half = cut > 0 ? std::uint64_t{1} << (cut - 1) : 0;
    return (element + half * (rng_() % 3) + rng_() % 3 - 1) & mask_of(pair_.to);
  }

 private:
  Pair pair_;
  test::Operands wide_, narrow_;
  std::mt19937_64 rng_;
};

}  // namespace

TEST_CASE("convert: every pair of types that one may hold the other is tested") {
  std::size_t held = 0, same = 0;
  const std::vector<Pair> pairs = convert_pairs();
  for (const DType from : kAllDTypes)
    for (const DType to : kAllDTypes) held += from != to && holds(to, from);
  for (const Pair& pair : pairs) {
    CHECK(holds(pair.to, pair.from));
    same += pair.from == pair.to;
  }
  CHECK(pairs.size() - same == held);
}

TEST_CASE("convert: the model widens exactly and rounds once") {
  for (const Pair& pair : convert_pairs()) {
    test::Operands elements(pair.from, test::seed());
    Sums sums(pair, test::seed());
    std::uint64_t wrong = 0;
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t element = elements.next().first;
      const std::uint64_t wide = widen_bits(pair.from, pair.to, element);
      if (is_nan(pair.from, element)) {
        wrong += !is_nan(pair.to, wide);
        continue;
      }
      if (element_bits(pair.to) < 64 || is_float(pair.to)) {
        wrong += to_double(pair.to, wide) != to_double(pair.from, element);
      }
      wrong += narrow_bits(pair.to, pair.from, wide, false) != element;
      wrong += narrow_bits(pair.to, pair.from, wide, true) != element;
      // A sum: its neighbours in the element type are no nearer.
      const std::uint64_t sum = sums.next();
      if (!is_float(pair.from) || is_nan(pair.to, sum)) continue;
      const std::uint64_t rounded = narrow_bits(pair.to, pair.from, sum, false);
      const double value = to_double(pair.to, sum), got = to_double(pair.from, rounded);
      if (!std::isfinite(got) || !std::isfinite(value)) continue;
      for (const std::uint64_t other : {rounded - 1, rounded + 1}) {
        if (((other ^ rounded) >> (element_bits(pair.from) - 1) & 1U) != 0 || other > mask_of(pair.from)) continue;
        const double beside = to_double(pair.from, other);
        if (std::isnan(beside) || std::isinf(beside)) continue;
        const double error = std::fabs(value - got), error_beside = std::fabs(value - beside);
        wrong += error > error_beside || (error == error_beside && rounded % 2 != 0);
      }
    }
    INFO(to_string(pair.from), " in ", to_string(pair.to), " FRED_SEED=", test::seed());
    CHECK(wrong == 0);
  }
}

TEST_CASE("convert: what is too large for the element type") {
  for (const Pair& pair : convert_pairs()) {
    if (!is_float(pair.from) || pair.from == pair.to) continue;
    CAPTURE(to_string(pair.from));
    CAPTURE(to_string(pair.to));
    const bool finite = pair.from == DType::kFp8E4m3;
    const std::uint64_t sign = std::uint64_t{1} << (element_bits(pair.from) - 1);
    const std::uint64_t nan = finite ? 0x7f : from_double(pair.from, std::nan(""));
    const std::uint64_t infinite = finite ? nan : from_double(pair.from, INFINITY);
    const std::uint64_t largest = infinite - 1;
    const double top = to_double(pair.from, largest);
    const double tie = top + (top - to_double(pair.from, largest - 1)) / 2;
    if (from_double(pair.to, tie) == from_double(pair.to, top)) continue;  // the wide type ends there, too
    const std::uint64_t at = from_double(pair.to, tie), wide_sign = std::uint64_t{1} << (element_bits(pair.to) - 1);
    if (!std::isfinite(to_double(pair.to, at))) continue;
    REQUIRE(to_double(pair.to, at) == tie);
    const auto narrow = [&](std::uint64_t bits, bool saturate) {
      return narrow_bits(pair.to, pair.from, bits, saturate);
    };
    for (const std::uint64_t minus : {std::uint64_t{0}, wide_sign}) {
      const std::uint64_t s = minus == 0 ? 0 : sign;
      CHECK(narrow(minus | (at - 1), false) == (s | largest));
      CHECK(narrow(minus | at, false) == (finite ? s | largest : s | infinite));  // ties to even
      CHECK(narrow(minus | (at + 1), false) == (finite ? nan : s | infinite));
      for (const std::uint64_t bits : {at - 1, at, at + 1}) CHECK(narrow(minus | bits, true) == (s | largest));
      const std::uint64_t beyond = minus | from_double(pair.to, INFINITY);
      CHECK(narrow(beyond, false) == (finite ? nan : s | infinite));
      if (is_defined(pair.from, Op::kSumSat)) CHECK(narrow(beyond, true) == (finite ? s | largest : s | infinite));
      CHECK(narrow(minus | from_double(pair.to, std::nan("")), true) == nan);
    }
  }
}

namespace {

/// A group's operands, one element each, and what they are reduced to.
struct Ranks {
  std::vector<int> ports;
  std::vector<std::uint64_t> values;

  [[nodiscard]] std::uint64_t reduced(DType dtype, DType acc, Op op) const {
    std::vector<const std::byte*> operands;
    for (const std::uint64_t& value : values) operands.push_back(reinterpret_cast<const std::byte*>(&value));
    const auto bytes = static_cast<std::size_t>(element_bits(dtype) / 8);
    const auto result = reduce_tree(dtype, acc, op, 64, ports, operands, bytes);
    std::uint64_t bits = 0;
    std::memcpy(&bits, result.data(), bytes);
    return bits;
  }
};

Ranks random_ranks(test::Operands& operands, std::mt19937_64& rng) {
  Ranks ranks;
  for (int port = static_cast<int>(rng() % 4); port < 20; port += 1 + static_cast<int>(rng() % 4)) {
    ranks.ports.push_back(port);
    ranks.values.push_back(operands.next().first);
  }
  return ranks;
}

}  // namespace

TEST_CASE("convert: a tree in a wider type, against exact sums and the tree in the element type") {
  using Exact = std::int64_t;  // of elements with at most 32 bits
  for (const Pair& pair : convert_pairs()) {
    CAPTURE(to_string(pair.from));
    CAPTURE(to_string(pair.to));
    test::Operands operands(pair.from, test::seed());
    std::mt19937_64 rng(test::seed());
    // fp8e4m3 is exact in fp32 and fp64, fp8e5m2 and fp16 in fp64.
    const bool exact = is_float(pair.from) && !order_matters(pair.from, pair.to, Op::kSum, 20);
    std::uint64_t wrong = 0;
    for (int i = 0; i < 2000; ++i) {
      const Ranks ranks = random_ranks(operands, rng);
      for (const Op op : {Op::kMin, Op::kMax, Op::kAnd, Op::kOr, Op::kXor})
        wrong += ranks.reduced(pair.from, pair.to, op) != ranks.reduced(pair.from, pair.from, op);
      if (!is_float(pair.from)) {
        wrong += ranks.reduced(pair.from, pair.to, Op::kSum) != ranks.reduced(pair.from, pair.from, Op::kSum);
        if (element_bits(pair.to) < element_bits(pair.from) + 8) continue;  // sums may be clipped on their way
        Exact sum = 0;
        const int unused = 64 - element_bits(pair.from);
        for (const std::uint64_t value : ranks.values)
          sum += is_signed(pair.from) ? Exact{static_cast<std::int64_t>(value << unused) >> unused}
                                      : static_cast<Exact>(value);
        const auto most = static_cast<Exact>(is_signed(pair.from) ? mask_of(pair.from) >> 1 : mask_of(pair.from));
        const Exact least = is_signed(pair.from) ? -most - 1 : Exact{0};
        const auto clipped = static_cast<std::uint64_t>(std::min(std::max(sum, least), most));
        wrong += ranks.reduced(pair.from, pair.to, Op::kSumSat) != (clipped & mask_of(pair.from));
      } else if (exact) {
        double sum = -0.0;
        for (const std::uint64_t value : ranks.values) sum += to_double(pair.from, value);
        if (ranks.ports.size() == 1 && std::isnan(sum)) continue;  // keeps its payload
        wrong += ranks.reduced(pair.from, pair.to, Op::kSum) != from_double(pair.from, sum);
      }
    }
    INFO("FRED_SEED=", test::seed());
    CHECK(wrong == 0);
  }
}

TEST_CASE("convert: saturating sums stay finite where the wider type ends as well") {
  // fp8e5m2 has the exponents of fp16: 2 * 57344 is beyond both.
  const Ranks cancelling{{0, 1, 2, 3}, {0x7b, 0x7b, 0xfb, 0xfb}}, large{{0, 1}, {0x7b, 0x7b}},
      infinite{{0, 1}, {0x7c, 1}};
  for (const DType acc : {DType::kFp8E5m2, DType::kFp16, DType::kBf16, DType::kFp32, DType::kFp64}) {
    CAPTURE(to_string(acc));
    CHECK(cancelling.reduced(DType::kFp8E5m2, acc, Op::kSumSat) == 0);
    CHECK(large.reduced(DType::kFp8E5m2, acc, Op::kSumSat) == 0x7b);
    CHECK(infinite.reduced(DType::kFp8E5m2, acc, Op::kSumSat) == 0x7c);
  }
  // Without saturation the two sums are infinite in fp16, and their sum is no number.
  CHECK(cancelling.reduced(DType::kFp8E5m2, DType::kFp16, Op::kSum) == 0x7e);
  CHECK(cancelling.reduced(DType::kFp8E5m2, DType::kBf16, Op::kSum) == 0);
}

TEST_CASE("convert: what reduce_tree refuses") {
  const Ranks two{{0, 1}, {1, 2}}, one{{3}, {1}};
  CHECK_THROWS_AS((void)two.reduced(DType::kBf16, DType::kFp32, Op::kSumSat), InputError);
  CHECK_THROWS_AS((void)one.reduced(DType::kBf16, DType::kFp16, Op::kSum), InputError);
  CHECK_THROWS_AS((void)two.reduced(DType::kInt8, DType::kUint16, Op::kXor), InputError);
  const std::uint64_t word = 0;
  const auto* bytes = reinterpret_cast<const std::byte*>(&word);
  CHECK_THROWS_AS((void)reduce_tree(DType::kBf16, DType::kFp32, Op::kSum, 4, {0, 1}, {bytes, bytes}, 5), InputError);
}

TEST_CASE("convert: the RTL agrees with the model, and raw elements come back as they are") {
  const std::vector<Pair> pairs = convert_pairs();
  const auto top = std::make_unique<Vconvert_bench>();
  std::vector<test::Operands> elements;
  std::vector<Sums> sums;
  for (const Pair& pair : pairs) {
    elements.emplace_back(pair.from, test::seed());
    sums.emplace_back(pair, test::seed());
  }
  std::mt19937_64 rng(test::seed());
  std::uint64_t compared = 0, wrong = 0;
  const auto result = [](const std::uint32_t* words, std::size_t n) {
    std::uint64_t value = 0;
    std::memcpy(&value, words + 2 * n, 8);
    return value;
  };
  const auto compare = [&](std::size_t n, std::uint64_t element, std::uint64_t sum) {
    const Pair& pair = pairs[n];
    top->element_i = static_cast<std::uint32_t>(element);
    top->sum_i = sum;
    top->eval();
    const std::uint64_t own = element & mask_of(pair.from), wide = sum & mask_of(pair.to);
    const std::uint64_t got_wide = result(top->wide_o.data(), n), got_narrow = result(top->narrow_o.data(), n);
    bool right = false;
    if (top->raw_i != 0) {
      right = got_wide == own && got_narrow == (wide & mask_of(pair.from));
    } else {
      // The network makes any NaN the canonical one.
      const bool widened =
          is_nan(pair.from, own) ? is_nan(pair.to, got_wide) : got_wide == widen_bits(pair.from, pair.to, own);
      right =
          widened && (pair.from == pair.to ? got_narrow == wide
                                           : got_narrow == narrow_bits(pair.to, pair.from, wide, top->saturate_i != 0));
    }
    ++compared;
    if (right || ++wrong > 20) return;
    MESSAGE(fmt::format("{} in {}, raw {} saturate {}: element {:#x} to {:#x}; sum {:#x} to {:#x}",
                        to_string(pair.from), to_string(pair.to), int{top->raw_i}, int{top->saturate_i}, own, got_wide,
                        wide, got_narrow));
  };
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    // sum-sat is for integers and 8 bits; of others nothing saturates.
    const bool saturates = is_defined(pairs[n].from, Op::kSumSat);
    for (std::uint32_t i = 0; i < 0x20000; ++i) {
      top->raw_i = rng() % 8 == 0;
      top->saturate_i = saturates && rng() % 2 == 0;
      const std::uint64_t element = element_bits(pairs[n].from) <= 16 ? i : elements[n].next().first;
      const std::uint64_t sum = element_bits(pairs[n].to) <= 16 ? i >> 1 : sums[n].next();
      compare(n, element, sum);
    }
  }
  top->final();
  MESSAGE(fmt::format("{} compared, {} wrong; FRED_SEED={}", compared, wrong, test::seed()));
  CHECK(wrong == 0);
}

TEST_CASE("convert: 64 ranks of unit variance in bf16, accumulated in fp32, are rounded once") {
  // error <= half an ulp of the result + the bound of the fp32 tree, ((1 + u)^6 - 1) sum |x|, u = 2^-24
  std::mt19937_64 rng(test::seed());
  std::normal_distribution<double> normal;
  constexpr int kRanks = 64, kElements = 4096;
  std::vector<std::vector<std::uint16_t>> data(kRanks, std::vector<std::uint16_t>(kElements));
  std::vector<int> ports;
  std::vector<const std::byte*> operands;
  for (int rank = 0; rank < kRanks; ++rank) {
    auto& own = data[static_cast<std::size_t>(rank)];
    for (std::uint16_t& x : own) x = static_cast<std::uint16_t>(from_double(DType::kBf16, normal(rng)));
    ports.push_back(rank);
    operands.push_back(reinterpret_cast<const std::byte*>(own.data()));
  }
  const auto worst = [&](const std::vector<std::byte>& result, bool once) {
    double most = 0;  // of error over bound
    for (std::size_t i = 0; i < kElements; ++i) {
      double exact = 0, magnitudes = 0;
      for (const auto& own : data) {
        exact += to_double(DType::kBf16, own[i]);
        magnitudes += std::fabs(to_double(DType::kBf16, own[i]));
      }
      std::uint64_t bits = 0;
      std::memcpy(&bits, result.data() + 2 * i, 2);
      const double got = to_double(DType::kBf16, bits);
      const double half_ulp = std::ldexp(1.0, std::max(std::ilogb(got), -126) - 8);
      const double bound = half_ulp + (std::pow(1 + 0x1p-24, 6) - 1) * magnitudes;
      if (once || got != 0) most = std::max(most, std::fabs(got - exact) / bound);
    }
    return most;
  };
  const double with =
      worst(reduce_tree(DType::kBf16, DType::kFp32, Op::kSum, kRanks, ports, operands, 2 * kElements), true);
  const double without = worst(reduce_tree(DType::kBf16, Op::kSum, kRanks, ports, operands, 2 * kElements), false);
  MESSAGE(fmt::format("error over bound: {:.4f} in fp32, {:.1f} in bf16; FRED_SEED={}", with, without, test::seed()));
  CHECK(with <= 1.0);
  CHECK(without > 2.0);  // so the test can tell
}
