// SPDX-License-Identifier: Apache-2.0
// `fred synth` from end to end, on designs as small as they can be: a run for each target, what it writes, that it can
// be run again by hand, and what a user is told when something is missing or fails.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>
#include <vector>

#include "fred/error.hpp"
#include "synth/synthesize.hpp"
#include "tests/synth/support.hpp"

namespace fs = std::filesystem;
using namespace fred;
using fred::synth::test::read;
using fred::synth::test::scratch;
using nlohmann::json;

namespace {

struct Result {
  int code = -1;
  std::string out, err;
};

/// A shell command.
Result shell(const std::string& command) {
  const fs::path errors = scratch("stderr");
  Result result;
  FILE* pipe = popen((command + " 2>'" + errors.string() + "' </dev/null").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  for (std::size_t size = 0; (size = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.out.append(buffer.data(), size);
  }
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.err = read(errors);
  return result;
}

/// `fred synth ARGUMENTS -o NAME`, with NAME in the scratch folder.
Result fred_synth(const std::string& arguments, const std::string& name, const std::string& variables = "") {
  return shell(variables + " '" FRED_BINARY_DIR "/fred' synth " + arguments + " -o '" + scratch(name).string() + "'");
}

/// The report of a run that must succeed.
json report(const std::string& arguments, const std::string& name) {
  CAPTURE(arguments);
  const Result result = fred_synth(arguments, name);
  CAPTURE(result.err);
  REQUIRE(result.code == 0);
  CHECK(result.out == read(scratch(name) / "report.txt"));
  return json::parse(read(scratch(name) / "report.json"));
}

void refused(const std::string& arguments, int code, const std::vector<std::string>& parts,
             const std::string& variables = "") {
  CAPTURE(arguments);
  const Result result = fred_synth(arguments, "refused", variables);
  CAPTURE(result.err);
  CHECK(result.code == code);
  for (const std::string& part : parts) {
    CAPTURE(part);
    CHECK(result.err.find(part) != std::string::npos);
  }
  CHECK(!fs::exists(scratch("refused")));
}

/// A folder with a program of each name that runs `script`, and PATH with it first or alone.
std::string path_with(const std::string& folder, const std::vector<std::string>& programs, const std::string& script,
                      bool alone) {
  for (const std::string& program : programs) {
    fs::create_directories(scratch(folder));
    std::ofstream(scratch(folder) / program) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(scratch(folder) / program, fs::perms::owner_all);
  }
  return "PATH='" + scratch(folder).string() + (alone ? "'" : "':$PATH");
}

/// Yosys' own sum of a mapping: the last "Chip area" of stat.txt.
double chip_area(const fs::path& file) {
  const std::string text = read(file);
  static const std::regex area("Chip area for (?:top )?module '[^']+': ([0-9.]+)");
  double last = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), area), end; match != end; ++match) {
    last = std::stod((*match)[1]);
  }
  return last;
}

/// The lines with a slack in what OpenSTA prints.
std::vector<std::string> slacks(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("slack (") != std::string::npos) found.push_back(line);
  }
  return found;
}

constexpr const char* kReduce = " --leaf reduce --radix 2 --dtype int32 --ops sum";
constexpr const char* kSwitch =
    " --radix 2 --dtype fp16 --ops min --descriptors 1 --alltoall-tables 0 --vcs 1 --no-conflict-check";

}  // namespace

