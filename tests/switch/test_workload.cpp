// SPDX-License-Identifier: Apache-2.0
// What `fred run` is asked to run: items of --collective become phases and jobs; what is wrong is named.
#include <doctest/doctest.h>

#include <string>

#include "fred/error.hpp"
#include "tb/workload.hpp"

using namespace fred;
using namespace fred::tb;

namespace {

const std::vector<DType> kTypes{DType::kBf16, DType::kFp32};

std::vector<Phase> parse(const std::string& text, int vcs = 4, int vc = 0) {
  return parse_collectives(text, 3, kTypes, vcs, vc);
}

/// Checks that `text` is refused in these words.
void refused(const std::string& text, const std::string& words, int vcs = 4) {
  std::string said = "nothing";
  try {
    (void)parse(text, vcs);
  } catch (const InputError& error) {
    said = error.what();
  }
  CHECK(said == words);
}

}  // namespace

TEST_CASE("workload: items, phases and what an item says") {
  CHECK(parse("allreduce, barrier") ==
        std::vector<Phase>{{{{Kind::kAllReduce, {0, 1, 2}}}}, {{{Kind::kBarrier, {0, 1, 2}}}}});
  CHECK(parse("allreduce@0,alltoall@2,barrier,send@1").size() == 3);
  CHECK(parse("allreduce@0,alltoall@2,barrier,send@1")[0].entries.size() == 2);
  const Entry all = parse("allreduce@1:fp32:max/vc3/from500")[0].entries[0];
  CHECK(all == Entry{Kind::kAllReduce, {1}, 1, Op::kMax, 3, 500});
  CHECK(parse("allreduce@1:fp32:max/from500/vc3")[0].entries[0] == all);
  CHECK(parse("barrier/vc2")[0].entries[0] == Entry{Kind::kBarrier, {0, 1, 2}, 0, {}, 2, 0});
  // Without /vcN the VC is the default.
  CHECK(parse("barrier/from7", 4, 3)[0].entries[0] == Entry{Kind::kBarrier, {0, 1, 2}, 0, {}, 3, 7});
  CHECK(parse("barrier/vc0", 4, 3)[0].entries[0].vc == 0);
  CHECK(parse("barrier/vc0", 1)[0].entries[0].vc == 0);
  CHECK(parse("reduce@1/root2/vc1")[0].entries[0] == Entry{Kind::kReduce, {1}, 0, {}, 1, 0, 2});
  CHECK_FALSE(parse("reduce@1")[0].entries[0].root.has_value());
  // One phase: a group in two VCs.
  const std::vector<Phase> both = parse("allreduce@0/vc3,allreduce@0/vc1/from200");
  REQUIRE(both.size() == 1);
  CHECK(both[0].entries[1] == Entry{Kind::kAllReduce, {0}, 0, {}, 1, 200});
}

TEST_CASE("workload: what an item cannot say") {
  refused("allreduce/vc4", "VC '4' in 'allreduce/vc4': allowed are 0..3");
  refused("allreduce@0/vc", "VC '' in 'allreduce@0/vc': allowed are 0..3");
  refused("allreduce/vc-1", "VC '-1' in 'allreduce/vc-1': allowed are 0..3");
  refused("allreduce/vc1",
          "the switch has one virtual circuit (--vcs gives it more); VC '1' in 'allreduce/vc1': allowed are 0..0", 1);
  refused("allreduce/from1e3", "cycle '1e3' in 'allreduce/from1e3': allowed are 0..1000000000");
  refused("allreduce/vc1/vc2", "'/vc2' in 'allreduce/vc1/vc2': said twice");
  refused("allreduce/from1/from1", "'/from1' in 'allreduce/from1/from1': said twice");
  const std::string allowed =
      ": allowed are /vcN, a virtual circuit, /rootN, the rank of the root, and /fromN, the first cycle, behind type "
      "and "
      "operation";
  refused("allreduce/", "'/' in 'allreduce/'" + allowed);
  refused("allreduce/vc1/", "'/' in 'allreduce/vc1/'" + allowed);
  refused("allreduce/root1", "'/root1' in 'allreduce/root1': allreduce has no root");
  refused("reduce/root", "root '' in 'reduce/root': allowed are 0..255");
  refused("reduce/root1/root1", "'/root1' in 'reduce/root1/root1': said twice");
  refused("allreduce/at5", "'/at5' in 'allreduce/at5'" + allowed);
  refused("allreduce/vc1:fp32", "VC '1:fp32' in 'allreduce/vc1:fp32': allowed are 0..3");
  refused(
      "barrier:max:max/vc1",
      "'max:max' in 'barrier:max:max/vc1': neither an element type of the switch (bf16, fp32) nor an operation (sum, "
      "min, max, sum-sat, and, or, xor)");
}

TEST_CASE("workload: jobs have the VC and the first cycle of their item") {
  Design design;
  design.radix = 6;
  design.vcs = 4;
  design.validate();
  const std::vector<RankSet> sets = rank_sets(std::vector<Group>{{0, 1}, {2, 3}, {4}});
  JobOptions options;
  options.bytes = 64;
  for (const Job& job : make_jobs(parse("allgather/vc2/from90")[0].entries[0], sets, design, options)) {
    CHECK(job.vc == 2);
    CHECK(job.start == 90);
    const Traffic traffic = make_traffic(job, design, 0, 0, 64, false);
    CHECK(traffic.vc == 2);
    CHECK(traffic.start == 90);
    for (const auto& packets : traffic.sent) {
      for (const SourcePacket& packet : packets) CHECK(packet.vc == 2);
    }
  }
}
