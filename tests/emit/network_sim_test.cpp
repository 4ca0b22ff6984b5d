// SPDX-License-Identifier: Apache-2.0
// The emitted network in Icarus: every cycle launches another random set of flows on random routes, so that each stage
// sees another configuration than the cycle before, and every output is compared exactly L cycles later, bit for bit,
// against the golden model of the port-order tree. Lone operands are random bit patterns, NaNs among them.
//
// What may travel together is decided here by bookkeeping of links, written from the rule (a flow uses one colour a
// level) and sharing nothing with the router or with Network.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <tuple>

#include "fred/numeric/reduce.hpp"
#include "tests/emit/support.hpp"

using namespace fred;
using namespace fred::test;

namespace {

struct TestFlow {
  std::vector<int> in, out;  // ports, ascending
  std::vector<int> colours;  // one a level, outermost first
  int op = 0;
};

/// One link of the input side (false) or output side (true): level that it leads into or out of, the colours that name
/// the subnetwork, and the port of that subnetwork.
using LinkName = std::tuple<bool, int, std::vector<int>, int>;

std::set<LinkName> links_of_flow(const TestFlow& flow, int levels) {
  std::set<LinkName> links;
  for (const bool output : {false, true}) {
    for (int level = 0; level < levels; ++level) {
      const std::vector<int> path(flow.colours.begin(), flow.colours.begin() + level);
      for (const int port : output ? flow.out : flow.in) links.insert({output, level, path, port >> level});
    }
  }
  return links;
}

/// Bits, low first, written as hexadecimal.
class BitString {
 public:
  void add(std::uint64_t value, int bits) {
    for (int i = 0; i < bits; ++i) bits_.push_back((value >> i & 1) != 0);
  }
  void add(const std::vector<std::byte>& bytes) {
    for (const std::byte byte : bytes) add(static_cast<std::uint64_t>(byte), 8);
  }
  [[nodiscard]] std::string hex() const {
    std::string text;
    for (std::size_t i = 0; i < bits_.size(); i += 4) {
      int digit = 0;
      for (std::size_t k = 0; k < 4 && i + k < bits_.size(); ++k) digit |= (bits_[i + k] ? 1 : 0) << k;
      text += "0123456789abcdef"[digit];
    }
    std::reverse(text.begin(), text.end());
    return text;
  }

 private:
  std::vector<bool> bits_;
};

struct Beat {
  bool valid = false;
  std::vector<std::byte> data;
  std::uint64_t mask = 0;
  std::uint64_t colour = 0;
  int op = 0;
};

struct Cycle {
  std::vector<Beat> in;
  std::vector<bool> out_valid;
  std::vector<std::vector<std::byte>> out_data;
  int mode = 0;  // of the conflict bit, as in network_tb.sv
};

class Traffic {
 public:
  Traffic(const Design& design, unsigned seed) : design_(design), random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  /// A cycle with garbage at every input and no beat.
  Cycle idle() {
    Cycle cycle;
    cycle.in.resize(static_cast<std::size_t>(design_.radix));
    cycle.out_valid.assign(static_cast<std::size_t>(design_.radix), false);
    cycle.out_data.assign(static_cast<std::size_t>(design_.radix),
                          std::vector<std::byte>(static_cast<std::size_t>(design_.bytes())));
    for (Beat& beat : cycle.in) {
      beat.data = random_bytes();
      beat.mask = random_() & ((1U << design_.radix) - 1);
      beat.colour = random_() & ((1ULL << design_.route_bits()) - 1);
      beat.op = below(4);
    }
    return cycle;
  }

  TestFlow random_flow(const std::vector<int>& in, const std::vector<int>& out) {
    TestFlow flow{in,
                  out,
                  {},
                  static_cast<int>(design_.ops[static_cast<std::size_t>(below(static_cast<int>(design_.ops.size())))])};
    std::sort(flow.in.begin(), flow.in.end());
    std::sort(flow.out.begin(), flow.out.end());
    for (int level = 0; level + 1 < design_.levels(); ++level) flow.colours.push_back(below(design_.middle));
    return flow;
  }

