/* SPDX-License-Identifier: Apache-2.0
 * The golden model for C: what a switch makes of plain arrays, bit for bit, without a switch. C++ has reduce.hpp and
 * tree.hpp. The library is C++: link with -lfred -lstdc++ -lm, or in CMake with C and CXX both enabled.
 *
 *     const int ports[3] = {0, 4, 5};                     // rank r is on port ports[r]
 *     const void *operands[3] = {rank0, rank1, rank2};    // `bytes` bytes each, little-endian elements
 *     if (fred_golden_reduce("bf16", NULL, "sum", ports, 3, operands, bytes, result) != 0) puts(fred_golden_error());
 */
#ifndef FRED_NUMERIC_GOLDEN_H
#define FRED_NUMERIC_GOLDEN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of an all-reduce or reduce of `ranks` operands of `bytes` bytes each, in the order of their ports: of a
 * reduce-scatter it is the concatenation of what the ranks receive. `dtype` and `op` are names as `fred run` takes them;
 * so is `acc`, the type in which the switch accumulates, NULL for one without --acc.
 * `result` may be one of the operands. 0: done. 2: bad input, nothing is written, fred_golden_error() says why. */
int fred_golden_reduce(const char *dtype, const char *acc, const char *op, const int *ports, size_t ranks,
                       const void *const *operands, size_t bytes, void *result);

/* Why the last call of this thread failed; "" if it did not. Valid until the next call. */
const char *fred_golden_error(void);

#ifdef __cplusplus
}
#endif

#endif
