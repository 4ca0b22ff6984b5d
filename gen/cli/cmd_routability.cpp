// SPDX-License-Identifier: Apache-2.0
// `fred routability`: which share of all ways to group the ports routes in one round; writes
// docs/results/routability.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "fred/cli/commands.hpp"
#include "fred/cli/json_output.hpp"
#include "fred/error.hpp"
#include "fred/route/routability.hpp"

namespace fred::cli {
namespace {

struct RoutabilityOptions {
  std::vector<int> middles = {2, 3, 4};
  int up_to = kMaxExactGroups;       // 0: none
  int flows_up_to = kMaxExactFlows;  // 0: none
  std::vector<int> radices = {12, 14, 16, 20, 24, 32, 48, 64, 128};
  std::uint64_t samples = 10'000;  // 0: none
  std::uint64_t seed = 1;
  int jobs = 0;  // threads; 0: one a core
  std::string json;
  std::string markdown;
};

constexpr std::uint64_t kMaxSamples = 10'000'000;
constexpr int kMaxJobs = 256;

struct Results {
  std::vector<Tally> exact;    // groups, then flows; P ascends
  std::vector<Tally> sampled;  // by population, then in the order of --radix
};

void check_exact(const char* option, int value, int most) {
  if (value == 0 || (value >= 2 && value <= most)) return;
  throw InputError(fmt::format("{} {}: allowed are 2..{}, or 0 for no exact counts", option, value, most));
}

/// Values of m, ascending.
std::vector<int> check(const RoutabilityOptions& options) {
  std::vector<int> middles = options.middles;
  std::sort(middles.begin(), middles.end());
  for (std::size_t i = 0; i < middles.size(); ++i) {
    if (middles[i] < 2 || middles[i] > 16) {
      throw InputError(fmt::format("--middle {}: allowed are values in 2..16", middles[i]));
    }
    if (i > 0 && middles[i] == middles[i - 1]) throw InputError(fmt::format("--middle {}: given twice", middles[i]));
  }
  check_exact("--up-to", options.up_to, kMaxExactGroups);
  check_exact("--flows-up-to", options.flows_up_to, kMaxExactFlows);
  for (const int radix : options.radices) {
    if (radix >= 2 && radix <= kMaxSampledRadix) continue;
    throw InputError(fmt::format("--radix {}: allowed are values in 2..{}", radix, kMaxSampledRadix));
  }
  if (options.samples > kMaxSamples) {
    throw InputError(fmt::format("--samples {}: allowed are 0..{}", options.samples, kMaxSamples));
  }
  if (options.jobs < 0 || options.jobs > kMaxJobs) {
    throw InputError(fmt::format("--jobs {}: allowed are 1..{}, or 0 for one a core", options.jobs, kMaxJobs));
  }
  if (is_stdout(options.json) && is_stdout(options.markdown)) {
    throw InputError("--json - and --markdown -: only one of them can be standard output");
  }
  check_json(options.json);
  if (!options.markdown.empty() && !is_stdout(options.markdown)) check_output("--markdown", options.markdown, true);
  return middles;
}

Results measure(const RoutabilityOptions& options, const std::vector<int>& middles) {
  const int jobs =
      options.jobs > 0 ? options.jobs : std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMaxJobs);
  auto before = std::chrono::steady_clock::now();
  const auto report = [&](const Tally& tally) {
    const auto now = std::chrono::steady_clock::now();
    fmt::print(stderr, "{} {}, P = {}: {} asked, {:.1f} s\n", tally.exact ? "all" : "random",
               to_string(tally.population), tally.radix, tally.routed,
               std::chrono::duration<double>(now - before).count());
    before = now;
  };
  Results results;
  if (options.up_to > 0) results.exact = count_groups(options.up_to, middles, jobs, report);
  if (options.flows_up_to > 0) {
    const std::vector<Tally> flows = count_flows(options.flows_up_to, middles, jobs, report);
    results.exact.insert(results.exact.end(), flows.begin(), flows.end());
  }
  for (const Population population : {Population::kGroups, Population::kSizedGroups, Population::kFlows}) {
    if (options.samples == 0) break;
    for (const int radix : options.radices) {
      results.sampled.push_back(sample_families(population, radix, middles, options.samples, options.seed, jobs));
      report(results.sampled.back());
    }
  }
  return results;
}

nlohmann::ordered_json to_json(const Tally& tally) {
  using Json = nlohmann::ordered_json;
  Json middles = Json::array();
  for (const Tally::Middle& middle : tally.middles) {
    Json entry = {{"middle", middle.middle},
                  {"routable", middle.routable},
                  {"share", static_cast<double>(middle.routable) / static_cast<double>(tally.families)}};
    if (!tally.exact) {
      const Interval interval = wilson_interval(middle.routable, tally.families);
      entry["low"] = interval.low;
      entry["high"] = interval.high;
    }
    entry["family"] = nullptr;
    entry["conflict"] = nullptr;
    if (middle.failure) {
      entry["family"] = list_of(tally.population, middle.failure->family);
      entry["conflict"] = list_of(tally.population, middle.failure->conflict);
    }
    middles.push_back(std::move(entry));
  }
  return {{"population", to_string(tally.population)},
          {"radix", tally.radix},
          {tally.exact ? "families" : "samples", tally.families},
          {"middles", std::move(middles)}};
}

nlohmann::ordered_json to_json(const RoutabilityOptions& options, const Results& results) {
  nlohmann::ordered_json value = {{"seed", options.seed}, {"exact", nlohmann::ordered_json::array()}};
  for (const Tally& tally : results.exact) value["exact"].push_back(to_json(tally));
  value["sampled"] = nlohmann::ordered_json::array();
  for (const Tally& tally : results.sampled) value["sampled"].push_back(to_json(tally));
  return value;
}

/// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t value) {
  std::string text = fmt::format("{}", value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

/// A share in percent, with as many decimals as it takes not to say 0 or 100 where it is neither.
std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (part == whole) return "100";
  if (part == 0) return "0";
  const double value = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  for (int decimals = 2;; ++decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    const double shown = std::stod(text);
    if ((shown > 0 && shown < 100) || decimals == 12) return text;
  }
}

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::size_t left_from = 99;  // columns from here on are words, those before are numbers
};

