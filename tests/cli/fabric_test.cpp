// SPDX-License-Identifier: Apache-2.0
// `--link-ports` and `--fabric`: files, runs, errors.
#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// Two leaves of 6 ports and a root. The switches are those of tests/fabric, so that they are built once.
const std::string kOptions =
    "--dtype int32 --lanes 1 --ops sum,max --vcs 2 --alltoall-tables 0 --tag-bits 3 --link-latency 6 --counters";

json two_leaves() {
  return json::parse(R"({
    "switches": [{"name": "leaf0", "radix": 7, "link_ports": 1}, {"name": "leaf1", "radix": 7, "link_ports": 1},
                 {"name": "root", "radix": 2, "link_ports": 2}],
    "links": [{"leaf": "leaf0", "leaf_port": 6, "root": "root", "root_port": 0},
              {"leaf": "leaf1", "leaf_port": 6, "root": "root", "root_port": 1}],
    "collectives": [{"kind": "allreduce", "ranks": ["leaf0:0", "leaf0:1", "leaf1:0"]},
                    {"kind": "gather", "ranks": ["leaf1:2", "leaf0:3"], "vc": 1, "root": 1},
                    {"kind": "allgather", "ranks": ["leaf1:4", "leaf1:1"]}]})");
}

std::string file_of(const json& value, const std::string& name = "fabric.json") {
  return write(name, value.dump()).string();
}

/// `gen --fabric` refuses the file, and says all of this.
void refused_file(const json& value, const std::vector<std::string>& words) {
  const fs::path folder = scratch("fabric_refused");
  refused("gen --fabric " + file_of(value) + " " + kOptions + " -o " + folder.string(), 2, words);
  CHECK(!fs::exists(folder));
}

}  // namespace

TEST_CASE("fabric: every kind of switch once, and the register writes of each") {
  const fs::path folder = scratch("fabric");
  const std::string command = "gen --fabric " + file_of(two_leaves()) + " " + kOptions + " -o " + folder.string();
  CHECK(fred(command).code == 0);
  const auto before = contents(folder);
  CHECK(fred(command).code == 0);  // over its own output
  CHECK(contents(folder) == before);
  CHECK(before.count("leaf0/rtl/fred_switch.sv") == 1);
  CHECK(before.count("leaf1/rtl/fred_switch.sv") == 0);  // as leaf0
  CHECK(before.count("root/rtl/fred_switch.sv") == 1);
  const json fabric = json::parse(before.at("fabric.json"));
  CHECK(fabric["switches"][1]["rtl"] == "leaf0");
  CHECK(fabric["switches"][2]["descriptors"].size() == 2);
  // The gather: rank 0 at leaf1, the root at leaf0; the root switch stays a step at each link.
  const json& up = fabric["collectives"][1]["leaves"][1];
  CHECK(up["switch"] == "leaf1");
  CHECK(up.contains("sends_to"));
  CHECK(!up.contains("receives_from"));
  const json& top = fabric["switches"][2]["descriptors"][1];
  CHECK(top["kind"] == "gather");
  CHECK(top["in"] == json({0, 1}));
  CHECK(top["out"] == json::array({0}));
  CHECK(top["links"][0]["slot"] == 1);
  // Written in the order in which they are taken: LINK before CONTROL.
  bool enabled = false;
  for (const json& write : fabric["switches"][0]["writes"]) {
    enabled = enabled || write["register"] == "CONTROL";
    if (write["register"] == "LINK") CHECK(!enabled);
  }
  CHECK(enabled);
}

TEST_CASE("fabric: the example of the docs is the one that they show, and is taken") {
  const std::string docs = std::string(FRED_SOURCE_DIR) + "/docs/", example = docs + "examples/two_leaves.json";
  CHECK(read(docs + "fabrics.md").find("```json\n" + read(example) + "```") != std::string::npos);
  CHECK(fred("gen --fabric " + example + " --dtype int32 -o " + scratch("fabric_example").string()).code == 0);
}

TEST_CASE("fabric: a run, with errors on the links") {
  const std::string file = file_of(two_leaves());
  const json result =
      parsed("run --fabric " + file + " " + kOptions + " --bytes 4096 --link-errors 0.01 --json -" + cache_option());
  CHECK(result["mismatches"] == 0);
  CHECK(result["flits_hit"] > 20);
  CHECK(result["collectives"].size() == 3);
  for (const json& of : result["collectives"]) CHECK(of["mismatches"] == 0);
  CHECK(result["collectives"][0]["first_beat_cycles"] > result["collectives"][2]["first_beat_cycles"]);
  const Result text = fred("run --fabric " + file + " " + kOptions + " --bytes 4096" + cache_option());
  CHECK(text.code == 0);
  CHECK(text.out.find("leaf0:0,leaf0:1,leaf1:0") != std::string::npos);
  CHECK(text.out.find("0 mismatches") != std::string::npos);
}

