// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/parallelism_route.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "fred/cli/json_output.hpp"
#include "fred/cli/placement_file.hpp"
#include "fred/error.hpp"
#include "fred/network/network.hpp"
#include "fred/numeric/tree.hpp"
#include "fred/route/parallelism.hpp"
#include "fred/route/placement.hpp"

namespace fred::cli {
namespace {

/// "1 group", "2 groups".
std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// What is known of the number of rounds.
std::string proof(const Rounds& rounds) {
  return rounds.minimal() ? "proved least" : fmt::format("at least {} proved", rounds.at_least);
}

/// Rows of text in columns as wide as they need be.
class Table {
 public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += fmt::format("{}{:<{}}", i == 0 ? "" : "  ", row[i], widths[i]);
      fmt::print("{}\n", line);
    }
  }

 private:
  std::vector<std::vector<std::string>> rows_;  // the head first; the last column needs no width
};

/// A line for the ranks that differ in the first dimension of more than one rank only.
void print_placement(const Parallelism& parallelism, const Placement& placement) {
  const auto along = std::find_if(parallelism.dimensions.begin(), parallelism.dimensions.end(),
                                  [](const Dimension& dimension) { return dimension.size > 1; });
  const int step = along == parallelism.dimensions.end() ? 1 : along->size;
  std::vector<std::string> head{"ranks"};
  for (const Dimension& dimension : parallelism.dimensions) head.push_back(dimension.name);
  head.emplace_back("ports");
  Table table(std::move(head));
  const auto range = [](int first, int last) {
    return first == last ? std::to_string(first) : fmt::format("{}..{}", first, last);
  };
  for (int rank = 0; rank < static_cast<int>(placement.size()); rank += step) {
    std::vector<std::string> row{range(rank, rank + step - 1)};
    const std::vector<int> first = coordinates_of(parallelism, rank);
    const std::vector<int> last = coordinates_of(parallelism, rank + step - 1);
    for (std::size_t d = 0; d < first.size(); ++d) row.push_back(range(first[d], last[d]));
    row.push_back(fmt::format("{}", fmt::join(placement.begin() + rank, placement.begin() + rank + step, ",")));
    table.add(std::move(row));
  }
  table.print();
}

void print_phase(const Phase& phase) {
  fmt::print("\nphase {}: {} of {} in {}{}\n\n", phase.name, counted(phase.groups.size(), "group"), phase.size(),
             counted(phase.rounds.rounds.size(), "round"), phase.rounds.count() > 1 ? ", " + proof(phase.rounds) : "");
  std::size_t width = 4;
  for (const Flow& flow : phase.flows) width = std::max(width, to_string(flow).size());
  fmt::print("round  flow  {:<{}}  colours  tree\n", "in>out", width);
  for (int round = 0; round < phase.rounds.count(); ++round) {
    for (const int f : phase.rounds.rounds[round]) {
      const auto& colours = phase.rounds.routes[f].colours;
      fmt::print("{:>5}  {:>4}  {:<{}}  {:<7}  {}\n", round, f, to_string(phase.flows[f]), width,
                 colours.empty() ? "-" : fmt::format("{}", fmt::join(colours, ",")), tree_text(phase.flows[f].in));
    }
  }
}

void print_text(const Network& network, const Parallelism& parallelism, const PlacedJob& job) {
  fmt::print("FRED_{}({}): {}: {} placed {}\n\n", network.middle, network.radix, to_string(parallelism),
             counted(job.placement.size(), "rank"), job.rule);
  print_placement(parallelism, job.placement);
  for (const Phase& phase : job.phases) print_phase(phase);
  if (job.cross.empty()) return;
  fmt::print("\nGroups of two phases without a common port, and those of them whose routes share no link:\n\n");
  Table table({"phases", "pairs", "compatible"});
  for (const CrossPhase& cross : job.cross) {
    table.add({fmt::format("{}, {}", job.phases[cross.first].name, job.phases[cross.second].name),
               std::to_string(cross.pairs), std::to_string(cross.compatible)});
  }
  table.print();
}

