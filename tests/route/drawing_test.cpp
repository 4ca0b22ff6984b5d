// SPDX-License-Identifier: Apache-2.0
// The drawing is read back by a small XML reader and compared with what links_of and the port numbers say.
#include "fred/route/drawing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "fred/error.hpp"
#include "tests/route/support.hpp"

using namespace fred;
using namespace fred::test;

namespace {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // directly inside it
  int parent = -1;   // index
  [[nodiscard]] std::string at(const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
  }
};

/// All elements in order of their beginning. Fails the test on what is not well-formed: tags that do not nest,
/// attributes that are repeated or not quoted, entities other than those of XML.
std::vector<Element> read_xml(const std::string& text) {
  std::vector<Element> elements;
  std::vector<int> open;
  const auto plain = [](std::string value) {
    const std::pair<const char*, const char*> entities[] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
    CHECK(value.find('<') == std::string::npos);
    for (const auto& [entity, character] : entities) {
      for (std::size_t at = 0; (at = value.find(entity, at)) != std::string::npos; ++at) {
        value.replace(at, std::string(entity).size(), character);
      }
    }
    return value;
  };
  std::size_t at = text.find("?>") + 2;
  REQUIRE(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
  while (at < text.size()) {
    const std::size_t tag = std::min(text.find('<', at), text.size());
    if (!open.empty()) elements[open.back()].text += plain(text.substr(at, tag - at));
    if (tag == text.size()) break;
    const std::size_t end = text.find('>', tag);
    REQUIRE(end != std::string::npos);
    std::string inside = text.substr(tag + 1, end - tag - 1);
    at = end + 1;
    if (inside.starts_with("/")) {
      REQUIRE(!open.empty());
      REQUIRE(elements[open.back()].name == inside.substr(1));
      open.pop_back();
      continue;
    }
    const bool empty = inside.ends_with("/");
    if (empty) inside.pop_back();
    Element element{inside.substr(0, inside.find(' ')), {}, "", open.empty() ? -1 : open.back()};
    for (std::size_t blank = inside.find(' '); blank != std::string::npos && blank + 1 < inside.size();) {
      const std::size_t equals = inside.find("=\"", blank);
      REQUIRE(equals != std::string::npos);
      const std::size_t quote = inside.find('"', equals + 2);
      REQUIRE(quote != std::string::npos);
      const std::string key = inside.substr(blank + 1, equals - blank - 1);
      CHECK_MESSAGE(element.attributes.emplace(key, plain(inside.substr(equals + 2, quote - equals - 2))).second, key);
      blank = inside.find(' ', quote);
    }
    elements.push_back(std::move(element));
    if (!empty) open.push_back(static_cast<int>(elements.size()) - 1);
  }
  CHECK(open.empty());
  REQUIRE(!elements.empty());
  CHECK(std::count_if(elements.begin(), elements.end(), [](const Element& of) { return of.parent < 0; }) == 1);
  return elements;
}

std::vector<int> of_class(const std::vector<Element>& elements, const std::string& name) {
  std::vector<int> found;
  for (int i = 0; i < static_cast<int>(elements.size()); ++i) {
    if (elements[i].at("class") == name) found.push_back(i);
  }
  return found;
}

/// The tooltip of an element.
std::string title_of(const std::vector<Element>& elements, int index) {
  for (const Element& element : elements) {
    if (element.parent == index && element.name == "title") return element.text;
  }
  return "";
}

/// The panel that an element is in: by its translated group.
int panel_of(const std::vector<Element>& elements, int index) {
  while (elements[index].parent != 0) index = elements[index].parent;
  return index;
}

std::string end_name(const Network& network, int node, int pin) {
  return node < 0 ? "port " + std::to_string(pin) : network.nodes[node].name() + "[" + std::to_string(pin) + "]";
}

/// Where the ports of one side of a flow come together, found from the port numbers alone: pairs of ports at level l
/// that share a microswitch there. `kind` is R or D; innermost it is RD.
std::set<std::string> meetings(const Network& network, Ports ports, const Route& route, const std::string& kind) {
  std::set<std::string> names;
  std::string path;
  for (int level = 0; level < network.levels(); ++level) {
    const bool last = level + 1 == network.levels();
    const std::set<int> here(ports.begin(), ports.end());
    for (const int port : here) {
      if (port % 2 == 0 && here.count(port + 1) > 0) {
        names.insert(path + (last ? "RD" : kind + std::to_string(port / 2)));
      }
    }
    if (!last) path += "m" + std::to_string(route.colours[level]) + ".";
    for (int& port : ports) port /= 2;
  }
  return names;
}

/// Names of the nodes that have a mark of a flow in a panel; no node twice.
std::set<std::string> marked(const std::vector<Element>& elements, int panel, const std::string& mark, int number) {
  std::set<std::string> names;
  for (const int i : of_class(elements, mark)) {
    if (panel_of(elements, i) != panel || elements[i].at("data-flow") != std::to_string(number)) continue;
    const Element& node = elements[elements[i].parent];
    CHECK(node.at("class") == "node");
    CHECK(names.insert(node.at("data-node")).second);
  }
  return names;
}

/// All that holds of every drawing.
std::vector<Element> check_drawing(const Network& network, const std::vector<DrawnRound>& rounds,
                                   const LinkSet& broken = {}) {
  const std::string text = draw_svg(network, rounds, broken);
  CHECK(text == draw_svg(network, rounds, broken));
  const std::vector<Element> elements = read_xml(text);
  CHECK(elements[0].name == "svg");
  CHECK(!title_of(elements, 0).empty());

  // Every link once a panel, as what it is, and what carries a flow in the colour of its legend.
  std::map<int, std::map<int, std::string>> drawn;                             // panel, link -> flow or class
  std::map<std::string, std::set<std::pair<std::string, std::string>>> looks;  // flow -> stroke, dashes
  for (const char* kind : {"free", "broken", "link"}) {
    for (const int i : of_class(elements, kind)) {
      const Element& element = elements[i];
      const Link& link = network.links.at(std::stoul(element.at("data-link")));
      const std::string flow = element.at("data-flow");
      CHECK(drawn[panel_of(elements, i)]
                .emplace(std::stoi(element.at("data-link")), flow.empty() ? kind : "flow " + flow)
                .second);
      if (!flow.empty()) looks["flow " + flow].emplace(element.at("stroke"), element.at("stroke-dasharray"));
      const std::string tip = title_of(elements, i);
      CHECK(tip.starts_with(end_name(network, link.from, link.from_pin) + " to " +
                            end_name(network, link.to, link.to_pin) + ": " + (flow.empty() ? "free" : "flow " + flow)));
    }
  }
  REQUIRE(drawn.size() == std::max<std::size_t>(1, rounds.size()));
  std::size_t r = 0;
  for (const auto& [panel, links] : drawn) {
    std::map<int, std::string> expected;
    for (int i = 0; i < static_cast<int>(network.links.size()); ++i) {
      expected[i] = !broken.empty() && broken[i] ? "broken" : "free";
    }
    if (r < rounds.size()) {
      for (const auto& [number, flow, route] : rounds[r].flows) {
        const LinkSet used = links_of(network, flow, route);
        for (std::size_t i = 0; i < used.size(); ++i) {
          if (used[i]) expected[static_cast<int>(i)] = "flow " + std::to_string(number);
        }
        const std::set<std::string> reduces = marked(elements, panel, "reduces", number);
        const std::set<std::string> distributes = marked(elements, panel, "distributes", number);
        CHECK(reduces == meetings(network, flow.in, route, "R"));
        CHECK(distributes == meetings(network, flow.out, route, "D"));
        CHECK(reduces.size() == flow.in.size() - 1);  // a tree
        CHECK(distributes.size() == flow.out.size() - 1);
      }
    }
    CHECK(links == expected);
    std::multiset<std::string> nodes, names;
    for (const Node& node : network.nodes) names.insert(node.name());
    for (const int i : of_class(elements, "node")) {
      if (panel_of(elements, i) == panel) nodes.insert(elements[i].at("data-node"));
    }
    CHECK(nodes == names);
    std::multiset<std::string> ports, said;
    for (std::size_t i = 0; i < network.links.size(); ++i) {
      const Link& link = network.links[i];
      const std::string what =
          ": " + (expected[static_cast<int>(i)].starts_with("flow") ? expected[static_cast<int>(i)] : "free");
      if (link.from < 0) ports.insert("in " + std::to_string(link.from_pin) + what);
      if (link.to < 0) ports.insert("out " + std::to_string(link.to_pin) + what);
    }
    for (int i = 0; i < static_cast<int>(elements.size()); ++i) {
      const std::string tip = elements[i].name == "circle" ? title_of(elements, i) : "";
      if (!tip.empty() && panel_of(elements, i) == panel) said.insert(tip);
    }
    CHECK(said == ports);
    ++r;
  }

  // The legend has each flow in the colour of its links.
  for (const DrawnRound& round : rounds) {
    for (const auto& [number, flow, route] : round.flows) {
      const std::string name = "flow " + std::to_string(number);
      const std::string begins = name + ": " + to_string(flow);
      int found = 0;
      for (const int i : of_class(elements, "legend")) {
        std::string legend;
        std::pair<std::string, std::string> look;
        for (const Element& child : elements) {
          if (child.parent != i && (child.parent < 0 || elements[child.parent].parent != i)) continue;
          legend += child.text;
          if (child.name == "path") look = {child.at("stroke"), child.at("stroke-dasharray")};
        }
        if (!legend.starts_with(begins)) continue;
        ++found;
        CHECK(looks[name] == std::set<std::pair<std::string, std::string>>{look});
      }
      CHECK_MESSAGE(found == 1, begins);
    }
  }
  return elements;
}

/// In as many rounds as it takes.
std::vector<DrawnRound> routed(const Network& network, const std::vector<Flow>& flows) {
  const auto rounds = route_rounds(network, flows);
  std::vector<Route> routes(flows.size());
  for (const std::vector<int>& round : rounds.rounds) {
    std::vector<Flow> some;
    for (const int f : round) some.push_back(flows[f]);
    const RouteResult result = route_flows(network, some);
    REQUIRE(result.routable());
    for (std::size_t i = 0; i < round.size(); ++i) routes[round[i]] = result.routes[i];
  }
  return drawn_rounds(flows, routes, rounds.rounds);
}

}  // namespace

