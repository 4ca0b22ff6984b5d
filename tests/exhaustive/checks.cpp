// SPDX-License-Identifier: Apache-2.0
#include "tests/exhaustive/checks.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <memory>

#include "Vlanes_bf16.h"
#include "Vlanes_e4m3.h"
#include "Vlanes_e5m2.h"
#include "Vlanes_fp16.h"
#include "Vlanes_fp32.h"
#include "Vlanes_fp64.h"
#include "Vreduce_e4m3.h"
#include "Vreduce_e5m2.h"
#include "Vreduce_int8.h"
#include "Vreduce_uint8.h"
#include "fred/error.hpp"
#include "tests/exhaustive/pairs.hpp"
#include "tests/numeric/oracle.hpp"
#include "verilated.h"

namespace fred::test {
namespace {

constexpr std::size_t kLanes = 8;  ///< of a model
constexpr std::size_t kShown = 5;  ///< wrong results told in words
constexpr std::uint32_t kHalf = 1u << 16;

/// What was found so far.
class Tally {
 public:
  Tally(std::string format, Operation operation) : format_(std::move(format)), operation_(operation) {}

  void compare(std::uint64_t a, std::uint64_t b, std::uint64_t got, std::uint64_t want) {
    ++outcome_.pairs;
    if (got != want) wrong(a, b, got, want);
  }
  void right(std::uint64_t pairs) { outcome_.pairs += pairs; }
  [[nodiscard]] const Outcome& outcome() const { return outcome_; }

 private:
  void wrong(std::uint64_t a, std::uint64_t b, std::uint64_t got, std::uint64_t want) {
    if (outcome_.differences++ >= kShown) return;
    outcome_.examples.push_back(
        fmt::format("{} {} of {:#x} and {:#x}: {:#x} instead of {:#x}", format_, name_of(operation_), a, b, got, want));
  }

  std::string format_;
  Operation operation_;
  Outcome outcome_;
};

/// A verilated model of fp_lanes or reduce_lanes.
template <class Model>
class Lanes {
 public:
  static constexpr bool kClocked = requires(Model model) { model.op_i; };  ///< reduce_lanes

  explicit Lanes(Operation operation) {
    if constexpr (kClocked) {
      model_->op_i = static_cast<std::uint8_t>(op_of(operation));
    } else {
      model_->sum_i = operation == Operation::kSum || operation == Operation::kSaturatingSum;
      model_->max_i = operation == Operation::kMax;
      model_->saturate_i = operation == Operation::kSaturatingSum;
    }
    model_->pass_i = operation == Operation::kPass;
  }
  ~Lanes() { model_->final(); }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  Model& operator*() { return *model_; }
  Model* operator->() { return model_.get(); }

  /// Outputs for the inputs that are set.
  void run() {
    if constexpr (kClocked) {
      model_->clk_i = 0;
      model_->eval();
      model_->clk_i = 1;
    }
    model_->eval();
  }

