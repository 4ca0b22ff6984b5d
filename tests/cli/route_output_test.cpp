// SPDX-License-Identifier: Apache-2.0
// What `fred route` prints and writes: JSON, registers, tables for the driver, drawings; hostile text.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("route: JSON, trees, and exit code 3 with the rounds all the same") {
  const json fits = parsed("route --radix 8 --groups '6,0,2;1,3;4,5,7' --json -");
  CHECK(fits["routable"] == true);
  CHECK(fits["conflict"].is_null());
  CHECK(fits["rounds"] == json::parse("[[0,1,2]]"));
  CHECK(fits["routes"][0]["in"] == json({0, 2, 6}));
  CHECK(fits["routes"][0]["out"] == json({0, 2, 6}));
  CHECK(fits["routes"][0]["tree"] == "((0+2)+6)");
  for (const json& route : fits["routes"]) CHECK(route["colours"].size() == 2);

  const std::string three = "route --radix 6 --middle 2 --groups '0,2;1,4;3,5' ";
  const Result text = fred(three);
  CHECK(text.code == 3);
  CHECK(text.out.find("3 flows in 2 rounds") != std::string::npos);
  CHECK(text.err.find("--middle 3 routes all at once") != std::string::npos);
  const Result split = fred(three + "--json -");
  CHECK(split.code == 3);
  const json conflict = json::parse(split.out);
  CHECK(conflict["routable"] == false);
  CHECK(conflict["rounds"].size() == 2);
  CHECK(conflict["routes"].size() == 3);
  CHECK(conflict["conflict"]["flows"] == json({0, 1, 2}));
  CHECK(conflict["conflict"]["level"] == 0);
  CHECK(conflict["conflict"]["reason"].get<std::string>().find("3 are needed") != std::string::npos);
}

TEST_CASE("route: registers of a switch of several types") {
  const json set = parsed(
      "route --groups '0,1;2,3' --registers --dtype bf16,fp32 --collective allreduce:fp32,reduce:bf16 --op max --json "
      "-");
  CHECK(set["registers"][0]["writes"][0]["name"] == "CONFIG");
  CHECK(set["registers"][0]["writes"][0]["data"] == (1 << 24 | 2 << 4 | 0));
  CHECK(set["registers"][1]["writes"][0]["data"] == (0 << 24 | 2 << 16 | 2 << 4 | 1));
  refused("route --groups 0,1 --registers --dtype bf16,fp32 --collective allreduce:fp16", 2,
          {"'fp16' in 'allreduce:fp16'", "bf16, fp32", "sum, min"});
  const json each = parsed(
      "route --groups '0,1;2,3;4,5' --registers --dtype bf16,fp32 --collective allreduce:fp32:min,reduce:max,allgather "
      "--json -")["registers"];
  CHECK(each[0]["writes"][0]["data"] == (1 << 24 | 1 << 4));
  CHECK(each[0]["dtype"] == "fp32");
  CHECK(each[0]["op"] == "min");
  CHECK(each[1]["writes"][0]["data"] == (2 << 16 | 2 << 4 | 1));
  CHECK(each[2]["op"].is_null());
  refused("route --groups 0,1 --registers --collective allgather:sum", 2, {"'allgather:sum'", "does not reduce"});
  refused("route --groups 0,1 --registers --collective allreduce:bf16:", 2, {"'' in 'allreduce:bf16:'", "sum, min"});
  refused("route --groups 0,1 --registers --dtype int8,bf16 --ops sum,sum-sat --op sum-sat --collective allreduce:bf16",
          2, {"sum-sat", "bf16"});
  refused("route --groups 0,1 --dtype bf16", 2, {"--dtype", "--registers"});
  const json saturating = parsed("route --groups 0,1 --registers --dtype int8 --ops sum-sat --op sum-sat --json -");
  CHECK(saturating["registers"][0]["writes"][0]["data"] == 3 << 4);
}

