// SPDX-License-Identifier: Apache-2.0
// Reading groups and flows: what is understood, what is refused and how, and that nothing crashes.
#include "fred/route/flow.hpp"

#include <doctest/doctest.h>

#include <string>

#include "fred/error.hpp"
#include "tests/route/support.hpp"

using namespace fred;

TEST_CASE("groups keep their rank order; flows are sorted") {
  CHECK(parse_groups("0,1,2;3,4,5", 8) == std::vector<Group>{{0, 1, 2}, {3, 4, 5}});
  CHECK(parse_groups(" 4 , 0,2 ; 7 ", 8) == std::vector<Group>{{4, 0, 2}, {7}});
  CHECK(flow_of({4, 0, 2}) == Flow{{0, 2, 4}, {0, 2, 4}});
  CHECK(parse_flows("3,4>2;1>5,3", 6) == std::vector<Flow>{{{3, 4}, {2}}, {{1}, {3, 5}}});
  CHECK(to_string(Flow{{3, 4}, {2}}) == "3,4>2");
  CHECK(parse_flows(to_string(Flow{{0, 5}, {1, 2}}), 6) == std::vector<Flow>{{{0, 5}, {1, 2}}});
}

TEST_CASE("a port may be an input of one flow and an output of another") {
  CHECK(parse_flows("0>1;1>2", 4).size() == 2);
}

TEST_CASE("errors name the value") {
  CHECK_THROWS_WITH_AS((void)parse_groups("", 8), "no groups: write them as \"0,1,2;3,4,5\"", InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups(" ", 8), "no groups: write them as \"0,1,2;3,4,5\"", InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("0,1;;2", 8), "'0,1;;2': a group is empty; write groups as 0,1,2;3,4,5",
                       InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("0,1,", 8), "'0,1,': a port is missing; write ports as 0,1,2", InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("0,x", 8), "port 'x' is not a number: allowed are 0..7", InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("0,1 2", 8), "port '1 2' is not a number: allowed are 0..7", InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("0,8", 8), "port '8': allowed are 0..7", InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("-1", 8), "port '-1': allowed are 0..7", InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("99999999999999999999", 8), "port '99999999999999999999': allowed are 0..7",
                       InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("0,1;1", 8), "port 1 is repeated: a port may be in one group, once",
                       InputError);
  CHECK_THROWS_WITH_AS((void)parse_groups("\x1b[31m\xc3\xa9", 8),
                       "port '\\x1b[31m\\xc3\\xa9' is not a number: allowed are 0..7", InputError);
  CHECK_THROWS_WITH_AS((void)parse_flows("", 8), "no flows: write them as \"3,4>2;1>3,5\"", InputError);
  CHECK_THROWS_WITH_AS((void)parse_flows("1,2", 8), "'1,2': a flow is written as inputs>outputs, for example 3,4>2",
                       InputError);
  CHECK_THROWS_AS((void)parse_flows("1>2>3", 8), InputError);
  CHECK_THROWS_AS((void)parse_flows("1>", 8), InputError);
  CHECK_THROWS_AS((void)parse_flows(">1", 8), InputError);
  CHECK_THROWS_WITH_AS((void)parse_flows("0>1;2>1", 8), "port 1 is repeated: a port may be an output of one flow, once",
                       InputError);
  CHECK_THROWS_WITH_AS((void)parse_flows("0>1;0>2", 8), "port 0 is repeated: a port may be an input of one flow, once",
                       InputError);
}

TEST_CASE("groups and flows that may overlap: a port once in each") {
  const auto groups = parse_groups("0,1;1,2;1", 8, Overlap::kAllowed);
  CHECK(groups == std::vector<Group>{{0, 1}, {1, 2}, {1}});
  CHECK_THROWS_WITH_AS((void)parse_groups("0,1;2,1,2", 8, Overlap::kAllowed),
                       "port 2 is repeated: a port may be in a group once", InputError);
  const auto flows = parse_flows("0>1;0,1>1", 8, Overlap::kAllowed);
  CHECK(flows == std::vector<Flow>{{{0}, {1}}, {{0, 1}, {1}}});
  CHECK(share_a_port(flows[0], flows[1]));
  CHECK_FALSE(share_a_port(Flow{{0}, {1}}, Flow{{1}, {0}}));
  CHECK_THROWS_WITH_AS((void)parse_flows("0>1;1,1>0", 8, Overlap::kAllowed),
                       "port 1 is repeated: a port may be an input of a flow once", InputError);
  CHECK_THROWS_WITH_AS((void)parse_flows("0>1;1>0,0", 8, Overlap::kAllowed),
                       "port 0 is repeated: a port may be an output of a flow once", InputError);
}

TEST_CASE("hostile text is refused or read, never worse") {
  std::mt19937 random = test::seeded("hostile text");
  const std::string alphabet = "0123456789,,,;;;>>> -+.x\t\n\"'\\\xff\xc3";
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (auto length = random() % 24; length > 0; --length) text += alphabet[random() % alphabet.size()];
    if (random() % 50 == 0) text += std::string(5000, alphabet[random() % alphabet.size()]);
    if (random() % 50 == 0) text.push_back('\0');
    const int radix = 1 + static_cast<int>(random() % 16);
    try {
      for (const Group& group : parse_groups(text, radix)) {
        for (const int port : group) CHECK((port >= 0 && port < radix));
      }
      ++accepted;
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).size() < 300);
    }
    try {
      for (const Flow& flow : parse_flows(text, radix)) {
        CHECK(!flow.in.empty());
        CHECK(!flow.out.empty());
      }
      ++accepted;
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).size() < 300);
    }
  }
  CHECK(accepted > 0);
}