TEST_CASE("osu018: a leaf, its area as it is, its clock between registers") {
  const json found = report(std::string("--target osu018") + kReduce, "reduce");
  const fs::path folder = scratch("reduce");
  const json& asic = found.at("asic");
  CHECK(asic.at("total").at("area") == chip_area(folder / "stat.txt"));
  CHECK(asic.at("total").at("flip_flops") == 32);
  CHECK(asic.at("memories").at("bits") == 0);
  CHECK(asic.at("mapping") == "flattened");
  CHECK(asic.at("driving_cell") == "INVX4");
  CHECK(read(folder / "abc.constr") == "set_driving_cell INVX4\nset_load 0.05\n");
  CHECK(read(folder / "map.ys")
            .find("abc -liberty /usr/share/qflow/tech/osu018/osu018_stdcells.lib -D 3000 -constr "
                  "abc.constr\n") != std::string::npos);
  CHECK(asic.at("paths").at("register_to_register").is_null());
  CHECK(asic.at("paths").at("input_to_register").at("arrival_ps") > 1000);
  const json& path = asic.at("registered");
  CHECK(path.at("start").get<std::string>().starts_with("u_at_"));
  CHECK(path.at("end").get<std::string>().starts_with("u_leaf."));
  CHECK(path.at("cells").size() > 5);
  CHECK(path.at("least_period_ps").get<double>() ==
        doctest::Approx(path.at("arrival_ps").get<double>() + path.at("setup_ps").get<double>()).epsilon(0.001));
  CHECK(asic.at("fmax_mhz").get<double>() ==
        doctest::Approx(1e6 / path.at("least_period_ps").get<double>()).epsilon(0.001));

  // By hand, from the folder: the same netlist and the same slacks (of paths that are equally slow OpenSTA names any).
  const std::string netlist = read(folder / "netlist.v");
  const std::vector<std::string> timing = slacks(read(folder / "sta.log"));
  fs::remove(folder / "netlist.v");
  CHECK(shell("cd '" + folder.string() + "' && yosys -Q -T -s map.ys").code == 0);
  const bool same_netlist = read(folder / "netlist.v") == netlist;
  CHECK(same_netlist);
  CHECK(timing.size() == 2);
  CHECK(slacks(shell("cd '" + folder.string() + "' && sta -no_splash -exit sta.tcl").out) == timing);

  // A second run replaces the first, unless something in it is not of fred.
  std::ofstream(folder / "notes.txt") << "mine";
  Result other = fred_synth(std::string("--target osu018 --no-buffering --registered") + kReduce, "reduce");
  CHECK(other.code == 2);
  CHECK(other.err.find("notes.txt") != std::string::npos);
  fs::remove(folder / "notes.txt");
  const json plain = report(std::string("--target osu018 --no-buffering --registered") + kReduce, "reduce");
  CHECK(!fs::exists(folder / "registered"));
  CHECK(plain.at("asic").at("driving_cell") == "");
  CHECK(plain.at("asic").at("total").at("flip_flops").get<int>() > 32 + 64);
  CHECK(plain.at("asic").at("paths").at("register_to_register").at("start").get<std::string>().starts_with("u_at_"));
}

