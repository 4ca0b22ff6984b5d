// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/scenarios.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>

#include "fred/error.hpp"
#include "tests/faults/abort_scenarios.hpp"
#include "tests/faults/circuit_scenarios.hpp"
#include "tests/faults/counter_scenarios.hpp"
#include "tests/faults/parity_scenarios.hpp"
#include "tests/faults/quick_bench.hpp"

namespace fred::test {

namespace {

using namespace fred::tb;

enum ErrorBit : std::uint32_t { kMismatch = 2, kEpoch = 4, kUnknown = 8, kMember = 16 };

std::string name_of(const Job& job) { return fmt::format("{} {}", to_string(job.kind), to_string(job.flow())); }

// ---- The network. ----

void allreduce_all(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  check(bench.run({random_job(Kind::kAllReduce, all_ports(design), design, 40, 1)}), "all ports");
}

void reduce_to_each_root(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (int root = 0; root < design.radix; ++root) {
    Job job = random_job(Kind::kReduce, all_ports(design), design, 20, 1);
    job.root = root;
    check(bench.run({job}), fmt::format("root {}", root));
  }
}

/// Two groups at a time, one of them broadcasting: a lone beat meets beats that are not of its flow.
void broadcast_beside_others(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (int root = 0; root < design.radix; ++root) {
    const Group from{root};
    const Group to{(root + 1) % design.radix, (root + 2) % design.radix};
    std::vector<Job> jobs{random_job(Kind::kBroadcast, from, to, design, 30, 1)};
    for (int other = 1; other < 3; ++other) {
      const int port = (root + other) % design.radix;
      jobs.push_back(random_job(Kind::kAllReduce, {port}, {(port + 2) % design.radix}, design, 30, 2));
    }
    check(bench.run(jobs), fmt::format("from {}", root));
  }
}

/// A flow over each of the routes that there are: every link carries data.
void every_route(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  const int levels = design.levels() - 1;
  int routes = 1;
  for (int level = 0; level < levels; ++level) routes *= design.middle;
  for (int index = 0; index < routes; ++index) {
    std::vector<int> colours;
    for (int level = 0, rest = index; level < levels; ++level, rest /= design.middle) {
      colours.push_back(rest % design.middle);
    }
    for (const Kind kind : {Kind::kAllReduce, Kind::kAllGather, Kind::kReduceScatter}) {
      const Job job = random_job(kind, all_ports(design), design, 20, 1);
      Setup setup = make_setup(design, bench.network, {job}, {1});
      setup.descriptors[0].route.colours = colours;
      std::vector<Traffic> traffic;
      traffic.push_back(
          make_traffic(job, design, 0, 1, 4 * static_cast<std::size_t>(design.bytes()), /*capture=*/false));
      bench.harness.configure(setup);
      check(bench.harness.run(traffic), fmt::format("{} over route {}", to_string(kind), index));
    }
  }
}

/// Descriptors whose routes, masks and operations differ at every stage take turns, a beat each.
void alternating_routes(Engine& engine, const Design& design) {
  struct Lane {
    Kind kind;
    Group group;
    int root;  // rank
    Op op;
    std::vector<int> colours;
  };
  const std::vector<Lane> lanes{{Kind::kAllReduce, {0, 1, 2, 3, 4}, 0, Op::kSum, {0, 1}},
                                {Kind::kBroadcast, {0, 1, 2, 3, 4}, 4, Op::kSum, {1, 2}},
                                {Kind::kBroadcast, {1, 2, 3}, 0, Op::kSum, {2, 0}},
                                {Kind::kReduce, {0, 2, 3, 4}, 2, Op::kMin, {1, 0}}};
  QuickBench bench(engine, design);
  std::vector<Job> jobs;  // one beat each, in turn
  for (std::size_t n = 0; n < 40 * lanes.size(); ++n) {
    const Lane& lane = lanes[n % lanes.size()];
    jobs.push_back(random_job(lane.kind, lane.group, design, 1, n));
    jobs.back().root = lane.root;
    jobs.back().op = lane.op;
  }
  Setup setup = make_setup(design, bench.network, {jobs[0], jobs[1], jobs[2], jobs[3]}, {1});
  for (std::size_t i = 0; i < lanes.size(); ++i) setup.descriptors[i].route.colours = lanes[i].colours;
  std::vector<Traffic> traffic;
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    traffic.push_back(make_traffic(jobs[n], design, static_cast<int>(n % lanes.size()), 1,
                                   static_cast<std::size_t>(design.bytes()), /*capture=*/false));
  }
  bench.harness.configure(setup);
  check(bench.harness.run(traffic), "four descriptors in turn");
}

void latency_and_rate(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Kind kind : kAllKinds) {
    const RunResult result = bench.run({random_job(kind, all_ports(design), design, 1, 1)});
    check(result, std::string(to_string(kind)));
    const std::uint64_t latency = summarise({&result.jobs[0]}).first_beat_latency;
    require(
        latency == static_cast<std::uint64_t>(design.first_beat_latency()),
        fmt::format("{}: first beat after {} cycles, not {}", to_string(kind), latency, design.first_beat_latency()));
  }
  for (const Kind kind : {Kind::kAllReduce, Kind::kAllGather, Kind::kReduceScatter, Kind::kAllToAll}) {
    const RunResult result = bench.run({random_job(kind, all_ports(design), design, 1500, 1)});
    check(result, std::string(to_string(kind)));
    const double efficiency = summarise({&result.jobs[0]}).efficiency;
    require(efficiency >= 0.99, fmt::format("{}: {:.3f} of full rate", to_string(kind), efficiency));
  }
}

