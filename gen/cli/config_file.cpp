// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "fred/error.hpp"

namespace fred::cli {
namespace {

constexpr std::array<std::string_view, 8> kCommaLists{"broken", "collective",  "dtype",    "flow",
                                                      "ops",    "parallelism", "stall-in", "stall-out"};
constexpr std::array<std::string_view, 2> kPortLists{"groups", "flows"};

template <typename List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// The command whose section the item stands in; none if there is no such command.
const CLI::App* command_of(const CLI::App& app, const CLI::ConfigItem& item) {
  for (const CLI::App* known : app.get_subcommands(nullptr)) {
    if (item.parents.size() == 1 && item.parents.front() == known->get_name()) return known;
  }
  return nullptr;
}

/// The items of an array of groups or flows as one text. Arrays in the array have been taken apart at their commas:
/// "[0", "1]", "[2]".
std::string port_lists(const std::vector<std::string>& items) {
  const bool nested = items.front().starts_with('[');
  if (!nested) {
    const auto many = [](const std::string& item) { return item.find_first_of(",>;") != std::string::npos; };
    if (std::none_of(items.begin(), items.end(), many)) {
      throw InputError(
          fmt::format("--config: groups or flows [{}]: write a text such as \"0,1;2,3\" or an array of groups such as "
                      "[[0, 1], [2, 3]]",
                      fmt::join(items, ", ")));
    }
    return fmt::format("{}", fmt::join(items, ";"));
  }
  std::string text;
  for (std::string item : items) {
    if (!text.empty()) text += item.starts_with('[') ? ';' : ',';
    std::erase_if(item, [](char c) { return c == '[' || c == ']' || c == ' '; });
    text += item;
  }
  return text;
}

}  // namespace

std::vector<CLI::ConfigItem> ConfigFile::from_config(std::istream& input) const {
  std::stringstream text;  // sections without the comments behind them, which CLI11 does not expect
  for (std::string line; std::getline(input, line);) {
    const auto start = line.find_first_not_of(" \t");
    const bool section = start != std::string::npos && line[start] == '[';
    text << (section ? line.substr(0, line.find('#')) : line) << '\n';
  }
  std::vector<CLI::ConfigItem> found = CLI::ConfigTOML::from_config(text);
  // An option of the command line wins over another one of the file that says the same.
  std::erase_if(found, [this](const CLI::ConfigItem& item) {
    const char* other = item.name == "lanes" ? "--width" : item.name == "width" ? "--lanes" : nullptr;
    const CLI::App* command = other == nullptr ? nullptr : command_of(app_, item);
    const CLI::Option* option = command == nullptr ? nullptr : command->get_option_no_throw(other);
    return option != nullptr && option->count() > 0;
  });
  std::set<std::string> seen;
  for (CLI::ConfigItem& item : found) {
    check(item);
    if (item.name == "++" || item.name == "--") continue;  // a section begins, ends
    if (!seen.insert(item.fullname()).second) {
      throw InputError(fmt::format("--config: {} is there twice", item.fullname()));
    }
    const bool array = item.inputs.size() > 1 || (item.inputs.size() == 1 && item.inputs.front().starts_with('['));
    if (array && contains(kCommaLists, item.name)) item.inputs = {fmt::format("{}", fmt::join(item.inputs, ","))};
    if (array && contains(kPortLists, item.name)) item.inputs = {port_lists(item.inputs)};
  }
  return found;
}

void ConfigFile::check(const CLI::ConfigItem& item) const {
  const CLI::App* command = command_of(app_, item);
  std::string commands;
  for (const CLI::App* known : app_.get_subcommands(nullptr)) commands += fmt::format(" [{}]", known->get_name());
  if (command == nullptr && !item.parents.empty()) {
    throw InputError(
        fmt::format("--config: unknown section [{}]; there are{}", fmt::join(item.parents, "."), commands));
  }
  if (item.name == "++" || item.name == "--") return;
  if (command == nullptr) {
    throw InputError(fmt::format("--config: '{}' is in no section; there are{}", item.name, commands));
  }
  const CLI::Option* option = command->get_option_no_throw("--" + item.name);
  if (option != nullptr && option->get_configurable()) return;
  throw InputError(fmt::format("--config: unknown key '{}' in [{}]; keys are the long options of `fred {}`", item.name,
                               command->get_name(), command->get_name()));
}

}  // namespace fred::cli
