// SPDX-License-Identifier: Apache-2.0
// `fred routability` as a user meets it. Runs the built binary.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/support.hpp"

using cli_test::Result;
using nlohmann::json;

namespace {

Result routability(const std::string& arguments) { return cli_test::fred("routability " + arguments); }
void refused(const std::string& arguments, const std::vector<std::string>& parts) {
  cli_test::refused("routability " + arguments, 2, parts);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("routability: a bad value is named, with what is allowed") {
  refused("--middle 1", {"--middle 1", "2..16"});
  refused("--middle 2,17", {"--middle 17", "2..16"});
  refused("--middle 2,3,2", {"--middle 2", "twice"});
  refused("--middle 2,x", {"--middle", "'x'"});
  refused("--up-to 17", {"--up-to 17", "2..16", "0 for no"});
  refused("--up-to 1", {"--up-to 1", "2..16"});
  refused("--flows-up-to 11", {"--flows-up-to 11", "2..10"});
  refused("--radix 16,257", {"--radix 257", "2..256"});
  refused("--radix 1", {"--radix 1", "2..256"});
  refused("--samples 10000001", {"--samples 10000001", "0..10000000"});
  refused("--samples -1", {"--samples", "'-1'"});
  refused("--jobs 257", {"--jobs 257", "1..256"});
  refused("--json - --markdown -", {"--json -", "--markdown -", "only one"});
  refused("--markdown /nonexistent/page.md", {"--markdown /nonexistent/page.md", "no folder"});
}

TEST_CASE("routability: JSON of a small run") {
  const Result result = routability("--up-to 6 --flows-up-to 4 --radix 12 --samples 200 --middle 3,2 --json -");
  REQUIRE(result.code == 0);
  const json value = json::parse(result.out);
  CHECK(value["seed"] == 1);
  REQUIRE(value["exact"].size() == 5 + 3);
  const json& groups = value["exact"][4];
  CHECK(groups["population"] == "groups");
  CHECK(groups["radix"] == 6);
  CHECK(groups["families"] == 203);
  REQUIRE(groups["middles"].size() == 2);
  CHECK(groups["middles"][0] == json{{"middle", 2},
                                     {"routable", 195},
                                     {"share", 195.0 / 203},
                                     {"family", "0,2;1,4;3,5"},
                                     {"conflict", "0,2;1,4;3,5"}});
  CHECK(groups["middles"][1]["routable"] == 203);
  CHECK(groups["middles"][1]["conflict"].is_null());
  CHECK(value["exact"][7]["population"] == "flows");
  CHECK(value["exact"][7]["families"] == 339);
  REQUIRE(value["sampled"].size() == 3);
  const char* populations[] = {"groups", "sized-groups", "flows"};
  for (int i = 0; i < 3; ++i) {
    const json& tally = value["sampled"][i];
    CHECK(tally["population"] == populations[i]);
    CHECK(tally["radix"] == 12);
    CHECK(tally["samples"] == 200);
    const json& middle = tally["middles"][0];
    CHECK(middle["low"] < middle["share"]);
    CHECK(middle["share"] < middle["high"]);
  }
}

TEST_CASE("routability: a table, or a page; the same bytes every time") {
  const std::string small = "--up-to 7 --flows-up-to 0 --radix 9 --samples 50 --seed 3";
  const Result table = routability(small);
  CHECK(table.code == 0);
  CHECK(has(table.out, "6         203            8    96.06"));
  CHECK(has(table.out, "0,2;1,4;3,5"));
  const Result page = routability(small + " --markdown -");
  CHECK(page.code == 0);
  CHECK(has(page.out, "# Which share"));
  CHECK(has(page.out, "`fred routability --up-to 7 --flows-up-to 0 --radix 9 --samples 50 --seed 3 --markdown -`"));
  CHECK(has(page.out, "| 6 | 203 | 8 | 96.06 | 0 | 100 | 0 | 100 |"));
  CHECK(has(page.out, "| 6 | 2 | `0,2;1,4;3,5` |"));
  CHECK(has(page.out, "m = 2: all partitions route up to P = 5; at P = 6 8 of 203 do not, at P = 7 3.65 % do not."));
  CHECK(page.out == routability(small + " --jobs 1 --markdown -").out);
  CHECK(page.out != routability("--up-to 7 --flows-up-to 0 --radix 9 --samples 50 --seed 4 --markdown -").out);
  CHECK(routability("--up-to 0 --flows-up-to 0 --samples 0").out.empty());
}