std::string as_markdown(const Table& table) {
  std::string text = fmt::format("| {} |\n|", fmt::join(table.head, " | "));
  for (std::size_t c = 0; c < table.head.size(); ++c) text += c < table.left_from ? "--:|" : "---|";
  text += '\n';
  for (const auto& row : table.rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text + '\n';
}

std::string as_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& cell : table.head) widths.push_back(cell.size());
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t c = 0; c < row.size(); ++c) {
      text +=
          c < table.left_from ? fmt::format("{:>{}}  ", row[c], widths[c]) : fmt::format("{:<{}}  ", row[c], widths[c]);
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  };
  std::string text = line(table.head);
  for (const auto& row : table.rows) text += line(row);
  return text + '\n';
}

std::vector<Tally> of(Population population, const std::vector<Tally>& tallies) {
  std::vector<Tally> some;
  std::copy_if(tallies.begin(), tallies.end(), std::back_inserter(some),
               [&](const Tally& tally) { return tally.population == population; });
  return some;
}

Table exact_table(const std::vector<Tally>& tallies, const char* what) {
  Table table{{"P", what}, {}};
  for (const Tally::Middle& middle : tallies.front().middles) {
    table.head.push_back(fmt::format("m = {}: fail", middle.middle));
    table.head.emplace_back("% route");
  }
  for (const Tally& tally : tallies) {
    table.rows.push_back({fmt::format("{}", tally.radix), grouped(tally.families)});
    for (const Tally::Middle& middle : tally.middles) {
      table.rows.back().push_back(grouped(tally.families - middle.routable));
      table.rows.back().push_back(percent(middle.routable, tally.families));
    }
  }
  return table;
}

