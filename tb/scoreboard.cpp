// SPDX-License-Identifier: Apache-2.0
#include "tb/scoreboard.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace fred::tb {

Scoreboard::Scoreboard(const Design& design)
    : radix_(design.radix),
      descriptors_(design.descriptors),
      vcs_(design.vcs),
      beat_bytes_(static_cast<std::size_t>(design.bytes())) {
  clear();
}

void Scoreboard::clear() {
  streams_.assign(static_cast<std::size_t>(radix_) * static_cast<std::size_t>(descriptors_), Stream{});
  open_.assign(static_cast<std::size_t>(radix_) * static_cast<std::size_t>(vcs_), nullptr);
  mismatches_.assign(static_cast<std::size_t>(descriptors_) + 1, 0);
  messages_.clear();
  pending_ = 0;
}

void Scoreboard::expect(int port, int descriptor, const std::vector<ExpectedPacket>& packets, bool by_source, int vc) {
  Stream& target = stream(port, descriptor);
  if (target.queues.empty()) {
    target.by_source = by_source;
    target.vc = vc;
    target.queues.resize(by_source ? static_cast<std::size_t>(radix_) : 1);
  }
  for (const ExpectedPacket& packet : packets) {
    target.queues[by_source ? static_cast<std::size_t>(packet.tag) : 0].packets.push_back(packet);
  }
  pending_ += packets.size();
}

std::size_t Scoreboard::mismatches() const {
  return std::accumulate(mismatches_.begin(), mismatches_.end(), std::size_t{0});
}

void Scoreboard::fail(const ReceivedBeat& beat, const Queue* queue, const std::string& text) {
  ++mismatches_[static_cast<std::size_t>(std::min(beat.descriptor, descriptors_))];
  if (messages_.size() >= kMaxMessages) return;
  const std::string where =
      queue == nullptr ? std::string() : fmt::format(" packet {} byte {}", queue->next, queue->offset);
  messages_.push_back(fmt::format("port {} descriptor {}{}: {}", beat.port, beat.descriptor, where, text));
}

void Scoreboard::receive(const ReceivedBeat& beat) {
  if (beat.descriptor >= descriptors_) {
    fail(beat, nullptr, "beat of a descriptor that does not exist");
    return;
  }
  Stream& from = stream(beat.port, beat.descriptor);
  const std::size_t which = from.by_source ? static_cast<std::size_t>(beat.tag) : 0;
  if (which >= from.queues.size() || from.queues[which].next == from.queues[which].packets.size()) {
    fail(beat, nullptr,
         fmt::format("unexpected beat of {} bytes, tag {}{}", beat.count, beat.tag, beat.last ? ", last" : ""));
    return;
  }
  Queue& queue = from.queues[which];
  if (beat.vc != from.vc) fail(beat, &queue, fmt::format("tid: expected VC {}, got {}", from.vc, beat.vc));
  Queue*& inside = open(beat.port, from.vc);  // where it should be: one wrong tid is one mismatch
  if (inside != nullptr && inside != &queue) fail(beat, &queue, "beat inside another packet that is still open");

  const ExpectedPacket& packet = queue.packets[queue.next];
  const std::size_t left = packet.bytes - queue.offset;
  const std::size_t want = std::min(left, beat_bytes_);
  const bool want_last = left <= beat_bytes_;
  const bool too_long = queue.open && left == 0;  // beats beyond the packet's end, after a missing tlast
  if (too_long) {
    fail(beat, &queue, "packet is longer than expected");
  } else {
    if (beat.count != static_cast<int>(want)) {
      fail(beat, &queue, fmt::format("tkeep: expected {} bytes, got {}", want, beat.count));
    }
    if (beat.last != want_last) {
      fail(beat, &queue, fmt::format("tlast: expected {:d}, got {:d}", want_last, beat.last));
    }
    if (beat.step_end != (want_last && packet.step_end)) {
      fail(beat, &queue, fmt::format("step_end: expected {:d}, got {:d}", want_last && packet.step_end, beat.step_end));
    }
    if (beat.epoch != packet.epoch) {
      fail(beat, &queue, fmt::format("epoch: expected {}, got {}", packet.epoch, beat.epoch));
    }
    if (beat.error) fail(beat, &queue, "error bit set");
    if (beat.tag != packet.tag) {
      fail(beat, &queue, fmt::format("step or source: expected {}, got {}", packet.tag, beat.tag));
    }
    const std::size_t have = beat.count < 0 ? 0 : static_cast<std::size_t>(beat.count);
    compare_data(beat, queue, std::min(want, have));
    queue.offset += want;
  }
  queue.open = !beat.last;
  inside = beat.last ? nullptr : &queue;
  if (beat.last) close(queue);
}

void Scoreboard::compare_data(const ReceivedBeat& beat, const Queue& queue, std::size_t want) {
  if (want == 0) return;
  const ExpectedPacket& packet = queue.packets[queue.next];
  const std::byte* golden = packet.data + queue.offset;
  if (packet.capture != nullptr) std::memcpy(packet.capture + queue.offset, beat.data, want);
  if (std::memcmp(golden, beat.data, want) == 0) return;
  const auto differ = std::mismatch(golden, golden + want, beat.data);
  fail(beat, &queue,
       fmt::format("data: byte {} of the beat: expected {:02x}, got {:02x}", differ.first - golden,
                   std::to_integer<int>(*differ.first), std::to_integer<int>(*differ.second)));
}

void Scoreboard::close(Queue& queue) {
  ++queue.next;
  queue.offset = 0;
  --pending_;
}

Scoreboard::Awaited Scoreboard::awaited(int descriptor) const {
  Awaited result;
  for (int port = 0; port < radix_; ++port) {
    for (const Queue& queue : streams_[index(port, descriptor)].queues) {
      if (queue.next == queue.packets.size()) continue;
      result.packets += queue.packets.size() - queue.next;
      if (result.ports.empty() || result.ports.back() != port) result.ports.push_back(port);
      result.tags.push_back(queue.packets[queue.next].tag);
    }
  }
  std::sort(result.tags.begin(), result.tags.end());
  result.tags.erase(std::unique(result.tags.begin(), result.tags.end()), result.tags.end());
  return result;
}

void Scoreboard::finish() {
  for (int port = 0; port < radix_; ++port) {
    for (int descriptor = 0; descriptor < descriptors_; ++descriptor) {
      for (const Queue& queue : stream(port, descriptor).queues) {
        if (queue.next == queue.packets.size()) continue;
        const std::size_t missing = queue.packets.size() - queue.next;
        mismatches_[static_cast<std::size_t>(descriptor)] += missing;
        if (messages_.size() >= kMaxMessages) continue;
        messages_.push_back(fmt::format("port {} descriptor {} packet {} byte {}: {} packet{} did not arrive", port,
                                        descriptor, queue.next, queue.offset, missing, missing == 1 ? "" : "s"));
      }
    }
  }
}

}  // namespace fred::tb
