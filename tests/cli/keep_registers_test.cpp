// SPDX-License-Identifier: Apache-2.0
// `fred route --keep --registers` as a user meets it: what is written into a switch that runs.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// A file with the routes and registers of two groups, for the shell.
std::string two_groups(const std::string& name, const std::string& options = "") {
  std::string file = quoted(scratch(name).string());
  REQUIRE(fred("route --radix 8 --groups '0,1,2;3,4,5' --registers " + options + " --json " + file).code == 0);
  return file;
}

/// The words of descriptors that are enabled after `writes` on top of those in `words`.
void apply(const json& writes, std::map<unsigned, unsigned>& words) {
  for (const json& write : writes) words[write["address"].get<unsigned>()] = write["data"].get<unsigned>();
}

}  // namespace

TEST_CASE("route --keep --registers: the writes of the change, and what stands afterwards") {
  const std::string file = two_groups("two.json");
  const json before = json::parse(read(scratch("two.json")));
  const json added = parsed("route --keep " + file +
                            " --groups 6,7 --registers --collective broadcast --root 1 --epoch 2" + " --vc 3 --json -");
  CHECK(added["routes"][0] == before["routes"][0]);
  REQUIRE(added["change"].size() == 3);
  CHECK(added["change"][0]["step"] == "add");
  CHECK(added["change"][0]["descriptor"] == 2);
  CHECK(added["change"][0]["writes"] == added["registers"][2]["writes"]);
  CHECK(added["registers"][2]["kind"] == "broadcast");
  CHECK(added["registers"][2]["vc"] == 3);
  CHECK(added["registers"][2]["writes"][0]["data"] == 0x18070202);  // circuit 3, root port 7, epoch 2, broadcast
  CHECK(added["registers"][2]["compatible"] == json({0, 1}));
  for (int d = 0; d < 2; ++d) {
    const json& share = added["change"][d + 1];
    CHECK(share["step"] == "share");
    CHECK(share["descriptor"] == d);
    REQUIRE(share["writes"].size() == 3);
    CHECK(share["writes"][0]["data"] == 0);
    CHECK(share["writes"][1]["name"] == "COMPAT");
    CHECK(share["writes"][2]["data"] == 1);
    CHECK(added["registers"][d]["compatible"] == json({1 - d, 2}));
  }
  // What stood and what is written make what is said to stand.
  std::map<unsigned, unsigned> changed, anew;
  for (const json& of : before["registers"]) apply(of["writes"], changed);
  for (const json& step : added["change"]) apply(step["writes"], changed);
  for (const json& of : added["registers"]) apply(of["writes"], anew);
  CHECK(changed == anew);

  const Result text = fred("route --keep " + file + " --remove 0 --groups 6,7 --registers");
  CHECK(text.code == 0);
  const std::size_t remove = text.out.find("\nremove descriptor 0\naddress  value       register     meaning\n0x1000 ");
  const std::size_t add = text.out.find("\nadd descriptor 2: allreduce on flow 1\naddress ");
  const std::size_t share = text.out.find("\nshare descriptor 1: allreduce on flow 0\naddress ");
  CHECK(remove != std::string::npos);
  CHECK(share != std::string::npos);
  CHECK(remove < add);
  CHECK(add < share);
  CHECK(text.out.find("Disabling is refused (SLVERR) while a descriptor is busy") != std::string::npos);
  CHECK(fred("route --keep " + file + " --remove 0 --groups 6,7 --registers").out == text.out);
  const Result nothing = fred("route --keep " + file + " --registers");
  CHECK(nothing.out.find("no register changes\n") != std::string::npos);
  CHECK(nothing.out.find("Disabling") == std::string::npos);
  // Without --registers as before.
  CHECK_FALSE(parsed("route --keep " + file + " --groups 6,7 --json -").contains("change"));
}

TEST_CASE("route --keep --registers: one change after another, by way of the file") {
  const std::string file = two_groups("chain.json", "--vcs 2");
  const std::string more = " --registers --vcs 2 --json ";
  REQUIRE(fred("route --keep " + file + " --groups '6,7' --vc 1" + more + file).code == 0);
  REQUIRE(fred("route --keep " + file + " --remove 0 --groups '0,2;1,6'" + more + file).code == 0);
  const json now = json::parse(read(scratch("chain.json")));
  CHECK(now["kept"] == 2);
  REQUIRE(now["registers"].size() == 4);
  // Descriptors stay what they are though flows are counted anew; that of the removed group is the last to be taken.
  CHECK(now["registers"][0]["descriptor"] == 1);
  CHECK(now["registers"][1]["descriptor"] == 2);
  CHECK(now["registers"][1]["vc"] == 1);
  CHECK(now["registers"][2]["descriptor"] == 3);
  CHECK(now["registers"][3]["descriptor"] == 4);
  CHECK(parsed("route --keep " + file + " --registers --vcs 2 --json -")["change"] == json::array());
  // A part breaks under a flow that runs: refused, and moved where that is allowed.
  const int colour = now["routes"][0]["colours"][0];
  const std::string broken = " --broken m" + std::to_string(colour) + ".R1 --registers --vcs 2 --json -";
  const Result stays = fred("route --keep " + file + broken);
  CHECK(stays.code == 3);
  CHECK(json::parse(stays.out)["change"] == nullptr);
  CHECK(json::parse(stays.out)["registers"] == nullptr);
  const json moved = parsed("route --keep " + file + " --move" + broken);
  REQUIRE(!moved["moved"].empty());
  const std::size_t count = moved["moved"].size();
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(moved["change"][i]["step"] == "stop");
    CHECK(moved["change"][i]["writes"].size() == 1);
    CHECK(moved["change"][count + i]["step"] == "move");
    CHECK(moved["change"][count + i]["writes"][0]["name"] == "COLOURS");
    CHECK(moved["change"][count + i]["descriptor"] ==
          moved["registers"][moved["moved"][i].get<std::size_t>()]["descriptor"]);
  }
}

