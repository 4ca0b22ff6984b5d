// SPDX-License-Identifier: Apache-2.0
// `fred gen` as a user meets it: files whole or not at all, the fixed form, project files, the testbench.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("gen: the same options give the same bytes, and a manifest that agrees with them") {
  const fs::path a = scratch("gen/a");
  const fs::path b = scratch("gen/ünï code/b");
  const std::string options = "--radix 3 --dtype fp16 --ops sum --descriptors 3 ";
  REQUIRE(fred("gen " + options + "-o " + quoted(a.string())).code == 0);
  REQUIRE(fred("gen " + options + "-o " + quoted(b.string())).code == 0);
  CHECK(contents(a) == contents(b));
  REQUIRE(fred("gen " + options + "-o " + quoted(a.string())).code == 0);  // over its own output
  CHECK(contents(a) == contents(b));
  CHECK(names(a.parent_path()) == std::vector<std::string>{"a", "ünï code"});

  const json manifest = json::parse(read(a / "manifest.json"));
  CHECK(manifest["schema_version"] == 1);
  CHECK(manifest["generator"] == "fred");
  CHECK(manifest["top"] == "fred_switch");
  CHECK(manifest["parameter_hash"].get<std::string>().size() == 8);
  CHECK(manifest["parameters"]["radix"] == 3);
  CHECK(manifest["parameters"]["dtype"] == "fp16");
  CHECK(manifest["parameters"]["ops"] == json({"sum"}));
  CHECK(manifest["parameters"]["descriptors"] == 3);
  CHECK(manifest["parameters"]["allow_slow"] == false);
  CHECK(manifest["widths"]["tdata"] == 16);
  CHECK(manifest["widths"]["tdest"] == 2);
  CHECK(manifest["latency"]["first_beat"] == manifest["latency"]["network"].get<int>() + 4);
  CHECK(manifest["registers"]["port"]["count"] == 3);
  CHECK(manifest["codes"]["kind"]["alltoall"] == 9);
  std::string list;
  std::size_t sources = 0;
  for (const json& file : manifest["files"]) {
    list += file["path"].get<std::string>() + "\n";
    CHECK(file["sha256"].get<std::string>().size() == 64);
    ++sources;
  }
  CHECK(read(a / manifest["filelist"]) == list);
  CHECK(read(a / "rtl/fred_switch.sv").find(manifest["parameter_hash"]) != std::string::npos);
  CHECK(contents(a).size() == sources + manifest["register_files"].size() + 2);

  // Its command makes it again.
  const Result printed = fred("gen " + options + "--json - -o " + quoted(a.string()));
  CHECK(nlohmann::json::parse(printed.out) == manifest);
  const fs::path c = scratch("gen/c");
  REQUIRE(fred(manifest["command"].get<std::string>().substr(5) + " -o " + quoted(c.string())).code == 0);
  CHECK(contents(a) == contents(c));
}

