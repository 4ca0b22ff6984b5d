// SPDX-License-Identifier: Apache-2.0
// The readers, on what the tools wrote (tests/synth/data), and what is made of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "fred/error.hpp"
#include "synth/area.hpp"
#include "synth/fpga.hpp"
#include "synth/liberty.hpp"
#include "synth/parts.hpp"
#include "synth/power.hpp"
#include "synth/script.hpp"
#include "synth/sta_report.hpp"
#include "synth/target.hpp"
#include "synth/yosys_stat.hpp"
#include "tests/synth/support.hpp"

using namespace fred;
using namespace fred::synth;
using fred::synth::test::saved;

namespace {

Liberty small_library() { return parse_liberty(saved("cells.lib"), "cells.lib"); }

/// What an Error of this type says.
template <typename Error, typename Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a module is named as in the RTL, whatever Yosys makes of it") {
  CHECK(module_name("fred_switch") == "fred_switch");
  CHECK(module_name("\\fred_switch") == "fred_switch");
  CHECK(module_name("$paramod$1e65fd20717f8b22b98a8c4d68e3e9faccd9e584\\fred_ram_sync") == "fred_ram_sync");
  CHECK(module_name("$paramod\\fred_select\\Count=s32'0011\\Width=s32'0001") == "fred_select");
}

TEST_CASE("statistics are counted through the hierarchy") {
  const Stat stat = parse_stat(saved("stat.json"));
  const auto instances = stat.instances("fred_switch");
  CHECK(instances.at("fred_switch") == 1);
  CHECK(instances.at("fred_egress_bank") == 3);
  CHECK(instances.at("$paramod$1e65fd20717f8b22b98a8c4d68e3e9faccd9e584\\fred_ram_sync") == 6);
  CHECK(stat.memory_bits("fred_switch") == 6 * 12);
  CHECK(stat.cells("fred_switch") ==
        std::map<std::string, long>{{"DFFPOSX1", 6 * 15 + 4 * 2}, {"INVX1", 3}, {"MUX2X1", 6 * 12 + 4 * 3}});
  CHECK_THROWS_AS((void)stat.instances("fred_other"), std::logic_error);
  CHECK_THROWS_AS((void)parse_stat("yosys: not found"), ToolError);
  CHECK_THROWS_AS((void)parse_stat(R"({"modules": {"a": {}}})"), ToolError);
  CHECK_THROWS_AS((void)parse_stat(R"({"modules": {"a": )"), ToolError);
}

TEST_CASE("a Liberty file that says nothing of use is refused with what it lacks") {
  const auto said = [](const std::string& body) {
    return message<InputError>([&] { parse_liberty("library (l) {" + body + "}", "f").check_usable(); });
  };
  const std::string pins = "pin (D) { direction : input; } pin (C) { direction : input; } ";
  const std::string flip_flop = "cell (d) { ff (I, N) { next_state : \"D\"; clocked_on : \"(!C)\"; } " + pins;
  CHECK(said(flip_flop + "}") == "no error");
  CHECK_MESSAGE(has(said(""), "library l: has no cells"), said(""));
  const std::string lacking[] = {"cell (g) { " + pins + "}",
                                 "cell (t) { latch (I, N) { data_in : \"D\"; enable : \"C\"; } " + pins + "}",
                                 "cell (s) { ff (I, N) { next_state : \"D * E\"; clocked_on : \"C\"; } " + pins + "}",
                                 flip_flop + "dont_use : true; }"};
  for (const std::string& body : lacking) CHECK_MESSAGE(has(said(body), "l: has no D flip-flop"), said(body));
  CHECK(has(said("cell (x) { }\ncell (\"x\") { }"), "f:2: cell x is listed twice"));
  for (const char* number : {"big", "1.5um", "nan", "inf", "-3", "1e999", "\"\""}) {
    for (const char* what : {"area", "max_capacitance"}) {
      const std::string attribute = std::string(what) + " : " + number + ";";
      const bool of_pin = std::string(what) != "area";
      const std::string text = said("cell (x) { " + (of_pin ? "pin (Y) { " + attribute + " }" : attribute) + " }");
      CHECK_MESSAGE(has(text, std::string("f:1: ") + what + " : "), text);
    }
  }
  for (const char* unit : {"ns", "0ns", "-1ns", "1 parsec", "nanps"}) {
    const std::string text = said(std::string("time_unit : \"") + unit + "\";");
    CHECK_MESSAGE(has(text, "time_unit : " + std::string(unit)), text);
  }
}

