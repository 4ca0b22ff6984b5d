// SPDX-License-Identifier: Apache-2.0
// A switch with broken parts is the emitted one with a "~" before the data of some links, in the module of a level: so
// the link is broken in each of the subnetworks of that level, and what goes over it arrives with every bit turned
// over.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include "fred/route/broken.hpp"
#include "tb/random.hpp"
#include "tests/route/support.hpp"
#include "tests/routing/checks.hpp"
#include "tests/switch/bench.hpp"
#include "tests/switch/rtl_switch.hpp"

namespace fred::test {
namespace {

Design design_of(int radix, int middle) {
  Design design;
  design.radix = radix;
  design.middle = middle;
  design.dtype = DType::kInt16;
  design.lanes = 1;
  design.ops = {Op::kSum};
  design.descriptors = 16;
  design.vcs = 1;
  design.validate();
  return design;
}

/// One link of a level, in all of its subnetworks: between microswitch `index` (R or D; the last of an odd size: its
/// demultiplexer or multiplexer) and middle `k`.
struct Break {
  int level = 0;
  bool input = true;
  int index = 0;
  int k = 0;
};

LinkSet links_of(const Network& network, const std::vector<Break>& breaks) {
  LinkSet links(network.links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = network.links[i];
    for (const Break& b : breaks) {
      const int end = b.input ? link.from : link.to;
      if (end < 0) continue;
      const Node& node = network.nodes[end];
      const bool kind = b.input ? node.kind == NodeKind::kR || node.kind == NodeKind::kDemux
                                : node.kind == NodeKind::kD || node.kind == NodeKind::kMux;
      if (kind && node.level == b.level && node.index == b.index && (b.input ? link.from_pin : link.to_pin) == b.k) {
        links[i] = true;
      }
    }
  }
  return links;
}

/// Puts the "~" in. Throws if there is nothing to put it before: the emitted text is not what this expects.
void break_text(const Network& network, const Break& b, std::vector<tb::SourceFile>& files) {
  const LevelShape& shape = network.shapes[b.level];
  const bool odd = b.index == shape.half;
  const std::string end = odd ? (b.input ? "demux" : "mux") : fmt::format("{}{}", b.input ? "in" : "out", b.index);
  const std::string wire =
      b.input ? fmt::format("{}_to_mid{}_data", end, b.k) : fmt::format("mid{}_to_{}_data", b.k, end);
  const std::string file = fmt::format("fred_net_p{}_m{}.sv", shape.size, network.middle);
  for (tb::SourceFile& source : files) {
    if (!source.path.ends_with("/" + file)) continue;
    std::size_t at = 0;
    for (const char* pin : {".in_data_i", ".data_i"}) {
      for (at = source.text.find(pin); at != std::string::npos; at = source.text.find(pin, at + 1)) {
        const std::size_t line_end = source.text.find('\n', at);
        for (std::size_t found = source.text.find(wire, at); found < line_end;
             found = source.text.find(wire, found + 1)) {
          source.text.insert(found, "~");
          return;
        }
      }
    }
  }
  throw std::runtime_error(fmt::format("no {} is read in {}", wire, file));
}

struct Switch {
  Design design;
  LinkSet broken;  // empty: none
  std::unique_ptr<tb::Engine> engine;
  std::unique_ptr<Bench> bench;
};

Switch build(int radix, int middle, bool with_broken, std::mt19937& random) {
  Switch made{design_of(radix, middle), {}, nullptr, nullptr};
  std::vector<tb::SourceFile> files = design_sources(made.design);
  const Network network = make_network(radix, middle);
  if (with_broken) {
    for (;;) {
      std::vector<Break> breaks;
      for (std::size_t n = 0; n < 1 + random() % 2; ++n) {
        const int level = static_cast<int>(random() % network.shapes.size());
        const LevelShape& shape = network.shapes[level];
        breaks.push_back({level, random() % 2 == 0, static_cast<int>(random() % (shape.half + (shape.odd ? 1 : 0))),
                          static_cast<int>(random() % middle)});
      }
      made.broken = links_of(network, breaks);
      if (!loss_of(network, made.broken).none()) continue;
      const Break same = breaks.front();
      const bool twice = breaks.size() > 1 && same.level == breaks[1].level && same.input == breaks[1].input &&
                         same.index == breaks[1].index && same.k == breaks[1].k;
      if (twice) breaks.pop_back();  // "~~" would mend it
      for (const Break& b : breaks) break_text(network, b, files);
      break;
    }
  }
  made.engine = tb::open_model(tb::build_model(files).shared_object.string());
  made.bench = std::make_unique<Bench>(*made.engine, made.design);
  return made;
}

/// Random collectives on random groups or flows.
std::vector<tb::Job> random_jobs(const Design& design, std::mt19937& random) {
  constexpr Kind kAll[] = {Kind::kAllReduce, Kind::kReduce,  Kind::kBroadcast, Kind::kAllGather, Kind::kReduceScatter,
                           Kind::kGather,    Kind::kScatter, Kind::kSend,      Kind::kBarrier,   Kind::kAllToAll};
  const bool groups = random() % 2 == 0;
  const auto flows =
      groups ? random_groups(random, design.radix, 2 + static_cast<int>(random() % 6))
             : random_flows(random, design.radix, 1 + static_cast<int>(random() % std::max(1, design.radix / 2)));
  std::vector<tb::Job> jobs;
  for (const Flow& flow : flows) {
    if (jobs.size() == static_cast<std::size_t>(design.descriptors)) break;
    const Kind kind = kAll[random() % (groups ? 10 : 9)];
    tb::Job job = tb::Job::on_flow(kind, flow);
    const Group& side = root_receives(kind) ? job.out : job.in;
    if (root_sends(kind) || root_receives(kind)) job.root = static_cast<int>(random() % side.size());
    const std::size_t elements = flow.in.size() * flow.out.size() * (1 + random() % 3);
    for (std::size_t rank = 0; rank < job.in.size(); ++rank) {
      job.data.push_back(tb::random_buffer(design.dtype, kind == Kind::kBarrier ? 0 : 2 * elements, random()));
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace

bool check_rtl(int instances, std::uint32_t seed, int low, int high) {
  std::mt19937 random(seed);
  long runs = 0, wrong = 0, groups = 0, with_broken = 0, shared = 0, unaware = 0, unaware_wrong = 0, lost = 0;
  const int radices = high - low + 1;
  for (int radix = low; radix <= high; ++radix) {
    const int middle = 2 + radix % 2;
    const int here = instances / radices + (radix - low < instances % radices ? 1 : 0);
    for (const bool broken : {false, true}) {
      if (broken && radix <= 2) continue;  // one microswitch: nothing of it can be missed
      Switch made = build(radix, middle, broken, random);
      const int count = radix <= 2 ? here : (broken ? here / 2 : here - here / 2);
      for (int i = 0; i < count;) {
        const std::vector<tb::Job> jobs = random_jobs(made.design, random);
        tb::RunResult result;
        try {
          made.bench->broken = made.broken;
          result = made.bench->run(jobs, false, 2);
        } catch (const RouteError&) {  // lost with the broken parts
          ++lost;
          continue;
        }
        ++i;
        ++runs;
        groups += static_cast<long>(jobs.size());
        with_broken += broken ? 1 : 0;
        shared += made.bench->setup.rounds.size() > 1 ? 1 : 0;
        if (result.mismatches != 0 || !result.hang.empty()) {
          if (++wrong <= 10) fmt::print("WRONG: radix {}, m = {}: {}\n", radix, middle, text_of(result));
          made.bench->harness.reset();
        }
        if (!broken || i % 4 != 0) continue;
        made.bench->broken = {};  // the same without knowing of the broken parts: they must be seen to be broken
        const tb::RunResult blind = made.bench->run(jobs, false, 2);
        ++unaware;
        unaware_wrong += blind.mismatches != 0 ? 1 : 0;
        made.bench->harness.reset();
      }
      made.engine->close();
    }
  }
  fmt::print("instances: {}\ncollectives: {}\nwith broken parts: {}\nin more than one round: {}\n", runs, groups,
             with_broken, shared);
  fmt::print(
      "refused, a flow lost: {}\nrouted without knowing of broken parts: {}\nof these wrong, as they should: {}\n",
      lost, unaware, unaware_wrong);
  fmt::print("wrong: {}\n", wrong);
  return wrong == 0 && (with_broken == 0 || unaware_wrong > 0);
}

}  // namespace fred::test