TEST_CASE("route: groups with ports in common share time in the registers, and only there") {
  const std::string overlap = "route --radix 4 --groups '0,1;2,3;0,1,2,3' ";
  refused(overlap, 2, {"port 0 is repeated", "in one group"});
  refused("route --radix 4 --groups '0,1;2,0,2' --registers", 2, {"port 2 is repeated", "in a group once"});
  refused("route --radix 4 --flows '0>1;0>2'", 2, {"port 0 is repeated", "one flow"});
  const json both = parsed(overlap + "--registers --vcs 2 --vc 0,0,1 --json -");
  CHECK(both["routable"] == true);
  CHECK(both["rounds"] == json::parse("[[0, 1], [2]]"));
  const json& written = both["registers"];
  REQUIRE(written.size() == 3);
  CHECK(written[0]["compatible"] == json::parse("[1]"));
  CHECK(written[2]["compatible"].empty());
  CHECK(written[2]["vc"] == 1);
  for (std::size_t i = 0; i < 3; ++i) CHECK(written[i]["descriptor"] == i);
  const json flows = parsed("route --radix 4 --flows '0>1;0>2' --registers --collective broadcast --json -");
  CHECK(flows["rounds"] == json::parse("[[0], [1]]"));
  const Result text = fred(overlap + "--registers");
  CHECK(text.code == 0);
  CHECK(text.out.find("3 flows in 2 rounds") != std::string::npos);
}

TEST_CASE("route: hostile text") {
  refused("route", 2, {"--groups", "--flows"});
  refused("route --groups 0,1 --flows '0>1'", 2, {"--groups", "--flows"});
  refused("route --groups ''", 2, {"--groups", "empty"});
  refused("route --groups '0,1;;2'", 2, {"'0,1;;2'", "a group is empty"});
  refused("route --groups 0,1,0", 2, {"port 0 is repeated"});
  refused("route --groups 0,8", 2, {"'8'", "0..7"});
  refused("route --groups 99999999999999999999", 2, {"'99999999999999999999'", "0..7"});
  refused("route --groups \"$(printf '\\033[31m')\"", 2, {"\\x1b[31m", "0..7"});
  refused("route --flows '0>1>2'", 2, {"'0>1>2'", "inputs>outputs"});
  refused("route --flows '0>'", 2, {"a port is missing"});
  refused("route --radix 4097 --groups 0", 2, {"4097", "2..4096"});
  refused("route --radix 4096 --middle 16 --groups 0", 2, {"4096", "at most"});
}

TEST_CASE("route: virtual circuits and tables for the driver") {
  const std::string route = "route --groups '0,1;2,3' --registers ";
  const json set = parsed(route + "--vcs 3 --vc 2,0 --json -")["registers"];
  CHECK(set[0]["writes"][0]["data"] == 2 << 27);
  CHECK(set[1]["writes"][0]["data"] == 0);
  CHECK(set[0]["vc"] == 2);
  CHECK(set[0]["writes"][0]["address"] == 0x1008);
  refused(route + "--vcs 1 --vc 1", 2, {"virtual circuit 1", "0..0"});
  refused(route + "--vcs 3 --vc -1", 2, {"virtual circuit -1", "0..2"});
  refused(route + "--vcs 4 --vc 0,1,2", 2, {"--vc 0,1,2", "3 virtual circuits for 2 groups"});
  refused(route + "--vcs 9", 2, {"--vcs 9", "1..8"});
  refused("route --groups 0,1 --vc 0", 2, {"--vc", "--registers"});

  const fs::path file = scratch("tables") / "my groups-2.h";
  fs::create_directories(file.parent_path());
  refused("route --groups 0,1 --c-header " + quoted(file.string()), 2, {"--c-header", "--registers"});
  refused(route + "--c-header " + quoted((file / "none").string()), 2, {"--c-header", "no folder"});
  refused(route + "--json x --c-header x", 2, {"--c-header x", "--json"});
  refused(route + "--vcs 1 --vc 1 --c-header " + quoted(file.string()), 2, {"virtual circuit 1"});
  CHECK_FALSE(fs::exists(file));
  REQUIRE(fred(route + "--c-header " + quoted(file.string())).code == 0);
  const std::string text = read(file);
  CHECK(text.find("my_groups_2_descriptors[2]") != std::string::npos);
  CHECK(text.find("#if FRED_RADIX != 8") != std::string::npos);
  CHECK(fred(route + "--c-header -").out.starts_with("/* SPDX"));
  // Groups that do not fit together are written all the same, and take turns.
  const fs::path turns = file.parent_path() / "turns.h";
  CHECK(fred("route --radix 12 --groups '0,2,4;1,6,8;3,7,10;5,9,11' --registers --c-header " + quoted(turns.string()))
            .code == 3);
  CHECK(read(turns).find("turns_descriptors[4]") != std::string::npos);
}

