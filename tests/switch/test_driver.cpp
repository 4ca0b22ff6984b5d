// SPDX-License-Identifier: Apache-2.0
// fred_driver.h, compiled as strict C99 with what `fred gen` and `fred route --c-header` write, drives the Verilated
// switch through its AXI4-Lite port; collectives then run on the descriptors that it has set up.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fred/design/registers.hpp"
#include "fred/emit/register_files.hpp"
#include "fred/route/program_header.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;
namespace fs = std::filesystem;

namespace {

// As in fred_driver.h, which is not included here: this is C++, and the driver is compiled by itself.
enum Code { kOk, kBus, kId, kVersion, kHash, kRange, kInUse, kRefused, kBusy, kHalted, kTimeout };
using Read32 = int (*)(void*, std::uint32_t, std::uint32_t*);
using Write32 = int (*)(void*, std::uint32_t, std::uint32_t);

/// tests/switch/driver_user.c, built for a design and a program, in this process.
class Driver {
 public:
  Driver(const Design& design, const std::vector<Descriptor>& descriptors, const std::string& name) {
    const fs::path folder = fs::path(FRED_BINARY_DIR) / "driver_test" / name;
    fs::remove_all(folder);
    fs::create_directories(folder / "regs");
    for (const EmittedFile& file : register_files(design)) std::ofstream(folder / file.path) << file.text;
    const std::string header = name + ".h";
    std::ofstream(folder / header) << program_header(design, {descriptors, {}, {}, 0, 0, {}}, c_name_of(header));
    const std::string library = (folder / "user.so").string();
    const std::string command = fmt::format(
        "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -DPROGRAM={} -DPROGRAM_FILE='\"{}\"' -I '{}' -I "
        "'{}' "
        "'{}/tests/switch/driver_user.c' -o '{}'",
        c_name_of(header), header, folder.string(), (folder / "regs").string(), FRED_SOURCE_DIR, library);
    REQUIRE(std::system(command.c_str()) == 0);  // NOLINT(concurrency-mt-unsafe): one thread
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(handle_ != nullptr);
  }
  ~Driver() { dlclose(handle_); }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Calls the function of this name.
  template <typename Result = int, typename... Arguments>
  Result call(const char* name, Arguments... arguments) const {
    void* symbol = dlsym(handle_, name);
    REQUIRE(symbol != nullptr);
    return reinterpret_cast<Result (*)(Arguments...)>(symbol)(arguments...);
  }
  int open(Harness& harness) const {
    return call("user_open", static_cast<Read32>(&read32), static_cast<Write32>(&write32),
                static_cast<void*>(&harness));
  }
  /// On a bus that cannot tell of a refused access.
  int open_mute(Harness& harness) const {
    return call("user_open", static_cast<Read32>(&mute_read32), static_cast<Write32>(&mute_write32),
                static_cast<void*>(&harness));
  }
  std::string errors() const {
    std::array<char, 1000> text{};
    CHECK(call<std::size_t>("user_errors", text.data(), text.size()) < text.size());
    return text.data();
  }
  std::string text(int code) const { return call<const char*>("user_text", code); }

 private:
  static int read32(void* context, std::uint32_t address, std::uint32_t* data) {
    const LiteResult result = static_cast<Harness*>(context)->read(address);
    *data = result.data;
    return static_cast<int>(result.response);
  }
  static int write32(void* context, std::uint32_t address, std::uint32_t data) {
    return static_cast<int>(static_cast<Harness*>(context)->write(address, data).response);
  }

  static int mute_read32(void* context, std::uint32_t address, std::uint32_t* data) {
    (void)read32(context, address, data);
    return 0;
  }
  static int mute_write32(void* context, std::uint32_t address, std::uint32_t data) {
    (void)write32(context, address, data);
    return 0;
  }

