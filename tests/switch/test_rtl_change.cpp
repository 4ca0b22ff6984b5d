// SPDX-License-Identifier: Apache-2.0
// Groups that are added and removed in a switch whose other groups run: all bits right, and no error.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "fred/route/change.hpp"
#include "fred/route/program_change.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

using namespace fred;
using namespace fred::tb;
using namespace fred::test;

namespace {

constexpr std::uint32_t kUnknown = 8;  // in ERROR: a beat of a descriptor that is disabled waits

Design small() {
  Design design;
  design.vcs = 1;
  design.radix = 6;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.lanes = 2;
  design.validate();
  return design;
}

/// A switch whose groups come and go while others send.
class Live {
 public:
  Live() : engine_(rtl_switch(small())), bench_(*engine_, small()) {}

  [[nodiscard]] const std::vector<Descriptor>& running() const { return running_; }
  [[nodiscard]] const Design& design() const { return bench_.design; }
  [[nodiscard]] const Network& network() const { return bench_.network; }

  /// Sends more on a group: `bytes` from each member.
  void send(const Descriptor& of, std::size_t bytes, std::uint64_t seed) {
    jobs_.push_back(with_data(Job::on_group(of.kind, of.in), design(), bytes, seed));
    traffic_.push_back(make_traffic(jobs_.back(), design(), of.index, static_cast<std::uint8_t>(of.epoch),
                                    4 * static_cast<std::size_t>(design().bytes()), false));
    const Traffic& traffic = traffic_.back();
    for (int port = 0; port < design().radix; ++port) {
      bench_.harness.source(port).push(traffic.sent[static_cast<std::size_t>(port)]);
    }
    for (const Traffic::Sink& sink : traffic.sinks) {
      bench_.harness.scoreboard().expect(sink.port, traffic.descriptor, sink.packets, traffic.by_source);
    }
  }

  void steps(int cycles) {
    for (int i = 0; i < cycles; ++i) bench_.harness.step();
  }

  /// Writes a change, step by step; a disabling write is repeated until it is taken. `after` is called after each step.
  template <typename After>
  void apply(const ProgramChange& change, After after) {
    for (const ChangeStep& step : change.steps) {
      for (const RegisterWrite& write : step.writes) {
        INFO(to_string(step.kind), " ", step.descriptor, " ", write.name);
        const bool disables = write.name == "CONTROL" && write.data == 0;
        int tries = disables ? 2000 : 1;
        while (!bench_.harness.write(write.address, write.data).okay() && tries > 0) --tries;
        REQUIRE(tries > 0);
        refused_ += disables ? 2000 - tries : 0;
      }
      after(step);
    }
    running_ = change.descriptors;
  }

  /// Waits for all that was sent, and checks it.
  void drain() {
    Harness& harness = bench_.harness;
    const auto idle = [&] {
      for (int port = 0; port < design().radix; ++port) {
        if (!harness.source(port).idle()) return false;
      }
      return harness.scoreboard().complete();
    };
    for (int i = 0; i < 20000 && !idle(); ++i) harness.step();
    CHECK(idle());
    steps(2 * design().first_beat_latency() + 8);
    std::string text;
    for (const std::string& message : harness.scoreboard().messages()) text += message + "\n";
    CHECK_MESSAGE(harness.scoreboard().mismatches() == 0, text);
    CHECK(harness.checker().violations() == 0);
    const std::uint32_t errors = harness.read(RegisterMap::kError).data;
    CHECK_MESSAGE((errors & ~kUnknown) == 0, "ERROR ", errors);
    waited_ += errors == 0 ? 0 : 1;
    REQUIRE(harness.write(RegisterMap::kError, errors).okay());
  }

  [[nodiscard]] int refused() const { return refused_; }
  [[nodiscard]] int waited() const { return waited_; }

 private:
  std::unique_ptr<Engine> engine_;
  Bench bench_;
  std::vector<Descriptor> running_;
  std::deque<Job> jobs_;         // whose data the traffic points to
  std::deque<Traffic> traffic_;  // all of it
  int refused_ = 0;              // writes that a busy descriptor refused
  int waited_ = 0;               // drains with beats that had waited for a disabled descriptor
};

}  // namespace

TEST_CASE("rtl: groups are added, removed and moved while others run, bit for bit") {
  const std::uint64_t seed = base_seed();
  INFO("FRED_SEED=", seed);
  Random random(sub_seed(seed, 77));
  Live live;
  std::map<StepKind, int> seen;
  std::uint64_t data = seed;
  int shared_cycles = 0;
  for (int change_of = 0; change_of < 150; ++change_of) {
    // Those that stay send; those that go have sent all before.
    std::vector<Descriptor> stay;
    std::vector<int> removed;
    for (const Descriptor& descriptor : live.running()) {
      if (random.below(4) == 0) {
        removed.push_back(descriptor.index);
      } else {
        stay.push_back(descriptor);
      }
    }
    Running flows;
    for (std::size_t d = 0; d < stay.size(); ++d) {
      flows.flows.push_back({stay[d].in, stay[d].out});
      flows.routes.push_back(stay[d].route);
      flows.rounds.push_back({static_cast<int>(d)});
    }
    std::vector<Flow> added;
    std::vector<int> ports = shuffled(live.design().radix, random);
    for (int count = random.below(3); count > 0 && stay.size() + added.size() < 8; --count) {
      const std::size_t size = std::min(ports.size(), static_cast<std::size_t>(1 + random.below(4)));
      added.push_back(flow_of(Group(ports.begin(), ports.begin() + static_cast<std::ptrdiff_t>(size))));
      ports.erase(ports.begin(), ports.begin() + static_cast<std::ptrdiff_t>(size));
      if (ports.empty()) break;
    }
    LinkSet broken(live.network().links.size());
    for (int count = 6 * random.below(2); count > 0; --count) {
      broken[static_cast<std::size_t>(random.below(static_cast<int>(broken.size())))] = true;
    }
    const Change routed = add_flows(live.network(), flows, added, broken);
    if (routed.conflict) continue;
    std::vector<Collective> collectives;
    for (const Flow& flow : added) collectives.push_back({Kind::kAllReduce, flow, 0, Op::kSum});
    const ProgramChange change =
        change_program(live.design(), live.network(), stay, removed, collectives, routed.routes, random.below(16));
    for (const Descriptor& descriptor : stay)
      live.send(descriptor, 8 * static_cast<std::size_t>(100 + random.below(200)), ++data);
    live.steps(random.below(40));
    live.apply(change, [&](const ChangeStep& step) {
      ++seen[step.kind];
      if (step.kind != StepKind::kAdd) return;
      for (const Descriptor& descriptor : change.descriptors) {
        if (descriptor.index == step.descriptor)
          live.send(descriptor, 8 * static_cast<std::size_t>(50 + random.below(100)), ++data);
      }
    });
    for (const Descriptor& descriptor : live.running()) shared_cycles += descriptor.compatible.empty() ? 0 : 1;
    live.drain();
  }
  for (const StepKind kind : {StepKind::kRemove, StepKind::kStop, StepKind::kMove, StepKind::kAdd, StepKind::kShare}) {
    CAPTURE(std::string(to_string(kind)));
    CHECK(seen[kind] > 3);
  }
  CHECK(live.refused() > 0);
  CHECK(shared_cycles > 20);
  CHECK(live.waited() > 0);
}
