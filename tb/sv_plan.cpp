// SPDX-License-Identifier: Apache-2.0
// All that must occur is put into a list, which is shuffled; phases are then filled from it, each on a random partition
// of the ports, until it is empty.
#include "tb/sv_plan.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <utility>

#include "tb/random.hpp"

namespace fred::tb {
namespace {

constexpr int kMostOfPhase = 8;        // of a phase
constexpr int kMaxGroups = 4;          // of a phase
constexpr std::size_t kMaxRanks = 16;  // of a collective with a step a member
constexpr int kMaxBeats = 4;           // of a buffer, or of a chunk
constexpr int kMaxPacketBeats = 3;
constexpr int kMaxLongBytes = 1 << 18;     // of the first phase's buffers, of all ports together
constexpr std::uint64_t kPlanPurpose = 1;  // of the sub-seed
constexpr std::uint64_t kDataPurpose = 2;

/// What must occur.
struct Wanted {
  Kind kind = Kind::kAllReduce;
  int type = 0;
  Op op = Op::kSum;
};

/// Whom a descriptor serves: a group, or a flow whose two sides differ.
struct Ranks {
  Group in, out;
};

bool is_stepped(Kind kind) {
  return kind == Kind::kAllGather || kind == Kind::kReduceScatter || kind == Kind::kGather || kind == Kind::kScatter ||
         kind == Kind::kSend || kind == Kind::kAllToAll;
}

bool is_chunked(Kind kind) { return kind == Kind::kReduceScatter || kind == Kind::kScatter || kind == Kind::kAllToAll; }

class Planner {
 public:
  Planner(const Design& design, std::uint64_t seed)
      : design_(design), seed_(seed), random_(sub_seed(seed, kPlanPurpose)) {}

  std::vector<PlannedPhase> plan() {
    std::vector<PlannedPhase> phases;
    phases.push_back(new_phase(0));
    phases.back().descriptors.push_back(long_allreduce());
    std::deque<Wanted> wanted = all_wanted();
    while (!wanted.empty()) {
      phases.push_back(new_phase(static_cast<int>(phases.size())));
      fill(phases.back(), wanted);
    }
    return phases;
  }

 private:
  [[nodiscard]] bool one_in(int n) { return random_.below(n) == 0; }

  template <typename T>
  void shuffle(T& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[static_cast<std::size_t>(random_.below(static_cast<int>(i)))]);
    }
  }

  [[nodiscard]] Group all_ports() const {
    Group ports(static_cast<std::size_t>(design_.radix));
    std::iota(ports.begin(), ports.end(), 0);
    return ports;
  }

  [[nodiscard]] Op first_op(int type) const {
    const DType dtype = design_.dtypes()[static_cast<std::size_t>(type)];
    return *std::find_if(design_.ops.begin(), design_.ops.end(), [dtype](Op op) { return is_defined(dtype, op); });
  }

  /// Every operation of every type, in a kind that reduces, and every kind; what carries no operation twice, on types
  /// in turn.
  [[nodiscard]] std::deque<Wanted> all_wanted() {
    constexpr std::array kReducing = {Kind::kAllReduce, Kind::kReduce, Kind::kReduceScatter};
    const std::vector<DType> dtypes = design_.dtypes();
    const auto types = static_cast<int>(dtypes.size());
    std::deque<Wanted> wanted;
    for (int type = 0; type < types; ++type) {
      for (const Op op : design_.ops) {
        if (!is_defined(dtypes[static_cast<std::size_t>(type)], op)) continue;
        wanted.push_back({kReducing[wanted.size() % kReducing.size()], type, op});
      }
    }
    int turn = 0;
    for (const Kind kind : kAllKinds) {
      if (kind == Kind::kAllToAll && design_.alltoall_tables == 0) continue;
      for (int again = reduces(kind) ? 1 : 0; again < 2; ++again, ++turn) {
        wanted.push_back({kind, turn % types, first_op(turn % types)});
      }
    }
    shuffle(wanted);
    return wanted;
  }

  [[nodiscard]] PlannedPhase new_phase(int number) {
    PlannedPhase phase;
    phase.epoch = number % 16;
    phase.priority.resize(static_cast<std::size_t>(design_.vcs));
    std::iota(phase.priority.begin(), phase.priority.end(), 0);
    shuffle(phase.priority);
    return phase;
  }

  /// A random order of the ports in `count` parts, each of at least `least`.
  [[nodiscard]] std::vector<Group> partition(int count, int least) {
    Group ports = all_ports();
    shuffle(ports);
    std::vector<int> sizes(static_cast<std::size_t>(count), least);
    for (int rest = design_.radix - count * least; rest > 0; --rest) {
      ++sizes[static_cast<std::size_t>(random_.below(count))];
    }
    std::vector<Group> groups;
    auto from = ports.begin();
    for (const int size : sizes) {
      groups.emplace_back(from, from + size);
      from += size;
    }
    return groups;
  }

