// SPDX-License-Identifier: Apache-2.0
// Collectives as values, and what a switch without registers is made of: the collectives that it serves for ever.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fred/numeric/dtype.hpp"
#include "fred/route/flow.hpp"

namespace fred {

struct Design;

/// Collective kinds; the values stand in a descriptor's CONFIG register.
enum class Kind {
  kAllReduce = 0,
  kReduce = 1,
  kBroadcast = 2,
  kAllGather = 3,
  kReduceScatter = 4,
  kGather = 5,
  kScatter = 6,
  kSend = 7,
  kBarrier = 8,
  kAllToAll = 9
};

/// One collective to be set up.
struct Collective {
  Kind kind = Kind::kAllReduce;
  Flow flow;          ///< who sends, who receives; both sides equal in all-to-all
  int root_port = 0;  ///< an output (reduce, gather) or input (broadcast, scatter); other kinds: any port, unused
  Op op = Op::kSum;   ///< where the kind reduces; a barrier gets another where it is not built in
  int type = 0;       ///< index of the element type in design.dtypes()
  int vc = 0;         ///< virtual circuit

  friend bool operator==(const Collective&, const Collective&) = default;
  /// Ports that send in some step: the root of a broadcast or scatter, else all inputs.
  [[nodiscard]] Ports senders() const;
};

/// A switch without registers (`fred gen --static`): descriptor i serves `collectives[i]`, from reset on.
struct StaticForm {
  std::vector<Collective> collectives;  ///< 1..64
  bool tdest = false;                   ///< s_axis_tdest is a pin; else port and virtual circuit name the descriptor
  std::uint32_t watchdog = 0;           ///< cycles, a power of two; 0: off
  friend bool operator==(const StaticForm&, const StaticForm&) = default;

  /// Throws InputError unless `cycles` may be `watchdog`.
  static void check_watchdog(std::int64_t cycles);

  /// Options that give the same form: "--static --flows ... --collective ... --tdest". `design` is its switch.
  [[nodiscard]] std::string canonical_options(const Design& design) const;
  /// The descriptor of what port `port` sends on `vc`, -1 if it sends nothing there. Without `tdest` there is one.
  [[nodiscard]] int descriptor_of(int port, int vc) const;
};

}  // namespace fred