Table sampled_table(const std::vector<Tally>& tallies) {
  Table table{{"P"}, {}};
  for (const Tally::Middle& middle : tallies.front().middles) {
    table.head.push_back(fmt::format("m = {}: % route", middle.middle));
    table.head.emplace_back("95 % interval");
  }
  for (const Tally& tally : tallies) {
    table.rows.push_back({fmt::format("{}", tally.radix)});
    for (const Tally::Middle& middle : tally.middles) {
      const Interval interval = wilson_interval(middle.routable, tally.families);
      table.rows.back().push_back(percent(middle.routable, tally.families));
      table.rows.back().push_back(fmt::format("{:.2f}..{:.2f}", 100 * interval.low, 100 * interval.high));
    }
  }
  return table;
}

/// The first failures, one a row. `quote` stands around what can be given to `fred route`.
Table failures(const std::vector<Tally>& tallies, const char* quote) {
  constexpr std::size_t kMostCharacters = 150;
  Table table{{"P", "m", "flows that cannot be together"}, {}, 2};
  for (const Tally& tally : tallies) {
    for (const Tally::Middle& middle : tally.middles) {
      if (!middle.failure) continue;
      std::string list = list_of(tally.population, middle.failure->conflict);
      list = list.size() <= kMostCharacters ? fmt::format("{}{}{}", quote, list, quote)
                                            : fmt::format("{} flows, in the JSON", middle.failure->conflict.size());
      table.rows.push_back({fmt::format("{}", tally.radix), fmt::format("{}", middle.middle), std::move(list)});
    }
  }
  return table;
}

/// A part of the result that is shown if there is any of it.
struct Section {
  std::string title;
  std::string words;  // for the page only
  Table table;
};

/// "at m = 2 up to P = 5, at m = 3 up to P = 11": of each m that fails somewhere; then of those that do not.
std::string limits(const std::vector<Tally>& tallies, const char* what) {
  std::vector<std::string> lines;
  for (std::size_t m = 0; m < tallies.front().middles.size(); ++m) {
    const int middle = tallies.front().middles[m].middle;
    const auto fails = std::find_if(tallies.begin(), tallies.end(),
                                    [&](const Tally& tally) { return tally.middles[m].routable < tally.families; });
    const Tally& last = tallies.back();
    if (fails == tallies.end()) {
      lines.push_back(fmt::format("- m = {}: all {} route up to P = {}, the largest that was counted.\n", middle, what,
                                  last.radix));
      continue;
    }
    std::string line = fmt::format("- m = {}: ", middle);
    if (fails != tallies.begin()) line += fmt::format("all {} route up to P = {}; ", what, (fails - 1)->radix);
    line += fmt::format("at P = {} {} of {} do not", fails->radix,
                        grouped(fails->families - fails->middles[m].routable), grouped(fails->families));
    if (&*fails != &last) {
      line += fmt::format(", at P = {} {} % do not", last.radix,
                          percent(last.families - last.middles[m].routable, last.families));
    }
    lines.push_back(line + ".\n");
  }
  return fmt::format("{}\n", fmt::join(lines, ""));
}

