// SPDX-License-Identifier: Apache-2.0
#include "tb/workload.hpp"

#include <fmt/core.h>

#include <charconv>
#include <numeric>

#include "fred/error.hpp"
#include "tb/descriptors.hpp"
#include "tb/npy.hpp"
#include "tb/random.hpp"

namespace fred::tb {

namespace {

constexpr double kMaxStall = 0.95;
constexpr int kMaxStart = 1'000'000'000;  // cycles

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// Calls f(item) for each of the comma-separated items.
template <typename F>
void each_item(std::string_view text, F&& f) {
  for (;;) {
    const auto comma = text.find(',');
    f(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

int parse_index(std::string_view text, int limit, std::string_view what, std::string_view item) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value >= limit) {
    throw InputError(fmt::format("{} '{}' in '{}': allowed are 0..{}", what, text, item, limit - 1));
  }
  return value;
}

double parse_fraction(std::string_view text, std::string_view item, std::string_view option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= kMaxStall)) {
    throw InputError(
        fmt::format("{} '{}': a fraction of 0..{} is allowed, for one port PORT:FRACTION", option, item, kMaxStall));
  }
  return value;
}

/// What stands behind "/" in an item: "vc2", "from500", "vc2/root1/from500".
void parse_attributes(std::string_view text, std::string_view item, int vcs, Entry& entry) {
  constexpr int kMaxRoot = 255;
  bool vc_said = false;
  bool start_said = false;
  bool root_said = false;
  for (bool more = true; more;) {
    const auto slash = text.find('/');
    const std::string_view word = text.substr(0, slash);
    bool& said = word.starts_with("vc") ? vc_said : word.starts_with("root") ? root_said : start_said;
    if (said) throw InputError(fmt::format("'/{}' in '{}': said twice", word, item));
    if (word.starts_with("vc")) {
      const std::string what = vcs == 1 ? "the switch has one virtual circuit (--vcs gives it more); VC" : "VC";
      entry.vc = parse_index(word.substr(2), vcs, what, item);
    } else if (word.starts_with("root")) {
      if (!root_sends(entry.kind) && !root_receives(entry.kind)) {
        throw InputError(fmt::format("'/{}' in '{}': {} has no root", word, item, to_string(entry.kind)));
      }
      entry.root = parse_index(word.substr(4), kMaxRoot + 1, "root", item);
    } else if (word.starts_with("from")) {
      entry.start = static_cast<std::uint64_t>(parse_index(word.substr(4), kMaxStart + 1, "cycle", item));
    } else {
      throw InputError(fmt::format(
          "'/{}' in '{}': allowed are /vcN, a virtual circuit, /rootN, the rank of the root, and /fromN, the first "
          "cycle, behind type and operation",
          word, item));
    }
    said = true;
    more = slash != std::string_view::npos;
    if (more) text.remove_prefix(slash + 1);
  }
}

}  // namespace

std::vector<Phase> parse_collectives(std::string_view text, int groups, const std::vector<DType>& types, int vcs,
                                     int vc) {
  std::vector<Phase> phases;
  bool together = false;  // the last phase is one of items with @G
  each_item(text, [&](std::string_view item) {
    const std::string_view whole = item;
    const auto slash = item.find('/');
    item = item.substr(0, slash);
    const std::string_view described = item;  // without the attributes
    const auto colon = item.find(':');
    item = item.substr(0, colon);
    const auto at = item.find('@');
    const Kind kind = parse_kind(item.substr(0, at));
    Entry entry{kind, {}};
    entry.vc = vc;
    if (colon != std::string_view::npos) {
      const auto [type, op] = parse_type_and_op(described.substr(colon + 1), types, whole);
      if (op && !reduces(kind)) throw InputError(fmt::format("'{}': {} does not reduce", whole, to_string(kind)));
      entry.type = type;
      entry.op = op;
    }
    if (slash != std::string_view::npos) parse_attributes(whole.substr(slash + 1), whole, vcs, entry);
    if (at == std::string_view::npos) {
      for (int group = 0; group < groups; ++group) entry.groups.push_back(group);
    } else {
      entry.groups.push_back(parse_index(item.substr(at + 1), groups, "group", item));
    }
    const bool joins = at != std::string_view::npos;
    if (!joins || !together) phases.emplace_back();
    together = joins;
    phases.back().entries.push_back(std::move(entry));
  });
  return phases;
}

