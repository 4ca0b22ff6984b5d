// SPDX-License-Identifier: Apache-2.0
// A switch without registers: which descriptor a port's beats belong to, and the options that give it again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fred/design/collective.hpp"
#include "fred/design/design.hpp"
#include "fred/design/kind.hpp"
#include "fred/error.hpp"

namespace fred {

Ports Collective::senders() const {
  if (kind == Kind::kBroadcast || kind == Kind::kScatter) return {root_port};
  return flow.in;
}

void StaticForm::check_watchdog(std::int64_t cycles) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;  // TIMEOUT's largest exponent
  const bool power = cycles > 1 && (cycles & (cycles - 1)) == 0;
  if (cycles == 0 || (power && cycles <= kMost)) return;
  throw InputError(fmt::format("--watchdog {}: allowed are 0 and powers of two, 2..{}", cycles, kMost));
}

int StaticForm::descriptor_of(int port, int vc) const {
  for (std::size_t d = 0; d < collectives.size(); ++d) {
    const Ports senders = collectives[d].senders();
    if (collectives[d].vc == vc && std::find(senders.begin(), senders.end(), port) != senders.end()) {
      return static_cast<int>(d);
    }
  }
  return -1;
}

std::string StaticForm::canonical_options(const Design& design) const {
  std::vector<Flow> flows;
  std::vector<std::string> flow_texts, items;
  for (const Collective& of : collectives) {
    auto flow = std::find(flows.begin(), flows.end(), of.flow);
    if (flow == flows.end()) {
      flow_texts.push_back(to_string(of.flow));
      flow = flows.insert(flows.end(), of.flow);
    }
    std::string item = fmt::format("{}@{}:{}", to_string(of.kind), flow - flows.begin(),
                                   to_string(design.dtypes()[static_cast<std::size_t>(of.type)]));
    if (reduces(of.kind)) item += fmt::format(":{}", to_string(of.op));
    item += fmt::format("/vc{}", of.vc);
    if (root_sends(of.kind) || root_receives(of.kind)) {
      const Ports& side = root_sends(of.kind) ? of.flow.in : of.flow.out;
      item += fmt::format("/root{}", std::find(side.begin(), side.end(), of.root_port) - side.begin());
    }
    items.push_back(std::move(item));
  }
  return fmt::format("--static --flows \"{}\" --collective {} --watchdog {}{}", fmt::join(flow_texts, ";"),
                     fmt::join(items, ","), watchdog, tdest ? " --tdest" : "");
}

}  // namespace fred