/// Descriptors that call each other compatible though their routes meet: the error register says so.
void conflict_reported(Engine& engine, const Design& design) {
  struct Case {
    const char* where;
    std::pair<int, int> first, second;  // from port, to port
    std::pair<std::vector<int>, std::vector<int>> colours;
  };
  const std::vector<Case> cases{{"R", {0, 3}, {1, 4}, {{0, 0}, {0, 0}}},
                                {"RD", {0, 3}, {4, 2}, {{0, 0}, {0, 0}}},
                                {"D", {0, 3}, {4, 2}, {{0, 0}, {0, 1}}}};
  for (const Case& c : cases) {
    QuickBench bench(engine, design);
    const std::vector<Job> jobs{random_job(Kind::kBroadcast, {c.first.first}, {c.first.second}, design, 20, 1),
                                random_job(Kind::kBroadcast, {c.second.first}, {c.second.second}, design, 20, 2)};
    Setup setup = make_setup(design, bench.network, jobs, {1});
    setup.descriptors[0].route.colours = c.colours.first;
    setup.descriptors[1].route.colours = c.colours.second;
    setup.descriptors[0].compatible = {1};
    setup.descriptors[1].compatible = {0};
    bench.harness.configure(setup);
    std::vector<Traffic> traffic;
    for (int job = 0; job < 2; ++job) {
      traffic.push_back(make_traffic(jobs[static_cast<std::size_t>(job)], design, job, 1, 64, /*capture=*/false));
    }
    const RunResult result = bench.harness.run(traffic);
    const bool reported = std::any_of(result.messages.begin(), result.messages.end(), [](const std::string& message) {
      return message.find("conflict") != std::string::npos;
    });
    require(reported, fmt::format("two flows met in {} and no conflict was reported", c.where));
  }
}

// ---- Numbers. ----

void int_operations(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Op op : design.ops) {
    for (const Group& group : {all_ports(design), Group{1, 2}, Group{1, 3, 4}}) {
      Job job = random_job(Kind::kAllReduce, group, design, 40, 3);
      job.op = op;
      // Beside it, over the same microswitch, another operation.
      Job other = random_job(Kind::kAllReduce, {0}, design, 60, 4);
      other.op = op == Op::kMin ? Op::kMax : Op::kMin;
      check(bench.run({job, other}), fmt::format("{} of {}", to_string(op), to_string(flow_of(group))));
    }
  }
}

Bytes words(const std::vector<std::uint32_t>& values) {
  Bytes bytes(4 * values.size());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// fp32: both zeros, both ones, the smallest and largest subnormal and normal numbers, infinities, NaNs of all sorts.
const std::vector<std::uint32_t> kSpecials{0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001,
                                           0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff,
                                           0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffbabeef};

void float_sum(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Group& group : {Group{0, 1}, Group{1, 3}, all_ports(design)}) {
    check(bench.run({random_job(Kind::kAllReduce, group, design, 2000, 1)}), to_string(flow_of(group)));
  }
}

/// Every pair of special values, where two ports meet in an R and where they meet in the RD.
void float_specials(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  std::vector<std::uint32_t> left, right;
  for (const std::uint32_t a : kSpecials) {
    for (const std::uint32_t b : kSpecials) {
      left.push_back(a);
      right.push_back(b);
    }
  }
  for (const Group& group : {Group{0, 1}, Group{1, 2}}) {
    for (const Op op : design.ops) {
      Job job = Job::on_group(Kind::kAllReduce, group);
      job.op = op;
      job.data = {words(left), words(right)};
      check(bench.run({job}), fmt::format("{} of {}", to_string(op), to_string(flow_of(group))));
    }
  }
}

/// Where nothing is reduced every bit pattern passes.
void float_lone_operand(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Kind kind : {Kind::kAllGather, Kind::kScatter, Kind::kSend}) {
    Job job = Job::on_group(kind, all_ports(design));
    job.data.assign(job.in.size(), words(kSpecials));
    check(bench.run({job}), std::string(to_string(kind)));
  }
}

