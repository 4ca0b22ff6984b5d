// SPDX-License-Identifier: Apache-2.0
// `fred route --parallelism` as a user meets it.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("parallelism: placement, phases and pairs of phases as JSON") {
  const json job = parsed("route --parallelism dp=2,mp=3,pp=2 --json -");
  CHECK(job["radix"] == 12);
  CHECK(job["middle"] == 3);
  CHECK(job["routable"] == true);
  CHECK(job["parallelism"] ==
        json({{{"name", "dp"}, {"size", 2}}, {{"name", "mp"}, {"size", 3}}, {{"name", "pp"}, {"size", 2}}}));
  // Ranks count dp first, ports mp, pp, dp: rank = dp + 2 mp + 6 pp, port = mp + 3 pp + 6 dp.
  CHECK(job["placed"] == "in the order mp, pp, dp");
  CHECK(job["placement"] == json({0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}));
  REQUIRE(job["phases"].size() == 3);
  CHECK(job["phases"][0]["name"] == "dp");
  CHECK(job["phases"][0]["size"] == 2);
  CHECK(job["phases"][0]["groups"] == json({{0, 6}, {1, 7}, {2, 8}, {3, 9}, {4, 10}, {5, 11}}));
  CHECK(job["phases"][1]["groups"] == json({{0, 1, 2}, {6, 7, 8}, {3, 4, 5}, {9, 10, 11}}));
  CHECK(job["phases"][1]["routes"][1]["tree"] == "((6+7)+8)");
  CHECK(job["phases"][1]["rounds"] == json({{0, 1, 2, 3}}));
  CHECK(job["phases"][1]["at_least"] == 1);
  // dp-mp: 6 * 4 pairs less the 12 with a port in common; dp-pp: 6 * 6 - 12; mp-pp: 4 * 6 - 12.
  CHECK(job["cross_phase"]["pairs"] == 48);
  CHECK(job["cross_phase"]["compatible"] == 48);
  CHECK(job["cross_phase"]["phases"][1] == json({{"phases", {"dp", "pp"}}, {"pairs", 24}, {"compatible", 24}}));
}

TEST_CASE("parallelism: text") {
  const Result text = fred("route --parallelism mp=2,dp=1,pp=2 --radix 5");
  CHECK(text.code == 0);
  CHECK(text.out.starts_with("FRED_3(5): mp=2,dp=1,pp=2: 4 ranks placed in the order mp, pp\n"));
  CHECK(text.out.find("ranks  mp    dp  pp  ports\n0..1   0..1  0   0   0,1\n2..3   0..1  0   1   2,3\n") !=
        std::string::npos);
  CHECK(text.out.find("phase mp: 2 groups of 2 in 1 round\n") != std::string::npos);
  CHECK(text.out.find("phase pp: 2 groups of 2 in 1 round\n") != std::string::npos);
  CHECK(text.out.find("phase dp") == std::string::npos);
  CHECK(text.out.find("mp, pp  0      0\n") != std::string::npos);
  CHECK(fred("route --parallelism dp=1").out.starts_with("FRED_3(2): dp=1: 1 rank placed"));
  CHECK(fred("route --parallelism mp=2,dp=1,pp=2 --radix 5").out == text.out);
  const std::string config = quoted(write("job.toml", "[route]\nparallelism = [\"mp=2\", \"dp=3\"]\n").string());
  CHECK(parsed("--config " + config + " route --json -")["radix"] == 6);
}

TEST_CASE("parallelism: a placement that is given, and exit code 3 with everything printed") {
  const fs::path job = scratch("job.json");
  REQUIRE(fred("route --middle 2 --parallelism mp=3,dp=2 --json " + quoted(job.string())).code == 0);
  json found = json::parse(read(job));
  json again = parsed("route --middle 2 --parallelism mp=3,dp=2 --json - --placement " + quoted(job.string()));
  CHECK(again["placed"] == "as given");
  found.erase("placed");
  again.erase("placed");
  CHECK(again == found);

  // DP groups 0,3; 1,4; 2,5 share a microswitch two by two.
  const fs::path identity = write("identity.json", "[0, 1, 2, 3, 4, 5]");
  const std::string given = "route --middle 2 --parallelism mp=3,dp=2 --placement " + quoted(identity.string());
  const Result text = fred(given);
  CHECK(text.code == 3);
  CHECK(text.out.find("phase mp: 2 groups of 3 in 1 round\n") != std::string::npos);
  CHECK(text.out.find("phase dp: 3 groups of 2 in 2 rounds, ") != std::string::npos);
  CHECK(text.err.find("phase dp takes 2 rounds (") != std::string::npos);
  CHECK(text.err.find("--middle 3 routes every phase of this placement at once") != std::string::npos);
  CHECK(text.err.find("found no placement") == std::string::npos);
  const Result data = fred(given + " --json -");
  CHECK(data.code == 3);
  CHECK(json::parse(data.out)["routable"] == false);
  CHECK(json::parse(data.out)["phases"][1]["rounds"].size() == 2);
}

