// SPDX-License-Identifier: Apache-2.0
// Formats by name, the manifest, and designs that are no whole switch. What is in the files of a switch is checked by
// tests/flow/run.sh, with the tools that read them where there are free ones.
#include "fred/flow/flow.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "fred/emit/sha256.hpp"
#include "fred/error.hpp"

using namespace fred;
using verilog::Direction;

namespace {

Design small_design() {
  Design design;
  design.radix = 2;
  design.middle = 2;
  design.dtype = DType::kInt32;
  design.ops = {Op::kSum};
  design.validate();
  return design;
}

/// A part of a switch, with or without a clock.
FlowInput leaf(bool clocked) {
  FlowInput input;
  input.top = "fred_part";
  input.version = "0.1.0";
  input.hash = "01234567";
  input.command = "fred gen --leaf part";
  input.files = {"rtl/fred_first.sv", "rtl/fred_part.sv"};
  if (clocked) {
    input.ports.push_back({"clk_i", Direction::kInput, 1});
    input.ports.push_back({"rst_ni", Direction::kInput, 1});
  }
  input.ports.push_back({"a_i", Direction::kInput, 8});
  input.ports.push_back({"y_o", Direction::kOutput, 1});
  return input;
}

/// The one file, or the first, of a format.
std::string text_of(ToolFlow flow, const FlowInput& input) { return emit_flow(flow, input).front().text; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("flows by name: in one order, with what they read") {
  using F = ToolFlow;
  CHECK(parse_tool_flows("sdc") == std::vector<F>{F::kSdc});
  CHECK(parse_tool_flows("ipxact,bender") == std::vector<F>{F::kBender, F::kIpXact});
  CHECK(parse_tool_flows("vivado") == std::vector<F>{F::kXdc, F::kVivado});
  CHECK(parse_tool_flows("fusesoc,xdc") == std::vector<F>{F::kXdc, F::kFuseSoc});
  CHECK(parse_tool_flows("openroad,quartus") == std::vector<F>{F::kSdc, F::kQuartus, F::kOpenRoad});
  CHECK(parse_tool_flows("all") == std::vector<F>(kAllToolFlows.begin(), kAllToolFlows.end()));
  for (const ToolFlow flow : kAllToolFlows) CHECK(has(tool_flow_names(), std::string(to_string(flow))));
  for (const char* bad : {"", "SDC", "sdc,", ",sdc", "sdc;xdc", "sdc,sdc", "all,sdc", "sdc,all", "all,all", " sdc"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS((void)parse_tool_flows(bad), InputError);
  }
  CHECK_THROWS_WITH_AS((void)parse_tool_flows("sdc,nosuch"), doctest::Contains("'nosuch'"), InputError);
  CHECK_THROWS_WITH_AS((void)parse_tool_flows("nosuch"), doctest::Contains("librelane"), InputError);
}

TEST_CASE("a clock period out of range is refused, whatever the format") {
  FlowInput input = leaf(true);
  for (const double period :
       {0.0, -1.0, 0.001, 2e6, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    input.period_ns = period;
    for (const ToolFlow flow : kAllToolFlows) CHECK_THROWS_AS((void)emit_flow(flow, input), InputError);
  }
}

TEST_CASE("the manifest lists the files of flows") {
  const Design design = small_design();
  const std::vector<EmittedFile> plain = emit_design(design);
  const FlowInput input = flow_input(plain, design);
  CHECK(input.top == kTopModule);
  CHECK(input.command == canonical_command(design));
  CHECK(input.has_clock());
  CHECK(with_flows(plain, input, {}) == plain);

  const std::vector<EmittedFile> files = with_flows(plain, input, parse_tool_flows("all"));
  CHECK(files.back().path == "manifest.json");
  CHECK(std::equal(plain.begin(), plain.end() - 1, files.begin()));
  const auto manifest = nlohmann::ordered_json::parse(files.back().text);
  CHECK(manifest["clock_period_ns"] == 10.0);
  std::size_t next = plain.size() - 1;
  for (const ToolFlow flow : kAllToolFlows) {
    CAPTURE(to_string(flow));
    for (const auto& listed : manifest["flows"][std::string(to_string(flow))]) {
      REQUIRE(next < files.size());
      CHECK(listed["path"] == files[next].path);
      CHECK(listed["sha256"] == sha256(files[next].text));
      ++next;
    }
  }
  CHECK(next + 1 == files.size());
  // The rest of the manifest is as without flows.
  auto rest = manifest;
  rest.erase("flows");
  rest.erase("clock_period_ns");
  CHECK(rest == nlohmann::ordered_json::parse(plain.back().text));
  CHECK_THROWS_AS((void)flow_input({}, design), std::logic_error);
}

TEST_CASE("the input for a leaf has its top, ports and command") {
  const Design design = small_design();
  const Leaf leaf_of{"network", true};
  const FlowInput input = flow_input(emit_leaf_design(design, leaf_of), design, leaf_of);
  CHECK(input.top == "fred_leaf_network");
  CHECK(input.command == canonical_command(design, leaf_of));
  CHECK(input.files.back() == "rtl/fred_leaf_network.sv");
  CHECK(input.has_clock());
  CHECK_FALSE(input.design);
  CHECK_THROWS_AS((void)flow_input(emit_design(design), design, leaf_of), std::logic_error);  // files of another top
}

TEST_CASE("no two flows write one file") {
  const FlowInput input = leaf(true);
  std::vector<std::string> paths{"manifest.json", input.top + ".f"};
  for (const ToolFlow flow : kAllToolFlows) {
    for (const EmittedFile& file : emit_flow(flow, input)) paths.push_back(file.path);
  }
  std::sort(paths.begin(), paths.end());
  CHECK(std::adjacent_find(paths.begin(), paths.end()) == paths.end());
}

TEST_CASE("a part with a clock has its own top and no AXI interfaces") {
  const FlowInput input = leaf(true);
  CHECK(has(text_of(ToolFlow::kSdc, input), "create_clock -name clk_i -period $clk_period [get_ports {clk_i}]"));
  CHECK(has(text_of(ToolFlow::kSdc, input), "[get_ports {\n  rst_ni\n  a_i[*]\n}]"));
  CHECK(has(text_of(ToolFlow::kVivado, input), "synth_design -top fred_part "));
  CHECK(has(text_of(ToolFlow::kFuseSoc, input), "toplevel: fred_part"));
  const std::string xml = text_of(ToolFlow::kIpXact, input);
  CHECK(has(xml, "<ipxact:moduleName>fred_part<"));
  CHECK(has(xml, "<ipxact:clockPeriod units=\"ns\">10<"));
  CHECK_FALSE(has(xml, "busInterface"));
  CHECK_FALSE(has(xml, "memoryMap"));
}

TEST_CASE("a combinational part is timed against a virtual clock") {
  const FlowInput input = leaf(false);
  CHECK_FALSE(input.has_clock());
  for (const ToolFlow flow : {ToolFlow::kSdc, ToolFlow::kXdc}) {
    const std::string text = text_of(flow, input);
    CHECK(has(text, "create_clock -name virtual_clk -period $clk_period\n"));
    CHECK(has(text, "set_input_delay $io_delay -clock [get_clocks virtual_clk] [get_ports {\n  a_i[*]\n}]"));
    CHECK(has(text, "set_output_delay $io_delay -clock [get_clocks virtual_clk] [get_ports {\n  y_o\n}]"));
    CHECK_FALSE(has(text, "clk_i"));
  }
  CHECK(nlohmann::json::parse(text_of(ToolFlow::kLibreLane, input))["CLOCK_PORT"].is_null());
  CHECK_FALSE(has(text_of(ToolFlow::kIpXact, input), "clockDriver"));
}

TEST_CASE("text is escaped") {
  FlowInput input = leaf(true);
  input.command = "fred gen --note \"a<b>&c\"";
  CHECK(has(text_of(ToolFlow::kIpXact, input), "--note &quot;a&lt;b&gt;&amp;c&quot;"));
  input.files = {"rtl/a: b.sv"};
  CHECK(has(text_of(ToolFlow::kBender, input), "  - \"rtl/a: b.sv\"\n"));
}
