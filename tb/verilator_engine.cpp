// SPDX-License-Identifier: Apache-2.0
#include "tb/verilator_engine.hpp"

#include <dlfcn.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "fred/emit/temporary.hpp"
#include "fred/error.hpp"
#include "tb/harness.hpp"  // SwitchError

namespace fred::tb {

namespace fs = std::filesystem;

namespace {

constexpr int kModelInterface = 4;  // as in tb/verilated_wrapper.cpp, where the structures are described

struct ModelInputs {
  std::uint32_t rst_n;
  const std::uint32_t *s_tvalid, *s_tdata, *s_tkeep, *s_tlast, *s_tid, *s_tdest, *s_tuser, *m_tready, *m_vc_ready;
  std::uint32_t awvalid, wvalid, bready, arvalid, rready, awaddr, wdata, wstrb, araddr, error_clear;
  const std::uint32_t *phy_tx_ready, *phy_rx_valid, *phy_rx_first, *phy_rx_data;
};
struct ModelOutputs {
  std::uint32_t *s_tready, *s_vc_ready, *m_tvalid, *m_tdata, *m_tkeep, *m_tlast, *m_tid, *m_tdest, *m_tuser;
  std::uint32_t *halted, *busy, *hangs;
  std::uint32_t awready, wready, bvalid, arready, rvalid, bresp, rdata, rresp, error, irq;
  std::uint32_t *phy_tx_valid, *phy_tx_first, *phy_tx_data, *link_up;
};
using InterfaceFunction = int (*)();
using CreateFunction = void* (*)(const char*, int);
using CycleFunction = const char* (*)(void*, const ModelInputs*, ModelOutputs*);
using DestroyFunction = void (*)(void*);

/// What a shared object must offer, looked up.
struct Model {
  InterfaceFunction interface = nullptr;
  CreateFunction create = nullptr;
  CycleFunction cycle = nullptr;
  DestroyFunction destroy = nullptr;
};

template <typename F>
bool find(void* library, const char* symbol, F& function) {
  function = reinterpret_cast<F>(dlsym(library, symbol));
  return function != nullptr;
}

/// Opens `path`; returns why it is no model of this version of fred, or "". A model stays loaded, for Verilator's
/// runtime registers exit handlers in it.
std::string load(const std::string& path, Model& model) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fmt::format("cannot open it: {}", dlerror());
  const bool complete =
      find(library, "fred_model_interface", model.interface) && find(library, "fred_model_create", model.create) &&
      find(library, "fred_model_cycle", model.cycle) && find(library, "fred_model_destroy", model.destroy);
  if (complete && model.interface() == kModelInterface) return "";
  dlclose(library);
  return complete ? "it was built for another version of fred" : "it is no Verilated switch";
}

[[noreturn]] void refuse(const std::string& trace, const std::string& why) {
  throw InputError(fmt::format("--trace {}: {}", trace, why));
}

/// The file that is to be written, symbolic links followed. Throws unless it is a regular file or can become one.
fs::path trace_target(const std::string& trace) {
  fs::path target = fs::path(trace);
  std::error_code error;
  for (int links = 0; fs::is_symlink(target, error); ++links) {
    if (links == 40) refuse(trace, "too many symbolic links");
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) refuse(trace, "is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse(trace, "exists and is not a regular file");
  if (!target.has_filename()) refuse(trace, "names no file");
  if (error && status.type() != fs::file_type::not_found) refuse(trace, "cannot be written: " + error.message());
  if (fs::exists(status) && access(target.c_str(), W_OK) != 0) refuse(trace, "is write-protected");
  target = fs::absolute(target, error);
  const fs::path folder = target.parent_path();
  if (!fs::is_directory(folder, error)) refuse(trace, fmt::format("there is no folder {}", folder.string()));
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    refuse(trace, fmt::format("the folder {} cannot be written", folder.string()));
  }
  return target;
}

/// Whether a file consists of whole FST blocks (a byte of type, eight of length, big-endian, that count themselves): on
/// a full disk Verilator's writer stops short without a word.
bool is_whole_fst(const fs::path& path) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  std::uint64_t at = 0;
  while (file && at < size) {
    constexpr int kUnfinished = 255;
    if (file.get() == kUnfinished) return false;
    std::uint64_t length = 0;
    for (int i = 0; i < 8; ++i) length = length << 8 | static_cast<std::uint64_t>(file.get() & 0xff);
    if (length < 8 || length > size - at) return false;
    at += 1 + length;
    file.seekg(static_cast<std::streamoff>(at));
  }
  return !error && size > 0 && at == size;
}

