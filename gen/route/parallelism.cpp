// SPDX-License-Identifier: Apache-2.0
#include "fred/route/parallelism.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "fred/error.hpp"

namespace fred {
namespace {

constexpr int kMaxRanks = 4096;  // the largest radix

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Text in quotes for a message: short, and without anything that a terminal would act on.
std::string quote(std::string_view text) {
  constexpr std::size_t kLimit = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kLimit)) {
    const bool printable = c >= 0x20 && c < 0x7f;
    shown += printable ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return shown + (text.size() > kLimit ? "...'" : "'");
}

int parse_size(std::string_view text, std::string_view where) {
  int size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  const bool whole = !text.empty() && end == text.data() + text.size();
  if (!whole || error != std::errc{} || size < 1 || size > kMaxRanks) {
    throw InputError(fmt::format("parallelism {}: size {}: allowed are 1..{}", quote(where), quote(text), kMaxRanks));
  }
  return size;
}

Dimension parse_dimension(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw InputError(
        fmt::format("parallelism {}: a dimension is written as name=size, for example mp=2,dp=4", quote(text)));
  }
  const std::string_view name = trim(text.substr(0, equals));
  if (std::find(kDimensionNames.begin(), kDimensionNames.end(), name) == kDimensionNames.end()) {
    throw InputError(fmt::format("parallelism {}: unknown dimension {}: allowed are {}", quote(text), quote(name),
                                 fmt::join(kDimensionNames, ", ")));
  }
  return {std::string(name), parse_size(trim(text.substr(equals + 1)), text)};
}

}  // namespace

int Parallelism::ranks() const {
  int product = 1;
  for (const Dimension& dimension : dimensions) product *= dimension.size;
  return product;
}

Parallelism parse_parallelism(std::string_view text) {
  Parallelism parallelism;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    Dimension dimension = parse_dimension(trim(rest.substr(0, comma)));
    for (const Dimension& other : parallelism.dimensions) {
      if (other.name != dimension.name) continue;
      throw InputError(fmt::format("parallelism {}: {} is there twice", quote(text), dimension.name));
    }
    if (parallelism.ranks() > kMaxRanks / dimension.size) {
      throw InputError(
          fmt::format("parallelism {}: has more than {} ranks, which is the largest radix", quote(text), kMaxRanks));
    }
    parallelism.dimensions.push_back(std::move(dimension));
    if (comma == std::string_view::npos) return parallelism;
    rest.remove_prefix(comma + 1);
  }
}

std::string to_string(const Parallelism& parallelism) {
  std::string text;
  for (const Dimension& dimension : parallelism.dimensions) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", dimension.name, dimension.size);
  }
  return text;
}

std::vector<int> coordinates_of(const Parallelism& parallelism, int rank) {
  std::vector<int> coordinates;
  for (const Dimension& dimension : parallelism.dimensions) {
    coordinates.push_back(rank % dimension.size);
    rank /= dimension.size;
  }
  return coordinates;
}

std::vector<Group> groups_of(const Parallelism& parallelism, int dimension) {
  int stride = 1;
  for (int d = 0; d < dimension; ++d) stride *= parallelism.dimensions[d].size;
  const int size = parallelism.dimensions[dimension].size;
  std::vector<Group> groups;
  for (int rank = 0; rank < parallelism.ranks(); ++rank) {
    if (rank / stride % size != 0) continue;  // the first of its group only
    groups.emplace_back();
    for (int i = 0; i < size; ++i) groups.back().push_back(rank + i * stride);
  }
  return groups;
}

}  // namespace fred
