// SPDX-License-Identifier: Apache-2.0
// The registers of a switch by name: blocks, registers, fields, access, reset, codes. Every number is RegisterMap's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fred/design/design.hpp"
#include "fred/design/register_map.hpp"

namespace fred {

enum class Access {
  kReadOnly,  ///< a write answers SLVERR
  kReadWrite,
  kWriteOnly,       ///< a read answers SLVERR
  kWriteOneToClear  ///< of the bits; reads as they are
};

/// Numbers with names that stand in a field.
struct CodeList {
  struct Code {
    int value = 0;
    std::string name;  ///< as options have it: "allreduce", "sum-sat"
  };
  std::string name;  ///< "kind", "op", "dtype"
  std::string description;
  std::vector<Code> codes;  ///< by ascending value
};

struct RegisterField {
  std::string name;
  BitField bits;
  std::string description;
  std::string codes;  ///< name of the list that its numbers are of; empty where it is of none
  /// A field that other designs have has no bits.
  [[nodiscard]] bool exists() const { return bits.width > 0; }
};

/// A 32-bit register.
struct Register {
  std::string name;          ///< "IN_MASK"; of several words "IN_MASK_0", "IN_MASK_1"
  std::uint32_t offset = 0;  ///< bytes from the start of its group
  Access access = Access::kReadOnly;
  bool is_volatile = false;            ///< changes by itself
  std::optional<std::uint32_t> reset;  ///< value after reset; none where it is undefined
  std::string description;
  std::vector<RegisterField> fields;  ///< by ascending bit, also those without bits in this design
  std::string words_of{};             ///< "IN_MASK": one of the registers of a mask, its number `word`; else empty
  int word = 0;

  /// Bits that belong to fields; others read as 0, and setting one answers SLVERR.
  [[nodiscard]] std::uint32_t mask() const;
  [[nodiscard]] std::vector<RegisterField> existing_fields() const;
  /// Reads as `reset` always.
  [[nodiscard]] bool is_constant() const { return access == Access::kReadOnly && !is_volatile && reset; }
};

/// A block is repeated by such an index.
struct RegisterIndex {
  std::string name;          ///< "port", "vc", "table", ...
  int count = 0;             ///< 0..count-1 exist
  std::uint32_t stride = 0;  ///< bytes between neighbours
};

/// A group of registers next to each other, repeated by its indices; none: it is there once.
struct RegisterBlock {
  std::string name;
  std::uint32_t base = 0;  ///< byte address
  std::uint32_t size = 0;  ///< bytes that it takes in all
  std::string description;
  std::vector<RegisterIndex> indices;  ///< the outermost, with the largest stride, first
  std::vector<Register> registers;     ///< by ascending offset
};

/// One register of one place in its block.
struct RegisterAt {
  const RegisterBlock* block = nullptr;
  const Register* item = nullptr;
  std::vector<int> indices;  ///< by block->indices
  std::uint32_t address = 0;
  /// "ERROR", "CONFIG[3]", "ENTRY[0][2][5]".
  [[nodiscard]] std::string name() const;
};

/// All registers of the switch, by ascending address.
[[nodiscard]] std::vector<RegisterBlock> register_blocks(const Design& design);
/// Kinds, operations and element types, all that are known.
[[nodiscard]] std::vector<CodeList> code_lists();

// The blocks must outlive what these return, so they are none that is made in the call.

/// Every register of every place, by ascending address.
[[nodiscard]] std::vector<RegisterAt> all_registers(const std::vector<RegisterBlock>& blocks);
std::vector<RegisterAt> all_registers(std::vector<RegisterBlock>&& blocks) = delete;
/// The register at a byte address; none where there is none.
[[nodiscard]] std::optional<RegisterAt> register_at(const std::vector<RegisterBlock>& blocks, std::uint32_t address);
std::optional<RegisterAt> register_at(std::vector<RegisterBlock>&& blocks, std::uint32_t address) = delete;
/// The register of this name. Throws std::logic_error if there is none.
[[nodiscard]] const Register& register_named(const std::vector<RegisterBlock>& blocks, const std::string& name);
const Register& register_named(std::vector<RegisterBlock>&& blocks, const std::string& name) = delete;

}  // namespace fred
