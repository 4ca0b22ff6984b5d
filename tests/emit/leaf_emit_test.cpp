// SPDX-License-Identifier: Apache-2.0
// Parts of a switch alone: which there are, that they stand alone in every tool, and what their manifest says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fred/error.hpp"
#include "tests/emit/support.hpp"

using namespace fred;
using namespace fred::test;
using Names = std::vector<std::string>;

namespace {

const std::vector<Op> kAll{Op::kSum, Op::kMin, Op::kMax};

const std::string& text_of(const std::vector<EmittedFile>& files, const std::string& path) {
  const auto file = std::find_if(files.begin(), files.end(), [&](const EmittedFile& f) { return f.path == path; });
  REQUIRE(file != files.end());
  return file->text;
}

std::string lint(const Design& design, const Leaf& leaf) {
  const std::filesystem::path folder = scratch("leaf");
  write_files(folder, emit_leaf_design(design, leaf));
  std::string output;
  const int code = run(
      fmt::format("{}/tests/emit/lint_design.sh {} {}", FRED_SOURCE_DIR, folder.string(), leaf_module_name(leaf.name)),
      output);
  return code == 0 ? "" : output;
}

}  // namespace

TEST_CASE("a switch has the parts that its radix gives it") {
  const Names even = {"host",      "ingress",    "control",   "launch", "network",
                      "uswitch_r", "uswitch_rd", "uswitch_d", "egress", "reduce"};
  CHECK(leaf_names(make_design(8, 3, DType::kBf16, 1, kAll)) == even);
  const Names odd = {"host",      "ingress",    "control",   "launch",  "network", "uswitch_r",
                     "odd_demux", "uswitch_rd", "uswitch_d", "odd_mux", "egress",  "reduce"};
  CHECK(leaf_names(make_design(5, 3, DType::kBf16, 1, kAll)) == odd);
  CHECK(leaf_names(make_design(6, 3, DType::kBf16, 1, kAll)) == odd);  // its inner subnetworks have three ports
  CHECK(leaf_names(make_design(2, 3, DType::kBf16, 1, kAll)) ==
        Names{"host", "ingress", "control", "launch", "network", "uswitch_rd", "egress", "reduce"});
  Design wider = make_design(2, 3, DType::kBf16, 1, kAll);
  wider.acc = DType::kFp32;
  CHECK(leaf_names(wider) ==
        Names{"host", "ingress", "control", "launch", "widen", "network", "uswitch_rd", "narrow", "egress", "reduce"});
  CHECK(leaf_names(linked(make_design(5, 3, DType::kBf16, 1, kAll), 2)) ==
        Names{"host", "link_table", "links", "ingress", "link_ingress", "control", "launch", "network", "uswitch_r",
              "odd_demux", "uswitch_rd", "uswitch_d", "odd_mux", "egress", "link_egress", "reduce"});
  CHECK(leaf_names(linked(make_design(2, 3, DType::kBf16, 1, kAll), 2)) ==
        Names{"host", "link_table", "links", "link_ingress", "control", "launch", "network", "uswitch_rd",
              "link_egress", "reduce"});
}

TEST_CASE("a part that the design does not have is an error that lists those it has") {
  const Design design = make_design(8, 2, DType::kInt32, 1, {Op::kSum});
  for (const char* name : {"odd_mux", "", "fred_control", "Control"}) {
    CAPTURE(name);
    std::string message;
    try {
      static_cast<void>(emit_leaf_design(design, {name, false}));
    } catch (const InputError& error) {
      message = error.what();
    }
    CHECK(message.find(fmt::format("--leaf {}:", name)) == 0);
    CHECK(message.find("control, launch, network, uswitch_r, uswitch_rd, uswitch_d, egress, reduce") !=
          std::string::npos);
  }
}

TEST_CASE("no tool has a remark about a part alone") {
  Design design = make_design(5, 3, DType::kInt16, 2, kAll, 1, 2);
  design.descriptors = 3;
  bool registered = false;
  for (const std::string& name : leaf_names(design)) {
    CAPTURE(name);
    CHECK(lint(design, {name, registered}) == "");
    registered = !registered;
  }
  Design wider = make_design(3, 2, DType::kFp8E4m3, 2, kAll);
  wider.more_dtypes = {DType::kBf16};
  wider.acc = DType::kFp32;
  wider.egress_depth = 0;  // what it takes
  wider.validate();
  for (const char* name : {"launch", "widen", "narrow", "reduce"}) {
    CAPTURE(name);
    CHECK(lint(wider, {name, true}) == "");
  }
  Design bare = make_design(2, 2, DType::kInt32, 1, {Op::kSum});  // no colours, no operation, no table
  bare.descriptors = 1;
  bare.alltoall_tables = 0;
  bare.conflict_check = false;
  for (const char* name : {"network", "launch", "control"}) {
    CAPTURE(name);
    CHECK(lint(bare, {name, true}) == "");
  }
}