 private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Model> model_ = std::make_unique<Model>(context_.get());
};

/// The source's next `pairs` pairs through the lanes.
template <class Format, class Model, class Source>
void through(Lanes<Model>& lanes, Tally& tally, Operation operation, Source source, std::uint64_t pairs) {
  using Bits = std::remove_reference_t<decltype(lanes->a_i[0])>;
  std::array<std::array<std::uint64_t, 2>, kLanes> drawn;
  for (std::uint64_t done = 0; done < pairs; done += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      drawn[lane] = source.next();
      lanes->a_i[lane] = static_cast<Bits>(drawn[lane][0]);
      lanes->b_i[lane] = static_cast<Bits>(drawn[lane][1]);
    }
    lanes.run();
    const std::uint64_t used = std::min<std::uint64_t>(kLanes, pairs - done);
    for (std::size_t lane = 0; lane < used; ++lane) {
      const auto [a, b] = drawn[lane];
      tally.compare(a, b, lanes->y_o[lane], Format::apply(operation, a, b));
    }
  }
}

template <class Model, class Format, class Source>
Outcome check_adder(const std::string& format, Operation operation, const Source& source, std::uint64_t pairs) {
  Tally tally(format, operation);
  Lanes<Model> lanes(operation);
  through<Format>(lanes, tally, operation, source, pairs);
  return tally.outcome();
}

template <class Model, class Format>
Outcome check_lane(const std::string& format, Operation operation) {
  Tally tally(format, operation);
  const Crossed source(all_bytes());
  Lanes<Model> lanes(operation);
  for (int code = 0; code < (operation == Operation::kPass ? 7 : 1); ++code) {
    if (operation == Operation::kPass) lanes->op_i = static_cast<std::uint8_t>(code);
    through<Bitwise<Format>>(lanes, tally, operation, source, source.count());
  }
  return tally.outcome();
}

/// The reference instead of lanes, MPFR as what is right.
template <class Format, class Source>
Outcome check_reference(const std::string& format, DType dtype, Operation operation, Source source,
                        std::uint64_t pairs) {
  Tally tally(format, operation);
  Oracle oracle(dtype);
  for (std::uint64_t done = 0; done < pairs; ++done) {
    const auto [a, b] = source.next();
    tally.compare(a, b, Format::apply(operation, a, b), oracle(op_of(operation), a, b));
  }
  return tally.outcome();
}

/// Adder or reference of a floating-point format.
template <class Model, class Format, class Source>
Outcome check(Unit unit, const std::string& format, DType dtype, Operation operation, const Source& source,
              std::uint64_t pairs) {
  return unit == Unit::kReference ? check_reference<Format>(format, dtype, operation, source, pairs)
                                  : check_adder<Model, Format>(format, operation, source, pairs);
}

template <class Model, class Format>
Outcome left_operands(const std::string& format, DType dtype, Operation operation, std::uint32_t first,
                      std::uint32_t count) {
  Tally tally(format, operation);
  Lanes<Model> lanes(operation);
  std::vector<std::uint16_t> left(kHalf), right(kHalf), want(kHalf);
  for (std::uint32_t b = 0; b < kHalf; ++b) right[b] = static_cast<std::uint16_t>(b);
  const auto bytes = [](std::vector<std::uint16_t>& values) { return reinterpret_cast<std::byte*>(values.data()); };
  const Op op = operation == Operation::kSaturatingSum ? Op::kSum : op_of(operation);
  for (std::uint32_t a = first; a < first + count; ++a) {
    // The golden model, a whole array at a time.
    left.assign(kHalf, static_cast<std::uint16_t>(a));
    reduce_array(dtype, op, bytes(left), bytes(right), bytes(want), kHalf);
    if (operation == Operation::kPass) want = left;
    if (operation == Operation::kSaturatingSum)
      for (std::uint32_t b = 0; b < kHalf; ++b) want[b] = static_cast<std::uint16_t>(Format::saturate(a, b, want[b]));

    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes->a_i[lane] = static_cast<std::uint16_t>(a);
    for (std::uint32_t b = 0; b < kHalf; b += kLanes) {
      std::memcpy(&lanes->b_i[0], &right[b], kLanes * sizeof(std::uint16_t));
      lanes.run();
      if (std::memcmp(&lanes->y_o[0], &want[b], kLanes * sizeof(std::uint16_t)) == 0)
        tally.right(kLanes);
      else
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
          tally.compare(a, b + lane, lanes->y_o[lane], want[b + lane]);
    }
  }
  return tally.outcome();
}

[[noreturn]] void unknown(const std::string& format) { throw InputError("no check of this kind for " + format); }

}  // namespace

Outcome check_every_pair(Unit unit, const std::string& format, Operation operation) {
  if (unit == Unit::kLane) {
    if (format == "int8") return check_lane<Vreduce_int8, Int8>(format, operation);
    if (format == "uint8") return check_lane<Vreduce_uint8, Uint8>(format, operation);
    if (format == "e5m2") return check_lane<Vreduce_e5m2, E5m2>(format, operation);
    if (format == "e4m3") return check_lane<Vreduce_e4m3, E4m3>(format, operation);
    unknown(format);
  }
  const Crossed all(all_bytes());
  if (format == "e5m2") return check<Vlanes_e5m2, E5m2>(unit, format, DType::kFp8E5m2, operation, all, all.count());
  if (format == "e4m3") return check<Vlanes_e4m3, E4m3>(unit, format, DType::kFp8E4m3, operation, all, all.count());
  unknown(format);
}

Outcome check_left_operands(const std::string& format, Operation operation, std::uint32_t first, std::uint32_t count) {
  if (format == "fp16") return left_operands<Vlanes_fp16, Fp16>(format, DType::kFp16, operation, first, count);
  if (format == "bf16") return left_operands<Vlanes_bf16, Bf16>(format, DType::kBf16, operation, first, count);
  unknown(format);
}

Outcome check_corners(Unit unit, const std::string& format, Operation operation) {
  if (format == "fp32") {
    const Crossed all(corners<Fp32>());
    return check<Vlanes_fp32, Fp32>(unit, format, DType::kFp32, operation, all, all.count());
  }
  if (format == "fp64") {
    const Crossed all(corners<Fp64>());
    return check<Vlanes_fp64, Fp64>(unit, format, DType::kFp64, operation, all, all.count());
  }
  unknown(format);
}

Outcome check_random(Unit unit, const std::string& format, Operation operation, std::uint64_t pairs,
                     std::uint64_t seed) {
  if (format == "fp16")
    return check<Vlanes_fp16, Fp16>(unit, format, DType::kFp16, operation, Pairs<Fp16>(seed), pairs);
  if (format == "bf16")
    return check<Vlanes_bf16, Bf16>(unit, format, DType::kBf16, operation, Pairs<Bf16>(seed), pairs);
  if (format == "fp32")
    return check<Vlanes_fp32, Fp32>(unit, format, DType::kFp32, operation, Pairs<Fp32>(seed), pairs);
  if (format == "fp64")
    return check<Vlanes_fp64, Fp64>(unit, format, DType::kFp64, operation, Pairs<Fp64>(seed), pairs);
  unknown(format);
}

}  // namespace fred::test