TEST_CASE("drawing: groups, flows with other outputs than inputs, several rounds, every radix") {
  const auto draws = [](int radix, int middle, const char* flows) {
    CAPTURE(radix);
    CAPTURE(flows);
    const Network network = make_network(radix, middle);
    return check_drawing(network, routed(network, parse_flows(flows, radix)));
  };
  draws(8, 3, "0,2,6>0,2,6;1,3>1,3;4,5,7>4,5,7");
  draws(2, 2, "0,1>0,1");
  draws(2, 3, "0>1;1>0");
  draws(3, 2, "0,2>1,2;1>0");
  draws(5, 2, "0,4>1,2;1>3;2,3>0,4");
  draws(7, 3, "0,1,2,3,4,5,6>6");
  draws(7, 3, "6>0,1,2,3,4,5,6");
  draws(6, 3, "3,4>2;1>3,5;5>0,4;0,2>1");  // two rounds
  draws(12, 3, "0,2,4>0,2,4;1,6,8>1,6,8;3,7,10>3,7,10;5,9,11>5,9,11");
  draws(8, 8, "0>7;1>6;2>5;3>4;4>3;5>2;6>1;7>0");
}

TEST_CASE("drawing: random flows") {
  std::mt19937 random = seeded("drawing");
  for (int i = 0; i < 40; ++i) {
    const int radix = 2 + static_cast<int>(random() % 18);
    const Network network = make_network(radix, 2 + static_cast<int>(random() % 3));
    CAPTURE(radix);
    check_drawing(network,
                  routed(network, i % 2 == 0 ? random_groups(random, radix, radix)
                                             : random_flows(random, radix, 1 + static_cast<int>(random() % 2))));
  }
}