  void* handle_ = nullptr;
};

Design small(int descriptors = 8) {
  Design design;
  design.radix = 8;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.lanes = 2;
  design.descriptors = descriptors;
  design.validate();
  return design;
}

/// A switch, jobs on it, and the driver that sets these up.
struct Fixture {
  Fixture(const std::vector<Job>& its_jobs, const std::string& name, const Design& design = small())
      : jobs(its_jobs),
        engine(rtl_switch(design)),
        bench(*engine, design),
        setup(make_setup(bench.design, bench.network, jobs, {kEpoch})),
        driver(bench.design, setup.descriptors, name) {}

  /// Sends `packets` beats a packet of all jobs and checks every bit that comes out.
  void run_all(int epoch = kEpoch) {
    std::vector<Traffic> traffic;
    const std::size_t packet = 4 * static_cast<std::size_t>(bench.design.bytes());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      traffic.push_back(
          make_traffic(jobs[i], bench.design, static_cast<int>(i), static_cast<std::uint8_t>(epoch), packet, false));
    }
    const RunResult result = bench.harness.run(traffic);
    CHECK_MESSAGE(result.mismatches == 0, text_of(result));
  }
  void send(int port, int descriptor, const Bytes& data) {
    bench.harness.source(port).push({data.data(), data.size(), descriptor, 0, kEpoch, true});
  }
  void steps(int cycles) {
    for (int i = 0; i < cycles; ++i) bench.harness.step();
  }

  static constexpr int kEpoch = 5;
  std::vector<Job> jobs;
  std::unique_ptr<Engine> engine;
  Bench bench;
  Setup setup;
  Driver driver;
};

Job job(Kind kind, const std::vector<int>& ports, std::uint64_t seed) {
  return with_data(Job::on_group(kind, ports), small(), 96 * ports.size(), seed);
}

Job job_of_two() { return job(Kind::kAllReduce, {0, 1}, 1); }

const Bytes kBeat(8, std::byte{1});
const Bytes kTwoBeats(16, std::byte{1});

}  // namespace

TEST_CASE("driver: sets up collectives that run") {
  Fixture f({job(Kind::kAllReduce, {0, 3, 6}, 1), job(Kind::kAllToAll, {1, 2, 5}, 2), job(Kind::kBroadcast, {4, 7}, 3)},
            "several");
  const Driver& driver = f.driver;
  REQUIRE(driver.open(f.bench.harness) == kOk);
  REQUIRE(driver.call("user_setup") == kOk);
  CHECK(driver.call<unsigned>("user_status", 0U) == 0);
  REQUIRE(driver.call("user_enable") == kOk);
  for (int round = 0; round < 2; ++round) {
    f.run_all();
    CHECK(driver.call("user_wait", 100UL) == kOk);
    CHECK(driver.errors() == "none");
  }
  // What is in use is not written, and runs on.
  CHECK(driver.call("user_setup") == kInUse);
  CHECK(driver.call("user_entry", 0U, 1U, 2U, 2U) == kInUse);
  f.run_all();
  // Disabled, set up again, and run.
  CHECK(driver.call("user_disable") == kOk);
  CHECK(driver.call<unsigned>("user_status", 1U) == 0);
  REQUIRE(driver.call("user_setup") == kOk);
  REQUIRE(driver.call("user_enable") == kOk);
  f.run_all();
}