TEST_CASE("no tool has a remark about counters, in a switch and alone") {
  for (const int vcs : {1, 3, 4}) {
    Design design = make_design(vcs == 3 ? 5 : 2, 2, DType::kInt16, 2, {Op::kSum});
    design.vcs = vcs;
    design.descriptors = vcs == 4 ? 1 : 3;
    design.alltoall_tables = vcs == 1 ? 0 : 1;
    design.counters = true;
    design.ingress_depth = 0;  // what it takes
    design.egress_depth = 0;
    design.validate();
    CAPTURE(design.canonical_options());
    CHECK(lint(design, {"counters", vcs == 3}) == "");
    CHECK(lint(design, {"host", false}) == "");
  }
}

TEST_CASE("no tool has a remark about the parts around links alone") {
  for (const int link_ports : {1, 3}) {
    Design design = make_design(3, 2, DType::kInt16, 2, {Op::kSum});
    design.descriptors = link_ports;
    design.alltoall_tables = 0;
    design = linked(design, link_ports);
    CAPTURE(design.canonical_options());
    bool registered = link_ports == 1;
    for (const char* name : {"link_table", "links", "link_ingress", "control", "launch", "link_egress", "host"}) {
      CAPTURE(name);
      CHECK(lint(design, {name, registered}) == "");
      registered = !registered;
    }
  }
}

TEST_CASE("no tool has a remark about the host of several virtual circuits") {
  for (const int vcs : {2, 3, 8}) {
    Design design = make_design(vcs == 2 ? 33 : 5, 2, DType::kInt16, 2, kAll);
    design.vcs = vcs;
    design.descriptors = vcs == 2 ? 34 : 3;
    design.alltoall_tables = vcs == 8 ? 0 : 3;
    design.ingress_depth = 0;  // what it takes
    design.egress_depth = 0;
    design.validate();
    CAPTURE(design.canonical_options());
    CHECK(lint(design, {"host", false}) == "");
  }
}

TEST_CASE("a part has the parameters that it has in the switch, and registers only where asked for") {
  const Design design = make_design(5, 2, DType::kFp16, 3, {Op::kMax});
  const std::vector<EmittedFile> plain = emit_leaf_design(design, {"uswitch_r", false});
  const std::string& text = text_of(plain, "rtl/fred_leaf_uswitch_r.sv");
  for (const char* line : {".Middle (2)", ".Types  (1)", ".DTypes (1)", ".Ops    (4)", ".OpW    (2)", ".Width  (48)",
                           ".MaskW  (5)", ".Latency(1)", "input  wire logic [95:0] data_i"}) {
    CHECK_MESSAGE(text.find(line) != std::string::npos, line);
  }
  CHECK(text.find("fred_delay") == std::string::npos);

  // With registers every port but clock and reset has one of its own.
  const Network network = make_network(design.radix, design.middle);
  for (const char* name : {"uswitch_r", "host", "reduce"}) {
    CAPTURE(name);
    const verilog::Module module = emit_leaf(network, design, {name, true});
    const verilog::Interface interface = module.interface();
    std::ptrdiff_t ports = 0;
    for (const auto& port : interface.ports) {
      if (port.name == "clk_i" || port.name == "rst_ni") continue;
      ++ports;
      CHECK(module.find_instance("u_at_" + port.name) != nullptr);
    }
    const auto& instances = module.instances();
    CHECK(std::count(instances.begin(), instances.end(), "fred_delay") == ports);
  }
}

TEST_CASE("the manifest of a part names it, and its command makes it again") {
  const Design design = make_design(4, 2, DType::kInt32, 1, {Op::kSum});
  const std::vector<EmittedFile> files = emit_leaf_design(design, {"control", true});
  const auto manifest = nlohmann::json::parse(text_of(files, "manifest.json"));
  CHECK(manifest["top"] == "fred_leaf_control");
  CHECK(manifest["filelist"] == "fred_leaf_control.f");
  CHECK(manifest["leaf"]["name"] == "control");
  CHECK(manifest["leaf"]["registered"] == true);
  CHECK(manifest["command"].get<std::string>().ends_with(" --leaf control --registered"));
  CHECK(manifest["files"].size() + 2 == files.size());
  CHECK(manifest["files"].back()["path"] == "rtl/fred_leaf_control.sv");
  // Only what the part needs.
  for (const auto& file : manifest["files"]) CHECK(file["path"] != "rtl/fred_egress.sv");
}

TEST_CASE("the conflict check is a parameter of every module of the network") {
  Design design = make_design(5, 3, DType::kBf16, 1, kAll);
  CHECK(design.canonical_options().find("conflict") == std::string::npos);
  design.conflict_check = false;
  CHECK(design.canonical_options().ends_with(" --no-conflict-check"));
  for (const verilog::Module& module : network_modules(design)) {
    CAPTURE(module.name());
    CHECK(module.text().find("localparam int Check = 0;") != std::string::npos);
    CHECK(module.text().find(".Check") != std::string::npos);
  }
  CHECK(nlohmann::json::parse(text_of(emit_design(design), "manifest.json"))["parameters"]["conflict_check"] == false);
}
