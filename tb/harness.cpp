// SPDX-License-Identifier: Apache-2.0
#include "tb/harness.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "tb/diagnosis.hpp"

namespace fred::tb {

namespace {

constexpr std::uint64_t kLiteLimit = 1000;  // cycles until an unanswered register access is an error
constexpr int kResetCycles = 4;

template <typename T>
T at_or_zero(const std::vector<T>& values, std::size_t index) {
  return index < values.size() ? values[index] : T{};
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
  behaviour_ = behaviour;
  for (std::size_t port = 0; port < sources_.size(); ++port) {
    sources_[port].set_stall(at_or_zero(behaviour.stall_in, port), sub_seed(behaviour.seed, 1, port));
    sources_[port].set_honour_vc_ready(behaviour.honour_vc_ready);
    sinks_[port].set_stall(at_or_zero(behaviour.stall_out, port), sub_seed(behaviour.seed, 2, port));
    sinks_[port].set_vc_stall(behaviour.vc_stall);
  }
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
    if (port < issue_order.size()) {
      for (const int job : issue_order[port]) source.push(traffic[static_cast<std::size_t>(job)].sent[port]);
    } else {
      for (const Traffic& job : traffic) source.push(job.sent[port]);
    }
  }
  for (const Traffic& job : traffic) {
    Meter& meter = meters_[static_cast<std::size_t>(job.descriptor)];
    meter.beats_in.assign(sources_.size(), 0);
    meter.beats_out.assign(sources_.size(), 0);
    for (const Traffic::Sink& sink : job.sinks) {
      scoreboard_.expect(sink.port, job.descriptor, sink.packets, job.by_source);
    }
  }
  last_move_ = cycle_;
}

RunResult Harness::run(const std::vector<Traffic>& traffic, const std::vector<std::vector<int>>& issue_order) {
  start(traffic, issue_order);
  std::uint64_t skew = 0;  // cycles in which nothing need move
  for (const auto* starts : {&behaviour_.start_in, &behaviour_.start_out}) {
    for (const std::uint64_t cycles : *starts) skew = std::max(skew, cycles);
  }
  const std::uint64_t first = cycle_;
  const auto wall = std::chrono::steady_clock::now();
  const auto done = [this] {
    return scoreboard_.complete() &&
           std::all_of(sources_.begin(), sources_.end(), [](const auto& s) { return s.idle(); });
  };
  bool hung = false;
  while (!hung && !done()) {
    step();
    hung = cycle_ - last_move_ > idle_limit_ + skew;
  }
  // What should not come gets time to come.
  for (int i = 0; !hung && i < 2 * design_.first_beat_latency() + 8; ++i) step();
  run_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
  run_cycles_ += cycle_ - first;
  return collect(traffic, hung);
}

RunResult Harness::collect(const std::vector<Traffic>& traffic, bool hung) {
  RunResult result;
  scoreboard_.finish();
  result.messages = scoreboard_.messages();
  result.mismatches = scoreboard_.mismatches() + checker_.violations();
  result.messages.insert(result.messages.end(), checker_.messages().begin(), checker_.messages().end());
  for (const Traffic& job : traffic) {
    const auto index = static_cast<std::size_t>(job.descriptor);
    const Meter& meter = meters_[index];
    result.jobs.push_back({meter.first_in, meter.first_out, meter.last_out, meter.beats_in, meter.beats_out,
                           scoreboard_.mismatches(job.descriptor)});
  }
  try {
    if (hung) {
      ++result.mismatches;
      result.hang = describe_hang();
    }
    if (const LiteResult error = read(RegisterMap::kError); error.data != 0) {
      ++result.mismatches;
      result.messages.push_back(describe_error_register(error.data));
      write(RegisterMap::kError, error.data);
    }
  } catch (const SwitchError& error) {
    ++result.mismatches;
    result.messages.emplace_back(error.what());
    if (hung && result.hang.empty()) result.hang = "nothing moves, and the registers do not answer";
  }
  return result;
}

std::string Harness::describe_hang() {
  std::vector<PortView> ports;
  for (int port = 0; port < design_.radix; ++port) {
    const AxisSource& source = sources_[static_cast<std::size_t>(port)];
    PortView view;
    view.port = port;
    view.offering = source.offering();
    view.offered = source.current() == nullptr ? -1 : source.current()->descriptor;
    view.status = read(RegisterMap::kPort + 4 * static_cast<std::uint32_t>(port)).data;
    view.valid_out = get_bit(out_.m_tvalid, static_cast<std::size_t>(port));
    view.ready_out = sinks_[static_cast<std::size_t>(port)].ready();
    ports.push_back(view);
  }
  std::vector<std::uint32_t> status;
  for (const Descriptor& descriptor : setup_.descriptors) {
    status.push_back(read(registers_.descriptor(descriptor.index, RegisterMap::kStatus)).data);
  }
  return fmt::format("nothing has moved for {} cycles; {} packets have not arrived\n{}", cycle_ - last_move_,
                     scoreboard_.pending(), describe_waits(setup_.descriptors, status, ports));
}

}  // namespace fred::tb