TEST_CASE("driver: what the switch or the driver refuses") {
  Fixture f({job(Kind::kAllReduce, {0, 1}, 1)}, "refused");
  const Driver& driver = f.driver;
  REQUIRE(driver.open(f.bench.harness) == kOk);
  CHECK(driver.call("user_setup_as", 8U, 0U, 0U, 3U) == kRange);
  CHECK(driver.call("user_setup_as", 2U, 4U, 0U, 3U) == kRange);
  CHECK(driver.call("user_setup_as", 2U, 0U, 1U, 3U) == kRange);
  CHECK(driver.call("user_setup_as", 2U, 0U, 0U, 0x100U) == kBus);  // a port that does not exist
  CHECK(driver.call<std::uint32_t>("user_address") == f.bench.harness.registers().descriptor(2, RegisterMap::kInMask));
  CHECK(driver.call("user_setup_as", 2U, 0U, 0U, 0U) == kRefused);  // empty
  CHECK(driver.call<unsigned>("user_status", 2U) == 0);
  CHECK(driver.call("user_setup_as", 2U, 0U, 0U, 3U) == kOk);
  CHECK(driver.call<unsigned>("user_status", 2U) == 0x1000);
  CHECK(driver.call<unsigned>("user_status", 8U) == ~0U);
  CHECK(driver.call<unsigned>("user_port", 8U) == ~0U);
  CHECK(driver.call("user_entry", 1U, 0U, 0U, 0U) == kRange);
  CHECK(driver.call("user_entry", 0U, 8U, 0U, 0U) == kRange);
  CHECK(driver.call("user_entry", 0U, 0U, 8U, 0U) == kRange);
  CHECK(driver.call("user_entry", 0U, 0U, 0U, 8U) == kRange);
  CHECK(driver.call("user_settings", 0U, 8U) == kOk);
  CHECK(driver.call("user_settings", 0U, 7U) == kRange);
  CHECK(driver.call("user_settings", 0U, 0x10000U) == kRange);
  CHECK(driver.call("user_settings", 1U, 8U) == kRange);
  CHECK(f.bench.harness.read(RegisterMap::kBound).data == 8);
  for (int code = kOk; code <= kTimeout; ++code) {
    CHECK(driver.text(code) != driver.text(99));
    for (int other = kOk; other < code; ++other) CHECK(driver.text(code) != driver.text(other));
  }
}

TEST_CASE("driver: it is another switch") {
  Fixture f({job(Kind::kAllReduce, {0, 1}, 1)}, "this");
  const Driver other(small(9), f.setup.descriptors, "other");
  CHECK(f.driver.open(f.bench.harness) == kOk);
  CHECK(other.open(f.bench.harness) == kHash);
  // What answers instead of the switch: nothing, zeros, the next version.
  const auto open = [&](Read32 read) {
    return f.driver.call("user_open", read, static_cast<Write32>(nullptr), static_cast<void*>(nullptr));
  };
  CHECK(open([](void*, std::uint32_t, std::uint32_t*) { return 3; }) == kId);
  CHECK(open([](void*, std::uint32_t, std::uint32_t* data) { return static_cast<int>(*data = 0); }) == kId);
  CHECK(open([](void*, std::uint32_t address, std::uint32_t* data) {
          *data = address == 0 ? RegisterMap::kIdValue : 0xffff0000U;
          return 0;
        }) == kVersion);
}

TEST_CASE("driver: busy, halted, held") {
  Fixture f({Job::on_group(Kind::kAllGather, {0, 1}), Job::on_group(Kind::kAllReduce, {2, 3})}, "held");
  const Driver& driver = f.driver;
  REQUIRE(driver.open(f.bench.harness) == kOk);
  REQUIRE(driver.call("user_setup") == kOk);
  REQUIRE(driver.call("user_enable") == kOk);
  f.bench.harness.scoreboard().expect(0, 0, {{kBeat.data(), nullptr, 8, 0, Fixture::kEpoch, true}}, false);
  f.bench.harness.scoreboard().expect(1, 0, {{kBeat.data(), nullptr, 8, 0, Fixture::kEpoch, true}}, false);
  f.send(0, 0, kBeat);
  f.steps(30);
  CHECK(driver.call<unsigned>("user_status", 0U) == (0x1000 | 0x4000 | 1));
  CHECK(driver.call("user_wait", 5UL) == kTimeout);
  CHECK(driver.call("user_disable") == kBusy);
  f.send(2, 1, kBeat);
  f.send(3, 1, kTwoBeats);
  f.send(4, 6, kBeat);
  f.steps(30);
  CHECK(driver.call<unsigned>("user_status", 1U) == (0x1000 | 0x2000));
  CHECK(driver.call<unsigned>("user_port", 4U) == (0x1000 | 0x2000 | 6));
  const std::string errors = driver.errors();
  CHECK(errors.find("mismatch: ") == 0);
  CHECK(errors.find("; unknown: a beat is held") != std::string::npos);
  CHECK(errors.find("epoch") == std::string::npos);
  f.send(1, 0, kBeat);
  f.steps(30);
  CHECK(driver.call("user_wait", 5UL) == kHalted);
}