/// fp32 sums of three and more ports show by their rounding in which order they were added.
void float_order(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Group& group : {Group{0, 1, 2, 3}, Group{0, 1, 2}, Group{1, 2, 3}}) {
    check(bench.run({random_job(Kind::kAllReduce, group, design, 300, 5)}), to_string(flow_of(group)));
  }
}

// ---- Steps, launches, contention. ----

void every_kind(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const double stall : {0.0, 0.4}) {
    bench.harness.set_behaviour(even_stalls(design, stall, stall));
    for (const Kind kind : kAllKinds) {
      for (const Group& group : {all_ports(design), Group{4, 1, 3}, Group{2}}) {
        Job job = random_job(kind, group, design, 23, 1);
        job.root = static_cast<int>(group.size()) - 1;
        check(bench.run({job}), fmt::format("{}, stall {}", name_of(job), stall));
      }
    }
  }
}

/// Sending and receiving ports that differ: steps go by the ports that the table says.
void flows(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Kind kind : kAllKinds) {
    if (kind == Kind::kAllToAll) continue;
    for (const auto& [in, out] : {std::pair<Group, Group>{{0, 2}, {1, 3, 4}}, {{1, 3, 4}, {0, 2}}, {{4}, {0, 4}}}) {
      const Job job = random_job(kind, in, out, design, 18, 1);
      check(bench.run({job}), name_of(job));
    }
  }
}

/// Collectives one after another on one descriptor, which is written once: the last step is followed by step 0.
void one_after_another(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Kind kind : {Kind::kAllGather, Kind::kReduceScatter, Kind::kAllToAll}) {
    for (const Group& group : {all_ports(design), Group{0, 3}}) {
      std::vector<Job> jobs;
      for (std::uint64_t n = 0; n < 4; ++n) jobs.push_back(random_job(kind, group, design, 5 * group.size(), n));
      bench.harness.configure(make_setup(design, bench.network, {jobs[0]}, {1}));
      std::vector<Traffic> traffic;
      for (const Job& job : jobs) traffic.push_back(make_traffic(job, design, 0, 1, 8, /*capture=*/false));
      check(bench.harness.run(traffic), name_of(jobs[0]));
    }
  }
}

/// Many to few: packets of several sources for one port, each whole.
void contended_send(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const double stall : {0.0, 0.3}) {
    bench.harness.set_behaviour(even_stalls(design, stall, stall));
    for (const Group& to : {Group{4}, Group{1, 3}}) {
      check(bench.run({random_job(Kind::kSend, {0, 1, 2, 3}, to, design, 40, 1)}), fmt::format("stall {}", stall));
    }
  }
}

void alltoall_skewed(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  Behaviour behaviour = even_stalls(design, 0, 0);
  behaviour.stall_in = {0, 0.7, 0, 0.4, 0};
  behaviour.start_in = {0, 0, 50, 0, 20};
  bench.harness.set_behaviour(behaviour);
  for (const Group& group : {all_ports(design), Group{4, 2, 1}}) {
    check(bench.run({random_job(Kind::kAllToAll, group, design, 61, 1)}), to_string(flow_of(group)));
  }
}

/// Descriptors of one group with different roots in flight at once: they share every egress port.
void two_roots(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const double stall : {0.0, 0.3}) {
    bench.harness.set_behaviour(even_stalls(design, stall, stall));
    for (const Kind kind : {Kind::kBroadcast, Kind::kScatter, Kind::kReduce, Kind::kGather}) {
      std::vector<Job> jobs;
      for (int root = 0; root < design.descriptors; ++root) {
        jobs.push_back(random_job(kind, all_ports(design), design, 40, static_cast<std::uint64_t>(root)));
        jobs.back().root = root;
      }
      check(bench.run(jobs), fmt::format("{}, stall {}", to_string(kind), stall));
    }
  }
}

/// Two descriptors may share cycles only where each names the other.
void one_sided_compatibility(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const std::size_t liar : {std::size_t{0}, std::size_t{1}}) {
    std::vector<Job> jobs;
    for (int root = 0; root < 2; ++root) {
      jobs.push_back(random_job(Kind::kBroadcast, all_ports(design), design, 40, static_cast<std::uint64_t>(root)));
      jobs.back().root = root;
    }
    Setup setup = make_setup(design, bench.network, jobs, {1});
    setup.descriptors[liar].compatible = {static_cast<int>(1 - liar)};
    std::vector<Traffic> traffic;
    for (int job = 0; job < 2; ++job) {
      traffic.push_back(make_traffic(jobs[static_cast<std::size_t>(job)], design, job, 1, 16, /*capture=*/false));
    }
    bench.harness.configure(setup);
    check(bench.harness.run(traffic), fmt::format("descriptor {} names the other", liar));
  }
}

