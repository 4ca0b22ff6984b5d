// SPDX-License-Identifier: Apache-2.0
// Numbers out of the whole switch: real gradients, and bits that depend on the ports alone.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "fred/numeric/reduce.hpp"
#include "tb/npy.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

Design fp32_design(int radix, int middle) {
  Design design;
  design.vcs = 1;
  design.radix = radix;
  design.middle = middle;
  design.dtype = DType::kFp32;
  design.lanes = 1;
  design.ops = {Op::kSum};
  design.validate();
  return design;
}

std::vector<Bytes> gradients(int ranks) {
  std::vector<Bytes> data;
  for (int rank = 0; rank < ranks; ++rank) {
    data.push_back(read_npy(fmt::format("{}/tests/data/rank{:02}.npy", FRED_SOURCE_DIR, rank), DType::kFp32).data);
  }
  return data;
}

float element(const Bytes& data, std::size_t i) {
  float value = 0;
  std::memcpy(&value, data.data() + 4 * i, 4);
  return value;
}

Bytes sum_on_switch(const Design& design, const Group& group, const std::vector<Bytes>& data) {
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  Job job = Job::on_group(Kind::kAllReduce, group);
  job.data = data;
  const RunResult result = bench.run({job}, true, 1024);
  INFO(text_of(result));
  REQUIRE(result.mismatches == 0);
  for (const Bytes& bytes : bench.traffic[0].results) REQUIRE(bytes == bench.traffic[0].results[0]);
  return bench.traffic[0].results[0];
}

/// |sum of the tree - exact sum| <= ((1 + u)^depth - 1) * sum of magnitudes, u = 2^-24 (Higham 2002, section 4.2).
void check_against_double(const Bytes& got, const std::vector<Bytes>& data, int depth) {
  const double bound_factor = std::pow(1 + std::ldexp(1.0, -24), depth) - 1;
  for (std::size_t i = 0; i < got.size() / 4; ++i) {
    double sum = 0;
    double magnitude = 0;
    for (const Bytes& rank : data) {
      sum += element(rank, i);
      magnitude += std::fabs(element(rank, i));
    }
    REQUIRE(std::fabs(element(got, i) - sum) <= bound_factor * magnitude);
  }
}

}  // namespace

TEST_CASE("rtl: several switches of one model live side by side, in any order of their ends") {
  const Design design = fp32_design(8, 3);
  auto first = rtl_switch(design);
  auto second = rtl_switch(design);
  InPins in(design);
  OutPins out(design);
  second->cycle(in, out);
  first->cycle(in, out);
  second.reset();
  first->cycle(in, out);
  first.reset();
}

TEST_CASE("rtl: gradients of 8 ranks, fp32, against a double sum") {
  const auto data = gradients(8);
  check_against_double(sum_on_switch(fp32_design(8, 3), {0, 1, 2, 3, 4, 5, 6, 7}, data), data, 3);
}

TEST_CASE("rtl: gradients of 16 ranks, fp32, against sum_f64.npy") {
  const auto data = gradients(16);
  Group all;
  for (int port = 0; port < 16; ++port) all.push_back(port);
  const Bytes got = sum_on_switch(fp32_design(16, 3), all, data);
  check_against_double(got, data, 4);

  const NpyArray exact = read_npy(std::string(FRED_SOURCE_DIR) + "/tests/data/sum_f64.npy", DType::kFp64);
  const std::size_t elements = got.size() / 4;
  REQUIRE(exact.elements() == elements);
  std::vector<double> sums(elements);
  std::memcpy(sums.data(), exact.data.data(), exact.data.size());
  const double bound_factor = std::pow(1 + std::ldexp(1.0, -24), 4) - 1;
  for (std::size_t i = 0; i < elements; ++i) {
    double magnitude = 0;
    for (const Bytes& rank : data) magnitude += std::fabs(element(rank, i));
    REQUIRE(std::fabs(element(got, i) - sums[i]) <= bound_factor * magnitude);
  }
}

TEST_CASE("rtl: the bits depend on the ports alone, not on m, ranks, stalls or neighbours") {
  auto data = gradients(5);
  const Group group{7, 0, 3, 2, 5};
  const Bytes reference = sum_on_switch(fp32_design(8, 3), group, data);
  CHECK(sum_on_switch(fp32_design(8, 2), group, data) == reference);
  // Other ranks at the same ports with the same data.
  CHECK(sum_on_switch(fp32_design(8, 3), {0, 2, 3, 5, 7}, {data[1], data[3], data[2], data[4], data[0]}) == reference);
  // Stalls, and another group beside it.
  const Design design = fp32_design(8, 3);
  const auto engine = rtl_switch(design);
  Bench bench(*engine, design);
  Behaviour behaviour;
  behaviour.stall_in = {0.3, 0, 0.5, 0.1, 0, 0.6, 0, 0.2};
  behaviour.stall_out = {0, 0.4, 0, 0.2, 0.3, 0, 0.1, 0};
  bench.harness.set_behaviour(behaviour);
  Job job = Job::on_group(Kind::kAllReduce, group);
  job.data = data;
  const RunResult result =
      bench.run({job, with_data(Job::on_group(Kind::kAllReduce, {1, 6, 4}), design, 4000, 1)}, true);
  INFO(text_of(result));
  CHECK(result.mismatches == 0);
  for (const Bytes& bytes : bench.traffic[0].results) CHECK(bytes == reference);
  // Another order of the operands does give other bits: the test can fail.
  std::swap(data[0], data[1]);
  CHECK(sum_on_switch(design, group, data) != reference);
}