TEST_CASE("driver: a collective hangs, says what it waits for, and is aborted") {
  Fixture f({job(Kind::kAllReduce, {0, 3, 6}, 1)}, "hangs");
  const Driver& driver = f.driver;
  REQUIRE(driver.open(f.bench.harness) == kOk);
  REQUIRE(driver.call("user_setup") == kOk);
  CHECK(driver.call("user_abort", 0U, 6U) == kRefused);  // not enabled
  REQUIRE(driver.call("user_enable") == kOk);
  CHECK(driver.call("user_timeout", 32U) == kRange);
  CHECK(driver.call("user_timeout", 6U) == kOk);
  for (const int port : {0, 3}) f.send(port, 0, kTwoBeats);
  f.send(6, 6, kBeat);  // in front of it a beat of nobody
  f.steps(150);
  CHECK(driver.call<unsigned>("user_status", 0U) == (0x1000 | 0x10000));
  CHECK(driver.call<unsigned>("user_report", 0U) == (0x40 | 0x4000));
  CHECK(driver.call<unsigned>("user_report", 8U) == ~0U);
  CHECK(driver.call<unsigned>("user_owner", 0U) == ~0U);
  CHECK(driver.call<unsigned>("user_first_error") == (0x80000000U | 0x40000000U | 3U << 24 | 6U << 16 | 6U));
  bool irq = false;
  f.bench.harness.set_hook([&irq](const InPins&, const OutPins& out) { irq = out.irq; });
  CHECK(driver.call("user_irq", 0x200U) == kBus);
  CHECK(driver.call("user_irq", 0x08U) == kOk);
  f.steps(3);
  CHECK(irq);
  CHECK(driver.errors().find("timeout: ") != std::string::npos);
  CHECK(driver.call("user_abort", 0U, 16U) == kRange);
  CHECK(driver.call("user_abort", 8U, 6U) == kRange);
  CHECK(driver.call("user_abort", 0U, static_cast<unsigned>(Fixture::kEpoch)) == kRange);  // the one that it has
  REQUIRE(driver.call("user_abort", 0U, 6U) == kOk);
  CHECK(driver.call("user_wait_abort", 0U, 20UL) == kOk);
  CHECK(driver.call<unsigned>("user_status", 0U) == 0x1000);
  // The beat of nobody is somebody's: of the descriptor that is set up and enabled now, in another epoch.
  CHECK(driver.call("user_setup_as", 6U, 0U, 0U, 0x49U) == kOk);
  REQUIRE(driver.call("user_abort", 6U, 6U) == kOk);
  CHECK(driver.call("user_abort", 6U, 7U) == kBusy);
  CHECK(driver.call("user_wait_abort", 6U, 0UL) == kTimeout);
  CHECK(driver.call("user_wait_abort", 6U, 20UL) == kOk);
  f.steps(50);
  driver.errors();
  f.run_all(6);
  CHECK(driver.errors() == "none");
}

