// SPDX-License-Identifier: Apache-2.0
// exhaustive [--quick] [--jobs N] [--state FILE --tags TEXT TEXT TEXT]: compares one reducing lane with reference
// arithmetic, and that with MPFR.
//
// Always: every pair of both 8-bit floating-point formats and of 8-bit integers, every pair of some 800 corner values
// of fp32 and fp64, and random pairs. Without --quick also every pair of fp16 and bf16, 2^32 each, for sum, saturating
// sum, min and max, and far more random pairs.
//
// The work is cut into blocks, a thread a core takes the next one. A finished block is a line in the state file, and
// is not done again by a run with the same tags; so an interrupted run goes on. The tags stand for what is checked:
// adder, lane, reference. What is printed on standard output depends on the results alone; progress goes to standard
// error. Exit code 1: differences.
#include <fmt/format.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "tests/exhaustive/checks.hpp"

using namespace fred::test;

namespace {

enum class Kind { kEveryPair, kLeftOperands, kCorners, kRandom };

/// A piece of work, done by one thread in seconds.
struct Block {
  Unit unit = Unit::kAdder;
  Kind kind = Kind::kRandom;
  std::string format;
  Operation operation = Operation::kSum;
  std::uint64_t pairs = 0;  ///< about how many
  std::uint32_t index = 0;  ///< of the blocks of a row: the upper byte of the left operands, or the seed

