// SPDX-License-Identifier: Apache-2.0
// Every collective is built from one brick, `step`: some sources send the same number of bytes each, some sinks receive
// golden bytes of that number, all cut into packets alike. The switch's tables of steps (docs/protocol.md) follow.
#include "tb/collectives.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

#include "fred/error.hpp"
#include "fred/numeric/reduce.hpp"

namespace fred::tb {

namespace {

/// A rank beside its port.
struct Member {
  int port = 0;
  int rank = 0;
};

/// Members by ascending port: the order of the hardware.
std::vector<Member> by_port(const Group& group) {
  std::vector<Member> members;
  for (std::size_t rank = 0; rank < group.size(); ++rank) members.push_back({group[rank], static_cast<int>(rank)});
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.port < b.port; });
  return members;
}

std::size_t element_bytes(const Job& job, const Design& design) {
  return static_cast<std::size_t>(element_bits(job.dtype(design))) / 8;
}

/// Where the parts of a rank's buffer begin, by rank.
std::vector<std::size_t> offsets_of(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> offsets(sizes.size(), 0);
  std::exclusive_scan(sizes.begin(), sizes.end(), offsets.begin(), std::size_t{0});
  return offsets;
}

std::vector<std::size_t> sizes_of(const std::vector<Bytes>& buffers) {
  std::vector<std::size_t> sizes;
  for (const Bytes& buffer : buffers) sizes.push_back(buffer.size());
  return sizes;
}

Bytes golden_reduction(const Job& job, const Design& design) {
  if (job.kind == Kind::kBarrier && job.data.front().empty()) return {};  // whatever the operation
  std::vector<int> ports;
  std::vector<const std::byte*> operands;
  for (const Member& member : by_port(job.in)) {
    ports.push_back(member.port);
    operands.push_back(job.data[static_cast<std::size_t>(member.rank)].data());
  }
  return reduce_tree(job.dtype(design), design.acc.value_or(job.dtype(design)), job.op, design.radix, ports, operands,
                     job.data.front().size());
}

class Builder {
 public:
  Builder(const Job& job, const Design& design, Traffic& traffic, std::uint8_t epoch, std::size_t packet_bytes,
          bool capture)
      : job_(job), traffic_(traffic), epoch_(epoch), packet_bytes_(packet_bytes) {
    traffic_.sent.resize(static_cast<std::size_t>(design.radix));
    for (std::size_t rank = 0; rank < job.out.size(); ++rank) {
      traffic_.sinks.push_back({job.out[rank], {}});
      traffic_.results.emplace_back(capture ? result_bytes(job, design, static_cast<int>(rank)) : 0);
    }
    capture_ = capture;
  }

  /// `rank` sends bytes [offset, offset + bytes) of its buffer as one step.
  void send(int rank, std::size_t offset, std::size_t bytes, int destination = 0) {
    const auto index = static_cast<std::size_t>(rank);
    auto& queue = traffic_.sent[static_cast<std::size_t>(job_.in[index])];
    each_packet(bytes, [&](std::size_t at, std::size_t size, bool end) {
      queue.push_back(
          {job_.data[index].data() + offset + at, size, traffic_.descriptor, destination, epoch_, end, job_.vc});
    });
  }

  /// Receiving rank `rank` gets `golden` at `offset` of its result in a step tagged `tag`.
  void receive(int rank, const std::byte* golden, std::size_t bytes, std::size_t offset, int tag) {
    const auto index = static_cast<std::size_t>(rank);
    each_packet(bytes, [&](std::size_t at, std::size_t size, bool end) {
      std::byte* capture = capture_ ? traffic_.results[index].data() + offset + at : nullptr;
      traffic_.sinks[index].packets.push_back({golden + at, capture, size, tag, epoch_, end});
    });
  }

  void receive_all(const std::byte* golden, std::size_t bytes, std::size_t offset, int tag) {
    for (std::size_t rank = 0; rank < job_.out.size(); ++rank) {
      receive(static_cast<int>(rank), golden, bytes, offset, tag);
    }
  }

 private:
  /// Calls f(offset, bytes, step_end) for each packet of a step; nothing is one null packet. In `send` every packet is
  /// a step.
  template <typename F>
  void each_packet(std::size_t bytes, F&& f) const {
    std::size_t at = 0;
    do {
      const std::size_t size = std::min(bytes - at, packet_bytes_);
      f(at, size, at + size == bytes || job_.kind == Kind::kSend);
      at += size;
    } while (at < bytes);
  }

