// SPDX-License-Identifier: Apache-2.0
#include "tb/diagnosis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace fred::tb {

namespace {

/// descriptors[from] cannot launch because the head of `port` is of descriptors[to].
struct Wait {
  std::size_t from = 0, to = 0;
  int port = 0;
};

/// Depth-first search for a way from `node` back to `target`; leaves it in `path`.
bool find_way(const std::vector<Wait>& waits, std::size_t node, std::size_t target, std::vector<bool>& seen,
              std::vector<Wait>& path) {
  for (const Wait& wait : waits) {
    if (wait.from != node) continue;
    path.push_back(wait);
    if (wait.to == target) return true;
    if (!seen[wait.to]) {
      seen[wait.to] = true;
      if (find_way(waits, wait.to, target, seen, path)) return true;
    }
    path.pop_back();
  }
  return false;
}

std::string describe_cycle(const std::vector<Descriptor>& descriptors, const std::vector<Wait>& waits) {
  for (std::size_t start = 0; start < descriptors.size(); ++start) {
    std::vector<bool> seen(descriptors.size(), false);
    std::vector<Wait> path;
    if (!find_way(waits, start, start, seen, path)) continue;
    std::string text = "cycle: ";
    for (const Wait& wait : path) {
      text += fmt::format("descriptor {} waits for port {}, where descriptor {} is first; ",
                          descriptors[wait.from].index, wait.port, descriptors[wait.to].index);
    }
    return text + "the ports issue their collectives in orders that contradict each other\n";
  }
  return {};
}

std::string describe_missing(const Descriptor& descriptor, const PortView& port) {
  if (port.head_valid()) {
    return fmt::format(" port {} ({} descriptor {});", port.port,
                       port.held() ? "holds a faulty beat of" : "first there is", port.head());
  }
  const char* why =
      port.offered == descriptor.index ? "its source has not sent it yet" : "its source has nothing for it";
  return fmt::format(" port {} ({});", port.port, why);
}

}  // namespace

std::string describe_waits(const std::vector<Descriptor>& descriptors, const std::vector<std::uint32_t>& status,
                           const std::vector<PortView>& ports) {
  std::string text;
  std::vector<Wait> waits;
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    const Descriptor& descriptor = descriptors[i];
    const int step = static_cast<int>(status[i] >> 16);
    const bool halted = (status[i] >> 1 & 1U) != 0;
    const bool busy = (status[i] >> 2 & 1U) != 0;
    std::string missing;
    bool wanted = busy || halted;
    for (const int number : launch_ports(descriptor, step)) {
      const PortView& port = ports[static_cast<std::size_t>(number)];
      if (port.head_valid() && port.head() == descriptor.index && !port.held()) {
        wanted = true;
        continue;
      }
      missing += describe_missing(descriptor, port);
      if (!port.head_valid()) continue;
      for (std::size_t other = 0; other < descriptors.size(); ++other) {
        if (descriptors[other].index == port.head() && other != i) waits.push_back({i, other, number});
      }
    }
    wanted = wanted || std::any_of(ports.begin(), ports.end(), [&](const PortView& port) {
               return (port.head_valid() && port.head() == descriptor.index) || port.offered == descriptor.index;
             });
    if (!wanted) continue;
    text += fmt::format("descriptor {} ({} {}), step {}{}{}:", descriptor.index, to_string(descriptor.kind),
                        to_string(Flow{descriptor.in, descriptor.out}), step, halted ? ", halted by an error" : "",
                        busy ? ", begun" : "");
    text += missing.empty() ? " has all its operands; waits for space at its outputs" : " waits for" + missing;
    text += '\n';
  }
  for (const PortView& port : ports) {
    if (port.offering) {
      text += fmt::format("port {}: its source offers a beat of descriptor {} that is not accepted\n", port.port,
                          port.offered);
    }
    if (port.valid_out && !port.ready_out) text += fmt::format("port {}: its sink does not accept\n", port.port);
    if (!port.space_out()) {
      text += fmt::format("port {}: no space at the output{}\n", port.port, port.open_out() ? ", inside a packet" : "");
    }
  }
  return text + describe_cycle(descriptors, waits);
}

std::string describe_error_register(std::uint32_t error) {
  static constexpr std::array<std::string_view, 6> kBits{"conflict", "mismatch", "epoch",
                                                         "unknown",  "member",   "framing"};
  std::string names;
  for (std::size_t bit = 0; bit < kBits.size(); ++bit) {
    if ((error >> bit & 1U) != 0) names += (names.empty() ? "" : ", ") + std::string(kBits[bit]);
  }
  return fmt::format("ERROR register {:#x}: {}", error, names);
}

}  // namespace fred::tb
