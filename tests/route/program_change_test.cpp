// SPDX-License-Identifier: Apache-2.0
// Changes of a running switch against a model of its registers: what it would refuse, and what would collide in it
// after any of the writes.
#include "fred/route/program_change.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "fred/error.hpp"
#include "fred/route/broken.hpp"
#include "fred/route/change.hpp"
#include "tests/route/support.hpp"

using namespace fred;
using namespace fred::test;

namespace {

Design design_of(int radix, int middle, int descriptors) {
  Design design;
  design.radix = radix;
  design.middle = middle;
  design.descriptors = descriptors;
  design.vcs = 1;
  design.validate();
  return design;
}

Collective allreduce(const Flow& flow) { return {Kind::kAllReduce, flow, 0, Op::kSum}; }

/// The descriptor table of a switch, as docs/protocol.md has it.
class Table {
 public:
  Table(const Design& design, const Network& network) : design_(design), network_(network), map_(design) {}

  void write(const RegisterWrite& write) {
    const std::uint32_t offset = write.address - map_.descriptor_base;
    const int row = static_cast<int>(offset / map_.descriptor_stride);
    REQUIRE(row < design_.descriptors);
    if (offset % map_.descriptor_stride != RegisterMap::kControl) {
      CHECK_MESSAGE(enabled_.count(row) == 0, write.name, " of enabled descriptor ", row);
      words_[write.address] = write.data;
      return;
    }
    if (write.data == 0) {
      CHECK(enabled_.erase(row) == 1);
      return;
    }
    CHECK(write.data == 1);
    CHECK(enabled_.insert(row).second);
    check_collisions();
  }

  [[nodiscard]] const std::set<int>& enabled() const { return enabled_; }
  [[nodiscard]] std::uint32_t word(std::uint32_t address) const { return words_.at(address); }
  [[nodiscard]] bool mutual(int a, int b) const { return names(a, b) && names(b, a); }

 private:
  [[nodiscard]] bool names(int row, int other) const {
    return (word(map_.descriptor(row, map_.compat)) >> other & 1U) != 0;
  }
  [[nodiscard]] Ports ports(int row, std::uint32_t offset) const {
    Ports ports;
    for (int port = 0; port < design_.radix; ++port) {
      if ((word(map_.descriptor(row, offset)) >> port & 1U) != 0) ports.push_back(port);
    }
    return ports;
  }
  [[nodiscard]] Flow flow(int row) const { return {ports(row, RegisterMap::kInMask), ports(row, map_.out_mask)}; }
  [[nodiscard]] LinkSet links(int row) const {
    Route route;
    const std::uint32_t colours = word(map_.descriptor(row, RegisterMap::kColours));
    for (int level = 0; level + 1 < network_.levels(); ++level) {
      route.colours.push_back(
          static_cast<int>(colours >> level * design_.colour_bits() & ((1U << design_.colour_bits()) - 1)));
    }
    return links_of(network_, flow(row), route);
  }
  /// No two that are enabled and name each other meet.
  void check_collisions() const {
    for (const int a : enabled_) {
      for (const int b : enabled_) {
        if (a >= b || !mutual(a, b)) continue;
        CHECK_FALSE(share_a_port(flow(a), flow(b)));
        CHECK(disjoint(links(a), links(b)));
      }
    }
  }

  const Design& design_;
  const Network& network_;
  RegisterMap map_;
  std::map<std::uint32_t, std::uint32_t> words_;
  std::set<int> enabled_;
};

/// All that is enabled is what the change says, and whoever can share cycles does.
void check_table(const Design& design, const Network& network, const Table& table, const ProgramChange& change) {
  std::set<int> indices;
  for (const Descriptor& descriptor : change.descriptors) {
    CHECK(indices.insert(descriptor.index).second);
    for (const RegisterWrite& write : register_writes(design, descriptor))
      CHECK(table.word(write.address) == write.data);
  }
  CHECK(table.enabled() == indices);
  std::size_t shared = 0;
  for (const Descriptor& a : change.descriptors) {
    for (const Descriptor& b : change.descriptors) {
      if (a.index >= b.index) continue;
      const Flow flow_a{a.in, a.out}, flow_b{b.in, b.out};
      const bool apart = disjoint(links_of(network, flow_a, a.route), links_of(network, flow_b, b.route));
      CHECK(table.mutual(a.index, b.index) == (apart && !share_a_port(flow_a, flow_b)));
      shared += !apart && !share_a_port(flow_a, flow_b) ? 1 : 0;
    }
  }
  CHECK(change.shared_time.size() == shared);
}

std::vector<Collective> collectives_of(const std::vector<Flow>& flows) {
  std::vector<Collective> collectives;
  for (const Flow& flow : flows) collectives.push_back(allreduce(flow));
  return collectives;
}

/// `index` of the flows of `program`, each with its route.
struct Case {
  Case(int radix, int middle, int descriptors, const std::vector<Flow>& flows)
      : design(design_of(radix, middle, descriptors)),
        network(make_network(radix, middle)),
        program(make_program(design, network, collectives_of(flows), {0, false, {}, {}})) {}