/// A trace in the making: written in a temporary folder beside its place (the writer makes more than one file and
/// removes what stands in its way), moved there when it is complete.
class Trace {
 public:
  explicit Trace(const std::string& name) : name_(name), target_(trace_target(name)) {
    remove_stale_temporaries(target_);
    try {
      folder_ = std::make_unique<TemporaryFolder>(temporary_beside(target_, "trace"));
    } catch (const fs::filesystem_error& error) {
      refuse(name_, "cannot be written: " + error.code().message());
    }
  }
  /// Where the model writes it.
  [[nodiscard]] std::string file() const { return (folder_->path() / "trace.fst").string(); }
  /// Moves it to its place; the model has closed it.
  void publish() {
    const std::string written = file();
    const std::unique_ptr<TemporaryFolder> removed_at_the_end = std::move(folder_);
    if (!is_whole_fst(written)) refuse(name_, "could not be written in whole; is the disk full?");
    std::error_code error;
    fs::rename(written, target_, error);
    if (error) refuse(name_, "cannot be written: " + error.message());
  }

 private:
  std::string name_;                         ///< as it was asked for
  fs::path target_;                          ///< symbolic links followed
  std::unique_ptr<TemporaryFolder> folder_;  ///< until it is published
};

class VerilatorEngine final : public Engine {
 public:
  VerilatorEngine(const std::string& path, int seed, const std::string& trace) {
    if (const std::string problem = load(path, functions_); !problem.empty()) {
      throw ToolError(fmt::format("{} cannot be used: {}", path, problem));
    }
    if (!trace.empty()) trace_.emplace(trace);
    model_ = functions_.create(trace_ ? trace_->file().c_str() : nullptr, seed);
    if (model_ == nullptr) refuse(trace, "cannot be written, or the switch was built without tracing");
  }
  VerilatorEngine(const VerilatorEngine&) = delete;
  VerilatorEngine& operator=(const VerilatorEngine&) = delete;
  ~VerilatorEngine() override {
    try {
      VerilatorEngine::close();
    } catch (const std::exception& error) {
      fmt::print(stderr, "fred: {}\n", error.what());
    }
  }

  void close() override {
    if (model_ == nullptr) return;
    functions_.destroy(model_);
    model_ = nullptr;
    if (trace_) trace_->publish();
  }

  void cycle(const InPins& in, OutPins& out) override {
    const ModelInputs inputs{in.rst_n,
                             in.s_tvalid.data(),
                             in.s_tdata.data(),
                             in.s_tkeep.data(),
                             in.s_tlast.data(),
                             in.s_tid.data(),
                             in.s_tdest.data(),
                             in.s_tuser.data(),
                             in.m_tready.data(),
                             in.m_vc_ready.data(),
                             in.awvalid,
                             in.wvalid,
                             in.bready,
                             in.arvalid,
                             in.rready,
                             in.awaddr,
                             in.wdata,
                             in.wstrb,
                             in.araddr,
                             in.error_clear,
                             in.phy_tx_ready.data(),
                             in.phy_rx_valid.data(),
                             in.phy_rx_first.data(),
                             in.phy_rx_data.data()};
    ModelOutputs outputs{out.s_tready.data(),
                         out.s_vc_ready.data(),
                         out.m_tvalid.data(),
                         out.m_tdata.data(),
                         out.m_tkeep.data(),
                         out.m_tlast.data(),
                         out.m_tid.data(),
                         out.m_tdest.data(),
                         out.m_tuser.data(),
                         out.halted.data(),
                         out.busy.data(),
                         out.hangs.data(),
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         out.phy_tx_valid.data(),
                         out.phy_tx_first.data(),
                         out.phy_tx_data.data(),
                         out.link_up.data()};
    const char* failure = functions_.cycle(model_, &inputs, &outputs);
    if (failure != nullptr) throw SwitchError(fmt::format("an assertion in the RTL failed: {}", failure));
    out.awready = outputs.awready != 0;
    out.wready = outputs.wready != 0;
    out.bvalid = outputs.bvalid != 0;
    out.arready = outputs.arready != 0;
    out.rvalid = outputs.rvalid != 0;
    out.bresp = outputs.bresp;
    out.rdata = outputs.rdata;
    out.rresp = outputs.rresp;
    out.error = outputs.error;
    out.irq = outputs.irq != 0;
  }

  [[nodiscard]] std::string name() const override { return "verilator"; }

 private:
  Model functions_;
  std::optional<Trace> trace_;
  void* model_ = nullptr;  ///< from fred_model_create, until it is closed
};

}  // namespace

std::string model_problem(const std::string& shared_object) {
  Model functions;
  return load(shared_object, functions);
}

void check_trace(const std::string& trace) {
  if (!trace.empty()) (void)trace_target(trace);
}

std::unique_ptr<Engine> open_model(const std::string& shared_object, int seed, const std::string& trace) {
  return std::make_unique<VerilatorEngine>(shared_object, seed, trace);
}

}  // namespace fred::tb
