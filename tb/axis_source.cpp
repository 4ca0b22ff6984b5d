// SPDX-License-Identifier: Apache-2.0
#include "tb/axis_source.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace fred::tb {

AxisSource::AxisSource(const Design& design, int port)
    : port_(static_cast<std::size_t>(port)),
      beat_bytes_(static_cast<std::size_t>(design.bytes())),
      dest_bits_(design.descriptor_bits()),
      user_bits_(design.s_user_bits()),
      vc_bits_(design.vc_bits()),
      circuits_(static_cast<std::size_t>(design.vcs)) {
  set_order({});
  able_.reserve(circuits_.size());
}

void AxisSource::push(const SourcePacket& packet, std::uint64_t from) {
  circuit(packet.vc).queue.push_back({packet, from});
  ++unsent_;
}

void AxisSource::push(const std::vector<SourcePacket>& packets, std::uint64_t from) {
  for (const SourcePacket& packet : packets) push(packet, from);
}

void AxisSource::set_stall(double fraction, std::uint64_t seed) {
  stall_ = Random::threshold(fraction);
  random_ = Random(seed);
}

void AxisSource::set_order(const std::vector<int>& order) {
  order_ = order;
  if (!order.empty()) return;
  order_.resize(circuits_.size());
  std::iota(order_.begin(), order_.end(), 0);
}

const SourcePacket* AxisSource::current(int vc) const {
  const Circuit& of = circuit(vc);
  return of.idle() ? nullptr : &of.queue[of.next].packet;
}

void AxisSource::clear() {
  for (Circuit& of : circuits_) {
    of.queue.clear();
    of.next = 0;
    of.offset = 0;
  }
  unsent_ = 0;
}

int AxisSource::bound_vc() const {
  if (interleave_) return -1;
  for (const int vc : order_) {
    if (circuit(vc).offset != 0) return vc;
  }
  return -1;
}

int AxisSource::choose(std::uint64_t cycle) {
  if (unsent_ == 0 || cycle < start_) return -1;
  const int bound = bound_vc();
  able_.clear();
  for (const int vc : order_) {
    const Circuit& of = circuit(vc);
    if (of.idle() || cycle < of.start || cycle < of.queue[of.next].from || (bound >= 0 && bound != vc)) continue;
    if (honour_vc_ready_ && (vc_ready_ >> vc & 1U) == 0) continue;
    if (of.stall != 0 && random_.chance(of.stall)) continue;
    able_.push_back(vc);
  }
  if (able_.empty() || (stall_ != 0 && random_.chance(stall_))) return -1;
  if (choice_ == VcChoice::kPriority || able_.size() == 1) return able_.front();
  return able_[static_cast<std::size_t>(random_.below(static_cast<int>(able_.size())))];
}

void AxisSource::drive(InPins& in, std::uint64_t cycle) {
  if (offering_) return;
  if (const int vc = choose(cycle); vc >= 0) {
    place_beat(in, vc);
    return;
  }
  if (pins_idle_) return;
  // What stands beside a low tvalid must not matter: show something that hurts if it does.
  set_bit(in.s_tvalid, port_, false);
  set_bit(in.s_tlast, port_, true);
  set_field(in.s_tid, port_ * static_cast<std::size_t>(vc_bits_), vc_bits_, ~0U);
  set_field(in.s_tuser, port_ * static_cast<std::size_t>(user_bits_), user_bits_, ~0U);
  set_field(in.s_tdest, port_ * static_cast<std::size_t>(dest_bits_), dest_bits_, ~0U);
  std::memset(bytes_at(in.s_tdata, port_ * beat_bytes_), 0x5a, beat_bytes_);
  pins_idle_ = true;
}

void AxisSource::place_beat(InPins& in, int vc) {
  const Circuit& from = circuit(vc);
  const SourcePacket& packet = from.queue[from.next].packet;
  const std::size_t left = packet.bytes - from.offset;
  beat_count_ = std::min(left, beat_bytes_);
  const bool last = left <= beat_bytes_;

  std::byte* data = bytes_at(in.s_tdata, port_ * beat_bytes_);
  if (beat_count_ != 0) std::memcpy(data, packet.data + from.offset, beat_count_);
  if (beat_count_ != beat_bytes_) std::memset(data + beat_count_, 0xa5, beat_bytes_ - beat_count_);
  set_prefix(in.s_tkeep, port_ * beat_bytes_, static_cast<int>(beat_bytes_), static_cast<int>(beat_count_));
  set_bit(in.s_tlast, port_, last);
  set_field(in.s_tid, port_ * static_cast<std::size_t>(vc_bits_), vc_bits_, static_cast<std::uint32_t>(packet.vc));
  set_field(in.s_tdest, port_ * static_cast<std::size_t>(dest_bits_), dest_bits_,
            static_cast<std::uint32_t>(packet.descriptor));
  const std::uint32_t user = (last && packet.step_end ? 1U : 0U) | (packet.epoch & 0xfU) << 1 |
                             static_cast<std::uint32_t>(packet.destination) << 5;
  set_field(in.s_tuser, port_ * static_cast<std::size_t>(user_bits_), user_bits_, user);
  set_bit(in.s_tvalid, port_, true);
  offered_ = vc;
  offering_ = true;
  pins_idle_ = false;
}

int AxisSource::sample(const OutPins& out) {
  const auto vcs = static_cast<int>(circuits_.size());
  vc_ready_ = get_field(out.s_vc_ready, port_ * circuits_.size(), vcs);
  if (!offering_ || !get_bit(out.s_tready, port_)) return -1;
  Circuit& from = circuit(offered_);
  const SourcePacket& packet = from.queue[from.next].packet;
  const int descriptor = packet.descriptor;
  from.offset += beat_count_;
  if (from.offset == packet.bytes) {
    ++from.next;
    from.offset = 0;
    --unsent_;
  }
  offering_ = false;
  return descriptor;
}

}  // namespace fred::tb
