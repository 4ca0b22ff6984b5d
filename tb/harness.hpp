// SPDX-License-Identifier: Apache-2.0
// The simulation controller: one switch, a source and a sink at every port, a scoreboard, a protocol checker, an
// AXI4-Lite master. It resets, configures, runs collectives until all that is expected has come or nothing moves any
// more, and measures at the pins. Tests and `fred run` say what to run; there is no other main loop.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/design/register_map.hpp"
#include "fred/error.hpp"
#include "tb/axi_lite.hpp"
#include "tb/axis_sink.hpp"
#include "tb/axis_source.hpp"
#include "tb/collectives.hpp"
#include "tb/descriptors.hpp"
#include "tb/diagnosis.hpp"
#include "tb/engine.hpp"
#include "tb/protocol_checker.hpp"
#include "tb/scoreboard.hpp"

namespace fred::tb {

/// The switch did something that no run can go on from: a register access refused or unanswered. Exit code 1.
class SwitchError : public Error {
 public:
  explicit SwitchError(const std::string& message) : Error(1, message) {}
};

/// How one virtual circuit (VC) of a port behaves, beside what its port does. Cycles count from the start of a run.
struct CircuitBehaviour {
  double stall_in = 0;  ///< probability of a gap before a beat of the VC, 0 <= p < 1
  double vc_stall = 0;  ///< probability of a low m_axis_vc_ready of the VC, instead of Behaviour's if it is not 0
  std::uint64_t start_in = 0;   ///< cycles in which the source offers nothing of the VC
  std::uint64_t held_from = 0;  ///< first cycle in which m_axis_vc_ready of the VC is held low
  std::uint64_t held_to = 0;    ///< first cycle in which it is so no longer; the same as held_from: it is not held
};
constexpr std::uint64_t kForEver = ~std::uint64_t{0};  ///< a `held_to` that does not come

/// How the ports behave. Vectors are by port; an empty one means zeros.
struct Behaviour {
  std::vector<double> stall_in;          ///< probability of a gap before a beat, 0 <= p < 1
  std::vector<double> stall_out;         ///< probability of a low tready
  std::vector<std::uint64_t> start_in;   ///< cycles after the start of a run in which a source offers nothing
  std::vector<std::uint64_t> start_out;  ///< the same for a sink's tready
  double vc_stall = 0;                   ///< probability of a low m_axis_vc_ready, of each VC by itself
  bool honour_vc_ready = false;          ///< sources offer only after s_axis_vc_ready
  std::optional<bool> interleave{};      ///< packets of different VCs may alternate at a source; else: where it honours
  VcChoice vc_choice = VcChoice::kPriority;               ///< of all sources
  std::vector<int> vc_order;                              ///< of all sources, first the first; empty: 0, 1, 2, ...
  std::map<std::pair<int, int>, CircuitBehaviour> at_vc;  ///< by (port, VC); those not named: zeros
  std::uint64_t seed = 1;                                 ///< of all stalls and choices
};

/// What one job took. Cycles are counted from the harness's creation.
struct JobResult {
  std::uint64_t start = 0;                         ///< cycle from which its beats could be offered
  std::uint64_t first_in = 0;                      ///< cycle of the first accepted beat
  std::uint64_t first_out = 0;                     ///< cycle of the first delivered beat
  std::uint64_t last_out = 0;                      ///< cycle of the last delivered beat
  std::vector<std::uint64_t> beats_in, beats_out;  ///< by port: beats accepted, delivered
  std::size_t mismatches = 0;                      ///< of the scoreboard, for this job's descriptor

  /// From the first accepted to the first delivered beat: Design::first_beat_latency() where all operands came at once
  /// and nothing was in the way. 0 if nothing was delivered.
  [[nodiscard]] std::uint64_t first_beat_latency() const { return delivered() ? first_out - first_in : 0; }
  /// From the first accepted to the last delivered beat, both included; 0 if nothing was delivered.
  [[nodiscard]] std::uint64_t cycles() const { return delivered() ? last_out - first_in + 1 : 0; }
  /// Something was accepted and, later, something delivered.
  [[nodiscard]] bool delivered() const { return last_out > first_in && first_out > first_in && last_out >= first_out; }
};

struct RunResult {
  std::vector<JobResult> jobs;        ///< in the order given
  std::size_t mismatches = 0;         ///< scoreboard, protocol and error-register mismatches, and 1 for a time-out
  std::vector<std::string> messages;  ///< the first of them in words
  std::string hang;                   ///< who waits for what, if nothing moved any more; else empty
};

/// Cycles and beats of several jobs seen as one.
struct Summary {
  std::uint64_t beats = 0;               ///< that the busiest port must move: max over ports of beats in, beats out
  std::uint64_t cycles = 0;              ///< first accepted to last delivered beat, both included; 0 if none
  std::uint64_t first_beat_latency = 0;  ///< first delivered - first accepted
  double efficiency = 0;                 ///< beats / cycles
  std::size_t mismatches = 0;
};
[[nodiscard]] Summary summarise(const std::vector<const JobResult*>& jobs);

class Harness {
 public:
  Harness(Engine& engine, const Design& design);

