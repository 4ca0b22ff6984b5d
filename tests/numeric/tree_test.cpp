// SPDX-License-Identifier: Apache-2.0
// reduce_tree and tree_text against a naive walk of the whole trie, level by level.
#include "fred/numeric/tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <random>

#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"
#include "tests/numeric/operands.hpp"

using namespace fred;

namespace {

struct Partial {
  std::uint64_t value;  ///< bit pattern
  std::string text;
};

/// The tree as the switch does it: at every level, position p and its neighbour become position p / 2; one alone
/// passes.
Partial naive(DType dtype, Op op, const std::map<int, std::uint64_t>& leaves) {
  std::map<int, Partial> level;
  for (const auto& [port, value] : leaves) level[port] = {value, std::to_string(port)};
  while (level.size() > 1 || level.begin()->first != 0) {
    std::map<int, Partial> next;
    for (const auto& [position, partial] : level) {
      const auto [there, first] = next.try_emplace(position / 2, partial);
      if (first) continue;
      Partial& left = there->second;
      left = {reduce_bits(dtype, op, left.value, partial.value), "(" + left.text + "+" + partial.text + ")"};
    }
    level = std::move(next);
  }
  return level.begin()->second;
}

std::vector<std::byte> one(DType dtype, Op op, int radix, const std::map<int, std::uint64_t>& leaves) {
  std::vector<int> ports;
  std::vector<const std::byte*> operands;
  for (const auto& [port, value] : leaves) {
    ports.push_back(port);
    operands.push_back(reinterpret_cast<const std::byte*>(&value));
  }
  return reduce_tree(dtype, op, radix, ports, operands, static_cast<std::size_t>(element_bits(dtype) / 8));
}

}  // namespace

TEST_CASE("tree_text") {
  CHECK(tree_text({5}) == "5");
  CHECK(tree_text({0, 1, 2}) == "((0+1)+2)");
  CHECK(tree_text({1, 2, 3}) == "(1+(2+3))");
  CHECK(tree_text({1, 2}) == "(1+2)");
  CHECK(tree_text({0, 3, 4, 6, 9}) == "(((0+3)+(4+6))+9)");
  CHECK(tree_text({0, 1, 2, 3, 4, 5, 6}) == "(((0+1)+(2+3))+((4+5)+6))");
  CHECK_THROWS_AS((void)tree_text({}), InputError);
  CHECK_THROWS_AS((void)tree_text({1, 1}), InputError);
  CHECK_THROWS_AS((void)tree_text({2, 1}), InputError);
  CHECK_THROWS_AS((void)tree_text({-1, 1}), InputError);
}