std::vector<Section> sections(const Results& results, const RoutabilityOptions& options, const char* quote) {
  std::vector<Section> list;
  const std::vector<Tally> groups = of(Population::kGroups, results.exact);
  const std::vector<Tally> flows = of(Population::kFlows, results.exact);
  const auto words_of_failures = [](const char* option) {
    return fmt::format(
        "Of the unroutable ones with the fewest flows, the first in lexicographic order; reduced to flows and ports of "
        "which none can be left out. `fred route --radix P --middle m {} \"...\"` says why.\n\n",
        option);
  };
  if (!groups.empty()) {
    list.push_back(
        {"Groups: every partition of the ports (exact)",
         "A partition of the ports into all-reduce groups, IP = OP, also groups of one: Bell(P) of them.\n\n" +
             limits(groups, "partitions"),
         exact_table(groups, "partitions")});
    list.push_back({"The first groups that do not fit", words_of_failures("--groups"), failures(groups, quote)});
  }
  if (!flows.empty()) {
    list.push_back(
        {"Flows: inputs and outputs apart (exact)",
         "A family of flows: a partition of the inputs into k blocks, one of the outputs into k, and a matching that "
         "makes k flows of them: the sum over k of S(P, k)² k! families.\n\n" +
             limits(flows, "families"),
         exact_table(flows, "families")});
    list.push_back({"The first flows that do not fit", words_of_failures("--flows"), failures(flows, quote)});
  }
  const std::string samples =
      fmt::format("{} samples a row, seed {}; 95 % intervals by Wilson.\n\n", grouped(options.samples), options.seed);
  const auto add_sampled = [&](Population population, const char* title, const std::string& words) {
    const std::vector<Tally> tallies = of(population, results.sampled);
    if (tallies.empty()) return;
    list.push_back({title, words + " " + samples, sampled_table(tallies)});
    list.push_back({fmt::format("{}: the first samples that do not fit", title),
                    "Reduced to flows and ports of which none can be left out.\n\n", failures(tallies, quote)});
  };
  add_sampled(Population::kGroups, "Random partitions", "All partitions of the ports have the same probability.");
  add_sampled(
      Population::kSizedGroups, "Random groups of 2 to 8",
      fmt::format(
          "Sizes are drawn from {0}..{1}, one after the other, all with the same probability; a size that would "
          "leave exactly one port is drawn again, and one that takes all ports that are left or more is the "
          "last and gets these. So no group has one port. Ports are dealt to the sizes in random order.",
          kSmallestGroup, kLargestGroup));
  add_sampled(Population::kFlows, "Random flows, inputs and outputs apart",
              "All families have the same probability: k in proportion to S(P, k)² k!, then two partitions into k "
              "blocks and a matching. Most have many flows of one or two ports.");
  return list;
}

/// The command that gives the page, with what was not left as it is.
std::string command_line(const RoutabilityOptions& options) {
  const RoutabilityOptions defaults;
  std::string line = "fred routability";
  const auto add = [&](const char* name, const auto& value, const auto& usual) {
    if (value != usual) line += fmt::format(" {} {}", name, value);
  };
  const auto joined = [](const std::vector<int>& values) { return fmt::format("{}", fmt::join(values, ",")); };
  add("--middle", joined(options.middles), joined(defaults.middles));
  add("--up-to", options.up_to, defaults.up_to);
  add("--flows-up-to", options.flows_up_to, defaults.flows_up_to);
  add("--radix", joined(options.radices), joined(defaults.radices));
  add("--samples", options.samples, defaults.samples);
  add("--seed", options.seed, defaults.seed);
  return line + " --markdown " + options.markdown;
}

