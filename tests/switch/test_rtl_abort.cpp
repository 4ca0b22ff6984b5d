// SPDX-License-Identifier: Apache-2.0
// Hangs of the whole switch in Verilator: what the watchdog says of them, and that after an abort everything goes on.
// Seeds are printed with a failure; FRED_SEED=n repeats it or tries others.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "fred/design/register_map.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/packet_watch.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

constexpr std::uint32_t kExponent = 8;               // of the watchdog
constexpr std::uint32_t kTimeout = 1U << kExponent;  // cycles
constexpr std::uint64_t kNeverReady = 1000000;       // cycles of a sink that does not accept

Design several_circuits() {
  Design design;
  design.radix = 5;
  design.middle = 3;
  design.dtype = DType::kInt16;
  design.ops = {Op::kSum};
  design.vcs = 2;
  design.descriptors = 4;
  design.validate();
  return design;
}

Design one_circuit() {
  Design design;
  design.radix = 4;
  design.middle = 2;
  design.dtype = DType::kFp8E5m2;
  design.acc = DType::kFp32;
  design.ops = {Op::kSum};
  design.lanes = 2;
  design.vcs = 1;
  design.descriptors = 3;
  design.alltoall_tables = 0;
  design.validate();
  return design;
}

std::uint32_t mask_of(const Ports& ports) {
  std::uint32_t mask = 0;
  for (const int port : ports) mask |= 1U << port;
  return mask;
}

/// What the registers say of a descriptor, as masks of ports.
struct Report {
  bool hangs = false;
  std::uint32_t missing = 0, behind = 0, full = 0, locked = 0;
  friend bool operator==(const Report&, const Report&) = default;
};

doctest::String toString(const Report& report) {
  return fmt::format("hangs {} missing {:b} behind {:b} full {:b} locked {:b}", report.hangs, report.missing,
                     report.behind, report.full, report.locked)
      .c_str();
}

/// A bench whose watchdog is on and whose descriptors are aborted one by one, without being written anew.
struct AbortBench : Bench {
  AbortBench(Engine& engine, const Design& its_design, std::uint64_t seed) : Bench(engine, its_design) {
    behaviour.honour_vc_ready = its_design.vcs > 1;
    behaviour.seed = seed;
    harness.set_behaviour(behaviour);
    harness.set_idle_limit(2 * kTimeout);
    REQUIRE(harness.write(RegisterMap::kTimeout, kExponent).okay());
  }

  std::uint32_t read(int descriptor, std::uint32_t offset) {
    const LiteResult result = harness.read(harness.registers().descriptor(descriptor, offset));
    REQUIRE(result.okay());
    return result.data;
  }
  Report report(int descriptor) {
    const std::uint32_t at = harness.registers().report;
    return {StatusFields::kHangs.of(read(descriptor, RegisterMap::kStatus)) != 0, read(descriptor, at),
            read(descriptor, at + 4), read(descriptor, at + 8), read(descriptor, at + 12)};
  }
  /// Aborts; the descriptor is then in the next epoch.
  void abort(int descriptor) {
    int& at = epochs[descriptor];
    at = (at + 1) % 16;
    const std::uint32_t control = ControlFields::kEnable.place(1) | ControlFields::kAbort.place(1) |
                                  ControlFields::kEpoch.place(static_cast<unsigned>(at));
    const std::uint32_t address = harness.registers().descriptor(descriptor, RegisterMap::kControl);
    REQUIRE(harness.write(address, control).okay());
    for (int polls = 0; StatusFields::kAborting.of(read(descriptor, RegisterMap::kStatus)) != 0; ++polls) {
      REQUIRE(polls < 20);
    }
    CHECK(ConfigFields::kEpoch.of(read(descriptor, RegisterMap::kConfig)) == static_cast<std::uint32_t>(at));
  }
  /// Lets all sources finish what they have begun.
  void drain() {
    const auto busy = [&] {
      for (int port = 0; port < design.radix; ++port) {
        if (!harness.source(port).idle()) return true;
      }
      return false;
    };
    for (int cycle = 0; busy(); ++cycle) {
      REQUIRE(cycle < 5000);
      harness.step();
    }
    for (int cycle = 0; cycle < 100; ++cycle) harness.step();
  }
  /// Configures; job i has descriptor i.
  void set_up(const std::vector<Job>& jobs) {
    prepare(jobs);
    epochs.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i) epochs[static_cast<int>(i)] = epoch;
  }
  /// Traffic of job i in its epoch of now.
  Traffic traffic_of(const std::vector<Job>& jobs, int i) {
    return make_traffic(jobs[static_cast<std::size_t>(i)], design, i, static_cast<std::uint8_t>(epochs[i]),
                        4 * static_cast<std::size_t>(design.bytes()), false);
  }
  /// Runs the jobs named, on descriptors that are set up.
  RunResult again(const std::vector<Job>& jobs, const std::vector<int>& which) {
    std::vector<Traffic> now;
    for (const int i : which) now.push_back(traffic_of(jobs, i));
    return harness.run(now);
  }
  void clear_errors() { REQUIRE(harness.write(RegisterMap::kError, errors()).okay()); }
  std::uint32_t errors() { return harness.read(RegisterMap::kError).data; }

  Behaviour behaviour;
  std::map<int, int> epochs;  ///< by descriptor
};

