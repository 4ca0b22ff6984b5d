// SPDX-License-Identifier: Apache-2.0
// What links and their descriptors do when something goes wrong: a group that stops, a link that is cut, a switch that
// is reset, descriptors that may not be enabled.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/fabric/fabric_bench.hpp"

namespace fred::test {
namespace {

using tb::Traffic;

constexpr int kEpoch = 3;
constexpr std::size_t kPacket = 4 * 150;  // bytes: longer than the queues

/// Two groups over both leaves.
std::vector<FabricCollective> two_groups() {
  return {{.kind = Kind::kAllReduce, .ranks = {{0, 0}, {0, 1}, {1, 0}}},
          {.kind = Kind::kAllGather, .ranks = {{0, 2}, {1, 1}, {1, 3}}, .vc = 1}};
}

std::vector<tb::Job> jobs_of(FabricBench& bench, int count, std::size_t words, std::uint64_t seed) {
  std::vector<tb::Job> jobs;
  for (int c = 0; c < count; ++c) jobs.push_back(bench.job(c, 4 * words, seed + static_cast<std::uint64_t>(c)));
  return jobs;
}

std::vector<Traffic> traffic_of(FabricBench& bench, const std::vector<tb::Job>& jobs, int epoch) {
  std::vector<Traffic> traffic;
  for (std::size_t c = 0; c < jobs.size(); ++c) {
    traffic.push_back(tb::make_traffic(jobs[c], bench.large(), static_cast<int>(c), static_cast<std::uint8_t>(epoch),
                                       kPacket, false));
  }
  return traffic;
}

void check_clean(FabricBench& bench, const tb::RunResult& result) {
  CHECK(result.mismatches == 0);
  CHECK_MESSAGE(result.hang.empty(), result.hang);
  for (const std::string& message : result.messages) MESSAGE(message);
  for (int of = 0; of < 3; ++of) CHECK(bench.read(of, RegisterMap::kError) == 0);
}

/// CONTROL: abort, and this epoch from then on.
std::uint32_t abort_to(int epoch) {
  return ControlFields::kEnable.place(1) | ControlFields::kAbort.place(1) |
         ControlFields::kEpoch.place(static_cast<std::uint32_t>(epoch));
}

std::uint32_t status(FabricBench& bench, int of, int descriptor) {
  const RegisterMap map(bench.fabric().design(of));
  return bench.read(of, map.descriptor(descriptor, RegisterMap::kStatus));
}

TEST_CASE("fabric: a link that is cut loses nothing") {
  for (const std::uint64_t from : {600, 700, 911}) {
    for (const std::uint64_t length : {20, 400, 3000}) {
      CAPTURE(from);
      CAPTURE(length);
      FabricBench bench(two_leaves(), two_groups(), {{.cut_from = from, .cut_to = from + length}}, kEpoch);
      const auto jobs = jobs_of(bench, 2, 900, 5);
      check_clean(bench, bench.harness().run(traffic_of(bench, jobs, kEpoch)));
      CHECK(bench.engine().up());
      const RegisterMap map(bench.fabric().design(2));
      std::uint32_t replays = 0;  // the cut was in the middle of it
      for (int i = 0; i < 2; ++i) replays += bench.read(2, map.link_status(i, RegisterMap::kLinkReplays));
      CHECK(replays > 0);
    }
  }
}

TEST_CASE("fabric: a stopped group costs the others nothing") {
  std::vector<std::uint64_t> cycles;
  for (const bool stops : {false, true}) {
    auto groups = two_groups();
    groups.push_back({.kind = Kind::kBroadcast, .ranks = {{0, 4}, {1, 4}, {1, 5}}});
    FabricBench bench(two_leaves(), groups, {}, kEpoch);
    auto jobs = jobs_of(bench, 3, 1500, 9);
    jobs[0].start = jobs[1].start = 4000;  // when the third one has filled all that it can
    tb::Behaviour behaviour;
    const int sink = tb::FabricEngine::port(bench.fabric(), {1, 5});
    if (stops) behaviour.at_vc[{sink, 0}] = {.held_from = 100, .held_to = tb::kForEver};
    bench.harness().set_behaviour(behaviour);
    bench.harness().set_idle_limit(6000);
    const tb::RunResult result = bench.harness().run(traffic_of(bench, jobs, kEpoch));
    CHECK(result.hang.empty() == !stops);
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(result.jobs[c]
                .beats_out[static_cast<std::size_t>(tb::FabricEngine::port(bench.fabric(), groups[c].ranks[0]))] ==
            (c == 0 ? 1500 : 4500));
      CHECK(result.jobs[c].last_out > 0);
      cycles.push_back(result.jobs[c].last_out - result.jobs[c].start);
    }
  }
  CHECK(cycles[0] == cycles[2]);
  CHECK(cycles[1] == cycles[3]);
}

/// Begins the next epoch everywhere, at switch `anew` (if any) by setting up everything, lets the members finish what
/// they have begun, and runs.
void go_on(FabricBench& bench, int anew) {
  auto& harness = bench.harness();
  const int next = kEpoch + 1;
  const auto writes = fabric_writes(bench.fabric(), bench.plan(), next);
  for (int of = 0; of < 3; ++of) {
    if (of == anew) {
      for (const RegisterWrite& write : writes[static_cast<std::size_t>(of)]) {
        CHECK(bench.write(of, write.address, write.data).okay());
      }
      continue;
    }
    const RegisterMap map(bench.fabric().design(of));
    for (std::size_t d = 0; d < bench.plan().descriptors[static_cast<std::size_t>(of)].size(); ++d) {
      const std::uint32_t config = bench.read(of, map.descriptor(static_cast<int>(d), RegisterMap::kConfig));
      if (ConfigFields::kEpoch.of(config) == static_cast<std::uint32_t>(next)) continue;
      CHECK(bench.write(of, map.descriptor(static_cast<int>(d), RegisterMap::kControl), abort_to(next)).okay());
    }
  }
  for (int i = 0; i < 6000; ++i) harness.step();  // what the members have begun is dropped
  for (int port = 0; port < bench.large().radix; ++port) CHECK(harness.source(port).idle());
  for (int of = 0; of < 3; ++of) bench.write(of, RegisterMap::kError, 0x3ff);
  // The protocol checker has seen packets of a switch that was reset end in the middle; the scoreboard has not.
  const auto again = jobs_of(bench, 2, 700, 23);
  const tb::RunResult first = harness.run(traffic_of(bench, again, next));
  CHECK_MESSAGE(first.hang.empty(), first.hang);
  for (const tb::JobResult& job : first.jobs) CHECK(job.mismatches == 0);
  if (anew < 0) CHECK(first.mismatches == 0);
  const auto more = jobs_of(bench, 2, 800, 29);
  check_clean(bench, harness.run(traffic_of(bench, more, next)));
}

TEST_CASE("fabric: what is lost with a switch that is reset is reported, and after aborts all goes on") {
  for (const std::uint64_t when : {300, 350, 444}) {
    CAPTURE(when);
    FabricBench bench(two_leaves(), two_groups(), {}, kEpoch);
    auto& harness = bench.harness();
    const auto jobs = jobs_of(bench, 2, 900, 17);
    const std::uint64_t begin = harness.cycles();
    harness.set_hook([&](const tb::InPins&, const tb::OutPins&) {
      const std::uint64_t now = harness.cycles() - begin;
      bench.engine().hold_in_reset(1, now >= when && now < when + 5);
    });
    harness.set_idle_limit(2000);
    const tb::RunResult result = harness.run(traffic_of(bench, jobs, kEpoch));
    harness.set_hook(nullptr);
    CHECK(!result.hang.empty());
    CHECK(bench.engine().up());

    // The root has lost what was on its link to leaf 1, of both collectives.
    CHECK(ErrorFields::kLink.of(bench.read(2, RegisterMap::kError)) == 1);
    for (int d = 0; d < 2; ++d) {
      CHECK(StatusFields::kSpoiled.of(status(bench, 2, d)) == 1);
      CHECK(StatusFields::kHalted.of(status(bench, 2, d)) == 1);
    }
    const RegisterMap root_map(bench.fabric().design(2));
    CHECK(bench.read(2, root_map.link_status(0, RegisterMap::kLinkLosses)) == 0);
    CHECK(bench.read(2, root_map.link_status(1, RegisterMap::kLinkLosses)) == 1);
    const std::uint32_t first = bench.read(2, RegisterMap::kFirstError);
    CHECK(FirstErrorFields::kKind.of(first) == static_cast<std::uint32_t>(ErrorFields::kLink.low));
    CHECK(FirstErrorFields::kHasPort.of(first) == 0);
    go_on(bench, 1);
  }
}

TEST_CASE("fabric: an abort in the middle of a packet goes on over the links as an error") {
  for (const std::uint64_t when : {300, 345, 410}) {
    CAPTURE(when);
    FabricBench bench(two_leaves(), two_groups(), {}, kEpoch);
    auto& harness = bench.harness();
    const auto jobs = jobs_of(bench, 2, 900, 17);
    bool late = false;
    const std::uint64_t begin = harness.cycles();
    const int up = bench.plan().at[0][0].sends;
    const RegisterMap map(bench.fabric().design(0));
    bool errors_seen[2] = {false, false};  // at members of leaf 0 and of leaf 1
    harness.set_hook([&](const tb::InPins& in, const tb::OutPins& out) {
      late = harness.cycles() - begin >= when;
      for (int port = 0; port < bench.large().radix; ++port) {
        const auto p = static_cast<std::size_t>(port);
        const auto error = p * static_cast<std::size_t>(bench.large().m_user_bits()) + 5;
        if (tb::get_bit(out.m_tvalid, p) && tb::get_bit(in.m_tready, p) && tb::get_bit(out.m_tuser, error)) {
          errors_seen[port / 8] = true;
        }
      }
    });
    for (const Traffic& of : traffic_of(bench, jobs, kEpoch)) {
      for (int port = 0; port < bench.large().radix; ++port) {
        harness.source(port).push(of.sent[static_cast<std::size_t>(port)]);
      }
    }
    while (!late) harness.step();
    CHECK(bench.write(0, map.descriptor(up, RegisterMap::kControl), abort_to(kEpoch + 1)).okay());
    for (int i = 0; i < 400; ++i) harness.step();
    // The root, then both downlinks, were told by an error beat; the other collective goes on.
    CHECK(StatusFields::kSpoiled.of(status(bench, 2, 0)) == 1);
    CHECK(StatusFields::kSpoiled.of(status(bench, 2, 1)) == 0);
    for (int of = 0; of < 2; ++of) {
      CHECK(StatusFields::kSpoiled.of(status(bench, of, bench.plan().at[0][static_cast<std::size_t>(of)].receives)) ==
            1);
      CHECK(ErrorFields::kLink.of(bench.read(of, RegisterMap::kError)) == 1);
      CHECK(errors_seen[of]);
    }
    for (int i = 0; i < 4000; ++i) harness.step();  // until it has
    harness.set_hook(nullptr);
    go_on(bench, -1);
  }
}

TEST_CASE("fabric: a slot has one descriptor, and a kind that needs its own routes does not cross") {
  FabricBench bench(two_leaves(), two_groups(), {}, kEpoch);
  CHECK(bench.refused.empty());
  const Design leaf = bench.fabric().design(0);
  const RegisterMap map(leaf);
  const auto& used = bench.plan().descriptors[0];
  const int free = static_cast<int>(used.size());  // a descriptor that is not in use
  const std::uint32_t up = 1U << 6, members = 0x30;
  const auto set_up = [&](Kind kind, std::uint32_t in, std::uint32_t out, int slot) {
    const auto write = [&](std::uint32_t offset, std::uint32_t data) {
      CHECK(bench.write(0, map.descriptor(free, offset), data).okay());
    };
    write(RegisterMap::kConfig, ConfigFields::kKind.place(static_cast<std::uint32_t>(kind)));
    write(RegisterMap::kColours, 0);
    write(RegisterMap::kInMask, in);
    write(map.out_mask, out);
    write(map.compat, 0);
    CHECK(bench.write(0, map.link(free, 0), LinkFields::kSlot.place(static_cast<std::uint32_t>(slot))).okay());
  };
  const auto enables = [&] {
    const std::uint32_t control = map.descriptor(free, RegisterMap::kControl);
    const bool okay = bench.write(0, control, 1).okay();
    if (okay) CHECK(bench.write(0, control, 0).okay());
    return okay;
  };
  int taken = -1;  // of an uplink
  for (const FabricDescriptor& of : used) {
    if (of.local.flow.out == Ports{6}) taken = of.links.front().slot;
  }
  REQUIRE(taken >= 0);
  set_up(Kind::kAllReduce, members, up, taken);
  CHECK(!enables());
  set_up(Kind::kAllReduce, members, up, 3);
  CHECK(enables());
  set_up(Kind::kAllReduce, members, members, taken);  // crosses nothing
  CHECK(enables());
  set_up(Kind::kSend, members, up, 3);
  CHECK(!enables());
  set_up(Kind::kSend, members, members, 3);
  CHECK(enables());
  // What a descriptor in use is at the link cannot be written, nor bits that there are not.
  CHECK(!bench.write(0, map.link(0, 0), 0).okay());
  CHECK(!bench.write(0, map.link(free, 0), 1U << 29).okay());
  CHECK(bench.write(0, map.link(free, 0), 0x80002012).okay());
  CHECK(bench.read(0, map.link(free, 0)) == 0x80002012);
  CHECK(!bench.write(0, map.link_status(0, 0), 0).okay());
}

TEST_CASE("fabric: a wrong bit of what a descriptor is at a link port stops it") {
  FabricBench bench(two_leaves(), two_groups(), {}, kEpoch);
  const RegisterMap map(bench.fabric().design(0));
  const std::uint32_t control = map.descriptor(0, RegisterMap::kControl);
  const std::uint32_t link = map.link(0, 0), word = bench.read(0, link);
  CHECK(bench.write(0, control, 0).okay());
  CHECK(bench.write(0, link, word | LinkFields::kFlipParity.place(1)).okay());
  CHECK(bench.read(0, RegisterMap::kError) == 0);
  CHECK(bench.write(0, control, 1).okay());
  CHECK(ErrorFields::kParity.of(bench.read(0, RegisterMap::kError)) == 1);
  CHECK(StatusFields::kSpoiled.of(status(bench, 0, 0)) == 1);
}

}  // namespace
}  // namespace fred::test
