// SPDX-License-Identifier: Apache-2.0
// The harness around a switch, and around a leaf module: its text, what tools say to it, and that its pins do reach the
// switch's.
#include "fred/emit/harness.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "tests/emit/support.hpp"

using namespace fred;
using namespace fred::test;
using verilog::Direction;
using verilog::Interface;
namespace fs = std::filesystem;

namespace {

/// A harness with all that is below it, and a filelist.
std::vector<EmittedFile> harness_folder(std::vector<verilog::Module> modules, const verilog::Module& harness) {
  modules.push_back(harness);
  std::vector<EmittedFile> files = collect_files(modules, std::string(kHarnessModule));
  std::string list;
  for (const EmittedFile& file : files) list += file.path + "\n";
  files.push_back({"fred_harness.f", list});
  return files;
}

struct Harnessed {
  std::vector<EmittedFile> files;    ///< the folder
  std::vector<HarnessField> fields;  ///< places of the switch's ports

  explicit Harnessed(const Design& design) {
    std::vector<verilog::Module> modules = network_modules(design);
    modules.push_back(emit_switch(make_network(design.radix, design.middle), design));
    const Interface top = modules.back().interface();
    fields = harness_fields(top);
    const verilog::Module harness = emit_harness(top, {}, provenance(design));
    files = harness_folder(std::move(modules), harness);
  }
  /// Lowest bit of a port.
  [[nodiscard]] int at(const std::string& port) const {
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.port == port; });
    REQUIRE(field != fields.end());
    return field->low;
  }
  [[nodiscard]] int bits(Direction direction) const {
    int sum = 0;
    for (const HarnessField& field : fields) sum += field.direction == direction ? field.width : 0;
    return sum;
  }
};

Design small_design() {
  Design design = make_design(2, 2, DType::kInt16, 1, {Op::kSum});
  design.descriptors = 2;
  return design;
}

const Interface kGate{"fred_gate",
                      {"Width"},
                      {{"clk_i", Direction::kInput, 1},
                       {"a_i", Direction::kInput, 3},
                       {"y_o", Direction::kOutput, 4},
                       {"b_i", Direction::kInput, 1}}};

}  // namespace

TEST_CASE("harness: every port but the clock has its place, none overlaps") {
  CHECK(harness_fields(kGate) == std::vector<HarnessField>{{"a_i", Direction::kInput, 0, 3},
                                                           {"y_o", Direction::kOutput, 0, 4},
                                                           {"b_i", Direction::kInput, 3, 1}});
  const auto without = [](const std::string& name) {
    Interface less = kGate;
    std::erase_if(less.ports, [&](const Interface::Port& port) { return port.name == name; });
    return less;
  };
  CHECK_THROWS_WITH_AS((void)harness_fields(without("clk_i")), "harness of fred_gate: it has no clk_i",
                       std::logic_error);
  CHECK_THROWS_AS((void)emit_harness(without("y_o")), std::logic_error);
  Interface unknown = kGate;
  unknown.ports[1].width = 0;
  CHECK_THROWS_WITH_AS((void)harness_fields(unknown), "harness of fred_gate: the width of a_i is not known",
                       std::logic_error);
  CHECK_THROWS_AS((void)emit_harness(kGate, {{"Depth", 2}}), std::logic_error);  // no such parameter
}

TEST_CASE("harness: golden text") {
  std::vector<EmittedFile> files = Harnessed(make_design(4, 2, DType::kInt32, 1, {Op::kSum})).files;
  std::erase_if(files, [](const EmittedFile& file) { return file.path != "rtl/fred_harness.sv"; });
  CHECK(compare_golden("harness_p4_m2", files) == "");
}

