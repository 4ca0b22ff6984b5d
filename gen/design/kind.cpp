// SPDX-License-Identifier: Apache-2.0
#include "fred/design/kind.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fred/error.hpp"

namespace fred {
namespace {

/// By code.
constexpr std::array<std::string_view, 10> kNames{"allreduce", "reduce",  "broadcast", "allgather", "reducescatter",
                                                  "gather",    "scatter", "send",      "barrier",   "alltoall"};

}  // namespace

std::string_view to_string(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

Kind parse_kind(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found != kNames.end()) return static_cast<Kind>(found - kNames.begin());
  throw InputError(fmt::format("collective '{}' is not known; allowed: {}", name, fmt::join(kNames, ", ")));
}

bool root_sends(Kind kind) { return kind == Kind::kBroadcast || kind == Kind::kScatter; }
bool root_receives(Kind kind) { return kind == Kind::kReduce || kind == Kind::kGather; }
bool reduces(Kind kind) {
  return kind == Kind::kAllReduce || kind == Kind::kReduce || kind == Kind::kReduceScatter || kind == Kind::kBarrier;
}

}  // namespace fred