TEST_CASE("cells without area are told apart from cells of area 0") {
  const Liberty library = parse_liberty("library (l) { cell (a) { area : 0; } cell (b) { } cell (c) { } }", "f");
  CHECK(cells_without_area({{"a", 2}, {"b", 3}}, library) == std::map<std::string, long>{{"b", 3}});
  Report report;
  report.asic.emplace();
  CHECK(!has(to_text(report), "states no area"));
  report.asic->without_area = {{"b", 3}};
  CHECK(has(to_text(report), "states no area of them: 3 x b."));
  CHECK(to_json(report).at("asic").at("without_area").at("b") == 3);
}

TEST_CASE("only a combinational cell with one output drives inputs") {
  const Liberty library = parse_liberty(
      "library (l) { cell (tie) { pin (Y) { direction : output; } } cell (gate) { statetable (\"G\", \"I\") { } "
      "pin (G) { direction : input; } pin (Y) { direction : output; } } cell (two) { pin (A) { direction : input; } "
      "pin (Y) { direction : output; } pin (Z) { direction : output; } } }",
      "f");
  const auto said = [](const Liberty& in, const char* cell) {
    return message<InputError>([&] { in.check_driving_cell(cell); });
  };
  CHECK(said(small_library(), "MUX2X1") == "no error");
  CHECK(has(said(small_library(), "DFFPOSX1"), "--driving-cell DFFPOSX1: a flip-flop"));
  CHECK(has(said(small_library(), "LATCH"), "a flip-flop, latch"));
  CHECK(has(said(small_library(), "DFF"), "no such cell"));
  CHECK(has(said(library, "gate"), "with a state"));
  CHECK(has(said(library, "two"), "2 outputs"));
  CHECK(has(said(library, "tie"), "without inputs"));
}

TEST_CASE("what is no Liberty file is called what it is") {
  const auto said = [](const std::string& name, const std::string& content) {
    std::ofstream(test::scratch(name), std::ios::binary) << content;
    return message<InputError>([&] { (void)read_liberty(test::scratch(name)); });
  };
  CHECK(has(said("empty.lib", ""), "empty.lib: is empty"));
  CHECK(has(said("blank.lib", " \n"), "is empty"));
  CHECK(has(said("packed.lib", "\x1f\x8b\x08..."), "packed by gzip (unpack it with gunzip)"));
  CHECK(has(said("zip.lib", "PK\x03\x04"), "ZIP archive"));
  CHECK(has(said("binary.lib", std::string("\x7f"
                                           "ELF\0",
                                           5)),
            "no text"));
  CHECK(has(message<InputError>([] { (void)read_liberty(test::scratch("")); }), "is a folder"));
  CHECK(has(message<InputError>([] { (void)read_liberty("/nonexistent.lib"); }), "cannot be read"));
}

TEST_CASE("what OpenSTA complains of") {
  CHECK(complaint(saved("sta_plain.log")).empty());
  CHECK(complaint(saved("sta_registered.log")).empty());
  const std::string box = "Warning: sta_netlist.v line 3, module X.Y not found. Creating black box for _1_.";
  CHECK(complaint("== a\n" + box + "\n== end\n") == box);
  CHECK(complaint("Error: sta.tcl, 3 no such file\n== end\n") == "Error: sta.tcl, 3 no such file");
}

TEST_CASE("devices and packages of iCE40 are names") {
  for (const std::string_view device : ice40_devices()) CHECK_NOTHROW(check_ice40(std::string(device), "ct256"));
  for (const char* device : {"", "run=x.py", "hx8k ", "HX8K", "help", "hx8k --run x.py"}) {
    CHECK(
        has(message<InputError>([&] { check_ice40(device, "ct256"); }), "--device " + std::string(device) + ": must"));
  }
  for (const char* package : {"", "--run", "ct256;ls", "CT256", "ct 256", "../x"}) {
    const std::string text = message<InputError>([&] { check_ice40("hx8k", package); });
    CHECK_MESSAGE(has(text, "--package " + std::string(package) + ": must"), text);
  }
}