TEST_CASE("parallelism: hostile text") {
  const std::string all = "mp, tp, sp, cp, ep, pp, dp";
  refused("route --parallelism mp", 2, {"'mp'", "name=size"});
  refused("route --parallelism mp=2,", 2, {"''", "name=size"});
  refused("route --parallelism mp=2,mp=2", 2, {"'mp=2,mp=2'", "mp is there twice"});
  refused("route --parallelism xp=2", 2, {"'xp'", all});
  refused("route --parallelism MP=2", 2, {"'MP'", all});
  for (const char* size : {"0", "-1", "4097", "99999999999999999999", "2.5", "", "0x2", "+2"}) {
    refused("route --parallelism mp=" + std::string(size), 2, {"'" + std::string(size) + "'", "1..4096"});
  }
  refused("route --parallelism mp=65,dp=64", 2, {"4096 ranks"});
  refused("route --parallelism mp=4096,dp=4096,pp=4096,tp=4096", 2, {"4096 ranks"});
  refused("route --parallelism mp=4,dp=4 --radix 15", 2, {"16 ranks", "--radix 15"});
  refused("route --parallelism \"mp=$(printf '\\033[31m')\"", 2, {"\\x1b[31m", "1..4096"});
  refused("route --parallelism ''", 2, {"--parallelism", "empty"});
  refused("route --parallelism mp=2 --groups 0,1", 2, {"--parallelism", "--groups"});
  refused("route --parallelism mp=2 --flows '0>1'", 2, {"--parallelism", "--flows"});
  refused("route --groups 0,1 --placement x", 2, {"--placement", "--parallelism"});
  refused("route", 2, {"--groups", "--flows", "--parallelism"});
}

TEST_CASE("parallelism: hostile placements") {
  const auto given = [](const std::string& text, const std::vector<std::string>& parts) {
    CAPTURE(text.substr(0, 100));
    const fs::path file = write("hostile.json", text);
    std::vector<std::string> all = parts;
    all.push_back("--placement " + file.string());
    refused("route --parallelism mp=2,dp=2 --radix 6 --placement " + quoted(file.string()), 2, all);
  };
  given("", {"no JSON", "byte 1"});
  given("[0,1,2", {"no JSON"});
  given("[0,1,2,3] 4", {"no JSON"});
  given(std::string("[0,1,\xff\x1b]"), {"no JSON", "byte 6"});
  given("null", {"null", "list of ports"});
  given("7", {"is 7", "list of ports"});
  given("\"\\u001b[31m\"", {"\\u001b[31m", "list of ports"});
  given("{}", {"no 'placement'"});
  given("{\"placement\": {\"0\": 1}}", {"list of ports"});
  given("{\"placement\": [0, 1, 2]}", {"3 ports", "4 ranks"});
  given("[]", {"0 ports", "4 ranks"});
  given("[0,1,2,3,4]", {"5 ports", "4 ranks"});
  given("[0,1,2,6]", {"port 6 for rank 3", "0..5"});
  given("[0,-1,2,3]", {"port -1 for rank 1", "0..5"});
  given("[0,1,2,18446744073709551615]", {"port 18446744073709551615 for rank 3", "0..5"});
  given("[0,1,2,1e99]", {"port 1e+99 for rank 3", "0..5"});
  given("[0,1,2.0,3]", {"port 2.0 for rank 2", "0..5"});
  given("[0,1,\"2\",3]", {"port \"2\" for rank 2", "0..5"});
  given("[0,1,null,3]", {"port null for rank 2", "0..5"});
  given("[[0,1],[2,3]]", {"port [0,1] for rank 0", "0..5"});
  given("[3,1,2,3]", {"port 3 for ranks 0 and 3", "once"});
  given("[\"" + std::string(1000, 'x') + "\"]", {"xxx..."});
  given(std::string(1000000, '['), {"deeper than 16"});
  given("{\"a\": " + std::string(1000000, '['), {"deeper than 16"});
  given("[0,1,2,3]" + std::string(std::size_t{17} << 20, ' '), {"larger than"});
  const std::string job = "route --parallelism mp=2 --placement ";
  refused(job + "/dev/zero", 2, {"/dev/zero", "larger than"});
  refused(job + quoted(scratch("none.json").string()), 2, {"none.json", "cannot be read", "No such file"});
  refused(job + quoted(scratch("").string()), 2, {"cannot be read", "directory"});
  refused(job + "''", 2, {"--placement", "empty"});
}