  const Job& job_;
  Traffic& traffic_;
  std::uint8_t epoch_;
  std::size_t packet_bytes_;
  bool capture_ = false;
};

const Bytes& buffer(const Job& job, int rank) { return job.data[static_cast<std::size_t>(rank)]; }

/// All-gather and gather: at step k the k-th sender's data goes to everybody, or to the root.
void gather_steps(const Job& job, Builder& build) {
  const std::vector<std::size_t> at = offsets_of(sizes_of(job.data));
  int k = 0;
  for (const Member& from : by_port(job.in)) {
    const Bytes& data = buffer(job, from.rank);
    const std::size_t offset = at[static_cast<std::size_t>(from.rank)];
    build.send(from.rank, 0, data.size());
    if (job.kind == Kind::kAllGather) {
      build.receive_all(data.data(), data.size(), offset, k);
    } else {
      build.receive(job.root, data.data(), data.size(), offset, k);
    }
    ++k;
  }
}

/// Reduce-scatter and scatter: at step k the chunk of the k-th receiver, from everybody or from the root.
void scatter_steps(const Job& job, const Design& design, Builder& build, const Bytes& golden) {
  const std::vector<std::size_t> sizes =
      chunk_bytes(golden.size(), static_cast<int>(job.out.size()), element_bytes(job, design));
  const std::vector<std::size_t> offsets = offsets_of(sizes);
  int k = 0;
  for (const Member& to : by_port(job.out)) {
    const auto chunk = static_cast<std::size_t>(to.rank);
    for (std::size_t rank = 0; rank < job.in.size(); ++rank) {
      const bool sends = job.kind == Kind::kReduceScatter || static_cast<int>(rank) == job.root;
      if (sends) build.send(static_cast<int>(rank), offsets[chunk], sizes[chunk]);
    }
    build.receive(to.rank, golden.data() + offsets[chunk], sizes[chunk], 0, k);
    ++k;
  }
}

/// Send: rank i to receiving rank (i + 1) mod n. A rank that several send to keeps their data in rank order.
void send_steps(const Job& job, Builder& build) {
  std::vector<std::size_t> filled(job.out.size(), 0);  // bytes so far, by receiving rank
  for (std::size_t rank = 0; rank < job.in.size(); ++rank) {
    const std::size_t to = (rank + 1) % job.out.size();
    const Bytes& data = job.data[rank];
    build.send(static_cast<int>(rank), 0, data.size(), job.out[to]);
    build.receive(static_cast<int>(to), data.data(), data.size(), filled[to], job.in[rank]);
    filled[to] += data.size();
  }
}

/// Bytes that a rank sends to each rank of an all-to-all.
std::vector<std::size_t> alltoall_bytes(const Job& job, const Design& design, std::size_t from) {
  if (!job.counts.empty()) return job.counts[from];
  return chunk_bytes(job.data[from].size(), static_cast<int>(job.out.size()), element_bytes(job, design));
}

/// All-to-all: at step k member i sends to member (i + k) mod n, by ascending port.
void alltoall_steps(const Job& job, const Design& design, Builder& build) {
  const std::vector<Member> members = by_port(job.in);
  const std::size_t n = members.size();
  std::vector<std::vector<std::size_t>> sizes, offsets, placed;  // by sending rank, then by chunk
  std::vector<std::size_t> filled(n, 0);                         // bytes of lower ranks, by receiving rank
  for (std::size_t from = 0; from < n; ++from) {
    sizes.push_back(alltoall_bytes(job, design, from));
    offsets.push_back(offsets_of(sizes.back()));
    placed.push_back(filled);
    for (std::size_t chunk = 0; chunk < n; ++chunk) filled[chunk] += sizes.back()[chunk];
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto from = static_cast<std::size_t>(members[i].rank);
      const auto to = static_cast<std::size_t>(members[(i + k) % n].rank);
      const std::size_t offset = offsets[from][to];
      build.send(members[i].rank, offset, sizes[from][to]);
      build.receive(static_cast<int>(to), job.data[from].data() + offset, sizes[from][to], placed[from][to],
                    static_cast<int>(k));
    }
  }
}