  void launch(Cycle& cycle, const TestFlow& flow) {
    std::uint64_t mask = 0, colour = 0;
    for (const int port : flow.out) mask |= 1ULL << port;
    for (std::size_t level = 0; level < flow.colours.size(); ++level) {
      colour |= static_cast<std::uint64_t>(flow.colours[level]) << (static_cast<int>(level) * design_.colour_bits());
    }
    std::vector<const std::byte*> operands;
    for (const int port : flow.in) {
      Beat& beat = cycle.in[static_cast<std::size_t>(port)];
      beat.valid = true;
      beat.mask = mask;
      beat.colour = colour;
      beat.op = flow.op;
      operands.push_back(beat.data.data());
    }
    const std::vector<std::byte> result = reduce_tree(design_.dtype, static_cast<Op>(flow.op), design_.radix, flow.in,
                                                      operands, static_cast<std::size_t>(design_.bytes()));
    for (const int port : flow.out) {
      cycle.out_valid[static_cast<std::size_t>(port)] = true;
      cycle.out_data[static_cast<std::size_t>(port)] = result;
    }
  }

  /// Random flows that share no link; each port sends and receives at most once.
  Cycle routable() {
    Cycle cycle = idle();
    std::vector<int> senders = shuffled(), receivers = shuffled();
    std::set<LinkName> taken;
    // Sometimes one large group, mostly several small ones.
    const int largest = 1 + below(design_.radix);
    for (int attempt = 0; attempt < 3 * design_.radix; ++attempt) {
      const auto n_in = static_cast<std::size_t>(1 + below(largest)),
                 n_out = static_cast<std::size_t>(1 + below(largest));
      if (n_in > senders.size() || n_out > receivers.size()) continue;
      const TestFlow flow = random_flow({senders.end() - static_cast<long>(n_in), senders.end()},
                                        {receivers.end() - static_cast<long>(n_out), receivers.end()});
      const std::set<LinkName> links = links_of_flow(flow, design_.levels());
      if (std::any_of(links.begin(), links.end(), [&](const LinkName& link) { return taken.count(link) != 0; }))
        continue;
      taken.insert(links.begin(), links.end());
      senders.resize(senders.size() - n_in);
      receivers.resize(receivers.size() - n_out);
      launch(cycle, flow);
    }
    return cycle;
  }

  /// Two flows that share a link; a cycle without a beat if none was found.
  Cycle colliding() {
    for (int attempt = 0; attempt < 200; ++attempt) {
      const std::vector<int> senders = shuffled();
      const TestFlow a = random_flow({senders[0]}, some_ports());
      const TestFlow b = random_flow({senders[1]}, some_ports());
      if (a.out == b.out && a.colours == b.colours) continue;  // one flow of two operands
      std::vector<LinkName> shared;
      const std::set<LinkName> of_a = links_of_flow(a, design_.levels()), of_b = links_of_flow(b, design_.levels());
      std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(shared));
      if (shared.empty()) continue;
      // Two beats of one mask that meet on an input link are of one flow as far as a microswitch can know.
      if (a.out == b.out && !std::get<0>(shared.front())) continue;
      Cycle cycle = idle();
      launch(cycle, a);
      launch(cycle, b);
      return cycle;
    }
    return idle();
  }

  /// A beat whose colour names no middle subnetwork.
  Cycle lost() {
    Cycle cycle = idle();
    TestFlow flow = random_flow({below(design_.radix)}, {below(design_.radix)});
    flow.colours[static_cast<std::size_t>(below(static_cast<int>(flow.colours.size())))] =
        (1 << design_.colour_bits()) - 1;
    launch(cycle, flow);
    return cycle;
  }