TEST_CASE("route --parallelism --registers: a descriptor for each group, on the routes that are printed") {
  const nlohmann::json job = parsed(
      "route --parallelism mp=4,dp=3,pp=2 --registers --descriptors 32 --collective allreduce,reducescatter,send "
      "--json -");
  CHECK(job["phases"] == parsed("route --parallelism mp=4,dp=3,pp=2 --json -")["phases"]);  // routes as without
  std::size_t descriptor = 0;
  const char* kinds[] = {"allreduce", "reducescatter", "send"};
  const int circuits[] = {1, 3, 2};
  for (std::size_t phase = 0; phase < 3; ++phase) {
    for (const nlohmann::json& route : job["phases"][phase]["routes"]) {
      const nlohmann::json& registers = job["registers"][descriptor++];
      CHECK(registers["kind"] == kinds[phase]);
      CHECK(registers["vc"] == circuits[phase]);
      unsigned colours = 0;
      for (std::size_t level = 4; level-- > 0;) colours = colours * 4 + route["colours"][level].get<unsigned>();
      CHECK(registers["writes"][1]["name"] == "COLOURS");
      CHECK(registers["writes"][1]["data"] == colours);
    }
  }
  CHECK(descriptor == job["registers"].size());
  long pairs = 0;  // compatible ones of different phases: as counted
  for (std::size_t d = 0; d < descriptor; ++d) {
    for (const int other : job["registers"][d]["compatible"]) {
      pairs += job["registers"][d]["vc"] != job["registers"][static_cast<std::size_t>(other)]["vc"] ? 1 : 0;
    }
  }
  CHECK(pairs == 2 * job["cross_phase"]["compatible"].get<long>());
  const nlohmann::json one =
      parsed("route --parallelism ep=4,dp=2 --registers --collective alltoall,allreduce --vc 0 --json -");
  CHECK(one["registers"][0]["vc"] == 0);
  CHECK(one["registers"].size() == 6);
  // On these ports, which take two rounds (exit code 3), the groups by themselves would be routed otherwise than the
  // job.
  const fs::path ports = write("ports.json", "[3,5,2,4,1,0]");
  const std::string given = "route --parallelism mp=3,dp=2 --middle 2 --placement " + quoted(ports.string());
  const nlohmann::json with_registers = nlohmann::json::parse(fred(given + " --registers --json -").out);
  CHECK(with_registers["phases"] == nlohmann::json::parse(fred(given + " --json -").out)["phases"]);
  refused("route --parallelism mp=4,dp=3,pp=2 --registers", 2, {"26 collectives", "8", "--descriptors"});
  refused("route --parallelism mp=2,dp=2,pp=2 --registers --descriptors 12 --vc 1,2", 2, {"--vc 1,2", "3 dimensions"});
  refused("route --parallelism mp=2,dp=2 --registers --collective allreduce,send,send", 2,
          {"--collective", "2 dimensions"});
}

TEST_CASE("parallelism: beside broken parts") {
  const std::string job = "route --parallelism mp=2,dp=3 --radix 8 --broken 'port2>R1, m0.R1' ";
  const json placed = parsed(job + "--json -");
  CHECK(placed["placed"] == "in the order mp, dp, past lost ports");
  CHECK(placed["placement"] == json({0, 1, 3, 4, 5, 6}));
  CHECK(placed["routable"] == true);
  CHECK(placed["broken"]["cannot_send"] == json({2}));
  CHECK(placed["broken"]["cannot_receive"] == json::array());
  CHECK(placed["broken"]["lost_ranks"] == json::array());
  CHECK(placed["broken"]["links"].size() == 6);
  for (const json& phase : placed["phases"]) {
    CHECK(phase["lost_flows"] == json::array());
    for (const json& route : phase["routes"]) {
      if (route["in"].back() > 3) CHECK(route["colours"][0] != 0);  // ports 4 to 7 enter m0 at m0.R1
    }
  }
  const Result text = fred(job);
  CHECK(text.code == 0);
  CHECK(text.out.find("past lost ports\nbroken: 6 links; ports that cannot send: 2; that cannot receive: none\n\n") !=
        std::string::npos);
  CHECK(fred(job).out == text.out);
  CHECK(parsed("route --parallelism mp=2,dp=3 --json -")["broken"] == nullptr);
  CHECK(parsed("route --parallelism dp=1 --radix 4 --broken D0 --json -")["placement"] == json({2}));

  // A file may not put a rank there; what it may is routed around.
  const std::string given = "route --parallelism mp=2,dp=2 --radix 6 --broken R1,m0.R0 --json - --placement ";
  refused(given + quoted(write("lost.json", "[0,1,2,4]").string()), 2,
          {"lost.json", "port 2 for rank 2", "no longer send", "allowed are 0,1,4,5"});
  const json around = parsed(given + quoted(write("whole.json", "[0,1,5,4]").string()));
  CHECK(around["placement"] == json({0, 1, 5, 4}));
  for (const json& phase : around["phases"]) {
    for (const json& route : phase["routes"]) {
      if (route["in"][0] < 2) CHECK(route["colours"][0] != 0);
    }
  }
}