/// Throws InputError unless an all-to-all's counts, if there are any, are those of its ranks and buffers.
void validate_counts(const Job& job, const Design& design) {
  if (job.counts.empty()) return;
  const std::size_t n = job.in.size();
  if (job.kind != Kind::kAllToAll)
    throw InputError(fmt::format("{}: only an all-to-all has counts", to_string(job.kind)));
  if (job.counts.size() != n) {
    throw InputError(fmt::format("alltoall: counts of {} ranks for a group of {}", job.counts.size(), n));
  }
  for (std::size_t from = 0; from < n; ++from) {
    if (job.counts[from].size() != n) {
      throw InputError(
          fmt::format("alltoall: rank {} has {} counts for a group of {}", from, job.counts[from].size(), n));
    }
    std::size_t sum = 0;
    for (const std::size_t bytes : job.counts[from]) {
      if (bytes % element_bytes(job, design) != 0) {
        throw InputError(fmt::format("alltoall: {} bytes from rank {} are no whole number of elements", bytes, from));
      }
      sum += bytes;
    }
    if (from < job.data.size() && sum != job.data[from].size()) {
      throw InputError(fmt::format("alltoall: the counts of rank {} add up to {} bytes, its buffer has {}", from, sum,
                                   job.data[from].size()));
    }
  }
}

}  // namespace

Flow Job::flow() const {
  Flow flow{in, out};
  std::sort(flow.in.begin(), flow.in.end());
  std::sort(flow.out.begin(), flow.out.end());
  return flow;
}

void validate(const Job& job, const Design& design, std::size_t packet_bytes) {
  const std::string_view name = to_string(job.kind);
  const auto beat = static_cast<std::size_t>(design.bytes());
  if (packet_bytes == 0 || packet_bytes % beat != 0) {
    throw InputError(fmt::format("packet size {}: must be a multiple of a beat, {} bytes", packet_bytes, beat));
  }
  if (job.vc < 0 || job.vc >= design.vcs) {
    throw InputError(fmt::format("VC {}: {} on a switch of {} allows 0..{}", job.vc, name,
                                 design.vcs == 1 ? "one VC" : fmt::format("{} VCs", design.vcs), design.vcs - 1));
  }
  const std::size_t roots = root_sends(job.kind) ? job.in.size() : job.out.size();
  if ((root_sends(job.kind) || root_receives(job.kind)) &&
      (job.root < 0 || static_cast<std::size_t>(job.root) >= roots)) {
    throw InputError(fmt::format("root {}: {} on {} ranks allows 0..{}", job.root, name, roots, roots - 1));
  }
  if (job.kind == Kind::kAllToAll && job.in != job.out) {
    throw InputError(
        fmt::format("alltoall needs a group: flow {} has other inputs than outputs", to_string(job.flow())));
  }
  if (job.kind == Kind::kAllToAll && design.alltoall_tables == 0) {
    throw InputError("alltoall: the design has no all-to-all table; use --alltoall-tables 1");
  }
  validate_counts(job, design);
  if (job.data.size() != job.in.size()) {
    throw InputError(fmt::format("{}: {} buffers for {} sending ranks", name, job.data.size(), job.in.size()));
  }
  if (!reduces(job.kind)) return;
  const bool reduces_nothing = job.kind == Kind::kBarrier && job.data.front().empty();
  if (!reduces_nothing && std::find(design.ops.begin(), design.ops.end(), job.op) == design.ops.end()) {
    throw InputError(fmt::format("operation {} is not built in; add it to --ops", to_string(job.op)));
  }
  if (!reduces_nothing && !is_defined(job.dtype(design), job.op)) {
    throw InputError(
        fmt::format("operation {} is not defined for {}", to_string(job.op), to_string(job.dtype(design))));
  }
  for (std::size_t rank = 0; rank < job.data.size(); ++rank) {
    const std::size_t bytes = job.data[rank].size();
    if (bytes != job.data.front().size()) {
      throw InputError(fmt::format("{}: rank {} has {} bytes, rank 0 has {}; a reduction needs equal sizes", name, rank,
                                   bytes, job.data.front().size()));
    }
    if (bytes % element_bytes(job, design) != 0) {
      throw InputError(fmt::format("{}: {} bytes are no whole number of {} elements ({} bytes each)", name, bytes,
                                   to_string(job.dtype(design)), element_bytes(job, design)));
    }
    if (job.kind == Kind::kBarrier && bytes > beat) {
      throw InputError(fmt::format("barrier: {} bytes, but a barrier is one beat of {} bytes", bytes, beat));
    }
  }
}

std::vector<std::size_t> chunk_bytes(std::size_t bytes, int n, std::size_t element) {
  const auto chunks = static_cast<std::size_t>(n);
  const std::size_t elements = bytes / element;
  std::vector<std::size_t> sizes(chunks, elements / chunks * element);
  for (std::size_t r = 0; r < elements % chunks; ++r) sizes[r] += element;
  sizes.back() += bytes % element;
  return sizes;
}