TEST_CASE("osu018: a switch, memories apart, flattened and summed") {
  const json flat = report(std::string("--target osu018 --power") + kSwitch, "switch").at("asic");
  const json& memories = flat.at("memories");
  CHECK(flat.at("total").at("area") == chip_area(scratch("switch") / "stat.txt"));
  // A bit is a flip-flop; fred_ram_sync has its output's beside them.
  CHECK(memories.at("bits") > 0);
  CHECK(memories.at("bits") <= memories.at("flip_flops"));
  CHECK(memories.at("flip_flops") < flat.at("total").at("flip_flops"));
  CHECK(flat.at("parts").size() > 5);
  CHECK(flat.at("fmax_mhz") > 50);
  for (const char* end : {"start_part", "end_part"}) {
    CHECK(flat.at("paths").at("register_to_register").at(end) != "");
  }

  // The mapped netlist has passed the vectors of an all-reduce, and all its cells have changed as they did there.
  const json& power = flat.at("power");
  CHECK(power.at("cycles") > 256);
  CHECK(power.at("mhz") == flat.at("fmax_mhz"));
  for (const char* kind : {"flip_flops", "other_cells"}) {
    for (const char* cause : {"internal_w", "switching_w", "leakage_w"}) CHECK(power.at(kind).at(cause) > 0);
  }
  for (const auto& entry : fs::recursive_directory_iterator(scratch("switch"))) {
    CAPTURE(entry.path().string());
    if (entry.path().extension() == ".json") CHECK(json::accept(read(entry.path())));
  }
  CHECK(read(scratch("switch") / "report.txt").find("()") == std::string::npos);
  const std::string changes = read(scratch("switch") / "activities.tcl");
  CHECK(std::count(changes.begin(), changes.end(), '\n') == flat.at("total").at("cells"));
  CHECK(read(scratch("switch") / "power.log").find("rror") == std::string::npos);
  // Cells have the same names in the netlist that is simulated and in the one that OpenSTA reads.
  const auto cells = [](const char* netlist) {
    const std::string text = read(scratch("switch") / netlist);
    static const std::regex cell(R"(\n  ([A-Z]\w+) (\S+) )");
    std::vector<std::pair<std::string, std::string>> found;
    for (std::sregex_iterator match(text.begin(), text.end(), cell), end; match != end; ++match) {
      found.emplace_back((*match)[2], (*match)[1]);
    }
    std::sort(found.begin(), found.end());
    return found;
  };
  CHECK(cells("netlist.v").size() > 1000);
  const bool same_cells = cells("netlist.v") == cells("sta_netlist.v");
  CHECK(same_cells);
  CHECK(read(scratch("switch") / "vvp.log").find("PASS: ") != std::string::npos);

  const json summed = report(std::string("--target osu018 --hierarchical") + kSwitch, "summed").at("asic");
  CHECK(summed.at("mapping") == "summed: each distinct module mapped once");
  CHECK(summed.at("total").at("area") == chip_area(scratch("summed") / "stat.txt"));
  CHECK(summed.at("memories").at("bits") == memories.at("bits"));
  CHECK(summed.at("parts") == flat.at("parts"));
  double sum = 0;
  for (const json& part : summed.at("parts")) sum += part.at("area").get<double>();
  CHECK(sum == summed.at("total").at("area"));
  CHECK(summed.at("total").at("area") > flat.at("total").at("area"));
}

TEST_CASE("a library of the user's: other names for cells, the same figures") {
  std::string text = read(synth::find_target("osu035").library);
  text = std::regex_replace(text, std::regex(R"(\bcell \((\w+)\))"), "cell (my_$1_v2)");
  std::ofstream(scratch("mine.lib")) << text;
  const json mine = report("--liberty '" + scratch("mine.lib").string() + "'" + kReduce, "mine").at("asic");
  const json debian = report(std::string("--target osu035") + kReduce, "debian").at("asic");
  CHECK(mine.at("driving_cell") == "my_INVX4_v2");
  CHECK(mine.at("total") == debian.at("total"));
  CHECK(mine.at("parts") == debian.at("parts"));
  CHECK(mine.at("fmax_mhz") == debian.at("fmax_mhz"));
}

TEST_CASE("FPGAs: cells are counted") {
  for (const char* target : {"ecp5", "xilinx", "gowin"}) {
    const json fpga = report(std::string("--target ") + target + kReduce, target).at("fpga");
    CHECK(fpga.at("resources").at("LUT") > 0);
    CHECK(fpga.at("resources").at("carry") > 0);
    CHECK(fpga.at("resources").at("FF") == 32);
    CHECK(fs::exists(scratch(target) / "netlist.v"));
    CHECK(!fpga.contains("placed"));
  }
}

TEST_CASE("iCE40: placed, routed, timed and packed; the same seed, the same bits") {
  const std::string arguments = std::string("--target ice40") + kReduce;
  const json fpga = report(arguments, "ice").at("fpga");
  CHECK(fpga.at("resources").at("FF") == 32);  // of the leaf; the harness has more
  const json& placed = fpga.at("placed");
  CHECK(placed.at("fmax_mhz") > 50);
  CHECK(placed.at("nextpnr_mhz") > 50);
  CHECK(placed.at("used").at("ICESTORM_LC").at("used") > 32);
  CHECK(placed.at("used").at("SB_IO").at("used") == 5);
  const auto bits = [] { return read(scratch("ice") / "harness/design.bin"); };
  const std::string first = bits();
  CHECK(first.size() > 100000);
  (void)report(arguments, "ice");
  const bool same = bits() == first;
  CHECK(same);
  (void)report(arguments + " --seed 2 --freq 1000", "ice");  // 1 GHz is not met, and that is no error
  const bool other = bits() != first;
  CHECK(other);
}

