// SPDX-License-Identifier: Apache-2.0
// Register writes against values worked out by hand from docs/protocol.md, and which descriptors may share cycles.
#include "fred/route/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "fred/error.hpp"
#include "fred/route/broken.hpp"
#include "fred/route/jointly.hpp"
#include "tests/route/support.hpp"

using namespace fred;
using namespace fred::test;

namespace {

Design design_of(int radix, int middle = 3) {
  Design design;
  design.radix = radix;
  design.middle = middle;
  design.validate();
  return design;
}

Program program_of(const Design& design, const std::vector<Collective>& collectives, int epoch = 0,
                   bool share_time = false) {
  return make_program(design, make_network(design.radix, design.middle), collectives, {epoch, !share_time, {}});
}

Collective on(Kind kind, const Group& group, int root_port = 0) { return {kind, flow_of(group), root_port, Op::kSum}; }

struct Expected {
  std::uint32_t address, data;
  std::string name;
};

void check_writes(const std::vector<RegisterWrite>& writes, const std::vector<Expected>& expected) {
  REQUIRE(writes.size() == expected.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    CAPTURE(i);
    CHECK(writes[i].address == expected[i].address);
    CHECK(writes[i].data == expected[i].data);
    CHECK(writes[i].name == expected[i].name);
    CHECK(!writes[i].meaning.empty());
  }
}

bool mutual(const Program& program, int a, int b) {
  const auto has = [&](int from, int to) {
    const auto& list = program.descriptors[static_cast<std::size_t>(from)].compatible;
    return std::find(list.begin(), list.end(), to) != list.end();
  };
  CHECK(has(a, b) == has(b, a));
  return has(a, b);
}

std::uint32_t data_of(const Program& program, int descriptor, const std::string& name) {
  for (const RegisterWrite& write : program.writes[static_cast<std::size_t>(descriptor)]) {
    if (write.name == name) return write.data;
  }
  FAIL("no write of " << name);
  return 0;
}

}  // namespace

TEST_CASE("program: a broadcast, as in docs/protocol.md") {
  const Program program = program_of(design_of(8), {on(Kind::kBroadcast, {0, 3, 6}, 6)}, 1);
  REQUIRE(program.writes.size() == 1);
  check_writes(program.writes[0], {{0x1008, 0x00060102, "CONFIG"},
                                   {0x100c, 0, "COLOURS"},
                                   {0x1010, 0x49, "IN_MASK"},
                                   {0x1014, 0x49, "OUT_MASK"},
                                   {0x1018, 0, "COMPAT"},
                                   {0x1000, 1, "CONTROL"}});
  CHECK(program.writes[0].front().meaning == "broadcast, epoch 1, virtual circuit 0, root port 6");
  CHECK(program.writes[0][2].meaning == "sending ports: 0,3,6");
  CHECK(program.shared_time.empty());
  CHECK(program.descriptors[0].route == Route{{0, 0}});
}

TEST_CASE("program: the root alone as the input of a broadcast") {
  const Program program = program_of(design_of(8), {{Kind::kBroadcast, {{6}, {0, 3, 6}}, 6, Op::kSum}}, 1);
  CHECK(data_of(program, 0, "IN_MASK") == 0x40);
  CHECK(data_of(program, 0, "OUT_MASK") == 0x49);
}

TEST_CASE("program: the fields of CONFIG and the colours, and the stride between descriptors") {
  Collective reduce = on(Kind::kReduce, {1, 2, 5}, 5);
  reduce.op = Op::kMax;
  const Program program = program_of(design_of(6), {on(Kind::kAllReduce, {0, 3}), reduce}, 15);
  CHECK(data_of(program, 0, "CONFIG") == 0x00000f00);
  CHECK(data_of(program, 1, "CONFIG") == 0x00050f21);
  CHECK(program.writes[1].front().address == 0x1048);
  CHECK(program.writes[1].front().meaning == "reduce, max, epoch 15, virtual circuit 0, root port 5");
  // 0,3 and 1,2,5 meet in R0 (ports 0 and 1), so their outer colours differ; two bits a level with three middles.
  for (int d = 0; d < 2; ++d) {
    const std::vector<int>& colours = program.descriptors[static_cast<std::size_t>(d)].route.colours;
    REQUIRE(colours.size() == 2);
    CHECK(data_of(program, d, "COLOURS") == static_cast<std::uint32_t>(colours[0] | colours[1] << 2));
  }
  CHECK(program.descriptors[0].route.colours[0] != program.descriptors[1].route.colours[0]);
}