std::vector<double> parse_stalls(std::string_view text, int radix, std::string_view option) {
  std::vector<double> stalls(static_cast<std::size_t>(radix), 0.0);
  if (trimmed(text).empty()) return stalls;
  std::vector<bool> named(stalls.size(), false);
  each_item(text, [&](std::string_view item) {
    const auto colon = item.find(':');
    if (colon == std::string_view::npos) {
      stalls.assign(stalls.size(), parse_fraction(item, item, option));
    } else {
      const int port = parse_index(item.substr(0, colon), radix, "port", item);
      if (named[static_cast<std::size_t>(port)]) {
        throw InputError(fmt::format("{} {}: port {} is named twice; allowed is once", option, text, port));
      }
      named[static_cast<std::size_t>(port)] = true;
      stalls[static_cast<std::size_t>(port)] = parse_fraction(item.substr(colon + 1), item, option);
    }
  });
  return stalls;
}

std::vector<RankSet> rank_sets(const std::vector<Group>& groups) {
  std::vector<RankSet> sets;
  int first = 0;
  for (const Group& group : groups) {
    sets.push_back({group, group, first, first, false});
    first += static_cast<int>(group.size());
  }
  return sets;
}

std::vector<RankSet> rank_sets(const std::vector<Flow>& flows) {
  std::vector<RankSet> sets;
  int first_in = 0;
  int first_out = 0;
  for (const Flow& flow : flows) {
    sets.push_back({flow.in, flow.out, first_in, first_out, true});
    first_in += static_cast<int>(flow.in.size());
    first_out += static_cast<int>(flow.out.size());
  }
  return sets;
}

std::vector<Bytes> read_rank_files(const std::filesystem::path& folder, int ranks, DType dtype, bool converted) {
  std::vector<Bytes> files;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::filesystem::path path = folder / fmt::format("rank{:02}.npy", rank);
    NpyArray array = read_npy(path, dtype);
    if (array.dtype != dtype) {
      if (!converted) {
        throw InputError(fmt::format("{} holds {}{}, the collectives are on {}; use --dtype {}{}", path.string(),
                                     to_string(array.dtype), array.dtype == DType::kBf16 ? " (or uint16)" : "",
                                     to_string(dtype), to_string(array.dtype), is_float(dtype) ? " or --convert" : ""));
      }
      array = convert(array, dtype, path.string());
    }
    files.push_back(std::move(array.data));
  }
  return files;
}

std::vector<Collective> collectives_of(const std::vector<Phase>& phases, const std::vector<RankSet>& sets,
                                       const Design& design, const JobOptions& options) {
  JobOptions empty = options;
  empty.bytes = 0;
  empty.files = nullptr;
  std::vector<Collective> collectives;
  for (const Phase& phase : phases) {
    for (const Entry& entry : phase.entries) {
      for (const Job& job : make_jobs(entry, sets, design, empty)) {
        validate(job, design, static_cast<std::size_t>(design.bytes()));
        collectives.push_back(collective_of(job));
        Collective& of = collectives.back();
        if (!reduces(of.kind)) of.op = Op::kSum;  // means nothing there
        if (!root_sends(of.kind) && !root_receives(of.kind)) of.root_port = of.flow.in.front();
      }
    }
  }
  return collectives;
}

std::vector<Job> make_jobs(const Entry& entry, const std::vector<RankSet>& sets, const Design& design,
                           const JobOptions& options) {
  std::vector<Job> jobs;
  for (const int group : entry.groups) {
    const RankSet& set = sets[static_cast<std::size_t>(group)];
    Job job{entry.kind,
            set.in,
            set.out,
            entry.root.value_or(options.root),
            entry.op.value_or(options.op),
            {},
            entry.type,
            entry.vc,
            entry.start,
            {}};
    if (entry.kind == Kind::kAllToAll && options.counts != nullptr) {
      job.counts = *options.counts;
      const auto element = static_cast<std::size_t>(element_bits(job.dtype(design))) / 8;
      for (auto& row : job.counts) {
        for (std::size_t& count : row) count *= element;
      }
    }
    for (std::size_t r = 0; r < set.in.size(); ++r) {
      const std::size_t rank = static_cast<std::size_t>(set.first_in) + r;
      if (entry.kind == Kind::kBarrier) {
        job.data.emplace_back();
      } else if (options.files != nullptr) {
        job.data.push_back((*options.files)[rank]);
      } else {
        const bool counted = !job.counts.empty() && r < job.counts.size();
        const std::size_t bytes =
            counted ? std::accumulate(job.counts[r].begin(), job.counts[r].end(), std::size_t{0}) : options.bytes;
        job.data.push_back(random_buffer(job.dtype(design), bytes, sub_seed(options.seed, 3, rank)));
      }
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace fred::tb
