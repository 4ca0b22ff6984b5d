// SPDX-License-Identifier: Apache-2.0
// A Verilated fred_switch behind a C interface. This file is compiled once a design, by Verilator's make, into the
// shared object of that design (tb/model_build.hpp); the harness, compiled once for all, opens it. It knows no widths:
// Verilator's pin types (8 to 64 bits, or arrays of 32-bit words) are served by overloads. Changing the interface means
// changing kModelInterface here and in tb/verilator_engine.cpp.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "Vfred_switch.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

namespace {

constexpr int kModelInterface = 4;

std::string& failure() {  // what $error, $fatal or an assertion said; empty if nothing
  static std::string text;
  return text;
}

// Up to 64 bits: Verilator's integer types.
template <typename T>
void load(T& pin, const std::uint32_t* words) {
  if constexpr (sizeof(T) > 4) {
    pin = static_cast<T>(words[0] | static_cast<std::uint64_t>(words[1]) << 32);
  } else {
    pin = static_cast<T>(words[0]);
  }
}
template <typename T>
void store(const T& pin, std::uint32_t* words) {
  words[0] = static_cast<std::uint32_t>(pin);
  if constexpr (sizeof(T) > 4) words[1] = static_cast<std::uint32_t>(pin >> 32);
}
// More than 64 bits: arrays of 32-bit words.
template <std::size_t N>
void load(VlWide<N>& pin, const std::uint32_t* words) {
  for (std::size_t i = 0; i < N; ++i) pin[i] = words[i];
}
template <std::size_t N>
void store(const VlWide<N>& pin, std::uint32_t* words) {
  for (std::size_t i = 0; i < N; ++i) words[i] = pin[i];
}

struct Model {
  VerilatedContext context;
  std::unique_ptr<Vfred_switch> top;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> trace;
#endif
};

}  // namespace

// Assertions and $fatal end a run with a message instead of ending the process (VL_USER_STOP, VL_USER_FATAL).
void vl_stop(const char* filename, int line, const char* hierarchy) VL_MT_UNSAFE {
  if (failure().empty()) failure() = std::string(filename) + ":" + std::to_string(line) + " in " + hierarchy;
}
void vl_fatal(const char* filename, int line, const char* hierarchy, const char* message) VL_MT_UNSAFE {
  if (failure().empty()) {
    failure() = std::string(filename) + ":" + std::to_string(line) + " in " + hierarchy + ": " + message;
  }
}

extern "C" {

/// The pins, in the order of InPins and OutPins; each points to words.
struct FredModelInputs {
  std::uint32_t rst_n;
  const std::uint32_t *s_tvalid, *s_tdata, *s_tkeep, *s_tlast, *s_tid, *s_tdest, *s_tuser, *m_tready, *m_vc_ready;
  std::uint32_t awvalid, wvalid, bready, arvalid, rready, awaddr, wdata, wstrb, araddr, error_clear;
  const std::uint32_t *phy_tx_ready, *phy_rx_valid, *phy_rx_first, *phy_rx_data;
};
struct FredModelOutputs {
  std::uint32_t *s_tready, *s_vc_ready, *m_tvalid, *m_tdata, *m_tkeep, *m_tlast, *m_tid, *m_tdest, *m_tuser;
  std::uint32_t *halted, *busy, *hangs;
  std::uint32_t awready, wready, bvalid, arready, rvalid, bresp, rdata, rresp, error, irq;
  std::uint32_t *phy_tx_valid, *phy_tx_first, *phy_tx_data, *link_up;
};

#define FRED_EXPORT __attribute__((visibility("default")))

}  // extern "C"