Job job_on(Kind kind, const Group& group, int vc, const Design& design, std::size_t beats, std::uint64_t seed) {
  Job job = with_data(Job::on_group(kind, group), design, beats * static_cast<std::size_t>(design.bytes()), seed);
  job.vc = vc;
  return job;
}

void check(const RunResult& result, const std::string& what) {
  INFO(what, "\n", text_of(result));
  REQUIRE(result.mismatches == 0);
}

/// A group of 2 or more ports and, of what is left, another group.
std::pair<Group, Group> two_groups(const Design& design, Random& random) {
  std::vector<int> ports = shuffled(design.radix, random);
  const int first = 2 + random.below(design.radix - 2);
  return {{ports.begin(), ports.begin() + first}, {ports.begin() + first, ports.end()}};
}

/// Packets that `port` still has to send of a traffic are taken out of it from the `keep`-th on, and given back.
std::vector<SourcePacket> silence(Traffic& traffic, int port, std::size_t keep) {
  std::vector<SourcePacket>& sent = traffic.sent[static_cast<std::size_t>(port)];
  std::vector<SourcePacket> rest(sent.begin() + static_cast<std::ptrdiff_t>(std::min(keep, sent.size())), sent.end());
  sent.resize(std::min(keep, sent.size()));
  return rest;
}

/// Every packet that came without the error bit is one that was to come. True where some came with it.
bool check_spoiled(const PacketWatch& watch, const std::vector<Traffic>& traffic) {
  std::map<std::pair<int, int>, std::size_t> next;  // by port and descriptor
  std::map<int, bool> halted;
  for (const SeenPacket& packet : watch.packets) {
    INFO("port ", packet.port, " descriptor ", packet.descriptor, " beats ", packet.beats);
    std::size_t& at = next[{packet.port, packet.descriptor}];
    if (packet.error) {
      CHECK(packet.ends_with_error);
      halted[packet.descriptor] = true;
      ++at;  // what was on the way behind it is right
      continue;
    }
    const auto job_at = std::find_if(traffic.begin(), traffic.end(),
                                     [&](const Traffic& one) { return one.descriptor == packet.descriptor; });
    REQUIRE(job_at != traffic.end());
    const Traffic& job = *job_at;
    const auto sink = std::find_if(job.sinks.begin(), job.sinks.end(),
                                   [&](const Traffic::Sink& one) { return one.port == packet.port; });
    REQUIRE(sink != job.sinks.end());
    REQUIRE(at < sink->packets.size());
    const ExpectedPacket& expected = sink->packets[at++];
    REQUIRE(packet.bytes.size() == expected.bytes);
    CHECK(std::equal(packet.bytes.begin(), packet.bytes.end(), expected.data));
  }
  // Of one that has not been halted everything came.
  for (const Traffic& job : traffic) {
    if (halted[job.descriptor]) continue;
    for (const Traffic::Sink& sink : job.sinks) CHECK(next[{sink.port, job.descriptor}] == sink.packets.size());
  }
  return std::any_of(halted.begin(), halted.end(), [](const auto& one) { return one.second; });
}

}  // namespace

