// SPDX-License-Identifier: Apache-2.0
#include "tb/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "fred/design/registers.hpp"

namespace fred::tb {

namespace {

/// descriptors[from] cannot launch because the head of `port` is of descriptors[to]: in its own virtual circuit (VC),
/// or in VC `blocked_by`, a beat of which the source must get rid of first.
struct Wait {
  std::size_t from = 0, to = 0;
  int port = 0;
  int blocked_by = -1;  ///< -1: in its own VC
};

/// The ports with their VCs.
struct Places {
  const std::vector<PortView>& views;  ///< by port * V + VC
  int vcs;                             ///< V
  [[nodiscard]] const PortView& at(int port, int vc) const {
    return views[static_cast<std::size_t>(port) * static_cast<std::size_t>(vcs) + static_cast<std::size_t>(vc)];
  }
  /// "port 4", "port 4 VC 2".
  [[nodiscard]] std::string name(const PortView& place) const {
    return vcs == 1 ? fmt::format("port {}", place.port) : fmt::format("port {} VC {}", place.port, place.vc);
  }
};

/// Depth-first search for a way from `node` back to `target`; leaves it in `path`.
bool find_way(const std::vector<Wait>& waits, std::size_t node, std::size_t target, std::vector<bool>& seen,
              std::vector<Wait>& path) {
  for (const Wait& wait : waits) {
    if (wait.from != node) continue;
    path.push_back(wait);
    if (wait.to == target) return true;
    if (!seen[wait.to]) {
      seen[wait.to] = true;
      if (find_way(waits, wait.to, target, seen, path)) return true;
    }
    path.pop_back();
  }
  return false;
}

std::string describe_cycle(const std::vector<Descriptor>& descriptors, const std::vector<Wait>& waits) {
  for (std::size_t start = 0; start < descriptors.size(); ++start) {
    std::vector<bool> seen(descriptors.size(), false);
    std::vector<Wait> path;
    if (!find_way(waits, start, start, seen, path)) continue;
    std::string text = "cycle: ";
    for (const Wait& wait : path) {
      text += fmt::format("descriptor {} waits for port {}, where descriptor {} is first{}; ",
                          descriptors[wait.from].index, wait.port, descriptors[wait.to].index,
                          wait.blocked_by < 0 ? "" : fmt::format(" in VC {} and in the way", wait.blocked_by));
    }
    return text + "the ports issue their collectives in orders that contradict each other\n";
  }
  return {};
}

std::uint64_t beats_of(const SourcePacket& packet, std::size_t beat_bytes) {
  return packet.bytes == 0 ? 1 : (packet.bytes + beat_bytes - 1) / beat_bytes;
}

bool stepped(Kind kind) {
  return kind == Kind::kAllGather || kind == Kind::kReduceScatter || kind == Kind::kGather || kind == Kind::kScatter ||
         kind == Kind::kAllToAll;
}

/// "port 3", "ports 3,4".
std::string port_list(const std::vector<int>& ports) {
  return fmt::format("port{} {}", ports.size() == 1 ? "" : "s", fmt::join(ports, ","));
}

/// What `port` has instead of a beat of `descriptor`.
std::string describe_missing(const Descriptor& descriptor, const DescriptorView& view, const PortView& port) {
  std::string why;
  if (port.head_valid()) {
    why = fmt::format("{} descriptor {}", port.held() ? "holds a faulty beat of" : "first there is", port.head());
  } else if (port.offered == descriptor.index) {
    why = "its source has not sent it yet";
    if (port.blocked_by >= 0) {
      why += fmt::format("; a beat of VC {}, which it offers, is not accepted", port.blocked_by);
    }
  } else if (port.offered >= 0) {
    why = fmt::format("its source is at descriptor {}", port.offered);
  } else {
    const Progress& sent = view.sent[static_cast<std::size_t>(port.port)];
    why = fmt::format("its source has nothing {}for it", sent.beats > 0 ? "more " : "");
    if (stepped(descriptor.kind) && sent.open_packets > 0) {
      why += fmt::format("; the step was not ended: {} packet{} without step_end", sent.open_packets,
                         sent.open_packets == 1 ? "" : "s");
    }
  }
  return fmt::format("port {} ({}{})", port.port, root_sends(descriptor.kind) ? "the root; " : "", why);
}

/// The ports that the descriptor cannot go on without in this step.
Ports needed_ports(const Descriptor& descriptor, const DescriptorView& view, int step, const Places& places) {
  const auto at_head = [&](int number) {
    const PortView& port = places.at(number, view.vc);
    return port.head_valid() && port.head() == descriptor.index;
  };
  if (descriptor.kind == Kind::kSend) {  // whose packets the sinks miss, or who has one
    Ports needed;
    for (const int port : descriptor.in) {
      const auto& from = view.awaited.tags;
      if (std::binary_search(from.begin(), from.end(), port) || at_head(port)) needed.push_back(port);
    }
    return needed;
  }
  Ports needed = launch_ports(descriptor, step);
  if (descriptor.kind == Kind::kAllToAll) {  // but those that have ended the step and sent no more
    std::erase_if(needed, [&](int port) {
      const std::size_t steps = view.sent[static_cast<std::size_t>(port)].steps;
      return !at_head(port) && steps % descriptor.in.size() != static_cast<std::size_t>(step);
    });
  }
  return needed;
}

/// `awaited`: the scoreboard expects packets there.
std::string describe_port(const PortView& port, const std::string& name, bool awaited) {
  std::string text;
  if (port.head_valid() && port.held()) {
    text += fmt::format("{}: the first beat, of descriptor {}, is held by an error\n", name, port.head());
  }
  if (port.offering) {
    text += fmt::format("{}: its source offers a beat of descriptor {} that is not accepted\n", name, port.offered);
  }
  if (port.valid_out && !port.ready_out) text += fmt::format("{}: its sink does not accept\n", name);
  if (awaited && port.held_off) text += fmt::format("{}: its sink holds m_axis_vc_ready low\n", name);
  if (!port.space_out()) {
    text += fmt::format("{}: no space at the output{}\n", name, port.open_out() ? ", inside a packet" : "");
  }
  return text;
}

/// The descriptor that keeps descriptors[i] from `port`, if there is one.
std::optional<Wait> wait_of(const std::vector<Descriptor>& descriptors, std::size_t i, const PortView& port,
                            const Places& places) {
  const bool blocked = !port.head_valid() && port.blocked_by >= 0 && port.offered == descriptors[i].index;
  const PortView& first = blocked ? places.at(port.port, port.blocked_by) : port;
  if (!first.head_valid()) return std::nullopt;
  for (std::size_t other = 0; other < descriptors.size(); ++other) {
    if (descriptors[other].index != first.head() || other == i) continue;
    return Wait{i, other, port.port, blocked ? port.blocked_by : -1};
  }
  return std::nullopt;
}

}  // namespace

Progress progress_of(const std::vector<SourcePacket>& packets, std::uint64_t beats, std::size_t beat_bytes) {
  Progress progress;
  progress.beats = beats;
  for (const SourcePacket& packet : packets) {
    const std::uint64_t size = beats_of(packet, beat_bytes);
    if (size > beats) break;
    beats -= size;
    progress.steps += packet.step_end ? 1 : 0;
    progress.open_packets = packet.step_end ? 0 : progress.open_packets + 1;
  }
  return progress;
}

std::string describe_disagreement(const Descriptor& descriptor, const std::vector<std::vector<SourcePacket>>& sent,
                                  const std::vector<Progress>& progress, std::size_t beat_bytes,
                                  std::size_t element_bytes) {
  if (!reduces(descriptor.kind)) return {};
  std::uint64_t before = 0;  // beats of the packets in which all agree
  for (std::size_t index = 0;; ++index) {
    std::uint64_t last = ~std::uint64_t{0};  // the first beat, in this packet, that has tlast at some port
    for (const int port : descriptor.in) {
      const auto& packets = sent[static_cast<std::size_t>(port)];
      if (index == packets.size()) return {};
      last = std::min(last, beats_of(packets[index], beat_bytes) - 1);
    }
    std::vector<std::pair<std::string, std::vector<int>>> held;  // what the ports have there
    bool cut = false;
    for (const int port : descriptor.in) {
      const SourcePacket& packet = sent[static_cast<std::size_t>(port)][index];
      const bool ends = last + 1 == beats_of(packet, beat_bytes);
      const std::size_t bytes = ends ? packet.bytes - static_cast<std::size_t>(last) * beat_bytes : beat_bytes;
      cut = cut || (descriptor.in.size() > 1 && bytes % element_bytes != 0);
      const std::string text =
          fmt::format("{} bytes{}{}", bytes, ends ? ", tlast" : "", ends && packet.step_end ? ", step_end" : "");
      auto same = std::find_if(held.begin(), held.end(), [&](const auto& other) { return other.first == text; });
      if (same == held.end()) same = held.insert(held.end(), {text, {}});
      same->second.push_back(port);
    }
    if (held.size() == 1 && !cut) {
      before += last + 1;
      continue;
    }
    std::string text = fmt::format("beat {}: ", before + last);
    for (const auto& [what, ports] : held) {
      text += fmt::format("{}{} {} {}", ports == held.front().second ? "" : "; ", port_list(ports),
                          ports.size() == 1 ? "has" : "have", what);
    }
    const bool accepted = std::all_of(descriptor.in.begin(), descriptor.in.end(), [&](int port) {
      return progress[static_cast<std::size_t>(port)].beats > before + last;
    });
    return accepted ? text : std::string();
  }
}

std::string describe_waits(const std::vector<Descriptor>& descriptors, const std::vector<DescriptorView>& views,
                           const std::vector<PortView>& ports, int vcs) {
  const Places places{ports, vcs};
  std::string text;
  std::vector<Wait> waits;
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    const Descriptor& descriptor = descriptors[i];
    const DescriptorView& view = views[i];
    const int step = static_cast<int>(view.status >> 16);
    const bool halted = (view.status >> 1 & 1U) != 0;
    const bool busy = (view.status >> 2 & 1U) != 0;
    const bool wanted =
        busy || halted || view.awaited.packets > 0 || std::any_of(ports.begin(), ports.end(), [&](const auto& port) {
          return (port.head_valid() && !port.held() && port.head() == descriptor.index) ||
                 port.offered == descriptor.index;
        });
    if (!wanted) continue;
    text +=
        fmt::format("descriptor {} ({} {}{})", descriptor.index, to_string(descriptor.kind),
                    to_string(Flow{descriptor.in, descriptor.out}), vcs == 1 ? "" : fmt::format(", VC {}", view.vc));
    if (StatusFields::kSpoiled.of(view.status) != 0) {
      text += " halted: its beats met those of another flow in the network, or may have (ERROR bit 0, conflict)\n";
      continue;
    }
    if (halted) {
      text +=
          " halted: its operands disagree in tlast, step_end or byte count, or cut an element (ERROR bit 1, "
          "mismatch)";
      text += view.disagreement.empty() ? "\n" : "; " + view.disagreement + "\n";
      continue;
    }
    if (stepped(descriptor.kind)) text += fmt::format(", step {}", step);
    if (busy) text += ", begun";
    std::string missing;
    for (const int number : needed_ports(descriptor, view, step, places)) {
      const PortView& port = places.at(number, view.vc);
      if (port.head_valid() && port.head() == descriptor.index && !port.held()) continue;
      missing += (missing.empty() ? "" : ", ") + describe_missing(descriptor, view, port);
      if (const auto wait = wait_of(descriptors, i, port, places)) waits.push_back(*wait);
    }
    text += missing.empty() ? ": has all its operands; waits for space at its outputs" : ": waits for " + missing;
    if (view.awaited.packets > 0) {
      text += fmt::format("; {} packet{} missing at {}", view.awaited.packets, view.awaited.packets == 1 ? "" : "s",
                          port_list(view.awaited.ports));
    }
    text += '\n';
  }
  for (const PortView& port : ports) {
    const bool awaited = std::any_of(views.begin(), views.end(), [&](const DescriptorView& view) {
      const std::vector<int>& at = view.awaited.ports;
      return view.vc == port.vc && std::binary_search(at.begin(), at.end(), port.port);
    });
    text += describe_port(port, places.name(port), awaited);
  }
  return text + describe_cycle(descriptors, waits);
}

std::string describe_error_register(std::uint32_t error) {
  const std::vector<RegisterBlock> blocks = register_blocks(Design{});
  std::string names;
  for (const RegisterField& field : register_named(blocks, "ERROR").fields) {
    if (field.bits.of(error) != 0) names += (names.empty() ? "" : ", ") + field.name;
  }
  return fmt::format("ERROR register {:#x}: {}", error, names);
}

}  // namespace fred::tb
