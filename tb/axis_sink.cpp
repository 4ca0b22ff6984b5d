// SPDX-License-Identifier: Apache-2.0
#include "tb/axis_sink.hpp"

namespace fred::tb {

AxisSink::AxisSink(const Design& design, int port)
    : port_(static_cast<std::size_t>(port)),
      beat_bytes_(static_cast<std::size_t>(design.bytes())),
      dest_bits_(design.descriptor_bits()),
      user_bits_(design.m_user_bits()),
      port_bits_(design.port_bits()),
      vc_bits_(design.vc_bits()),
      circuits_(static_cast<std::size_t>(design.vcs)) {}

void AxisSink::set_stall(double fraction, std::uint64_t seed) {
  stall_ = Random::threshold(fraction);
  random_ = Random(seed);
}

void AxisSink::set_vc_stall(double fraction) {
  for (Circuit& of : circuits_) of.stall = Random::threshold(fraction);
}

void AxisSink::hold(int vc, std::uint64_t from, std::uint64_t to) {
  circuit(vc).held_from = from;
  circuit(vc).held_to = to;
}

bool AxisSink::holds(int vc, std::uint64_t cycle) const {
  const Circuit& of = circuits_[static_cast<std::size_t>(vc)];
  return cycle >= of.held_from && cycle < of.held_to;
}

void AxisSink::drive(InPins& in, std::uint64_t cycle) {
  ready_ = cycle >= start_ && cycle % period_ == phase_ && (stall_ == 0 || !random_.chance(stall_));
  set_bit(in.m_tready, port_, ready_);
  const auto vcs = static_cast<int>(circuits_.size());
  std::uint32_t vc_ready = 0;
  for (int vc = 0; vc < vcs; ++vc) {
    const std::uint32_t stall = circuit(vc).stall;
    if (!holds(vc, cycle) && (stall == 0 || !random_.chance(stall))) vc_ready |= 1U << vc;
  }
  set_field(in.m_vc_ready, port_ * circuits_.size(), vcs, vc_ready);
}

bool AxisSink::sample(const OutPins& out, ReceivedBeat& beat) const {
  if (!ready_ || !get_bit(out.m_tvalid, port_)) return false;
  const std::uint32_t user = get_field(out.m_tuser, port_ * static_cast<std::size_t>(user_bits_), user_bits_);
  beat.port = static_cast<int>(port_);
  beat.descriptor = static_cast<int>(get_field(out.m_tdest, port_ * static_cast<std::size_t>(dest_bits_), dest_bits_));
  beat.data = bytes_at(out.m_tdata, port_ * beat_bytes_);
  beat.count = get_prefix(out.m_tkeep, port_ * beat_bytes_, static_cast<int>(beat_bytes_));
  beat.vc = static_cast<int>(get_field(out.m_tid, port_ * static_cast<std::size_t>(vc_bits_), vc_bits_));
  beat.last = get_bit(out.m_tlast, port_);
  beat.step_end = (user & 1U) != 0;
  beat.epoch = static_cast<int>(user >> 1 & 0xfU);
  beat.error = (user >> 5 & 1U) != 0;
  beat.tag = static_cast<int>(user >> 6 & ((1U << port_bits_) - 1U));
  return true;
}

}  // namespace fred::tb
