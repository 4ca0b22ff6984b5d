// SPDX-License-Identifier: Apache-2.0
// The whole output of `fred gen`: files, manifest, and how it gets into a folder.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fred/design/register_map.hpp"
#include "fred/emit/leaf_files.hpp"
#include "fred/emit/write.hpp"
#include "fred/error.hpp"
#include "tests/emit/support.hpp"

using namespace fred;
using namespace fred::test;
namespace fs = std::filesystem;

namespace {

const std::string& text_of(const std::vector<EmittedFile>& files, const std::string& path) {
  const auto file = std::find_if(files.begin(), files.end(), [&](const EmittedFile& f) { return f.path == path; });
  REQUIRE(file != files.end());
  return file->text;
}

/// The same for every design.
bool is_leaf(const std::string& path) {
  if (path == "regs/fred_driver.h") return true;
  return std::any_of(leaf_files().begin(), leaf_files().end(),
                     [&](const LeafFile& leaf) { return path == "rtl/" + std::string(leaf.name); });
}

/// What a golden design keeps: no leaf modules (they are in rtl/) and of the manifest no hashes of these.
std::vector<EmittedFile> golden_part(const std::vector<EmittedFile>& files) {
  std::vector<EmittedFile> kept;
  for (EmittedFile file : files) {
    if (is_leaf(file.path)) continue;
    if (file.path == "manifest.json") {
      nlohmann::ordered_json manifest = nlohmann::ordered_json::parse(file.text);
      for (const char* list : {"files", "register_files"}) {
        for (auto& listed : manifest[list]) {
          if (is_leaf(listed["path"])) listed["sha256"] = "(the same for every design)";
        }
      }
      file.text = manifest.dump(2) + "\n";
    }
    kept.push_back(file);
  }
  return kept;
}

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

namespace {

Collective all_reduce(const Ports& ports) { return {Kind::kAllReduce, {ports, ports}, ports.front(), Op::kSum, 0, 0}; }
Collective all_to_all(const Ports& ports, int vc) {
  return {Kind::kAllToAll, {ports, ports}, ports.front(), Op::kSum, 0, vc};
}

/// A small switch without registers.
Design static_design() {
  Design design = make_design(4, 2, DType::kInt16, 1, {Op::kSum});
  design.vcs = 2;
  design.ingress_depth = design.egress_depth = 0;
  design.descriptors = 3;
  design.static_form = StaticForm{
      {all_reduce({0, 1, 3}), all_to_all({0, 1, 3}, 1), {Kind::kBroadcast, {{2}, {2, 3}}, 2, Op::kSum, 0, 0}},
      false,
      1024};
  design.validate();
  return design;
}

}  // namespace

TEST_CASE("golden designs") {
  CHECK(compare_golden("static_p4_m2", golden_part(emit_design(static_design()))) == "");
  CHECK(compare_golden("switch_p4_m2", golden_part(emit_design(make_design(4, 2, DType::kInt32, 1, {Op::kSum})))) ==
        "");
  CHECK(compare_golden("switch_p5_m3", golden_part(emit_design(
                                           make_design(5, 3, DType::kBf16, 2, {Op::kSum, Op::kMax}, 2, 2, 3)))) == "");
  CHECK(compare_golden("links_p3_m2",
                       golden_part(emit_design(linked(make_design(3, 2, DType::kInt32, 1, {Op::kSum}), 1, 2)))) == "");
}

TEST_CASE("the same design gives the same bytes") {
  const Design design = make_design(6, 3, DType::kFp16, 2, {Op::kSum});
  CHECK(emit_design(design) == emit_design(design));
}

TEST_CASE("the manifest tells the truth") {
  const Design design = make_design(12, 3, DType::kFp16, 4, {Op::kSum, Op::kMax}, 2, 2);
  const std::vector<EmittedFile> files = emit_design(design);
  const nlohmann::json manifest = nlohmann::json::parse(text_of(files, "manifest.json"));
  CHECK(manifest["schema_version"] == 1);
  CHECK(manifest["generator"] == "fred");
  CHECK(manifest["command"] == "fred gen " + design.canonical_options());
  CHECK(manifest["top"] == "fred_switch");
  CHECK(manifest["latency"]["network"] == design.network_latency());
  CHECK(manifest["counts"]["microswitches"] == 75);  // the paper's FRED_3(12)
  CHECK(manifest["counts"]["reducers"] == 51);
  CHECK(manifest["counts"]["stages"] == 7);
  CHECK(manifest["parameters"]["ops"] == nlohmann::json({"sum", "max"}));
  CHECK(manifest["widths"]["tdata"] == 64);
  CHECK(manifest["codes"]["kind"]["alltoall"] == 9);

  const RegisterMap map(design);
  const auto& alltoall = manifest["registers"]["alltoall"];
  CHECK(alltoall["base"].get<std::uint32_t>() + 1 * alltoall["step_stride"].get<std::uint32_t>() +
            2 * alltoall["port_stride"].get<std::uint32_t>() ==
        map.alltoall(design, 0, 1, 2));
  const auto& descriptor = manifest["registers"]["descriptor"];
  CHECK(descriptor["base"].get<std::uint32_t>() + 3 * descriptor["stride"].get<std::uint32_t>() +
            descriptor["out_mask"].get<std::uint32_t>() ==
        map.descriptor(3, map.out_mask));

  // The files are those listed, in the order of the filelist, and their hashes are what sha256sum says.
  std::string list;
  for (const auto& file : manifest["files"]) list += file["path"].get<std::string>() + "\n";
  CHECK(list == text_of(files, manifest["filelist"]));
  CHECK(files.size() == manifest["files"].size() + manifest["register_files"].size() + 2);
  const fs::path folder = scratch("manifest");
  write_files(folder, files);
  std::string sums;
  nlohmann::json listed = manifest["files"];
  listed.insert(listed.end(), manifest["register_files"].begin(), manifest["register_files"].end());
  for (const auto& file : listed) {
    sums += file["sha256"].get<std::string>() + "  " + file["path"].get<std::string>() + "\n";
  }
  std::ofstream(folder / "sums") << sums;
  std::string output;
  const int code = run("cd '" + folder.string() + "' && sha256sum --quiet --strict -c sums", output);
  CHECK_MESSAGE(code == 0, output);

  // Every generated file carries the hash and the command.
  for (const EmittedFile& file : files) {
    if (is_leaf(file.path) || file.path == "fred_switch.f") continue;
    CAPTURE(file.path);
    CHECK(file.text.find(manifest["parameter_hash"].get<std::string>()) != std::string::npos);
    CHECK(file.text.find(manifest["command"].get<std::string>()) != std::string::npos);
  }
}

TEST_CASE("a switch without registers: its pins, its manifest, what it cannot be") {
  const Design design = static_design();
  const std::vector<EmittedFile> files = emit_design(design);
  for (const EmittedFile& file : files) {
    CHECK(file.path.find("regs/") == std::string::npos);
    for (const char* none :
         {"fred_host", "fred_registers", "fred_descriptor_table", "fred_axil", "fred_global_registers"}) {
      CHECK(file.path != fmt::format("rtl/{}.sv", none));
    }
  }
  const std::string top = text_of(files, "rtl/fred_switch.sv");
  CHECK(top.find("s_axil") == std::string::npos);
  CHECK(top.find("input  wire logic [3:0]      s_axis_tdest") == std::string::npos);
  CHECK(top.find("error_o") != std::string::npos);
  const nlohmann::json manifest = nlohmann::json::parse(text_of(files, "manifest.json"));
  CHECK_FALSE(manifest.contains("registers"));
  CHECK_FALSE(manifest.contains("register_files"));
  const nlohmann::json& form = manifest["static"];
  CHECK(form["descriptor_of_port_and_vc"] == nlohmann::json::parse("[[0,1],[0,1],[2,null],[0,1]]"));
  CHECK(form["descriptors"][2]["kind"] == "broadcast");
  CHECK(form["descriptors"][2]["root"] == 2);
  CHECK(form["descriptors"][0]["compatible"] == nlohmann::json::array());
  // The pin has the bits of the register.
  CHECK(form["errors"].size() == 8);
  CHECK(form["errors"][1] == "mismatch");
  CHECK(form["errors"][7] == "timeout");
  CHECK(manifest["command"].get<std::string>().ends_with(
      " --static --flows \"0,1,3>0,1,3;2>2,3\" --collective "
      "allreduce@0:int16:sum/vc0,alltoall@0:int16/vc1,broadcast@1:int16/vc0/root0 --watchdog 1024"));
  const auto with = [&design](const StaticForm& changed) {
    Design other = design;
    other.static_form = changed;
    return other;
  };
  StaticForm changed = *design.static_form;
  changed.watchdog = 0;
  CHECK(parameter_hash(with(changed)) != parameter_hash(design));
  changed.collectives[2].flow.in = {0, 2};  // only the root sends
  CHECK_NOTHROW(with(changed).validate());
  changed.collectives[1].vc = 0;
  CHECK_THROWS_WITH_AS(
      with(changed).validate(),
      "--static: port 0 sends in descriptors 0 (allreduce) and 1 (alltoall) on virtual circuit 0; give "
      "--tdest, which keeps the pin that names the descriptor, or another circuit",
      InputError);
  changed.tdest = true;
  CHECK_NOTHROW(with(changed).validate());
  changed.collectives.pop_back();
  CHECK_THROWS_AS(with(changed).validate(), InputError);
  Design wide = design;
  wide.radix = 256;
  wide.egress_depth = 0;
  CHECK_THROWS_WITH_AS(wide.validate(), doctest::Contains("constants of"), InputError);
}

TEST_CASE("no tool has a remark about a whole switch") {
  struct Case {
    int radix, middle;
    DType dtype;
    int lanes;
    std::vector<Op> ops;
    int descriptors, tables;
    std::vector<DType> more{};
    std::optional<DType> acc{};
    Egress egress = Egress::kBeat;
    std::vector<Collective> fixed{};  // constants instead of registers
    bool tdest = false;
  };
  const std::vector<Op> all{Op::kSum, Op::kMin, Op::kMax};
  const std::vector<Op> every(kAllOps.begin(), kAllOps.end());
  for (const Case& c : {Case{2, 2, DType::kInt32, 1, {Op::kSum}, 1, 0}, Case{3, 3, DType::kBf16, 1, all, 2, 1},
                        Case{5, 2, DType::kFp16, 4, {Op::kSum}, 8, 1}, Case{8, 3, DType::kFp32, 2, all, 40, 2},
                        Case{3, 2, DType::kInt8, 8, every, 3, 0, {DType::kBf16, DType::kUint64, DType::kFp8E4m3}},
                        Case{3, 2, DType::kFp8E5m2, 2, every, 3, 1, {DType::kBf16}, DType::kFp32},
                        Case{2, 2, DType::kUint8, 1, {Op::kSum}, 1, 0, {}, DType::kUint32},
                        Case{3, 2, DType::kInt8, 2, {Op::kSum}, 2, 1, {}, {}, Egress::kPacket},
                        // Without registers: with and without s_axis_tdest, tables, several types, the wider sums.
                        Case{2, 2, DType::kInt8, 1, {Op::kSum}, 1, 0, {}, {}, Egress::kBeat, {all_reduce({0, 1})}},
                        Case{5,
                             3,
                             DType::kFp8E5m2,
                             2,
                             every,
                             3,
                             1,
                             {DType::kBf16},
                             DType::kFp32,
                             Egress::kPacket,
                             {all_reduce({0, 4}), all_to_all({1, 2, 3}, 0), all_to_all({0, 4}, 1)}},
                        Case{4,
                             2,
                             DType::kInt8,
                             2,
                             every,
                             2,
                             2,
                             {DType::kBf16},
                             {},
                             Egress::kBeat,
                             {all_to_all({0, 1, 2}, 1), all_to_all({2, 3}, 1)},
                             true}}) {
    Design design = make_design(c.radix, c.middle, c.dtype, c.lanes, c.ops);
    design.descriptors = c.descriptors;
    design.alltoall_tables = c.tables;
    design.more_dtypes = c.more;
    design.acc = c.acc;
    design.egress_depth = 0;  // what it takes
    design.egress = c.egress;
    if (!c.fixed.empty()) {
      design.vcs = 2;
      design.ingress_depth = 0;
      design.static_form = StaticForm{c.fixed, c.tdest, 1024};
    }
    design.validate();
    CAPTURE(design.canonical_options());
    const fs::path folder = scratch("lint_switch");
    write_files(folder, emit_design(design));
    std::string output;
    const int code =
        run(fmt::format("{}/tests/emit/lint_design.sh {} {}", FRED_SOURCE_DIR, folder.string(), kTopModule), output);
    CHECK_MESSAGE(code == 0, output);
  }
}

TEST_CASE("no tool has a remark about a switch with link ports") {
  struct Case {
    int radix, links, vcs, slots, beats, descriptors;
    bool counters;
    std::optional<DType> acc{};
    int tag_bits = 0, step_bits = 0;
  };
  for (const Case& c : {Case{5, 2, 2, 4, 1, 8, true}, Case{5, 1, 4, 1, 1, 3, false}, Case{4, 4, 1, 2, 1, 2, false},
                        Case{3, 2, 1, 3, 4, 1, true, DType::kFp32}, Case{2, 2, 2, 2, 1, 2, true},
                        Case{3, 2, 8, 3, 1, 5, true, {}, 8, 12}, Case{3, 1, 2, 8, 1, 34, false, {}, 7}}) {
    Design design = make_design(c.radix, 2, DType::kBf16, 1, {Op::kSum});
    design.link_ports = c.links;
    design.vcs = c.vcs;
    design.link.slots = c.slots;
    design.link.flit_beats = c.beats;
    design.link.tag_bits = c.tag_bits;
    design.link.step_bits = c.step_bits;
    design.descriptors = c.descriptors;
    design.counters = c.counters;
    design.acc = c.acc;
    design.ingress_depth = design.egress_depth = 0;
    design.validate();
    CAPTURE(design.canonical_options());
    const fs::path folder = scratch("lint_links");
    write_files(folder, emit_design(design));
    std::string output;
    const int code =
        run(fmt::format("{}/tests/emit/lint_design.sh {} {}", FRED_SOURCE_DIR, folder.string(), kTopModule), output);
    CHECK_MESSAGE(code == 0, output);
    // What the options say is what the manifest gives back.
    const auto manifest = nlohmann::json::parse(read(folder / "manifest.json"));
    CHECK(manifest["parameters"]["link_ports"] == c.links);
    CHECK(manifest["parameters"]["link"]["slots"] == c.slots);
    CHECK(manifest["command"] == "fred gen " + design.canonical_options());
  }
}

TEST_CASE("an output is written whole or not at all") {
  const fs::path parent = scratch("write");
  const fs::path folder = parent / "deep" / "switch";
  const Design design = make_design(2, 2, DType::kInt32, 1, {Op::kSum});
  const std::vector<EmittedFile> files = emit_design(design);

  write_output(folder, files);
  for (const EmittedFile& file : files) CHECK(read(folder / file.path) == file.text);
  CHECK(entries(folder.parent_path()) == std::vector<std::string>{"switch"});  // no temporary folder is left

  SUBCASE("an earlier output is replaced, without leftovers") {
    const std::vector<EmittedFile> other = emit_design(make_design(4, 2, DType::kInt32, 1, {Op::kSum}));
    write_output(folder, other);
    CHECK(fs::exists(folder / "rtl" / "fred_net_p4_m2.sv"));
    write_output(folder.string() + "/", files);
    CHECK_FALSE(fs::exists(folder / "rtl" / "fred_net_p4_m2.sv"));
    CHECK(entries(folder.parent_path()) == std::vector<std::string>{"switch"});
  }
  SUBCASE("an empty folder is filled") {
    fs::create_directories(parent / "empty");
    write_output(parent / "empty", files);
    CHECK(fs::exists(parent / "empty" / "manifest.json"));
  }
  SUBCASE("a relative name") {
    const fs::path before = fs::current_path();
    fs::current_path(parent);
    CHECK_NOTHROW(write_output("relative", files));
    CHECK_THROWS_AS(write_output(".", files), InputError);
    fs::current_path(before);
    CHECK(fs::exists(parent / "relative" / "manifest.json"));
  }
  SUBCASE("a folder with other files is left alone") {
    std::ofstream(folder / "rtl" / "mine.sv") << "mine\n";
    CHECK_THROWS_AS(write_output(folder, files), InputError);
    CHECK(read(folder / "rtl" / "mine.sv") == "mine\n");
    fs::create_directories(parent / "other");
    std::ofstream(parent / "other" / "notes.txt") << "mine\n";
    CHECK_THROWS_AS(write_output(parent / "other", files), InputError);
    std::ofstream(parent / "other" / "manifest.json") << "{\"generator\": \"someone\"}\n";
    CHECK_THROWS_AS(write_output(parent / "other", files), InputError);
    std::ofstream(parent / "other" / "manifest.json") << "no JSON\n";
    CHECK_THROWS_AS(write_output(parent / "other", files), InputError);
    CHECK(entries(parent / "other") == std::vector<std::string>{"manifest.json", "notes.txt"});
    CHECK(entries(parent) == std::vector<std::string>{"deep", "other"});
  }
  SUBCASE("a file is no folder") {
    std::ofstream(parent / "file") << "mine\n";
    CHECK_THROWS_AS(write_output(parent / "file", files), InputError);
    CHECK_THROWS_AS(write_output(parent / "file" / "below", files), InputError);
    CHECK(read(parent / "file") == "mine\n");
  }
  SUBCASE("an error while writing leaves the old output") {
    std::vector<EmittedFile> broken = files;
    broken.push_back({"rtl", "a file of a folder's name\n"});
    CHECK_THROWS_AS(write_output(folder, broken), InputError);
    for (const EmittedFile& file : files) CHECK(read(folder / file.path) == file.text);
    CHECK(entries(folder.parent_path()) == std::vector<std::string>{"switch"});
  }
}

TEST_CASE("an output that was edited is not replaced") {
  const fs::path parent = scratch("edited");
  const fs::path folder = parent / "switch";
  const std::vector<EmittedFile> files = emit_design(make_design(2, 2, DType::kInt32, 1, {Op::kSum}));
  const auto refused_for = [&](const std::string& path) {
    CAPTURE(path);
    try {
      write_output(folder, files);
      FAIL("was replaced");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find(path) != std::string::npos);
      CHECK(std::string(error.what()).find("--force") != std::string::npos);
    }
  };
  write_output(folder, files);
  for (const EmittedFile& file : files) {
    if (file.path == "manifest.json") continue;
    std::ofstream(folder / file.path, std::ios::app) << "// mine\n";
    refused_for(file.path);
    CHECK(read(folder / file.path) == file.text + "// mine\n");
    write_output(folder, files, true);
    CHECK(read(folder / file.path) == file.text);
  }
  // A link in the place of a file, even to the same text; a file too many; a file too few.
  fs::rename(folder / "rtl" / "fred_switch.sv", parent / "mine.sv");
  fs::create_symlink(parent / "mine.sv", folder / "rtl" / "fred_switch.sv");
  refused_for("rtl/fred_switch.sv");
  write_output(folder, files, true);
  CHECK(fs::exists(parent / "mine.sv"));
  std::ofstream(folder / "notes.txt") << "mine\n";
  refused_for("notes.txt");
  write_output(folder, files, true);
  CHECK_FALSE(fs::exists(folder / "notes.txt"));
  fs::remove(folder / "fred_switch.f");
  CHECK_NOTHROW(write_output(folder, files));
  CHECK(fs::exists(folder / "fred_switch.f"));