TEST_CASE("gen --static") {
  const std::string folder = quoted(scratch("fixed").string());
  const std::string gen = "gen --radix 4 --middle 2 --vcs 1 --dtype int16 -o " + folder + " ";
  refused(gen + "--static", 2, {"--static", "--groups", "--flows"});
  refused(gen + "--groups 0,1", 2, {"--groups requires --static"});
  refused(gen + "--tdest", 2, {"--tdest requires --static"});
  refused(gen + "--static --groups 0,4", 2, {"'4'", "0..3"});
  refused(gen + "--static --groups '0,1;1,2'", 2, {"port 1 sends in descriptors 0", "--tdest", "another circuit"});
  refused(gen + "--static --groups '0,1,0'", 2, {"port 0 is repeated"});
  refused(gen + "--static --groups 0,1 --flows '0>1'", 2, {"--flows", "--groups"});
  refused(gen + "--static --groups 0,1 --collective allreduce,reduce", 2,
          {"port 0", "descriptors 0 (allreduce) and 1 (reduce)", "--tdest", "another circuit"});
  refused(gen + "--static --groups 0,1 --descriptors 3", 2, {"--descriptors", "not with --static"});
  refused(gen + "--static --groups 0,1 --alltoall-tables 1", 2, {"--alltoall-tables", "not with --static"});
  refused(gen + "--static --groups 0,1 --watchdog -1", 2, {"--watchdog -1", "powers of two", "2..2147483648"});
  refused(gen + "--static --groups 0,1 --watchdog 1000", 2, {"--watchdog 1000", "powers of two"});
  refused(gen + "--static --groups 0,1 --collective sum", 2, {"'sum'", "allreduce"});
  refused(gen + "--static --groups 0,1 --collective allreduce@1", 2, {"group '1'", "0..0"});
  refused(gen + "--static --groups 0,1 --collective allreduce/from3", 2, {"/from3", "fred run"});
  refused(gen + "--static --groups 0,1 --collective allreduce/root1", 2, {"/root1", "has no root"});
  refused(gen + "--static --groups 0,1 --collective reduce/root2", 2, {"root 2", "0..1"});
  refused(gen + "--static --groups 0,1 --vc 1", 2, {"--vc 1", "0..0", "--vcs"});
  refused(gen + "--static --groups 0,1 --ops max", 2, {"sum", "not built in", "--ops"});
  refused(gen + "--static --groups 0,1 --testbench", 2, {"--testbench", "--static"});
  refused(gen + "--static --groups 0,1 --flow all", 2, {"ipxact", "--static"});
  refused(gen + "--static --groups 0,1 --leaf host", 2, {"--leaf host", "control"});
  refused("gen --radix 6 --middle 2 --static --groups '0,2;1,4;3,5' --one-round -o " + folder, 3,
          {"cannot be routed together", "--one-round"});
  refused(
      "gen --radix 8 --static --tdest --groups '0;1;2;3;4;5;6;7' --collective allreduce,reduce,broadcast,allgather,"
      "gather,scatter,send,barrier,reducescatter -o " +
          folder,
      2, {"72 collectives", "64"});
  refused("gen --radix 128 --middle 2 --static --groups '0,1' --collective alltoall -o " + folder, 2,
          {"tables of 128 ports", "65536"});
  CHECK_FALSE(fs::exists(scratch("fixed")));

  // The command in the manifest gives the same bytes, in whatever words it was said first.
  const json manifest = parsed(gen +
                               "--static --groups '2,0;3,1' --vc 0 --root 1 --collective reduce@0,allreduce@1:max "
                               "--json -");
  const auto files = contents(scratch("fixed"));
  CHECK(manifest["parameters"]["ops"] == json({"sum", "max"}));
  CHECK(manifest["parameters"]["descriptors"] == 2);
  CHECK(manifest["parameters"]["alltoall_tables"] == 0);
  CHECK(manifest["static"]["descriptors"][0]["root"] == 0);  // rank 1 of 2,0
  const std::string command = manifest["command"];
  REQUIRE(command.starts_with("fred "));
  REQUIRE(fred(command.substr(5) + " -o " + folder).code == 0);
  CHECK(contents(scratch("fixed")) == files);
  // Groups with ports in common, in circuits of their own.
  const std::string overlap = "gen --radix 4 --vcs 2 --static --groups '0,1;0,1,2,3' ";
  const json both = parsed(overlap + "--collective allreduce@0,allreduce@1/vc1 -o " + folder + " --json -");
  CHECK(both["static"]["descriptor_of_port_and_vc"] == json::parse("[[0, 1], [0, 1], [null, 1], [null, 1]]"));
  const auto overlapping = contents(scratch("fixed"));
  REQUIRE(fred(both["command"].get<std::string>().substr(5) + " -o " + folder).code == 0);
  CHECK(contents(scratch("fixed")) == overlapping);
}