TEST_CASE("what is wrong with the command line is said before anything runs") {
  const std::string path = path_with("none", {"yosys", "sta"}, "exit 1", true);
  refused("--target ice50", 2, {"ice50", "osu018"}, path);
  refused("", 2, {"--target", "--liberty"}, path);
  refused("--target osu018 --liberty x.lib", 2, {"--target", "--liberty"}, path);
  refused("--target ecp5 --period 2000", 2, {"--period", "ecp5"}, path);
  refused("--target osu018 --seed 2", 2, {"--seed", "osu018"}, path);
  refused("--target osu018 --registered", 2, {"--registered"}, path);
  refused("--target osu018 --leaf reduce --power", 2, {"--power", "--leaf"}, path);
  refused("--target osu018 --hierarchical --power", 2, {"--power", "--hierarchical"}, path);
  refused("--target osu018 --leaf adder", 2, {"adder", "reduce"}, path);
  refused("--target osu018 --period 0", 2, {"--period"}, path);
  refused("--target osu018 --driving-cell INVX3", 2, {"INVX3", "osu018_stdcells"}, path);
  refused("--liberty /nonexistent/my.lib", 2, {"/nonexistent/my.lib"}, path);
  refused("--target osu018 --driving-cell DFFPOSX1", 2, {"DFFPOSX1", "combinational"}, path);
  for (const char* period : {"1", "9", "1000001"}) {
    refused(std::string("--target osu018 --period ") + period, 2, {"--period", period, "10", "1000000"}, path);
  }
  for (const char* load : {"nan", "inf", "1e300", "1000.5", "-1"}) {
    refused(std::string("--target osu018 --load=") + load, 2, {"--load", "0..1000"}, path);
  }
  const std::string output = scratch("refused").string();
  for (const std::string& file : {output, output + "/x.json", output + "/a/../x.json"}) {
    refused("--target osu018 --json '" + file + "'", 2, {"--json " + file, "output folder"}, path);
  }
  const std::string placer = path_with("placer", {"yosys", "nextpnr-ice40", "icepack", "icetime"}, "exit 1", true);
  refused("--target ice40 --device run=x.py", 2, {"--device run=x.py", "hx8k", "up5k"}, placer);
  refused("--target ice40 --package '--run=x.py'", 2, {"--package --run=x.py", "ct256"}, placer);
  refused("--target ice40 --package ct257", 2, {"--package ct257", "hx8k", "cb132, ", "ct256"});
  refused("--target ice40 --device hx1k", 2, {"--package ct256", "hx1k", "tq144"});
}

TEST_CASE("a library that no design can be mapped to is refused before anything runs") {
  const std::string path = path_with("none", {"yosys", "sta"}, "exit 1", true);
  const auto refuse = [&path](const char* name, const std::string& text, const std::vector<std::string>& parts,
                              const std::string& options = "") {
    std::ofstream(scratch(name)) << text;
    refused("--liberty '" + scratch(name).string() + "'" + options, 2, parts, path);
  };
  refuse("nothing.lib", "", {"nothing.lib", "is empty"});
  refuse("bare.lib", "library (bare) { }", {"library bare", "no cells"});
  refuse("latch.lib", "library (l) { cell (L) { latch (I, N) { } } }", {"library l", "no D flip-flop"});
  refuse("fast.lib", std::regex_replace(read(FRED_SOURCE_DIR "/tests/synth/data/cells.lib"), std::regex("10ps"), "1us"),
         {"--period 3000", "10000..1000000"});
}

TEST_CASE("a path that ABC would take for commands is no output of a cell library") {
  for (const char* name : {"a b", "a;b", "a\nb", "a!b", "a\"b"}) {
    CAPTURE(name);
    const Result result = fred_synth(std::string("--target osu018") + kReduce, name);
    CHECK(result.code == 2);
    CHECK(result.err.find("special characters") != std::string::npos);
    CHECK(!fs::exists(scratch(name)));
  }
}