TEST_CASE("reduce_tree: every set of up to 10 ports, and random sets of up to 100, as the naive walk") {
  INFO("FRED_SEED=", test::seed());
  std::mt19937_64 rng(test::seed());
  for (DType dtype : kAllDTypes) {
    test::Operands operands(dtype, test::seed());
    std::uint64_t wrong = 0;
    const auto compare = [&](int radix, const std::map<int, std::uint64_t>& leaves, Op op) {
      const Partial want = naive(dtype, op, leaves);
      const auto got = one(dtype, op, radix, leaves);
      std::vector<int> ports;
      for (const auto& [port, value] : leaves) ports.push_back(port);
      wrong += std::memcmp(got.data(), &want.value, got.size()) != 0;
      wrong += tree_text(ports) != want.text;
    };
    for (unsigned set = 1; set < 1024; ++set) {
      std::map<int, std::uint64_t> leaves;
      for (int port = 0; port < 10; ++port)
        if (set >> port & 1) leaves[port] = operands.next().first;
      for (Op op : kAllOps)
        if (is_defined(dtype, op)) compare(10, leaves, op);
    }
    for (int trial = 0; trial < 2000; ++trial) {
      std::map<int, std::uint64_t> leaves;
      const int radix = 2 + static_cast<int>(rng() % 99);
      for (int i = static_cast<int>(rng() % 100); i >= 0; --i)
        leaves[static_cast<int>(rng() % static_cast<unsigned>(radix))] = operands.next().first;
      const Op op = kAllOps[rng() % kAllOps.size()];
      compare(radix, leaves, is_defined(dtype, op) ? op : Op::kSum);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("reduce_tree: the order is that of the ports, not any order") {
  // 2^24 + 1 + 1 in fp32: (big + 1) + 1 loses both ones, big + (1 + 1) loses none.
  const std::uint64_t big = 0x4b800000, one_bits = 0x3f800000;
  const auto value = [&](const std::map<int, std::uint64_t>& leaves) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, one(DType::kFp32, Op::kSum, 4, leaves).data(), 4);
    return to_double(DType::kFp32, bits);
  };
  CHECK(value({{0, big}, {1, one_bits}, {2, one_bits}}) == 16777216.0);
  CHECK(value({{0, big}, {2, one_bits}, {3, one_bits}}) == 16777218.0);
}

TEST_CASE("reduce_tree: the error of a sum stays within ((1+u)^h - 1) sum |x|") {
  std::mt19937_64 rng(test::seed());
  INFO("FRED_SEED=", test::seed());
  for (DType dtype : {DType::kFp8E5m2, DType::kFp16, DType::kBf16, DType::kFp32}) {
    const double u = std::ldexp(1.0, -mantissa_bits(dtype) - 1);
    double worst = 0;  // of error over bound
    for (int trial = 0; trial < 20'000; ++trial) {
      const int ports = 2 + static_cast<int>(rng() % 63), height = static_cast<int>(std::bit_width(ports - 1u));
      std::map<int, std::uint64_t> leaves;
      double exact = 0, magnitudes = 0;  // in binary64, whose own error is far below the bound
      for (int port = 0; port < ports; ++port) {
        const float x = std::ldexp(static_cast<float>(static_cast<double>(rng() >> 11) * 0x1p-53 - 0.5),
                                   static_cast<int>(rng() % 16) - 8);
        const std::uint64_t bits = from_double(dtype, static_cast<double>(x));
        leaves[port] = bits;
        exact += to_double(dtype, bits);
        magnitudes += std::fabs(to_double(dtype, bits));
      }
      std::uint64_t bits = 0;
      const auto sum = one(dtype, Op::kSum, 64, leaves);
      std::memcpy(&bits, sum.data(), sum.size());
      const double bound = (std::pow(1 + u, height) - 1) * magnitudes;
      worst = std::max(worst, std::fabs(to_double(dtype, bits) - exact) / bound);
    }
    MESSAGE(std::string(to_string(dtype)), ": largest error is ", worst, " of the bound");
    CHECK(worst <= 1.0);
    CHECK(worst > 0.01);
  }
}

TEST_CASE("order: what is said to give the same bits does, what is not does not, and placements are found") {
  std::mt19937_64 rng(test::seed());
  INFO("FRED_SEED=", test::seed());
  const auto draw = [&](std::size_t ranks) {
    std::vector<int> ports(16);
    std::iota(ports.begin(), ports.end(), 0);
    std::shuffle(ports.begin(), ports.end(), rng);
    ports.resize(ranks);
    return ports;
  };
  // Whether the bits of 40 random sums are the same.
  const auto same_bits = [&](const std::vector<int>& a, const std::vector<int>& b) {
    for (int trial = 0; trial < 40; ++trial) {
      std::map<int, std::uint64_t> on_a, on_b;
      for (std::size_t rank = 0; rank < a.size(); ++rank) {
        const double value = std::ldexp(static_cast<double>(rng() >> 11), static_cast<int>(rng() % 8)) - 0x1p55;
        on_a[a[rank]] = on_b[b[rank]] = from_double(DType::kFp32, value);
      }
      if (one(DType::kFp32, Op::kSum, 16, on_a) != one(DType::kFp32, Op::kSum, 16, on_b)) return false;
    }
    return true;
  };
  int same = 0, found = 0, none = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const std::size_t ranks = 1 + static_cast<std::size_t>(trial) % 6;
    const std::vector<int> a = draw(ranks), b = draw(ranks);
    CHECK(same_order(a, b) == same_bits(a, b));
    same += same_order(a, b);
    const auto placement = placement_in_order_of(a, b);
    std::vector<int> permuted = b;
    std::sort(permuted.begin(), permuted.end());
    if (placement) {
      ++found;
      CHECK(std::is_permutation(placement->begin(), placement->end(), b.begin(), b.end()));
      CHECK(same_bits(a, *placement));
    } else {
      ++none;
      do CHECK(!same_order(a, permuted));
      while (std::next_permutation(permuted.begin(), permuted.end()));
    }
  }
  CHECK(same > 100);
  CHECK(found > same);
  CHECK(none > 100);
  CHECK(rank_tree_text({2, 0, 5}) == "((1+0)+2)");
  CHECK(tree_height({0, 3, 4, 6, 9}) == 3);
  CHECK(tree_height({7}) == 0);
  CHECK(same_order({0, 1, 2}, {1, 0, 2}));
  CHECK(!same_order({0, 1, 2}, {0, 2, 1}));
  CHECK(!same_order({0, 1}, {0, 1, 2}));
  CHECK_THROWS_AS((void)same_order({0, 0}, {0, 1}), InputError);
  const auto matters = [](DType dtype, Op op) { return order_matters(dtype, dtype, op, 3); };
  CHECK(matters(DType::kBf16, Op::kSum));
  CHECK(matters(DType::kInt8, Op::kSumSat));
  CHECK(!matters(DType::kUint8, Op::kSumSat));
  CHECK(!matters(DType::kInt8, Op::kSum));
  CHECK(!matters(DType::kFp32, Op::kMin));
  CHECK(!order_matters(DType::kFp32, DType::kFp32, Op::kSum, 1));
  // In a wider type it does not where every sum is exact there.
  CHECK(!order_matters(DType::kInt8, DType::kInt16, Op::kSumSat, 256));
  CHECK(order_matters(DType::kInt8, DType::kInt16, Op::kSumSat, 257));
  CHECK(!order_matters(DType::kFp8E4m3, DType::kFp32, Op::kSum, 73));  // 73 * 448 / 2^-9 < 2^24
  CHECK(order_matters(DType::kFp8E4m3, DType::kFp32, Op::kSum, 74));
  CHECK(order_matters(DType::kFp8E5m2, DType::kFp32, Op::kSum, 3));
  CHECK(!order_matters(DType::kFp8E5m2, DType::kFp64, Op::kSumSat, 256));
  CHECK(!order_matters(DType::kFp16, DType::kFp64, Op::kSum, 256));
  CHECK(order_matters(DType::kBf16, DType::kFp32, Op::kSum, 3));
  CHECK(order_matters(DType::kFp32, DType::kFp64, Op::kSum, 3));
}

