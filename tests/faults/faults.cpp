// SPDX-License-Identifier: Apache-2.0
// `make faults`: do the quick tests see what is wrong? All of them must pass on the switches as they are emitted; then
// each seeded fault is put into the SystemVerilog, Verilated and run, and its test must fail. A fault that does not
// match exactly once, does not build, or is not seen makes the program fail.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <deque>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fred/error.hpp"
#include "tb/model_build.hpp"
#include "tb/verilator_engine.hpp"
#include "tests/faults/fault_table.hpp"
#include "tests/faults/scenarios.hpp"
#include "tests/switch/rtl_switch.hpp"

namespace {

using namespace fred;
using namespace fred::test;

using Sources = std::vector<tb::SourceFile>;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string only;
  bool list = false, check = false, matrix = false;
  int jobs = 2;
  tb::BuildOptions build;
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The emitted files of each switch, by its options.
const Sources& sources(const Design& design) {
  static std::map<std::string, Sources> known;
  const auto [at, is_new] = known.try_emplace(design.canonical_options());
  if (is_new) at->second = design_sources(design);
  return at->second;
}

const QuickTest* find_test(std::string_view name) {
  const auto& tests = quick_tests();
  const auto found = std::find_if(tests.begin(), tests.end(), [&](const QuickTest& test) { return test.name == name; });
  return found == tests.end() ? nullptr : &*found;
}

std::optional<std::string> run_test(const QuickTest& test, const tb::BuiltModel& model) {
  return why_failed(test, *tb::open_model(model.shared_object.string()));
}

int count_of(std::string_view text, std::string_view part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// What keeps a fault from being seeded, or nothing.
std::optional<std::string> why_unusable(const SeededFault& fault) {
  const QuickTest* test = find_test(fault.test);
  if (test == nullptr) return fmt::format("there is no quick test '{}'", fault.test);
  for (const tb::SourceFile& file : sources(test->design())) {
    if (file.path != fmt::format("rtl/{}", fault.file)) continue;
    const int count = count_of(file.text, fault.find);
    if (count == 1) return std::nullopt;
    return fmt::format("'{}' occurs {} times in {}, not once: the RTL has changed, write the fault anew", fault.find,
                       count, fault.file);
  }
  return fmt::format("the switch of '{}' has no file {}", fault.test, fault.file);
}

/// The files of the switch of its test, with the fault.
Sources with_fault(const SeededFault& fault) {
  Sources files = sources(find_test(fault.test)->design());
  for (tb::SourceFile& file : files) {
    if (file.path == fmt::format("rtl/{}", fault.file)) {
      file.text.replace(file.text.find(fault.find), fault.find.size(), fault.replace);
    }
  }
  return files;
}

/// All quick tests on the switches as they are; the number of those that fail.
int run_unmodified(const Options& options) {
  int failed = 0;
  fmt::print("{:<26}{:>6}  {}\n", "quick test", "ms", "unmodified switch");
  for (const QuickTest& test : quick_tests()) {
    const tb::BuiltModel model = tb::build_model(sources(test.design()), options.build);
    const auto start = Clock::now();
    const auto failure = run_test(test, model);
    failed += failure ? 1 : 0;
    fmt::print("{:<26}{:>6.0f}  {}\n", test.name, 1000 * seconds_since(start),
               failure ? "FAILS: " + *failure : "passes");
  }
  fmt::print("\n");
  return failed;
}

/// Names of all tests of the fault's switch that see it.
std::string seen_by(const QuickTest& named, const tb::BuiltModel& model) {
  std::string names;
  for (const QuickTest& test : quick_tests()) {
    if (test.design() == named.design() && run_test(test, model))
      names += (names.empty() ? "" : " ") + std::string(test.name);
  }
  return names;
}

/// Runs the test of a fault on the switch that is built, or being built; true if the fault is seen.
bool run_fault(const SeededFault& fault, std::future<tb::BuiltModel>& build, bool matrix) {
  const QuickTest& test = *find_test(fault.test);
  double build_seconds = 0;
  std::optional<std::string> seen;
  std::string survives = "SURVIVES";
  std::string others;
  try {
    const tb::BuiltModel model = build.get();
    build_seconds = model.build_seconds;
    seen = run_test(test, model);
    if (matrix) others = seen_by(test, model);
  } catch (const ToolError& error) {
    survives = fmt::format("DOES NOT BUILD: {}", error.what());
  }
  fmt::print("{:<28} {:<25}{:<24}{:>5.1f}  {}\n", fault.name, fault.file, fault.test, build_seconds,
             seen ? *seen : survives);
  if (matrix) fmt::print("{:30}seen by: {}\n", "", others);
  std::fflush(stdout);
  return seen.has_value();
}

/// Builds switches ahead of their tests, `jobs` at a time; returns the number of faults that are not seen.
int run_faults(const std::vector<const SeededFault*>& faults, const Options& options) {
  fmt::print("{:<28} {:<25}{:<24}{:>5}  {}\n", "fault", "file", "quick test", "built", "how it is seen");
  tb::BuildOptions one_compiler = options.build;
  one_compiler.jobs = 1;
  std::deque<std::future<tb::BuiltModel>> ahead;
  std::size_t started = 0;
  int failed = 0;
  for (const SeededFault* fault : faults) {
    for (; started < faults.size() && ahead.size() < static_cast<std::size_t>(options.jobs); ++started) {
      const SeededFault& next = *faults[started];
      ahead.push_back(std::async(std::launch::async, [one_compiler, files = with_fault(next)] {
        return tb::build_model(files, one_compiler);
      }));
    }
    failed += run_fault(*fault, ahead.front(), options.matrix) ? 0 : 1;
    ahead.pop_front();
  }
  return failed;
}

void list_faults() {
  for (const SeededFault& fault : seeded_faults()) {
    fmt::print("{:<28}{:<24}{}\n", fault.name, fault.test, fault.what);
  }
}

int run(const Options& options) {
  const auto start = Clock::now();
  int failed = 0;
  for (const SeededFault& fault : seeded_faults()) {
    if (const auto why = why_unusable(fault)) {
      fmt::print(stderr, "{}: {}\n", fault.name, *why);
      ++failed;
    }
  }
  if (failed > 0) return 1;
  std::vector<const SeededFault*> wanted;
  for (const SeededFault& fault : seeded_faults()) {
    if (options.only.empty() || options.only == fault.name) wanted.push_back(&fault);
  }
  if (wanted.empty()) throw InputError(fmt::format("--only {}: no such fault; --list shows them", options.only));
  if (run_unmodified(options) > 0) return 1;
  if (options.check) return 0;
  failed = run_faults(wanted, options);
  const auto count = static_cast<int>(wanted.size());
  fmt::print("\n{} of {} faults are seen, {:.0f} s\n", count - failed, count, seconds_since(start));
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Seeds faults into the RTL of small switches and requires that the quick tests see each of them");
  app.add_flag("--list", options.list, "list the faults and what they are");
  app.add_flag("--check", options.check, "run the quick tests and look up the faults' places, but seed none");
  app.add_option("--only", options.only, "seed this fault alone");
  app.add_flag("--matrix", options.matrix, "also say which other tests see each fault");
  app.add_option("--cache", options.build.cache, "folder of built switches; default $FRED_CACHE or ~/.cache/fred");
  app.add_option("--jobs", options.jobs, "switches built at a time")->check(CLI::Range(1, 64))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    if (options.list) {
      list_faults();
      return 0;
    }
    return run(options);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.exit_code();
  }
}
