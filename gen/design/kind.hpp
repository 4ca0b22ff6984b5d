// SPDX-License-Identifier: Apache-2.0
// Names and properties of the collective kinds.
#pragma once

#include <array>
#include <string_view>

#include "fred/design/collective.hpp"

namespace fred {

inline constexpr std::array<Kind, 10> kAllKinds{
    Kind::kAllReduce, Kind::kReduce,  Kind::kBroadcast, Kind::kAllGather, Kind::kReduceScatter,
    Kind::kGather,    Kind::kScatter, Kind::kSend,      Kind::kBarrier,   Kind::kAllToAll};

/// "allreduce", "reduce", "broadcast", "allgather", "reducescatter", "gather", "scatter", "send", "barrier",
/// "alltoall".
[[nodiscard]] std::string_view to_string(Kind kind);
/// Throws InputError that names the value and lists what is allowed.
[[nodiscard]] Kind parse_kind(std::string_view name);
/// The root takes part in the collective: it sends (broadcast, scatter) or receives (reduce, gather).
[[nodiscard]] bool root_sends(Kind kind);
[[nodiscard]] bool root_receives(Kind kind);
/// At least one reduction takes place: elements must be whole, ranks' buffers equally long.
[[nodiscard]] bool reduces(Kind kind);

}  // namespace fred