TEST_CASE("parallelism: what is lost with broken parts is said, and exit code 3") {
  const std::string job = "route --parallelism mp=2,dp=2 --broken D1 ";
  const Result text = fred(job + "--registers");
  CHECK(text.code == 3);
  CHECK(text.out.find("phase mp: 2 groups of 2 in 1 round, 1 of them lost\n") != std::string::npos);
  CHECK(text.out.find("    -     1  2,3>2,3  lost     -\n") != std::string::npos);
  CHECK(text.out.find("no registers: not all flows have a route") != std::string::npos);
  CHECK(text.err.find("4 ranks for 2 ports that can both send and receive") != std::string::npos);
  CHECK(
      text.err.find("phase mp loses flow 1, phase dp loses flows 0, 1: no route keeps clear of the broken parts; ports "
                    "that cannot receive: 2, 3") != std::string::npos);
  CHECK(text.err.find("--middle") == std::string::npos);
  const Result data = fred(job + "--registers --json -");
  CHECK(data.code == 3);
  const json lost = json::parse(data.out);
  CHECK(lost["routable"] == false);
  CHECK(lost["broken"]["lost_ranks"] == json({2, 3}));
  CHECK(lost["registers"] == nullptr);
  CHECK(lost["phases"][0]["lost_flows"] == json({1}));
  CHECK(lost["phases"][0]["rounds"] == json({{0}}));
  CHECK(lost["phases"][0]["routes"][1]["colours"] == nullptr);
  CHECK(lost["phases"][1]["lost_flows"] == json({0, 1}));
  CHECK(lost["phases"][1]["rounds"] == json::array());
  refused("route --parallelism dp=1 --radix 2 --middle 2 --broken m0,m1", 2, {"'m0'"});
  refused("route --parallelism dp=1 --radix 4 --middle 2 --broken m0,m1", 3,
          {"1 rank for 0 ports", "cannot send: 0, 1, 2, 3"});
  refused("route --parallelism mp=2 --broken R4", 2, {"'R4'", "FRED_3(2)", "fred info --parts"});
  refused("route --parallelism mp=2 --keep x", 2, {"--keep", "--parallelism"});
}

TEST_CASE("parallelism: registers and a drawing beside broken parts") {
  const fs::path svg = scratch("job.svg");
  const json job =
      parsed("route --parallelism mp=2,pp=2,dp=2 --broken m1.R0,m2.D1 --registers --descriptors 12 --json - --svg " +
             quoted(svg.string()));
  CHECK(job["routable"] == true);
  std::size_t descriptor = 0;
  for (const json& phase : job["phases"]) {
    for (const json& route : phase["routes"]) {
      unsigned colours = 0;
      for (std::size_t level = 2; level-- > 0;) colours = colours * 4 + route["colours"][level].get<unsigned>();
      CHECK(job["registers"][descriptor++]["writes"][1]["data"] == colours);
      if (route["in"][0] < 4) CHECK(route["colours"][0] != 1);  // ports 0 to 3 enter m1 at m1.R0
      if (route["out"].back() > 3) CHECK(route["colours"][0] != 2);
    }
  }
  CHECK(descriptor == job["registers"].size());
  const std::string picture = read(svg);
  for (const char* title : {">phase mp<", ">phase pp<", ">phase dp<"}) CHECK(picture.find(title) != std::string::npos);
  CHECK(picture.find("broken link") != std::string::npos);
  CHECK(picture.find("Phase dp, flow 3") != std::string::npos);
  // Rounds of a phase have panels of their own; nothing is written where the drawing is too large.
  CHECK(fred("route --middle 2 --parallelism mp=3,dp=2 --svg " + quoted(svg.string()) + " --placement " +
             quoted(write("identity.json", "[0, 1, 2, 3, 4, 5]").string()))
            .code == 3);
  CHECK(read(svg).find(">phase dp, round 1<") != std::string::npos);
  CHECK(fred("route --parallelism mp=2,dp=2 --svg -").out.starts_with("<?xml"));
  const fs::path left = scratch("left.json");
  refused("route --parallelism mp=16,dp=16 --svg " + quoted(scratch("left.svg").string()) + " --json " +
              quoted(left.string()),
          2, {"links", "20000"});
  CHECK_FALSE(fs::exists(left));
  CHECK_FALSE(fs::exists(scratch("left.svg")));
  refused("route --parallelism mp=2 --svg a.svg --json ./a.svg", 2, {"--svg a.svg", "--json"});
}