TEST_CASE("program: masks and COMPAT of several words") {
  Design design = design_of(70);
  design.descriptors = 40;
  const Program program = program_of(design, {on(Kind::kAllReduce, {0, 35, 69})});
  // 3 words a mask, 2 of COMPAT: OUT_MASK at 0x1c, COMPAT at 0x28.
  check_writes(program.writes[0], {{0x1008, 0, "CONFIG"},
                                   {0x100c, 0, "COLOURS"},
                                   {0x1010, 1, "IN_MASK_0"},
                                   {0x1014, 8, "IN_MASK_1"},
                                   {0x1018, 32, "IN_MASK_2"},
                                   {0x101c, 1, "OUT_MASK_0"},
                                   {0x1020, 8, "OUT_MASK_1"},
                                   {0x1024, 32, "OUT_MASK_2"},
                                   {0x1028, 0, "COMPAT_0"},
                                   {0x102c, 0, "COMPAT_1"},
                                   {0x1000, 1, "CONTROL"}});
}

TEST_CASE("program: the entries of an all-to-all") {
  // Radix 4: 2 bits of a port, so an entry is at base + ((table * 4 + step) * 4 + port) * 4; 8 descriptors of 32 bytes
  // end at 0x1100, which is aligned to a table's 64 bytes.
  const Program program = program_of(design_of(4), {on(Kind::kAllToAll, {0, 1, 3})}, 2);
  const std::vector<RegisterWrite>& writes = program.writes[0];
  REQUIRE(writes.size() == 5 + 9 + 1);
  CHECK(writes[0].data == 0x209);
  CHECK(data_of(program, 0, "IN_MASK") == 0xb);
  CHECK(data_of(program, 0, "OUT_MASK") == 0xb);
  const std::vector<std::vector<std::uint32_t>> to{{0, 1, 3}, {1, 3, 0}, {3, 0, 1}};  // by step, then by member
  const std::vector<std::uint32_t> ports{0, 1, 3};
  for (std::uint32_t step = 0; step < 3; ++step) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const RegisterWrite& write = writes[5 + 3 * step + i];
      CHECK(write.name == "ENTRY");
      CHECK(write.address == 0x1200 + (step * 4 + ports[i]) * 4);
      CHECK((write.data & 0xffU) == to[step][i]);
      CHECK((write.data >> 8) ==
            static_cast<std::uint32_t>(program.descriptors[0].alltoall.steps[step][i].route.colours[0]));
    }
  }
  CHECK(writes.back().address == 0x1000);
  CHECK(writes.back().data == 1);
}

TEST_CASE("program: all-to-alls of disjoint groups share a table, of others do not") {
  Design design = design_of(8);
  design.alltoall_tables = 2;
  const Program program =
      program_of(design, {on(Kind::kAllToAll, {0, 1}), on(Kind::kAllToAll, {4, 5, 6}), on(Kind::kAllToAll, {1, 4})});
  CHECK(program.descriptors[0].table == 0);
  CHECK(program.descriptors[1].table == 0);
  CHECK(program.descriptors[2].table == 1);
  CHECK(data_of(program, 2, "CONFIG") == 0x1009);
  std::set<std::uint32_t> addresses;
  std::size_t writes = 0;
  for (const auto& of : program.writes) {
    for (const RegisterWrite& write : of) addresses.insert(write.address);
    writes += of.size();
  }
  CHECK(addresses.size() == writes);  // nothing is written twice
}

