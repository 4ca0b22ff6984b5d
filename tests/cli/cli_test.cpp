// SPDX-License-Identifier: Apache-2.0
// The `fred` command as a user meets it: exit codes, messages, JSON, configuration files, and the small commands.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("help names the commands, the exit codes and examples") {
  const Result help = fred("--help");
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  for (const char* part :
       {"gen", "info", "order", "route", "run", "0 right, 1 wrong results, 2 bad input, 3 cannot be routed",
        "4 a tool failed or is missing"}) {
    CHECK(help.out.find(part) != std::string::npos);
  }
  for (const char* command : {"gen", "info", "order", "route", "routability", "run"}) {
    CAPTURE(command);
    const Result of = fred(std::string(command) + " --help");
    CHECK(of.code == 0);
    CHECK(of.out.find("Examples:\n  fred " + std::string(command)) != std::string::npos);
  }
  const Result version = fred("--version");
  CHECK(version.code == 0);
  CHECK(version.out.rfind("fred ", 0) == 0);
}

TEST_CASE("a bad command line is exit code 2") {
  refused("", 2, {"subcommand is required"});
  refused("nosuch", 2, {});
  refused("info --nosuch", 2, {"--nosuch"});
  refused("info extra", 2, {"extra"});
  refused("info --radix", 2, {"--radix"});
  refused("info --radix 8 --radix 9", 2, {"--radix"});
  refused("gen --radix 3", 2, {"--output"});
  for (const char* value : {"1e1", "8x", "8.0", "4294967304", "99999999999999999999"}) {
    refused(std::string("info --radix ") + value, 2, {"--radix", value});
  }
}

TEST_CASE("a design option out of range: the message names it, its value and what is allowed") {
  refused("info --radix 1", 2, {"--radix 1", "2..256"});
  refused("info --radix 257", 2, {"--radix 257", "2..256"});
  refused("info --radix -1", 2, {"--radix -1", "2..256"});
  refused("info --middle 1", 2, {"--middle 1", "2..8"});
  refused("info --middle 9", 2, {"--middle 9", "2..8"});
  refused("info --dtype FP16", 2, {"'FP16'", "int32, int64", "fp16, bf16"});
  refused("info --lanes 0", 2, {"--lanes 0", "1..256", "16..4096 bits"});
  refused("info --dtype int32 --lanes 129", 2, {"--lanes 129", "1..128"});
  refused("info --ops prod", 2, {"'prod'", "sum, min"});
  refused("info --dtype fp16 --ops sum,sum-sat", 2, {"sum-sat", "fp16", "integers"});
  refused("info --dtype fp8", 2, {"'fp8'", "fp8e4m3"});
  refused("info --dtype int64 --width 96", 2, {"--width 96", "64 bits"});
  refused("info --dtype int64 --width 8192", 2, {"--width 8192", "64..4096"});
  refused("info --dtype int64 --width -64", 2, {"--width -64"});
  refused("info --dtype int8,int16 --lanes 3", 2, {"--lanes 3", "int16", "multiples of 2"});
  CHECK(parsed("info --dtype bf16,fp32,int8 --json -")["port_width"] == 32);
  CHECK(parsed("info --dtype fp32,int8 --json -")["lanes"] == 1);
  refused("info --dtype int8,fp64 --width 24", 2, {"--width 24", "64 bits of fp64", "64..4096"});
  refused("info --dtype int8,bf16 --lanes 2 --ops sum-sat", 2, {"--ops sum-sat", "bf16", "sum, min"});
  refused("info --dtype bf16,fp16 --ops sum,sum-sat", 2, {"--ops sum-sat", "bf16, fp16"});
  refused("info --acc fp99", 2, {"--acc fp99", "bf16, fp32, fp64"});
  refused("info --acc fp16", 2, {"--acc fp16", "bf16, fp32, fp64"});
  refused("info --dtype int8,bf16 --acc fp32", 2, {"--acc fp32", "int8, bf16", "no type does"});
  refused("info --width 64 --lanes 2", 2, {"--width", "--lanes"});
  refused("info --ops sum,sum", 2, {"sum", "twice"});
  refused("info --radix ''", 2, {"--radix", "empty"});
  refused("info --json ''", 2, {"--json", "empty"});
  refused("info --ops ''", 2, {"--ops", "empty"});
  refused("info --pipeline 0", 2, {"--pipeline 0", "1 or more"});
  refused("info --adder-latency 5", 2, {"--adder-latency 5", "1..4"});
  refused("info --descriptors 65", 2, {"--descriptors 65", "1..64"});
  refused("info --alltoall-tables 5", 2, {"--alltoall-tables 5", "0..4"});
  refused("info --ingress-depth 5", 2, {"--ingress-depth 5", "6..1024", "--allow-slow"});
  refused("info --vcs 1 --ingress-depth 3", 2, {"--ingress-depth 3", "4..1024", "--allow-slow"});
  refused("info --vcs 9", 2, {"--vcs 9", "1..8"});
  refused("info --egress whole", 2, {"--egress whole", "beat, packet"});
  refused("info --egress ''", 2, {"--egress", "empty"});
  refused("gen --egress Packet -o none", 2, {"--egress Packet", "beat, packet"});
  refused("info --egress packet --egress-depth 9", 2, {"--egress-depth 9", "10..1024", "--allow-slow"});
  refused("info --vcs 1 --ingress-depth 1 --allow-slow", 2, {"--ingress-depth 1", "2..1024"});
  refused("info --egress-depth 8", 2, {"--egress-depth 8", "9..1024", "--allow-slow"});
  CHECK(fred("info --vcs 1 --ingress-depth 2 --egress-depth 2 --allow-slow").code == 0);
}

