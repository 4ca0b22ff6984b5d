// SPDX-License-Identifier: Apache-2.0
#include "fred/cli/json_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "fred/error.hpp"

namespace fred::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;  // more than what fred route writes at most
constexpr int kMaxDepth = 16;                             // of lists in lists

std::string read(const std::string& option, const std::string& file) {
  const auto fail = [&](const std::string& what) { throw InputError(fmt::format("{} {}: {}", option, file, what)); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!stream) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::string part(std::size_t{1} << 16, '\0');
  while (text.size() <= kMaxBytes) {
    const std::size_t size = std::fread(part.data(), 1, part.size(), stream.get());
    if (size == 0) break;
    text.append(part, 0, size);
  }
  if (std::ferror(stream.get()) != 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  if (text.size() > kMaxBytes) fail(fmt::format("is larger than {} bytes", kMaxBytes));
  return text;
}

}  // namespace

json read_json(const std::string& option, const std::string& file, const std::vector<std::string>& wanted) {
  const auto keep = [&](int depth, json::parse_event_t event, const json& value) {
    if (depth > kMaxDepth) {
      throw InputError(fmt::format("{} {}: has lists in lists deeper than {}", option, file, kMaxDepth));
    }
    if (event != json::parse_event_t::key || depth > 1 || wanted.empty()) return true;
    return std::find(wanted.begin(), wanted.end(), value.get<std::string>()) != wanted.end();
  };
  try {
    return json::parse(read(option, file), keep);
  } catch (const json::parse_error& error) {
    throw InputError(fmt::format("{} {}: is no JSON: there is a mistake at byte {}", option, file, error.byte));
  }
}

std::string shown(const json& value) {
  constexpr std::size_t kLimit = 40;
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() > kLimit ? text.substr(0, kLimit) + "..." : text;
}

}  // namespace fred::cli
