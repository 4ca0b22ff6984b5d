// SPDX-License-Identifier: Apache-2.0
// Gathers a module and all that it needs. Which leaf modules these are is read from the text of the leaf modules
// themselves: a leaf that names another leaf needs it. There is no list of dependencies that could be forgotten.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

#include "fred/emit/emit.hpp"
#include "fred/emit/leaf_files.hpp"

namespace fred {
namespace {

/// Words of SystemVerilog text that begin with "fred_", without those in comments, in order.
std::vector<std::string> fred_words(std::string_view text) {
  std::vector<std::string> words;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      i = std::min(text.find("*/", i + 2), text.size());
    } else if (is_word(text[i])) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      if (text.substr(i, 5) == "fred_") words.emplace_back(text.substr(i, end - i));
      i = end;
    } else {
      ++i;
    }
  }
  return words;
}

/// Depth-first walk over the modules that a module needs; a file is added after those that it needs.
class Collector {
 public:
  explicit Collector(const std::vector<verilog::Module>& modules) {
    for (const verilog::Module& module : modules) emitted_[module.name()] = &module;
    for (const LeafFile& leaf : leaf_files()) {
      const std::string_view suffix = ".sv";
      if (leaf.name.size() > suffix.size())
        leaves_[std::string(leaf.name.substr(0, leaf.name.size() - suffix.size()))] = leaf.text;
    }
  }

  void visit(const std::string& name) {
    if (!seen_.insert(name).second) return;
    std::string text;
    if (const auto emitted = emitted_.find(name); emitted != emitted_.end()) {
      for (const std::string& needed : emitted->second->instantiates()) visit(needed);
      text = emitted->second->text();
    } else if (const auto leaf = leaves_.find(name); leaf != leaves_.end()) {
      for (const std::string& word : fred_words(leaf->second)) {
        if (leaves_.count(word) != 0) visit(word);
      }
      text = leaf->second;
    } else {
      throw std::logic_error("there is no module " + name);
    }
    files_.push_back({fmt::format("rtl/{}.sv", name), std::move(text)});
  }

  std::vector<EmittedFile> files() && { return std::move(files_); }

 private:
  std::map<std::string, const verilog::Module*> emitted_;  // by name
  std::map<std::string, std::string_view> leaves_;         // text by name
  std::set<std::string> seen_;                             // names visited
  std::vector<EmittedFile> files_;                         // in filelist order
};

}  // namespace

std::vector<EmittedFile> collect_files(const std::vector<verilog::Module>& modules, const std::string& top) {
  Collector collector(modules);
  collector.visit(top);
  return std::move(collector).files();
}

}  // namespace fred