 private:
  std::vector<std::byte> random_bytes() {
    std::vector<std::byte> bytes(static_cast<std::size_t>(design_.bytes()));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return bytes;
  }
  std::vector<int> some_ports() {
    std::vector<int> ports = shuffled();
    ports.resize(static_cast<std::size_t>(1 + below(design_.radix)));
    return ports;
  }
  std::vector<int> shuffled() {
    std::vector<int> ports(static_cast<std::size_t>(design_.radix));
    for (int port = 0; port < design_.radix; ++port) ports[static_cast<std::size_t>(port)] = port;
    for (std::size_t i = ports.size(); i > 1; --i)
      std::swap(ports[i - 1], ports[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    return ports;
  }

  const Design& design_;
  std::mt19937 random_;
};

/// Vectors: `cycles[t]`'s inputs with the outputs of `cycles[t - L]`.
std::string vectors(const Design& design, const std::vector<Cycle>& cycles) {
  std::string text;
  const auto latency = static_cast<std::size_t>(design.network_latency());
  const int colour_bits = std::max(1, design.route_bits());
  for (std::size_t t = 0; t < cycles.size(); ++t) {
    BitString bits;
    for (const Beat& beat : cycles[t].in) bits.add(beat.valid ? 1 : 0, 1);
    for (const Beat& beat : cycles[t].in) bits.add(beat.data);
    for (const Beat& beat : cycles[t].in) bits.add(beat.mask, design.radix);
    for (const Beat& beat : cycles[t].in) bits.add(beat.colour, colour_bits);
    for (const Beat& beat : cycles[t].in) bits.add(static_cast<std::uint64_t>(beat.op), 2);
    const Cycle* launched = t >= latency ? &cycles[t - latency] : nullptr;
    for (int port = 0; port < design.radix; ++port) {
      const auto at = static_cast<std::size_t>(port);
      if (launched != nullptr) {
        bits.add(launched->out_data[at]);
      } else {
        bits.add(std::vector<std::byte>(static_cast<std::size_t>(design.bytes())));
      }
    }
    for (int port = 0; port < design.radix; ++port) {
      bits.add(launched != nullptr && launched->out_valid[static_cast<std::size_t>(port)] ? 1 : 0, 1);
    }
    bits.add(static_cast<std::uint64_t>(cycles[t].mode), 2);
    text += bits.hex() + "\n";
  }
  return text;
}

struct Result {
  int beats = -1, conflicts = -1, errors = -1;
  std::string output;
};

/// Runs the cycles through the emitted network.
Result simulate(const Design& design, const std::vector<Cycle>& cycles, const std::string& name) {
  std::vector<EmittedFile> files = network_files(design);
  files.push_back({"vectors.hex", vectors(design, cycles)});
  const std::filesystem::path folder = scratch(name);
  write_files(folder, files);
  std::string command = fmt::format(
      "cd '{}' && iverilog -g2012 -s network_tb -o sim -DNET={} {} {} -Pnetwork_tb.Ports={} -Pnetwork_tb.DataW={} "
      "-Pnetwork_tb.ColourW={} -Pnetwork_tb.Latency={} -Pnetwork_tb.Cycles={} -c fred_net.f "
      "{}/tests/emit/network_tb.sv "
      "&& vvp sim +vectors=vectors.hex",
      folder.string(), network_module_name(design.radix, design.middle), design.route_bits() > 0 ? "-DHAS_COLOUR" : "",
      design.op_bits() > 0 ? "-DHAS_OP" : "", design.radix, design.width(), std::max(1, design.route_bits()),
      design.network_latency(), cycles.size(), FRED_SOURCE_DIR);
  Result result;
  const int code = run(command, result.output);
  if (code != 0) return result;
  const std::size_t last = result.output.rfind(" beats, ");
  if (last == std::string::npos) return result;
  const std::size_t line = result.output.rfind('\n', last);
  std::sscanf(result.output.c_str() + (line == std::string::npos ? 0 : line + 1), "%d beats, %d conflicts, %d errors",
              &result.beats, &result.conflicts, &result.errors);
  return result;
}

struct Case {
  int radix, middle;
  DType dtype;
  int lanes;
  std::vector<Op> ops;
  int pipeline, adder_latency;
};

const std::vector<Op> kAll{Op::kSum, Op::kMin, Op::kMax};

const std::vector<Case> kCases{
    {2, 2, DType::kInt32, 1, kAll, 1, 1},       {2, 3, DType::kBf16, 1, {Op::kSum}, 1, 3},
    {3, 2, DType::kBf16, 1, kAll, 1, 1},        {3, 3, DType::kInt32, 1, {Op::kMin}, 2, 2},
    {4, 2, DType::kFp16, 2, kAll, 2, 3},        {4, 3, DType::kBf16, 1, {Op::kSum}, 1, 1},
    {5, 2, DType::kBf16, 1, kAll, 1, 2},        {5, 3, DType::kFp32, 1, {Op::kSum, Op::kMax}, 2, 1},
    {6, 3, DType::kBf16, 1, {Op::kSum}, 3, 1},  {7, 2, DType::kInt32, 1, kAll, 2, 1},
    {8, 2, DType::kBf16, 1, kAll, 1, 1},        {8, 3, DType::kFp16, 1, {Op::kSum}, 2, 3},
    {8, 5, DType::kInt16, 2, kAll, 1, 2},       {9, 3, DType::kBf16, 1, kAll, 2, 1},
    {11, 2, DType::kBf16, 1, {Op::kMax}, 3, 2}, {16, 3, DType::kBf16, 1, kAll, 2, 1},
};

Design design_of(const Case& c) {
  return make_design(c.radix, c.middle, c.dtype, c.lanes, c.ops, c.pipeline, c.adder_latency);
}

}  // namespace

TEST_CASE("every beat arrives L cycles later, whatever the routes of the cycles around it") {
  for (const Case& c : kCases) {
    const Design design = design_of(c);
    const unsigned seed = static_cast<unsigned>(1000 * c.radix + c.middle);
    CAPTURE(design.canonical_options());
    CAPTURE(seed);
    Traffic traffic(design, seed);
    std::vector<Cycle> cycles;
    int beats = 0;
    for (int t = 0; t < 400; ++t) {
      cycles.push_back(traffic.below(16) == 0 ? traffic.idle() : traffic.routable());
      beats += static_cast<int>(std::count(cycles.back().out_valid.begin(), cycles.back().out_valid.end(), true));
    }
    for (int t = 0; t <= design.network_latency(); ++t) cycles.push_back(traffic.idle());
    CHECK(beats > 400);
    const Result result = simulate(design, cycles, "sim");
    CHECK_MESSAGE(result.errors == 0, result.output);
    CHECK(result.beats == beats);
  }
}

TEST_CASE("flows that share a link are reported") {
  for (const Case& c : kCases) {
    const Design design = design_of(c);
    const unsigned seed = static_cast<unsigned>(2000 * c.radix + c.middle);
    CAPTURE(design.canonical_options());
    CAPTURE(seed);
    Traffic traffic(design, seed);
    std::vector<Cycle> cycles;
    const int expected = 60;
    // Colours that name no middle exist where m is no power of two.
    const bool can_lose = design.levels() > 1 && (design.middle & (design.middle - 1)) != 0;
    for (int i = 0; i < expected; ++i) {
      Cycle cycle = can_lose && i % 4 == 0 ? traffic.lost() : traffic.colliding();
      REQUIRE(std::any_of(cycle.in.begin(), cycle.in.end(), [](const Beat& beat) { return beat.valid; }));
      cycle.mode = 1;
      cycles.push_back(cycle);
      for (int t = 0; t <= design.network_latency(); ++t) {
        cycles.push_back(traffic.idle());
        cycles.back().mode = t == design.network_latency() ? 2 : 1;
      }
      cycles.push_back(traffic.idle());  // quiet again
    }
    const Result result = simulate(design, cycles, "sim");
    CHECK(result.conflicts == expected);
    CHECK_MESSAGE(result.errors == 0, result.output);
  }
}