  /// Holds reset for a few cycles and forgets everything under way.
  void reset();
  /// Applies to all runs from now on. Throws InputError when it names a port or VC that the design does not have, or an
  /// order that is none of all VCs.
  void set_behaviour(const Behaviour& behaviour);
  /// Cycles without any handshake after which a run is hung. What behaviour and latency can take is added; a run whose
  /// traffic moves again while the registers are read goes on.
  void set_idle_limit(std::uint64_t cycles) { idle_limit_ = cycles; }
  /// Called after every cycle with the pins of it.
  void set_hook(std::function<void(const InPins&, const OutPins&)> hook) { hook_ = std::move(hook); }

  /// One clock cycle of everything.
  void step();
  /// Blocking register accesses; they clock the switch with its traffic. SwitchError when no answer comes.
  LiteResult write(std::uint32_t address, std::uint32_t data, std::uint32_t strobes = 0xf);
  LiteResult read(std::uint32_t address);

  /// Disables what is enabled, writes the descriptors and enables them. SwitchError when a write is refused. A switch
  /// without registers has them already.
  void configure(const Setup& setup);
  /// Sends the traffic of the configured jobs and waits for all that is expected. Each port issues its jobs in the
  /// order `issue_order[port]` (indices of jobs), or as listed; each VC has an order of its own, and a job waits for
  /// those before it in its VC.
  RunResult run(const std::vector<Traffic>& traffic, const std::vector<std::vector<int>>& issue_order = {});

  [[nodiscard]] std::uint64_t cycles() const { return cycle_; }
  /// Wall-clock seconds spent in `run` and the cycles run there: the speed of the simulation.
  [[nodiscard]] double run_seconds() const { return run_seconds_; }
  [[nodiscard]] std::uint64_t run_cycles() const { return run_cycles_; }

  [[nodiscard]] AxisSource& source(int port) { return sources_[static_cast<std::size_t>(port)]; }
  [[nodiscard]] AxisSink& sink(int port) { return sinks_[static_cast<std::size_t>(port)]; }
  [[nodiscard]] Scoreboard& scoreboard() { return scoreboard_; }
  [[nodiscard]] const ProtocolChecker& checker() const { return checker_; }
  [[nodiscard]] const RegisterMap& registers() const { return registers_; }

 private:
  struct Meter {
    std::uint64_t start = 0, first_in = kNever, first_out = kNever, last_out = 0;  ///< cycles, see JobResult
    std::vector<std::uint64_t> beats_in, beats_out;                                ///< by port
  };
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void start(const std::vector<Traffic>& traffic, const std::vector<std::vector<int>>& issue_order);
  RunResult collect(const std::vector<Traffic>& traffic, const std::string& hang);
  /// What the behaviour says of a VC of a port.
  [[nodiscard]] const CircuitBehaviour& at_vc(int port, int vc) const;
  /// Cycles in which nothing need move though nothing hangs.
  [[nodiscard]] std::uint64_t longest_pause(const std::vector<Traffic>& traffic) const;
  /// Who waits for what; empty if something moved while the registers were read.
  [[nodiscard]] std::string find_hang(const std::vector<Traffic>& traffic);
  /// What is known of a VC of a port when nothing moves.
  [[nodiscard]] PortView view_of(int port, int vc);
  [[nodiscard]] std::string describe_hang(const std::vector<Traffic>& traffic);
  /// The ERROR register, or the pins in its place; cleared.
  [[nodiscard]] std::uint32_t take_errors();
  /// What the pins tell of a switch without registers.
  [[nodiscard]] std::string describe_pins() const;
  LiteResult wait_lite(const char* what, std::uint32_t address);

  Engine& engine_;
  Design design_;
  RegisterMap registers_;
  InPins in_;
  OutPins out_;
  std::vector<AxisSource> sources_;  ///< by port
  std::vector<AxisSink> sinks_;      ///< by port
  Scoreboard scoreboard_;
  ProtocolChecker checker_;
  AxiLite lite_;
  Behaviour behaviour_;
  Setup setup_;                ///< what is configured
  std::vector<Meter> meters_;  ///< by descriptor
  std::function<void(const InPins&, const OutPins&)> hook_;
  std::uint64_t cycle_ = 0;          ///< cycles since creation
  std::uint64_t last_move_ = 0;      ///< cycle of the last handshake on any stream
  std::uint64_t idle_limit_ = 5000;  ///< see set_idle_limit
  std::uint64_t run_cycles_ = 0;     ///< cycles in `run`
  double run_seconds_ = 0;           ///< seconds in `run`
};

}  // namespace fred::tb
