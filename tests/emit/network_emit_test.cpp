// SPDX-License-Identifier: Apache-2.0
// The emitted network: what it is made of, that it is the same every time, and that no tool has a remark.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "fred/error.hpp"
#include "tests/emit/support.hpp"

using namespace fred;
using namespace fred::test;

namespace {

/// Counts the leaves below a module: instances in the emitted hierarchy, multiplied through.
Counts count_emitted(const std::map<std::string, verilog::Module>& modules, const std::string& name) {
  Counts counts;
  for (const std::string& instance : modules.at(name).instances()) {
    if (instance == "fred_uswitch_r") {
      ++counts.r;
    } else if (instance == "fred_uswitch_d") {
      ++counts.d;
    } else if (instance == "fred_uswitch_rd") {
      ++counts.rd;
    } else if (instance == "fred_odd_demux") {
      ++counts.demux;
    } else if (instance == "fred_odd_mux") {
      ++counts.mux;
    } else if (instance != "fred_delay_rst") {
      const Counts inner = count_emitted(modules, instance);
      counts.r += inner.r;
      counts.d += inner.d;
      counts.rd += inner.rd;
      counts.demux += inner.demux;
      counts.mux += inner.mux;
    }
  }
  return counts;
}

std::string text_of(const std::vector<EmittedFile>& files, const std::string& path) {
  const auto file = std::find_if(files.begin(), files.end(), [&](const EmittedFile& f) { return f.path == path; });
  REQUIRE(file != files.end());
  return file->text;
}

}  // namespace

TEST_CASE("the emitted hierarchy has the paper's microswitches") {
  for (int radix = 2; radix <= 40; ++radix) {
    for (const int middle : {2, 3, 8}) {
      if (middle == 8 && radix > 20) continue;
      CAPTURE(radix);
      CAPTURE(middle);
      std::map<std::string, verilog::Module> modules;
      for (const verilog::Module& module : network_modules(make_design(radix, middle, DType::kBf16, 1, {Op::kSum}))) {
        CHECK(modules.emplace(module.name(), module).second);
      }
      CHECK(count_emitted(modules, network_module_name(radix, middle)) == count_network(radix, middle));
    }
  }
}

TEST_CASE("every emitted text passes the writer's checks") {
  for (const int radix : {2, 3, 5, 12, 37, 64}) {
    for (const std::vector<Op>& ops : {std::vector<Op>{Op::kMax}, {Op::kSum, Op::kMin}}) {
      const Design design = make_design(radix, 2, DType::kFp32, 2, ops, 2, 3);
      for (const verilog::Module& module : network_modules(design)) CHECK_NOTHROW((void)module.text());
    }
  }
}

TEST_CASE("optional ports are there only where they have bits") {
  const auto has = [](const verilog::Module& module, const std::string& port) {
    const verilog::Interface interface = module.interface();
    return std::any_of(interface.ports.begin(), interface.ports.end(), [&](const auto& p) { return p.name == port; });
  };
  const std::vector<verilog::Module> one = network_modules(make_design(4, 2, DType::kInt32, 1, {Op::kSum}));
  const std::vector<verilog::Module> two = network_modules(make_design(4, 2, DType::kInt32, 1, {Op::kSum, Op::kMax}));
  CHECK_FALSE(has(one[0], "in_op_i"));
  CHECK(has(two[0], "in_op_i"));
  CHECK(has(one[0], "in_colour_i"));
  CHECK_FALSE(has(one[1], "in_colour_i"));
}

TEST_CASE("the last output of an uneven radix has a shorter mask") {
  // Radix 9: levels of sizes 9, 5, 3, 2. At level 1 the multiplexer's port is port 8 alone, at level 2 D has 0..7.
  const std::vector<EmittedFile> files = network_files(make_design(9, 2, DType::kInt32, 1, {Op::kSum}));
  CHECK(text_of(files, "rtl/fred_net_p5_m2.sv").find(".mask_o    (out_mask_o[8])") != std::string::npos);
  CHECK(text_of(files, "rtl/fred_net_p3_m2.sv").find(".mask_o    (out_mask_o[7:0])") != std::string::npos);
}