TEST_CASE("drawing: more flows than colours are told apart by dashes") {
  const Network network = make_network(32, 3);
  std::vector<Flow> flows;
  for (int port = 0; port < 32; ++port) flows.push_back({{port}, {port}});
  const std::vector<Element> elements = check_drawing(network, routed(network, flows));
  std::set<std::tuple<std::string, std::string>> looks;
  for (const int i : of_class(elements, "link")) {
    looks.emplace(elements[i].at("stroke"), elements[i].at("stroke-dasharray"));
  }
  CHECK(looks.size() == 32);
}

TEST_CASE("drawing: without flows the network alone") {
  const Network network = make_network(6, 2);
  const std::vector<Element> elements = check_drawing(network, {});
  CHECK(of_class(elements, "link").empty());
  CHECK(of_class(elements, "reduces").empty());
}

TEST_CASE("drawing: long lists of ports are broken into lines inside the picture") {
  const Network network = make_network(128, 2);
  Ports all(128);
  for (int port = 0; port < 128; ++port) all[port] = port;
  const std::vector<Element> elements = check_drawing(network, routed(network, {{all, all}}));
  std::size_t lines = 0;
  for (const Element& element : elements) {
    if (element.name != "tspan") continue;
    ++lines;
    CHECK(std::stoul(element.at("x")) + element.text.size() * 7 < std::stoul(elements[0].at("width")));
  }
  CHECK(lines > 0);
}

