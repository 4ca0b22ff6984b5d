// SPDX-License-Identifier: Apache-2.0
// Collectives as software sees them (ranks, roots, send buffers) turned into what the switch sees (ports, steps,
// packets) and what must come out (golden bytes). Steps, chunks and the reduction tree go by ascending port number in
// the hardware; ranks are a notion of this file, which permutes chunks both ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/design/kind.hpp"
#include "fred/route/flow.hpp"
#include "tb/axis_source.hpp"
#include "tb/scoreboard.hpp"

namespace fred::tb {

using Bytes = std::vector<std::byte>;

using fred::to_string;  // of a Kind

/// One collective on one group or flow.
struct Job {
  Kind kind = Kind::kAllReduce;
  Group in;          ///< in[r]: the port of sending rank r
  Group out;         ///< out[r]: the port of receiving rank r; the same as `in` for a group
  int root = 0;      ///< rank of the root, in `in` or `out` as the kind says
  Op op = Op::kSum;  ///< where the kind reduces
  /// Send buffer of each rank of `in`. Only the root's counts in broadcast and scatter. Barrier: at most a beat.
  std::vector<Bytes> data;
  int type = 0;             ///< index of the element type in design.dtypes()
  int vc = 0;               ///< virtual circuit of its descriptor and of all its beats
  std::uint64_t start = 0;  ///< cycles after the start of a run in which no port offers a beat of it
  /// All-to-all: counts[i][j] bytes go from rank i to rank j, one behind the other in i's buffer. Empty: equal chunks.
  std::vector<std::vector<std::size_t>> counts = {};

  /// A collective on a group; `data` is still to be filled.
  static Job on_group(Kind kind, const Group& group) { return Job{kind, group, group, 0, Op::kSum, {}}; }
  /// A collective on a flow: ranks are counted by ascending port.
  static Job on_flow(Kind kind, const Flow& flow) { return Job{kind, flow.in, flow.out, 0, Op::kSum, {}}; }
  /// The flow whose route serves it.
  [[nodiscard]] Flow flow() const;
  /// Its element type. `type` is one of the design's.
  [[nodiscard]] DType dtype(const Design& design) const { return design.dtypes()[static_cast<std::size_t>(type)]; }
};

/// Throws InputError unless the job can run on the design: VC, root, sizes, operation, in = out for all-to-all.
void validate(const Job& job, const Design& design, std::size_t packet_bytes);

/// Sizes of n chunks of a buffer: the first (elements mod n) get one element more; a cut last element goes to the last.
[[nodiscard]] std::vector<std::size_t> chunk_bytes(std::size_t bytes, int n, std::size_t element_bytes);

/// What a job sends and must receive. Points into the job's data and into itself: both must stay where they are.
struct Traffic {
  Traffic() = default;
  Traffic(Traffic&&) = default;  // moving keeps the addresses of buffers, copying would not
  Traffic& operator=(Traffic&&) = default;
  struct Sink {
    int port = 0;                         ///< receiving port
    std::vector<ExpectedPacket> packets;  ///< in order
  };
  int descriptor = 0;                           ///< tdest of all packets
  int vc = 0;                                   ///< tid of all packets
  std::uint64_t start = 0;                      ///< see Job
  bool by_source = false;                       ///< send: order holds per source only
  std::vector<std::vector<SourcePacket>> sent;  ///< by port
  std::vector<Sink> sinks;                      ///< by receiving rank
  Bytes reduced;                                ///< golden result of the reduction, if there is one
  std::vector<Bytes> results;                   ///< by receiving rank: received bytes in rank order, if captured
};

/// Builds the traffic of a job. `packet_bytes` is a multiple of a beat; `capture`: keep what is received in `results`.
[[nodiscard]] Traffic make_traffic(const Job& job, const Design& design, int descriptor, std::uint8_t epoch,
                                   std::size_t packet_bytes, bool capture);

/// Cycles that it takes alone, without the latency, if nothing waits: beats that its busiest port must move; of an
/// all-to-all those of the busiest port of each step, since a step ends for all at once.
[[nodiscard]] std::uint64_t cycles_alone(const Job& job, const Traffic& traffic, const Design& design);

/// Bytes that receiving rank `rank` ends up with.
[[nodiscard]] std::size_t result_bytes(const Job& job, const Design& design, int rank);

/// Random elements: every bit of an integer; floating-point values of mixed magnitude and sign, one in 64 a subnormal,
/// an infinity, a NaN or a zero. A cut last element is filled with random bytes.
[[nodiscard]] Bytes random_buffer(DType dtype, std::size_t bytes, std::uint64_t seed);

}  // namespace fred::tb