TEST_CASE("every K-th distributing stage from the centre has a register, and the outermost") {
  for (const int radix : {3, 4, 8, 16, 33}) {
    for (const int pipeline : {1, 2, 3, 9}) {
      CAPTURE(radix);
      CAPTURE(pipeline);
      const Design design = make_design(radix, 2, DType::kInt32, 1, {Op::kSum}, pipeline, 1);
      int registers = 0;
      for (const verilog::Module& module : network_modules(design)) {
        if (module.text().find("Registered = 1;") != std::string::npos) ++registers;
      }
      CHECK(design.levels() * design.adder_latency + registers == design.network_latency());
    }
  }
}

TEST_CASE("distributing stages are counted from the centre") {
  // Radix 33 has distributing stages at levels 4 (innermost) to 0; with K = 2 the 2nd and 4th have a register.
  const std::vector<verilog::Module> modules = network_modules(make_design(33, 2, DType::kInt32, 1, {Op::kSum}, 2, 1));
  std::vector<int> levels;
  for (int level = 0; level < 5; ++level) {
    if (modules[static_cast<std::size_t>(level)].text().find("Registered = 1;") != std::string::npos) {
      levels.push_back(level);
    }
  }
  CHECK(levels == std::vector<int>{0, 1, 3});
}

TEST_CASE("the same design gives the same bytes, another design another hash") {
  const Design design = make_design(11, 3, DType::kFp16, 2, {Op::kSum, Op::kMin}, 2, 2);
  CHECK(network_files(design) == network_files(design));
  Design other = design;
  other.descriptors = 9;
  CHECK(parameter_hash(design) != parameter_hash(other));
  CHECK(parameter_hash(design) == parameter_hash(make_design(11, 3, DType::kFp16, 2, {Op::kMin, Op::kSum}, 2, 2)));
}

TEST_CASE("files come after those that they need, and only those that are needed") {
  const std::vector<EmittedFile> files = network_files(make_design(4, 2, DType::kInt32, 1, {Op::kSum}));
  const auto at = [&](const std::string& name) {
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.path == "rtl/" + name; });
    return file - files.begin();
  };
  const auto end = static_cast<std::ptrdiff_t>(files.size());
  CHECK(at("fred_reduce.sv") < at("fred_merge.sv"));
  CHECK(at("fred_merge.sv") < at("fred_uswitch_r.sv"));
  CHECK(at("fred_uswitch_rd.sv") < at("fred_net_p2_m2.sv"));
  CHECK(at("fred_net_p2_m2.sv") < at("fred_net_p4_m2.sv"));
  CHECK(at("fred_net_p4_m2.sv") < end);
  CHECK(at("fred_odd_demux.sv") == end);  // radix 4 has no odd port
  CHECK_THROWS_AS((void)collect_files({}, "fred_no_such_module"), std::logic_error);
}

TEST_CASE("no tool has a remark about an emitted network") {
  struct Case {
    int radix, middle;
    DType dtype;
    int lanes;
    std::vector<Op> ops;
    int pipeline, adder_latency;
  };
  const std::vector<Op> all{Op::kSum, Op::kMin, Op::kMax};
  for (const Case& c :
       {Case{2, 2, DType::kInt32, 1, {Op::kSum}, 1, 1}, Case{2, 8, DType::kBf16, 1, all, 1, 2},
        Case{3, 2, DType::kFp16, 2, {Op::kMax}, 2, 2}, Case{4, 3, DType::kFp32, 1, {Op::kMin}, 3, 3},
        Case{4, 2, DType::kBf16, 1, {Op::kSum, Op::kMax}, 1, 1}, Case{7, 5, DType::kInt16, 2, all, 2, 1},
        Case{8, 8, DType::kFp16, 1, {Op::kSum}, 2, 4}, Case{17, 3, DType::kBf16, 4, all, 2, 2}}) {
    CAPTURE(c.radix);
    CAPTURE(c.middle);
    const std::filesystem::path folder = scratch("lint");
    write_files(folder,
                network_files(make_design(c.radix, c.middle, c.dtype, c.lanes, c.ops, c.pipeline, c.adder_latency)));
    std::string output;
    const int code = run(std::string(FRED_SOURCE_DIR) + "/tests/emit/lint_design.sh " + folder.string() + " " +
                             network_module_name(c.radix, c.middle),
                         output);
    CHECK_MESSAGE(code == 0, output);
  }
}
