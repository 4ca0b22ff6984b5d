// SPDX-License-Identifier: Apache-2.0
// Two leaves and a root with links between them, Verilated, behind one harness.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fred/fabric/plan.hpp"
#include "tb/fabric_engine.hpp"
#include "tb/harness.hpp"
#include "tests/switch/rtl_switch.hpp"

namespace fred::test {

/// A leaf of 6 ports and a link over which words take so many cycles.
inline Design leaf_design(int latency) {
  Design design;
  design.radix = 7;
  design.dtype = DType::kInt32;
  design.lanes = 1;
  design.ops = {Op::kSum, Op::kMax};
  design.descriptors = 8;
  design.alltoall_tables = 0;
  design.vcs = 2;
  design.counters = true;
  design.link_ports = 1;
  design.link.slots = 4;
  design.link.step_bits = 8;
  design.link.tag_bits = 3;
  design.link.latency = latency;
  design.validate();
  return design;
}

/// The root: links alone.
inline Design root_design(int latency) {
  Design design = leaf_design(latency);
  design.radix = 2;
  design.link_ports = 2;
  design.ingress_depth = design.egress_depth = 0;
  design.validate();
  return design;
}

inline Fabric two_leaves(int latency = 6) {
  const Design leaf = leaf_design(latency);
  return {{{"leaf0", leaf}, {"leaf1", leaf}, {"root", root_design(latency)}}, {{0, 6, 2, 0}, {1, 6, 2, 1}}};
}

/// A fresh switch of a design. FRED_FAULT="FILE|TEXT|>OTHER" breaks its RTL first: TEXT, which is in FILE once, is
/// replaced.
inline std::unique_ptr<tb::Engine> open_switch(const Design& design) {
  std::vector<tb::SourceFile> files = design_sources(design);
  if (const char* fault = std::getenv("FRED_FAULT"); fault != nullptr) {
    const std::string text = fault;
    const std::size_t one = text.find('|'), two = text.find("|>", one + 1);
    const std::string file = text.substr(0, one), from = text.substr(one + 1, two - one - 1), to = text.substr(two + 2);
    bool found = false;
    for (tb::SourceFile& of : files) {
      const std::size_t at = of.path == "rtl/" + file ? of.text.find(from) : std::string::npos;
      if (at == std::string::npos) continue;
      if (of.text.find(from, at + 1) != std::string::npos) throw std::runtime_error(from + " is twice in " + file);
      of.text.replace(at, from.size(), to);
      found = true;
    }
    if (!found) throw std::runtime_error(from + " is not in " + file);
  }
  return tb::open_model(tb::build_model(files).shared_object.string());
}

/// A fabric that is set up, and what drives it.
class FabricBench {
 public:
  FabricBench(Fabric fabric, std::vector<FabricCollective> collectives, const tb::FabricLinks& links, int epoch)
      : fabric_(std::move(fabric)),
        collectives_(std::move(collectives)),
        plan_(plan_fabric(fabric_, collectives_)),
        large_(tb::FabricEngine::large(fabric_, static_cast<int>(collectives_.size()))),
        engine_(fabric_, plan_, links, [](const Design& design) { return open_switch(design); }),
        harness_(engine_, large_),
        epoch_(epoch) {
    harness_.reset();
    for (int i = 0; i < 2000 && !engine_.up(); ++i) harness_.step();
    const auto writes = fabric_writes(fabric_, plan_, epoch);
    for (std::size_t s = 0; s < writes.size(); ++s) {
      for (const RegisterWrite& write : writes[s]) {
        const auto address = tb::FabricEngine::address(static_cast<int>(s), write.address);
        if (!harness_.write(address, write.data).okay()) refused.push_back(fmt::format("{}: {}", s, write.meaning));
      }
    }
  }

  /// The collective on the large switch's ports, with random data of so many bytes a rank.
  [[nodiscard]] tb::Job job(int collective, std::size_t bytes, std::uint64_t seed) const {
    const FabricCollective& of = collectives_[static_cast<std::size_t>(collective)];
    Group group;
    for (const FabricPort& rank : of.ranks) group.push_back(tb::FabricEngine::port(fabric_, rank));
    tb::Job job = tb::Job::on_group(of.kind, group);
    job.root = of.root;
    job.op = of.op;
    job.vc = of.vc;
    for (std::size_t rank = 0; rank < group.size(); ++rank) {
      job.data.push_back(
          tb::random_buffer(large_.dtype, of.kind == Kind::kBarrier ? 0 : bytes, tb::sub_seed(seed, 11, rank)));
    }
    return job;
  }
  [[nodiscard]] std::uint32_t read(int of, std::uint32_t address) {
    return harness_.read(tb::FabricEngine::address(of, address)).data;
  }
  tb::LiteResult write(int of, std::uint32_t address, std::uint32_t data) {
    return harness_.write(tb::FabricEngine::address(of, address), data);
  }
  [[nodiscard]] const Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const FabricPlan& plan() const { return plan_; }
  [[nodiscard]] const Design& large() const { return large_; }
  [[nodiscard]] int epoch() const { return epoch_; }
  tb::FabricEngine& engine() { return engine_; }
  tb::Harness& harness() { return harness_; }
  std::vector<std::string> refused;  ///< register writes

 private:
  Fabric fabric_;
  std::vector<FabricCollective> collectives_;
  FabricPlan plan_;
  Design large_;
  tb::FabricEngine engine_;
  tb::Harness harness_;
  int epoch_;
};

}  // namespace fred::test