TEST_CASE("driver: refusals are found out on a bus that does not tell of them") {
  Fixture f({job(Kind::kAllReduce, {0, 3, 6}, 1)}, "mute");
  const Driver& driver = f.driver;
  REQUIRE(driver.open_mute(f.bench.harness) == kOk);
  REQUIRE(driver.call("user_setup") == kOk);
  CHECK(driver.call("user_setup_as", 2U, 0U, 0U, 0x149U) == kBus);  // IN_MASK: a port that does not exist
  CHECK(driver.call("user_setup_as", 2U, 0U, 0U, 0U) == kRefused);  // nobody sends
  CHECK(driver.call("user_setup_as", 2U, 0U, 0U, 0x49U) == kOk);
  CHECK(driver.call("user_setup_as", 2U, 0U, 0U, 0x49U) == kInUse);
  REQUIRE(driver.call("user_enable") == kOk);
  f.run_all();
  CHECK(driver.errors() == "none");
}

TEST_CASE("driver: the example of its page compiles") {
  const fs::path folder = fs::path(FRED_BINARY_DIR) / "driver_test" / "page";
  fs::remove_all(folder);
  fs::create_directories(folder / "regs");
  const Design design = small();
  for (const EmittedFile& file : register_files(design)) std::ofstream(folder / file.path) << file.text;
  const Setup setup = make_setup(design, make_network(8, 3),
                                 {job(Kind::kAllReduce, {0, 3, 6}, 1), job(Kind::kAllToAll, {1, 2}, 2)}, {1});
  std::ofstream(folder / "groups.h") << program_header(design, {setup.descriptors, {}, {}, 0, 0, {}}, "groups");
  std::ifstream stream(fs::path(FRED_SOURCE_DIR) / "docs" / "driver.md");
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  const auto begin = page.find("```c\n");
  REQUIRE(begin != std::string::npos);
  std::ofstream(folder / "main.c") << page.substr(begin + 5, page.find("```", begin + 5) - begin - 5);
  const std::string command = fmt::format(
      "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I '{0}/regs' -c '{0}/main.c' -o '{0}/main.o'", folder.string());
  CHECK(std::system(command.c_str()) == 0);  // NOLINT(concurrency-mt-unsafe): one thread
}

TEST_CASE("driver: a program stops the compiler where the switch does not fit") {
  const fs::path folder = fs::path(FRED_BINARY_DIR) / "driver_test" / "fit";
  Design made = small();
  made.more_dtypes = {DType::kInt64};
  made.vcs = 2;
  made.ingress_depth = 0;
  made.validate();
  std::vector<Collective> collectives{{Kind::kAllReduce, {{0, 1}, {0, 1}}, 0, Op::kSum, 1, 1},
                                      {Kind::kAllToAll, {{2, 3}, {2, 3}}}};
  const Program program = make_program(made, make_network(8, 3), collectives, {1});
  const auto compiles = [&](Design design) {
    design.egress_depth = design.ingress_depth = 0;
    design.validate();
    fs::remove_all(folder);
    fs::create_directories(folder / "regs");
    for (const EmittedFile& file : register_files(design)) std::ofstream(folder / file.path) << file.text;
    std::ofstream(folder / "main.c") << program_header(made, program, "fit");
    const std::string command =
        fmt::format("cc -std=c99 -I '{0}/regs' -c '{0}/main.c' -o '{0}/main.o' 2> '{0}/log'", folder.string());
    const bool done = std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe): one thread
    std::ifstream stream(folder / "log");
    const std::string log{std::istreambuf_iterator<char>(stream), {}};
    CHECK(done != (log.find("fred_regs.h is of another switch") != std::string::npos));
    return done;
  };
  CHECK(compiles(made));
  const auto with = [&](auto change) {
    Design design = made;
    change(design);
    return compiles(design);
  };
  CHECK(with([](Design& design) { design.descriptors = 2; }));
  CHECK(with([](Design& design) { design.lanes = 4; }));
  CHECK(with([](Design& design) { design.vcs = 5; }));
  CHECK_FALSE(with([](Design& design) { design.descriptors = 1; }));
  CHECK_FALSE(with([](Design& design) { design.radix = 7; }));
  CHECK_FALSE(with([](Design& design) { design.middle = 2; }));
  CHECK_FALSE(with([](Design& design) { design.vcs = 1; }));
  CHECK_FALSE(with([](Design& design) { design.alltoall_tables = 0; }));
  CHECK_FALSE(with([](Design& design) { design.more_dtypes = {DType::kUint64}; }));
}

