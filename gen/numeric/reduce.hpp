// SPDX-License-Identifier: Apache-2.0
// The golden model of arithmetic: what a reducer makes of two elements, and what a switch makes of a group's data.
//
// int32, int16: the sum wraps, min and max are signed. fp16, bf16, fp32: IEEE 754-2019 addition rounded to nearest,
// ties to even, with subnormals, infinities and signed zeros by the standard; minimum and maximum of clause 9.6 (NaN
// propagates, -0 < +0). Every NaN that arithmetic returns is the one canonical NaN: positive, quiet, no payload
// (0x7e00, 0x7fc0, 0x7fc00000). docs/numerics.md says why this is bit-exact and how it is tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fred/numeric/dtype.hpp"

namespace fred {

/// One element. `a` and `b` are bit patterns in the low element_bits(dtype) bits (higher bits are ignored); `a` is the
/// left operand, that of the lower port. The result's higher bits are zero.
[[nodiscard]] std::uint64_t reduce_bits(DType dtype, Op op, std::uint64_t a, std::uint64_t b);

/// `elements` little-endian elements without padding, no alignment needed. `out` may be `a` or `b` itself, but must not
/// overlap them otherwise.
void reduce_array(DType dtype, Op op, const std::byte* a, const std::byte* b, std::byte* out, std::size_t elements);

/// What a switch returns for the group `ports`: `bytes` bytes, reduced in the port-order tree. `operands[i]` points to
/// the `bytes` bytes of port `ports[i]`. The tree is the binary trie over port numbers: ports p < q meet at the first
/// level k with p >> k == q >> k, the lower ports as the left operand. A single port's data are returned as they are.
/// Throws InputError unless ports are ascending, not empty and within 0..radix-1, there is one operand a port, and
/// bytes is a multiple of the element size.
[[nodiscard]] std::vector<std::byte> reduce_tree(DType dtype, Op op, int radix, const std::vector<int>& ports,
                                                 const std::vector<const std::byte*>& operands, std::size_t bytes);

/// The same tree in print: {0, 1, 2} gives "((0+1)+2)", {5} gives "5". Throws InputError unless ports are ascending,
/// not negative and not empty.
[[nodiscard]] std::string tree_text(const std::vector<int>& ports);

/// Rounded to nearest, ties to even; subnormals kept, overflow to infinity, every NaN becomes the canonical one.
[[nodiscard]] std::uint16_t bf16_from_float(float value);
[[nodiscard]] std::uint16_t fp16_from_float(float value);

/// The value of a bit pattern of a floating-point type, exact (a NaN gives a NaN, its payload unspecified). An int32 is
/// converted as an integer, rounded to nearest.
[[nodiscard]] float to_float(DType dtype, std::uint64_t bits);

}  // namespace fred
