// SPDX-License-Identifier: Apache-2.0
#include "synth/sta_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>

#include "fred/error.hpp"

namespace fred::synth {
namespace {

constexpr std::string_view kSection = "== ";  // of scripts/sta.tcl

[[noreturn]] void fail(const std::string& what) {
  throw ToolError(fmt::format("OpenSTA wrote a report that cannot be read: {}", what));
}

/// The text after each "== TITLE" by title.
std::map<std::string, std::string> sections(const std::string& text) {
  std::map<std::string, std::string> result;
  std::istringstream lines(text);
  std::string title;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kSection)) {
      title = line.substr(kSection.size());
      result[title];
    } else if (!title.empty()) {
      result[title] += line + "\n";
    }
  }
  if (!result.contains("end")) fail("it has no end");
  return result;
}

/// The number before `what`: "  -0.1835   2.8165   library setup time" has two, the first is a delay.
bool number_before(const std::string& line, std::string_view what, double& number) {
  if (line.find(what) == std::string::npos) return false;
  number = std::strtod(line.c_str(), nullptr);
  return true;
}

std::optional<TimingPath> parse_path(const std::map<std::string, std::string>& all, const std::string& title) {
  const auto section = all.find(title);
  if (section == all.end()) fail(fmt::format("it has no paths {}", title));
  static const std::regex point(R"(^\s*(-?[0-9.]+)\s+-?[0-9.]+ [\^v] (\S+)/[^/\s]+ \(([^)]+)\)\s*$)");
  std::istringstream lines(section->second);
  TimingPath path;
  double outside = 0;     // what the constraints leave outside the design at an input
  bool arrived = false;   // the data path is over, the required time follows
  bool complete = false;  // there is a slack
  for (std::string line; std::getline(lines, line) && !complete;) {
    std::smatch match;
    if (line.starts_with("Startpoint: ") || line.starts_with("Endpoint: ")) {
      std::istringstream words(line.substr(line.find(' ')));
      words >> (line.starts_with("Start") ? path.start : path.end);
    } else if (!arrived && std::regex_match(line, match, point)) {
      path.steps.push_back({match[2], match[3], std::strtod(match[1].str().c_str(), nullptr)});
    } else if (number_before(line, "input external delay", outside)) {
      continue;
    } else if (!arrived && number_before(line, "data arrival time", path.arrival)) {
      path.arrival -= outside;
      arrived = true;
    } else if (number_before(line, "library setup time", path.setup)) {
      path.setup = -path.setup;
    } else if (number_before(line, "slack (", path.slack)) {
      complete = true;
    }
  }
  if (path.start.empty()) return std::nullopt;  // "No paths found."
  if (!complete || path.end.empty()) fail(fmt::format("the path {} has no slack", title));
  // A register appears at its clock pin, with no delay, and at its output; the end at its data pin, which is no cell
  // that the signal passes.
  std::vector<PathStep> steps;
  for (const PathStep& step : path.steps) {
    if (!steps.empty() && steps.back().instance == step.instance) {
      steps.back().delay += step.delay;
    } else {
      steps.push_back(step);
    }
  }
  if (steps.size() > 1 && steps.back().instance == path.end) steps.pop_back();
  path.steps = std::move(steps);
  return path;
}

}  // namespace

std::string complaint(const std::string& log) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const bool error = line.starts_with("Error:") || line.starts_with("Error ");
    if (error || line.find("black box") != std::string::npos) return line;
  }
  return "";
}

WorstPaths parse_sta(const std::string& text) {
  const std::map<std::string, std::string> all = sections(text);
  return {parse_path(all, "register to register"), parse_path(all, "input to register"),
          parse_path(all, "register to output"), parse_path(all, "input to output")};
}

std::string rtl_name(std::string_view instance) {
  std::string name(instance.substr(0, instance.find("$_")));
  std::erase(name, '\\');
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

}  // namespace fred::synth