TEST_CASE("program: who may share cycles") {
  const Program program =
      program_of(design_of(8), {on(Kind::kAllReduce, {0, 1, 2}), on(Kind::kAllGather, {3, 4, 5}),
                                on(Kind::kBarrier, {0, 1, 2}), on(Kind::kSend, {6, 7}), on(Kind::kAllReduce, {2, 3})});
  CHECK(mutual(program, 0, 1));
  CHECK(!mutual(program, 0, 2));  // one group
  CHECK(mutual(program, 0, 3));
  CHECK(mutual(program, 1, 2));
  CHECK(!mutual(program, 0, 4));  // a port in common
  CHECK(!mutual(program, 1, 4));
  CHECK(mutual(program, 3, 4));
  CHECK(data_of(program, 0, "COMPAT") == 0b01010);
  CHECK(data_of(program, 1, "COMPAT") == 0b01101);
  CHECK(data_of(program, 3, "COMPAT") == 0b10111);
  CHECK(program.shared_time.empty());  // says nothing of those that share ports
}

TEST_CASE("program: all-to-alls run side by side wherever routes for that exist") {
  // Each by itself leaves the other no way at m = 2; found together they do.
  const Program both = program_of(design_of(8, 2), {on(Kind::kAllToAll, {0, 3, 5}), on(Kind::kAllToAll, {1, 2, 4})});
  CHECK(mutual(both, 0, 1));
  CHECK(both.rounds == std::vector<std::vector<int>>{{0, 1}});
  std::mt19937 random = seeded("all-to-alls side by side");
  int together = 0;
  int impossible = 0;
  for (int round = 0; round < 300; ++round) {
    const int radix = 4 + static_cast<int>(random() % 9);
    const Network network = make_network(radix, 2);
    const auto groups = random_groups(random, radix, radix / 2 + 1);
    if (groups.size() < 2) continue;
    std::vector<detail::Participant> participants;
    std::vector<Collective> collectives;
    for (int i = 0; i < 2; ++i) {
      const bool alltoall = i == 0 || random() % 3 != 0;
      participants.push_back({groups[i], alltoall});
      collectives.push_back({alltoall ? Kind::kAllToAll : Kind::kAllReduce, groups[i], 0, Op::kSum});
    }
    const Program program = program_of(design_of(radix, 2), collectives);
    const bool possible = detail::route_jointly(detail::Obstacles(network), participants, {{0, 1}, {1, 0}}).has_value();
    CHECK(mutual(program, 0, 1) == possible);
    (possible ? together : impossible) += 1;
    for (const Descriptor& descriptor : program.descriptors) {  // every step by the checker
      for (const auto& step : descriptor.alltoall.steps) {
        std::vector<Flow> flows;
        std::vector<Route> routes;
        for (const AllToAllEntry& entry : step) {
          flows.push_back({{entry.source}, {entry.destination}});
          routes.push_back(entry.route);
          for (const Descriptor& other : program.descriptors) {
            if (other.index == descriptor.index || !possible) continue;
            const LinkSet links = links_of(network, flows.back(), entry.route);
            CHECK(disjoint(links, other.kind == Kind::kAllToAll
                                      ? other.alltoall.links
                                      : links_of(network, {other.in, other.out}, other.route)));
          }
        }
        CHECK(!check_routes(network, flows, routes).has_value());
      }
    }
  }
  CHECK(together > 100);
  CHECK(impossible > 0);
}

TEST_CASE("program: what does not route together is refused, or shares time and is named") {
  const Design design = design_of(6, 2);
  const std::vector<Collective> collectives{on(Kind::kAllReduce, {0, 2}), on(Kind::kAllReduce, {1, 4}),
                                            on(Kind::kReduce, {3, 5}, 3)};
  CHECK_THROWS_AS((void)program_of(design, collectives), RouteError);
  const Program program = program_of(design, collectives, 0, true);
  CHECK(mutual(program, 0, 1));
  CHECK(!mutual(program, 0, 2));  // 3,5 comes alone into the second round and takes the first colours
  CHECK(mutual(program, 1, 2));
  CHECK(program.shared_time == std::vector<std::string>{"allreduce 0,2>0,2 and reduce 3,5>3,5"});
  CHECK(program.rounds == std::vector<std::vector<int>>{{0, 1}, {2}});
  CHECK(program.at_least == 2);
}