TEST_CASE("fabric: errors name the place in the file, and what is allowed") {
  const auto changed = [](const json& patch) {
    json value = two_leaves();
    value.merge_patch(patch);
    return value;
  };
  const auto at = [](const char* pointer, const json& to) {
    json value = two_leaves();
    value[json::json_pointer(pointer)] = to;
    return value;
  };
  refused_file(json::array(), {"[]", "switches, links, collectives"});
  refused_file(changed({{"groups", 1}}), {"groups", "switches, links, collectives"});
  refused_file(json{{"switches", json::array()}}, {"switches", "at least one"});
  refused_file(changed({{"switches", 3}}), {"'switches' is 3", "a list"});
  refused_file(at("/switches/1/name", "leaf0"), {"switch 1", "leaf0", "one already"});
  refused_file(at("/switches/1/name", "a/b"), {"switch 1", "a/b", "letters"});
  refused_file(at("/switches/0/radix", 1), {"switch 0 (leaf0)", "--radix 1", "2..256"});
  refused_file(at("/switches/0/radix", "x"), {"switch 0", "radix \"x\""});
  refused_file(at("/switches/0/link_ports", 8), {"switch 0 (leaf0)", "link_ports 8", "0..7"});
  refused_file(at("/switches/0/ports", 8), {"switch 0", "ports", "name, radix, link_ports"});
  refused_file(at("/links/0/leaf", "leaf2"), {"link 0", "leaf2", "leaf0, leaf1, root"});
  refused_file(at("/links/0/leaf_port", 5), {"link 0", "port 5 of leaf0", "link ports 6"});
  refused_file(at("/links/1/root_port", 0), {"link 1", "port 0 of root has a link"});
  refused_file(at("/links/1/leaf", "root"), {"link 1", "port 6 of root", "link ports 0,1"});
  refused_file(at("/collectives/0/kind", "send"), {"collective 0", "send", "does not cross links", "allgather"});
  refused_file(at("/collectives/0/kind", "sum"), {"collective 0", "sum", "allreduce"});
  refused_file(at("/collectives/0/op", "min"), {"min", "--ops"});
  refused_file(at("/collectives/0/type", "fp32"), {"collective 0", "fp32", "--dtype"});
  refused_file(at("/collectives/0/vc", 2), {"collective 0", "vc 2", "0..1"});
  refused_file(at("/collectives/0/ranks/1", "leaf0:6"), {"collective 0", "port 6 of leaf0", "0..5"});
  refused_file(at("/collectives/0/ranks/1", "leaf0:0"), {"collective 0", "port 0 of leaf0", "twice"});
  refused_file(at("/collectives/0/ranks/1", "leaf0"), {"collective 0", "leaf0", "SWITCH:PORT"});
  refused_file(at("/collectives/0/ranks/1", "root:0"), {"collective 0", "port 0 of root"});
  refused_file(at("/collectives/0/ranks", json::array()), {"collective 0", "ranks"});
  refused_file(at("/collectives/1/root", 2), {"collective 1", "root 2", "0..1"});
  refused_file(changed({{"links", json::array()}}), {"collective 0", "no root"});
  json crowded = two_leaves();
  for (int i = 0; i < 4; ++i) {
    crowded["collectives"].push_back({{"kind", "allreduce"}, {"ranks", {"leaf0:5", "leaf1:5"}}, {"vc", 0}});
  }
  refused_file(crowded, {"collective 5", "4 slots", "--slots"});
  refused("gen --fabric " + file_of(crowded) + " --dtype int32 --descriptors 4 -o /nowhere/x", 2,
          {"collective 3", "4 descriptors", "--descriptors"});

  refused("gen --fabric " + file_of(two_leaves()) + " --radix 5 -o /nowhere/x", 2, {"--radix", "--fabric"});
  refused("gen --fabric /nowhere/file -o /nowhere/x", 2, {"/nowhere/file"});
  refused("run --fabric " + file_of(two_leaves()) + " --link-errors 1", 2, {"--link-errors 1"});
  refused("run --fabric " + file_of(two_leaves()) + " --dtype int32 --stall-in 3:0.5", 2,
          {"--stall-in 3:0.5", "all ports"});
  refused("run --fabric " + file_of(two_leaves()) + " --dtype bf16 --acc fp32", 2, {"--acc", "--fabric"});
  json large = two_leaves();
  for (int i = 0; i < 60; ++i) {
    large["switches"].push_back({{"name", "more" + std::to_string(i)}, {"radix", 7}, {"link_ports", 1}});
  }
  refused("run --fabric " + file_of(large) + " --dtype int32", 2, {"63 switches", "256"});
  refused("run --fabric " + file_of(json{{"switches", two_leaves()["switches"]}}), 2, {"collectives"});
}

TEST_CASE("link ports: errors") {
  const std::string gen = "gen --radix 6 -o /nowhere/x ";
  refused(gen + "--link-ports 0", 2, {"--link-ports 0", "last ports"});
  refused(gen + "--link-ports 5,5", 2, {"--link-ports 5,5", "4..5"});
  refused(gen + "--link-ports 6", 2, {"--link-ports 6", "5..5"});
  refused(gen + "--link-ports 5 --slots 9", 2, {"--slots 9", "1..8"});
  refused(gen + "--link-ports 5 --tag-bits 2", 2, {"--tag-bits 2", "3..8"});
  refused(gen + "--link-ports 5 --step-bits 2", 2, {"--step-bits 2", "3..12"});
  refused(gen + "--link-ports 5 --replay 3", 2, {"--replay 3", "powers of two"});
  refused(gen + "--link-ports 5 --link-latency 0", 2, {"--link-latency 0", "1..4096"});
  refused(gen + "--slots 2", 2, {"--slots", "--link-ports or --fabric"});
  refused(gen + "--link-ports 5 --testbench", 2, {"--testbench", "--link-ports"});
  refused(gen + "--link-ports 5 --flow ipxact", 2, {"--flow ipxact", "--link-ports"});
  refused(gen + "--link-ports 5 --vcs 1 --static --groups 0,1 --collective allreduce", 2, {"--static"});
}
