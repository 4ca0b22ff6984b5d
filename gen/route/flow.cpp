// SPDX-License-Identifier: Apache-2.0
// Reads groups and flows from text. Any text may come in: what cannot be read is an InputError that quotes it.
#include "fred/route/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "fred/error.hpp"
#include "fred/route/text.hpp"

namespace fred {
namespace {

using detail::quote;
using detail::split;
using detail::trim;

int parse_port(std::string_view text, int radix, std::string_view where) {
  if (text.empty()) {
    throw InputError(fmt::format("{}: a port is missing; write ports as 0,1,2", quote(where)));
  }
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool whole = end == text.data() + text.size();
  if (whole && (error == std::errc::result_out_of_range || (error == std::errc{} && (port < 0 || port >= radix)))) {
    throw InputError(fmt::format("port {}: allowed are 0..{}", quote(text), radix - 1));
  }
  if (!whole || error != std::errc{}) {
    throw InputError(fmt::format("port {} is not a number: allowed are 0..{}", quote(text), radix - 1));
  }
  return port;
}

/// Reads "0,1,2" and marks each port in `used`; `role` says in the message what a port may be once only.
std::vector<int> parse_ports(std::string_view text, int radix, std::vector<bool>& used, const char* role) {
  std::vector<int> ports;
  for (const std::string_view part : split(text, ',')) {
    const int port = parse_port(part, radix, text);
    if (used[port]) throw InputError(fmt::format("port {} is repeated: a port may be {}", port, role));
    used[port] = true;
    ports.push_back(port);
  }
  return ports;
}

void check_radix(int radix) {
  if (radix < 1) throw InputError(fmt::format("radix {}: allowed is 1 or more", radix));
}

}  // namespace

Flow flow_of(const Group& group) {
  Ports ports = group;
  std::sort(ports.begin(), ports.end());
  return {ports, ports};
}

std::vector<Group> parse_groups(std::string_view text, int radix, Overlap overlap) {
  check_radix(radix);
  if (trim(text).empty()) throw InputError("no groups: write them as \"0,1,2;3,4,5\"");
  std::vector<bool> used(radix);
  std::vector<Group> groups;
  for (const std::string_view part : split(text, ';')) {
    if (part.empty()) throw InputError(fmt::format("{}: a group is empty; write groups as 0,1,2;3,4,5", quote(text)));
    if (overlap == Overlap::kAllowed) used.assign(used.size(), false);
    groups.push_back(
        parse_ports(part, radix, used, overlap == Overlap::kAllowed ? "in a group once" : "in one group, once"));
  }
  return groups;
}

std::vector<Flow> parse_flows(std::string_view text, int radix, Overlap overlap) {
  check_radix(radix);
  if (trim(text).empty()) throw InputError("no flows: write them as \"3,4>2;1>3,5\"");
  std::vector<bool> used_in(radix);
  std::vector<bool> used_out(radix);
  std::vector<Flow> flows;
  for (const std::string_view part : split(text, ';')) {
    const auto sides = split(part, '>');
    if (sides.size() != 2) {
      throw InputError(fmt::format("{}: a flow is written as inputs>outputs, for example 3,4>2", quote(part)));
    }
    const bool alone = overlap == Overlap::kRefused;
    if (!alone) {
      used_in.assign(used_in.size(), false);
      used_out.assign(used_out.size(), false);
    }
    Flow flow{
        parse_ports(sides[0], radix, used_in, alone ? "an input of one flow, once" : "an input of a flow once"),
        parse_ports(sides[1], radix, used_out, alone ? "an output of one flow, once" : "an output of a flow once")};
    std::sort(flow.in.begin(), flow.in.end());
    std::sort(flow.out.begin(), flow.out.end());
    flows.push_back(std::move(flow));
  }
  return flows;
}

std::vector<Flow> select(const std::vector<Flow>& flows, const std::vector<int>& indices) {
  std::vector<Flow> selected;
  for (const int f : indices) selected.push_back(flows[f]);
  return selected;
}

bool share_a_port(const Ports& a, const Ports& b) {
  return std::any_of(a.begin(), a.end(), [&](int port) { return std::binary_search(b.begin(), b.end(), port); });
}

bool share_a_port(const Flow& a, const Flow& b) { return share_a_port(a.in, b.in) || share_a_port(a.out, b.out); }

std::string to_string(const Flow& flow) {
  return fmt::format("{}>{}", fmt::join(flow.in, ","), fmt::join(flow.out, ","));
}

}  // namespace fred