TEST_CASE("info: JSON") {
  const json packets = parsed("info --egress packet --json -");
  CHECK(packets["egress"] == "packet");
  CHECK(packets["egress_depth"] == 10);
  CHECK(packets["first_beat_latency"] == 10);
  CHECK(packets["options"].get<std::string>().find("--egress packet") != std::string::npos);
  CHECK(parsed("info --json -")["egress"] == "beat");
  CHECK(parsed("info --json -")["options"].get<std::string>().find("--egress ") == std::string::npos);

  const json info = parsed("info --radix 5 --middle 2 --dtype bf16 --lanes 3 --ops max,min --adder-latency 2 --json -");
  CHECK(info["radix"] == 5);
  CHECK(info["middle"] == 2);
  CHECK(info["dtype"] == "bf16");
  CHECK(info["lanes"] == 3);
  CHECK(info["ops"] == json({"min", "max"}));
  CHECK(info["port_width"] == 48);
  CHECK(info["levels"] == 3);
  CHECK(info["stages"] == 5);
  CHECK(info["network_latency"] == 3 * 2 + 2);
  CHECK(info["first_beat_latency"] == 12);
  CHECK(info["vcs"] == 4);
  CHECK(info["ingress_depth"] == 6);
  CHECK(info["egress_depth"] == 12);
  const json& counts = info["counts"];
  CHECK(counts["microswitches"] == counts["r"].get<int>() + counts["d"].get<int>() + counts["rd"].get<int>());
  CHECK(counts["reducers"] == counts["r"].get<int>() + counts["rd"].get<int>());
  CHECK(counts["demux"] == counts["mux"]);
  CHECK(info["registers"]["descriptors"] == 8);
  CHECK(info["registers"]["descriptor_base"] == 0x1000);
  // The options printed stand for the same design.
  CHECK(parsed("info " + info["options"].get<std::string>() + " --json -") == info);
}

TEST_CASE("--json: a file holds the same; one that cannot be written is an error, and nothing is left behind") {
  const fs::path folder = scratch("json");
  fs::create_directories(folder);
  CHECK(fred("info --radix 4 --json " + quoted((folder / "a b.json").string())).code == 0);
  CHECK(json::parse(read(folder / "a b.json")) == parsed("info --radix 4 --json -"));
  refused("info --json " + quoted((folder / "no/x.json").string()), 2, {"--json", "no/x.json", "No such file"});
  refused("info --json " + quoted(folder.string()), 2, {"--json", "Is a directory"});
  if (fs::is_character_file("/dev/full")) refused("info --json /dev/full", 2, {"/dev/full", "No space left"});
  CHECK(names(folder) == std::vector<std::string>{"a b.json"});
  CHECK(names(folder.parent_path()) == std::vector<std::string>{"json", "stderr"});
}