TEST_CASE("order: operations of which it is said not to matter are associative") {
  for (const DType dtype : kAllDTypes) {
    test::Operands operands(dtype, test::seed());
    for (const Op op : kAllOps) {
      if (!is_defined(dtype, op)) continue;
      bool associative = true;
      for (int i = 0; i < 20'000; ++i) {
        const auto [a, b] = operands.next();
        const std::uint64_t c = operands.next().first;
        const std::uint64_t left = reduce_bits(dtype, op, reduce_bits(dtype, op, a, b), c);
        associative = associative && left == reduce_bits(dtype, op, a, reduce_bits(dtype, op, b, c));
      }
      INFO(to_string(dtype), " ", to_string(op));
      CHECK(associative == !order_matters(dtype, dtype, op, 3));
    }
  }
}

TEST_CASE("reduce_tree: a single port's data pass unchanged, many elements stay in place, errors are named") {
  std::vector<std::uint32_t> a{0xffc12345, 1, 2}, b{10, 20, 30}, c{100, 200, 300};
  const auto bytes = [](const std::vector<std::uint32_t>& v) { return reinterpret_cast<const std::byte*>(v.data()); };
  const auto alone = reduce_tree(DType::kFp32, Op::kSum, 4, {3}, {bytes(a)}, 12);
  CHECK(std::memcmp(alone.data(), a.data(), 12) == 0);
  a[0] = 3;
  const auto all = reduce_tree(DType::kInt32, Op::kSum, 4, {0, 1, 3}, {bytes(a), bytes(b), bytes(c)}, 12);
  const std::vector<std::uint32_t> want{113, 221, 332};
  CHECK(std::memcmp(all.data(), want.data(), 12) == 0);
  CHECK(reduce_tree(DType::kInt32, Op::kSum, 4, {0, 1}, {bytes(a), bytes(b)}, 0).empty());
  CHECK_THROWS_WITH_AS((void)reduce_tree(DType::kInt32, Op::kSum, 4, {0, 1}, {bytes(a), bytes(b)}, 6),
                       "6 bytes are not a whole number of int32 elements of 4 bytes", InputError);
  CHECK_THROWS_WITH_AS((void)reduce_tree(DType::kInt32, Op::kSum, 4, {0, 4}, {bytes(a), bytes(b)}, 4),
                       "port 4 is not in 0..3", InputError);
  CHECK_THROWS_AS((void)reduce_tree(DType::kInt32, Op::kSum, 4, {0, 1}, {bytes(a)}, 4), InputError);
}
