// SPDX-License-Identifier: Apache-2.0
// reduce_tree and tree_text against a naive walk of the whole trie, level by level.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
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
      for (Op op : kAllOps) compare(10, leaves, op);
    }
    for (int trial = 0; trial < 2000; ++trial) {
      std::map<int, std::uint64_t> leaves;
      const int radix = 2 + static_cast<int>(rng() % 99);
      for (int i = static_cast<int>(rng() % 100); i >= 0; --i)
        leaves[static_cast<int>(rng() % static_cast<unsigned>(radix))] = operands.next().first;
      compare(radix, leaves, kAllOps[rng() % 3]);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("reduce_tree: the order is that of the ports, not any order") {
  // 2^24 + 1 + 1 in fp32: (big + 1) + 1 loses both ones, big + (1 + 1) loses none.
  const std::uint64_t big = 0x4b800000, one_bits = 0x3f800000;
  const auto value = [&](const std::map<int, std::uint64_t>& leaves) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, one(DType::kFp32, Op::kSum, 4, leaves).data(), 4);
    return to_float(DType::kFp32, bits);
  };
  CHECK(value({{0, big}, {1, one_bits}, {2, one_bits}}) == 16777216.0f);
  CHECK(value({{0, big}, {2, one_bits}, {3, one_bits}}) == 16777218.0f);
}

TEST_CASE("reduce_tree: the error of a sum stays within ((1+u)^h - 1) sum |x|") {
  std::mt19937_64 rng(test::seed());
  INFO("FRED_SEED=", test::seed());
  for (DType dtype : {DType::kFp16, DType::kBf16, DType::kFp32}) {
    const double u = std::ldexp(1.0, -mantissa_bits(dtype) - 1);
    double worst = 0;  // of error over bound
    for (int trial = 0; trial < 20'000; ++trial) {
      const int ports = 2 + static_cast<int>(rng() % 63), height = static_cast<int>(std::bit_width(ports - 1u));
      std::map<int, std::uint64_t> leaves;
      double exact = 0, magnitudes = 0;  // in binary64, whose own error is far below the bound
      for (int port = 0; port < ports; ++port) {
        const float x = std::ldexp(static_cast<float>(static_cast<double>(rng() >> 11) * 0x1p-53 - 0.5),
                                   static_cast<int>(rng() % 16) - 8);
        const std::uint64_t bits = dtype == DType::kFp16   ? fp16_from_float(x)
                                   : dtype == DType::kBf16 ? bf16_from_float(x)
                                                           : std::bit_cast<std::uint32_t>(x);
        leaves[port] = bits;
        exact += static_cast<double>(to_float(dtype, bits));
        magnitudes += std::fabs(static_cast<double>(to_float(dtype, bits)));
      }
      std::uint32_t bits = 0;
      const auto sum = one(dtype, Op::kSum, 64, leaves);
      std::memcpy(&bits, sum.data(), sum.size());
      const double bound = (std::pow(1 + u, height) - 1) * magnitudes;
      worst = std::max(worst, std::fabs(static_cast<double>(to_float(dtype, bits)) - exact) / bound);
    }
    MESSAGE(std::string(to_string(dtype)), ": largest error is ", worst, " of the bound");
    CHECK(worst <= 1.0);
    CHECK(worst > 0.01);
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
