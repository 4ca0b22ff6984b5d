/* SPDX-License-Identifier: Apache-2.0
 * The golden model as a C program sees it. */
#include <fenv.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "fred/numeric/golden.h"

static int failed = 0;

static void check(int right, const char *what) {
  if (right) return;
  printf("FAIL: %s (%s)\n", what, fred_golden_error());
  failed = 1;
}

/* What numeric libraries do for speed, where the processor can. */
static void flush_subnormals(int on) {
#ifdef __SSE__
  _mm_setcsr(on ? _mm_getcsr() | 0x8040U : _mm_getcsr() & ~0x8040U);
#else
  (void)on;
#endif
}

int main(void) {
  /* 2^24 + 1 + 1 in fp32: the order decides. */
  float big = 16777216, one = 1, result = 0;
  const void *operands[3] = {&big, &one, &one};
  const int together[3] = {0, 1, 2}, apart[3] = {0, 2, 3}, last[3] = {3, 1, 0};
  check(fred_golden_reduce("fp32", NULL, "sum", together, 3, operands, 4, &result) == 0 && result == 16777216, "(big+1)+1");
  check(fred_golden_reduce("fp32", NULL, "sum", apart, 3, operands, 4, &result) == 0 && result == 16777218, "big+(1+1)");
  check(fred_golden_reduce("fp32", NULL, "sum", last, 3, operands, 4, &result) == 0 && result == 16777218, "(1+1)+big");

  uint8_t a[4] = {250, 1, 2, 3}, b[4] = {10, 20, 30, 40};
  const void *bytes[2] = {a, b};
  const uint8_t want[4] = {255, 21, 32, 43};
  check(fred_golden_reduce("uint8", NULL, "sum-sat", apart, 2, bytes, 4, a) == 0 && memcmp(a, want, 4) == 0, "in place");
  check(fred_golden_error()[0] == 0, "no error");

  /* 1 + 2^-8 + 2^-8 in bf16: each addition rounds to 1, in fp32 nothing is lost. */
  const uint16_t bf_one = 0x3f80, bf_small = 0x3b80;
  uint16_t bf_result = 0;
  const void *bf[3] = {&bf_one, &bf_small, &bf_small};
  check(fred_golden_reduce("bf16", NULL, "sum", together, 3, bf, 2, &bf_result) == 0 && bf_result == 0x3f80, "in bf16");
  check(fred_golden_reduce("bf16", "fp32", "sum", together, 3, bf, 2, &bf_result) == 0 && bf_result == 0x3f81,
        "in fp32");
  check(fred_golden_reduce("bf16", "fp16", "sum", together, 3, bf, 2, &bf_result) == 2, "fp16 does not hold bf16");
  check(fred_golden_reduce("bf16", "fp17", "sum", together, 3, bf, 2, &bf_result) == 2, "no such type to accumulate in");
  check(fred_golden_reduce("bf16", "fp32", "sum", together, 3, bf, 3, &bf_result) == 2, "half an element again");

  /* The caller's rounding, and what it does to subnormal numbers, do not matter. */
  const float next_to_half = 1.5F * 5.9604645e-8F; /* 1.5 * 2^-24: 1 + it is above the middle of 1 and the next number */
  const void *rounded[2] = {&one, &next_to_half};
  fesetround(FE_DOWNWARD);
  check(fred_golden_reduce("fp32", NULL, "sum", together, 2, rounded, 4, &result) == 0, "rounded down");
  check(fegetround() == FE_DOWNWARD, "the caller's rounding is as it was");
  fesetround(FE_TONEAREST);
  check(memcmp(&result, &(const uint32_t){0x3f800001}, 4) == 0, "to nearest all the same");
  flush_subnormals(1);
  const uint16_t least = 1;
  const void *subnormals[2] = {&least, &least};
  check(fred_golden_reduce("bf16", NULL, "sum", together, 2, subnormals, 2, &bf_result) == 0 && bf_result == 2,
        "subnormal numbers are kept");
  flush_subnormals(0);

  const int twice[2] = {3, 3};
  check(fred_golden_reduce("uint8", NULL, "sum", twice, 2, bytes, 4, a) == 2 && fred_golden_error()[0] != 0, "a port twice");
  check(strstr(fred_golden_error(), "port 3 is there twice") != NULL, "which port");
  check(fred_golden_reduce("uint8", "uint64", "sum", apart, 2, bytes, (size_t)-1 / 8 + 1, a) == 2, "too many bytes");
  check(fred_golden_reduce("uint7", NULL, "sum", apart, 2, bytes, 4, a) == 2 && strstr(fred_golden_error(), "uint7"), "type");
  check(fred_golden_reduce("uint16", NULL, "sum", apart, 2, bytes, 3, a) == 2, "half an element");
  check(fred_golden_reduce("fp32", NULL, "sum-sat", apart, 3, operands, 4, &result) == 2, "not defined");
  check(fred_golden_reduce("fp32", NULL, "sum-sat", apart, 1, operands, 4, &result) == 2, "nor of one rank");
  check(fred_golden_reduce("uint8", NULL, "sum", apart, 0, NULL, 0, NULL) == 2, "no rank");
  check(fred_golden_reduce("uint8", NULL, NULL, apart, 2, bytes, 4, a) == 2, "no operation");
  check(memcmp(a, want, 4) == 0, "nothing written on errors");
  if (!failed) puts("ok");
  return failed;
}
