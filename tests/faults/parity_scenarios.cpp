// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/parity_scenarios.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "fred/design/register_map.hpp"
#include "fred/route/program.hpp"
#include "tests/faults/control_bench.hpp"

namespace fred::test {
namespace {

struct ParityBench : ControlBench {
  using ControlBench::ControlBench;
  /// ERROR and FIRST_ERROR tell of the parity of this descriptor, and of nothing else.
  void require_parity_error(int descriptor) {
    require(errors() == ErrorFields::kParity.mask(), fmt::format("ERROR is {:#x}", errors()));
    const std::uint32_t first = harness.read(RegisterMap::kFirstError).data;
    require(FirstErrorFields::kKind.of(first) == static_cast<std::uint32_t>(ErrorFields::kParity.low) &&
                FirstErrorFields::kHasPort.of(first) == 0 &&
                FirstErrorFields::kDescriptor.of(first) == static_cast<std::uint32_t>(descriptor) &&
                FirstErrorFields::kValid.of(first) == 1,
            fmt::format("FIRST_ERROR is {:#x}", first));
  }
  /// Packets of a job that came without the error bit are right, and so many came with it.
  std::size_t count_spoiled(int descriptor) {
    const Traffic& job = traffic[static_cast<std::size_t>(descriptor)];
    std::map<int, std::size_t> next;  // by port
    std::size_t spoiled = 0;
    for (const SeenPacket& packet : packets.packets) {
      if (packet.descriptor != descriptor) continue;
      require(packet.error == packet.ends_with_error, "a spoiled packet ends without the error bit");
      const std::size_t at = next[packet.port]++;
      if (packet.error) {
        ++spoiled;
        continue;
      }
      require(spoiled == 0, "a packet without the error bit comes behind one with it");
      const auto sink = std::find_if(job.sinks.begin(), job.sinks.end(),
                                     [&](const Traffic::Sink& one) { return one.port == packet.port; });
      require(sink != job.sinks.end(), "a packet at a stranger");
      require(at < sink->packets.size() && packet.bytes.size() == sink->packets[at].bytes &&
                  std::equal(packet.bytes.begin(), packet.bytes.end(), sink->packets[at].data),
              "a packet is wrong and does not say so");
    }
    return spoiled;
  }
};

constexpr std::uint32_t kFlip = ControlFields::kEnable.mask() | ControlFields::kFlipParity.mask();

}  // namespace

/// The parity of one of two descriptors at work goes wrong.
void row_parity(Engine& engine, const Design& design) {
  for (const std::size_t packet_beats : {std::size_t{1}, std::size_t{4}, std::size_t{64}}) {
    for (const int faulty : {0, 1}) {
      for (int wait = 30; wait < 34; ++wait) {
        ParityBench bench(engine, design);
        const std::vector<Job> jobs{random_job(Kind::kAllReduce, {0, 3}, design, 128, 1),
                                    random_job(Kind::kAllReduce, {1, 2, 4}, design, 128, 2)};
        bench.prepare(jobs, false, packet_beats);
        const int epoch = bench.epoch, other = 1 - faulty;
        bench.harness.scoreboard().clear();
        for (const Traffic& traffic : bench.traffic) bench.push(traffic);
        bench.steps(wait);
        require(bench.control(faulty, kFlip), "flip_parity refused");
        bench.steps(250);
        require(bench.packets.all_closed(), "a packet is open");
        require(bench.count_spoiled(faulty) > 0, "no packet has the error bit");
        require(bench.count_spoiled(other) == 0, "a packet of another group has the error bit");
        const Traffic& others = bench.traffic[static_cast<std::size_t>(other)];
        const auto arrived = std::count_if(bench.packets.packets.begin(), bench.packets.packets.end(),
                                           [&](const SeenPacket& packet) { return packet.descriptor == other; });
        require(static_cast<std::size_t>(arrived) == others.sinks.size() * others.sinks[0].packets.size(),
                "the other group has not got everything");
        const std::uint32_t held =
            StatusFields::kEnabled.mask() | StatusFields::kHalted.mask() | StatusFields::kSpoiled.mask();
        require((bench.status(faulty) & held) == held, "not halted");
        bench.require_parity_error(faulty);
        bench.clear_errors();
        require(bench.errors() == 0, "it is reported twice");
        // An abort does not make the row right; writing it does.
        bench.abort(faulty, epoch ^ 1);
        require((bench.status(faulty) & held) == held, "it runs on a wrong row");
        require(bench.control(faulty, 0), "disabling refused");
        require(bench.status(faulty) == 0, "disabled, and not at rest");
        require(bench.control(faulty, ControlFields::kEnable.mask()), "enabling refused");
        bench.steps(300);  // what is left of the old epoch is dropped
        bench.clear_errors();
        check(bench.again(jobs, faulty, epoch ^ 1), "enabled again");
        check(bench.again(jobs, other, epoch), "the other group");
        require(bench.errors() == 0, "another error");
        // Enabled with the wrong parity, and enabled twice.
        require(bench.control(other, 0) && bench.control(other, kFlip), "enabling with the wrong parity refused");
        bench.steps(4);
        bench.require_parity_error(other);
        require(bench.control(other, 0) && bench.control(other, ControlFields::kEnable.mask()), "enabling refused");
        bench.clear_errors();
        require(bench.control(other, ControlFields::kEnable.mask()), "enabling twice refused");
        check(bench.again(jobs, other, epoch), "enabled twice");
      }
    }
  }
}

/// An all-to-all entry has the wrong parity: of every step and every port in turn.
void entry_parity(Engine& engine, const Design& design) {
  const Group group{0, 1, 3, 4};
  for (int step = 0; step < 4; ++step) {
    for (const int port : group) {
      ParityBench bench(engine, design);
      const std::vector<Job> jobs{random_job(Kind::kAllToAll, group, design, 16, 1),
                                  random_job(Kind::kBroadcast, {2}, {2}, design, 60, 2)};
      bench.prepare(jobs);
      const int epoch = bench.epoch;
      std::uint32_t word = 0;
      bool found = false;
      for (const AllToAllEntry& entry : bench.setup.descriptors[0].alltoall.steps[static_cast<std::size_t>(step)]) {
        if (entry.source != port) continue;
        word = EntryFields::kDestination.place(static_cast<std::uint32_t>(entry.destination)) |
               colours_word(design, entry.route) << EntryFields::kColours.low;
        found = true;
      }
      require(found, "no such entry");
      const std::uint32_t address = bench.harness.registers().alltoall(design, 0, step, port);
      require(!bench.harness.write(address, word).okay(), "an entry in use is written");
      require(bench.control(0, 0), "disabling refused");
      require(bench.harness.write(address, word | EntryFields::kFlipParity.mask()).okay(), "flip_parity refused");
      require(bench.control(0, ControlFields::kEnable.mask()), "enabling refused");
      bench.harness.scoreboard().clear();
      for (const Traffic& traffic : bench.traffic) bench.push(traffic);
      bench.steps(250);
      require(bench.packets.all_closed(), "a packet is open");
      bench.count_spoiled(0);
      require(bench.count_spoiled(1) == 0, "a packet of another group has the error bit");
      require(StatusFields::kSpoiled.of(bench.status(0)) != 0, fmt::format("step {} port {}: not halted", step, port));
      bench.require_parity_error(0);
      bench.clear_errors();
      require(bench.control(0, 0), "disabling refused");
      require(bench.harness.write(address, word).okay(), "the entry is refused");
      require(bench.control(0, ControlFields::kEnable.mask()), "enabling refused");
      bench.abort(0, epoch ^ 1);
      bench.steps(300);
      bench.clear_errors();
      check(bench.again(jobs, 0, epoch ^ 1), "with the entry written again");
      check(bench.again(jobs, 1, epoch), "the other group");
      require(bench.errors() == 0, "another error");
    }
  }
}

/// A row is disabled and written as soon as its only beat has gone: what comes out has the old epoch and circuit.
void row_written_in_flight(Engine& engine, const Design& design) {
  int delivered = 0;
  for (int wait = 0; wait < 12; ++wait) {
    ParityBench bench(engine, design);
    const std::vector<Job> jobs{random_job(Kind::kBroadcast, {0}, {1, 2}, design, 1, 1)};
    bench.prepare(jobs);
    const std::uint32_t address = bench.harness.registers().descriptor(0, RegisterMap::kConfig);
    const std::uint32_t config = bench.harness.read(address).data;
    Scoreboard& board = bench.harness.scoreboard();
    board.clear();
    for (const Traffic::Sink& sink : bench.traffic[0].sinks) board.expect(sink.port, 0, sink.packets, false);
    bench.push(bench.traffic[0]);
    bench.steps(wait);
    if (bench.control(0, 0)) {
      const std::uint32_t epoch = ConfigFields::kEpoch.place(ConfigFields::kEpoch.of(config) ^ 0xfU);
      require(bench.harness.write(address, (config & ~ConfigFields::kEpoch.mask()) | epoch).okay(), "CONFIG refused");
    }
    bench.steps(60);
    // It has gone with what the row said then, or is still at the head.
    if (bench.packets.packets.empty()) continue;
    ++delivered;
    bench.check_scoreboard(fmt::format("disabled {} cycles after the beat came", wait));
  }
  require(delivered > 4, "hardly a beat has gone");
}

/// CONTROL is written without `enable` in every cycle of a stream of packets: either that is refused and changes
/// nothing, or no packet is open then and none begins.
void disabled_in_traffic(Engine& engine, const Design& design) {
  int refused = 0, disabled = 0;
  for (const Kind kind : {Kind::kAllReduce, Kind::kAllToAll}) {
    for (int wait = 0; wait < 40; ++wait) {
      ParityBench bench(engine, design);
      const std::string what = fmt::format("{}, after {} cycles", to_string(kind), wait);
      const std::vector<Job> jobs{random_job(kind, {0, 1, 3}, design, 18, 1)};
      bench.prepare(jobs, false, 3);
      Scoreboard& board = bench.harness.scoreboard();
      board.clear();
      for (const Traffic::Sink& sink : bench.traffic[0].sinks) {
        board.expect(sink.port, 0, sink.packets, kind == Kind::kAllToAll);
      }
      bench.harness.source(1).set_stall(0.5, static_cast<std::uint64_t>(wait));
      bench.push(bench.traffic[0]);
      bench.steps(wait);
      if (bench.control(0, 0)) {
        ++disabled;
        bench.steps(60);
        require(bench.packets.all_closed(), what + ": disabled with an open packet");
        for (int port = 0; port < design.radix; ++port) {
          require(PortFields::kEgressOpen.of(bench.harness.read(bench.harness.registers().port(port)).data) == 0,
                  what + ": disabled with an open egress");
        }
        require(bench.control(0, ControlFields::kEnable.mask()), what + ": enabling refused");
      } else {
        ++refused;
      }
      bench.steps(200);
      bench.check_scoreboard(what);
    }
  }
  require(refused > 5 && disabled > 5, fmt::format("{} refused, {} disabled", refused, disabled));
}

}  // namespace fred::test
