// SPDX-License-Identifier: Apache-2.0
// The golden model of arithmetic: what a reducer makes of two elements, and what a switch makes of a group's data.
//
// Integers: the sum wraps or saturates, min and max are of signed or unsigned numbers. Floating point: IEEE 754-2019
// addition rounded to nearest, ties to even, with subnormals, infinities and signed zeros by the standard; minimum and
// maximum of clause 9.6 (NaN propagates, -0 < +0). fp8e4m3 has no infinities (OCP 8-bit Floating Point Specification
// 1.0): what is too large becomes NaN, or 448 where the sum saturates. Every NaN that arithmetic returns is the one
// canonical NaN: positive, quiet, no payload (0x7f, 0x7e, 0x7e00, 0x7fc0, 0x7fc00000, 0x7ff8000000000000). And, or, xor
// take an element as its bits. docs/numerics.md says why this is bit-exact and how it is tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fred/numeric/dtype.hpp"

namespace fred {

/// One element. `a` and `b` are bit patterns in the low element_bits(dtype) bits (higher bits are ignored); `a` is the
/// left operand, that of the lower port. The result's higher bits are zero. Rounds as the calling thread's
/// floating-point environment says, which must be the default one. Throws InputError for an operation that is not
/// defined for the type.
[[nodiscard]] std::uint64_t reduce_bits(DType dtype, Op op, std::uint64_t a, std::uint64_t b);

/// `elements` little-endian elements without padding, no alignment needed. `out` may be `a` or `b` itself, but must not
/// overlap them otherwise. The floating-point environment of the calling thread does not matter. Throws like
/// reduce_bits.
void reduce_array(DType dtype, Op op, const std::byte* a, const std::byte* b, std::byte* out, std::size_t elements);

/// What a switch returns for the group `ports`: `bytes` bytes, reduced in the port-order tree. `operands[i]` points to
/// the `bytes` bytes of port `ports[i]`. The tree is that of tree.hpp. A single port's data are returned as they are.
/// Throws InputError unless ports are ascending, not empty and within 0..radix-1, there is one operand a port, and
/// bytes is a multiple of the element size, and the operation is defined for the type. The floating-point environment
/// of the calling thread does not matter.
[[nodiscard]] std::vector<std::byte> reduce_tree(DType dtype, Op op, int radix, const std::vector<int>& ports,
                                                 const std::vector<const std::byte*>& operands, std::size_t bytes);
/// The same of a switch that accumulates in the wider type `acc`: operands are converted, reduced there, and the result
/// is rounded once (integers: cut). Sums that saturate do so in both types. Bitwise operations are done on the elements
/// as they are. Throws also unless `acc` holds every value of `dtype`.
[[nodiscard]] std::vector<std::byte> reduce_tree(DType dtype, DType acc, Op op, int radix,
                                                 const std::vector<int>& ports,
                                                 const std::vector<const std::byte*>& operands, std::size_t bytes);

/// Whether the order of `ranks` operands, accumulated in `acc`, can be seen in the result: sums that are rounded on
/// their way, and saturating sums of signed numbers that may be clipped there. All other operations are associative and
/// commutative in every bit.
[[nodiscard]] bool order_matters(DType dtype, DType acc, Op op, std::size_t ranks);

/// One element in a type that holds it (dtype.hpp), exactly; a NaN becomes the canonical one (in the RTL it
/// keeps its payload, which no sum shows).
[[nodiscard]] std::uint64_t widen_bits(DType from, DType to, std::uint64_t bits);
/// And back: rounded to nearest even, or cut; `saturate`: what is out of range becomes the nearest number.
[[nodiscard]] std::uint64_t narrow_bits(DType from, DType to, std::uint64_t bits, bool saturate);

/// The bits of a floating-point type nearest to `value`, ties to even; subnormals kept, overflow to infinity (fp8e4m3:
/// to NaN), every NaN becomes the canonical one. Throws InputError for integer types.
[[nodiscard]] std::uint64_t from_double(DType dtype, double value);

/// The value of a bit pattern, exact but for 64-bit integers, which are rounded to nearest (a NaN gives a NaN, its
/// payload unspecified).
[[nodiscard]] double to_double(DType dtype, std::uint64_t bits);

}  // namespace fred