TEST_CASE("area is cells times what the library says, memories apart") {
  const Stat stat = parse_stat(saved("stat.json"));
  const Liberty library = small_library();
  const Area area = area_of(stat.cells("fred_switch"), library);
  CHECK(area == Area{98 * 96 + 3 * 10 + 84 * 40, 98 * 96, 98 + 3 + 84, 98, 0});
  const Memories memories = memories_of(stat, stat, "fred_switch", library);
  CHECK(memories == Memories{{6 * (15 * 96 + 12 * 40), 6 * 15 * 96, 6 * 27, 6 * 15, 0}, 6, 72});
  const std::string unmapped = message<ToolError>([&] { (void)area_of({{"$_DFF_N_", 3}}, library); });
  CHECK_MESSAGE(has(unmapped, "3 cells of type $_DFF_N_"), unmapped);
}

TEST_CASE("the split by part has every cell once") {
  const Stat stat = parse_stat(saved("stat.json"));
  const Liberty library = small_library();
  const std::vector<Part> parts = split_by_part(stat, "fred_switch", library);
  Area sum;
  for (const Part& part : parts) sum.add(part.area);
  CHECK(sum == area_of(stat.cells("fred_switch"), library));
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].name == "network: multiplexing in R, D, RD, demux, mux");
  CHECK(parts[0].area == Area{12 * 40, 0, 12, 0, 0});
  CHECK(parts[1].name == "network: pipeline and route registers");
  CHECK(parts[1].area == Area{8 * 96, 8 * 96, 8, 8, 0});
  CHECK(parts[2].name == "egress buffers");
}

TEST_CASE("OpenSTA's worst paths") {
  const WorstPaths plain = parse_sta(saved("sta_plain.log"));
  CHECK(!plain.register_to_register);
  CHECK(!plain.input_to_output);
  REQUIRE(plain.input_to_register);
  CHECK(plain.input_to_register->start == "b_i[1]");
  CHECK(plain.input_to_register->end == "u_leaf.gen_int.u_add.u_cut_out.genblk2.g_register.data_q[31]$_DFF_P_");
  CHECK(plain.input_to_register->steps.size() == 32);
  CHECK(plain.input_to_register->steps.front() == PathStep{"_204_", "XNOR2X1", 0.1380});
  CHECK(plain.input_to_register->steps.back().cell == "OAI21X1");
  CHECK(plain.input_to_register->arrival == doctest::Approx(4.0057 - 0.6));  // the constraints leave 0.6 outside
  CHECK(plain.input_to_register->setup == doctest::Approx(0.1835));
  CHECK(plain.input_to_register->slack == doctest::Approx(-1.1892));
  REQUIRE(plain.register_to_output);
  CHECK(plain.register_to_output->end == "y_o[0]");
  CHECK(plain.register_to_output->setup == 0);
  CHECK(plain.register_to_output->steps.size() == 1);  // the register itself

  const WorstPaths registered = parse_sta(saved("sta_registered.log"));
  REQUIRE(registered.register_to_register);
  const TimingPath& path = *registered.register_to_register;
  double sum = 0;
  for (const PathStep& step : path.steps) sum += step.delay;
  CHECK(sum == doctest::Approx(path.arrival).epsilon(0.001));
  CHECK(path.steps.front().instance == path.start);  // its delay from the clock pin to the output
  CHECK(path.steps.front().delay > 0);
  CHECK(path.slack == doctest::Approx(3.0 - path.arrival - path.setup));
}

TEST_CASE("a report that OpenSTA did not finish is refused") {
  const std::string whole = saved("sta_plain.log");
  for (const std::size_t cut : {std::size_t{0}, whole.size() / 3, whole.size() - 20}) {
    CHECK_THROWS_AS((void)parse_sta(whole.substr(0, cut)), ToolError);
  }
}

