// SPDX-License-Identifier: Apache-2.0
// The `fred` command as a user meets it: exit codes, messages, files whole or not at all, JSON, configuration files.
// Runs the built binary. One small switch is Verilated and used by all cases that run one.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// Paths and contents of all files below `folder`.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().lexically_relative(folder).generic_string()] = read(entry.path());
  }
  return files;
}

/// Names in `folder`, hidden ones too.
std::vector<std::string> names(const fs::path& folder) {
  std::vector<std::string> result;
  for (const auto& entry : fs::directory_iterator(folder)) result.push_back(entry.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string text("\x93NUMPY", 6);
  text += static_cast<char>(version);
  text += '\0';
  text += static_cast<char>(header.size() & 0xffU);
  text += static_cast<char>(header.size() >> 8);
  if (version > 1) text += std::string(2, '\0');
  return text + header + data;
}

std::string int32_header(const std::string& shape) {
  return "{'descr': '<i4', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

const std::string kSmall = "--radix 3 --dtype int32 --ops sum --descriptors 2 ";  // the one switch that is built

/// The cache of built switches: $FRED_CACHE where that is set.
std::string cache_option() {
  const char* cache = std::getenv("FRED_CACHE");
  const std::string folder = cache != nullptr && *cache != '\0' ? std::string(cache) : scratch("cache").string();
  return " --cache " + quoted(folder) + " ";
}

/// `run` on the one switch.
std::string run(const std::string& arguments) { return "run " + kSmall + cache_option() + arguments; }

/// A run's JSON without what depends on the machine.
json steady(json result) {
  result.erase("sim_cycles_per_second");
  result.erase("build_seconds");
  return result;
}

}  // namespace

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

TEST_CASE("run --counters: a table, and in the JSON") {
  // The switch that test_switch has counters of too.
  const std::string command =
      "run --radix 4 --dtype int32 --lanes 2 --ops sum --descriptors 5 --vcs 2 --counters --groups 0,1,3 --bytes 800 "
      "--collective allreduce/vc1,broadcast" +
      cache_option();
  const json result = parsed(command + "--json -");
  const json& counters = result["counters"];
  REQUIRE(counters["ports"].size() == 4);
  REQUIRE(counters["descriptors"].size() == 5);
  CHECK(counters["ports"][1][1] == json{{"beats_in", 100}, {"beats_out", 100}});
  CHECK(counters["ports"][0][0] == json{{"beats_in", 100}, {"beats_out", 100}});  // the root
  CHECK(counters["ports"][1][0] == json{{"beats_in", 0}, {"beats_out", 100}});
  CHECK(counters["ports"][2][1] == json{{"beats_in", 0}, {"beats_out", 0}});
  CHECK(counters["descriptors"][0] ==
        json{{"launches", 200}, {"wait_data", 0}, {"wait_egress", 0}, {"wait_arbitration", 0}});
  CHECK(counters["descriptors"][4]["launches"] == 0);
  const Result text = fred(command);
  CHECK(text.code == 0);
  CHECK(text.out.find("descriptor        launches") != std::string::npos);
  CHECK(text.out.find("         0             200") != std::string::npos);
}

TEST_CASE("run --static") {
  const std::string small = "--radix 3 --middle 2 --dtype int32 --vcs 1 --static --groups '2,0' ";
  refused("run " + small + "--vectors x", 2, {"--vectors", "--static"});
  refused("run " + small + "--collective allreduce,send", 2, {"port 0", "--tdest"});
  refused("run " + small + "--descriptors 2", 2, {"--descriptors", "not with --static"});
  refused("run --radix 3 --tdest", 2, {"--tdest requires --static"});
  refused("synth --target osu018 --radix 3 --static --groups 0,1 --power -o x", 2, {"--power", "--static"});
  const json result = parsed(
      "run --radix 3 --middle 2 --dtype int32 --vcs 1 --static --groups '2,0;1,0' --collective "
      "reduce@0/root1,alltoall@0,allreduce@1 --tdest --bytes 40 --json -" +
      cache_option());
  CHECK(result["mismatches"] == 0);
  CHECK(result["collectives"].size() == 3);
  CHECK(result["collectives"][1]["kind"] == "alltoall");
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

TEST_CASE("run: bad input is found before anything is built") {
  const std::string cache = " --cache " + quoted(scratch("untouched").string());
  const auto no = [&](const std::string& options, const std::vector<std::string>& parts, int code = 2) {
    refused("run " + kSmall + options + cache, code, parts);
  };
  no("--collective AllReduce", {"'AllReduce'", "allreduce, reduce, broadcast"});
  no("--collective allreduce,", {"''", "allowed"});
  no("--collective allreduce@1", {"'1'", "'allreduce@1'", "0..0"});
  no("--collective allreduce@-1", {"'-1'", "0..0"});
  no("--vcs 1 --vc 1", {"--vc 1", "0..0", "--vcs gives the switch more"});
  no("--vcs 4 --vc 4", {"--vc 4", "0..3"});
  no("--vcs 4 --vc -1", {"--vc -1", "0..3"});
  no("--vcs 4 --collective allreduce@0/vc4", {"VC '4'", "'allreduce@0/vc4'", "0..3"});
  no("--vcs 1 --collective allreduce/vc1", {"VC '1'", "'allreduce/vc1'", "0..0", "--vcs"});
  no("--collective allreduce/from-5", {"cycle '-5'", "'allreduce/from-5'", "0..1000000000"});
  no("--collective allreduce/at5", {"'/at5'", "'allreduce/at5'", "/vcN", "/fromN"});
  no("--op prod", {"'prod'", "sum, min"});
  no("--op max", {"max", "not built in", "--ops"});
  no("--collective reduce --root 3", {"root 3", "0..2"});
  const std::string own = quoted(scratch("").string());
  no("--data " + own + " --out " + own, {"--out", "the folder of --data"});
  no("--collective scatter --root -1", {"root -1", "0..2"});
  no("--collective alltoall --alltoall-tables 0", {"all-to-all table", "--alltoall-tables 1"});
  no("--collective alltoall --flows '0>1'", {"alltoall needs a group", "0>1"});
  no("--json /nonexistent/x.json", {"--json", "no folder /nonexistent"});
  no("--out /proc/self/status/x", {"--out", "no folder"});
  no("--collective barrier@0,barrier@0,barrier@0", {"the design has 2", "--descriptors allows up to 64"});
  no("--groups 0,3", {"'3'", "0..2"});
  no("--groups 0 --flows '0>1'", {"--flows", "--groups"});
  no("--bytes 7", {"7 bytes", "int32"});
  no("--bytes 1e3", {"--bytes", "1e3"});
  no("--bytes 2000000000", {"--bytes 2000000000", "0..1073741824"});
  no("--packet 0", {"--packet 0", "1.."});
  no("--seed -1", {"--seed", "'-1'", "0..18446744073709551615"});
  no("--seed 18446744073709551616", {"--seed", "'18446744073709551616'", "0..18446744073709551615"});
  no("--bytes -4", {"--bytes", "'-4'", "0.."});
  no("--root 1.5", {"--root", "'1.5'", "whole numbers"});
  no("--stall-in 1:0.5,1:0.2", {"--stall-in", "port 1 is named twice"});
  no("--stall-in 1", {"--stall-in", "'1'", "0..0.95"});
  no("--stall-out nan", {"--stall-out", "'nan'", "0..0.95"});
  no("--stall-in 0.5,3:0.1", {"'3'", "0..2"});
  no("--convert", {"--convert needs --data"});
  no("--data x --bytes 4", {"--bytes", "--data"});
  no("--data " + quoted(scratch("nowhere").string()), {"nowhere/rank00.npy", "no such file"});
  const Result route = fred("run --radix 6 --middle 2 --groups '0,2;1,4;3,5' --one-round" + cache);
  CHECK(route.code == 3);
  CHECK(route.err.find("cannot be routed together") != std::string::npos);
  CHECK(route.err.find("--one-round") != std::string::npos);
  CHECK(!fs::exists(scratch("untouched")));
}

TEST_CASE("run: hostile .npy files") {
  const std::string two("\x01\0\0\0\x02\0\0\0", 8);
  const auto no = [](const std::string& text, const std::string& reason) {
    write("npy/rank00.npy", text);
    refused("run " + kSmall + "--data " + quoted(scratch("npy").string()), 2, {"rank00.npy", reason});
  };
  no("", "truncated");
  no("\x93NUMPX1234567890", "magic");
  no(npy(int32_header("(2,)"), two, 4), "version 4");
  no(npy(int32_header("(2,)"), two.substr(0, 5)), "needs 8 bytes of data, the file has 5");
  no(npy(int32_header("(2,)"), two + "x"), "the file has 9");
  no(npy(int32_header("(2,)"), two).substr(0, 30), "truncated in the header");
  no(npy(int32_header("(18446744073709551615, 4)"), two), "too many elements");
  no(npy(int32_header("(99999999999999999999,)"), two), "not a number");
  no(npy(int32_header("(-2,)"), two), "not a number");
  no(npy(std::string(60, '\xff'), two), "bad header");
  no(npy("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }\n", two), "'>i4' is not supported");
  no(npy("{'descr': '\x1b[31m', 'fortran_order': False, 'shape': (2,), }\n", two), "'?[31m' is not supported");
  no(npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,), }\n", two), "structured");
  no(npy("{'descr': '<i4', 'fortran_order': True, 'shape': (1, 2), }\n", two), "Fortran");
  no(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", two), "use --dtype fp32");
  // One rank's file is shorter.
  for (const char* name : {"npy/rank00.npy", "npy/rank01.npy"}) write(name, npy(int32_header("(2,)"), two));
  write("npy/rank02.npy", npy(int32_header("(1,)"), two.substr(0, 4)));
  refused("run " + kSmall + "--data " + quoted(scratch("npy").string()), 2, {"4 bytes", "8", "equal sizes"});
  // A folder and a pipe in the place of a file.
  fs::remove(scratch("npy/rank00.npy"));
  fs::create_directory(scratch("npy/rank00.npy"));
  refused("run " + kSmall + "--data " + quoted(scratch("npy").string()), 2, {"rank00.npy"});
}

TEST_CASE("run: missing tools are exit code 4 and name the package") {
  const std::string options = "run " + kSmall + "--cache " + quoted(scratch("tools").string());
  const Result none = fred(options, "PATH=/nonexistent");
  CHECK(none.code == 4);
  CHECK(none.err.find("apt-get install verilator") != std::string::npos);
  // A cache that cannot be made.
  const fs::path file = write("not-a-folder", "x");
  const Result cache = fred("run " + kSmall + "--cache " + quoted(file.string()));
  CHECK(cache.code == 4);
  CHECK(cache.err.find("--cache") != std::string::npos);
}

TEST_CASE("run: every collective, JSON, and the same cycles every time") {
  const std::string all = "allreduce,reduce,broadcast,allgather,reducescatter,gather,scatter,send,barrier,alltoall";
  const std::string options = run("--collective " + all + " --bytes 100 --stall-in 0.5,1:0.9 --stall-out 0.3 --json -");
  const json result = parsed(options);
  CHECK(result["radix"] == 3);
  CHECK(result["middle"] == 3);
  CHECK(result["dtype"] == "int32");
  CHECK(result["lanes"] == 1);
  CHECK(result["vcs"] == 4);
  CHECK(result["engine"] == "verilator");
  CHECK(result["seed"] == 1);
  CHECK(result["mismatches"] == 0);
  CHECK(result["zero_load_latency"] == 7);
  CHECK(result["build_seconds"].is_number());
  CHECK(result["sim_cycles_per_second"].is_number());
  REQUIRE(result["collectives"].size() == 10);
  for (const json& row : result["collectives"]) {
    CAPTURE(row.dump());
    CHECK(row["groups"] == json::parse("[[0,1,2]]"));
    CHECK(row["vc"] == 0);
    CHECK(row["start"] == 0);
    CHECK(row["mismatches"] == 0);
    CHECK(row["payload_bytes"] == (row["kind"] == "barrier" ? 0 : 100));
    CHECK(row["cycles"].get<int>() >= row["beats"].get<int>());
    CHECK(row["first_beat_latency"].get<int>() >= 7);
    CHECK(row["efficiency"].get<double>() == doctest::Approx(row["beats"].get<double>() / row["cycles"].get<double>()));
  }
  const json again = parsed(options);
  CHECK(again["build_seconds"] == 0);  // from the cache
  CHECK(steady(again) == steady(result));
  CHECK(steady(parsed(options + " --seed 2")) != steady(result));
}

TEST_CASE("run: a collective starts at its cycle") {
  const json result = parsed(run("--bytes 64 --collective allreduce@0,allreduce@0/vc0/from300 --json -"));
  CHECK(result["mismatches"] == 0);
  REQUIRE(result["collectives"].size() == 2);
  CHECK(result["collectives"][1]["start"] == 300);
  // Nothing is in the way of the later one.
  for (const json& row : result["collectives"]) CHECK(row["cycles"] == result["zero_load_latency"].get<int>() + 16);
  const Result text = fred(run("--bytes 64 --collective allreduce@0,barrier@0/from300"));
  CHECK(text.out.find("barrier/from300 ") != std::string::npos);
}

TEST_CASE("run: an idle switch has the latency that is promised") {
  const json result = parsed(run("--bytes 4000 --json -"));
  CHECK(result["collectives"][0]["first_beat_latency"] == result["zero_load_latency"]);
  CHECK(result["collectives"][0]["beats"] == 1000);
  CHECK(result["collectives"][0]["cycles"] == 1007);
}

TEST_CASE("run: small, odd and stalled") {
  for (const std::string options :
       {"--collective allreduce,allgather,reducescatter,scatter,send,alltoall --bytes 0",
        "--collective allreduce,reducescatter,alltoall --bytes 4 --packet 1",
        "--collective broadcast,gather,scatter,send,alltoall,allgather --bytes 7 --packet 5 --root 2",
        "--collective allreduce,allgather,reducescatter,gather,alltoall --groups 1 --bytes 40",
        "--collective allreduce@0,alltoall@1,barrier,send@1,broadcast@0 --groups '2,0;1' --bytes 36",
        "--collective allreduce,allgather,reducescatter,scatter,send --flows '0,1>2;2>0,1' --bytes 24",
        "--collective allreduce,alltoall --bytes 100 --packet 8 --stall-in 0.95 --stall-out 0:0.95"}) {
    CAPTURE(options);
    const Result result = fred(run(options));
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK(result.out.find("\n0 mismatches") != std::string::npos);
  }
}

TEST_CASE("run: data in, results out") {
  const std::string values[3] = {std::string("\x01\0\0\0\xff\xff\xff\x7f", 8), std::string("\x02\0\0\0\x01\0\0\0", 8),
                                 std::string("\x03\0\0\0\0\0\0\0", 8)};  // the second sum wraps
  for (int rank = 0; rank < 3; ++rank) {
    write("in/rank0" + std::to_string(rank) + ".npy",
          npy(int32_header("(2,)"), values[rank], rank == 1 ? 2 : 1));  // both versions of the format
  }
  const fs::path out = scratch("out put");
  const Result result = fred(run("--collective allreduce,gather --root 1 --data " + quoted(scratch("in").string()) +
                                 " --out " + quoted(out.string())));
  CAPTURE(result.err);
  CHECK(result.code == 0);
  CHECK(names(out / "0-allreduce") == std::vector<std::string>{"rank00.npy", "rank01.npy", "rank02.npy"});
  CHECK(names(out / "1-gather") == std::vector<std::string>{"rank01.npy"});
  for (const char* rank : {"rank00.npy", "rank01.npy", "rank02.npy"}) {
    const std::string file = read(out / "0-allreduce" / rank);
    CHECK(file.size() % 64 == 8);
    CHECK(file.find("'descr': '<i4', 'fortran_order': False, 'shape': (2,)") != std::string::npos);
    CHECK(file.substr(file.size() - 8) == std::string("\x06\0\0\0\0\0\0\x80", 8));
  }
  const std::string gathered = read(out / "1-gather/rank01.npy");
  CHECK(gathered.substr(gathered.size() - 24) == values[0] + values[1] + values[2]);
}

TEST_CASE("run: files that cannot be written are exit code 2 and are named") {
  const fs::path file = write("in-the-way", "x");
  const std::string way = quoted(file.string());
  refused(run("--bytes 16 --out " + way), 2, {"--out", "in-the-way"});
  refused(run("--bytes 16 --vectors " + way), 2, {"--vectors", "in-the-way"});
  refused(run("--bytes 16 --json " + quoted((file / "x.json").string())), 2, {"--json", "x.json"});
  CHECK(read(file) == "x");

  // A set of results is whole or not there; files of other runs are named.
  const fs::path out = scratch("half");
  fs::create_directories(out / "rank01.npy");
  refused(run("--bytes 16 --out " + quoted(out.string())), 2, {"rank01.npy is a folder"});
  CHECK(names(out) == std::vector<std::string>{"rank01.npy"});
  fs::remove(out / "rank01.npy");
  CHECK(fred(run("--bytes 16 --out " + quoted(out.string()))).err.find("not of this run") == std::string::npos);
  const Result less = fred(run("--bytes 16 --collective reduce --root 2 --out " + quoted(out.string())));
  CHECK(less.code == 0);
  CHECK(less.err.find("not of this run, and left there: rank00.npy, rank01.npy") != std::string::npos);
}

TEST_CASE("run: vectors are written, the same every time") {
  const fs::path a = scratch("vectors/a");
  const fs::path b = scratch("vectors/b");
  for (const fs::path& folder : {a, b}) {
    CHECK(fred(run("--bytes 16 --stall-out 0.5 --vectors " + quoted(folder.string()))).code == 0);
  }
  CHECK(names(a) == std::vector<std::string>{"replay.sv", "vectors.txt"});
  CHECK(contents(a) == contents(b));
  CHECK(read(a / "replay.sv").find("fred gen --radix 3") != std::string::npos);
}

TEST_CASE("every message of a bad command line begins with fred:, and an unknown command is named") {
  refused("nosuch", 2, {"fred: unknown command 'nosuch': gen, info, order, route, routability, run"});
  refused("", 2, {"fred: A subcommand is required: gen, info, order, route, routability, run"});
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
  bad("[inf]\nradix = 3\n", {"unknown section [inf]", "[gen] [info] [order] [route] [routability] [run]"});
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

TEST_CASE("run: --trace takes names that end in .fst only") {
  refused("run " + kSmall + "--trace t.vcd", 2, {"--trace t.vcd", "FST", ".fst"});
  refused("run " + kSmall + "--trace fst", 2, {"--trace fst", ".fst"});
}

TEST_CASE("run: a short --timeout is no hang where ports only stall") {
  CHECK(fred(run("--bytes 200 --timeout 0 --stall-in 0.95 --stall-out 0.95")).code == 0);
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

TEST_CASE("run: fp64 files are converted, not taken as they are") {
  const double values[2] = {1.5, -2};
  const std::string bytes(reinterpret_cast<const char*>(values), sizeof values);
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n";
  for (const char* name : {"f8/rank00.npy", "f8/rank01.npy", "f8/rank02.npy"}) write(name, npy(header, bytes));
  const std::string data = "--data " + quoted(scratch("f8").string());
  refused("run --radix 3 --dtype bf16 " + data, 2, {"rank00.npy holds fp64", "use --dtype fp64 or --convert"});
  refused("run " + kSmall + data + " --convert", 2, {"fp64 values are not converted to int32"});
}
