// SPDX-License-Identifier: Apache-2.0
// `fred link`: figures, files that three tools take without a warning, errors.
#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/support.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("link: what the parameters come to") {
  const json link = parsed("link --width 128 --slots 8 --latency 40 --flit-beats 4 --json -");
  CHECK(link["kind"] == "link");
  CHECK(link["parameters"]["flit_words"] == 4);
  CHECK(link["round_trip_cycles"] == 2 * 40 + 4 * 4 + 8);
  CHECK(link["full_rate"]["replay"] == 26);  // 104 cycles of 4 words
  CHECK(link["parameters"]["replay"] == 32);
  CHECK(link["parameters"]["slot_depth"] == 104 + 8 + 8);
  CHECK(link["beats_per_cycle"] == 1.0);
  // 512 of data, 5 + 3 + 7 + 2 * 6 of header, 2 + 3 + 4 + 13 + 7 beside the data, 32 of CRC; in four words.
  CHECK(link["widths"]["flit"] == 512 + 27 + 29);
  CHECK(link["widths"]["phy"] == (512 + 27 + 29 + 32 + 3) / 4);
  CHECK(parsed("link --flit-beats 2 --flit-words 3 --json -")["beats_per_cycle"].get<double>() ==
        doctest::Approx(2.0 / 3));

  CHECK(parsed("link --replay 2 --allow-slow --json -")["beats_per_cycle"].get<double>() == doctest::Approx(2.0 / 52));
  CHECK(parsed("link --slot-depth 2 --allow-slow --json -")["beats_per_cycle"].get<double>() ==
        doctest::Approx(2.0 / 62));

  const Result text = fred("link");
  CHECK(text.code == 0);
  CHECK(text.out.find("rate: at most 1.000 beats a cycle") != std::string::npos);
  // Of each flit 512 of data, and 2 + 4 + 13 + 7 + 2 beside them.
  CHECK(text.out.find("replay: 64 flits (full rate needs 52), 34560 bits") != std::string::npos);
}

TEST_CASE("link: files without a warning of Verilator, Yosys and Icarus") {
  int number = 0;
  for (const std::string options :
       {"--width 64 --slots 1", "--width 32 --flit-beats 3 --flit-words 5 --slots 5",
        "--width 8 --slots 16 --slot-depth 2 --replay 2 --step-bits 1 --tag-bits 1 --allow-slow"}) {
    const fs::path folder = scratch("link" + std::to_string(number++));
    CHECK(fred("link " + options + " -o " + folder.string()).code == 0);
    const int code = std::system(
        (std::string(FRED_SOURCE_DIR) + "/tests/emit/lint_design.sh " + folder.string() + " fred_link_end").c_str());
    CHECK_MESSAGE(code == 0, options);
    const auto before = contents(folder);
    CHECK(fred("link " + options + " -o " + folder.string()).code == 0);  // over its own output
    CHECK(contents(folder) == before);
    const std::string again = json::parse(before.at("manifest.json"))["command"];
    CHECK(fred(again.substr(5) + " --force -o " + folder.string()).code == 0);
    CHECK(contents(folder) == before);
  }
}

TEST_CASE("link: errors name the value and what is allowed") {
  refused("link --width 12", 2, {"--width 12", "multiples of 8"});
  refused("link --width 0", 2, {"--width 0", "8..4096"});
  refused("link --slots 17", 2, {"--slots 17", "1..16"});
  refused("link --latency 0", 2, {"--latency 0", "1..4096"});
  refused("link --flit-beats 4 --flit-words 3", 2, {"--flit-words 3", "4..64"});
  refused("link --replay 48", 2, {"--replay 48", "powers of two"});
  refused("link --replay 32", 2, {"--replay 32", "52 cycles", "52 or more", "--allow-slow"});
  refused("link --slot-depth 61", 2, {"--slot-depth 61", "62 or more", "--allow-slow"});
  refused("link --slot-depth 1 --allow-slow", 2, {"--slot-depth 1", "2..65536"});
  refused("link --force", 2, {"--force", "-o"});
  CHECK(fred("link --slot-depth 61 --allow-slow").code == 0);
  const fs::path folder = scratch("no_link");
  refused("link --slots 0 -o " + folder.string(), 2, {"--slots 0"});
  const std::string inside = (folder / "link.json").string();
  refused("link -o " + folder.string() + " --json " + inside, 2, {"--json " + inside, "must not be the output folder"});
  refused("link --json /no_such/link.json", 2, {"--json /no_such/link.json", "there is no folder"});
  CHECK(!fs::exists(folder));
}