/// Descriptors that want the same ports all the time get them in turn.
void fair_share(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  std::vector<Job> jobs;
  for (int root = 0; root < design.descriptors; ++root) {
    jobs.push_back(random_job(Kind::kBroadcast, {root}, all_ports(design), design, 100, 1));
  }
  const RunResult result = bench.run(jobs, false, /*packets_of=*/1);
  check(result, "broadcasts");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::uint64_t waited = result.jobs[i].first_out - result.jobs[i].first_in;
    const std::uint64_t fair = static_cast<std::uint64_t>(design.first_beat_latency()) + 8 * jobs.size();
    require(waited <= fair, fmt::format("descriptor {} waited {} cycles for its first beat", i, waited));
  }
}

/// So do the sources of a send.
void fair_sources(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  const Group from{0, 1, 2, 3};
  std::vector<int> accepted(from.size(), 0);  // beats, until one source has had 40 of them
  bench.watch = [&](const InPins& in, const OutPins& out) {
    if (*std::max_element(accepted.begin(), accepted.end()) == 40) return;
    for (std::size_t port = 0; port < from.size(); ++port) {
      accepted[port] += get_bit(in.s_tvalid, port) && get_bit(out.s_tready, port) ? 1 : 0;
    }
  };
  check(bench.run({random_job(Kind::kSend, from, {4}, design, 100, 1)}, false, /*packets_of=*/1), "send");
  const int least = *std::min_element(accepted.begin(), accepted.end());
  require(least >= 30, fmt::format("while one source sent 40 packets, another one sent {}", least));
}

// ---- Buffers and pins. ----

/// Sinks stand still until everything is full, then drain; nothing is lost, and full rate is back.
void stalled_sinks(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Kind kind : {Kind::kAllReduce, Kind::kSend, Kind::kAllGather}) {
    for (int round = 0; round < 3; ++round) {
      Behaviour behaviour = even_stalls(design, 0, round == 2 ? 0.6 : 0);
      for (int port = 0; port < design.radix; ++port) {
        behaviour.start_out.push_back(static_cast<std::uint64_t>(100 + (round == 1 ? 9 * port : 0)));
      }
      bench.harness.set_behaviour(behaviour);
      check(bench.run({random_job(kind, all_ports(design), design, 200, 1)}),
            fmt::format("{}, round {}", to_string(kind), round));
    }
    bench.harness.set_behaviour(Behaviour{});
    const RunResult result = bench.run({random_job(Kind::kAllReduce, all_ports(design), design, 1500, 1)});
    check(result, fmt::format("after {}", to_string(kind)));
    const double efficiency = summarise({&result.jobs[0]}).efficiency;
    require(efficiency >= 0.99, fmt::format("after {}: {:.3f} of full rate", to_string(kind), efficiency));
  }
}

/// Both vc_ready promises, with sources and sinks that make use of them.
void vc_ready(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const double stall : {0.0, 0.5}) {
    Behaviour behaviour = even_stalls(design, stall / 2, stall);
    behaviour.vc_stall = 0.4;
    behaviour.honour_vc_ready = true;
    bench.harness.set_behaviour(behaviour);
    for (const Kind kind : {Kind::kAllReduce, Kind::kSend}) {
      check(bench.run({random_job(kind, all_ports(design), design, 150, 1)}),
            fmt::format("{}, stall {}", to_string(kind), stall));
    }
  }
}

/// Packets of any number of bytes, none included.
void any_bytes(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (const Kind kind : {Kind::kBroadcast, Kind::kAllGather, Kind::kSend}) {
    for (std::size_t bytes = 0; bytes <= 9; ++bytes) {
      check(bench.run({with_data(Job::on_group(kind, {0, 3, 4}), design, bytes, 1)}),
            fmt::format("{} of {} bytes", to_string(kind), bytes));
    }
  }
}

/// A cycle of reset in the middle of traffic: nothing of it comes out any more, and the switch works as before.
void reset_in_traffic(Engine& engine, const Design& design) {
  const Job job = random_job(Kind::kAllReduce, all_ports(design), design, 40, 1);
  for (int moment = 0; moment < 8; ++moment) {
    {
      QuickBench bench(engine, design);
      const Traffic traffic = make_traffic(job, design, 0, 1, 16, /*capture=*/false);
      bench.harness.configure(make_setup(design, bench.network, {job}, {1}));
      for (int port = 0; port < design.radix; ++port) {
        bench.harness.source(port).push(traffic.sent[static_cast<std::size_t>(port)]);
        if (moment % 2 == 1) bench.harness.sink(port).set_start(~std::uint64_t{0});
      }
      bench.steps(10 + moment);
    }
    InPins in(design);
    OutPins out(design);
    in.m_tready = in.m_vc_ready = Pins(in.m_tready.size(), (1U << design.radix) - 1);
    in.rst_n = false;
    engine.cycle(in, out);
    in.rst_n = true;
    for (int cycle = 0; cycle < 40; ++cycle) {
      engine.cycle(in, out);
      require(out.m_tvalid[0] == 0, fmt::format("a beat comes {} cycles after a reset", cycle));
    }
    QuickBench bench(engine, design);
    check(bench.run({job}), "after a reset");
  }
}

