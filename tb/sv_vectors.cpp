// SPDX-License-Identifier: Apache-2.0
// Every word is written field by field, each field in whole hexadecimal digits with '_' between them.
#include "tb/sv_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "fred/design/registers.hpp"
#include "fred/network/network.hpp"
#include "fred/route/program.hpp"
#include "tb/descriptors.hpp"

namespace fred::tb {
namespace {

/// Codes of step_t.
enum class Action { kWrite = 0, kWriteRefused = 1, kRead = 2, kReadRefused = 3, kRunPhase = 4 };

constexpr int kSourceDigits = 3;  // of queue_t
constexpr int kQueueDestDigits = 2;

/// Appends to a text without a string in between: the files may be long.
template <typename... Args>
void put(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

/// A field of a word: its value, and the bits that the design has for it.
void put_field(std::string& text, std::uint32_t value, int bits) { put(text, "{:0{}x}_", value, (bits + 3) / 4); }

/// tkeep of a beat with `count` of `bytes` bytes.
void put_keep(std::string& text, int count, int bytes) {
  for (int digit = (bytes + 3) / 4; digit-- > 0;) {
    const int ones = std::clamp(count - 4 * digit, 0, 4);
    text += "0137f"[ones];
  }
  text += '_';
}

/// tdata, the last byte first. Bytes beyond `count` are `filler`.
void put_data(std::string& text, const std::byte* data, int count, int bytes, unsigned filler) {
  for (int i = bytes; i-- > 0;) put(text, "{:02x}", i < count ? std::to_integer<unsigned>(data[i]) : filler);
  text += '\n';
}

/// All beats of a packet: `user` without step_end, which the last one may have.
struct Packet {
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::uint32_t user = 0;
  bool step_end = false;
  int descriptor = 0;
  int vc = 0;
};

/// Returns how many.
std::size_t put_beats(std::string& text, const Design& design, const Packet& packet, int user_bits, unsigned filler) {
  const auto beat = static_cast<std::size_t>(design.bytes());
  std::size_t beats = 0;
  std::size_t at = 0;
  do {
    const std::size_t count = std::min(beat, packet.bytes - at);
    const bool last = at + count == packet.bytes;
    put_field(text, packet.user | (last && packet.step_end ? 1U : 0U), user_bits);
    put_field(text, static_cast<std::uint32_t>(packet.descriptor), design.descriptor_bits());
    put_field(text, static_cast<std::uint32_t>(packet.vc), design.vc_bits());
    put_field(text, last ? 1 : 0, 1);
    put_keep(text, static_cast<int>(count), design.bytes());
    put_data(text, count == 0 ? nullptr : packet.data + at, static_cast<int>(count), design.bytes(), filler);
    at += count;
    ++beats;
  } while (at < packet.bytes);
  return beats;
}

class Writer {
 public:
  explicit Writer(const Design& design) : design_(design), blocks_(register_blocks(design)), map_(design) {
    put(vectors_.program, "// action, address, data: 0 write, 1 write refused, 2 read, 3 read refused, 4 phase\n");
    put(vectors_.send, "// tuser, tdest, tid, tlast, tkeep, tdata\n");
    put(vectors_.send_first, "// first beat in send.hex, a line a phase and port, a word a virtual circuit\n");
    put(vectors_.expect, "// tuser, tdest, tid, tlast, tkeep, tdata\n");
    put(vectors_.queues, "// 1 if of one source only, the source, descriptor\n");
    put(vectors_.queue_beats, "// first beat in expect.hex, by queue\n");
    put(vectors_.queue_first, "// first queue in queues.hex, a line a phase, a word a port\n");
  }

  Vectors write(const std::vector<PlannedPhase>& phases) {
    identity();
    for (std::size_t number = 0; number < phases.size(); ++number) phase(phases[number], number);
    put(vectors_.send_first, "{:08x}\n", vectors_.sent);
    put(vectors_.queue_first, "{:08x}\n", vectors_.queued);
    put(vectors_.queue_beats, "{:08x}\n", vectors_.expected);
    return std::move(vectors_);
  }

 private:
  /// A descriptor and, in a `send`, a source: what is in order.
  struct Stream {
    int descriptor = 0;
    std::optional<int> source;
    friend auto operator<=>(const Stream&, const Stream&) = default;
  };

  void step(Action action, std::uint32_t address, std::uint32_t data, std::string_view comment) {
    put(vectors_.program, "{:x}_{:08x}_{:08x}  // {}\n", static_cast<int>(action), address, data, comment);
    ++vectors_.steps;
  }

  /// What reads as a constant, and accesses that must be refused.
  void identity() {
    put(vectors_.program, "// identity\n");
    for (const RegisterAt& at : all_registers(blocks_)) {
      if (at.item->is_constant()) step(Action::kRead, at.address, *at.item->reset, at.name());
    }
    step(Action::kRead, RegisterMap::kError, 0, "ERROR");
    step(Action::kWriteRefused, RegisterMap::kId, 0, "ID is read only");
    step(Action::kRead, RegisterMap::kId, RegisterMap::kIdValue, "ID, as it was");
    for (std::uint32_t address = 0; address >> map_.address_bits == 0; address += 4) {
      if (register_at(blocks_, address)) continue;
      step(Action::kReadRefused, address, 0, "there is no such register");
      step(Action::kWriteRefused, address, 0, "there is no such register");
      break;
    }
  }

  void set_up(const PlannedPhase& phase, const std::vector<Descriptor>& descriptors) {
    if (design_.vcs > 1) {
      std::uint32_t word = 0;
      for (std::size_t place = 0; place < phase.priority.size(); ++place) {
        word |= static_cast<std::uint32_t>(phase.priority[place]) << (RegisterMap::kPlaceBits * place);
      }
      step(Action::kWrite, RegisterMap::kPriority, word, "PRIORITY");
    }
    for (const Descriptor& descriptor : descriptors) {
      const std::vector<RegisterWrite> writes = register_writes(design_, descriptor);
      for (const RegisterWrite& write : writes) {
        step(Action::kWrite, write.address, write.data, fmt::format("{}: {}", write.name, write.meaning));
      }
      const RegisterWrite enable = enable_write(design_, descriptor.index, true);
      step(Action::kWrite, enable.address, enable.data, fmt::format("{}: {}", enable.name, enable.meaning));
      const RegisterWrite& first = writes.front();
      step(Action::kWriteRefused, first.address, first.data ^ 1U, fmt::format("{}: it is enabled", first.name));
      step(Action::kRead, first.address, first.data, fmt::format("{}, as it was", first.name));
    }
  }

  void phase(const PlannedPhase& phase, std::size_t number) {
    std::vector<Job> jobs;
    for (const PlannedDescriptor& descriptor : phase.descriptors) jobs.push_back(descriptor.rounds.front());
    const Network network = make_network(design_.radix, design_.middle);
    const Setup setup = make_setup(design_, network, jobs, {phase.epoch});
    put(vectors_.program, "// phase {}\n", number);
    for (std::size_t i = 0; i < phase.descriptors.size(); ++i) {
      put(vectors_.program, "//   descriptor {}: {}\n", i, describe(design_, phase.descriptors[i]));
    }
    set_up(phase, setup.descriptors);
    traffic(phase, number);
    step(Action::kRunPhase, phase.eager ? 1 : 0, static_cast<std::uint32_t>(number),
         phase.eager ? "run, not waiting for s_axis_vc_ready" : "run");
    step(Action::kRead, RegisterMap::kError, 0, "ERROR");
    for (const Descriptor& descriptor : setup.descriptors) {
      step(Action::kRead, map_.descriptor(descriptor.index, RegisterMap::kStatus), StatusFields::kEnabled.place(1),
           "STATUS: enabled, nothing under way");
      const RegisterWrite disable = enable_write(design_, descriptor.index, false);
      step(Action::kWrite, disable.address, disable.data, fmt::format("{}: {}", disable.name, disable.meaning));
    }
  }

  /// The beats of a phase, both sides.
  void traffic(const PlannedPhase& phase, std::size_t number) {
    std::vector<Traffic> all;  // in the order of issue
    std::size_t rounds = 0;
    for (const PlannedDescriptor& planned : phase.descriptors) rounds = std::max(rounds, planned.rounds.size());
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < phase.descriptors.size(); ++i) {
        const PlannedDescriptor& planned = phase.descriptors[i];
        if (round >= planned.rounds.size()) continue;
        validate(planned.rounds[round], design_, planned.packet_bytes);
        all.push_back(make_traffic(planned.rounds[round], design_, static_cast<int>(i),
                                   static_cast<std::uint8_t>(phase.epoch), planned.packet_bytes, false));
      }
    }
    for (int port = 0; port < design_.radix; ++port) {
      for (int vc = 0; vc < design_.vcs; ++vc) sent_by(all, number, port, vc);
      put(vectors_.queue_first, "{:08x}{}", vectors_.queued, port + 1 == design_.radix ? '\n' : ' ');
      expected_by(all, number, port);
    }
  }

