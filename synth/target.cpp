// SPDX-License-Identifier: Apache-2.0
#include "synth/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "fred/error.hpp"

namespace fred::synth {
namespace {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"osu018", "OSU 180 nm", Flow::kAsic, "/usr/share/qflow/tech/osu018/osu018_stdcells.lib", "qflow-tech-osu018",
       "INVX4"},
      {"osu035", "OSU 350 nm", Flow::kAsic, "/usr/share/qflow/tech/osu035/osu035_stdcells.lib", "qflow-tech-osu035",
       "INVX4"},
      {"ice40", "Lattice iCE40", Flow::kIce40, {}, {}, {}},
      {"ecp5", "Lattice ECP5", Flow::kFpga, {}, {}, {}},
      {"xilinx", "Xilinx 7 series", Flow::kFpga, {}, {}, {}},
      {"gowin", "Gowin", Flow::kFpga, {}, {}, {}}};
  return all;
}

}  // namespace

std::vector<std::string_view> target_names() {
  std::vector<std::string_view> names;
  for (const Target& target : targets()) names.emplace_back(target.name);
  return names;
}

Target find_target(std::string_view name) {
  const auto found =
      std::find_if(targets().begin(), targets().end(), [name](const Target& t) { return t.name == name; });
  if (found != targets().end()) return *found;
  throw InputError(fmt::format("--target {}: must be one of {}; or give a Liberty file with --liberty", name,
                               fmt::join(target_names(), ", ")));
}

bool abc_reads(const std::string& path) {
  return std::all_of(path.begin(), path.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-+,=%~").find(c) != std::string_view::npos;
  });
}

Target library_target(const std::filesystem::path& file) {
  const std::string path = std::filesystem::absolute(file).lexically_normal().string();
  if (!abc_reads(path)) {
    throw InputError(fmt::format(
        "--liberty {}: ABC reads no file whose path has spaces or special characters; link it to another", path));
  }
  return {"liberty", file.filename().string(), Flow::kAsic, path, {}, {}};
}

}  // namespace fred::synth
