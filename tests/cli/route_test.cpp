// SPDX-License-Identifier: Apache-2.0
// `fred route` and `fred run` on exact answers, rounds, broken parts and flows beside running ones.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

json written(const std::string& arguments, int code) {
  const fs::path file = scratch("answer.json");
  fs::remove(file);
  const Result result = fred("route " + arguments + " --json " + quoted(file.string()));
  CAPTURE(result.err);
  CHECK(result.code == code);
  return json::parse(read(file));
}

}  // namespace

TEST_CASE("route: an exact answer with its proof") {
  const json k4 = written("--radix 12 --groups '0,2,4;1,6,8;3,7,10;5,9,11'", 3);
  CHECK(k4["routable"] == false);
  CHECK(k4["min_middle"] == 4);
  CHECK(k4["rounds"].size() == 2);
  CHECK(k4["at_least"] == 2);
  CHECK(k4["conflict"]["flows"] == json({0, 1, 2, 3}));
  CHECK(k4["conflict"]["minimum"] == true);
  const json flows = written("--radix 6 --flows '3,4>2;1>3,5;5>0,4;0,2>1'", 3);
  CHECK(flows["min_middle"] == 4);
  CHECK(flows["rounds"].size() == 2);
  CHECK(flows["at_least"] == 2);
  const json fits = written("--radix 12 --middle 4 --groups '0,2,4;1,6,8;3,7,10;5,9,11'", 0);
  CHECK(fits["min_middle"] == 4);
  CHECK(fits["rounds"] == json({{0, 1, 2, 3}}));
  CHECK(fits["at_least"] == 1);
  CHECK(fits["conflict"] == nullptr);
  CHECK(fits["broken"] == nullptr);
  refused("route --radix 12 --groups '0,2,4;1,6,8;3,7,10;5,9,11'", 3, {"2 rounds, no fewer", "--middle 4"});
}

TEST_CASE("route: broken parts are avoided, or what is lost is said") {
  const json around = written("--radix 8 --middle 2 --groups '0,2;4,6' --broken 'm0.R0, D2>port5'", 0);
  CHECK(around["routes"][0]["colours"][0] == 1);  // ports 0 and 2 enter m0 at m0.R0
  CHECK(around["broken"]["cannot_receive"] == json({5}));
  CHECK(around["broken"]["cannot_send"] == json::array());
  CHECK(around["broken"]["lost_flows"] == json::array());
  CHECK(around["broken"]["links"].size() == 5);
  const json lost = written("--radix 8 --middle 2 --groups '0,2;4,6;1,5' --broken R0", 3);
  CHECK(lost["routable"] == false);
  CHECK(lost["routes"][0]["colours"] == nullptr);
  CHECK(lost["routes"][1]["colours"].size() == 2);
  CHECK(lost["rounds"] == json({{1}}));
  CHECK(lost["broken"]["cannot_send"] == json({0, 1}));
  CHECK(lost["broken"]["lost_flows"] == json({0, 2}));
  refused("route --radix 8 --middle 2 --groups '0,2;4,6;1,5' --broken R0", 3, {"0, 2 are lost", "cannot send: 0, 1"});
  refused("route --radix 8 --groups 0,1 --broken R4", 2, {"'R4'", "FRED_3(8)", "fred info --parts"});
  refused("route --radix 8 --groups 0,1 --broken 'R0>R1'", 2, {"'R0>R1'", "no link"});
  refused("route --radix 8 --groups 0,1 --broken R0,", 2, {"missing"});
  const json alone = written("--radix 8 --broken m1,port3", 0);
  CHECK(alone["broken"]["cannot_send"] == json({3}));
  CHECK(alone["routes"] == json::array());
  refused("gen --radix 4 --static --groups 0,1 --broken R0 -o x", 2, {"--broken"});
  const json parts = parsed("info --radix 3 --parts --json -")["parts"];
  for (const json& link : parts["links"]) {
    CHECK(fred("route --radix 3 --groups 0 --broken " + quoted(link.get<std::string>())).code != 2);
  }
  for (const json& node : parts["nodes"]) {
    CHECK(fred("route --radix 3 --groups 0 --broken " + quoted(node["name"].get<std::string>())).code != 2);
  }
  CHECK(fred("info --radix 3 --parts").out.find("R0>m2.RD") != std::string::npos);
}