TEST_CASE("--counters") {
  refused("gen --radix 4 --vcs 1 --static --groups 0,1 --counters -o x", 2, {"--counters", "--static"});
  refused("run --radix 4 --vcs 1 --static --counters", 2, {"--counters", "--static"});
  refused("synth --target osu018 --radix 4 --vcs 1 --static --groups 0,1 --counters -o x", 2,
          {"--counters", "--static"});
  refused("gen --radix 4 --leaf counters -o x", 2, {"--leaf counters", "egress"});
  const json without = parsed("info --radix 4 --vcs 3 --json -"),
             with = parsed("info --radix 4 --vcs 3 --counters --json -");
  CHECK(without["counters"] == nullptr);
  CHECK(with["counters"]["beats_base"].get<unsigned>() >= without["registers"]["alltoall_base"].get<unsigned>());
  CHECK(with["registers"]["descriptor_base"] == without["registers"]["descriptor_base"]);
  CHECK(with["registers"]["alltoall_base"] == without["registers"]["alltoall_base"]);
  CHECK(with["memories"].size() == without["memories"].size() + 4);
  CHECK(with["options"].get<std::string>().ends_with(" --counters"));
  const Result text = fred("info --radix 4 --counters");
  CHECK(text.code == 0);
  CHECK(text.out.find("launches counted") != std::string::npos);
  CHECK(fred("info --radix 4").out.find("counted") == std::string::npos);
}

TEST_CASE("gen: what is in the way stays as it is") {
  const std::string gen = "gen --radix 2 --dtype int32 --ops sum -o ";
  const fs::path parent = scratch("way");
  const fs::path file = write("way/file", "mine\n");
  const fs::path foreign = write("way/foreign/notes.txt", "mine\n");
  const fs::path other = write("way/other/manifest.json", "{\"generator\": \"another\"}");
  const fs::path junk = write("way/junk/manifest.json", std::string("\0\xff{[", 4));
  refused(gen + "''", 2, {"--output", "empty"});
  refused(gen + "/", 2, {"root folder"});
  refused(gen + quoted(file.string()), 2, {file.string(), "is not a folder"});
  refused(gen + quoted((file / "sub").string()), 2, {"cannot be written"});
  refused(gen + quoted(foreign.parent_path().string()), 2, {"not empty", "no manifest.json"});
  refused(gen + quoted(other.parent_path().string()), 2, {"not by fred"});
  refused(gen + quoted(junk.parent_path().string()), 2, {"not by fred"});
  refused(gen + quoted((parent / std::string(300, 'a')).string()), 2, {"File name too long"});
  CHECK(read(file) == "mine\n");
  CHECK(read(foreign) == "mine\n");
  CHECK(names(parent) == std::vector<std::string>{"file", "foreign", "junk", "other"});

  // Its own output with a file of ours in it is kept too.
  const fs::path own = parent / "own";
  REQUIRE(fred(gen + quoted(own.string())).code == 0);
  write("way/own/rtl/mine.sv", "mine\n");
  const auto before = contents(own);
  refused(gen + quoted(own.string()), 2, {"rtl/mine.sv", "did not write"});
  CHECK(contents(own) == before);
  refused("gen --radix 999 -o " + quoted((parent / "bad").string()), 2, {"--radix 999"});
  CHECK(!fs::exists(parent / "bad"));

  // A link to an earlier output stays a link.
  REQUIRE(fs::remove(own / "rtl/mine.sv"));
  fs::create_directory_symlink("own", parent / "link");
  CHECK(fred(gen + quoted((parent / "link").string())).code == 0);
  CHECK(fs::is_symlink(parent / "link"));
}

TEST_CASE("gen: --json is not the output folder, nor in it") {
  const fs::path folder = scratch("inside");
  fs::create_directories(folder);
  const std::string gen = "gen --radix 2 -o " + quoted((folder / "out").string()) + " --json ";
  for (const char* file : {"out", "out/x.json", "out/", "other/../out/x.json", "out/rtl/x.json"}) {
    refused(gen + quoted((folder / file).string()), 2, {"--json", "output folder"});
    CHECK(names(folder).empty());
  }
  CHECK(fred(gen + quoted((folder / "outer.json").string())).code == 0);  // begins with the same letters
  refused(gen + quoted((folder / "out/x.json").string()), 2, {"--json", "output folder"});
  CHECK(!fs::exists(folder / "out/x.json"));
}

