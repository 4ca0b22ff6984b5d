// SPDX-License-Identifier: Apache-2.0
// The registers of a switch with their fields, as docs/protocol.md has them; addresses are RegisterMap's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fred/design/design.hpp"

namespace fred::flow {

enum class Access { kReadOnly, kReadWrite, kWriteOnly, kWriteOneToClear };

/// Bits low..low+width-1 of a register.
struct RegisterField {
  std::string name;
  int low = 0;
  int width = 0;
  std::string description;
};

/// A 32-bit register, or an array of them.
struct Register {
  std::string name;
  std::uint32_t offset = 0;  ///< bytes from the start of its block
  Access access = Access::kReadOnly;
  bool is_volatile = false;            ///< changes by itself
  std::optional<std::uint32_t> reset;  ///< value after reset; none where it is undefined
  std::vector<int> dimensions;         ///< of an array, the outermost first; words follow each other
  std::string description;
  std::vector<RegisterField> fields;  ///< by ascending bit; none where the design uses no bit of it
};

/// Registers next to each other, or `count` groups of them.
struct RegisterBlock {
  std::string name;
  std::uint32_t base = 0;   ///< byte address
  std::uint32_t range = 0;  ///< bytes of one group
  int count = 0;            ///< groups, `range` apart; 0 = not a group but the registers themselves
  std::string description;
  std::vector<Register> registers;
};

/// All registers of the switch, by ascending address.
[[nodiscard]] std::vector<RegisterBlock> register_blocks(const Design& design);

}  // namespace fred::flow