  void sent_by(const std::vector<Traffic>& all, std::size_t number, int port, int vc) {
    put(vectors_.send_first, "{:08x}{}", vectors_.sent, vc + 1 == design_.vcs ? '\n' : ' ');
    bool first = true;
    for (const Traffic& traffic : all) {
      for (const SourcePacket& packet : traffic.sent[static_cast<std::size_t>(port)]) {
        if (packet.vc != vc) continue;
        if (first) put(vectors_.send, "// phase {}, port {}, VC {}\n", number, port, vc);
        first = false;
        const std::uint32_t user =
            static_cast<std::uint32_t>(packet.epoch) << 1 | static_cast<std::uint32_t>(packet.destination) << 5;
        vectors_.sent += put_beats(vectors_.send, design_,
                                   {packet.data, packet.bytes, user, packet.step_end, packet.descriptor, packet.vc},
                                   design_.s_user_bits(), 0xa5);
      }
    }
  }

  void expected_by(const std::vector<Traffic>& all, std::size_t number, int port) {
    std::map<Stream, std::vector<Packet>> streams;
    for (const Traffic& traffic : all) {
      for (const Traffic::Sink& sink : traffic.sinks) {
        if (sink.port != port) continue;
        for (const ExpectedPacket& packet : sink.packets) {
          const Stream stream{traffic.descriptor, traffic.by_source ? std::optional(packet.tag) : std::nullopt};
          const std::uint32_t user =
              static_cast<std::uint32_t>(packet.epoch) << 1 | static_cast<std::uint32_t>(packet.tag) << 6;
          streams[stream].push_back({packet.data, packet.bytes, user, packet.step_end, traffic.descriptor, traffic.vc});
        }
      }
    }
    for (const auto& [stream, packets] : streams) {
      put(vectors_.queues, "{}_{:0{}x}_{:0{}x}\n", stream.source ? 1 : 0, stream.source.value_or(0), kSourceDigits,
          stream.descriptor, kQueueDestDigits);
      put(vectors_.queue_beats, "{:08x}\n", vectors_.expected);
      ++vectors_.queued;
      put(vectors_.expect, "// phase {}, port {}, descriptor {}{}\n", number, port, stream.descriptor,
          stream.source ? fmt::format(", from port {}", *stream.source) : "");
      for (const Packet& packet : packets) {
        vectors_.expected += put_beats(vectors_.expect, design_, packet, design_.m_user_bits(), 0);
      }
    }
  }

  const Design& design_;
  std::vector<RegisterBlock> blocks_;
  RegisterMap map_;
  Vectors vectors_;
};

}  // namespace

std::string describe(const Design& design, const PlannedDescriptor& descriptor) {
  const Job& job = descriptor.rounds.front();
  std::string text = fmt::format("{} {}, {}", to_string(job.kind), to_string(job.flow()), to_string(job.dtype(design)));
  if (reduces(job.kind)) text += fmt::format(", {}", to_string(job.op));
  if (root_sends(job.kind)) text += fmt::format(", root port {}", job.in[static_cast<std::size_t>(job.root)]);
  if (root_receives(job.kind)) text += fmt::format(", root port {}", job.out[static_cast<std::size_t>(job.root)]);
  if (design.vcs > 1) text += fmt::format(", VC {}", job.vc);
  if (descriptor.rounds.size() > 1) text += fmt::format(", {} rounds", descriptor.rounds.size());
  return text;
}

Vectors make_vectors(const Design& design, const std::vector<PlannedPhase>& phases) {
  return Writer(design).write(phases);
}

}  // namespace fred::tb