TEST_CASE("a cell that OpenSTA does not know is an error, not a path that is missing") {
  std::string text = read(synth::find_target("osu035").library);
  text = std::regex_replace(text, std::regex(R"(\bcell \((\w+)\))"), "cell (\"$1[2]\")");
  std::ofstream(scratch("brackets.lib")) << text;
  refused("--liberty '" + scratch("brackets.lib").string() + "'" + kReduce, 4,
          {"sta has not timed the whole netlist", "black box", "refused.sta.log"});
}

TEST_CASE("the area of a library that states none is said to be missing") {
  std::string text = read(synth::find_target("osu035").library);
  text = std::regex_replace(text, std::regex(R"(\n\s*area : [^\n]*)"), "");
  std::ofstream(scratch("flat.lib")) << text;
  const json found = report("--liberty '" + scratch("flat.lib").string() + "'" + kReduce, "no-area").at("asic");
  CHECK(found.at("total").at("area") == 0);
  CHECK(found.at("without_area").at("DFFPOSX1") == 32);
  CHECK(read(scratch("no-area") / "report.txt").find("states no area of them:") != std::string::npos);
}

TEST_CASE("a tool or library that is missing is named with its package") {
  refused(std::string("--target osu018") + kReduce, 4, {"yosys is not installed", "apt-get install yosys"}, "PATH=/");
  refused(std::string("--target osu018") + kReduce, 4, {"sta is not installed", "apt-get install opensta"},
          path_with("only-yosys", {"yosys"}, "exit 0", true));
  refused(std::string("--target ice40") + kReduce, 4, {"apt-get install nextpnr-ice40"},
          path_with("only-yosys", {"yosys"}, "exit 0", true));
  // Yosys says no more than this.
  std::ofstream(scratch("no-abc.txt")) << R"(ERROR: ABC: execution of command ""berkeley-abc" -s -f )"
                                       << R"(/tmp/yosys-abc-2O/abc.script 2>&1" failed: return code 127.)"
                                       << "\n";
  refused(std::string("--target osu018") + kReduce, 4, {"yosys failed", "apt-get install berkeley-abc"},
          path_with("no-abc", {"yosys"},
                    "[ \"$1\" = -V ] && echo Yosys 9 && exit 0; cat '" + scratch("no-abc.txt").string() + "'; exit 1",
                    false));
  fs::remove(scratch("refused.yosys.log"));
  synth::Request request;
  request.design.validate();
  request.leaf = Leaf{"reduce", false};
  request.target = synth::find_target("osu018");
  request.target.library = "/nonexistent/osu018_stdcells.lib";
  try {
    (void)synth::synthesize(request, scratch("refused"));
    FAIL("no error");
  } catch (const ToolError& error) {
    CHECK(std::string(error.what()).find("apt-get install qflow-tech-osu018") != std::string::npos);
  }
}

TEST_CASE("of a tool that fails the log is kept beside the output") {
  const fs::path log = scratch("refused.yosys.log");
  refused(
      std::string("--target osu018") + kReduce, 4, {"yosys failed (exit code 3)", log.string(), "no more licences"},
      path_with("fails", {"yosys"}, "[ \"$1\" = -V ] && echo Yosys 9 && exit 0; echo no more licences; exit 3", false));
  CHECK(read(log) == "no more licences\n");
  refused(std::string("--target osu018") + kReduce, 4, {"sta did not come to the end", "refused.sta.log"},
          path_with("stops", {"sta"}, "echo == register to register", false));
  refused("--target ice40 --device hx1k --package tq144 --leaf uswitch_r --radix 4 --lanes 4 --dtype int32 --ops sum",
          4, {"larger than the device", "refused.nextpnr.log"});
  for (const auto& entry : fs::directory_iterator(scratch(""))) {  // nothing else is left
    CHECK(!entry.path().filename().string().starts_with("."));
  }
}
