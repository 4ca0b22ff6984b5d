// SPDX-License-Identifier: Apache-2.0
// A fabric of switches as one Engine: what is at the pins is one large switch whose ports are those of all leaves, so
// that the harness, its drivers and its scoreboard serve a fabric as they serve a switch.
//
//   port of the large switch = (place of the leaf << bits of a leaf's port) | port of the leaf
//
// With these numbers the order of steps and the tree of a reduction are those of the fabric: first within a leaf by its
// ports, then over the leaves. tdest is the number of the collective, both ways; the engine puts the descriptors of the
// leaves in its place. A register's address has the switch in its bits 24 and up.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fred/fabric/plan.hpp"
#include "tb/engine.hpp"
#include "tb/link_channel.hpp"

namespace fred::tb {

/// What happens on the links.
struct FabricLinks {
  LinkErrors errors;       ///< of every direction of every link
  std::uint64_t seed = 1;  ///< of all of them
};

class FabricEngine : public Engine {
 public:
  /// `open` gives the engine of a switch. Roots must have the leaves at ascending ports.
  FabricEngine(const Fabric& fabric, const FabricPlan& plan, const FabricLinks& links,
               const std::function<std::unique_ptr<Engine>(const Design&)>& open);

  /// The large switch, for a harness; descriptor c is collective c. Throws InputError where it has too many ports.
  [[nodiscard]] static Design large(const Fabric& fabric, int collectives);
  /// Its port.
  [[nodiscard]] static int port(const Fabric& fabric, const FabricPort& of);
  /// Where a register of a switch is.
  [[nodiscard]] static std::uint32_t address(int of, std::uint32_t local) {
    return static_cast<std::uint32_t>(of) << 24 | local;
  }

  void cycle(const InPins& in, OutPins& out) override;
  [[nodiscard]] std::string name() const override { return "fabric"; }
  /// Holds this switch in reset from the next cycle on, beside the others' reset.
  void hold_in_reset(int of, bool held) { nodes_[static_cast<std::size_t>(of)].held = held; }
  /// All links are up.
  [[nodiscard]] bool up() const;
  [[nodiscard]] std::uint64_t hits() const;

 private:
  struct Node {
    const Design* design;
    std::unique_ptr<Engine> engine;
    InPins in;
    OutPins out;
    int first_port;                    ///< of the large switch
    std::vector<int> sends, receives;  ///< descriptor of a collective; collective of a descriptor
    bool held = false;
  };
  struct Way {
    std::size_t from, to;  ///< switches
    int from_link, to_link;
    LinkChannel channel;
  };
  void put_streams(const InPins& in, Node& node) const;
  void put_registers(const InPins& in, Node& node, bool selected) const;
  void take_streams(const Node& node, OutPins& out) const;

  Fabric fabric_;
  Design large_;
  std::vector<Node> nodes_;
  std::vector<Way> ways_;
  std::uint64_t cycle_ = 0;
  std::size_t selected_ = 0;  ///< the switch whose register is accessed
};

}  // namespace fred::tb
