// SPDX-License-Identifier: Apache-2.0
#include "tb/harness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

namespace fred::tb {

namespace {

constexpr std::uint64_t kLiteLimit = 1000;  // cycles until an unanswered register access is an error
constexpr int kResetCycles = 4;

template <typename T>
T at_or_zero(const std::vector<T>& values, std::size_t index) {
  return index < values.size() ? values[index] : T{};
}

/// Throws InputError when a behaviour speaks of what the design does not have.
void check(const Behaviour& behaviour, const Design& design) {
  for (const auto& [where, of] : behaviour.at_vc) {
    const auto [port, vc] = where;
    if (port >= 0 && port < design.radix && vc >= 0 && vc < design.vcs) continue;
    throw InputError(fmt::format("behaviour of port {} VC {}: allowed are ports 0..{} and VCs 0..{}", port, vc,
                                 design.radix - 1, design.vcs - 1));
  }
  std::vector<int> sorted = behaviour.vc_order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> all(sorted.empty() ? 0 : static_cast<std::size_t>(design.vcs));
  std::iota(all.begin(), all.end(), 0);
  if (sorted == all) return;
  throw InputError(fmt::format("order of VCs {}: each of 0..{} must stand in it once",
                               fmt::join(behaviour.vc_order, ","), design.vcs - 1));
}

}  // namespace

Summary summarise(const std::vector<const JobResult*>& jobs) {
  Summary summary;
  if (jobs.empty()) return summary;
  std::uint64_t first_in = ~std::uint64_t{0};
  std::uint64_t first_out = ~std::uint64_t{0};
  std::uint64_t last_out = 0;
  std::vector<std::uint64_t> in(jobs.front()->beats_in.size(), 0);
  std::vector<std::uint64_t> out(in.size(), 0);
  for (const JobResult* job : jobs) {
    first_in = std::min(first_in, job->first_in);
    first_out = std::min(first_out, job->first_out);
    last_out = std::max(last_out, job->last_out);
    summary.mismatches += job->mismatches;
    for (std::size_t port = 0; port < in.size(); ++port) {
      in[port] += job->beats_in[port];
      out[port] += job->beats_out[port];
    }
  }
  summary.beats = std::max(*std::max_element(in.begin(), in.end()), *std::max_element(out.begin(), out.end()));
  if (last_out < first_in || first_out < first_in || last_out == 0) return summary;  // nothing was delivered
  summary.cycles = last_out - first_in + 1;
  summary.first_beat_latency = first_out - first_in;
  summary.efficiency = static_cast<double>(summary.beats) / static_cast<double>(summary.cycles);
  return summary;
}

Harness::Harness(Engine& engine, const Design& design)
    : engine_(engine),
      design_(design),
      registers_(design),
      in_(design),
      out_(design),
      scoreboard_(design),
      checker_(design) {
  for (int port = 0; port < design.radix; ++port) {
    sources_.emplace_back(design, port);
    sinks_.emplace_back(design, port);
  }
  meters_.resize(static_cast<std::size_t>(design.descriptors) + 1);
}

void Harness::set_behaviour(const Behaviour& behaviour) {
  check(behaviour, design_);
  behaviour_ = behaviour;
  for (std::size_t port = 0; port < sources_.size(); ++port) {
    sources_[port].set_stall(at_or_zero(behaviour.stall_in, port), sub_seed(behaviour.seed, 1, port));
    sources_[port].set_honour_vc_ready(behaviour.honour_vc_ready);
    sources_[port].set_interleave(behaviour.interleave.value_or(behaviour.honour_vc_ready));
    sources_[port].set_choice(behaviour.vc_choice);
    sources_[port].set_order(behaviour.vc_order);
    sinks_[port].set_stall(at_or_zero(behaviour.stall_out, port), sub_seed(behaviour.seed, 2, port));
    sinks_[port].set_vc_stall(behaviour.vc_stall);
    for (int vc = 0; vc < design_.vcs; ++vc) {
      const CircuitBehaviour& of = at_vc(static_cast<int>(port), vc);
      sources_[port].set_vc_stall(vc, of.stall_in);
      if (of.vc_stall > 0) sinks_[port].set_vc_stall(vc, of.vc_stall);
    }
  }
}

const CircuitBehaviour& Harness::at_vc(int port, int vc) const {
  static const CircuitBehaviour kNothing;
  const auto found = behaviour_.at_vc.find({port, vc});
  return found == behaviour_.at_vc.end() ? kNothing : found->second;
}

void Harness::reset() {
  setup_ = Setup{};
  scoreboard_.clear();
  lite_.reset();
  for (std::size_t port = 0; port < sources_.size(); ++port) {
    sources_[port] = AxisSource(design_, static_cast<int>(port));
  }
  set_behaviour(behaviour_);
  in_.rst_n = false;
  for (int i = 0; i < kResetCycles; ++i) step();
  in_.rst_n = true;
  step();
}

void Harness::step() {
  for (AxisSource& source : sources_) source.drive(in_, cycle_);
  for (AxisSink& sink : sinks_) sink.drive(in_, cycle_);
  lite_.drive(in_);
  engine_.cycle(in_, out_);
  checker_.check(in_, out_, cycle_);
  if (in_.rst_n) {
    for (std::size_t port = 0; port < sources_.size(); ++port) {
      if (const int descriptor = sources_[port].sample(out_); descriptor >= 0) {
        Meter& meter = meters_[static_cast<std::size_t>(std::min(descriptor, design_.descriptors))];
        if (!meter.beats_in.empty()) ++meter.beats_in[port];
        meter.first_in = std::min(meter.first_in, cycle_);
        last_move_ = cycle_;
      }
      if (ReceivedBeat beat; sinks_[port].sample(out_, beat)) {
        scoreboard_.receive(beat);
        Meter& meter = meters_[static_cast<std::size_t>(std::min(beat.descriptor, design_.descriptors))];
        if (!meter.beats_out.empty()) ++meter.beats_out[port];
        meter.first_out = std::min(meter.first_out, cycle_);
        meter.last_out = cycle_;
        last_move_ = cycle_;
      }
    }
    lite_.sample(out_);
  }
  if (hook_) hook_(in_, out_);
  ++cycle_;
}

LiteResult Harness::wait_lite(const char* what, std::uint32_t address) {
  const std::uint64_t limit = cycle_ + kLiteLimit;
  while (!lite_.done()) {
    if (cycle_ == limit) {
      lite_.reset();
      throw SwitchError(
          fmt::format("AXI4-Lite {} of {:#06x} was not answered in {} cycles", what, address, kLiteLimit));
    }
    step();
  }
  return lite_.result();
}

LiteResult Harness::write(std::uint32_t address, std::uint32_t data, std::uint32_t strobes) {
  lite_.start_write(address, data, strobes);
  return wait_lite("write", address);
}

LiteResult Harness::read(std::uint32_t address) {
  lite_.start_read(address);
  return wait_lite("read", address);
}

void Harness::configure(const Setup& setup) {
  if (design_.static_form) {
    setup_ = setup;
    return;
  }
  const auto must = [this](const RegisterWrite& write_of, int descriptor) {
    if (write(write_of.address, write_of.data).okay()) return;
    throw SwitchError(fmt::format("the switch refused to set register {:#06x} to {:#010x} (descriptor {})",
                                  write_of.address, write_of.data, descriptor));
  };
  for (const Descriptor& old : setup_.descriptors) must(enable_write(design_, old.index, false), old.index);
  setup_ = Setup{};
  for (const Descriptor& descriptor : setup.descriptors) {
    for (const RegisterWrite& write_of : register_writes(design_, descriptor)) must(write_of, descriptor.index);
  }
  for (const Descriptor& descriptor : setup.descriptors) {
    must(enable_write(design_, descriptor.index, true), descriptor.index);
    setup_.descriptors.push_back(descriptor);
  }
}

void Harness::start(const std::vector<Traffic>& traffic, const std::vector<std::vector<int>>& issue_order) {
  scoreboard_.clear();
  checker_.clear();
  for (Meter& meter : meters_) meter = Meter{};
  for (std::size_t port = 0; port < sources_.size(); ++port) {
    AxisSource& source = sources_[port];
    source.clear();
    source.set_start(cycle_ + at_or_zero(behaviour_.start_in, port));
    sinks_[port].set_start(cycle_ + at_or_zero(behaviour_.start_out, port));
    for (int vc = 0; vc < design_.vcs; ++vc) {
      const CircuitBehaviour& of = at_vc(static_cast<int>(port), vc);
      source.set_vc_start(vc, cycle_ + of.start_in);
      sinks_[port].hold(vc, cycle_ + of.held_from, of.held_to == kForEver ? kForEver : cycle_ + of.held_to);
    }
    const auto issue = [&](const Traffic& job) { source.push(job.sent[port], cycle_ + job.start); };
    if (port < issue_order.size()) {
      for (const int job : issue_order[port]) issue(traffic[static_cast<std::size_t>(job)]);
    } else {
      for (const Traffic& job : traffic) issue(job);
    }
  }
  for (const Traffic& job : traffic) {
    Meter& meter = meters_[static_cast<std::size_t>(job.descriptor)];
    meter.start = cycle_ + job.start;
    meter.beats_in.assign(sources_.size(), 0);
    meter.beats_out.assign(sources_.size(), 0);
    for (const Traffic::Sink& sink : job.sinks) {
      scoreboard_.expect(sink.port, job.descriptor, sink.packets, job.by_source, job.vc);
    }
  }
  last_move_ = cycle_;
}

RunResult Harness::run(const std::vector<Traffic>& traffic, const std::vector<std::vector<int>>& issue_order) {
  start(traffic, issue_order);
  const std::uint64_t limit = idle_limit_ + longest_pause(traffic);
  const std::uint64_t first = cycle_;
  const auto wall = std::chrono::steady_clock::now();
  const auto done = [this] {
    return scoreboard_.complete() &&
           std::all_of(sources_.begin(), sources_.end(), [](const auto& s) { return s.idle(); });
  };
  std::string hang;
  while (hang.empty() && !done()) {
    step();
    if (cycle_ - last_move_ > limit) hang = find_hang(traffic);
  }
  // What should not come gets time to come.
  for (int i = 0; hang.empty() && i < 2 * design_.first_beat_latency() + 8; ++i) step();
  run_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
  run_cycles_ += cycle_ - first;
  return collect(traffic, hang);
}

std::uint64_t Harness::longest_pause(const std::vector<Traffic>& traffic) const {
  std::uint64_t skew = 0;
  for (const Traffic& job : traffic) skew = std::max(skew, job.start);
  for (const auto* starts : {&behaviour_.start_in, &behaviour_.start_out}) {
    for (const std::uint64_t cycles : *starts) skew = std::max(skew, cycles);
  }
  // A stall is longer than this once in 10^15.
  const auto stall = [](double fraction) {
    return fraction > 0 ? static_cast<std::uint64_t>(std::ceil(-15 / std::log10(fraction))) : std::uint64_t{0};
  };
  double in = 0;
  double out = 0;
  double vc_out = behaviour_.vc_stall;
  for (const auto& [where, of] : behaviour_.at_vc) {
    skew = std::max(skew, of.start_in);
    if (of.held_to != kForEver && of.held_to > of.held_from) skew = std::max(skew, of.held_to);
    in = std::max(in, of.stall_in);
    vc_out = std::max(vc_out, of.vc_stall);
  }
  for (const double fraction : behaviour_.stall_in) in = std::max(in, fraction);
  for (const double fraction : behaviour_.stall_out) out = std::max(out, fraction);
  return skew + stall(in) + stall(out) + stall(vc_out) + static_cast<std::uint64_t>(design_.first_beat_latency());
}

RunResult Harness::collect(const std::vector<Traffic>& traffic, const std::string& hang) {
  RunResult result;
  scoreboard_.finish();
  result.messages = scoreboard_.messages();
  result.mismatches = scoreboard_.mismatches() + checker_.violations();
  result.messages.insert(result.messages.end(), checker_.messages().begin(), checker_.messages().end());
  for (const Traffic& job : traffic) {
    const auto index = static_cast<std::size_t>(job.descriptor);
    const Meter& meter = meters_[index];
    result.jobs.push_back({meter.start, meter.first_in, meter.first_out, meter.last_out, meter.beats_in,
                           meter.beats_out, scoreboard_.mismatches(job.descriptor)});
  }
  result.hang = hang;
  if (!hang.empty()) ++result.mismatches;
  try {
    if (const std::uint32_t error = take_errors(); error != 0) {
      ++result.mismatches;
      result.messages.push_back(describe_error_register(error));
    }
  } catch (const SwitchError& error) {
    ++result.mismatches;
    result.messages.emplace_back(error.what());
  }
  return result;
}

std::uint32_t Harness::take_errors() {
  if (!design_.static_form) {
    const std::uint32_t error = read(RegisterMap::kError).data;
    if (error != 0) write(RegisterMap::kError, error);
    return error;
  }
  const std::uint32_t error = out_.error;
  in_.error_clear = error;
  if (error != 0) step();
  in_.error_clear = 0;
  return error;
}

std::string Harness::find_hang(const std::vector<Traffic>& traffic) {
  const std::uint64_t last_move = last_move_;  // register accesses clock the switch
  const std::uint64_t silent = cycle_ - last_move_;
  std::string text;
  try {
    text = describe_hang(traffic);
  } catch (const SwitchError& error) {
    text = fmt::format("the registers do not answer: {}\n", error.what());
  }
  if (last_move_ != last_move) return {};
  const std::size_t missing = scoreboard_.pending();
  return fmt::format("nothing has moved for {} cycles; {} packet{} not arrived\n{}", silent, missing,
                     missing == 1 ? " has" : "s have", text);
}

std::string Harness::describe_pins() const {
  std::string text;
  for (const Descriptor& descriptor : setup_.descriptors) {
    const auto d = static_cast<std::size_t>(descriptor.index);
    text += fmt::format("descriptor {} ({} on {}){}{}{}\n", descriptor.index, to_string(descriptor.kind),
                        to_string(Flow{descriptor.in, descriptor.out}), get_bit(out_.halted, d) ? ": halted" : "",
                        get_bit(out_.busy, d) ? ": busy" : "", get_bit(out_.hangs, d) ? ": hangs" : "");
  }
  return text;
}

PortView Harness::view_of(int port, int vc) {
  const auto index = static_cast<std::size_t>(port);
  const AxisSource& source = sources_[index];
  PortView view;
  view.port = port;
  view.vc = vc;
  view.offering = source.offered_vc() == vc;
  view.offered = source.current(vc) == nullptr ? -1 : source.current(vc)->descriptor;
  view.blocked_by = source.offered_vc() == vc ? -1 : source.offered_vc();
  view.status = read(registers_.port(port, vc)).data;
  const std::uint32_t shown =
      get_field(out_.m_tid, index * static_cast<std::size_t>(design_.vc_bits()), design_.vc_bits());
  view.valid_out = get_bit(out_.m_tvalid, index) && shown == static_cast<std::uint32_t>(vc);
  view.ready_out = sinks_[index].ready();
  view.held_off = sinks_[index].holds(vc, cycle_);
  return view;
}

std::string Harness::describe_hang(const std::vector<Traffic>& traffic) {
  if (design_.static_form) return describe_pins();
  std::vector<PortView> ports;
  for (int port = 0; port < design_.radix; ++port) {
    for (int vc = 0; vc < design_.vcs; ++vc) ports.push_back(view_of(port, vc));
  }
  const auto beat_bytes = static_cast<std::size_t>(design_.bytes());
  std::vector<DescriptorView> views;
  for (std::size_t i = 0; i < setup_.descriptors.size(); ++i) {
    const Descriptor& descriptor = setup_.descriptors[i];
    const DType dtype = design_.dtypes()[static_cast<std::size_t>(descriptor.type)];
    const auto element_bytes = static_cast<std::size_t>(element_bits(dtype)) / 8;
    DescriptorView view;
    view.vc = setup_.descriptors[i].vc;
    view.status = read(registers_.descriptor(descriptor.index, RegisterMap::kStatus)).data;
    view.awaited = scoreboard_.awaited(descriptor.index);
    view.sent.resize(sources_.size());
    for (const Traffic& job : traffic) {
      if (job.descriptor != descriptor.index) continue;
      const Meter& meter = meters_[static_cast<std::size_t>(job.descriptor)];
      for (std::size_t port = 0; port < sources_.size(); ++port) {
        view.sent[port] = progress_of(job.sent[port], meter.beats_in[port], beat_bytes);
      }
      view.disagreement = describe_disagreement(descriptor, job.sent, view.sent, beat_bytes, element_bytes);
    }
    views.push_back(std::move(view));
  }
  return describe_waits(setup_.descriptors, views, ports, design_.vcs);
}

}  // namespace fred::tb
