// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/parallelism_route.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "fred/cli/json_output.hpp"
#include "fred/cli/placement_file.hpp"
#include "fred/cli/route_answer.hpp"
#include "fred/error.hpp"
#include "fred/network/network.hpp"
#include "fred/route/broken.hpp"
#include "fred/route/cross_phase.hpp"
#include "fred/route/drawing.hpp"
#include "fred/route/parallelism.hpp"
#include "fred/route/placement.hpp"
#include "fred/route/program_header.hpp"

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
  fmt::print("\nphase {}: {} of {} in {}{}{}\n\n", phase.name, counted(phase.groups.size(), "group"), phase.size(),
             counted(phase.rounds.rounds.size(), "round"), phase.rounds.count() > 1 ? ", " + proof(phase.rounds) : "",
             phase.lost.empty() ? "" : fmt::format(", {} of them lost", phase.lost.size()));
  const std::size_t width = print_rounds(phase.flows, phase.rounds.routes, phase.rounds.rounds);
  for (const int f : phase.lost) {
    print_without_round(static_cast<std::size_t>(f), phase.flows[static_cast<std::size_t>(f)], width, "lost");
  }
}

void print_text(const Network& network, const LinkSet& broken, const Parallelism& parallelism, const PlacedJob& job) {
  fmt::print("FRED_{}({}): {}: {} placed {}\n", network.middle, network.radix, to_string(parallelism),
             counted(job.placement.size(), "rank"), job.rule);
  print_broken(network, broken);
  fmt::print("\n");
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

nlohmann::ordered_json to_json(const Network& network, const LinkSet& broken, const Parallelism& parallelism,
                               const PlacedJob& job) {
  using Json = nlohmann::ordered_json;
  Json of_broken = broken_json(network, broken);
  if (!of_broken.is_null()) of_broken["lost_ranks"] = job.lost_ranks;
  Json dimensions = Json::array();
  for (const Dimension& dimension : parallelism.dimensions) {
    dimensions.push_back({{"name", dimension.name}, {"size", dimension.size}});
  }
  Json phases = Json::array();
  for (const Phase& phase : job.phases) {
    Json routes = Json::array();
    for (std::size_t f = 0; f < phase.flows.size(); ++f) {
      const bool lost = std::binary_search(phase.lost.begin(), phase.lost.end(), static_cast<int>(f));
      routes.push_back(route_json(phase.flows[f], lost ? nullptr : &phase.rounds.routes[f]));
    }
    phases.push_back({{"name", phase.name},
                      {"size", phase.size()},
                      {"groups", phase.groups},
                      {"routes", std::move(routes)},
                      {"rounds", phase.rounds.rounds},
                      {"at_least", phase.rounds.at_least},
                      {"lost_flows", phase.lost}});
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
          {"broken", std::move(of_broken)},
          {"phases", std::move(phases)},
          {"cross_phase", {{"pairs", pairs}, {"compatible", compatible}, {"phases", std::move(two)}}}};
}

/// The smallest number of middles with which every phase routes at once; nullopt if none is known.
std::optional<int> enough_middles(const Network& network, const std::vector<Phase>& phases) {
  int enough = 0;
  for (const Phase& phase : phases) {
    if (phase.rounds.count() <= 1) continue;
    const std::optional<int> middle = min_middle(network.radix, phase.flows);
    if (!middle) return std::nullopt;
    enough = std::max(enough, *middle);
  }
  return enough;
}

/// "phase mp loses flow 2, phase dp loses flows 0, 1", and why.
std::string losses(const Network& network, const LinkSet& broken, const PlacedJob& job) {
  std::string text;
  for (const Phase& phase : job.phases) {
    if (phase.lost.empty()) continue;
    text += fmt::format("{}phase {} loses flow{} {}", text.empty() ? "" : ", ", phase.name,
                        phase.lost.size() == 1 ? "" : "s", fmt::join(phase.lost, ", "));
  }
  return job.all_routed() ? text
                          : fmt::format("{}{}{}", text, text.empty() ? "" : ": ", loss_cause_text(network, broken));
}

/// Which phases have lost flows or take more than one round, and how many middles would do.
std::string failure(const Network& network, const LinkSet& broken, const PlacedJob& job, bool searched) {
  const std::string lost = losses(network, broken, job);
  std::string text;
  for (const Phase& phase : job.phases) {
    if (phase.rounds.count() <= 1) continue;
    text += fmt::format("{}phase {} takes {} rounds ({})", text.empty() ? "" : ", ", phase.name, phase.rounds.count(),
                        proof(phase.rounds));
  }
  if (!lost.empty()) text = lost + (text.empty() ? "" : ". Of the others, ") + text;
  if (!job.lost_ranks.empty()) {
    text = fmt::format("no placement will do, {} for {} that can both send and receive: with the best one found, {}",
                       counted(job.placement.size(), "rank"),
                       counted(ports_left(network.radix, loss_of(network, broken)).size(), "port"), text);
  } else if (searched) {
    text = "found no placement that routes every phase in one round: with the best one, " + text;
  }
  if (!broken.empty()) return text;
  if (const std::optional<int> enough = enough_middles(network, job.phases)) {
    text += fmt::format("; --middle {} routes every phase of this placement at once", *enough);
  }
  return text;
}

/// The one of `items` that is meant for dimension `index`: one for all, or one each.
template <typename Item>
const Item& item_of(const char* option, const std::vector<Item>& items, std::size_t index, std::size_t dimensions) {
  if (items.size() != 1 && items.size() != dimensions) {
    throw InputError(
        fmt::format("{} {}: {} for {} dimensions of more than one rank; allowed are one for all or one for each",
                    option, fmt::join(items, ","), items.size(), dimensions));
  }
  return items[items.size() == 1 ? 0 : index];
}

/// The virtual circuit of a dimension's groups, where --vc does not say it.
int circuit_of(const std::string& dimension, int vcs) {
  if (vcs < 4) return 0;
  if (dimension == "pp") return 2;
  return dimension == "dp" ? 3 : 1;
}

/// A descriptor for each group of each phase, on the routes of the job.
Program program_of(const RegisterOptions& options, const Design& design, const Network& network, const LinkSet& broken,
                   PlacedJob& job) {
  std::vector<std::string> kinds;
  for (std::string_view rest = options.collectives;;) {
    const auto comma = rest.find(',');
    kinds.emplace_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  std::vector<Collective> collectives;
  ProgramOptions with{options.epoch, false, broken, {}};
  for (std::size_t p = 0; p < job.phases.size(); ++p) {
    const Phase& phase = job.phases[p];
    RegisterOptions here = options;
    here.collectives = item_of("--collective", kinds, p, job.phases.size());
    here.vcs = {options.vc_option->count() > 0 ? item_of("--vc", options.vcs, p, job.phases.size())
                                               : circuit_of(phase.name, design.vcs)};
    std::vector<Ranks> ranks;
    for (const Group& group : phase.groups) ranks.push_back({group, group});
    for (Collective& collective : read_collectives(here, design, ranks, phase.flows)) {
      collectives.push_back(std::move(collective));
    }
    with.routes.insert(with.routes.end(), phase.rounds.routes.begin(), phase.rounds.routes.end());
  }
  Program program = make_program(design, network, collectives, with);
  // An all-to-all beside them may have given trees other routes; what is told is what is written.
  std::size_t descriptor = 0;
  for (Phase& phase : job.phases) {
    for (Route& route : phase.rounds.routes) {
      const Descriptor& of = program.descriptors[descriptor++];
      if (of.kind != Kind::kAllToAll) route = of.route;
    }
  }
  job.cross = count_cross_phase(network, job.phases);
  return program;
}

/// A panel for each round of each phase.
std::vector<DrawnRound> drawn_phases(const std::vector<Phase>& phases) {
  std::vector<DrawnRound> drawn;
  for (const Phase& phase : phases) {
    std::vector<DrawnRound> rounds = drawn_rounds(phase.flows, phase.rounds.routes, phase.rounds.rounds);
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      rounds[r].title = fmt::format("phase {}", phase.name);
      if (rounds.size() > 1) rounds[r].title += fmt::format(", round {}", r);
      drawn.push_back(std::move(rounds[r]));
    }
  }
  return drawn;
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

void route_parallelism(const ParallelismOptions& options, const RegisterOptions& registers, std::optional<int> radix,
                       int middle, const OtherOptions& others) {
  const auto& [json, svg, broken_parts] = others;
  const Parallelism parallelism = parse_parallelism(options.parallelism);
  const int ranks = parallelism.ranks();
  if (radix && *radix < ranks) {
    throw InputError(fmt::format("--parallelism {}: has {} ranks: --radix {} allows at most {}, one a port",
                                 to_string(parallelism), ranks, *radix, *radix));
  }
  const Network network = make_network(radix.value_or(std::max(ranks, 2)), middle);
  const LinkSet broken = parse_broken(broken_parts, network);
  const Loss loss = broken.empty() ? Loss{} : loss_of(network, broken);
  const bool searched = options.placement.empty();
  PlacedJob job = searched ? place(network, parallelism, broken)
                           : place_as_given(network, parallelism,
                                            read_placement(options.placement, ranks, network.radix, loss), broken);
  Design design;
  std::optional<Program> program;
  if (registers.on) {
    design = registers.design_of(network.radix, middle);
    if (job.all_routed()) program = program_of(registers, design, network, broken, job);
  }
  if (!svg.empty()) write_text("--svg", svg, draw_svg(network, drawn_phases(job.phases), broken));
  if (program && !registers.c_header.empty()) {
    write_text("--c-header", registers.c_header, program_header(design, *program, c_name_of(registers.c_header)));
  }
  if (!json.empty()) {
    nlohmann::ordered_json all = to_json(network, broken, parallelism, job);
    if (registers.on) all["registers"] = program ? registers_json(design, *program) : nullptr;
    write_json(json, all);
  }
  if (!is_stdout(json) && !is_stdout(registers.c_header) && !is_stdout(svg)) {
    print_text(network, broken, parallelism, job);
    if (program) print_registers(design, *program);
    if (registers.on && !program) fmt::print("\nno registers: not all flows have a route\n");
    std::fflush(stdout);
  }
  if (!job.one_round_each()) throw RouteError(failure(network, broken, job, searched));
}

}  // namespace fred::cli