// ---- Misuse. ----

constexpr std::uint8_t kNow = 3;  // the epoch of the tests below

/// Beats of each of the 15 other epochs, from every member, are dropped; what follows is not.
void other_epochs(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  const Bytes stale = words({7});
  const Bytes one = words({1});
  const Bytes sum = words({2});
  bench.harness.configure(make_setup(design, bench.network, {Job::on_group(Kind::kAllReduce, {0, 1})}, {kNow}));
  for (const int port : {0, 1}) {
    for (std::uint8_t epoch = 0; epoch < 16; ++epoch) {
      if (epoch != kNow) bench.harness.source(port).push({stale.data(), 4, 0, 0, epoch, true});
    }
    bench.harness.source(port).push({one.data(), 4, 0, 0, kNow, true});
    bench.harness.scoreboard().expect(port, 0, {{sum.data(), nullptr, 4, 0, kNow, true}}, false);
  }
  bench.steps(80);
  bench.check_scoreboard("epochs");
  require(bench.errors() == kEpoch, "another error than epoch");
}

/// Operands that differ in one respect: the descriptor halts, nothing is delivered, its neighbour goes on.
void unequal_operands(Engine& engine, const Design& design) {
  const Bytes data = words({1, 1});
  const Bytes sum = words({2});
  const SourcePacket beat{data.data(), 4, 0, 0, kNow, true};
  const SourcePacket two_beats{data.data(), 8, 0, 0, kNow, false};
  const SourcePacket inner{data.data(), 4, 0, 0, kNow, false};
  const SourcePacket empty{data.data(), 0, 0, 0, kNow, true};
  const SourcePacket cut{data.data(), 2, 0, 0, kNow, true};
  struct Case {
    const char* what;
    SourcePacket left, right;
  };
  for (const Case& c : {Case{"tlast differs", inner, two_beats}, Case{"step_end differs", beat, inner},
                        Case{"the byte count differs", beat, empty}, Case{"an element is cut", cut, cut}}) {
    QuickBench bench(engine, design);
    bench.harness.configure(
        make_setup(design, bench.network,
                   {Job::on_group(Kind::kAllReduce, {0, 1}), Job::on_group(Kind::kAllReduce, {2, 3})}, {kNow}));
    bench.harness.source(0).push(c.left);
    bench.harness.source(1).push(c.right);
    for (const int port : {2, 3}) {
      SourcePacket packet = beat;
      packet.descriptor = 1;
      bench.harness.source(port).push(packet);
      bench.harness.scoreboard().expect(port, 1, {{sum.data(), nullptr, 4, 0, kNow, true}}, false);
    }
    bench.steps(40);
    bench.check_scoreboard(c.what);
    require(bench.errors() == kMismatch, fmt::format("{}: no mismatch reported", c.what));
    require((bench.status(0) & 2U) != 0, fmt::format("{}: not halted", c.what));
  }
}

/// A port that is no member, and a send to one, are held and reported.
void strangers(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  const Bytes one = words({1});
  const Bytes sum = words({2});
  bench.harness.configure(make_setup(
      design, bench.network, {Job::on_group(Kind::kAllReduce, {0, 1}), Job::on_group(Kind::kSend, {3, 4})}, {kNow}));
  for (const int port : {0, 1, 2}) bench.harness.source(port).push({one.data(), 4, 0, 0, kNow, true});
  bench.harness.source(3).push({one.data(), 4, 1, 2, kNow, true});
  for (const int port : {0, 1}) {
    bench.harness.scoreboard().expect(port, 0, {{sum.data(), nullptr, 4, 0, kNow, true}}, false);
  }
  bench.steps(40);
  bench.check_scoreboard("members");
  require(bench.errors() == kMember, "another error than member, or none");
}

/// Pairs that call each other compatible though ports of theirs meet, inputs or outputs, are not enabled.
void false_compatibility(Engine& engine, const Design& design) {
  for (const auto& [in, out] : {std::pair<Group, Group>{{0, 2}, {3}}, {{2}, {1, 3}}, {{2}, {3}}}) {
    QuickBench bench(engine, design);
    Setup setup =
        make_setup(design, bench.network,
                   {Job::on_flow(Kind::kAllReduce, {{0}, {1}}), Job::on_flow(Kind::kAllReduce, {in, out})}, {kNow});
    setup.descriptors[0].compatible = {1};
    setup.descriptors[1].compatible = {0};
    bool refused = false;
    try {
      bench.harness.configure(setup);
    } catch (const SwitchError&) {
      refused = true;
    }
    const bool meet = in.size() + out.size() > 2;
    require(refused == meet, fmt::format("{} was {}", to_string(Flow{in, out}), refused ? "refused" : "enabled"));
  }
}