  /// Descriptors on disjoint groups, or flows, then perhaps second and third ones on some of them.
  void fill(PlannedPhase& phase, std::deque<Wanted>& wanted) {
    const int most = std::min(design_.descriptors, kMostOfPhase);
    const int least = one_in(4) ? 1 : 2;
    const int groups = 1 + random_.below(std::min({design_.radix / least, most, kMaxGroups}));
    std::vector<Ranks> ranks;
    for (Group& group : partition(groups, least)) ranks.push_back({group, group});
    if (one_in(3)) {  // flows: others receive
      const std::vector<Group> receivers = partition(groups, least);
      for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].out = receivers[i];
    }
    const bool one_circuit = design_.vcs == 1 || one_in(4);
    phase.eager = one_circuit && one_in(2);
    const int circuit = random_.below(design_.vcs);

    std::vector<bool> permuted(ranks.size(), false);  // has an all-to-all
    const int count = groups + random_.below(most - groups + 1);
    for (int i = 0; i < count && !wanted.empty(); ++i) {
      const auto at = static_cast<std::size_t>(i) % ranks.size();
      const Wanted next = wanted.front();
      Ranks members = ranks[at];
      if (next.kind == Kind::kAllToAll) {
        if (permuted[at]) break;  // its table is taken
        permuted[at] = true;
        members.out = members.in;
      }
      if (members.in.size() > 1) wanted.pop_front();  // of one member it occurs, but proves little: once more
      const int vc = one_circuit ? circuit : next_circuit_++ % design_.vcs;
      phase.descriptors.push_back(descriptor(next, std::move(members), vc));
    }
  }

  /// An all-reduce over all ports that is long enough to fill every buffer: one packet.
  [[nodiscard]] PlannedDescriptor long_allreduce() {
    Job job = Job::on_group(Kind::kAllReduce, all_ports());
    job.op = first_op(0);
    const int most = std::max(1, kMaxLongBytes / (design_.bytes() * design_.radix));
    const int beats = std::min(2 * (design_.ingress_depth + design_.egress_depth), most);
    const auto bytes = static_cast<std::size_t>(beats) * static_cast<std::size_t>(design_.bytes());
    for (int rank = 0; rank < design_.radix; ++rank) job.data.push_back(buffer(job, bytes));
    return {{std::move(job)}, bytes};
  }

  [[nodiscard]] Bytes buffer(const Job& job, std::size_t bytes) {
    return random_buffer(job.dtype(design_), bytes, sub_seed(seed_, kDataPurpose, buffers_++));
  }

  [[nodiscard]] PlannedDescriptor descriptor(const Wanted& wanted, Ranks ranks, int vc) {
    if (is_stepped(wanted.kind)) {
      for (Group* side : {&ranks.in, &ranks.out}) side->resize(std::min(side->size(), kMaxRanks));
    }
    Job job;
    job.kind = wanted.kind;
    job.in = std::move(ranks.in);
    job.out = std::move(ranks.out);
    job.op = wanted.op;
    job.type = wanted.type;
    job.vc = vc;
    const std::size_t roots = root_sends(job.kind) ? job.in.size() : job.out.size();
    if (root_sends(job.kind) || root_receives(job.kind)) job.root = random_.below(static_cast<int>(roots));
    PlannedDescriptor planned;
    // Whole packets that are longer than a buffer would couple the circuits.
    const int most =
        design_.egress == Egress::kPacket ? std::min(kMaxPacketBeats, design_.egress_depth) : kMaxPacketBeats;
    planned.packet_bytes =
        static_cast<std::size_t>(design_.bytes()) * static_cast<std::size_t>(1 + random_.below(most));
    const int rounds = 1 + random_.below(2);
    for (int round = 0; round < rounds; ++round) {
      add_data(job, round > 0 || !reduces(job.kind));
      planned.rounds.push_back(job);
    }
    return planned;
  }

  /// Random buffers: equal lengths of whole elements where something is reduced, any lengths elsewhere; now and then
  /// nothing, if that is `allowed`. Every other barrier has no data.
  void add_data(Job& job, bool allowed) {
    const int element = element_bits(job.dtype(design_)) / 8;
    const int chunks = is_chunked(job.kind) ? static_cast<int>(job.out.size()) : 1;
    const int most = job.kind == Kind::kBarrier ? design_.bytes() : kMaxBeats * design_.bytes() * chunks;
    const int unit = reduces(job.kind) ? element : 1;
    const auto length = [&] {
      const bool nothing = job.kind == Kind::kBarrier ? one_in(2) : allowed && one_in(8);
      return nothing ? 0 : static_cast<std::size_t>(1 + random_.below(most / unit)) * static_cast<std::size_t>(unit);
    };
    const std::size_t bytes = length();
    job.data.clear();
    for (std::size_t rank = 0; rank < job.in.size(); ++rank) {
      job.data.push_back(buffer(job, reduces(job.kind) ? bytes : length()));
    }
  }

  const Design& design_;
  std::uint64_t seed_;
  Random random_;
  int next_circuit_ = 0;       ///< circuits are taken in turn
  std::uint64_t buffers_ = 0;  ///< made so far: each has its own seed
};

}  // namespace

std::vector<PlannedPhase> plan_phases(const Design& design, std::uint64_t seed) { return Planner(design, seed).plan(); }

}  // namespace fred::tb