TEST_CASE("route: a drawing") {
  const fs::path file = scratch("drawing") / "routes <&>.svg";
  fs::create_directories(file.parent_path());
  const auto well_formed = [&] {
    const std::string script =
        "import sys, xml.dom.minidom; d = xml.dom.minidom.parse(sys.argv[1]).documentElement; "
        "sys.exit(d.tagName != 'svg' or d.namespaceURI != 'http://www.w3.org/2000/svg')";
    return std::system(("python3 -c " + quoted(script) + " " + quoted(file.string())).c_str()) == 0;
  };
  const std::string route = "route --radix 8 --groups '0,2,6;1,3;4,5,7' ";
  const Result beside = fred(route + "--svg " + quoted(file.string()));
  REQUIRE(beside.code == 0);
  CHECK(beside.out == fred(route).out);
  CHECK(well_formed());
  const std::string text = read(file);
  CHECK(fred(route + "--svg -").out == text);
  CHECK(fred("route --radix 8 --groups '6,0,2;1,3;4,5,7' --svg -").out ==
        read(fs::path(FRED_SOURCE_DIR) / "docs/pictures/fred_3_8_routes.svg"));  // docs/routing.md says how it is made
  CHECK(text.find("flow 2: 4,5,7&gt;4,5,7") != std::string::npos);
  CHECK(text.find("round 0</text>") == std::string::npos);
  for (const char* flows : {"--radix 6 --flows '3,4>2;1>3,5'", "--radix 2 --middle 2 --groups 0,1",
                            "--radix 8 --groups '0,1;2,3' --registers --collective alltoall"}) {
    CAPTURE(flows);
    CHECK(fred(std::string("route ") + flows + " --svg " + quoted(file.string())).code == 0);
    CHECK(well_formed());
  }
  // Flows that do not fit, and groups that take turns: a panel a round.
  CHECK(fred("route --radix 12 --groups '0,2,4;1,6,8;3,7,10;5,9,11' --svg " + quoted(file.string())).code == 3);
  CHECK(well_formed());
  CHECK(read(file).find("round 1</text>") != std::string::npos);
  CHECK(fred("route --radix 4 --groups '0,1;2,3;0,1,2,3' --registers --vcs 2 --vc 0,0,1 --svg " + quoted(file.string()))
            .code == 0);
  CHECK(read(file).find("round 1</text>") != std::string::npos);

  fs::remove(file);
  refused(route + "--svg " + quoted((file / "none").string()), 2, {"--svg", "no folder"});
  refused(route + "--svg - --json -", 2, {"--svg -", "--json"});
  refused(route + "--svg ./x --json x", 2, {"--svg ./x", "--json"});
  refused(route + "--registers --svg x --c-header x", 2, {"--svg x", "--c-header"});
  refused("route --radix 256 --groups 0,1 --svg " + quoted(file.string()), 2, {"FRED_3(256)", "at most 20000"});
  CHECK_FALSE(fs::exists(file));
}