/// Beats that wait at the heads when their descriptor is enabled are launched from its first step on.
void early_beats(Engine& engine, const Design& design) {
  for (const Kind kind : {Kind::kAllToAll, Kind::kAllGather, Kind::kReduceScatter, Kind::kSend}) {
    QuickBench bench(engine, design);
    // The all-to-all table and the steps have been elsewhere before.
    check(bench.run({random_job(kind, {1, 4}, design, 8, 2)}), "before");
    const Job job = random_job(kind, all_ports(design), design, 10, 1);
    const Traffic traffic = make_traffic(job, design, 0, 1, 8, /*capture=*/false);
    const Setup setup = make_setup(design, bench.network, {job}, {1});
    bench.harness.configure(Setup{});
    for (int port = 0; port < design.radix; ++port) {
      bench.harness.source(port).push(traffic.sent[static_cast<std::size_t>(port)]);
    }
    for (const Traffic::Sink& sink : traffic.sinks) {
      bench.harness.scoreboard().expect(sink.port, 0, sink.packets, traffic.by_source);
    }
    bench.steps(20);
    bench.harness.configure(setup);
    bench.steps(120);
    bench.check_scoreboard(std::string(to_string(kind)));
    require(bench.errors() == kUnknown, fmt::format("{}: another error than unknown, or none", to_string(kind)));
  }
}

/// Between steps a descriptor can be neither disabled nor rewritten.
void busy_descriptor(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  Harness& harness = bench.harness;
  const Bytes one = words({1});
  harness.configure(make_setup(design, bench.network, {Job::on_group(Kind::kAllGather, {0, 1})}, {kNow}));
  for (const int step : {0, 1}) {
    harness.source(step).push({one.data(), 4, 0, 0, kNow, true});
    for (const int port : {0, 1}) {
      harness.scoreboard().expect(port, 0, {{one.data(), nullptr, 4, step, kNow, true}}, false);
    }
    bench.steps(30);
    if (step == 1) break;
    const RegisterMap& map = harness.registers();
    require(!harness.write(map.descriptor(0, RegisterMap::kControl), 0).okay(), "disabled while busy");
    require(!harness.write(map.descriptor(0, RegisterMap::kInMask), 7).okay(), "written while enabled");
  }
  bench.check_scoreboard("all-gather");
  require(harness.write(harness.registers().descriptor(0, RegisterMap::kControl), 0).okay(), "not disabled when idle");
}

// ---- Several types, and accumulation in a wider one. ----

/// Elements of a type: some as the type's random data, then any bit pattern.
Bytes mixed_bits(DType dtype, std::size_t bytes, std::uint64_t seed) {
  Bytes data = random_buffer(dtype, bytes, seed);
  Random random(seed);
  for (std::size_t i = bytes / 2; i < bytes; ++i) data[i] = static_cast<std::byte>(random.next() >> 56);
  return data;
}

Job mixed_job(Kind kind, const Group& group, const Design& design, int type, std::size_t bytes) {
  Job job = Job::on_group(kind, group);
  job.type = type;
  for (std::size_t rank = 0; rank < group.size(); ++rank)
    job.data.push_back(mixed_bits(job.dtype(design), bytes, sub_seed(base_seed(), 11, rank)));
  return job;
}

/// Every type with every operation that it has, the types of a switch beside each other on the same ports. Of ports 0
/// and 2 the operand of port 0 passes the microswitch of ports 0 and 1 alone.
void typed_reductions(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  const auto reduce = [&](Op op, const Group& group) {
    std::vector<Job> jobs;
    for (int type = 0; type < static_cast<int>(design.dtypes().size()); ++type) {
      Job job = mixed_job(Kind::kAllReduce, group, design, type, 2000);
      job.op = op;
      if (is_defined(job.dtype(design), op)) jobs.push_back(std::move(job));
    }
    check(bench.run(jobs), fmt::format("{} of {}", to_string(op), to_string(flow_of(group))));
  };
  for (const Op op : design.ops) {
    reduce(op, all_ports(design));
    reduce(op, {0, 2});
  }
}

/// Packets end after any element, of the narrowest type after any byte; a packet that cuts an element halts.
void typed_ends(Engine& engine, const Design& design) {
  for (int type = 0; type < static_cast<int>(design.dtypes().size()); ++type) {
    QuickBench bench(engine, design);
    Job job = Job::on_group(Kind::kAllReduce, {0, 1});
    job.type = type;
    bench.harness.configure(make_setup(design, bench.network, {job}, {kNow}));
    const Bytes one(1);
    const bool cut = element_bits(job.dtype(design)) == 16;
    for (const int port : {0, 1}) {
      bench.harness.source(port).push({one.data(), 1, 0, 0, kNow, true});
      if (!cut) bench.harness.scoreboard().expect(port, 0, {{one.data(), nullptr, 1, 0, kNow, true}}, false);
    }
    bench.steps(60);
    const std::string name(to_string(job.dtype(design)));
    require(bench.errors() == (cut ? kMismatch : 0U), fmt::format("a byte of {}: wrong errors", name));
    require(((bench.status(0) & 2U) != 0) == cut, fmt::format("a byte of {}: halted or not", name));
    bench.check_scoreboard(name);
  }
}