TEST_CASE("harness: no tool has a remark, around a switch and around a leaf with parameters") {
  const fs::path folder = scratch("harness_lint");
  const Interface reduce{"fred_reduce",
                         {"DType", "Ops", "Latency"},
                         {{"clk_i", Direction::kInput, 1},
                          {"op_i", Direction::kInput, 2},
                          {"pass_i", Direction::kInput, 1},
                          {"a_i", Direction::kInput, 16},
                          {"b_i", Direction::kInput, 16},
                          {"y_o", Direction::kOutput, 16}}};
  for (const std::vector<EmittedFile>& files :
       {Harnessed(small_design()).files, harness_folder({}, emit_harness(reduce, {{"DType", 4}, {"Latency", 2}}))}) {
    write_files(folder, files);
    std::string output;
    const int code = run(
        fmt::format("{}/tests/emit/lint_design.sh {} {}", FRED_SOURCE_DIR, folder.string(), kHarnessModule), output);
    CHECK_MESSAGE(code == 0, output);
  }
}

TEST_CASE("harness: a tool that optimises finds nothing to leave out") {
  const Harnessed harnessed(small_design());
  const fs::path folder = scratch("harness_kept");
  write_files(folder, harnessed.files);
  const auto optimised = [&](const std::string& top) {
    std::string output;
    const int code = run(fmt::format("cd {0} && sed 's/^/read_verilog -sv /' fred_harness.f >{1}.ys && "
                                     "echo 'synth -flatten -run begin:fine -top {1}; opt_clean; write_json {1}.json' "
                                     ">>{1}.ys && yosys -q {1}.ys",
                                     folder.string(), top),
                         output);
    REQUIRE_MESSAGE(code == 0, output);
    return nlohmann::json::parse(std::ifstream(folder / (top + ".json")))["modules"][top];
  };
  const auto registers = [](const nlohmann::json& module) {
    std::set<nlohmann::json> bits;
    for (const auto& cell : module["cells"]) {
      if (cell["type"].get<std::string>().find("dff") == std::string::npos) continue;
      for (const auto& bit : cell["connections"]["Q"]) bits.insert(bit);
    }
    return bits;
  };
  const nlohmann::json harness = optimised(std::string(kHarnessModule));
  const std::set<nlohmann::json> kept = registers(harness);
  std::set<nlohmann::json> own;  // the harness' registers
  int constant = 0;              // outputs that the switch holds at a constant
  for (const auto& [net, bits] : {std::pair{"u_inputs.chain_q", harnessed.bits(Direction::kInput)},
                                  std::pair{"u_inputs.data_o", harnessed.bits(Direction::kInput)},
                                  std::pair{"u_outputs.sample_q", harnessed.bits(Direction::kOutput)},
                                  std::pair{"u_outputs.chain_q", harnessed.bits(Direction::kOutput)}}) {
    CAPTURE(net);
    const nlohmann::json& found = harness["netnames"][net]["bits"];
    CHECK(found.size() == static_cast<std::size_t>(bits));
    for (const auto& bit : found) {
      if (kept.count(bit) != 0) {
        own.insert(bit);
      } else {
        CHECK(std::string(net) == "u_outputs.sample_q");
        CHECK(bit.is_string());
        ++constant;
      }
    }
  }
  CHECK(constant <= 10);  // tid, low bits of the responses, bits of tuser
  CHECK(kept.size() - own.size() >= registers(optimised(std::string(kTopModule))).size());
}

TEST_CASE("harness: an AXI4-Lite read through the five pins") {
  const Harnessed harnessed(small_design());
  const fs::path folder = scratch("harness_sim");
  write_files(folder, harnessed.files);
  std::string output;
  const int code =
      run(fmt::format("cd {} && iverilog -g2012 -o sim -s harness_tb -Pharness_tb.InW={} -Pharness_tb.OutW={} "
                      "-Pharness_tb.ResetN={} -Pharness_tb.ArValid={} -Pharness_tb.RValid={} -Pharness_tb.RData={} "
                      "-c fred_harness.f {}/tests/emit/harness_tb.sv && vvp -n sim",
                      folder.string(), harnessed.bits(Direction::kInput), harnessed.bits(Direction::kOutput),
                      harnessed.at("rst_ni"), harnessed.at("s_axil_arvalid"), harnessed.at("s_axil_rvalid"),
                      harnessed.at("s_axil_rdata"), FRED_SOURCE_DIR),
          output);
  CHECK(code == 0);
  CHECK_MESSAGE(output.find("PASS: ") != std::string::npos, output);
}