nlohmann::ordered_json to_json(const Network& network, const Parallelism& parallelism, const PlacedJob& job) {
  using Json = nlohmann::ordered_json;
  Json dimensions = Json::array();
  for (const Dimension& dimension : parallelism.dimensions) {
    dimensions.push_back({{"name", dimension.name}, {"size", dimension.size}});
  }
  Json phases = Json::array();
  for (const Phase& phase : job.phases) {
    Json routes = Json::array();
    for (std::size_t f = 0; f < phase.flows.size(); ++f) {
      const Flow& flow = phase.flows[f];
      routes.push_back({{"in", flow.in},
                        {"out", flow.out},
                        {"colours", phase.rounds.routes[f].colours},
                        {"tree", tree_text(flow.in)}});
    }
    phases.push_back({{"name", phase.name},
                      {"size", phase.size()},
                      {"groups", phase.groups},
                      {"routes", std::move(routes)},
                      {"rounds", phase.rounds.rounds},
                      {"at_least", phase.rounds.at_least}});
  }
  long pairs = 0;
  long compatible = 0;
  Json two = Json::array();
  for (const CrossPhase& cross : job.cross) {
    pairs += cross.pairs;
    compatible += cross.compatible;
    two.push_back({{"phases", {job.phases[cross.first].name, job.phases[cross.second].name}},
                   {"pairs", cross.pairs},
                   {"compatible", cross.compatible}});
  }
  return {{"radix", network.radix},
          {"middle", network.middle},
          {"parallelism", std::move(dimensions)},
          {"placed", job.rule},
          {"placement", job.placement},
          {"routable", job.one_round_each()},
          {"phases", std::move(phases)},
          {"cross_phase", {{"pairs", pairs}, {"compatible", compatible}, {"phases", std::move(two)}}}};
}

/// The smallest number of middles with which every phase routes at once, or 0 if none is known.
int enough_middles(const Network& network, const std::vector<Phase>& phases) {
  int enough = 0;
  for (const Phase& phase : phases) {
    if (phase.rounds.count() <= 1) continue;
    try {
      const int middle = min_middle(network.radix, phase.flows).value_or(0);
      if (middle == 0) return 0;
      enough = std::max(enough, middle);
    } catch (const InputError&) {  // too large to build
      return 0;
    }
  }
  return enough;
}

/// Which phases take more than one round, and how many middles would do.
std::string failure(const Network& network, const PlacedJob& job, bool searched) {
  std::string text;
  for (const Phase& phase : job.phases) {
    if (phase.rounds.count() <= 1) continue;
    text += fmt::format("{}phase {} takes {} rounds ({})", text.empty() ? "" : ", ", phase.name, phase.rounds.count(),
                        proof(phase.rounds));
  }
  if (searched) text = "found no placement that routes every phase in one round: with the best one, " + text;
  const int enough = enough_middles(network, job.phases);
  if (enough > 0) text += fmt::format("; --middle {} routes every phase of this placement at once", enough);
  return text;
}

}  // namespace

void add_parallelism_options(CLI::App& command, ParallelismOptions& options) {
  constexpr const char* kGroup = "Parallelism";
  CLI::Option* parallelism =
      command
          .add_option("--parallelism", options.parallelism,
                      "place the ranks of a job and route the groups along each dimension: NAME=SIZE,.. of mp, tp, "
                      "sp, cp, ep, pp, dp. The first one varies fastest: rank = c0 + n0*(c1 + n1*(c2 ..)) for "
                      "coordinates c and sizes n")
          ->excludes("--groups")
          ->excludes("--flows")
          ->group(kGroup);
  command
      .add_option("--placement", options.placement,
                  "use the ports that this JSON file gives instead of searching: a list, one a rank, or what --json "
                  "wrote with --parallelism")
      ->type_name("FILE")
      ->needs(parallelism)
      ->group(kGroup);
}

void route_parallelism(const ParallelismOptions& options, std::optional<int> radix, int middle,
                       const std::string& json) {
  const Parallelism parallelism = parse_parallelism(options.parallelism);
  const int ranks = parallelism.ranks();
  if (radix && *radix < ranks) {
    throw InputError(fmt::format("--parallelism {}: has {} ranks: --radix {} allows at most {}, one a port",
                                 to_string(parallelism), ranks, *radix, *radix));
  }
  const Network network = make_network(radix.value_or(std::max(ranks, 2)), middle);
  const bool searched = options.placement.empty();
  const PlacedJob job = searched ? place(network, parallelism)
                                 : place(network, parallelism, read_placement(options.placement, ranks, network.radix));
  if (!json.empty()) write_json(json, to_json(network, parallelism, job));
  if (!is_stdout(json)) {
    print_text(network, parallelism, job);
    std::fflush(stdout);
  }
  if (!job.one_round_each()) throw RouteError(failure(network, job, searched));
}

}  // namespace fred::cli
