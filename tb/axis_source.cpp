// SPDX-License-Identifier: Apache-2.0
#include "tb/axis_source.hpp"

#include <algorithm>
#include <cstring>

namespace fred::tb {

AxisSource::AxisSource(const Design& design, int port)
    : port_(static_cast<std::size_t>(port)),
      beat_bytes_(static_cast<std::size_t>(design.bytes())),
      dest_bits_(design.descriptor_bits()),
      user_bits_(design.s_user_bits()) {}

void AxisSource::set_stall(double fraction, std::uint64_t seed) {
  stall_ = Random::threshold(fraction);
  random_ = Random(seed);
}

void AxisSource::clear() {
  queue_.clear();
  next_ = 0;
  offset_ = 0;
}

void AxisSource::drive(InPins& in, std::uint64_t cycle) {
  if (offering_) return;
  const bool may = next_ != queue_.size() && cycle >= start_ && (vc_ready_ || !honour_vc_ready_);
  if (may && (stall_ == 0 || !random_.chance(stall_))) {
    place_beat(in);
    return;
  }
  if (pins_idle_) return;
  // What stands beside a low tvalid must not matter: show something that hurts if it does.
  set_bit(in.s_tvalid, port_, false);
  set_bit(in.s_tlast, port_, true);
  set_field(in.s_tuser, port_ * static_cast<std::size_t>(user_bits_), user_bits_, ~0U);
  set_field(in.s_tdest, port_ * static_cast<std::size_t>(dest_bits_), dest_bits_, ~0U);
  std::memset(bytes_at(in.s_tdata, port_ * beat_bytes_), 0x5a, beat_bytes_);
  pins_idle_ = true;
}

void AxisSource::place_beat(InPins& in) {
  const SourcePacket& packet = queue_[next_];
  const std::size_t left = packet.bytes - offset_;
  beat_count_ = std::min(left, beat_bytes_);
  const bool last = left <= beat_bytes_;

  std::byte* data = bytes_at(in.s_tdata, port_ * beat_bytes_);
  if (beat_count_ != 0) std::memcpy(data, packet.data + offset_, beat_count_);
  if (beat_count_ != beat_bytes_) std::memset(data + beat_count_, 0xa5, beat_bytes_ - beat_count_);
  set_prefix(in.s_tkeep, port_ * beat_bytes_, static_cast<int>(beat_bytes_), static_cast<int>(beat_count_));
  set_bit(in.s_tlast, port_, last);
  set_bit(in.s_tid, port_, false);
  set_field(in.s_tdest, port_ * static_cast<std::size_t>(dest_bits_), dest_bits_,
            static_cast<std::uint32_t>(packet.descriptor));
  const std::uint32_t user = (last && packet.step_end ? 1U : 0U) | (packet.epoch & 0xfU) << 1 |
                             static_cast<std::uint32_t>(packet.destination) << 5;
  set_field(in.s_tuser, port_ * static_cast<std::size_t>(user_bits_), user_bits_, user);
  set_bit(in.s_tvalid, port_, true);
  offering_ = true;
  pins_idle_ = false;
}

int AxisSource::sample(const OutPins& out) {
  vc_ready_ = get_bit(out.s_vc_ready, port_);
  if (!offering_ || !get_bit(out.s_tready, port_)) return -1;
  const SourcePacket& packet = queue_[next_];
  const int descriptor = packet.descriptor;
  offset_ += beat_count_;
  if (offset_ == packet.bytes) {
    ++next_;
    offset_ = 0;
  }
  offering_ = false;
  return descriptor;
}

}  // namespace fred::tb