TEST_CASE("gen --flow: project files beside the RTL, known again when they are replaced") {
  const fs::path parent = scratch("flow");
  const fs::path own = parent / "own";
  const std::string gen = "gen --radix 2 --dtype int32 --ops sum -o " + quoted(own.string()) + " ";
  refused(gen + "--flow make", 2, {"'make'", "sdc, xdc, vivado", "or all"});
  refused(gen + "--flow sdc,", 2, {"''", "sdc, xdc, vivado"});
  refused(gen + "--flow sdc,sdc", 2, {"'sdc'", "twice"});
  refused(gen + "--flow sdc,all", 2, {"'all'", "alone"});
  refused(gen + "--clock-period 5", 2, {"--clock-period", "--flow"});
  for (const char* period : {"0", "-1", "nan", "1e7"}) {
    refused(gen + "--flow sdc --clock-period=" + period, 2, {"--clock-period", "0.01..1000000 ns"});
  }
  refused(gen + "--flow sdc --clock-period 5ns", 2, {"--clock-period", "5ns"});
  CHECK(!fs::exists(own));

  REQUIRE(fred(gen + "--flow quartus --clock-period 2.5").code == 0);
  CHECK(names(own) == std::vector<std::string>{"fred_switch.f", "fred_switch.sdc", "fred_switch_quartus.tcl",
                                               "manifest.json", "regs", "rtl"});
  const json manifest = json::parse(read(own / "manifest.json"));
  CHECK(manifest["clock_period_ns"] == 2.5);
  CHECK(manifest["flows"]["sdc"][0]["path"] == "fred_switch.sdc");
  CHECK(read(own / "fred_switch.sdc").find("set clk_period 2.5\n") != std::string::npos);

  const std::string config = quoted(write("flow.toml", "[gen]\nflow = [\"bender\", \"ipxact\"]\n").string());
  REQUIRE(fred("--config " + config + " " + gen).code == 0);
  CHECK(names(own) ==
        std::vector<std::string>{"Bender.yml", "fred_switch.f", "fred_switch.xml", "manifest.json", "regs", "rtl"});
  write("flow/own/Bender.yml", "mine\n");
  refused(gen, 2, {"Bender.yml", "has been changed"});
  CHECK(fred(gen + "--force").code == 0);
  CHECK(names(own) == std::vector<std::string>{"fred_switch.f", "manifest.json", "regs", "rtl"});
  CHECK(!json::parse(read(own / "manifest.json")).contains("flows"));
}

TEST_CASE("gen --testbench: a testbench beside the RTL, known again when it is replaced") {
  const fs::path own = scratch("testbench") / "own";
  const std::string gen = "gen --radix 2 --dtype int32 --ops sum -o " + quoted(own.string()) + " ";
  refused(gen + "--testbench --leaf network", 2, {"--testbench", "whole switch", "--leaf network"});
  refused(gen + "--testbench-seed 2", 2, {"--testbench-seed", "--testbench"});
  refused(gen + "--testbench --testbench-seed=-1", 2, {"--testbench-seed -1", "0..4294967295"});
  refused(gen + "--testbench --testbench-seed two", 2, {"--testbench-seed", "two"});
  CHECK(!fs::exists(own));

  REQUIRE(fred(gen + "--testbench --testbench-seed 7 --flow sdc").code == 0);
  CHECK(names(own / "tb") == std::vector<std::string>{"README.md", "fred_switch_tb.f", "fred_switch_tb.sv",
                                                      "fred_switch_tb_pkg.sv", "vectors"});
  const json bench = json::parse(read(own / "manifest.json"))["testbench"];
  CHECK(bench["top"] == "fred_switch_tb");
  CHECK(bench["filelist"] == "tb/fred_switch_tb.f");
  CHECK(bench["seed"] == 7);
  CHECK(bench["files"].size() == 11);
  CHECK(read(own / "tb/fred_switch_tb.f").starts_with(read(own / "fred_switch.f")));
  const std::string sent = read(own / "tb/vectors/send.hex");

  const std::string config = quoted(write("bench.toml", "[gen]\ntestbench = true\ntestbench-seed = 8\n").string());
  REQUIRE(fred("--config " + config + " " + gen).code == 0);
  CHECK(read(own / "tb/vectors/send.hex") != sent);
  write("testbench/own/tb/vectors/send.hex", "mine\n");
  refused(gen, 2, {"tb/vectors/send.hex", "has been changed"});
  CHECK(fred(gen + "--force").code == 0);
  CHECK(!fs::exists(own / "tb"));
  CHECK(!json::parse(read(own / "manifest.json")).contains("testbench"));
}