TEST_CASE("route --keep --registers: an all-to-all can go, not stay or come") {
  const std::string file = quoted(scratch("table.json").string());
  REQUIRE(
      fred("route --radix 6 --groups '0,1,2;3,4' --registers --collective alltoall,allreduce --json " + file).code ==
      0);
  refused("route --keep " + file + " --registers", 2, {"routes[0]", "all-to-all", "--remove"});
  const json gone = parsed("route --keep " + file + " --remove 0 --registers --json -");
  REQUIRE(gone["change"].size() == 1);
  CHECK(gone["change"][0]["step"] == "remove");
  CHECK(gone["registers"].size() == 1);
  CHECK(gone["registers"][0]["descriptor"] == 1);
  const std::string two = two_groups("come.json");
  const fs::path left = scratch("left.json");
  refused("route --keep " + two + " --groups 6,7 --registers --collective alltoall --json " + quoted(left.string()), 2,
          {"alltoall", "--keep"});
  CHECK_FALSE(fs::exists(left));
}

TEST_CASE("route --keep --registers: files and options that do not fit") {
  const std::string file = two_groups("fit.json");
  const json good = json::parse(read(scratch("fit.json")));
  const std::string keep = "route --registers --keep ";
  const std::string options = "--descriptors, --alltoall-tables, --vcs, --dtype";
  refused(keep + file + " --descriptors 40", 2, {"fit.json", "registers[0].writes are 6", "there are 7", options});
  refused(keep + file + " --descriptors 1", 2, {"registers[0].compatible", "is 1", "0..0"});
  refused(keep + file + " --ops min", 2, {"registers[0].writes", "sum is not built in", "--ops"});
  refused(keep + file + " --groups '6;7' --vc 0,1,2", 2, {"--vc 0,1,2", "3 virtual circuits for 2 groups"});
  refused(keep + file + " --groups 6,7 --epoch 16", 2, {"epoch 16", "0..15"});
  refused(keep + file + " --groups 6,7 --c-header x.h", 2, {"--c-header", "--keep"});
  const std::string full = two_groups("full.json", "--descriptors 2");
  refused(keep + full + " --descriptors 2 --groups 6,7", 2, {"3 collectives", "has 2", "--descriptors"});
  const json instead = parsed(keep + full + " --descriptors 2 --remove 1 --groups 6,7 --json -");
  CHECK(instead["change"].size() == 2);
  CHECK(instead["registers"][1]["descriptor"] == 1);

  const auto hostile = [&](const char* pointer, const json& value, const std::vector<std::string>& parts) {
    json copy = good;
    copy[json::json_pointer(pointer)] = value;
    std::vector<std::string> all = parts;
    all.emplace_back("hostile.json");
    refused(keep + quoted(write("hostile.json", copy.dump()).string()), 2, all);
  };
  hostile("/registers", nullptr, {"no registers"});
  hostile("/registers", 7, {"registers", "no list"});
  hostile("/registers", json::array(), {"registers are 0 for 2 flows"});
  hostile("/registers/0", 7, {"registers[0].writes", "missing"});
  hostile("/registers/0/descriptor", 8, {"registers[0].descriptor", "is 8", "0..7"});
  hostile("/registers/0/descriptor", "0", {"registers[0].descriptor", "\"0\"", "0..7"});
  hostile("/registers/1/descriptor", 0, {"registers[1].writes[0]"});
  hostile("/registers/0/writes", 7, {"registers[0].writes", "no list"});
  hostile("/registers/0/writes", json::array(), {"registers[0].writes", "no CONFIG"});
  hostile("/registers/0/writes/0/data", -1, {"registers[0].writes.data", "is -1", "0..4294967295"});
  hostile("/registers/0/writes/0/data", 0x0000000a, {"CONFIG 0x0000000a", "kind or operation"});
  hostile("/registers/0/writes/0/data", 0x00000070, {"CONFIG 0x00000070", "kind or operation"});
  hostile("/registers/0/writes/0/data", 0x00000009, {"registers[0]", "all-to-all", "--remove"});
  hostile("/registers/0/writes/0/data", 0x00070001, {"CONFIG 0x00070001", "root port 7"});
  hostile("/registers/0/writes/2/data", 3, {"registers[0].writes[2]", "IN_MASK is 0x00000007"});
  hostile("/registers/0/writes/2/address", 1e300, {"registers[0].writes[2].address", "1e+300"});
  hostile("/registers/0/compatible", json({1, 2}), {"registers[0].writes[4]", "COMPAT"});
  hostile("/registers/0/compatible", json({8}), {"registers[0].compatible", "0..7"});
  hostile("/registers/0/compatible", 1, {"registers[0].compatible", "no list"});
  json none = good;
  none.erase("registers");
  refused(keep + quoted(write("hostile.json", none.dump()).string()), 2,
          {"hostile.json", "no registers", "--registers"});
}
