// SPDX-License-Identifier: Apache-2.0
#include "tb/verilator_engine.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include "fred/error.hpp"
#include "tb/harness.hpp"

namespace fred::tb {

namespace {

constexpr int kModelInterface = 1;  // as in tb/verilated_wrapper.cpp, where the structures are described

struct ModelInputs {
  std::uint32_t rst_n;
  const std::uint32_t *s_tvalid, *s_tdata, *s_tkeep, *s_tlast, *s_tid, *s_tdest, *s_tuser, *m_tready, *m_vc_ready;
  std::uint32_t awvalid, wvalid, bready, arvalid, rready, awaddr, wdata, wstrb, araddr;
};
struct ModelOutputs {
  std::uint32_t *s_tready, *s_vc_ready, *m_tvalid, *m_tdata, *m_tkeep, *m_tlast, *m_tid, *m_tdest, *m_tuser;
  std::uint32_t awready, wready, bvalid, arready, rvalid, bresp, rdata, rresp;
};
using InterfaceFunction = int (*)();
using CreateFunction = void* (*)(const char*, int);
using CycleFunction = const char* (*)(void*, const ModelInputs*, ModelOutputs*);
using DestroyFunction = void (*)(void*);

class VerilatorEngine final : public Engine {
 public:
  VerilatorEngine(const std::string& path, int seed, const std::string& trace) {
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw ToolError(fmt::format("cannot open the Verilated switch: {}", dlerror()));
    if (find<InterfaceFunction>("fred_model_interface")() != kModelInterface) {
      throw ToolError(fmt::format("{} was built for another version of fred; remove it", path));
    }
    cycle_ = find<CycleFunction>("fred_model_cycle");
    destroy_ = find<DestroyFunction>("fred_model_destroy");
    model_ = find<CreateFunction>("fred_model_create")(trace.empty() ? nullptr : trace.c_str(), seed);
    if (model_ == nullptr) throw InputError(fmt::format("cannot write the trace file {}", trace));
  }
  VerilatorEngine(const VerilatorEngine&) = delete;
  VerilatorEngine& operator=(const VerilatorEngine&) = delete;
  // The library stays loaded: Verilator's runtime registers exit handlers in it.
  ~VerilatorEngine() override {
    if (model_ != nullptr) destroy_(model_);
  }

  void cycle(const InPins& in, OutPins& out) override {
    const ModelInputs inputs{
        in.rst_n,        in.s_tvalid.data(), in.s_tdata.data(), in.s_tkeep.data(),  in.s_tlast.data(),
        in.s_tid.data(), in.s_tdest.data(),  in.s_tuser.data(), in.m_tready.data(), in.m_vc_ready.data(),
        in.awvalid,      in.wvalid,          in.bready,         in.arvalid,         in.rready,
        in.awaddr,       in.wdata,           in.wstrb,          in.araddr};
    ModelOutputs outputs{out.s_tready.data(),
                         out.s_vc_ready.data(),
                         out.m_tvalid.data(),
                         out.m_tdata.data(),
                         out.m_tkeep.data(),
                         out.m_tlast.data(),
                         out.m_tid.data(),
                         out.m_tdest.data(),
                         out.m_tuser.data(),
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0};
    const char* failure = cycle_(model_, &inputs, &outputs);
    if (failure != nullptr) throw SwitchError(fmt::format("an assertion in the RTL failed: {}", failure));
    out.awready = outputs.awready != 0;
    out.wready = outputs.wready != 0;
    out.bvalid = outputs.bvalid != 0;
    out.arready = outputs.arready != 0;
    out.rvalid = outputs.rvalid != 0;
    out.bresp = outputs.bresp;
    out.rdata = outputs.rdata;
    out.rresp = outputs.rresp;
  }

  [[nodiscard]] std::string name() const override { return "verilator"; }

 private:
  template <typename F>
  F find(const char* symbol) {
    auto* found = reinterpret_cast<F>(dlsym(library_, symbol));
    if (found == nullptr) throw ToolError(fmt::format("the Verilated switch lacks {}", symbol));
    return found;
  }

  void* library_ = nullptr;            ///< from dlopen
  void* model_ = nullptr;              ///< from fred_model_create
  CycleFunction cycle_ = nullptr;      ///< fred_model_cycle
  DestroyFunction destroy_ = nullptr;  ///< fred_model_destroy
};

}  // namespace

std::unique_ptr<Engine> open_model(const std::string& shared_object, int seed, const std::string& trace) {
  return std::make_unique<VerilatorEngine>(shared_object, seed, trace);
}

}  // namespace fred::tb