TEST_CASE("names and places") {
  CHECK(rtl_name("u_network.u_in0/data_q[3]$_DFF_P_") == "u_network.u_in0.data_q[3]");
  CHECK(rtl_name("u_egress.rptr_q[0]$_SDFFE_PN0P_") == "u_egress.rptr_q[0]");
  CHECK(place_of("u_control.g_port[0].u_launch.x_q", "") == "control");
  CHECK(place_of("u_launch.x_q[2]", "") == "launch");
  CHECK(place_of("u_links.g_link[0].u_link.u_send.sent_q[0]", "") == "links");
  CHECK(place_of("u_link_ingress.g_link[0].u_ingress.ready_q", "") == "link_ingress");
  CHECK(place_of("u_link_table.bad_o[0]", "") == "link_table");
  CHECK(place_of("u_network.u_in12.u_beside.data_q[0]", "") == "network, R12");
  CHECK(place_of("u_network.u_mid1.u_mid0.u_rd.u_merge.data_q", "") == "network, m1.m0.RD");
  CHECK(place_of("u_network.u_mid2.u_out0.u_out1.data_q", "") == "network, m2.D0");
  CHECK(place_of("u_network.u_mux.data_q", "") == "network, mux");
  CHECK(place_of("u_network.conflict_q", "") == "network");
  CHECK(place_of("m_axis_tready[1]", "").empty());
  CHECK(place_of("u_leaf.u_mid0.u_demux.data_q", "network") == "network, m0.demux");
  CHECK(place_of("u_leaf.u_out0.u_data.data_q", "uswitch_d").empty());
}

TEST_CASE("what a Liberty file says") {
  const Liberty library = small_library();
  CHECK(library.name == "small");
  CHECK(library.time_unit_ps == 10);
  CHECK(library.voltage == 1.2);
  CHECK(library.cells.size() == 6);
  CHECK(library.cells.at("INVX1") == LibertyCell{.area = 10,
                                                 .states_area = true,
                                                 .inputs = 1,
                                                 .outputs = 1,
                                                 .inverter = true,
                                                 .strength = 1.0,
                                                 .leakage_power = true});
  CHECK(library.cells.at("BIG_NOT") == LibertyCell{.area = 30,
                                                   .states_area = true,
                                                   .inputs = 1,
                                                   .outputs = 1,
                                                   .inverter = true,
                                                   .strength = 4.0,
                                                   .internal_power = true});
  CHECK(!library.cells.at("MUX2X1").inverter);
  CHECK(library.cells.at("DFFPOSX1").flip_flop);
  CHECK(!library.cells.at("DFFPOSX1").inverter);
  CHECK(library.cells.at("LATCH").latch);
  CHECK(library.middle_inverter() == "BIG_NOT");  // of two, the upper; what is not to be used does not count
  CHECK(library.with_leakage() == "1 of 6 cells");
  CHECK(library.with_internal_power() == "1 of 6 cells");
}

TEST_CASE("what is no Liberty file is refused, with the line") {
  const auto refused = [](const std::string& text) {
    return message<InputError>([&] { (void)parse_liberty(text, "x.lib"); });
  };
  CHECK(has(refused(""), "x.lib:1: not a Liberty file"));
  CHECK(has(refused("module m; endmodule"), "not a Liberty file"));
  CHECK(has(refused("library (l) {\n  cell (a) {\n"), "x.lib:3: not a Liberty file: '}' is missing"));
  CHECK(has(refused("library (l) { /* "), "a comment has no end"));
  CHECK(has(refused("library (l) { a : \"b }"), "a quoted text has no end"));
  const std::string none = message<InputError>([] { (void)parse_liberty("library (l) { }", "x").middle_inverter(); });
  CHECK_MESSAGE(has(none, "--driving-cell"), none);
  CHECK(has(message<InputError>([] { (void)read_liberty("/nonexistent.lib"); }), "/nonexistent.lib"));
}

TEST_CASE("Debian's libraries") {
  for (const char* name : {"osu018", "osu035"}) {
    const Target target = find_target(name);
    const Liberty library = read_liberty(target.library);
    CHECK(library.name == std::string(name) + "_stdcells");
    CHECK(library.cells.at("DFFPOSX1").flip_flop);
    CHECK(library.middle_inverter() == target.driving_cell);
    CHECK(library.time_unit_ps == 1000);
  }
}

TEST_CASE("targets") {
  const std::string unknown = message<InputError>([] { (void)find_target("ice50"); });
  CHECK_MESSAGE(has(unknown, "osu018, osu035, ice40, ecp5, xilinx, gowin"), unknown);
  CHECK_THROWS_AS((void)library_target("/my folder/cells.lib"), InputError);
  CHECK(library_target("/my/cells.lib").library == "/my/cells.lib");
}