TEST_CASE("rtl abort: a member is silent; it is named, and its old data does no harm later") {
  const std::uint64_t base = base_seed();
  for (const Design& design : {several_circuits(), one_circuit()}) {
    const auto engine = rtl_switch(design, static_cast<int>(base));
    for (std::uint64_t seed = base; seed < base + 50; ++seed) {
      Random random(sub_seed(seed, 41));
      AbortBench bench(*engine, design, seed);
      const auto [group, other] = two_groups(design, random);
      static constexpr Kind kKinds[] = {Kind::kAllReduce, Kind::kReduce, Kind::kReduceScatter, Kind::kAllGather};
      const Kind kind = kKinds[random.below(4)];
      const auto beats = static_cast<std::size_t>(20 + random.below(60));
      std::vector<Job> jobs{job_on(kind, group, random.below(design.vcs), design, beats, seed)};
      if (!other.empty())
        jobs.push_back(job_on(Kind::kAllReduce, other, random.below(design.vcs), design, 60, seed + 1));
      bench.set_up(jobs);
      std::vector<int> all{0};
      if (jobs.size() > 1) all.push_back(1);
      INFO("FRED_SEED=", seed, " ", to_string(kind), " ", to_string(jobs[0].flow()));

      std::vector<Traffic> traffic;
      for (const int i : all) traffic.push_back(bench.traffic_of(jobs, i));
      // In an all-gather the silent one is not the first, else nothing of the collective has come and nothing hangs.
      Group sorted = group;
      std::sort(sorted.begin(), sorted.end());
      const int silent = kind == Kind::kAllGather
                             ? sorted[static_cast<std::size_t>(1 + random.below(static_cast<int>(group.size()) - 1))]
                             : group[static_cast<std::size_t>(random.below(static_cast<int>(group.size())))];
      const std::vector<SourcePacket> rest = silence(traffic[0], silent, static_cast<std::size_t>(random.below(3)));
      const RunResult hung = bench.harness.run(traffic);
      REQUIRE_FALSE(hung.hang.empty());
      CHECK(bench.report(0) == Report{true, 1U << silent, 0, 0, 0});
      if (jobs.size() > 1) CHECK_FALSE(bench.report(1).hangs);
      CHECK(text_of(hung).find("timeout") != std::string::npos);  // ERROR, which the harness reads and clears

      bench.abort(0);
      bench.drain();
      CHECK_FALSE(bench.report(0).hangs);
      bench.clear_errors();
      check(bench.again(jobs, all), "after the abort");
      // What the silent one should have sent comes now, and is dropped.
      bench.harness.source(silent).push(rest);
      bench.drain();
      CHECK(bench.errors() == (rest.empty() ? 0 : ErrorFields::kEpoch.mask()));
      bench.clear_errors();
      check(bench.again(jobs, all), "after the old data");
    }
  }
}

TEST_CASE("rtl abort: orders that contradict each other; both are named, and either may be aborted") {
  const std::uint64_t base = base_seed();
  for (const Design& design : {several_circuits(), one_circuit()}) {
    const auto engine = rtl_switch(design, static_cast<int>(base));
    for (std::uint64_t seed = base; seed < base + 50; ++seed) {
      Random random(sub_seed(seed, 42));
      AbortBench bench(*engine, design, seed);
      const auto [group, other] = two_groups(design, random);
      const int vc = random.below(design.vcs);
      std::vector<Job> jobs{job_on(Kind::kAllReduce, group, vc, design, 30, seed),
                            job_on(Kind::kReduceScatter, group, vc, design, 40, seed + 1)};
      std::vector<int> all{0, 1};
      if (!other.empty()) {
        jobs.push_back(job_on(Kind::kAllReduce, other, random.below(design.vcs), design, 60, seed + 2));
        all.push_back(2);
      }
      bench.set_up(jobs);
      INFO("FRED_SEED=", seed, " ", to_string(jobs[0].flow()));
      // Some members issue the second one first.
      std::vector<std::vector<int>> order(static_cast<std::size_t>(design.radix), all);
      Ports turned;
      const int turns = 1 + random.below(static_cast<int>(group.size()) - 1);
      for (int i = 0; i < turns; ++i) turned.push_back(group[static_cast<std::size_t>(i)]);
      for (const int port : turned)
        std::swap(order[static_cast<std::size_t>(port)][0], order[static_cast<std::size_t>(port)][1]);
      std::vector<Traffic> traffic;
      for (const int i : all) traffic.push_back(bench.traffic_of(jobs, i));
      const RunResult hung = bench.harness.run(traffic, order);
      REQUIRE_FALSE(hung.hang.empty());
      const std::uint32_t late = mask_of(turned), early = mask_of(group) & ~late;
      CHECK(bench.report(0) == Report{true, late, late, 0, 0});
      CHECK(bench.report(1) == Report{true, early, early, 0, 0});
      if (jobs.size() > 2) CHECK_FALSE(bench.report(2).hangs);

      // Without the one the other ends by itself; what is left of the aborted one is dropped.
      bench.abort(random.below(2));
      bench.drain();
      CHECK_FALSE(bench.report(0).hangs);
      CHECK_FALSE(bench.report(1).hangs);
      bench.clear_errors();
      check(bench.again(jobs, all), "after the abort");
    }
  }
}

