// SPDX-License-Identifier: Apache-2.0
#include "tests/link/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fred::test {

namespace {

constexpr long kForever = 1L << 60;

/// A beat that was accepted, and in which cycle.
struct Sent {
  Beat beat;
  long at = 0;
};

/// What goes into a slot at one end, in order; a function of the seed alone.
class Stream {
 public:
  Stream(const ChipLink& p, std::uint64_t seed, int slot, int longest, long beats)
      : p_(p), random_(seed), slot_(slot), longest_(longest), left_(beats) {}

  [[nodiscard]] bool done() const { return left_ == 0; }

  Beat next() {
    if (packet_ == 0) {
      packet_ = 1 + random_.below(longest_);
      dest_ = bits(p_.tag_bits);
      user_ = bits(p_.user_bits());
    }
    packet_ -= 1;
    left_ -= 1;
    const bool last = packet_ == 0 || left_ == 0;
    if (last) packet_ = 0;
    const int bytes = p_.width / 8;
    const int kept = last ? random_.below(bytes + 1) : bytes;
    const std::uint32_t keep = (1U << kept) - 1;
    if (random_.below(50) == 0) user_ |= 1U << 5;  // spoiled from here on
    // step_end comes with a packet's last beat only.
    return {.data = bits(p_.width),
            .keep = keep,
            .last = last,
            .slot = slot_,
            .dest = dest_,
            .user = last ? user_ : user_ & ~1U};
  }

 private:
  std::uint32_t bits(int count) { return static_cast<std::uint32_t>(random_.next() & ((1ULL << count) - 1)); }

  ChipLink p_;
  tb::Random random_;
  int slot_, longest_;
  long left_;
  int packet_ = 0;
  std::uint32_t dest_ = 0, user_ = 0;
};

/// Offers the beats of all slots at one end, each only on a promise, and holds what it offers.
class Source {
 public:
  Source(const ChipLink& p, const LinkRun& run, std::uint64_t seed)
      : stall_(tb::Random::threshold(run.source_stalls)), pair_gap_(run.pair_gap), random_(seed) {
    for (int s = 0; s < p.slots; ++s)
      streams_.emplace_back(p, tb::sub_seed(seed, 1, static_cast<std::uint64_t>(s)), s, run.longest_packet,
                            run.only_slot < 0 || s == run.only_slot ? run.beats : 0);
    sent.resize(streams_.size());
  }

  [[nodiscard]] bool done(int slot) const {
    return streams_[static_cast<std::size_t>(slot)].done() && !(offering_ && beat_.slot == slot);
  }

  void drive(LinkEnd& end, long now) {
    if (!offering_ && promised_ != 0 && now >= accepted_[0] + pair_gap_ && !random_.chance(stall_)) {
      const int slots = static_cast<int>(streams_.size());
      const int begin = random_.below(4) == 0 ? random_.below(slots) : turn_;  // mostly goes on with the same
      for (int i = 0; i < slots && !offering_; ++i) {
        const int s = (begin + i) % slots;
        auto& stream = streams_[static_cast<std::size_t>(s)];
        if ((promised_ >> s & 1U) == 0 || stream.done()) continue;
        beat_ = stream.next();
        offering_ = true;
        turn_ = s;
      }
    }
    end.offer = offering_;
    end.out = beat_;
  }

  /// The end is in reset, and so is what is before it: nothing is promised, and nothing is offered any more.
  void forget() {
    promised_ = 0;
    offering_ = false;
  }

  void after(const LinkEnd& end, long now) {
    promised_ = end.slot_ready;
    if (!offering_ || !end.ready) return;
    Beat beat = beat_;
    for (int i = 0; i < 4; ++i) {  // bytes that are not kept come out as zeros
      if ((beat.keep >> i & 1U) == 0) beat.data &= ~(0xffU << (8 * i));
    }
    sent[static_cast<std::size_t>(beat.slot)].push_back({beat, now});
    offering_ = false;
    accepted_ = {accepted_[1], now};
  }