TEST_CASE("cells of FPGAs") {
  CHECK(count_resources("ice40", {{"SB_LUT4", 5}, {"SB_DFFESR", 2}, {"SB_DFF", 3}, {"SB_RAM40_4K", 1}, {"SB_GB", 1}}) ==
        std::map<std::string, long>{{"LUT", 5}, {"FF", 5}, {"carry", 0}, {"block RAM", 1}, {"LUT RAM", 0}, {"DSP", 0}});
  CHECK(resource_of("xilinx", "RAM32M") == "LUT RAM");
  CHECK(resource_of("xilinx", "RAMB18E1") == "block RAM");
  CHECK(resource_of("gowin", "RAM16SDP4") == "LUT RAM");
  CHECK(resource_of("gowin", "SDPX9B") == "block RAM");
  CHECK(resource_of("ecp5", "TRELLIS_DPR16X4") == "LUT RAM");
  CHECK(resource_of("ecp5", "MULT18X18D") == "DSP");
  CHECK(resource_of("xilinx", "IBUF").empty());
}

TEST_CASE("place and route of iCE40") {
  CHECK(parse_icetime("Total number of logic levels: 25\nTotal path delay: 6.64 ns (150.52 MHz)\n") == 150.52);
  CHECK_THROWS_AS((void)parse_icetime("no paths"), ToolError);
  PlacedResult placed;
  parse_nextpnr(R"({"fmax": {"clk_i$SB_IO_IN_$glb_clk": {"achieved": 123.9, "constraint": 12}},
                    "utilization": {"ICESTORM_LC": {"available": 7680, "used": 156},
                                    "ICESTORM_PLL": {"available": 2, "used": 0}}})",
                placed);
  CHECK(placed.nextpnr_mhz == 123.9);
  CHECK(placed.used == std::map<std::string, std::pair<long, long>>{{"ICESTORM_LC", {156, 7680}}});
  CHECK_THROWS_AS(parse_nextpnr("{}", placed), ToolError);
}

TEST_CASE("changes of cells' outputs in a waveform") {
  std::istringstream vcd(saved("waveform.txt"));
  const Toggles toggles = count_toggles(vcd, {"Q", "Y"});
  CHECK(toggles.cycles == 2);
  // No signal of the module u_fifo, no net; a first value is no change.
  CHECK(toggles.by_pin == std::map<std::string, long>{{"u_x.data_q[0]$_DFF_P_/Q", 1}, {"u_fifo/_12_/Y", 2}});
  CHECK(activities(toggles) == "activity {u_fifo/_12_/Y} 1\nactivity {u_x.data_q[0]$_DFF_P_/Q} 0.5\n");
  std::istringstream none("$scope module replay $end\n");
  CHECK_THROWS_AS((void)count_toggles(none, {}), ToolError);
}

TEST_CASE("OpenSTA's power") {
  const PowerResult power = parse_power(
      "== power\nGroup                  Internal  Switching    Leakage      Total\n"
      "Sequential             1.26e-01   3.12e-03   4.21e-07   1.30e-01  77.1%\n"
      "Combinational          2.64e-02   1.21e-02   5.38e-07   3.85e-02  22.9%\n== end\n");
  CHECK(power.sequential == PowerRow{0.126, 0.00312, 4.21e-7});
  CHECK(power.combinational == PowerRow{0.0264, 0.0121, 5.38e-7});
  CHECK(power.all().total() == doctest::Approx(0.1676).epsilon(0.001));
  CHECK_THROWS_AS((void)parse_power("Sequential  nothing\n"), ToolError);
}

TEST_CASE("templates") {
  CHECK(templates().size() >= 8);
  CHECK(fill("abc.constr", {{"driver", "INVX4"}, {"load", "0.05"}, {"other", "x"}}) ==
        "set_driving_cell INVX4\nset_load 0.05\n");
  CHECK_THROWS_AS((void)fill("abc.constr", {{"driver", "INVX4"}}), std::logic_error);
  CHECK_THROWS_AS((void)fill("abc", {}), std::logic_error);
  for (const Template& t : templates()) {  // paths come with the values
    CAPTURE(t.name);
    CHECK(t.text.find("/usr") == std::string_view::npos);
    CHECK(t.text.find("osu") == std::string_view::npos);
  }
}
