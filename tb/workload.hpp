// SPDX-License-Identifier: Apache-2.0
// What `fred run` is asked to run, as values: phases of collectives out of text, and the ranks' data. Pure but for
// reading .npy files; everything is checked here, before a switch is built.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fred/design/collective.hpp"
#include "fred/design/design.hpp"
#include "tb/collectives.hpp"

namespace fred::tb {

/// Collectives of one kind that are measured as one: a row of the result.
struct Entry {
  Kind kind = Kind::kAllReduce;
  std::vector<int> groups;    ///< indices of groups or flows
  int type = 0;               ///< index of the element type in design.dtypes()
  std::optional<Op> op{};     ///< where it was said; else that of the run
  int vc = 0;                 ///< virtual circuit
  std::uint64_t start = 0;    ///< first cycle of the phase in which it may be offered
  std::optional<int> root{};  ///< where it was said; else that of the run
  friend bool operator==(const Entry&, const Entry&) = default;
};
/// What runs at once. Phases follow each other.
struct Phase {
  std::vector<Entry> entries;
  friend bool operator==(const Phase&, const Phase&) = default;
};

/// "allreduce,barrier" : two phases, each on all groups. "allreduce@0,allgather@1" : one phase; neighbouring items with
/// @G run together, in order where they share a group. ":fp32", ":max" or ":fp32:max" at an item's end names one of
/// `types`, the first being the default, and an operation. Behind that "/vc2" names one of the switch's `vcs` virtual
/// circuits, `vc` being the default, "/root1" the rank of the root, and "/from500" the first cycle of the phase. Throws
/// InputError that names the item.
[[nodiscard]] std::vector<Phase> parse_collectives(std::string_view text, int groups, const std::vector<DType>& types,
                                                   int vcs = 1, int vc = 0);

/// "0.3" (all ports) or "2:0.5,3:0.1" (single ports), also mixed; by port. Throws InputError unless 0 <= F <= 0.95.
[[nodiscard]] std::vector<double> parse_stalls(std::string_view text, int radix, std::string_view option);

/// A group or flow with the ranks of the whole run: rank r of `in` is rank `first_rank + r` of the data files.
struct RankSet {
  Group in, out;         ///< ports in rank order
  int first_in = 0;      ///< sending ranks of the sets before
  int first_out = 0;     ///< receiving ranks of the sets before
  bool is_flow = false;  ///< given by --flows
};
[[nodiscard]] std::vector<RankSet> rank_sets(const std::vector<Group>& groups);
[[nodiscard]] std::vector<RankSet> rank_sets(const std::vector<Flow>& flows);

/// Reads rank00.npy, rank01.npy, ... of the `ranks` sending ranks. Throws InputError: a file is missing or damaged, or
/// of another type than the design's and `converted` is false.
[[nodiscard]] std::vector<Bytes> read_rank_files(const std::filesystem::path& folder, int ranks, DType dtype,
                                                 bool converted);

struct JobOptions {
  int root = 0;
  Op op = Op::kSum;
  std::size_t bytes = 0;                      ///< of each rank's random data, where there are no files
  const std::vector<Bytes>* files = nullptr;  ///< by rank; nullptr: random data
  std::uint64_t seed = 1;                     ///< of random data
  /// All-to-alls: elements from each rank to each rank of the group; nullptr: equal chunks.
  const std::vector<std::vector<std::size_t>>* counts = nullptr;
};
/// What a switch without registers serves: descriptor i is the i-th pair of item and group, all phases through. Throws
/// InputError as `validate` does.
[[nodiscard]] std::vector<Collective> collectives_of(const std::vector<Phase>& phases, const std::vector<RankSet>& sets,
                                                     const Design& design, const JobOptions& options);

/// The jobs of an entry, one a group. A barrier carries no data.
[[nodiscard]] std::vector<Job> make_jobs(const Entry& entry, const std::vector<RankSet>& sets, const Design& design,
                                         const JobOptions& options);

}  // namespace fred::tb