  /// What the blocks of one row of the result have in common.
  [[nodiscard]] std::string row() const {
    constexpr const char* kUnits[] = {"fred_fp_add", "fred_reduce", "reference"};
    constexpr const char* kKinds[] = {"every pair", "every pair", "corners", "random"};
    return fmt::format("{} {} {}, {}", kUnits[static_cast<int>(unit)], format, name_of(operation),
                       kKinds[static_cast<int>(kind)]);
  }
  [[nodiscard]] Outcome run() const {
    switch (kind) {
      case Kind::kEveryPair:
        return check_every_pair(unit, format, operation);
      case Kind::kLeftOperands:
        return check_left_operands(format, operation, index << 8, 256);
      case Kind::kCorners:
        return check_corners(unit, format, operation);
      default:
        return check_random(unit, format, operation, pairs, index + 1);
    }
  }
};

/// Blocks of random pairs: ten million each.
std::uint32_t random_blocks(const std::string& format, Operation operation) {
  if (format == "fp16" || format == "bf16" || operation == Operation::kPass) return 1;
  return operation == Operation::kSum ? 100 : 10;
}

std::vector<Block> plan(bool quick) {
  std::vector<Block> blocks;
  const std::uint64_t bytes = 1u << 16, corner_pairs = 700'000;
  for (const char* format : {"e5m2", "e4m3"})
    for (Operation operation : kAdderOperations)
      blocks.push_back({Unit::kAdder, Kind::kEveryPair, format, operation, bytes});
  for (const char* format : {"fp32", "fp64"})
    for (Operation operation : kAdderOperations)
      blocks.push_back({Unit::kAdder, Kind::kCorners, format, operation, corner_pairs});
  for (const char* format : {"fp16", "bf16", "fp32", "fp64"})
    for (Operation operation : kAdderOperations)
      for (std::uint32_t index = 0; index < (quick ? 1 : random_blocks(format, operation)); ++index)
        blocks.push_back({Unit::kAdder, Kind::kRandom, format, operation, quick ? 200'000u : 10'000'000u, index});
  for (const char* format : {"bf16", "fp16"})
    for (Operation operation : kArithmetic)
      for (std::uint32_t index = 0; index < (quick ? 0 : 256); ++index)
        blocks.push_back({Unit::kAdder, Kind::kLeftOperands, format, operation, 1u << 24, index});
  for (const char* format : {"int8", "uint8", "e5m2", "e4m3"})
    for (Operation operation : kLaneOperations)
      blocks.push_back({Unit::kLane, Kind::kEveryPair, format, operation, bytes});
  for (const char* format : {"e5m2", "e4m3"})
    for (Operation operation : kArithmetic)
      blocks.push_back({Unit::kReference, Kind::kEveryPair, format, operation, bytes});
  for (const char* format : {"fp32", "fp64"})
    for (Operation operation : kArithmetic)
      blocks.push_back({Unit::kReference, Kind::kCorners, format, operation, corner_pairs});
  for (const char* format : {"fp16", "bf16", "fp32", "fp64"})
    for (Operation operation : kArithmetic)
      blocks.push_back({Unit::kReference, Kind::kRandom, format, operation, quick ? 100'000u : 10'000'000u, 0});
  return blocks;
}

/// Processor time of this thread, seconds.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// What is known of a block that is done.
struct Done {
  std::uint64_t pairs = 0, differences = 0;
};

/// The blocks that are done, by key, kept in a file of lines "tag key: pairs differences seconds."
class State {
 public:
  /// A tag a unit.
  State(std::string path, std::vector<std::string> tags) : path_(std::move(path)), tags_(std::move(tags)) {
    if (path_.empty()) return;
    std::string line;
    for (std::ifstream in(path_); std::getline(in, line);) {
      const std::size_t colon = line.find(": ");
      // Without its dot a line was cut off by an interruption.
      if (colon == std::string::npos || line.back() != '.') continue;
      std::istringstream numbers(line.substr(colon + 2));
      Done& done = done_[line.substr(0, colon)];
      numbers >> done.pairs >> done.differences;
    }
    std::ofstream(path_, std::ios::app) << '\n';
  }
  [[nodiscard]] bool has(const Block& block) const { return done_.count(key(block)) != 0; }
  [[nodiscard]] const Done& operator[](const Block& block) const { return done_.at(key(block)); }
  void add(const Block& block, const Done& done, double seconds) {
    done_[key(block)] = done;
    if (!path_.empty())
      std::ofstream(path_, std::ios::app)
          << fmt::format("{}: {} {} {:.3f}.\n", key(block), done.pairs, done.differences, seconds);
  }

 private:
  [[nodiscard]] std::string key(const Block& block) const {
    return fmt::format("{} {} {}", tags_[static_cast<std::size_t>(block.unit)], block.row(), block.index);
  }

  std::string path_;
  std::vector<std::string> tags_;
  std::map<std::string, Done> done_;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Compares one reducing lane with reference arithmetic, exhaustively where that is possible"};
  bool quick = false;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  std::string state_path;
  std::vector<std::string> tags(3, "untagged");
  app.add_flag("--quick", quick, "8 bits, corner values and some random pairs: seconds");
  app.add_option("--jobs", jobs, "threads")->check(CLI::Range(1u, 1024u));
  app.add_option("--state", state_path, "finished blocks, to go on after an interruption");
  app.add_option("--tags", tags, "what the state is of: adder, lane, reference; another tag starts anew")->expected(3);
  CLI11_PARSE(app, argc, argv);

  const std::vector<Block> blocks = plan(quick);
  State state(state_path, tags);
  std::mutex mutex;
  std::vector<const Block*> todo;
  double total = 0, finished = 0;  // pairs
  for (const Block& block : blocks)
    if (!state.has(block)) {
      todo.push_back(&block);
      total += static_cast<double>(block.pairs);
    }
  std::atomic<std::size_t> next{0};
  const auto start = std::chrono::steady_clock::now();
  auto shown = start;
  const auto work = [&] {
    for (std::size_t i = next++; i < todo.size(); i = next++) {
      const Block& block = *todo[i];
      const double begin = processor_time();
      const Outcome outcome = block.run();
      const double took = processor_time() - begin;
      const std::lock_guard lock(mutex);
      for (const std::string& example : outcome.examples) fmt::print(stderr, "{}\n", example);
      state.add(block, {outcome.pairs, outcome.differences}, took);
      finished += static_cast<double>(block.pairs);
      const auto now = std::chrono::steady_clock::now();
      if (quick || now - shown < std::chrono::seconds(10)) continue;
      shown = now;
      const double seconds = std::chrono::duration<double>(now - start).count();
      fmt::print(stderr, "{:.1f} % done, {:.0f} million pairs a second, {:.0f} s left\n", 100 * finished / total,
                 finished / seconds / 1e6, seconds * (total - finished) / finished);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < jobs; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();

  // One row for the blocks of one kind, which follow each other.
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < blocks.size();) {
    std::uint64_t pairs = 0, differences = 0;
    const std::string row = blocks[i].row();
    for (; i < blocks.size() && blocks[i].row() == row; ++i) {
      const Done& done = state[blocks[i]];
      pairs += done.pairs;
      differences += done.differences;
    }
    fmt::print("{}: {} pairs, {} differences\n", row, pairs, differences);
    wrong += differences;
  }
  return wrong == 0 ? 0 : 1;
}