  /// The change that removes some and adds others, whose routes are given.
  [[nodiscard]] ProgramChange change(const std::vector<int>& removed, const std::vector<Flow>& added,
                                     const std::vector<Route>& of_added) const {
    std::vector<Descriptor> running;
    std::vector<Route> routes;
    for (const Descriptor& descriptor : program.descriptors) {
      if (std::find(removed.begin(), removed.end(), descriptor.index) != removed.end()) continue;
      running.push_back(descriptor);
      routes.push_back(descriptor.route);
    }
    routes.insert(routes.end(), of_added.begin(), of_added.end());
    return change_program(design, network, running, removed, collectives_of(added), routes, 5);
  }

  Design design;
  Network network;
  Program program;
};

std::string steps_of(const ProgramChange& change) {
  std::string text;
  for (const ChangeStep& step : change.steps) {
    text += std::string(text.empty() ? "" : ", ") + to_string(step.kind) + " " + std::to_string(step.descriptor) + ":";
    for (const RegisterWrite& write : step.writes) text += " " + write.name + "=" + std::to_string(write.data);
  }
  return text;
}

std::string refusal(const std::function<void()>& make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("change of a program: an added group, one removed, and only what that takes") {
  const Case of(8, 3, 4, {flow_of({0, 1, 2}), flow_of({3, 4, 5})});
  REQUIRE(of.program.descriptors[0].route == Route{{0, 0}});
  REQUIRE(of.program.descriptors[1].route == Route{{1, 0}});
  const ProgramChange added = of.change({}, {flow_of({6, 7})}, {Route{{0, 0}}});
  CHECK(steps_of(added) ==
        "add 2: CONFIG=1280 COLOURS=0 IN_MASK=192 OUT_MASK=192 COMPAT=3 CONTROL=1, "
        "share 0: CONTROL=0 COMPAT=6 CONTROL=1, share 1: CONTROL=0 COMPAT=5 CONTROL=1");
  CHECK(added.shared_time.empty());
  // Who shares a port, or a link, shares time, and is not written.
  CHECK(steps_of(of.change({}, {flow_of({2, 6})}, {Route{{2, 0}}})) ==
        "add 2: CONFIG=1280 COLOURS=2 IN_MASK=68 OUT_MASK=68 COMPAT=2 CONTROL=1, "
        "share 1: CONTROL=0 COMPAT=5 CONTROL=1");
  const ProgramChange meets = of.change({}, {flow_of({6, 7})}, {Route{{1, 0}}});
  CHECK(meets.shared_time == std::vector<std::string>{"allreduce 3,4,5>3,4,5 and allreduce 6,7>6,7"});
  // What is gone stays in COMPAT of the others, where it does no harm, until these are written anyway.
  CHECK(steps_of(of.change({1}, {}, {})) == "remove 1: CONTROL=0");
  CHECK(of.change({1}, {}, {}).descriptors[0].compatible == std::vector<int>{1});
  CHECK(steps_of(of.change({1}, {flow_of({6, 7})}, {Route{{0, 0}}})) ==
        "remove 1: CONTROL=0, add 2: CONFIG=1280 COLOURS=0 IN_MASK=192 OUT_MASK=192 COMPAT=1 CONTROL=1, "
        "share 0: CONTROL=0 COMPAT=4 CONTROL=1");
}

TEST_CASE("change of a program: which descriptor an added group gets") {
  // Full: that of one removed, which the other one has in COMPAT already.
  const Case full(8, 3, 2, {flow_of({0, 1, 2}), flow_of({3, 4, 5})});
  CHECK(steps_of(full.change({1}, {flow_of({6, 7})}, {Route{{0, 0}}})) ==
        "remove 1: CONTROL=0, add 1: CONFIG=1280 COLOURS=0 IN_MASK=192 OUT_MASK=192 COMPAT=1 CONTROL=1");
  CHECK(refusal([&] {
          (void)full.change({}, {flow_of({6, 7})}, {Route{{0, 0}}});
        }) == "3 collectives at once need as many descriptors, the design has 2; --descriptors allows up to 64");
  // Free ones that a running row names are better than those that it does not.
  const Case of(8, 3, 4, {flow_of({0, 1, 2}), flow_of({3, 4, 5})});
  std::vector<Descriptor> running{of.program.descriptors[0]};
  running[0].compatible = {1, 3};
  const ProgramChange change = change_program(of.design, of.network, running, {1}, {allreduce(flow_of({6, 7}))},
                                              {running[0].route, Route{{0, 0}}}, 0);
  CHECK(change.descriptors[1].index == 3);
  CHECK(change.steps.size() == 2);
}

TEST_CASE("change of a program: what does not fit is refused by name") {
  const Case of(8, 3, 4, {flow_of({0, 1, 2}), flow_of({3, 4, 5})});
  const std::vector<Descriptor>& runs = of.program.descriptors;
  const std::vector<Route> routes{runs[0].route, runs[1].route};
  const auto says = [&](const std::vector<Descriptor>& running, const std::vector<int>& removed,
                        const std::vector<Collective>& added, const std::vector<Route>& with, int epoch = 0) {
    return refusal([&] { (void)change_program(of.design, of.network, running, removed, added, with, epoch); });
  };
  CHECK(says(runs, {}, {}, routes).empty());
  CHECK(says(runs, {4}, {}, routes) == "descriptor 4 runs: the design has 0..3");
  CHECK(says(runs, {-1}, {}, routes) == "descriptor -1 runs: the design has 0..3");
  CHECK(says(runs, {1}, {}, routes) == "descriptor 1 is named twice");
  CHECK(says({runs[0], runs[0]}, {}, {}, routes) == "descriptor 0 is named twice");
  CHECK(says(runs, {}, {}, {runs[0].route}) == "1 routes for 2 collectives");
  CHECK(says(runs, {}, {}, {runs[0].route, Route{{7, 7}}}).find("7") != std::string::npos);
  std::vector<Descriptor> meeting = runs;
  meeting[1].route = meeting[0].route;
  CHECK(says(meeting, {}, {}, routes) == "descriptors 0 and 1 call each other compatible though their routes meet");
  const Collective all{Kind::kAllToAll, flow_of({6, 7}), 0, Op::kSum};
  CHECK(says(runs, {}, {all}, {routes[0], routes[1], Route{{0, 0}}}).find("alltoall") != std::string::npos);
  std::vector<Descriptor> tables = runs;
  tables[0].kind = Kind::kAllToAll;
  CHECK(says(tables, {}, {}, routes).find("alltoall") != std::string::npos);
  CHECK(says(runs, {}, {allreduce(flow_of({6, 7}))}, {routes[0], routes[1], Route{{0, 0}}}, 16) ==
        "epoch 16: allowed are 0..15");
  CHECK(refusal([&] {
          (void)change_program(design_of(9, 3, 4), of.network, {}, {}, {}, {}, 0);
        }).find("must be the same") != std::string::npos);
}

TEST_CASE("change of a program: after each write nothing collides, and in the end all that can share cycles does") {
  std::mt19937 random = seeded("changes of a program");
  std::map<StepKind, int> seen;
  for (int round = 0; round < 150; ++round) {
    const int radix = 4 + static_cast<int>(random() % 9);
    const Design design = design_of(radix, 2 + static_cast<int>(random() % 2), 8);
    const Network network = make_network(radix, design.middle);
    Table table(design, network);
    std::vector<Flow> first = random_groups(random, radix, 4);
    if (first.size() > 4) first.resize(4);
    Program program = make_program(design, network, collectives_of(first), {0, false, {}, {}});
    for (const auto& writes : program.writes) {
      for (const RegisterWrite& write : writes) table.write(write);
    }
    std::vector<Descriptor> running = program.descriptors;
    for (int change_of = 0; change_of < 6; ++change_of) {
      std::vector<int> removed;
      for (std::size_t d = 0; d < running.size();) {
        if (random() % 3 != 0) {
          ++d;
          continue;
        }
        removed.push_back(running[d].index);
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(d));
      }
      // Any group, with ports in common or not; all that run are rounds of their own, so nothing but the added ones
      // must be apart from them.
      Running flows;
      for (std::size_t d = 0; d < running.size(); ++d) {
        flows.flows.push_back({running[d].in, running[d].out});
        flows.routes.push_back(running[d].route);
        flows.rounds.push_back({static_cast<int>(d)});
      }
      std::vector<Flow> added = random_groups(random, radix, 4);
      added.resize(std::min<std::size_t>(added.size(), std::min<std::size_t>(8 - running.size(), random() % 3)));
      LinkSet broken(network.links.size());
      if (random() % 2 == 0) broken[random() % network.links.size()] = true;
      const Change routed = add_flows(network, flows, added, broken);
      if (routed.conflict) {
        added.clear();
      } else {
        flows.routes = routed.routes;
      }
      const ProgramChange change =
          change_program(design, network, running, removed, collectives_of(added), flows.routes, 0);
      int last = 0;
      for (const ChangeStep& step : change.steps) {
        ++seen[step.kind];
        CHECK(static_cast<int>(step.kind) >= last);
        last = static_cast<int>(step.kind);
        for (const RegisterWrite& write : step.writes) table.write(write);
      }
      check_table(design, network, table, change);
      running = change.descriptors;
    }
  }
  for (const StepKind kind : {StepKind::kRemove, StepKind::kStop, StepKind::kMove, StepKind::kAdd, StepKind::kShare}) {
    CAPTURE(std::string(to_string(kind)));
    CHECK(seen[kind] > 20);
  }
}