  std::vector<std::deque<Sent>> sent;  ///< by slot: accepted and not yet out

 private:
  std::uint32_t stall_;
  long pair_gap_;
  std::array<long, 2> accepted_{-kForever, -kForever};  ///< when the last two beats were
  tb::Random random_;
  std::vector<Stream> streams_;
  bool offering_ = false;
  Beat beat_;
  std::uint32_t promised_ = 0;  ///< vc_ready of the cycle before
  int turn_ = 0;
};

/// The queues of the slots behind one end.
class Sink {
 public:
  Sink(const ChipLink& p, const LinkRun& run, std::uint64_t seed)
      : depth_(static_cast<std::size_t>(p.slot_depth)),
        hold_(run.hold),
        stall_(tb::Random::threshold(run.sink_stalls)),
        random_(seed),
        held_(static_cast<std::size_t>(p.slots)) {}

  void drive(LinkEnd& end, int stopped, long now) {
    end.free = 0;
    for (std::size_t s = 0; s < held_.size(); ++s) {
      if (held_[s].empty() || held_[s].front() + hold_ > now || static_cast<int>(s) == stopped ||
          random_.chance(stall_))
        continue;
      held_[s].pop_front();
      end.free |= 1U << s;
    }
  }

  void clear() { held_.assign(held_.size(), {}); }

  /// One comes in. Throws where there is no place.
  void put(int slot, long now) {
    auto& queue = held_[static_cast<std::size_t>(slot)];
    queue.push_back(now);
    if (queue.size() > depth_) throw LinkFailure(fmt::format("the queue of slot {} overflows", slot));
  }

 private:
  std::size_t depth_;
  int hold_;
  std::uint32_t stall_;
  tb::Random random_;
  std::vector<std::deque<long>> held_;  ///< by slot: when each of its beats came
};

std::string shown(const Beat& b) {
  return fmt::format("slot {} dest {} user {:#x} data {:#x} keep {:#x}{}", b.slot, b.dest, b.user, b.data, b.keep,
                     b.last ? " last" : "");
}

/// It must be the next of `sent`. When that was accepted.
long compare(const Beat& got, std::deque<Sent>& sent) {
  if (sent.empty()) throw LinkFailure("a beat that nobody sent: " + shown(got));
  if (!(got == sent.front().beat)) throw LinkFailure("came: " + shown(got) + "; sent: " + shown(sent.front().beat));
  const long at = sent.front().at;
  sent.pop_front();
  return at;
}

}  // namespace