TEST_CASE("drawing: broken links and nodes") {
  const Network network = make_network(8, 3);
  const std::vector<DrawnRound> rounds = routed(network, {{{0, 1}, {0, 1}}, {{2, 5}, {6}}});
  LinkSet broken(network.links.size());
  std::string dead;  // a node that no flow goes through
  for (int node = 0; node < static_cast<int>(network.nodes.size()); ++node) {
    if (network.nodes[node].name() != "m2.R1") continue;
    dead = network.nodes[node].name();
    for (std::size_t i = 0; i < network.links.size(); ++i) {
      if (network.links[i].from == node || network.links[i].to == node) broken[i] = true;
    }
  }
  REQUIRE(!dead.empty());
  for (std::size_t i = 0; i < network.links.size(); ++i) {  // all of R3, which is free, but the link of input 6
    const Link& link = network.links[i];
    if (end_name(network, link.from, 0) == "R3[0]" || (link.from == -1 && link.from_pin == 7)) broken[i] = true;
  }
  std::size_t used = 0;  // a broken link that a flow goes over nevertheless
  while (!(network.links[used].from == -1 && network.links[used].from_pin == 0)) ++used;
  broken[used] = true;
  const std::vector<Element> elements = check_drawing(network, rounds, broken);
  CHECK(of_class(elements, "broken").size() == 8);
  CHECK(of_class(elements, "broken-link").size() == 9);
  CHECK(of_class(elements, "broken-node").size() == 1);
  int said = 0;
  for (int i = 0; i < static_cast<int>(elements.size()); ++i) {
    if (elements[i].at("data-node") == dead) CHECK(title_of(elements, i) == "m2.R1: free, broken");
    if (elements[i].at("data-link") == std::to_string(used))
      CHECK(title_of(elements, i) == "port 0 to R0[0]: flow 0, broken");
    said += title_of(elements, i).ends_with(", broken") ? 1 : 0;
  }
  CHECK(said == 10);
  for (const Element& element : check_drawing(network, rounds, LinkSet(network.links.size()))) {
    CHECK(!element.at("class").starts_with("broken"));
  }
}

TEST_CASE("drawing: what is refused") {
  const auto refused = [](const Network& network, const std::vector<DrawnRound>& rounds, const LinkSet& broken,
                          const std::string& part) {
    try {
      (void)draw_svg(network, rounds, broken);
      FAIL("not refused: ", part);
    } catch (const InputError& error) {
      CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, error.what());
    }
  };
  const Network network = make_network(8, 3);
  refused(make_network(256, 3), {}, {}, "at most 20000");
  refused(network, std::vector<DrawnRound>(400), {}, "in 400 rounds has");
  refused(network, {}, LinkSet(3), "3 links are said to be broken");
  refused(network, {{{{0, {{0}, {0}}, {{0}}}}}}, {}, "colours");
  refused(network, {{{{4, {{0}, {2}}, {{0, 0}}}, {7, {{1}, {3}}, {{0, 1}}}}}}, {},
          "flows 4 and 7 share the link R0[0] to m0.R0[0]");
}