TEST_CASE("--config: sections of options; the command line wins") {
  const std::string config = quoted(write("c.toml",
                                          "[info]\nradix = 6 # six\nops = \"sum,min\"\nallow-slow = true\n"
                                          "vcs = 1\ningress-depth = 2\n[route]\nradix = 6\n"
                                          "flows = '3,4>2;1>3,5'\n")
                                        .string());
  const json info = parsed("--config " + config + " info --json -");
  CHECK(info["radix"] == 6);
  CHECK(info["ingress_depth"] == 2);
  CHECK(info["ops"] == json({"sum", "min"}));
  CHECK(parsed("--config " + config + " info --radix 5 --json -")["radix"] == 5);
  CHECK(parsed("--config " + config + " route --json -")["routes"].size() == 2);
  const std::string types = quoted(write("t.toml", "[info]\ndtype = [\"bf16\", \"int8\"]\nwidth = 64\n").string());
  CHECK(parsed("--config " + types + " info --json -")["dtypes"] == json({"bf16", "int8"}));
  CHECK(parsed("--config " + types + " info --json -")["port_width"] == 64);
  CHECK(parsed("--config " + types + " info --lanes 2 --json -")["port_width"] == 32);
  CHECK(parsed("info --lanes 2 --json - --config " + types)["port_width"] == 32);
  refused("--config " + quoted(write("both.toml", "[info]\nlanes = 2\nwidth = 64\n").string()) + " info", 2,
          {"--width", "--lanes"});

  const auto bad = [](const std::string& text) { return quoted(write("bad.toml", text).string()); };
  refused("--config " + bad("[info]\nradix = \"six\"\n") + " info", 2, {"--radix", "six"});
  refused("--config " + bad("[info]\nradix = 1e1\n") + " info", 2, {"--radix", "1e1"});
  refused("--config " + bad("[info]\nradix = [6, 7]\n") + " info", 2, {"--radix"});
  refused("--config " + bad("[info]\nradix = true\n") + " info", 2, {"--radix"});
  refused("--config " + bad("[info]\nradix = 999\n") + " info", 2, {"--radix 999", "2..256"});
  refused("--config " + quoted(scratch("none.toml").string()) + " info", 2, {"none.toml"});
  refused("--config " + quoted(scratch("").string()) + " info", 2, {});
}

TEST_CASE("every message of a bad command line begins with fred:, and an unknown command is named") {
  refused("nosuch", 2, {"fred: unknown command 'nosuch': gen, info, link, order, route, routability, run"});
  refused("", 2, {"fred: A subcommand is required: gen, info, link, order, route, routability, run"});
  for (const char* arguments : {"", "nosuch", "--nosuch", "info --nosuch", "info gen", "info --radix x", "info --radix",
                                "gen", "--config none.toml info", "run --groups 0 --flows '0>1'"}) {
    CAPTURE(arguments);
    const Result result = fred(arguments);
    CHECK(result.code == 2);
    CHECK(result.err.rfind("fred: ", 0) == 0);
    CHECK(result.out.empty());
  }
}

TEST_CASE("--config: unknown keys and sections are refused, also those of other commands") {
  const auto bad = [](const std::string& text, const std::vector<std::string>& parts) {
    CAPTURE(text);
    const std::string config = quoted(write("unknown.toml", text).string());
    refused("--config " + config + " info", 2, parts);
    refused("info --config " + config, 2, parts);
  };
  bad("[info]\nradixx = 3\n", {"fred: --config: unknown key 'radixx' in [info]"});
  bad("[run]\nshare_time = true\n", {"unknown key 'share_time' in [run]"});
  bad("[info]\nhelp = true\n", {"unknown key 'help' in [info]"});
  bad("[info]\nconfig = \"c.toml\"\n", {"unknown key 'config' in [info]"});
  bad("[inf]\nradix = 3\n", {"unknown section [inf]", "[gen] [info] [link] [order] [route] [routability] [run]"});
  bad("[info.design]\nradix = 3\n", {"unknown section [info.design]"});
  bad("radix = 3\n", {"'radix' is in no section"});
  bad("[info]\nradix = 3\nmiddle = 3\nradix = 4\n", {"info.radix is there twice"});
}