LinkResult run_link(const LinkRun& run) {
  std::array<std::unique_ptr<LinkEnd>, 2> ends{make_end(run.link), make_end(run.link)};
  const NamedLink& named = named_link(run.link);
  const ChipLink& p = named.link;
  std::vector<Source> sources;
  std::vector<Sink> sinks;
  std::vector<Channel> channels;  // channel e takes what end e sends
  for (std::uint64_t e = 0; e < 2; ++e) {
    sources.emplace_back(p, run, tb::sub_seed(run.seed, 10, e));
    sinks.emplace_back(p, run, tb::sub_seed(run.seed, 11, e));
    channels.emplace_back(p.flit_words, p.phy_bits(), named.header(), run.latency, run.errors,
                          tb::sub_seed(run.seed, 12, e));
  }
  tb::Random stalls(tb::sub_seed(run.seed, 13));
  LinkResult result;
  long begin = -1;
  long last_beat = 0;
  std::array<bool, 2> was_up{};
  std::array<bool, 2> lossy{};  // the far end was reset, and nothing is promised yet: what is accepted is lost
  // From a reset of end 1 until lost_o of end 0 tells it: what end 1 had accepted before. It may still come, in order,
  // but nothing newer may, and at end 1 nothing at all.
  bool untold = false;
  std::vector<std::deque<Sent>> old(static_cast<std::size_t>(p.slots));
  const auto fail = [&](const std::string& what, long now) {
    throw LinkFailure(fmt::format("{} (link {}, seed {}, latency {}, errors {}, {} resets, cycle {})", what, run.link,
                                  run.seed, run.latency, run.errors.flits, run.resets.size(), now));
  };
  const auto finished = [&](bool but_stopped) {
    if (untold) return false;
    for (const auto& source : sources) {
      for (int s = 0; s < p.slots; ++s) {
        if (but_stopped && s == run.stopped_slot) continue;
        if (!source.done(s) || !source.sent[static_cast<std::size_t>(s)].empty()) return false;
      }
    }
    return true;
  };
  int stopped = run.stopped_slot;
  long now = 0;
  for (; !finished(false); ++now) {
    if (stopped >= 0 && finished(true)) {
      stopped = -1;
      last_beat = now;
    }
    for (std::size_t e = 0; e < 2; ++e) {
      LinkEnd& end = *ends[e];
      end.reset = now < 3;
      for (const long at : e == 1 ? run.resets : std::vector<long>{}) {
        end.reset = end.reset || (now >= at && now < at + 3);
        if (now != at) continue;
        result.resets += 1;
        if (channels[1].runs()) {  // else end 0 does not run, takes nothing, and has nothing to tell
          untold = true;
          old = sources[1].sent;
        }
        for (auto& sent : sources[1].sent) sent.clear();
        channels[1].restart();
        sinks[1].clear();
      }
      sources[e].drive(end, now);
      sinks[e].drive(end, stopped, now);
      end.phy_ready = !stalls.chance(tb::Random::threshold(run.phy_stalls));
      end.phy_valid = channels[1 - e].pop(now, end.phy_in);
      end.look();
    }
    for (std::size_t e = 0; e < 2; ++e) {
      LinkEnd& end = *ends[e];
      if (end.offer && end.ready && begin < 0) begin = now;
      if (!end.reset && end.phy_sends && end.phy_ready) channels[e].push(now, end.phy_out);
      if (end.valid && !end.reset) {
        try {
          const auto slot = static_cast<std::size_t>(end.in.slot);
          if (end.in.slot >= p.slots) throw LinkFailure(fmt::format("a beat of slot {}", end.in.slot));
          if (e == 1 && untold) throw LinkFailure("after a reset that nobody knows of came: " + shown(end.in));
          auto& sent = e == 0 && untold ? old[slot] : sources[1 - e].sent[slot];
          result.longest_way = std::max(result.longest_way, now - compare(end.in, sent));
          sinks[e].put(end.in.slot, now);
        } catch (const LinkFailure& failure) {
          fail(failure.what() + std::string(untold ? ", before lost_o told of the reset" : ""), now);
        }
        result.beats += 1;
        last_beat = now;
      }
      if (end.reset) {
        sources[e].forget();
        continue;
      }
      sources[e].after(end, now);
      if (end.lost) {
        if (e == 1 || !untold) fail("lost_o without a reset", now);
        untold = false;
      }
      lossy[e] = end.lost || (lossy[e] && end.slot_ready == 0);
      if (lossy[e]) {
        for (auto& sent : sources[e].sent) sent.clear();
      }
      result.bad += end.bad;
      result.gaps += end.gap;
      result.replays += end.replay;
      result.timeouts += end.timeout && end.replay;
      result.lost += end.lost;
      result.taken += end.taken;
      result.downs += was_up[e] && !end.up;
      was_up[e] = end.up;
    }
    if (now - last_beat > run.patience) fail("hangs", now);
    for (auto& end : ends) end->clock();
  }
  result.cycles = now - begin;
  result.flit_times = result.cycles / p.flit_words;
  for (const auto& channel : channels) {
    result.errors_met += channel.errors_met;
    result.flits_wasted += channel.flits_wasted;
  }
  return result;
}

}  // namespace fred::test