TEST_CASE("route: beside running flows") {
  const std::string file = quoted(scratch("kept.json").string());
  REQUIRE(fred("route --radix 8 --groups '0,1,2;3,4,5' --json " + file).code == 0);
  const json before = json::parse(read(scratch("kept.json")));
  const json added = written("--keep " + file + " --groups 6,7", 0);
  CHECK(added["routes"].size() == 3);
  CHECK(added["routes"][0] == before["routes"][0]);
  CHECK(added["routes"][1] == before["routes"][1]);
  CHECK(added["kept"] == 2);
  CHECK(added["moved"] == json::array());
  CHECK(added["refused"] == nullptr);
  CHECK(added["rounds"] == json({{0, 1, 2}}));
  const json removed = written("--keep " + file + " --remove 0", 0);
  CHECK(removed["routes"] == json::array({before["routes"][1]}));
  // A part breaks under a flow: it must move, and says so first.
  const int colour = before["routes"][0]["colours"][0];
  const std::string broken = " --broken m" + std::to_string(colour) + ".R0";
  const json stays = written("--keep " + file + broken, 3);
  CHECK(stays["routes"] == before["routes"]);
  CHECK(stays["moved"] == json::array());
  CHECK(stays["would_move"] == json({0}));
  CHECK(stays["routable"] == false);
  CHECK(stays["refused"].get<std::string>().find("--move") != std::string::npos);
  // A part that was broken then is broken still, and a refusal leaves the file as it is.
  const std::string other = quoted(scratch("broken.json").string());
  REQUIRE(fred("route --radix 8 --groups 0,1 --broken m0.R0 --json " + other).code == 0);
  const json beside = written("--keep " + other + " --groups 2,3", 0);
  CHECK(beside["routes"][1]["colours"][0] != 0);
  CHECK(beside["broken"]["links"].size() == 5);
  const std::string text = read(scratch("broken.json"));
  CHECK(fred("route --keep " + other + " --remove 0 --groups 4,5 --broken R2 --json " + other).code == 3);
  CHECK(read(scratch("broken.json")) == text);
  refused("route --keep " + other + " --broken R0", 3, {"flow 0 is lost", "cannot send: 0, 1"});
  const json moved = written("--keep " + file + " --move" + broken, 0);
  CHECK(moved["routes"][1] == before["routes"][1]);
  CHECK(moved["routes"][0]["colours"][0] != colour);
  CHECK(moved["moved"] == json({0}));

  refused("route --keep " + quoted(scratch("none.json").string()), 2, {"none.json", "cannot be read"});
  refused("route --keep " + file + " --radix 9 --groups 6", 2, {"--radix 9", "are for 8"});
  // Rounds that were shared go on to be; a lost flow can only be removed.
  (void)fred("route --radix 12 --groups '0,2,4;1,6,8;3,7,10;5,9,11' --json " + quoted(scratch("k4.json").string()));
  const json again = written("--keep " + quoted(scratch("k4.json").string()), 0);
  CHECK(again["routable"] == false);
  CHECK(again["at_least"] == 2);
  CHECK(again["rounds"].size() == 2);
  (void)fred("route --radix 8 --groups '0,1,2;3,4,5' --broken 'D2>port4' --json " +
             quoted(scratch("lost.json").string()));
  refused("route --keep " + quoted(scratch("lost.json").string()), 2, {"routes[1]", "--remove"});
  CHECK(written("--keep " + quoted(scratch("lost.json").string()) + " --remove 1", 0)["routes"].size() == 1);
  refused("route --keep " + file + " --svg " + file, 2, {"--svg", "--keep"});
  refused("route --keep " + file + " --remove 2", 2, {"--remove 2", "0..1"});
  refused("route --keep " + file + " --registers", 2, {"kept.json", "no registers", "--registers"});
  refused("route --move --groups 0,1", 2, {"--move requires --keep"});
  const auto hostile = [&](const json& value, const std::vector<std::string>& parts) {
    refused("route --keep " + quoted(write("hostile.json", value.dump()).string()), 2, parts);
  };
  const auto changed = [&](const char* pointer, const json& value) {
    json copy = before;
    copy[json::json_pointer(pointer)] = value;
    return copy;
  };
  refused("route --keep " + quoted(write("hostile.json", "{").string()), 2, {"is no JSON", "byte 2"});
  refused("route --keep " + quoted(write("hostile.json", "{\"radix\":" + std::string(100'000, '[')).string()), 2,
          {"hostile.json", "deeper than 16"});
  refused("route --keep " + quoted(scratch("").string()), 2, {"cannot be read"});
  hostile(json::array(), {"is not the JSON"});
  hostile(json::object(), {"radix", "is missing"});
  hostile(changed("/radix", 1), {"radix", "2..4096"});
  hostile(changed("/radix", 1e300), {"radix", "2..4096"});
  hostile(changed("/middle", 17), {"middle", "2..16"});
  hostile(changed("/routes", 7), {"routes", "no list"});
  hostile(changed("/routes/0", 7), {"routes[0].colours", "missing"});
  hostile(changed("/routes/0/in/0", 8), {"routes[0].in", "0..7"});
  hostile(changed("/routes/0/in/0", -1), {"routes[0].in", "0..7"});
  hostile(changed("/routes/0/in/1", 0), {"routes[0].in", "ascend"});
  hostile(changed("/routes/0/out", json::array()), {"routes[0].out", "empty"});
  hostile(changed("/routes/0/colours", json({0})), {"routes[0].colours", "2"});
  hostile(changed("/routes/0/colours/0", 3), {"routes[0].colours", "0..2"});
  hostile(changed("/routes/0/colours", nullptr), {"routes[0]", "cannot be kept"});
  hostile(changed("/routes/0/colours", before["routes"][1]["colours"]), {"do not go together"});
  hostile(changed("/rounds", json({{0}})), {"rounds", "1 of 2"});
  hostile(changed("/rounds", json({{0, 1, 1}})), {"rounds", "twice"});
  hostile(changed("/rounds", json({{0, 2}})), {"rounds", "0..1"});
}

TEST_CASE("route: registers of groups that repeat or do not fit") {
  const json repeated = written("--radix 3 --middle 2 --groups '0;0;2;1,2;0;1,2' --registers", 0);
  CHECK(repeated["rounds"].size() == 3);
  CHECK(repeated["at_least"] == 3);
  // Two groups that share a port ask for two rounds, and these are enough for the others too; for three they are not.
  CHECK(written("--radix 12 --registers --groups '0,2,4;1,6,8;3,7,10;5,9,11;0'", 0)["rounds"].size() == 2);
  const json three = written("--radix 18 --middle 2 --registers --groups '0,2;1,4;3,5;6,8;7,10;9,11;0,6'", 0);
  CHECK(three["rounds"].size() == 2);
  const json mixed =
      written("--radix 10 --middle 2 --groups '7;1,4,5,6,7,8' --registers --collective alltoall,allreduce", 0);
  CHECK(mixed["rounds"] == json({{1}}));
  CHECK(mixed["at_least"] == 1);
  // What the table says is what the registers say.
  const json k4 = written("--radix 12 --groups '0,2,4;1,6,8;3,7,10;5,9,11' --registers", 3);
  for (std::size_t d = 0; d < 4; ++d) {
    unsigned colours = 0;
    for (std::size_t level = 3; level-- > 0;) colours = colours * 4 + k4["routes"][d]["colours"][level].get<unsigned>();
    CHECK(k4["registers"][d]["writes"][1]["name"] == "COLOURS");
    CHECK(k4["registers"][d]["writes"][1]["data"] == colours);
  }
  const json lost = written("--radix 4 --groups '0,1;2,3' --broken R0 --registers", 3);
  CHECK(lost["registers"] == nullptr);
  CHECK(lost["routes"][1]["colours"].size() == 1);
  // The unicasts of an all-to-all find ways where a tree finds none.
  const std::string halves = "--radix 4 --middle 2 --groups 0,2 --broken 'R0>m0.RD,R1>m1.RD' --registers";
  CHECK(written(halves, 3)["broken"]["lost_flows"] == json({0}));
  const json unicasts = written(halves + " --collective alltoall", 0);
  CHECK(unicasts["registers"].size() == 1);
  CHECK(unicasts["broken"]["lost_flows"] == json::array());
  // Whatever the order of the groups.
  for (const char* groups : {"'0,2;1,4;3,5;6,7;6'", "'6;6,7;0,2;1,4;3,5'"}) {
    CHECK(written(std::string("--radix 8 --middle 2 --registers --groups ") + groups, 0)["rounds"].size() == 2);
  }
  refused("route --radix 6 --middle 2 --groups '0,3;2,4;1,5' --broken m1.R0", 3, {"rounds, no fewer"});
  CHECK(fred("route --radix 6 --middle 2 --groups '0,3;2,4;1,5' --broken m1.R0").err.find("--middle 3") ==
        std::string::npos);
  refused("route --radix 4 --groups 0 --registers --c-header a.h --json ./a.h", 2, {"--c-header a.h", "--json"});
  refused("route --radix 4 --groups 0 --svg " + quoted(scratch("left.svg").string()) + " --json /nowhere/x", 2,
          {"/nowhere"});
  CHECK_FALSE(fs::exists(scratch("left.svg")));
}

TEST_CASE("run: rounds, and the cycles that they are predicted to take") {
  const json whole = parsed(run("--bytes 2048 --json -"));
  REQUIRE(whole["phases"].size() == 1);
  CHECK(whole["phases"][0]["rounds"] == json({{0}}));
  CHECK(whole["phases"][0]["predicted_cycles"] == whole["phases"][0]["cycles"]);
  CHECK(whole["collectives"][0]["rounds"] == 1);
  const json shared = parsed(run("--groups '0,1;1,2' --bytes 2048 --json -"));
  CHECK(shared["mismatches"] == 0);
  CHECK(shared["phases"][0]["rounds"].size() == 2);
  CHECK(shared["phases"][0]["at_least"] == 2);
  CHECK(shared["phases"][0]["cycles"] == shared["phases"][0]["predicted_cycles"]);
  const json late = parsed(run("--collective allreduce@0/from100 --bytes 64 --json -"));
  CHECK(late["phases"][0]["predicted_cycles"] == nullptr);
}

TEST_CASE("run: an all-to-all with a count for each two ranks") {
  const auto file = [](const std::string& text) { return quoted(write("counts.json", text).string()); };
  const std::string counts = file("[[3, 0, 50], [200, 1, 0], [0, 7, 9]]");
  const json ran = parsed(run("--collective alltoall --counts " + counts + " --json -"));
  CHECK(ran["mismatches"] == 0);
  CHECK(ran["collectives"][0]["payload_bytes"] == 804);
  // Step 0: 9 beats; step 1: 0 to 1 (none: a null beat), 1 to 2 (none), 2 to 0 (none): 1; step 2: 1 to 0, 200.
  const int latency = ran["zero_load_latency"];
  CHECK(ran["phases"][0]["predicted_cycles"] == latency + 9 + 1 + 200);
  CHECK(ran["phases"][0]["cycles"] == ran["phases"][0]["predicted_cycles"]);
  const auto no = [&](const std::string& text, const std::vector<std::string>& parts) {
    refused(run("--collective alltoall --counts " + file(text)), 2, parts);
  };
  no("[]", {"counts.json", "list of lists"});
  no("7", {"list of lists"});
  no("[[1, 2, 3], [1, 2], [1, 2, 3]]", {"row 1", "3 numbers"});
  no("[[1, 2, 3], [1, -2, 0], [1, 2, 3]]", {"row 1", "-2", "0.."});
  no("[[1, 2, 3], [1, 1.5, 0], [1, 2, 3]]", {"row 1", "1.5"});
  no("[[1, 2, 3], [1, 1e300, 0], [1, 2, 3]]", {"row 1"});
  no("[[1, 2], [3, 4]]", {"2 rows", "group 0 has 3 ranks"});
  refused(run("--collective allreduce --counts " + counts), 2, {"--counts", "alltoall"});
  refused(run("--collective alltoall --counts " + quoted(scratch("none.json").string())), 2, {"cannot be read"});
}

TEST_CASE("run: beside broken parts") {
  const json around = parsed(run("--broken 'm0.RD,R0>m1.RD' --bytes 256 --json - --collective allreduce,allgather"));
  CHECK(around["mismatches"] == 0);
  refused(run("--broken R0"), 3, {"flow 0 is lost", "no route", "cannot send: 0, 1"});
  refused(run("--broken R7"), 2, {"'R7'"});
  refused("run --radix 3 --static --broken R0", 2, {"--broken", "--static"});
  refused(run("--collective alltoall --broken 'm0.RD,m1.RD'"), 3, {"all-to-all", "broken parts"});
}