TEST_CASE("--config: one file for several commands, before or after the command; arrays") {
  const std::string config = quoted(write("arrays.toml",
                                          "[info] # design\nradix = 5\nops = [\"max\", \"sum\"]\n"
                                          "[gen]\nradix = 3\noutput = 'x'\n"
                                          "[route]\nradix = 6\ngroups = [[0, 1], [2], [5, 3]]\n")
                                        .string());
  for (const std::string& command : {"--config " + config + " info", "info --config " + config}) {
    const json info = parsed(command + " --json -");
    CHECK(info["radix"] == 5);
    CHECK(info["ops"] == json({"sum", "max"}));
  }
  const json routes = parsed("route --config " + config + " --json -")["routes"];
  REQUIRE(routes.size() == 3);
  CHECK(routes[0]["in"] == json({0, 1}));
  CHECK(routes[1]["in"] == json({2}));
  CHECK(routes[2]["in"] == json({3, 5}));
  const std::string flows = quoted(write("flows.toml", "[route]\nflows = [\"3,4>2\", \"1>3,5\"]\n").string());
  CHECK(parsed("route --config " + flows + " --json -")["routes"].size() == 2);
  const std::string one = quoted(write("one.toml", "[route]\ngroups = [[1, 0]]\n").string());
  CHECK(parsed("route --config " + one + " --json -")["routes"][0]["in"] == json({0, 1}));
  const std::string flat = quoted(write("flat.toml", "[route]\ngroups = [0, 1]\n").string());
  refused("route --config " + flat, 2, {"[0, 1]", "\"0,1;2,3\"", "[[0, 1], [2, 3]]"});
  const std::string mixed =
      quoted(write("run.toml",
                   "[run]\ncollective = [\"allreduce@0\", \"barrier@1\", \"allgather\"]\ngroups = [[2, 0], [1]]\n"
                   "stall-in = [0.1, \"2:0.5\"]\n[gen]\nradix = 4\n")
                 .string());
  const json result = parsed(run("--bytes 64 --config " + mixed + " --json -"));
  CHECK(result["mismatches"] == 0);
  REQUIRE(result["collectives"].size() == 3);
  CHECK(result["collectives"][0]["groups"] == json::parse("[[2,0]]"));
}

TEST_CASE("order: trees, and placements that give the same bits") {
  const Result text = fred("order --groups '2,0,5;3'");
  CHECK(text.code == 0);
  CHECK(text.out.find("ports   ((0+2)+5)\n  ranks   ((1+0)+2)\n  height  2") != std::string::npos);
  const json one = parsed("order --groups 0,3,4,6,9 --json -");
  CHECK(one["groups"][0]["ports"] == "(((0+3)+(4+6))+9)");
  CHECK(!one["groups"][0].contains("same_bits"));
  const Result other = fred("order --groups '1,2,3;6,5,4' --same-as 0,1,2 --dtype bf16 --json -");
  CHECK(other.code == 1);
  const json answer = json::parse(other.out);
  CHECK(answer["order_matters"] == true);
  CHECK(answer["groups"][0]["same_bits"] == false);
  CHECK(answer["groups"][0]["placement"] == json({2, 3, 1}));
  CHECK(answer["groups"][1]["same_bits"] == false);
  CHECK(fred("order --groups 2,3,1 --same-as 0,1,2 --dtype bf16").code == 0);
  CHECK(fred("order --groups 1,2,3 --same-as 0,1,2 --dtype int8").code == 0);
  const json none = json::parse(fred("order --groups 0,1,2,4 --same-as 0,1,2,3 --json -").out);
  CHECK(none["groups"][0]["placement"].is_null());
  refused("order", 2, {"--groups"});
  refused("order --groups 0,0", 2, {"0"});
  refused("order --groups 0,256", 2, {"256"});
  refused("order --groups 0,1 --same-as 0,1,2", 2, {"--same-as 0,1,2", "3 ranks"});
  refused("order --groups 0,1 --same-as '0;1'", 2, {"--same-as", "one group"});
  refused("order --groups 0,1 --op sum-sat", 2, {"sum-sat", "fp32"});
  const std::string saturating = "order --groups 1,2,3 --same-as 0,1,2 --dtype int8 --op sum-sat";
  CHECK(fred(saturating).code == 1);
  const Result wider = fred(saturating + " --acc int16");
  CHECK(wider.code == 0);
  CHECK(wider.out.find("sum-sat of int8 in int16 does not depend on the order") != std::string::npos);
  refused(saturating + " --acc uint16", 2, {"--acc uint16", "int8", "int32, int16, int8, int64"});
}