TEST_CASE("driver: counters") {
  const Design design = counting_design();
  Job job = Job::on_group(Kind::kReduce, {0, 1, 3});
  job.vc = 1;
  job.root = 1;
  Fixture f({with_data(job, design, 24 * static_cast<std::size_t>(design.bytes()), 1)}, "counters", design);
  const Driver& driver = f.driver;
  REQUIRE(driver.open(f.bench.harness) == kOk);
  REQUIRE(driver.call("user_setup") == kOk);
  REQUIRE(driver.call("user_enable") == kOk);
  std::array<std::uint32_t, 4> counts{};
  const auto beats = [&](unsigned port, unsigned vc) {
    counts.fill(7);
    REQUIRE(driver.call("user_beats", port, vc, counts.data()) == kOk);
    return std::pair(counts[0], counts[1]);
  };
  const auto launches = [&](unsigned descriptor) {
    counts.fill(7);
    REQUIRE(driver.call("user_launches", descriptor, counts.data()) == kOk);
    return counts;
  };
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  using Four = std::array<std::uint32_t, 4>;
  f.run_all();
  CHECK(beats(0, 1) == Pair(0, 0));  // no snapshot yet
  CHECK(launches(0) == Four{0, 0, 0, 0});
  for (int round = 0; round < 2; ++round) {
    if (round > 0) f.run_all();
    REQUIRE(driver.call("user_snapshot") == kOk);
    for (const unsigned port : {0U, 1U, 2U, 3U}) {
      CHECK(beats(port, 1) == Pair(port == 2 ? 0 : 24, port == 1 ? 24 : 0));
      CHECK(beats(port, 0) == Pair(0, 0));
    }
    CHECK(launches(0) == Four{24, 0, 0, 0});
    CHECK(launches(1) == Four{0, 0, 0, 0});
  }
  for (const auto& [port, vc] : {std::pair{4U, 0U}, {0U, 2U}}) {
    CHECK(driver.call("user_beats", port, vc, counts.data()) == kRange);
  }
  CHECK(driver.call("user_launches", 5U, counts.data()) == kRange);
  // A switch without.
  Fixture other({job_of_two()}, "no_counters");
  REQUIRE(other.driver.open(other.bench.harness) == kOk);
  CHECK(other.driver.call("user_snapshot") == kRange);
  CHECK(other.driver.call("user_beats", 0U, 0U, counts.data()) == kRange);
  CHECK(other.driver.call("user_launches", 0U, counts.data()) == kRange);
}

TEST_CASE("driver: errors in words") {
  Fixture f({job(Kind::kAllReduce, {0, 1}, 1)}, "words");
  const auto words = [&](std::uint32_t errors, std::size_t size, std::size_t* length = nullptr) {
    std::array<char, 1000> text{};
    text.fill('#');
    const auto whole = f.driver.call<std::size_t>("user_errors_text", errors, text.data(), size);
    if (length != nullptr) *length = whole;
    for (std::size_t i = size; i < text.size(); ++i) CHECK(text[i] == '#');
    return size == 0 ? std::string() : std::string(text.data());
  };
  std::size_t length = 0;
  const std::vector<RegisterBlock> blocks = register_blocks(f.bench.design);
  const Register& error = register_named(blocks, "ERROR");
  const std::string all = words(error.mask(), 1000, &length);
  CHECK(all.size() == length);
  for (const RegisterField& field : error.existing_fields()) CHECK(all.find(field.name + ": ") != std::string::npos);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{20}, length}) {
    CHECK(words(error.mask(), size, &length) == all.substr(0, size == 0 ? 0 : size - 1));
    CHECK(length == all.size());
  }
  CHECK(words(0, 100) == "none");
  CHECK(words(1U << 31, 100) == "unknown bits");
}