TEST_CASE("program: descriptors that call each other compatible share no link, in random sets") {
  std::mt19937 random = seeded("programs");
  for (int round = 0; round < 200; ++round) {
    Design design = design_of(2 + static_cast<int>(random() % 15), 2 + static_cast<int>(random() % 2));
    design.descriptors = 32;
    design.alltoall_tables = 4;
    const Network network = make_network(design.radix, design.middle);
    std::vector<Collective> collectives;
    for (const Flow& flow : random_groups(random, design.radix, 6)) {
      const Kind kind = kAllKinds[random() % kAllKinds.size()];
      collectives.push_back({kind, flow, flow.in[random() % flow.in.size()], Op::kSum});
    }
    if (!collectives.empty()) collectives.push_back({Kind::kBarrier, collectives[0].flow, 0, Op::kSum});
    const Program program = make_program(design, network, collectives, {});
    std::vector<LinkSet> links;
    for (const Descriptor& d : program.descriptors) {
      links.push_back(d.kind == Kind::kAllToAll ? d.alltoall.links : links_of(network, {d.in, d.out}, d.route));
    }
    for (std::size_t a = 0; a < links.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        CHECK(mutual(program, static_cast<int>(a), static_cast<int>(b)) == disjoint(links[a], links[b]));
      }
    }
    if (!collectives.empty()) CHECK(!mutual(program, 0, static_cast<int>(collectives.size()) - 1));
  }
}

TEST_CASE("program: trees of different rounds are kept apart beside broken parts too") {
  const Network network = make_network(12, 3);
  Design design = design_of(12);
  design.descriptors = 32;
  std::vector<Collective> collectives;
  for (const Group& group : parse_groups(
           "0,1;2,3;4,5;6,7;8,9;10,11;0,2;1,3;4,6;5,7;8,10;9,11;0,4,8;1,5,9;2,6,10;3,7,11", 12, Overlap::kAllowed)) {
    collectives.push_back(on(Kind::kAllReduce, group));
  }
  for (const char* parts : {"", "m0.R0", "m1.m0.R0", "R0>m1.R0,D3"}) {
    CAPTURE(std::string(parts));
    const LinkSet broken = parse_broken(parts, network);
    std::vector<Collective> alive;
    std::vector<Flow> flows;
    for (const Collective& collective : collectives) {
      if (!broken.empty() && !lost_flows(network, {collective.flow}, broken).empty()) continue;
      alive.push_back(collective);
      flows.push_back(collective.flow);
    }
    const Program program = make_program(design, network, alive, {0, false, broken, {}});
    const Rounds plain = route_rounds(network, flows, broken);
    int could = 0, apart = 0, before = 0;
    for (std::size_t a = 0; a < flows.size(); ++a) {
      const LinkSet links = links_of(network, flows[a], program.descriptors[a].route);
      if (!broken.empty()) CHECK(disjoint(links, broken));
      for (std::size_t b = a + 1; b < flows.size(); ++b) {
        if (share_a_port(flows[a], flows[b])) continue;
        ++could;
        apart += disjoint(links, links_of(network, flows[b], program.descriptors[b].route)) ? 1 : 0;
        before += disjoint(links_of(network, flows[a], plain.routes[a]), links_of(network, flows[b], plain.routes[b]))
                      ? 1
                      : 0;
      }
    }
    CHECK(apart > before);
    CHECK(static_cast<int>(program.shared_time.size()) == could - apart);
  }
}