TEST_CASE("rtl abort: a sink accepts nothing; groups without it go on, and with it when it accepts again") {
  const std::uint64_t base = base_seed();
  for (const Design& design : {several_circuits(), one_circuit()}) {
    const auto engine = rtl_switch(design, static_cast<int>(base));
    for (std::uint64_t seed = base; seed < base + 50; ++seed) {
      Random random(sub_seed(seed, 43));
      AbortBench bench(*engine, design, seed);
      const auto [group, other] = two_groups(design, random);
      const int vc = random.below(design.vcs);
      const int dead = group[static_cast<std::size_t>(random.below(static_cast<int>(group.size())))];
      std::vector<Job> jobs{job_on(Kind::kAllReduce, group, vc, design, 200, seed)};
      if (!other.empty()) {
        // From another port to the dead sink, in the same circuit; and a group that has nothing to do with it.
        jobs.push_back(with_data(Job::on_flow(Kind::kBroadcast, {{other.front()}, {dead}}), design,
                                 10 * static_cast<std::size_t>(design.bytes()), seed + 1));
        jobs.back().vc = vc;
        jobs.push_back(job_on(Kind::kAllReduce, other, design.vcs - 1 - vc, design, 60, seed + 2));
      }
      INFO("FRED_SEED=", seed, " ", to_string(jobs[0].flow()), " dead ", dead);
      bench.set_up(jobs);
      bench.behaviour.start_out.assign(static_cast<std::size_t>(design.radix), 0);
      bench.behaviour.start_out[static_cast<std::size_t>(dead)] = kNeverReady;
      bench.harness.set_behaviour(bench.behaviour);
      bench.harness.set_idle_limit(2 * kTimeout);
      std::vector<Traffic> traffic;
      traffic.push_back(bench.traffic_of(jobs, 0));
      if (jobs.size() > 1) {
        Job later = jobs[1];
        later.start = 100;  // the packet of the first one is open by then
        traffic.push_back(make_traffic(later, design, 1, static_cast<std::uint8_t>(bench.epochs[1]),
                                       4 * static_cast<std::size_t>(design.bytes()), false));
      }
      // The run would wait for as long as the sink may; the traffic is put on by hand.
      for (const Traffic& job : traffic) {
        for (int port = 0; port < design.radix; ++port) {
          bench.harness.source(port).push(job.sent[static_cast<std::size_t>(port)], bench.harness.cycles() + job.start);
        }
      }
      bench.harness.sink(dead).set_start(kNeverReady);
      for (std::uint32_t cycle = 0; cycle < 3 * kTimeout; ++cycle) bench.harness.step();
      const std::uint32_t at = 1U << dead;
      const Report first = bench.report(0);
      CHECK(first.hangs);
      CHECK(first.missing == 0);
      CHECK(first.full == at);
      if (jobs.size() > 1) {
        const Report second = bench.report(1);
        CHECK(second.hangs);
        CHECK(second.missing == 0);
        CHECK(second.full == at);
        // One of the two is inside a packet there, or none, if the last place went to the end of one.
        CHECK((first.locked | second.locked) <= at);
        CHECK((first.locked & second.locked) == 0);
      }
      for (std::size_t i = 0; i < traffic.size(); ++i) bench.abort(static_cast<int>(i));
      bench.drain();
      bench.behaviour.start_out.clear();
      bench.clear_errors();
      if (jobs.size() > 2) {
        bench.harness.set_behaviour(bench.behaviour);
        bench.harness.sink(dead).set_start(kNeverReady);
        std::vector<Traffic> third;
        third.push_back(bench.traffic_of(jobs, 2));
        PacketWatch watch(design);
        bench.harness.set_hook([&](const InPins& pins_in, const OutPins& pins_out) { watch(pins_in, pins_out); });
        for (int port = 0; port < design.radix; ++port) {
          bench.harness.source(port).push(third[0].sent[static_cast<std::size_t>(port)]);
        }
        bench.drain();  // it goes through beside the dead sink
        bench.harness.set_hook({});
        CHECK(watch.all_closed());
        std::size_t next = 0;
        for (const Traffic::Sink& sink : third[0].sinks) next += sink.packets.size();
        CHECK(watch.packets.size() == next);
        CHECK_FALSE(check_spoiled(watch, third));
      }
      bench.harness.set_behaviour(bench.behaviour);
      bench.harness.sink(dead).set_start(0);
      for (int cycle = 0; cycle < 200; ++cycle) bench.harness.step();  // what is left comes out
      std::vector<int> all;
      for (std::size_t i = 0; i < jobs.size(); ++i) all.push_back(static_cast<int>(i));
      bench.clear_errors();
      check(bench.again(jobs, all), "when the sink accepts again");
    }
  }
}

