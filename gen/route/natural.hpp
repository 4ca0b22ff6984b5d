// SPDX-License-Identifier: Apache-2.0
// Internal to the routability counts: whole numbers of any size (GMP), and drawing one with equal probability.
#pragma once

#include <gmpxx.h>

#include <random>

namespace fred::detail {

using Natural = mpz_class;

/// Each number below `bound`, 1 or more, with equal probability. The standard library's and GMP's own distributions may
/// differ from one version to another; these do not.
[[nodiscard]] Natural draw_below(const Natural& bound, std::mt19937_64& random);
[[nodiscard]] int draw_below(int bound, std::mt19937_64& random);

}  // namespace fred::detail
