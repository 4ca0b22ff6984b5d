// SPDX-License-Identifier: Apache-2.0
// A Verilated fred_link, whatever its parameters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fred/design/link.hpp"
#include "tests/link/channel.hpp"

namespace fred::test {

/// A link by name, with the parameters of the manifest that `fred link` wrote for its model: what the generator works
/// out is what is tested.
struct NamedLink {
  std::string name;
  ChipLink link;

  [[nodiscard]] Header header() const {
    const int data = 2 + link.slot_bits() + link.credit_bits();
    return {.data = data, .seq = data + 3 + link.seq_bits(), .seq_bits = link.seq_bits()};
  }
};

struct Beat {
  std::uint32_t data = 0;
  std::uint32_t keep = 0;
  bool last = false;
  int slot = 0;
  std::uint32_t dest = 0;
  std::uint32_t user = 0;
  friend bool operator==(const Beat&, const Beat&) = default;
};

/// Inputs of a cycle, and its outputs. Nothing that goes out depends on an input of the same cycle.
class LinkEnd {
 public:
  virtual ~LinkEnd() = default;

  // Inputs.
  bool reset = true;
  bool offer = false;
  Beat out;
  std::uint32_t free = 0;  ///< a bit a slot
  bool phy_ready = true;
  bool phy_valid = false;
  Word phy_in{false, Bits(kBitsWords)};

  // Outputs.
  bool ready = false, valid = false, phy_sends = false, up = false, lost = false;
  bool sent = false, taken = false, bad = false, gap = false, replay = false, timeout = false;
  std::uint32_t slot_ready = 0;
  Beat in;
  Word phy_out{false, Bits(kBitsWords)};

  virtual void look() = 0;   ///< the outputs, with the inputs as they are
  virtual void clock() = 0;  ///< one rising edge
};

/// All that there are models of (tests/link/verilated.cmake).
[[nodiscard]] const std::vector<NamedLink>& links();
/// One of them. Throws std::out_of_range if there is none of that name.
[[nodiscard]] const NamedLink& named_link(const std::string& name);
/// An end of it, in reset. The same.
[[nodiscard]] std::unique_ptr<LinkEnd> make_end(const std::string& name);

}  // namespace fred::test
