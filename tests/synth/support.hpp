// SPDX-License-Identifier: Apache-2.0
// Files for the tests of synth/.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace fred::synth::test {

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Text of tests/synth/data/NAME: what a tool wrote.
inline std::string saved(const std::string& name) {
  return read(std::filesystem::path(FRED_SOURCE_DIR "/tests/synth/data") / name);
}

/// `name` in a folder that is removed at the end.
inline std::filesystem::path scratch(const std::string& name) {
  static const struct Folder {
    std::string path = (std::filesystem::temp_directory_path() / "fred-synth-test-XXXXXX").string();
    Folder() {
      if (mkdtemp(path.data()) == nullptr) std::abort();
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } folder;
  return std::filesystem::path(folder.path) / name;
}

}  // namespace fred::synth::test
