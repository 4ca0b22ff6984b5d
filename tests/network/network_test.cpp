// SPDX-License-Identifier: Apache-2.0
// The construction against the published counts, and the properties that everything else relies on.
#include "fred/network/network.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "fred/error.hpp"

using namespace fred;

namespace {

Counts count_nodes(const Network& network) {
  Counts counts;
  for (const Node& node : network.nodes) {
    switch (node.kind) {
      case NodeKind::kR:
        ++counts.r;
        break;
      case NodeKind::kD:
        ++counts.d;
        break;
      case NodeKind::kRD:
        ++counts.rd;
        break;
      case NodeKind::kDemux:
        ++counts.demux;
        break;
      case NodeKind::kMux:
        ++counts.mux;
        break;
    }
  }
  return counts;
}

int inputs_of(NodeKind kind, int m) {
  return kind == NodeKind::kD || kind == NodeKind::kMux ? m : kind == NodeKind::kDemux ? 1 : 2;
}

int outputs_of(NodeKind kind, int m) {
  return kind == NodeKind::kR || kind == NodeKind::kDemux ? m : kind == NodeKind::kMux ? 1 : 2;
}

}  // namespace

TEST_CASE("the table of fred-facts") {
  struct Row {
    int middle, radix;
    long r, rd, total, reducers, demux;
    int stages;
  };
  for (const Row& row :
       {Row{2, 8, 8, 4, 20, 12, 0, 5}, Row{3, 8, 10, 9, 29, 19, 0, 5}, Row{3, 10, 20, 27, 67, 47, 12, 7},
        Row{3, 11, 23, 27, 73, 50, 10, 7}, Row{3, 12, 24, 27, 75, 51, 9, 7}, Row{3, 16, 38, 27, 103, 65, 0, 7},
        Row{3, 20, 70, 81, 221, 151, 36, 9}, Row{3, 64, 422, 243, 1087, 665, 0, 11}}) {
    CAPTURE(row.middle);
    CAPTURE(row.radix);
    const Counts counts = count_network(row.radix, row.middle);
    CHECK(counts == Counts{row.r, row.r, row.rd, row.demux, row.demux});
    CHECK(counts.microswitches() == row.total);
    CHECK(counts.reducers() == row.reducers);
    CHECK(make_network(row.radix, row.middle).stages() == row.stages);
  }
}

TEST_CASE("every network is whole") {
  for (int middle = 2; middle <= 4; ++middle) {
    for (int radix = 2; radix <= 40; ++radix) {
      CAPTURE(middle);
      CAPTURE(radix);
      const Network network = make_network(radix, middle);
      CHECK(network.radix == radix);
      CHECK(network.middle == middle);
      CHECK(count_nodes(network) == count_network(radix, middle));

      std::set<std::string> names;
      for (const Node& node : network.nodes) names.insert(node.name());
      CHECK(names.size() == network.nodes.size());

      // Each pin of each node and each port has one link: no more, no less.
      std::set<std::pair<int, int>> drivers, readers;
      for (const Link& link : network.links) {
        CHECK(drivers.insert({link.from, link.from_pin}).second);
        CHECK(readers.insert({link.to, link.to_pin}).second);
        // Stages follow each other: so every path has the same number of them.
        const int from = link.from < 0 ? -1 : network.nodes[link.from].stage;
        const int to = link.to < 0 ? network.stages() : network.nodes[link.to].stage;
        CHECK(to == from + 1);
      }
      std::set<std::pair<int, int>> outputs, inputs;
      for (int port = 0; port < radix; ++port) {
        outputs.insert({-1, port});
        inputs.insert({-1, port});
      }
      for (int n = 0; n < static_cast<int>(network.nodes.size()); ++n) {
        for (int pin = 0; pin < outputs_of(network.nodes[n].kind, middle); ++pin) outputs.insert({n, pin});
        for (int pin = 0; pin < inputs_of(network.nodes[n].kind, middle); ++pin) inputs.insert({n, pin});
      }
      CHECK(drivers == outputs);
      CHECK(readers == inputs);
    }
  }
}

TEST_CASE("wiring follows the rule: output k of R i to input i of middle k") {
  const Network network = make_network(9, 3);  // sizes 9, 5, 3
  REQUIRE(network.shapes.size() == 3);
  CHECK(network.shapes[0] == LevelShape{0, 9, 4, true, 5});
  CHECK(network.shapes[1] == LevelShape{1, 5, 2, true, 3});
  CHECK(network.shapes[2] == LevelShape{2, 3, 1, true, 2});
  std::map<std::string, std::string> to;  // "node[pin]" -> "node[pin]"
  for (const Link& link : network.links) {
    const auto text = [&](int node, int pin) {
      return (node < 0 ? "port" : network.nodes[node].name()) + "[" + std::to_string(pin) + "]";
    };
    to[text(link.from, link.from_pin)] = text(link.to, link.to_pin);
  }
  CHECK(to["port[0]"] == "R0[0]");
  CHECK(to["port[7]"] == "R3[1]");
  CHECK(to["port[8]"] == "demux[0]");
  CHECK(to["R3[2]"] == "m2.R1[1]");
  CHECK(to["demux[1]"] == "m1.demux[0]");
  CHECK(to["m1.demux[2]"] == "m1.m2.demux[0]");
  CHECK(to["m1.m2.demux[0]"] == "m1.m2.m0.RD[1]");
  CHECK(to["m1.m2.R0[1]"] == "m1.m2.m1.RD[0]");
  CHECK(to["m1.m2.m1.RD[0]"] == "m1.m2.D0[1]");
  CHECK(to["m1.m2.m1.RD[1]"] == "m1.m2.mux[1]");
  CHECK(to["m1.m2.D0[1]"] == "m1.D1[2]");
  CHECK(to["m1.m2.mux[0]"] == "m1.mux[2]");
  CHECK(to["m1.D1[0]"] == "D2[1]");
  CHECK(to["D2[1]"] == "port[5]");
  CHECK(to["mux[0]"] == "port[8]");
}

TEST_CASE("sizes that are not allowed are refused") {
  CHECK_THROWS_WITH_AS((void)make_network(1, 3), "radix 1: allowed are 2..4096", InputError);
  CHECK_THROWS_AS((void)make_network(4097, 3), InputError);
  CHECK_THROWS_WITH_AS((void)make_network(8, 1), "middle 1: allowed are 2..16", InputError);
  CHECK_THROWS_AS((void)make_network(8, 17), InputError);
  CHECK_THROWS_AS((void)make_network(4096, 16), InputError);  // 10^13 microswitches
  CHECK(count_network(4096, 16).rd == 17'592'186'044'416);
  CHECK(make_network(2, 16).nodes.size() == 1);
}