/// Registers say which types there are; a descriptor of another one, or with an operation that its type does not have,
/// is not enabled.
void typed_registers(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  const RegisterMap& map = bench.harness.registers();
  require(bench.harness.read(RegisterMap::kTypes).data == 0xffff'f275, "TYPES");
  require(bench.harness.read(RegisterMap::kData).data == (16U | 5U << 16 | 127U << 20), "DATA");
  for (std::uint32_t type = 0; type < 4; ++type) {
    for (std::uint32_t op = 0; op < 8; ++op) {
      const auto write = [&](std::uint32_t offset, std::uint32_t data) {
        return bench.harness.write(map.descriptor(0, offset), data).okay();
      };
      require(write(RegisterMap::kConfig, type << 24 | op << 4) && write(RegisterMap::kColours, 0) &&
                  write(RegisterMap::kInMask, 3) && write(map.out_mask, 3) && write(map.compat, 0),
              "a descriptor was not written");
      const bool exists = type < 3 && op < 7 && (type != 2 || op != 3);
      require(write(RegisterMap::kControl, 1) == exists,
              fmt::format("type {}, operation {} was {}", type, op, exists ? "refused" : "enabled"));
      require(write(RegisterMap::kControl, 0), "not disabled");
    }
  }
}

/// What is not reduced comes out as it went in: collectives that only move, and a group of one.
void typed_movement(Engine& engine, const Design& design) {
  QuickBench bench(engine, design);
  for (int type = 0; type < static_cast<int>(design.dtypes().size()); ++type) {
    for (const Kind kind : {Kind::kAllGather, Kind::kScatter, Kind::kSend})
      check(bench.run({mixed_job(kind, all_ports(design), design, type, 3000)}), std::string(to_string(kind)));
    check(bench.run({mixed_job(Kind::kAllReduce, {1}, design, type, 3000)}), "a group of one");
  }
}

}  // namespace

Design int_switch() {
  Design design;
  design.vcs = 1;
  design.radix = 5;
  design.middle = 3;
  design.dtype = DType::kInt32;
  design.lanes = 1;
  design.descriptors = 4;
  design.validate();
  return design;
}

Design float_switch() {
  Design design;
  design.vcs = 1;
  design.radix = 4;
  design.middle = 2;
  design.dtype = DType::kFp32;
  design.lanes = 1;
  design.descriptors = 2;
  design.alltoall_tables = 0;
  design.validate();
  return design;
}

Design slow_switch() {
  Design design = float_switch();
  design.radix = 8;
  design.dtype = DType::kFp8E5m2;
  design.adder_latency = 4;
  design.egress_depth = 0;
  design.ops = {Op::kSum};
  design.validate();
  return design;
}

Design types_switch() {
  Design design;
  design.vcs = 1;
  design.radix = 3;
  design.middle = 2;
  design.dtype = DType::kInt8;
  design.more_dtypes = {DType::kUint8, DType::kBf16};
  design.ops = {Op::kSum, Op::kMin, Op::kMax, Op::kSumSat, Op::kAnd, Op::kOr, Op::kXor};
  design.lanes = 2;
  design.adder_latency = 2;
  design.descriptors = 3;
  design.alltoall_tables = 0;
  design.validate();
  return design;
}

Design acc_float_switch() {
  Design design = types_switch();
  design.dtype = DType::kFp8E4m3;
  design.more_dtypes = {DType::kBf16};
  design.acc = DType::kFp32;
  design.ops = {Op::kSum, Op::kMin, Op::kMax, Op::kSumSat, Op::kXor};
  design.adder_latency = 1;
  design.validate();
  return design;
}

Design acc_int_switch() {
  Design design = types_switch();
  design.more_dtypes = {};
  design.acc = DType::kInt16;
  design.ops = {Op::kSum, Op::kMax, Op::kSumSat};
  design.adder_latency = 1;
  design.validate();
  return design;
}

