// SPDX-License-Identifier: Apache-2.0
#include "tests/switch/fake_engine.hpp"

#include <algorithm>
#include <cstring>

#include "fred/numeric/reduce.hpp"
#include "tb/pins.hpp"

namespace fred::test {

using tb::bytes_at;
using tb::get_bit;
using tb::get_field;
using tb::set_bit;
using tb::set_field;

namespace {
constexpr std::uint32_t kVcError = 1U << 6;  // bit of ERROR
std::size_t index(int value) { return static_cast<std::size_t>(value); }
}  // namespace

FakeEngine::FakeEngine(const Design& design, Fault fault, int fault_at)
    : design_(design), map_(design), fault_(fault), countdown_(fault_at) {
  const auto ports = index(design.radix);
  const auto circuits = ports * index(design.vcs);
  ingress_.resize(circuits);
  egress_.resize(circuits);
  owner_.assign(circuits, -1);
  launched_.assign(ports, false);
  taken_.assign(ports, false);
  shown_.assign(ports, -1);
  allowed_.assign(tb::pin_words(circuits), 0);
  entries_.resize(index(design.descriptors));
  for (Entry& entry : entries_) entry.words.assign(map_.descriptor_stride / 4, 0);
  tables_.assign(index(design.alltoall_tables) << (2 * design.port_bits()), 0);
}

bool FakeEngine::strike(Fault fault) {
  if (fault_ != fault || faulted_ || countdown_-- > 0) return false;
  return faulted_ = true;
}

void FakeEngine::cycle(const tb::InPins& in, tb::OutPins& out) {
  outputs(out);
  if (!in.rst_n) {
    *this = FakeEngine(design_, fault_, countdown_);
    return;
  }
  launch();
  accept(in, out);
  registers(in);
  ++cycle_;
}

int FakeEngine::shown_vc(int port) {
  if (shown_[index(port)] >= 0) return strike(Fault::kDropValid) ? -1 : shown_[index(port)];
  for (int vc = 0; vc < design_.vcs; ++vc) {
    const auto& queue = egress_[circuit(port, vc)];
    if (queue.empty() || queue.front().at > cycle_) continue;
    if (get_bit(allowed_, circuit(port, vc)) || from_now(Fault::kIgnoreVcReady)) return vc;
  }
  return -1;
}

void FakeEngine::outputs(tb::OutPins& out) {
  // A source that honours vc_ready offers at most two beats of a VC on bits that do not know of each other. Where there
  // are several VCs it must never fill a buffer, which would stop the others.
  const std::size_t margin = design_.vcs > 1 ? 2 : 1;
  for (int p = 0; p < design_.radix; ++p) {
    const auto port = index(p);
    bool space = true;
    for (int vc = 0; vc < design_.vcs; ++vc) {
      const std::size_t fill = ingress_[circuit(p, vc)].size();
      space = space && fill < index(design_.ingress_depth);
      const bool room = fill + margin < index(design_.ingress_depth);
      set_bit(out.s_vc_ready, circuit(p, vc), room || from_now(Fault::kBreakPromise));
    }
    set_bit(out.s_tready, port, space);
    const int vc = shown_vc(p);
    set_bit(out.m_tvalid, port, vc >= 0);
    if (vc < 0) continue;
    const bool stalled = shown_[port] >= 0;
    shown_[port] = vc;
    const Beat& beat = egress_[circuit(p, vc)].front();
    const auto bytes = index(design_.bytes());
    std::memcpy(bytes_at(out.m_tdata, port * bytes), beat.data.data(), bytes);
    if (stalled && strike(Fault::kChangePayload)) *bytes_at(out.m_tdata, port * bytes) ^= std::byte{1};
    tb::set_prefix(out.m_tkeep, port * bytes, design_.bytes(), beat.count);
    set_bit(out.m_tlast, port, beat.last);
    const bool other = stalled && strike(Fault::kChangeVc);
    set_field(out.m_tid, port * index(design_.vc_bits()), design_.vc_bits(),
              static_cast<std::uint32_t>(other ? (vc + 1) % design_.vcs : beat.tid));
    set_field(out.m_tdest, port * index(design_.descriptor_bits()), design_.descriptor_bits(),
              static_cast<std::uint32_t>(beat.descriptor));
    const std::uint32_t user = (beat.step_end ? 1U : 0U) | static_cast<std::uint32_t>(beat.epoch) << 1 |
                               (beat.error ? 1U : 0U) << 5 | static_cast<std::uint32_t>(beat.tag) << 6;
    set_field(out.m_tuser, port * index(design_.m_user_bits()), design_.m_user_bits(), user);
  }
  out.awready = !aw_seen_;
  out.wready = !w_seen_;
  out.bvalid = b_valid_;
  out.bresp = b_;
  out.arready = !r_valid_;
  out.rvalid = r_valid_;
  out.rdata = r_data_;
  out.rresp = r_;
}

void FakeEngine::accept(const tb::InPins& in, const tb::OutPins& out) {
  for (int p = 0; p < design_.radix; ++p) {
    const auto port = index(p);
    if (get_bit(out.m_tvalid, port) && get_bit(in.m_tready, port)) {
      egress_[circuit(p, shown_[port])].pop_front();
      shown_[port] = -1;
    }
    if (!get_bit(in.s_tvalid, port) || !get_bit(out.s_tready, port)) continue;
    const auto bytes = index(design_.bytes());
    Beat beat;
    beat.data.assign(bytes_at(in.s_tdata, port * bytes), bytes_at(in.s_tdata, port * bytes) + bytes);
    beat.count = tb::get_prefix(in.s_tkeep, port * bytes, design_.bytes());
    beat.last = get_bit(in.s_tlast, port);
    beat.descriptor =
        static_cast<int>(get_field(in.s_tdest, port * index(design_.descriptor_bits()), design_.descriptor_bits()));
    const std::uint32_t user = get_field(in.s_tuser, port * index(design_.s_user_bits()), design_.s_user_bits());
    beat.step_end = (user & 1U) != 0;
    beat.epoch = static_cast<int>(user >> 1 & 0xfU);
    beat.destination = static_cast<int>(user >> 5);
    beat.at = cycle_ + 2;  // two cycles to the decision, so that all in all L + 4 pass
    beat.vc = static_cast<int>(get_field(in.s_tid, port * index(design_.vc_bits()), design_.vc_bits()));
    beat.tid = beat.vc;
    if (is_astray(beat)) error_ |= kVcError;
    ingress_[circuit(p, beat.vc)].push_back(std::move(beat));
  }
  allowed_ = in.m_vc_ready;
}

bool FakeEngine::is_astray(const Beat& beat) const {
  if (beat.descriptor >= design_.descriptors) return true;
  const Entry& entry = entries_[index(beat.descriptor)];
  return entry.enabled && entry.vc != beat.vc;
}

bool FakeEngine::has_head(int port, int d) const {
  const auto& queue = ingress_[circuit(port, entries_[index(d)].vc)];
  return !launched_[index(port)] && !queue.empty() && queue.front().at <= cycle_ && queue.front().descriptor == d;
}

bool FakeEngine::has_space(int port, int vc) const {
  const auto depth = index(design_.egress_depth == 0 ? design_.first_beat_latency() : design_.egress_depth);
  return egress_[circuit(port, vc)].size() < depth;
}

bool FakeEngine::can_deliver(const Ports& to, int vc, int owner) {
  return std::all_of(to.begin(), to.end(), [&](int port) {
    const int open = owner_[circuit(port, vc)];
    bool space = has_space(port, vc);
    for (int other = 0; other < design_.vcs; ++other) {
      if (!has_space(port, other) && from_now(Fault::kCoupleVcs)) space = false;
    }
    return !taken_[index(port)] && space && (open == -1 || open == owner || from_now(Fault::kSplitPacket));
  });
}

FakeEngine::Beat FakeEngine::take(int port, int vc) {
  launched_[index(port)] = true;
  auto& queue = ingress_[circuit(port, vc)];
  Beat beat = std::move(queue.front());
  queue.pop_front();
  return beat;
}

Ports FakeEngine::deliver_ports(const tb::Descriptor& descriptor, int step) const {
  switch (descriptor.kind) {
    case Kind::kReduce:
    case Kind::kGather:
      return {descriptor.root};
    case Kind::kReduceScatter:
    case Kind::kScatter:
      return {descriptor.out[index(step)]};
    default:
      return descriptor.out;
  }
}

void FakeEngine::launch() {
  launched_.assign(launched_.size(), false);
  taken_.assign(taken_.size(), false);
  for (int i = 0; i < design_.vcs * design_.descriptors; ++i) {
    const int vc = i / design_.descriptors;
    const int d = static_cast<int>((cycle_ + index(i)) % index(design_.descriptors));
    const Entry& entry = entries_[index(d)];
    if (!entry.enabled || entry.halted || entry.vc != vc) continue;
    if (entry.parsed.kind == Kind::kSend || entry.parsed.kind == Kind::kAllToAll) {
      launch_sources(d);
    } else {
      launch_tree(d);
    }
  }
}

bool FakeEngine::launch_tree(int d) {
  Entry& entry = entries_[index(d)];
  const Ports from = tb::launch_ports(entry.parsed, entry.step);
  const Ports to = deliver_ports(entry.parsed, entry.step);
  if (!std::all_of(from.begin(), from.end(), [&](int port) { return has_head(port, d); })) return false;
  const int vc = entry.vc;
  if (!can_deliver(to, vc, d)) return false;
  const Beat& first = ingress_[circuit(from.front(), vc)].front();
  std::vector<const std::byte*> operands;
  for (const int port : from) {
    const Beat& beat = ingress_[circuit(port, vc)].front();
    if (beat.count != first.count || beat.last != first.last || beat.step_end != first.step_end) {
      entry.halted = true;
      error_ |= 2;
      return false;
    }
    operands.push_back(beat.data.data());
  }
  if (operands.size() > 1 && strike(Fault::kUseOtherOperand)) operands[1] = operands[0];
  Beat result = first;
  result.tag = entry.step;
  if (from.size() > 1) {
    result.data = reduce_tree(design_.dtype, entry.parsed.op, design_.radix, from, operands, index(design_.bytes()));
  }
  for (const int port : from) (void)take(port, vc);
  for (const int port : to) {
    owner_[circuit(port, vc)] = result.last ? -1 : d;
    taken_[index(port)] = true;
  }
  if (result.step_end) {
    const Kind kind = entry.parsed.kind;
    const bool over_in = kind == Kind::kAllGather || kind == Kind::kGather;
    const bool over_out = kind == Kind::kReduceScatter || kind == Kind::kScatter;
    const auto steps = over_in ? entry.parsed.in.size() : over_out ? entry.parsed.out.size() : 1;
    entry.step = (entry.step + 1) % static_cast<int>(steps);
  }
  deliver(std::move(result), to);
  return true;
}

void FakeEngine::launch_sources(int d) {
  Entry& entry = entries_[index(d)];
  const bool send = entry.parsed.kind == Kind::kSend;
  bool sent = false;
  for (const int port : entry.parsed.in) {
    if (!has_head(port, d) || entry.ended[index(port)] || (send && sent)) continue;
    const Beat& head = ingress_[circuit(port, entry.vc)].front();
    const std::uint32_t table = tables_.empty() ? 0
                                                : tables_[(index(entry.parsed.table) << (2 * design_.port_bits())) +
                                                          (index(entry.step) << design_.port_bits()) + index(port)];
    const int to = send ? head.destination : static_cast<int>(table & 0xffU);
    const int owner = d + design_.descriptors * (port + 1);
    if (!can_deliver({to}, entry.vc, owner)) continue;
    Beat result = take(port, entry.vc);
    result.tag = send ? port : entry.step;
    owner_[circuit(to, entry.vc)] = result.last ? -1 : owner;
    taken_[index(to)] = true;
    entry.ended[index(port)] = !send && result.step_end;
    sent = true;
    deliver(std::move(result), {to});
  }
  const auto done = [&](int port) { return entry.ended[index(port)]; };
  if (!send && std::all_of(entry.parsed.in.begin(), entry.parsed.in.end(), done)) {
    entry.step = (entry.step + 1) % static_cast<int>(entry.parsed.in.size());
    entry.ended.assign(entry.ended.size(), false);
  }
}

void FakeEngine::deliver(Beat beat, const Ports& to) {
  beat.at = cycle_ + index(design_.first_beat_latency()) - 2;
  for (const int port : to) {
    Beat copy = beat;
    int target = port;
    if ((port == 0 || port == 1) && from_now(Fault::kSwapPorts)) target = 1 - port;
    auto& queue = egress_[circuit(target, beat.vc)];
    if (strike(Fault::kFlipBit)) copy.data[0] ^= std::byte{0x10};
    if (strike(Fault::kWrongStep)) copy.tag = (copy.tag + 1) % design_.radix;
    if (!copy.last && strike(Fault::kEarlyLast)) copy.last = true;
    if (copy.count > 0 && strike(Fault::kWrongKeep)) --copy.count;
    if (strike(Fault::kWrongEpoch)) copy.epoch ^= 1;
    if (strike(Fault::kWrongVc)) copy.tid = (copy.vc + 1) % design_.vcs;
    if (strike(Fault::kErrorBit)) copy.error = true;
    if (copy.step_end && strike(Fault::kNoStepEnd)) copy.step_end = false;
    if (strike(Fault::kLoseBeat)) continue;
    if (strike(Fault::kDoubleBeat)) queue.push_back(copy);
    queue.push_back(std::move(copy));
  }
}

void FakeEngine::registers(const tb::InPins& in) {
  if (b_valid_ && in.bready) b_valid_ = aw_seen_ = w_seen_ = false;
  if (r_valid_ && in.rready) r_valid_ = false;
  if (in.awvalid && !aw_seen_) aw_seen_ = true, aw_ = in.awaddr;
  if (in.wvalid && !w_seen_) w_seen_ = true, w_ = in.wdata;
  if (aw_seen_ && w_seen_ && !b_valid_) {
    b_ = write(aw_, w_) ? 0 : 2;
    b_valid_ = true;
  }
  if (in.arvalid && !r_valid_) {
    r_data_ = read(in.araddr);
    r_ = 0;
    r_valid_ = true;
  }
}

bool FakeEngine::write(std::uint32_t address, std::uint32_t data) {
  if (address == RegisterMap::kError) {
    error_ &= ~data;
    return true;
  }
  if (design_.alltoall_tables > 0 && address >= map_.alltoall_base) {
    const std::size_t entry = (address - map_.alltoall_base) / 4;
    if (entry >= tables_.size()) return false;
    tables_[entry] = data;
    return true;
  }
  if (address < map_.descriptor_base) return false;
  const auto d = (address - map_.descriptor_base) / map_.descriptor_stride;
  const auto offset = (address - map_.descriptor_base) % map_.descriptor_stride;
  if (d >= entries_.size()) return false;
  if (offset == RegisterMap::kControl) {
    enable(static_cast<int>(d), (data & 1U) != 0);
    return true;
  }
  if (entries_[d].enabled) return false;
  entries_[d].words[offset / 4] = data;
  return true;
}

void FakeEngine::enable(int d, bool on) {
  Entry& entry = entries_[index(d)];
  entry.enabled = on;
  entry.halted = false;
  entry.step = 0;
  entry.ended.assign(index(design_.radix), false);
  const std::uint32_t config = entry.words[RegisterMap::kConfig / 4];
  tb::Descriptor& parsed = entry.parsed;
  parsed.index = d;
  entry.vc = static_cast<int>(ConfigFields::kVc.of(config));
  parsed.kind = static_cast<Kind>(config & 0xfU);
  parsed.op = static_cast<Op>(config >> 4 & 7U);
  parsed.table = static_cast<int>(config >> 12 & 0xfU);
  parsed.root = static_cast<int>(config >> 16 & 0xffU);
  const auto members = [&](std::uint32_t offset) {
    Ports ports;
    for (int port = 0; port < design_.radix; ++port) {
      if ((entry.words[offset / 4 + index(port) / 32] >> (port % 32) & 1U) != 0) ports.push_back(port);
    }
    return ports;
  };
  parsed.in = members(RegisterMap::kInMask);
  parsed.out = members(map_.out_mask);
}

std::uint32_t FakeEngine::port_status(int port, int vc) const {
  const auto& queue = ingress_[circuit(port, vc)];
  std::uint32_t status = (owner_[circuit(port, vc)] >= 0 ? 4U : 0U) | (has_space(port, vc) ? 8U : 0U);
  if (queue.empty()) return status;
  if (is_astray(queue.front())) status |= 16U;
  return status | 1U | static_cast<std::uint32_t>(queue.front().descriptor) << 16;
}

std::uint32_t FakeEngine::read(std::uint32_t address) const {
  if (address == RegisterMap::kError) return error_;
  for (int port = 0; port < design_.radix; ++port) {
    for (int vc = 0; vc < design_.vcs; ++vc) {
      if (address == map_.port(port, vc)) return port_status(port, vc);
    }
  }
  if (address >= map_.descriptor_base && address < map_.descriptor_base + map_.descriptor_stride * entries_.size()) {
    const Entry& entry = entries_[(address - map_.descriptor_base) / map_.descriptor_stride];
    if ((address - map_.descriptor_base) % map_.descriptor_stride == RegisterMap::kStatus) {
      return (entry.enabled ? 1U : 0U) | (entry.halted ? 2U : 0U) | (entry.step > 0 ? 4U : 0U) |
             static_cast<std::uint32_t>(entry.step) << 16;
    }
  }
  return 0;
}

}  // namespace fred::test
