// SPDX-License-Identifier: Apache-2.0
// The FILE of `fred route --keep FILE`: parts of it, with complaints that name the file and the place.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fred::cli {

class KeptFile {
 public:
  using Json = nlohmann::json;

  /// Throws InputError as read_json, and when the file is no object.
  explicit KeptFile(const std::string& file);

  /// Throws InputError: "--keep FILE: PLACE WHAT".
  [[noreturn]] void fail(const std::string& place, const std::string& what) const;

  // All below throw InputError when the value is missing or another than is said.
  [[nodiscard]] const Json& field(const Json& of, const std::string& place, const char* name) const;
  [[nodiscard]] const Json& field(const char* name) const { return field(json_, "", name); }
  /// null where there is none.
  [[nodiscard]] Json optional_field(const char* name) const { return json_.value(name, Json()); }
  [[nodiscard]] const Json& list(const Json& value, const std::string& place) const;
  /// low..high
  [[nodiscard]] std::int64_t number(const Json& value, const std::string& place, std::int64_t low,
                                    std::int64_t high) const;
  [[nodiscard]] std::vector<int> numbers(const Json& value, const std::string& place, int low, int high) const;
  /// Names in broken.links, separated by commas; none where there is no such field.
  [[nodiscard]] std::string broken() const;

 private:
  std::string file_;
  Json json_;
};

}  // namespace fred::cli