  // What is not an output of fred gen is not replaced by force either.
  fs::create_directories(parent / "other");
  std::ofstream(parent / "other" / "notes.txt") << "mine\n";
  CHECK_THROWS_AS(write_output(parent / "other", files, true), InputError);
  REQUIRE(mkfifo((parent / "other" / "manifest.json").c_str(), 0600) == 0);  // nobody writes to it: reading would hang
  CHECK_THROWS_AS(write_output(parent / "other", files), InputError);
  CHECK_THROWS_AS(write_output(parent / "other", files, true), InputError);
}

TEST_CASE("the current folder is filled if it is empty") {
  const fs::path folder = scratch("current");
  const std::vector<EmittedFile> files = emit_design(make_design(2, 2, DType::kInt32, 1, {Op::kSum}));
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  CHECK_NOTHROW(write_output(".", files));
  CHECK(entries(".") ==
        std::vector<std::string>{"fred_switch.f", "manifest.json", "regs", "rtl"});  // of the shell's folder
  CHECK_THROWS_WITH_AS(write_output(".", files), doctest::Contains("current folder"), InputError);
  fs::current_path(folder / "rtl");
  CHECK_THROWS_WITH_AS(write_output("..", files), doctest::Contains("current folder"), InputError);
  fs::current_path(before);
  CHECK_NOTHROW(write_output(folder, files));
}

TEST_CASE("what a killed run left behind is removed") {
  const fs::path parent = scratch("stale");
  const std::vector<EmittedFile> files = emit_design(make_design(2, 2, DType::kInt32, 1, {Op::kSum}));
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  waitpid(dead, nullptr, 0);
  const auto stale = [&](const std::string& name) { fs::create_directories(parent / name / "rtl"); };
  stale(fmt::format(".switch.fred.{}.new", dead));
  stale(fmt::format(".switch.fred.{}.old", dead));
  stale(fmt::format("switch/.switch.fred.{}.new", dead));  // of a run that filled the folder
  stale(fmt::format(".other.fred.{}.new", dead));          // of another output
  stale(".switch.fred.1.new");                             // of a process that runs
  stale(".switch.fred.x.new");
  CHECK_NOTHROW(write_output(parent / "switch", files));
  CHECK(entries(parent / "switch") == std::vector<std::string>{"fred_switch.f", "manifest.json", "regs", "rtl"});
  CHECK(entries(parent) == std::vector<std::string>{fmt::format(".other.fred.{}.new", dead), ".switch.fred.1.new",
                                                    ".switch.fred.x.new", "switch"});
}