std::string page(const Results& results, const RoutabilityOptions& options) {
  std::string text = fmt::format(
      "# Which share of all groupings routes in one round\n\n"
      "Made by `{}`. The exact counts ask the router once for each class of groupings that its rules cannot tell apart "
      "(`gen/route/routability.cpp`); the samples are independent of each other and the same on every machine. What "
      "routes with m middles routes with m + 1.\n\n",
      command_line(options));
  text +=
      "What one learns, with the options left as they are:\n\n"
      "- Groups fail from P = m (m + 1) on at the latest. m + 1 flows of which every two share a microswitch need a "
      "middle each, one more than there are, and m (m + 1) / 2 microswitches to share. Groups, whose outputs are their "
      "inputs, have them from m (m + 1) ports on: 6 at m = 2, 12 at m = 3, 20 at m = 4 "
      "(`fred route --radix 20 --middle 4 --groups \"0,2,4,6;1,8,10,12;3,9,14,16;5,11,15,18;7,13,17,19\"`). The exact "
      "counts find no smaller failure at m = 2 and 3, and at m = 4 none as far as they go.\n"
      "- Where inputs and outputs differ, microswitches of both sides count, so half as many ports are enough: 4 at "
      "m = 2, 6 at m = 3, 10 at m = 4 "
      "(`fred route --radix 10 --middle 4 --flows \"0,9>0,9;1,2>5,6;3,4>1,2;5,6>7,8;7,8>3,4\"`); by the exact counts, "
      "fewer are not.\n"
      "- m = 2 is for chosen groups: at P = 16 half of all partitions need a second round. At m = 3 it is 3 in a "
      "thousand, and 6 % of the random flows; at m = 4 next to none.\n"
      "- At m = 2 and 3 larger switches fail more often: at P = 128 and m = 3 every thirteenth partition, half of the "
      "flows, two thirds of the groups of 2 to 8 ports. One odd port more changes little, as it has no microswitch at "
      "level 0 to share. Groups of 2 to 8 fail more often than all partitions do on average, whose groups are "
      "smaller.\n"
      "- m = 4 routes 99.9 % and more everywhere but for groups of 2 to 8 at P = 32 to 64, where it is 99 %.\n"
      "- The intervals of the samples of P = 12, 14 and 16 hold the exact shares.\n"
      "- Placements are not random: neighbours 2i, 2i + 1 in one group meet nobody at level 0. What a job needs is "
      "answered by `fred route` for its own groups; these shares say what to expect where the placement is left to "
      "chance.\n\n";
  for (const Section& section : sections(results, options, "`")) {
    if (section.table.rows.empty()) continue;
    text += fmt::format("## {}\n\n{}{}", section.title, section.words, as_markdown(section.table));
  }
  text.pop_back();  // the empty line at the end
  return text;
}

void run(const RoutabilityOptions& given) {
  RoutabilityOptions options = given;
  options.middles = check(options);
  const Results results = measure(options, options.middles);
  if (!options.json.empty()) write_json(options.json, to_json(options, results));
  if (!options.markdown.empty()) write_text("--markdown", options.markdown, page(results, options));
  if (is_stdout(options.json) || is_stdout(options.markdown)) return;
  for (const Section& section : sections(results, options, "")) {
    if (!section.table.rows.empty()) fmt::print("{}\n{}", section.title, as_text(section.table));
  }
}

}  // namespace

void add_routability(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("routability", "Which share of all ways to group the ports routes in one round");
  const auto options = std::make_shared<RoutabilityOptions>();
  command->add_option("--middle", options->middles, "values of m, middle subnetworks a level: 2..16")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option(
          "--up-to", options->up_to,
          fmt::format("largest P of which all partitions into groups are counted: 2..{}, 0: none", kMaxExactGroups))
      ->capture_default_str();
  command
      ->add_option("--flows-up-to", options->flows_up_to,
                   fmt::format("largest P of which all families of flows are counted: 2..{}, 0: none", kMaxExactFlows))
      ->capture_default_str();
  command
      ->add_option("--radix", options->radices,
                   fmt::format("values of P of which random groups and flows are drawn: 2..{}", kMaxSampledRadix))
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--samples", options->samples, "random samples of each kind and P; 0: none")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "seed of the samples")->capture_default_str();
  command->add_option("--jobs", options->jobs, "threads; 0: one a core. The result does not depend on it")
      ->capture_default_str();
  command->add_option("--json", options->json, kJsonHelp)->type_name("FILE");
  command
      ->add_option("--markdown", options->markdown,
                   "write the result as a page of text and tables to FILE; - is standard output, and nothing else goes "
                   "there")
      ->type_name("FILE");
  command->footer(
      "Exact shares for small P, with 95 % intervals from random samples for larger ones; and the first flows that do\n"
      "not fit. The same options give the same bytes; times go to standard error.\n"
      "Examples:\n"
      "  fred routability --up-to 12 --flows-up-to 8 --samples 0\n"
      "  fred routability --middle 4,5 --up-to 0 --flows-up-to 0 --radix 64 --samples 100000 --seed 7\n"
      "  fred routability --markdown docs/results/routability.md    (some minutes)");
  command->callback([options] { run(*options); });
}

}  // namespace fred::cli