std::uint64_t cycles_alone(const Job& job, const Traffic& traffic, const Design& design) {
  const auto beat = static_cast<std::size_t>(design.bytes());
  const auto beats_of = [&](std::size_t bytes) {
    return static_cast<std::uint64_t>(std::max<std::size_t>(1, (bytes + beat - 1) / beat));
  };
  std::uint64_t most = 0;
  const auto count = [&](const auto& packets) {
    std::uint64_t beats = 0;
    for (const auto& packet : packets) beats += beats_of(packet.bytes);
    most = std::max(most, beats);
  };
  for (const auto& packets : traffic.sent) count(packets);
  for (const Traffic::Sink& sink : traffic.sinks) count(sink.packets);
  if (job.kind != Kind::kAllToAll) return most;
  std::vector<std::uint64_t> steps(job.in.size());  // the longest of each
  for (const auto& packets : traffic.sent) {
    std::size_t step = 0;
    std::uint64_t beats = 0;
    for (const SourcePacket& packet : packets) {
      beats += beats_of(packet.bytes);
      if (!packet.step_end) continue;
      steps[step] = std::max(steps[step], beats);
      ++step;
      beats = 0;
    }
  }
  return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0});
}

std::size_t result_bytes(const Job& job, const Design& design, int rank) {
  const auto index = static_cast<std::size_t>(rank);
  const auto n = static_cast<int>(job.out.size());
  const std::vector<std::size_t> sizes = sizes_of(job.data);
  const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  const auto root_bytes = [&] { return sizes[static_cast<std::size_t>(job.root)]; };
  switch (job.kind) {
    case Kind::kAllReduce:
    case Kind::kBarrier:
      return sizes.front();
    case Kind::kReduce:
      return rank == job.root ? sizes.front() : 0;
    case Kind::kBroadcast:
      return root_bytes();
    case Kind::kAllGather:
      return total;
    case Kind::kReduceScatter:
      return chunk_bytes(sizes.front(), n, element_bytes(job, design))[index];
    case Kind::kGather:
      return rank == job.root ? total : 0;
    case Kind::kScatter:
      return chunk_bytes(root_bytes(), n, element_bytes(job, design))[index];
    case Kind::kSend: {
      std::size_t bytes = 0;
      for (std::size_t from = 0; from < sizes.size(); ++from)
        bytes += (from + 1) % job.out.size() == index ? sizes[from] : 0;
      return bytes;
    }
    case Kind::kAllToAll: {
      std::size_t bytes = 0;
      for (std::size_t from = 0; from < sizes.size(); ++from) bytes += alltoall_bytes(job, design, from)[index];
      return bytes;
    }
  }
  return 0;
}

Traffic make_traffic(const Job& job, const Design& design, int descriptor, std::uint8_t epoch, std::size_t packet_bytes,
                     bool capture) {
  Traffic traffic;
  traffic.descriptor = descriptor;
  traffic.vc = job.vc;
  traffic.start = job.start;
  traffic.by_source = job.kind == Kind::kSend;
  if (reduces(job.kind)) traffic.reduced = golden_reduction(job, design);
  Builder build(job, design, traffic, epoch, packet_bytes, capture);
  switch (job.kind) {
    case Kind::kAllReduce:
    case Kind::kBarrier:
    case Kind::kReduce:
      for (std::size_t rank = 0; rank < job.in.size(); ++rank) {
        build.send(static_cast<int>(rank), 0, job.data[rank].size());
      }
      if (job.kind == Kind::kReduce) {
        build.receive(job.root, traffic.reduced.data(), traffic.reduced.size(), 0, 0);
      } else {
        build.receive_all(traffic.reduced.data(), traffic.reduced.size(), 0, 0);
      }
      break;
    case Kind::kBroadcast: {
      const Bytes& data = buffer(job, job.root);
      build.send(job.root, 0, data.size());
      build.receive_all(data.data(), data.size(), 0, 0);
      break;
    }
    case Kind::kAllGather:
    case Kind::kGather:
      gather_steps(job, build);
      break;
    case Kind::kReduceScatter:
      scatter_steps(job, design, build, traffic.reduced);
      break;
    case Kind::kScatter:
      scatter_steps(job, design, build, buffer(job, job.root));
      break;
    case Kind::kSend:
      send_steps(job, build);
      break;
    case Kind::kAllToAll:
      alltoall_steps(job, design, build);
      break;
  }
  return traffic;
}

}  // namespace fred::tb
