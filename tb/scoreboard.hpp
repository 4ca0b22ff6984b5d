// SPDX-License-Identifier: Apache-2.0
// What must come out of the switch, and whether it did. Per port and descriptor there is an ordered list of expected
// packets with golden bytes; every valid byte and every sideband bit of every beat is compared. Packets of different
// descriptors may come in any order, but each whole: within a virtual circuit (VC) of a port m_axis is contiguous a
// packet, and beats of different VCs may alternate. tid must be the descriptor's VC. In `send` the order between
// sources is open too, so there every source has a list of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "tb/axis_sink.hpp"

namespace fred::tb {

/// One packet that a port must receive. Neither pointer is owned.
struct ExpectedPacket {
  const std::byte* data = nullptr;  ///< golden bytes
  std::byte* capture = nullptr;     ///< where the received bytes go; nullptr: nowhere
  std::size_t bytes = 0;            ///< 0: one null beat
  int tag = 0;                      ///< step, or source port for send
  std::uint8_t epoch = 0;           ///< tuser[4:1]
  bool step_end = false;            ///< tuser[0] of the last beat
};

class Scoreboard {
 public:
  explicit Scoreboard(const Design& design);

  /// Appends to what `port` must receive of `descriptor`. `by_source`: packets carry their source and are in order per
  /// source only; it and `vc` are the same for all packets of a descriptor until `clear`.
  void expect(int port, int descriptor, const std::vector<ExpectedPacket>& packets, bool by_source, int vc = 0);

  /// Compares an accepted beat.
  void receive(const ReceivedBeat& beat);
  /// Counts what has not come. Call once at the end.
  void finish();
  /// Forgets everything, counts included.
  void clear();

  /// What has not been received to its end, of one descriptor.
  struct Awaited {
    std::size_t packets = 0;
    std::vector<int> ports;  ///< that still expect some, ascending
    std::vector<int> tags;   ///< of the packet expected next at each: step, or source port for send; ascending
  };
  [[nodiscard]] Awaited awaited(int descriptor) const;

  /// All expected packets have been received to their end.
  [[nodiscard]] bool complete() const { return pending_ == 0; }
  [[nodiscard]] std::size_t pending() const { return pending_; }
  /// Mismatches so far: a wrong field of a beat, a wrong beat of data, a beat too many, a packet missing count one
  /// each.
  [[nodiscard]] std::size_t mismatches() const;
  [[nodiscard]] std::size_t mismatches(int descriptor) const {
    return mismatches_[static_cast<std::size_t>(descriptor)];
  }
  /// The first mismatches in words: port, descriptor, packet, byte, expected, got.
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

 private:
  static constexpr std::size_t kMaxMessages = 16;

  struct Queue {
    std::vector<ExpectedPacket> packets;  ///< in order; [0, next) have been received
    std::size_t next = 0;                 ///< packet in progress
    std::size_t offset = 0;               ///< bytes of it received
    bool open = false;                    ///< a beat of it was received, its tlast was not
  };
  struct Stream {
    std::vector<Queue> queues;  ///< one, or one a source port; empty where nothing is expected
    bool by_source = false;     ///< packets are told apart by their source port
    int vc = 0;                 ///< of all its packets
  };

  [[nodiscard]] std::size_t index(int port, int descriptor) const {
    return static_cast<std::size_t>(port) * static_cast<std::size_t>(descriptors_) +
           static_cast<std::size_t>(descriptor);
  }
  [[nodiscard]] Stream& stream(int port, int descriptor) { return streams_[index(port, descriptor)]; }
  /// The queue whose packet is open at a port in a VC, or nullptr.
  [[nodiscard]] Queue*& open(int port, int vc) {
    return open_[static_cast<std::size_t>(port) * static_cast<std::size_t>(vcs_) + static_cast<std::size_t>(vc)];
  }
  void close(Queue& queue);
  void compare_data(const ReceivedBeat& beat, const Queue& queue, std::size_t want);
  void fail(const ReceivedBeat& beat, const Queue* queue, const std::string& text);

  int radix_;                            ///< P
  int descriptors_;                      ///< D
  int vcs_;                              ///< V
  std::size_t beat_bytes_;               ///< B
  std::vector<Stream> streams_;          ///< by port * D + descriptor
  std::vector<Queue*> open_;             ///< by port * V + VC, see `open`
  std::size_t pending_ = 0;              ///< packets not yet received to their end
  std::vector<std::size_t> mismatches_;  ///< by descriptor; [D]: beats of descriptors that do not exist
  std::vector<std::string> messages_;    ///< the first kMaxMessages
};

}  // namespace fred::tb