namespace {

// A switch without registers (fred gen --static) has other pins: the first overload of each pair is for those that
// there are, and is preferred.
template <typename Top>
auto load_dest(Top& top, const FredModelInputs& in, int) -> decltype(top.s_axis_tdest, void()) {
  load(top.s_axis_tdest, in.s_tdest);
}
template <typename Top>
void load_dest(Top&, const FredModelInputs&, long) {}

// A switch all of whose ports are link ports has no streams, one without link ports no transceivers.
template <typename Top>
auto load_streams(Top& top, const FredModelInputs& in, int) -> decltype(top.s_axis_tvalid, void()) {
  load(top.s_axis_tvalid, in.s_tvalid);
  load(top.s_axis_tdata, in.s_tdata);
  load(top.s_axis_tkeep, in.s_tkeep);
  load(top.s_axis_tlast, in.s_tlast);
  load(top.s_axis_tid, in.s_tid);
  load_dest(top, in, 0);
  load(top.s_axis_tuser, in.s_tuser);
  load(top.m_axis_tready, in.m_tready);
  load(top.m_axis_vc_ready, in.m_vc_ready);
}
template <typename Top>
void load_streams(Top&, const FredModelInputs&, long) {}
template <typename Top>
auto store_streams(const Top& top, FredModelOutputs& out, int) -> decltype(top.s_axis_tready, void()) {
  store(top.s_axis_tready, out.s_tready);
  store(top.s_axis_vc_ready, out.s_vc_ready);
  store(top.m_axis_tvalid, out.m_tvalid);
  store(top.m_axis_tdata, out.m_tdata);
  store(top.m_axis_tkeep, out.m_tkeep);
  store(top.m_axis_tlast, out.m_tlast);
  store(top.m_axis_tid, out.m_tid);
  store(top.m_axis_tdest, out.m_tdest);
  store(top.m_axis_tuser, out.m_tuser);
}
template <typename Top>
void store_streams(const Top&, FredModelOutputs&, long) {}

template <typename Top>
auto load_links(Top& top, const FredModelInputs& in, int) -> decltype(top.phy_tx_ready_i, void()) {
  load(top.phy_tx_ready_i, in.phy_tx_ready);
  load(top.phy_rx_valid_i, in.phy_rx_valid);
  load(top.phy_rx_first_i, in.phy_rx_first);
  load(top.phy_rx_data_i, in.phy_rx_data);
}
template <typename Top>
void load_links(Top&, const FredModelInputs&, long) {}
template <typename Top>
auto store_links(const Top& top, FredModelOutputs& out, int) -> decltype(top.phy_tx_valid_o, void()) {
  store(top.phy_tx_valid_o, out.phy_tx_valid);
  store(top.phy_tx_first_o, out.phy_tx_first);
  store(top.phy_tx_data_o, out.phy_tx_data);
  store(top.link_up_o, out.link_up);
}
template <typename Top>
void store_links(const Top&, FredModelOutputs&, long) {}

template <typename Top>
auto load_host(Top& top, const FredModelInputs& in, int) -> decltype(top.s_axil_awvalid, void()) {
  load(top.s_axil_awvalid, &in.awvalid);
  load(top.s_axil_wvalid, &in.wvalid);
  load(top.s_axil_bready, &in.bready);
  load(top.s_axil_arvalid, &in.arvalid);
  load(top.s_axil_rready, &in.rready);
  load(top.s_axil_awaddr, &in.awaddr);
  load(top.s_axil_wdata, &in.wdata);
  load(top.s_axil_wstrb, &in.wstrb);
  load(top.s_axil_araddr, &in.araddr);
}
template <typename Top>
auto load_host(Top& top, const FredModelInputs& in, long) -> decltype(top.error_clear_i, void()) {
  load(top.error_clear_i, &in.error_clear);
}

template <typename Top>
auto store_host(const Top& top, FredModelOutputs& out, int) -> decltype(top.s_axil_awready, void()) {
  store(top.s_axil_awready, &out.awready);
  store(top.s_axil_wready, &out.wready);
  store(top.s_axil_bvalid, &out.bvalid);
  store(top.s_axil_arready, &out.arready);
  store(top.s_axil_rvalid, &out.rvalid);
  store(top.s_axil_bresp, &out.bresp);
  store(top.s_axil_rdata, &out.rdata);
  store(top.s_axil_rresp, &out.rresp);
  store(top.irq_o, &out.irq);
}
template <typename Top>
auto store_host(const Top& top, FredModelOutputs& out, long) -> decltype(top.error_o, void()) {
  store(top.error_o, &out.error);
  store(top.halted_o, out.halted);
  store(top.busy_o, out.busy);
  store(top.hangs_o, out.hangs);
}

}  // namespace

extern "C" {

FRED_EXPORT int fred_model_interface() { return kModelInterface; }

/// `trace`: an FST file, or nullptr. Registers without a reset start with values made from `seed`. Returns nullptr if
/// the trace cannot be written.
FRED_EXPORT void* fred_model_create(const char* trace, int seed) {
  failure().clear();
  auto model = std::make_unique<Model>();
  Verilated::threadContextp(&model->context);
  model->context.randReset(2);
  model->context.randSeed(seed);
  model->context.traceEverOn(trace != nullptr);
  model->top = std::make_unique<Vfred_switch>(&model->context, "fred_switch");
#if VM_TRACE_FST
  if (trace != nullptr) {
    model->trace = std::make_unique<VerilatedFstC>();
    model->top->trace(model->trace.get(), 99);
    model->trace->open(trace);
    if (!model->trace->isOpen()) return nullptr;
  }
#else
  if (trace != nullptr) return nullptr;
#endif
  return model.release();
}

/// One clock cycle. Returns nullptr, or what an assertion said.
FRED_EXPORT const char* fred_model_cycle(void* handle, const FredModelInputs* in, FredModelOutputs* out) {
  Model& model = *static_cast<Model*>(handle);
  Vfred_switch& top = *model.top;
  Verilated::threadContextp(&model.context);  // several models may live at once
  top.clk_i = 0;
  top.rst_ni = in->rst_n != 0;
  load_streams(top, *in, 0);
  load_links(top, *in, 0);
  load_host(top, *in, 0);
  top.eval();
#if VM_TRACE_FST
  if (model.trace) model.trace->dump(model.context.time());
#endif
  model.context.timeInc(500);

  store_streams(top, *out, 0);
  store_links(top, *out, 0);
  store_host(top, *out, 0);

  top.clk_i = 1;
  top.eval();
#if VM_TRACE_FST
  if (model.trace) model.trace->dump(model.context.time());
#endif
  model.context.timeInc(500);
  return failure().empty() ? nullptr : failure().c_str();
}

FRED_EXPORT void fred_model_destroy(void* handle) {
  std::unique_ptr<Model> model(static_cast<Model*>(handle));
  Verilated::threadContextp(&model->context);  // destructors look there, whichever model was made last
  model->top->final();
#if VM_TRACE_FST
  if (model->trace) model->trace->close();
#endif
}

}  // extern "C"