const std::vector<QuickTest>& quick_tests() {
  static const std::vector<QuickTest> tests{
      {"allreduce_all", "the sum of all ports", int_switch, allreduce_all},
      {"reduce_to_each_root", "the root receives, nobody else does", int_switch, reduce_to_each_root},
      {"broadcast_beside_others", "a lone beat is left alone by its neighbours", int_switch, broadcast_beside_others},
      {"every_route", "every link carries what it should", int_switch, every_route},
      {"alternating_routes", "a beat's control stays with its data", int_switch, alternating_routes},
      {"latency_and_rate", "first beat as in the manifest, then one a cycle", int_switch, latency_and_rate},
      {"conflict_reported", "flows that meet are reported", int_switch, conflict_reported},
      {"int_operations", "sum, signed minimum and maximum", int_switch, int_operations},
      {"every_kind", "all collectives, with and without stalls", int_switch, every_kind},
      {"flows", "collectives with other inputs than outputs", int_switch, flows},
      {"one_after_another", "the last step is followed by step 0", int_switch, one_after_another},
      {"contended_send", "several sources for one port, packets whole", int_switch, contended_send},
      {"alltoall_skewed", "all-to-all with fast and slow sources", int_switch, alltoall_skewed},
      {"two_roots", "descriptors of one group in flight at once", int_switch, two_roots},
      {"one_sided_compatibility", "sharing cycles takes two", int_switch, one_sided_compatibility},
      {"fair_share", "descriptors that contend take turns", int_switch, fair_share},
      {"fair_sources", "sources of a send take turns", int_switch, fair_sources},
      {"stalled_sinks", "full buffers lose nothing, then full rate again", int_switch, stalled_sinks},
      {"vc_ready", "promises on both sides are kept", int_switch, vc_ready},
      {"any_bytes", "packets of 0, 1, 2, ... bytes", int_switch, any_bytes},
      {"reset_in_traffic", "a cycle of reset forgets all traffic", int_switch, reset_in_traffic},
      {"other_epochs", "beats of another epoch are dropped", int_switch, other_epochs},
      {"unequal_operands", "operands that differ halt their descriptor", int_switch, unequal_operands},
      {"strangers", "beats from and to strangers are held", int_switch, strangers},
      {"false_compatibility", "descriptors whose ports meet share no cycles", int_switch, false_compatibility},
      {"early_beats", "beats wait for their descriptor", int_switch, early_beats},
      {"busy_descriptor", "a descriptor in use is not changed", int_switch, busy_descriptor},
      {"float_sum", "fp32 sums are correctly rounded", float_switch, float_sum},
      {"float_specials", "zeros, infinities, NaNs, subnormals", float_switch, float_specials},
      {"float_lone_operand", "what is not reduced keeps its bits", float_switch, float_lone_operand},
      {"float_order", "sums go by the port tree", float_switch, float_order},
      {"typed_reductions", "each descriptor's type and operation", types_switch, typed_reductions},
      {"typed_ends", "packets end after any element, and only there", types_switch, typed_ends},
      {"typed_registers", "only types and operations that exist are enabled", types_switch, typed_registers},
      {"acc_float", "sums in fp32, rounded once", acc_float_switch, typed_reductions},
      {"acc_movement", "what is not reduced keeps its bits", acc_float_switch, typed_movement},
      {"acc_int", "sums in int16, cut or saturated once", acc_int_switch, typed_reductions},
      {"circuits_held", "a circuit that a sink holds off costs another nothing", circuit_switch, circuits_held},
      {"circuit_priority", "the order of the circuits decides who goes first", circuit_switch, circuit_priority},
      {"losers_step_aside", "who loses anyway stops nobody", circuit_switch, losers_step_aside},
      {"claimed_ports", "who has waited for the bound gets its ports", circuit_switch, claimed_ports},
      {"shared_egress", "circuits share an egress, by order and bound", circuit_switch, shared_egress},
      {"counters_exact", "beats, launches and waits are counted as they are", circuit_switch, counters_exact},
      {"aborted_member_silent", "a collective without a member is reported and aborted", circuit_switch,
       aborted_member_silent},
      {"aborted_stream", "an abort lets nothing be lost that was launched", circuit_switch, aborted_stream},
      {"aborted_sink_dead", "an abort needs no sink, and its packet ends with an error", circuit_switch,
       aborted_sink_dead},
      {"overlapping_routes", "flows that meet spoil nothing unseen", int_switch, overlapping_routes},
      {"lost_beats", "a beat that the network loses is missed", unchecked_switch, lost_beats},
      {"row_parity", "a wrong bit of a row stops its descriptor alone", int_switch, row_parity},
      {"entry_parity", "a wrong bit of an all-to-all entry stops its descriptor alone", int_switch, entry_parity},
      {"row_written_in_flight", "a row is written when its last beats have arrived", slow_switch,
       row_written_in_flight},
      {"disabled_in_traffic", "a descriptor is disabled between its packets or not at all", int_switch,
       disabled_in_traffic},
      {"aborts_together", "aborts that come during another", circuit_switch, aborts_together}};
  return tests;
}

std::optional<std::string> why_failed(const QuickTest& test, tb::Engine& engine) {
  try {
    test.run(engine, test.design());
  } catch (const Failure& failure) {
    return failure.what();
  } catch (const tb::SwitchError& error) {
    return first_line(error.what());
  }
  return std::nullopt;
}

}  // namespace fred::test