TEST_CASE("program: what the switch would refuse is an error that names it") {
  const Design design = design_of(8);
  const auto refused = [&](const Collective& collective, const char* message) {
    CHECK_THROWS_WITH_AS((void)program_of(design, {collective}), message, InputError);
  };
  refused(on(Kind::kBroadcast, {0, 3}, 1), "root port 1: broadcast allows its inputs 0,3");
  refused({Kind::kGather, {{0, 3}, {4}}, 0, Op::kSum}, "root port 0: gather allows its outputs 4");
  refused(on(Kind::kAllReduce, {0, 3}, 8), "root port 8: allowed are 0..7");
  refused({Kind::kAllReduce, {{}, {0}}, 0, Op::kSum}, "inputs: at least one port is needed");
  refused({Kind::kAllReduce, {{0}, {}}, 0, Op::kSum}, "outputs: at least one port is needed");
  refused({Kind::kAllReduce, {{0}, {8}}, 0, Op::kSum}, "outputs: port 8: allowed are 0..7");
  refused({Kind::kAllReduce, {{3, 3}, {0}}, 0, Op::kSum}, "inputs: port 3 after port 3: ports must ascend");
  refused({Kind::kAllToAll, {{0, 1}, {0, 2}}, 0, Op::kSum},
          "alltoall needs a group: flow 0,1>0,2 has other inputs than outputs");

  Design small = design_of(4);
  small.descriptors = 1;
  small.alltoall_tables = 0;
  small.ops = {Op::kMin};
  CHECK_THROWS_WITH_AS(
      (void)program_of(small, {on(Kind::kSend, {0}), on(Kind::kSend, {1})}),
      "2 collectives at once need as many descriptors, the design has 1; --descriptors allows up to 64", InputError);
  CHECK_THROWS_WITH_AS((void)program_of(small, {on(Kind::kAllToAll, {0, 1})}),
                       "alltoall: the design has no all-to-all table; use --alltoall-tables 1", InputError);
  CHECK_THROWS_WITH_AS((void)program_of(small, {on(Kind::kReduceScatter, {0, 1})}),
                       "operation sum is not built in; add it to --ops", InputError);
  CHECK_NOTHROW((void)program_of(small, {on(Kind::kBarrier, {0, 1})}));
  CHECK_NOTHROW((void)program_of(small, {on(Kind::kBroadcast, {0, 1})}));
  CHECK_THROWS_WITH_AS((void)program_of(small, {}, 16), "epoch 16: allowed are 0..15", InputError);
  CHECK_THROWS_WITH_AS((void)make_program(small, make_network(8, 3), {}, {}),
                       "the network is FRED_3(8), the design is FRED_3(4): they must be the same", InputError);
  CHECK_THROWS_WITH_AS((void)program_of(design, {on(Kind::kAllToAll, {0, 1}), on(Kind::kAllToAll, {1, 2})}),
                       "alltoall on overlapping groups at once needs more tables than the design's 1; "
                       "--alltoall-tables allows up to 4",
                       InputError);
}

TEST_CASE("kinds: names and back") {
  for (const Kind kind : kAllKinds) CHECK(parse_kind(to_string(kind)) == kind);
  CHECK_THROWS_WITH_AS((void)parse_kind("bcast"),
                       "collective 'bcast' is not known; allowed: allreduce, reduce, broadcast, allgather, "
                       "reducescatter, gather, scatter, send, barrier, alltoall",
                       InputError);
}

TEST_CASE("program: an all-to-all set up twice keeps clear of other groups both times") {
  Design design = design_of(7, 5);
  design.alltoall_tables = 2;
  const Program program =
      program_of(design, {on(Kind::kAllToAll, {1, 4}), on(Kind::kAllToAll, {1, 4}), on(Kind::kAllReduce, {0, 2, 6})});
  CHECK(mutual(program, 0, 2));
  CHECK(mutual(program, 1, 2));
  CHECK_FALSE(mutual(program, 0, 1));
  CHECK(program.shared_time.empty());
}