namespace {

/// Routes of any colours for two or three groups that all call each other compatible.
Setup overlapping(const AbortBench& bench, const std::vector<Job>& jobs, int epoch, Random& random) {
  Setup setup = make_setup(bench.design, bench.network, jobs, {epoch});
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (int& colour : setup.descriptors[i].route.colours) colour = random.below(bench.design.middle);
    setup.descriptors[i].compatible.clear();
    for (std::size_t other = 0; other < jobs.size(); ++other) {
      if (other != i) setup.descriptors[i].compatible.push_back(static_cast<int>(other));
    }
  }
  return setup;
}

}  // namespace

TEST_CASE("rtl abort: routes that overlap spoil no packet unseen, and all goes on after an abort") {
  const std::uint64_t base = base_seed();
  int met = 0;
  for (const Design& design : {several_circuits(), one_circuit()}) {
    const auto engine = rtl_switch(design, static_cast<int>(base));
    for (std::uint64_t seed = base; seed < base + 60; ++seed) {
      Random random(sub_seed(seed, 44));
      AbortBench bench(*engine, design, seed);
      PacketWatch watch(design);
      // Descriptors of one port each way, and of several; the ports of no two meet.
      const std::vector<int> in = shuffled(design.radix, random), out = shuffled(design.radix, random);
      std::vector<Job> jobs;
      for (std::size_t i = 0; i < 3 && 2 * i < in.size(); ++i) {
        const bool two = i == 0 && design.radix > 4;
        const Group from(in.begin() + static_cast<std::ptrdiff_t>(i), in.begin() + static_cast<std::ptrdiff_t>(i + 1));
        Group to(out.begin() + static_cast<std::ptrdiff_t>(i), out.begin() + static_cast<std::ptrdiff_t>(i + 1));
        if (two) to.push_back(out[3]);
        jobs.push_back(with_data(Job::on_flow(Kind::kBroadcast, {from, to}), design,
                                 static_cast<std::size_t>((10 + random.below(60)) * design.bytes()), seed + i));
        jobs.back().vc = random.below(design.vcs);
        jobs.back().start = static_cast<std::uint64_t>(random.below(20));
      }
      INFO("FRED_SEED=", seed);
      std::vector<int> all;
      for (std::size_t i = 0; i < jobs.size(); ++i) all.push_back(static_cast<int>(i));
      bench.epoch = 3;
      bench.harness.configure(overlapping(bench, jobs, 3, random));
      for (const int i : all) bench.epochs[i] = 3;
      std::vector<Traffic> traffic;
      for (const int i : all) traffic.push_back(bench.traffic_of(jobs, i));
      bench.harness.set_hook([&](const InPins& pins_in, const OutPins& pins_out) { watch(pins_in, pins_out); });
      const RunResult result = bench.harness.run(traffic);
      for (int cycle = 0; cycle < 100; ++cycle) bench.harness.step();
      CHECK(watch.all_closed());
      INFO(text_of(result));
      const bool spoiled = check_spoiled(watch, traffic);
      met += spoiled ? 1 : 0;
      CHECK(spoiled == (text_of(result).find("conflict") != std::string::npos));
      CHECK(spoiled == !result.hang.empty());
      std::uint32_t spoiled_ones = 0;
      for (const int i : all) {
        const std::uint32_t status = bench.read(i, RegisterMap::kStatus);
        spoiled_ones += StatusFields::kSpoiled.of(status);
        CHECK(StatusFields::kSpoiled.of(status) == StatusFields::kHalted.of(status));
      }
      CHECK((spoiled_ones >= 1) == spoiled);
      for (const int i : all) bench.abort(i);
      for (const int i : all) CHECK(StatusFields::kSpoiled.of(bench.read(i, RegisterMap::kStatus)) == 0);
      bench.drain();
      bench.clear_errors();
      watch.clear();
      // Routed as they should be.
      bench.set_up(jobs);
      check(bench.again(jobs, all), "routed well");
    }
  }
  CHECK(met > 20);
}
