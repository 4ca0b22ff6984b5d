// SPDX-License-Identifier: Apache-2.0
#include "tb/protocol_checker.hpp"

#include <fmt/core.h>

#include <bit>
#include <cstring>

namespace fred::tb {

namespace {

/// Calls f(port) for every bit set in word w.
template <typename F>
void for_each_bit(std::uint32_t word, std::size_t w, F&& f) {
  for (; word != 0; word &= word - 1) f(w * 32 + static_cast<std::size_t>(std::countr_zero(word)));
}

std::uint32_t per_port(const Pins& pins, std::size_t port, int bits) {
  return get_field(pins, port * static_cast<std::size_t>(bits), bits);
}

}  // namespace

ProtocolChecker::ProtocolChecker(const Design& design)
    : beat_bytes_(design.bytes()), dest_bits_(design.descriptor_bits()), vcs_(design.vcs), vc_bits_(design.vc_bits()) {
  const OutPins out(design);
  const auto ports = static_cast<std::size_t>(design.radix);
  const auto circuits = ports * static_cast<std::size_t>(design.vcs);
  const auto make = [&](const char* name, int user_bits, int shift) {
    return Side{name,
                user_bits,
                shift,
                Pins(out.m_tvalid.size()),
                out.m_tdata,
                out.m_tkeep,
                out.m_tlast,
                out.m_tid,
                out.m_tdest,
                Pins(pin_words(ports * static_cast<std::size_t>(user_bits))),
                std::vector<bool>(circuits),
                std::vector<std::uint32_t>(circuits),
                std::vector<std::uint32_t>(circuits),
                false};
  };
  source_ = make("s_axis", design.s_user_bits(), 5);
  sink_ = make("m_axis", design.m_user_bits(), 6);
  sink_.whole = design.egress == Egress::kPacket;
  promised_ = Pins(out.s_vc_ready.size());
  allowed_ = Pins(out.s_vc_ready.size());
  unasked_ = Pins(out.m_tvalid.size());
}

void ProtocolChecker::clear() {
  violations_ = 0;
  messages_.clear();
}

void ProtocolChecker::fail(const char* stream, std::size_t port, const char* rule) {
  ++violations_;
  if (messages_.size() < kMaxMessages) {
    messages_.push_back(fmt::format("{} port {} cycle {}: {}", stream, port, cycle_, rule));
  }
}

void ProtocolChecker::check(const InPins& in, const OutPins& out, std::uint64_t cycle) {
  cycle_ = cycle;
  if (!in.rst_n) {
    // The first cycle of a reset still shows what was before; from the next on the outputs are reset.
    for (std::size_t w = 0; reset_seen_ && w < out.m_tvalid.size(); ++w) {
      for_each_bit(out.m_tvalid[w], w, [&](std::size_t p) { fail("m_axis", p, "tvalid is set in reset"); });
    }
    reset_seen_ = true;
    for (Side* side : {&source_, &sink_}) {
      side->stalled.assign(side->stalled.size(), 0);
      side->open.assign(side->open.size(), false);
    }
    unasked_.assign(unasked_.size(), 0);
    in_reset_ = true;
    return;
  }
  reset_seen_ = false;
  for (std::size_t w = 0; w < out.m_tvalid.size() && !in_reset_; ++w) {
    // Beats that are first offered in this cycle.
    const std::uint32_t new_in = in.s_tvalid[w] & ~source_.stalled[w];
    const std::uint32_t new_out = out.m_tvalid[w] & ~sink_.stalled[w];
    for_each_bit(new_in, w, [&](std::size_t p) { check_new_in(in, out, p); });
    for_each_bit(new_out, w, [&](std::size_t p) { check_new_out(out, p); });
    for_each_bit(unasked_[w] & ~(in.s_tvalid[w] & ~out.s_tready[w]), w, [&](std::size_t p) {
      if (per_port(out.s_vc_ready, p, vcs_) == (1U << vcs_) - 1U) set_bit(unasked_, p, false);
    });
  }
  check_side(source_,
             {in.s_tvalid, out.s_tready, in.s_tdata, in.s_tkeep, in.s_tlast, in.s_tid, in.s_tdest, in.s_tuser});
  check_side(sink_,
             {out.m_tvalid, in.m_tready, out.m_tdata, out.m_tkeep, out.m_tlast, out.m_tid, out.m_tdest, out.m_tuser});
  promised_ = out.s_vc_ready;
  allowed_ = in.m_vc_ready;
  in_reset_ = false;
}

void ProtocolChecker::check_new_in(const InPins& in, const OutPins& out, std::size_t port) {
  const std::uint32_t vc = per_port(in.s_tid, port, vc_bits_);
  if ((per_port(promised_, port, vcs_) >> vc & 1U) == 0) {
    set_bit(unasked_, port, vcs_ > 1);  // with one VC there is no other to wait for
  } else if (!get_bit(out.s_tready, port) && !get_bit(unasked_, port)) {
    fail("s_axis", port, "vc_ready was set, but the beat is not accepted at once");
  }
}

void ProtocolChecker::check_new_out(const OutPins& out, std::size_t port) {
  const std::uint32_t vc = per_port(out.m_tid, port, vc_bits_);
  if (vc >= static_cast<std::uint32_t>(vcs_)) return;  // check_accepted says so
  if ((per_port(allowed_, port, vcs_) >> vc & 1U) == 0) {
    fail("m_axis", port, "a beat is offered after a cycle without vc_ready");
  }
}

void ProtocolChecker::check_side(Side& side, const View& pins) {
  bool copy = false;
  for (std::size_t w = 0; w < pins.valid.size(); ++w) {
    for_each_bit(side.stalled[w], w, [&](std::size_t p) { check_stalled(side, pins, p); });
    for_each_bit(pins.valid[w] & pins.ready[w], w, [&](std::size_t p) { check_accepted(side, pins, p); });
    const std::uint32_t stalled = pins.valid[w] & ~pins.ready[w];
    copy = copy || (stalled & ~side.stalled[w]) != 0;
    side.stalled[w] = stalled;
  }
  if (!copy) return;
  side.data = pins.data;
  side.keep = pins.keep;
  side.last = pins.last;
  side.id = pins.id;
  side.dest = pins.dest;
  side.user = pins.user;
}

void ProtocolChecker::check_stalled(Side& side, const View& pins, std::size_t port) {
  if (!get_bit(pins.valid, port)) {
    fail(side.name, port, "tvalid fell before tready");
    return;
  }
  const auto bytes = static_cast<std::size_t>(beat_bytes_);
  const int count = get_prefix(pins.keep, port * bytes, beat_bytes_);
  const bool same = std::memcmp(bytes_at(pins.data, port * bytes), bytes_at(side.data, port * bytes), bytes) == 0 &&
                    count == get_prefix(side.keep, port * bytes, beat_bytes_) &&
                    get_bit(pins.last, port) == get_bit(side.last, port) &&
                    per_port(pins.id, port, vc_bits_) == per_port(side.id, port, vc_bits_) &&
                    per_port(pins.dest, port, dest_bits_) == per_port(side.dest, port, dest_bits_) &&
                    per_port(pins.user, port, side.user_bits) == per_port(side.user, port, side.user_bits);
  if (!same) fail(side.name, port, "the payload changed while it was stalled");
}

void ProtocolChecker::check_accepted(Side& side, const View& pins, std::size_t port) {
  const int count = get_prefix(pins.keep, port * static_cast<std::size_t>(beat_bytes_), beat_bytes_);
  const bool last = get_bit(pins.last, port);
  const std::uint32_t user = per_port(pins.user, port, side.user_bits);
  const std::uint32_t dest = per_port(pins.dest, port, dest_bits_);
  if (count < 0) fail(side.name, port, "tkeep is no prefix of ones");
  if (count >= 0 && count != beat_bytes_ && !last) fail(side.name, port, "tkeep is not full before the last beat");
  const std::uint32_t vc = per_port(pins.id, port, vc_bits_);
  if ((user & 1U) != 0 && !last) fail(side.name, port, "step_end without tlast");

  if (vc >= static_cast<std::uint32_t>(vcs_)) {
    fail(side.name, port, vcs_ == 1 ? "tid is not 0" : "tid is no virtual circuit of the switch");
    return;
  }
  const std::uint32_t constant = (user >> side.constant_shift) << 4 | (user >> 1 & 0xfU);
  const std::size_t circuit = port * static_cast<std::size_t>(vcs_) + vc;
  for (std::size_t other = port * static_cast<std::size_t>(vcs_);
       side.whole && other < (port + 1) * static_cast<std::size_t>(vcs_); ++other) {
    if (other != circuit && side.open[other]) fail(side.name, port, "a beat of another VC within a packet");
  }
  if (side.open[circuit] && (dest != side.open_dest[circuit] || constant != side.open_user[circuit])) {
    fail(side.name, port, "tdest, epoch, destination or step changed within a packet");
  }
  side.open[circuit] = !last;
  side.open_dest[circuit] = dest;
  side.open_user[circuit] = constant;
}

}  // namespace fred::tb
